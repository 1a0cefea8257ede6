/* From JSON to a plan's text (floorplan.md 10.1): both shapes are read by the same functions, which
 * know the words of either. The text that is written goes through the parser and comes out
 * canonical, so what import accepts is what the language accepts. */
#include "apps/floorplan/exchange/import.h"
#include "apps/floorplan/limits.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

#define SIDES "top right bottom left"

/* ---- names first: references may come before what they name ---- */

static void add_names(struct tn_import *in, const struct tn_json *list, const char *scope,
		      const struct tn_import_at *at, bool legal_pass, unsigned depth)
{
	size_t index = 0;

	if (!tn_json_is(list, TN_JSON_ARRAY) || depth > TN_FLOOR_DEPTH_MAX)
		return;
	for (const struct tn_json *one = list->first; one; one = one->next) {
		const struct tn_import_at inner = {at, NULL, index++};
		const struct tn_import_at rooms = {&inner, "rooms", 0};
		const struct tn_import_at sub_rooms = {&inner, "subRooms", 0};
		struct tn_str name;

		if (tn_json_to_str(tn_json_get(one, "name"), &name))
			tn_import_add_name(in, scope, name, &inner, legal_pass);
		add_names(in, tn_json_get(one, "rooms"), scope, &rooms, legal_pass, depth + 1);
		add_names(in, tn_json_get(one, "subRooms"), scope, &sub_rooms, legal_pass,
			  depth + 1);
	}
}

static void add_floor_names(struct tn_import *in, const struct tn_json *floor,
			    const struct tn_import_at *at, bool legal_pass)
{
	static const char *const lists[] = {"rooms", "stairs", "lifts"};
	struct tn_str id;

	if (!tn_json_to_str(tn_json_get(floor, "id"), &id))
		return;
	tn_import_add_name(in, TN_IMPORT_FLOORS, id, at, legal_pass);
	for (size_t i = 0; i < TN_COUNT(lists); i++) {
		const struct tn_import_at list = {at, lists[i], 0};

		add_names(in, tn_json_get(floor, lists[i]),
			  tn_import_scope(in, i == 0 ? 'r' : 'c', id), &list, legal_pass, 0);
	}
}

static void add_all_names(struct tn_import *in, const struct tn_json *json, bool legal_pass)
{
	static const struct tn_import_at floors = {NULL, "floors", 0}, styles = {NULL, "styles", 0};
	const struct tn_json *list = tn_json_get(json, "floors");
	size_t index = 0;

	add_names(in, tn_json_get(json, "styles"), TN_IMPORT_STYLES, &styles, legal_pass, 0);
	if (!tn_json_is(list, TN_JSON_ARRAY))
		return;
	for (const struct tn_json *floor = list->first; floor; floor = floor->next) {
		const struct tn_import_at inner = {&floors, NULL, index++};

		add_floor_names(in, floor, &inner, legal_pass);
	}
}

/* ---- statements ---- */

static void put_front(struct tn_import *in, const struct tn_json *json, struct tn_str name)
{
	static const char *const keys[] = {"title", "description", "author"};
	bool any = false;

	for (size_t i = 0; i < TN_COUNT(keys); i++) {
		const struct tn_import_at at = {NULL, keys[i], 0};
		struct tn_str text = name;

		if ((i > 0 || name.size == 0) && !tn_import_text(in, json, NULL, keys[i], &text))
			continue;
		tn_import_put(in, "%s%s: \"", any ? "" : "---\n", keys[i]);
		any = true;
		for (size_t k = 0; k < text.size; k++) {
			const bool control = (unsigned char)text.data[k] < ' ';

			if (control) /* it is one line */
				tn_import_warn(in, &at, "a control character became a blank");
			tn_buf_append_byte(&in->text, control ? ' ' : text.data[k]);
		}
		tn_import_put(in, "\"\n");
	}
	if (any)
		tn_import_put(in, "---\n");
}

static void put_style(struct tn_import *in, const struct tn_json *style,
		      const struct tn_import_at *at)
{
	struct tn_str name, text;
	bool any = false;
	double number;

	if (!tn_import_object(in, style, at,
			      "name floor_color wall_color floor_texture wall_texture roughness "
			      "metalness"))
		return;
	if (!tn_import_text(in, style, at, "name", &name)) {
		tn_import_need(in, style, at, "name");
		return;
	}
	name = tn_import_legal_name(in, TN_IMPORT_STYLES, NULL, name);
	tn_import_put(in, "style %.*s {", (int)name.size, name.data);
	for (size_t i = 0; i < 6; i++) {
		const char *key = tn_floor_style_keys[i];
		const struct tn_import_at inner = {at, key, 0};
		const bool is_number = i >= 4;

		if (!tn_import_get(style, key) ||
		    (is_number ? !tn_import_number(in, style, at, key, &number) ||
					 !tn_import_not_below_zero(in, at, key, number)
			       : !tn_import_text(in, style, at, key, &text)))
			continue;
		tn_import_put(in, "%s %s: ", any ? "," : "", key);
		any = true;
		if (is_number)
			tn_import_put_number(in, number);
		else
			tn_import_put_string(in, &inner, text);
	}
	tn_import_put(in, " }\n");
	if (!any)
		tn_import_fault(in, at, "a style has at least one property");
}

static void put_setting(struct tn_import *in, const struct tn_json *config,
			const struct tn_import_at *at, const struct tn_floor_config_key *row)
{
	const char *key = tn_import_get(config, row->key) ? row->key : row->camel;
	const struct tn_json *value = tn_import_get(config, key);
	const struct tn_import_at inner = {at, key, 0};
	struct tn_str text;
	double number;
	bool truth;

	if (!value || strcmp(row->key, "default_unit") == 0)
		return;
	tn_import_put(in, ", %s: ", row->key);
	if (tn_json_is(value, TN_JSON_OBJECT)) {
		in->text.size -= in->text.size > 0 ? 1 : 0; /* the size brings its blank */
		if (!tn_import_put_size(in, value, &inner, "", false))
			tn_import_missing(in, &inner, "width");
	} else if (tn_json_to_bool(value, &truth)) {
		tn_import_put(in, "%s", truth ? "true" : "false");
	} else if (tn_json_to_str(value, &text)) {
		if (strcmp(row->key, "default_style") == 0)
			text = tn_import_legal_name(in, TN_IMPORT_STYLES, NULL, text);
		tn_import_put_string(in, &inner, text);
	} else if (tn_import_number(in, config, at, key, &number) &&
		   tn_import_not_below_zero(in, at, key, number)) {
		tn_import_put_number(in, number);
	} else if (!tn_json_is(value, TN_JSON_NUMBER)) {
		tn_import_put(in, "0");
	}
}

static void put_config(struct tn_import *in, const struct tn_json *json, struct tn_str unit)
{
	static const struct tn_import_at at = {NULL, "config", 0};
	const struct tn_json *config = tn_import_get(json, "config");
	struct tn_floor_config_key row;

	tn_import_put(in, "config { default_unit: %.*s", (int)unit.size, unit.data);
	if (config && !tn_json_is(config, TN_JSON_OBJECT)) {
		tn_import_fault(in, &at, "an object is due here, not %s",
				tn_json_type_name(config));
		config = NULL;
	}
	for (size_t i = 0; config && tn_floor_config_at(i, &row); i++)
		put_setting(in, config, &at, &row);
	tn_import_put(in, " }\n");
	for (const struct tn_json *one = config ? config->first : NULL; one; one = one->next) {
		bool known = false;

		for (size_t i = 0; !known && tn_floor_config_at(i, &row); i++)
			known = tn_str_is(one->key, row.key) || tn_str_is(one->key, row.camel);
		if (!known)
			tn_import_warn(in, &at, "the setting '%.*s' is not known and left out",
				       (int)(one->key.size > 80 ? 80 : one->key.size),
				       one->key.data);
	}
}

static void put_floor(struct tn_import *in, const struct tn_json *floor,
		      const struct tn_import_at *at)
{
	static const char *const lists[] = {"rooms", "stairs", "lifts"};
	struct tn_str id, name;

	if (!tn_import_object(in, floor, at, "id index name height rooms stairs lifts"))
		return;
	if (!tn_import_text(in, floor, at, "id", &id)) {
		tn_import_need(in, floor, at, "id");
		return;
	}
	name = tn_import_legal_name(in, TN_IMPORT_FLOORS, NULL, id);
	tn_import_put(in, "floor %.*s", (int)name.size, name.data);
	tn_import_put_measure(in, floor, at, "height", "height", true);
	tn_import_put(in, " {\n");
	for (size_t i = 0; i < TN_COUNT(lists); i++) {
		const struct tn_json *list = tn_import_array(in, floor, at, lists[i]);
		const struct tn_import_at list_at = {at, lists[i], 0};
		size_t index = 0;

		if (i == 0 && list)
			tn_import_rooms(in, list, &list_at, id, 0);
		for (const struct tn_json *one = i && list ? list->first : NULL; one;
		     one = one->next) {
			const struct tn_import_at inner = {&list_at, NULL, index++};

			if (i == 1)
				tn_import_stair(in, one, &inner, id);
			else
				tn_import_lift(in, one, &inner, id);
		}
	}
	tn_import_put(in, "}\n");
}

/* ---- connections ---- */

/* The rooms' scope of a connection without a floor: the one floor that has the room. */
static const char *scope_of(struct tn_import *in, const struct tn_json *root, struct tn_str floor,
			    struct tn_str room)
{
	const struct tn_json *floors = tn_json_get(root, "floors");

	if (floor.data)
		return tn_import_scope(in, 'r', floor);
	if (tn_floor_is_name(room)) /* stays as it is, wherever it is */
		return "any";
	for (const struct tn_json *one = tn_json_is(floors, TN_JSON_ARRAY) ? floors->first : NULL;
	     one; one = one->next) {
		struct tn_str id;
		const char *scope;

		if (!tn_json_to_str(tn_json_get(one, "id"), &id))
			continue;
		scope = tn_import_scope(in, 'r', id);
		if (tn_import_knows(in, scope, room))
			return scope;
	}
	return "any";
}

struct ends {
	const struct tn_json *root;
	const struct tn_import_at *at;
	struct tn_str floors[2]; /* data NULL: not said */
};

static struct tn_str room_name(struct tn_import *in, const struct ends *ends, int end,
			       struct tn_str room)
{
	return tn_import_legal_name(in, scope_of(in, ends->root, ends->floors[end], room), NULL,
				    room);
}

static void put_end(struct tn_import *in, const struct ends *ends, int end,
		    const struct tn_json *connection)
{
	static const char *const keys[2][2] = {{"from", "fromRoom"}, {"to", "toRoom"}};
	static const char *const walls[2] = {"fromWall", "toWall"};
	const char *key = tn_import_get(connection, keys[end][1]) ? keys[end][1] : keys[end][0];
	struct tn_str room, side, name;

	if (!tn_import_text(in, connection, ends->at, key, &room)) {
		tn_import_need(in, connection, ends->at, key);
		return;
	}
	if (tn_str_is(room, "outside")) {
		tn_import_put(in, " outside");
		return;
	}
	name = room_name(in, ends, end, room);
	tn_import_put(in, " ");
	if (ends->floors[end].data) {
		struct tn_str floor =
			tn_import_legal_name(in, TN_IMPORT_FLOORS, NULL, ends->floors[end]);

		tn_import_put(in, "%.*s.", (int)floor.size, floor.data);
	}
	tn_import_put(in, "%.*s", (int)name.size, name.data);
	/* Older writers say "any" where no side is meant. */
	if (tn_import_text(in, connection, ends->at, walls[end], &side) &&
	    !tn_str_is(side, "any") &&
	    tn_import_word(in, connection, ends->at, walls[end], SIDES, &side))
		tn_import_put(in, ".%.*s", (int)side.size, side.data);
}

static void put_opens(struct tn_import *in, const struct ends *ends,
		      const struct tn_json *connection)
{
	struct tn_str into, name, swing;

	if (tn_import_text(in, connection, ends->at, "opensInto", &into)) {
		name = tn_str_is(into, "outside") ? into : room_name(in, ends, 0, into);
		tn_import_put(in, " opens into %.*s", (int)name.size, name.data);
	}
	if (tn_import_word(in, connection, ends->at, "swing", "left right", &swing))
		tn_import_put(in, " swing: %.*s", (int)swing.size, swing.data);
}

static void put_connection(struct tn_import *in, const struct tn_json *root,
			   const struct tn_json *json, const struct tn_import_at *at)
{
	struct ends ends = {root, at, {{NULL, 0}, {NULL, 0}}};
	struct tn_str type = TN_STR("opening");
	const char *type_key, *at_key;
	double place;

	if (!tn_import_object(in, json, at,
			      "floor toFloor from fromWall to toWall type at width height full "
			      "opensInto swing fromRoom toRoom doorType position fullHeight"))
		return;
	(void)tn_import_text(in, json, at, "floor", &ends.floors[0]);
	ends.floors[1] = ends.floors[0];
	(void)tn_import_text(in, json, at, "toFloor", &ends.floors[1]);
	tn_import_put(in, "connect");
	put_end(in, &ends, 0, json);
	tn_import_put(in, " to");
	put_end(in, &ends, 1, json);
	type_key = tn_import_get(json, "doorType") ? "doorType" : "type";
	tn_import_need(in, json, at, type_key);
	(void)tn_import_word(in, json, at, type_key, "door double-door opening", &type);
	tn_import_put(in, " %.*s", (int)type.size, type.data);
	at_key = tn_import_get(json, "at") ? "at" : "position";
	if (tn_import_number(in, json, at, at_key, &place) &&
	    tn_import_not_below_zero(in, at, at_key, place)) {
		tn_import_put(in, " at ");
		tn_import_put_number(in, place);
		tn_import_put(in, "%%");
	}
	(void)tn_import_put_size(in, json, at, "size",
				 tn_import_truth(in, json, at, "full") ||
					 tn_import_truth(in, json, at, "fullHeight"));
	if (!tn_str_is(type, "opening"))
		put_opens(in, &ends, json);
	tn_import_put(in, "\n");
}

static void put_vertical(struct tn_import *in, const struct tn_json *json,
			 const struct tn_import_at *at)
{
	size_t index = 0;

	if (!tn_json_is(json, TN_JSON_ARRAY) || json->count < 2) {
		tn_import_fault(in, at, "a vertical link is an array of two or more");
		return;
	}
	tn_import_put(in, "vertical");
	for (const struct tn_json *link = json->first; link; link = link->next) {
		const struct tn_import_at inner = {at, NULL, index};
		struct tn_str floor, element, name;

		if (!tn_import_object(in, link, &inner, "floor element"))
			return;
		if (!tn_import_text(in, link, &inner, "floor", &floor) ||
		    !tn_import_text(in, link, &inner, "element", &element)) {
			tn_import_fault(in, &inner, "a link has 'floor' and 'element'");
			return;
		}
		name = tn_import_legal_name(in, TN_IMPORT_FLOORS, NULL, floor);
		tn_import_put(in, "%s %.*s.", index++ ? " to" : "", (int)name.size, name.data);
		name = tn_import_legal_name(in, tn_import_scope(in, 'c', floor), NULL, element);
		tn_import_put(in, "%.*s", (int)name.size, name.data);
	}
	tn_import_put(in, "\n");
}

/* ---- the whole ---- */

static void put_lists(struct tn_import *in, const struct tn_json *json)
{
	static const char *const lists[] = {"styles", "floors", "connections", "verticals"};

	for (size_t i = 0; i < TN_COUNT(lists); i++) {
		const struct tn_json *list = tn_import_array(in, json, NULL, lists[i]);
		const struct tn_import_at at = {NULL, lists[i], 0};
		size_t index = 0;

		if (!list)
			continue;
		for (const struct tn_json *one = list->first; one; one = one->next) {
			const struct tn_import_at inner = {&at, NULL, index++};

			if (i == 0)
				put_style(in, one, &inner);
			else if (i == 1)
				put_floor(in, one, &inner);
			else if (i == 2)
				put_connection(in, json, one, &inner);
			else
				put_vertical(in, one, &inner);
		}
	}
}

static void put_all(struct tn_import *in, const struct tn_json *json, struct tn_str name)
{
	const bool old = tn_import_get(json, "grammarVersion") != NULL;
	struct tn_str format, unit = TN_STR("ft"), ignored;

	if (!tn_import_object(in, json, NULL,
			      "format language unit title description author config styles floors "
			      "connections verticals grammarVersion defaultUnit"))
		return;
	if (old)
		(void)tn_import_text(in, json, NULL, "grammarVersion", &ignored);
	else
		tn_import_need(in, json, NULL, "format");
	(void)tn_import_word(in, json, NULL, "format", "floorplan/1", &format);
	(void)tn_import_text(in, json, NULL, "language", &ignored);
	tn_import_need(in, json, NULL, "floors");
	(void)tn_import_word(in, json, NULL, tn_import_get(json, "unit") ? "unit" : "defaultUnit",
			     "m ft cm in mm", &unit);
	add_all_names(in, json, true);
	add_all_names(in, json, false);
	put_front(in, json, name);
	tn_import_put(in, "floorplan\n");
	put_config(in, json, unit);
	put_lists(in, json);
}

/* The text that was written, as the parser reads it. */
static enum tenon_code make_canonical(struct tn_import *in, struct tn_buf *text,
				      struct tenon_error *err)
{
	struct tn_floor_plan *plan;
	enum tenon_code code = tn_floor_plan_create(tn_buf_str(&in->text), false, &plan, err);

	if (code != TENON_OK)
		return code;
	for (const struct tn_floor_diagnostic *at = plan->diagnostics.first;
	     at && !plan->tree.parses; at = at->next) {
		if (at->severity == TN_FLOOR_ERROR)
			tn_import_fault(in, NULL, "%s", at->message);
	}
	if (plan->tree.parses)
		code = tn_floor_put_canonical(text, plan, NULL, err);
	if (code == TENON_LIMIT || text->size > TN_FLOOR_TEXT_BYTES_MAX) {
		tn_import_fault(in, NULL, "the plan's text would be larger than %d bytes",
				(int)TN_FLOOR_TEXT_BYTES_MAX);
		code = TENON_OK; /* the fault says it */
	}
	tn_floor_plan_free(plan);
	return code;
}

static enum tenon_code finish(struct tn_import *in, struct tn_buf *text, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	if (in->starved || in->text.starved)
		return tn_fail(err, TENON_NO_MEMORY, "no memory to import this plan");
	if (in->text.failed)
		tn_import_fault(in, NULL, "the plan's text would be larger than %d bytes",
				(int)TN_FLOOR_TEXT_BYTES_MAX);
	if (in->fault_count == 0)
		code = make_canonical(in, text, err);
	if (code == TENON_OK && in->fault_count > 0)
		code = tn_fail(err, TENON_INVALID, "the JSON is no plan: %u fault%s",
			       in->fault_count, in->fault_count == 1 ? "" : "s");
	return code;
}

enum tenon_code tn_floor_import(const struct tn_json *json, struct tn_str name, struct tn_buf *text,
				struct tn_buf *warnings, struct tn_buf *faults,
				struct tenon_error *err)
{
	struct tn_import in = {.warnings = warnings, .faults = faults};
	struct tn_arena arena;
	enum tenon_code code;

	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	in.arena = &arena;
	tn_buf_init(&in.text, TN_FLOOR_TEXT_BYTES_MAX);
	tn_map_init(&in.names);
	tn_map_init(&in.taken);
	tn_json_begin_array(warnings);
	tn_json_begin_array(faults);
	put_all(&in, json, name);
	code = finish(&in, text, err);
	tn_json_end_array(warnings);
	tn_json_end_array(faults);
	tn_map_finish(&in.taken);
	tn_map_finish(&in.names);
	tn_buf_finish(&in.text);
	tn_arena_finish(&arena);
	if (code == TENON_OK)
		code = tn_buf_check(warnings, err);
	return code == TENON_OK ? tn_buf_check(faults, err) : code;
}
