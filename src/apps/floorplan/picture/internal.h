/* internal.h - the inside of drawing a plan (floorplan.md section 6), for the files
 * picture_*.c.
 *
 * One painter draws one picture, floor by floor: first the page is divided, then everything is put
 * on the display in pixels. Memory is the arena's; running out of it sticks in `starved`. Threads:
 * one at a time. */
#ifndef TN_FLOORPLAN_PICTURE_INTERNAL_H
#define TN_FLOORPLAN_PICTURE_INTERNAL_H

#include "apps/floorplan/picture/picture.h"
#include "apps/floorplan/plan/walls.h"

struct tn_floor_theme { /* 6.9 */
	const char *name;
	tn_colour page, room, wall, glass, leaf, line, stair, text, secondary, dimension, accent;
};

struct tn_floor_box { /* in pixels */
	double x, y, width, height;
};

struct tn_floor_cell { /* of one floor drawn */
	const struct tn_floor_floor *floor;
	struct tn_floor_box box;           /* of the plan, the union of all bounds */
	struct tn_floor_box name, summary; /* strips; height 0: none */
	const struct tn_floor_wall_piece *pieces;
	size_t piece_count;
	const struct tn_floor_wall_index *walls; /* the pieces by place */
};

struct tn_floor_key { /* a line of the legend */
	const struct tn_floor_room *room;
	uint32_t number; /* 0: none */
};

struct tn_floor_swing { /* what a leaf sweeps, and the leaf */
	struct tn_floor_box box;
	struct tn_floor_swing *next;
};

struct tn_floor_inside { /* where a room's own dimensions are written in it (6.7) */
	bool across, down;
	double x, y; /* of the middle of the width, of the height; from the floor's own origin */
};
struct tn_floor_place { /* where a room's words go, in a cell */
	const struct tn_floor_cell *cell;
	struct tn_floor_box box;
};

struct tn_painter {
	const struct tn_floor_plan *plan;
	const struct tn_floor_plan *before; /* of a difference; NULL: a picture of one plan */
	const struct tn_floor_picture_options *options;
	struct tn_arena *arena;
	struct tn_display *display;
	const struct tn_floor_theme *theme;
	double p; /* what sizes of pens and texts are told in */
	bool labels, dimensions, sqm, starved;
	enum tn_floor_unit length_unit;

	/* The page. */
	struct tn_floor_cell *cells;
	struct tn_floor_transform *transforms;
	size_t cell_count;
	struct tn_floor_rect bounds; /* of all floors drawn, in U, with half a wall around */
	struct tn_floor_box title, legend, bar;
	size_t legend_rows;
	double strip; /* 1; less on pages too small for all strips */

	/* What is drawn now. */
	const struct tn_floor_cell *cell;
	const struct tn_floor_transform *at;
	const struct tn_floor_wall_piece *pieces;
	size_t piece_count;

	struct tn_floor_box *obstacles; /* in the room that is looked at */
	uint32_t *dense;                /* sums of what is wall, of one floor at one scale */
	const struct tn_floor_floor *dense_of;
	double dense_scale;
	struct tn_floor_grid *grid; /* of picture_free.c */

	struct tn_floor_inside *insides; /* by room index */
	struct tn_floor_place *places;   /* the same, as found last */
	struct tn_floor_swing **swings;  /* by room index: leaves in it; NULL: none */

	uint32_t *keys; /* by room index */
	struct tn_floor_key *listed;
	size_t listed_count;
	struct tn_buf words; /* the text being made */
};

/* ---- places and pens (picture_pen.c) ---- */

/* To a 256th of a pixel: what builds differ in, in the last bit, is gone. */
double tn_paint_round(double pixels);
double tn_paint_x(const struct tn_painter *painter, double x); /* U to pixels */
double tn_paint_y(const struct tn_painter *painter, double y);
struct tn_floor_box tn_paint_box(const struct tn_painter *painter,
				 const struct tn_floor_rect *rect);
struct tn_draw_style tn_paint_pen(const struct tn_painter *painter, tn_colour colour,
				  double width); /* width in p */
void tn_paint_line(struct tn_painter *painter, double x1, double y1, double x2, double y2);
/* A group for SVG: what of which floor, and the line of the text it stands on. End it with
 * tn_draw_group_end. */
void tn_paint_group(struct tn_painter *painter, const char *kind, struct tn_str name,
		    const struct tn_floor_tokens *tokens);
void *tn_paint_new(struct tn_painter *painter, size_t count, size_t size); /* NULL: starved */
bool tn_paint_has_rooms(const struct tn_floor_floor *floor);
/* Next of all placed rooms of a floor, parents before their sub-rooms. */
const struct tn_floor_room *tn_paint_next_room(const struct tn_floor_floor *floor,
					       const struct tn_floor_room *room);

/* ---- colours (picture_theme.c) ---- */

const struct tn_floor_theme *tn_floor_theme_find(struct tn_str name); /* unknown: default */
/* "#RRGGBB"; otherwise `fallback`. */
tn_colour tn_paint_colour(struct tn_str text, tn_colour fallback);
tn_colour tn_paint_room_colour(const struct tn_painter *painter, const struct tn_floor_room *room);
/* `wanted`, or black or white where it cannot be read (4.5:1). */
tn_colour tn_paint_readable(tn_colour wanted, tn_colour on);
/* `wanted`, or a grey where a line of it would not be seen. */
tn_colour tn_paint_visible(tn_colour wanted, tn_colour on);
double tn_paint_contrast(tn_colour a, tn_colour b);

/* ---- words (picture_words.c): valid until the next ---- */

struct tn_paint_text {
	double x, y; /* of the middle of the letters */
	double size, max_width;
	enum tn_draw_anchor anchor;
	bool bold, upright; /* upright: turned by 90 degrees, read from the right */
	tn_colour colour, halo;
};
void tn_paint_words(struct tn_painter *painter, struct tn_str words,
		    const struct tn_paint_text *how);
/* Begins the text being made; that the one before was not made for want of memory is noted. */
void tn_paint_new_words(struct tn_painter *painter);
struct tn_str tn_paint_length(struct tn_painter *painter, double length); /* 6.7, with unit */
struct tn_str tn_paint_area(struct tn_painter *painter, double area);
struct tn_str tn_paint_size(struct tn_painter *painter, const struct tn_floor_rect *rect);
struct tn_str tn_paint_keep(struct tn_painter *painter, struct tn_str words); /* in the arena */
void tn_paint_number(struct tn_buf *out, double number);                      /* 2 decimals */

/* ---- round stairs (stair_round.c) ---- */

struct tn_floor_round {
	struct tn_floor_point center;
	double inner, outer;
	double from, to; /* degrees, clockwise; one enters at `from` unless it is turned */
	bool clockwise;
};
bool tn_floor_is_round(const struct tn_floor_circulation *one);
/* In the units of the box, of which `scale` are a U. */
struct tn_floor_round tn_floor_round(const struct tn_floor_plan *plan,
				     const struct tn_floor_circulation *stair,
				     const struct tn_floor_box *box, double scale);

/* ---- which floors (picture_floors.c): those that tn_floor_floors_check has found ---- */

void tn_paint_choose(struct tn_painter *painter); /* cells */

/* ---- the page (picture_page.c) ---- */

void tn_paint_measure(struct tn_painter *painter); /* the bounds */
void tn_paint_divide(struct tn_painter *painter);
void tn_paint_page(struct tn_painter *painter);   /* title, legend, scale bar */
void tn_paint_strips(struct tn_painter *painter); /* of one floor: its name, its summary */

/* ---- fills of rooms that lie over each other (picture_deep.c): boxes of whole pixels ---- */

bool tn_paint_is_deep(const struct tn_painter *painter, const struct tn_floor_box *boxes,
		      size_t count);
void tn_paint_deep(struct tn_painter *painter, const struct tn_floor_box *boxes,
		   const tn_colour *colours, size_t count);

/* ---- a floor, in this order (6.3) ---- */

void tn_paint_fills(struct tn_painter *painter);             /* picture_fill.c, with overlaps */
void tn_paint_walls(struct tn_painter *painter);             /* picture_wall.c */
void tn_paint_openings(struct tn_painter *painter);          /* picture_opening.c */
void tn_paint_circulation(struct tn_painter *painter);       /* picture_stair.c */
void tn_paint_dimensions(struct tn_painter *painter);        /* picture_dimension.c */
void tn_paint_labels(struct tn_painter *painter, bool draw); /* picture_label.c; keys */
void tn_paint_diagnostics(struct tn_painter *painter);       /* picture_mark.c */

/* Where a room's own dimensions have a place: the first that is free, from the middle on. */
void tn_paint_find_inside(struct tn_painter *painter, const struct tn_floor_room *room);

/* ---- what words must not lie on ---- */

#define TN_FLOOR_WALL_PEN 0.8 /* p: the outline of walls */

/* On the page, wider by so many pixels on each side. */
struct tn_floor_box tn_paint_grown(const struct tn_painter *painter,
				   const struct tn_floor_rect *rect, double by);
struct tn_floor_obstacles {
	struct tn_floor_box *boxes; /* until the next */
	size_t count;
	bool dense; /* walls are not among them: tn_paint_take_walls knows */
};
/* In a box of a room (picture_obstacle.c). False: no memory. */
bool tn_paint_obstacles(struct tn_painter *painter, const struct tn_floor_room *room,
			const struct tn_floor_box *box, struct tn_floor_obstacles *ret);
enum { TN_FLOOR_GRID_LINES = 130 };
struct tn_floor_grid {                                           /* a box in cells */
	double xs[TN_FLOOR_GRID_LINES], ys[TN_FLOOR_GRID_LINES]; /* one more than cells */
	size_t columns, rows;
	double heights[TN_FLOOR_GRID_LINES]; /* of free cells above, by column */
	size_t stack[TN_FLOOR_GRID_LINES];
	uint8_t taken[TN_FLOOR_GRID_LINES * TN_FLOOR_GRID_LINES];
};
/* Cells that any wall is in, or near (picture_dense.c). */
void tn_paint_take_walls(struct tn_painter *painter, struct tn_floor_grid *grid);
/* The largest part of a box that no obstacle is in (picture_free.c). */
struct tn_floor_box tn_paint_free_box(struct tn_painter *painter, struct tn_floor_box box,
				      const struct tn_floor_obstacles *obstacles);

/* ---- the whole, up to where a caller adds his own (picture.c) ---- */

TN_MUST_USE enum tenon_code tn_paint_begin(struct tn_painter *painter,
					   const struct tn_floor_plan *plan,
					   const struct tn_floor_plan *before,
					   const struct tn_floor_picture_options *options,
					   struct tn_arena *arena, struct tenon_error *err);
void tn_paint_floors(struct tn_painter *painter);
TN_MUST_USE enum tenon_code tn_paint_end(struct tn_painter *painter, struct tn_floor_picture *ret,
					 struct tenon_error *err);

#endif
