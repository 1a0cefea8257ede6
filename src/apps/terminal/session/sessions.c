/* All sessions of a server: limits, callers, what they have in common. */
#include "apps/terminal/session/sessions.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "apps/terminal/sandbox/sandbox.h"
#include "apps/terminal/session/operation.h"

enum { SWEEP_MS = 5000, CLOSED_MAX = 256, TRIM_AFTER = 64, COMMAND_HANDLES_MAX = 100000 };

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

void tn_term_set_active(struct tn_term *term, const char *key, struct tn_term_session *s)
{
	if (tn_term_put_active(term, key, s ? s->id : "") && s)
		tn_journal_active(s, key);
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

/* ---- new ones ---- */

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
		tn_timer_start(term->sweep, SWEEP_MS);
	if (!s->isolated)
		tn_term_changed(term, TN_TERM_LIST_CHANGED, NULL);
	return s;
}

/* ---- what goes by itself ---- */

static bool is_idle(const struct tn_term_session *s, uint64_t now)
{
	return (s->state == TN_TERM_IDLE || tn_term_session_starting(s)) &&
	       tn_term_session_open(s) && !s->queue && !s->controller[0] &&
	       now - s->activity_ms >= (uint64_t)s->idle_timeout_s * 1000;
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
			   (now - s->ended_ms >= keep_ms || ++closed[s->isolated] > CLOSED_MAX)) {
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
		tn_timer_start(timer, SWEEP_MS);
}

/* ---- the host's events ---- */

static void readable(struct tn_pty *pty, int stream, void *data)
{
	struct tn_term_session *s = data;
	int status;

	tn_term_session_readable(s, stream);
	if (s->pipes && tn_pty_has_exited(pty, &status))
		tn_term_session_exited(s);
}

static void exited(struct tn_pty *pty, void *data)
{
	(void)pty;
	tn_term_session_exited(data);
}

static void lost(struct tn_pty *pty, void *data)
{
	(void)pty;
	tn_term_session_lost(data, "the process that kept it has ended");
}

static void closed(struct tn_pty *pty, const pid_t *killed, unsigned count, void *data)
{
	struct tn_term_session *s = data;
	struct tn_term *term = s->term;

	(void)pty;
	tn_term_session_closed(s, killed, count);
	/* Whoever closes many does not fill the memory until the next sweep. */
	if (term->session_count - term->open_count > CLOSED_MAX)
		tn_timer_start(term->sweep, 0);
}

static const struct tn_pty_events events = {
	.readable = readable, .exited = exited, .lost = lost, .closed = closed};

static void *found(struct tn_pty *pty, const char *key, void *data)
{
	struct tn_term *term = data;
	struct tn_term_session *s = tn_journal_recover(term, pty, key);

	if (s && !tn_timer_active(term->sweep))
		tn_timer_start(term->sweep, SWEEP_MS);
	return s;
}

static void host_started(pid_t pid, void *data)
{
	struct tn_term *term = data;

	if (term->options.host_started)
		term->options.host_started(pid, term->options.data);
}

enum tenon_code tn_term_host(struct tn_term *term, struct tenon_error *err)
{
	char path[PATH_MAX];
	struct tn_pty_host_options options = {
		.grace_ms = term->config->persist ? tn_settings_u32(&term->config->settings,
								    "terminal.host_grace_s") *
							    1000
						  : 0,
		.events = &events,
		.found = found,
		.started = host_started,
		.data = term};

	if (term->host)
		return TENON_OK;
	if (term->config->persist && term->config->runtime_folder) {
		(void)snprintf(path, sizeof(path), "%s/pty-host.sock",
			       term->config->runtime_folder);
		options.socket_path = path;
	}
	return tn_pty_host_open(term->options.loop, &options, &term->host, err);
}

/* ---- secrets ---- */

void tn_term_clean(struct tn_term *term, struct tn_buf *text, unsigned *count)
{
	struct tn_buf clean;

	*count = 0;
	if (term->config->redact_results == TN_REDACT_OFF || !text->size)
		return;
	tn_buf_init(&clean, text->limit);
	tn_redact(term->redactor, term->config->redact_results, tn_buf_str(text), &clean, count);
	if (*count == 0 && !clean.failed) {
		tn_buf_finish(&clean);
		return;
	}
	tn_buf_finish(text);
	*text = clean;
}

/* ---- history ---- */

void tn_term_note(struct tn_term *term, const char *kind, const struct tn_term_session *s,
		  const struct tn_term_caller *caller, const char *detail)
{
	if (!term->history || s->history_off)
		return;
	tn_history_record_event(term->history,
				&(struct tn_history_event){.kind = kind,
							   .session_id = s->id,
							   .principal = caller->principal,
							   .detail = detail,
							   .secrets = term->redactor});
}

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

void tn_term_changed(struct tn_term *term, enum tn_term_change what, const char *id)
{
	if (term->options.changed && !term->closing)
		term->options.changed(what, id, term->options.data);
}

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
