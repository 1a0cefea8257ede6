/* Rooms and sub-rooms. */
#include "apps/floorplan/language/parser.h"

#include "apps/floorplan/limits.h"

enum clause {
	AT = 1 << 0,
	SIZE = 1 << 1,
	HEIGHT = 1 << 2,
	ELEVATION = 1 << 3,
	WALLS = 1 << 4,
	RELATIVE = 1 << 5,
	LABEL = 1 << 6,
	COMPOSED = 1 << 7,
	STYLE = 1 << 8
};

/* ---- walls ---- */

static bool parse_wall_type(struct tn_floor_parser *p, struct tn_floor_wall *wall)
{
	static const struct {
		enum tn_floor_word word;
		enum tn_floor_wall_type type;
	} types[] = {{TN_WORD_solid, TN_FLOOR_SOLID},
		     {TN_WORD_door, TN_FLOOR_DOOR},
		     {TN_WORD_window, TN_FLOOR_WINDOW},
		     {TN_WORD_open, TN_FLOOR_OPEN}};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (!tn_parse_is_word(p, types[i].word))
			continue;
		wall->type = types[i].type;
		wall->type_token = p->at;
		tn_parse_next(p);
		return true;
	}
	return tn_parse_expected(p, "'solid', 'door', 'window' or 'open'");
}

static bool parse_wall_at(struct tn_floor_parser *p, struct tn_floor_wall *wall)
{
	tn_parse_next(p);
	wall->has_at = true;
	if (!tn_parse_length(p, false, &wall->at))
		return false;
	wall->at_percent = tn_parse_take_sign(p, '%');
	return true;
}

static bool parse_wall(struct tn_floor_parser *p, struct tn_floor_wall **ret)
{
	struct tn_floor_wall *wall = tn_parse_new(p, sizeof(*wall));
	uint32_t first = p->at;
	unsigned seen = 0;
	bool good;

	if (!wall)
		return false;
	*ret = wall;
	wall->height.tokens = tn_parse_no_tokens();
	if (!tn_parse_side(p, &wall->side, &wall->side_token) || !tn_parse_want_sign(p, ':') ||
	    !parse_wall_type(p, wall))
		return false;
	for (;;) {
		uint32_t word = p->at;

		if (tn_parse_is_word(p, TN_WORD_at)) {
			tn_parse_once(p, &seen, AT, word);
			good = parse_wall_at(p, wall);
		} else if (tn_parse_is_word(p, TN_WORD_size)) {
			tn_parse_once(p, &seen, SIZE, word);
			tn_parse_next(p);
			good = tn_parse_size(p, false, &wall->size);
		} else if (tn_parse_is_word(p, TN_WORD_height)) {
			tn_parse_once(p, &seen, HEIGHT, word);
			good = tn_parse_measure(p, &wall->height);
		} else {
			wall->tokens = tn_parse_since(p, first);
			return true;
		}
		if (!good)
			return false;
	}
}

static bool parse_walls(struct tn_floor_parser *p, struct tn_floor_walls *ret)
{
	struct tn_floor_wall **end = &ret->first;
	uint32_t first = p->at;

	tn_parse_next(p);
	ret->open = p->at;
	if (!tn_parse_want_sign(p, '['))
		return false;
	do {
		if (ret->first && tn_parse_is_sign(p, ']'))
			break; /* E5 */
		if (!parse_wall(p, end))
			return false;
		end = &(*end)->next;
	} while (tn_parse_take_sign(p, ','));
	ret->close = p->at;
	if (!tn_parse_take_sign(p, ']'))
		return tn_parse_expected(p, "',' or ']'");
	ret->tokens = tn_parse_since(p, first);
	return true;
}

/* ---- what it is composed of ---- */

static bool parse_composed(struct tn_floor_parser *p, struct tn_floor_room_tree *room,
			   unsigned depth)
{
	struct tn_floor_room_tree **end = &room->rooms;
	uint32_t first = p->at;

	tn_parse_next(p);
	if (!tn_parse_want_word(p, TN_WORD_of))
		return false;
	room->open = p->at;
	if (!tn_parse_want_sign(p, '['))
		return false;
	while (tn_parse_is_word(p, TN_WORD_room) || tn_parse_is_word(p, TN_WORD_sub_room)) {
		uint32_t begun = p->at;

		if (tn_parse_room(p, room, depth + 1, end)) {
			end = &(*end)->next;
		} else {
			*end = NULL;
			if (p->full)
				return false;
			tn_parse_recover(p, begun, ']');
		}
	}
	room->close = p->at;
	if (!tn_parse_take_sign(p, ']'))
		return tn_parse_expected(p, "'room', 'sub-room' or ']'");
	room->composed = tn_parse_since(p, first);
	return true;
}

/* ---- a room ---- */

static bool parse_room_size(struct tn_floor_parser *p, struct tn_floor_room_tree *room)
{
	uint32_t first = p->at;

	tn_parse_next(p);
	if (tn_parse_is_sign(p, '(')) {
		if (!tn_parse_size(p, false, &room->size))
			return false;
	} else if (tn_parse_here(p)->kind == TN_FLOOR_NAME ||
		   tn_parse_here(p)->kind == TN_FLOOR_WORD) {
		room->size = (struct tn_floor_size){.there = true};
		if (!tn_parse_name(p, &room->size.name))
			return false;
		room->size.tokens = tn_parse_since(p, room->size.name);
	} else {
		return tn_parse_expected(p, "'(' or the name of a size");
	}
	room->size_clause = tn_parse_since(p, first);
	return true;
}

static unsigned clause_here(const struct tn_floor_parser *p)
{
	static const struct {
		enum tn_floor_word word;
		enum clause clause;
	} clauses[] = {{TN_WORD_at, AT},
		       {TN_WORD_size, SIZE},
		       {TN_WORD_height, HEIGHT},
		       {TN_WORD_elevation, ELEVATION},
		       {TN_WORD_walls, WALLS},
		       {TN_WORD_label, LABEL},
		       {TN_WORD_composed, COMPOSED}};

	for (size_t i = 0; i < sizeof(clauses) / sizeof(clauses[0]); i++) {
		if (tn_parse_is_word(p, clauses[i].word))
			return clauses[i].clause;
	}
	if (tn_parse_is_direction(p))
		return RELATIVE;
	return tn_parse_is_style_clause(p) ? STYLE : 0;
}

static bool parse_clause(struct tn_floor_parser *p, unsigned clause,
			 struct tn_floor_room_tree *room, unsigned depth)
{
	switch (clause) {
	case AT:
		return tn_parse_at(p, &room->at);
	case SIZE:
		return parse_room_size(p, room);
	case HEIGHT:
		return tn_parse_measure(p, &room->height);
	case ELEVATION:
		return tn_parse_measure(p, &room->elevation);
	case WALLS:
		return parse_walls(p, &room->walls);
	case RELATIVE:
		return tn_parse_relative(p, &room->relative);
	case LABEL:
		return tn_parse_label(p, &room->label);
	case COMPOSED:
		return parse_composed(p, room, depth);
	default:
		return tn_parse_style_of(p, &room->style);
	}
}

static struct tn_floor_room_tree *make(struct tn_floor_parser *p, struct tn_floor_room_tree *parent)
{
	struct tn_floor_room_tree *room = tn_parse_new(p, sizeof(*room));

	if (!room)
		return NULL;
	room->parent = parent;
	room->word = p->at;
	room->size.name = TN_FLOOR_NO_TOKEN;
	room->open = room->close = TN_FLOOR_NO_TOKEN;
	room->at.tokens = room->size_clause = room->height.tokens = room->elevation.tokens =
		tn_parse_no_tokens();
	room->walls.tokens = room->relative.tokens = room->label.tokens = room->style.tokens =
		room->composed = tn_parse_no_tokens();
	return room;
}

/* What follows is no clause: the element ends, unless it is something that cannot follow it. */
static bool may_end(const struct tn_floor_parser *p)
{
	return tn_parse_at_statement(p) || tn_parse_here(p)->kind == TN_FLOOR_END ||
	       tn_parse_is_sign(p, '}') || tn_parse_is_sign(p, ']');
}

static bool parse_clauses(struct tn_floor_parser *p, struct tn_floor_room_tree *room,
			  unsigned depth)
{
	unsigned seen = 0, clause;

	while ((clause = clause_here(p)) != 0) {
		tn_parse_once(p, &seen, clause, p->at);
		if (!parse_clause(p, clause, room, depth))
			return false;
	}
	if (!may_end(p))
		return tn_parse_expected(p, seen & SIZE ? "a clause of the room" : "'size'");
	return true;
}

bool tn_parse_room(struct tn_floor_parser *p, struct tn_floor_room_tree *parent, unsigned depth,
		   struct tn_floor_room_tree **ret)
{
	struct tn_floor_room_tree *room = make(p, parent);
	struct tn_str name;

	p->told = false;
	if (!room)
		return false;
	if (!tn_parse_count(p, &p->rooms, TN_FLOOR_ROOMS_MAX, "rooms"))
		return false;
	if (depth > TN_FLOOR_DEPTH_MAX) {
		p->full = true;
		return tn_parse_fault(p, 4, &tn_parse_here(p)->range,
				      "sub-rooms stand in each other more than %d deep",
				      TN_FLOOR_DEPTH_MAX);
	}
	*ret = room;
	tn_parse_next(p);
	if (!tn_parse_name(p, &room->name) || !parse_clauses(p, room, depth))
		return false;
	room->tokens = tn_parse_since(p, room->word);
	if (room->size.there)
		return true;
	name = tn_floor_token_text(&p->lexed, room->name);
	return tn_parse_fault(p, 1015, &p->lexed.tokens[room->name].range,
			      "room '%.*s' has no size; add size (W x H)", (int)name.size,
			      name.data);
}
