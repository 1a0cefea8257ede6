/* internal.h - what the writers of other forms share: settings that count, defaults that are left
 * out, words as they are written (floorplan.md 10.1). What canonical text is made of is in
 * canonical_piece.h, what JSON is made of in interchange_piece.h. Threads: any. */
#ifndef TN_FLOORPLAN_EXCHANGE_INTERNAL_H
#define TN_FLOORPLAN_EXCHANGE_INTERNAL_H

#include "apps/floorplan/plan/plan.h"

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

#endif
