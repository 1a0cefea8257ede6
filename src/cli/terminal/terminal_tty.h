/* terminal_tty.h - the terminal that `tenon terminal` itself runs in: taken over for a while, and
 * always given back as it was.
 *
 * Threads: main. */
#ifndef TN_CLI_TERMINAL_TTY_H
#define TN_CLI_TERMINAL_TTY_H

#include <stdbool.h>
#include <stdint.h>
#include <termios.h>

#include "base/str.h"

struct tn_tty {
	struct termios before;
	int flags; /* of standard input */
	bool is_raw;
};

bool tn_tty_is_there(void); /* standard input and output are a terminal */
bool tn_tty_size(uint16_t *ret_columns, uint16_t *ret_rows);

/* Every key comes as it is typed, and nothing is shown by itself. False: it refuses. */
bool tn_tty_take(struct tn_tty *tty);
/* Undoes what tn_tty_take and whatever was shown meanwhile have changed; the cursor is below it.
 * Once; without tn_tty_take nothing. */
void tn_tty_give(struct tn_tty *tty);

/* A blank screen in its first state, for a snapshot. */
void tn_tty_clear(void);
/* All of it, however slow the terminal is. False: it is gone. */
bool tn_tty_write(struct tn_str bytes);

#endif
