/* interchange_work.h - what the writers of other forms share: settings that count, defaults that
 * are left out, exact numbers (floorplan.md 10.1). Threads: any. */
#ifndef TN_FLOOR_INTERCHANGE_WORK_H
#define TN_FLOOR_INTERCHANGE_WORK_H

#include "apps/floorplan/plan.h"
#include "base/limits.h"

/* ---- what is written and not the default; JSON and canonical text say the same ---- */

struct tn_floor_setting {
	const char *key; /* snake_case */
	const struct tn_floor_property *property;
};
enum { TN_FLOOR_SETTINGS_MAX = 32 };
/* In the order of 4.9, without default_unit. Returns the count. */
size_t tn_floor_settings_written(const struct tn_floor_plan *plan,
				 struct tn_floor_setting ret[TN_FLOOR_SETTINGS_MAX]);
bool tn_floor_unit_written(const struct tn_floor_plan *plan); /* default_unit */

/* The last of that key, which is the one that counts; NULL: not written. */
const struct tn_floor_property *tn_floor_property_last(const struct tn_floor_property *first,
						       const char *key, const char *camel);
extern const char *const tn_floor_style_keys[6];

/* The relative clause, unless `at` is written and counts alone (4.3); NULL: none. */
const struct tn_floor_relative *tn_floor_relative_counts(const struct tn_floor_at *at,
							 const struct tn_floor_relative *relative);
/* NO_ALIGN: the default one, or without effect. */
enum tn_floor_align tn_floor_align_counts(const struct tn_floor_relative *relative);
const char *tn_floor_direction_name(enum tn_floor_direction direction);
const char *tn_floor_align_name(enum tn_floor_align align);
const char *tn_floor_shape_name(enum tn_floor_shape shape);
const char *tn_floor_hand_name(enum tn_floor_hand hand);
const char *tn_floor_connection_name(enum tn_floor_connection_type type);

static inline bool tn_floor_is_written(struct tn_floor_tokens tokens)
{
	return tokens.first != TN_FLOOR_NO_TOKEN;
}
static inline struct tn_str tn_floor_written(const struct tn_floor_plan *plan, uint32_t token)
{
	return tn_floor_token_text(&plan->tree.lexed, token);
}
/* What stands between the quotes of a string token. */
struct tn_str tn_floor_string_inside(const struct tn_floor_plan *plan, uint32_t token);
/* Where the leaf swings, as it is written or by default (4.5). */
struct tn_str tn_floor_opens_into(const struct tn_floor_plan *plan,
				  const struct tn_floor_connect_tree *connect);
struct tn_str tn_floor_opens_default(const struct tn_floor_plan *plan,
				     const struct tn_floor_connect_tree *connect);

/* Materials of a stair by key, the last of each; data NULL: not written. */
extern const char *const tn_floor_material_keys[4]; /* in this order */
struct tn_str tn_floor_material(const struct tn_floor_plan *plan,
				const struct tn_floor_name *clause, const char *key);

/* ---- canonical text ---- */

struct tn_canon {
	struct tn_buf *out;
	const struct tn_floor_plan *plan;
	/* How often what other readers may not know was written, and where first. */
	struct {
		unsigned count;
		uint32_t line;
	} notes[5];
};
enum { TN_CANON_NEGATIVE, TN_CANON_FLOOR, TN_CANON_UNITS, TN_CANON_FRONT, TN_CANON_RELATIVE };

void tn_canon_note(struct tn_canon *c, unsigned note, uint32_t token);
void tn_canon_number(struct tn_canon *c, double number); /* exactly, without exponent */
void tn_canon_length(struct tn_canon *c, const struct tn_floor_length *length);
/* " word length", if it is written. */
void tn_canon_measure(struct tn_canon *c, const char *word, const struct tn_floor_measure *measure);
void tn_canon_size(struct tn_canon *c, const struct tn_floor_size *size); /* "(W x H)" or a name */
void tn_canon_string(struct tn_canon *c, struct tn_str inside);
void tn_canon_at(struct tn_canon *c, const struct tn_floor_at *at);
void tn_canon_relative(struct tn_canon *c, const struct tn_floor_at *at,
		       const struct tn_floor_relative *relative, bool extended);
void tn_canon_label(struct tn_canon *c, const struct tn_floor_text *label);
void tn_canon_style(struct tn_canon *c, const struct tn_floor_name *style);
void tn_canon_stair(struct tn_canon *c, const struct tn_floor_stair_tree *stair);
void tn_canon_lift(struct tn_canon *c, const struct tn_floor_lift_tree *lift);

/* ---- JSON ---- */

struct tn_floor_json {
	struct tn_buf *out;
	const struct tn_floor_plan *plan;
	bool rounded;  /* a length lost something by being written with 6 decimals */
	bool relative; /* places depend on others, and so on their lengths */
};
void tn_floor_json_number(struct tn_floor_json *j, const char *key, double number);
void tn_floor_json_length(struct tn_floor_json *j, const char *key,
			  const struct tn_floor_length *length);
void tn_floor_json_measure(struct tn_floor_json *j, const char *key,
			   const struct tn_floor_measure *measure); /* or null */
void tn_floor_json_size(struct tn_floor_json *j, const char *key,
			const struct tn_floor_size *size); /* {"width","height"} or null */
/* "width" and "height", written out or named; null if there is none. */
void tn_floor_json_extent(struct tn_floor_json *j, const struct tn_floor_size *size);
/* "x" and "y". */
void tn_floor_json_place(struct tn_floor_json *j, const struct tn_floor_at *at,
			 struct tn_floor_point resolved);
void tn_floor_json_text(struct tn_floor_json *j, const char *key, struct tn_str text); /* or null */
void tn_floor_json_relative(struct tn_floor_json *j, const struct tn_floor_at *at,
			    const struct tn_floor_relative *relative);
void tn_floor_json_stair(struct tn_floor_json *j, const struct tn_floor_circulation *one);
void tn_floor_json_lift(struct tn_floor_json *j, const struct tn_floor_circulation *one);

#endif
