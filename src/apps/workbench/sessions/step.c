/* From state to state, and what that means for who is told, what is selected and which session is
 * active (10.2, S1 to S5). */
#include "apps/workbench/sessions/parts.h"
#include "base/mem.h"

bool tn_wb_set_text(char **text, struct tn_str value)
{
	char *copy = tn_mem_copy_text(value.data ? value.data : "", value.size);

	if (!copy)
		return false;
	tn_mem_free(*text);
	*text = copy;
	return true;
}

void tn_wb_session_forget_instances(struct tn_wb_session *session)
{
	size_t cursor = 0;
	struct tn_str key;
	void *value;

	while (tn_map_next(&session->instances, &cursor, &key, &value))
		tn_mem_free(value);
	tn_map_finish(&session->instances);
	tn_map_init(&session->instances);
	session->instance_bytes = 0;
}

/* ---- telling ---- */

void tn_wb_session_tell(struct tn_wb_session *session, unsigned what)
{
	const struct tn_wb_sessions *set = session->set;

	if (what && set->events->changed)
		set->events->changed(set->data, session, what);
}

void tn_wb_session_warn(struct tn_wb_session *session, const char *code, const char *message)
{
	const struct tn_wb_diagnostic warning = {
		.severity = TN_WB_WARNING, .code = code, .message = message};

	for (size_t i = 0; i < session->warnings.count; i++)
		if (strcmp(session->warnings.items[i].code, code) == 0)
			return;
	tn_wb_diagnose(&session->warnings, &warning);
	tn_wb_session_tell(session, TN_WB_CHANGED_SESSION);
}

void tn_wb_session_unwarn(struct tn_wb_session *session, const char *code)
{
	struct tn_wb_diagnostics left;

	tn_wb_diagnostics_init(&left);
	for (size_t i = 0; i < session->warnings.count; i++)
		if (strcmp(session->warnings.items[i].code, code) != 0)
			tn_wb_diagnose(&left, &session->warnings.items[i]);
	if (left.count != session->warnings.count)
		tn_wb_session_tell(session, TN_WB_CHANGED_SESSION);
	tn_wb_diagnostics_finish(&session->warnings);
	session->warnings = left;
}

void tn_wb_session_instrumented(struct tn_wb_session *session, const struct tn_wb_instrumented *row)
{
	if (tn_wb_instrumentation_add(&session->instrumentation, row))
		tn_wb_session_tell(session, TN_WB_CHANGED_SESSION);
}

void tn_wb_session_unhinted(struct tn_wb_session *session, const struct tn_wb_instrumented *row)
{
	if (tn_wb_instrumentation_remove(&session->instrumentation, row))
		tn_wb_session_tell(session, TN_WB_CHANGED_SESSION);
}

void tn_wb_session_log(struct tn_wb_session *session, enum tn_wb_log_level level,
		       enum tn_wb_log_origin origin, struct tn_str text)
{
	const struct tn_wb_log_entry entry = {.level = level,
					      .origin = origin,
					      .at_wall_ms = tn_clock_wall_ms(session->set->clock)};

	tn_wb_log_add(&session->log, &entry, text);
	tn_wb_session_tell(session, TN_WB_CHANGED_LOG);
}

/* ---- which one is active (S5) ---- */

static bool may_be_active(const struct tn_wb_session *session)
{
	return session->ready_order && session->group == TN_WB_GROUP_APP &&
	       tn_wb_session_state_is_live(session->state);
}

/* The active one has ended: the app that has been ready longest follows. */
static void choose_active(struct tn_wb_sessions *set)
{
	struct tn_wb_session *best = NULL;

	if (set->active && tn_wb_session_state_is_live(set->active->state))
		return;
	for (struct tn_wb_session *at = set->first; at; at = at->next)
		if (may_be_active(at) && (!best || at->ready_order < best->ready_order))
			best = at;
	if (set->active == best)
		return;
	set->active = best;
	if (best)
		tn_wb_session_tell(best, TN_WB_CHANGED_ACTIVE | TN_WB_CHANGED_SESSION);
}

bool tn_wb_session_activate(struct tn_wb_session *session)
{
	if (!tn_wb_session_state_is_live(session->state))
		return false;
	if (session->set->active != session) {
		session->set->active = session;
		tn_wb_session_tell(session, TN_WB_CHANGED_ACTIVE | TN_WB_CHANGED_SESSION);
	}
	return true;
}

/* ---- from state to state ---- */

void tn_wb_session_take_selection(struct tn_wb_session *session, struct tn_wb_instance *instance,
				  const char *caused_by)
{
	struct tn_wb_selection *selection = &session->selection;

	if (!instance && !selection->instance)
		return;
	/* Clicked again: it is an event for whoever waits, though nothing else is selected. */
	if (instance && selection->instance &&
	    tn_str_equal(instance->text, selection->instance->text)) {
		tn_mem_free(instance);
	} else {
		tn_mem_free(selection->instance);
		selection->instance = instance;
	}
	selection->caused_by = caused_by;
	selection->changed_wall_ms = tn_clock_wall_ms(session->set->clock);
	selection->number = ++session->set->selections;
	tn_wb_session_tell(session, TN_WB_CHANGED_SELECTION);
}

static void entered(struct tn_wb_session *session)
{
	struct tn_wb_sessions *set = session->set;

	if (session->state == TN_WB_SESSION_READY) {
		if (!session->ready_order)
			session->ready_order = ++set->orders;
		session->ready_wall_ms = tn_clock_wall_ms(set->clock);
		tn_wb_session_unwarn(session, "adapter_not_detected");
		tn_wb_session_unwarn(session, "adapter_disconnected");
	} else if (session->state != TN_WB_SESSION_LOADING) {
		tn_wb_session_take_selection(
			session, NULL,
			session->state == TN_WB_SESSION_RELOADING ? "reload" : "sessionEnded");
		if (set->site.drafts && tn_wb_drafts_forget(set->site.drafts, session->number))
			tn_wb_session_tell(session, TN_WB_CHANGED_DRAFTS);
	}
	choose_active(set);
}

bool tn_wb_session_step(struct tn_wb_session *session, enum tn_wb_session_event event)
{
	if (!tn_wb_session_next(session->state, event, &session->state))
		return false;
	session->state_since_ms = tn_clock_now_ms(session->set->clock);
	entered(session);
	tn_wb_session_tell(session, TN_WB_CHANGED_SESSION);
	return true;
}
