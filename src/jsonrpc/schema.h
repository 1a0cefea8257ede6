/* schema.h - JSON Schema 2020-12 (and draft-07): is this value what was asked for, and if not, what
 * should have been sent?
 *
 * A schema is compiled once into memory of its own and checked as often as needed. Nothing is ever
 * fetched: a reference that leaves the schema makes every check that meets it fail (MCP-281).
 * Ownership: the caller frees the schema; the tree it came from may go away after compiling.
 * Threads: a compiled schema never changes, so any number may check against it at once.
 * Bounds (MCP-282): TN_SCHEMA_DEPTH_MAX, TN_SCHEMA_NODES_MAX, TN_SCHEMA_STEPS_MAX,
 * TN_PATTERN_STEPS_MAX of jsonrpc/limits.h. */
#ifndef TN_JSONRPC_SCHEMA_H
#define TN_JSONRPC_SCHEMA_H

#include "base/buf.h"
#include "base/error.h"
#include "jsonrpc/json.h"
#include "jsonrpc/limits.h"

struct tn_schema;

enum { TN_SCHEMA_ASSERT_FORMAT = 1 }; /* email, uri, date, date-time are checked, not just noted */

/* Fails: INVALID (a keyword has the wrong form, a reference inside the schema leads nowhere, the
 * dialect is not supported; the message names the JSON pointer of the keyword), LIMIT, NO_MEMORY.
 * On failure *ret is untouched. */
TN_MUST_USE enum tenon_code tn_schema_compile(const struct tn_json *schema, struct tn_schema **ret,
					      struct tenon_error *err);

/* The same with flags, e.g. TN_SCHEMA_ASSERT_FORMAT for what a person filled into a form. */
TN_MUST_USE enum tenon_code tn_schema_compile_flags(const struct tn_json *schema, unsigned flags,
						    struct tn_schema **ret,
						    struct tenon_error *err);

/* Compiles constant text: the schemas of our own tools. */
TN_MUST_USE enum tenon_code tn_schema_compile_text(struct tn_str text, struct tn_schema **ret,
						   struct tenon_error *err);

void tn_schema_free(struct tn_schema *schema); /* accepts NULL */

#define TN_SCHEMA_PATH_SIZE 160    /* bytes, with the final NUL; longer paths lose their front */
#define TN_SCHEMA_MESSAGE_SIZE 384 /* bytes, with the final NUL */

struct tn_schema_fault {
	char path[TN_SCHEMA_PATH_SIZE]; /* "items[3].name"; the value itself: the caller's root */
	const char *keyword;            /* "type", "required", ...: static */
	char message[TN_SCHEMA_MESSAGE_SIZE]; /* a sentence that starts with the path */
};

/* Large (11 KiB) and not cleared by a check that finds nothing: put it on the stack. */
struct tn_schema_faults {
	const char *root; /* set by the caller: what the value is called, e.g. "arguments" */
	uint32_t count;   /* set by the check; at most TN_SCHEMA_FAULTS_MAX */
	uint32_t more;    /* found beyond those */
	struct tn_schema_fault items[TN_SCHEMA_FAULTS_MAX];
};

/* OK: the value is valid. INVALID: faults->items say why. LIMIT: the value is too large to be
 * checked within the step limit, which one fault says; treat it like INVALID. `faults` may be NULL
 * when only the answer matters. Allocates nothing, except for uniqueItems on more than 16 elements
 * and unevaluated... on more than 2048 children. */
TN_MUST_USE enum tenon_code tn_schema_check(const struct tn_schema *schema,
					    const struct tn_json *instance,
					    struct tn_schema_faults *faults);

/* A fault's path as a JSON Pointer: items[3]["a.b"] becomes /items/3/a.b, and what is called `root`
 * (the value itself) the empty pointer. False: the path has lost its front, and nothing is added.
 */
bool tn_schema_put_pointer(struct tn_buf *out, const char *path, const char *root);

/* All messages in one text: "a; b; and 3 more". */
void tn_schema_faults_write(const struct tn_schema_faults *faults, struct tn_buf *out);

#endif
