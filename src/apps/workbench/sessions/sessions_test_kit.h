/* sessions_test_kit.h - for tests: a set of sessions on drafts and types of their own, a clock that
 * is turned by hand, and what was sent, closed and told. Threads: one at a time. */
#ifndef TN_WB_SESSIONS_TEST_KIT_H
#define TN_WB_SESSIONS_TEST_KIT_H

#include "apps/workbench/drafts/drafts_test_kit.h"
#include "apps/workbench/sessions/session.h"

struct tn_wb_sessions_kit {
	struct tn_wb_drafts_kit drafts;
	struct tn_wb_graph *graph;
	struct tn_arena arena;
	struct tn_clock clock;
	uint64_t now_ms;
	struct tn_wb_sessions set;
	struct tn_wb_session *session; /* an app that is loading */
	struct tn_wb_page *page;       /* of it, or NULL */
	struct tn_buf sent;            /* messages, a line each */
	unsigned closed;               /* the last code; 0: none */
	unsigned told;                 /* since it was cleared */
	uint64_t result;               /* the last request that was answered */
	bool result_ok;
};

void tn_wb_sessions_kit_init(struct tn_wb_sessions_kit *kit);
void tn_wb_sessions_kit_finish(struct tn_wb_sessions_kit *kit);
/* Another session of that target; it is loading. */
struct tn_wb_session *tn_wb_sessions_kit_start(struct tn_wb_sessions_kit *kit, const char *target);
/* A page that has shaken hands. */
struct tn_wb_page *tn_wb_sessions_kit_page(struct tn_wb_session *session);
void tn_wb_sessions_kit_say(struct tn_wb_page *page, const char *text);
/* What was sent since the last call. */
const char *tn_wb_sessions_kit_sent(struct tn_wb_sessions_kit *kit);
const char *tn_wb_sessions_kit_info(struct tn_wb_sessions_kit *kit,
				    const struct tn_wb_session *session);
const char *tn_wb_sessions_kit_selection(struct tn_wb_sessions_kit *kit);
const char *tn_wb_sessions_kit_graph(struct tn_wb_sessions_kit *kit,
				     const struct tn_wb_session *session);
/* runtime.selectionChanged of a ui.button, by a click. */
void tn_wb_sessions_kit_click(struct tn_wb_page *page, const char *instance_id);
bool tn_wb_sessions_kit_has_warning(const struct tn_wb_session *session, const char *code);

#endif
