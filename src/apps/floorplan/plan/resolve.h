/* resolve.h - the inside of phase 4, for the files between tree and plan (floorplan.md section 4).
 *
 * Each step reads the tree and what earlier steps have filled in, and tells of what is wrong. What
 * is faulty is left out of later steps, so that one mistake is told of once. Lives as long as
 * tn_floor_resolve runs; its memory is the plan's arena. Threads: one at a time. */
#ifndef TN_FLOOR_RESOLVE_H
#define TN_FLOOR_RESOLVE_H

#include "apps/floorplan/limits.h"
#include "apps/floorplan/plan/plan.h"
#include "base/utf8.h"

#define TN_FLOOR_SLACK 0.01 /* U: less is no overlap and no difference (4.3, 4.4) */

struct tn_floor_name_slot {
	const void *scope;
	struct tn_str text;
	void *value;
};
struct tn_floor_names {
	struct tn_floor_name_slot *slots;
	size_t mask; /* capacity - 1, a power of two */
};

struct tn_floor_span { /* of a wall: a line and what lies on it */
	enum tn_floor_side side;
	double line, start, end;
};

struct tn_floor_free { /* 4.5 case 4: the longest stretch that no other room takes */
	bool known;
	struct tn_floor_span span;
};

enum { TN_FLOOR_KEYS_MAX = 32 };

struct tn_resolver {
	struct tn_floor_plan *plan;
	struct tn_arena *arena;
	struct tn_floor_diagnostics *list;
	const struct tn_floor_lexed *lexed;
	struct tn_floor_names names;
	size_t near_left; /* letters that may still be compared for "did you mean" */
	const struct tn_floor_property *settings[TN_FLOOR_KEYS_MAX]; /* those that count */
	struct tn_floor_shared **shared; /* by floor index: arrays in order of a, then b */
	size_t *shared_counts;
	double tolerance;                 /* T of 4.4 */
	struct tn_floor_free *free_spans; /* by room index */
	struct tn_edges *edges;           /* of top-level rooms, by floor index times 4 plus side */
};

/* ---- telling (tell.c) ---- */

static inline struct tn_str tn_shown(struct tn_str text)
{
	return tn_utf8_cut(text, TN_FLOOR_NAME_BYTES_MAX);
}
#define TN_SHOW(text) (int)tn_shown(text).size, tn_shown(text).data

static inline struct tn_str tn_resolve_text(const struct tn_resolver *r, uint32_t token)
{
	return tn_floor_token_text(r->lexed, token);
}
static inline struct tn_floor_range tn_resolve_range(const struct tn_resolver *r,
						     struct tn_floor_tokens tokens)
{
	return tn_floor_span(r->lexed, tokens.first, tokens.last);
}
static inline bool tn_is_written(struct tn_floor_tokens tokens)
{
	return tokens.first != TN_FLOOR_NO_TOKEN;
}
/* `room` and `floor` may be NULL. Returns it to add to; NULL: no memory. */
struct tn_floor_diagnostic *tn_tell(struct tn_resolver *r, int code,
				    const struct tn_floor_room *room,
				    const struct tn_floor_floor *floor,
				    const struct tn_floor_range *range, const char *format, ...)
	TN_PRINTF(6, 7);
struct tn_floor_diagnostic *tn_tell_token(struct tn_resolver *r, int code,
					  const struct tn_floor_room *room,
					  const struct tn_floor_floor *floor, uint32_t token,
					  const char *format, ...) TN_PRINTF(6, 7);
/* All accept a NULL diagnostic; texts are static or of the arena. */
void tn_tell_hint(struct tn_floor_diagnostic *one, const char *hint);
void tn_tell_related(struct tn_resolver *r, struct tn_floor_diagnostic *one,
		     struct tn_floor_tokens tokens, const char *message);
void tn_tell_fix(struct tn_resolver *r, struct tn_floor_diagnostic *one, const char *format, ...)
	TN_PRINTF(3, 4);
/* A move_room to (x, y). */
void tn_tell_move(struct tn_resolver *r, struct tn_floor_diagnostic *one,
		  const struct tn_floor_room *room, double x, double y);
/* A number as text, as tn_floor_put_number writes it. */
const char *tn_resolve_number(struct tn_resolver *r, double number);
/* NULL: no memory, which the list then knows. */
void *tn_resolve_new(struct tn_resolver *r, size_t count, size_t size);

/* ---- names (names.c) ---- */

bool tn_names_init(struct tn_resolver *r, size_t count);
/* The value that has this name already; NULL: it is new, and put in. */
void *tn_names_add(struct tn_resolver *r, const void *scope, struct tn_str text, void *value);
void *tn_names_get(const struct tn_resolver *r, const void *scope, struct tn_str text);

struct tn_near { /* looks for the nearest of many words */
	struct tn_str word, best;
	unsigned distance;
};
void tn_near_init(struct tn_near *near, struct tn_str word);
void tn_near_try(struct tn_resolver *r, struct tn_near *near, struct tn_str known);
/* "; did you mean 'X'?" in the arena, or "". */
const char *tn_near_text(struct tn_resolver *r, const struct tn_near *near);
void tn_near_try_rooms(struct tn_resolver *r, struct tn_near *near,
		       const struct tn_floor_room *first, bool and_inside);

/* ---- units (units.c) ---- */

void tn_resolve_units(struct tn_resolver *r);
struct tn_floor_range tn_length_range(const struct tn_resolver *r,
				      const struct tn_floor_length *length);
/* To U, with FP3001; `zero_code`: what is told of numbers that are not above zero, 0: nothing.
 * False: faulty, *ret is untouched. */
bool tn_resolve_length(struct tn_resolver *r, const struct tn_floor_length *length, int zero_code,
		       double *ret);
bool tn_resolve_measure(struct tn_resolver *r, const struct tn_floor_measure *measure,
			int zero_code, double *ret); /* false also if it is not written */
/* Both halves, or the define that it names (FP2011). False: faulty. */
bool tn_resolve_size(struct tn_resolver *r, const struct tn_floor_size *size, double *ret_width,
		     double *ret_height);

/* ---- steps, in this order ---- */

void tn_resolve_settings_collect(struct tn_resolver *r); /* settings.c: kinds and keys */
void tn_resolve_styles(struct tn_resolver *r);           /* styles.c */
void tn_resolve_settings(struct tn_resolver *r);         /* settings.c: values in U */
void tn_resolve_defines(struct tn_resolver *r);          /* build.c */
bool tn_resolve_build(struct tn_resolver *r);            /* build.c: floors, rooms, stairs, lifts */
void tn_resolve_stairs(struct tn_resolver *r);           /* stairs.c: boxes; building rules */
void tn_resolve_positions(struct tn_resolver *r);        /* positions.c */
void tn_resolve_containers(struct tn_resolver *r);       /* overlap.c */
void tn_resolve_shared(struct tn_resolver *r);           /* shared.c */
void tn_resolve_connections(struct tn_resolver *r);      /* connections.c */
void tn_resolve_shared_types(struct tn_resolver *r);     /* shared.c: FP4010, FP4011 */
void tn_resolve_wall_openings(struct tn_resolver *r);    /* wall_openings.c */
void tn_resolve_footprints(struct tn_resolver *r);       /* footprints.c: FP6006, FP6007 */
void tn_resolve_verticals(struct tn_resolver *r);        /* verticals.c */

struct tn_floor_style *tn_resolve_style(struct tn_resolver *r, const struct tn_floor_name *clause,
					const struct tn_floor_room *room,
					const struct tn_floor_floor *floor);
/* ---- a stair as pieces (stair_trace.c) ---- */

struct tn_stair_piece {
	bool turn, back; /* back: by 180 degrees */
	double steps;    /* of a flight, or winders; 0: a landing */
	double width;    /* of a flight, U */
	enum tn_floor_hand hand;
	double landing_x, landing_y; /* of a turn, U */
};
/* Lays the pieces one behind the other, climbing from side `from`: flights and path of the stair
 * with their top-left corner at (0, 0). Returns how large they are together. */
struct tn_floor_point tn_stair_trace(struct tn_resolver *r, struct tn_floor_circulation *stair,
				     enum tn_floor_side from, const struct tn_stair_piece *pieces,
				     unsigned count);
/* The climbing line of a part of a circle, in `count` points; radians, clockwise is positive. */
void tn_stair_trace_arc(struct tn_resolver *r, struct tn_floor_circulation *stair,
			struct tn_floor_point center, double radius, double from, double sweep);

/* ---- geometry of walls (shared.c) ---- */

struct tn_floor_span tn_room_side(const struct tn_floor_room *room, enum tn_floor_side side);
static inline bool tn_is_horizontal(enum tn_floor_side side)
{
	return side == TN_FLOOR_TOP || side == TN_FLOOR_BOTTOM;
}
static inline enum tn_floor_side tn_opposite(enum tn_floor_side side)
{
	return (enum tn_floor_side)((side + 2) % 4);
}
/* The two sides are one wall: *ret is what they share, on the line between them, with a's side. */
bool tn_sides_meet(const struct tn_resolver *r, const struct tn_floor_span *a,
		   const struct tn_floor_span *b, struct tn_floor_span *ret);

struct tn_edge { /* a side of a room */
	struct tn_floor_span span;
	const struct tn_floor_room *room;
};
struct tn_edges {
	struct tn_edge *list; /* NULL: not looked for */
	size_t count;
};
/* That side of every placed room of the list, by line; returns how many. */
size_t tn_edges_fill(const struct tn_floor_room *first, enum tn_floor_side side,
		     struct tn_edge *edges);
/* The first one whose line is not below `line`. */
size_t tn_edges_from(const struct tn_edge *edges, size_t count, double line);

/* The same of a floor's top-level rooms, kept. NULL: no memory. */
const struct tn_edges *tn_floor_edges(struct tn_resolver *r, const struct tn_floor_floor *floor,
				      enum tn_floor_side side);

#endif
