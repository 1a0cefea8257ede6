#include "client/wire.h"

#include <stdio.h>

#include "base/base64.h"
#include "base/mem.h"
#include "client/limits.h"

/* ---- what we say about ourselves ---- */

void tn_implementation_write(const struct tenon_client *client, enum tn_revision revision,
			     struct tn_buf *out)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "name", client->options.name);
	tn_json_put_member_text(out, "version", client->options.version);
	if (client->options.title && (revision == TN_REVISION_NONE || revision >= TN_R3))
		tn_json_put_member_text(out, "title", client->options.title);
	tn_json_end_object(out);
}

static void put_empty(struct tn_buf *out, const char *key)
{
	tn_json_put_member_raw(out, key, TN_STR("{}"));
}

static void put_extensions(const struct tenon_client *client, bool tasks, struct tn_buf *out)
{
	if (!tasks && !client->options.shows_ui)
		return;
	tn_json_put_key(out, "extensions");
	tn_json_begin_object(out);
	if (tasks)
		put_empty(out, "io.modelcontextprotocol/tasks");
	if (client->options.shows_ui)
		tn_json_put_member_raw(out, "io.modelcontextprotocol/ui",
				       TN_STR("{\"mimeTypes\":[\"text/html;profile=mcp-app\"]}"));
	tn_json_end_object(out);
}

void tn_capabilities_write(const struct tenon_client *client, enum tn_revision revision,
			   struct tn_buf *out)
{
	const struct tenon_client_handlers *handlers = &client->options.handlers;

	tn_json_begin_object(out);
	if (client->roots)
		tn_json_put_member_raw(out, "roots",
				       revision == TN_R5 ? TN_STR("{}")
							 : TN_STR("{\"listChanged\":true}"));
	if (handlers->sample) {
		tn_json_put_key(out, "sampling");
		tn_json_begin_object(out);
		if (handlers->samples_tools && revision >= TN_R4)
			put_empty(out, "tools");
		tn_json_end_object(out);
	}
	if (handlers->elicit && revision >= TN_R3) { /* MCP-040: {} means forms */
		tn_json_put_key(out, "elicitation");
		tn_json_begin_object(out);
		if (revision >= TN_R4)
			put_empty(out, "form");
		if (handlers->elicits_urls && revision >= TN_R4)
			put_empty(out, "url");
		tn_json_end_object(out);
	}
	if (revision >= TN_R4)
		put_extensions(client, revision == TN_R5 && !client->options.no_tasks, out);
	tn_json_end_object(out);
}

/* ---- life ---- */

static void free_wire(struct tn_wire *wire)
{
	tn_timer_close(wire->timer);
	tn_buf_finish(&wire->body);
	tn_mem_free(wire);
}

static struct tn_str id_of(const struct tn_wire *wire)
{
	return tn_str_from(wire->id);
}

/* Out of the table, and the carrier forgets it. */
static void detach(struct tn_wire *wire)
{
	struct tenon_client *client = wire->client;

	if (!wire->is_sent)
		return;
	(void)tn_map_remove(&client->wires, id_of(wire));
	if (client->carrier)
		client->carrier->ops->forget(client->carrier, wire);
	wire->is_sent = false;
}

void tn_wire_drop(struct tn_wire *wire)
{
	if (!wire)
		return;
	detach(wire);
	free_wire(wire);
}

void tn_wire_end(struct tn_wire *wire, const struct tn_answer *answer)
{
	tn_wire_fn *done = wire->done;
	void *data = wire->data;

	detach(wire);
	free_wire(wire);
	done(data, answer);
}

void tn_wire_cancel(struct tn_wire *wire, const char *reason)
{
	struct tenon_client *client;
	struct tn_buf params;

	if (!wire)
		return;
	client = wire->client;
	/* MCP-174: a modern HTTP server is told by the closing stream. MCP-068: `initialize` is
	 * never cancelled; nor is the probe, whose server may know nothing but `initialize`. */
	if (wire->is_sent && client->carrier && wire != client->handshake &&
	    (client->carrier->kind == TN_CARRIER_STREAM || !wire->is_modern)) {
		tn_buf_init(&params, TN_MIB);
		tn_json_begin_object(&params);
		tn_json_put_member_raw(&params, "requestId", id_of(wire));
		tn_json_put_member_text(&params, "reason", reason);
		tn_json_end_object(&params);
		/* Without memory for it the server finds nobody waiting. */
		(void)tn_wire_notify(client, TN_STR("notifications/cancelled"), tn_buf_str(&params),
				     NULL);
		tn_buf_finish(&params);
	}
	tn_wire_drop(wire);
}

/* What ends does not come one by one out of a table that `done` changes. */
void tn_wire_end_all(struct tenon_client *client, const struct tenon_error *err)
{
	struct tn_answer answer = {.code = err->code, .err = *err, .is_lost = true};
	size_t cursor = 0;
	struct tn_str key;
	void *value;

	while (tn_map_next(&client->wires, &cursor, &key, &value)) {
		tn_wire_end(value, &answer);
		cursor = 0;
	}
}

struct tn_wire *tn_wire_find(const struct tenon_client *client, const struct tn_json *id)
{
	return tn_json_is(id, TN_JSON_NUMBER) ? tn_map_get(&client->wires, id->text) : NULL;
}

/* ---- time ---- */

static void arm(struct tn_wire *wire)
{
	uint64_t now = tn_loop_now_ms(wire->client->loop);
	uint64_t due = UINT64_MAX;

	if (wire->timeout_ms)
		due = wire->heard_ms + wire->timeout_ms;
	if (wire->deadline_ms && wire->deadline_ms < due)
		due = wire->deadline_ms;
	if (due != UINT64_MAX)
		tn_timer_start(wire->timer, due > now ? due - now : 0);
}

static bool asks_us(const struct tenon_client *client)
{
	return client->questions && !tn_client_is_modern(client);
}

static void timer_due(struct tn_timer *timer, void *data)
{
	struct tn_wire *wire = data;
	uint64_t now = tn_loop_now_ms(wire->client->loop);
	struct tn_answer answer = {.code = TENON_EXPIRED};
	bool is_total = wire->deadline_ms && now >= wire->deadline_ms;
	tn_wire_fn *done = wire->done;
	void *done_data = wire->data;

	(void)timer;
	/* A legacy server that waits for our user's answer cannot answer us. */
	if (!is_total && asks_us(wire->client))
		wire->heard_ms = now;
	if (!is_total && now < wire->heard_ms + wire->timeout_ms) {
		arm(wire);
		return;
	}
	(void)tn_fail(&answer.err, TENON_EXPIRED, "%.*s: %s", (int)wire->method.size,
		      wire->method.data,
		      is_total ? "the time for it is over" : "the server has not answered in time");
	tn_wire_cancel(wire, "timeout");
	done(done_data, &answer);
}

void tn_wire_heard(struct tn_wire *wire)
{
	wire->heard_ms = tn_loop_now_ms(wire->client->loop);
}

/* ---- sending ---- */

struct tn_wire *tn_wire_begin(struct tenon_client *client, struct tn_str method, tn_wire_fn *done,
			      void *data)
{
	struct tn_wire *wire = tn_mem_alloc(sizeof(*wire));

	if (!wire)
		return NULL;
	wire->client = client;
	wire->method = method;
	wire->done = done;
	wire->data = data;
	wire->is_modern = tn_client_is_modern(client);
	(void)snprintf(wire->id, sizeof(wire->id), "%lld", (long long)++client->last_id);
	tn_buf_init(&wire->body, TN_CLIENT_MESSAGE_MAX);
	tn_json_begin_object(&wire->body);
	tn_json_put_member_text(&wire->body, "jsonrpc", "2.0");
	tn_json_put_member_raw(&wire->body, "id", id_of(wire));
	tn_json_put_member_str(&wire->body, "method", method);
	tn_json_put_key(&wire->body, "params");
	tn_json_begin_object(&wire->body);
	return wire;
}

static bool is_ours(struct tn_str key, bool is_modern)
{
	return tn_str_is(key, "progressToken") ||
	       (is_modern && (tn_str_is(key, "io.modelcontextprotocol/protocolVersion") ||
			      tn_str_is(key, "io.modelcontextprotocol/clientCapabilities") ||
			      tn_str_is(key, "io.modelcontextprotocol/clientInfo")));
}

static void put_meta(struct tn_wire *wire, const struct tn_wire_options *options)
{
	const struct tenon_client *client = wire->client;
	struct tn_buf *out = &wire->body;

	if (!wire->is_modern && !options->token && !options->meta)
		return;
	tn_json_put_key(out, "_meta");
	tn_json_begin_object(out);
	if (tn_json_is(options->meta, TN_JSON_OBJECT)) {
		for (const struct tn_json *m = options->meta->first; m; m = m->next) {
			if (is_ours(m->key, wire->is_modern))
				continue;
			tn_json_put_key_str(out, m->key);
			tn_json_put_value(out, m);
		}
	}
	if (options->token)
		tn_json_put_member_int(out, "progressToken", (int64_t)options->token);
	if (wire->is_modern) {
		tn_json_put_member_str(out, "io.modelcontextprotocol/protocolVersion",
				       tn_revision_name(TN_R5));
		if (!client->options.no_client_info) {
			tn_json_put_key(out, "io.modelcontextprotocol/clientInfo");
			tn_implementation_write(client, TN_R5, out);
		}
		tn_json_put_key(out, "io.modelcontextprotocol/clientCapabilities");
		tn_capabilities_write(client, TN_R5, out);
		if (options->log_level)
			tn_json_put_member_text(out, "io.modelcontextprotocol/logLevel",
						options->log_level);
	}
	tn_json_end_object(out);
}

static enum tenon_code fail_wire(struct tn_wire *wire, enum tenon_code code)
{
	tn_wire_drop(wire);
	return code;
}

enum tenon_code tn_wire_send(struct tn_wire *wire, const struct tn_wire_options *options,
			     struct tenon_error *err)
{
	struct tenon_client *client = wire->client;
	struct tn_outgoing message = {.method = wire->method,
				      .headers = options->headers,
				      .header_count = options->header_count,
				      .revision = options->is_plain ? TN_REVISION_NONE
								    : client->revision,
				      .request = wire};
	struct tn_buf name;
	enum tenon_code code;

	put_meta(wire, options);
	tn_json_end_object(&wire->body);
	tn_json_end_object(&wire->body);
	code = tn_buf_check(&wire->body, err);
	if (code != TENON_OK || !client->carrier)
		return fail_wire(wire, code != TENON_OK ? code
							: tn_fail(err, TENON_SYSTEM,
								  "there is no connection"));
	wire->timeout_ms = options->timeout_ms;
	wire->deadline_ms = options->deadline_ms;
	wire->token = options->token;
	code = tn_timer_open(client->loop, timer_due, wire, &wire->timer, err);
	if (code == TENON_OK)
		code = tn_map_put(&client->wires, id_of(wire), wire, err);
	if (code != TENON_OK)
		return fail_wire(wire, code);
	wire->is_sent = true;
	tn_wire_heard(wire);
	arm(wire);
	tn_buf_init(&name, TN_MIB);
	if (options->name.data && wire->is_modern) {
		tn_header_encode(options->name, &name);
		message.name = name.size ? tn_buf_str(&name) : tn_str("", 0);
	}
	code = tn_buf_check(&name, err);
	message.json = tn_buf_str(&wire->body);
	if (code == TENON_OK)
		client->carrier->ops->send(client->carrier, &message);
	tn_buf_finish(&name);
	tn_buf_finish(&wire->body);
	return code == TENON_OK ? TENON_OK : fail_wire(wire, code);
}

/* ---- what waits for no answer ---- */

static void send_plain(struct tenon_client *client, const struct tn_buf *json, struct tn_str method)
{
	struct tn_outgoing message = {
		.json = tn_buf_str(json), .method = method, .revision = client->revision};

	if (client->carrier)
		client->carrier->ops->send(client->carrier, &message);
}

enum tenon_code tn_wire_notify(struct tenon_client *client, struct tn_str method,
			       struct tn_str params, struct tenon_error *err)
{
	enum tenon_code code;
	struct tn_buf out;

	tn_buf_init(&out, TN_CLIENT_MESSAGE_MAX);
	tn_json_begin_object(&out);
	tn_json_put_member_text(&out, "jsonrpc", "2.0");
	tn_json_put_member_str(&out, "method", method);
	if (params.data)
		tn_json_put_member_foreign(&out, "params", params);
	tn_json_end_object(&out);
	code = tn_buf_check(&out, err);
	if (code == TENON_OK)
		send_plain(client, &out, method);
	tn_buf_finish(&out);
	return code;
}

static void begin_reply(struct tn_buf *out, struct tn_str id)
{
	tn_buf_init(out, TN_CLIENT_MESSAGE_MAX);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "jsonrpc", "2.0");
	if (id.data)
		tn_json_put_member_raw(out, "id", id);
}

static void send_reply(struct tenon_client *client, struct tn_buf *out)
{
	tn_json_end_object(out);
	if (!out->failed) /* else the server's own timeout ends it */
		send_plain(client, out, tn_str(NULL, 0));
	tn_buf_finish(out);
}

void tn_wire_reply(struct tenon_client *client, struct tn_str id, struct tn_str result)
{
	struct tn_buf out;

	begin_reply(&out, id);
	tn_json_put_member_foreign(&out, "result", result);
	send_reply(client, &out);
}

void tn_wire_refuse(struct tenon_client *client, struct tn_str id, int code, const char *message)
{
	struct tn_buf out;

	begin_reply(&out, id);
	tn_json_put_key(&out, "error");
	tn_json_begin_object(&out);
	tn_json_put_member_int(&out, "code", code);
	tn_json_put_member_text(&out, "message", message);
	tn_json_end_object(&out);
	send_reply(client, &out);
}

/* ---- the end of a stream (HTTP) ---- */

void tn_wire_ended(void *data, void *request, const struct tn_carrier_end *end)
{
	struct tenon_client *client = data;
	struct tn_answer answer = {.code = end->code,
				   .err = end->err,
				   .end = end,
				   .status = end->status,
				   .is_lost = end->session_lost};
	struct tenon_error err = end->err;
	bool session_lost = end->session_lost;

	if (answer.code == TENON_OK)
		answer.code = tn_fail(&answer.err, TENON_SYSTEM, "the answer's stream ended");
	tn_wire_end(request, &answer);
	if (session_lost) /* MCP-131 */
		tn_connect_lost(client, &err);
}
