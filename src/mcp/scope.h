/* scope.h - what the holder of one token may use (MCP-266): patterns of tool names, resource URIs
 * and prompt names, in which `*` stands for any characters.
 *
 * What may not be used is not seen: it is in no list, and a call of it is a call of something
 * unknown. Ownership: made and freed by the transport that knows the tokens; a peer points to it
 * (NULL: everything), so it outlives its peers. Threads: any after it is made. */
#ifndef TN_MCP_SCOPE_H
#define TN_MCP_SCOPE_H

#include "mcp/registry.h"
#include "tenon/server.h"

struct tn_scope;

/* *ret is NULL when the token may use everything. Fails: LIMIT (TN_SCOPE_PATTERNS_MAX),
 * NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_scope_create(struct tenon_server *server,
					    const struct tenon_token *token, struct tn_scope **ret,
					    struct tenon_error *err);
void tn_scope_free(struct tn_scope *scope); /* accepts NULL */

/* `key`: a name, a URI, or a URI template. `scope` may be NULL. */
bool tn_scope_allows(const struct tn_scope *scope, enum tn_item_kind kind, struct tn_str key);

bool tn_pattern_fits(struct tn_str pattern, struct tn_str text);

#endif
