/* Pages of a session: they come, speak at a bounded rate, and go (10.4, A3). */
#include "apps/workbench/sessions/parts.h"
#include "base/mem.h"

enum { THOUSAND = 1000 };

enum tenon_code tn_wb_page_open(struct tn_wb_session *session, void *connection,
				struct tn_wb_page **ret, struct tenon_error *err)
{
	struct tn_wb_page **at = &session->pages, *page;
	size_t count = 0;

	if (!tn_wb_session_state_is_live(session->state))
		return tn_fail(err, TENON_EXPIRED, "the session has ended");
	for (; *at; at = &(*at)->next)
		count++;
	if (count >= TN_WB_PAGES_MAX)
		return tn_fail(err, TENON_LIMIT, "%d pages show this session already",
			       TN_WB_PAGES_MAX);
	page = tn_mem_alloc(sizeof(*page));
	if (!page)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	page->session = session;
	page->connection = connection;
	page->since_ms = tn_clock_now_ms(session->set->clock);
	page->tokens = TN_WB_MESSAGES_RATE * THOUSAND;
	*at = page;
	*ret = page;
	return TENON_OK;
}

static void begin_anew(struct tn_wb_session *session)
{
	struct tn_wb_graph *graph = tn_wb_graph_create(TN_WB_GRAPH_INSTANCES);

	tn_wb_session_forget_instances(session);
	session->reports = 0;
	if (graph) { /* G11: its revision is 0 at every handshake */
		tn_wb_graph_destroy(session->graph);
		session->graph = graph;
	} else {
		struct tn_wb_update update;

		(void)tn_wb_graph_remove(session->graph, "adapter", &update);
	}
	tn_wb_session_tell(session, TN_WB_CHANGED_INSTANCES);
}

void tn_wb_page_is_ready(struct tn_wb_page *page)
{
	struct tn_wb_session *session = page->session;
	bool first = !tn_wb_session_primary(session);

	page->ready = true;
	if (first)
		begin_anew(session);
	if (!tn_wb_session_step(session, TN_WB_HANDSHAKE))
		tn_wb_session_tell(session, TN_WB_CHANGED_SESSION);
}

void tn_wb_page_is_leaving(struct tn_wb_page *page)
{
	struct tn_wb_session *session = page->session;
	bool was_primary = tn_wb_session_primary(session) == page;

	if (!page->ready)
		return;
	page->ready = false;
	tn_mem_free(page->held);
	page->held = NULL;
	page->holds = false;
	if (was_primary)
		begin_anew(session);
	if (session->touched == page) {
		session->touched = NULL;
		tn_wb_session_take_selection(session, NULL, "reload");
	}
	if (tn_wb_session_primary(session) || !tn_wb_session_step(session, TN_WB_PAGES_GONE))
		tn_wb_session_tell(session, TN_WB_CHANGED_SESSION);
	/* Instances are the next page's now (S7), which says all of them after a host.init (A8). */
	if (was_primary && tn_wb_session_primary(session) && session->state == TN_WB_SESSION_READY)
		tn_wb_page_say_init(tn_wb_session_primary(session));
}

void tn_wb_page_close(struct tn_wb_page *page, unsigned code)
{
	const struct tn_wb_sessions *set = page->session->set;

	if (page->closing)
		return;
	page->closing = true;
	tn_wb_page_is_leaving(page);
	set->events->close(set->data, page, code);
}

void tn_wb_page_gone(struct tn_wb_page *page)
{
	struct tn_wb_page **at = &page->session->pages;

	tn_wb_page_is_leaving(page);
	while (*at != page)
		at = &(*at)->next;
	*at = page->next;
	tn_mem_free(page->held);
	tn_mem_free(page);
}

bool tn_wb_page_may_speak(struct tn_wb_page *page)
{
	uint64_t now = tn_clock_now_ms(page->session->set->clock);
	uint64_t passed = now - page->filled_ms;

	if (passed > THOUSAND)
		passed = THOUSAND;
	page->filled_ms = now;
	page->tokens += (int64_t)passed * TN_WB_MESSAGES_RATE;
	if (page->tokens > TN_WB_MESSAGES_RATE * THOUSAND)
		page->tokens = TN_WB_MESSAGES_RATE * THOUSAND;
	if (page->tokens < THOUSAND)
		return false;
	page->tokens -= THOUSAND;
	return true;
}

void tn_wb_page_take_held(struct tn_wb_page *page)
{
	struct tn_wb_instance *held = page->held;

	page->held = NULL;
	page->holds = false;
	page->session->touched = page;
	tn_wb_session_take_selection(page->session, held,
				     page->held_by_click ? "click" : "programmatic");
}
