/* Connections and vertical links. */
#include "apps/floorplan/language/parser.h"

#include "apps/floorplan/limits.h"

enum { AT = 1, SIZE = 2, OPENS = 4, SWING = 8 };

/* ---- ends ---- */

static bool parse_end_side(struct tn_floor_parser *p, struct tn_floor_end *end)
{
	return tn_parse_side(p, &end->side, &end->side_token);
}

static bool parse_end(struct tn_floor_parser *p, struct tn_floor_end *end)
{
	uint32_t first = p->at;

	*end = (struct tn_floor_end){.side = TN_FLOOR_NO_SIDE,
				     .floor = TN_FLOOR_NO_TOKEN,
				     .room = TN_FLOOR_NO_TOKEN,
				     .side_token = TN_FLOOR_NO_TOKEN};
	if (tn_parse_take_word(p, TN_WORD_outside)) {
		end->outside = true;
		end->tokens = tn_parse_since(p, first);
		return true;
	}
	if (!tn_parse_name(p, &end->room))
		return false;
	if (tn_parse_take_sign(p, '.')) {
		if (tn_parse_here(p)->kind == TN_FLOOR_NAME) {
			end->floor = end->room;
			if (!tn_parse_name(p, &end->room))
				return false;
			if (tn_parse_take_sign(p, '.') && !parse_end_side(p, end))
				return false;
		} else if (!parse_end_side(p, end)) {
			return false;
		}
	}
	end->tokens = tn_parse_since(p, first);
	return true;
}

/* ---- what it is ---- */

static bool parse_type(struct tn_floor_parser *p, struct tn_floor_connect_tree *connect)
{
	static const enum tn_floor_word types[] = {TN_WORD_door, TN_WORD_double_door,
						   TN_WORD_opening};

	for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		connect->type_token = p->at;
		connect->type = (enum tn_floor_connection_type)i;
		if (tn_parse_take_word(p, types[i]))
			return true;
	}
	return tn_parse_expected(p, "'door', 'double-door' or 'opening'");
}

static bool parse_percent(struct tn_floor_parser *p, struct tn_floor_connect_tree *connect)
{
	tn_parse_next(p);
	connect->has_at = true;
	return tn_parse_number(p, &connect->at, &connect->at_token) && tn_parse_want_sign(p, '%');
}

static bool parse_opens(struct tn_floor_parser *p, struct tn_floor_connect_tree *connect)
{
	uint32_t first = p->at;

	(void)tn_parse_take_word(p, TN_WORD_door);
	if (!tn_parse_want_word(p, TN_WORD_opens) || !tn_parse_want_word(p, TN_WORD_into))
		return false;
	connect->opens_into = p->at;
	if (!tn_parse_take_word(p, TN_WORD_outside) && !tn_parse_name(p, &connect->opens_into))
		return false;
	connect->opens = tn_parse_since(p, first);
	return true;
}

static bool parse_swing(struct tn_floor_parser *p, struct tn_floor_connect_tree *connect)
{
	tn_parse_next(p);
	connect->has_swing = true;
	if (!tn_parse_want_sign(p, ':'))
		return false;
	connect->swing_token = p->at;
	return tn_parse_hand(p, &connect->swing);
}

static unsigned clause_here(const struct tn_floor_parser *p)
{
	const struct tn_floor_token *behind = tn_parse_ahead(p, 1);

	if (tn_parse_is_word(p, TN_WORD_at))
		return AT;
	if (tn_parse_is_word(p, TN_WORD_size))
		return SIZE;
	if (tn_parse_is_word(p, TN_WORD_swing))
		return SWING;
	if (tn_parse_is_word(p, TN_WORD_opens) ||
	    (tn_parse_is_word(p, TN_WORD_door) && behind->kind == TN_FLOOR_WORD &&
	     behind->word == TN_WORD_opens))
		return OPENS;
	return 0;
}

static bool parse_clause(struct tn_floor_parser *p, unsigned clause,
			 struct tn_floor_connect_tree *connect)
{
	switch (clause) {
	case AT:
		return parse_percent(p, connect);
	case SIZE:
		tn_parse_next(p);
		return tn_parse_size(p, true, &connect->size);
	case OPENS:
		return parse_opens(p, connect);
	default:
		return parse_swing(p, connect);
	}
}

bool tn_parse_connect(struct tn_floor_parser *p, struct tn_floor_connect_tree **ret)
{
	struct tn_floor_connect_tree *connect = tn_parse_new(p, sizeof(*connect));
	uint32_t first = p->at;
	unsigned seen = 0, clause;

	p->told = false;
	if (!connect)
		return false;
	*ret = connect;
	connect->at_token = connect->opens_into = connect->swing_token = TN_FLOOR_NO_TOKEN;
	connect->opens = tn_parse_no_tokens();
	if (!tn_parse_count(p, &p->connections, TN_FLOOR_CONNECTIONS_MAX, "connections"))
		return false;
	tn_parse_next(p);
	if (!parse_end(p, &connect->from) || !tn_parse_want_word(p, TN_WORD_to) ||
	    !parse_end(p, &connect->to) || !parse_type(p, connect))
		return false;
	while ((clause = clause_here(p)) != 0) {
		tn_parse_once(p, &seen, clause, p->at);
		if (!parse_clause(p, clause, connect))
			return false;
	}
	connect->tokens = tn_parse_since(p, first);
	return tn_parse_at_statement(p) || tn_parse_here(p)->kind == TN_FLOOR_END ||
	       tn_parse_is_sign(p, '}') ||
	       tn_parse_expected(p, "'at', 'size', 'opens', 'swing' or a statement");
}

/* ---- vertical ---- */

static bool parse_link(struct tn_floor_parser *p, struct tn_floor_link **ret)
{
	struct tn_floor_link *link = tn_parse_new(p, sizeof(*link));
	uint32_t first = p->at;

	if (!link)
		return false;
	*ret = link;
	if (!tn_parse_name(p, &link->floor) || !tn_parse_want_sign(p, '.') ||
	    !tn_parse_name(p, &link->element))
		return false;
	link->tokens = tn_parse_since(p, first);
	return true;
}

bool tn_parse_vertical(struct tn_floor_parser *p, struct tn_floor_vertical_tree **ret)
{
	struct tn_floor_vertical_tree *vertical = tn_parse_new(p, sizeof(*vertical));
	struct tn_floor_link **end;
	uint32_t first = p->at;

	p->told = false;
	if (!vertical)
		return false;
	*ret = vertical;
	if (!tn_parse_count(p, &p->verticals, TN_FLOOR_VERTICALS_MAX, "vertical links"))
		return false;
	tn_parse_next(p);
	end = &vertical->links;
	if (!parse_link(p, end) || !tn_parse_want_word(p, TN_WORD_to))
		return false;
	do {
		end = &(*end)->next;
		if (!parse_link(p, end))
			return false;
	} while (tn_parse_take_word(p, TN_WORD_to));
	vertical->tokens = tn_parse_since(p, first);
	return true;
}
