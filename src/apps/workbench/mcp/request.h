/* request.h - something that a page is asked to do, until it has answered (11.4: runtime.result).
 *
 * Ownership: the caller's, from begin to end. Threads: loop. */
#ifndef TN_WB_REQUEST_H
#define TN_WB_REQUEST_H

#include "apps/workbench/capture/browser.h"
#include "apps/workbench/mcp/acting.h"

struct tn_wb_request {
	struct tn_wb_door *door;
	struct tn_wb_request *next;
	char workspace[TN_HANDLE_SIZE], session[TN_WB_SESSION_ID_SIZE];
	uint64_t number;
	uint64_t began_ms;       /* when it was sent, and ... */
	uint64_t state_since_ms; /* since when the session was in its state */
	bool answered, ok;
	char code[64];          /* what the page says is wrong */
	struct tn_wb_rect rect; /* of what was to be located; without extent: it did not say */
};

/* `number` as sessions give it, just sent. */
void tn_wb_request_begin(struct tn_wb_request *request, const struct tn_wb_acting *acting,
			 uint64_t number);
void tn_wb_request_end(struct tn_wb_request *request); /* also of one that has not begun */
/* NULL: it has ended. */
struct tn_wb_session *tn_wb_request_session(const struct tn_wb_request *request);
/* For the sessions' events: a page has answered. */
void tn_wb_request_answered(struct tn_wb_door *door, const struct tn_wb_session *session,
			    uint64_t number, bool ok, struct tn_str code,
			    const struct tn_json *rect);
uint64_t tn_wb_request_age_ms(const struct tn_wb_request *request);

#endif
