/* All sessions of a server: limits, callers, what they have in common. */
#include "apps/terminal/sessions.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "apps/terminal/sandbox.h"
#include "apps/terminal/session.h"

enum {
	SWEEP_MS = 5000,
	CALLERS_MAX = 1024,
	CLOSED_MAX = 256,
	TRIM_AFTER = 64,
	COMMAND_HANDLES_MAX = 100000
};

/* What is known of a caller. */
struct tn_term_active {
	char id[TN_HANDLE_SIZE]; /* of the active session; empty: none */
	uint64_t used_ms;
	double tokens; /* of the bucket that limits calls a minute */
	uint64_t refill_ms;
	bool metered;
	uint32_t waiting; /* calls */
	int64_t since_ms; /* wall clock: when the session became active */
};

/* ---- faults ---- */

void tn_term_fault(struct tn_term_fault *fault, const char *code, const char *hint,
		   const char *format, ...)
{
	va_list args;

	fault->code = code;
	fault->data[0] = '\0';
	(void)snprintf(fault->hint, sizeof(fault->hint), "%s", hint ? hint : "");
	va_start(args, format);
	(void)vsnprintf(fault->message, sizeof(fault->message), format, args);
	va_end(args);
}

void tn_term_fault_from(struct tn_term_fault *fault, enum tenon_code code,
			const struct tenon_error *err, const char *domain_code)
{
	bool ours = code == TENON_NO_MEMORY || code == TENON_SYSTEM || code == TENON_INTERNAL;

	tn_term_fault(fault, ours ? NULL : domain_code, NULL, "%s", err->message);
}

void tn_term_fault_from_directory(struct tn_term_fault *fault, enum tenon_code code,
				  const struct tenon_error *err)
{
	bool ours = code == TENON_NO_MEMORY || code == TENON_SYSTEM || code == TENON_INTERNAL;
	const char *domain_code = code == TENON_NOT_FOUND ? "cwd_not_found"
				  : code == TENON_DENIED  ? "cwd_not_allowed"
							  : "cwd_not_directory";

	tn_term_fault(fault, ours ? NULL : domain_code,
		      "Send the path of a directory that is there, or leave cwd out.", "cwd: %s",
		      err->message);
}

/* ---- callers ---- */

static struct tn_term_active *find_caller(struct tn_term *term, const char *key)
{
	return tn_map_get(&term->callers, tn_str_from(key));
}

/* The one that has not called for the longest time makes room. */
static void forget_caller(struct tn_term *term)
{
	struct tn_term_active *oldest = NULL;
	struct tn_str key, oldest_key = {NULL, 0};
	size_t cursor = 0;
	void *value;

	while (tn_map_next(&term->callers, &cursor, &key, &value)) {
		struct tn_term_active *at = value;

		if (!at->waiting && (!oldest || at->used_ms < oldest->used_ms)) {
			oldest = at;
			oldest_key = key;
		}
	}
	if (oldest) {
		(void)tn_map_remove(&term->callers, oldest_key); /* it is there */
		tn_mem_free(oldest);
	}
}

static struct tn_term_active *make_caller(struct tn_term *term, const char *key)
{
	struct tn_term_active *at = find_caller(term, key);

	if (at)
		return at;
	if (term->callers.used >= CALLERS_MAX)
		forget_caller(term);
	at = tn_mem_alloc(sizeof(*at));
	if (at && tn_map_put(&term->callers, tn_str_from(key), at, NULL) != TENON_OK) {
		tn_mem_free(at);
		return NULL;
	}
	return at;
}

const char *tn_term_active_id(struct tn_term *term, const char *key)
{
	struct tn_term_active *at = find_caller(term, key);

	return at && at->id[0] ? at->id : NULL;
}

void tn_term_set_active(struct tn_term *term, const char *key, struct tn_term_session *s)
{
	struct tn_term_active *at = make_caller(term, key);

	if (!at)
		return;
	at->used_ms = tn_term_now(term);
	at->since_ms = tn_term_wall(term);
	(void)snprintf(at->id, sizeof(at->id), "%s", s ? s->id : "");
	if (s)
		tn_journal_active(s, key);
}

void tn_term_revive_active(struct tn_term *term, const char *key, const char *id, int64_t since_ms)
{
	struct tn_term_active *at = make_caller(term, key);

	if (!at || at->since_ms > since_ms)
		return;
	(void)snprintf(at->id, sizeof(at->id), "%s", id);
	at->since_ms = since_ms;
	at->used_ms = tn_term_now(term);
}

void tn_term_journal_active(struct tn_term_session *s)
{
	struct tn_str key;
	size_t cursor = 0;
	void *value;

	while (tn_map_next(&s->term->callers, &cursor, &key, &value)) {
		const struct tn_term_active *at = value;

		if (strcmp(at->id, s->id) == 0)
			tn_journal_active(s, key.data);
	}
}

void tn_term_drop_active(struct tn_term *term, const char *id)
{
	struct tn_str key;
	size_t cursor = 0;
	void *value;

	while (tn_map_next(&term->callers, &cursor, &key, &value)) {
		struct tn_term_active *at = value;

		if (strcmp(at->id, id) == 0)
			at->id[0] = '\0';
	}
}

bool tn_term_admit_rate(struct tn_term *term, const struct tn_term_caller *caller,
			uint64_t *ret_after_ms)
{
	double most = term->config->rate_per_minute, each_ms = most / 60000.0;
	struct tn_term_active *at = make_caller(term, caller->key);
	uint64_t now = tn_term_now(term);

	if (!at || most <= 0)
		return true;
	if (!at->metered) {
		at->metered = true;
		at->tokens = most;
		at->refill_ms = now;
	}
	at->tokens += (double)(now - at->refill_ms) * each_ms;
	at->tokens = at->tokens > most ? most : at->tokens;
	at->refill_ms = at->used_ms = now;
	if (at->tokens < 1) {
		*ret_after_ms = (uint64_t)((1 - at->tokens) / each_ms) + 1;
		return false;
	}
	at->tokens -= 1;
	return true;
}

bool tn_term_admit_begin(struct tn_term *term, const struct tn_term_caller *caller)
{
	struct tn_term_active *at = make_caller(term, caller->key);

	if (!at || (at->waiting >= term->config->max_concurrent_calls && !caller->person))
		return !at; /* without memory nobody is counted */
	at->waiting++;
	return true;
}

void tn_term_admit_end(struct tn_term *term, const struct tn_term_caller *caller)
{
	struct tn_term_active *at = find_caller(term, caller->key);

	if (at && at->waiting)
		at->waiting--;
}

/* ---- finding ---- */

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

static struct tn_term_session *find_for_backend(void *self, const struct tn_term_caller *caller,
						const char *session_id, struct tn_term_fault *fault)
{
	return tn_term_find(self, caller, session_id, fault);
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

static void fault_ended(const struct tn_term_session *s, struct tn_term_fault *fault)
{
	int64_t keeps_ms = (int64_t)s->term->config->closed_retention_s * 1000 -
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
		fault_ended(s, fault);
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

/* ---- the list ---- */

static void list_sessions(void *self, const struct tn_term_list *request,
			  void (*each)(const struct tn_term_session_info *info, void *data),
			  void *data, const char **ret_active)
{
	struct tn_term *term = self;
	struct tn_term_session_info info;

	for (struct tn_term_session *s = term->sessions; s; s = s->next) {
		if (s->isolated || (!request->include_closed && !tn_term_session_open(s)))
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
		fault_ended(s, fault);
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
	if (term->open_count < config->max_sessions && own < config->max_sessions_per_caller)
		return true;
	tn_term_fault(fault, "session_limit", "close_session makes room.",
		      "There are %zu sessions (at most %u, %u of one caller). Idle for longest: "
		      "%s%s%s%s%s",
		      term->open_count, config->max_sessions, config->max_sessions_per_caller,
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
		if (!s->wants_spawn || term->path_state != 2)
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

static void sandbox_is_known(const char *why_not, void *data)
{
	struct tn_term *term = data;

	term->sandbox_state = 2;
	(void)snprintf(term->sandbox_why_not, sizeof(term->sandbox_why_not), "%s",
		       why_not ? why_not : "");
	start_waiting(term);
}

static enum tenon_code prepare(struct tn_term *term, const struct tn_term_session *s,
			       struct tenon_error *err)
{
	char shell[PATH_MAX];
	enum tenon_code code = TENON_OK;

	if (s->sandboxed && term->sandbox_state == 0) {
		term->sandbox_state = 1;
		code = tn_sandbox_probe(term->options.loop, sandbox_is_known, term,
					&term->sandbox_probe, err);
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
	return s->state == TN_TERM_IDLE && !s->queue && !s->controller[0] &&
	       now - s->activity_ms >= (uint64_t)s->idle_timeout_s * 1000;
}

static void sweep(struct tn_timer *timer, void *data)
{
	struct tn_term *term = data;
	uint64_t now = tn_term_now(term);
	uint64_t keep_ms = (uint64_t)term->config->closed_retention_s * 1000;
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
		.grace_ms = term->config->persist ? term->config->host_grace_s * 1000 : 0,
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
	struct tn_history_options options = {.path = path,
					     .keep_days = term->config->history_days,
					     .bytes_max = term->config->history_bytes,
					     .patterns = term->config->redact_patterns,
					     .state = history_state,
					     .changed = history_changed,
					     .data = term};

	if (!term->config->history)
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
	term->budget.bytes_max = term->config->spool_total_bytes;
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
		tn_journal_sweep(term);
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

struct tn_history *tn_term_history(struct tn_term *term)
{
	return term->history;
}

const struct tn_term_config *tn_term_settings(const struct tn_term *term)
{
	return term->config;
}
