/* { key: value, ... } of styles and of the configuration. */
#include "apps/floorplan/language/parser.h"

static bool parse_value(struct tn_floor_parser *p, bool of_style, struct tn_floor_property *ret)
{
	const struct tn_floor_token *token = tn_parse_here(p);
	struct tn_str text = tn_floor_token_text(&p->lexed, p->at);

	if (token->kind == TN_FLOOR_STRING) {
		ret->kind = TN_FLOOR_VALUE_STRING;
		ret->text = tn_str(text.data + 1, text.size > 1 ? text.size - 2 : 0);
		tn_parse_next(p);
		return true;
	}
	if (token->kind == TN_FLOOR_NUMBER) {
		uint32_t digits;

		ret->kind = TN_FLOOR_VALUE_LENGTH;
		if (!of_style)
			return tn_parse_length(p, false, &ret->length);
		ret->length = (struct tn_floor_length){.digits = p->at,
						       .minus = TN_FLOOR_NO_TOKEN,
						       .unit_token = TN_FLOOR_NO_TOKEN};
		return tn_parse_number(p, &ret->length.number, &digits);
	}
	if (of_style)
		return tn_parse_expected(p, "a text in quotes or a number");
	if (tn_parse_is_sign(p, '(')) {
		ret->kind = TN_FLOOR_VALUE_SIZE;
		return tn_parse_size(p, false, &ret->size);
	}
	if (token->kind != TN_FLOOR_NAME && token->kind != TN_FLOOR_WORD)
		return tn_parse_expected(p, "a number, a size, a text in quotes or a word");
	ret->kind = TN_FLOOR_VALUE_WORD;
	ret->text = text;
	tn_parse_next(p);
	return true;
}

static bool parse_property(struct tn_floor_parser *p, bool of_style, struct tn_floor_property **ret)
{
	struct tn_floor_property *property = tn_parse_new(p, sizeof(*property));
	const struct tn_floor_token *token = tn_parse_here(p);
	uint32_t first = p->at, value;

	if (!property)
		return false;
	*ret = property;
	if (token->kind != TN_FLOOR_NAME && token->kind != TN_FLOOR_WORD)
		return tn_parse_expected(p, "a key");
	property->key = tn_floor_token_text(&p->lexed, p->at);
	property->key_range = token->range;
	tn_parse_next(p);
	if (!tn_parse_want_sign(p, ':'))
		return false;
	value = p->at;
	if (!parse_value(p, of_style, property))
		return false;
	property->value_range = tn_floor_span(&p->lexed, value, p->at - 1);
	property->tokens = tn_parse_since(p, first);
	return true;
}

bool tn_parse_properties(struct tn_floor_parser *p, bool of_style, struct tn_floor_property **ret)
{
	struct tn_floor_property **end = ret;

	if (!tn_parse_want_sign(p, '{'))
		return false;
	do {
		if (*ret && tn_parse_is_sign(p, '}'))
			break; /* E5 */
		if (!parse_property(p, of_style, end))
			return false;
		end = &(*end)->next;
	} while (tn_parse_take_sign(p, ','));
	return tn_parse_take_sign(p, '}') || tn_parse_expected(p, "',' or '}'");
}
