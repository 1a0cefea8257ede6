/* tenon token: the client token, for a client that is configured by hand; or a new one. */
#include "base/size.h"
#include "cli/shared/person.h"
#include "jsonrpc/json_write.h"

static int print(const struct tn_cli *cli, struct tn_str token)
{
	struct tn_buf out;
	int exit;

	tn_buf_init(&out, TN_KIB);
	if (cli->json) {
		tn_json_begin_object(&out);
		tn_json_put_member_str(&out, "token", token);
		tn_json_end_object(&out);
	} else {
		tn_buf_append_str(&out, token);
	}
	tn_buf_append_byte(&out, '\n');
	exit = tn_cli_write(cli, &out, TN_EXIT_OK);
	tn_buf_finish(&out);
	return exit;
}

static int rotate(const struct tn_cli *cli)
{
	struct tenon_client *client = NULL;
	const struct tn_json *result = NULL;
	struct tn_str token;
	struct tn_arena arena;
	int exit = tn_person_connect(cli, &client);

	if (exit != TN_EXIT_OK)
		return exit;
	tn_arena_init(&arena, TN_MIB);
	exit = tn_person_call(cli, client, "rotate_token", "{}", &arena, &result);
	if (exit == TN_EXIT_OK && tn_json_to_str(tn_json_get(result, "token"), &token))
		exit = print(cli, token);
	else if (exit == TN_EXIT_OK)
		exit = tn_cli_fail(cli, TN_EXIT_TOOL, "TOOL_ERROR", false,
				   "the daemon told no new token");
	tn_arena_finish(&arena);
	tenon_client_destroy(client);
	return exit;
}

static int show(const struct tn_cli *cli)
{
	struct tn_runtime_paths paths;
	struct tn_discovery found;
	struct tenon_error err = {0};
	enum tenon_code code = tn_runtime_find(&paths, false, &err);

	if (code == TENON_OK)
		code = tn_discovery_read(&paths, &found, &err);
	if (code == TENON_NOT_FOUND)
		return tn_cli_fail(cli, TN_EXIT_UNREACHABLE, "NOT_RUNNING", true,
				   "the daemon is not running; tenon up starts it");
	if (code != TENON_OK)
		return tn_cli_fail_error(cli, TN_EXIT_UNREACHABLE, NULL, &err);
	return print(cli, tn_str_from(found.token));
}

int tn_cli_token(int argc, char **argv)
{
	struct tn_cli cli = {.verb = "token"};
	bool rotates = false;
	const struct tn_option list[] = {
		{.name = "rotate",
		 .kind = TN_OPTION_FLAG,
		 .value = &rotates,
		 .help = "make a new one; the old one dies at once (a person only)"},
		{.name = "json",
		 .kind = TN_OPTION_FLAG,
		 .value = &cli.json,
		 .help = "one line of JSON; mistakes likewise"},
	};
	const struct tn_options options = {
		.usage = "tenon token [--rotate] [--json]",
		.summary = "Prints the client token: what relays, scripts and remote clients show "
			   "the daemon. It is no\nperson's token: with it nothing is approved.",
		.options = list,
		.option_count = TN_COUNT(list),
	};
	size_t words;
	int exit;

	if (!tn_cli_begin(&cli, &options, argc, argv, &words, &exit))
		return exit;
	return rotates ? rotate(&cli) : show(&cli);
}
