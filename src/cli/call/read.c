/* tenon read: one resource. */
#include <stdio.h>

#include "cli/shared/call_output.h"
#include "cli/shared/connect.h"
#include "client/limits.h"

static int show(const struct tn_cli *cli, const struct tenon_outcome *outcome, const char *file)
{
	struct tenon_error err = {0};
	struct tn_arena arena;
	struct tn_json *result;
	struct tn_buf out;
	int exit;

	tn_arena_init(&arena, TN_CLIENT_ARENA_MAX);
	tn_buf_init(&out, TN_CLIENT_RESULT_MAX);
	if (tn_json_parse_copy(&arena, tn_str(outcome->result, outcome->result_size), &result,
			       &err) != TENON_OK ||
	    tn_output_result(result, file, &out, &err) != TENON_OK) {
		exit = tn_cli_fail_error(cli, TN_EXIT_TOOL, NULL, &err);
	} else {
		if (cli->json) {
			tn_buf_clear(&out);
			tn_buf_append(&out, outcome->result, outcome->result_size);
			tn_buf_append_byte(&out, '\n');
		}
		exit = tn_cli_write(cli, &out, TN_EXIT_OK);
	}
	tn_buf_finish(&out);
	tn_arena_finish(&arena);
	return exit;
}

static int run(const struct tn_cli *cli, const char *uri, const char *file, bool no_start)
{
	const struct tn_connect connect = {.no_start = no_start};
	const struct tenon_request_options options = {.fresh = true};
	struct tenon_client *client = NULL;
	struct tenon_outcome outcome;
	struct tenon_error err = {0};
	struct tenon_request *request;
	int exit = tn_cli_connect(cli, &connect, &client, NULL);

	if (exit != TN_EXIT_OK)
		return exit;
	request = tenon_client_read(client, uri, &options, &err);
	if (!request)
		exit = tn_cli_fail_error(cli, TN_EXIT_TOOL, NULL, &err);
	else if (tenon_request_wait(request, &outcome) == TENON_OK)
		exit = show(cli, &outcome, file);
	else
		exit = tn_cli_fail_resource(cli, uri, &outcome);
	tenon_client_destroy(client);
	return exit;
}

int tn_cli_read(int argc, char **argv)
{
	struct tn_cli cli = {.verb = "read"};
	const char *words[1], *file = NULL;
	bool no_start = false;
	const struct tn_option table[] = {
		{.name = "output",
		 .letter = 'o',
		 .kind = TN_OPTION_TEXT,
		 .value = &file,
		 .word = "FILE",
		 .help = "write the content there"},
		{.name = "no-start",
		 .kind = TN_OPTION_FLAG,
		 .value = &no_start,
		 .help = "exit 4 when the daemon does not run, instead of starting it"},
		{.name = "json",
		 .kind = TN_OPTION_FLAG,
		 .value = &cli.json,
		 .help = "the whole result as one line of JSON; mistakes likewise"},
	};
	const struct tn_options options = {.usage = "tenon read URI [options]",
					   .summary = "Prints a resource.\n\n"
						      "Example: tenon read tenon://status",
					   .options = table,
					   .option_count = sizeof(table) / sizeof(table[0]),
					   .words = words,
					   .word_max = 1};
	size_t count = 0;
	int exit = TN_EXIT_OK;

	if (!tn_cli_begin(&cli, &options, argc, argv, &count, &exit))
		return exit;
	if (count == 0)
		return tn_cli_usage(&cli, "name a resource by its URI, for example tenon://status");
	return run(&cli, words[0], file, no_start);
}
