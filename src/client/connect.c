/* From nothing to a conversation: the carrier, the era (mcp.md section 6.3), the handshake, and
 * the same again when the connection was lost (MCP-088, MCP-131). */
#include <stdio.h>

#include "base/utf8.h"
#include "client/limits.h"
#include "client/question.h"
#include "client/request.h"
#include "client/wire.h"

static void carrier_lost(void *data, const struct tenon_error *err);
static void text_came(void *data, struct tn_str text);

static const struct tn_carrier_events events = {
	.ready = tn_connect_ready,
	.message = tn_receive,
	.ended = tn_wire_ended,
	.lost = carrier_lost,
	.text = text_came,
	.skipped = tn_receive_skipped,
};

/* When nobody takes the child's standard error, it shares ours. */
static const struct tn_carrier_events quiet_events = {
	.ready = tn_connect_ready,
	.message = tn_receive,
	.ended = tn_wire_ended,
	.lost = carrier_lost,
	.skipped = tn_receive_skipped,
};

static void text_came(void *data, struct tn_str text)
{
	struct tenon_client *client = data;

	client->options.handlers.server_text(text.data, text.size, client->options.handlers.data);
}

/* ---- errands: what is done with the connection at the end of the turn ---- */

static void set_errand(struct tenon_client *client, enum tn_client_errand errand,
		       const struct tenon_error *why)
{
	struct tenon_error clean;

	client->errand = errand;
	if (why) {
		clean = *why; /* `why` may be the client's own */
		tn_sentence_clean(why->message, &clean);
		client->why = clean;
	}
	tn_client_turn(client);
}

static void fail(struct tenon_client *client, const struct tenon_error *why)
{
	client->phase = TN_CLIENT_ENDED;
	set_errand(client, TN_ERRAND_FAIL, why);
}

static void carrier_closed(void *data)
{
	struct tenon_client *client = data;

	client->carriers_closing--;
	tn_client_stop(client);
}

void tn_connect_drop(struct tenon_client *client, bool orderly)
{
	struct tn_carrier *carrier = client->carrier;
	struct tenon_error why = client->why;

	if (why.code == TENON_OK)
		(void)tn_fail(&why, TENON_SYSTEM, "the connection was closed");
	tn_wire_end_all(client, &why);
	client->handshake = NULL;
	client->carrier = NULL;
	if (!carrier)
		return;
	if (!orderly || client->is_broken) {
		carrier->ops->abort(carrier);
	} else if (client->owns_loop) {
		client->carriers_closing++;
		carrier->ops->close(carrier, carrier_closed, client);
	} else {
		carrier->ops->close(carrier, NULL, NULL); /* it may outlive us on that loop */
	}
}

static enum tenon_code open_carrier(struct tenon_client *client, struct tenon_error *err)
{
	const struct tenon_client_options *own = &client->options;
	struct tn_carrier_options options = {.loop = client->loop,
					     .events = own->handlers.server_text ? &events
										 : &quiet_events,
					     .data = client,
					     .connect_timeout_ms = own->connect_timeout_ms};
	struct tn_child_target child = {own->command, own->env, own->directory};
	struct tn_url_target target = {own->url, own->token, own->headers, own->ca_file};
	struct tn_str url = tn_str_from(own->url);

	client->is_broken = false;
	client->faults_told = 0;
	if (client->open_carrier)
		return client->open_carrier(client->open_data, &options, &client->carrier, err);
	if (own->command)
		return tn_carrier_open_child(&options, &child, &client->carrier, err);
	if (tn_str_starts(url, TN_STR("unix:")))
		return tn_carrier_open_unix(&options, &target, &client->carrier, err);
	if (url.size > 3 && tn_str_equal_nocase(tn_str(url.data, 3), TN_STR("ws:")))
		return tn_carrier_open_ws(&options, &target, &client->carrier, err);
	if (client->use_sse)
		return tn_carrier_open_sse(&options, &target, &client->carrier, err);
	return tn_carrier_open_http(&options, &target, &client->carrier, err);
}

static void run_open(struct tenon_client *client)
{
	struct tenon_error err;

	tn_connect_drop(client, true);
	client->phase = TN_CLIENT_OPENING;
	client->revision = TN_REVISION_NONE;
	if (open_carrier(client, &err) != TENON_OK) {
		client->carrier = NULL;
		tn_connect_lost(client, &err);
	}
}

static bool may_fall_back(const struct tenon_client *client)
{
	return client->options.mode == TENON_MODE_AUTO && !client->options.revision;
}

/* At most TN_CLIENT_AGAIN_MAX attempts a minute, each after twice the time. */
static bool may_try_again(struct tenon_client *client)
{
	uint64_t now = tn_loop_now_ms(client->loop);

	if (client->attempts == TN_CLIENT_AGAIN_MAX) {
		if (now - client->attempts_ms[0] < TN_CLIENT_AGAIN_WINDOW_MS)
			return false;
		memmove(client->attempts_ms, client->attempts_ms + 1,
			sizeof(client->attempts_ms) - sizeof(client->attempts_ms[0]));
		client->attempts--;
	}
	client->attempts_ms[client->attempts++] = now;
	return true;
}

static void run_fail(struct tenon_client *client)
{
	const struct tenon_client_handlers *handlers = &client->options.handlers;
	struct tenon_error why = client->why;
	bool was_connecting = client->connecting;

	tn_connect_drop(client, true);
	client->phase = TN_CLIENT_IDLE;
	client->connecting = false;
	client->is_legacy = false;
	client->use_sse = false;
	client->was_ready = false;
	tn_request_fail_all(client, &why);
	if (was_connecting)
		client->connected(client, &why, client->connected_data);
	else if (handlers->lost)
		handlers->lost(&why, false, handlers->data);
	tn_client_stop(client);
}

static void run_rest(struct tenon_client *client)
{
	const struct tenon_client_handlers *handlers = &client->options.handlers;
	bool is_first = client->attempts_in_row == 0;

	tn_connect_drop(client, true);
	if (!may_try_again(client)) {
		fail(client, NULL);
		return;
	}
	client->phase = TN_CLIENT_RESTING;
	tn_timer_start(client->timer,
		       (uint64_t)TN_CLIENT_AGAIN_FIRST_MS << client->attempts_in_row);
	client->attempts_in_row++;
	if (is_first && handlers->lost)
		handlers->lost(&client->why, true, handlers->data);
}

void tn_connect_turn(struct tenon_client *client)
{
	enum tn_client_errand errand = client->errand;

	client->errand = TN_ERRAND_NONE;
	switch (errand) {
	case TN_ERRAND_NONE:
		break;
	case TN_ERRAND_OPEN:
		run_open(client);
		break;
	case TN_ERRAND_REST:
		run_rest(client);
		break;
	case TN_ERRAND_FAIL:
		run_fail(client);
		break;
	}
	if (client->connecting && client->phase == TN_CLIENT_READY) {
		client->connecting = false;
		client->connected(client, NULL, client->connected_data);
	}
}

void tn_connect_rested(struct tenon_client *client)
{
	if (client->phase == TN_CLIENT_RESTING)
		set_errand(client, TN_ERRAND_OPEN, NULL);
}

/* ---- losses ---- */

/* MCP-059: servers built with older SDKs exit on any request before `initialize`; one that is slow
 * to start reads the probe when it has been given up. */
static bool died_of_probe(const struct tenon_client *client)
{
	if (!client->carrier || client->carrier->kind != TN_CARRIER_STREAM || client->was_ready ||
	    !may_fall_back(client))
		return false;
	return client->phase == TN_CLIENT_PROBING ||
	       (client->phase == TN_CLIENT_INITIALIZING && client->probe_was_silent);
}

/* What becomes of the conversation; its phase has not been changed yet. */
static void judge_loss(struct tenon_client *client, const struct tenon_error *err)
{
	if (client->was_ready && !client->options.no_reconnect) {
		client->phase = TN_CLIENT_RESTING;
		set_errand(client, TN_ERRAND_REST, err);
	} else if (died_of_probe(client)) {
		client->is_legacy = true;
		client->phase = TN_CLIENT_OPENING;
		set_errand(client, TN_ERRAND_OPEN, NULL);
	} else if (client->use_sse && client->phase == TN_CLIENT_OPENING) {
		fail(client, NULL); /* `why` is what Streamable HTTP said, which tells more */
	} else {
		fail(client, err);
	}
}

void tn_connect_lost(struct tenon_client *client, const struct tenon_error *err)
{
	if (client->phase == TN_CLIENT_ENDED || client->phase == TN_CLIENT_IDLE ||
	    client->phase == TN_CLIENT_RESTING)
		return;
	judge_loss(client, err);
	tn_watch_forget(client);
	tn_question_forget_connection(client);
	client->handshake = NULL;
	tn_wire_end_all(client, err);
}

static void carrier_lost(void *data, const struct tenon_error *err)
{
	struct tenon_client *client = data;

	client->is_broken = true;
	tn_connect_lost(client, err);
}

/* ---- ready ---- */

static void get_ready(struct tenon_client *client)
{
	const struct tenon_client_handlers *handlers = &client->options.handlers;
	bool is_again = client->was_ready;

	client->phase = TN_CLIENT_READY;
	client->was_ready = true;
	client->attempts_in_row = 0;
	tn_tools_clear(client);
	tn_cache_drop(client, tn_str("", 0));
	tn_watch_begin(client);
	tn_request_resume_all(client);
	tn_client_turn(client); /* says so */
	if (is_again && handlers->changed)
		handlers->changed(TENON_CHANGED_ALL, NULL, handlers->data);
}

/* ---- initialize (mcp.md section 7) ---- */

static void begin_initialize(struct tenon_client *client);

static void greet(struct tenon_client *client)
{
	struct tenon_error err;

	if (tn_wire_notify(client, TN_STR("notifications/initialized"), tn_str(NULL, 0), &err) !=
	    TENON_OK) {
		fail(client, &err);
		return;
	}
	if (client->carrier->ops->open_feed)
		client->carrier->ops->open_feed(client->carrier, client->revision);
	get_ready(client);
}

static void take_initialized(struct tenon_client *client, const struct tn_json *result)
{
	const struct tenon_client_options *own = &client->options;
	enum tn_revision revision;
	struct tn_str version;
	struct tenon_error err, told;

	if (!tn_json_to_str(tn_json_get(result, "protocolVersion"), &version))
		version = TN_STR("none");
	revision = tn_revision_find(version);
	if (revision < TN_R1 || revision > TN_R4 ||
	    (own->revision && !tn_str_is(version, own->revision))) { /* MCP-056 */
		tn_sentence_clean(version.data, &told);
		version = tn_utf8_cut(tn_str_from(told.message), 40);
		(void)tn_fail(&err, TENON_INVALID,
			      "no revision in common: the server speaks %.*s, we %s",
			      (int)version.size, version.data,
			      own->revision ? own->revision : "2024-11-05 to 2025-11-25");
		fail(client, &err);
		return;
	}
	client->revision = revision;
	if (tn_about_read(&client->about, result, &err) != TENON_OK)
		fail(client, &err);
	else
		greet(client);
}

static void begin_probe(struct tenon_client *client);

/* A server that is slow to start has not said what it speaks: that it does not know `initialize`
 * says it. */
static bool is_modern_after_all(struct tenon_client *client, const struct tn_answer *answer)
{
	if (!answer->error_code || !client->probe_was_silent || client->probed_again)
		return false;
	client->probed_again = true;
	client->is_legacy = false;
	return true;
}

static void initialized(void *data, const struct tn_answer *answer)
{
	struct tenon_client *client = data;
	unsigned status = answer->status;
	struct tenon_error err = answer->err;

	client->handshake = NULL;
	if (answer->code == TENON_OK) {
		take_initialized(client, answer->result);
		return;
	}
	if (answer->is_lost)
		return; /* tn_connect_lost has seen to it */
	if (is_modern_after_all(client, answer)) {
		begin_probe(client);
		return;
	}
	if (answer->error_code)
		(void)tn_fail(&err, TENON_INVALID, "the server refused initialize (%lld): %.150s",
			      (long long)answer->error_code, answer->err.message);
	/* MCP-060: the last rung. */
	if (client->carrier->kind == TN_CARRIER_HTTP &&
	    (status == 400 || status == 404 || status == 405) && !client->was_ready) {
		client->use_sse = true;
		client->is_legacy = true;
		client->phase = TN_CLIENT_OPENING;
		set_errand(client, TN_ERRAND_OPEN, &err);
	} else if (client->was_ready) {
		if (answer->error_code) /* MCP-062: the verdict may be wrong by now */
			client->is_legacy = false;
		tn_connect_lost(client, &err);
	} else {
		fail(client, &err);
	}
}

static void begin_initialize(struct tenon_client *client)
{
	const struct tenon_client_options *own = &client->options;
	enum tn_revision revision =
		own->revision ? tn_revision_find(tn_str_from(own->revision)) : TN_R4;
	struct tn_wire_options options = {.timeout_ms = own->request_timeout_ms, .is_plain = true};
	struct tn_wire *wire;
	struct tenon_error err;

	client->phase = TN_CLIENT_INITIALIZING;
	client->revision = TN_REVISION_NONE;
	wire = tn_wire_begin(client, TN_STR("initialize"), initialized, client);
	if (!wire) {
		(void)tn_fail(&err, TENON_NO_MEMORY, "out of memory");
		fail(client, &err);
		return;
	}
	tn_json_put_member_str(&wire->body, "protocolVersion", tn_revision_name(revision));
	tn_json_put_key(&wire->body, "capabilities");
	tn_capabilities_write(client, revision, &wire->body);
	tn_json_put_key(&wire->body, "clientInfo");
	tn_implementation_write(client, revision, &wire->body);
	client->handshake = wire;
	if (tn_wire_send(wire, &options, &err) != TENON_OK) {
		client->handshake = NULL;
		fail(client, &err);
	}
}

/* ---- server/discover (MCP-059, MCP-060) ---- */

struct versions {
	bool modern, legacy; /* one that we speak */
	char text[96];       /* as the server says them, for people */
};

static void read_versions(const struct tn_json *list, struct versions *ret)
{
	size_t used = 0;

	*ret = (struct versions){.text = "none"};
	if (!tn_json_is(list, TN_JSON_ARRAY))
		return;
	for (const struct tn_json *v = list->first; v; v = v->next) {
		enum tn_revision revision;
		struct tn_str text;

		if (!tn_json_to_str(v, &text))
			continue;
		revision = tn_revision_find(text);
		ret->modern |= revision == TN_R5;
		ret->legacy |= revision >= TN_R1 && revision <= TN_R4;
		if (text.size <= 20 && used + text.size + 3 < sizeof(ret->text))
			used += (size_t)snprintf(ret->text + used, sizeof(ret->text) - used,
						 "%s%.*s", used ? ", " : "", (int)text.size,
						 text.data);
	}
}

static void fail_versions(struct tenon_client *client, const struct versions *versions)
{
	struct tenon_error err;

	(void)tn_fail(&err, TENON_INVALID, "no revision in common: the server speaks %s, we %s",
		      versions->text,
		      may_fall_back(client) ? "2024-11-05 to 2026-07-28" : "2026-07-28");
	fail(client, &err);
}

static void choose(struct tenon_client *client, const struct versions *versions, bool was_refused)
{
	if (versions->modern && was_refused && !client->probed_again) {
		client->probed_again = true;
		begin_probe(client);
	} else if (versions->legacy && may_fall_back(client)) {
		client->is_legacy = true;
		begin_initialize(client);
	} else {
		fail_versions(client, versions);
	}
}

static void take_discovered(struct tenon_client *client, const struct tn_json *result)
{
	struct versions versions;
	struct tenon_error err;

	read_versions(tn_json_get(result, "supportedVersions"), &versions);
	if (!versions.modern)
		choose(client, &versions, false);
	else if (tn_about_read(&client->about, result, &err) != TENON_OK)
		fail(client, &err);
	else
		get_ready(client);
}

/* MCP-061: these say nothing about the era. */
static bool is_no_evidence(const struct tenon_client *client, const struct tn_answer *answer)
{
	if (answer->code == TENON_NO_MEMORY)
		return true;
	if (client->carrier->kind != TN_CARRIER_HTTP)
		return false;
	if (answer->error_code == -32020 || answer->error_code == -32021)
		return true;
	return answer->code == TENON_EXPIRED || answer->code == TENON_DENIED ||
	       answer->code == TENON_BUSY || answer->code == TENON_SYSTEM ||
	       answer->code == TENON_LIMIT || answer->status >= 500;
}

static void discovered(void *data, const struct tn_answer *answer)
{
	struct tenon_client *client = data;
	struct tenon_error err = answer->err;
	struct versions versions;

	client->handshake = NULL;
	if (answer->is_lost)
		return; /* tn_connect_lost has seen to it */
	if (answer->code == TENON_OK) {
		take_discovered(client, answer->result);
	} else if (answer->error_code == -32022) {
		read_versions(tn_json_get(answer->error_data, "supported"), &versions);
		choose(client, &versions, true);
	} else if (is_no_evidence(client, answer) || !may_fall_back(client)) {
		if (answer->error_code)
			(void)tn_fail(&err, TENON_INVALID,
				      "the server does not speak 2026-07-28 (%lld): %.150s",
				      (long long)answer->error_code, answer->err.message);
		if (client->was_ready)
			tn_connect_lost(client, &err);
		else
			fail(client, &err);
	} else {
		client->probe_was_silent = answer->code == TENON_EXPIRED;
		client->is_legacy = true;
		begin_initialize(client);
	}
}

static void begin_probe(struct tenon_client *client)
{
	const struct tenon_client_options *own = &client->options;
	bool is_patient = client->carrier->kind == TN_CARRIER_HTTP || !may_fall_back(client) ||
			  client->probe_was_silent;
	struct tn_wire_options options = {.timeout_ms = is_patient ? own->connect_timeout_ms
								   : own->probe_timeout_ms};
	struct tn_wire *wire;
	struct tenon_error err;

	client->phase = TN_CLIENT_PROBING;
	client->revision = TN_R5;
	wire = tn_wire_begin(client, TN_STR("server/discover"), discovered, client);
	client->handshake = wire;
	if (!wire) {
		(void)tn_fail(&err, TENON_NO_MEMORY, "out of memory");
		fail(client, &err);
	} else if (tn_wire_send(wire, &options, &err) != TENON_OK) {
		client->handshake = NULL;
		fail(client, &err);
	}
}

static bool is_legacy_wanted(const struct tenon_client *client)
{
	const char *revision = client->options.revision;

	return client->is_legacy || client->options.mode == TENON_MODE_LEGACY ||
	       (revision && tn_revision_find(tn_str_from(revision)) != TN_R5);
}

void tn_connect_ready(void *data)
{
	struct tenon_client *client = data;

	if (client->phase != TN_CLIENT_OPENING)
		return;
	client->probed_again = false;
	client->probe_was_silent = false;
	if (is_legacy_wanted(client))
		begin_initialize(client);
	else
		begin_probe(client);
}

/* ---- the public way in ---- */

void tn_connect_begin(struct tenon_client *client)
{
	client->attempts_in_row = 0;
	client->attempts = 0;
	client->phase = TN_CLIENT_OPENING;
	set_errand(client, TN_ERRAND_OPEN, NULL);
}

void tenon_client_start(struct tenon_client *client,
			void (*connected)(struct tenon_client *client,
					  const struct tenon_error *err_or_null, void *data),
			void *data)
{
	client->connected = connected;
	client->connected_data = data;
	client->connecting = true;
	if (client->phase == TN_CLIENT_IDLE)
		tn_connect_begin(client);
	else
		tn_client_turn(client);
}

struct waiting {
	bool is_over;
	struct tenon_error err;
};

static void connected(struct tenon_client *client, const struct tenon_error *err, void *data)
{
	struct waiting *waiting = data;

	waiting->is_over = true;
	if (err)
		waiting->err = *err;
	tn_client_stop(client);
}

enum tenon_code tenon_client_connect(struct tenon_client *client, struct tenon_error *err)
{
	struct waiting waiting = {0};

	if (client->is_running || !client->owns_loop)
		return tn_client_run(client, err); /* says why not */
	tenon_client_start(client, connected, &waiting);
	while (!waiting.is_over) {
		enum tenon_code code = tn_client_run(client, err);

		if (code != TENON_OK)
			return code;
	}
	if (waiting.err.code != TENON_OK && err)
		*err = waiting.err;
	return waiting.err.code;
}
