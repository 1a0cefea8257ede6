/* font_table.h - the shape of what tools/font_to_c.py makes: constant tables in the program's
 * read-only pages, of which only those are ever read that hold a drawn glyph. Threads: any. */
#ifndef TN_DRAW_FONT_TABLE_H
#define TN_DRAW_FONT_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct tn_font_row {
	uint16_t code, width; /* width in units of the em */
	uint32_t outline;     /* offset into the outlines */
};

struct tn_font_table {
	const struct tn_font_row *rows; /* by code */
	size_t row_count;
	int em;
	const char *outlines;
	size_t outline_bytes;
};

extern const struct tn_font_table tn_font_regular, tn_font_bold;

#endif
