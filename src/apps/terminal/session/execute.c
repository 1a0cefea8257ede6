/* execute_command: a command is made, given to its session, and answered for. */
#include "apps/terminal/session/operation.h"

#include <string.h>

/* ---- the answer ---- */

/* It has not run, and there is more to say of it than that. False: there is not. */
static bool fault_not_run(const struct tn_term_op *op, struct tn_term_fault *fault)
{
	struct tn_term_command *c = op->command;

	if (op->session->state == TN_TERM_FAILED) {
		tn_term_fault_not_started(fault, op->session);
	} else if (c->changed) {
		tn_term_fault_changed(fault);
	} else if (c->problem) {
		tn_term_fault(
			fault, "io_error",
			"Free some space where the daemon keeps its state, then send it again.",
			"The command was not run, because it could not be handed to the shell: "
			"%s.",
			c->problem);
	} else if (c->status == TN_TERM_NOT_STARTED && tn_term_session_starting(op->session)) {
		tn_term_start_fault(c, fault);
	} else if (c->status == TN_TERM_QUEUED && !tn_term_check_front(op->session, fault)) {
		/* What is in front began to wait for input with this behind it: it would never
		 * run. */
		tn_term_command_withdraw(c);
	} else {
		return false;
	}
	return true;
}

/* A refusal of the sandbox is one like any other; this is as much as can be known. */
static bool looks_refused(const struct tn_term_executed *result)
{
	static const char *const words[] = {"ermission denied", "peration not permitted",
					    "ead-only file system", "EACCES", "EPERM"};
	const struct tn_buf *texts[] = {&result->output.text, &result->error_output};
	bool found = false;

	for (size_t i = 0; i < TN_COUNT(texts) && result->command.exit_code != 0; i++) {
		for (size_t j = 0; j < TN_COUNT(words) && texts[i]->size; j++)
			found = found ||
				memmem(texts[i]->data, texts[i]->size, words[j], strlen(words[j]));
	}
	return found;
}

static void finish(struct tn_term_op *op)
{
	struct tn_term_executed result;
	struct tn_term_fault fault = {0};
	struct tenon_error err;
	enum tenon_code code;
	tn_term_executed_fn *done = op->done.executed;
	void *data = op->data;
	bool temporary = op->new_session;
	struct tn_term_command *c = op->command;

	if (fault_not_run(op, &fault)) {
		tn_term_op_free(op);
		done(NULL, &fault, data);
		return;
	}
	if (c->status == TN_TERM_QUEUED && !c->told) {
		c->told = true;
		tn_journal_command(c);
	}
	code = tn_term_command_result(c, &op->shaping, &result, &err);
	if (code == TENON_OK && op->session->sandboxed && looks_refused(&result)) {
		tn_term_command_warn(c, TN_TERM_SANDBOX_WARNING);
		result.command.warnings = c->warnings;
	}
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

static bool is_done(const struct tn_term_op *op)
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

static bool look(struct tn_term_op *op)
{
	bool done = is_done(op);

	if (done)
		finish(op);
	return done;
}

/* What has not begun nobody waits for any more; what runs may have been meant to go on. */
static void cancel(struct tn_term_op *op)
{
	struct tn_term_command *c = op->command;
	bool interrupts =
		c && !c->ended &&
		(c->status == TN_TERM_QUEUED ||
		 !(op->timeout_given && (op->timeout_ms == 0 || op->timeout_ms > op->yield_ms)));

	tn_term_op_free(op);
	if (interrupts)
		tn_term_command_interrupt(c);
}

static const struct tn_term_op_kind execute_kind = {
	.look = look, .time = finish, .lose = finish, .cancel = cancel};

/* ---- the beginning ---- */

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

/* Where it will be taken to, and back from; and what it was judged by. */
static bool set_inputs(struct tn_term_command *c, const struct tn_term_run *run,
		       struct tn_term_fault *fault)
{
	c->inputs = tn_inputs_ref(run->inputs);
	tn_names_take(&c->session->names, &run->analysis);
	if (run->place.moves)
		c->cwd_wish = tn_mem_copy_text(run->cwd, strlen(run->cwd));
	if (run->place.moves && !c->cwd_wish)
		tn_term_fault(fault, NULL, NULL, "out of memory");
	return !run->place.moves || c->cwd_wish;
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

void tn_term_execute_wish(const struct tn_term_execute *request, struct tn_term_run_wish *ret)
{
	*ret = (struct tn_term_run_wish){
		.place = {.caller = request->caller,
			  .session_id = request->session_id,
			  .cwd = request->cwd,
			  .isolated = request->isolated,
			  .leaves_busy = request->if_busy == TN_TERM_NEW_SESSION},
		.text = request->command,
		.outside = request->outside,
		.env = request->env,
		.stdin_text = request->has_stdin ? request->stdin_text : tn_str(NULL, 0)};
}

static struct tn_term_op *execute(struct tn_term *term, const struct tn_term_execute *request,
				  const struct tn_term_run *run, struct tn_term_fault *fault)
{
	struct tn_term_session *s = tn_term_execute_where(term, request, run, fault);
	struct tn_term_command *c = s ? make_command(s, request, fault) : NULL;
	uint32_t hold =
		request->yield_ms < tn_settings_u32(&term->config->settings, "terminal.max_hold_ms")
			? request->yield_ms
			: tn_settings_u32(&term->config->settings, "terminal.max_hold_ms");
	bool made = s && (s->temporary || s->isolated);
	struct tn_term_op *op = NULL;

	if (c && !request->isolated && !set_inputs(c, run, fault)) {
		tn_term_command_free(c);
		c = NULL;
	}
	if (c)
		op = tn_term_op_new(term, &execute_kind, s, hold);
	if (c && !op) {
		tn_term_command_free(c);
		tn_term_fault(fault, NULL, NULL, "out of memory");
	}
	if (!op) {
		if (made) /* for this alone */
			tn_term_session_close(s, true, 0, NULL, NULL);
		return NULL;
	}
	op->yield_ms = hold;
	op->command = c;
	op->shaping = request->shaping;
	op->timeout_given = request->timeout_given;
	op->timeout_ms = request->timeout_ms;
	op->new_session = s->temporary;
	return op;
}

struct tn_term_op *tn_term_execute(void *self, const struct tn_term_execute *request,
				   tn_term_executed_fn *done, void *data)
{
	struct tn_term *term = self;
	struct tn_term_run_wish wish;
	struct tn_term_run own = {.inputs = NULL};
	const struct tn_term_run *run = request->run;
	struct tn_term_fault fault = {0};
	struct tn_term_op *op = NULL;

	tn_term_execute_wish(request, &wish);
	if (!run && tn_term_run_resolve(term, term->config, &wish, &own, &fault))
		run = &own;
	if (run)
		op = execute(term, request, run, &fault);
	tn_term_run_finish(&own);
	if (!op) {
		done(NULL, &fault, data);
		return NULL;
	}
	op->done.executed = done;
	op->data = data;
	begin_command(op->session, op->command);
	return op;
}
