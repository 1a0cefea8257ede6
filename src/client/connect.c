/* From nothing to a connection, and the same again when it was lost (MCP-088, MCP-131); what is
 * said on it first is in handshake.c. */
#include <stdio.h>

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

void tn_connect_errand(struct tenon_client *client, enum tn_client_errand errand,
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

void tn_connect_fail(struct tenon_client *client, const struct tenon_error *why)
{
	client->phase = TN_CLIENT_ENDED;
	tn_connect_errand(client, TN_ERRAND_FAIL, why);
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

bool tn_connect_may_fall_back(const struct tenon_client *client)
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
		tn_connect_fail(client, NULL);
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
		tn_connect_errand(client, TN_ERRAND_OPEN, NULL);
}

/* ---- losses ---- */

/* MCP-059: servers built with older SDKs exit on any request before `initialize`; one that is slow
 * to start reads the probe when it has been given up. */
static bool died_of_probe(const struct tenon_client *client)
{
	if (!client->carrier || client->carrier->kind != TN_CARRIER_STREAM || client->was_ready ||
	    !tn_connect_may_fall_back(client))
		return false;
	return client->phase == TN_CLIENT_PROBING ||
	       (client->phase == TN_CLIENT_INITIALIZING && client->probe_was_silent);
}

/* What becomes of the conversation; its phase has not been changed yet. */
static void judge_loss(struct tenon_client *client, const struct tenon_error *err)
{
	if (client->was_ready && !client->options.no_reconnect) {
		client->phase = TN_CLIENT_RESTING;
		tn_connect_errand(client, TN_ERRAND_REST, err);
	} else if (died_of_probe(client)) {
		client->is_legacy = true;
		client->phase = TN_CLIENT_OPENING;
		tn_connect_errand(client, TN_ERRAND_OPEN, NULL);
	} else if (client->use_sse && client->phase == TN_CLIENT_OPENING) {
		tn_connect_fail(client,
				NULL); /* `why` is what Streamable HTTP said, which tells more */
	} else {
		tn_connect_fail(client, err);
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

/* ---- the public way in ---- */

void tn_connect_begin(struct tenon_client *client)
{
	client->attempts_in_row = 0;
	client->attempts = 0;
	client->phase = TN_CLIENT_OPENING;
	tn_connect_errand(client, TN_ERRAND_OPEN, NULL);
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
