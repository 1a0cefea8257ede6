/* tenon terminal run: one command in a terminal of its own, or in a session, as a script needs it:
 * its output, and its exit code. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "apps/terminal/limits.h"
#include "base/size.h"
#include "cli/terminal/terminal.h"
#include "client/client.h"
#include "client/limits.h"
#include "jsonrpc/json_write.h"

enum {
	WORDS_MAX = 256,
	EXIT_TIMED_OUT = 124, /* as timeout(1) */
	EXIT_SIGNAL = 128,
	FIRST_MS = 1000, /* then output comes in pieces */
	PIECE_MS = 20000,
	TURN_MS = 60 * 1000
};

struct run {
	struct tn_cli cli;
	const char *words[WORDS_MAX];
	size_t word_count;
	const char *cwd, *session;
	char folder[PATH_MAX]; /* where we are, when that is where it is to run */
	int64_t timeout_ms;
	bool no_start, was_told;
	bool has_pipes; /* no terminal of its own: errors are errors, and no CR is put in */
	struct tn_terminal_call call;
	struct tn_signal *interrupt;
	unsigned interrupts, sent;
	/* the request that is waited for */
	struct tenon_request *request;
	bool is_done;
	struct tenon_outcome outcome;
	struct tn_buf result;
	/* the command */
	char command_id[64], session_id[64], cursor[96];
};

/* ---- requests: Ctrl-C must be heard while one is out ---- */

static void on_done(struct tenon_request *request, const struct tenon_outcome *outcome, void *data)
{
	struct run *run = data;

	(void)request;
	run->request = NULL;
	run->is_done = true;
	run->outcome = *outcome;
	run->outcome.result = NULL;
	run->outcome.error_data = NULL;
	tn_buf_clear(&run->result);
	if (outcome->code == TENON_OK)
		tn_buf_append(&run->result, outcome->result, outcome->result_size);
	tenon_client_wake(run->call.client);
}

static void on_interrupt(struct tn_signal *signal, int number, void *data)
{
	struct run *run = data;

	(void)signal;
	(void)number;
	if (++run->interrupts > 2)
		_exit(TN_EXIT_INTERRUPTED);
	tenon_client_wake(run->call.client);
}

static void pass_interrupt(struct run *run)
{
	struct tn_buf arguments;
	struct tenon_request *request;
	struct tenon_error err;

	run->sent = run->interrupts;
	if (!run->command_id[0])
		_exit(TN_EXIT_INTERRUPTED);
	tn_buf_init(&arguments, TN_KIB);
	tn_json_begin_object(&arguments);
	tn_json_put_member_text(&arguments, "command_id", run->command_id);
	tn_json_put_member_text(&arguments, "signal", run->interrupts > 1 ? "KILL" : "INT");
	if (run->has_pipes) /* without a terminal nothing is in front */
		tn_json_put_member_text(&arguments, "target", "session");
	tn_json_end_object(&arguments);
	tn_buf_append_byte(&arguments, '\0');
	request = arguments.failed ? NULL
				   : tenon_client_call(run->call.client, "signal", arguments.data,
						       NULL, &err);
	if (request)
		(void)tenon_request_wait(request, &(struct tenon_outcome){0}); /* its end tells */
	tn_buf_finish(&arguments);
}

/* Calls a tool; the structured result lives in the arena until the next call. */
static int call_tool(struct run *run, const char *tool, const struct tn_buf *arguments,
		     const struct tn_json **ret)
{
	const struct tenon_request_options options = {.done = on_done, .data = run};
	struct tenon_error err = {0};
	struct tn_json *tree;
	char *text;

	tn_arena_reset(run->call.arena);
	text = arguments->failed ? NULL : tn_arena_copy(run->call.arena, tn_buf_str(arguments));
	if (!text)
		return tn_cli_fail(&run->cli, TN_EXIT_TOOL, "LIMIT", false,
				   "the command is too large");
	run->is_done = false;
	run->request = tenon_client_call(run->call.client, tool, text, &options, &err);
	if (!run->request)
		return tn_cli_fail_error(&run->cli, TN_EXIT_UNREACHABLE, NULL, &err);
	while (!run->is_done) {
		tenon_client_run_for(run->call.client, TURN_MS);
		if (run->interrupts > run->sent && !run->is_done)
			pass_interrupt(run);
	}
	if (run->outcome.code != TENON_OK)
		return tn_cli_fail_outcome(&run->cli, &run->outcome);
	if (tn_json_parse_copy(run->call.arena, tn_buf_str(&run->result), &tree, &err) != TENON_OK)
		return tn_cli_fail_error(&run->cli, TN_EXIT_TOOL, NULL, &err);
	*ret = tn_json_get(tree, "structuredContent");
	return run->outcome.is_tool_error ? tn_terminal_tell_refusal(&run->cli, *ret) : TN_EXIT_OK;
}

/* ---- the command ---- */

/* One word is a line for the shell; several are a program and its arguments. */
static void put_command(const struct run *run, struct tn_buf *out)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				    "_-./:=@%+,";

	if (run->word_count == 1) {
		tn_buf_append_text(out, run->words[0]);
		return;
	}
	for (size_t i = 0; i < run->word_count; i++) {
		const char *word = run->words[i];

		if (i)
			tn_buf_append_byte(out, ' ');
		if (*word && word[strspn(word, plain)] == '\0') {
			tn_buf_append_text(out, word);
			continue;
		}
		tn_buf_append_byte(out, '\'');
		for (; *word; word++)
			*word == '\'' ? tn_buf_append_text(out, "'\\''")
				      : tn_buf_append_byte(out, *word);
		tn_buf_append_byte(out, '\'');
	}
}

static void put_first(const struct run *run, struct tn_buf *out)
{
	struct tn_buf command;

	tn_buf_init(&command, TN_TERM_COMMAND_BYTES_MAX);
	put_command(run, &command);
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "command", tn_buf_str(&command));
	if (run->cwd)
		tn_json_put_member_text(out, "cwd", run->cwd);
	if (run->session)
		tn_json_put_member_text(out, "session_id", run->session);
	else
		tn_json_put_member_bool(out, "isolated", true);
	if (run->has_pipes)
		tn_json_put_member_bool(out, "pty", false);
	tn_json_put_member_int(out, "timeout_ms", run->timeout_ms);
	tn_json_put_member_int(out, "yield_ms", FIRST_MS);
	tn_json_put_member_int(out, "max_bytes", TN_TERM_ANSWER_BYTES_MAX);
	tn_json_put_member_int(out, "lines", TN_TERM_ANSWER_LINES_MAX);
	tn_json_put_member_text(out, "omit", "tail"); /* the rest is read on */
	tn_json_end_object(out);
	tn_buf_inherit_failure(out, &command);
	tn_buf_finish(&command);
}

static void put_next(const struct run *run, int64_t wait_ms, struct tn_buf *out)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "command_id", run->command_id);
	tn_json_put_member_text(out, "cursor", run->cursor);
	tn_json_put_member_int(out, "wait_ms", wait_ms);
	tn_json_put_member_int(out, "max_bytes", TN_TERM_ANSWER_BYTES_MAX);
	tn_json_end_object(out);
}

static void put_question(const struct run *run, struct tn_buf *out)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "command_id", run->command_id);
	tn_json_put_member_text(out, "until", "exit");
	tn_json_put_member_int(out, "timeout_ms", 1);
	tn_json_end_object(out);
}

static struct tn_str text_of(const struct tn_json *object, const char *name)
{
	struct tn_str text = TN_STR("");

	(void)tn_json_to_str(tn_json_get(object, name), &text);
	return text;
}

/* Without the last line, which says that there is more (terminal.md 6.2). */
static struct tn_str without_note(struct tn_str text)
{
	size_t at = text.size ? text.size - 1 : 0;

	while (at && text.data[at - 1] != '\n')
		at--;
	if (tn_str_starts(tn_str_from_offset(text, at), TN_STR("[\xE2\x80\xA6 ")))
		text.size = at;
	return text;
}

static void write_text(struct tn_str text, int fd)
{
	while (text.size) {
		ssize_t put = write(fd, text.data, text.size);

		if (put <= 0)
			return; /* whoever read has seen enough */
		text = tn_str_from_offset(text, (size_t)put);
	}
}

static void keep(char *to, size_t size, const char *text)
{
	(void)snprintf(to, size, "%s", text);
}

static int exit_of_signal(const char *name)
{
	static const struct {
		const char *name;
		int number;
	} known[] = {{"SIGHUP", SIGHUP}, {"SIGKILL", SIGKILL}, {"SIGTERM", SIGTERM}};

	for (size_t i = 0; i < TN_COUNT(known); i++) {
		if (strcmp(name, known[i].name) == 0)
			return EXIT_SIGNAL + known[i].number;
	}
	return TN_EXIT_INTERRUPTED;
}

/* True: it has ended, and *ret_exit is what we end with. */
static bool has_ended(const struct tn_json *command, int *ret_exit)
{
	const char *status = tn_terminal_text(command, "status");
	int64_t code = tn_terminal_number(command, "exit_code", -1);

	if (strcmp(status, "running") == 0 || strcmp(status, "queued") == 0 ||
	    strcmp(status, "waiting_input") == 0)
		return false;
	if (strcmp(status, "timed_out") == 0)
		*ret_exit = EXIT_TIMED_OUT;
	else if (code >= 0)
		*ret_exit = (int)(code & 0xFF);
	else
		*ret_exit = exit_of_signal(tn_terminal_text(command, "signal"));
	return true;
}

static void tell_waiting(struct run *run, const struct tn_json *result)
{
	if (run->was_told || strcmp(tn_terminal_text(result, "status"), "waiting_input") != 0)
		return;
	run->was_told = true;
	tn_cli_note(&run->cli,
		    "tenon terminal run: the command waits for input; tenon terminal "
		    "attach %s gives it some",
		    tn_terminal_text(result, "session_id"));
}

/* With pipes: what it wrote to standard error, which is told at the end only. */
static void write_errors(const struct run *run)
{
	struct tenon_outcome outcome;
	struct tenon_request *request;
	struct tn_json *tree, *result;
	struct tenon_error err;
	struct tn_str text;
	char uri[128];

	(void)snprintf(uri, sizeof(uri), "terminal://command/%s", run->command_id);
	request = tenon_client_read(run->call.client, uri, NULL, &err);
	if (!request || tenon_request_wait(request, &outcome) != TENON_OK ||
	    tn_json_parse_copy(run->call.arena, tn_str(outcome.result, outcome.result_size), &tree,
			       &err) != TENON_OK)
		return; /* its exit code is known, and more important */
	text = text_of(tn_json_get(tree, "contents") ? tn_json_get(tree, "contents")->first : NULL,
		       "text");
	if (tn_json_parse_copy(run->call.arena, text, &result, &err) == TENON_OK)
		write_text(text_of(result, "stderr"), STDERR_FILENO);
}

/* Reads what is there, and more until the command has ended. */
static int follow(struct run *run)
{
	const struct tn_json *result = NULL;
	struct tn_buf arguments;
	bool ended = false, more = true;
	int exit = TN_EXIT_OK, code = 0;

	tn_buf_init(&arguments, TN_KIB);
	while (exit == TN_EXIT_OK && (!ended || more)) {
		tn_buf_clear(&arguments);
		put_next(run, ended ? 0 : PIECE_MS, &arguments);
		exit = call_tool(run, "get_terminal_output", &arguments, &result);
		if (exit != TN_EXIT_OK)
			break;
		write_text(text_of(result, "output"), STDOUT_FILENO);
		keep(run->cursor, sizeof(run->cursor), tn_terminal_text(result, "next_cursor"));
		more = tn_terminal_flag(result, "more");
		if (more || ended)
			continue;
		tn_buf_clear(&arguments);
		put_question(run, &arguments);
		exit = call_tool(run, "wait_for", &arguments, &result);
		if (exit == TN_EXIT_OK) {
			tell_waiting(run, tn_json_get(result, "command"));
			ended = has_ended(tn_json_get(result, "command"), &code);
			more = ended; /* what came meanwhile */
		}
	}
	tn_buf_finish(&arguments);
	if (exit == TN_EXIT_OK)
		write_errors(run);
	return exit == TN_EXIT_OK ? code : exit;
}

static int execute(struct run *run)
{
	const struct tn_json *result = NULL;
	struct tn_buf arguments;
	struct tn_str output;
	int exit, code = 0;
	bool ended, truncated;

	tn_buf_init(&arguments, TN_MESSAGE_BYTES_MAX);
	put_first(run, &arguments);
	exit = call_tool(run, "execute_command", &arguments, &result);
	tn_buf_finish(&arguments);
	if (exit != TN_EXIT_OK)
		return exit;
	keep(run->command_id, sizeof(run->command_id), tn_terminal_text(result, "command_id"));
	keep(run->cursor, sizeof(run->cursor), tn_terminal_text(result, "next_cursor"));
	ended = has_ended(result, &code);
	tell_waiting(run, result);
	truncated = tn_terminal_flag(result, "truncated");
	output = text_of(result, "output");
	write_text(truncated ? without_note(output) : output, STDOUT_FILENO);
	if (ended && !truncated) {
		write_text(text_of(result, "stderr"), STDERR_FILENO);
		return code;
	}
	return follow(run);
}

/* ---- the verb ---- */

/* The command runs where we are, as it would without us; a session has a folder of its own. */
static bool find_folder(struct run *run)
{
	if (run->cwd ? run->cwd[0] == '/' : run->session != NULL)
		return true;
	if (realpath(run->cwd ? run->cwd : ".", run->folder))
		run->cwd = run->folder;
	else if (run->cwd)
		return false;
	return true; /* of a folder that was removed nothing is known */
}

static int connect_and_run(struct run *run)
{
	const struct tn_connect connect = {
		.app = "terminal", .no_reconnect = true, .no_start = run->no_start};
	struct tenon_error err = {0};
	const struct tn_json *session = NULL;
	int exit = tn_cli_connect(&run->cli, &connect, &run->call.client, NULL);

	if (exit == TN_EXIT_OK && run->session)
		exit = tn_terminal_find_session(&run->call, run->session, &session);
	if (exit != TN_EXIT_OK)
		return exit;
	if (session) {
		keep(run->session_id, sizeof(run->session_id), tn_terminal_text(session, "id"));
		run->session = run->session_id;
	}
	if (tn_signal_open(run->call.client->loop, SIGINT, on_interrupt, run, &run->interrupt,
			   &err) != TENON_OK)
		return tn_cli_fail_error(&run->cli, TN_EXIT_TOOL, NULL, &err);
	return execute(run);
}

int tn_cli_terminal_run(int argc, char **argv)
{
	struct run run = {.cli = {.verb = "terminal run"}, .timeout_ms = 0};
	const struct tn_option table[] = {
		{.name = "cwd",
		 .kind = TN_OPTION_TEXT,
		 .value = &run.cwd,
		 .word = "DIR",
		 .help = "the folder it runs in, instead of this one"},
		{.name = "timeout",
		 .kind = TN_OPTION_NUMBER,
		 .value = &run.timeout_ms,
		 .least = 0,
		 .most = 86400000,
		 .word = "MS",
		 .help = "end it after so many milliseconds, with exit code 124 (0: never)"},
		{.name = "session",
		 .letter = 's',
		 .kind = TN_OPTION_TEXT,
		 .value = &run.session,
		 .word = "ID",
		 .help = "run it in this session (id or name) instead of a terminal of its own"},
		{.name = "no-start",
		 .kind = TN_OPTION_FLAG,
		 .value = &run.no_start,
		 .help = "exit 4 when the daemon does not run, instead of starting it"},
	};
	const struct tn_options options = {
		.usage = "tenon terminal run [--cwd DIR] [--timeout MS] [--session ID] -- COMMAND",
		.summary = "Runs a command here, in a terminal of the daemon, prints what it "
			   "prints, and ends with its\nexit code; 124 when its time is over, 130 "
			   "after Ctrl-C. One word is a line for the shell,\nseveral are a program "
			   "and its arguments.",
		.options = table,
		.option_count = TN_COUNT(table),
		.words = run.words,
		.word_max = WORDS_MAX,
	};
	struct tn_arena arena;
	int exit;

	if (!tn_cli_begin(&run.cli, &options, argc, argv, &run.word_count, &exit))
		return exit;
	if (run.word_count == 0)
		return tn_cli_usage(&run.cli, "name a command: tenon terminal run -- make test");
	if (!find_folder(&run))
		return tn_cli_usage(&run.cli, "--cwd %s: %s", run.cwd, strerror(errno));
	tn_arena_init(&arena, TN_CLIENT_ARENA_MAX);
	tn_buf_init(&run.result, TN_CLIENT_RESULT_MAX);
	run.has_pipes = !run.session && !isatty(STDOUT_FILENO);
	run.call.cli = &run.cli;
	run.call.arena = &arena;
	exit = connect_and_run(&run);
	tn_signal_close(run.interrupt);
	tenon_client_destroy(run.call.client);
	tn_buf_finish(&run.result);
	tn_arena_finish(&arena);
	return exit;
}
