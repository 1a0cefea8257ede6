/* Sessions and commands by the handles that callers send, and whether they can be used. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "apps/terminal/session/session.h"

/* 12.3: of several servers behind one balancer another one has made this handle. */
static bool is_elsewhere(const struct tn_term *term, const char *id, struct tn_term_fault *fault)
{
	const char *node = term->session_handles.node;
	size_t size = strlen(node);

	if (!term->config->network || !size || strlen(id) < 4 + size ||
	    strncmp(id + 4, node, size) == 0 || strspn(id + 4, "0123456789abcdef") < size)
		return false;
	tn_term_fault(fault, "wrong_instance", "Send it to the instance that made the handle.",
		      "%.64s belongs to another instance.", id);
	(void)snprintf(fault->data, sizeof(fault->data),
		       "{\"instance\":\"%.*s\",\"retryable\":true}", (int)size, id + 4);
	return true;
}

struct tn_term_session *tn_term_find(struct tn_term *term, const struct tn_term_caller *caller,
				     const char *session_id, struct tn_term_fault *fault)
{
	const char *id = session_id ? session_id : tn_term_active_id(term, caller->key);
	struct tn_handle *handle;
	struct tenon_error err;
	enum tenon_code code;

	if (!id) {
		tn_term_fault(fault, "no_session",
			      "create_session starts one, list_sessions shows those there are.",
			      "You have no active session.");
		return NULL;
	}
	code = tn_handles_find(&term->session_handles, id, caller->principal, &handle, &err);
	if (code == TENON_OK)
		return handle->value;
	if (code == TENON_EXPIRED)
		tn_term_fault(fault, "session_closed", "create_session starts a new one.", "%s",
			      err.message);
	else if (!is_elsewhere(term, id, fault))
		tn_term_fault(fault, "unknown_session", "list_sessions shows those there are.",
			      "There is no session %.64s.", id);
	return NULL;
}

struct tn_term_command *tn_term_command_find(struct tn_term *term,
					     const struct tn_term_caller *caller, const char *id,
					     struct tn_term_fault *fault)
{
	struct tn_handle *handle;
	struct tenon_error err;
	enum tenon_code code =
		tn_handles_find(&term->command_handles, id, caller->principal, &handle, &err);

	if (code == TENON_OK)
		return handle->value;
	if (code == TENON_EXPIRED)
		tn_term_fault(fault, "output_expired", "search_history may still know it.", "%s",
			      err.message);
	else if (!is_elsewhere(term, id, fault))
		tn_term_fault(fault, "unknown_command", NULL, "There is no command %.64s.", id);
	return NULL;
}

/* "at 12:04" */
static void put_time(int64_t wall_ms, char out[16])
{
	time_t seconds = (time_t)(wall_ms / 1000);
	struct tm parts;

	if (!localtime_r(&seconds, &parts) || strftime(out, 16, "%H:%M", &parts) == 0)
		(void)snprintf(out, 16, "a while ago");
}

void tn_term_fault_ended(const struct tn_term_session *s, struct tn_term_fault *fault)
{
	int64_t keeps_ms = (int64_t)tn_settings_u32(&s->term->config->settings,
						    "terminal.closed_retention_s") *
				   1000 -
			   (tn_term_wall(s->term) - s->ended_wall_ms);
	char how[64] = "", when[16];

	put_time(s->ended_wall_ms, when);
	if (s->signal)
		(void)snprintf(how, sizeof(how), " by %s", s->signal);
	else if (s->exit_code >= 0)
		(void)snprintf(how, sizeof(how), " with exit code %d", s->exit_code);
	if (s->state == TN_TERM_LOST) {
		tn_term_fault(fault, "session_lost", "create_session starts a new one.",
			      "Session %s \"%s\" was lost at %s%s%s; it was in %s, and its last "
			      "command was: %.120s",
			      s->id, s->name, when, s->end_reason ? ": " : "",
			      s->end_reason ? s->end_reason : "", s->cwd,
			      s->last_command ? s->last_command->text : "none");
		return;
	}
	tn_term_fault(fault, s->state == TN_TERM_EXITED ? "session_exited" : "session_closed",
		      "create_session starts a new one.",
		      "Session %s ended%s at %s. Its output can still be read for %lld min.", s->id,
		      how, when, (long long)(keeps_ms > 0 ? keeps_ms / 60000 + 1 : 0));
}

bool tn_term_usable(struct tn_term_session *s, const struct tn_term_caller *caller,
		    struct tn_term_fault *fault)
{
	if (!tn_term_session_open(s)) {
		tn_term_fault_ended(s, fault);
		return false;
	}
	if ((s->controller[0] || s->message) && !caller->person) {
		tn_term_fault(
			fault, "handed_over",
			"hand_over waits until it is given back; reading is allowed, and so is "
			"every other session.",
			"A person has the keyboard of session \"%s\" until it is given back.",
			s->name);
		return false;
	}
	return true;
}
