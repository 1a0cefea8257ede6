/* What the forms of a plan share, and the schedule of rooms (floorplan.md 10.1). */
#include "apps/floorplan/exchange/interchange.h"

#include "apps/floorplan/exchange/internal.h"
#include "apps/floorplan/plan/metrics.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

/* ---- words ---- */

const char *const tn_floor_style_keys[6] = {"floor_color",  "wall_color", "floor_texture",
					    "wall_texture", "roughness",  "metalness"};

const char *tn_floor_direction_name(enum tn_floor_direction direction)
{
	static const char *const names[] = {[TN_FLOOR_RIGHT_OF] = "right-of",
					    [TN_FLOOR_LEFT_OF] = "left-of",
					    [TN_FLOOR_ABOVE] = "above",
					    [TN_FLOOR_BELOW] = "below",
					    [TN_FLOOR_ABOVE_RIGHT_OF] = "above-right-of",
					    [TN_FLOOR_ABOVE_LEFT_OF] = "above-left-of",
					    [TN_FLOOR_BELOW_RIGHT_OF] = "below-right-of",
					    [TN_FLOOR_BELOW_LEFT_OF] = "below-left-of"};

	return names[direction];
}

const char *tn_floor_align_name(enum tn_floor_align align)
{
	static const char *const names[] = {
		[TN_FLOOR_NO_ALIGN] = "",           [TN_FLOOR_ALIGN_TOP] = "top",
		[TN_FLOOR_ALIGN_BOTTOM] = "bottom", [TN_FLOOR_ALIGN_LEFT] = "left",
		[TN_FLOOR_ALIGN_RIGHT] = "right",   [TN_FLOOR_ALIGN_CENTER] = "center"};

	return names[align];
}

const char *tn_floor_shape_name(enum tn_floor_shape shape)
{
	static const char *const names[] = {
		[TN_FLOOR_STRAIGHT] = "straight", [TN_FLOOR_L_SHAPED] = "L-shaped",
		[TN_FLOOR_U_SHAPED] = "U-shaped", [TN_FLOOR_DOUBLE_L] = "double-L",
		[TN_FLOOR_WINDER] = "winder",     [TN_FLOOR_SPIRAL] = "spiral",
		[TN_FLOOR_CURVED] = "curved",     [TN_FLOOR_CUSTOM] = "custom"};

	return names[shape];
}

const char *tn_floor_hand_name(enum tn_floor_hand hand)
{
	return hand == TN_FLOOR_HAND_LEFT ? "left" : "right";
}

const char *tn_floor_connection_name(enum tn_floor_connection_type type)
{
	static const char *const names[] = {[TN_FLOOR_SINGLE_DOOR] = "door",
					    [TN_FLOOR_DOUBLE_DOOR] = "double-door",
					    [TN_FLOOR_OPENING] = "opening"};

	return names[type];
}

struct tn_str tn_floor_string_inside(const struct tn_floor_plan *plan, uint32_t token)
{
	struct tn_str text = tn_floor_written(plan, token);

	return text.size >= 2 ? tn_str(text.data + 1, text.size - 2) : tn_str("", 0);
}

/* ---- what counts ---- */

const struct tn_floor_property *tn_floor_property_last(const struct tn_floor_property *first,
						       const char *key, const char *camel)
{
	const struct tn_floor_property *last = NULL;

	for (; first; first = first->next) {
		if (tn_str_is(first->key, key) || tn_str_is(first->key, camel))
			last = first;
	}
	return last;
}

static const struct tn_floor_property *find_setting(const struct tn_floor_plan *plan,
						    const char *key, const char *camel)
{
	const struct tn_floor_property *found =
		tn_floor_property_last(plan->tree.config, key, camel);

	return found ? found : tn_floor_property_last(plan->tree.front.config, key, camel);
}

bool tn_floor_unit_written(const struct tn_floor_plan *plan)
{
	return find_setting(plan, "default_unit", "defaultUnit") != NULL;
}

/* A key that another one makes void, or a value that is the default. */
static bool is_void(const struct tn_floor_plan *plan, const char *key,
		    const struct tn_floor_property *property)
{
	static const struct {
		const char *key, *over, *over_camel;
	} voids[] = {{"door_width", "door_size", "doorSize"},
		     {"door_height", "door_size", "doorSize"},
		     {"window_width", "window_size", "windowSize"},
		     {"window_height", "window_size", "windowSize"},
		     {"dark_mode", "theme", "theme"}};
	static const struct {
		const char *key, *value;
	} standards[] = {{"theme", "default"},
			 {"dark_mode", "false"},
			 {"show_labels", "true"},
			 {"show_dimensions", "false"}};

	for (size_t i = 0; i < TN_COUNT(voids); i++) {
		if (strcmp(key, voids[i].key) == 0 &&
		    find_setting(plan, voids[i].over, voids[i].over_camel))
			return true;
	}
	for (size_t i = 0; i < TN_COUNT(standards); i++) {
		if (strcmp(key, standards[i].key) == 0 &&
		    tn_str_is(property->text, standards[i].value))
			return true;
	}
	return strcmp(key, "default_unit") == 0;
}

size_t tn_floor_settings_written(const struct tn_floor_plan *plan,
				 struct tn_floor_setting ret[TN_FLOOR_SETTINGS_MAX])
{
	struct tn_floor_config_key key;
	size_t count = 0;

	for (size_t i = 0; tn_floor_config_at(i, &key) && count < TN_FLOOR_SETTINGS_MAX; i++) {
		const struct tn_floor_property *property = find_setting(plan, key.key, key.camel);

		if (property && !is_void(plan, key.key, property))
			ret[count++] = (struct tn_floor_setting){key.key, property};
	}
	return count;
}

const struct tn_floor_relative *tn_floor_relative_counts(const struct tn_floor_at *at,
							 const struct tn_floor_relative *relative)
{
	return tn_floor_is_written(at->tokens) || !tn_floor_is_written(relative->tokens) ? NULL
											 : relative;
}

enum tn_floor_align tn_floor_align_counts(const struct tn_floor_relative *relative)
{
	const enum tn_floor_direction direction = relative->direction;
	const enum tn_floor_align align = relative->align;

	if (direction == TN_FLOOR_RIGHT_OF || direction == TN_FLOOR_LEFT_OF)
		return align == TN_FLOOR_ALIGN_BOTTOM || align == TN_FLOOR_ALIGN_CENTER
			       ? align
			       : TN_FLOOR_NO_ALIGN;
	if (direction == TN_FLOOR_ABOVE || direction == TN_FLOOR_BELOW)
		return align == TN_FLOOR_ALIGN_RIGHT || align == TN_FLOOR_ALIGN_CENTER
			       ? align
			       : TN_FLOOR_NO_ALIGN;
	return TN_FLOOR_NO_ALIGN;
}

struct tn_str tn_floor_opens_default(const struct tn_floor_plan *plan,
				     const struct tn_floor_connect_tree *connect)
{
	const struct tn_floor_end *end = connect->from.outside ? &connect->to : &connect->from;

	return end->outside ? TN_STR("outside") : tn_floor_written(plan, end->room);
}

struct tn_str tn_floor_opens_into(const struct tn_floor_plan *plan,
				  const struct tn_floor_connect_tree *connect)
{
	if (connect->opens_into != TN_FLOOR_NO_TOKEN)
		return tn_floor_written(plan, connect->opens_into);
	return tn_floor_opens_default(plan, connect);
}

const char *const tn_floor_material_keys[4] = {"tread", "riser", "stringer", "handrail"};

struct tn_str tn_floor_material(const struct tn_floor_plan *plan,
				const struct tn_floor_name *clause, const char *key)
{
	const struct tn_floor_lexed *lexed = &plan->tree.lexed;
	struct tn_str found = {NULL, 0};

	for (uint32_t i = clause->tokens.first + 1; i + 2 <= clause->tokens.last; i++) {
		if (lexed->tokens[i].kind == TN_FLOOR_WORD &&
		    lexed->tokens[i + 2].kind == TN_FLOOR_STRING &&
		    tn_str_is(tn_floor_token_text(lexed, i), key))
			found = tn_floor_string_inside(plan, i + 2);
	}
	return found;
}

/* ---- the schedule of rooms ---- */

/* RFC 4180; a text that a spreadsheet would take for a formula is made one by nobody: it gets an
 * apostrophe in front. */
static void put_cell(struct tn_buf *out, struct tn_str text)
{
	const bool formula = text.size > 0 && strchr("=+-@\t\r", text.data[0]) != NULL;

	tn_buf_append_byte(out, '"');
	if (formula)
		tn_buf_append_byte(out, '\'');
	for (size_t i = 0; i < text.size; i++) {
		if (text.data[i] == '"')
			tn_buf_append_byte(out, '"');
		tn_buf_append_byte(out, text.data[i]);
	}
	tn_buf_append_byte(out, '"');
}

enum tenon_code tn_floor_put_csv(struct tn_buf *out, const struct tn_floor_plan *plan,
				 struct tenon_error *err)
{
	const bool sqm = plan->settings.area_in_sqm;

	tn_buf_append_text(out, "floor,name,label,width,height,area,perimeter\r\n");
	for (uint32_t i = 0; i < plan->room_count; i++) {
		const struct tn_floor_room *room = plan->rooms[i];
		const double width = room->rect.width, height = room->rect.height;
		const double numbers[] = {width, height, tn_floor_area(plan, width * height, sqm),
					  2 * (width + height)};

		put_cell(out, room->floor->name);
		tn_buf_append_byte(out, ',');
		put_cell(out, room->name);
		tn_buf_append_byte(out, ',');
		put_cell(out, room->label);
		for (size_t k = 0; k < TN_COUNT(numbers); k++) {
			tn_buf_append_byte(out, ',');
			tn_floor_put_number(out, numbers[k]);
		}
		tn_buf_append_text(out, "\r\n");
	}
	return tn_buf_check(out, err);
}
