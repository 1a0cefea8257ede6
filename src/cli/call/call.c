/* tenon call: one tool, called as an AI host would. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/limits.h"
#include "cli/shared/call_arguments.h"
#include "cli/shared/call_output.h"
#include "cli/shared/form.h"
#include "cli/shared/progress_bar.h"
#include "cli/call/tool_list.h"
#include "client/client.h"
#include "client/limits.h"
#include "jsonrpc/json_write.h"

enum {
	WORDS_MAX = 256,
	TIMEOUT_DEFAULT_S = 660, /* a little longer than a person is waited for */
	TIMEOUT_MAX_S = 7 * 24 * 60 * 60,
	CANCEL_MS = 2000, /* for the server to be told, and to answer */
	TURN_MS = 60 * 1000
};

struct call {
	struct tn_cli cli;
	/* options */
	const char *words[WORDS_MAX];
	size_t word_count;
	const char *args, *output;
	int64_t timeout_s;
	bool no_start, quiet;

	struct tn_tool_place place;
	struct tn_arena arena;
	struct tn_progress_bar bar;
	struct tn_signal *interrupt;
	struct tn_form *form;
	struct tenon_question *waiting; /* a second question, while the first is on the terminal */
	struct tenon_request *request;
	bool is_interrupted, is_done;
	/* how it ended */
	struct tenon_outcome outcome;
	struct tn_buf result;
};

/* ---- questions ---- */

static void ask_next(struct tn_form *form, void *data);

static void ask(struct call *call, struct tenon_question *question)
{
	struct tenon_error err = {0};

	tn_progress_bar_clear(&call->bar);
	if (tn_form_open(call->place.client->loop, question, ask_next, call, &call->form, &err) !=
	    TENON_OK) {
		tn_cli_note(&call->cli, "tenon call: a question is declined: %s", err.message);
		tenon_question_decline(question);
	}
}

static void ask_next(struct tn_form *form, void *data)
{
	struct call *call = data;
	struct tenon_question *question = call->waiting;

	tn_form_close(form);
	call->form = NULL;
	call->waiting = NULL;
	if (question)
		ask(call, question);
}

/* One at a time on a terminal; of two more that come meanwhile, one is declined. */
static void on_question(struct tenon_question *question, void *data)
{
	struct call *call = data;

	if (!call->form)
		ask(call, question);
	else if (!call->waiting)
		call->waiting = question;
	else
		tenon_question_decline(question);
}

/* ---- the request ---- */

static void on_progress(struct tenon_request *request, double progress, double total,
			const char *message, void *data)
{
	struct call *call = data;

	(void)request;
	if (!call->form) /* somebody is typing there */
		tn_progress_bar_show(&call->bar, progress, total, message);
}

static void on_done(struct tenon_request *request, const struct tenon_outcome *outcome, void *data)
{
	struct call *call = data;

	(void)request;
	call->request = NULL;
	call->is_done = true;
	call->outcome = *outcome;
	call->outcome.result = NULL;
	call->outcome.error_data = NULL;
	if (outcome->code == TENON_OK)
		tn_buf_append(&call->result, outcome->result, outcome->result_size);
	tenon_client_wake(call->place.client);
}

/* The first Ctrl-C asks the server to stop; the second does not wait for it. */
static void on_interrupt(struct tn_signal *signal, int number, void *data)
{
	struct call *call = data;

	(void)signal;
	(void)number;
	tn_progress_bar_clear(&call->bar);
	if (call->is_interrupted)
		_exit(TN_EXIT_INTERRUPTED);
	call->is_interrupted = true;
	if (call->request)
		tenon_request_cancel(call->request);
	tenon_client_wake(call->place.client);
}

static int request(struct call *call, const char *arguments)
{
	const struct tenon_request_options options = {
		.done = on_done, .progress = call->bar.is_on ? on_progress : NULL, .data = call};
	struct tenon_client *client = call->place.client;
	struct tenon_error err = {0};

	if (tn_signal_open(client->loop, SIGINT, on_interrupt, call, &call->interrupt, &err) !=
	    TENON_OK)
		return tn_cli_fail_error(&call->cli, TN_EXIT_TOOL, NULL, &err);
	call->request = tenon_client_call(client, call->place.name, arguments, &options, &err);
	if (!call->request)
		return tn_cli_fail_error(&call->cli, TN_EXIT_TOOL, NULL, &err);
	while (!call->is_done && !call->is_interrupted)
		tenon_client_run_for(client, TURN_MS);
	for (unsigned waited = 0; !call->is_done && waited < CANCEL_MS; waited += 100)
		tenon_client_run_for(client, 100);
	if (call->is_interrupted) /* the notice must be on its way */
		tenon_client_run_for(client, 20);
	return TN_EXIT_OK;
}

/* ---- the end ---- */

/* {"error","message","retryable"} of shared machinery (docs/daemon.md) is handed on as it is; apps
 * with errors of their own have {"error":{"code",...}}, and say it in words besides. */
static int tell_tool_error(const struct call *call, const struct tn_json *result)
{
	const struct tn_json *structured = tn_json_get(result, "structuredContent");
	const struct tn_json *object = tn_json_get(structured, "error");
	const struct tn_json *code =
		tn_json_is(object, TN_JSON_OBJECT) ? tn_json_get(object, "code") : object;
	const struct tn_json *message = tn_json_get(structured, "message");
	bool retryable = false;
	struct tenon_error err = {0};
	struct tn_buf text, members;
	int exit;

	(void)tn_json_to_bool(tn_json_get(structured, "retryable"), &retryable);
	tn_buf_init(&text, TN_CLIENT_RESULT_MAX);
	tn_buf_init(&members, TN_CLIENT_RESULT_MAX);
	if (tn_json_is(message, TN_JSON_STRING))
		tn_buf_append_str(&text, message->text);
	else if (tn_output_result(result, NULL, &text, &err) != TENON_OK)
		tn_buf_append_text(&text, err.message);
	while (text.size && text.data[text.size - 1] == '\n')
		text.size--;
	tn_buf_append_text(&members, ",\"result\":");
	tn_buf_append_str(&members, tn_buf_str(&call->result));
	exit = tn_cli_fail_text(&call->cli, TN_EXIT_TOOL,
				tn_json_is(code, TN_JSON_STRING) ? code->text.data : "TOOL_ERROR",
				retryable, tn_buf_str(&text), tn_buf_str(&members));
	tn_buf_finish(&text);
	tn_buf_finish(&members);
	return exit;
}

static int show_result(struct call *call)
{
	struct tenon_error err = {0};
	struct tn_json *result;
	struct tn_buf out;
	int exit;

	if (tn_json_parse_copy(&call->arena, tn_buf_str(&call->result), &result, &err) != TENON_OK)
		return tn_cli_fail_error(&call->cli, TN_EXIT_TOOL, "result", &err);
	if (call->outcome.is_tool_error)
		return tell_tool_error(call, result);
	tn_buf_init(&out, TN_CLIENT_RESULT_MAX);
	if (tn_output_result(result, call->output, &out, &err) != TENON_OK) {
		exit = tn_cli_fail_error(&call->cli, TN_EXIT_TOOL, NULL, &err);
	} else {
		if (call->cli.json) {
			tn_buf_clear(&out);
			tn_buf_append_str(&out, tn_buf_str(&call->result));
			tn_buf_append_byte(&out, '\n');
		}
		exit = tn_cli_write(&call->cli, &out, TN_EXIT_OK);
	}
	tn_buf_finish(&out);
	return exit;
}

static int end(struct call *call)
{
	tn_progress_bar_clear(&call->bar);
	if (call->is_interrupted)
		return tn_cli_fail(&call->cli, TN_EXIT_INTERRUPTED, "CANCELLED", true,
				   "interrupted");
	if (call->outcome.code != TENON_OK)
		return tn_cli_fail_outcome(&call->cli, &call->outcome);
	if (call->result.failed)
		return tn_cli_fail(&call->cli, TN_EXIT_TOOL, "LIMIT", false,
				   "the result is too large");
	return show_result(call);
}

/* ---- the words ---- */

static int build_arguments(struct call *call, struct tn_buf *ret)
{
	struct tenon_error err = {0};
	enum tenon_code code = TENON_OK;
	struct tn_buf base;

	tn_buf_init(&base, TN_MESSAGE_BYTES_MAX);
	if (call->args && strcmp(call->args, "-") == 0)
		code = tn_cli_read_file("-", &base, &err);
	else if (call->args)
		tn_buf_append_text(&base, call->args);
	if (code == TENON_OK)
		code = tn_cli_arguments(tn_json_get(call->place.tool, "inputSchema"),
					call->args ? &base : NULL, call->words + 1,
					call->word_count - 1, ret, &err);
	tn_buf_append_byte(ret, '\0');
	tn_buf_finish(&base);
	if (code == TENON_OK)
		return TN_EXIT_OK;
	return tn_cli_usage(&call->cli, "%s", err.message);
}

static int run(struct call *call)
{
	uint32_t timeout_ms = (uint32_t)(call->timeout_s * 1000);
	struct tn_connect connect = {
		.no_start = call->no_start,
		.no_reconnect = true, /* a call is not made twice behind anybody's back */
		.timeout_ms = timeout_ms,
		.handlers = {.elicit = tn_form_possible() ? on_question : NULL, .data = call}};
	struct tn_buf arguments;
	int exit = tn_tool_place_find(&call->cli, &connect, call->words[0], &call->arena,
				      &call->place);

	if (exit != TN_EXIT_OK)
		return exit;
	tn_buf_init(&arguments, TN_MESSAGE_BYTES_MAX);
	exit = build_arguments(call, &arguments);
	if (exit == TN_EXIT_OK)
		exit = request(call, arguments.data);
	tn_buf_finish(&arguments);
	return exit == TN_EXIT_OK ? end(call) : exit;
}

static bool read_words(struct call *call, int argc, char **argv, int *ret_exit)
{
	const struct tn_option table[] = {
		{.name = "args",
		 .kind = TN_OPTION_TEXT,
		 .value = &call->args,
		 .word = "JSON",
		 .help = "arguments as one object; - reads it from standard input"},
		{.name = "output",
		 .letter = 'o',
		 .kind = TN_OPTION_TEXT,
		 .value = &call->output,
		 .word = "FILE",
		 .help = "write the picture, sound, file or text there"},
		{.name = "timeout",
		 .kind = TN_OPTION_NUMBER,
		 .value = &call->timeout_s,
		 .least = 1,
		 .most = TIMEOUT_MAX_S,
		 .word = "SECONDS",
		 .help = "how long to wait for the result (660)"},
		{.name = "no-start",
		 .kind = TN_OPTION_FLAG,
		 .value = &call->no_start,
		 .help = "exit 4 when the daemon does not run, instead of starting it"},
		{.name = "quiet",
		 .letter = 'q',
		 .kind = TN_OPTION_FLAG,
		 .value = &call->quiet,
		 .help = "no progress bar"},
		{.name = "json",
		 .kind = TN_OPTION_FLAG,
		 .value = &call->cli.json,
		 .help = "the whole result as one line of JSON; mistakes likewise"},
	};
	const struct tn_options options = {
		.usage = "tenon call APP.TOOL [NAME=VALUE | NAME:=JSON]... [options]",
		.summary = "Calls a tool of the daemon, starting it when none runs. NAME=VALUE is "
			   "read "
			   "as the tool's\nschema wants it, NAME:=JSON as it stands, NAME=@FILE "
			   "from a "
			   "file (tenon help arguments).\n\n"
			   "Example: tenon call plan.terraform_explain plan_text=@plan.txt "
			   "user_preference=count_only",
		.options = table,
		.option_count = sizeof(table) / sizeof(table[0]),
		.words = call->words,
		.word_max = WORDS_MAX};

	if (!tn_cli_begin(&call->cli, &options, argc, argv, &call->word_count, ret_exit))
		return false;
	if (call->word_count)
		return true;
	*ret_exit = tn_cli_usage(&call->cli, "name a tool, APP.TOOL; tenon tools lists them");
	return false;
}

int tn_cli_call(int argc, char **argv)
{
	struct call call = {.cli = {.verb = "call"}, .timeout_s = TIMEOUT_DEFAULT_S};
	int exit = TN_EXIT_OK;

	if (!read_words(&call, argc, argv, &exit))
		return exit;
	tn_arena_init(&call.arena, TN_CLIENT_ARENA_MAX);
	tn_buf_init(&call.result, TN_CLIENT_RESULT_MAX);
	tn_progress_bar_init(&call.bar, STDERR_FILENO, &tn_clock_system);
	call.bar.is_on = call.bar.is_on && !call.quiet;
	exit = run(&call);
	tn_form_close(call.form);
	tn_signal_close(call.interrupt);
	tenon_client_destroy(call.place.client);
	tn_buf_finish(&call.result);
	tn_arena_finish(&call.arena);
	return exit;
}
