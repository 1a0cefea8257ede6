/* uri_template.h - the part of RFC 6570 that resource templates use (MCP-236).
 *
 * Compiled once; matching is linear and takes one pass, so an ambiguous template takes the longest
 * reading of its first variable. Ownership: the caller frees the template. Threads: a compiled
 * template never changes. Limits: TN_URI_BYTES_MAX, TN_URI_TEMPLATE_VARIABLES_MAX. */
#ifndef TN_JSONRPC_URI_TEMPLATE_H
#define TN_JSONRPC_URI_TEMPLATE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

struct tn_uri_template;

#define TN_URI_TEMPLATE_VARIABLES_MAX 32

struct tn_uri_variable {
	struct tn_str name;  /* lives as long as the template */
	struct tn_str value; /* percent-decoded, in the arena, NUL-terminated */
};

/* Fails: INVALID (malformed: the message says where), LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code
tn_uri_template_compile(struct tn_str text, struct tn_uri_template **ret, struct tenon_error *err);
void tn_uri_template_free(struct tn_uri_template *pattern); /* accepts NULL */

/* True when the whole URI matches; `variables` gets the values found, *ret_count of them. False
 * also when the arena is full. */
bool tn_uri_template_match(const struct tn_uri_template *pattern, struct tn_str uri,
			   struct tn_arena *arena,
			   struct tn_uri_variable variables[TN_URI_TEMPLATE_VARIABLES_MAX],
			   size_t *ret_count);

/* True when the template has a variable of this name. */
bool tn_uri_template_has(const struct tn_uri_template *pattern, struct tn_str name);

#endif
