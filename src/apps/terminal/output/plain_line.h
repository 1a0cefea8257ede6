/* plain_line.h - one line of output while it is written: text that grows at its end, and columns as
 * soon as something moves in it (terminal.md section 6.3, 3).
 *
 * A line may be longer than a terminal is wide: then it goes on in the next row, and a carriage
 * return leads to the start of that row, as it does on the screen. What is kept of it is bounded,
 * the rest is counted. Memory that is refused counts as the bound. Threads: one at a time.
 * Ownership: the caller's. */
#ifndef TN_TERM_PLAIN_LINE_H
#define TN_TERM_PLAIN_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "apps/terminal/screen/screen.h"
#include "base/buf.h"
#include "base/str.h"

enum {
	TN_PLAIN_CHARACTERS_MAX = 1024 * 1024, /* of a line, whatever is asked for */
	TN_PLAIN_TAB = 8
};

/* One column of a line in which something has moved. */
struct tn_plain_cell {
	uint32_t text;  /* up to four bytes; of more: the offset in `long_text` */
	uint8_t size;   /* bytes; 0: nothing was printed here, or it belongs to the cell before */
	uint8_t width;  /* columns; 0: belongs to the cell before */
	uint16_t style; /* of `styles` */
};

struct tn_plain_line {
	bool styled;             /* SGR is kept: then columns are used from the start */
	uint16_t columns;        /* of a row; 0: the line is one row */
	uint32_t characters_max; /* that are shown */
	struct tn_style style;   /* of what is printed next */

	uint64_t column, end; /* of the cursor; of what was printed */
	uint64_t row_start;   /* the column in which the cursor's row begins */

	bool edited; /* `cells` count; otherwise `text` */
	struct tn_buf text;
	uint64_t characters, dropped; /* in `text`; not kept */
	unsigned joined;              /* bytes of marks since the last character */

	struct tn_plain_cell *cells;
	size_t cell_count, cell_capacity;
	struct tn_buf long_text; /* of cells with more than four bytes */
	struct tn_buf styles;    /* of struct tn_style */
};

void tn_plain_line_init(struct tn_plain_line *line, bool styled, uint16_t columns,
			uint32_t characters_max);
void tn_plain_line_finish(struct tn_plain_line *line);
/* The next one; the style stays. */
void tn_plain_line_clear(struct tn_plain_line *line);

void tn_plain_line_ascii(struct tn_plain_line *line, struct tn_str text); /* 0x20 to 0x7E */
void tn_plain_line_code(struct tn_plain_line *line, uint32_t code);
void tn_plain_line_tab(struct tn_plain_line *line);
void tn_plain_line_return(struct tn_plain_line *line);
void tn_plain_line_left(struct tn_plain_line *line, unsigned columns);
void tn_plain_line_right(struct tn_plain_line *line, unsigned columns);
void tn_plain_line_move(struct tn_plain_line *line, unsigned column); /* from 0, in the row */
void tn_plain_line_erase_right(struct tn_plain_line *line);
void tn_plain_line_erase_left(struct tn_plain_line *line);
void tn_plain_line_erase_all(struct tn_plain_line *line);
void tn_plain_line_blank(struct tn_plain_line *line, unsigned columns);  /* ECH */
void tn_plain_line_delete(struct tn_plain_line *line, unsigned columns); /* DCH */
void tn_plain_line_insert(struct tn_plain_line *line, unsigned columns); /* ICH */

bool tn_plain_line_is_empty(const struct tn_plain_line *line);
/* As it is shown, with `…[+N]` for what is not. */
void tn_plain_line_put(const struct tn_plain_line *line, struct tn_buf *out);

#endif
