#include "client/client_test_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/mem.h"
#include "client/limits.h"
#include "jsonrpc/json.h"

const char kit_modern[] =
	"{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"resultType\":\"complete\","
	"\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{\"listChanged\":true},"
	"\"resources\":{\"subscribe\":true},\"prompts\":{},"
	"\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}},\"ttlMs\":0,"
	"\"cacheScope\":\"private\",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"name\":"
	"\"kit\",\"version\":\"1\"}}}}";
const char kit_legacy[] =
	"{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"protocolVersion\":\"2025-11-25\","
	"\"capabilities\":{\"tools\":{},\"resources\":{\"subscribe\":true},"
	"\"tasks\":{\"requests\":{\"tools\":{\"call\":{}}}}},"
	"\"serverInfo\":{\"name\":\"kit\",\"version\":\"1\"}}}";

struct kit_carrier {
	struct tn_carrier base;
	struct kit_server *server;
	struct tn_later *later;
	struct tn_buf inbox; /* lines for the client */
	void *last;          /* the client's last request; NULL: it has forgotten it */
	bool is_ready, is_lost, is_closing;
	void (*closed)(void *data);
	void *closed_data;
};

static void complain(struct kit_server *server, const char *what, const char *text)
{
	if (!server->fault[0])
		(void)snprintf(server->fault, sizeof(server->fault), "step %zu: %s: %.700s",
			       server->at, what, text);
}

static struct tn_str next_line(struct tn_str *rest)
{
	size_t end = tn_str_find_byte(*rest, '\n');
	struct tn_str line = tn_str(rest->data, end == TN_STR_NONE ? rest->size : end);

	*rest = tn_str_from_offset(*rest, line.size + 1);
	return line;
}

static void put_lines(struct kit_carrier *c, const char *lines, const char *id)
{
	struct tn_str rest = tn_str_from(lines);

	while (rest.size) {
		size_t at = tn_str_find(rest, TN_STR("$id"));

		tn_buf_append(&c->inbox, rest.data, at == TN_STR_NONE ? rest.size : at);
		if (at == TN_STR_NONE)
			break;
		tn_buf_append_text(&c->inbox, id);
		rest = tn_str_from_offset(rest, at + 3);
	}
	tn_buf_append_byte(&c->inbox, '\n');
}

static void own(const struct kit_server *server, bool begins)
{
	if (server->own_memory)
		server->own_memory(begins);
}

static void play_loose(struct kit_carrier *c, const char *method, const char *json, const char *id)
{
	for (size_t i = 0; i < c->server->count; i++) {
		const struct kit_step *step = c->server->steps + i;

		if (strcmp(step->method, method) == 0 && (!step->has || strstr(json, step->has))) {
			if (step->lines)
				put_lines(c, step->lines, id);
			break;
		}
	}
	tn_later_request(c->later);
}

static void play(struct kit_carrier *c, const char *method, const char *json, const char *id)
{
	struct kit_server *server = c->server;
	const struct kit_step *step = server->steps + server->at;

	if (server->is_loose) {
		play_loose(c, method, json, id);
		return;
	}
	if (server->at >= server->count) {
		if (!server->is_lax)
			complain(server, "beyond the script", json);
		return;
	}
	if (strcmp(step->method, method) != 0) {
		complain(server, step->method, json);
		return;
	}
	if (step->has && !strstr(json, step->has))
		complain(server, step->has, json);
	if (step->lines)
		put_lines(c, step->lines, id);
	server->at++;
	while (server->at < server->count && !server->steps[server->at].method) {
		put_lines(c, server->steps[server->at].lines, id);
		server->at++;
	}
	tn_later_request(c->later);
}

/* With its headers, one a line. */
static char *copy_message(const struct tn_outgoing *message)
{
	struct tn_buf text;
	char *ret = NULL;

	tn_buf_init(&text, TN_CLIENT_MESSAGE_MAX);
	tn_buf_append_str(&text, message->json);
	for (size_t i = 0; i < message->header_count; i++) {
		tn_buf_append_byte(&text, '\n');
		tn_buf_append_str(&text, message->headers[i].name);
		tn_buf_append_text(&text, ": ");
		tn_buf_append_str(&text, message->headers[i].value);
		tn_buf_append_byte(&text, ';');
	}
	if (!text.failed)
		ret = tn_mem_copy_text(text.data, text.size);
	tn_buf_finish(&text);
	return ret;
}

static void kit_send(struct tn_carrier *base, const struct tn_outgoing *message)
{
	struct kit_carrier *c = (struct kit_carrier *)(void *)base;
	struct tn_str method = TN_STR("<response>"), id = TN_STR("0");
	struct tn_json *json = NULL;
	struct tn_arena arena;
	char *text;

	own(c->server, true);
	if (message->request)
		c->last = message->request;
	text = copy_message(message);
	tn_arena_init(&arena, TN_CLIENT_ARENA_MAX);
	if (text && tn_json_parse_copy(&arena, message->json, &json, NULL) == TENON_OK) {
		(void)tn_json_to_str(tn_json_get(json, "method"), &method);
		if (tn_json_is(tn_json_get(json, "id"), TN_JSON_NUMBER))
			id = tn_json_get(json, "id")->text;
		if (memchr(message->json.data, '\n', message->json.size))
			complain(c->server, "a line break in a message", text);
		play(c, method.data, text, tn_arena_copy(&arena, id));
	}
	tn_arena_finish(&arena);
	tn_mem_free(text);
	own(c->server, false);
}

static void kit_forget(struct tn_carrier *base, void *request)
{
	struct kit_carrier *c = (struct kit_carrier *)(void *)base;

	if (c->last == request)
		c->last = NULL;
}

static void free_carrier(struct kit_carrier *c)
{
	c->server->closed++;
	tn_later_close(c->later);
	tn_buf_finish(&c->inbox);
	tn_mem_free(c);
}

static void kit_close_carrier(struct tn_carrier *base, void (*closed)(void *data), void *data)
{
	struct kit_carrier *c = (struct kit_carrier *)(void *)base;

	c->is_closing = true;
	c->closed = closed;
	c->closed_data = data;
	tn_later_request(c->later);
}

static void kit_abort(struct tn_carrier *base)
{
	free_carrier((struct kit_carrier *)(void *)base);
}

static const struct tn_carrier_ops ops = {
	.send = kit_send, .forget = kit_forget, .close = kit_close_carrier, .abort = kit_abort};

static void end_stream(struct kit_carrier *c, bool session_lost)
{
	struct tn_carrier_end end = {.code = session_lost ? TENON_EXPIRED : TENON_SYSTEM,
				     .status = session_lost ? 404 : 0,
				     .session_lost = session_lost};

	if (!c->last)
		return;
	(void)tn_fail(&end.err, end.code, "the script has ended the stream");
	c->base.events->ended(c->base.data, c->last, &end);
}

static void deliver(struct kit_carrier *c)
{
	struct tn_buf lines = c->inbox;
	struct tn_str rest = tn_buf_str(&lines);

	tn_buf_init(&c->inbox, TN_CLIENT_RESULT_MAX);
	while (rest.size && !c->is_lost && !c->is_closing) {
		struct tn_str line = next_line(&rest);

		if (tn_str_is(line, "<lost>")) {
			struct tenon_error err;

			c->is_lost = true;
			(void)tn_fail(&err, TENON_SYSTEM, "the script has ended the connection");
			c->base.events->lost(c->base.data, &err);
		} else if (tn_str_is(line, "<404>") || tn_str_is(line, "<broken>")) {
			end_stream(c, tn_str_is(line, "<404>"));
		} else if (tn_str_is(line, "<long>")) {
			c->base.events->skipped(c->base.data);
		} else if (line.size) {
			c->base.events->message(c->base.data, NULL, 0, line);
		}
	}
	tn_buf_finish(&lines);
}

static void turn_due(struct tn_later *later, void *data)
{
	struct kit_carrier *c = data;

	(void)later;
	if (c->is_closing) {
		void (*closed)(void *data) = c->closed;
		void *closed_data = c->closed_data;

		free_carrier(c);
		if (closed)
			closed(closed_data);
		return;
	}
	if (!c->is_ready) {
		c->is_ready = true;
		c->base.events->ready(c->base.data);
	}
	deliver(c);
}

static enum tenon_code kit_open(void *data, const struct tn_carrier_options *options,
				struct tn_carrier **ret, struct tenon_error *err)
{
	struct kit_carrier *c = tn_mem_alloc(sizeof(*c));
	struct kit_server *server = data;

	if (!c)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	c->base = (struct tn_carrier){&ops, options->events, options->data, server->kind, "kit"};
	c->server = server;
	tn_buf_init(&c->inbox, TN_CLIENT_RESULT_MAX);
	if (tn_later_open(options->loop, turn_due, c, &c->later, err) != TENON_OK) {
		tn_mem_free(c);
		return TENON_NO_MEMORY;
	}
	server->opened++;
	tn_later_request(c->later);
	*ret = &c->base;
	return TENON_OK;
}

/* ---- handlers ---- */

static void on_elicit(struct tenon_question *question, void *data)
{
	struct kit_server *server = data;
	struct tenon_error err;

	tn_buf_format(&server->log, "elicit %s\n", tenon_question_message(question));
	if (server->holds)
		server->held = question;
	else if (server->declines)
		tenon_question_decline(question);
	else if (tenon_question_accept(question, server->accepts, &err) != TENON_OK) {
		tn_buf_format(&server->log, "refused %s\n", err.message);
		tenon_question_cancel(question);
	}
}

static void on_sample(struct tenon_question *question, void *data)
{
	struct kit_server *server = data;
	struct tenon_error err;

	tn_buf_append_text(&server->log, "sample\n");
	if (tenon_question_answer(question,
				  "{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"type\":"
				  "\"text\",\"text\":\"yes\"}}",
				  &err) != TENON_OK)
		tenon_question_refuse(question, -1, err.message);
}

static void on_changed(enum tenon_change change, const char *uri, void *data)
{
	struct kit_server *server = data;

	tn_buf_format(&server->log, "changed %d %s\n", (int)change, uri ? uri : "-");
}

static void on_log(const char *level, const char *logger, const char *json, void *data)
{
	struct kit_server *server = data;

	tn_buf_format(&server->log, "log %s %s %s\n", level, logger ? logger : "-", json);
}

static void on_lost(const struct tenon_error *why, bool again, void *data)
{
	struct kit_server *server = data;

	tn_buf_format(&server->log, "lost %s %s\n", again ? "again" : "for good", why->message);
}

/* ---- life ---- */

struct tenon_client_options kit_options(struct kit_server *server)
{
	struct tenon_client_options options = {.name = "kit-client",
					       .version = "1",
					       .url = "unix:/nowhere",
					       .probe_timeout_ms = 50,
					       .request_timeout_ms = 2000,
					       .handlers = {.elicit = on_elicit,
							    .sample = on_sample,
							    .changed = on_changed,
							    .log = on_log,
							    .lost = on_lost,
							    .data = server}};

	return options;
}

void kit_use(struct kit_server *server, struct tenon_client *client)
{
	client->open_carrier = kit_open;
	client->open_data = server;
}

struct tenon_client *kit_client(struct kit_server *server,
				const struct tenon_client_options *options)
{
	struct tenon_client *client = NULL;
	struct tenon_error err;

	tn_buf_init(&server->log, TN_MIB);
	assert_int_equal(tenon_client_create(options, &client, &err), TENON_OK);
	kit_use(server, client);
	return client;
}

struct tenon_client *kit_connect(struct kit_server *server,
				 const struct tenon_client_options *options)
{
	struct tenon_client *client = kit_client(server, options);
	struct tenon_error err;

	if (tenon_client_connect(client, &err) != TENON_OK)
		fail_msg("%s; %s", err.message, server->fault);
	return client;
}

void kit_close(struct kit_server *server, struct tenon_client *client)
{
	tenon_client_destroy(client);
	tn_buf_finish(&server->log);
	if (server->fault[0])
		fail_msg("%s", server->fault);
	assert_int_equal(server->at, server->count);
	assert_int_equal(server->opened, server->closed);
}

struct tenon_outcome kit_call(struct tenon_client *client, const char *tool,
			      const struct tenon_request_options *options)
{
	struct tenon_outcome outcome = {0};
	struct tenon_error err = {0};
	struct tenon_request *request = tenon_client_call(client, tool, "{\"a\":1}", options, &err);

	assert_non_null(request);
	(void)tenon_request_wait(request, &outcome);
	return outcome;
}

const char *kit_log(struct kit_server *server)
{
	tn_buf_append_byte(&server->log, '\0');
	server->log.size--;
	return server->log.data;
}
