/* plan.h - a plan as it is meant: units, names, places, walls, openings, stairs (floorplan.md
 * section 4). All geometry is in U, the plan's unit; y grows downwards.
 *
 * Made from a tree by tn_floor_resolve; lives in an arena with it and never changes. Threads: any
 * number may read. */
#ifndef TN_FLOOR_PLAN_H
#define TN_FLOOR_PLAN_H

#include "apps/floorplan/language/tree.h"

struct tn_floor_rect {
	double x, y, width, height;
};
struct tn_floor_point {
	double x, y;
};

struct tn_floor_settings { /* 4.9, converted to U */
	double wall_thickness, floor_thickness, default_height;
	double door_width, door_height, window_width, window_height, window_sill;
	bool has_door_size, has_window_size, has_window_width;
	struct tn_floor_style *default_style;
	bool area_in_sqm;
	struct tn_str theme, font_family; /* theme: "default", "dark", "blueprint" */
	double font_size;
	bool show_labels, show_dimensions;
	int stair_code; /* 0: unset, 1 residential, 2 commercial, 3 ada, 4 none */
};

struct tn_floor_style {
	struct tn_str name, floor_color, wall_color, floor_texture, wall_texture;
	double roughness, metalness; /* NaN: not written */
	const struct tn_floor_style_tree *tree;
	struct tn_floor_style *next;
};

struct tn_floor_room {
	struct tn_str name, label; /* label: data NULL: none */
	struct tn_floor_floor *floor;
	struct tn_floor_room *parent, *rooms, *next; /* sub-rooms; sibling */
	bool placed;                                 /* otherwise `rect` counts for nothing */
	struct tn_floor_rect rect;                   /* on the floor */
	struct tn_floor_point at;                    /* in its own frame */
	double height; /* roomHeight; its own, the floor's, or the default */
	double elevation;
	bool has_height;
	struct tn_floor_style *style; /* NULL: the theme's */
	enum tn_floor_wall_type walls[4];
	const struct tn_floor_wall *wall_trees[4]; /* NULL: not listed */
	const struct tn_floor_room *reference;     /* of its relative clause; NULL: none */
	const struct tn_floor_room_tree *tree;
	uint32_t index; /* among all rooms of the plan, in order of declaration */
};

struct tn_floor_flight { /* what of a stair is drawn */
	/* Flight or landing: where one steps on, left and right hand; where one leaves, right and
	 * left. */
	struct tn_floor_point corners[4];
	unsigned steps;            /* 0: a landing */
	enum tn_floor_side toward; /* where one climbs to */
	bool winds;                /* its steps run round `pivot`, not across */
	struct tn_floor_point pivot;
};
struct tn_floor_circulation { /* a stair or a lift */
	bool lift;
	struct tn_str name, label;
	struct tn_floor_floor *floor;
	bool placed;
	struct tn_floor_rect rect; /* the footprint */
	unsigned steps;
	double width, tread, riser, rise;
	struct tn_floor_flight *flights; /* stairs.c; spirals and curves have none */
	unsigned flight_count;
	struct tn_floor_point *path; /* the climbing line */
	unsigned path_count;
	struct tn_floor_style *style;            /* NULL: the theme's */
	const struct tn_floor_stair_tree *stair; /* NULL: a lift */
	const struct tn_floor_lift_tree *lift_tree;
	struct tn_floor_circulation *next;
};

enum tn_floor_opening_kind {
	TN_FLOOR_OPENING_DOOR,
	TN_FLOOR_OPENING_DOUBLE,
	TN_FLOOR_OPENING_GAP,
	TN_FLOOR_OPENING_WINDOW
};
struct tn_floor_opening { /* in a wall of one floor */
	enum tn_floor_opening_kind kind;
	bool horizontal; /* the wall runs along x */
	double line;     /* y of a horizontal wall, x of a vertical one */
	double center, width;
	double height, sill;
	const struct tn_floor_room *from,
		*to;                      /* a connection's ends; NULL: outside, or a wall's own */
	const struct tn_floor_room *room; /* of a door or window wall; NULL: a connection */
	enum tn_floor_side side;          /* of `room`, or of the room the stretch is measured on */
	const struct tn_floor_room *opens_into; /* NULL: outside */
	enum tn_floor_hand swing;
	bool full;
	bool drawn; /* false: a faulty connection, or one that another replaces */
	const struct tn_floor_connect_tree *connect;
	struct tn_floor_floor *floor;
	struct tn_floor_opening *next;
};

struct tn_floor_shared { /* a wall that two top-level rooms share (4.4, 9.2) */
	const struct tn_floor_room *a, *b;
	enum tn_floor_side a_side, b_side;
	double line, start, end;
	bool joined; /* by an `opening` in exactly these walls */
	struct tn_floor_shared *next;
};

struct tn_floor_floor {
	struct tn_str name;
	double height; /* its own or the default */
	struct tn_floor_room *rooms;
	struct tn_floor_circulation *circulation; /* stairs, then lifts */
	struct tn_floor_opening *openings; /* connections in order, then wall doors, windows */
	struct tn_floor_shared *shared;    /* in declaration order of a, then b */
	const struct tn_floor_floor_tree *tree;
	uint32_t index;
	struct tn_floor_floor *next;
};

struct tn_floor_vertical {
	struct tn_floor_circulation **elements; /* at least two; unknown ones are left out */
	unsigned count;
	const struct tn_floor_vertical_tree *tree;
	struct tn_floor_vertical *next;
};

struct tn_floor_plan {
	struct tn_arena arena;
	struct tn_str text; /* in the arena */
	struct tn_floor_tree tree;
	uint32_t token_count;                    /* of the text as it was read last as a whole */
	struct tn_floor_diagnostics diagnostics; /* sorted */
	bool valid;                              /* no error */
	/* Below: only when tree.parses. */
	enum tn_floor_unit unit; /* U */
	bool unit_is_chosen;     /* by the configuration, not by the lengths */
	bool has_bare_lengths;   /* a layout length other than 0 without a unit: it is in U */
	struct tn_floor_settings settings;
	struct tn_floor_style *styles;
	struct tn_floor_floor *floors;
	struct tn_floor_vertical *verticals;
	struct tn_floor_room **rooms; /* all, by index */
	uint32_t floor_count, room_count, sub_room_count, top_room_count;
};

/* The whole way: text (copied) to plan. Fails: NO_MEMORY; everything else is a diagnostic. `lint`:
 * with the design rules of 9.4. Ownership: the caller frees it. */
TN_MUST_USE enum tenon_code tn_floor_plan_create(struct tn_str text, bool lint,
						 struct tn_floor_plan **ret,
						 struct tenon_error *err);
/* Without a text and anything of it. */
TN_MUST_USE enum tenon_code tn_floor_plan_begin(struct tn_floor_plan **ret,
						struct tenon_error *err);
void tn_floor_plan_free(struct tn_floor_plan *plan); /* accepts NULL */

/* Phase 4: fills what is below `valid`, and its diagnostics. False: no memory. */
bool tn_floor_resolve(struct tn_floor_plan *plan);
/* Only what there is and where: no walls that are shared, no openings, nothing told. For the steps
 * of editing. `unit`: U, unless the configuration says otherwise; NO_UNIT: the lengths say. */
bool tn_floor_resolve_places(struct tn_floor_plan *plan, enum tn_floor_unit unit);
/* The whole way up to there, with what the parser tells. */
TN_MUST_USE enum tenon_code tn_floor_plan_create_placed(struct tn_str text,
							struct tn_floor_plan **ret,
							struct tenon_error *err);

/* The table of 4.9, for documentation and completion: false at the end. */
struct tn_floor_config_key {
	const char *key, *camel, *value, *standard; /* standard "": none */
};
bool tn_floor_config_at(size_t index, struct tn_floor_config_key *ret);

double tn_floor_metres(enum tn_floor_unit unit); /* of one */
const char *tn_floor_unit_name(enum tn_floor_unit unit);
const char *tn_floor_side_name(enum tn_floor_side side);
const char *tn_floor_wall_name(enum tn_floor_wall_type type);
/* From the unit written (or U) to U; a number in U stays exactly as it is (4.1). */
double tn_floor_to_unit(const struct tn_floor_plan *plan, const struct tn_floor_length *length);
/* Rounded to 6 decimals, half away from zero, no trailing zeros, never -0 (4.1). */
void tn_floor_put_number(struct tn_buf *out, double number);

/* On `floor` (NULL: any). *ret_count: how many there are. */
struct tn_floor_room *tn_floor_room_find(const struct tn_floor_plan *plan,
					 const struct tn_floor_floor *floor, struct tn_str name,
					 size_t *ret_count);
struct tn_floor_floor *tn_floor_floor_find(const struct tn_floor_plan *plan, struct tn_str name);

#endif
