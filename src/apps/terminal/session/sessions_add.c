/* Sessions that are added: within the limits, when what all have in common is known; and the one
 * that a caller is in. */
#include <stdio.h>
#include <string.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/sandbox/sandbox.h"
#include "apps/terminal/session/session.h"

static bool check_limits(struct tn_term *term, const struct tn_term_start *start,
			 struct tn_term_fault *fault)
{
	const struct tn_term_config *config = term->config;
	const struct tn_term_session *idle[3] = {NULL, NULL, NULL};
	size_t own = 0, found = 0;

	for (struct tn_term_session *s = term->sessions; s; s = s->next) {
		if (!tn_term_session_open(s))
			continue;
		if (strcmp(s->caller_key, start->key_of_caller) == 0)
			own++;
		/* Newest first: the last three that are seen are the oldest. */
		if (s->state == TN_TERM_IDLE && !s->isolated &&
		    strcmp(s->owner, start->create->caller->principal) == 0)
			idle[found++ % 3] = s;
	}
	if (term->open_count < tn_settings_u32(&config->settings, "terminal.max_sessions") &&
	    own < tn_settings_u32(&config->settings, "terminal.max_sessions_per_caller"))
		return true;
	tn_term_fault(fault, "session_limit", "close_session makes room.",
		      "There are %zu sessions (at most %u, %u of one caller). Idle for longest: "
		      "%s%s%s%s%s",
		      term->open_count, tn_settings_u32(&config->settings, "terminal.max_sessions"),
		      tn_settings_u32(&config->settings, "terminal.max_sessions_per_caller"),
		      idle[0] ? idle[0]->id : "none", idle[1] ? ", " : "",
		      idle[1] ? idle[1]->id : "", idle[2] ? ", " : "", idle[2] ? idle[2]->id : "");
	return false;
}

/* Those that wait for what all have in common start now. */
static void start_waiting(struct tn_term *term)
{
	struct tn_term_session *next;

	for (struct tn_term_session *s = term->sessions; s; s = next) {
		next = s->next;
		if (s->start_state != TN_START_PENDING || term->path_state != 2)
			continue;
		if (s->sandboxed && term->sandbox_state != 2)
			continue;
		/* "auto": where it does not work the session is as any other, and says so. */
		if (s->sandbox_if_available && term->sandbox_why_not[0])
			s->sandboxed = false;
		if (s->sandboxed && term->sandbox_why_not[0]) {
			s->sandbox_failed = true;
			tn_term_session_fail(s, term->sandbox_why_not);
		} else {
			s->sandbox = term->sandbox;
			tn_term_session_spawn(s);
		}
	}
}

static void path_is_known(void *data)
{
	struct tn_term *term = data;

	term->path_state = 2;
	start_waiting(term);
}

static void sandbox_is_known(const char *why_not, void *data);

static enum tenon_code try_sandbox(struct tn_term *term, enum tn_sandbox_kind kind,
				   struct tenon_error *err)
{
	tn_sandbox_probe_free(term->sandbox_probe);
	term->sandbox_probe = NULL;
	term->sandbox = kind;
	return tn_sandbox_probe(term->options.loop, kind, sandbox_is_known, term,
				&term->sandbox_probe, err);
}

/* Landlock, or else bubblewrap, or else neither. */
static void sandbox_is_known(const char *why_not, void *data)
{
	struct tn_term *term = data;
	size_t used = strlen(term->sandbox_why_not);

	if (!why_not)
		term->sandbox_why_not[0] = '\0';
	else
		(void)snprintf(term->sandbox_why_not + used, sizeof(term->sandbox_why_not) - used,
			       "%s%s", used ? "; " : "", why_not);
	if (why_not && term->sandbox == TN_SANDBOX_LANDLOCK &&
	    try_sandbox(term, TN_SANDBOX_BUBBLEWRAP, NULL) == TENON_OK)
		return;
	term->sandbox_state = 2;
	start_waiting(term);
}

static enum tenon_code prepare(struct tn_term *term, const struct tn_term_session *s,
			       struct tenon_error *err)
{
	char shell[PATH_MAX];
	enum tenon_code code = TENON_OK;

	if (s->sandboxed && term->sandbox_state == 0) {
		term->sandbox_state = 1;
		code = try_sandbox(term,
				   term->config->sandbox == TN_TERM_SANDBOX_ALWAYS
					   ? TN_SANDBOX_BUBBLEWRAP
					   : TN_SANDBOX_LANDLOCK,
				   err);
		if (code != TENON_OK)
			term->sandbox_state = 0;
	}
	if (code != TENON_OK || term->path_state != 0)
		return code;
	if (tn_term_config_shell(term->config, NULL, shell, NULL) != TENON_OK)
		(void)snprintf(shell, sizeof(shell), "/bin/sh");
	term->path_state = 1;
	code = tn_environment_prepare(term->environment, term->options.loop, shell, path_is_known,
				      term, err);
	if (code != TENON_OK)
		term->path_state = 0;
	return code;
}

struct tn_term_session *tn_term_session_add(struct tn_term *term, const struct tn_term_start *start,
					    struct tn_term_fault *fault)
{
	struct tn_term_session *s;
	struct tenon_error err;

	if (term->closing) {
		tn_term_fault(fault, NULL, NULL, "the server is stopping");
		return NULL;
	}
	if (!check_limits(term, start, fault))
		return NULL;
	s = tn_term_session_new(term, start, fault);
	if (!s)
		return NULL;
	if (prepare(term, s, &err) != TENON_OK) {
		tn_term_fault_from(fault, TENON_SYSTEM, &err, NULL);
		tn_term_session_remove(s);
		return NULL;
	}
	start_waiting(term);
	if (!tn_timer_active(term->sweep))
		tn_timer_start(term->sweep, TN_TERM_SWEEP_MS);
	if (!s->isolated)
		tn_term_changed(term, TN_TERM_LIST_CHANGED, NULL);
	return s;
}

void tn_term_set_active(struct tn_term *term, const char *key, struct tn_term_session *s)
{
	if (tn_term_put_active(term, key, s ? s->id : "") && s)
		tn_journal_active(s, key);
}
