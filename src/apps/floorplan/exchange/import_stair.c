/* Stairs and lifts of a plan that is imported (floorplan.md 10.1). */
#include "apps/floorplan/exchange/import.h"
#include "apps/floorplan/limits.h"
#include "base/size.h"

#define SIDES "top right bottom left"
#define HANDS "left right"

/* A word that must be there, or "". */
static const char *need(struct tn_import *in, const struct tn_json *object,
			const struct tn_import_at *at, const char *key, const char *words)
{
	struct tn_str word;
	const char *copy = NULL;

	tn_import_need(in, object, at, key);
	if (tn_import_word(in, object, at, key, words, &word))
		copy = tn_arena_copy(in->arena, word);
	return copy ? copy : "";
}

static void put_count(struct tn_import *in, const struct tn_json *object,
		      const struct tn_import_at *at, const char *key, const char *word)
{
	double number = 0;

	if (!tn_import_number(in, object, at, key, &number)) {
		tn_import_need(in, object, at, key);
		return;
	}
	if (!tn_import_not_below_zero(in, at, key, number))
		return;
	tn_import_put(in, " %s ", word);
	tn_import_put_number(in, number);
}

static void put_runs(struct tn_import *in, const struct tn_json *shape,
		     const struct tn_import_at *at)
{
	const struct tn_json *runs = tn_import_array(in, shape, at, "runs");
	const struct tn_import_at list = {at, "runs", 0};
	size_t index = 0;
	double number;

	for (const struct tn_json *run = runs ? runs->first : NULL; run; run = run->next) {
		const struct tn_import_at inner = {&list, NULL, index};

		if (!tn_json_is(run, TN_JSON_NUMBER) || !tn_json_to_double(run, &number) ||
		    number < 0 || number > TN_FLOOR_LENGTH_MAX) {
			tn_import_fault(in, &inner, "a number of steps is due here");
			return;
		}
		tn_import_put(in, index++ ? ", " : " runs ");
		tn_import_put_number(in, number);
	}
}

static void put_landing(struct tn_import *in, const struct tn_json *object,
			const struct tn_import_at *at)
{
	const struct tn_import_at inner = {at, "landing", 0};
	const struct tn_json *landing = tn_import_get(object, "landing");

	if (landing && tn_import_object(in, landing, &inner, "width height") &&
	    !tn_import_put_size(in, landing, &inner, "landing", false))
		tn_import_missing(in, &inner, "width");
}

static void put_along(struct tn_import *in, const struct tn_json *segment,
		      const struct tn_import_at *at, struct tn_str floor)
{
	const struct tn_import_at inner = {at, "along", 0};
	const struct tn_json *along = tn_import_get(segment, "along");
	const char *side;
	struct tn_str room;

	if (!along || !tn_import_object(in, along, &inner, "room side"))
		return;
	side = need(in, along, &inner, "side", SIDES);
	if (!tn_import_text(in, along, &inner, "room", &room)) {
		tn_import_need(in, along, &inner, "room");
		return;
	}
	room = tn_import_legal_name(in, tn_import_scope(in, 'r', floor), NULL, room);
	tn_import_put(in, " along %.*s.%s", (int)room.size, room.data, side);
}

static void put_segment(struct tn_import *in, const struct tn_json *segment,
			const struct tn_import_at *at, struct tn_str floor)
{
	double degrees = 90;

	if (!tn_import_object(in, segment, at, "flight width along turn landing winders degrees"))
		return;
	if (!tn_import_get(segment, "turn")) {
		put_count(in, segment, at, "flight", "flight");
		tn_import_put_measure(in, segment, at, "width", "width", true);
		put_along(in, segment, at, floor);
		return;
	}
	tn_import_put(in, "turn %s", need(in, segment, at, "turn", HANDS));
	if (tn_import_get(segment, "landing"))
		put_landing(in, segment, at);
	else
		put_count(in, segment, at, "winders", "winders");
	if (tn_import_number(in, segment, at, "degrees", &degrees) &&
	    tn_import_not_below_zero(in, at, "degrees", degrees)) {
		tn_import_put(in, " ");
		tn_import_put_number(in, degrees);
		tn_import_put(in, "\xc2\xb0");
	}
}

static void put_segments(struct tn_import *in, const struct tn_json *shape,
			 const struct tn_import_at *at, struct tn_str floor)
{
	const struct tn_json *segments = tn_import_array(in, shape, at, "segments");
	const struct tn_import_at list = {at, "segments", 0};
	size_t index = 0;

	if (!segments) {
		tn_import_need(in, shape, at, "segments");
		return;
	}
	if (segments->count == 0) {
		tn_import_missing(in, at, "segments");
		return;
	}
	tn_import_put(in, " [");
	for (const struct tn_json *segment = segments->first; segment; segment = segment->next) {
		const struct tn_import_at inner = {&list, NULL, index};

		tn_import_put(in, index++ ? ", " : "");
		put_segment(in, segment, &inner, floor);
	}
	tn_import_put(in, "]");
}

static void put_turning(struct tn_import *in, const struct tn_json *shape,
			const struct tn_import_at *at, bool winder)
{
	tn_import_put(in, " turn %s", need(in, shape, at, "turn", HANDS));
	if (winder)
		put_count(in, shape, at, "winders", "winders");
	put_runs(in, shape, at);
	if (!winder)
		put_landing(in, shape, at);
}

static void put_curve(struct tn_import *in, const struct tn_json *shape,
		      const struct tn_import_at *at)
{
	if (tn_import_get(shape, "arc"))
		put_count(in, shape, at, "arc", "arc");
	tn_import_need(in, shape, at, "radius");
	tn_import_put_measure(in, shape, at, "radius", "radius", true);
}

static void put_shape(struct tn_import *in, const struct tn_json *stair,
		      const struct tn_import_at *at, struct tn_str floor)
{
	const struct tn_import_at inner = {at, "shape", 0};
	const struct tn_json *shape = tn_import_get(stair, "shape");
	const char *kind;

	if (!shape) {
		tn_import_missing(in, at, "shape");
		return;
	}
	if (!tn_import_object(in, shape, &inner,
			      "kind toward from turn runs landing winders rotation innerRadius "
			      "outerRadius arc radius segments"))
		return;
	kind = need(in, shape, &inner, "kind",
		    "straight L-shaped U-shaped double-L winder spiral curved custom");
	tn_import_put(in, " shape %s", kind);
	if (strcmp(kind, "spiral") == 0) {
		tn_import_put(in, " rotation %s",
			      need(in, shape, &inner, "rotation", "clockwise counterclockwise"));
		tn_import_put_measure(in, shape, &inner, "innerRadius", "inner-radius", false);
		tn_import_need(in, shape, &inner, "outerRadius");
		tn_import_put_measure(in, shape, &inner, "outerRadius", "outer-radius", true);
		return;
	}
	if (strcmp(kind, "straight") == 0) {
		tn_import_put(in, " toward %s", need(in, shape, &inner, "toward", SIDES));
		return;
	}
	tn_import_put(in, " from %s", need(in, shape, &inner, "from", SIDES));
	if (strcmp(kind, "curved") == 0)
		put_curve(in, shape, &inner);
	else if (strcmp(kind, "custom") == 0)
		put_segments(in, shape, &inner, floor);
	else
		put_turning(in, shape, &inner, strcmp(kind, "winder") == 0);
}

static void put_looks(struct tn_import *in, const struct tn_json *stair,
		      const struct tn_import_at *at)
{
	const struct tn_import_at inner = {at, "material", 0};
	const struct tn_json *material = tn_import_get(stair, "material");
	struct tn_str word;
	bool any = false;

	if (tn_import_word(in, stair, at, "handrail", "left right both inner outer none", &word))
		tn_import_put(in, " handrail (%.*s)", (int)word.size, word.data);
	if (tn_import_word(in, stair, at, "stringers", "open closed glass", &word))
		tn_import_put(in, " stringers %.*s", (int)word.size, word.data);
	if (!material || !tn_import_object(in, material, &inner, "tread riser stringer handrail"))
		return;
	for (size_t i = 0; i < 4; i++) {
		const struct tn_import_at place = {&inner, tn_floor_material_keys[i], 0};

		if (!tn_import_text(in, material, &inner, tn_floor_material_keys[i], &word))
			continue;
		tn_import_put(in, "%s%s: ", any ? ", " : " material { ", tn_floor_material_keys[i]);
		tn_import_put_string(in, &place, word);
		any = true;
	}
	if (any)
		tn_import_put(in, " }");
}

/* The word and the name, and where it stands. False: no name. */
static bool begin(struct tn_import *in, const char *word, const struct tn_json *json,
		  const struct tn_import_at *at, struct tn_str floor, struct tn_str *ret_name)
{
	struct tn_str original;

	if (!tn_import_text(in, json, at, "name", &original)) {
		tn_import_need(in, json, at, "name");
		return false;
	}
	*ret_name = tn_import_legal_name(in, tn_import_scope(in, 'c', floor), NULL, original);
	tn_import_put(in, "%s %.*s", word, (int)ret_name->size, ret_name->data);
	tn_import_put_place(in, json, at);
	return true;
}

static void end(struct tn_import *in, const struct tn_json *json, const struct tn_import_at *at,
		struct tn_str floor, struct tn_str name)
{
	tn_import_put_relative(in, json, at, tn_import_scope(in, 'r', floor),
			       tn_import_scope(in, 'c', floor));
	tn_import_put_label(in, json, at, "name", name);
	tn_import_put_style(in, json, at);
	tn_import_put(in, "\n");
}

void tn_import_stair(struct tn_import *in, const struct tn_json *json,
		     const struct tn_import_at *at, struct tn_str floor)
{
	static const char *const measures[] = {"rise",  "width",  "riser",
					       "tread", "nosing", "headroom"};
	struct tn_str name;

	if (!tn_import_object(in, json, at,
			      "name label x y z shape rise width riser tread nosing headroom "
			      "handrail stringers material style relative") ||
	    !begin(in, "stair", json, at, floor, &name))
		return;
	put_shape(in, json, at, floor);
	tn_import_need(in, json, at, "rise");
	for (size_t i = 0; i < TN_COUNT(measures); i++)
		tn_import_put_measure(in, json, at, measures[i], measures[i], i < 4);
	put_looks(in, json, at);
	end(in, json, at, floor, name);
}

void tn_import_lift(struct tn_import *in, const struct tn_json *json, const struct tn_import_at *at,
		    struct tn_str floor)
{
	const struct tn_import_at list = {at, "doors", 0};
	const struct tn_json *doors;
	struct tn_str name;
	size_t index = 0;

	if (!tn_import_object(in, json, at, "name label x y z width height doors style relative") ||
	    !begin(in, "lift", json, at, floor, &name))
		return;
	if (!tn_import_put_size(in, json, at, "size", false))
		tn_import_missing(in, at, "width");
	doors = tn_import_array(in, json, at, "doors");
	for (const struct tn_json *door = doors ? doors->first : NULL; door; door = door->next) {
		const struct tn_import_at inner = {&list, NULL, index};
		struct tn_str side;

		if (!tn_json_to_str(door, &side) ||
		    !(tn_str_is(side, "top") || tn_str_is(side, "right") ||
		      tn_str_is(side, "bottom") || tn_str_is(side, "left"))) {
			tn_import_fault(in, &inner, "a side is due here: %s", SIDES);
			continue;
		}
		tn_import_put(in, index++ ? ", %.*s" : " doors (%.*s", (int)side.size, side.data);
	}
	if (index > 0)
		tn_import_put(in, ")");
	end(in, json, at, floor, name);
}
