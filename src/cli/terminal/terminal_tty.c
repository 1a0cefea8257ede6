#include "cli/terminal/terminal_tty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Alternate screen, mouse, focus and paste reports, keys, scroll region, cursor, attributes: what a
 * program may have switched on and not off. */
#define FIRST_STATE                                                                             \
	"\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1006l\x1b[?2004l\x1b[?1l" \
	"\x1b[>4m\x1b>\x1b[r\x1b[?7h\x1b[4l\x1b(B\x1b[?25h\x1b[0 q\x1b[m"

bool tn_tty_is_there(void)
{
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

bool tn_tty_size(uint16_t *ret_columns, uint16_t *ret_rows)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col || !size.ws_row)
		return false;
	*ret_columns = size.ws_col;
	*ret_rows = size.ws_row;
	return true;
}

bool tn_tty_take(struct tn_tty *tty)
{
	struct termios raw;

	if (tcgetattr(STDIN_FILENO, &tty->before) != 0)
		return false;
	tty->flags = fcntl(STDIN_FILENO, F_GETFL);
	raw = tty->before;
	cfmakeraw(&raw);
	tty->is_raw = tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
	return tty->is_raw;
}

void tn_tty_give(struct tn_tty *tty)
{
	if (!tty->is_raw)
		return;
	tty->is_raw = false;
	(void)tn_tty_write(TN_STR(FIRST_STATE "\x1b[999;1H\r\n"));
	/* Answers to what was shown may still be on their way in: they are nobody's line. */
	(void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &tty->before);
	/* Whoever has the terminal next shares how it is read. */
	if (tty->flags >= 0)
		(void)fcntl(STDIN_FILENO, F_SETFL, tty->flags);
}

void tn_tty_clear(void)
{
	(void)tn_tty_write(TN_STR(FIRST_STATE "\x1b[H\x1b[2J"));
}

bool tn_tty_write(struct tn_str bytes)
{
	while (bytes.size) {
		ssize_t put = write(STDOUT_FILENO, bytes.data, bytes.size);

		if (put < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
			struct pollfd room = {.fd = STDOUT_FILENO, .events = POLLOUT};

			(void)poll(&room, 1, -1);
			continue;
		}
		if (put < 0 && errno != EINTR)
			return false;
		if (put > 0)
			bytes = tn_str_from_offset(bytes, (size_t)put);
	}
	return true;
}
