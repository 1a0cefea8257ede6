/* internal.h - the inside of editing, for the files edit*.c: one operation on one plan
 * (floorplan.md section 8).
 *
 * An action looks at the plan and collects cuts: ranges of bytes and what stands there instead. It
 * returns false when it failed, and why is told by then; without cuts the text says so already.
 * Everything lives in the operation's arena, the plan is as it was before. Threads: one at a time.
 */
#ifndef TN_FLOORPLAN_EDIT_INTERNAL_H
#define TN_FLOORPLAN_EDIT_INTERNAL_H

#include "apps/floorplan/limits.h"
#include "apps/floorplan/plan/plan.h"
#include "base/utf8.h"
#include "jsonrpc/json.h"

struct tn_edit_cut {
	uint32_t start, end; /* bytes of the text before; equal: only put in */
	struct tn_str text;
	size_t order;
};

struct tn_edit {
	const struct tn_floor_plan *plan; /* before; it parses */
	const struct tn_floor_lexed *lexed;
	const struct tn_json *operation, *params; /* params NULL: none */
	struct tn_str floor_name;                 /* default floor; empty: none */
	size_t index;                             /* of the operation */
	struct tn_arena *arena;
	struct tn_edit_cut *cuts;
	size_t cut_count, cut_capacity;
	struct tn_buf affected; /* a JSON array; empty: nothing */
	struct tn_str target;   /* how the change is named */
	/* Rooms, stairs and lifts other than this one that are elsewhere afterwards are told of. */
	const struct tn_floor_room *moves;
	bool keeps_unit, unit_written; /* the plan's, that what is left no longer decides */
	bool starved;
	int code; /* FP9xxx; 0: good so far */
	char path[160], message[512];
	char note[256]; /* for a change that was applied; "": none */
};

/* ---- telling (edit_params.c) ---- */

/* `field`: "target", "params/width"; NULL: the operation as a whole. Always false. */
bool tn_edit_fail(struct tn_edit *e, int code, const char *field, const char *format, ...)
	TN_PRINTF(4, 5);
bool tn_edit_starve(struct tn_edit *e); /* false */
static inline struct tn_str tn_edit_shown(struct tn_str text)
{
	return tn_utf8_cut(text, TN_FLOOR_NAME_BYTES_MAX);
}
#define TN_EDIT_SHOW(text) (int)tn_edit_shown(text).size, tn_edit_shown(text).data
/* "pinned", "removed", "updated", "moved", "kept"; `token`: on whose line it stands. */
void tn_edit_affect(struct tn_edit *e, const char *kind, struct tn_str name, uint32_t token,
		    const char *what);
void tn_edit_affect_room(struct tn_edit *e, const struct tn_floor_room *room, const char *what);
void tn_edit_affect_stair(struct tn_edit *e, const struct tn_floor_circulation *one,
			  const char *what);
void tn_edit_affect_connection(struct tn_edit *e, const struct tn_floor_connect_tree *connect,
			       const char *what);

/* ---- parameters (edit_params.c) ---- */

/* A member, or NULL: it is not there, or null. */
const struct tn_json *tn_edit_param(const struct tn_json *object, const char *key);
/* Fields of `object` other than these fail; `field` is where the object stands. */
bool tn_edit_only(struct tn_edit *e, const struct tn_json *object, const char *field,
		  const char *const *known);
bool tn_edit_missing(struct tn_edit *e, const char *field); /* false */
/* An optional text: absent leaves *ret as it was. */
bool tn_edit_text(struct tn_edit *e, const char *key, struct tn_str *ret);
bool tn_edit_flag(struct tn_edit *e, const char *key, bool *ret);
/* One of the words: its index; absent: *ret stays. */
bool tn_edit_word(struct tn_edit *e, const struct tn_json *object, const char *key,
		  const char *field, const char *const *words, unsigned *ret);

struct tn_edit_length { /* 8.2: a number in U, or a text with its unit */
	double number, in_plan;
	enum tn_floor_unit unit;
	bool is_text;
};
bool tn_edit_length(struct tn_edit *e, const struct tn_json *value, const char *field,
		    bool above_zero, struct tn_edit_length *ret);
void tn_edit_put_length(struct tn_buf *out, const struct tn_edit_length *length);

extern const char *const tn_edit_sides[];      /* as enum tn_floor_side */
extern const char *const tn_edit_wall_types[]; /* as enum tn_floor_wall_type */
extern const char *const tn_edit_directions[]; /* as enum tn_floor_direction */
extern const char *const tn_edit_alignments[]; /* as enum tn_floor_align, less one */
extern const char *const tn_edit_doors[];      /* as enum tn_floor_connection_type */
extern const char *const tn_edit_hands[];      /* as enum tn_floor_hand */

/* ---- who is meant (edit_find.c) ---- */

bool tn_edit_target(struct tn_edit *e, const struct tn_floor_room **ret);
/* A room's name or Floor.Room. */
bool tn_edit_room(struct tn_edit *e, struct tn_str name, const char *field,
		  const struct tn_floor_room **ret);
bool tn_edit_floor(struct tn_edit *e, struct tn_str name, const char *field,
		   const struct tn_floor_floor **ret);
/* Legal (FP9005) and free on the floor (FP9006). */
bool tn_edit_new_name(struct tn_edit *e, const struct tn_floor_floor *floor, struct tn_str name,
		      const char *field);
const struct tn_floor_room *tn_edit_siblings(const struct tn_floor_room *room);
/* A relative clause of something in this container (`floor` and `parent`) means this room. */
bool tn_edit_relative_means(const struct tn_edit *e, const struct tn_floor_relative *relative,
			    const struct tn_floor_floor *floor, const struct tn_floor_room *parent,
			    const struct tn_floor_room *room);
/* The rooms that the ends of a connection mean (4.5); NULL: outside, or not to be told. */
void tn_edit_ends(const struct tn_edit *e, const struct tn_floor_connect_tree *connect,
		  const struct tn_floor_room *ret[2]);
struct tn_str tn_edit_near_room(const struct tn_edit *e, const struct tn_floor_floor *floor,
				struct tn_str name); /* size 0: none is near */
static inline struct tn_str tn_edit_token(const struct tn_edit *e, uint32_t token)
{
	return tn_floor_token_text(e->lexed, token);
}
static inline bool tn_edit_written(struct tn_floor_tokens tokens)
{
	return tokens.first != TN_FLOOR_NO_TOKEN;
}

/* ---- cuts (edit_text.c) ---- */

bool tn_edit_cut(struct tn_edit *e, uint32_t start, uint32_t end, struct tn_str text);
bool tn_edit_replace(struct tn_edit *e, uint32_t token, struct tn_str text);
bool tn_edit_cut_clause(struct tn_edit *e, struct tn_floor_tokens tokens);    /* 8.2 */
bool tn_edit_cut_statement(struct tn_edit *e, struct tn_floor_tokens tokens); /* 8.2 */
/* Puts ` text` directly behind a token. */
bool tn_edit_put_behind(struct tn_edit *e, uint32_t token, struct tn_str text);
/* The number, and the unit where 8.2 says so; one that says so already stays. */
bool tn_edit_put_number(struct tn_edit *e, const struct tn_floor_length *length,
			const struct tn_edit_length *value, const char *field, bool above_zero);
/* ` at (x,y)` behind the name; what stands there of at and relative is cut. */
bool tn_edit_pin(struct tn_edit *e, uint32_t name, const struct tn_floor_at *at,
		 const struct tn_floor_relative *relative, double x, double y);
/* A line behind the line on which `token` ends, or, when something stands behind it there, between
 * line ends directly behind it. `inside`: two blanks more than that line's indentation. */
bool tn_edit_put_line(struct tn_edit *e, uint32_t indent_token, uint32_t token, bool inside,
		      struct tn_str line);
/* `default_unit` of the plan as it is, in its config block or in one of its own. */
bool tn_edit_put_unit(struct tn_edit *e);
/* The blanks before the first thing on the token's line; its line end. */
struct tn_str tn_edit_indent(const struct tn_edit *e, uint32_t token);
struct tn_str tn_edit_line_end(const struct tn_edit *e, uint32_t token);
bool tn_edit_apply(struct tn_edit *e, struct tn_buf *out); /* false: no memory, or too large */
/* A buffer's text in the arena, and the buffer is finished. data NULL: starved. */
struct tn_str tn_edit_keep(struct tn_edit *e, struct tn_buf *text);
void tn_edit_begin(struct tn_buf *text); /* for a line that is being written */

/* ---- actions ---- */

typedef bool tn_edit_action(struct tn_edit *e);
tn_edit_action tn_edit_add_room;                                  /* edit_add.c */
tn_edit_action tn_edit_remove_room;                               /* edit_remove.c */
tn_edit_action tn_edit_resize_room;                               /* edit_place.c */
tn_edit_action tn_edit_move_room;                                 /* edit_place.c */
tn_edit_action tn_edit_rename_room;                               /* edit_rename.c */
tn_edit_action tn_edit_update_walls;                              /* edit_room.c */
tn_edit_action tn_edit_add_label;                                 /* edit_room.c */
tn_edit_action tn_edit_set_style;                                 /* edit_room.c */
tn_edit_action tn_edit_to_relative;                               /* edit_relative.c */
tn_edit_action tn_edit_to_absolute;                               /* edit_relative.c */
tn_edit_action tn_edit_add_connection, tn_edit_remove_connection; /* edit_connect.c */

/* Everything placed relative to the room gets its place in numbers (edit_place.c). `and_updates`:
 * where `at` counts already, the clause goes, too, because the room will be gone. */
bool tn_edit_pin_dependents(struct tn_edit *e, const struct tn_floor_room *room, bool and_updates);
/* " D R gap G align A" of a relative clause. */
struct tn_edit_relative {
	unsigned direction, align; /* align: enum tn_floor_align */
	struct tn_str reference;
	bool has_gap;
	struct tn_edit_length gap;
};
void tn_edit_put_relative(struct tn_buf *out, const struct tn_edit_relative *relative);
/* Writes a label in quotes; false: FP9008, FP9004. `quote`: preferred. */
bool tn_edit_find_style(struct tn_edit *e, struct tn_str name); /* FP9002 */
bool tn_edit_put_label(struct tn_edit *e, struct tn_buf *out, struct tn_str label, char quote);

#endif
