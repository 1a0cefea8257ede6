#include "apps/plan/read/value.h"

#include "apps/plan/limits.h"
#include "apps/plan/read/escape.h"
#include "base/size.h"

static struct tn_str skip_blanks(struct tn_str text)
{
	while (text.size && (*text.data == ' ' || *text.data == '\t')) {
		text.data++;
		text.size--;
	}
	return text;
}

static size_t digits_end(struct tn_str text, size_t at)
{
	while (at < text.size && tn_is_digit(text.data[at]))
		at++;
	return at;
}

/* At least one digit at `at`. Returns the offset behind them, or 0. */
static size_t read_digits(struct tn_str text, size_t at)
{
	size_t end = digits_end(text, at);

	return end > at ? end : 0;
}

static bool is_byte(struct tn_str text, size_t at, char a, char b)
{
	return at < text.size && (text.data[at] == a || text.data[at] == b);
}

bool tn_plan_is_number(struct tn_str text)
{
	size_t start = is_byte(text, 0, '-', '-') ? 1 : 0, at = read_digits(text, start);

	if (at == 0 || (at - start > 1 && text.data[start] == '0'))
		return false;
	if (is_byte(text, at, '.', '.')) {
		at = read_digits(text, at + 1);
		if (at == 0)
			return false;
	}
	if (is_byte(text, at, 'e', 'E')) {
		at++;
		at = read_digits(text, is_byte(text, at, '+', '-') ? at + 1 : at);
		if (at == 0)
			return false;
	}
	return at == text.size;
}

static const struct {
	struct tn_str text;
	enum tn_plan_shape shape;
} markers[] = {
	{{"(known after apply)", 19}, TN_PLAN_SHAPE_UNKNOWN},
	{{"(sensitive value)", 17}, TN_PLAN_SHAPE_SENSITIVE},
	{{"(sensitive)", 11}, TN_PLAN_SHAPE_SENSITIVE},
	{{"(write-only attribute)", 22}, TN_PLAN_SHAPE_WRITE_ONLY},
	{{"(sensitive, write-only attribute)", 33}, TN_PLAN_SHAPE_SECRET},
};

static size_t read_marker(struct tn_str text, struct tn_plan_token *ret)
{
	for (size_t i = 0; i < TN_COUNT(markers); i++) {
		if (tn_str_starts(text, markers[i].text)) {
			ret->shape = markers[i].shape;
			return markers[i].text.size;
		}
	}
	return 0;
}

static size_t read_quoted(struct tn_plan_build *build, struct tn_str text,
			  struct tn_plan_token *ret)
{
	size_t end = tn_plan_quote_end(text, 1);
	struct tn_str inside, plain;

	inside = end == TN_STR_NONE ? tn_str_from_offset(text, 1) : tn_str(text.data + 1, end - 1);
	/* What the value keeps cannot come from more than this many escaped bytes. */
	if (inside.size > 12 * TN_PLAN_VALUE_BYTES_MAX)
		inside.size = 12 * TN_PLAN_VALUE_BYTES_MAX;
	if (!tn_plan_build_has_room(build) ||
	    !tn_plan_unescape(inside, &build->plan->arena, &plain))
		plain = inside;
	ret->shape = TN_PLAN_SHAPE_SCALAR;
	ret->value = tn_plan_string_value(build, plain);
	return end == TN_STR_NONE ? text.size : end + 1;
}

static size_t read_heredoc(struct tn_str text, struct tn_plan_token *ret)
{
	size_t at = 3;

	if (text.size < 4 || memcmp(text.data, "<<", 2) != 0 ||
	    (text.data[2] != '-' && text.data[2] != '~'))
		return 0;
	while (at < text.size && (tn_is_alpha(text.data[at]) || text.data[at] == '_'))
		at++;
	if (at == 3)
		return 0;
	ret->shape = TN_PLAN_SHAPE_HEREDOC;
	ret->text = tn_str(text.data + 3, at - 3);
	ret->old_heredoc = text.data[2] == '~';
	return at;
}

/* "jsonencode(" at the end of the line or before a comment; its content follows on further lines.
 */
static size_t read_call(struct tn_str text, struct tn_plan_token *ret)
{
	static const struct tn_str names[] = {{"jsonencode(", 11}, {"yamlencode(", 11}};

	for (size_t i = 0; i < TN_COUNT(names); i++) {
		struct tn_str rest;

		if (!tn_str_starts(text, names[i]))
			continue;
		rest = skip_blanks(tn_str_from_offset(text, names[i].size));
		if (rest.size && rest.data[0] != '#')
			return 0;
		ret->shape = TN_PLAN_SHAPE_CALL;
		return names[i].size;
	}
	return 0;
}

static size_t read_bracket(struct tn_str text, struct tn_plan_token *ret)
{
	char close = text.data[0] == '[' ? ']' : '}';

	if (text.size >= 2 && text.data[1] == close) {
		ret->shape = TN_PLAN_SHAPE_SCALAR;
		ret->value = (struct tn_plan_value){.text = tn_str(text.data, 2),
						    .kind = TN_PLAN_VALUE_JSON};
		return 2;
	}
	ret->shape = close == ']' ? TN_PLAN_SHAPE_LIST : TN_PLAN_SHAPE_MAP;
	return 1;
}

static uint8_t word_kind(struct tn_str word)
{
	char first = word.data[0];

	if ((tn_is_digit(first) || first == '-') && tn_plan_is_number(word))
		return TN_PLAN_VALUE_NUMBER;
	if (tn_str_equal(word, TN_STR("true")) || tn_str_equal(word, TN_STR("false")))
		return TN_PLAN_VALUE_BOOL;
	if (tn_str_equal(word, TN_STR("null")))
		return TN_PLAN_VALUE_NULL;
	return TN_PLAN_VALUE_STRING;
}

/* Anything else, up to an arrow, a comment or the end; a comma behind it is no part. */
static size_t read_word(struct tn_plan_build *build, struct tn_str text, struct tn_plan_token *ret)
{
	size_t size = 0;

	while (size < text.size && text.data[size] != ' ')
		size++;
	if (size > 1 && text.data[size - 1] == ',')
		size--;
	ret->shape = TN_PLAN_SHAPE_SCALAR;
	ret->value.kind = word_kind(tn_str(text.data, size));
	ret->value.text = tn_str(text.data, size);
	if (ret->value.kind == TN_PLAN_VALUE_STRING) {
		/* No word of the renderer's: a call such as jsonencode("x"), or foreign text. */
		size_t arrow = tn_str_find(text, TN_STR(" -> "));
		size_t comment = tn_str_find(text, TN_STR(" # "));

		size = arrow < comment ? arrow : comment;
		if (size > text.size)
			size = text.size;
		ret->value = tn_plan_string_value(build, tn_str_trim(tn_str(text.data, size)));
	} else if (size > TN_PLAN_VALUE_BYTES_MAX) {
		ret->value = tn_plan_string_value(build, ret->value.text);
	}
	return size;
}

void tn_plan_value_read(struct tn_plan_build *build, struct tn_str *rest, struct tn_plan_token *ret)
{
	struct tn_str text = skip_blanks(*rest);
	size_t used = 0;

	*ret = (struct tn_plan_token){.shape = TN_PLAN_SHAPE_NONE};
	if (text.size == 0) {
		*rest = text;
		return;
	}
	switch (text.data[0]) {
	case '"':
		used = read_quoted(build, text, ret);
		break;
	case '(':
		used = read_marker(text, ret);
		break;
	case '[':
	case '{':
		used = read_bracket(text, ret);
		break;
	case '<':
		used = read_heredoc(text, ret);
		break;
	case 'j':
	case 'y':
		used = read_call(text, ret);
		break;
	default:
		break;
	}
	if (used == 0)
		used = read_word(build, text, ret);
	*rest = skip_blanks(tn_str_from_offset(text, used));
}

bool tn_plan_arrow_read(struct tn_str *rest)
{
	if (rest->size < 2 || rest->data[0] != '-' || rest->data[1] != '>')
		return false;
	*rest = skip_blanks(tn_str_from_offset(*rest, 2));
	return true;
}

bool tn_plan_suffix_forces(struct tn_str rest)
{
	size_t hash;

	if (rest.size < 10)
		return false;
	hash = tn_str_find_byte(rest, '#');
	if (hash == TN_STR_NONE)
		return false;
	rest = tn_str_from_offset(rest, hash);
	return tn_str_find(rest, TN_STR("forces replacement")) != TN_STR_NONE ||
	       tn_str_find(rest, TN_STR("force replacement")) != TN_STR_NONE;
}
