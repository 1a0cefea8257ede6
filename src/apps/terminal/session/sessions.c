/* All sessions of a server: limits, callers, what they have in common. */
#include "apps/terminal/session/sessions.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "apps/terminal/sandbox/sandbox.h"
#include "apps/terminal/session/operation.h"

enum { TRIM_AFTER = 64, COMMAND_HANDLES_MAX = 100000 };

static struct tn_term_session *find_for_backend(void *self, const struct tn_term_caller *caller,
						const char *session_id, struct tn_term_fault *fault)
{
	return tn_term_find(self, caller, session_id, fault);
}

/* ---- the list ---- */

/* What was made for one command is over with it, however long its shell takes to go. */
static bool is_listed(const struct tn_term_session *s, const struct tn_term_list *request)
{
	if (s->isolated)
		return false;
	return request->include_closed ||
	       (tn_term_session_open(s) && !(s->temporary && s->closing));
}

static void list_sessions(void *self, const struct tn_term_list *request,
			  void (*each)(const struct tn_term_session_info *info, void *data),
			  void *data, const char **ret_active)
{
	struct tn_term *term = self;
	struct tn_term_session_info info;

	for (struct tn_term_session *s = term->sessions; s; s = s->next) {
		if (!is_listed(s, request))
			continue;
		if (!request->all_callers && strcmp(s->owner, request->caller->principal) != 0)
			continue;
		if (request->project_id &&
		    (!s->project_id || strcmp(s->project_id, request->project_id) != 0))
			continue;
		tn_term_session_describe(s, request->caller, &info);
		each(&info, data);
	}
	*ret_active = tn_term_active_id(term, request->caller->key);
}

static bool switch_session(void *self, const struct tn_term_caller *caller, const char *session_id,
			   struct tn_term_session_info *ret, char ret_previous[64],
			   struct tn_term_fault *fault)
{
	struct tn_term *term = self;
	struct tn_term_session *s = tn_term_find(term, caller, session_id, fault);
	const char *previous = tn_term_active_id(term, caller->key);

	if (!s)
		return false;
	if (!tn_term_session_open(s)) {
		tn_term_fault_ended(s, fault);
		if (s->state != TN_TERM_LOST)
			fault->code = "session_closed"; /* 7.5 */
		return false;
	}
	if (s->isolated) {
		tn_term_fault(fault, "not_supported", "list_sessions shows those that can be.",
			      "Session %s is one isolated command and cannot be active.", s->id);
		return false;
	}
	(void)snprintf(ret_previous, 64, "%s", previous ? previous : "");
	tn_term_set_active(term, caller->key, s);
	tn_term_session_describe(s, caller, ret);
	return true;
}

/* ---- what goes by itself ---- */

static bool is_idle(const struct tn_term_session *s, uint64_t now)
{
	return (s->state == TN_TERM_IDLE || tn_term_session_starting(s)) &&
	       tn_term_session_open(s) && !s->queue && !s->controller[0] &&
	       tn_term_since(now, s->activity_ms) >= (uint64_t)s->idle_timeout_s * 1000;
}

static void sweep(struct tn_timer *timer, void *data)
{
	struct tn_term *term = data;
	uint64_t now = tn_term_now(term);
	uint64_t keep_ms =
		(uint64_t)tn_settings_u32(&term->config->settings, "terminal.closed_retention_s") *
		1000;
	struct tn_term_session *next;
	size_t closed[2] = {0, 0}; /* of sessions, and of isolated commands */
	size_t before = term->session_count;

	for (struct tn_term_session *s = term->sessions; s; s = next) {
		next = s->next;
		if (is_idle(s, now) && !s->closing) {
			s->end_reason = "nobody used it";
			tn_term_session_close(s, false, 3000, NULL, NULL);
		} else if (!tn_term_session_open(s) && !s->pty &&
			   (tn_term_since(now, s->ended_ms) >= keep_ms ||
			    ++closed[s->isolated] > TN_TERM_CLOSED_MAX)) {
			tn_term_session_remove(s);
		}
	}
	/* What sessions had lies between what others have: the allocator would keep it. */
	term->removed += before - term->session_count;
	if (term->removed >= TRIM_AFTER || (term->removed && !term->sessions)) {
		tn_mem_trim();
		term->removed = 0;
	}
	if (term->sessions)
		tn_timer_start(timer, TN_TERM_SWEEP_MS);
}

/* ---- history ---- */

static enum tenon_code search_history(void *self, const struct tn_history_search *search,
				      void (*done)(struct tn_history_found *found, void *data),
				      void *data, struct tenon_error *err)
{
	struct tn_term *term = self;

	if (!term->history)
		return tn_fail(err, TENON_SYSTEM, "history is turned off");
	return tn_history_search(term->history, search, done, data, err);
}

static void history_state(const char *problem, void *data)
{
	struct tn_term *term = data;

	if (problem && term->options.problem)
		term->options.problem(problem, term->options.data);
}

static void history_changed(void *data)
{
	tn_term_changed(data, TN_TERM_HISTORY_CHANGED, NULL);
}

static enum tenon_code open_history(struct tn_term *term, struct tenon_error *err)
{
	char path[PATH_MAX];
	struct tn_history_options options = {
		.path = path,
		.keep_days = tn_settings_u32(&term->config->settings, "terminal.history.days"),
		.bytes_max = tn_settings_u64(&term->config->settings, "terminal.history.bytes"),
		.patterns = term->config->redact_patterns,
		.state = history_state,
		.changed = history_changed,
		.data = term};

	if (!tn_settings_bool(&term->config->settings, "terminal.history.enabled"))
		return TENON_OK;
	(void)snprintf(path, sizeof(path), "%s/history.db", term->config->state_folder);
	return tn_history_open(term->options.loop, &options, &term->history, err);
}

/* ---- life ---- */

/* Sessions and commands belong to us; a handle is only their name. */
static void leave_value(void *value)
{
	(void)value;
}

static void open_handles(struct tn_term *term)
{
	struct tn_handles_options sessions = {.app = "terminal",
					      .kind = "session",
					      .prefix = "ses_",
					      .clock = term->options.clock,
					      .registry = term->options.registry,
					      .free_value = leave_value,
					      .count_max = 100000,
					      .bytes_max = SIZE_MAX};
	struct tn_handles_options commands = {.app = "terminal",
					      .kind = "command",
					      .prefix = "cmd_",
					      .clock = term->options.clock,
					      .free_value = leave_value,
					      .count_max = COMMAND_HANDLES_MAX,
					      .bytes_max = SIZE_MAX};

	tn_handles_init(&term->session_handles, &sessions);
	tn_handles_init(&term->command_handles, &commands);
}

static void fill_backend(struct tn_term *term)
{
	term->backend = (struct tn_term_backend){.self = term,
						 .execute_command = tn_term_execute,
						 .get_output = tn_term_read,
						 .create_session = tn_term_create,
						 .list_sessions = list_sessions,
						 .switch_session = switch_session,
						 .search_history = search_history,
						 .cancel = tn_term_op_cancel,
						 .find = find_for_backend};
}

/* A host that an earlier daemon left has sessions that are ours now. */
static enum tenon_code attach(struct tn_term *term, struct tenon_error *err)
{
	char path[PATH_MAX];

	if (!term->config->persist || !term->config->runtime_folder)
		return TENON_OK;
	(void)snprintf(path, sizeof(path), "%s/pty-host.sock", term->config->runtime_folder);
	if (access(path, F_OK) != 0)
		return TENON_OK;
	return tn_term_host(term, err);
}

static enum tenon_code open_trimmer(struct tn_term *term, struct tenon_error *err)
{
	struct tn_records_limit limit = {.bytes_max = term->options.records_bytes_max
							      ? term->options.records_bytes_max
							      : TN_RECORDS_BYTES_MAX,
					 .count_max = TN_RECORDS_MAX};
	char path[PATH_MAX + 16];

	(void)snprintf(path, sizeof(path), "%s/recordings", term->config->state_folder);
	return tn_record_trimmer_open(term->options.loop, path, &limit, &term->trimmer, err);
}

enum tenon_code tn_term_open(const struct tn_term_options *options, struct tn_term **ret,
			     struct tenon_error *err)
{
	struct tn_term *term = tn_mem_alloc(sizeof(*term));
	enum tenon_code code;

	if (!term)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	term->options = *options;
	term->config = options->config;
	term->budget.bytes_max =
		tn_settings_u64(&term->config->settings, "terminal.spool_total_bytes");
	tn_map_init(&term->callers);
	open_handles(term);
	fill_backend(term);
	code = tn_timer_open(options->loop, sweep, term, &term->sweep, err);
	if (code == TENON_OK)
		code = open_trimmer(term, err);
	if (code == TENON_OK)
		code = tn_redactor_create(term->config->redact_patterns, &term->redactor, err);
	if (code == TENON_OK)
		code = tn_environment_create(term->config, &term->environment, err);
	if (code == TENON_OK)
		code = open_history(term, err);
	if (code == TENON_OK) {
		tn_redactor_learn_environment(term->redactor, (const char *const *)environ);
		if (attach(term, err) != TENON_OK && options->problem)
			options->problem(err->message, options->data);
		tn_journal_sweep(term, tn_journal_recover);
	}
	if (code != TENON_OK) {
		tn_term_close(term, false);
		return code;
	}
	*ret = term;
	return TENON_OK;
}

static void end_sessions(struct tn_term *term)
{
	/* Every program ends here, in order; what it said last is still its session's. */
	tn_pty_host_close(term->host, false);
	while (term->sessions) {
		tn_term_session_lost(term->sessions, "the server has ended");
		tn_term_session_remove(term->sessions);
	}
}

static void leave_sessions(struct tn_term *term)
{
	struct tn_term_session *next;

	tn_pty_host_close(term->host, true);
	for (struct tn_term_session *s = term->sessions; s; s = next) {
		next = s->next;
		tn_term_session_leave(s);
	}
	term->sessions = NULL;
}

void tn_term_close(struct tn_term *term, bool keep)
{
	struct tn_str key;
	size_t cursor = 0;
	void *value;

	if (!term)
		return;
	term->closing = true;
	if (keep && term->config->persist)
		leave_sessions(term);
	else
		end_sessions(term);
	while (tn_map_next(&term->callers, &cursor, &key, &value))
		tn_mem_free(value);
	tn_map_finish(&term->callers);
	tn_timer_close(term->sweep);
	tn_record_trimmer_close(term->trimmer);
	tn_history_close(term->history);
	tn_redactor_destroy(term->redactor);
	tn_environment_destroy(term->environment);
	tn_sandbox_probe_free(term->sandbox_probe);
	tn_handles_finish(&term->session_handles);
	tn_handles_finish(&term->command_handles);
	tn_mem_free(term);
}

const struct tn_term_backend *tn_term_backend(struct tn_term *term)
{
	return &term->backend;
}

const char *tn_term_path(const struct tn_term *term)
{
	return tn_environment_path(term->environment);
}

struct tn_history *tn_term_history(struct tn_term *term)
{
	return term->history;
}

const struct tn_term_config *tn_term_settings(const struct tn_term *term)
{
	return term->config;
}
