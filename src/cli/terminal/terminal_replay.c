/* tenon terminal replay: a recording (asciicast v2), as it was seen, in this terminal. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "apps/terminal/output/live_filter.h"
#include "base/clock.h"
#include "base/size.h"
#include "cli/terminal/terminal.h"
#include "cli/terminal/terminal_tty.h"
#include "store/file.h"

enum {
	ARENA_BYTES = 8 * 1024 * 1024,
	LINE_MAX_BYTES = 4 * 1024 * 1024,
	STEP_MS = 60000,
	PIECE_BYTES = 65536
};

struct replay {
	struct tn_cli cli;
	double speed, idle_max_s; /* idle: 0, as it was */
	bool at_once;             /* without waiting: nobody watches */
	bool is_paused, is_over;
	double clock_s, seen_s; /* of the recording: played up to here; the last event's own time */
	uint64_t line_number;
	struct tn_live_filter filter;
	struct tn_buf out;
	struct tn_tty tty;
};

/* ---- waiting, with an ear for keys ---- */

static void take_keys(struct replay *r)
{
	char keys[64];
	ssize_t got = read(STDIN_FILENO, keys, sizeof(keys));

	for (ssize_t i = 0; i < got; i++) {
		if (keys[i] == 'q' || keys[i] == 3 || keys[i] == 4 || keys[i] == 0x1D)
			r->is_over = true;
		else if (keys[i] == ' ')
			r->is_paused = !r->is_paused;
		else if (keys[i] == '+')
			r->speed *= 2;
		else if (keys[i] == '-')
			r->speed /= 2;
	}
	if (got <= 0 && errno != EINTR)
		r->is_over = true;
}

static void wait_for(struct replay *r, double seconds)
{
	struct pollfd keys = {.fd = STDIN_FILENO, .events = POLLIN};
	double left_ms = seconds * 1000;

	while (!r->is_over && (left_ms > 0 || r->is_paused)) {
		uint64_t before = tn_clock_now_us(&tn_clock_system);
		double real_ms = left_ms / r->speed;
		int wait_ms = r->is_paused || real_ms > STEP_MS ? STEP_MS : (int)ceil(real_ms);
		double speed = r->speed;
		bool was_paused = r->is_paused;

		if (poll(&keys, 1, wait_ms) > 0)
			take_keys(r);
		if (!was_paused)
			left_ms -=
				(double)(tn_clock_now_us(&tn_clock_system) - before) / 1000 * speed;
	}
}

/* ---- events ---- */

static void show(struct replay *r, struct tn_str text)
{
	tn_buf_clear(&r->out);
	tn_live_filter_feed(&r->filter, text, &r->out);
	if (!tn_tty_write(tn_buf_str(&r->out)))
		r->is_over = true;
}

/* [seconds, "o", "text"]; other kinds are passed over. False: the line is none. */
static bool play(struct replay *r, const struct tn_json *event)
{
	const struct tn_json *at = tn_json_is(event, TN_JSON_ARRAY) ? event->first : NULL;
	const struct tn_json *kind = at ? at->next : NULL;
	struct tn_str code, text;
	double time, gap;

	if (!kind || !tn_json_to_double(at, &time) || !tn_json_to_str(kind, &code) ||
	    !tn_json_to_str(kind->next, &text) || !isfinite(time))
		return false;
	gap = time - r->seen_s;
	r->seen_s = time;
	if (r->idle_max_s > 0 && gap > r->idle_max_s)
		gap = r->idle_max_s;
	if (!r->at_once && gap > 0)
		wait_for(r, gap);
	if (tn_str_is(code, "o") && !r->is_over)
		show(r, text);
	return true;
}

static bool read_head(struct replay *r, const struct tn_json *head)
{
	double idle_max_s = 0;

	if (tn_terminal_number(head, "version", 0) != 2)
		return false;
	if (r->idle_max_s == 0 &&
	    tn_json_to_double(tn_json_get(head, "idle_time_limit"), &idle_max_s))
		r->idle_max_s = idle_max_s;
	return true;
}

static int play_line(struct replay *r, char *line, size_t size)
{
	struct tenon_error err = {0};
	struct tn_json *tree = NULL;
	struct tn_arena arena;
	bool good;

	tn_arena_init(&arena, ARENA_BYTES);
	good = tn_json_parse(&arena, line, size, &tree, &err) == TENON_OK;
	if (good)
		good = ++r->line_number == 1 ? read_head(r, tree) : play(r, tree);
	tn_arena_finish(&arena);
	if (good)
		return TN_EXIT_OK;
	tn_tty_give(&r->tty);
	return tn_cli_fail(&r->cli, TN_EXIT_USAGE, "INVALID", false,
			   r->line_number <= 1 ? "this is no recording (asciicast, version 2)"
					       : "line %llu of the recording is no event",
			   (unsigned long long)r->line_number);
}

/* Whole lines that are there; the rest moves to the front. */
static int play_lines(struct replay *r, struct tn_buf *text, bool is_end)
{
	int exit = TN_EXIT_OK;
	size_t at = 0;

	while (exit == TN_EXIT_OK && !r->is_over && at < text->size) {
		struct tn_str rest = tn_str(text->data + at, text->size - at);
		size_t size = tn_str_find_byte(rest, '\n');

		if (size == TN_STR_NONE && !is_end)
			break;
		if (size == TN_STR_NONE)
			size = rest.size;
		if (size)
			exit = play_line(r, text->data + at, size);
		at += size + 1;
	}
	tn_buf_drop_front(text, at < text->size ? at : text->size);
	return exit;
}

static int play_file(struct replay *r, int fd)
{
	struct tn_buf text;
	int exit = TN_EXIT_OK;
	ssize_t got = 1;

	tn_buf_init(&text, LINE_MAX_BYTES);
	while (exit == TN_EXIT_OK && !r->is_over && got > 0) {
		if (!tn_buf_reserve(&text, PIECE_BYTES)) {
			tn_tty_give(&r->tty);
			exit = tn_cli_fail(&r->cli, TN_EXIT_USAGE, "LIMIT", false,
					   "a line of the recording is too long");
			break;
		}
		got = read(fd, text.data + text.size, PIECE_BYTES);
		if (got > 0)
			text.size += (size_t)got;
		exit = play_lines(r, &text, got <= 0);
	}
	tn_buf_finish(&text);
	return exit;
}

static int run(struct replay *r, const char *path)
{
	struct tenon_error err = {0};
	int fd, exit;

	if (tn_file_open(path, TN_FILE_REGULAR_ONLY, &fd, &err) != TENON_OK)
		return tn_cli_fail_error(&r->cli, TN_EXIT_USAGE, path, &err);
	r->at_once = !tn_tty_is_there();
	if (!r->at_once && tn_tty_take(&r->tty))
		tn_tty_clear();
	tn_live_filter_init(&r->filter);
	tn_buf_init(&r->out, TN_LIVE_FILTER_GROWTH * (size_t)LINE_MAX_BYTES + TN_LIVE_FILTER_HELD);
	exit = play_file(r, fd);
	tn_tty_give(&r->tty);
	tn_buf_finish(&r->out);
	(void)close(fd); /* only read */
	return exit;
}

int tn_cli_terminal_replay(int argc, char **argv)
{
	struct replay r = {.cli = {.verb = "terminal replay"}, .speed = 1};
	const char *words[1];
	const struct tn_option table[] = {
		{.name = "speed",
		 .letter = 's',
		 .kind = TN_OPTION_REAL,
		 .value = &r.speed,
		 .least = 0,
		 .most = 1000,
		 .word = "FACTOR",
		 .help = "so many times as fast (1)"},
		{.name = "idle-limit",
		 .letter = 'i',
		 .kind = TN_OPTION_REAL,
		 .value = &r.idle_max_s,
		 .least = 0,
		 .most = 86400,
		 .word = "SECONDS",
		 .help = "no pause is longer than this"},
	};
	const struct tn_options options = {
		.usage = "tenon terminal replay FILE [--speed FACTOR] [--idle-limit SECONDS]",
		.summary =
			"Plays a recording (asciicast v2). Keys: space pauses, + and - change the "
			"speed, q ends it.\nInto a pipe it goes without pauses.",
		.options = table,
		.option_count = TN_COUNT(table),
		.words = words,
		.word_max = 1,
	};
	size_t count;
	int exit;

	if (!tn_cli_begin(&r.cli, &options, argc, argv, &count, &exit))
		return exit;
	if (count == 0)
		return tn_cli_usage(&r.cli, "name a recording");
	if (r.speed < 0.01)
		return tn_cli_usage(&r.cli, "--speed: send 0.01 to 1000");
	return run(&r, words[0]);
}
