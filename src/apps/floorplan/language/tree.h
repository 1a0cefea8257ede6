/* tree.h - a plan as it is written: elements and clauses with the tokens they are made of
 * (floorplan.md 3.2).
 *
 * Nothing is resolved here. Tokens are indexes into the lexed text; TN_FLOOR_NO_TOKEN: absent.
 * Lists are in the order of the text. Everything lives in the arena. Threads: a tree never changes.
 */
#ifndef TN_FLOOR_TREE_H
#define TN_FLOOR_TREE_H

#include "apps/floorplan/language/lex.h"

#define TN_FLOOR_NO_TOKEN UINT32_MAX

enum tn_floor_unit {
	TN_FLOOR_NO_UNIT,
	TN_FLOOR_M,
	TN_FLOOR_FT,
	TN_FLOOR_CM,
	TN_FLOOR_IN,
	TN_FLOOR_MM
};
enum tn_floor_side {
	TN_FLOOR_TOP,
	TN_FLOOR_RIGHT,
	TN_FLOOR_BOTTOM,
	TN_FLOOR_LEFT,
	TN_FLOOR_NO_SIDE
};

struct tn_floor_tokens { /* a clause or an element: from its first token to its last */
	uint32_t first, last;
};

struct tn_floor_length {
	double number; /* with its sign */
	enum tn_floor_unit unit;
	uint32_t minus, digits, unit_token;
};

struct tn_floor_size {
	bool there;
	uint32_t name; /* a named size; NO_TOKEN: written out */
	bool full;     /* (W x full) */
	struct tn_floor_length width, height;
	struct tn_floor_tokens tokens;
};

enum tn_floor_direction {
	TN_FLOOR_RIGHT_OF,
	TN_FLOOR_LEFT_OF,
	TN_FLOOR_ABOVE,
	TN_FLOOR_BELOW,
	TN_FLOOR_ABOVE_RIGHT_OF,
	TN_FLOOR_ABOVE_LEFT_OF,
	TN_FLOOR_BELOW_RIGHT_OF,
	TN_FLOOR_BELOW_LEFT_OF
};
enum tn_floor_align {
	TN_FLOOR_NO_ALIGN,
	TN_FLOOR_ALIGN_TOP,
	TN_FLOOR_ALIGN_BOTTOM,
	TN_FLOOR_ALIGN_LEFT,
	TN_FLOOR_ALIGN_RIGHT,
	TN_FLOOR_ALIGN_CENTER
};

/* Clauses that rooms, stairs and lifts share. `tokens.first` NO_TOKEN: not written. */
struct tn_floor_at {
	struct tn_floor_length x, y;
	struct tn_floor_tokens tokens;
};
struct tn_floor_relative {
	enum tn_floor_direction direction;
	uint32_t word, name; /* the direction's, and the reference */
	bool has_gap;
	struct tn_floor_length gap;
	enum tn_floor_align align;
	uint32_t align_token;
	struct tn_floor_tokens tokens;
};
struct tn_floor_text { /* a label: the token has the quotes */
	uint32_t string;
	struct tn_floor_tokens tokens;
};
struct tn_floor_name {
	uint32_t name;
	struct tn_floor_tokens tokens;
};
struct tn_floor_measure { /* height, elevation, rise, ... */
	struct tn_floor_length length;
	struct tn_floor_tokens tokens;
};

enum tn_floor_wall_type { TN_FLOOR_SOLID, TN_FLOOR_DOOR, TN_FLOOR_WINDOW, TN_FLOOR_OPEN };
struct tn_floor_wall {
	enum tn_floor_side side;
	enum tn_floor_wall_type type;
	uint32_t side_token, type_token;
	bool has_at, at_percent;
	struct tn_floor_length at;
	struct tn_floor_size size;
	struct tn_floor_measure height;
	struct tn_floor_tokens tokens;
	struct tn_floor_wall *next;
};
struct tn_floor_walls {
	struct tn_floor_wall *first;
	uint32_t open, close; /* the brackets */
	struct tn_floor_tokens tokens;
};

struct tn_floor_room_tree {
	uint32_t word, name; /* room or sub-room */
	struct tn_floor_at at;
	struct tn_floor_size size; /* of the clause `size` */
	struct tn_floor_tokens size_clause;
	struct tn_floor_measure height, elevation;
	struct tn_floor_walls walls;
	struct tn_floor_relative relative;
	struct tn_floor_text label;
	struct tn_floor_name style;
	struct tn_floor_room_tree *rooms; /* composed of */
	uint32_t open, close;             /* its brackets */
	struct tn_floor_tokens composed, tokens;
	struct tn_floor_room_tree *parent, *next;
};

enum tn_floor_shape {
	TN_FLOOR_STRAIGHT,
	TN_FLOOR_L_SHAPED,
	TN_FLOOR_U_SHAPED,
	TN_FLOOR_DOUBLE_L,
	TN_FLOOR_WINDER,
	TN_FLOOR_SPIRAL,
	TN_FLOOR_CURVED,
	TN_FLOOR_CUSTOM
};
enum tn_floor_hand { TN_FLOOR_HAND_LEFT, TN_FLOOR_HAND_RIGHT };
enum { TN_FLOOR_RUNS_MAX = 16 }; /* more are counted, not kept */

struct tn_floor_segment { /* of a custom stair */
	bool turn;
	double steps; /* of a flight, or the winders of a turn; 0: a landing */
	struct tn_floor_measure width;
	uint32_t along_room, along_side; /* NO_TOKEN: not along a wall */
	struct tn_floor_tokens along;
	enum tn_floor_hand hand;
	struct tn_floor_size landing;
	double degrees; /* 90 unless written */
	struct tn_floor_tokens tokens;
	struct tn_floor_segment *next;
};

struct tn_floor_stair_tree {
	uint32_t word, name, shape_token;
	enum tn_floor_shape shape;
	enum tn_floor_side side; /* toward or from */
	enum tn_floor_hand hand;
	double runs[TN_FLOOR_RUNS_MAX];
	uint32_t run_count;
	double winders, arc;
	bool has_arc, clockwise;
	struct tn_floor_size landing;
	struct tn_floor_measure inner_radius, outer_radius, radius;
	struct tn_floor_segment *segments;
	struct tn_floor_measure rise, width, riser, tread, nosing, headroom;
	struct tn_floor_name handrail, stringers, material; /* kept for metadata */
	struct tn_floor_at at;
	struct tn_floor_relative relative;
	struct tn_floor_text label;
	struct tn_floor_name style;
	struct tn_floor_tokens tokens;
	struct tn_floor_stair_tree *next;
};

struct tn_floor_lift_tree {
	uint32_t word, name;
	struct tn_floor_at at;
	struct tn_floor_size size;
	unsigned doors; /* bits by side */
	struct tn_floor_relative relative;
	struct tn_floor_text label;
	struct tn_floor_name style;
	struct tn_floor_tokens tokens;
	struct tn_floor_lift_tree *next;
};

struct tn_floor_floor_tree {
	uint32_t word, name, open, close;
	struct tn_floor_measure height;
	struct tn_floor_room_tree *rooms;
	struct tn_floor_stair_tree *stairs;
	struct tn_floor_lift_tree *lifts;
	struct tn_floor_tokens tokens;
	struct tn_floor_floor_tree *next;
};

struct tn_floor_end { /* of a connection */
	bool outside;
	uint32_t floor, room, side_token; /* NO_TOKEN: not written */
	enum tn_floor_side side;
	struct tn_floor_tokens tokens;
};
enum tn_floor_connection_type { TN_FLOOR_SINGLE_DOOR, TN_FLOOR_DOUBLE_DOOR, TN_FLOOR_OPENING };
struct tn_floor_connect_tree {
	struct tn_floor_end from, to;
	enum tn_floor_connection_type type;
	uint32_t type_token;
	bool has_at;
	double at; /* percent */
	uint32_t at_token;
	struct tn_floor_size size;
	uint32_t opens_into; /* a name, or the word outside */
	struct tn_floor_tokens opens;
	bool has_swing;
	enum tn_floor_hand swing;
	uint32_t swing_token;
	struct tn_floor_tokens tokens;
	struct tn_floor_connect_tree *next;
};

struct tn_floor_link {
	uint32_t floor, element;
	struct tn_floor_tokens tokens;
	struct tn_floor_link *next;
};
struct tn_floor_vertical_tree {
	struct tn_floor_link *links;
	struct tn_floor_tokens tokens;
	struct tn_floor_vertical_tree *next;
};

struct tn_floor_define_tree {
	uint32_t name;
	struct tn_floor_size size;
	struct tn_floor_tokens tokens;
	struct tn_floor_define_tree *next;
};
enum tn_floor_value_kind {
	TN_FLOOR_VALUE_LENGTH,
	TN_FLOOR_VALUE_SIZE,
	TN_FLOOR_VALUE_STRING,
	TN_FLOOR_VALUE_WORD
};
struct tn_floor_property { /* of a style, the config block, or front matter */
	struct tn_str key;
	struct tn_floor_range key_range, value_range;
	enum tn_floor_value_kind kind;
	struct tn_floor_length length;
	struct tn_floor_size size;
	struct tn_str text;            /* of STRING without quotes, and of WORD */
	struct tn_floor_tokens tokens; /* NO_TOKEN: of the front matter */
	struct tn_floor_property *next;
};
struct tn_floor_style_tree {
	uint32_t name;
	struct tn_floor_property *properties;
	struct tn_floor_tokens tokens;
	struct tn_floor_style_tree *next;
};

struct tn_floor_front { /* 3.3 */
	bool there;
	uint32_t end;                                      /* bytes: behind the closing line */
	struct tn_str version, title, description, author; /* data NULL: not written */
	struct tn_floor_range version_range;
	struct tn_floor_property *config;
};

struct tn_floor_tree {
	struct tn_floor_lexed lexed;
	struct tn_floor_front front;
	struct tn_str directive_version; /* data NULL: none */
	struct tn_floor_range directive_range;
	struct tn_floor_define_tree *defines;
	struct tn_floor_style_tree *styles;
	struct tn_floor_property *config;
	struct tn_floor_tokens config_block; /* NO_TOKEN: none */
	struct tn_floor_floor_tree *floors;
	struct tn_floor_connect_tree *connections;
	struct tn_floor_vertical_tree *verticals;
	uint32_t floorplan_word;
	bool parses; /* no error so far: meaning may be looked at (5.2) */
};

/* Text to tree, with recovery: phases 1 to 3 of 5.2, caps of section 11. False: no memory. Threads:
 * any number, on different texts. */
bool tn_floor_parse(struct tn_str text, struct tn_arena *arena, struct tn_floor_diagnostics *list,
		    struct tn_floor_tree *ret);

#endif
