/* screen_scrollback.h - lines above the screen, each as few bytes as its text and colours need.
 *
 * A ring bounded by lines and by bytes: the oldest go first. Refused memory loses the oldest, too.
 * Threads: one at a time. Ownership: the caller's. */
#ifndef TN_TERM_SCREEN_SCROLLBACK_H
#define TN_TERM_SCREEN_SCROLLBACK_H

#include "apps/terminal/limits.h"
#include "apps/terminal/screen/screen_grid.h"

struct tn_scroll_segment;

struct tn_scrollback {
	struct tn_scroll_segment *oldest, *newest;
	size_t bytes, bytes_max; /* of all segments */
	uint32_t count, count_max;
	char *scratch; /* where a line is put together; for `scratch_columns` */
	uint16_t scratch_columns;
};

/* A line taken out again, whatever the width of the screen is by now. */
struct tn_scroll_line {
	struct tn_row row;
	uint16_t columns; /* that it has */
	struct tn_cell cells[TN_SCREEN_COLUMNS_MAX];
	tn_cluster clusters[TN_SCREEN_COLUMNS_MAX];
};

bool tn_scrollback_create(struct tn_scrollback *back, uint32_t count_max, uint16_t columns);
void tn_scrollback_finish(struct tn_scrollback *back);
void tn_scrollback_clear(struct tn_scrollback *back);
/* Room for lines of another width. False: no memory, nothing has changed. */
bool tn_scrollback_widen(struct tn_scrollback *back, uint16_t columns);

void tn_scrollback_push(struct tn_scrollback *back, const struct tn_row *row);
/* Line `index`, 0 the newest. False: there is none. */
bool tn_scrollback_get(const struct tn_scrollback *back, uint32_t index,
		       struct tn_scroll_line *ret);
void tn_scrollback_drop_newest(struct tn_scrollback *back);

#endif
