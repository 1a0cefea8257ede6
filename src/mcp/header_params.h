/* header_params.h - tool arguments that HTTP clients repeat in headers (mcp.md
 * sections 11.4, 11.5).
 *
 * Threads: loop. Ownership: the list belongs to the tool. */
#ifndef TN_MCP_HEADER_PARAMS_H
#define TN_MCP_HEADER_PARAMS_H

#include "mcp/exchange.h"
#include "mcp/registry.h"

/* Collects the `x-mcp-header` annotations of an input schema. Fails: INVALID (MCP-124: the tool
 * must not be registered), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_header_params_find(const struct tn_json *schema, const char *tool,
						  struct tn_header_param **ret,
						  struct tenon_error *err);
void tn_header_params_free(struct tn_header_param *params);

/* The argument that belongs to the header; NULL: absent or null. `arguments` may be NULL. */
const struct tn_json *tn_header_param_value(const struct tn_header_param *param,
					    const struct tn_json *arguments);

/* Compares the request's headers with its arguments (MCP-127). Fails: INVALID with the sentence for
 * error -32020. `arguments` may be NULL. */
TN_MUST_USE enum tenon_code tn_header_params_check(const struct tn_header_param *params,
						   const struct tn_http_view *view,
						   const struct tn_json *arguments,
						   struct tn_arena *arena, struct tenon_error *err);

/* The one value of a standard header. Fails: INVALID when it occurs twice with different values,
 * has characters outside 0x20 to 0x7E and tab, or a broken base 64 wrapping (MCP-114, 115, 122).
 * Absent: OK with data == NULL. */
TN_MUST_USE enum tenon_code tn_header_value(const struct tn_http_view *view, const char *name,
					    struct tn_arena *arena, struct tn_str *ret,
					    struct tenon_error *err);

#endif
