/* screen_grid.h - rows of cells, and moving them about.
 *
 * A cell that is all zero is blank in the default colours; so is every cell of a row from `used`
 * on. The last row never `wrapped`. Rows trade places when the grid scrolls; their memory is one
 * piece. Clusters (a character with marks) have memory only in rows that ever had one; refused
 * memory loses marks, nothing else. Threads: one at a time. Ownership: the caller's. */
#ifndef TN_TERM_SCREEN_GRID_H
#define TN_TERM_SCREEN_GRID_H

#include "apps/terminal/screen/screen.h"
#include "base/utf8.h"

enum { TN_CLUSTER_SIZE = TN_SCREEN_CODES_MAX * TN_UTF8_BYTES_MAX };

struct tn_cell {
	char text[TN_UTF8_BYTES_MAX]; /* zeros after it; all zero: erased, or a wide tail */
	tn_colour foreground, background;
	uint16_t flags;        /* TN_CELL_* */
	uint16_t cluster_size; /* not 0: the text is in the row's clusters */
};

typedef char tn_cluster[TN_CLUSTER_SIZE];

struct tn_row {
	struct tn_cell *cells;
	tn_cluster *clusters; /* as many as columns, or NULL */
	uint16_t used;
	bool wrapped;  /* goes on in the next row */
	bool wide;     /* may have wide cells */
	bool reported; /* has been in the scroll-back before */
};

struct tn_grid {
	uint16_t columns, row_count;
	uint16_t top; /* of the rows, which go around */
	struct tn_row *rows;
	struct tn_cell *cells;
};

bool tn_grid_create(struct tn_grid *grid, uint16_t columns, uint16_t rows); /* false: no memory */
void tn_grid_finish(struct tn_grid *grid);

static inline struct tn_row *tn_grid_row(const struct tn_grid *grid, unsigned row)
{
	unsigned at = grid->top + row;

	return &grid->rows[at < grid->row_count ? at : at - grid->row_count];
}

/* Rows `first` to `last` move; those that come in are blank on `background`. `count` is at most
 * the number of rows. What leaves is lost. */
void tn_grid_scroll_up(struct tn_grid *grid, uint16_t first, uint16_t last, uint16_t count,
		       tn_colour background);
void tn_grid_scroll_down(struct tn_grid *grid, uint16_t first, uint16_t last, uint16_t count,
			 tn_colour background);
void tn_grid_erase(struct tn_grid *grid, tn_colour background);

/* Columns `from` to before `to`. Half a wide character that stays becomes blank. */
void tn_row_erase(struct tn_row *row, uint16_t columns, uint16_t from, uint16_t to,
		  tn_colour background);
void tn_row_insert(struct tn_row *row, uint16_t columns, uint16_t at, uint16_t count,
		   tn_colour background);
void tn_row_delete(struct tn_row *row, uint16_t columns, uint16_t at, uint16_t count,
		   tn_colour background);
/* If a wide character stands across the border before `column`, both of its halves become blank. */
void tn_row_part(struct tn_row *row, uint16_t columns, uint16_t column);
/* One more code point for the cell's cluster; beyond the limit, nothing. */
void tn_row_join(struct tn_row *row, uint16_t columns, uint16_t column, struct tn_str text);
/* The first columns of a row into an empty one of the same or another width. */
void tn_row_copy(struct tn_row *to, uint16_t to_columns, const struct tn_row *from,
		 uint16_t from_columns);

/* Valid until the row changes. */
struct tn_str tn_cell_text(const struct tn_row *row, uint16_t column);

/* Of the character that begins there; 0: none. */
static inline size_t tn_text_size(const char *text)
{
	unsigned char first = (unsigned char)*text;

	return first < 0x80 ? first != 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

static inline bool tn_cell_is_zero(const struct tn_cell *cell)
{
	uint64_t words[2];

	memcpy(words, cell, sizeof(words));
	return (words[0] | words[1]) == 0;
}

/* Nothing was ever drawn there since it was erased. */
static inline bool tn_cell_is_erased(const struct tn_cell *cell)
{
	return cell->text[0] == 0 && !(cell->flags & TN_CELL_WIDE_TAIL);
}

#endif
