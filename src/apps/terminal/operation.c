/* Calls that wait: for a command, for output, for a session to be ready. */
#include "apps/terminal/session.h"

#include <stdio.h>
#include <string.h>

#include "apps/terminal/regex.h"
#include "base/utf8.h"

/* ---- life ---- */

static void hold_is_over(struct tn_timer *timer, void *data);

struct tn_term_op *tn_term_op_new(struct tn_term *term, enum tn_term_op_kind kind,
				  struct tn_term_session *s, uint64_t hold_ms)
{
	struct tn_term_op *op = tn_mem_alloc(sizeof(*op));

	if (!op)
		return NULL;
	op->term = term;
	op->kind = kind;
	op->session = s;
	op->begun_ms = tn_term_now(term);
	if (tn_timer_open(term->options.loop, hold_is_over, op, &op->timer, NULL) != TENON_OK) {
		tn_mem_free(op);
		return NULL;
	}
	tn_timer_start(op->timer, hold_ms);
	op->looked = s->look_round;
	op->next = s->ops;
	s->ops = op;
	return op;
}

void tn_term_op_free(struct tn_term_op *op)
{
	struct tn_term_op **at = &op->session->ops;

	while (*at && *at != op)
		at = &(*at)->next;
	if (*at)
		*at = op->next;
	tn_timer_close(op->timer);
	tn_regex_free(op->regex);
	tn_mem_free(op->value);
	tn_mem_free(op);
}

/* ---- execute ---- */

/* 5.2: what is in front and waits for input would wait for ever with us behind it. */
static bool check_front(struct tn_term_session *s, struct tn_term_fault *fault)
{
	struct tn_term_waiting waiting;
	char program[64] = "";

	if (s->state != TN_TERM_RUNNING && s->state != TN_TERM_WAITING_INPUT)
		return true;
	/* What ran has ended and the prompt is on its way; or what runs next is. */
	if ((!s->running || !s->running->started) && tn_term_session_shell_in_front(s))
		return true;
	tn_term_session_waiting(s, &waiting);
	if (!waiting.certain && s->state != TN_TERM_WAITING_INPUT)
		return true;
	tn_pty_foreground_name(s->pty, program, sizeof(program));
	tn_term_fault(fault, "not_at_prompt",
		      "Use send_keys to type to it, wait_for to wait for its end, or another "
		      "session.",
		      "%s is in front in session \"%s\" and waits for input.",
		      program[0] ? program : "A program", s->name);
	return false;
}

/* It has never been there. */
static void fault_not_started(const struct tn_term_session *s, struct tn_term_fault *fault)
{
	const char *code = s->sandbox_failed     ? "sandbox_unavailable"
			   : s->directory_failed ? "cwd_not_found"
						 : "spawn_failed";

	tn_term_fault(fault, code, NULL, "The program could not be started: %s",
		      s->failure ? s->failure : "the reason is not known");
}

static void finish_execute(struct tn_term_op *op)
{
	struct tn_term_executed result;
	struct tn_term_fault fault = {0};
	struct tenon_error err;
	enum tenon_code code;
	tn_term_executed_fn *done = op->done.executed;
	void *data = op->data;
	bool temporary = op->new_session;
	struct tn_term_command *c = op->command;

	if (op->session->state == TN_TERM_FAILED) {
		fault_not_started(op->session, &fault);
		tn_term_op_free(op);
		done(NULL, &fault, data);
		return;
	}
	/* What is in front began to wait for input with this behind it: it would never run. */
	if (c->status == TN_TERM_QUEUED && !check_front(op->session, &fault)) {
		tn_term_command_interrupt(c);
		tn_term_op_free(op);
		done(NULL, &fault, data);
		return;
	}
	code = tn_term_command_result(c, &op->shaping, &result, &err);
	if (temporary)
		result.new_session_id = op->session->id;
	tn_term_op_free(op);
	if (code != TENON_OK) {
		tn_term_fault_from(&fault, code, &err, NULL);
		done(NULL, &fault, data);
		return;
	}
	done(&result, NULL, data);
	tn_term_executed_finish(&result);
}

static bool execute_is_done(const struct tn_term_op *op)
{
	const struct tn_term_command *c = op->command;
	const struct tn_term_session *s = op->session;

	if (c->ended || s->stuck)
		return true;
	if (s->running != c)
		return s->state == TN_TERM_WAITING_INPUT;
	return s->state == TN_TERM_WAITING_INPUT ||
	       (c->timed_out && c->on_timeout == TN_TERM_LEAVE);
}

/* ---- read ---- */

/* How far there is something to read for it: of a command that has not begun there is nothing. */
static uint64_t read_to(const struct tn_term_op *op)
{
	const struct tn_term_command *c = op->command;

	if (!c)
		return op->session->offset;
	return c->ended ? c->to : c->started ? op->session->offset : op->from;
}

static void finish_read(struct tn_term_op *op)
{
	struct tn_term_session *s = op->session;
	struct tn_term_command *c = op->command;
	struct tn_term_read_result result = {.command_id = c ? c->id : NULL};
	struct tn_term_fault fault = {0};
	struct tenon_error err;
	struct tn_term_caller caller = {.principal = s->owner};
	enum tenon_code code;
	/* Only that command's output. */
	uint64_t from = c && c->started && op->from < c->from ? c->from : op->from;
	uint64_t to = read_to(op);
	tn_term_read_fn *done = op->done.read;
	void *data = op->data;

	(void)snprintf(caller.key, sizeof(caller.key), "%s", op->caller_key);
	code = tn_term_session_output(s, from, to, &op->shaping, from != UINT64_MAX, &result.output,
				      &result.redactions, &err);
	tn_term_session_describe(s, &caller, &result.session);
	result.has_screen = s->alternate_from != UINT64_MAX && s->screen;
	result.screen = s->screen;
	(void)snprintf(result.epoch, sizeof(result.epoch), "%s", s->epoch);
	tn_term_op_free(op);
	if (code != TENON_OK) {
		tn_term_fault_from(&fault, code, &err, NULL);
		done(NULL, &fault, data);
		return;
	}
	done(&result, NULL, data);
	tn_output_finish(&result.output);
}

/* ---- create ---- */

static void finish_create(struct tn_term_op *op)
{
	struct tn_term_session *s = op->session;
	struct tn_term_shaping shaping = {.bytes_max = TN_TERM_ANSWER_BYTES,
					  .lines_max = TN_TERM_ANSWER_LINES};
	struct tn_term_caller caller = {.principal = s->owner};
	struct tn_term_session_info info;
	struct tn_term_fault fault = {0};
	struct tn_output output = {0};
	unsigned redactions;
	tn_term_created_fn *done = op->done.created;
	void *data = op->data;
	bool has_output;

	(void)snprintf(caller.key, sizeof(caller.key), "%s", op->caller_key);
	/* Not before: what cannot be started takes nobody's active session away. */
	if (op->activates && tn_term_session_open(s))
		tn_term_set_active(op->term, op->caller_key, s);
	tn_term_op_free(op);
	if (s->state == TN_TERM_FAILED) {
		fault_not_started(s, &fault);
		done(NULL, tn_str("", 0), &fault, data);
		return;
	}
	has_output = tn_term_session_output(s, 0, s->offset, &shaping, false, &output, &redactions,
					    NULL) == TENON_OK;
	tn_term_session_describe(s, &caller, &info);
	done(&info, has_output ? tn_buf_str(&output.text) : tn_str("", 0), NULL, data);
	if (has_output)
		tn_output_finish(&output);
}

/* A shell is ready with its first prompt; another program when it has said something. */
static bool create_is_done(const struct tn_term_op *op)
{
	const struct tn_term_session *s = op->session;

	if (!tn_term_session_open(s))
		return true;
	if (s->program)
		return s->pty && s->offset > 0 &&
		       tn_term_now(op->term) - s->output_ms >= QUIET_HEURISTIC_MS;
	return s->state != TN_TERM_STARTING;
}

/* ---- looking ---- */

static void finish(struct tn_term_op *op)
{
	switch (op->kind) {
	case OP_EXECUTE:
		finish_execute(op);
		break;
	case OP_READ:
		finish_read(op);
		break;
	case OP_CREATE:
		finish_create(op);
		break;
	case OP_WAIT:
		tn_term_wait_end(op, "held");
		break;
	}
}

static void hold_is_over(struct tn_timer *timer, void *data)
{
	struct tn_term_op *op = data;

	(void)timer;
	if (op->kind == OP_WAIT) {
		tn_term_wait_time(op);
		return;
	}
	if (op->kind == OP_CREATE && !create_is_done(op) && op->session->program &&
	    tn_term_now(op->term) - op->begun_ms < START_LIMIT_MS) {
		tn_timer_start(op->timer, QUIET_HEURISTIC_MS);
		return;
	}
	/* A program's path is asked for first; it is told as it is then. */
	finish(op);
}

static bool read_is_done(const struct tn_term_op *op)
{
	const struct tn_term_command *c = op->command;
	uint64_t from = c && c->started && op->scan_from < c->from ? c->from : op->scan_from;

	return read_to(op) > from || !tn_term_session_open(op->session) || (c && c->ended);
}

static bool is_done(const struct tn_term_op *op)
{
	switch (op->kind) {
	case OP_EXECUTE:
		return execute_is_done(op);
	case OP_READ:
		return read_is_done(op);
	case OP_CREATE:
		return create_is_done(op);
	case OP_WAIT:
		break;
	}
	return false;
}

void tn_term_ops_look(struct tn_term_session *s)
{
	unsigned round = ++s->look_round;
	struct tn_term_op *op = s->ops;

	/* One that ends may end others, and lead to new ones, which are looked at in the next
	 * turn: after each that ends the list is walked again. */
	while (op) {
		bool ended = false;

		if (op->looked == round) {
			op = op->next;
			continue;
		}
		op->looked = round;
		if (op->kind == OP_WAIT) {
			ended = tn_term_wait_look(op);
		} else if (is_done(op)) {
			finish(op);
			ended = true;
		}
		op = ended ? s->ops : op->next;
	}
}

void tn_term_ops_lose(struct tn_term_session *s)
{
	while (s->ops) {
		if (s->ops->kind == OP_WAIT)
			tn_term_wait_end(s->ops, "closed");
		else
			finish(s->ops);
	}
}

void tn_term_ops_lose_command(struct tn_term_session *s, const struct tn_term_command *c)
{
	struct tn_term_op *op = s->ops;

	while (op) {
		if (op->command != c) {
			op = op->next;
			continue;
		}
		if (op->kind == OP_WAIT)
			tn_term_wait_end(op, "closed");
		else
			finish(op);
		op = s->ops;
	}
}

void tn_term_op_cancel(void *self, struct tn_term_op *op)
{
	struct tn_term_command *c = op->command;
	bool interrupts =
		op->kind == OP_EXECUTE && c && !c->ended &&
		!(op->timeout_given && (op->timeout_ms == 0 || op->timeout_ms > op->yield_ms));

	(void)self;
	tn_term_op_free(op);
	if (interrupts)
		tn_term_command_interrupt(c);
}

bool tn_term_op_progress(const struct tn_term_op *op, struct tn_term_progress *ret)
{
	struct tn_term_shaping shaping = {.bytes_max = 1024, .lines_max = 1};
	struct tn_term_command_info info;
	struct tn_output output = {0};
	unsigned redactions;
	struct tn_str line;

	if (!op->command)
		return false;
	tn_term_command_describe(op->command, &info);
	*ret = (struct tn_term_progress){.bytes = info.total_bytes, .lines = info.total_lines};
	shaping.omit = TN_OUTPUT_OMIT_HEAD;
	if (!info.total_bytes ||
	    tn_term_session_output(op->session, info.from, info.to, &shaping, false, &output,
				   &redactions, NULL) != TENON_OK)
		return true;
	line = tn_utf8_cut(tn_str_trim(tn_buf_str(&output.text)), 240);
	(void)snprintf(ret->last_line, sizeof(ret->last_line), "%.*s", (int)line.size,
		       line.data ? line.data : "");
	tn_output_finish(&output);
	return true;
}

/* ---- execute_command ---- */

static char **copy_env(const char *const *env)
{
	size_t count = 0;
	char **copy;

	while (env[count])
		count++;
	copy = tn_mem_alloc_array(count + 1, sizeof(*copy));
	for (size_t i = 0; copy && i < count; i++) {
		copy[i] = tn_mem_copy_text(env[i], strlen(env[i]));
		if (!copy[i]) {
			while (i)
				tn_mem_free(copy[--i]);
			tn_mem_free(copy);
			return NULL;
		}
	}
	return copy;
}

static struct tn_term_command *make_command(struct tn_term_session *s,
					    const struct tn_term_execute *request,
					    struct tn_term_fault *fault)
{
	struct tn_term_command *c =
		tn_term_command_new(s, request->command, request->caller->client);

	if (!c) {
		tn_term_fault(fault, NULL, NULL, "out of memory");
		return NULL;
	}
	c->timeout_ms = request->timeout_ms;
	c->on_timeout = request->on_timeout;
	c->isolated = request->isolated;
	if (request->env && !request->isolated)
		c->env_wish = copy_env(request->env);
	if (request->env && !request->isolated && !c->env_wish) {
		tn_term_command_free(c);
		tn_term_fault(fault, NULL, NULL, "out of memory");
		return NULL;
	}
	if (request->env)
		tn_redactor_learn_environment(s->term->redactor, request->env);
	return c;
}

static bool set_directory(struct tn_term_session *s, struct tn_term_command *c, const char *wanted,
			  struct tn_term_fault *fault)
{
	struct tenon_error err = {0};
	char path[PATH_MAX];
	enum tenon_code code;

	if (!wanted)
		return true;
	code = tn_term_config_directory(s->term->config, tn_term_session_cwd(s), wanted, path,
					&err);
	if (code != TENON_OK) {
		tn_term_fault_from_directory(fault, code, &err);
		return false;
	}
	c->cwd_wish = tn_mem_copy_text(path, strlen(path));
	if (!c->cwd_wish)
		tn_term_fault(fault, NULL, NULL, "out of memory");
	return c->cwd_wish != NULL;
}

static struct tn_term_session *temporary_session(struct tn_term_session *like,
						 const struct tn_term_execute *request,
						 struct tn_term_fault *fault)
{
	struct tn_term_create create = {.caller = request->caller,
					.name = "temporary",
					.cwd = tn_term_session_cwd(like),
					.project_id = like->project_id,
					.shell = like->program ? NULL : like->shell,
					.columns = like->columns,
					.rows = like->rows,
					.sandbox = like->sandboxed};
	struct tn_term_start start = {
		.create = &create, .key_of_caller = request->caller->key, .temporary = true};

	return tn_term_session_add(like->term, &start, fault);
}

static struct tn_term_session *isolated_session(struct tn_term *term,
						const struct tn_term_execute *request,
						struct tn_term_fault *fault)
{
	const char *active = tn_term_active_id(term, request->caller->key);
	struct tn_term_session *like = NULL;
	struct tn_term_fault ignored;
	struct tn_term_create create = {.caller = request->caller,
					.cwd = request->cwd,
					.env = request->env,
					.columns = 120,
					.rows = 40,
					.sandbox = -1};
	struct tn_term_start start = {.create = &create,
				      .key_of_caller = request->caller->key,
				      .isolated = true,
				      .pipes = !request->pty,
				      .has_stdin = request->has_stdin,
				      .command = request->command,
				      .stdin_text = request->stdin_text};

	if (request->session_id || active)
		like = tn_term_find(term, request->caller, request->session_id,
				    request->session_id ? fault : &ignored);
	if (request->session_id && !like)
		return NULL;
	if (like && !create.cwd)
		create.cwd = tn_term_session_cwd(like);
	if (like)
		create.sandbox = like->sandboxed;
	return tn_term_session_add(term, &start, fault);
}

static struct tn_term_session *default_session(struct tn_term *term,
					       const struct tn_term_caller *caller,
					       struct tn_term_fault *fault)
{
	struct tn_term_create create = {
		.caller = caller, .name = "default", .columns = 120, .rows = 40, .sandbox = -1};
	struct tn_term_start start = {.create = &create, .key_of_caller = caller->key};
	struct tn_term_session *s = tn_term_session_add(term, &start, fault);

	if (s && tn_term_session_open(s))
		tn_term_set_active(term, caller->key, s);
	return s;
}

static size_t queue_length(const struct tn_term_session *s)
{
	size_t count = 0;

	for (const struct tn_term_command *c = s->queue; c; c = c->queue_next)
		count++;
	return count;
}

/* Busy: somebody's command runs, or waits to. */
static struct tn_term_session *choose_if_busy(struct tn_term_session *s,
					      const struct tn_term_execute *request,
					      struct tn_term_fault *fault)
{
	bool busy = s->running || s->queue;

	if (!busy && s->state != TN_TERM_RUNNING && s->state != TN_TERM_WAITING_INPUT)
		return s;
	if (request->if_busy == TN_TERM_NEW_SESSION)
		return temporary_session(s, request, fault);
	if (!check_front(s, fault))
		return NULL;
	if (request->if_busy == TN_TERM_FAIL) {
		tn_term_fault(fault, "busy",
			      "Wait for it (wait_for), or send if_busy: \"new_session\".",
			      "Session \"%s\" is running another command%s%s.", s->name,
			      s->running ? ": " : "", s->running ? s->running->id : "");
		return NULL;
	}
	if (queue_length(s) >= TN_TERM_QUEUE_MAX) {
		tn_term_fault(fault, "busy", "Use another session.",
			      "%zu commands wait in session \"%s\" already.", queue_length(s),
			      s->name);
		return NULL;
	}
	return s;
}

static bool takes_commands(const struct tn_term_session *s, struct tn_term_fault *fault)
{
	if (s->isolated)
		tn_term_fault(fault, "not_supported", "Name another session, or none.",
			      "Session %s is one isolated command and takes no others.", s->id);
	else if (s->stuck)
		tn_term_fault(fault, "stuck",
			      "send_keys may free it; otherwise close_session with force: true, "
			      "then create_session.",
			      "Session \"%s\" shows no prompt after its command was ended.",
			      s->name);
	return !s->isolated && !s->stuck;
}

static struct tn_term_session *choose_session(struct tn_term *term,
					      const struct tn_term_execute *request,
					      struct tn_term_fault *fault)
{
	struct tn_term_session *s;

	if (request->isolated)
		return isolated_session(term, request, fault);
	if (!request->session_id && !tn_term_active_id(term, request->caller->key))
		return default_session(term, request->caller, fault);
	s = tn_term_find(term, request->caller, request->session_id, fault);
	if (!s || !tn_term_usable(s, request->caller, fault) || !takes_commands(s, fault))
		return NULL;
	return choose_if_busy(s, request, fault);
}

static void begin_command(struct tn_term_session *s, struct tn_term_command *c)
{
	if (c->isolated) {
		s->running = c;
		c->started_ms = tn_term_now(s->term);
		c->delivered = c->started = true;
		c->status = TN_TERM_STATUS_RUNNING;
		if (c->timeout_ms)
			c->stage_ms = c->started_ms + c->timeout_ms;
		tn_term_command_keep(c);
	} else {
		tn_term_command_queue(c);
		tn_term_session_pump(s);
	}
	if (!tn_term_session_open(s)) /* its program could not be started */
		tn_term_commands_give_up(s);
	tn_term_session_schedule(s);
}

struct tn_term_op *tn_term_execute(void *self, const struct tn_term_execute *request,
				   tn_term_executed_fn *done, void *data)
{
	struct tn_term *term = self;
	struct tn_term_fault fault = {0};
	struct tn_term_session *s = choose_session(term, request, &fault);
	struct tn_term_command *c = s ? make_command(s, request, &fault) : NULL;
	bool made = s && (s->temporary || s->isolated);
	uint32_t hold = request->yield_ms < term->config->max_hold_ms ? request->yield_ms
								      : term->config->max_hold_ms;
	struct tn_term_op *op = NULL;

	if (c && !request->isolated && !set_directory(s, c, request->cwd, &fault)) {
		tn_term_command_free(c);
		c = NULL;
	}
	if (c)
		op = tn_term_op_new(term, OP_EXECUTE, s, hold);
	if (c && !op) {
		tn_term_command_free(c);
		tn_term_fault(&fault, NULL, NULL, "out of memory");
	}
	if (!op) {
		if (made) /* for this alone */
			tn_term_session_close(s, true, 0, NULL, NULL);
		done(NULL, &fault, data);
		return NULL;
	}
	op->command = c;
	op->shaping = request->shaping;
	op->timeout_given = request->timeout_given;
	op->timeout_ms = request->timeout_ms;
	op->yield_ms = hold;
	op->new_session = s->temporary;
	op->done.executed = done;
	op->data = data;
	begin_command(s, c);
	return op;
}

/* ---- get_terminal_output ---- */

static bool read_place(struct tn_term *term, const struct tn_term_read *request,
		       struct tn_term_session **ret, struct tn_term_command **ret_command,
		       struct tn_term_fault *fault)
{
	*ret_command = NULL;
	if (request->command_id) {
		*ret_command =
			tn_term_command_find(term, request->caller, request->command_id, fault);
		*ret = *ret_command ? (*ret_command)->session : NULL;
		if (*ret && request->session_id && strcmp((*ret)->id, request->session_id) != 0) {
			tn_term_fault(fault, "unknown_command", NULL,
				      "Command %.64s ran in session %s, not in %.64s.",
				      request->command_id, (*ret)->id, request->session_id);
			return false;
		}
		return *ret != NULL;
	}
	*ret = tn_term_find(term, request->caller, request->session_id, fault);
	return *ret != NULL;
}

/* Where reading begins; UINT64_MAX: the last lines. */
static bool read_from(const struct tn_term_read *request, const struct tn_term_session *s,
		      const struct tn_term_command *c, uint64_t *ret, struct tn_term_fault *fault)
{
	struct tenon_error err;
	enum tenon_code code;

	*ret = c ? c->started ? c->from : s->offset : UINT64_MAX;
	if (!request->cursor)
		return true;
	code = tn_output_read_cursor(tn_str_from(request->cursor), s->epoch, ret, &err);
	if (code == TENON_OK)
		return true;
	tn_term_fault(fault, "invalid_cursor", "Send next_cursor of an earlier result unchanged.",
		      "cursor: %.200s", err.message);
	return false;
}

struct tn_term_op *tn_term_read(void *self, const struct tn_term_read *request,
				tn_term_read_fn *done, void *data)
{
	struct tn_term *term = self;
	struct tn_term_fault fault = {0};
	struct tn_term_session *s = NULL;
	struct tn_term_command *c = NULL;
	struct tn_term_op *op;
	uint32_t wait = request->wait_ms < term->config->max_hold_ms ? request->wait_ms
								     : term->config->max_hold_ms;
	uint64_t from;

	if (!read_place(term, request, &s, &c, &fault) ||
	    !read_from(request, s, c, &from, &fault)) {
		done(NULL, &fault, data);
		return NULL;
	}
	op = tn_term_op_new(term, OP_READ, s, wait);
	if (!op) {
		tn_term_fault(&fault, NULL, NULL, "out of memory");
		done(NULL, &fault, data);
		return NULL;
	}
	op->command = c;
	op->shaping = request->shaping;
	op->from = from;
	op->done.read = done;
	op->data = data;
	(void)snprintf(op->caller_key, sizeof(op->caller_key), "%s", request->caller->key);
	/* The last lines, once there is something new. */
	op->scan_from = from == UINT64_MAX ? s->offset : from;
	if (wait && !read_is_done(op))
		return op;
	finish_read(op);
	return NULL;
}

/* ---- create_session ---- */

struct tn_term_op *tn_term_create(void *self, const struct tn_term_create *request,
				  tn_term_created_fn *done, void *data)
{
	struct tn_term *term = self;
	struct tn_term_fault fault = {0};
	struct tn_term_start start = {.create = request, .key_of_caller = request->caller->key};
	struct tn_term_session *s = tn_term_session_add(term, &start, &fault);
	/* The path of the user's own shell is asked for before the first one: 5 s at most. */
	struct tn_term_op *op =
		s ? tn_term_op_new(term, OP_CREATE, s,
				   request->program ? QUIET_HEURISTIC_MS : START_LIMIT_MS + 6000)
		  : NULL;

	if (!op) {
		if (s)
			tn_term_fault(&fault, NULL, NULL, "out of memory");
		done(NULL, tn_str("", 0), &fault, data);
		return NULL;
	}
	op->done.created = done;
	op->data = data;
	(void)snprintf(op->caller_key, sizeof(op->caller_key), "%s", request->caller->key);
	op->activates = request->activate;
	tn_term_session_moved(s); /* it may have failed at once */
	return op;
}
