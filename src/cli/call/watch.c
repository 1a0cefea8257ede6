/* tenon watch: a line for each change of a resource. Ends by Ctrl-C. */
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/size.h"
#include "cli/shared/change_summary.h"
#include "cli/shared/connect.h"
#include "client/limits.h"
#include "jsonrpc/json_write.h"

enum {
	URIS_MAX = 64,
	COUNT_MAX = 1000000,
	TURN_MS = 60 * 1000,
	AGAIN_FIRST_MS = 200,
	AGAIN_MAX_MS = 5000,
	SHORT_BYTES_MAX = 200
};

struct watched {
	struct tn_buf content; /* as it was last shown */
	bool is_known;         /* it has been read once */
	bool is_due;           /* it has changed */
};

struct watch {
	struct tn_cli cli;
	const char *uris[URIS_MAX];
	size_t uri_count;
	int64_t left; /* lines to print; -1: no end */
	bool no_start, is_lost;
	struct tenon_client *client;
	struct watched items[URIS_MAX];
};

/* ---- events ---- */

static void on_changed(enum tenon_change change, const char *uri, void *data)
{
	struct watch *watch = data;

	for (size_t i = 0; i < watch->uri_count; i++) {
		if (change == TENON_CHANGED_ALL ||
		    (change == TENON_CHANGED_RESOURCE && uri && strcmp(uri, watch->uris[i]) == 0))
			watch->items[i].is_due = true;
	}
	tenon_client_wake(watch->client);
}

static void on_lost(const struct tenon_error *why, bool again, void *data)
{
	struct watch *watch = data;

	(void)why;
	watch->is_lost = watch->is_lost || !again;
	tenon_client_wake(watch->client);
}

/* ---- lines ---- */

static void put_content(struct tn_buf *out, const struct tn_buf *content)
{
	struct tn_arena arena;
	struct tn_json *value;

	tn_arena_init(&arena, TN_CLIENT_ARENA_MAX);
	if (tn_json_parse_copy(&arena, tn_buf_str(content), &value, NULL) == TENON_OK) {
		tn_json_put_key(out, "content");
		tn_json_put_value(out, value);
	} else {
		tn_json_put_member_str(out, "text", tn_buf_str(content));
	}
	tn_arena_finish(&arena);
}

static bool is_short(const struct tn_buf *content)
{
	return content->size <= SHORT_BYTES_MAX && content->size &&
	       tn_str_find_byte(tn_buf_str(content), '\n') == TN_STR_NONE &&
	       content->data[0] != '{' && content->data[0] != '[';
}

static int print_change(struct watch *watch, const char *uri, const struct tn_buf *before,
			const struct tn_buf *after)
{
	char time[TN_CLOCK_ISO_SIZE];
	struct tn_buf out;
	int exit;

	tn_clock_format_iso(tn_clock_wall_ms(&tn_clock_system), time);
	tn_buf_init(&out, 2 * TN_CLIENT_RESULT_MAX);
	if (watch->cli.json) {
		tn_json_begin_object(&out);
		tn_json_put_member_text(&out, "time", time);
		tn_json_put_member_text(&out, "uri", uri);
		put_content(&out, after);
		tn_json_end_object(&out);
	} else {
		tn_buf_format(&out, "%s %s: ", time, uri);
		if (is_short(after))
			tn_buf_append_str(&out, tn_buf_str(after));
		else if (tn_str_equal(tn_buf_str(before), tn_buf_str(after)))
			tn_buf_append_text(&out, "published anew, and says the same");
		else
			tn_change_summary(tn_buf_str(before), tn_buf_str(after), &out);
	}
	tn_buf_append_byte(&out, '\n');
	exit = tn_cli_write(&watch->cli, &out, TN_EXIT_OK);
	tn_buf_finish(&out);
	return exit;
}

/* ---- reading ---- */

/* The text of the first content, or its base 64. */
static enum tenon_code take_content(const struct tenon_outcome *outcome, struct tn_buf *out,
				    struct tenon_error *err)
{
	const struct tn_json *contents, *text;
	struct tn_arena arena;
	struct tn_json *root;
	enum tenon_code code;

	tn_arena_init(&arena, TN_CLIENT_ARENA_MAX);
	code = tn_json_parse_copy(&arena, tn_str(outcome->result, outcome->result_size), &root,
				  err);
	contents = code == TENON_OK ? tn_json_get(root, "contents") : NULL;
	contents = tn_json_is(contents, TN_JSON_ARRAY) ? contents->first : NULL;
	text = tn_json_get(contents, "text");
	if (!text)
		text = tn_json_get(contents, "blob");
	if (tn_json_is(text, TN_JSON_STRING))
		tn_buf_append_str(out, text->text);
	tn_arena_finish(&arena);
	return code == TENON_OK ? tn_buf_check(out, err) : code;
}

/* Reads it, and prints a line if the server has told of a change, or if it differs from what was
 * known before the connection was lost. */
static int look(struct watch *watch, size_t index)
{
	const struct tenon_request_options options = {.fresh = true};
	struct watched *item = &watch->items[index];
	struct tenon_outcome outcome = {0};
	struct tenon_error err = {0};
	struct tenon_request *request;
	struct tn_buf content;
	bool was_told = item->is_due;
	int exit = TN_EXIT_OK;

	item->is_due = false;
	request = tenon_client_read(watch->client, watch->uris[index], &options, &err);
	if (!request || tenon_request_wait(request, &outcome) != TENON_OK) {
		if (watch->is_lost)
			return TN_EXIT_OK; /* seen by whoever called */
		return request ? tn_cli_fail_resource(&watch->cli, watch->uris[index], &outcome)
			       : tn_cli_fail_error(&watch->cli, TN_EXIT_TOOL, NULL, &err);
	}
	tn_buf_init(&content, TN_CLIENT_RESULT_MAX);
	if (take_content(&outcome, &content, &err) != TENON_OK) {
		tn_buf_finish(&content);
		return tn_cli_fail_error(&watch->cli, TN_EXIT_TOOL, watch->uris[index], &err);
	}
	if (item->is_known &&
	    (was_told || !tn_str_equal(tn_buf_str(&content), tn_buf_str(&item->content)))) {
		exit = print_change(watch, watch->uris[index], &item->content, &content);
		watch->left -= watch->left > 0;
	}
	item->is_known = true;
	tn_buf_finish(&item->content);
	item->content = content;
	return exit;
}

/* ---- the connection ---- */

static int subscribe(struct watch *watch)
{
	struct tenon_error err = {0};
	int exit = TN_EXIT_OK;

	for (size_t i = 0; i < watch->uri_count; i++) {
		if (tenon_client_watch(watch->client, watch->uris[i], &err) != TENON_OK)
			return tn_cli_fail_error(&watch->cli, TN_EXIT_USAGE, watch->uris[i], &err);
	}
	/* The subscription goes first: what changes after it is told, what changed before is read.
	 */
	tenon_client_run_for(watch->client, 1);
	for (size_t i = 0; i < watch->uri_count && exit == TN_EXIT_OK && watch->left; i++)
		exit = look(watch, i);
	return exit;
}

static int connect(struct watch *watch, bool is_again)
{
	const struct tn_connect options = {
		.no_start = watch->no_start || is_again,
		.no_reconnect = true, /* the next daemon has another port: we look for it anew */
		.handlers = {.changed = on_changed, .lost = on_lost, .data = watch}};
	struct tenon_error err = {0};

	watch->is_lost = false;
	if (!is_again)
		return tn_cli_connect(&watch->cli, &options, &watch->client, NULL);
	return tn_cli_try_connect(&watch->cli, &options, &watch->client, NULL, &err) == TENON_OK
		       ? TN_EXIT_OK
		       : TN_EXIT_UNREACHABLE;
}

/* The daemon may come back; it is not ours to start it again. */
static int reconnect(struct watch *watch)
{
	int delay_ms = AGAIN_FIRST_MS, exit;

	tn_cli_note(&watch->cli, "tenon watch: the daemon is gone; waiting for the next one");
	for (;;) {
		tenon_client_destroy(watch->client);
		watch->client = NULL;
		(void)poll(NULL, 0, delay_ms);
		if (connect(watch, true) == TN_EXIT_OK) {
			exit = subscribe(watch);
			if (exit != TN_EXIT_OK || !watch->is_lost)
				return exit;
		}
		delay_ms = delay_ms * 2 < AGAIN_MAX_MS ? delay_ms * 2 : AGAIN_MAX_MS;
	}
}

static int run(struct watch *watch)
{
	int exit = connect(watch, false);

	if (exit == TN_EXIT_OK)
		exit = subscribe(watch);
	if (exit == TN_EXIT_OK)
		tn_cli_note(&watch->cli, "watching %zu resource%s; Ctrl-C ends it",
			    watch->uri_count, watch->uri_count == 1 ? "" : "s");
	while (exit == TN_EXIT_OK && watch->left) {
		if (watch->is_lost)
			exit = reconnect(watch);
		else
			tenon_client_run_for(watch->client, TURN_MS);
		for (size_t i = 0; i < watch->uri_count && exit == TN_EXIT_OK && watch->left; i++) {
			if (watch->items[i].is_due && !watch->is_lost)
				exit = look(watch, i);
		}
	}
	return exit;
}

int tn_cli_watch(int argc, char **argv)
{
	struct watch watch = {.cli = {.verb = "watch"}, .left = -1};
	const struct tn_option table[] = {
		{.name = "count",
		 .letter = 'n',
		 .kind = TN_OPTION_NUMBER,
		 .value = &watch.left,
		 .least = 1,
		 .most = COUNT_MAX,
		 .word = "N",
		 .help = "end after N changes"},
		{.name = "no-start",
		 .kind = TN_OPTION_FLAG,
		 .value = &watch.no_start,
		 .help = "exit 4 when the daemon does not run, instead of starting it"},
		{.name = "json",
		 .kind = TN_OPTION_FLAG,
		 .value = &watch.cli.json,
		 .help = "a JSON object a line: time, uri, and the new content"},
	};
	const struct tn_options options = {
		.usage = "tenon watch URI... [options]",
		.summary = "Prints a line for each change of a resource: what it says now, or what "
			   "differs. When the\ndaemon ends, it waits for the next one.\n\n"
			   "Example: tenon watch tenon://approvals",
		.options = table,
		.option_count = TN_COUNT(table),
		.words = watch.uris,
		.word_max = URIS_MAX};
	int exit = TN_EXIT_OK;

	if (!tn_cli_begin(&watch.cli, &options, argc, argv, &watch.uri_count, &exit))
		return exit;
	if (watch.uri_count == 0)
		return tn_cli_usage(&watch.cli, "name a resource by its URI");
	for (size_t i = 0; i < watch.uri_count; i++)
		tn_buf_init(&watch.items[i].content, TN_CLIENT_RESULT_MAX);
	exit = run(&watch);
	tenon_client_destroy(watch.client);
	for (size_t i = 0; i < watch.uri_count; i++)
		tn_buf_finish(&watch.items[i].content);
	return exit;
}
