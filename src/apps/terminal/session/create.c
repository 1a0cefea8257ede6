/* create_session: a session is made, and answered for when its program is ready. */
#include "apps/terminal/session/operation.h"

#include <stdio.h>

/* ---- the answer ---- */

static void finish(struct tn_term_op *op)
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
		tn_term_fault_not_started(&fault, s);
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
static bool is_done(const struct tn_term_op *op)
{
	const struct tn_term_session *s = op->session;

	if (!tn_term_session_open(s))
		return true;
	if (s->program)
		return s->pty && s->offset > 0 &&
		       tn_term_now(op->term) - s->output_ms >= QUIET_HEURISTIC_MS;
	return s->state != TN_TERM_STARTING;
}

static bool look(struct tn_term_op *op)
{
	bool done = is_done(op);

	if (done)
		finish(op);
	return done;
}

static void time_is_over(struct tn_term_op *op)
{
	/* A program's path is asked for first; it is told as it is then. */
	if (!is_done(op) && op->session->program &&
	    tn_term_now(op->term) - op->begun_ms < CREATE_HOLD_MS / 3)
		tn_timer_start(op->timer, QUIET_HEURISTIC_MS);
	else
		finish(op);
}

static const struct tn_term_op_kind create_kind = {
	.look = look, .time = time_is_over, .lose = finish};

/* ---- the beginning ---- */

void tn_term_create_wish(const struct tn_term_create *request, struct tn_term_run_wish *ret)
{
	*ret = (struct tn_term_run_wish){
		.place = {.caller = request->caller, .cwd = request->cwd, .is_new = true},
		.program = request->program,
		.outside = request->sandbox == 0,
		.env = request->env,
		.shell = request->program ? NULL : request->shell};
}

struct tn_term_op *tn_term_create(void *self, const struct tn_term_create *request,
				  tn_term_created_fn *done, void *data)
{
	struct tn_term *term = self;
	struct tn_term_fault fault = {0};
	struct tn_term_start start = {
		.create = request, .run = request->run, .key_of_caller = request->caller->key};
	struct tn_term_run own = {.inputs = NULL};
	struct tn_term_session *s = NULL;
	struct tn_term_run_wish wish;
	struct tn_term_op *op = NULL;
	uint32_t hold = QUIET_HEURISTIC_MS;

	tn_term_create_wish(request, &wish);
	if (!start.run && tn_term_run_resolve(term, term->config, &wish, &own, &fault))
		start.run = &own;
	if (start.run)
		s = tn_term_session_add(term, &start, &fault);
	tn_term_run_finish(&own);
	/* The path of the user's own shell is asked for before the first one: 5 s at most. */
	if (s && !request->program)
		hold = s->start_timeout_ms < CREATE_HOLD_MS ? s->start_timeout_ms : CREATE_HOLD_MS;
	if (s)
		op = tn_term_op_new(term, &create_kind, s, hold);
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
