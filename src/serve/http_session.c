#include "serve/http_session.h"

#include "base/mem.h"
#include "mcp/limits.h"
#include "serve/http_post.h"
#include "mcp/server.h"
#include "serve/limits.h"
#include "transport/limits.h"

enum { SWEEP_MS = 30 * 1000 };

bool tn_http_send_message(struct tn_http_exchange *x, struct tn_str id, struct tn_str json)
{
	const struct tn_http_event event = {
		.id = id, .name = TN_STR("message"), .data = &json, .data_count = 1};

	return tn_http_stream_event(x, &event);
}

/* ---- the outlet: what belongs to no request goes to the GET stream ---- */

static bool outlet_ready(const struct tn_peer *peer)
{
	const struct tn_http_session *session = peer->transport;

	return session->get && tn_http_stream_queued(session->get) < TN_OUTPUT_QUEUE_MAX / 2;
}

static void outlet_send(struct tn_peer *peer, struct tn_str json)
{
	struct tn_http_session *session = peer->transport;

	(void)tn_http_send_message(session->get, tn_str(NULL, 0), json); /* ready: there is room */
}

static bool outlet_slow(const struct tn_peer *peer)
{
	const struct tn_http_session *session = peer->transport;

	return session->get && !outlet_ready(peer);
}

static const struct tn_outlet_ops outlet_ops = {
	.ready = outlet_ready,
	.send = outlet_send,
	.slow = outlet_slow,
};

/* ---- order of use ---- */

static void link_newest(struct tn_http_session *session)
{
	struct tn_http_sessions *table = session->table;

	session->used_ms = tn_server_now_ms(table->server);
	session->previous = NULL;
	session->next = table->newest;
	if (table->newest)
		table->newest->previous = session;
	else
		table->oldest = session;
	table->newest = session;
}

static void unlink_session(struct tn_http_session *session)
{
	struct tn_http_sessions *table = session->table;

	if (session->previous)
		session->previous->next = session->next;
	else
		table->newest = session->next;
	if (session->next)
		session->next->previous = session->previous;
	else
		table->oldest = session->previous;
}

static bool is_idle(const struct tn_http_session *session)
{
	return !session->get && tn_peer_idle(session->peer);
}

/* The least recently used one that nothing holds. */
static struct tn_http_session *find_idle(const struct tn_http_sessions *table)
{
	struct tn_http_session *session = table->oldest;

	while (session && !is_idle(session))
		session = session->previous;
	return session;
}

void tn_http_sessions_sweep(struct tn_http_sessions *table)
{
	uint64_t now = tn_server_now_ms(table->server);
	struct tn_http_session *session = table->oldest;

	while (session) {
		struct tn_http_session *newer = session->previous;

		tn_posts_expire(session, now);
		if (!is_idle(session)) /* an open stream and a running call are uses, too */
			session->used_ms = now;
		else if (now - session->used_ms >= TN_SESSION_IDLE_MS)
			tn_http_session_destroy(session);
		session = newer;
	}
}

static void sweep_due(struct tn_timer *timer, void *data)
{
	struct tn_http_sessions *table = data;

	tn_http_sessions_sweep(table);
	if (table->oldest)
		tn_timer_start(timer, SWEEP_MS);
}

/* ---- life ---- */

enum tenon_code tn_http_sessions_open(struct tn_http_sessions *table, struct tenon_server *server,
				      struct tenon_error *err)
{
	uint32_t wanted = server->options.sessions_max;

	*table = (struct tn_http_sessions){.server = server,
					   .sessions_max = wanted ? wanted : TN_SESSIONS_MAX};
	tn_map_init(&table->by_id);
	return tn_timer_open(server->loop, sweep_due, table, &table->sweep, err);
}

void tn_http_sessions_close(struct tn_http_sessions *table)
{
	while (table->newest)
		tn_http_session_destroy(table->newest);
	tn_map_finish(&table->by_id);
	tn_timer_close(table->sweep);
	table->sweep = NULL;
}

struct tn_http_session *tn_http_session_create(struct tn_http_sessions *table,
					       const char *principal,
					       const struct tn_http_caller *caller)
{
	struct tn_http_session *session, *idle = NULL;

	if (table->by_id.used >= table->sessions_max) {
		idle = find_idle(table);
		if (!idle)
			return NULL;
		tn_http_session_destroy(idle);
	}
	session = tn_mem_alloc(sizeof(*session));
	if (!session)
		return NULL;
	session->table = table;
	session->owner.caller = caller;
	tn_rng_token(session->id, 16);
	if (tn_peer_create(table->server, TN_PEER_HTTP_SESSION, principal, &outlet_ops, session,
			   &session->peer, NULL) != TENON_OK ||
	    tn_map_put(&table->by_id, tn_str_from(session->id), session, NULL) != TENON_OK) {
		tn_peer_destroy(session->peer);
		tn_mem_free(session);
		return NULL;
	}
	link_newest(session);
	if (!tn_timer_active(table->sweep))
		tn_timer_start(table->sweep, SWEEP_MS);
	return session;
}

struct tn_http_session *tn_http_session_find(struct tn_http_sessions *table, struct tn_str id,
					     const struct tn_http_caller *caller, uint32_t apps)
{
	struct tn_http_session *session = tn_map_get(&table->by_id, id);

	if (!session || session->owner.caller != caller || session->peer->apps != apps)
		return NULL;
	unlink_session(session);
	link_newest(session);
	return session;
}

void tn_http_session_destroy(struct tn_http_session *session)
{
	(void)tn_map_remove(&session->table->by_id, tn_str_from(session->id));
	unlink_session(session);
	tn_http_session_end_get(session);
	tn_peer_destroy(session->peer);
	tn_posts_drop(session);
	tn_mem_free(session);
}

void tn_http_sessions_expel(struct tn_http_sessions *table, const struct tn_http_caller *caller)
{
	struct tn_http_session *next;

	for (struct tn_http_session *s = table->newest; s; s = next) {
		next = s->next;
		if (s->owner.caller == caller)
			tn_http_session_destroy(s);
	}
}

static void get_closed(struct tn_http_owner *owner)
{
	((struct tn_http_session *)owner)->get = NULL;
}

void tn_http_session_end_get(struct tn_http_session *session)
{
	struct tn_http_exchange *get = session->get;

	session->get = NULL;
	if (get)
		tn_http_stream_end(get, NULL);
}

void tn_http_session_attach(struct tn_http_session *session, struct tn_http_exchange *x)
{
	tn_http_session_end_get(session);
	if (!tn_http_sse_begin(x, NULL, 0))
		return;
	session->get = x;
	session->owner.closed = get_closed;
	tn_http_set_user(x, &session->owner);
	tn_http_forget_request(x); /* the stream may stay open for hours */
	tn_peer_flush(session->peer);
}
