/* uri_template.h - the part of RFC 6570 that resource templates use (MCP-236).
 *
 * Compiled once, then matched against URIs and expanded into them. {v} {+v} {#v} {.v} {/v} {?a,b}
 * {&a,b}, several names in one expression and the explode * work both ways; the prefix {v:n} and
 * {;v} are expanded only, so a template that has them matches nothing. Matching takes time and
 * memory in proportion to the URI's length times the template's: there is no backtracking. Where
 * several readings fit, the first variable takes as much as it can, then the second, and so on.
 * Ownership: the caller frees the template. Threads: a compiled template never changes. */
#ifndef TN_JSONRPC_URI_TEMPLATE_H
#define TN_JSONRPC_URI_TEMPLATE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"

struct tn_uri_template;

#define TN_URI_TEMPLATE_VARIABLES_MAX 32
#define TN_URI_TEMPLATE_BYTES_MAX 4096

struct tn_uri_variable {
	struct tn_str name;  /* lives as long as the template */
	struct tn_str value; /* percent-decoded, in the arena, NUL-terminated, without other NULs */
};

/* Fails: INVALID (malformed: the message says where), LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code
tn_uri_template_compile(struct tn_str text, struct tn_uri_template **ret, struct tenon_error *err);
void tn_uri_template_free(struct tn_uri_template *pattern); /* accepts NULL */

/* True when the whole URI (at most TN_URI_BYTES_MAX) matches; `variables` gets the values found,
 * *ret_count of them, in the order of the template, those of a query in the order of the URI.
 * False also when memory ran out. */
bool tn_uri_template_match(const struct tn_uri_template *pattern, struct tn_str uri,
			   struct tn_arena *arena,
			   struct tn_uri_variable variables[TN_URI_TEMPLATE_VARIABLES_MAX],
			   size_t *ret_count);

/* True when the template has a variable of this name. */
bool tn_uri_template_has(const struct tn_uri_template *pattern, struct tn_str name);

enum tn_uri_value_kind {
	TN_URI_TEXT, /* items[0] */
	TN_URI_LIST, /* items[0..count) */
	TN_URI_PAIRS /* items[0] is the key of items[1], and so on; count is even */
};

struct tn_uri_value {
	struct tn_str name;
	enum tn_uri_value_kind kind;
	const struct tn_str *items; /* UTF-8 */
	size_t count;               /* 0: undefined, as if it were not given */
};

/* Appends the expansion; a variable without a value is left out. Failures stick to `out`. */
void tn_uri_template_expand(const struct tn_uri_template *pattern,
			    const struct tn_uri_value *values, size_t count, struct tn_buf *out);

#endif
