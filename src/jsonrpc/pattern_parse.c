#include "base/utf8.h"
#include "jsonrpc/pattern_program.h"

enum { GROUPS_MAX = 64, REPEAT_MAX = 65535 };

struct parser {
	struct tn_arena *arena;
	struct tn_str source;
	size_t at;
	uint32_t depth; /* of groups */
	struct tenon_error *err;
	enum tenon_code code; /* of the first failure */
};

static struct tn_pattern_node *parse_choice(struct parser *p);

static void *fail(struct parser *p, enum tenon_code code, const char *what)
{
	if (p->code == TENON_OK)
		p->code = tn_fail(p->err, code, "the pattern has %s at character %zu", what,
				  p->at + 1);
	return NULL;
}

static struct tn_pattern_node *new_node(struct parser *p, enum tn_pattern_kind kind)
{
	struct tn_pattern_node *node = tn_arena_alloc(p->arena, sizeof(*node));

	if (!node)
		return fail(p, TENON_NO_MEMORY, "more parts than memory allows");
	node->kind = kind;
	return node;
}

static bool at_end(const struct parser *p)
{
	return p->at == p->source.size;
}

static char peek(const struct parser *p) /* 0 at the end; a NUL in the source is a literal too */
{
	return at_end(p) ? '\0' : p->source.data[p->at];
}

static bool take(struct parser *p, char c)
{
	if (at_end(p) || p->source.data[p->at] != c)
		return false;
	p->at++;
	return true;
}

static uint32_t take_char(struct parser *p)
{
	uint32_t code = TN_UTF8_REPLACEMENT;
	size_t length = tn_utf8_decode(p->source.data + p->at, p->source.size - p->at, &code);

	p->at += length ? length : 1;
	return code;
}

/* ---- escapes ---- */

static int hex_value(char c)
{
	if (tn_is_digit(c))
		return c - '0';
	c = tn_to_lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool take_hex(struct parser *p, size_t count, uint32_t *ret)
{
	uint32_t code = 0;

	if (p->source.size - p->at < count)
		return false;
	for (size_t i = 0; i < count; i++) {
		int value = hex_value(p->source.data[p->at + i]);

		if (value < 0)
			return false;
		code = code << 4 | (uint32_t)value;
	}
	p->at += count;
	*ret = code;
	return true;
}

static bool take_braced_hex(struct parser *p, uint32_t *ret)
{
	uint32_t code = 0;
	size_t digits = 0;

	for (; hex_value(peek(p)) >= 0 && code <= 0x10FFFF; digits++)
		code = code << 4 | (uint32_t)hex_value(p->source.data[p->at++]);
	*ret = code;
	return digits && code <= 0x10FFFF && take(p, '}');
}

/* Behind \u: HHHH, a pair of surrogates in that form, or {H...}. */
static bool take_unicode(struct parser *p, uint32_t *ret)
{
	uint32_t low;
	size_t mark;

	if (take(p, '{'))
		return take_braced_hex(p, ret);
	if (!take_hex(p, 4, ret))
		return false;
	mark = p->at;
	if (*ret >= 0xD800 && *ret <= 0xDBFF && take(p, '\\') && take(p, 'u') &&
	    take_hex(p, 4, &low) && low >= 0xDC00 && low <= 0xDFFF)
		*ret = 0x10000 + ((*ret - 0xD800) << 10) + (low - 0xDC00);
	else
		p->at = mark;
	return true;
}

static bool take_control_letter(struct parser *p, uint32_t *ret)
{
	if (!tn_is_alpha(peek(p)))
		return false;
	*ret = (uint32_t)p->source.data[p->at++] & 31;
	return true;
}

/* Behind a backslash: an escape that stands for one character. */
static bool take_escape(struct parser *p, uint32_t *ret)
{
	static const char letters[] = "tnvfr";
	static const char bytes[] = "\t\n\v\f\r";
	const char *found;
	char c = peek(p);

	if (at_end(p))
		return false;
	if ((unsigned char)c >= 0x80 || (!tn_is_alpha(c) && !tn_is_digit(c))) {
		*ret = take_char(p); /* \- and \_ are common, though not with the u flag */
		return true;
	}
	p->at++;
	found = strchr(letters, c);
	if (found) {
		*ret = (uint32_t)bytes[found - letters];
		return true;
	}
	switch (c) {
	case '0':
		*ret = 0;
		return !tn_is_digit(peek(p));
	case 'c':
		return take_control_letter(p, ret);
	case 'x':
		return take_hex(p, 2, ret);
	case 'u':
		return take_unicode(p, ret);
	default:
		return false;
	}
}

static void *fail_escape(struct parser *p)
{
	char c = peek(p);

	if (c >= '1' && c <= '9')
		return fail(p, TENON_INVALID, "a back-reference, which is not supported,");
	if (c == 'k')
		return fail(p, TENON_INVALID, "a named back-reference, which is not supported,");
	if (c == 'p' || c == 'P')
		return fail(p, TENON_INVALID, "a Unicode property \\p, which is not supported,");
	return fail(p, TENON_INVALID, "an unknown escape");
}

static bool is_class_letter(char c)
{
	return c && strchr("dDwWsS", c) != NULL;
}

/* ---- classes ---- */

/* One end of a range, or a whole class like \d. False: failed. */
static bool take_class_atom(struct parser *p, struct tn_char_set_builder *set, bool *ret_is_class,
			    uint32_t *ret_code)
{
	size_t mark;

	*ret_is_class = false;
	if (!take(p, '\\')) {
		*ret_code = take_char(p);
		return true;
	}
	if (is_class_letter(peek(p))) {
		tn_char_set_add_class(set, p->source.data[p->at++]);
		*ret_is_class = true;
		return true;
	}
	if (take(p, 'b')) {
		*ret_code = '\b';
		return true;
	}
	mark = p->at;
	if (take_escape(p, ret_code))
		return true;
	p->at = mark;
	(void)fail_escape(p);
	return false;
}

static bool take_class_item(struct parser *p, struct tn_char_set_builder *set)
{
	bool is_class, end_is_class;
	uint32_t first, last;

	if (!take_class_atom(p, set, &is_class, &first))
		return false;
	if (peek(p) != '-' || p->source.size - p->at < 2 || p->source.data[p->at + 1] == ']') {
		if (!is_class)
			tn_char_set_add(set, first, first);
		return true;
	}
	p->at++;
	if (!take_class_atom(p, set, &end_is_class, &last))
		return false;
	if (is_class || end_is_class) { /* [\w-x]: the minus stands for itself */
		tn_char_set_add(set, '-', '-');
		if (!is_class)
			tn_char_set_add(set, first, first);
		if (!end_is_class)
			tn_char_set_add(set, last, last);
		return true;
	}
	if (last < first)
		return fail(p, TENON_INVALID, "a range that runs backwards") != NULL;
	tn_char_set_add(set, first, last);
	return true;
}

static struct tn_pattern_node *set_node(struct parser *p, struct tn_char_set_builder *set)
{
	struct tn_pattern_node *node = new_node(p, TN_PATTERN_SET);

	if (!node)
		return NULL;
	if (set->full)
		return fail(p, TENON_LIMIT, "a class of too many ranges");
	node->set = tn_char_set_finish(set, p->arena);
	return node->set ? node : fail(p, TENON_NO_MEMORY, "more parts than memory allows");
}

static struct tn_pattern_node *parse_class(struct parser *p) /* behind [ */
{
	struct tn_char_set_builder set = {0};
	bool negated = take(p, '^');

	while (!take(p, ']')) {
		if (at_end(p))
			return fail(p, TENON_INVALID, "a [ without a ]");
		if (!take_class_item(p, &set))
			return NULL;
	}
	if (negated)
		tn_char_set_negate(&set);
	return set_node(p, &set);
}

static struct tn_pattern_node *class_node(struct parser *p, char letter)
{
	struct tn_char_set_builder set = {0};

	tn_char_set_add_class(&set, letter);
	return set_node(p, &set);
}

/* ---- atoms ---- */

static struct tn_pattern_node *assertion(struct parser *p, enum tn_pattern_assertion which)
{
	struct tn_pattern_node *node = new_node(p, TN_PATTERN_ASSERT);

	if (node)
		node->assertion = which;
	return node;
}

static struct tn_pattern_node *literal(struct parser *p, uint32_t code)
{
	struct tn_pattern_node *node = new_node(p, TN_PATTERN_CHAR);

	if (node)
		node->code = code;
	return node;
}

static struct tn_pattern_node *parse_escape(struct parser *p) /* behind the backslash */
{
	size_t mark = p->at;
	uint32_t code;

	if (take(p, 'b'))
		return assertion(p, TN_PATTERN_WORD_EDGE);
	if (take(p, 'B'))
		return assertion(p, TN_PATTERN_NO_WORD_EDGE);
	if (is_class_letter(peek(p)))
		return class_node(p, p->source.data[p->at++]);
	if (take_escape(p, &code))
		return literal(p, code);
	p->at = mark;
	return fail_escape(p);
}

/* Behind "(?": what kind of group. False: one that is not supported. */
static bool group_kind(struct parser *p)
{
	if (take(p, ':'))
		return true;
	if (!take(p, '<') || peek(p) == '=' || peek(p) == '!')
		return false;
	while (!at_end(p) && peek(p) != '>')
		p->at++;
	return take(p, '>');
}

static struct tn_pattern_node *parse_group(struct parser *p) /* behind ( */
{
	struct tn_pattern_node *inside;

	if (take(p, '?') && !group_kind(p))
		return fail(p, TENON_INVALID, "look-around or a group kind that is not supported");
	if (p->depth == GROUPS_MAX)
		return fail(p, TENON_LIMIT, "groups nested too deeply");
	p->depth++;
	inside = parse_choice(p);
	p->depth--;
	if (inside && !take(p, ')'))
		return fail(p, TENON_INVALID, "a ( without a )");
	return inside;
}

static struct tn_pattern_node *parse_atom(struct parser *p)
{
	switch (peek(p)) {
	case '^':
		p->at++;
		return assertion(p, TN_PATTERN_START);
	case '$':
		p->at++;
		return assertion(p, TN_PATTERN_END);
	case '.':
		p->at++;
		return class_node(p, '.');
	case '[':
		p->at++;
		return parse_class(p);
	case '(':
		p->at++;
		return parse_group(p);
	case '\\':
		p->at++;
		return parse_escape(p);
	case '*':
	case '+':
	case '?':
		return fail(p, TENON_INVALID, "nothing to repeat");
	default: /* { } ] stand for themselves where nothing else is meant, as browsers have it */
		return literal(p, take_char(p));
	}
}

/* ---- quantifiers ---- */

static bool take_count(struct parser *p, uint32_t *ret)
{
	uint32_t count = 0;
	size_t start = p->at;

	for (; tn_is_digit(peek(p)); p->at++) {
		if (count <= REPEAT_MAX)
			count = count * 10 + (uint32_t)(p->source.data[p->at] - '0');
	}
	*ret = count;
	return p->at > start;
}

/* {n} {n,} {n,m}; anything else behind a brace leaves it to be a literal. */
static bool take_braces(struct parser *p, uint32_t *min, uint32_t *max)
{
	size_t mark = p->at;

	if (take(p, '{') && take_count(p, min)) {
		*max = *min;
		if (take(p, ',') && !take_count(p, max))
			*max = TN_PATTERN_NO_MAX;
		if (take(p, '}'))
			return true;
	}
	p->at = mark;
	return false;
}

static bool take_quantifier(struct parser *p, uint32_t *min, uint32_t *max)
{
	*min = 0;
	*max = TN_PATTERN_NO_MAX;
	if (take(p, '*'))
		return true;
	if (take(p, '+')) {
		*min = 1;
		return true;
	}
	if (take(p, '?')) {
		*max = 1;
		return true;
	}
	return take_braces(p, min, max);
}

static struct tn_pattern_node *parse_term(struct parser *p)
{
	struct tn_pattern_node *atom = parse_atom(p), *repeat;
	uint32_t min, max;

	if (!atom || !take_quantifier(p, &min, &max))
		return atom;
	(void)take(p, '?'); /* lazy or not, whether it matches is the same */
	if (atom->kind == TN_PATTERN_ASSERT)
		return fail(p, TENON_INVALID, "a repeated assertion");
	if (max < min)
		return fail(p, TENON_INVALID, "a repetition that runs backwards");
	if (min > REPEAT_MAX || (max > REPEAT_MAX && max != TN_PATTERN_NO_MAX))
		return fail(p, TENON_LIMIT, "a repetition that is too long");
	repeat = new_node(p, TN_PATTERN_REPEAT);
	if (!repeat)
		return NULL;
	repeat->min = min;
	repeat->max = max;
	repeat->first = atom;
	return repeat;
}

static struct tn_pattern_node *parse_sequence(struct parser *p)
{
	struct tn_pattern_node *sequence = new_node(p, TN_PATTERN_SEQUENCE);

	while (sequence && !at_end(p) && peek(p) != '|' && peek(p) != ')') {
		struct tn_pattern_node *term = parse_term(p);

		if (!term)
			return NULL;
		term->next = sequence->first;
		sequence->first = term;
	}
	return sequence;
}

static struct tn_pattern_node *parse_choice(struct parser *p)
{
	struct tn_pattern_node *choice = new_node(p, TN_PATTERN_CHOICE);
	struct tn_pattern_node **tail = choice ? &choice->first : NULL;

	if (!choice)
		return NULL;
	do {
		*tail = parse_sequence(p);
		if (!*tail)
			return NULL;
		tail = &(*tail)->next;
	} while (take(p, '|'));
	return choice;
}

enum tenon_code tn_pattern_parse(struct tn_arena *arena, struct tn_str source,
				 struct tn_pattern_node **ret, struct tenon_error *err)
{
	struct parser p = {.arena = arena, .source = source, .err = err};
	struct tn_pattern_node *root = parse_choice(&p);

	if (root && !at_end(&p))
		(void)fail(&p, TENON_INVALID, "a ) without a (");
	if (p.code == TENON_OK)
		*ret = root;
	return p.code;
}
