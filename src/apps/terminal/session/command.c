/* Commands: their queue, how they are delivered, their end, and what is told of them. */
#include "apps/terminal/session/operation.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "apps/terminal/limits.h"
#include "base/limits.h"
#include "base/size.h"

enum { RECORDED_MORE = 64 * 1024 }; /* beyond what is kept: a secret over the border is found */

/* ---- life ---- */

/* They are descriptors and memory, and a session keeps many commands that are over. */
static void let_go_inputs(struct tn_term_command *c)
{
	tn_inputs_unref(c->inputs);
	c->inputs = NULL;
}

void tn_term_command_free(struct tn_term_command *c)
{
	if (!c)
		return;
	if (c->handle) {
		tn_handles_close(&c->session->term->command_handles, c->handle);
		tn_handle_unref(c->handle);
	}
	for (size_t i = 0; c->env_wish && c->env_wish[i]; i++)
		tn_mem_free(c->env_wish[i]);
	tn_mem_free(c->env_wish);
	tn_mem_free(c->cwd_wish);
	let_go_inputs(c);
	tn_mem_free(c->cwd);
	tn_mem_free(c->cwd_after);
	tn_mem_free(c->problem);
	tn_mem_free(c->text);
	tn_mem_free(c);
}

struct tn_term_command *tn_term_command_new(struct tn_term_session *s, struct tn_str text,
					    const char *caller)
{
	struct tn_term_command *c = tn_mem_alloc(sizeof(*c));
	struct tn_handle_new made = {.principal = s->owner, .value = c, .bytes = sizeof(*c)};

	if (!c)
		return NULL;
	/* Both kinds of handles name the same instance. */
	memcpy(s->term->command_handles.node, s->term->session_handles.node,
	       sizeof(s->term->command_handles.node));
	c->session = s;
	c->text = tn_mem_copy_text(text.data, text.size);
	c->text_size = text.size;
	/* What it exports must not be told by what it prints. */
	tn_redactor_learn_command(s->term->redactor, text);
	c->exit_code = TN_TERM_NO_EXIT_CODE;
	c->completion = "none";
	c->queued_ms = tn_term_now(s->term);
	c->started_wall_ms = tn_term_wall(s->term);
	(void)snprintf(c->caller, sizeof(c->caller), "%s", caller ? caller : "");
	tn_term_command_note_cwd(c, s->cwd);
	if (!c->text ||
	    tn_handles_add(&s->term->command_handles, &made, &c->handle, NULL) != TENON_OK) {
		tn_term_command_free(c);
		return NULL;
	}
	(void)snprintf(c->id, sizeof(c->id), "%s", c->handle->id);
	return c;
}

/* Among those whose results can be asked for; the oldest one goes when there are too many. */
void tn_term_command_keep(struct tn_term_command *c)
{
	struct tn_term_session *s = c->session;
	struct tn_term_command *oldest = s->commands;

	if (c->kept)
		return;
	c->kept = true;
	c->next = NULL;
	if (s->last_command)
		s->last_command->next = c;
	else
		s->commands = c;
	s->last_command = c;
	if (s->term->options.command_came && c->handle) {
		struct tn_term_command_info info;

		tn_term_command_describe(c, &info);
		s->term->options.command_came(&info, s->owner, s->term->options.data);
	}
	if (++s->command_count <= TN_TERM_COMMANDS_KEPT)
		return;
	s->commands = oldest->next;
	s->command_count--;
	tn_term_ops_lose_command(s, oldest);
	tn_term_command_free(oldest);
}

void tn_term_command_queue(struct tn_term_command *c)
{
	struct tn_term_command **at = &c->session->queue;

	while (*at)
		at = &(*at)->queue_next;
	c->queue_next = NULL;
	c->status = TN_TERM_QUEUED;
	*at = c;
	tn_journal_command(c);
}

void tn_term_command_note_cwd(struct tn_term_command *c, const char *cwd)
{
	char *copy;

	if (c->cwd && strcmp(c->cwd, cwd) == 0)
		return;
	copy = tn_mem_copy_text(cwd, strlen(cwd));
	tn_mem_free(c->cwd);
	c->cwd = copy;
}

void tn_term_command_warn(struct tn_term_command *c, const char *warning)
{
	for (unsigned i = 0; i < c->warning_count; i++) {
		if (c->warnings[i] == warning)
			return;
	}
	if (c->warning_count + 1 < TN_COUNT(c->warnings)) /* the last one stays NULL */
		c->warnings[c->warning_count++] = warning;
}

/* ---- delivery ---- */

/* What is no shell of ours is typed to, as a person would. */
static enum tenon_code type_plainly(const struct tn_term_command *c, struct tn_buf *line)
{
	for (size_t i = 0; i < c->text_size; i++)
		tn_buf_append_byte(line, c->text[i] == '\n' ? '\r' : c->text[i]);
	tn_buf_append_byte(line, '\r');
	return TENON_OK;
}

static enum tenon_code put_line(struct tn_term_session *s, struct tn_term_command *c,
				struct tn_buf *line, struct tenon_error *err)
{
	struct tn_shell_command wish = {.number = c->number,
					.text = tn_str(c->text, c->text_size),
					.cwd = c->cwd_wish,
					.env = (const char *const *)c->env_wish};
	struct tn_pty_mode mode;

	if (s->integration == TN_TERM_INTEGRATION_NONE)
		return type_plainly(c, line);
	if (tn_pty_mode(s->pty, &mode) && mode.canonical)
		wish.kill_character = mode.kill_character;
	return tn_shell_deliver(s->kind, s->run_folder, s->nonce, &wish, line, err);
}

static enum tenon_code deliver(struct tn_term_session *s, struct tn_term_command *c,
			       struct tenon_error *err)
{
	enum tenon_code code;
	struct tn_buf line;

	tn_buf_init(&line, 2 * TN_TERM_COMMAND_BYTES_MAX);
	c->number = ++s->numbers;
	do {
		tn_buf_clear(&line);
		code = put_line(s, c, &line, err);
	} while (code != TENON_OK && tn_term_session_made_room(s, err));
	if (code == TENON_OK)
		code = tn_buf_check(&line, err);
	if (code == TENON_OK) {
		/* Type-ahead and reports that nobody has read are no part of it (5.2). */
		tn_pty_discard_input(s->pty);
		code = tn_pty_write(s->pty, tn_buf_str(&line), err);
	}
	tn_buf_finish(&line);
	return code;
}

static void fail_delivery(struct tn_term_session *s, struct tn_term_command *c,
			  const struct tenon_error *why)
{
	tn_term_command_warn(c, "not_delivered");
	c->problem = tn_mem_copy_text(why->message, strlen(why->message));
	tn_term_command_keep(c);
	tn_term_command_end(c, s->offset, TN_TERM_NO_EXIT_CODE);
}

/* ---- is it still what was judged ---- */

/* A name: the directory that it would run in, or a file that it reads. NULL: nothing has changed.
 */
static const char *what_changed(const struct tn_term_session *s, const struct tn_term_command *c)
{
	const struct tn_held *folder = &c->inputs->folder;

	if (folder->fd >= 0 && (c->cwd_wish ? !tn_held_is_still(folder, AT_FDCWD, c->cwd_wish)
					    : !tn_term_place_stands(s, folder)))
		return folder->path;
	return tn_inputs_changed(c->inputs);
}

/* A command before it has gone somewhere else, say: it is judged as it would run now. What a person
 * has seen and approved must be what they saw. */
static bool judge_again(const struct tn_term_session *s, struct tn_term_command *c)
{
	const struct tn_term_options *options = &s->term->options;
	struct tn_term_caller caller = {
		.principal = s->owner, .client = c->caller, .person = c->inputs->is_person};
	const struct tn_term_again again = {.caller = &caller,
					    .session_id = s->id,
					    .cwd = c->cwd_wish,
					    .text = tn_str(c->text, c->text_size),
					    .env = (const char *const *)c->env_wish,
					    .is_elsewhere = c->inputs->is_elsewhere};
	struct tn_inputs *now;

	if (c->inputs->approved)
		return false;
	if (!options->judge_again)
		return true; /* there are no rules */
	(void)snprintf(caller.key, sizeof(caller.key), "%s", s->caller_key);
	if (!options->judge_again(&again, &now, options->data))
		return false;
	tn_inputs_unref(c->inputs);
	c->inputs = now;
	return true;
}

/* False: it is not run, and has ended. */
static bool check_inputs(struct tn_term_session *s, struct tn_term_command *c)
{
	if (!c->inputs || !what_changed(s, c) || judge_again(s, c))
		return true;
	c->changed = true;
	tn_term_command_warn(c, "changed_before_it_ran");
	tn_term_command_keep(c);
	tn_term_command_end(c, s->offset, TN_TERM_NO_EXIT_CODE);
	return false;
}

/* Somebody typed at this prompt: what stands there may be part of a longer command, or of a search,
 * which only Ctrl-C leaves (shell.h). The next prompt, or LOOK_MS later if none comes, is empty. */
void tn_term_session_clear_line(struct tn_term_session *s)
{
	if (s->cleared_ms)
		return;
	s->cleared_ms = tn_term_now(s->term);
	tn_pty_discard_input(s->pty);
	if (tn_pty_write(s->pty, TN_STR("\x03"), NULL) != TENON_OK)
		s->typed_since_prompt = false; /* nothing can be typed; delivery will tell */
	tn_term_session_schedule(s);
}

/* False: it has ended. */
static bool deliver_as_judged(struct tn_term_session *s, struct tn_term_command *c)
{
	struct tenon_error err;

	if (!check_inputs(s, c))
		return false;
	if (deliver(s, c, &err) == TENON_OK)
		return true;
	fail_delivery(s, c, &err);
	return false;
}

void tn_term_session_pump(struct tn_term_session *s)
{
	struct tn_term_command *c = s->queue;
	bool marked = s->integration != TN_TERM_INTEGRATION_NONE;

	if (!c || s->running || s->state != TN_TERM_IDLE || tn_term_session_starting(s) ||
	    !s->pty || s->controller[0] || s->message || (marked && !s->at_prompt))
		return;
	if (!s->program && s->typed_since_prompt) {
		tn_term_session_clear_line(s);
		return;
	}
	s->queue = c->queue_next;
	s->running = c;
	if (!deliver_as_judged(s, c)) {
		tn_term_session_pump(s); /* at most as often as commands may wait */
		return;
	}
	c->delivered = true;
	c->status = TN_TERM_STATUS_RUNNING;
	s->swallowing = marked;
	tn_term_command_keep(c);
	/* Until its mark comes it has begun now. */
	c->started_ms = tn_term_now(s->term);
	c->started_wall_ms = tn_term_wall(s->term);
	c->from = s->offset;
	c->lines_before = s->lines;
	s->output_ms = c->started_ms;
	tn_journal_command(c);
	if (!marked)
		tn_term_command_start(c, s->offset);
	tn_term_session_set_state(s, TN_TERM_RUNNING);
}

/* ---- start and end ---- */

void tn_term_command_start(struct tn_term_command *c, uint64_t from)
{
	struct tn_term_session *s = c->session;

	c->started = true;
	c->delivered = true;
	let_go_inputs(c);
	c->status = TN_TERM_STATUS_RUNNING;
	c->from = from;
	c->lines_before = s->lines;
	c->started_ms = tn_term_now(s->term);
	c->started_wall_ms = tn_term_wall(s->term);
	c->completion = "none";
	tn_term_command_note_cwd(c, s->cwd);
	if (c->timeout_ms)
		c->stage_ms = c->started_ms + c->timeout_ms;
	s->last_byte = '\n';
	s->output_ms = c->started_ms;
	if (c->typed) {
		/* As it stood on the screen; what a person typed was not looked at before. */
		tn_names_take_text(&s->names, tn_str(c->text, c->text_size), s->shell, s->cwd);
		s->running = c;
		tn_term_command_keep(c);
	}
	tn_journal_command(c);
	tn_term_session_tell_command(s, c);
	if (c->unwanted)
		tn_term_command_interrupt(c);
}

/* With lines of its own: an unfinished last one counts (7.1). */
static uint64_t count_own_lines(const struct tn_term_command *c, uint64_t to)
{
	const struct tn_term_session *s = c->session;
	uint64_t lines = s->lines - c->lines_before;

	return lines + (to > c->from && s->last_byte != '\n' ? 1 : 0);
}

static enum tn_term_status status_at_end(const struct tn_term_command *c)
{
	if (c->timed_out && c->on_timeout != TN_TERM_LEAVE)
		return TN_TERM_TIMED_OUT;
	if (!c->started)
		return TN_TERM_NOT_STARTED;
	/* Nobody has seen its beginning, nor its end (5.3). */
	if (strcmp(c->completion, "heuristic") == 0)
		return TN_TERM_UNKNOWN;
	/* In the moment of its beginning the shell says another code than 130. */
	if ((c->unwanted || c->ends_early) && c->exit_code != 0)
		return TN_TERM_INTERRUPTED;
	if (c->ended_by == SIGKILL && (c->exit_code == 128 + SIGKILL || c->signal))
		return TN_TERM_KILLED;
	if (c->ended_by && (c->exit_code == 128 + c->ended_by || c->signal))
		return TN_TERM_INTERRUPTED;
	return TN_TERM_COMPLETED;
}

/* ---- history ---- */

static bool is_recorded(const struct tn_term_command *c)
{
	const struct tn_term_session *s = c->session;
	const struct tn_term_config *config = s->term->config;
	bool ignore = c->typed ? tn_settings_bool(&config->settings,
						  "terminal.history.ignore_space_people")
			       : tn_settings_bool(&config->settings,
						  "terminal.history.ignore_space_tools");

	return s->term->history && !s->history_off && !(ignore && c->text[0] == ' ');
}

/* The beginning of the output, or its end. */
static enum tenon_code recorded_part(struct tn_term_command *c, bool end, struct tn_output *ret)
{
	struct tn_output_wish wish = {.from = c->from,
				      .to = c->to,
				      .format = TN_OUTPUT_PLAIN,
				      .omit = TN_OUTPUT_OMIT_HEAD,
				      .bytes_max = TN_HISTORY_OUTPUT_BYTES + RECORDED_MORE,
				      .contiguous = !end};
	struct tn_output_source source;
	struct tn_arena arena;
	enum tenon_code code;

	tn_arena_init(&arena, 64 * TN_MIB);
	code = tn_term_session_edits(c->session, true, &arena, &source, NULL);
	if (code == TENON_OK)
		code = tn_output_make(&source, &wish, ret, NULL);
	tn_arena_finish(&arena);
	return code;
}

static uint64_t count_lines(struct tn_str text)
{
	uint64_t count = 0;

	for (size_t i = 0; i < text.size; i++)
		count += text.data[i] == '\n';
	return count;
}

static void record(struct tn_term_command *c)
{
	struct tn_term_session *s = c->session;
	struct tn_output head = {0}, tail = {0};
	bool has_head, has_tail;
	uint64_t tail_lines;

	if (!is_recorded(c))
		return;
	has_head = recorded_part(c, false, &head) == TENON_OK;
	has_tail = has_head && head.next < c->to && recorded_part(c, true, &tail) == TENON_OK;
	tail_lines = has_tail ? count_lines(tn_buf_str(&tail.text)) : 0;
	/* Whose it is must be known as long as the session lives, too. */
	tn_history_record_session(s->term->history,
				  &(struct tn_history_session){.id = s->id,
							       .name = s->name,
							       .project_id = s->project_id,
							       .shell = s->shell,
							       .owner = s->owner,
							       .created_ms = s->created_wall_ms,
							       .exit_code = -1});
	tn_history_record_command(
		s->term->history,
		&(struct tn_history_command){
			.id = c->id,
			.session_id = s->id,
			.caller = c->caller,
			.number = c->number,
			.text = tn_str(c->text, c->text_size),
			.cwd = tn_str_from(c->cwd ? c->cwd : ""),
			.cwd_after = tn_str_from(s->cwd),
			.started_ms = c->started_wall_ms,
			.ended_ms = c->ended_wall_ms,
			.exit_code = c->exit_code,
			.signal = c->signal,
			.status = tn_term_status_name(c->status),
			.completion = c->completion,
			.bytes = c->to - c->from,
			.lines = c->lines,
			.isolated = c->isolated,
			.output = has_head ? tn_buf_str(&head.text) : tn_str("", 0),
			.output_tail = has_tail ? tn_buf_str(&tail.text) : tn_str(NULL, 0),
			.tail_line = c->lines > tail_lines ? c->lines - tail_lines : 0,
			.secrets = s->term->redactor});
	if (has_head)
		tn_output_finish(&head);
	if (has_tail)
		tn_output_finish(&tail);
}

/* ---- the end ---- */

static void end_command(struct tn_term_command *c, uint64_t to)
{
	struct tn_term_session *s = c->session;

	c->ended = true;
	let_go_inputs(c);
	c->to = to < c->from ? c->from : to;
	c->lines = count_own_lines(c, to);
	c->ended_wall_ms = tn_term_wall(s->term);
	c->duration_ms = (int64_t)(tn_term_now(s->term) - c->started_ms);
	c->stage_ms = 0;
	if (!c->cwd || strcmp(tn_term_session_cwd(s), c->cwd) != 0) /* without memory: the same */
		c->cwd_after = tn_mem_copy_text(s->cwd, strlen(s->cwd));
	if (s->running == c)
		s->running = NULL;
	if (!c->isolated)
		tn_shell_forget(s->run_folder, c->number);
	record(c);
	tn_journal_command(c);
	tn_term_session_tell_command(s, c);
	tn_term_session_moved(s);
}

void tn_term_command_end(struct tn_term_command *c, uint64_t to, int exit_code)
{
	struct tn_term_session *s = c->session;

	if (c->ended)
		return;
	c->exit_code = exit_code;
	if (!c->started)
		c->completion = "none";
	else
		c->completion = s->integration == TN_TERM_INTEGRATION_NONE ? "heuristic" : "marks";
	c->status = status_at_end(c);
	end_command(c, to);
	if (s->temporary && !s->closing)
		tn_term_session_close(s, false, 1000, NULL, NULL);
}

/* Its process is what proves that it ran; without one's end nobody knows how it went. */
static void end_isolated(struct tn_term_command *c)
{
	struct tn_term_session *s = c->session;

	c->exit_code = s->exit_code;
	c->signal = s->signal;
	if (s->state == TN_TERM_FAILED) {
		c->started = false;
		c->status = TN_TERM_NOT_STARTED;
	} else if (c->exit_code == TN_TERM_NO_EXIT_CODE && !c->signal) {
		c->status = TN_TERM_UNKNOWN;
	} else {
		c->completion = "process";
		c->status = status_at_end(c);
	}
	end_command(c, s->offset);
}

void tn_term_commands_give_up(struct tn_term_session *s)
{
	struct tn_term_command *c = s->running;

	if (c && c->isolated) {
		end_isolated(c);
	} else if (c) {
		if (c->started) {
			c->exit_code = s->exit_code;
			c->signal = s->signal;
		}
		c->status = c->started ? TN_TERM_SESSION_EXITED : TN_TERM_NOT_STARTED;
		end_command(c, s->offset);
	}
	while ((c = s->queue) != NULL) {
		tn_term_command_warn(c, "session_ended");
		tn_term_command_withdraw(c);
	}
}

void tn_term_command_withdraw(struct tn_term_command *c)
{
	struct tn_term_session *s = c->session;
	struct tn_term_command **at = &s->queue;

	while (*at && *at != c)
		at = &(*at)->queue_next;
	if (*at)
		*at = c->queue_next;
	c->status = TN_TERM_NOT_STARTED;
	c->completion = "none";
	c->ended = true;
	c->from = c->to = s->offset;
	c->ended_wall_ms = tn_term_wall(s->term);
	tn_term_command_keep(c);
	tn_journal_command(c);
	tn_term_session_tell_command(s, c);
	tn_term_session_moved(s);
}

/* A call was cancelled that alone wanted it. */
void tn_term_command_interrupt(struct tn_term_command *c)
{
	struct tn_term_session *s = c->session;
	pid_t pids[16];

	if (c->ended)
		return;
	if (c->status == TN_TERM_QUEUED) {
		tn_term_command_withdraw(c);
		return;
	}
	if (!c->started) { /* the shell is still at its prompt, where a signal only clears the line
			    */
		c->unwanted = true;
		c->ended_by = SIGINT;
		tn_shell_forget(s->run_folder, c->number);
		return;
	}
	/* While the shell starts a program neither of them heeds the signal: it comes again when
	 * the program is there (session_time.c). Then the next one follows, as after a timeout
	 * (7.1). */
	c->to_shell = s->pty && !c->isolated &&
		      tn_term_since(tn_term_now(s->term), c->started_ms) < BEGINNING_MS &&
		      tn_term_session_is_shell_still(s);
	if (c->stage == 0) {
		c->stage = 1;
		c->stage_ms = tn_term_now(s->term) + INTERRUPT_TERM_MS;
	}
	(void)tn_term_session_signal(s, SIGINT, "foreground", false, pids, TN_COUNT(pids));
}

/* ---- what is told ---- */

/* How it stands beside what is kept of it. */
static void describe_now(const struct tn_term_command *c, bool running,
			 struct tn_term_command_info *ret)
{
	const struct tn_term_session *s = c->session;

	if (running && s->state == TN_TERM_WAITING_INPUT) {
		ret->status = TN_TERM_STATUS_WAITING_INPUT;
		ret->waiting = s->waiting;
	} else if (running && c->stage == STAGE_STUCK) {
		ret->status = TN_TERM_TIMED_OUT; /* it goes on all the same: a warning says so */
	} else if (c->status == TN_TERM_QUEUED && tn_term_session_starting(s)) {
		ret->queued_for = TN_TERM_FOR_SHELL_START;
		tn_term_start_describe(s, &ret->waiting);
	} else if (c->status == TN_TERM_QUEUED && (s->running || s->queue != c)) {
		ret->queued_for = TN_TERM_FOR_COMMAND;
	}
}

void tn_term_command_describe(const struct tn_term_command *c, struct tn_term_command_info *ret)
{
	const struct tn_term_session *s = c->session;
	bool begun = c->started || c->ended;
	uint64_t from = begun ? c->from : s->offset, to = c->ended ? c->to : s->offset;
	bool running = s->running == c && begun;

	*ret = (struct tn_term_command_info){
		.id = c->id,
		.session_id = s->id,
		.text = c->text,
		.cwd = c->cwd ? c->cwd : "",
		.signal = c->signal,
		.caller = c->caller,
		.number = c->number,
		.status = c->status,
		.integration = c->isolated ? TN_TERM_INTEGRATION_PROCESS : s->integration,
		.completion = c->completion,
		.exit_code = c->exit_code,
		.started_ms = c->started_wall_ms,
		.duration_ms = c->ended ? c->duration_ms
			       : c->started || c->delivered
				       ? (int64_t)(tn_term_now(s->term) - c->started_ms)
				       : 0,
		.from = from,
		.to = to,
		.total_bytes = to > from ? to - from : 0,
		.total_lines = c->ended  ? c->lines
			       : running ? count_own_lines(c, to)
					 : 0,
		.timeout_ms = c->timeout_ms,
		.isolated = c->isolated,
		.typed = c->typed,
		.alternate_screen = c->alternate,
		.warnings = c->warning_count ? c->warnings : NULL,
	};
	describe_now(c, running, ret);
}

struct tn_term_session *tn_term_command_session(const struct tn_term_command *c)
{
	return c->session;
}

bool tn_term_command_is_running(const struct tn_term_command *c)
{
	return c->session->running == c;
}

bool tn_term_command_ended(const struct tn_term_command *c)
{
	return c->ended;
}

/* Standard error of a command with pipes: small, or its last part. */
static void read_error_output(struct tn_term_session *s, size_t max, struct tn_buf *out)
{
	uint64_t end = tn_spool_end(s->error_spool), from = tn_spool_begin(s->error_spool);
	struct tn_output_source source = {.spool = s->error_spool,
					  .nonce = s->nonce,
					  .columns = s->columns,
					  .rows = s->rows,
					  .epoch = s->epoch};
	struct tn_output_wish wish = {
		.from = from, .to = end, .bytes_max = max, .omit = TN_OUTPUT_OMIT_MIDDLE};
	struct tn_output output = {0};

	if (tn_output_make(&source, &wish, &output, NULL) != TENON_OK)
		return;
	tn_buf_append_str(out, tn_buf_str(&output.text));
	tn_output_finish(&output);
}

enum tenon_code tn_term_command_result(struct tn_term_command *c,
				       const struct tn_term_shaping *shaping,
				       struct tn_term_executed *ret, struct tenon_error *err)
{
	struct tn_term_session *s = c->session;
	struct tn_term_command_info *info = &ret->command;
	enum tenon_code code;
	unsigned more = 0;

	*ret = (struct tn_term_executed){.cwd = !c->ended      ? tn_term_session_cwd(s)
						: c->cwd_after ? c->cwd_after
						: c->cwd       ? c->cwd
							       : "",
					 .format = shaping->format};
	tn_term_command_describe(c, info);
	code = tn_term_session_output(s, info->from, info->to, shaping, false, &ret->output,
				      &ret->redactions, err);
	if (code != TENON_OK)
		return code;
	if (s->pipes && s->error_spool) {
		tn_buf_init(&ret->error_output, TN_RESULT_BYTES_MAX);
		read_error_output(s, shaping->bytes_max, &ret->error_output);
		tn_term_clean(s->term, &ret->error_output, &more);
		ret->redactions += more;
		ret->has_error_output = true;
	}
	ret->has_screen = s->alternate_from != UINT64_MAX && s->screen && !c->ended;
	ret->screen = s->screen;
	(void)snprintf(ret->epoch, sizeof(ret->epoch), "%s", s->epoch);
	return TENON_OK;
}

void tn_term_executed_finish(struct tn_term_executed *executed)
{
	tn_output_finish(&executed->output);
	if (executed->has_error_output)
		tn_buf_finish(&executed->error_output);
}

void tn_term_commands_each(struct tn_term *term, const struct tn_term_caller *caller,
			   struct tn_term_session *session,
			   void (*each)(const struct tn_term_command_info *info, void *data),
			   void *data)
{
	struct tn_term_command_info info;
	struct tn_handle *at = NULL;

	if (session) {
		for (struct tn_term_command *c = session->commands; c; c = c->next) {
			tn_term_command_describe(c, &info);
			each(&info, data);
		}
		return;
	}
	for (unsigned i = 0; i < 50; i++) {
		at = tn_handles_next(&term->command_handles, at, caller ? caller->principal : NULL);
		if (!at)
			return;
		tn_term_command_describe(at->value, &info);
		each(&info, data);
	}
}
