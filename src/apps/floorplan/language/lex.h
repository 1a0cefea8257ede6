/* lex.h - a plan's text as tokens with exact places (floorplan.md 3.1), and the reserved words.
 *
 * Every byte of the text is either in a token or between two: editing changes only what it names.
 * Everything lives in the arena and points into the text. Threads: one at a time. */
#ifndef TN_FLOOR_LEX_H
#define TN_FLOOR_LEX_H

#include "apps/floorplan/language/diagnostic.h"
#include "apps/floorplan/language/words.h"

enum tn_floor_token_kind {
	TN_FLOOR_END, /* end of file; just behind the last non-blank character */
	TN_FLOOR_NAME,
	TN_FLOOR_WORD,   /* reserved (L10), hyphenated ones among them */
	TN_FLOOR_NUMBER, /* digits as written */
	TN_FLOOR_STRING, /* with its quotes */
	TN_FLOOR_PUNCT,  /* one of ( ) { } [ ] , : . % - and U+00B0; `word` is the character */
	TN_FLOOR_OPEN_DIRECTIVE,
	TN_FLOOR_CLOSE_DIRECTIVE
};

struct tn_floor_token {
	uint8_t kind;
	bool bad;      /* a fault was told of it already */
	bool hyphen;   /* of NAME: it has one, of which the parser tells */
	uint16_t word; /* of WORD: enum tn_floor_word; of PUNCT: the character */
	struct tn_floor_range range;
};

struct tn_floor_lexed {
	struct tn_str text;
	const struct tn_floor_token *tokens; /* the last one is END */
	uint32_t count;
	uint32_t body; /* bytes: where the language begins, behind the front matter */
};

/* Tokens of a text that tn_floor_text_check has found good (FP1001-FP1004, FP0004);
 * `front`: bytes of front matter that are passed over. False: no memory. */
bool tn_floor_lex(struct tn_str text, uint32_t front, struct tn_arena *arena,
		  struct tn_floor_diagnostics *list, struct tn_floor_lexed *ret);
/* Tokens of the part of such a text from byte `from`, on line `line`, to its end, where no token
 * began before `from`. Columns count from there, and FP1014 is told. False: no memory. */
bool tn_floor_lex_part(struct tn_str text, uint32_t from, uint32_t line, struct tn_arena *arena,
		       struct tn_floor_diagnostics *list, struct tn_floor_lexed *ret);
struct tn_str tn_floor_token_text(const struct tn_floor_lexed *lexed, uint32_t index);
/* From the first byte of one token to the end of another. */
struct tn_floor_range tn_floor_span(const struct tn_floor_lexed *lexed, uint32_t first,
				    uint32_t last);
const char *tn_floor_word_text(enum tn_floor_word word);
bool tn_floor_is_reserved(struct tn_str word);
bool tn_floor_is_name(struct tn_str text); /* L5, not reserved, at most 128 bytes */

#endif
