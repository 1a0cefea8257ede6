#include "apps/terminal/policy/analysis_list.h"

struct tn_here {
	struct tn_here *next;
	struct tn_str end; /* the line that ends it */
	bool strip, quoted;
	struct tn_run *run;
};

struct tn_held_run {
	struct tn_held_run *next;
	struct tn_run *run;
};

static void push_text(struct tn_analyser *a, struct tn_str **list, size_t *count,
		      struct tn_str text)
{
	if ((*count & (*count - 1)) == 0) { /* 0, 1, 2, 4, ... are full */
		struct tn_str *more = tn_analysis_alloc(a, *count ? 2 * *count : 1, sizeof(*more));

		if (!more)
			return;
		if (*count)
			memcpy(more, *list, *count * sizeof(*more));
		*list = more;
	}
	(*list)[(*count)++] = text;
}

/* ---- redirections ---- */

enum direction { TO, FROM, BOTH, COPY_TO, COPY_FROM, HERE, HERE_STRIPPED, HERE_STRING };

static const struct {
	const char *text;
	enum direction direction;
} operators[] = {
	{"&>>", TO},  {"&>", TO},      {"<<<", HERE_STRING}, {"<<-", HERE_STRIPPED},
	{"<<", HERE}, {"<>", BOTH},    {"<&", COPY_FROM},    {">>", TO},
	{">|", TO},   {">&", COPY_TO}, {">!", TO},           {">?", TO},
	{"<", FROM},  {">", TO},
};

/* Where the operator of a redirection begins; false: there is none here. */
static bool find_operator(const struct tn_reader *r, size_t *ret)
{
	size_t at = 0;

	if (tn_reader_peek(r, 0) == '{') { /* {name}> */
		at = 1;
		while (tn_is_alpha((char)tn_reader_peek(r, at)) || tn_reader_peek(r, at) == '_')
			at++;
		if (tn_reader_peek(r, at++) != '}')
			return false;
	} else {
		while (tn_reader_peek(r, at) >= 0 && tn_is_digit((char)tn_reader_peek(r, at)))
			at++;
	}
	*ret = at;
	if (at == 0 && tn_reader_peek(r, 0) == '&')
		return tn_reader_peek(r, 1) == '>';
	if (tn_reader_peek(r, at) != '<' && tn_reader_peek(r, at) != '>')
		return false;
	/* Without a number it may be a process substitution. */
	return at > 0 || tn_reader_peek(r, 1) != '(' || r->scope.dialect == TN_DIALECT_FISH;
}

static bool take_operator(struct tn_reader *r, enum direction *ret)
{
	struct tn_str rest = tn_str_from_offset(r->text, r->at);

	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		const char *text = operators[i].text;

		if (!tn_str_starts(rest, tn_str_from(text)))
			continue;
		/* fish: 2>| is a pipe; elsewhere `>!` and `>?` may begin a word. */
		if (r->scope.dialect == TN_DIALECT_FISH && text[1] == '|') {
			r->at++;
			return false;
		}
		if ((text[1] == '!' || text[1] == '?') && r->scope.dialect != TN_DIALECT_FISH &&
		    !tn_word_ends(r, tn_reader_peek(r, 2)))
			continue;
		r->at += strlen(text);
		*ret = operators[i].direction;
		return true;
	}
	return false;
}

/* The line that ends a here-document: quotes are taken off, nothing is expanded. */
static struct tn_str read_end_word(struct tn_reader *r, bool *ret_quoted)
{
	struct tn_buf *letters = &r->a->letters;
	size_t start = letters->size, size;
	char quote = 0, *copy;
	int c;

	*ret_quoted = false;
	while ((c = tn_reader_peek(r, 0)) > 0 && (quote || !tn_word_ends(r, c)) && c != '\n') {
		bool is_quote = quote ? c == quote : strchr("'\"\\", c) != NULL;

		r->at++;
		*ret_quoted = *ret_quoted || is_quote;
		if (!is_quote)
			tn_buf_append_byte(letters, (char)c);
		else if (c != '\\')
			quote = quote ? 0 : (char)c;
	}
	size = letters->size - start;
	copy = tn_analysis_alloc(r->a, size + 1, 1);
	if (copy && size)
		memcpy(copy, letters->data + start, size);
	letters->size = start;
	return tn_str(copy ? copy : "", copy ? size : 0);
}

static void begin_here(struct tn_reader *r, struct tn_run *run, bool strip)
{
	struct tn_here *here = tn_analysis_alloc(r->a, 1, sizeof(*here)), **link = &r->heres;

	if (!here)
		return;
	here->end = read_end_word(r, &here->quoted);
	here->strip = strip;
	here->run = run;
	for (; *link; link = &(*link)->next)
		tn_analysis_spend(r->a, 1); /* a thousand of one line wait for its end */
	*link = here;
}

/* A word, or a process substitution. */
static struct tn_word read_target(struct tn_reader *r)
{
	int c = tn_reader_peek(r, 0);

	if ((c == '<' || c == '>') && tn_reader_peek(r, 1) == '(') {
		r->at++;
		if (!tn_analysis_substitution(r))
			tn_reader_fault(r, "a process substitution is not closed");
		return (struct tn_word){.text = tn_str("", 0),
					.flags = TN_WORD_UNKNOWN | TN_WORD_PROCESS};
	}
	if (tn_word_ends(r, c))
		tn_reader_fault(r, "a redirection goes nowhere");
	return tn_word_read_value(r);
}

static bool is_descriptor(struct tn_str text)
{
	for (size_t i = 0; i < text.size; i++) {
		if (!tn_is_digit(text.data[i]) && text.data[i] != '-')
			return false;
	}
	return text.size > 0;
}

static void take_input(struct tn_run *run, struct tn_word word)
{
	run->input_redirected = true;
	run->input = word.text;
	run->input_flags = word.flags;
}

/* A file, or a descriptor that is a copy of another. */
static void take_file(struct tn_reader *r, struct tn_run *run, enum direction direction,
		      struct tn_word word, bool of_input)
{
	bool copies = direction == COPY_TO || direction == COPY_FROM;

	if (copies && is_descriptor(word.text)) {
		if (of_input && direction == COPY_FROM && !tn_str_is(word.text, "-"))
			take_input(run, (struct tn_word){.text = {NULL, 0}});
		return;
	}
	if (direction == TO || direction == BOTH || direction == COPY_TO)
		push_text(r->a, &run->writes, &run->write_count, word.text);
	if (direction == TO || direction == COPY_TO)
		return;
	push_text(r->a, &run->reads, &run->read_count, word.text);
	if (of_input) {
		word.text = tn_str(NULL, 0);
		take_input(run, word);
	}
}

static void read_redirection(struct tn_reader *r, struct tn_run *run, size_t skip)
{
	bool of_input = skip == 0 || (skip == 1 && tn_reader_peek(r, 0) == '0');
	enum direction direction;
	struct tn_word word;

	r->at += skip;
	if (!take_operator(r, &direction))
		return;
	tn_list_skip_blanks(r);
	if (direction == HERE || direction == HERE_STRIPPED) {
		run->input_redirected = run->input_redirected || of_input;
		begin_here(r, of_input ? run : NULL, direction == HERE_STRIPPED);
		return;
	}
	word = read_target(r);
	if (direction != HERE_STRING)
		take_file(r, run, direction, word, of_input);
	else if (of_input)
		take_input(run, word);
}

/* ---- here-documents ---- */

static struct tn_str without_tabs(struct tn_analyser *a, struct tn_str text)
{
	char *copy = tn_analysis_alloc(a, text.size + 1, 1);
	size_t size = 0;
	bool begins = true;

	for (size_t i = 0; copy && i < text.size; i++) {
		if (begins && text.data[i] == '\t')
			continue;
		begins = text.data[i] == '\n';
		copy[size++] = text.data[i];
	}
	return tn_str(copy ? copy : "", size);
}

static struct tn_str next_line(struct tn_reader *r)
{
	struct tn_str rest = tn_str_from_offset(r->text, r->at);
	size_t size = tn_str_find_byte(rest, '\n');

	if (size == TN_STR_NONE) {
		r->at = r->text.size;
		return rest;
	}
	r->at += size + 1;
	return tn_str(rest.data, size);
}

static bool ends_here(const struct tn_here *here, struct tn_str line)
{
	while (here->strip && line.size && line.data[0] == '\t')
		line = tn_str(line.data + 1, line.size - 1);
	if (line.size && line.data[line.size - 1] == '\r')
		line.size--;
	return tn_str_equal(line, here->end);
}

static void read_here(struct tn_reader *r, const struct tn_here *here)
{
	size_t from = r->at, end = from;
	struct tn_word word = {.flags = 0};
	bool found = false;

	while (!found && r->at < r->text.size) {
		end = r->at;
		found = ends_here(here, next_line(r));
	}
	if (!found) {
		end = r->text.size;
		tn_reader_fault(r, "a here-document has no end");
	}
	word.text = tn_str(r->text.data + from, end - from);
	if (here->strip)
		word.text = without_tabs(r->a, word.text);
	if (!here->quoted) {
		struct tn_reader body = {.a = r->a, .text = word.text, .scope = r->scope};

		word = tn_word_read_body(&body);
	}
	if (here->run)
		take_input(here->run, word);
}

static void look_at_held(struct tn_reader *r)
{
	struct tn_held_run *held = r->held;

	r->held = NULL;
	for (; held; held = held->next)
		r->a->look(r->a, held->run);
}

void tn_here_read_all(struct tn_reader *r)
{
	struct tn_here *here = r->heres;

	r->heres = NULL;
	for (; here; here = here->next)
		read_here(r, here);
	look_at_held(r);
}

void tn_here_end(struct tn_reader *r)
{
	if (r->heres)
		tn_reader_fault(r, "a here-document has no end");
	r->heres = NULL;
	look_at_held(r);
}

static bool waits_for_text(const struct tn_reader *r, const struct tn_run *run)
{
	const struct tn_here *here = r->heres;

	while (here && here->run != run)
		here = here->next;
	return here != NULL;
}

static void look(struct tn_reader *r, struct tn_run *run)
{
	struct tn_held_run *held, **link = &r->held;

	if (!waits_for_text(r, run)) {
		r->a->look(r->a, run);
		return;
	}
	held = tn_analysis_alloc(r->a, 1, sizeof(*held));
	if (!held)
		return;
	held->run = run;
	for (; *link; link = &(*link)->next)
		tn_analysis_spend(r->a, 1);
	*link = held;
}

/* ---- assignments ---- */

static bool is_name_letter(int c)
{
	return c > 0 && (tn_is_alpha((char)c) || tn_is_digit((char)c) || c == '_');
}

/* Letters up to the value: "name=", "name+=", "name[1]=". 0: this is none. */
static size_t find_value(const struct tn_reader *r)
{
	size_t at = 0;
	int c = tn_reader_peek(r, 0);

	if (c < 0 || tn_is_digit((char)c))
		return 0;
	while (is_name_letter(c))
		c = tn_reader_peek(r, ++at);
	if (!at)
		return 0;
	if (c == '[') {
		while (c > 0 && !strchr("]\n$`", c))
			c = tn_reader_peek(r, ++at);
		if (c == ']')
			c = tn_reader_peek(r, ++at);
	}
	if (c == '+')
		c = tn_reader_peek(r, ++at);
	return c == '=' ? at + 1 : 0;
}

static void read_array(struct tn_reader *r)
{
	size_t base = r->a->words.count;

	r->at++;
	for (;;) {
		int c;

		tn_list_skip_lines(r);
		c = tn_reader_peek(r, 0);
		if (c == ')') {
			r->at++;
			break;
		}
		if (c < 0 || tn_analysis_stopped(r->a)) {
			tn_reader_fault(r, "a list of values is not closed");
			break;
		}
		if (tn_word_ends(r, c))
			r->at++;
		else
			tn_word_read(r);
	}
	for (size_t i = base; i < r->a->words.count; i++)
		tn_builtin_evaluate(r->a, &r->scope, r->a->words.items[i].text);
	r->a->words.count = base;
}

static void read_assignment(struct tn_reader *r, size_t size)
{
	struct tn_str name = tn_str(r->text.data + r->at, size - 1);
	struct tn_word value = {.text = {"", 0}, .flags = TN_WORD_UNKNOWN};
	size_t bracket;

	if (name.size && name.data[name.size - 1] == '+')
		name.size--;
	bracket = tn_str_find_byte(name, '[');
	if (bracket != TN_STR_NONE)
		name.size = bracket;
	r->at += size;
	if (tn_reader_peek(r, 0) == '(')
		read_array(r);
	else
		value = tn_word_read_value(r);
	tn_run_variable(r->a, &r->scope, name, value);
}

/* ---- simple commands ---- */

/* Behind the first word: name() begins a function. */
static bool is_function(struct tn_list *l, size_t base)
{
	struct tn_reader *r = l->r;
	struct tn_analyser *a = r->a;
	size_t at = 1;

	while (tn_reader_peek(r, at) == ' ' || tn_reader_peek(r, at) == '\t')
		at++;
	if (a->words.count != base + 1 || tn_reader_peek(r, at) != ')')
		return false;
	l->function = a->words.items[base].text;
	r->at += at + 1;
	tn_list_skip_lines(r);
	l->body_at = r->at;
	return true;
}

/* False: the command ends here. */
static bool read_next(struct tn_list *l, struct tn_run *run, size_t base)
{
	struct tn_reader *r = l->r;
	size_t skip, value;
	int c;

	tn_list_skip_blanks(r);
	c = tn_reader_peek(r, 0);
	if (find_operator(r, &skip)) {
		read_redirection(r, run, skip);
		return true;
	}
	if ((c == '<' || c == '>') && tn_reader_peek(r, 1) == '(') {
		struct tn_word word = read_target(r);

		tn_analysis_push_word(r->a, word.text, word.flags);
		return true;
	}
	if (tn_word_ends(r, c))
		return false;
	value = r->a->words.count == base ? find_value(r) : 0;
	if (value && r->scope.dialect != TN_DIALECT_FISH) {
		read_assignment(r, value);
		return true;
	}
	tn_word_read(r);
	/* export x=(a b): a list of values, wherever it stands. */
	if (tn_reader_peek(r, 0) == '(' && r->text.data[r->at - 1] == '=' &&
	    r->scope.dialect != TN_DIALECT_FISH)
		read_array(r);
	return true;
}

static void set_scope(struct tn_list *l)
{
	const struct tn_frame *f = l->frame;

	l->r->scope.reads_pipe = f->in_pipe || f->piped;
	l->r->scope.fed_from = f->piped ? f->pipe_from : f->in_pipe ? f->fed_from : l->r->a->count;
}

/* { bash; } < script: what only redirects is the input of what has just been closed. */
static bool feeds_closed(const struct tn_list *l, const struct tn_run *run)
{
	const struct tn_analyser *a = l->r->a;
	bool reads = false;

	if (!l->has_closed || run->count || !run->input_redirected)
		return false;
	for (size_t i = l->closed_from; i < a->count; i++)
		reads = reads || a->commands[i].reads_terminal;
	return reads;
}

static void finish(struct tn_list *l, struct tn_run *run, size_t base, size_t from)
{
	struct tn_reader *r = l->r;
	struct tn_analyser *a = r->a;
	size_t count = a->words.count - base;
	struct tn_word *words = tn_analysis_alloc(a, count, sizeof(*words));

	if (words && count)
		memcpy(words, a->words.items + base, count * sizeof(*words));
	a->words.count = base;
	run->words = words;
	run->count = words ? count : 0;
	run->source = tn_str_trim(tn_str(r->text.data + from, r->at - from));
	run->scope = r->scope;
	run->feeds = feeds_closed(l, run);
	l->has_closed = false;
	if (run->count || run->write_count || run->read_count || run->input_redirected)
		look(r, run);
}

void tn_list_read_simple(struct tn_list *l)
{
	struct tn_reader *r = l->r;
	struct tn_run *run = tn_analysis_alloc(r->a, 1, sizeof(*run));
	size_t base = r->a->words.count, from = r->at;

	if (!run)
		return;
	set_scope(l);
	while (!tn_analysis_stopped(r->a) && read_next(l, run, base))
		;
	if (tn_reader_peek(r, 0) == '(') {
		if (is_function(l, base)) {
			r->a->words.count = base;
			return;
		}
		tn_reader_fault(r, "a parenthesis stands where it cannot");
	}
	if (r->at == from) { /* nothing of it is understood: go on behind it */
		tn_reader_fault(r, "a sign stands where it cannot");
		r->at++;
	}
	l->function = tn_str(NULL, 0);
	finish(l, run, base, from);
}
