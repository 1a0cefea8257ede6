/* tenon terminal sessions: a line for each. */
#include <stdio.h>

#include "base/size.h"
#include "cli/terminal/terminal.h"
#include "client/limits.h"
#include "jsonrpc/json_write.h"

struct sessions {
	struct tn_cli cli;
	bool all, no_start;
};

static void put_line(const struct tn_json *s, struct tn_buf *out)
{
	int64_t code = tn_terminal_number(s, "exit_code", -1);

	tn_buf_format(out, "%s%-40s  %-16s  %-13s  %-12s  %s",
		      tn_terminal_flag(s, "is_active") ? "*" : " ", tn_terminal_text(s, "id"),
		      tn_terminal_text(s, "name"), tn_terminal_text(s, "state"),
		      tn_terminal_text(s, "program"), tn_terminal_text(s, "cwd"));
	if (code >= 0)
		tn_buf_format(out, "  [exit %d]", (int)code);
	tn_buf_append_byte(out, '\n');
}

static int print(const struct sessions *run, const struct tn_json *result)
{
	const struct tn_json *list = tn_json_get(result, "sessions");
	struct tn_buf out;
	int exit;

	tn_buf_init(&out, TN_CLIENT_RESULT_MAX);
	if (run->cli.json) {
		tn_json_put_value(&out, result);
		tn_buf_append_byte(&out, '\n');
	}
	for (const struct tn_json *s = tn_json_is(list, TN_JSON_ARRAY) ? list->first : NULL;
	     s && !run->cli.json; s = s->next)
		put_line(s, &out);
	if (!run->cli.json && out.size == 0)
		tn_cli_note(&run->cli, "there is no session");
	exit = tn_cli_write(&run->cli, &out, TN_EXIT_OK);
	tn_buf_finish(&out);
	return exit;
}

static int list(struct sessions *run)
{
	const struct tn_connect connect = {
		.app = "terminal", .no_reconnect = true, .no_start = run->no_start};
	struct tn_terminal_call call = {.cli = &run->cli};
	const struct tn_json *result = NULL;
	struct tn_arena arena;
	int exit = tn_cli_connect(&run->cli, &connect, &call.client, NULL);

	if (exit != TN_EXIT_OK)
		return exit;
	tn_arena_init(&arena, TN_CLIENT_ARENA_MAX);
	call.arena = &arena;
	exit = tn_terminal_call(&call, "list_sessions",
				run->all ? TN_STR("{\"include_closed\":true}") : TN_STR("{}"),
				&result);
	if (exit == TN_EXIT_OK)
		exit = print(run, result);
	tenon_client_destroy(call.client);
	tn_arena_finish(&arena);
	return exit;
}

int tn_cli_terminal_sessions(int argc, char **argv)
{
	struct sessions run = {.cli = {.verb = "terminal sessions"}};
	const struct tn_option table[] = {
		{.name = "all",
		 .letter = 'a',
		 .kind = TN_OPTION_FLAG,
		 .value = &run.all,
		 .help = "those that are closed or lost, too"},
		{.name = "no-start",
		 .kind = TN_OPTION_FLAG,
		 .value = &run.no_start,
		 .help = "exit 4 when the daemon does not run, instead of starting it"},
		{.name = "json",
		 .kind = TN_OPTION_FLAG,
		 .value = &run.cli.json,
		 .help = "the tool's result as one line of JSON; mistakes likewise"},
	};
	const struct tn_options options = {
		.usage = "tenon terminal sessions [--all] [--json]",
		.summary = "Lists the sessions: id, name, state, program in front, folder.",
		.options = table,
		.option_count = TN_COUNT(table),
	};
	size_t count;
	int exit;

	if (!tn_cli_begin(&run.cli, &options, argc, argv, &count, &exit))
		return exit;
	return list(&run);
}
