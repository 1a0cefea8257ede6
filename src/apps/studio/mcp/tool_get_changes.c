/* get_changes: what differs from what a reader has (studio-canvas.md SC-011), now or once it does.
 */
#include <string.h>

#include "apps/studio/mcp/aside.h"
#include "apps/studio/mcp/follow.h"
#include "apps/studio/mcp/news.h"
#include "apps/studio/mcp/tools.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/server.h"

enum { TOGETHER_MS = 10 }; /* what comes so soon behind a change is told with it */

/* A call that waits, looks, or is being answered. */
struct tn_studio_follower {
	struct tenon_call *call;
	struct tn_studio_door *door;
	char project_id[TN_STUDIO_ID_SIZE];
	uint64_t deadline_ms;
	bool waits, woken;
	struct tn_studio_follower *next, *previous; /* among those that wait */
	/* One look at the project. */
	bool looks, good;
	struct tn_studio_turn turn;
	struct tn_studio_project *frozen; /* NULL: it is small, and looked at as it is */
	struct tn_studio_prices *prices;  /* held meanwhile */
	struct tn_studio_seen seen;
	struct tn_studio_reading reading;
};

/* ---- what the reader has ---- */

/* False: the fault says why. *ret_reset: what it has seen is too long ago. */
static bool read_since(struct tn_studio_follower *follower, const struct tn_studio_follow *follow,
		       bool *ret_reset)
{
	const struct tn_json *since = tn_json_get(tn_call_arguments(follower->call), "since");
	struct tn_studio_turn *turn = &follower->turn;
	bool known = true;
	int64_t revision;

	if (tn_json_to_int(since, &revision)) {
		*ret_reset =
			!tn_studio_seen_revision(follow, (uint64_t)revision, &follower->seen) ||
			(uint64_t)revision > tn_oplog_revision(turn->act.project->log);
		return true;
	}
	*ret_reset = !tn_studio_seen_cursor(follow, since->text, &follower->seen, &known);
	if (known)
		return true;
	return tn_studio_fail(&turn->fault, "INVALID_INPUT",
			      "since: '%.*s' is neither a revision nor a cursor; send the cursor "
			      "of get_diagram or of the last get_changes, unchanged",
			      (int)(since->text.size < 64 ? since->text.size : 64),
			      since->text.data);
}

/* ---- looking ---- */

static void end_look(struct tn_studio_follower *follower)
{
	if (!follower->looks)
		return;
	follower->looks = false;
	tn_studio_turn_end(&follower->turn);
	tn_studio_project_let_go(follower->frozen);
	tn_studio_prices_unref(follower->prices);
	follower->frozen = NULL;
	follower->prices = NULL;
}

static bool begin_look(struct tn_studio_follower *follower, struct tn_studio_project *project,
		       bool *ret_reset)
{
	struct tn_studio_turn *turn = &follower->turn;
	struct tn_studio_door *door = follower->door;
	struct tn_studio_follow *follow = tn_studio_follow_of(&door->follows, project);
	struct tenon_error err = {0};

	follower->looks = true;
	tn_studio_turn_begin(turn, door, project);
	turn->act.lean = tn_call_is_lean(follower->call);
	turn->act.for_model = tn_call_is_for_model(follower->call);
	if (!follow)
		return tn_studio_fail_memory(&turn->fault);
	if (tn_studio_document_index(&project->document, &err) != TENON_OK)
		return tn_studio_fail_error(&turn->fault, &err);
	if (!read_since(follower, follow, ret_reset))
		return false;
	turn->act.prices = tn_studio_door_prices(door, &turn->fault);
	return turn->act.prices &&
	       tn_studio_reading_begin(&follower->reading, &door->follows, project);
}

static void look(const struct tenon_call *call, void *data)
{
	struct tn_studio_follower *follower = data;
	const struct tn_json *include = tn_json_get(tn_call_arguments(call), "include");

	follower->good = !tenon_call_cancelled(call) &&
			 tn_studio_reading_make(&follower->reading, &follower->turn.act,
						tn_studio_with(include));
}

static tenon_call_fn answer_or_wait, looked;

static void look_aside(struct tn_studio_follower *follower, struct tn_studio_project *project)
{
	if (tn_studio_project_freeze(project, &follower->frozen, NULL) != TENON_OK) {
		(void)tn_studio_fail_memory(&follower->turn.fault);
		tn_studio_turn_fail(&follower->turn, follower->call);
		return;
	}
	follower->prices = tn_studio_prices_ref(follower->door->prices);
	follower->turn.act.project = follower->frozen;
	follower->turn.act.runs = NULL;
	tenon_call_work(follower->call, look, looked, follower);
}

/* ---- waiting ---- */

static void stop_waiting(struct tn_studio_follower *follower)
{
	if (!follower->waits)
		return;
	follower->waits = false;
	if (follower->previous)
		follower->previous->next = follower->next;
	else
		follower->door->followers = follower->next;
	if (follower->next)
		follower->next->previous = follower->previous;
}

static void free_follower(void *data)
{
	stop_waiting(data);
	end_look(data);
	tn_mem_free(data);
}

static void cancelled(struct tenon_call *call, void *data)
{
	struct tn_studio_follower *follower = data;

	stop_waiting(follower);
	if (!follower->looks)                       /* otherwise it ends when it has looked */
		tenon_call_fail(call, "cancelled"); /* nobody reads it */
}

static void wait(struct tn_studio_follower *follower, uint64_t now)
{
	follower->waits = true;
	follower->woken = false;
	follower->previous = NULL;
	follower->next = follower->door->followers;
	if (follower->next)
		follower->next->previous = follower;
	follower->door->followers = follower;
	tenon_call_after(follower->call, follower->deadline_ms - now, answer_or_wait, follower);
}

void tn_studio_followers_wake(struct tn_studio_door *door, const char *project_id)
{
	for (struct tn_studio_follower *at = door->followers; at; at = at->next) {
		if (at->woken || strcmp(at->project_id, project_id) != 0)
			continue;
		at->woken = true;
		tenon_call_after(at->call, TOGETHER_MS, answer_or_wait, at);
	}
}

/* ---- answering ---- */

static void reply(struct tn_studio_follower *follower)
{
	struct tn_studio_turn *turn = &follower->turn;

	tn_json_end_object(&turn->result);
	tn_studio_reply_headline(follower->call, tn_buf_str(&turn->text), &turn->result);
}

/* It has been read: notes it, and answers unless there is nothing and time to wait. */
static void looked(struct tenon_call *call, void *data)
{
	struct tn_studio_follower *follower = data;
	struct tn_studio_door *door = follower->door;
	uint64_t now = tn_clock_now_ms(door->server->clock);
	struct tn_studio_project *project =
		tn_studio_project_find(door->projects, follower->project_id, NULL);
	struct tn_studio_telling telling = {.reading = &follower->reading,
					    .seen = &follower->seen,
					    .out = &follower->turn.result,
					    .text = &follower->turn.text};

	if (tenon_call_cancelled(call)) {
		end_look(follower);
		tenon_call_fail(call, "cancelled"); /* nobody reads it */
		return;
	}
	if (!follower->good) {
		tn_studio_turn_fail(&follower->turn, call);
		return;
	}
	/* Another call has read what came later: it is looked at once more. */
	if (!project || !tn_studio_follow_note(&door->follows, &follower->reading, &follower->seen,
					       telling.cursor)) {
		end_look(follower);
		answer_or_wait(call, follower);
		return;
	}
	telling.follow = tn_studio_follow_of(&door->follows, project);
	telling.log = project->log;
	telling.here = door->here;
	if (tn_studio_tell_news(&telling) || now >= follower->deadline_ms) {
		reply(follower);
		return;
	}
	end_look(follower);
	wait(follower, now);
}

static void answer_or_wait(struct tenon_call *call, void *data)
{
	struct tn_studio_follower *follower = data;
	struct tn_studio_door *door = follower->door;
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_studio_project *project =
		tn_studio_project_find(door->projects, follower->project_id, &fault);
	bool reset = false;

	stop_waiting(follower);
	if (!project) {
		tn_studio_reply_fault(call, &fault); /* closed while it waited */
	} else if (!begin_look(follower, project, &reset)) {
		tn_studio_turn_fail(&follower->turn, call);
	} else if (reset) {
		tn_studio_tell_reset(&follower->turn.result, &follower->turn.text,
				     tn_studio_follow_of(&door->follows, project), &follower->seen,
				     tn_oplog_revision(project->log));
		reply(follower);
	} else if (tn_studio_is_large(project)) {
		look_aside(follower, project);
	} else {
		look(call, follower);
		looked(call, follower);
	}
}

void tn_studio_call_get_changes(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_project *project = tn_studio_project_of(call, door);
	struct tn_studio_follower *follower = project ? tn_mem_alloc(sizeof(*follower)) : NULL;
	int64_t wait_ms = 0;

	if (!project)
		return;
	if (!follower) {
		tenon_call_fail(call, "out of memory");
		return;
	}
	(void)tenon_call_int(call, "waitMs", &wait_ms);
	follower->call = call;
	follower->door = door;
	follower->deadline_ms = tn_clock_now_ms(door->server->clock) + (uint64_t)wait_ms;
	memcpy(follower->project_id, project->id, sizeof(project->id));
	tenon_call_set_data(call, follower, free_follower);
	tenon_call_on_cancel(call, cancelled, follower);
	answer_or_wait(call, follower);
}
