/* pattern_program.h - what a pattern is between being read, compiled and run. Private to
 * pattern*.c; pattern.h says what may be relied on. */
#ifndef TN_JSONRPC_PATTERN_PROGRAM_H
#define TN_JSONRPC_PATTERN_PROGRAM_H

#include "jsonrpc/pattern.h"

/* ---- sets of characters ---- */

struct tn_char_range {
	uint32_t first, last;
};

struct tn_char_set {
	uint64_t ascii[2];                  /* a bit each for 0..127 */
	const struct tn_char_range *ranges; /* sorted, apart; all of the set */
	size_t count;
};

/* ---- syntax tree ---- */

enum tn_pattern_kind {
	TN_PATTERN_EMPTY,
	TN_PATTERN_CHAR,
	TN_PATTERN_SET,
	TN_PATTERN_ASSERT,
	TN_PATTERN_SEQUENCE, /* children one after the other, listed from the last to the first */
	TN_PATTERN_CHOICE,   /* one of the children */
	TN_PATTERN_REPEAT    /* the child, min to max times */
};

enum tn_pattern_assertion {
	TN_PATTERN_START,
	TN_PATTERN_END,
	TN_PATTERN_WORD_EDGE,
	TN_PATTERN_NO_WORD_EDGE
};

#define TN_PATTERN_NO_MAX UINT32_MAX

struct tn_pattern_node {
	enum tn_pattern_kind kind;
	enum tn_pattern_assertion assertion;
	uint32_t code;                 /* CHAR */
	uint32_t min, max;             /* REPEAT */
	const struct tn_char_set *set; /* SET */
	struct tn_pattern_node *first; /* children */
	struct tn_pattern_node *next;  /* sibling */
};

/* Reads the source into a tree in the arena. Fails like tn_pattern_compile. */
TN_MUST_USE enum tenon_code tn_pattern_parse(struct tn_arena *arena, struct tn_str source,
					     struct tn_pattern_node **ret, struct tenon_error *err);

/* ---- sets under construction (pattern_set.c) ---- */

enum { TN_CHAR_RANGES_MAX = 256 }; /* in one class, before they are merged */

struct tn_char_set_builder {
	size_t count;
	bool full;
	struct tn_char_range ranges[TN_CHAR_RANGES_MAX];
};

void tn_char_set_add(struct tn_char_set_builder *builder, uint32_t first, uint32_t last);
void tn_char_set_add_class(struct tn_char_set_builder *builder, char letter); /* one of dDwWsS. */
void tn_char_set_negate(struct tn_char_set_builder *builder);
const struct tn_char_set *tn_char_set_finish(struct tn_char_set_builder *builder,
					     struct tn_arena *arena); /* NULL: no memory */
bool tn_char_set_has(const struct tn_char_set *set, uint32_t code);

static inline bool tn_pattern_is_word(uint32_t code)
{
	return code < 128 && (tn_is_digit((char)code) || tn_is_alpha((char)code) || code == '_');
}

#endif
