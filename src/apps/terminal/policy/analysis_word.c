#include "apps/terminal/policy/internal.h"

#include "base/utf8.h"

enum { BRACES_MAX = 256, BRACE_WORD_MAX = 4096 };

/* Where the word being read stands. */
struct place {
	unsigned flags;
	unsigned parens; /* of patterns such as @(a|b) that are open */
	bool bracket, brace, comma;
	size_t start; /* of its letters */
	int before;   /* the character before, when it was unquoted */
};

static bool is_blank_return(const struct tn_reader *r)
{
	int next = tn_reader_peek(r, 1);

	return next == '\n' || next < 0; /* a line that ends as on other systems */
}

bool tn_word_ends(const struct tn_reader *r, int c)
{
	switch (c) {
	case -1:
	case ' ':
	case '\t':
	case '\n':
	case ';':
	case '&':
	case '|':
	case '<':
	case '>':
	case ')':
		return true;
	case '(':
		return r->scope.dialect != TN_DIALECT_FISH;
	case '\r':
		return is_blank_return(r);
	default:
		return false;
	}
}

static void put(struct tn_reader *r, int c)
{
	tn_buf_append_byte(&r->a->letters, (char)c);
}

/* ---- quoting ---- */

static void read_single_quotes(struct tn_reader *r, unsigned *flags)
{
	bool fish = r->scope.dialect == TN_DIALECT_FISH;

	*flags |= TN_WORD_QUOTED | TN_WORD_CHANGED;
	r->at++;
	for (;;) {
		int c = tn_reader_peek(r, 0), next = tn_reader_peek(r, 1);

		if (c < 0) {
			tn_reader_fault(r, "a single quote is not closed");
			return;
		}
		r->at++;
		if (c == '\'')
			return;
		if (fish && c == '\\' && (next == '\'' || next == '\\')) {
			c = next;
			r->at++;
		}
		put(r, c);
	}
}

static int hex_digit(int c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* fish knows escapes outside of quotes: \x72 is r. */
static bool read_fish_escape(struct tn_reader *r)
{
	int c = tn_reader_peek(r, 1), value = 0;
	size_t digits = c == 'x' || c == 'X' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0, used = 0;
	char bytes[TN_UTF8_BYTES_MAX];

	if (r->scope.dialect != TN_DIALECT_FISH || !digits)
		return false;
	while (used < digits && hex_digit(tn_reader_peek(r, 2 + used)) >= 0) {
		value = (value & 0xFFFFFF) * 16 + hex_digit(tn_reader_peek(r, 2 + used));
		used++;
	}
	if (!used)
		return false;
	r->at += 2 + used;
	tn_buf_append(&r->a->letters, bytes, tn_utf8_encode((uint32_t)value, bytes));
	return true;
}

static void read_backslash(struct tn_reader *r, unsigned *flags)
{
	int next = tn_reader_peek(r, 1);

	*flags |= TN_WORD_CHANGED;
	if (next == '\n') {
		r->at += 2;
		return;
	}
	*flags |= TN_WORD_QUOTED;
	if (next < 0 && r->is_outermost)
		r->a->incomplete = true;
	if (read_fish_escape(r))
		return;
	r->at += next < 0 ? 1 : 2;
	put(r, next < 0 ? '\\' : next);
}

/* ---- the parts of a word ---- */

/* zsh runs what stands in some qualifiers of patterns: *(e:'command':). */
static void look_at_qualifiers(struct tn_reader *r)
{
	int c = tn_reader_peek(r, 1), next = tn_reader_peek(r, 2);

	if (c == 'e' && next > 0 && !tn_is_alpha((char)next) && next != '|' && next != ')')
		tn_analysis_hidden(r->a, "a pattern has a qualifier that may run something");
}

static void read_plain(struct tn_reader *r, struct place *p, int c)
{
	if (c == '(') {
		if (p->before == '*')
			look_at_qualifiers(r);
		p->parens++;
		p->flags |= TN_WORD_GLOB;
	} else if (c == ')') {
		p->parens--;
	} else if (c == '*' || c == '?') {
		p->flags |= TN_WORD_GLOB;
	} else if (c == '[') {
		p->bracket = true;
	} else if (c == ']' && p->bracket) {
		p->flags |= TN_WORD_GLOB;
	} else if (c == '{') {
		p->brace = true;
	} else if (c == ',' || c == '.') {
		p->comma = p->comma || p->brace;
	} else if (c == '}' && p->comma) {
		p->flags |= TN_WORD_UNKNOWN | TN_WORD_EXPANDED;
	}
	p->before = c;
	p->flags &= ~(unsigned)TN_WORD_ENDS;
	put(r, c);
	r->at++;
}

static void read_fish_substitution(struct tn_reader *r, unsigned *flags)
{
	*flags |= TN_WORD_UNKNOWN | TN_WORD_EXPANDED | TN_WORD_CHANGED;
	if (!tn_analysis_substitution(r))
		tn_reader_fault(r, "a parenthesis is not closed");
}

static void read_part(struct tn_reader *r, struct place *p, int c)
{
	bool fish = r->scope.dialect == TN_DIALECT_FISH;

	switch (c) {
	case '\\':
		read_backslash(r, &p->flags);
		break;
	case '\'':
		read_single_quotes(r, &p->flags);
		break;
	case '"':
		r->at++;
		tn_double_quote_read(r, &p->flags);
		break;
	case '$':
		tn_dollar_read(r, false, &p->flags);
		break;
	case '`':
		if (!fish) {
			tn_backquote_read(r, false, &p->flags);
			break;
		}
		read_plain(r, p, c);
		return;
	case '(':
		if (fish) {
			read_fish_substitution(r, &p->flags);
			break;
		}
		read_plain(r, p, c);
		return;
	default:
		read_plain(r, p, c);
		return;
	}
	p->before = 0;
}

static bool opens_pattern(int before)
{
	return before == '?' || before == '*' || before == '+' || before == '@' || before == '!';
}

static bool is_over(const struct tn_reader *r, const struct place *p, int c)
{
	if (p->parens)
		return c < 0;
	if (c == '(' && opens_pattern(p->before))
		return false;
	return tn_word_ends(r, c);
}

static struct tn_word take(struct tn_reader *r, struct place *p, size_t from)
{
	struct tn_buf *letters = &r->a->letters;
	struct tn_word word = {.flags = p->flags};
	size_t size = letters->size - p->start;

	if (!(p->flags & TN_WORD_CHANGED)) {
		word.text = tn_str(r->text.data + from, r->at - from);
	} else {
		char *copy = tn_analysis_alloc(r->a, size + 1, 1);

		if (copy && size)
			memcpy(copy, letters->data + p->start, size);
		word.text = tn_str(copy ? copy : "", copy ? size : 0);
	}
	letters->size = p->start;
	return word;
}

struct tn_word tn_word_read_value(struct tn_reader *r)
{
	struct place p = {.start = r->a->letters.size};
	size_t from = r->at, outer = r->a->word_start;

	r->a->word_start = p.start;
	for (;;) {
		int c = tn_reader_peek(r, 0);

		if (is_over(r, &p, c) || tn_analysis_stopped(r->a))
			break;
		read_part(r, &p, c);
	}
	if (p.parens)
		tn_reader_fault(r, "a parenthesis is not closed");
	r->a->word_start = outer;
	return take(r, &p, from);
}

struct tn_word tn_word_read_body(struct tn_reader *r)
{
	struct place p = {.start = r->a->letters.size, .flags = TN_WORD_CHANGED};
	size_t outer = r->a->word_start;
	int c, next;

	r->a->word_start = p.start;

	while ((c = tn_reader_peek(r, 0)) >= 0 && !tn_analysis_stopped(r->a)) {
		next = tn_reader_peek(r, 1);
		if (c == '$') {
			tn_dollar_read(r, true, &p.flags);
		} else if (c == '`') {
			tn_backquote_read(r, true, &p.flags);
		} else if (c == '\\' && next > 0 && strchr("$`\\\n", next)) {
			if (next != '\n')
				put(r, next);
			r->at += 2;
		} else {
			put(r, c);
			r->at++;
		}
	}
	r->a->word_start = outer;
	return take(r, &p, 0);
}

void tn_word_evaluate(struct tn_analyser *a, const struct tn_scope *scope, struct tn_str text)
{
	struct tn_reader body = {.a = a, .text = text, .scope = *scope};

	if (!tn_analysis_enter(a, text.size))
		return;
	(void)tn_word_read_body(&body);
	tn_analysis_leave(a);
}

/* Behind these words comes a program. */
static bool leads_command(struct tn_str word)
{
	static const char *const words[] = {"then", "do",   "else",    "elif", "if",   "while",
					    "time", "exec", "eval",    "sudo", "env",  "until",
					    "!",    "{",    "command", "doas", "nohup"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (tn_str_is(word, words[i]))
			return true;
	}
	return false;
}

bool tn_word_is_at_command(const struct tn_buf *letters, size_t start)
{
	size_t end = letters->size, from;

	while (end > start && strchr(" \t", letters->data[end - 1]) && letters->data[end - 1])
		end--;
	if (end == start || strchr(";&|(\n`", letters->data[end - 1]))
		return true;
	if (end == letters->size)
		return false; /* it goes on with a word */
	from = end;
	while (from > start && !strchr(" \t\n;&|(", letters->data[from - 1]))
		from--;
	return leads_command(tn_str(letters->data + from, end - from));
}

/* ---- braces ---- */

/* a{b,c}d: the place of the braces and of the comma that belongs to them. */
static bool find_braces(struct tn_analyser *a, struct tn_str word, size_t *ret_open,
			size_t *ret_close)
{
	for (size_t open = 0; open < word.size; open++) {
		unsigned depth = 0;
		bool comma = false;

		if (word.data[open] != '{' || tn_analysis_stopped(a))
			continue;
		for (size_t at = open; at < word.size; at++) {
			char c = word.data[at];

			depth += c == '{';
			comma = comma || (c == ',' && depth == 1);
			if (c == '}' && --depth == 0) {
				*ret_open = open;
				*ret_close = at;
				if (comma)
					return true;
				break;
			}
		}
		tn_analysis_spend(a, (word.size - open) / 8);
	}
	return false;
}

static struct tn_str splice(struct tn_analyser *a, struct tn_str word, size_t open, size_t close,
			    struct tn_str middle)
{
	size_t tail = word.size - close - 1;
	char *text = tn_analysis_alloc(a, open + middle.size + tail + 1, 1);

	if (!text)
		return tn_str("", 0);
	tn_analysis_spend(a, 8 + (open + middle.size + tail) / 8);
	memcpy(text, word.data, open);
	memcpy(text + open, middle.data, middle.size);
	memcpy(text + open + middle.size, word.data + close + 1, tail);
	return tn_str(text, open + middle.size + tail);
}

/* Words still to be expanded stand on the stack above `base`, the next one on top. */
static void push_alternatives(struct tn_analyser *a, struct tn_str word, size_t open, size_t close)
{
	size_t from = open + 1, first = a->words.count;
	unsigned depth = 0;

	for (size_t at = open + 1; at <= close; at++) {
		char c = word.data[at];

		if ((c == ',' && depth == 0) || at == close) {
			tn_analysis_push_word(
				a,
				splice(a, word, open, close, tn_str(word.data + from, at - from)),
				TN_WORD_CHANGED | TN_WORD_EXPANDED);
			from = at + 1;
		}
		depth += c == '{';
		depth -= c == '}' && depth > 0;
	}
	/* The first alternative comes off the stack first. */
	for (size_t i = first, j = a->words.count; i + 1 < j; i++, j--) {
		struct tn_word swap = a->words.items[i];

		a->words.items[i] = a->words.items[j - 1];
		a->words.items[j - 1] = swap;
	}
}

static bool has_glob(struct tn_str text)
{
	return tn_str_find_byte(text, '*') != TN_STR_NONE ||
	       tn_str_find_byte(text, '?') != TN_STR_NONE;
}

/* The stack holds what is still to be done. */
static bool expand(struct tn_analyser *a, struct tn_str word)
{
	struct tn_word done[BRACES_MAX];
	size_t base = a->words.count, count = 0, open, close;

	tn_analysis_push_word(a, word, TN_WORD_EXPANDED);
	while (a->words.count > base && count < BRACES_MAX && !tn_analysis_stopped(a)) {
		struct tn_word top = a->words.items[--a->words.count];

		if (a->words.count < base + BRACES_MAX && find_braces(a, top.text, &open, &close))
			push_alternatives(a, top.text, open, close);
		else if (top.text.size > 0)
			done[count++] = top;
	}
	if (a->words.count > base) { /* too many */
		a->words.count = base;
		return false;
	}
	for (size_t i = 0; i < count; i++)
		tn_analysis_push_word(a, done[i].text,
				      done[i].flags | (has_glob(done[i].text) ? TN_WORD_GLOB : 0));
	return true;
}

/* A word of plain characters that has braces with a comma. */
static bool expand_braces(struct tn_reader *r)
{
	size_t end = r->at, open, close;
	bool brace = false;
	struct tn_str word;

	while (end < r->text.size && !strchr(" \t\n;&|<>()\r\"'$`\\", r->text.data[end]) &&
	       r->text.data[end]) {
		brace = brace || r->text.data[end] == '{';
		end++;
	}
	word = tn_str(r->text.data + r->at, end - r->at);
	if (!brace || word.size > BRACE_WORD_MAX ||
	    (end < r->text.size && strchr("(\"'$`\\", r->text.data[end])) ||
	    !find_braces(r->a, word, &open, &close) || !expand(r->a, word))
		return false;
	r->at = end;
	return true;
}

/* ---- words ---- */

/* The value of an unquoted variable is several words where it has blanks. */
static void push_split(struct tn_analyser *a, struct tn_word word)
{
	size_t from = 0;

	for (size_t at = 0; at <= word.text.size; at++) {
		if (at < word.text.size && word.text.data[at] != '\0')
			continue;
		if (at > from)
			tn_analysis_push_word(a, tn_str(word.text.data + from, at - from),
					      word.flags & ~(unsigned)TN_WORD_SPLIT);
		from = at + 1;
	}
}

void tn_word_read(struct tn_reader *r)
{
	struct tn_word word;

	if (expand_braces(r))
		return;
	word = tn_word_read_value(r);
	if (word.flags & TN_WORD_SPLIT)
		push_split(r->a, word);
	else
		tn_analysis_push_word(r->a, word.text, word.flags);
}
