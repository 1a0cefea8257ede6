#include "serve/http_post.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/mem.h"
#include "serve/http_accept.h"
#include "serve/http_host.h"
#include "serve/http_reach.h"
#include "mcp/receive.h"
#include "serve/limits.h"
#include "transport/limits.h"

/* An event kept for a client that comes back. */
struct event {
	struct event *next;
	uint64_t number;
	size_t size;
	char json[];
};

struct tn_post {
	struct tn_exchange x; /* first: ops get this */
	struct tn_http_owner owner;
	struct tn_http_view view;
	struct tn_http_host *host;
	struct tn_http_exchange *http;   /* NULL: no connection now */
	uint32_t apps;                   /* of its path; 0: all */
	struct tn_http_session *session; /* legacy; NULL: stateless */
	bool streaming;                  /* the answer has become an event stream */
	bool ended;                      /* the core is done with it */
	bool kept;                       /* in its session, for clients that come back */
	bool takes_events, wants_events; /* the client can take a stream; would rather */
	uint64_t stream, next_event;     /* event ids "<stream>-<event>" */
	struct event *events, **events_tail;
	size_t events_bytes;
	unsigned events_count;
	uint64_t ended_ms;
	uint64_t since_ms; /* when it began to wait */
	bool slow;
	bool new_session;                /* the answer names it */
	struct tn_post *next, *previous; /* of the session */
	struct tn_post *slow_next, *slow_previous;
};

/* ---- the list of those that wait ---- */

enum { SLOW_TICK_MS = 250 };

static void unlink_slow(struct tn_post *post)
{
	struct tn_http_host *host = post->host;

	if (!post->slow)
		return;
	post->slow = false;
	if (post->slow_previous)
		post->slow_previous->slow_next = post->slow_next;
	else
		host->slow_first = post->slow_next;
	if (post->slow_next)
		post->slow_next->slow_previous = post->slow_previous;
	else
		host->slow_last = post->slow_previous;
}

static void link_slow(struct tn_post *post)
{
	struct tn_http_host *host = post->host;

	post->slow = true;
	post->since_ms = tn_server_now_ms(host->server);
	post->slow_next = NULL;
	post->slow_previous = host->slow_last;
	if (host->slow_last)
		host->slow_last->slow_next = post;
	else
		host->slow_first = post;
	host->slow_last = post;
	if (!tn_timer_active(host->slow_timer))
		tn_timer_start(host->slow_timer, SLOW_TICK_MS);
}

/* ---- the replay store ---- */

static void drop_oldest(struct tn_post *post)
{
	struct event *event = post->events;

	post->events = event->next;
	if (!post->events)
		post->events_tail = &post->events;
	post->events_bytes -= event->size;
	post->session->table->replay_bytes -= event->size;
	post->events_count--;
	tn_mem_free(event);
}

static void drop_events(struct tn_post *post)
{
	while (post->events)
		drop_oldest(post);
}

/* Remembers an event; the bounds drop the oldest, never the newest (MCP-150). */
static void remember(struct tn_post *post, uint64_t number, struct tn_str json)
{
	const size_t *total = &post->session->table->replay_bytes;
	struct event *event;

	while (post->events && *total + json.size > TN_REPLAY_TOTAL_MAX)
		drop_oldest(post);
	if (*total + json.size > TN_REPLAY_TOTAL_MAX)
		return; /* all of it is other streams' */
	event = tn_mem_resize(NULL, sizeof(*event) + json.size);
	if (!event)
		return;
	event->next = NULL;
	event->number = number;
	event->size = json.size;
	memcpy(event->json, json.data, json.size);
	*post->events_tail = event;
	post->events_tail = &event->next;
	post->events_bytes += json.size;
	post->session->table->replay_bytes += json.size;
	post->events_count++;
	while (post->events != event && (post->events_count > TN_REPLAY_EVENTS_MAX ||
					 post->events_bytes > TN_REPLAY_BYTES_MAX))
		drop_oldest(post);
}

/* ---- life ---- */

static void unkeep(struct tn_post *post)
{
	struct tn_http_session *session = post->session;

	if (!post->kept)
		return;
	post->kept = false;
	drop_events(post);
	if (post->previous)
		post->previous->next = post->next;
	else
		session->posts = post->next;
	if (post->next)
		post->next->previous = post->previous;
}

/* Frees the post when nobody needs it any more. */
static void release(struct tn_post *post)
{
	struct tn_http_host *host = post->host;

	if (!post->ended || post->http || post->kept)
		return;
	unlink_slow(post);
	post->next = host->spare;
	host->spare = post;
}

static void keep(struct tn_post *post)
{
	struct tn_http_session *session = post->session;

	post->kept = true;
	post->stream = ++session->next_stream;
	post->events_tail = &post->events;
	post->previous = NULL;
	post->next = session->posts;
	if (session->posts)
		session->posts->previous = post;
	session->posts = post;
}

void tn_posts_expire(struct tn_http_session *session, uint64_t now_ms)
{
	struct tn_post *post = session->posts;

	while (post) {
		struct tn_post *next = post->next;

		if (post->ended && now_ms - post->ended_ms >= TN_REPLAY_AFTER_END_MS) {
			unkeep(post);
			release(post);
		}
		post = next;
	}
}

void tn_posts_drop(struct tn_http_session *session)
{
	while (session->posts) {
		struct tn_post *post = session->posts;

		unkeep(post);
		post->session = NULL;
		release(post);
	}
}

void tn_posts_free_spare(struct tn_http_host *host)
{
	while (host->spare) {
		struct tn_post *post = host->spare;

		host->spare = post->next;
		tn_mem_free(post);
	}
}

/* ---- streaming ---- */

static void format_id(char out[48], const struct tn_post *post, uint64_t number)
{
	(void)snprintf(out, 48, "%" PRIx64 "-%" PRIx64, post->stream, number);
}

/* MCP-146: event ids and the priming event are for sessions of 2025-11-25 only. */
static bool is_resumable(const struct tn_post *post)
{
	return post->session && post->x.revision == TN_R4;
}

/* The header that names a session just opened; returns how many headers that are. */
static size_t session_header(const struct tn_post *post, struct tn_http_header *header)
{
	if (!post->new_session || !post->session)
		return 0;
	*header = (struct tn_http_header){TN_STR("Mcp-Session-Id"), tn_str_from(post->session->id)};
	return 1;
}

static bool begin_events(struct tn_post *post)
{
	struct tn_http_header header;
	size_t count = session_header(post, &header);

	if (tn_http_sse_begin(post->http, &header, count))
		return true;
	post->http = NULL; /* a HEAD request has been answered by that */
	return false;
}

static void open_stream(struct tn_post *post)
{
	struct tn_http_event priming = {.data_count = 0};
	char id[48];

	if (post->streaming || !post->http)
		return;
	post->streaming = true;
	unlink_slow(post);
	if (!begin_events(post))
		return;
	if (!is_resumable(post)) {
		tn_http_forget_request(post->http); /* it may stay open for hours */
		return;
	}
	keep(post);
	format_id(id, post, post->next_event++);
	priming.id = tn_str_from(id);
	(void)tn_http_stream_event(post->http, &priming); /* the first bytes always fit */
}

static void send_event(struct tn_post *post, struct tn_str json)
{
	char id[48];

	if (post->kept) {
		format_id(id, post, post->next_event);
		remember(post, post->next_event++, json);
	}
	if (post->http) /* refused: the queue is full, and the connection closes if it stays so */
		(void)tn_http_send_message(post->http,
					   post->kept ? tn_str_from(id) : tn_str(NULL, 0), json);
}

/* The last event and the end of the stream in one send. */
static void send_last(struct tn_post *post, struct tn_str json)
{
	struct tn_http_event event = {.name = TN_STR("message"), .data = &json, .data_count = 1};
	struct tn_http_exchange *http = post->http;
	char id[48];

	if (post->kept) {
		format_id(id, post, post->next_event);
		event.id = tn_str_from(id);
		remember(post, post->next_event++, json);
	}
	post->http = NULL;
	if (http)
		tn_http_stream_end(http, &event);
}

static void end_stream(struct tn_post *post)
{
	struct tn_http_exchange *http = post->http;

	post->http = NULL;
	if (http)
		tn_http_stream_end(http, NULL);
}

static void respond(struct tn_post *post, int status, struct tn_str json)
{
	struct tn_http_header headers[2];
	struct tn_http_reply reply = {.status = (unsigned)status,
				      .headers = headers,
				      .header_count = session_header(post, headers),
				      .parts = &json,
				      .part_count = json.size ? 1 : 0};
	struct tn_http_exchange *http = post->http;

	if (json.size)
		reply.type = TN_STR("application/json");
	if (status == 503 || status == 429)
		headers[reply.header_count++] =
			(struct tn_http_header){TN_STR("Retry-After"), TN_STR("5")};
	post->http = NULL;
	tn_http_respond(http, &reply);
}

/* ---- the core's ops ---- */

static void end_post(struct tn_post *post)
{
	post->ended = true;
	post->ended_ms = tn_server_now_ms(post->host->server);
	unlink_slow(post);
}

static void post_answer(struct tn_exchange *x, int status, struct tn_str json)
{
	struct tn_post *post = (struct tn_post *)x;

	end_post(post);
	if (!post->streaming && status == 200 && post->wants_events)
		open_stream(post);
	if (post->streaming)
		send_last(post, json);
	else if (post->http)
		respond(post, status, json);
	release(post);
}

static void post_notify(struct tn_exchange *x, struct tn_str json)
{
	struct tn_post *post = (struct tn_post *)x;

	if (!post->streaming && post->takes_events)
		open_stream(post);
	if (post->streaming)
		send_event(post, json);
	else if (post->session && post->session->get) /* MCP-140: the client takes JSON only here */
		(void)tn_http_send_message(post->session->get, tn_str(NULL, 0), json);
}

static void post_end(struct tn_exchange *x, bool cancelled)
{
	struct tn_post *post = (struct tn_post *)x;

	end_post(post);
	if (post->http && !post->streaming && !cancelled)
		respond(post, 202, tn_str("", 0));
	else if (post->http && !post->streaming)
		(void)begin_events(post); /* MCP-170: the socket is never left hanging */
	end_stream(post);
	release(post);
}

static void post_open_stream(struct tn_exchange *x)
{
	open_stream((struct tn_post *)x);
}

static void post_release(struct tn_exchange *x, unsigned retry_ms)
{
	struct tn_post *post = (struct tn_post *)x;
	char line[32];

	if (!post->http || !is_resumable(post) || !post->takes_events)
		return;
	open_stream(post);
	if (!post->http)
		return;
	(void)snprintf(line, sizeof(line), "retry: %u\n\n", retry_ms);
	(void)tn_http_stream_bytes(post->http, tn_str_from(line)); /* a hint: it may be lost */
	end_stream(post);
}

static bool post_backlogged(const struct tn_exchange *x)
{
	const struct tn_post *post = (const struct tn_post *)x;

	return post->http && tn_http_stream_queued(post->http) > TN_OUTPUT_QUEUE_MAX / 2;
}

/* Neither this response nor a GET stream can carry a message. */
static bool post_deaf(const struct tn_exchange *x)
{
	const struct tn_post *post = (const struct tn_post *)x;

	return !post->streaming && !post->takes_events && !(post->session && post->session->get);
}

static const struct tn_exchange_ops post_ops = {
	.answer = post_answer,
	.notify = post_notify,
	.end = post_end,
	.open_stream = post_open_stream,
	.release = post_release,
	.backlogged = post_backlogged,
	.deaf = post_deaf,
};

/* ---- what the core asks of HTTP ---- */

static struct tn_post *post_of(const struct tn_http_view *view)
{
	return (struct tn_post *)(uintptr_t)((const char *)view - offsetof(struct tn_post, view));
}

static bool view_header(const struct tn_http_view *view, const char *name, size_t nth,
			struct tn_str *ret)
{
	const struct tn_http_exchange *x = post_of(view)->http;
	size_t count;

	*ret = tn_http_header(x, name, &count);
	if (nth == 0 || nth >= count)
		return nth < count;
	for (size_t i = 0; i < tn_http_header_count(x); i++) {
		struct tn_http_header header = tn_http_header_at(x, i);

		if (tn_str_equal_nocase(header.name, tn_str_from(name)) && nth-- == 0) {
			*ret = header.value;
			return true;
		}
	}
	return false;
}

static enum tn_session_lookup view_find_session(const struct tn_http_view *view,
						struct tn_peer **ret)
{
	struct tn_post *post = post_of(view);
	struct tn_str id;
	size_t count;

	if (post->host->options.no_sessions)
		return TN_SESSION_OFF;
	id = tn_http_header(post->http, "Mcp-Session-Id", &count);
	if (count == 0)
		return TN_SESSION_ABSENT;
	if (count > 1) /* which of them a proxy went by, nobody knows */
		return TN_SESSION_UNKNOWN;
	post->session =
		tn_http_session_find(&post->host->sessions, id, post->owner.caller, post->apps);
	if (!post->session)
		return TN_SESSION_UNKNOWN;
	*ret = post->session->peer;
	return TN_SESSION_FOUND;
}

static bool view_open_session(const struct tn_http_view *view, struct tn_peer **ret)
{
	struct tn_post *post = post_of(view);

	*ret = NULL;
	if (post->host->options.no_sessions)
		return true;
	post->session = tn_http_session_create(
		&post->host->sessions, post->owner.caller->modern->principal, post->owner.caller);
	if (!post->session)
		return false;
	tn_http_caller_mark(post->host, post->owner.caller, post->apps, post->session->peer);
	post->new_session = true;
	*ret = post->session->peer;
	return true;
}

static const struct tn_http_view_ops view_ops = {
	.header = view_header,
	.find_session = view_find_session,
	.open_session = view_open_session,
};

/* ---- the transport's calls ---- */

static struct tn_post *take_post(struct tn_http_host *host)
{
	struct tn_post *post = host->spare;

	if (post)
		host->spare = post->next;
	else
		post = tn_mem_alloc(sizeof(*post));
	if (post)
		*post = (struct tn_post){
			.x = {.ops = &post_ops}, .view = {&view_ops}, .host = host};
	return post;
}

static void post_closed(struct tn_http_owner *owner)
{
	struct tn_post *post = (struct tn_post *)((char *)owner - offsetof(struct tn_post, owner));

	post->http = NULL;
	/* A stream with event ids goes on without a connection (MCP-142); anything else is lost. */
	if (!post->ended && !post->kept) {
		tn_exchange_gone(&post->x);
		end_post(post);
	}
	release(post);
}

void tn_post_begin(struct tn_http_host *host, struct tn_http_exchange *x, uint32_t apps)
{
	struct tn_http_caller *caller = tn_http_user(x); /* by `check` */
	struct tn_peer *stateless = tn_http_caller_peer(host, caller, apps);
	struct tn_post *post = stateless ? take_post(host) : NULL;
	size_t size;
	char *body = tn_http_body(x, &size);
	unsigned accepted;

	if (!post) {
		tn_http_refuse(x, 503, "out of memory", NULL);
		return;
	}
	post->http = x;
	post->owner = (struct tn_http_owner){.closed = post_closed, .caller = caller};
	post->apps = apps;
	post->x.owner = tn_http_owner(x);
	post->x.elsewhere = tn_http_is_elsewhere(host, x, caller);
	accepted = tn_http_accept(x);
	post->takes_events = (accepted & TN_ACCEPTS_EVENTS) != 0;
	post->wants_events = post->takes_events && ((accepted & TN_ACCEPTS_EVENTS_FIRST) ||
						    !(accepted & TN_ACCEPTS_JSON));
	tn_http_set_user(x, &post->owner);
	link_slow(post);
	tn_receive_http(stateless, &post->x, &post->view, tn_str(body, size));
}

void tn_posts_open_slow(struct tn_http_host *host)
{
	uint64_t now = tn_server_now_ms(host->server);

	while (host->slow_first && now - host->slow_first->since_ms >= TN_HTTP_SSE_AFTER_MS) {
		struct tn_post *post = host->slow_first;

		if (post->takes_events && post->x.revision != TN_REVISION_NONE)
			open_stream(post);
		unlink_slow(post);
	}
	if (host->slow_first)
		tn_timer_start(host->slow_timer, SLOW_TICK_MS);
}

/* ---- coming back ---- */

static bool parse_id(struct tn_str text, uint64_t *ret_stream, uint64_t *ret_event)
{
	char copy[48], extra;

	if (text.size == 0 || text.size >= sizeof(copy))
		return false;
	memcpy(copy, text.data, text.size);
	copy[text.size] = '\0';
	for (size_t i = 0; i < text.size; i++) {
		if (!tn_is_digit(copy[i]) && !(copy[i] >= 'a' && copy[i] <= 'f') && copy[i] != '-')
			return false;
	}
	return sscanf(copy, "%" SCNx64 "-%" SCNx64 "%c", ret_stream, ret_event, &extra) == 2;
}

static void replay(struct tn_post *post, uint64_t after)
{
	for (const struct event *event = post->events; event; event = event->next) {
		char id[48];

		if (event->number <= after)
			continue;
		format_id(id, post, event->number);
		(void)tn_http_send_message(post->http, tn_str_from(id),
					   tn_str(event->json, event->size));
	}
}

enum tn_resume tn_post_resume(struct tn_http_session *session, struct tn_http_exchange *x,
			      struct tn_str last_event_id)
{
	struct tn_post *post = session->posts;
	uint64_t stream, after;

	if (!parse_id(last_event_id, &stream, &after) || stream == 0 ||
	    stream > session->next_stream)
		return TN_RESUME_MALFORMED;
	while (post && post->stream != stream)
		post = post->next;
	if (!post)
		return TN_RESUME_LOST;
	end_stream(post); /* the client came back before we noticed the dead connection */
	post->http = x;
	if (!begin_events(post))
		return TN_RESUMED;
	tn_http_set_user(x, &post->owner);
	replay(post, after);
	if (post->ended)
		end_stream(post);
	return TN_RESUMED;
}
