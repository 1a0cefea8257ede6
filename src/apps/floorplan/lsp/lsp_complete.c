/* What may be written at a place: words of the language, names of the plan.
 *
 * It is told from the tokens before the place, so that it works while a line is being written. */
#include "apps/floorplan/lsp/internal.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

/* Kinds of items of the protocol. */
enum { ITEM_FIELD = 5, ITEM_VALUE = 12, ITEM_KEYWORD = 14, ITEM_REFERENCE = 18 };

enum { ROOMS = 1, FLOORS = 2, STYLES = 4, SIZES = 8, CONFIG_KEYS = 16 };

struct rule { /* what follows a word */
	enum tn_floor_word after;
	const char *words;
	unsigned names;
};

#define SIDES "top|right|bottom|left"
#define HANDS "left|right"
#define PLAN_WORDS "floor|connect|vertical|define|style|config"
#define FLOOR_WORDS "room|stair|lift"
#define ROOM_CLAUSES                                                                  \
	"at|size|height|elevation|walls|right-of|left-of|above|below|above-right-of|" \
	"above-left-of|below-right-of|below-left-of|gap|align|label|composed|style"
#define STAIR_CLAUSES                                                                  \
	"at|shape|rise|width|riser|tread|nosing|headroom|handrail|stringers|material|" \
	"right-of|left-of|above|below|gap|align|label|style"
#define LIFT_CLAUSES "at|size|doors|right-of|left-of|above|below|gap|align|label|style"
#define CONNECT_CLAUSES "to|door|double-door|opening|at|size|opens|swing"

static const struct rule rules[] = {
	{TN_WORD_right_of, "", ROOMS},
	{TN_WORD_left_of, "", ROOMS},
	{TN_WORD_above, "", ROOMS},
	{TN_WORD_below, "", ROOMS},
	{TN_WORD_above_right_of, "", ROOMS},
	{TN_WORD_above_left_of, "", ROOMS},
	{TN_WORD_below_right_of, "", ROOMS},
	{TN_WORD_below_left_of, "", ROOMS},
	{TN_WORD_connect, "outside", ROOMS | FLOORS},
	{TN_WORD_to, "outside", ROOMS | FLOORS},
	{TN_WORD_into, "outside", ROOMS},
	{TN_WORD_along, "", ROOMS},
	{TN_WORD_vertical, "", FLOORS},
	{TN_WORD_style, "", STYLES},
	{TN_WORD_size, "", SIZES},
	{TN_WORD_default_style, "", STYLES},
	{TN_WORD_defaultStyle, "", STYLES},
	{TN_WORD_align, SIDES "|center", 0},
	{TN_WORD_opens, "into", 0},
	{TN_WORD_composed, "of", 0},
	{TN_WORD_toward, SIDES, 0},
	{TN_WORD_from, SIDES, 0},
	{TN_WORD_turn, HANDS, 0},
	{TN_WORD_swing, HANDS, 0},
	{TN_WORD_rotation, "clockwise|counterclockwise", 0},
	{TN_WORD_stringers, "open|closed|glass", 0},
	{TN_WORD_shape, "straight|L-shaped|U-shaped|double-L|winder|spiral|curved|custom", 0},
	{TN_WORD_theme, "default|dark|blueprint", 0},
	{TN_WORD_default_unit, "m|ft|cm|in|mm", 0},
	{TN_WORD_defaultUnit, "m|ft|cm|in|mm", 0},
	{TN_WORD_area_unit, "sqft|sqm", 0},
	{TN_WORD_areaUnit, "sqft|sqm", 0},
	{TN_WORD_dark_mode, "true|false", 0},
	{TN_WORD_darkMode, "true|false", 0},
	{TN_WORD_show_labels, "true|false", 0},
	{TN_WORD_showLabels, "true|false", 0},
	{TN_WORD_show_dimensions, "true|false", 0},
	{TN_WORD_showDimensions, "true|false", 0},
	{TN_WORD_stair_code, "residential|commercial|ada|none", 0},
	{TN_WORD_stairCode, "residential|commercial|ada|none", 0},
};

struct place {
	const struct tn_floor_lexed *lexed;
	uint32_t count; /* tokens before the place */
	enum tn_floor_word
		statement;        /* the word that began what is being written; WORD_COUNT: none */
	enum tn_floor_word block; /* the word before the innermost open bracket */
	char bracket;             /* it; 0: none is open */
};

/* ---- where it is ---- */

static bool begins(enum tn_floor_word word)
{
	static const enum tn_floor_word words[] = {
		TN_WORD_define,   TN_WORD_config,   TN_WORD_floor, TN_WORD_room,
		TN_WORD_sub_room, TN_WORD_stair,    TN_WORD_lift,  TN_WORD_connect,
		TN_WORD_vertical, TN_WORD_floorplan};

	for (size_t i = 0; i < TN_COUNT(words); i++)
		if (words[i] == word)
			return true;
	return false;
}

static bool is_punct(const struct tn_floor_token *token, char c)
{
	return token->kind == TN_FLOOR_PUNCT && token->word == (uint16_t)c;
}

struct stack { /* of open brackets; deeper ones are not told apart */
	enum tn_floor_word blocks[16];
	char brackets[16];
	size_t depth;
};

static void take(struct place *place, struct stack *stack, const struct tn_floor_token *token)
{
	if (token->kind == TN_FLOOR_WORD && begins((enum tn_floor_word)token->word))
		place->statement = (enum tn_floor_word)token->word;
	if (token->kind != TN_FLOOR_PUNCT)
		return;
	if (strchr("([{", token->word) && stack->depth < TN_COUNT(stack->blocks)) {
		stack->blocks[stack->depth] = place->statement;
		stack->brackets[stack->depth++] = (char)token->word;
		if (is_punct(token, '{') && place->statement == TN_WORD_floor)
			place->statement = TN_WORD_COUNT;
	} else if (strchr(")]}", token->word) && stack->depth > 0) {
		place->statement = stack->blocks[--stack->depth];
		if (is_punct(token, '}'))
			place->statement = TN_WORD_COUNT;
	}
}

static void look(struct place *place, size_t offset)
{
	struct stack stack = {.depth = 0};

	place->statement = TN_WORD_COUNT;
	for (; place->count < place->lexed->count; place->count++) {
		const struct tn_floor_token *token = &place->lexed->tokens[place->count];

		/* The word that is being written does not count. */
		if (token->kind == TN_FLOOR_END || token->range.end > offset ||
		    (token->range.end == offset && token->kind <= TN_FLOOR_WORD))
			break;
		take(place, &stack, token);
	}
	place->bracket = stack.depth > 0 ? stack.brackets[stack.depth - 1] : 0;
	place->block = stack.depth > 0 ? stack.blocks[stack.depth - 1] : TN_WORD_COUNT;
}

static const struct tn_floor_token *back(const struct place *place, uint32_t steps)
{
	return place->count >= steps ? &place->lexed->tokens[place->count - steps] : NULL;
}

/* ---- items ---- */

static void put_item(struct tn_buf *out, struct tn_str word, int kind, const char *detail)
{
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "label", word);
	tn_json_put_member_int(out, "kind", kind);
	if (detail)
		tn_json_put_member_text(out, "detail", detail);
	tn_json_end_object(out);
}

static void put_words(struct tn_buf *out, const char *words, int kind)
{
	struct tn_str rest = tn_str_from(words);

	while (rest.size > 0) {
		size_t end = tn_str_find_byte(rest, '|');
		struct tn_str word = end == TN_STR_NONE ? rest : tn_str(rest.data, end);

		put_item(out, word, kind, NULL);
		rest = end == TN_STR_NONE ? tn_str("", 0) : tn_str_from_offset(rest, end + 1);
	}
}

/* Names are taken off the tokens, which are there even if the text does not parse: every NAME
 * behind a word that defines one. */
static void put_names(struct tn_buf *out, const struct place *place, unsigned wanted)
{
	static const struct {
		enum tn_floor_word word;
		unsigned kind;
		const char *detail;
	} kinds[] = {{TN_WORD_room, ROOMS, "room"},
		     {TN_WORD_sub_room, ROOMS, "sub-room"},
		     {TN_WORD_floor, FLOORS, "floor"},
		     {TN_WORD_define, SIZES, "size"}};
	const struct tn_floor_token *tokens = place->lexed->tokens;

	for (uint32_t i = 0; i + 2 < place->lexed->count; i++) {
		struct tn_str name = tn_floor_token_text(place->lexed, i + 1);
		bool style = tokens[i].kind == TN_FLOOR_WORD && tokens[i].word == TN_WORD_style &&
			     is_punct(&tokens[i + 2], '{');

		if (tokens[i].kind != TN_FLOOR_WORD || tokens[i + 1].kind != TN_FLOOR_NAME)
			continue;
		if (style && (wanted & STYLES))
			put_item(out, name, ITEM_VALUE, "style");
		for (size_t k = 0; k < TN_COUNT(kinds); k++)
			if (tokens[i].word == kinds[k].word && (wanted & kinds[k].kind))
				put_item(out, name, ITEM_REFERENCE, kinds[k].detail);
	}
}

static void put_keys(struct tn_buf *out)
{
	struct tn_floor_config_key key;

	for (size_t i = 0; tn_floor_config_at(i, &key); i++)
		put_item(out, tn_str_from(key.key), ITEM_FIELD, key.value);
}

/* `Hall.`: sides of a room, or what is on a floor. */
static void put_behind_dot(struct tn_buf *out, const struct place *place)
{
	const struct tn_floor_token *before = back(place, 3);

	put_words(out, SIDES, ITEM_VALUE);
	/* A second dot ends with a side. */
	if (!before || !is_punct(before, '.'))
		put_names(out, place, ROOMS);
}

static bool put_in_bracket(struct tn_buf *out, const struct place *place,
			   const struct tn_floor_token *last)
{
	bool entry = is_punct(last, '{') || is_punct(last, '[') || is_punct(last, ',');

	if (place->bracket == '(')
		return is_punct(last, '(') || entry;
	if (place->bracket == '{' && place->block == TN_WORD_config && entry) {
		put_keys(out);
		return true;
	}
	if (place->bracket == '[' &&
	    (place->block == TN_WORD_room || place->block == TN_WORD_sub_room)) {
		if (entry)
			put_words(out, SIDES "|sub-room", ITEM_KEYWORD);
		else if (is_punct(last, ':'))
			put_words(out, "solid|door|window|open", ITEM_VALUE);
		return entry || is_punct(last, ':');
	}
	return false;
}

static bool put_by_rule(struct tn_buf *out, const struct place *place,
			const struct tn_floor_token *last)
{
	/* `theme:` and `swing:` have a colon behind the word. */
	if (is_punct(last, ':') && place->count > 1)
		last = back(place, 2);
	for (size_t i = 0; i < TN_COUNT(rules) && last->kind == TN_FLOOR_WORD; i++) {
		if (last->word != rules[i].after)
			continue;
		put_words(out, rules[i].words, ITEM_VALUE);
		put_names(out, place, rules[i].names);
		return true;
	}
	return false;
}

/* Anything that may go on, or begin, there. */
static void put_clauses(struct tn_buf *out, const struct place *place)
{
	switch (place->statement) {
	case TN_WORD_room:
	case TN_WORD_sub_room:
		put_words(out, ROOM_CLAUSES "|" FLOOR_WORDS, ITEM_KEYWORD);
		break;
	case TN_WORD_stair:
		put_words(out, STAIR_CLAUSES "|" FLOOR_WORDS, ITEM_KEYWORD);
		break;
	case TN_WORD_lift:
		put_words(out, LIFT_CLAUSES "|" FLOOR_WORDS, ITEM_KEYWORD);
		break;
	case TN_WORD_connect:
		put_words(out, CONNECT_CLAUSES "|" PLAN_WORDS, ITEM_KEYWORD);
		break;
	case TN_WORD_vertical:
		put_words(out, "to|" PLAN_WORDS, ITEM_KEYWORD);
		break;
	case TN_WORD_floor:
		put_words(out, "height|" FLOOR_WORDS, ITEM_KEYWORD);
		break;
	default:
		put_words(out, place->bracket == '{' ? FLOOR_WORDS : PLAN_WORDS, ITEM_KEYWORD);
	}
}

void tn_lsp_complete(struct tn_lsp_request *request)
{
	struct place place = {.lexed = &request->document->plan->tree.lexed};
	struct tn_buf *out = request->result;
	const struct tn_floor_token *last;

	tn_json_begin_array(out);
	look(&place, request->offset);
	last = back(&place, 1);
	if (!last)
		put_words(out, "floorplan", ITEM_KEYWORD);
	else if (is_punct(last, '.'))
		put_behind_dot(out, &place);
	else if (!put_in_bracket(out, &place, last) && !put_by_rule(out, &place, last))
		put_clauses(out, &place);
	tn_json_end_array(out);
}
