/* schema_keyword.h - what a keyword of a schema becomes: one function a keyword, in a table by what
 * it is about (schema_keywords_value.c, _array.c, _object.c, _logic.c), and the forms that they
 * share.
 *
 * Functions return false when the schema is refused; what was wrong is remembered by then. Private
 * to schema_keyword*.c. Threads: one at a time. */
#ifndef TN_JSONRPC_SCHEMA_KEYWORD_H
#define TN_JSONRPC_SCHEMA_KEYWORD_H

#include "jsonrpc/schema_compiler.h"

/* What a keyword's function gets: all it may need, in one place. */
struct tn_schema_keyword {
	struct tn_schema_compiler *c;
	struct tn_schema_node *node;
	const struct tn_json *schema; /* the object the keyword stands in */
	const struct tn_json *value;
};

enum {
	TN_IN_BOTH = 0,
	TN_IN_2020 = 1
}; /* draft-07 does not know the latter and passes over them */
/* Does the function compile the value itself as a schema? Then its place is made by
 * tn_keyword_read_schema. */
enum { TN_INSIDE = 0, TN_OUTSIDE = 1 };

struct tn_schema_keyword_entry {
	const char *name;
	bool (*compile)(const struct tn_schema_keyword *k);
	uint8_t since;
	uint8_t whole;
};
struct tn_schema_keyword_table {
	const struct tn_schema_keyword_entry *entries; /* sorted by the bytes of their names */
	size_t count;
};
extern const struct tn_schema_keyword_table tn_schema_value_keywords, tn_schema_array_keywords,
	tn_schema_object_keywords, tn_schema_logic_keywords;

/* "must be WANTED"; false. */
bool tn_keyword_refuse(const struct tn_schema_keyword *k, const char *wanted);
/* More than can be counted is TN_SCHEMA_NO_MAX. */
bool tn_keyword_read_count(const struct tn_schema_keyword *k, int64_t *ret);
bool tn_keyword_read_number(const struct tn_schema_keyword *k, struct tn_str *ret);
bool tn_keyword_read_schema(const struct tn_schema_keyword *k, const struct tn_schema_node **ret);
bool tn_keyword_read_list(const struct tn_schema_keyword *k, struct tn_schema_list *ret);
bool tn_keyword_read_pattern(const struct tn_schema_keyword *k, struct tn_str source,
			     const struct tn_pattern **ret);
/* A schema inside the keyword's own value, at that member or index. NULL: refused. */
const struct tn_schema_node *tn_keyword_child(const struct tn_schema_keyword *k,
					      const struct tn_json *value, uint32_t index);

#endif
