/* What is seen of a session from outside. */
#include <stdio.h>
#include <string.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/session/session.h"

const char *tn_term_session_id(const struct tn_term_session *s)
{
	return s->id;
}

const char *tn_term_session_epoch(const struct tn_term_session *s)
{
	return s->epoch;
}

const char *tn_term_session_cwd(const struct tn_term_session *s)
{
	struct tn_term_session *changed = (struct tn_term_session *)s;
	char path[PATH_MAX];

	/* A shell that says nothing is asked through the kernel. */
	if (s->pty && s->integration != TN_TERM_INTEGRATION_MARKS && tn_term_session_open(s) &&
	    tn_pty_directory(s->pty, path, sizeof(path), NULL) == TENON_OK)
		memcpy(changed->cwd, path, sizeof(path));
	return s->cwd;
}

uint64_t tn_term_session_end(const struct tn_term_session *s)
{
	return s->offset;
}

bool tn_term_session_at_prompt(const struct tn_term_session *s)
{
	return s->at_prompt && !s->running;
}

/* Of a shell that says when a line begins: what ran has ended, and its prompt is on its way. */
bool tn_term_session_busy(const struct tn_term_session *s)
{
	if (s->running || s->queue)
		return true;
	if (s->state == TN_TERM_RUNNING)
		return s->integration != TN_TERM_INTEGRATION_MARKS;
	return s->state == TN_TERM_WAITING_INPUT;
}

bool tn_term_session_shell_in_front(const struct tn_term_session *s)
{
	return !s->program && s->pty && (s->at_prompt || tn_pty_root_in_front(s->pty));
}

bool tn_term_session_is_read(const struct tn_term_session *s)
{
	return s->pty && tn_term_session_open(s) && !tn_term_session_shell_in_front(s) &&
	       tn_pty_is_read(s->pty);
}

bool tn_term_session_has_read_all(const struct tn_term_session *s)
{
	struct tn_pty_mode mode;

	return tn_term_session_is_read(s) && tn_pty_mode(s->pty, &mode) && !mode.canonical;
}

bool tn_term_session_has_no_shell(const struct tn_term_session *s)
{
	return s->program && s->pty && tn_pty_root_in_front(s->pty);
}

/* Of a session that came back: what it was given is read again. */
static void learn_again(struct tn_term_session *s)
{
	size_t bytes = 0;

	for (const struct tn_term_command *c = s->commands; c; c = c->next) {
		bytes += c->text_size;
		if (bytes > TN_TERM_NAMES_BYTES_MAX) {
			s->names.is_full = true;
			return;
		}
		tn_names_take_text(&s->names, tn_str(c->text, c->text_size), s->shell, c->cwd);
	}
}

const struct tn_names *tn_term_session_names(struct tn_term_session *s)
{
	if (s->names.has_begun)
		return &s->names;
	tn_names_begin(&s->names, s->program ? s->program[0] : s->shell, s->login);
	s->names.has_begun = true;
	learn_again(s);
	return &s->names;
}

const char *tn_term_session_shell(const struct tn_term_session *s)
{
	return s->shell;
}

void tn_term_session_front(const struct tn_term_session *s, char *out, size_t size)
{
	out[0] = '\0';
	if (s->pty && tn_term_session_open(s))
		tn_pty_foreground_name(s->pty, out, size);
}

bool tn_term_session_is_shell_still(const struct tn_term_session *s)
{
	const char *shell = strrchr(s->shell, '/');
	char name[PROGRAM_SIZE] = "";

	tn_pty_foreground_name(s->pty, name, sizeof(name));
	return shell && strcmp(name, shell + 1) == 0;
}

void tn_term_session_waiting(const struct tn_term_session *s, struct tn_term_waiting *ret)
{
	enum tn_pty_waiting waiting =
		s->pty && tn_term_session_open(s) ? tn_pty_waiting(s->pty) : TN_PTY_NOT_WAITING;

	*ret = (struct tn_term_waiting){.for_input = waiting != TN_PTY_NOT_WAITING,
					.certain = waiting == TN_PTY_WAITS ||
						   waiting == TN_PTY_WAITS_HIDDEN,
					.hidden_input = waiting == TN_PTY_WAITS_HIDDEN};
	if (ret->for_input && tn_term_session_starting(s))
		tn_pty_working_name(s->pty, ret->program, sizeof(ret->program));
	else if (ret->for_input)
		tn_pty_foreground_name(s->pty, ret->program, sizeof(ret->program));
}

const char *tn_term_session_message(const struct tn_term_session *s)
{
	return s->message;
}

const struct tn_screen *tn_term_session_screen(const struct tn_term_session *s)
{
	return s->screen;
}

void tn_term_session_describe(const struct tn_term_session *s, const struct tn_term_caller *caller,
			      struct tn_term_session_info *ret)
{
	const struct tn_term_options *options = &s->term->options;
	const char *active = caller ? tn_term_active_id(s->term, caller->key) : NULL;
	const struct tn_term_config *config = s->term->config;

	*ret = (struct tn_term_session_info){
		.id = s->id,
		.name = s->name,
		.cwd = tn_term_session_cwd(s),
		.program = s->program_name,
		.title = s->title,
		.sandbox = tn_sandbox_name(s->sandboxed ? s->sandbox : TN_SANDBOX_NONE),
		.owner = s->owner,
		.project_id = s->project_id,
		.shell = s->program ? NULL : s->shell,
		.running_command_id = s->running ? s->running->id : NULL,
		.signal = s->signal,
		.live_url = options->live_url && tn_term_session_open(s)
				    ? options->live_url(s->id, options->data)
				    : NULL,
		.is_active = active && strcmp(active, s->id) == 0,
		.alternate_screen = s->alternate_from != UINT64_MAX,
		.stuck = s->stuck,
		.hosted = config->persist,
		.recorded = s->recorded && !s->record_ended,
		.state = s->state,
		.integration = s->integration,
		.pid = s->pty ? (int)tn_pty_pid(s->pty) : 0,
		.columns = s->columns,
		.rows = s->rows,
		.exit_code = s->exit_code,
		.created_ms = s->created_wall_ms,
		.last_activity_ms = s->activity_wall_ms,
		.expires_ms = tn_term_session_open(s)
				      ? s->activity_wall_ms + (int64_t)s->idle_timeout_s * 1000
				      : s->ended_wall_ms + (int64_t)tn_settings_u32(
								   &config->settings,
								   "terminal.closed_retention_s") *
								   1000,
		.total_bytes = s->offset,
		.controlled_by = s->controller[0] ? s->controller : NULL,
		.message = tn_term_session_open(s) ? s->message : NULL,
	};
	tn_term_start_describe(s, &ret->waiting);
}

void tn_term_record_ended(struct tn_term_session *s, bool ended)
{
	s->record_ended = ended;
}

void tn_term_watch(struct tn_term_session *s, struct tn_term_watcher *watcher)
{
	watcher->next = s->watchers;
	s->watchers = watcher;
}

void tn_term_unwatch(struct tn_term_session *s, struct tn_term_watcher *watcher)
{
	struct tn_term_watcher **at = &s->watchers;

	while (*at && *at != watcher)
		at = &(*at)->next;
	if (*at)
		*at = watcher->next;
	if (s->walking == watcher)
		s->walking = watcher->next;
}

void tn_term_start_describe(const struct tn_term_session *s, struct tn_term_waiting *ret)
{
	*ret = (struct tn_term_waiting){.for_input = false};
	if (s->state == TN_TERM_WAITING_INPUT) {
		*ret = s->waiting;
		return;
	}
	if (!tn_term_session_starting(s) || !tn_term_session_open(s) ||
	    tn_term_now(s->term) - s->started_ms < START_TOLD_MS)
		return;
	if (!s->pty) { /* it is asked for the user's PATH first, and reads its files for that, too
			*/
		(void)snprintf(ret->program, sizeof(ret->program), "%.63s", s->program_name);
		return;
	}
	tn_term_session_waiting(s, ret);
	/* What is only likely is believed after a while (7.1). */
	if (!ret->certain)
		*ret = (struct tn_term_waiting){.for_input = false};
	tn_pty_working_name(s->pty, ret->program, sizeof(ret->program));
}
