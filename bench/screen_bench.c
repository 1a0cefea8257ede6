/* screen_bench.c - how fast a screen takes what programs print, beside libvterm and memcpy.
 *
 *     screen_bench [SECONDS]
 *
 * 80x24 with 10,000 lines of scroll-back, fed in pieces of 4 KiB, as a PTY gives them. A row per
 * kind of output: MB/s of ours, of libvterm (with its scroll-back callback, which keeps nothing),
 * how many times faster ours is, and which part of memcpy's rate that is. The time is the
 * processor's, so that others on the machine count less. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <vterm.h>

#include "apps/terminal/screen/screen.h"
#include "base/mem.h"

enum { COLUMNS = 80, ROWS = 24, PIECE = 4096, ROUND_BYTES = 4 * 1024 * 1024 };

static double now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* always there */
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void make_log(struct tn_buf *out, unsigned i)
{
	tn_buf_format(out, "2026-01-02T03:04:%02u.%03u INFO  worker-%u request %u took %u ms\r\n",
		      i % 60, i % 1000, i % 8, i, i % 97);
}

static void make_colours(struct tn_buf *out, unsigned i)
{
	tn_buf_format(
		out,
		"\033[90m03:04:%02u\033[0m \033[1;3%um%s\033[0m src/file_%u.c:\033[36m%u\033[m: "
		"\033[38;5;%umvalue\033[0m\r\n",
		i % 60, 1 + i % 6, i % 3 ? "info" : "warning", i % 100, i, i % 256);
}

static void make_cjk(struct tn_buf *out, unsigned i)
{
	tn_buf_format(out,
		      "%u \xE4\xB8\xAD\xE6\x96\x87\xE5\xAD\x97\xE7\xAC\xA6 "
		      "\xED\x95\x9C\xEA\xB5\xAD\xEC\x96\xB4 "
		      "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E\xE3\x81\xA7\xE3\x81\x99\r\n",
		      i);
}

/* As an editor or a monitor does it: every row by its place, with a bar, cleared to its end. */
static void make_redraw(struct tn_buf *out, unsigned i)
{
	unsigned row = i % ROWS;

	if (row == 0)
		tn_buf_append_text(out, "\033[H\033[7m");
	tn_buf_format(
		out,
		"\033[%u;1H%s%5u root      20   0 %6u %6u S  %2u.%u   0:%02u.%02u name-%u\033[K",
		row + 1, row == 1 ? "\033[m" : "", i % 30000, i % 999999, i % 88888, i % 99, i % 10,
		i % 60, i % 100, i % 1000);
}

/* One endless line, which wraps. */
static void make_endless(struct tn_buf *out, unsigned i)
{
	tn_buf_format(out, "%u,", i);
}

static int drop_line(int columns, const VTermScreenCell *cells, void *user)
{
	*(size_t *)user += (size_t)columns + cells[0].chars[0];
	return 1;
}

static const VTermScreenCallbacks callbacks = {.sb_pushline = drop_line};

static double rate(double start, size_t rounds)
{
	return (double)rounds * ROUND_BYTES / (now() - start) / 1e6;
}

static double run_ours(struct tn_str bytes, double seconds)
{
	const struct tn_screen_options options = {
		.columns = COLUMNS, .rows = ROWS, .scrollback_max = 10000};
	struct tn_screen *screen = NULL;
	enum tenon_code code = tn_screen_create(&options, &screen, NULL);
	size_t rounds = 0;
	double start = now();

	tn_assert(code == TENON_OK);
	do {
		for (size_t at = 0; at < bytes.size; at += PIECE)
			tn_screen_feed(screen, tn_str(bytes.data + at, PIECE));
		rounds++;
	} while (now() - start < seconds);
	tn_screen_destroy(screen);
	return rate(start, rounds);
}

static double run_vterm(struct tn_str bytes, double seconds)
{
	VTerm *vterm = vterm_new(ROWS, COLUMNS);
	VTermScreen *screen = vterm_obtain_screen(vterm);
	size_t rounds = 0, seen = 0;
	double start;

	vterm_set_utf8(vterm, 1);
	vterm_screen_set_callbacks(screen, &callbacks, &seen);
	vterm_screen_enable_altscreen(screen, 1);
	vterm_screen_reset(screen, 1);
	start = now();
	do {
		for (size_t at = 0; at < bytes.size; at += PIECE)
			(void)vterm_input_write(vterm, bytes.data + at, PIECE); /* takes all */
		rounds++;
	} while (now() - start < seconds);
	vterm_free(vterm);
	return rate(start, rounds);
}

static double run_copy(struct tn_str bytes, double seconds)
{
	char *volatile to = tn_mem_alloc(bytes.size);
	size_t rounds = 0;
	double start = now();

	tn_assert(to);
	do {
		memcpy(to, bytes.data, bytes.size);
		rounds++;
	} while (now() - start < seconds);
	tn_mem_free(to);
	return rate(start, rounds);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*make)(struct tn_buf *out, unsigned i);
	} kinds[] = {
		{"plain log", make_log},      {"colour log", make_colours}, {"CJK", make_cjk},
		{"full screen", make_redraw}, {"one line", make_endless},
	};
	double seconds = argc > 1 ? strtod(argv[1], NULL) : 1.0;

	printf("%-12s %8s %8s %8s %8s\n", "", "MB/s", "libvterm", "times", "memcpy");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct tn_str bytes;
		struct tn_buf text;
		double ours, theirs, copy;

		tn_buf_init(&text, 2 * ROUND_BYTES);
		for (unsigned line = 0; text.size < ROUND_BYTES; line++)
			kinds[i].make(&text, line);
		tn_assert(!text.failed);
		bytes = tn_str(text.data, ROUND_BYTES);
		ours = run_ours(bytes, seconds);
		theirs = run_vterm(bytes, seconds);
		copy = run_copy(bytes, seconds);
		printf("%-12s %8.0f %8.1f %8.1f %8.3f\n", kinds[i].name, ours, theirs,
		       ours / theirs, ours / copy);
		tn_buf_finish(&text);
	}
	return 0;
}
