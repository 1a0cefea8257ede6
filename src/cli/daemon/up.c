/* tenon up: returns when the daemon answers. */
#include "base/size.h"
#include "cli/shared/connect.h"
#include "jsonrpc/json_write.h"

static void put_json(const struct tn_discovery *found, struct tn_buf *out)
{
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "pid", found->pid);
	tn_json_put_member_text(out, "version", found->version);
	tn_json_put_member_text(out, "startedAt", found->started_at);
	tn_json_put_member_text(out, "url", found->url);
	tn_json_put_member_int(out, "httpPort", found->http_port);
	tn_json_put_member_int(out, "bridgePort", found->bridge_port);
	tn_json_end_object(out);
	tn_buf_append_byte(out, '\n');
}

static void put_sentence(const struct tn_discovery *found, struct tn_buf *out)
{
	tn_buf_format(out,
		      "tenond %s runs (pid %lld)\n"
		      "  MCP    %s/mcp\n"
		      "  page   tenon open\n"
		      "  hosts  tenon install\n",
		      found->version, (long long)found->pid, found->url);
}

/* The lock is held and the file is there: whether it also answers is what "up" promises. One that
 * was told to end meanwhile does not, and another is started. */
static int check_answer(const struct tn_cli *cli, struct tn_discovery *found)
{
	const struct tn_connect connect = {.no_reconnect = true};
	struct tenon_client *client = NULL;
	int code = tn_cli_connect(cli, &connect, &client, found);

	tenon_client_destroy(client);
	return code;
}

int tn_cli_up(int argc, char **argv)
{
	struct tn_cli cli = {.verb = "up"};
	const struct tn_option list[] = {
		{.name = "json",
		 .kind = TN_OPTION_FLAG,
		 .value = &cli.json,
		 .help = "one line of JSON: pid, url, ports"},
	};
	const struct tn_options options = {
		.usage = "tenon up [--json]",
		.summary = "Starts the daemon unless it runs, and returns when it answers. Earlier "
			   "crashes are\nforgotten: it may be started again three times more.\n\n"
			   "  tenon up --json",
		.options = list,
		.option_count = TN_COUNT(list),
	};
	struct tn_discovery found = {0};
	struct tenon_error err;
	struct tn_buf out;
	size_t words;
	int code;

	if (!tn_cli_begin(&cli, &options, argc, argv, &words, &code))
		return code;
	if (tn_launch(true, &found, &err) != TENON_OK)
		return tn_cli_fail_error(&cli, TN_EXIT_UNREACHABLE, NULL, &err);
	code = check_answer(&cli, &found);
	if (code != TN_EXIT_OK)
		return code;
	tn_buf_init(&out, 4096);
	if (cli.json)
		put_json(&found, &out);
	else
		put_sentence(&found, &out);
	code = tn_cli_write(&cli, &out, TN_EXIT_OK);
	tn_buf_finish(&out);
	return code;
}
