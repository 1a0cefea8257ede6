/* Calls that wait, whatever for: how long, when they are looked at, how they are given up. */
#include "apps/terminal/session/operation.h"

#include <stdio.h>
#include <string.h>

#include "apps/terminal/redact/regex.h"
#include "base/utf8.h"

/* ---- life ---- */

static void hold_is_over(struct tn_timer *timer, void *data)
{
	struct tn_term_op *op = data;

	(void)timer;
	op->kind->time(op);
}

struct tn_term_op *tn_term_op_new(struct tn_term *term, const struct tn_term_op_kind *kind,
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

/* ---- looking ---- */

void tn_term_ops_look(struct tn_term_session *s)
{
	unsigned round = ++s->look_round;
	struct tn_term_op *op = s->ops;

	/* One that ends may end others, and lead to new ones, which are looked at in the next
	 * turn: after each that ends the list is walked again. */
	while (op) {
		bool ended;

		if (op->looked == round) {
			op = op->next;
			continue;
		}
		op->looked = round;
		ended = op->kind->look(op);
		op = ended ? s->ops : op->next;
	}
}

void tn_term_ops_lose(struct tn_term_session *s)
{
	while (s->ops)
		s->ops->kind->lose(s->ops);
}

void tn_term_ops_lose_command(struct tn_term_session *s, const struct tn_term_command *c)
{
	struct tn_term_op *op = s->ops;

	while (op) {
		if (op->command != c) {
			op = op->next;
			continue;
		}
		op->kind->lose(op);
		op = s->ops;
	}
}

void tn_term_op_cancel(void *self, struct tn_term_op *op)
{
	(void)self;
	if (op->kind->cancel)
		op->kind->cancel(op);
	else
		tn_term_op_free(op);
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
