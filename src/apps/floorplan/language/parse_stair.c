/* Stairs and lifts. */
#include "apps/floorplan/language/parser.h"

#include "apps/floorplan/limits.h"

enum clause {
	AT = 1 << 0,
	SHAPE = 1 << 1,
	RISE = 1 << 2,
	WIDTH = 1 << 3,
	RISER = 1 << 4,
	TREAD = 1 << 5,
	NOSING = 1 << 6,
	HEADROOM = 1 << 7,
	HANDRAIL = 1 << 8,
	STRINGERS = 1 << 9,
	MATERIAL = 1 << 10,
	RELATIVE = 1 << 11,
	LABEL = 1 << 12,
	STYLE = 1 << 13,
	SIZE = 1 << 14,
	DOORS = 1 << 15
};

struct clause_word {
	enum tn_floor_word word;
	enum clause clause;
};

static unsigned clause_here(const struct tn_floor_parser *p, const struct clause_word *clauses,
			    size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (tn_parse_is_word(p, clauses[i].word))
			return clauses[i].clause;
	}
	if (tn_parse_is_direction(p))
		return RELATIVE;
	return tn_parse_is_style_clause(p) ? STYLE : 0;
}

static bool may_end(const struct tn_floor_parser *p)
{
	return tn_parse_at_statement(p) || tn_parse_here(p)->kind == TN_FLOOR_END ||
	       tn_parse_is_sign(p, '}');
}

/* ---- shapes ---- */

static bool parse_runs(struct tn_floor_parser *p, struct tn_floor_stair_tree *stair)
{
	uint32_t token;
	double run;

	if (!tn_parse_take_word(p, TN_WORD_runs))
		return true;
	do {
		if (!tn_parse_number(p, &run, &token))
			return false;
		if (stair->run_count < TN_FLOOR_RUNS_MAX)
			stair->runs[stair->run_count] = run;
		stair->run_count++;
	} while (tn_parse_take_sign(p, ','));
	return true;
}

static bool parse_from(struct tn_floor_parser *p, struct tn_floor_stair_tree *stair)
{
	uint32_t token;

	return tn_parse_want_word(p, TN_WORD_from) && tn_parse_side(p, &stair->side, &token);
}

static bool parse_turned(struct tn_floor_parser *p, struct tn_floor_stair_tree *stair)
{
	uint32_t token;

	if (!parse_from(p, stair) || !tn_parse_want_word(p, TN_WORD_turn) ||
	    !tn_parse_hand(p, &stair->hand))
		return false;
	if (stair->shape == TN_FLOOR_WINDER && (!tn_parse_want_word(p, TN_WORD_winders) ||
						!tn_parse_number(p, &stair->winders, &token)))
		return false;
	if (!parse_runs(p, stair))
		return false;
	return stair->shape == TN_FLOOR_WINDER || !tn_parse_take_word(p, TN_WORD_landing) ||
	       tn_parse_size(p, false, &stair->landing);
}

static bool parse_spiral(struct tn_floor_parser *p, struct tn_floor_stair_tree *stair)
{
	if (!tn_parse_want_word(p, TN_WORD_rotation))
		return false;
	stair->clockwise = tn_parse_is_word(p, TN_WORD_clockwise);
	if (!tn_parse_take_word(p, TN_WORD_clockwise) &&
	    !tn_parse_take_word(p, TN_WORD_counterclockwise))
		return tn_parse_expected(p, "'clockwise' or 'counterclockwise'");
	if (tn_parse_is_word(p, TN_WORD_inner_radius) && !tn_parse_measure(p, &stair->inner_radius))
		return false;
	if (!tn_parse_is_word(p, TN_WORD_outer_radius))
		return tn_parse_expected(p, "'outer-radius'");
	return tn_parse_measure(p, &stair->outer_radius);
}

static bool parse_curved(struct tn_floor_parser *p, struct tn_floor_stair_tree *stair)
{
	uint32_t token;

	if (!parse_from(p, stair))
		return false;
	if (tn_parse_take_word(p, TN_WORD_arc)) {
		stair->has_arc = true;
		if (!tn_parse_number(p, &stair->arc, &token))
			return false;
		(void)tn_parse_take_sign(p, (char)0xB0);
	}
	if (!tn_parse_is_word(p, TN_WORD_radius))
		return tn_parse_expected(p, "'radius'");
	return tn_parse_measure(p, &stair->radius);
}

static bool parse_flight(struct tn_floor_parser *p, struct tn_floor_segment *segment)
{
	uint32_t token;

	if (!tn_parse_number(p, &segment->steps, &token))
		return false;
	for (;;) {
		uint32_t first = p->at;
		enum tn_floor_side side;

		if (tn_parse_is_word(p, TN_WORD_width)) {
			if (!tn_parse_measure(p, &segment->width))
				return false;
		} else if (tn_parse_take_word(p, TN_WORD_along)) {
			if (!tn_parse_name(p, &segment->along_room) ||
			    !tn_parse_want_sign(p, '.') ||
			    !tn_parse_side(p, &side, &segment->along_side))
				return false;
			segment->along = tn_parse_since(p, first);
		} else {
			return true;
		}
	}
}

static bool parse_turn(struct tn_floor_parser *p, struct tn_floor_segment *segment)
{
	uint32_t token;

	segment->turn = true;
	segment->degrees = 90;
	if (!tn_parse_hand(p, &segment->hand))
		return false;
	if (tn_parse_take_word(p, TN_WORD_landing)) {
		if (!tn_parse_size(p, false, &segment->landing))
			return false;
	} else if (tn_parse_take_word(p, TN_WORD_winders)) {
		if (!tn_parse_number(p, &segment->steps, &token))
			return false;
	} else {
		return tn_parse_expected(p, "'landing' or 'winders'");
	}
	if (tn_parse_here(p)->kind != TN_FLOOR_NUMBER)
		return true;
	return tn_parse_number(p, &segment->degrees, &token) &&
	       (tn_parse_take_sign(p, (char)0xB0) || tn_parse_expected(p, "'\xC2\xB0'"));
}

static bool parse_segment(struct tn_floor_parser *p, struct tn_floor_segment **ret)
{
	struct tn_floor_segment *segment = tn_parse_new(p, sizeof(*segment));
	uint32_t first = p->at;
	bool good;

	if (!segment)
		return false;
	*ret = segment;
	segment->width.tokens = segment->along = tn_parse_no_tokens();
	segment->along_room = segment->along_side = TN_FLOOR_NO_TOKEN;
	if (tn_parse_take_word(p, TN_WORD_flight))
		good = parse_flight(p, segment);
	else if (tn_parse_take_word(p, TN_WORD_turn))
		good = parse_turn(p, segment);
	else
		good = tn_parse_expected(p, "'flight' or 'turn'");
	segment->tokens = tn_parse_since(p, first);
	return good;
}

static bool parse_custom(struct tn_floor_parser *p, struct tn_floor_stair_tree *stair)
{
	struct tn_floor_segment **end = &stair->segments;
	unsigned count = 0;

	if (!parse_from(p, stair) || !tn_parse_want_sign(p, '['))
		return false;
	do {
		if (stair->segments && tn_parse_is_sign(p, ']'))
			break;
		if (++count > TN_FLOOR_STEPS_MAX) {
			p->full = true;
			return tn_parse_fault(p, 4, &tn_parse_here(p)->range,
					      "more than %d segments in one stair",
					      TN_FLOOR_STEPS_MAX);
		}
		if (!parse_segment(p, end))
			return false;
		end = &(*end)->next;
	} while (tn_parse_take_sign(p, ','));
	return tn_parse_take_sign(p, ']') || tn_parse_expected(p, "',' or ']'");
}

static bool parse_shape(struct tn_floor_parser *p, struct tn_floor_stair_tree *stair)
{
	static const enum tn_floor_word shapes[] = {
		TN_WORD_straight, TN_WORD_L_shaped, TN_WORD_U_shaped, TN_WORD_double_L,
		TN_WORD_winder,   TN_WORD_spiral,   TN_WORD_curved,   TN_WORD_custom};
	uint32_t token;
	unsigned i = 0;

	tn_parse_next(p);
	while (i < sizeof(shapes) / sizeof(shapes[0]) && !tn_parse_is_word(p, shapes[i]))
		i++;
	if (i == sizeof(shapes) / sizeof(shapes[0]))
		return tn_parse_expected(p, "'straight', 'L-shaped', 'U-shaped', 'double-L', "
					    "'winder', 'spiral', ...");
	stair->shape = (enum tn_floor_shape)i;
	stair->shape_token = p->at;
	tn_parse_next(p);
	switch (stair->shape) {
	case TN_FLOOR_STRAIGHT:
		return tn_parse_want_word(p, TN_WORD_toward) &&
		       tn_parse_side(p, &stair->side, &token);
	case TN_FLOOR_SPIRAL:
		return parse_spiral(p, stair);
	case TN_FLOOR_CURVED:
		return parse_curved(p, stair);
	case TN_FLOOR_CUSTOM:
		return parse_custom(p, stair);
	default:
		return parse_turned(p, stair);
	}
}

/* ---- what is kept and not drawn ---- */

static bool parse_one_of(struct tn_floor_parser *p, const enum tn_floor_word *words,
			 const char *what, uint32_t *ret_token)
{
	for (; *words != TN_WORD_COUNT; words++) {
		*ret_token = p->at;
		if (tn_parse_take_word(p, *words))
			return true;
	}
	return tn_parse_expected(p, what);
}

static bool parse_handrail(struct tn_floor_parser *p, struct tn_floor_name *ret)
{
	static const enum tn_floor_word words[] = {TN_WORD_left,  TN_WORD_right, TN_WORD_both,
						   TN_WORD_inner, TN_WORD_outer, TN_WORD_none,
						   TN_WORD_COUNT};
	uint32_t first = p->at;

	tn_parse_next(p);
	if (!tn_parse_want_sign(p, '(') ||
	    !parse_one_of(p, words, "'left', 'right', 'both', 'inner', 'outer' or 'none'",
			  &ret->name) ||
	    !tn_parse_want_sign(p, ')'))
		return false;
	ret->tokens = tn_parse_since(p, first);
	return true;
}

static bool parse_stringers(struct tn_floor_parser *p, struct tn_floor_name *ret)
{
	static const enum tn_floor_word words[] = {TN_WORD_open, TN_WORD_closed, TN_WORD_glass,
						   TN_WORD_COUNT};
	uint32_t first = p->at;

	tn_parse_next(p);
	if (!parse_one_of(p, words, "'open', 'closed' or 'glass'", &ret->name))
		return false;
	ret->tokens = tn_parse_since(p, first);
	return true;
}

static bool parse_material(struct tn_floor_parser *p, struct tn_floor_name *ret)
{
	static const enum tn_floor_word words[] = {TN_WORD_tread, TN_WORD_riser, TN_WORD_stringer,
						   TN_WORD_handrail, TN_WORD_COUNT};
	uint32_t first = p->at;
	unsigned count = 0;

	tn_parse_next(p);
	if (!tn_parse_want_sign(p, '{'))
		return false;
	do {
		if (count++ > 0 && tn_parse_is_sign(p, '}'))
			break;
		if (!parse_one_of(p, words, "'tread', 'riser', 'stringer' or 'handrail'",
				  &ret->name) ||
		    !tn_parse_want_sign(p, ':'))
			return false;
		if (tn_parse_here(p)->kind != TN_FLOOR_STRING)
			return tn_parse_expected(p, "a text in quotes");
		tn_parse_next(p);
	} while (tn_parse_take_sign(p, ','));
	if (!tn_parse_take_sign(p, '}'))
		return tn_parse_expected(p, "',' or '}'");
	ret->tokens = tn_parse_since(p, first);
	return true;
}

/* ---- a stair ---- */

static bool parse_measure_of(struct tn_floor_parser *p, unsigned clause,
			     struct tn_floor_stair_tree *stair)
{
	switch (clause) {
	case RISE:
		return tn_parse_measure(p, &stair->rise);
	case WIDTH:
		return tn_parse_measure(p, &stair->width);
	case RISER:
		return tn_parse_measure(p, &stair->riser);
	case TREAD:
		return tn_parse_measure(p, &stair->tread);
	case NOSING:
		return tn_parse_measure(p, &stair->nosing);
	default:
		return tn_parse_measure(p, &stair->headroom);
	}
}

static bool parse_stair_clause(struct tn_floor_parser *p, unsigned clause,
			       struct tn_floor_stair_tree *stair)
{
	switch (clause) {
	case AT:
		return tn_parse_at(p, &stair->at);
	case SHAPE:
		return parse_shape(p, stair);
	case HANDRAIL:
		return parse_handrail(p, &stair->handrail);
	case STRINGERS:
		return parse_stringers(p, &stair->stringers);
	case MATERIAL:
		return parse_material(p, &stair->material);
	case RELATIVE:
		return tn_parse_relative(p, &stair->relative);
	case LABEL:
		return tn_parse_label(p, &stair->label);
	case STYLE:
		return tn_parse_style_of(p, &stair->style);
	default:
		return parse_measure_of(p, clause, stair);
	}
}

static struct tn_floor_stair_tree *make_stair(struct tn_floor_parser *p)
{
	struct tn_floor_stair_tree *stair = tn_parse_new(p, sizeof(*stair));

	if (!stair)
		return NULL;
	stair->word = p->at;
	stair->shape_token = TN_FLOOR_NO_TOKEN;
	stair->inner_radius.tokens = stair->outer_radius.tokens = stair->radius.tokens =
		tn_parse_no_tokens();
	stair->rise.tokens = stair->width.tokens = stair->riser.tokens = stair->tread.tokens =
		tn_parse_no_tokens();
	stair->nosing.tokens = stair->headroom.tokens = stair->handrail.tokens =
		stair->stringers.tokens = stair->material.tokens = tn_parse_no_tokens();
	stair->at.tokens = stair->relative.tokens = stair->label.tokens = stair->style.tokens =
		tn_parse_no_tokens();
	return stair;
}

static bool is_missing(struct tn_floor_parser *p, uint32_t name, const char *kind, const char *what)
{
	struct tn_str text = tn_floor_token_text(&p->lexed, name);

	return tn_parse_fault(p, 1015, &p->lexed.tokens[name].range, "%s '%.*s' has no %s", kind,
			      (int)text.size, text.data, what);
}

bool tn_parse_stair(struct tn_floor_parser *p, struct tn_floor_stair_tree **ret)
{
	static const struct clause_word clauses[] = {{TN_WORD_at, AT},
						     {TN_WORD_shape, SHAPE},
						     {TN_WORD_rise, RISE},
						     {TN_WORD_width, WIDTH},
						     {TN_WORD_riser, RISER},
						     {TN_WORD_tread, TREAD},
						     {TN_WORD_nosing, NOSING},
						     {TN_WORD_headroom, HEADROOM},
						     {TN_WORD_handrail, HANDRAIL},
						     {TN_WORD_stringers, STRINGERS},
						     {TN_WORD_material, MATERIAL},
						     {TN_WORD_label, LABEL}};
	struct tn_floor_stair_tree *stair = make_stair(p);
	unsigned seen = 0, clause;

	p->told = false;
	if (!stair)
		return false;
	*ret = stair;
	if (!tn_parse_count(p, &p->circulation, TN_FLOOR_CIRCULATION_MAX, "stairs and lifts"))
		return false;
	tn_parse_next(p);
	if (!tn_parse_name(p, &stair->name))
		return false;
	while ((clause = clause_here(p, clauses, sizeof(clauses) / sizeof(clauses[0]))) != 0) {
		tn_parse_once(p, &seen, clause, p->at);
		if (!parse_stair_clause(p, clause, stair))
			return false;
	}
	if (!may_end(p))
		return tn_parse_expected(p, "a clause of the stair");
	stair->tokens = tn_parse_since(p, stair->word);
	if (!(seen & SHAPE))
		return is_missing(p, stair->name, "stair",
				  "shape; add e.g. shape straight toward top");
	return (seen & RISE) || is_missing(p, stair->name, "stair", "rise; add e.g. rise 3m");
}

/* ---- a lift ---- */

static bool parse_doors(struct tn_floor_parser *p, struct tn_floor_lift_tree *lift)
{
	enum tn_floor_side side;
	uint32_t token;

	tn_parse_next(p);
	if (!tn_parse_want_sign(p, '('))
		return false;
	do {
		if (lift->doors && tn_parse_is_sign(p, ')'))
			break;
		if (!tn_parse_side(p, &side, &token))
			return false;
		lift->doors |= 1U << side;
	} while (tn_parse_take_sign(p, ','));
	return tn_parse_take_sign(p, ')') || tn_parse_expected(p, "',' or ')'");
}

static bool parse_lift_clause(struct tn_floor_parser *p, unsigned clause,
			      struct tn_floor_lift_tree *lift)
{
	switch (clause) {
	case AT:
		return tn_parse_at(p, &lift->at);
	case SIZE:
		tn_parse_next(p);
		return tn_parse_size(p, false, &lift->size);
	case DOORS:
		return parse_doors(p, lift);
	case RELATIVE:
		return tn_parse_relative(p, &lift->relative);
	case LABEL:
		return tn_parse_label(p, &lift->label);
	default:
		return tn_parse_style_of(p, &lift->style);
	}
}

bool tn_parse_lift(struct tn_floor_parser *p, struct tn_floor_lift_tree **ret)
{
	static const struct clause_word clauses[] = {{TN_WORD_at, AT},
						     {TN_WORD_size, SIZE},
						     {TN_WORD_doors, DOORS},
						     {TN_WORD_label, LABEL}};
	struct tn_floor_lift_tree *lift = tn_parse_new(p, sizeof(*lift));
	unsigned seen = 0, clause;

	p->told = false;
	if (!lift)
		return false;
	*ret = lift;
	lift->word = p->at;
	lift->at.tokens = lift->relative.tokens = lift->label.tokens = lift->style.tokens =
		tn_parse_no_tokens();
	if (!tn_parse_count(p, &p->circulation, TN_FLOOR_CIRCULATION_MAX, "stairs and lifts"))
		return false;
	tn_parse_next(p);
	if (!tn_parse_name(p, &lift->name))
		return false;
	while ((clause = clause_here(p, clauses, sizeof(clauses) / sizeof(clauses[0]))) != 0) {
		tn_parse_once(p, &seen, clause, p->at);
		if (!parse_lift_clause(p, clause, lift))
			return false;
	}
	if (!may_end(p))
		return tn_parse_expected(p, "a clause of the lift");
	lift->tokens = tn_parse_since(p, lift->word);
	return (seen & SIZE) || is_missing(p, lift->name, "lift", "size; add size (W x H)");
}
