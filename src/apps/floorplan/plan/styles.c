/* Styles of rooms (floorplan.md 4.8). */
#include <math.h>

#include "apps/floorplan/plan/resolve.h"
#include "base/size.h"

static bool is_colour(struct tn_str text)
{
	if (text.size != 7 || text.data[0] != '#')
		return false;
	for (size_t i = 1; i < text.size; i++) {
		char c = tn_to_lower(text.data[i]);

		if (!tn_is_digit(c) && !(c >= 'a' && c <= 'f'))
			return false;
	}
	return true;
}

static void tell_unknown(struct tn_resolver *r, const struct tn_floor_property *property)
{
	static const char *const keys[] = {"floor_color",  "wall_color", "floor_texture",
					   "wall_texture", "roughness",  "metalness"};
	struct tn_near near;

	tn_near_init(&near, property->key);
	for (size_t i = 0; i < TN_COUNT(keys); i++)
		tn_near_try(r, &near, tn_str_from(keys[i]));
	(void)tn_tell(r, 5010, NULL, NULL, &property->key_range, "a style has no property '%.*s'%s",
		      TN_SHOW(property->key),
		      near.best.data ? tn_near_text(r, &near)
				     : "; it has floor_color, wall_color, floor_texture, "
				       "wall_texture, roughness and metalness");
}

static void take_text(struct tn_resolver *r, const struct tn_floor_property *property, int code,
		      struct tn_str *ret)
{
	bool is_text = property->kind == TN_FLOOR_VALUE_STRING;

	if (is_text && (code == 5012 || is_colour(property->text)))
		*ret = property->text;
	else
		(void)tn_tell(r, code, NULL, NULL, &property->value_range, "'%.*s' takes %s",
			      TN_SHOW(property->key),
			      code == 5011 ? "a colour like \"#C8A46B\"" : "a text in quotes");
}

static void take_number(struct tn_resolver *r, const struct tn_floor_property *property,
			double *ret)
{
	if (property->kind == TN_FLOOR_VALUE_LENGTH && property->length.number <= 1)
		*ret = property->length.number;
	else
		(void)tn_tell(r, 5013, NULL, NULL, &property->value_range,
			      "'%.*s' takes a number from 0 to 1", TN_SHOW(property->key));
}

static void take(struct tn_resolver *r, const struct tn_floor_property *property,
		 struct tn_floor_style *style)
{
	if (tn_str_is(property->key, "floor_color"))
		take_text(r, property, 5011, &style->floor_color);
	else if (tn_str_is(property->key, "wall_color"))
		take_text(r, property, 5011, &style->wall_color);
	else if (tn_str_is(property->key, "floor_texture"))
		take_text(r, property, 5012, &style->floor_texture);
	else if (tn_str_is(property->key, "wall_texture"))
		take_text(r, property, 5012, &style->wall_texture);
	else if (tn_str_is(property->key, "roughness"))
		take_number(r, property, &style->roughness);
	else if (tn_str_is(property->key, "metalness"))
		take_number(r, property, &style->metalness);
	else
		tell_unknown(r, property);
}

void tn_resolve_styles(struct tn_resolver *r)
{
	struct tn_floor_style **end = &r->plan->styles;

	for (const struct tn_floor_style_tree *at = r->plan->tree.styles; at; at = at->next) {
		struct tn_floor_style *style = tn_resolve_new(r, 1, sizeof(*style)), *same;

		if (!style)
			return;
		style->name = tn_resolve_text(r, at->name);
		style->roughness = style->metalness = NAN;
		style->tree = at;
		for (const struct tn_floor_property *property = at->properties; property;
		     property = property->next)
			take(r, property, style);
		same = tn_names_add(r, &r->plan->styles, style->name, style);
		if (same)
			tn_tell_related(r,
					tn_tell_token(r, 2009, NULL, NULL, at->name,
						      "style '%.*s' is defined twice; rename one",
						      TN_SHOW(style->name)),
					same->tree->tokens, "defined here before");
		*end = style;
		end = &style->next;
	}
}

struct tn_floor_style *tn_resolve_style(struct tn_resolver *r, const struct tn_floor_name *clause,
					const struct tn_floor_room *room,
					const struct tn_floor_floor *floor)
{
	struct tn_floor_diagnostic *one;
	struct tn_floor_style *style;
	struct tn_near near;
	struct tn_str name;

	if (!tn_is_written(clause->tokens))
		return r->plan->settings.default_style;
	name = tn_resolve_text(r, clause->name);
	style = tn_names_get(r, &r->plan->styles, name);
	if (style)
		return style;
	tn_near_init(&near, name);
	for (const struct tn_floor_style *at = r->plan->styles; at; at = at->next)
		tn_near_try(r, &near, at->name);
	one = tn_tell_token(r, 2008, room, floor, clause->name, "style '%.*s' is not defined%s",
			    TN_SHOW(name),
			    near.best.data ? tn_near_text(r, &near)
					   : "; define it with style NAME { }, or leave it out");
	if (near.best.data && room)
		tn_tell_fix(r, one,
			    "{\"action\":\"set_style\",\"target\":\"%.*s.%.*s\",\"params\":{"
			    "\"style\":\"%.*s\"}}",
			    TN_SHOW(floor->name), TN_SHOW(room->name), TN_SHOW(near.best));
	return r->plan->settings.default_style;
}
