#include "apps/terminal/policy/analysis_list.h"

#include "apps/terminal/limits.h"
#include "base/size.h"

/* ---- what is around a command ---- */

static const char too_deep[] = "it is nested too deeply";

static struct tn_frame *push_frame(struct tn_list *l, enum tn_frame_kind kind)
{
	struct tn_analyser *a = l->r->a;
	struct tn_frame *up = l->frame, *frame;

	if (up && up->depth >= TN_ANALYSIS_DEPTH_MAX) {
		tn_reader_fault(l->r, too_deep);
		return NULL;
	}
	frame = tn_analysis_alloc(a, 1, sizeof(*frame));
	if (!frame)
		return NULL;
	frame->kind = kind;
	frame->up = up;
	frame->cwd = a->cwd;
	frame->from = frame->pipe_from = a->count;
	frame->function = l->function;
	frame->body_at = l->body_at;
	a->in_function += frame->function.size > 0;
	l->function = tn_str(NULL, 0);
	if (up) {
		frame->depth = up->depth + 1;
		frame->in_pipe = up->in_pipe || up->piped;
		frame->fed_from = up->piped ? up->pipe_from : up->fed_from;
	} else {
		frame->in_pipe = l->r->scope.reads_pipe;
		frame->fed_from = l->r->scope.fed_from;
	}
	l->frame = frame;
	return frame;
}

/* A function that starts itself behind a pipe or in the background, twice, or and does nothing
 * else, fills the process table. */
static void look_for_bomb(struct tn_analyser *a, const struct tn_frame *frame)
{
	size_t calls = 0, forks = 0;

	for (size_t i = frame->from; i < a->count; i++) {
		const struct tn_simple_command *c = &a->commands[i];

		if (!tn_str_equal(c->path, frame->function))
			continue;
		calls++;
		forks += c->reads_pipe || c->in_background;
	}
	if (!forks || (calls < 2 && a->count - frame->from > 1))
		return;
	for (size_t i = frame->from; i < a->count; i++)
		a->commands[i].forks_itself = true;
}

static void learn_function(struct tn_list *l, const struct tn_frame *frame)
{
	struct tn_reader *r = l->r;
	struct tn_str body =
		tn_str_trim(tn_str(r->text.data + frame->body_at, r->at - frame->body_at));

	if (frame->kind == TN_FRAME_BLOCK && tn_str_ends(body, TN_STR("end")))
		body.size -= 3; /* fish: nothing in it has opened that */
	tn_analysis_learn(r->a, &r->a->functions, frame->function, body);
}

static void pop_frame(struct tn_list *l)
{
	struct tn_frame *frame = l->frame;

	if (frame->kind == TN_FRAME_PAREN)
		l->r->a->cwd = frame->cwd;
	l->closed_from = frame->from;
	l->has_closed = true;
	l->frame = frame->up;
	l->r->a->in_function -= frame->function.size > 0;
	if (frame->function.size && l->frame) {
		look_for_bomb(l->r->a, frame);
		learn_function(l, frame);
	}
}

void tn_list_close(struct tn_list *l, enum tn_frame_kind kind)
{
	if (l->frame->kind == kind && l->frame->up)
		pop_frame(l);
	else
		tn_reader_fault(l->r, "something is closed that was not opened");
}

bool tn_list_open(struct tn_list *l, enum tn_frame_kind kind)
{
	return push_frame(l, kind) != NULL;
}

/* ---- blanks and separators ---- */

/* Letters of a blank at the reader's place: a line that goes on is one. */
static size_t blank_size(const struct tn_reader *r)
{
	int c = tn_reader_peek(r, 0), next = tn_reader_peek(r, 1);

	if (c == ' ' || c == '\t' || (c == '\r' && (next == '\n' || next < 0)))
		return 1;
	if (c == '\\' && next == '\n')
		return 2;
	return c == '\\' && next == '\r' && tn_reader_peek(r, 2) == '\n' ? 3 : 0;
}

void tn_list_skip_blanks(struct tn_reader *r)
{
	size_t size;

	while ((size = blank_size(r)) > 0)
		r->at += size;
	if (tn_reader_peek(r, 0) == '#' && !r->a->around->no_comments) {
		while (tn_reader_peek(r, 0) >= 0 && tn_reader_peek(r, 0) != '\n')
			r->at++;
	}
}

void tn_list_skip_lines(struct tn_reader *r)
{
	tn_list_skip_blanks(r);
	while (tn_reader_peek(r, 0) == '\n') {
		r->at++;
		tn_here_read_all(r);
		tn_list_skip_blanks(r);
	}
}

static void end_pipeline(struct tn_list *l)
{
	l->frame->piped = false;
	l->frame->pipe_from = l->r->a->count;
	l->has_closed = false;
}

static void end_in_background(struct tn_list *l)
{
	struct tn_analyser *a = l->r->a;

	for (size_t i = l->frame->pipe_from; i < a->count; i++)
		a->commands[i].in_background = true;
	end_pipeline(l);
}

/* ---- case ---- */

/* From a pattern to its closing parenthesis; or `esac`. */
void tn_list_read_patterns(struct tn_list *l)
{
	struct tn_reader *r = l->r;
	size_t base = r->a->words.count;

	tn_list_skip_lines(r);
	if (tn_list_take_keyword(r, "esac")) {
		tn_list_close(l, TN_FRAME_CASE);
		return;
	}
	if (tn_reader_peek(r, 0) == '(')
		r->at++;
	for (;;) {
		int c;

		tn_list_skip_lines(r);
		c = tn_reader_peek(r, 0);
		if (c == ')' || c < 0 || tn_analysis_stopped(r->a))
			break;
		if (c == '|')
			r->at++;
		else if (tn_word_ends(r, c)) {
			tn_reader_fault(r, "a pattern of case is not closed");
			r->at++;
		} else
			(void)tn_word_read_value(r);
	}
	r->a->words.count = base;
	if (tn_reader_peek(r, 0) == ')')
		r->at++;
	else
		tn_reader_fault(r, "a pattern of case is not closed");
}

static void read_semicolon(struct tn_list *l)
{
	struct tn_reader *r = l->r;
	int next = tn_reader_peek(r, 1);

	end_pipeline(l);
	if (l->frame->kind == TN_FRAME_CASE && (next == ';' || next == '&')) {
		r->at += next == ';' && tn_reader_peek(r, 2) == '&' ? 3 : 2;
		tn_list_read_patterns(l);
		return;
	}
	r->at++;
}

/* ---- operators ---- */

static void read_ampersand(struct tn_list *l)
{
	struct tn_reader *r = l->r;
	int next = tn_reader_peek(r, 1);

	if (next == '>') {
		tn_list_read_simple(l);
	} else if (next == '&') {
		end_pipeline(l);
		l->frame->joined = true;
		r->at += 2;
	} else if (next == '|' && r->scope.dialect == TN_DIALECT_FISH) {
		l->frame->piped = true;
		r->at += 2;
	} else {
		end_in_background(l);
		r->at++;
	}
}

static void read_bar(struct tn_list *l)
{
	struct tn_reader *r = l->r;
	int next = tn_reader_peek(r, 1);

	if (next == '|') {
		end_pipeline(l);
	} else {
		l->frame->piped = true;
		l->has_closed = false;
	}
	l->frame->joined = true;
	r->at += next == '|' || next == '&' ? 2 : 1;
}

/* dash reads ((...)) as two subshells; bash and zsh read arithmetic. */
static void read_open(struct tn_list *l)
{
	struct tn_reader *r = l->r;

	if (tn_reader_peek(r, 1) == '(' && r->scope.dialect == TN_DIALECT_BASH &&
	    tn_arithmetic_read(r))
		return;
	r->at++;
	l->frame->joined = false;
	(void)tn_list_open(l, TN_FRAME_PAREN);
}

/* False: it was the end of the list. */
static bool read_close(struct tn_list *l)
{
	struct tn_reader *r = l->r;

	r->at++;
	if (l->frame->kind == TN_FRAME_PAREN) {
		pop_frame(l);
		return true;
	}
	if (l->closer == ')') {
		l->is_closed = true;
		return false; /* what is still open is told there */
	}
	tn_reader_fault(r, "a parenthesis is closed that was not opened");
	return true;
}

/* ---- the list ---- */

/* One step; false: the list is over. */
static bool step(struct tn_list *l)
{
	struct tn_reader *r = l->r;
	int c;

	tn_list_skip_blanks(r);
	c = tn_reader_peek(r, 0);
	switch (c) {
	case -1:
		if (r->is_outermost && l->frame->joined)
			r->a->incomplete = true;
		return false;
	case '\n':
		r->at++;
		end_pipeline(l);
		tn_here_read_all(r);
		return true;
	case ';':
		read_semicolon(l);
		return true;
	case '&':
		read_ampersand(l);
		return true;
	case '|':
		read_bar(l);
		return true;
	case '(':
		read_open(l);
		return true;
	case ')':
		return read_close(l);
	default:
		tn_list_read_command(l);
		return true;
	}
}

/* False: a closing parenthesis is missing. */
static bool read_list(struct tn_reader *r, char closer)
{
	struct tn_list l = {.r = r, .closer = closer};
	unsigned in_function = r->a->in_function;
	size_t base = r->a->words.count;
	struct tn_scope scope = r->scope;

	if (!push_frame(&l, TN_FRAME_TOP))
		return false;
	while (!tn_analysis_stopped(r->a)) {
		size_t before = r->at;

		if (!step(&l))
			break;
		tn_assert(r->at > before || tn_analysis_stopped(r->a));
	}
	if (l.frame->up)
		tn_reader_fault(r, "something is opened that is not closed");
	tn_here_end(r);
	r->a->in_function = in_function; /* of what was not closed */
	r->a->words.count = base;
	r->scope = scope;
	return l.is_closed;
}

bool tn_analysis_substitution(struct tn_reader *r)
{
	struct tn_here *heres = r->heres;
	struct tn_held_run *held = r->held;
	struct tn_str cwd = r->a->cwd;
	bool closed = false;

	r->heres = NULL;
	r->held = NULL;
	r->at++; /* the parenthesis */
	if (tn_analysis_enter(r->a, 0)) {
		closed = read_list(r, ')');
		tn_analysis_leave(r->a);
	} else {
		r->at = r->text.size; /* the rest is not understood, and said to be opaque */
		closed = true;
	}
	r->a->cwd = cwd;
	r->heres = heres;
	r->held = held;
	return closed;
}

void tn_analysis_text(struct tn_analyser *a, struct tn_str text, const struct tn_scope *scope)
{
	struct tn_reader r = {.a = a, .text = text, .scope = *scope};

	r.is_outermost = a->depth == 0;

	if (text.size && memchr(text.data, '\0', text.size))
		tn_analysis_hidden(a, "it has a NUL byte");
	if (!tn_analysis_enter(a, text.size))
		return;
	(void)read_list(&r, '\0');
	tn_analysis_leave(a);
}

void tn_reader_fault(struct tn_reader *r, const char *what)
{
	size_t from = r->at > 12 ? r->at - 12 : 0;
	size_t end = r->at + 12 < r->text.size ? r->at + 12 : r->text.size;

	if (r->is_outermost && r->at >= r->text.size)
		r->a->incomplete = true;
	tn_analysis_hidden_at(r->a, what, tn_str(r->text.data + from, end - from));
}
