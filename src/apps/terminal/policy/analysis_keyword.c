#include "apps/terminal/policy/analysis_list.h"

#include "base/size.h"

static bool is_fish(const struct tn_list *l)
{
	return l->r->scope.dialect == TN_DIALECT_FISH;
}

bool tn_list_take_keyword(struct tn_reader *r, const char *keyword)
{
	size_t size = strlen(keyword);
	struct tn_str rest = tn_str_from_offset(r->text, r->at);

	if (!tn_str_starts(rest, tn_str(keyword, size)) ||
	    !(tn_word_ends(r, tn_reader_peek(r, size)) || tn_reader_peek(r, size) == '\r'))
		return false;
	r->at += size;
	return true;
}

static void skip_words(struct tn_list *l)
{
	struct tn_reader *r = l->r;
	size_t base = r->a->words.count;

	for (;;) {
		tn_list_skip_blanks(r);
		if (tn_word_ends(r, tn_reader_peek(r, 0)) || tn_analysis_stopped(r->a))
			break;
		tn_word_read(r);
	}
	r->a->words.count = base;
}

/* ---- what opens and closes ---- */

static void open_if(struct tn_list *l)
{
	(void)tn_list_open(l, is_fish(l) ? TN_FRAME_BLOCK : TN_FRAME_IF);
}

static void go_on_if(struct tn_list *l)
{
	if (l->frame->kind != TN_FRAME_IF)
		tn_reader_fault(l->r, "a keyword stands where it cannot");
}

static void read_else(struct tn_list *l)
{
	if (!is_fish(l)) {
		go_on_if(l);
		return;
	}
	tn_list_skip_blanks(l->r);
	(void)tn_list_take_keyword(l->r, "if");
}

static void close_if(struct tn_list *l)
{
	tn_list_close(l, TN_FRAME_IF);
}

static void open_while(struct tn_list *l)
{
	(void)tn_list_open(l, is_fish(l) ? TN_FRAME_BLOCK : TN_FRAME_LOOP_HEAD);
}

static void read_do(struct tn_list *l)
{
	if (l->frame->kind == TN_FRAME_LOOP_HEAD || l->frame->kind == TN_FRAME_FOR_HEAD)
		l->frame->kind = TN_FRAME_LOOP;
	else
		tn_reader_fault(l->r, "a keyword stands where it cannot");
}

static void close_loop(struct tn_list *l)
{
	tn_list_close(l, TN_FRAME_LOOP);
}

static void open_brace(struct tn_list *l)
{
	if (l->frame->kind == TN_FRAME_FOR_HEAD)
		l->frame->kind = TN_FRAME_BRACE;
	else
		(void)tn_list_open(l, TN_FRAME_BRACE);
}

static void close_brace(struct tn_list *l)
{
	tn_list_close(l, TN_FRAME_BRACE);
}

static void close_case(struct tn_list *l)
{
	tn_list_close(l, TN_FRAME_CASE);
}

static void open_block(struct tn_list *l)
{
	(void)tn_list_open(l, TN_FRAME_BLOCK);
}

static void close_block(struct tn_list *l)
{
	tn_list_close(l, TN_FRAME_BLOCK);
}

static void pass(struct tn_list *l)
{
	(void)l;
}

/* ---- for, select ---- */

/* The variable stands for the first of them, as far as we know. */
static void read_for_words(struct tn_list *l, struct tn_str name)
{
	struct tn_analyser *a = l->r->a;
	size_t base = a->words.count;

	for (;;) {
		tn_list_skip_blanks(l->r);
		if (tn_word_ends(l->r, tn_reader_peek(l->r, 0)) || tn_analysis_stopped(a))
			break;
		tn_word_read(l->r);
	}
	for (size_t i = a->words.count; i > base; i--) {
		if (!(a->words.items[i - 1].flags & TN_WORD_UNKNOWN))
			tn_analysis_learn(a, &a->variables, name, a->words.items[i - 1].text);
	}
	a->words.count = base;
}

static void open_for(struct tn_list *l)
{
	struct tn_reader *r = l->r;
	struct tn_word name;

	tn_list_skip_blanks(r);
	if (tn_reader_peek(r, 0) == '(' && tn_reader_peek(r, 1) == '(') {
		if (!tn_arithmetic_read(r))
			tn_reader_fault(r, "for ((: is not closed");
	} else {
		name = tn_word_read_value(r);
		tn_list_skip_lines(r);
		if (tn_list_take_keyword(r, "in"))
			read_for_words(l, name.text);
	}
	(void)tn_list_open(l, is_fish(l) ? TN_FRAME_BLOCK : TN_FRAME_FOR_HEAD);
}

/* ---- case, switch ---- */

static void open_case(struct tn_list *l)
{
	struct tn_reader *r = l->r;

	if (is_fish(l)) {
		skip_words(l);
		return;
	}
	tn_list_skip_blanks(r);
	(void)tn_word_read_value(r);
	tn_list_skip_lines(r);
	if (!tn_list_take_keyword(r, "in")) {
		tn_reader_fault(r, "a case has no in");
		return;
	}
	if (tn_list_open(l, TN_FRAME_CASE))
		tn_list_read_patterns(l);
}

static void open_switch(struct tn_list *l)
{
	skip_words(l);
	open_block(l);
}

/* ---- functions ---- */

static void open_function(struct tn_list *l)
{
	struct tn_reader *r = l->r;
	struct tn_word name;

	tn_list_skip_blanks(r);
	if (tn_reader_peek(r, 0) == '{')
		return; /* zsh: it has no name, and runs at once */
	name = tn_word_read_value(r);
	l->function = name.text;
	if (is_fish(l)) {
		skip_words(l);
		l->body_at = r->at;
		open_block(l);
		return;
	}
	tn_list_skip_lines(r);
	if (tn_reader_peek(r, 0) == '(' && tn_reader_peek(r, 1) == ')')
		r->at += 2;
	tn_list_skip_lines(r);
	l->body_at = r->at;
}

/* coproc [NAME] { ...; } */
static void read_coproc(struct tn_list *l)
{
	struct tn_reader *r = l->r;
	size_t at;

	tn_list_skip_blanks(r);
	at = r->at;
	while (tn_is_alpha((char)tn_reader_peek(r, 0)) || tn_reader_peek(r, 0) == '_')
		r->at++;
	if (r->at > at) {
		tn_list_skip_blanks(r);
		if (tn_reader_peek(r, 0) == '(' || tn_reader_peek(r, 0) == '{')
			return;
	}
	r->at = at;
}

/* ---- [[ ... ]] ---- */

static void read_test(struct tn_list *l)
{
	struct tn_reader *r = l->r;

	for (;;) {
		int c;

		tn_list_skip_lines(r);
		c = tn_reader_peek(r, 0);
		if (c < 0 || tn_analysis_stopped(r->a)) {
			tn_reader_fault(r, "[[ is not closed");
			return;
		}
		if (tn_list_take_keyword(r, "]]"))
			return;
		if (c == '<' && tn_reader_peek(r, 1) == '(') {
			r->at++;
			(void)tn_analysis_substitution(r);
		} else if (tn_word_ends(r, c)) {
			r->at++; /* an operator, or a parenthesis of a pattern */
		} else {
			tn_builtin_evaluate(r->a, &r->scope, tn_word_read_value(r).text);
		}
	}
}

/* ---- the table ---- */

enum { IN_BASH = 1, IN_SH = 2, IN_FISH = 4, IN_ALL = 7, IN_POSIX = 3 };

static const struct {
	const char *name;
	unsigned where;
	void (*read)(struct tn_list *l);
} keywords[] = {
	{"if", IN_ALL, open_if},
	{"then", IN_POSIX, go_on_if},
	{"elif", IN_POSIX, go_on_if},
	{"else", IN_ALL, read_else},
	{"fi", IN_POSIX, close_if},
	{"while", IN_ALL, open_while},
	{"until", IN_POSIX, open_while},
	{"for", IN_ALL, open_for},
	{"select", IN_BASH, open_for},
	{"do", IN_POSIX, read_do},
	{"done", IN_POSIX, close_loop},
	{"case", IN_ALL, open_case},
	{"esac", IN_POSIX, close_case},
	{"{", IN_ALL, open_brace},
	{"}", IN_ALL, close_brace},
	{"!", IN_ALL, pass},
	{"time", IN_ALL, pass},
	{"function", IN_BASH | IN_FISH, open_function},
	{"coproc", IN_BASH, read_coproc},
	{"[[", IN_BASH, read_test},
	{"switch", IN_FISH, open_switch},
	{"begin", IN_FISH, open_block},
	{"end", IN_FISH, close_block},
	{"and", IN_ALL, pass},
	{"or", IN_ALL, pass},
	{"not", IN_ALL, pass},
};

/* The keyword `time` has no option but -p; the program of this name has. */
static bool is_program_time(const struct tn_reader *r)
{
	size_t at = 4;

	while (tn_reader_peek(r, at) == ' ' || tn_reader_peek(r, at) == '\t')
		at++;
	return tn_reader_peek(r, at) == '-';
}

void tn_list_read_command(struct tn_list *l)
{
	static const unsigned bits[] = {IN_BASH, IN_SH, IN_FISH};
	struct tn_reader *r = l->r;

	l->frame->joined = false;
	for (size_t i = 0; i < TN_COUNT(keywords); i++) {
		if (!(keywords[i].where & bits[r->scope.dialect]) ||
		    keywords[i].name[0] != r->text.data[r->at])
			continue;
		if (strcmp(keywords[i].name, "time") == 0 && is_program_time(r))
			continue;
		if (tn_list_take_keyword(r, keywords[i].name)) {
			keywords[i].read(l);
			return;
		}
	}
	tn_list_read_simple(l);
}
