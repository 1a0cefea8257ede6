/* Expressions. Operators need no tree: whatever has one is kept as text. */
#include "apps/studio/hcl/hcl_lex.h"

#include "apps/studio/limits.h"

static struct tn_hcl_value *read_number(struct tn_hcl_reader *reader)
{
	struct tn_hcl_range start = tn_hcl_range_at(reader, reader->at);
	struct tn_json *json = tn_hcl_json_new(reader, TN_JSON_NUMBER);
	struct tn_hcl_value *value;

	if (!json)
		return NULL;
	json->text = tn_hcl_take_number(reader);
	value = tn_hcl_value_new(reader, TN_HCL_CONSTANT, start);
	if (value)
		value->value = json;
	return value;
}

static struct tn_hcl_value *read_parentheses(struct tn_hcl_reader *reader)
{
	struct tn_hcl_range start = tn_hcl_range_at(reader, reader->at);
	bool newlines = reader->newlines;
	struct tn_hcl_value *value;

	tn_hcl_take(reader, 1);
	reader->brackets++;
	reader->newlines = false;
	value = tn_hcl_read_expression(reader);
	if (!value)
		return NULL;
	if (!tn_hcl_accept(reader, ')'))
		return tn_hcl_fail(reader, "the closing ) is expected here");
	reader->brackets--;
	reader->newlines = newlines;
	value->range = start;
	value->range.end = (uint32_t)reader->last_end;
	value->text = tn_str(reader->text.data + start.start, reader->last_end - start.start);
	return value;
}

static struct tn_hcl_value *with_step(struct tn_hcl_reader *reader, enum tn_hcl_kind kind,
				      struct tn_hcl_range start, struct tn_str step)
{
	struct tn_hcl_value *value = tn_hcl_value_new(reader, kind, start);

	if (!value)
		return NULL;
	value->steps = tn_hcl_new(reader, sizeof(*value->steps));
	if (!value->steps)
		return NULL;
	value->steps[0] = step;
	value->step_count = 1;
	return value;
}

/* At the ( after a function's name. */
static struct tn_hcl_value *read_call(struct tn_hcl_reader *reader, struct tn_hcl_range start,
				      struct tn_str name)
{
	bool newlines = reader->newlines, expanded = false;
	struct tn_hcl_items items = {0};
	struct tn_hcl_value *value;

	tn_hcl_take(reader, 1);
	reader->brackets++;
	reader->newlines = false;
	while (!tn_hcl_accept(reader, ')')) {
		value = tn_hcl_read_expression(reader);
		if (!value)
			return NULL;
		tn_hcl_items_add(&items, value);
		if (tn_hcl_peek(reader) == '.' && tn_hcl_byte(reader, 1) == '.' &&
		    tn_hcl_byte(reader, 2) == '.') {
			tn_hcl_take(reader, 3);
			expanded = true;
		}
		if ((expanded || !tn_hcl_accept(reader, ',')) && tn_hcl_peek(reader) != ')')
			return tn_hcl_fail(reader, "a comma or the closing ) is expected here");
	}
	reader->brackets--;
	reader->newlines = newlines;
	value = with_step(reader, expanded ? TN_HCL_OTHER : TN_HCL_CALL, start, name);
	if (value) {
		value->items = items.first;
		value->item_count = items.count;
	}
	return value;
}

static struct tn_hcl_value *read_keyword(struct tn_hcl_reader *reader, struct tn_hcl_range start,
					 enum tn_json_type type)
{
	struct tn_hcl_value *value = tn_hcl_value_new(reader, TN_HCL_CONSTANT, start);

	if (value)
		value->value = tn_hcl_json_new(reader, type);
	return value && value->value ? value : NULL;
}

/* A name of its own, a function's, or true, false, null. */
static struct tn_hcl_value *read_name(struct tn_hcl_reader *reader)
{
	struct tn_hcl_range start = tn_hcl_range_at(reader, reader->at);
	size_t size = tn_hcl_name_size(reader, reader->at);
	bool spaced = false;
	struct tn_str name;

	if (size == 0)
		return tn_hcl_fail(reader, "a value is expected here");
	tn_hcl_take(reader, size);
	while (tn_hcl_byte(reader, 0) == ':' && tn_hcl_byte(reader, 1) == ':' &&
	       (size = tn_hcl_name_size(reader, reader->at + 2)) > 0) {
		tn_hcl_take(reader, 2 + size); /* provider::name::function */
		spaced = true;
	}
	name = tn_str(reader->text.data + start.start, reader->last_end - start.start);
	if (tn_hcl_peek(reader) == '(')
		return read_call(reader, start, name);
	if (spaced)
		return tn_hcl_fail(reader, "the ( of a function's arguments is expected here");
	if (tn_str_is(name, "true"))
		return read_keyword(reader, start, TN_JSON_TRUE);
	if (tn_str_is(name, "false"))
		return read_keyword(reader, start, TN_JSON_FALSE);
	if (tn_str_is(name, "null"))
		return read_keyword(reader, start, TN_JSON_NULL);
	return with_step(reader, TN_HCL_REFERENCE, start, name);
}

static struct tn_hcl_value *read_term(struct tn_hcl_reader *reader)
{
	char byte = tn_hcl_peek(reader);

	if (tn_is_digit(byte))
		return read_number(reader);
	switch (byte) {
	case '"':
		return tn_hcl_read_quoted(reader);
	case '(':
		return read_parentheses(reader);
	case '[':
		return tn_hcl_read_tuple(reader);
	case '{':
		return tn_hcl_read_object(reader);
	case '<':
		if (tn_hcl_byte(reader, 1) == '<')
			return tn_hcl_read_heredoc(reader);
		return tn_hcl_fail(reader, "a value is expected here");
	default:
		return read_name(reader);
	}
}

/* ---- .name, .0, .*, [..] ---- */

struct traversal {
	struct tn_str *steps;
	size_t count, room;
	bool plain;
};

static bool add_step(struct tn_hcl_reader *reader, struct traversal *traversal, struct tn_str step)
{
	if (traversal->count == traversal->room) {
		size_t room = traversal->room ? traversal->room * 2 : 4;
		struct tn_str *more = tn_hcl_new(reader, room * sizeof(*more));

		if (!more)
			return false;
		if (traversal->count > 0)
			memcpy(more, traversal->steps, traversal->count * sizeof(*more));
		traversal->steps = more;
		traversal->room = room;
	}
	traversal->steps[traversal->count++] = step;
	return true;
}

/* At a dot. */
static bool read_member(struct tn_hcl_reader *reader, struct traversal *traversal)
{
	size_t start, size = 0;

	tn_hcl_take(reader, 1);
	if (tn_hcl_peek(reader) == '*') {
		tn_hcl_take(reader, 1);
		traversal->plain = false;
		return true;
	}
	start = reader->at;
	while (tn_is_digit(tn_hcl_byte(reader, size)))
		size++; /* the old way to write an index */
	if (size == 0)
		size = tn_hcl_name_size(reader, start);
	if (size == 0)
		return tn_hcl_fail(reader, "a name is expected after the dot") != NULL;
	tn_hcl_take(reader, size);
	return add_step(reader, traversal, tn_str(reader->text.data + start, size));
}

/* At a [. */
static bool read_index(struct tn_hcl_reader *reader, struct traversal *traversal)
{
	bool newlines = reader->newlines;
	size_t start = reader->at;
	struct tn_hcl_value *value;

	tn_hcl_take(reader, 1);
	reader->brackets++;
	reader->newlines = false;
	if (tn_hcl_peek(reader) == '*') {
		tn_hcl_take(reader, 1);
		traversal->plain = false;
	} else {
		value = tn_hcl_read_expression(reader);
		if (!value)
			return false;
		if (!tn_json_is(value->value, TN_JSON_NUMBER) &&
		    !tn_json_is(value->value, TN_JSON_STRING))
			traversal->plain = false;
	}
	if (!tn_hcl_accept(reader, ']'))
		return tn_hcl_fail(reader, "the closing ] is expected here") != NULL;
	reader->brackets--;
	reader->newlines = newlines;
	return add_step(reader, traversal,
			tn_str(reader->text.data + start, reader->last_end - start));
}

static struct tn_hcl_value *read_operand(struct tn_hcl_reader *reader)
{
	bool in_parentheses = tn_hcl_peek(reader) == '(';
	struct tn_hcl_value *value = read_term(reader);
	struct traversal traversal = {0};
	struct tn_hcl_range start;

	if (!value)
		return NULL;
	start = value->range;
	traversal.plain = value->kind == TN_HCL_REFERENCE && !in_parentheses;
	if (value->kind == TN_HCL_REFERENCE) {
		traversal.steps = value->steps;
		traversal.count = traversal.room = value->step_count;
	}
	for (unsigned taken = 0;; taken++) {
		char byte = tn_hcl_peek(reader);
		bool more = (byte == '.' && tn_hcl_byte(reader, 1) != '.') || byte == '[';

		if (!more && taken == 0)
			return value;
		if (!more)
			break;
		if (!(byte == '.' ? read_member(reader, &traversal)
				  : read_index(reader, &traversal)))
			return NULL;
	}
	value = tn_hcl_value_new(reader, traversal.plain ? TN_HCL_REFERENCE : TN_HCL_OTHER, start);
	if (value && traversal.plain) {
		value->steps = traversal.steps;
		value->step_count = traversal.count;
	}
	return value;
}

/* ---- operators ---- */

static struct tn_hcl_value *negated(struct tn_hcl_reader *reader, struct tn_hcl_value *value,
				    struct tn_hcl_range start)
{
	struct tn_hcl_value *ret = tn_hcl_value_new(reader, TN_HCL_CONSTANT, start);
	struct tn_json *json = tn_hcl_json_new(reader, TN_JSON_NUMBER);
	struct tn_str digits = value->value->text;
	char *text;

	if (!ret || !json)
		return NULL;
	text = tn_hcl_new(reader, digits.size + 1);
	if (!text)
		return NULL;
	text[0] = '-';
	memcpy(text + 1, digits.data, digits.size);
	json->text = tn_str(text, digits.size + 1);
	ret->value = json;
	return ret;
}

static struct tn_hcl_value *read_signed(struct tn_hcl_reader *reader)
{
	struct tn_hcl_range start;
	struct tn_hcl_value *value;
	unsigned minus = 0, all = 0;
	char byte;

	byte = tn_hcl_peek(reader);
	start = tn_hcl_range_at(reader, reader->at);
	while (byte == '-' || byte == '!') {
		tn_hcl_take(reader, 1);
		minus += byte == '-';
		all++;
		byte = tn_hcl_peek(reader);
	}
	value = read_operand(reader);
	if (!value || all == 0)
		return value;
	if (minus == 1 && all == 1 && tn_json_is(value->value, TN_JSON_NUMBER) &&
	    value->value->text.data[0] != '-')
		return negated(reader, value, start);
	return tn_hcl_value_new(reader, TN_HCL_OTHER, start);
}

/* The bytes of the operator here; 0: none. */
static size_t operator_size(struct tn_hcl_reader *reader)
{
	static const char *const two[] = {"||", "&&", "==", "!=", "<=", ">=", NULL};
	char byte = tn_hcl_peek(reader), next = tn_hcl_byte(reader, 1);

	if (byte == '\0')
		return 0;
	for (size_t i = 0; two[i]; i++) {
		if (byte == two[i][0] && next == two[i][1])
			return 2;
	}
	return strchr("+-*/%<>", byte) ? 1 : 0;
}

struct tn_hcl_value *tn_hcl_read_expression(struct tn_hcl_reader *reader)
{
	struct tn_hcl_value *value;
	struct tn_hcl_range start;
	bool alone = true;
	size_t size;

	if (reader->depth >= TN_HCL_DEPTH_MAX)
		return tn_hcl_fail(reader, "this is nested too deeply");
	reader->depth++;
	(void)tn_hcl_peek(reader);
	start = tn_hcl_range_at(reader, reader->at);
	for (;;) {
		value = read_signed(reader);
		if (!value)
			return NULL;
		size = operator_size(reader);
		if (size > 0) {
			tn_hcl_take(reader, size);
		} else if (tn_hcl_accept(reader, '?')) {
			if (!tn_hcl_read_expression(reader))
				return NULL;
			if (!tn_hcl_accept(reader, ':'))
				return tn_hcl_fail(reader, "the : of this condition is expected");
		} else {
			break;
		}
		alone = false;
	}
	reader->depth--;
	return alone ? value : tn_hcl_value_new(reader, TN_HCL_OTHER, start);
}
