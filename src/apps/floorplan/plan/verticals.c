/* Stairs and lifts that belong together on several floors (floorplan.md 4.7). */
#include <math.h>

#include "apps/floorplan/plan/resolve.h"

#define APART_MAX 0.5 /* U */

static struct tn_floor_circulation *find_element(struct tn_resolver *r,
						 const struct tn_floor_link *link)
{
	struct tn_str floor_name = tn_resolve_text(r, link->floor);
	struct tn_str name = tn_resolve_text(r, link->element);
	const struct tn_floor_floor *floor = tn_names_get(r, r->plan, floor_name);
	struct tn_floor_circulation *found;
	struct tn_near near;

	if (!floor) {
		tn_near_init(&near, floor_name);
		for (floor = r->plan->floors; floor; floor = floor->next)
			tn_near_try(r, &near, floor->name);
		(void)tn_tell_token(r, 2013, NULL, NULL, link->floor,
				    "the vertical link names unknown floor '%.*s'%s",
				    TN_SHOW(floor_name), tn_near_text(r, &near));
		return NULL;
	}
	found = tn_names_get(r, &floor->circulation, name);
	if (found)
		return found;
	tn_near_init(&near, name);
	for (const struct tn_floor_circulation *at = floor->circulation; at; at = at->next)
		tn_near_try(r, &near, at->name);
	(void)tn_tell_token(r, 2013, NULL, floor, link->element,
			    "floor '%.*s' has no stair or lift '%.*s'%s", TN_SHOW(floor_name),
			    TN_SHOW(name), tn_near_text(r, &near));
	return NULL;
}

static void check_step(struct tn_resolver *r, const struct tn_floor_circulation *below,
		       const struct tn_floor_circulation *above, const struct tn_floor_link *link)
{
	struct tn_floor_range range = tn_resolve_range(r, link->tokens);
	const uint32_t a = below->floor->index, b = above->floor->index;

	if (below->placed && above->placed &&
	    (fabs(below->rect.x - above->rect.x) > APART_MAX ||
	     fabs(below->rect.y - above->rect.y) > APART_MAX))
		(void)tn_tell(
			r, 6011, NULL, above->floor, &range,
			"'%.*s' at (%s,%s) is not above '%.*s' at (%s,%s); give both the same "
			"place",
			TN_SHOW(above->name), tn_resolve_number(r, above->rect.x),
			tn_resolve_number(r, above->rect.y), TN_SHOW(below->name),
			tn_resolve_number(r, below->rect.x), tn_resolve_number(r, below->rect.y));
	if ((a > b ? a - b : b - a) > 1)
		(void)tn_tell(r, 6012, NULL, above->floor, &range,
			      "the link from '%.*s' to '%.*s' skips a floor between them; name "
			      "every floor",
			      TN_SHOW(below->floor->name), TN_SHOW(above->floor->name));
	if (below->lift != above->lift)
		(void)tn_tell(
			r, 6015, NULL, above->floor, &range,
			"%s '%.*s' is linked to %s '%.*s'; link stairs to stairs and lifts to "
			"lifts",
			below->lift ? "lift" : "stair", TN_SHOW(below->name),
			above->lift ? "lift" : "stair", TN_SHOW(above->name));
}

static void resolve_one(struct tn_resolver *r, const struct tn_floor_vertical_tree *tree,
			struct tn_floor_vertical *vertical)
{
	const struct tn_floor_circulation *before = NULL;
	size_t count = 0;

	for (const struct tn_floor_link *link = tree->links; link; link = link->next)
		count++;
	vertical->tree = tree;
	vertical->elements = tn_resolve_new(r, count, sizeof(struct tn_floor_circulation *));
	if (!vertical->elements)
		return;
	for (const struct tn_floor_link *link = tree->links; link; link = link->next) {
		struct tn_floor_circulation *one = find_element(r, link);

		if (one && before)
			check_step(r, before, one, link);
		if (one)
			vertical->elements[vertical->count++] = one;
		before = one;
	}
}

void tn_resolve_verticals(struct tn_resolver *r)
{
	struct tn_floor_vertical **end = &r->plan->verticals;

	for (const struct tn_floor_vertical_tree *at = r->plan->tree.verticals; at; at = at->next) {
		struct tn_floor_vertical *vertical = tn_resolve_new(r, 1, sizeof(*vertical));

		if (!vertical)
			return;
		resolve_one(r, at, vertical);
		*end = vertical;
		end = &vertical->next;
	}
}
