/* json.h - reading JSON (RFC 8259): a token reader that allocates nothing, and a tree in an arena.
 *
 * Strict: UTF-8 checked, no trailing commas, no comments, no NaN, one value and nothing after it.
 * Nesting is bounded and costs no C stack. Numbers keep their digits; nothing is rounded on the
 * way through. A lone surrogate escape becomes U+FFFD. Of duplicate keys the last one wins
 * (MCP-014). A leading byte order mark is skipped (MCP-012).
 *
 * Both readers work in place: they write the unescaped strings into the text they are given, so the
 * text is consumed, and every slice they hand out points into it. Strings and keys are followed by
 * a NUL. Threads: one at a time. */
#ifndef TN_JSONRPC_JSON_H
#define TN_JSONRPC_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

/* ---- tokens ---- */

enum tn_json_token {
	TN_JSON_TOKEN_END, /* the value is complete and only white space followed */
	TN_JSON_TOKEN_ERROR,
	TN_JSON_TOKEN_OBJECT,     /* { */
	TN_JSON_TOKEN_OBJECT_END, /* } */
	TN_JSON_TOKEN_ARRAY,
	TN_JSON_TOKEN_ARRAY_END,
	TN_JSON_TOKEN_KEY,    /* text: the key; its value follows */
	TN_JSON_TOKEN_STRING, /* text: unescaped */
	TN_JSON_TOKEN_NUMBER, /* text: the digits as written */
	TN_JSON_TOKEN_TRUE,
	TN_JSON_TOKEN_FALSE,
	TN_JSON_TOKEN_NULL
};

struct tn_json_reader {
	char *start, *at, *end;
	struct tn_str text; /* of the last KEY, STRING or NUMBER */
	const char *fault;  /* after ERROR: what was wrong, a static sentence */
	uint8_t expect;     /* private */
	uint32_t depth, depth_max;
	uint64_t in_object[2]; /* private: one bit a level, TN_JSON_DEPTH_MAX of them */
};

/* depth_max: 1..TN_JSON_DEPTH_MAX. */
void tn_json_reader_init(struct tn_json_reader *reader, char *text, size_t size,
			 uint32_t depth_max);
enum tn_json_token tn_json_next(struct tn_json_reader *reader);

/* After KEY, or where a value is due: passes over the whole value. False: ERROR. */
bool tn_json_skip(struct tn_json_reader *reader);

/* Fills `err` with INVALID, the fault and the byte offset. */
enum tenon_code tn_json_reader_fail(const struct tn_json_reader *reader, struct tenon_error *err);

/* ---- tree ---- */

enum tn_json_type {
	TN_JSON_NULL,
	TN_JSON_FALSE,
	TN_JSON_TRUE,
	TN_JSON_NUMBER,
	TN_JSON_STRING,
	TN_JSON_ARRAY,
	TN_JSON_OBJECT
};

struct tn_json {
	enum tn_json_type type;
	uint32_t count;    /* members or elements */
	struct tn_str key; /* when it is a member of an object */
	union {
		struct tn_str text;    /* STRING: unescaped; NUMBER: digits as written */
		struct tn_json *first; /* ARRAY, OBJECT: children in order */
	};
	struct tn_json *next; /* sibling */
};

/* Reads one value. On success *ret lives in the arena and points into `text`.
 * Fails: INVALID (not JSON), LIMIT (depth, members, the arena's own), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_json_parse(struct tn_arena *arena, char *text, size_t size,
					  struct tn_json **ret, struct tenon_error *err);

/* The same on a copy of constant text. */
TN_MUST_USE enum tenon_code tn_json_parse_copy(struct tn_arena *arena, struct tn_str text,
					       struct tn_json **ret, struct tenon_error *err);

/* Looks up a member. NULL: absent, or `object` is NULL or not an object. */
const struct tn_json *tn_json_get(const struct tn_json *object, const char *key);
const struct tn_json *tn_json_get_str(const struct tn_json *object, struct tn_str key);

static inline bool tn_json_is(const struct tn_json *value, enum tn_json_type type)
{
	return value && value->type == type;
}

/* Each accepts NULL and says whether the value has the type (and fits); else *ret is untouched. */
bool tn_json_to_str(const struct tn_json *value, struct tn_str *ret);
bool tn_json_to_int(const struct tn_json *value,
		    int64_t *ret); /* 1, -0, 10e2 and 1.0 are integers */
bool tn_json_to_double(const struct tn_json *value, double *ret);
bool tn_json_to_bool(const struct tn_json *value, bool *ret);

/* True when the number has no fraction, whatever its size. */
bool tn_json_is_integer(const struct tn_json *value);

/* Deep equality as JSON Schema defines it: 1 equals 1.0, member order does not matter. */
bool tn_json_equal(const struct tn_json *a, const struct tn_json *b);

const char *tn_json_type_name(const struct tn_json *value); /* "string", "integer", ... */

#endif
