/* parser.h - the inside of the parser, for the files parse*.c: recursive descent over tokens, one
 * fault a statement (floorplan.md 5.2).
 *
 * Functions return false when the statement cannot be read on; the fault is told by then. Recursion
 * only goes into sub-rooms, TN_FLOOR_DEPTH_MAX deep. */
#ifndef TN_FLOOR_PARSER_H
#define TN_FLOOR_PARSER_H

#include "apps/floorplan/language/tree.h"

struct tn_floor_parser {
	struct tn_floor_lexed lexed;
	struct tn_floor_diagnostics *list;
	struct tn_arena *arena;
	uint32_t at;      /* token */
	uint32_t hyphens; /* tokens before it have been told of, if they have one */
	bool told;        /* of a fault in this statement */
	bool full;        /* a cap was reached: nothing more is read */
	bool braces;      /* floorplan { was told of: one } more is fine */
	uint32_t rooms, floors, circulation, connections, verticals, sizes, styles;
};

static inline const struct tn_floor_token *tn_parse_here(const struct tn_floor_parser *p)
{
	return &p->lexed.tokens[p->at];
}
static inline const struct tn_floor_token *tn_parse_ahead(const struct tn_floor_parser *p,
							  uint32_t count)
{
	uint32_t last = p->lexed.count - 1;

	return &p->lexed.tokens[p->at + count < last ? p->at + count : last];
}
bool tn_parse_is_word(const struct tn_floor_parser *p, enum tn_floor_word word);
bool tn_parse_is_sign(const struct tn_floor_parser *p, char sign);
static inline void tn_parse_next(struct tn_floor_parser *p)
{
	if (p->at + 1 < p->lexed.count)
		p->at++;
}
bool tn_parse_take_word(struct tn_floor_parser *p, enum tn_floor_word word); /* if it is there */
bool tn_parse_take_sign(struct tn_floor_parser *p, char sign);

/* FP1005: "expected WHAT, found ..."; false. */
bool tn_parse_expected(struct tn_floor_parser *p, const char *what);
/* The same of a word with a hyphen, with what to write instead. */
bool tn_parse_expected_not_hyphen(struct tn_floor_parser *p, const char *what);
/* FP1014 for those before token `end` of which nothing has been told. */
void tn_parse_tell_hyphens(struct tn_floor_parser *p, uint32_t end);
/* Tells once a statement; false. */
bool tn_parse_fault(struct tn_floor_parser *p, int code, const struct tn_floor_range *range,
		    const char *format, ...) TN_PRINTF(4, 5);
/* FP1009 for a clause that stands in `seen` already, which gets it; both are read. */
void tn_parse_once(struct tn_floor_parser *p, unsigned *seen, unsigned clause, uint32_t token);
bool tn_parse_want_word(struct tn_floor_parser *p, enum tn_floor_word word);
bool tn_parse_want_sign(struct tn_floor_parser *p, char sign);
/* A name (FP1007 for a reserved word, which is then taken for one). */
bool tn_parse_name(struct tn_floor_parser *p, uint32_t *ret_token);
/* FP0004 when there are too many. */
bool tn_parse_count(struct tn_floor_parser *p, uint32_t *count, uint32_t max, const char *what);
void *tn_parse_new(struct tn_floor_parser *p, size_t size); /* NULL: no memory, told by the list */

/* Behind a fault (parse_recover.c): to the next statement word, or the closing sign of the block
 * that encloses an element that began at token `first`. */
void tn_parse_recover(struct tn_floor_parser *p, uint32_t first, char closing);
/* One of the words that begin a statement or an element stands here. */
bool tn_parse_at_statement(const struct tn_floor_parser *p);

static inline struct tn_floor_tokens tn_parse_no_tokens(void)
{
	return (struct tn_floor_tokens){TN_FLOOR_NO_TOKEN, TN_FLOOR_NO_TOKEN};
}
/* From `first` to the token before this one. */
static inline struct tn_floor_tokens tn_parse_since(const struct tn_floor_parser *p, uint32_t first)
{
	return (struct tn_floor_tokens){first, p->at > first ? p->at - 1 : first};
}

/* ---- pieces ---- */

bool tn_parse_length(struct tn_floor_parser *p, bool may_be_negative, struct tn_floor_length *ret);
bool tn_parse_number(struct tn_floor_parser *p, double *ret, uint32_t *ret_token);
bool tn_parse_size(struct tn_floor_parser *p, bool may_be_full, struct tn_floor_size *ret);
bool tn_parse_side(struct tn_floor_parser *p, enum tn_floor_side *ret, uint32_t *ret_token);
bool tn_parse_hand(struct tn_floor_parser *p, enum tn_floor_hand *ret);
bool tn_parse_measure(struct tn_floor_parser *p, struct tn_floor_measure *ret);
bool tn_parse_at(struct tn_floor_parser *p, struct tn_floor_at *ret);
bool tn_parse_is_direction(const struct tn_floor_parser *p);
bool tn_parse_relative(struct tn_floor_parser *p, struct tn_floor_relative *ret);
bool tn_parse_label(struct tn_floor_parser *p, struct tn_floor_text *ret);
bool tn_parse_style_of(struct tn_floor_parser *p, struct tn_floor_name *ret);
/* `style` here is the clause of an element, not a statement. */
bool tn_parse_is_style_clause(const struct tn_floor_parser *p);

/* ---- elements; each begins at its word ---- */

bool tn_parse_room(struct tn_floor_parser *p, struct tn_floor_room_tree *parent, unsigned depth,
		   struct tn_floor_room_tree **ret);
bool tn_parse_stair(struct tn_floor_parser *p, struct tn_floor_stair_tree **ret);
bool tn_parse_lift(struct tn_floor_parser *p, struct tn_floor_lift_tree **ret);
bool tn_parse_connect(struct tn_floor_parser *p, struct tn_floor_connect_tree **ret);
bool tn_parse_vertical(struct tn_floor_parser *p, struct tn_floor_vertical_tree **ret);
/* { key: value, ... } of a style or of the configuration. */
bool tn_parse_properties(struct tn_floor_parser *p, bool of_style, struct tn_floor_property **ret);

/* ---- front matter and version (3.3) ---- */

void tn_front_read(struct tn_str text, struct tn_arena *arena, struct tn_floor_diagnostics *list,
		   struct tn_floor_front *ret);
void tn_version_check(const struct tn_floor_tree *tree, struct tn_floor_diagnostics *list);

#endif
