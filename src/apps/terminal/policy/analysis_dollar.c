#include "apps/terminal/policy/internal.h"

#include "apps/terminal/redact/redact.h"
#include "base/utf8.h"

static bool is_name(int c)
{
	return c == '_' || (c > 0 && (tn_is_alpha((char)c) || tn_is_digit((char)c)));
}

static void put(struct tn_reader *r, int c)
{
	tn_buf_append_byte(&r->a->letters, (char)c);
}

/* ---- $'...' ---- */

static int digit_of(int c, int base)
{
	int value = c >= '0' && c <= '9'   ? c - '0'
		    : c >= 'a' && c <= 'f' ? c - 'a' + 10
		    : c >= 'A' && c <= 'F' ? c - 'A' + 10
					   : 99;

	return value < base ? value : -1;
}

/* Digits at the reader's place; false: there are none. */
static bool read_digits(struct tn_reader *r, int base, size_t max, uint32_t *ret)
{
	size_t used = 0;

	*ret = 0;
	while (used < max && digit_of(tn_reader_peek(r, 0), base) >= 0) {
		*ret = *ret * (uint32_t)base + (uint32_t)digit_of(tn_reader_peek(r, 0), base);
		r->at++;
		used++;
	}
	return used > 0;
}

static int simple_escape(int c)
{
	static const char from[] = "abeEfnrtv", to[] = "\a\b\033\033\f\n\r\t\v";
	const char *found = c > 0 ? strchr(from, c) : NULL;

	return found ? to[found - from] : c;
}

/* Behind the backslash. */
static void read_ansi_escape(struct tn_reader *r)
{
	int c = tn_reader_peek(r, 0);
	char bytes[TN_UTF8_BYTES_MAX];
	uint32_t value;

	if (c >= '0' && c <= '7') {
		(void)read_digits(r, 8, 3, &value); /* there is one */
		put(r, (int)(value & 0xFF));
		return;
	}
	r->at++;
	if ((c == 'x' && read_digits(r, 16, 2, &value))) {
		put(r, (int)value);
	} else if ((c == 'u' && read_digits(r, 16, 4, &value)) ||
		   (c == 'U' && read_digits(r, 16, 8, &value))) {
		tn_buf_append(&r->a->letters, bytes, tn_utf8_encode(value, bytes));
	} else if (c == 'c' && tn_reader_peek(r, 0) >= 0) {
		put(r, tn_reader_peek(r, 0) & 0x1F);
		r->at++;
	} else {
		put(r, simple_escape(c));
	}
}

static void read_ansi_quotes(struct tn_reader *r)
{
	int c;

	while ((c = tn_reader_peek(r, 0)) != '\'') {
		if (c < 0) {
			tn_reader_fault(r, "a single quote is not closed");
			return;
		}
		if (c == '\\' && tn_reader_peek(r, 1) >= 0) {
			r->at++;
			read_ansi_escape(r);
		} else {
			put(r, c);
			r->at++;
		}
	}
	r->at++;
}

/* ---- variables ---- */

enum { SUBSCRIPT_BYTES_MAX = 1024 };

static struct tn_str value_of(const struct tn_reader *r, struct tn_str name)
{
	const struct tn_shell_name *known = tn_analysis_lookup(r->a->variables, name);

	if (known)
		return known->value;
	if (tn_str_is(name, "HOME"))
		return TN_STR("~");
	if (tn_str_is(name, "IFS"))
		return TN_STR(" ");
	return tn_str_is(name, "PWD") ? r->a->cwd : tn_str(NULL, 0);
}

static bool is_argument(struct tn_str name)
{
	return name.size == 1 &&
	       (tn_is_digit(name.data[0]) || name.data[0] == '@' || name.data[0] == '*');
}

/* What the callers say is known word by word. */
static bool is_exact(const struct tn_reader *r, struct tn_str name, bool quoted)
{
	const struct tn_shell_name *known =
		is_argument(name) ? tn_analysis_lookup(r->a->variables, name) : NULL;

	if (!known || !known->is_exact)
		return false;
	for (size_t i = 0; !quoted && i < known->value.size; i++) {
		char c = known->value.data[i];

		if (c && strchr(" \t\n*?[", c))
			return false;
	}
	return true;
}

static void note_secret(const struct tn_reader *r, struct tn_str name, unsigned *flags)
{
	const struct tn_shell_name *known = tn_analysis_lookup(r->a->variables, name);

	if ((known && known->is_secret) || tn_redact_is_sensitive_name(name))
		*flags |= TN_WORD_SECRET;
}

/* Something that is not known is put here. */
static void mark_unknown(struct tn_reader *r, unsigned *flags)
{
	const struct tn_buf *letters = &r->a->letters;
	size_t start = r->a->word_start;

	if (letters->size <= start)
		*flags |= TN_WORD_BEGINS;
	else if (tn_word_is_at_command(letters, start))
		*flags |= TN_WORD_HIDES;
	*flags |= TN_WORD_UNKNOWN | TN_WORD_EXPANDED | TN_WORD_CHANGED | TN_WORD_ENDS;
}

static void put_value(struct tn_reader *r, struct tn_str value, bool quoted, unsigned *flags)
{
	for (size_t i = 0; i < value.size; i++) {
		char c = value.data[i];
		/* "$@" is as many words as there are. */
		bool splits = !c || (!quoted && strchr(" \t\n", c));

		put(r, splits ? '\0' : c);
		if (splits)
			*flags |= TN_WORD_SPLIT;
		if (!quoted && (c == '*' || c == '?'))
			*flags |= TN_WORD_GLOB;
	}
}

static void put_variable(struct tn_reader *r, struct tn_str name, bool quoted, unsigned *flags)
{
	struct tn_str value = value_of(r, name);
	bool home = tn_str_is(name, "HOME") && tn_str_is(value, "~");
	bool exact = is_exact(r, name, quoted);

	*flags |= TN_WORD_CHANGED;
	note_secret(r, name, flags);
	if (!home && !exact)
		mark_unknown(r, flags);
	if (is_argument(name) && (exact || (!value.data && r->a->in_function)))
		*flags |= TN_WORD_OF_CALL;
	put_value(r, value, quoted, flags);
}

/* What stands behind the name: ${x:-word}. Its letters count when it may be the value. */
static void read_operand(struct tn_reader *r, bool quoted, unsigned *flags)
{
	int c;

	while ((c = tn_reader_peek(r, 0)) != '}') {
		if (c < 0) {
			tn_reader_fault(r, "${ is not closed");
			return;
		}
		if (c == '\\' && tn_reader_peek(r, 1) >= 0) {
			put(r, tn_reader_peek(r, 1));
			r->at += 2;
		} else if (c == '\'' && !quoted) {
			r->at++;
			while ((c = tn_reader_peek(r, 0)) >= 0 && c != '\'') {
				put(r, c);
				r->at++;
			}
			r->at += c == '\'';
		} else if (c == '"') {
			r->at++;
			tn_double_quote_read(r, flags);
		} else if (c == '$') {
			tn_dollar_read(r, quoted, flags);
		} else if (c == '`') {
			tn_backquote_read(r, quoted, flags);
		} else {
			put(r, c);
			r->at++;
		}
	}
	r->at++;
}

/* ${x@P}: what stands in x is expanded once more; ${x[...]}: what stands there, quoted or not. */
static void evaluate_again(struct tn_reader *r, struct tn_str name)
{
	struct tn_str rest = tn_str_from_offset(r->text, r->at), value;

	if (tn_reader_peek(r, 0) == '[') {
		size_t end;

		rest.size = rest.size < SUBSCRIPT_BYTES_MAX ? rest.size : SUBSCRIPT_BYTES_MAX;
		end = tn_str_find(rest, TN_STR("]}"));
		if (end != TN_STR_NONE)
			tn_builtin_evaluate(r->a, &r->scope,
					    tn_str(name.data, name.size + end + 1));
	}
	if (!tn_str_starts(rest, TN_STR("@P}")))
		return;
	tn_analysis_hidden(r->a, "the value of a variable is expanded once more");
	value = value_of(r, name);
	if (value.data)
		tn_word_evaluate(r->a, &r->scope, value);
}

/* ! and # before a name are passed over. */
static struct tn_str read_parameter(struct tn_reader *r)
{
	size_t from;

	if (tn_reader_peek(r, 0) == '!' || tn_reader_peek(r, 0) == '#')
		r->at++;
	from = r->at;
	while (is_name(tn_reader_peek(r, 0)))
		r->at++;
	return tn_str(r->text.data + from, r->at - from);
}

/* Behind "${". */
static void read_braced(struct tn_reader *r, bool quoted, unsigned *flags)
{
	bool is_home = tn_str_starts(tn_str_from_offset(r->text, r->at), TN_STR("HOME}"));
	size_t start = r->a->letters.size;
	struct tn_str name;
	bool may_be_value;
	int c;

	if (!is_home)
		mark_unknown(r, flags);
	name = read_parameter(r);
	c = tn_reader_peek(r, 0);
	if (c == '}') {
		r->at++;
		put_variable(r, name, quoted, flags);
		return;
	}
	note_secret(r, name, flags);
	if (!name.size && c > 0 && strchr("@*#?$!-", c))
		r->at++;
	evaluate_again(r, name);
	r->at += tn_reader_peek(r, 0) == ':';
	c = tn_reader_peek(r, 0);
	may_be_value = c == '-' || c == '=' || c == '+';
	r->at += may_be_value;
	if (may_be_value && value_of(r, name).data) {
		put_variable(r, name, quoted, flags);
		start = r->a->letters.size;
		may_be_value = false;
	}
	read_operand(r, quoted && (may_be_value || c == '?'), flags);
	if (!may_be_value)
		r->a->letters.size = start;
}

/* ---- arithmetic ---- */

/* Behind the second parenthesis: where the two closing ones begin. */
static bool find_arithmetic_end(const struct tn_reader *r, size_t from, size_t *ret)
{
	unsigned depth = 0;

	for (size_t at = from; at < r->text.size && !tn_analysis_stopped(r->a); at++) {
		char c = r->text.data[at];

		tn_analysis_spend(r->a, 1); /* a thousand (( look for the end of the text */
		if (c == '\\') {
			at++;
		} else if (c == '(') {
			depth++;
		} else if (c == ')' && depth > 0) {
			depth--;
		} else if (c == ')') {
			*ret = at;
			return at + 1 < r->text.size && r->text.data[at + 1] == ')';
		}
	}
	return false;
}

/* Only what runs something matters. */
static void read_expression(struct tn_reader *r, size_t end, unsigned *flags)
{
	size_t start = r->a->letters.size;

	while (r->at < end && !tn_analysis_stopped(r->a)) {
		int c = tn_reader_peek(r, 0);

		if (c == '$')
			tn_dollar_read(r, true, flags);
		else if (c == '`')
			tn_backquote_read(r, true, flags);
		else
			r->at += c == '\\' ? 2 : 1;
	}
	r->a->letters.size = start;
}

bool tn_arithmetic_read(struct tn_reader *r)
{
	unsigned flags = 0;
	size_t end;

	if (!find_arithmetic_end(r, r->at + 2, &end))
		return false;
	r->at += 2;
	read_expression(r, end, &flags);
	if (r->at < end + 2)
		r->at = end + 2;
	return true;
}

/* $[1 + 2] */
static void read_old_arithmetic(struct tn_reader *r)
{
	unsigned flags = 0;
	size_t end = r->at + 2;

	while (end < r->text.size && r->text.data[end] != ']')
		end++;
	r->at += 2;
	read_expression(r, end, &flags);
	if (tn_reader_peek(r, 0) == ']')
		r->at++;
	else
		tn_reader_fault(r, "$[ is not closed");
}

/* ---- $ ---- */

/* $(pwd) is where it runs. */
static bool read_place(struct tn_reader *r, unsigned *flags)
{
	static const struct tn_str text = {"$(pwd)", 6};

	if (!r->a->cwd.size || !tn_str_starts(tn_str_from_offset(r->text, r->at), text))
		return false;
	mark_unknown(r, flags);
	tn_buf_append_str(&r->a->letters, r->a->cwd);
	r->at += text.size;
	return true;
}

static void read_substitution(struct tn_reader *r, unsigned *flags)
{
	if (read_place(r, flags))
		return;
	mark_unknown(r, flags);
	r->at++; /* the $ */
	if (tn_reader_peek(r, 1) == '(' && tn_arithmetic_read(r))
		return;
	if (!tn_analysis_substitution(r))
		tn_reader_fault(r, "$( is not closed");
}

static void read_name(struct tn_reader *r, bool quoted, unsigned *flags)
{
	size_t from = ++r->at;

	if (tn_is_digit((char)tn_reader_peek(r, 0)) || !is_name(tn_reader_peek(r, 0)))
		r->at++;
	else
		while (is_name(tn_reader_peek(r, 0)))
			r->at++;
	put_variable(r, tn_str(r->text.data + from, r->at - from), quoted, flags);
}

/* What fish does not have. False: it is none of these. */
static bool read_of_posix(struct tn_reader *r, int next, bool quoted, unsigned *flags)
{
	if (next == '{') {
		r->at += 2;
		read_braced(r, quoted, flags);
	} else if (next == '[') {
		*flags |= TN_WORD_UNKNOWN | TN_WORD_EXPANDED | TN_WORD_CHANGED;
		read_old_arithmetic(r);
	} else if (next == '\'' && !quoted) {
		*flags |= TN_WORD_QUOTED | TN_WORD_CHANGED;
		r->at += 2;
		read_ansi_quotes(r);
	} else if (next == '"' && !quoted) {
		r->at += 2;
		tn_double_quote_read(r, flags);
	} else if (next > 0 && strchr("@*#?$!-", next)) {
		read_name(r, quoted, flags);
	} else {
		return false;
	}
	return true;
}

static void read_dollar(struct tn_reader *r, bool quoted, unsigned *flags)
{
	int next = tn_reader_peek(r, 1);
	bool fish = r->scope.dialect == TN_DIALECT_FISH;

	if (next == '(') {
		read_substitution(r, flags);
	} else if (is_name(next)) {
		read_name(r, quoted, flags);
	} else if (fish || !read_of_posix(r, next, quoted, flags)) {
		put(r, '$');
		r->at++;
	}
}

void tn_dollar_read(struct tn_reader *r, bool quoted, unsigned *flags)
{
	if (!tn_analysis_enter(r->a, 0)) {
		*flags |= TN_WORD_UNKNOWN | TN_WORD_EXPANDED | TN_WORD_CHANGED;
		r->at++;
		return;
	}
	read_dollar(r, quoted, flags);
	tn_analysis_leave(r->a);
}

/* ---- `...` ---- */

void tn_backquote_read(struct tn_reader *r, bool quoted, unsigned *flags)
{
	struct tn_buf *letters = &r->a->letters;
	size_t start = letters->size, size;
	struct tn_scope scope = r->scope;
	struct tn_str cwd = r->a->cwd;
	char *copy;
	int c;

	mark_unknown(r, flags);
	r->at++;
	while ((c = tn_reader_peek(r, 0)) != '`') {
		int next = tn_reader_peek(r, 1);

		if (c < 0) {
			tn_reader_fault(r, "a backquote is not closed");
			break;
		}
		if (c == '\\' && next > 0 && strchr(quoted ? "$`\\\"" : "$`\\", next)) {
			c = next;
			r->at++;
		}
		put(r, c);
		r->at++;
	}
	r->at += c == '`';
	size = letters->size - start;
	copy = tn_analysis_alloc(r->a, size + 1, 1);
	if (copy && size)
		memcpy(copy, letters->data + start, size);
	letters->size = start;
	if (copy)
		tn_analysis_text(r->a, tn_str(copy, size), &scope);
	r->a->cwd = cwd;
}

/* ---- "..." ---- */

void tn_double_quote_read(struct tn_reader *r, unsigned *flags)
{
	bool fish = r->scope.dialect == TN_DIALECT_FISH;
	int c;

	*flags |= TN_WORD_QUOTED | TN_WORD_CHANGED;
	while ((c = tn_reader_peek(r, 0)) != '"') {
		int next = tn_reader_peek(r, 1);

		if (c < 0 || tn_analysis_stopped(r->a)) {
			tn_reader_fault(r, "a double quote is not closed");
			return;
		}
		if (c == '\\' && next > 0 && strchr("$`\"\\\n", next)) {
			if (next != '\n')
				put(r, next);
			r->at += 2;
		} else if (c == '$') {
			tn_dollar_read(r, true, flags);
		} else if (c == '`' && !fish) {
			tn_backquote_read(r, true, flags);
		} else {
			put(r, c);
			*flags &= ~(unsigned)TN_WORD_ENDS;
			r->at++;
		}
	}
	r->at++;
}
