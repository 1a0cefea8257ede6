/* Made, run, and taken down. */
#include "client/client.h"

#include "base/mem.h"
#include "base/url.h"
#include "client/limits.h"
#include "client/question.h"
#include "client/request.h"
#include "jsonrpc/json_write.h"
#include "mcp/server.h"

/* ---- options ---- */

static bool copy_text(struct tn_arena *arena, const char **text)
{
	if (*text)
		*text = tn_arena_copy(arena, tn_str_from(*text));
	return true;
}

/* False: out of memory, or too much. */
static bool copy_list(struct tn_arena *arena, const char *const **list)
{
	size_t count = 0;
	const char **copy;

	if (!*list)
		return true;
	while ((*list)[count])
		count++;
	copy = tn_arena_alloc_array(arena, count + 1, sizeof(*copy));
	if (!copy)
		return false;
	for (size_t i = 0; i < count; i++) {
		copy[i] = tn_arena_copy(arena, tn_str_from((*list)[i]));
		if (!copy[i])
			return false;
	}
	*list = copy;
	return true;
}

static bool copy_options(struct tenon_client *client, const struct tenon_client_options *options)
{
	struct tenon_client_options *own = &client->options;
	const char **texts[] = {&own->name,      &own->version, &own->title,    &own->url,
				&own->directory, &own->token,   &own->revision, &own->ca_file};

	*own = *options;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		bool was_there = *texts[i] != NULL;

		(void)copy_text(&client->texts, texts[i]);
		if (was_there && !*texts[i])
			return false;
	}
	return copy_list(&client->texts, &own->command) && copy_list(&client->texts, &own->env) &&
	       copy_list(&client->texts, &own->headers);
}

static uint32_t or_default(uint32_t value, uint32_t standard)
{
	return value ? value : standard;
}

static bool has_line_break(const char *text)
{
	return text && strpbrk(text, "\r\n");
}

static enum tenon_code check_url(const char *url, struct tenon_error *err)
{
	struct tn_str text = tn_str_from(url);
	struct tn_url parsed;

	if (tn_str_starts(text, TN_STR("unix:")))
		return TENON_OK;
	if (tn_str_starts(text, TN_STR("wss://")))
		return tn_fail(err, TENON_INVALID,
			       "url: wss:// is not spoken yet; send https:// or ws://");
	if (!tn_url_parse(text, &parsed))
		return tn_fail(err, TENON_INVALID,
			       "url: send http://, https://, ws:// or unix:/path");
	if (!tn_str_equal_nocase(parsed.scheme, TN_STR("http")) &&
	    !tn_str_equal_nocase(parsed.scheme, TN_STR("https")) &&
	    !tn_str_equal_nocase(parsed.scheme, TN_STR("ws")))
		return tn_fail(err, TENON_INVALID,
			       "url: send http://, https://, ws:// or unix:/path");
	return TENON_OK;
}

static enum tenon_code check_revision(const struct tenon_client_options *options,
				      struct tenon_error *err)
{
	enum tn_revision revision;

	if (!options->revision)
		return TENON_OK;
	revision = tn_revision_find(tn_str_from(options->revision));
	if (revision == TN_REVISION_NONE)
		return tn_fail(err, TENON_INVALID,
			       "revision: %.20s is unknown; send one of 2024-11-05, 2025-03-26, "
			       "2025-06-18, 2025-11-25, 2026-07-28",
			       options->revision);
	if ((options->mode == TENON_MODE_MODERN && revision != TN_R5) ||
	    (options->mode == TENON_MODE_LEGACY && revision == TN_R5))
		return tn_fail(err, TENON_INVALID, "revision: %s is not of the mode's era",
			       options->revision);
	return TENON_OK;
}

static enum tenon_code check_options(const struct tenon_client_options *options,
				     struct tenon_error *err)
{
	enum tenon_code code;

	if (!options->name || !options->version)
		return tn_fail(err, TENON_INVALID, "name and version: both are required");
	if (!options->command == !options->url)
		return tn_fail(err, TENON_INVALID,
			       "command and url: exactly one of the two is required");
	if (options->command && (!options->command[0] || !options->command[0][0]))
		return tn_fail(err, TENON_INVALID, "command: its first element is the program");
	if (has_line_break(options->token))
		return tn_fail(err, TENON_INVALID, "token: it has a line break in it");
	for (const char *const *h = options->headers; h && *h; h++) {
		if (has_line_break(*h) || !strchr(*h, ':'))
			return tn_fail(err, TENON_INVALID, "headers: send \"Name: value\"");
	}
	code = options->url ? check_url(options->url, err) : TENON_OK;
	return code == TENON_OK ? check_revision(options, err) : code;
}

/* ---- the turn ---- */

static void turn_due(struct tn_later *later, void *data)
{
	struct tenon_client *client = data;

	(void)later;
	tn_connect_turn(client);
	tn_watch_turn(client);
	tn_request_turn(client); /* last: a callback may destroy a client with a shared loop */
}

static void timer_due(struct tn_timer *timer, void *data)
{
	(void)timer;
	tn_watch_rested(data);
	tn_connect_rested(data);
}

static void nap_over(struct tn_timer *timer, void *data)
{
	struct tenon_client *client = data;

	(void)timer;
	client->is_awake_time_over = true;
	tn_client_stop(client);
}

static void woken(struct tn_wakeup *wakeup, void *data)
{
	struct tenon_client *client = data;

	(void)wakeup;
	client->is_woken = true;
	tn_client_stop(client);
}

void tenon_client_run_for(struct tenon_client *client, uint32_t time_ms)
{
	if (!client->owns_loop || client->is_running)
		return;
	client->is_awake_time_over = false;
	tn_timer_start(client->nap, time_ms);
	while (!client->is_awake_time_over && !client->is_woken) {
		if (tn_client_run(client, NULL) != TENON_OK)
			break;
	}
	client->is_woken = false;
	tn_timer_stop(client->nap);
}

void tenon_client_wake(struct tenon_client *client)
{
	if (client->wakeup)
		tn_wakeup_send(client->wakeup);
}

/* ---- life ---- */

static enum tenon_code open_handles(struct tenon_client *client, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	if (client->options.server) {
		client->loop = client->options.server->loop;
	} else {
		code = tn_loop_create(&client->loop, err);
		client->owns_loop = code == TENON_OK;
	}
	if (code == TENON_OK)
		code = tn_later_open(client->loop, turn_due, client, &client->turn, err);
	if (code == TENON_OK)
		code = tn_timer_open(client->loop, timer_due, client, &client->timer, err);
	if (code == TENON_OK && client->owns_loop)
		code = tn_timer_open(client->loop, nap_over, client, &client->nap, err);
	if (code == TENON_OK && client->owns_loop)
		code = tn_wakeup_open(client->loop, woken, client, &client->wakeup, err);
	return code;
}

static void free_client(struct tenon_client *client)
{
	tn_request_finish_all(client);
	tn_question_finish_all(client);
	tn_watch_finish(client);
	tn_tools_clear(client);
	tn_cache_drop(client, tn_str("", 0));
	tn_about_clear(&client->about);
	tn_later_close(client->turn);
	tn_timer_close(client->timer);
	tn_timer_close(client->nap);
	tn_wakeup_close(client->wakeup);
	tn_map_finish(&client->wires);
	tn_map_finish(&client->tools);
	tn_mem_free(client->roots);
	if (client->owns_loop)
		tn_loop_destroy(client->loop);
	tn_arena_finish(&client->texts);
	tn_mem_free(client);
}

enum tenon_code tenon_client_create(const struct tenon_client_options *options,
				    struct tenon_client **ret, struct tenon_error *err)
{
	enum tenon_code code = check_options(options, err);
	struct tenon_client *client;

	if (code != TENON_OK)
		return code;
	client = tn_mem_alloc(sizeof(*client));
	if (!client)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	client->last = &client->first;
	tn_map_init(&client->wires);
	tn_map_init(&client->tools);
	tn_map_init(&client->watched);
	tn_arena_init(&client->texts, TN_CLIENT_TEXTS_MAX);
	if (!copy_options(client, options))
		code = client->texts.starved
			       ? tn_fail(err, TENON_NO_MEMORY, "out of memory")
			       : tn_fail(err, TENON_INVALID, "the options are too long");
	options = &client->options;
	client->options.probe_timeout_ms =
		or_default(options->probe_timeout_ms, TN_CLIENT_PROBE_MS);
	client->options.request_timeout_ms =
		or_default(options->request_timeout_ms, TN_CLIENT_REQUEST_MS);
	client->options.request_total_ms =
		or_default(options->request_total_ms, TN_CLIENT_TOTAL_MS);
	client->options.connect_timeout_ms =
		or_default(options->connect_timeout_ms, TN_CLIENT_CONNECT_MS);
	if (code == TENON_OK)
		code = open_handles(client, err);
	if (code != TENON_OK) {
		free_client(client);
		return code;
	}
	*ret = client;
	return TENON_OK;
}

void tenon_client_destroy(struct tenon_client *client)
{
	if (!client)
		return;
	tn_assert(!client->is_running); /* not from a callback when the loop is its own */
	tn_request_finish_all(client);
	client->phase = TN_CLIENT_ENDED;
	client->errand = TN_ERRAND_NONE;
	client->connecting = false;
	tn_connect_drop(client, true);
	while (client->carriers_closing && tn_client_run(client, NULL) == TENON_OK)
		;
	free_client(client);
}

/* ---- about the server ---- */

const char *tenon_client_revision(const struct tenon_client *client)
{
	if (client->phase != TN_CLIENT_READY && !client->was_ready)
		return NULL;
	return client->revision ? tn_revision_name(client->revision).data : NULL;
}

const char *tenon_client_server_name(const struct tenon_client *client)
{
	return client->about.name;
}

const char *tenon_client_server_version(const struct tenon_client *client)
{
	return client->about.version;
}

const char *tenon_client_instructions(const struct tenon_client *client)
{
	return client->about.instructions;
}

const char *tenon_client_capabilities(const struct tenon_client *client)
{
	return client->about.capabilities;
}

const char *tenon_client_transport(const struct tenon_client *client)
{
	return client->carrier && client->was_ready ? client->carrier->transport : NULL;
}
