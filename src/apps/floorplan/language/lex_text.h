/* lex_text.h - walking over a plan's text: characters, lines and columns (L1 to L3).
 *
 * The text is UTF-8 (tn_floor_text_check). Threads: any. */
#ifndef TN_FLOOR_LEX_TEXT_H
#define TN_FLOOR_LEX_TEXT_H

#include "apps/floorplan/language/diagnostic.h"

struct tn_floor_cursor {
	struct tn_str text;
	uint32_t at; /* bytes */
	uint32_t line, column;
};

/* FP0001 to FP0003; false: nothing is to be read. */
bool tn_floor_text_check(struct tn_str text, struct tn_floor_diagnostics *list);

struct tn_floor_cursor tn_floor_cursor_at_start(struct tn_str text); /* behind a BOM */
/* The character at the cursor; 0 at the end. */
uint32_t tn_floor_peek(const struct tn_floor_cursor *cursor);
/* Over one character; a CR with its LF is one line end. */
void tn_floor_step(struct tn_floor_cursor *cursor);
/* The byte `offset` bytes ahead; 0 beyond the end. */
static inline char tn_floor_byte(const struct tn_floor_cursor *cursor, uint32_t offset)
{
	return cursor->at + offset < cursor->text.size ? cursor->text.data[cursor->at + offset]
						       : '\0';
}
static inline bool tn_floor_at_end(const struct tn_floor_cursor *cursor)
{
	return cursor->at >= cursor->text.size;
}
struct tn_floor_range tn_floor_range_between(const struct tn_floor_cursor *from,
					     const struct tn_floor_cursor *to);

bool tn_floor_is_blank(uint32_t character);      /* L3 */
bool tn_floor_is_letter(uint32_t character);     /* of any script, or a mark on one */
bool tn_floor_is_name_start(uint32_t character); /* L5 */
bool tn_floor_is_name_part(uint32_t character);

#endif
