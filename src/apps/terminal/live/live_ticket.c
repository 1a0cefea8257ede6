/* Tickets of the live view: who is let in. */
#include <stdio.h>

#include "apps/terminal/live/internal.h"

#include "apps/terminal/limits.h"

static bool is_live(const struct ticket *ticket, uint64_t now_ms)
{
	return ticket->text[0] && ticket->until_ms > now_ms;
}

static void forget(struct ticket *ticket)
{
	explicit_bzero(ticket, sizeof(*ticket));
}

static struct ticket *place_for_one(struct tn_live *live, uint64_t now_ms)
{
	struct ticket *oldest = &live->tickets[0];

	for (size_t i = 0; i < TN_TERM_TICKETS_MAX; i++) {
		struct ticket *ticket = &live->tickets[i];

		if (!is_live(ticket, now_ms))
			return ticket;
		if (ticket->until_ms < oldest->until_ms)
			oldest = ticket;
	}
	return oldest;
}

enum tenon_code tn_live_ticket(struct tn_live *live, const char *session_id, const char *principal,
			       bool control, char ret[TN_LIVE_TICKET_SIZE], struct tenon_error *err)
{
	uint64_t now_ms = tn_clock_now_ms(live->options.clock);
	struct ticket *ticket = place_for_one(live, now_ms);
	size_t size = strlen(session_id);

	if (size >= sizeof(ticket->session_id))
		return tn_fail(err, TENON_INVALID, "no session has such an id");
	forget(ticket);
	memcpy(ticket->session_id, session_id, size + 1);
	(void)snprintf(ticket->principal, sizeof(ticket->principal), "%s", principal);
	ticket->control = control;
	ticket->until_ms = now_ms + TN_TERM_TICKET_MS;
	tn_rng_token(ticket->text, 32);
	memcpy(ret, ticket->text, TN_LIVE_TICKET_SIZE);
	return TENON_OK;
}

/* All are compared, whichever it is: time tells nothing. One that is shown for another session is
 * spent, too. */
bool live_ticket_use(struct tn_live *live, struct tn_str session_id, struct tn_str text,
		     struct ticket *ret)
{
	uint64_t now_ms = tn_clock_now_ms(live->options.clock);
	struct ticket *found = NULL;
	bool good;

	for (size_t i = 0; i < TN_TERM_TICKETS_MAX; i++) {
		struct ticket *ticket = &live->tickets[i];
		struct tn_str own = tn_str(ticket->text, TN_LIVE_TICKET_SIZE - 1);

		if (tn_str_equal_constant_time(own, text) && is_live(ticket, now_ms))
			found = ticket;
	}
	if (!found)
		return false;
	good = tn_str_is(session_id, found->session_id);
	*ret = *found;
	forget(found);
	return good;
}
