/* The life of sessions: started, ready, reloading, stopped; which one is active (10.2, S1 to S5).
 */
#include "apps/workbench/sessions/parts.h"
#include "base/mem.h"
#include "base/rng.h"
#include "jsonrpc/json_write.h"

void tn_wb_sessions_init(struct tn_wb_sessions *set, const struct tn_clock *clock,
			 const struct tn_wb_sessions_events *events, void *data)
{
	*set = (struct tn_wb_sessions){.clock = clock, .events = events, .data = data};
}

static void free_session(struct tn_wb_session *session)
{
	while (session->pages) {
		struct tn_wb_page *page = session->pages;

		session->pages = page->next;
		tn_mem_free(page->held);
		tn_mem_free(page);
	}
	tn_wb_session_forget_instances(session);
	tn_wb_graph_destroy(session->graph);
	tn_wb_log_finish(&session->log);
	tn_wb_instrumentation_finish(&session->instrumentation);
	tn_wb_diagnostics_finish(&session->warnings);
	tn_wb_route_finish(&session->route);
	tn_mem_free(session->selection.instance);
	tn_mem_free(session->target);
	tn_mem_free(session->url);
	tn_mem_free(session->tag);
	tn_mem_free(session->launcher);
	tn_mem_free(session->component);
	tn_mem_free(session->adapter_id);
	tn_mem_free(session->adapter_version);
	tn_mem_free(session->capabilities);
	tn_mem_free(session->error_code);
	tn_mem_free(session->error_message);
	tn_mem_free(session->prompt);
	tn_mem_free(session);
}

void tn_wb_sessions_finish(struct tn_wb_sessions *set)
{
	while (set->first) {
		struct tn_wb_session *session = set->first;

		set->first = session->next;
		free_session(session);
	}
	set->active = NULL;
	set->count = 0;
}

/* ---- start ---- */

static void make_id(char id[TN_WB_SESSION_ID_SIZE])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char bytes[16];
	size_t at = 8;

	tn_rng_bytes(bytes, sizeof(bytes));
	memcpy(id, "session_", at);
	for (size_t i = 0; i < sizeof(bytes); i++) {
		id[at++] = digits[bytes[i] >> 4];
		id[at++] = digits[bytes[i] & 15];
	}
	id[at] = '\0';
}

static bool number_is_free(const struct tn_wb_sessions *set, unsigned number)
{
	for (const struct tn_wb_session *at = set->first; at; at = at->next)
		if (at->number == number)
			return false;
	return true;
}

static bool fill(struct tn_wb_session *session, const struct tn_wb_target *target)
{
	struct tn_buf asked;
	bool done;

	tn_buf_init(&asked, TN_WB_MESSAGE_BYTES_MAX);
	tn_json_put_value(&asked, target->asked);
	done = !asked.failed && tn_wb_set_text(&session->target, tn_buf_str(&asked));
	tn_buf_finish(&asked);
	session->graph = tn_wb_graph_create(TN_WB_GRAPH_INSTANCES);
	return done && session->graph &&
	       (!target->launcher.size || tn_wb_set_text(&session->launcher, target->launcher)) &&
	       (!target->component.size || tn_wb_set_text(&session->component, target->component));
}

enum tenon_code tn_wb_session_start(struct tn_wb_sessions *set, const struct tn_wb_target *target,
				    struct tn_wb_session **ret, struct tenon_error *err)
{
	struct tn_wb_session *session;

	if (set->count >= TN_WB_SESSIONS_MAX)
		return tn_fail(err, TENON_LIMIT, "%d sessions are running; stop one first",
			       TN_WB_SESSIONS_MAX);
	session = tn_mem_alloc(sizeof(*session));
	if (!session)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	session->set = set;
	session->group = target->type;
	session->created_wall_ms = tn_clock_wall_ms(set->clock);
	session->state_since_ms = tn_clock_now_ms(set->clock);
	tn_map_init(&session->instances);
	tn_wb_log_init(&session->log);
	tn_wb_instrumentation_init(&session->instrumentation);
	tn_wb_diagnostics_init(&session->warnings);
	if (!fill(session, target)) {
		free_session(session);
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	make_id(session->id);
	tn_rng_token(session->key, 32);
	while (!number_is_free(set, session->number))
		session->number++;
	session->next = set->first;
	set->first = session;
	set->count++;
	tn_wb_session_tell(session, TN_WB_CHANGED_SESSION);
	*ret = session;
	return TENON_OK;
}

enum tenon_code tn_wb_session_reachable(struct tn_wb_session *session, const char *url,
					struct tenon_error *err)
{
	if (session->state != TN_WB_SESSION_CREATING)
		return tn_fail(err, TENON_INVALID, "the session is not being created");
	if (!tn_wb_set_text(&session->url, tn_str_from(url)))
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	(void)tn_wb_session_step(session, TN_WB_SERVER_REACHABLE);
	return TENON_OK;
}

enum tenon_code tn_wb_session_needs(struct tn_wb_session *session, struct tn_str tag,
				    struct tenon_error *err)
{
	if (!tn_wb_set_text(&session->tag, tag))
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_wb_session_tell(session, TN_WB_CHANGED_SESSION);
	return TENON_OK;
}

/* ---- the end ---- */

static void close_pages(struct tn_wb_session *session)
{
	for (struct tn_wb_page *page = session->pages, *next; page; page = next) {
		next = page->next;
		tn_wb_page_close(page, TN_WB_CLOSE_GONE);
	}
}

void tn_wb_session_failed(struct tn_wb_session *session, enum tn_wb_session_event event,
			  const char *code, const char *message)
{
	enum tn_wb_session_state next;

	if (!tn_wb_session_next(session->state, event, &next))
		return;
	(void)(tn_wb_set_text(&session->error_code, tn_str_from(code)) &&
	       tn_wb_set_text(&session->error_message, tn_str_from(message)));
	(void)tn_wb_session_step(session, event);
	close_pages(session);
}

bool tn_wb_session_stop(struct tn_wb_session *session)
{
	if (!tn_wb_session_step(session, TN_WB_STOP_REQUESTED))
		return false;
	close_pages(session);
	return true;
}

void tn_wb_session_released(struct tn_wb_session *session)
{
	struct tn_wb_sessions *set = session->set;
	struct tn_wb_session **at = &set->first;

	if (!tn_wb_session_step(session, TN_WB_RELEASED))
		return;
	while (*at != session)
		at = &(*at)->next;
	*at = session->next;
	set->count--;
	memcpy(set->ended[set->ended_count++ % TN_WB_ENDED_MAX], session->id, sizeof(session->id));
	free_session(session);
}

bool tn_wb_sessions_has_ended(const struct tn_wb_sessions *set, struct tn_str id)
{
	for (size_t i = 0; i < TN_WB_ENDED_MAX && i < set->ended_count; i++)
		if (tn_str_is(id, set->ended[i]))
			return true;
	return false;
}

struct tn_wb_session *tn_wb_sessions_find(const struct tn_wb_sessions *set, struct tn_str id)
{
	for (struct tn_wb_session *at = set->first; at; at = at->next)
		if (tn_str_is(id, at->id))
			return at;
	return NULL;
}

/* ---- what time brings ---- */

/* True: it is due; else *next is at most what is left. */
static bool is_due(uint64_t now, uint64_t since, uint64_t after, uint64_t *next)
{
	uint64_t passed = now - since;

	if (passed >= after)
		return true;
	if (after - passed < *next)
		*next = after - passed;
	return false;
}

static void tick_pages(struct tn_wb_session *session, uint64_t now, uint64_t *next)
{
	for (struct tn_wb_page *page = session->pages, *following; page; page = following) {
		following = page->next;
		if (page->closing)
			continue;
		if (!page->spoke && is_due(now, page->since_ms, TN_WB_HELLO_MS, next))
			tn_wb_page_close(page, TN_WB_CLOSE_MALFORMED);
		else if (page->holds && tn_wb_page_may_speak(page))
			tn_wb_page_take_held(page);
		else if (page->holds && *next > 1000 / TN_WB_MESSAGES_RATE)
			*next = 1000 / TN_WB_MESSAGES_RATE;
	}
}

static bool has_warning(const struct tn_wb_session *session, const char *code)
{
	for (size_t i = 0; i < session->warnings.count; i++)
		if (strcmp(session->warnings.items[i].code, code) == 0)
			return true;
	return false;
}

static void tick_session(struct tn_wb_session *session, uint64_t now, uint64_t *next)
{
	uint64_t since = session->state_since_ms;

	if (session->state == TN_WB_SESSION_CREATING && is_due(now, since, TN_WB_LAUNCH_MS, next))
		tn_wb_session_failed(session, TN_WB_LAUNCH_FAILED, "launch_timeout",
				     "the server did not answer within 30 s");
	else if (session->state == TN_WB_SESSION_LOADING &&
		 !has_warning(session, "adapter_not_detected") &&
		 is_due(now, since, TN_WB_NOT_DETECTED_MS, next))
		tn_wb_session_warn(session, "adapter_not_detected",
				   "No page of this session has an adapter yet: open its url in a "
				   "browser.");
	else if (session->state == TN_WB_SESSION_RELOADING &&
		 !has_warning(session, "adapter_disconnected") &&
		 is_due(now, since, TN_WB_DISCONNECTED_MS, next))
		tn_wb_session_warn(session, "adapter_disconnected",
				   "The page has gone and has not come back: open its url again.");
	tick_pages(session, now, next);
}

uint64_t tn_wb_sessions_tick(struct tn_wb_sessions *set)
{
	uint64_t now = tn_clock_now_ms(set->clock), next = UINT64_MAX;

	for (struct tn_wb_session *at = set->first; at; at = at->next)
		tick_session(at, now, &next);
	return next;
}
