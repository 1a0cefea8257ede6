/* tenon terminal attach: a session in the terminal that one sits at. Its keys go there and its
 * screen comes here, until Ctrl-]. Meanwhile the session has this terminal's size, and assistants
 * wait. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/size.h"
#include "cli/terminal/terminal.h"
#include "cli/terminal/terminal_stream.h"
#include "cli/terminal/terminal_tty.h"
#include "client/limits.h"
#include "jsonrpc/json_write.h"

enum {
	DETACH_KEY = 0x1D, /* Ctrl-] */
	ACK_BYTES = 32768, /* drawn and not told yet */
	TRIES_MAX = 10,    /* to find the session again when the daemon is gone */
	AGAIN_MS = 500,
	COLUMNS_MIN = 20,
	COLUMNS_MAX = 500,
	ROWS_MIN = 5,
	ROWS_MAX = 200
};

enum end { END_NONE, END_DETACHED, END_EXITED, END_SIGNAL, END_LOST, END_CLOSED };

struct attach {
	struct tn_cli cli;
	bool view_only;
	struct tn_terminal_ticket ticket;
	struct tn_tty tty;
	struct tn_loop *loop;
	struct tn_ws *ws;
	struct tn_io *keys;
	struct tn_signal *signals[5];
	enum end end;
	int exit_code; /* of the session's program; -1: not known */
	/* the stream */
	uint64_t taken, acked; /* bytes of binary messages */
	bool has_control, is_drawing;
	uint16_t columns, rows;               /* the session's */
	uint16_t columns_before, rows_before; /* which it gets back; 0: not changed */
};

static void finish(struct attach *a, enum end end)
{
	if (a->end == END_NONE)
		a->end = end;
	tn_loop_stop(a->loop);
}

/* ---- what is said ---- */

static void acknowledge(struct attach *a)
{
	char text[64];
	int size;

	if (a->taken == a->acked)
		return;
	a->acked = a->taken;
	size = snprintf(text, sizeof(text), "{\"t\":\"ack\",\"bytes\":%llu}",
			(unsigned long long)a->acked);
	tn_ws_send(a->ws, tn_str(text, (size_t)size));
}

static void say_size(struct attach *a, uint16_t columns, uint16_t rows)
{
	char text[64];
	int size = snprintf(text, sizeof(text), "{\"t\":\"resize\",\"cols\":%u,\"rows\":%u}",
			    (unsigned)columns, (unsigned)rows);

	tn_ws_send(a->ws, tn_str(text, (size_t)size));
}

static uint16_t within(uint16_t number, uint16_t least, uint16_t most)
{
	return number < least ? least : number > most ? most : number;
}

/* True: the session's size is to become ours, and a snapshot of that follows. */
static bool ask_for_size(struct attach *a)
{
	uint16_t columns, rows;

	if (!a->has_control || !tn_tty_size(&columns, &rows))
		return false;
	columns = within(columns, COLUMNS_MIN, COLUMNS_MAX);
	rows = within(rows, ROWS_MIN, ROWS_MAX);
	if (columns == a->columns && rows == a->rows)
		return false;
	if (!a->columns_before) {
		a->columns_before = a->columns;
		a->rows_before = a->rows;
	}
	say_size(a, columns, rows);
	return true;
}

static void take_control(struct attach *a)
{
	if (!a->ticket.control || a->has_control)
		return;
	tn_ws_send(a->ws, TN_STR("{\"t\":\"take\"}"));
	a->has_control = true; /* refused: `state` says so */
}

/* ---- what is heard ---- */

static void on_snapshot(struct attach *a, const struct tn_json *message)
{
	a->columns = (uint16_t)tn_terminal_number(message, "cols", 0);
	a->rows = (uint16_t)tn_terminal_number(message, "rows", 0);
	take_control(a);
	a->is_drawing = !ask_for_size(a);
	if (a->is_drawing)
		tn_tty_clear();
}

static void on_state(struct attach *a, const struct tn_json *message)
{
	bool mine = tn_terminal_flag(message, "in_control");

	/* Before our `take` has arrived nobody is in control, or somebody else. */
	if (a->has_control && !mine && *tn_terminal_text(message, "controlled_by"))
		a->has_control = false;
	else if (mine)
		a->has_control = true;
}

static void on_exit(struct attach *a, const struct tn_json *message)
{
	a->exit_code = (int)tn_terminal_number(message, "exit_code", -1);
	finish(a, END_EXITED);
}

static void on_lag(struct attach *a, const struct tn_json *message)
{
	(void)message;
	acknowledge(a); /* all of it: then comes a snapshot */
}

static const struct {
	const char *kind;
	void (*take)(struct attach *a, const struct tn_json *message);
} kinds[] = {
	{"snapshot", on_snapshot},
	{"state", on_state},
	{"exit", on_exit},
	{"lag", on_lag},
};

static void on_text(struct tn_ws *ws, struct tn_str text, void *data)
{
	struct attach *a = data;
	struct tn_json *message = NULL;
	struct tn_arena arena;

	(void)ws;
	tn_arena_init(&arena, TN_CLIENT_ARENA_MAX);
	if (tn_json_parse_copy(&arena, text, &message, NULL) == TENON_OK) {
		const char *kind = tn_terminal_text(message, "t");

		for (size_t i = 0; i < TN_COUNT(kinds); i++) {
			if (strcmp(kind, kinds[i].kind) == 0)
				kinds[i].take(a, message);
		}
	}
	tn_arena_finish(&arena);
}

static void on_bytes(struct tn_ws *ws, struct tn_str bytes, void *data)
{
	struct attach *a = data;

	(void)ws;
	if (a->is_drawing && !tn_tty_write(bytes))
		finish(a, END_SIGNAL); /* our terminal is gone */
	a->taken += bytes.size;
	if (a->taken - a->acked >= ACK_BYTES)
		acknowledge(a);
}

static void on_closed(struct tn_ws *ws, uint16_t code, void *data)
{
	struct attach *a = data;

	tn_ws_free(ws);
	a->ws = NULL;
	finish(a, code == TN_WS_NORMAL ? END_CLOSED : END_LOST);
}

static const struct tn_ws_events events = {
	.message = on_text, .binary = on_bytes, .closed = on_closed};

/* ---- keys and signals ---- */

static void on_keys(struct tn_io *io, int ready, void *data)
{
	struct attach *a = data;
	char keys[4096];
	ssize_t got = read(STDIN_FILENO, keys, sizeof(keys));
	const char *detach;

	(void)io;
	(void)ready;
	if (got <= 0) {
		finish(a, END_SIGNAL);
		return;
	}
	detach = memchr(keys, DETACH_KEY, (size_t)got);
	if (!detach && !a->ticket.control) /* for looking: the usual key ends it, too */
		detach = memchr(keys, 3, (size_t)got);
	if (detach)
		got = detach - keys;
	if (got && a->ws && a->ticket.control) {
		take_control(a); /* another window may have it */
		tn_ws_send_binary(a->ws, tn_str(keys, (size_t)got));
	}
	if (detach)
		finish(a, END_DETACHED);
}

static void on_signal(struct tn_signal *signal, int number, void *data)
{
	struct attach *a = data;

	(void)signal;
	if (number == SIGWINCH) {
		if (a->ws)
			(void)ask_for_size(a);
	} else if (number != SIGTSTP) { /* which would leave the terminal as it is */
		finish(a, END_SIGNAL);
	}
}

static bool open_signals(struct attach *a, struct tenon_error *err)
{
	static const int numbers[] = {SIGWINCH, SIGTERM, SIGINT, SIGHUP, SIGTSTP};

	for (size_t i = 0; i < TN_COUNT(numbers); i++) {
		if (tn_signal_open(a->loop, numbers[i], on_signal, a, &a->signals[i], err) !=
		    TENON_OK)
			return false;
	}
	return true;
}

/* Once the terminal was taken: the loop reads without waiting, which others must not inherit. */
static bool open_keys(struct attach *a, struct tenon_error *err)
{
	if (tn_io_open(a->loop, STDIN_FILENO, on_keys, a, &a->keys, err) != TENON_OK)
		return false;
	tn_io_watch(a->keys, TN_IO_READ);
	return true;
}

/* ---- from the beginning to the end ---- */

/* The keyboard goes back, and the size that the session had; what was said must be on its way. */
static void leave(struct attach *a)
{
	if (!a->ws)
		return;
	if (a->has_control && a->columns_before)
		say_size(a, a->columns_before, a->rows_before);
	if (a->has_control)
		tn_ws_send(a->ws, TN_STR("{\"t\":\"give\"}"));
	tn_ws_close(a->ws, TN_WS_NORMAL);
	tn_loop_run(a->loop); /* until the other side has said so, too */
}

static int connect_once(struct attach *a, const char *word)
{
	struct tenon_error err = {0};
	int exit = tn_terminal_ticket(&a->cli, word, a->view_only, &a->ticket);

	if (exit != TN_EXIT_OK)
		return exit;
	a->taken = a->acked = 0;
	a->has_control = a->is_drawing = false;
	if (tn_terminal_stream_open(a->loop, &a->ticket, &events, a, &a->ws, &err) != TENON_OK)
		return tn_cli_fail_error(&a->cli, TN_EXIT_UNREACHABLE, NULL, &err);
	return TN_EXIT_OK;
}

/* The daemon is gone; the session may not be. */
static bool find_again(struct attach *a)
{
	tn_tty_give(&a->tty);
	tn_cli_note(&a->cli, "tenon terminal attach: the connection is lost; looking for it again");
	for (unsigned i = 0; i < TRIES_MAX; i++) {
		(void)poll(NULL, 0, AGAIN_MS);
		if (connect_once(a, a->ticket.id) == TN_EXIT_OK)
			return tn_tty_take(&a->tty);
	}
	return false;
}

static void tell_end(const struct attach *a)
{
	if (a->end == END_EXITED && a->exit_code >= 0)
		tn_cli_note(&a->cli, "[session \"%s\" has ended with exit code %d]", a->ticket.name,
			    a->exit_code);
	else if (a->end == END_EXITED || a->end == END_CLOSED)
		tn_cli_note(&a->cli, "[session \"%s\" has ended]", a->ticket.name);
	else if (a->end == END_LOST)
		tn_cli_note(&a->cli, "[the connection is lost]");
	else
		tn_cli_note(&a->cli, "[detached from \"%s\"; it goes on]", a->ticket.name);
}

static int run(struct attach *a, const char *word)
{
	struct tenon_error err = {0};
	int exit = connect_once(a, word);

	if (exit != TN_EXIT_OK)
		return exit;
	if (!open_signals(a, &err))
		return tn_cli_fail_error(&a->cli, TN_EXIT_UNREACHABLE, NULL, &err);
	if (!tn_tty_take(&a->tty))
		return tn_cli_fail(&a->cli, TN_EXIT_USAGE, "TERMINAL_REQUIRED", false,
				   "this terminal cannot be taken over");
	if (!open_keys(a, &err)) {
		tn_tty_give(&a->tty);
		return tn_cli_fail_error(&a->cli, TN_EXIT_UNREACHABLE, NULL, &err);
	}
	do {
		a->end = END_NONE;
		tn_loop_run(a->loop);
	} while (a->end == END_LOST && find_again(a));
	leave(a);
	tn_tty_give(&a->tty);
	tell_end(a);
	return a->end == END_LOST ? TN_EXIT_UNREACHABLE : TN_EXIT_OK;
}

int tn_cli_terminal_attach(int argc, char **argv)
{
	struct attach a = {.cli = {.verb = "terminal attach"}, .exit_code = -1};
	const char *words[1];
	const struct tn_option table[] = {
		{.name = "view",
		 .kind = TN_OPTION_FLAG,
		 .value = &a.view_only,
		 .help = "look, and leave the keyboard where it is"},
	};
	const struct tn_options options = {
		.usage = "tenon terminal attach ID|NAME [--view]",
		.summary = "Shows a session in this terminal and gives it the keys, until Ctrl-]. "
			   "Meanwhile it has this\nterminal's size, and assistants cannot type. "
			   "Where no person sits, it can only be looked at.",
		.options = table,
		.option_count = TN_COUNT(table),
		.words = words,
		.word_max = 1,
	};
	struct tenon_error err = {0};
	size_t count;
	int exit;

	if (!tn_cli_begin(&a.cli, &options, argc, argv, &count, &exit))
		return exit;
	if (count == 0)
		return tn_cli_usage(&a.cli, "name a session; tenon terminal sessions lists them");
	if (!tn_tty_is_there())
		return tn_cli_fail(&a.cli, TN_EXIT_USAGE, "TERMINAL_REQUIRED", false,
				   "attaching needs a terminal on standard input and output");
	if (tn_loop_create(&a.loop, &err) != TENON_OK)
		return tn_cli_fail_error(&a.cli, TN_EXIT_UNREACHABLE, NULL, &err);
	exit = run(&a, words[0]);
	tn_ws_free(a.ws);
	tn_io_close(a.keys);
	for (size_t i = 0; i < TN_COUNT(a.signals); i++)
		tn_signal_close(a.signals[i]);
	tn_loop_destroy(a.loop);
	return exit;
}
