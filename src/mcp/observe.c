#include "mcp/observe.h"

#include "mcp/method.h"
#include "mcp/server.h"

const char *tn_outcome_name(enum tn_outcome outcome)
{
	static const char *const names[] = {
		[TN_OUTCOME_OK] = "ok",
		[TN_OUTCOME_TOOL_ERROR] = "tool_error",
		[TN_OUTCOME_ERROR] = "error",
		[TN_OUTCOME_INPUT_REQUIRED] = "input_required",
		[TN_OUTCOME_CANCELLED] = "cancelled",
		[TN_OUTCOME_LISTENING] = "listening",
		[TN_OUTCOME_DROPPED] = "dropped",
	};

	return names[outcome];
}

void tn_observe(struct tenon_server *server, struct tn_observer *observer)
{
	observer->next = server->observers;
	server->observers = observer;
}

void tn_observe_stop(struct tenon_server *server, struct tn_observer *observer)
{
	struct tn_observer **at = &server->observers;

	while (*at && *at != observer)
		at = &(*at)->next;
	if (*at)
		*at = observer->next;
}

void tn_observe_begin(struct tenon_call *call)
{
	call->observed = true;
	call->started_us = tn_clock_now_us(call->server->clock);
}

static enum tn_outcome outcome_of(const struct tenon_call *call, bool dropped)
{
	if (atomic_load(&call->cancelled))
		return TN_OUTCOME_CANCELLED;
	if (dropped)
		return call->method && tn_str_is(call->method_name, "subscriptions/listen")
			       ? TN_OUTCOME_LISTENING
			       : TN_OUTCOME_DROPPED;
	if (call->error_code)
		return TN_OUTCOME_ERROR;
	if (call->asked)
		return TN_OUTCOME_INPUT_REQUIRED;
	return call->is_error ? TN_OUTCOME_TOOL_ERROR : TN_OUTCOME_OK;
}

static struct tn_str name_of(const struct tenon_call *call)
{
	struct tn_str name = call->uri;

	if (!name.data && call->item)
		name = call->item->key;
	if (!name.data && call->method && call->method->name_member)
		(void)tn_json_to_str(tn_json_get(call->params, call->method->name_member), &name);
	return name;
}

void tn_observe_end(struct tenon_call *call, bool dropped)
{
	struct tenon_server *server = call->server;
	struct tn_call_record record;

	call->observed = false; /* once */
	/* A cancellation's `id` is that of what it cancels. */
	if (!call->id.data || !call->method_name.data ||
	    tn_str_starts(call->method_name, TN_STR("notifications/")))
		return; /* no request */
	record = (struct tn_call_record){
		.call = call,
		.method = call->method_name,
		.name = name_of(call),
		.client = tn_str_from(call->client_name ? call->client_name : ""),
		.outcome = outcome_of(call, dropped),
		.error_code = call->error_code,
		.took_us = tn_clock_now_us(server->clock) - call->started_us,
		.bytes = dropped ? 0 : call->out.size,
		.consent = call->consent,
	};
	call->peer->call_total++;
	call->peer->last_call_wall_ms = (uint64_t)tn_clock_wall_ms(server->clock);
	for (const struct tn_observer *o = server->observers; o; o = o->next) {
		if (o->call_ended)
			o->call_ended(&record, o->data);
	}
}

void tn_observe_peer(const struct tn_peer *peer, bool came)
{
	for (const struct tn_observer *o = peer->server->observers; o; o = o->next) {
		void (*told)(const struct tn_peer *, void *) = came ? o->peer_came : o->peer_went;

		if (told)
			told(peer, o->data);
	}
}
