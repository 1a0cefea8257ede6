/* parts.h - what the files of this room share; not for anybody else. */
#ifndef TN_WB_SESSIONS_PARTS_H
#define TN_WB_SESSIONS_PARTS_H

#include "apps/workbench/sessions/session.h"

/* NULL: none. */
static inline struct tn_wb_page *tn_wb_session_primary(const struct tn_wb_session *session)
{
	struct tn_wb_page *page = session->pages;

	while (page && !page->ready)
		page = page->next;
	return page;
}

/* ---- step.c ---- */
void tn_wb_session_tell(struct tn_wb_session *session, unsigned what);
/* False: the event has no meaning now. */
bool tn_wb_session_step(struct tn_wb_session *session, enum tn_wb_session_event event);
/* Takes the instance over (NULL: nothing is selected). */
void tn_wb_session_take_selection(struct tn_wb_session *session, struct tn_wb_instance *instance,
				  const char *caused_by);
void tn_wb_session_forget_instances(struct tn_wb_session *session);
/* Replaces an owned text; false: no memory, and it is as it was. */
bool tn_wb_set_text(char **text, struct tn_str value);

/* ---- page.c ---- */
/* The first message was good: it counts from now on. */
void tn_wb_page_is_ready(struct tn_wb_page *page);
void tn_wb_page_is_leaving(struct tn_wb_page *page);
void tn_wb_page_close(struct tn_wb_page *page, unsigned code);
/* A selection that was held back, once its page may speak again. */
void tn_wb_page_take_held(struct tn_wb_page *page);
/* Counts a message: false when it is above the rate. */
bool tn_wb_page_may_speak(struct tn_wb_page *page);

/* ---- route.c ---- */
void tn_wb_route_finish(struct tn_wb_route *route);
/* From the page's own address. */
void tn_wb_session_locate(struct tn_wb_session *session, struct tn_str url);
/* NULL, or why the message is none (11.4). */
const char *tn_wb_session_routed(struct tn_wb_session *session, const struct tn_json *message);
/* E5; NULL: none is known. */
const struct tn_wb_node *tn_wb_session_active_route(const struct tn_wb_session *session,
						    struct tn_arena *arena);

/* ---- enrich.c ---- */
/* Of what is selected, nearest first, as an array. */
void tn_wb_session_put_ancestors(struct tn_buf *out, const struct tn_wb_session *session);

/* ---- report.c ---- */
const char *tn_wb_session_reported_instances(struct tn_wb_page *page,
					     const struct tn_json *message);
const char *tn_wb_page_reported_drafts(struct tn_wb_page *page, const struct tn_json *message);

/* ---- host_message.c ---- */
void tn_wb_page_say_init(struct tn_wb_page *page);

#endif
