/* tenon status: whether the daemon runs, and what it does. Never starts it. */
#include <stdio.h>

#include "base/size.h"
#include "cli/daemon/status_read.h"
#include "client/limits.h"
#include "jsonrpc/json_write.h"

enum { STATUS_MS = 5000 };

struct status {
	struct tn_cli cli;
	struct tn_discovery found;
	struct tn_arena arena;
	const struct tn_json *tree; /* tenon://status; NULL: the server has none */
	bool is_off;                /* mcp.enabled is false: clients are told nothing else */
};

/* ---- for programs ---- */

static void put_json(const struct status *s, struct tn_buf *out)
{
	const struct tn_discovery *found = &s->found;

	tn_json_begin_object(out);
	tn_json_put_member_bool(out, "running", true);
	tn_json_put_member_int(out, "pid", found->pid);
	tn_json_put_member_text(out, "version", found->version);
	tn_json_put_member_text(out, "startedAt", found->started_at);
	tn_json_put_member_text(out, "url", found->url);
	tn_json_put_member_int(out, "httpPort", found->http_port);
	tn_json_put_member_int(out, "bridgePort", found->bridge_port);
	tn_json_put_member_bool(out, "mcpEnabled", !s->is_off);
	tn_json_put_key(out, "status");
	tn_json_put_value(out, s->tree);
	tn_json_end_object(out);
	tn_buf_append_byte(out, '\n');
}

/* ---- for people ---- */

static const char *text_of(const struct tn_json *object, const char *key)
{
	const struct tn_json *value = tn_json_get(object, key);

	return tn_json_is(value, TN_JSON_STRING) ? value->text.data : "";
}

static int64_t number_of(const struct tn_json *object, const char *key)
{
	int64_t value = 0;

	(void)tn_json_to_int(tn_json_get(object, key), &value);
	return value;
}

/* "3 d 04:05:06" */
static void put_duration(struct tn_buf *out, int64_t ms)
{
	long long seconds = ms / 1000;

	if (seconds >= 86400)
		tn_buf_format(out, "%lld d ", seconds / 86400);
	tn_buf_format(out, "%02lld:%02lld:%02lld", seconds / 3600 % 24, seconds / 60 % 60,
		      seconds % 60);
}

/* The words of the status bar: what a person sees in the page (studio.md section 15.9). */
static void put_pill(const struct status *s, struct tn_buf *out)
{
	const char *state = s->is_off ? "off" : text_of(s->tree, "state");

	if (strcmp(state, "off") == 0)
		tn_buf_append_text(out, "MCP Off");
	else if (strcmp(state, "error") == 0)
		tn_buf_format(out, "MCP Error: %s", text_of(s->tree, "reason"));
	else
		tn_buf_format(out, "MCP Listening :%u", (unsigned)s->found.http_port);
	tn_buf_append_byte(out, '\n');
}

static void put_apps(struct tn_buf *out, const struct tn_json *apps)
{
	const char *before = "";

	tn_buf_append_text(out, "  apps      ");
	for (const struct tn_json *a = tn_json_is(apps, TN_JSON_ARRAY) ? apps->first : NULL; a;
	     a = a->next) {
		bool enabled = false;

		(void)tn_json_to_bool(tn_json_get(a, "enabled"), &enabled);
		tn_buf_format(out, "%s%s%s", before, text_of(a, "name"), enabled ? "" : " (off)");
		before = ", ";
	}
	tn_buf_append_byte(out, '\n');
}

static void put_numbers(const struct status *s, struct tn_buf *out)
{
	const struct tn_json *tree = s->tree, *calls = tn_json_get(tree, "calls");
	const struct tn_json *latency = tn_json_get(tree, "latency");
	double p50 = 0, p99 = 0, rate = 0;

	(void)tn_json_to_double(tn_json_get(latency, "p50Ms"), &p50);
	(void)tn_json_to_double(tn_json_get(latency, "p99Ms"), &p99);
	(void)tn_json_to_double(tn_json_get(calls, "perSecond"), &rate);
	put_apps(out, tn_json_get(tree, "apps"));
	tn_buf_format(out, "  clients   %lld\n", (long long)number_of(tree, "clients"));
	tn_buf_format(
		out,
		"  calls     %lld (%lld failed, %lld running, %.1f a second; p50 %.1f ms, p99 "
		"%.1f ms)\n",
		(long long)number_of(calls, "total"), (long long)number_of(calls, "errors"),
		(long long)number_of(calls, "inFlight"), rate, p50, p99);
	if (number_of(tree, "approvals"))
		tn_buf_format(out, "  approvals %lld waiting; tenon approve, or tenon open\n",
			      (long long)number_of(tree, "approvals"));
	tn_buf_append_text(out, "  running   ");
	put_duration(out, number_of(tree, "uptimeMs"));
	tn_buf_format(out, ", %.1f MiB\n", (double)number_of(tree, "memoryBytes") / (double)TN_MIB);
}

static void put_for_people(const struct status *s, struct tn_buf *out)
{
	put_pill(s, out);
	tn_buf_format(out, "  MCP       %s/mcp\n", s->found.url);
	tn_buf_format(out, "  process   tenond %s, pid %lld, bridge on port %u, since %s\n",
		      s->found.version, (long long)s->found.pid, (unsigned)s->found.bridge_port,
		      s->found.started_at);
	if (strcmp(text_of(tn_json_get(s->tree, "http"), "exposure"), "remote") == 0)
		tn_buf_append_text(out, "  WARNING   it listens for other machines, too\n");
	if (s->tree)
		put_numbers(s, out);
}

/* ---- */

static int run(struct status *s)
{
	const struct tn_connect connect = {
		.no_start = true, .no_reconnect = true, .timeout_ms = STATUS_MS};
	struct tenon_client *client = NULL;
	struct tenon_error err = {0};
	struct tn_buf out;
	enum tenon_code code;
	int exit = tn_cli_connect(&s->cli, &connect, &client, &s->found);

	if (exit != TN_EXIT_OK)
		return exit;
	code = tn_status_read(client, "tenon://status", &s->arena, &s->tree, &err);
	tenon_client_destroy(client);
	s->is_off = code == TENON_DENIED;
	if (code != TENON_OK && code != TENON_NOT_FOUND && !s->is_off)
		return tn_cli_fail_error(&s->cli, TN_EXIT_UNREACHABLE, "the daemon", &err);
	tn_buf_init(&out, TN_CLIENT_RESULT_MAX);
	if (s->cli.json)
		put_json(s, &out);
	else
		put_for_people(s, &out);
	exit = tn_cli_write(&s->cli, &out, TN_EXIT_OK);
	tn_buf_finish(&out);
	return exit;
}

int tn_cli_status(int argc, char **argv)
{
	struct status s = {.cli = {.verb = "status"}};
	const struct tn_option table[] = {
		{.name = "json",
		 .kind = TN_OPTION_FLAG,
		 .value = &s.cli.json,
		 .help = "one line of JSON: pid, ports, and tenon://status"},
	};
	const struct tn_options options = {
		.usage = "tenon status [--json]",
		.summary = "Shows whether the daemon runs, where it listens and what it does; exit "
			   "4 when it does\nnot. Never starts it.\n\n"
			   "Example: tenon status --json",
		.options = table,
		.option_count = TN_COUNT(table)};
	size_t count = 0;
	int exit = TN_EXIT_OK;

	if (!tn_cli_begin(&s.cli, &options, argc, argv, &count, &exit))
		return exit;
	tn_arena_init(&s.arena, TN_CLIENT_ARENA_MAX);
	exit = run(&s);
	tn_arena_finish(&s.arena);
	return exit;
}
