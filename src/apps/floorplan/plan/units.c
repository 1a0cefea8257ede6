/* The plan's unit, and lengths in it (floorplan.md 4.1). */
#include <math.h>

#include "apps/floorplan/plan/resolve.h"

#include "apps/floorplan/limits.h"

/* ---- layout lengths, in the order of the text ---- */

struct layout {
	const struct tn_floor_length **by_token; /* of its digits */
};

static void add(struct layout *layout, const struct tn_floor_length *length)
{
	layout->by_token[length->digits] = length;
}

static void add_measure(struct layout *layout, const struct tn_floor_measure *measure)
{
	if (tn_is_written(measure->tokens))
		add(layout, &measure->length);
}

static void add_size(struct layout *layout, const struct tn_floor_size *size)
{
	if (!size->there || size->name != TN_FLOOR_NO_TOKEN)
		return;
	add(layout, &size->width);
	if (!size->full)
		add(layout, &size->height);
}

static void add_at(struct layout *layout, const struct tn_floor_at *at)
{
	if (!tn_is_written(at->tokens))
		return;
	add(layout, &at->x);
	add(layout, &at->y);
}

static void add_gap(struct layout *layout, const struct tn_floor_relative *relative)
{
	if (tn_is_written(relative->tokens) && relative->has_gap)
		add(layout, &relative->gap);
}

static void add_rooms(struct layout *layout, const struct tn_floor_room_tree *room)
{
	for (; room; room = room->next) {
		add_at(layout, &room->at);
		add_size(layout, &room->size);
		add_measure(layout, &room->height);
		add_measure(layout, &room->elevation);
		add_gap(layout, &room->relative);
		add_rooms(layout, room->rooms); /* at most 8 deep */
	}
}

static void add_floor(struct layout *layout, const struct tn_floor_floor_tree *floor)
{
	add_measure(layout, &floor->height);
	add_rooms(layout, floor->rooms);
	for (const struct tn_floor_stair_tree *stair = floor->stairs; stair; stair = stair->next)
		add_at(layout, &stair->at);
	for (const struct tn_floor_lift_tree *lift = floor->lifts; lift; lift = lift->next) {
		add_at(layout, &lift->at);
		add_size(layout, &lift->size);
		add_gap(layout, &lift->relative);
	}
}

/* ---- U ---- */

static bool is_metric(enum tn_floor_unit unit)
{
	return unit == TN_FLOOR_M || unit == TN_FLOOR_CM || unit == TN_FLOOR_MM;
}

struct seen {
	enum tn_floor_unit first;
	bool other_unit, mixed;
	const struct tn_floor_length *bare, *other_system; /* the first ones */
};

static void see(struct seen *seen, const struct tn_floor_length *length)
{
	if (length->unit == TN_FLOOR_NO_UNIT) {
		if (!seen->bare && length->number != 0)
			seen->bare = length;
		return;
	}
	if (seen->first == TN_FLOOR_NO_UNIT)
		seen->first = length->unit;
	seen->other_unit = seen->other_unit || length->unit != seen->first;
	if (!seen->other_system && is_metric(length->unit) != is_metric(seen->first))
		seen->other_system = length;
}

static enum tn_floor_unit unit_of(const struct seen *seen)
{
	if (seen->first == TN_FLOOR_NO_UNIT)
		return TN_FLOOR_FT;
	if (!seen->other_unit || seen->other_system)
		return seen->first;
	return is_metric(seen->first) ? TN_FLOOR_M : TN_FLOOR_FT;
}

static void tell_units(struct tn_resolver *r, const struct seen *seen, bool chosen)
{
	const char *name = tn_floor_unit_name(r->plan->unit);
	struct tn_floor_diagnostic *one;
	struct tn_floor_range range;

	if (seen->other_system) {
		range = tn_length_range(r, seen->other_system);
		one = tn_tell(r, 3020, NULL, NULL, &range,
			      "'%s' mixes metric and imperial units with '%s' before it",
			      tn_floor_unit_name(seen->other_system->unit),
			      tn_floor_unit_name(seen->first));
		tn_tell_hint(one, "everything is converted and lines up; use one system if this "
				  "was not meant");
	}
	if (!chosen && seen->bare && seen->first != TN_FLOOR_NO_UNIT) {
		range = tn_length_range(r, seen->bare);
		(void)tn_tell(r, 3022, NULL, NULL, &range,
			      "numbers without unit stand beside numbers with one and are read as "
			      "'%s'; write config { default_unit: %s } to say so",
			      name, name);
	}
}

void tn_resolve_units(struct tn_resolver *r)
{
	const struct tn_floor_tree *tree = &r->plan->tree;
	struct layout layout = {
		tn_resolve_new(r, r->lexed->count, sizeof(const struct tn_floor_length *))};
	struct seen seen = {.first = TN_FLOOR_NO_UNIT};
	bool chosen = r->plan->unit != TN_FLOOR_NO_UNIT;

	if (!layout.by_token)
		return;
	for (const struct tn_floor_define_tree *at = tree->defines; at; at = at->next)
		add_size(&layout, &at->size);
	for (const struct tn_floor_floor_tree *at = tree->floors; at; at = at->next)
		add_floor(&layout, at);
	for (uint32_t i = 0; i < r->lexed->count; i++) {
		if (layout.by_token[i])
			see(&seen, layout.by_token[i]);
	}
	r->plan->has_bare_lengths = seen.bare != NULL;
	if (!chosen)
		r->plan->unit = unit_of(&seen);
	tell_units(r, &seen, chosen);
}

/* ---- lengths ---- */

struct tn_floor_range tn_length_range(const struct tn_resolver *r,
				      const struct tn_floor_length *length)
{
	return tn_floor_span(
		r->lexed, length->minus != TN_FLOOR_NO_TOKEN ? length->minus : length->digits,
		length->unit_token != TN_FLOOR_NO_TOKEN ? length->unit_token : length->digits);
}

static struct tn_str written(const struct tn_resolver *r, const struct tn_floor_range *range)
{
	return tn_utf8_cut(tn_str(r->lexed->text.data + range->start, range->end - range->start),
			   40);
}

bool tn_resolve_length(struct tn_resolver *r, const struct tn_floor_length *length, int zero_code,
		       double *ret)
{
	double value = tn_floor_to_unit(r->plan, length);
	struct tn_floor_range range;
	struct tn_str text;

	if (fabs(value) <= TN_FLOOR_LENGTH_MAX && (zero_code == 0 || value > 0)) {
		*ret = value;
		return true;
	}
	range = tn_length_range(r, length);
	text = written(r, &range);
	if (fabs(value) > TN_FLOOR_LENGTH_MAX)
		(void)tn_tell(r, 3001, NULL, NULL, &range,
			      "'%.*s' is out of range; lengths go up to %d %s", TN_SHOW(text),
			      TN_FLOOR_LENGTH_MAX, tn_floor_unit_name(r->plan->unit));
	else
		(void)tn_tell(r, zero_code, NULL, NULL, &range,
			      "'%.*s' is not above zero; write a larger number", TN_SHOW(text));
	return false;
}

bool tn_resolve_measure(struct tn_resolver *r, const struct tn_floor_measure *measure,
			int zero_code, double *ret)
{
	return tn_is_written(measure->tokens) &&
	       tn_resolve_length(r, &measure->length, zero_code, ret);
}

static bool find_size(struct tn_resolver *r, uint32_t token, double *ret_width, double *ret_height)
{
	struct tn_str name = tn_resolve_text(r, token);
	const struct tn_floor_define_tree *define = tn_names_get(r, &r->plan->tree.defines, name);
	struct tn_near near;

	if (define) {
		/* Its own faults are told of where it is defined. */
		*ret_width = tn_floor_to_unit(r->plan, &define->size.width);
		*ret_height = tn_floor_to_unit(r->plan, &define->size.height);
		return *ret_width > 0 && *ret_width <= TN_FLOOR_LENGTH_MAX && *ret_height > 0 &&
		       *ret_height <= TN_FLOOR_LENGTH_MAX;
	}
	tn_near_init(&near, name);
	for (define = r->plan->tree.defines; define; define = define->next)
		tn_near_try(r, &near, tn_resolve_text(r, define->name));
	(void)tn_tell_token(r, 2011, NULL, NULL, token, "size '%.*s' is not defined%s",
			    TN_SHOW(name),
			    near.best.data ? tn_near_text(r, &near)
					   : "; write define NAME (W x H), or the size itself");
	return false;
}

bool tn_resolve_size(struct tn_resolver *r, const struct tn_floor_size *size, double *ret_width,
		     double *ret_height)
{
	bool good;

	if (size->name != TN_FLOOR_NO_TOKEN)
		return find_size(r, size->name, ret_width, ret_height);
	good = tn_resolve_length(r, &size->width, 3002, ret_width);
	if (size->full)
		return good;
	return tn_resolve_length(r, &size->height, 3002, ret_height) && good;
}
