#include "cli/shared/progress_bar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/utf8.h"
#include "tenon/client.h"

enum { REDRAW_MS = 100, BAR_COLUMNS_MAX = 30, LINE_SIZE = 1024, COLUMNS_DEFAULT = 80 };

/* Most characters take one column; of those that may take two (East Asian, emoji) we take it for
 * granted, so that the line never wraps. */
static unsigned columns_of(uint32_t code)
{
	return code >= 0x1100 ? 2 : 1;
}

static struct tn_str cut_to_columns(struct tn_str text, unsigned columns)
{
	size_t at = 0;

	while (at < text.size) {
		uint32_t code = 0;
		size_t size = tn_utf8_decode(text.data + at, text.size - at, &code);

		if (size == 0 || columns < columns_of(code))
			break;
		columns -= columns_of(code);
		at += size;
	}
	return tn_str(text.data, at);
}

static size_t put(char *out, size_t size, size_t at, struct tn_str text)
{
	struct tn_str fits = tn_utf8_cut(text, size - 1 - at);

	memcpy(out + at, fits.data, fits.size);
	out[at + fits.size] = '\0';
	return at + fits.size;
}

/* "[#####.....] 50%" */
static size_t format_share(char *out, size_t size, unsigned columns, double share)
{
	unsigned bar = columns / 2 < BAR_COLUMNS_MAX ? columns / 2 : BAR_COLUMNS_MAX;
	unsigned full = (unsigned)(share * bar);
	char line[BAR_COLUMNS_MAX + 16];
	size_t at = 0;

	if (bar >= 8) {
		line[at++] = '[';
		for (unsigned i = 0; i < bar - 2; i++)
			line[at++] = i < full ? '#' : '.';
		line[at++] = ']';
		line[at++] = ' ';
	}
	at += (size_t)snprintf(line + at, sizeof(line) - at, "%3u%%", (unsigned)(share * 100));
	return put(out, size, 0, cut_to_columns(tn_str(line, at), columns));
}

size_t tn_progress_bar_format(char *out, size_t size, unsigned columns, unsigned turns,
			      double progress, double total, const char *message)
{
	static const char wheel[] = "|/-\\";
	char clean[LINE_SIZE], head[64];
	size_t at, width;

	out[0] = '\0';
	if (total > 0) {
		double share = progress / total;

		share = share < 0 ? 0 : share > 1 ? 1 : share;
		at = format_share(out, size, columns, share);
	} else {
		int length = snprintf(head, sizeof(head), "%c %.6g", wheel[turns % 4], progress);

		at = put(out, size, 0, cut_to_columns(tn_str(head, (size_t)length), columns));
	}
	width = at; /* ASCII so far */
	if (!message || !*message || width + 2 >= columns)
		return at;
	tenon_client_clean_text(message, clean, sizeof(clean));
	for (char *c = clean; *c; c++)
		*c = *c == '\n' || *c == '\t' ? ' ' : *c;
	at = put(out, size, at, TN_STR("  "));
	return put(out, size, at,
		   cut_to_columns(tn_str_from(clean), columns - (unsigned)width - 2));
}

void tn_progress_bar_init(struct tn_progress_bar *bar, int fd, const struct tn_clock *clock)
{
	const char *term = getenv("TERM");

	*bar = (struct tn_progress_bar){.fd = fd, .clock = clock};
	bar->is_on = isatty(fd) && term && *term && strcmp(term, "dumb") != 0;
}

static unsigned columns_now(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col < 2)
		return COLUMNS_DEFAULT;
	return size.ws_col - 1U; /* a full line would wrap on some terminals */
}

static void write_line(const struct tn_progress_bar *bar, const char *text, size_t size)
{
	ssize_t written = write(bar->fd, text, size);

	(void)written; /* a line nobody can see is no loss */
}

void tn_progress_bar_show(struct tn_progress_bar *bar, double progress, double total,
			  const char *message)
{
	static const char home[] = "\r\033[K";
	uint64_t now = tn_clock_now_ms(bar->clock);
	char line[LINE_SIZE];
	size_t size = sizeof(home) - 1;

	if (!bar->is_on || (bar->is_visible && now - bar->drawn_ms < REDRAW_MS))
		return;
	memcpy(line, home, size);
	size += tn_progress_bar_format(line + size, sizeof(line) - size, columns_now(bar->fd),
				       bar->turns++, progress, total, message);
	bar->drawn_ms = now;
	bar->is_visible = true;
	write_line(bar, line, size);
}

void tn_progress_bar_clear(struct tn_progress_bar *bar)
{
	if (bar->is_visible)
		write_line(bar, "\r\033[K", 4);
	bar->is_visible = false;
}
