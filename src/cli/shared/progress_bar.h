/* progress_bar.h - one line on a terminal that says how far something is; nothing elsewhere.
 *
 * Redrawn ten times a second at most, as wide as the terminal, gone when it is cleared. Threads:
 * one at a time. */
#ifndef TN_CLI_PROGRESS_BAR_H
#define TN_CLI_PROGRESS_BAR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/clock.h"

struct tn_progress_bar {
	int fd;
	bool is_on;      /* fd is a terminal that can erase a line */
	bool is_visible; /* something of ours stands on the line */
	uint64_t drawn_ms;
	unsigned turns; /* of the wheel, when the total is unknown */
	const struct tn_clock *clock;
};

void tn_progress_bar_init(struct tn_progress_bar *bar, int fd, const struct tn_clock *clock);
/* `total` 0: unknown. `message` may be NULL. */
void tn_progress_bar_show(struct tn_progress_bar *bar, double progress, double total,
			  const char *message);
void tn_progress_bar_clear(struct tn_progress_bar *bar);

/* The line as it would be drawn, without the final NUL at most `columns` columns wide and
 * `size` - 1 bytes long. Returns its bytes. */
size_t tn_progress_bar_format(char *out, size_t size, unsigned columns, unsigned turns,
			      double progress, double total, const char *message);

#endif
