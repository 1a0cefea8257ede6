/* get_terminal_output: what stands between a cursor and now, at once or when there is something. */
#include "apps/terminal/session/operation.h"

#include <stdio.h>
#include <string.h>

/* ---- the answer ---- */

/* How far there is something to read for it: of a command that has not begun there is nothing. */
static uint64_t read_to(const struct tn_term_op *op)
{
	const struct tn_term_command *c = op->command;

	if (!c)
		return op->session->offset;
	return c->ended ? c->to : c->started ? op->session->offset : op->from;
}

static void finish(struct tn_term_op *op)
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
	result.has_ended = c && c->ended;
	if (result.has_ended)
		tn_term_command_describe(c, &result.command);
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

static bool is_done(const struct tn_term_op *op)
{
	const struct tn_term_command *c = op->command;
	uint64_t from = c && c->started && op->scan_from < c->from ? c->from : op->scan_from;

	return read_to(op) > from || !tn_term_session_open(op->session) || (c && c->ended);
}

static bool look(struct tn_term_op *op)
{
	bool done = is_done(op);

	if (done)
		finish(op);
	return done;
}

static const struct tn_term_op_kind read_kind = {.look = look, .time = finish, .lose = finish};

/* ---- the beginning ---- */

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
	uint32_t wait =
		request->wait_ms < tn_settings_u32(&term->config->settings, "terminal.max_hold_ms")
			? request->wait_ms
			: tn_settings_u32(&term->config->settings, "terminal.max_hold_ms");
	uint64_t from;

	if (!read_place(term, request, &s, &c, &fault) ||
	    !read_from(request, s, c, &from, &fault)) {
		done(NULL, &fault, data);
		return NULL;
	}
	op = tn_term_op_new(term, &read_kind, s, wait);
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
	if (wait && !is_done(op))
		return op;
	finish(op);
	return NULL;
}
