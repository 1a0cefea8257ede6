/* The pieces that elements are made of: lengths, sizes, places, names. */
#include <stdarg.h>
#include <stdio.h>

#include "apps/floorplan/language/parser.h"
#include "jsonrpc/json.h"

/* ---- tokens ---- */

bool tn_parse_is_word(const struct tn_floor_parser *p, enum tn_floor_word word)
{
	return tn_parse_here(p)->kind == TN_FLOOR_WORD && tn_parse_here(p)->word == (uint16_t)word;
}

bool tn_parse_is_sign(const struct tn_floor_parser *p, char sign)
{
	return tn_parse_here(p)->kind == TN_FLOOR_PUNCT &&
	       tn_parse_here(p)->word == (uint16_t)(unsigned char)sign;
}

bool tn_parse_take_word(struct tn_floor_parser *p, enum tn_floor_word word)
{
	bool is_there = tn_parse_is_word(p, word);

	if (is_there)
		tn_parse_next(p);
	return is_there;
}

bool tn_parse_take_sign(struct tn_floor_parser *p, char sign)
{
	bool is_there = tn_parse_is_sign(p, sign);

	if (is_there)
		tn_parse_next(p);
	return is_there;
}

/* ---- faults ---- */

bool tn_parse_fault(struct tn_floor_parser *p, int code, const struct tn_floor_range *range,
		    const char *format, ...)
{
	char message[512];
	va_list arguments;

	if (p->told)
		return false;
	p->told = true;
	va_start(arguments, format);
	(void)vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	(void)tn_floor_diagnose(p->list, code, range, "%s", message);
	return false;
}

bool tn_parse_expected(struct tn_floor_parser *p, const char *what)
{
	const struct tn_floor_token *token = tn_parse_here(p);
	struct tn_str text = tn_floor_token_text(&p->lexed, p->at);

	if (token->hyphen)
		return tn_parse_expected_not_hyphen(p, what);
	if (token->kind == TN_FLOOR_END)
		return tn_parse_fault(p, 1005, &token->range, "expected %s, found end of file",
				      what);
	return tn_parse_fault(p, 1005, &token->range, "expected %s, found '%.*s'%s", what,
			      (int)(text.size > 60 ? 60 : text.size), text.data,
			      text.size > 60 ? "..." : "");
}

void tn_parse_once(struct tn_floor_parser *p, unsigned *seen, unsigned clause, uint32_t token)
{
	struct tn_str text = tn_floor_token_text(&p->lexed, token);

	if (*seen & clause)
		(void)tn_floor_diagnose(p->list, 1009, &p->lexed.tokens[token].range,
					"'%.*s' is given twice; keep one of them", (int)text.size,
					text.data);
	*seen |= clause;
}

bool tn_parse_want_word(struct tn_floor_parser *p, enum tn_floor_word word)
{
	char what[40];

	if (tn_parse_take_word(p, word))
		return true;
	(void)snprintf(what, sizeof(what), "'%s'", tn_floor_word_text(word));
	return tn_parse_expected(p, what);
}

bool tn_parse_want_sign(struct tn_floor_parser *p, char sign)
{
	const char what[] = {'\'', sign, '\'', '\0'};

	return tn_parse_take_sign(p, sign) || tn_parse_expected(p, what);
}

static void tell_reserved(struct tn_floor_parser *p, struct tn_str word)
{
	char legal[40];
	size_t size = word.size < sizeof(legal) ? word.size : sizeof(legal);

	for (size_t i = 0; i < size; i++)
		legal[i] = (char)(word.data[i] == '-' ? '_' : word.data[i]);
	(void)tn_parse_fault(p, 1007, &tn_parse_here(p)->range,
			     "'%.*s' is a word of the language and cannot be a name; write "
			     "'%.*s_1', or give it a label",
			     (int)word.size, word.data, (int)size, legal);
}

bool tn_parse_name(struct tn_floor_parser *p, uint32_t *ret_token)
{
	const struct tn_floor_token *token = tn_parse_here(p);
	struct tn_str text = tn_floor_token_text(&p->lexed, p->at);

	*ret_token = p->at;
	if (token->kind == TN_FLOOR_NAME) {
		tn_parse_next(p);
		return true;
	}
	if (token->kind != TN_FLOOR_WORD)
		return tn_parse_expected(p, "a name");
	tell_reserved(p, text);
	tn_parse_next(p);
	return true;
}

bool tn_parse_count(struct tn_floor_parser *p, uint32_t *count, uint32_t max, const char *what)
{
	if (++*count <= max)
		return true;
	p->full = true;
	return tn_parse_fault(p, 4, &tn_parse_here(p)->range,
			      "more than %u %s; this plan is too large to be read", max, what);
}

void *tn_parse_new(struct tn_floor_parser *p, size_t size)
{
	void *made = tn_arena_alloc(p->arena, size);

	if (!made) {
		p->list->starved = true;
		p->full = true;
	}
	return made;
}

/* ---- numbers ---- */

static enum tn_floor_unit unit_here(const struct tn_floor_parser *p)
{
	static const struct {
		enum tn_floor_word word;
		enum tn_floor_unit unit;
	} units[] = {{TN_WORD_m, TN_FLOOR_M},
		     {TN_WORD_ft, TN_FLOOR_FT},
		     {TN_WORD_cm, TN_FLOOR_CM},
		     {TN_WORD_in, TN_FLOOR_IN},
		     {TN_WORD_mm, TN_FLOOR_MM}};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (tn_parse_is_word(p, units[i].word))
			return units[i].unit;
	}
	return TN_FLOOR_NO_UNIT;
}

/* Digits without sign or exponent; one that was told of counts as what can be read of it. */
static double value_of(const struct tn_floor_parser *p, uint32_t token)
{
	const struct tn_json number = {.type = TN_JSON_NUMBER,
				       .text = tn_floor_token_text(&p->lexed, token)};
	/* A good one that fits into no double is out of every range. */
	double value = p->lexed.tokens[token].bad ? 1 : 1e300;

	(void)tn_json_to_double(&number, &value);
	return value;
}

bool tn_parse_number(struct tn_floor_parser *p, double *ret, uint32_t *ret_token)
{
	if (tn_parse_here(p)->kind != TN_FLOOR_NUMBER)
		return tn_parse_expected(p, "a number");
	*ret = value_of(p, p->at);
	*ret_token = p->at;
	tn_parse_next(p);
	return true;
}

bool tn_parse_length(struct tn_floor_parser *p, bool may_be_negative, struct tn_floor_length *ret)
{
	*ret = (struct tn_floor_length){.minus = TN_FLOOR_NO_TOKEN,
					.unit_token = TN_FLOOR_NO_TOKEN};
	if (may_be_negative && tn_parse_is_sign(p, '-')) {
		ret->minus = p->at;
		tn_parse_next(p);
	}
	if (!tn_parse_number(p, &ret->number, &ret->digits))
		return false;
	if (ret->minus != TN_FLOOR_NO_TOKEN)
		ret->number = -ret->number;
	ret->unit = unit_here(p);
	if (ret->unit != TN_FLOOR_NO_UNIT) {
		ret->unit_token = p->at;
		tn_parse_next(p);
	}
	return true;
}

/* Behind the opening parenthesis. */
static bool parse_extents(struct tn_floor_parser *p, bool may_be_full, struct tn_floor_size *ret)
{
	if (!tn_parse_length(p, false, &ret->width) || !tn_parse_want_word(p, TN_WORD_x))
		return false;
	ret->full = may_be_full && tn_parse_take_word(p, TN_WORD_full);
	if (!ret->full && !tn_parse_length(p, false, &ret->height))
		return false;
	return tn_parse_want_sign(p, ')');
}

bool tn_parse_size(struct tn_floor_parser *p, bool may_be_full, struct tn_floor_size *ret)
{
	uint32_t first = p->at;

	*ret = (struct tn_floor_size){.there = true, .name = TN_FLOOR_NO_TOKEN};
	if (!tn_parse_want_sign(p, '(') || !parse_extents(p, may_be_full, ret))
		return false;
	ret->tokens = tn_parse_since(p, first);
	return true;
}

/* ---- words ---- */

bool tn_parse_side(struct tn_floor_parser *p, enum tn_floor_side *ret, uint32_t *ret_token)
{
	static const enum tn_floor_word sides[] = {TN_WORD_top, TN_WORD_right, TN_WORD_bottom,
						   TN_WORD_left};

	for (unsigned i = 0; i < 4; i++) {
		if (!tn_parse_is_word(p, sides[i]))
			continue;
		*ret = (enum tn_floor_side)i;
		*ret_token = p->at;
		tn_parse_next(p);
		return true;
	}
	return tn_parse_expected(p, "'top', 'right', 'bottom' or 'left'");
}

bool tn_parse_hand(struct tn_floor_parser *p, enum tn_floor_hand *ret)
{
	*ret = tn_parse_is_word(p, TN_WORD_left) ? TN_FLOOR_HAND_LEFT : TN_FLOOR_HAND_RIGHT;
	return tn_parse_take_word(p, TN_WORD_left) || tn_parse_take_word(p, TN_WORD_right) ||
	       tn_parse_expected(p, "'left' or 'right'");
}

/* ---- clauses ---- */

bool tn_parse_measure(struct tn_floor_parser *p, struct tn_floor_measure *ret)
{
	bool may_be_negative = tn_parse_is_word(p, TN_WORD_elevation);
	uint32_t first = p->at;

	tn_parse_next(p);
	if (!tn_parse_length(p, may_be_negative, &ret->length))
		return false;
	ret->tokens = tn_parse_since(p, first);
	return true;
}

bool tn_parse_at(struct tn_floor_parser *p, struct tn_floor_at *ret)
{
	uint32_t first = p->at;

	tn_parse_next(p);
	if (!tn_parse_want_sign(p, '(') || !tn_parse_length(p, true, &ret->x) ||
	    !tn_parse_want_sign(p, ',') || !tn_parse_length(p, true, &ret->y) ||
	    !tn_parse_want_sign(p, ')'))
		return false;
	ret->tokens = tn_parse_since(p, first);
	return true;
}

static bool find_direction(const struct tn_floor_parser *p, enum tn_floor_direction *ret)
{
	static const enum tn_floor_word directions[] = {
		TN_WORD_right_of,       TN_WORD_left_of,        TN_WORD_above,
		TN_WORD_below,          TN_WORD_above_right_of, TN_WORD_above_left_of,
		TN_WORD_below_right_of, TN_WORD_below_left_of};

	for (unsigned i = 0; i < sizeof(directions) / sizeof(directions[0]); i++) {
		*ret = (enum tn_floor_direction)i;
		if (tn_parse_is_word(p, directions[i]))
			return true;
	}
	return false;
}

bool tn_parse_is_direction(const struct tn_floor_parser *p)
{
	enum tn_floor_direction direction;

	return find_direction(p, &direction);
}

static bool parse_align(struct tn_floor_parser *p, struct tn_floor_relative *ret)
{
	static const enum tn_floor_word words[] = {TN_WORD_top, TN_WORD_bottom, TN_WORD_left,
						   TN_WORD_right, TN_WORD_center};

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!tn_parse_is_word(p, words[i]))
			continue;
		ret->align = (enum tn_floor_align)(i + TN_FLOOR_ALIGN_TOP);
		ret->align_token = p->at;
		tn_parse_next(p);
		return true;
	}
	return tn_parse_expected(p, "'top', 'bottom', 'left', 'right' or 'center'");
}

bool tn_parse_relative(struct tn_floor_parser *p, struct tn_floor_relative *ret)
{
	enum { GAP = 1, ALIGN = 2 };
	unsigned seen = 0;

	*ret = (struct tn_floor_relative){.word = p->at, .align_token = TN_FLOOR_NO_TOKEN};
	(void)find_direction(p, &ret->direction);
	tn_parse_next(p);
	if (!tn_parse_name(p, &ret->name))
		return false;
	for (;;) {
		if (tn_parse_is_word(p, TN_WORD_gap)) {
			tn_parse_once(p, &seen, GAP, p->at);
			tn_parse_next(p);
			ret->has_gap = true;
			if (!tn_parse_length(p, false, &ret->gap))
				return false;
		} else if (tn_parse_is_word(p, TN_WORD_align)) {
			tn_parse_once(p, &seen, ALIGN, p->at);
			tn_parse_next(p);
			if (!parse_align(p, ret))
				return false;
		} else {
			ret->tokens = tn_parse_since(p, ret->word);
			return true;
		}
	}
}

bool tn_parse_label(struct tn_floor_parser *p, struct tn_floor_text *ret)
{
	uint32_t first = p->at;

	tn_parse_next(p);
	if (tn_parse_here(p)->kind != TN_FLOOR_STRING)
		return tn_parse_expected(p, "a text in quotes");
	ret->string = p->at;
	tn_parse_next(p);
	ret->tokens = tn_parse_since(p, first);
	return true;
}

bool tn_parse_is_style_clause(const struct tn_floor_parser *p)
{
	const struct tn_floor_token *behind = tn_parse_ahead(p, 2);

	return tn_parse_is_word(p, TN_WORD_style) &&
	       !(tn_parse_ahead(p, 1)->kind == TN_FLOOR_NAME && behind->kind == TN_FLOOR_PUNCT &&
		 behind->word == '{');
}

bool tn_parse_style_of(struct tn_floor_parser *p, struct tn_floor_name *ret)
{
	uint32_t first = p->at;

	tn_parse_next(p);
	if (!tn_parse_name(p, &ret->name))
		return false;
	ret->tokens = tn_parse_since(p, first);
	return true;
}
