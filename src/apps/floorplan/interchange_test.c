/* A plan in other forms and back: JSON, canonical text, the schedule of rooms (floorplan.md 10.1,
 * 13: parse(canonical(p)) equals p; export, import and export give the same bytes). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "apps/floorplan/interchange.h"
#include "apps/floorplan/metrics.h"
#include "base/limits.h"
#include "base/size.h"
#include "store/file.h"

static const char *const names[] = {"v1-bakery", "v2-compass",  "v3-units",
				    "v4-clinic", "v5-townhall", "v6-freeform"};

/* Everything the language has, in odd order and units. */
static const char all_of_it[] =
	"---\ntitle: A \"quoted\" title\nauthor: 'me'\ndescription: \"x\"\n"
	"config:\n  theme: dark\n  door_width: 80cm\n  font_family: Some Font\n---\n"
	"# a comment\nfloorplan\n"
	"connect F.A.right to F.B.left double-door at 25% size (2 x full) opens into B swing: "
	"left\n"
	"\n"
	"vertical F.S1 to G.S1\n"
	"floor F height 11ft {\n"
	"  stair S1 at (0.5,0.5) shape L-shaped from bottom turn left runs 5, 6 landing (1 x 1.1)\n"
	"    rise 2m width 1m riser 18cm tread 25cm nosing 1cm headroom 2m handrail (both)\n"
	"    stringers glass material { tread: \"oak\", riser: 'pine', tread: \"ash\", }\n"
	"    label \"1.0\" style Oak\n"
	"  stair S2 shape custom from left [flight 3 width 1.2m along A.top, turn right landing (1 "
	"x 1),"
	" flight 4, turn left winders 3 180\xc2\xb0, flight 5] rise 2.7m right-of S1 gap 40in\n"
	"  stair S3 at (0,0) shape spiral rotation clockwise outer-radius 1 rise 2\n"
	"  stair S4 shape curved from top arc 120 radius 2m rise 2 below A\n"
	"  stair S5 at (9,9) shape winder from top turn right winders 3 rise 2\n"
	"  lift L size (1x1) doors (left, top,) right-of A align bottom\n"
	"  room A size box at (-1, 2in) label 'say \"hi\"' style Oak elevation -0.2 walls [left: "
	"window "
	"at 30cm size (1 x 1) height 2, top: door at 10%, right: solid height 1,] composed of [\n"
	"    room A1 at (0,0) size (1 x 1) composed of [ sub-room A2 at (0,0) size (40in x 0.3) ]\n"
	"    sub-room A3 right-of A1 gap 1in align center size (1 x 1) walls [bottom: open]\n"
	"  ]\n"
	"  room B size (4 \xc3\x97 3) height 2m right-of A gap 0 align top\n"
	"  room C below B size (7in x 3) at (1,20) label \"two\nlines\"\n"
	"  room D below-left-of B gap 1.2345678 size (7in x 3ft)\n"
	"}\n"
	"floor G { stair S1 at (0,0) shape straight toward top rise 2 }\n"
	"floor H { }\n"
	"style Oak { roughness: 0.5, floor_texture: 'a\"b', floor_color: \"#112233\", }\n"
	"define box (10 x 12ft)\n"
	"config { showLabels: false, windowSize: (1m x 2), stair_code: none, default_style: Oak, "
	"dark_mode: false }\n";

static struct tn_floor_plan *make(struct tn_str text)
{
	struct tn_floor_plan *plan;
	struct tenon_error err;

	if (tn_floor_plan_create(text, false, &plan, &err) != TENON_OK)
		fail_msg("%s", err.message);
	for (const struct tn_floor_diagnostic *at = plan->diagnostics.first;
	     at && !plan->tree.parses; at = at->next) {
		if (at->severity == TN_FLOOR_ERROR)
			fail_msg("FP%04d %u:%u %s in\n%.*s", at->code, at->range.line,
				 at->range.column, at->message, (int)text.size, text.data);
	}
	return plan;
}

static void canonical(const struct tn_floor_plan *plan, struct tn_buf *out)
{
	struct tenon_error err;
	struct tn_buf notes;

	tn_buf_init(out, TN_MIB);
	tn_buf_init(&notes, TN_MIB);
	assert_int_equal(tn_floor_put_canonical(out, plan, &notes, &err), TENON_OK);
	tn_buf_finish(&notes);
}

static void json_of(const struct tn_floor_plan *plan, struct tn_buf *out)
{
	struct tenon_error err;

	tn_buf_init(out, TN_FLOOR_OUTPUT_BYTES_MAX);
	assert_int_equal(tn_floor_put_json(out, plan, &err), TENON_OK);
}

struct import {
	struct tn_buf text, warnings, faults;
	enum tenon_code code;
};

static void import(struct tn_str json, struct import *ret)
{
	struct tenon_error err;
	struct tn_arena arena;
	struct tn_json *root;

	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	tn_buf_init(&ret->text, TN_MIB);
	tn_buf_init(&ret->warnings, TN_MIB);
	tn_buf_init(&ret->faults, TN_MIB);
	assert_int_equal(tn_json_parse_copy(&arena, json, &root, &err), TENON_OK);
	ret->code = tn_floor_import(root, tn_str("", 0), &ret->text, &ret->warnings, &ret->faults,
				    &err);
	tn_buf_append_byte(&ret->text, '\0');
	tn_buf_append_byte(&ret->warnings, '\0');
	tn_buf_append_byte(&ret->faults, '\0');
	tn_arena_finish(&arena);
}

static void import_finish(struct import *import)
{
	tn_buf_finish(&import->text);
	tn_buf_finish(&import->warnings);
	tn_buf_finish(&import->faults);
}

static void same_bytes(const struct tn_buf *a, const struct tn_buf *b)
{
	if (!tn_str_equal(tn_buf_str(a), tn_buf_str(b)))
		fail_msg("these differ:\n%.*s\n%.*s", (int)a->size, a->data, (int)b->size, b->data);
}

/* ---- the same plan ---- */

static void near(double a, double b)
{
	if (!(fabs(a - b) <= 1e-9 * (1 + fabs(a))))
		fail_msg("%.17g is not %.17g", b, a);
}

static void same_rect(const struct tn_floor_rect *a, const struct tn_floor_rect *b)
{
	near(a->x, b->x);
	near(a->y, b->y);
	near(a->width, b->width);
	near(a->height, b->height);
}

static void same_rooms(const struct tn_floor_plan *a, const struct tn_floor_plan *b)
{
	assert_int_equal(a->room_count, b->room_count);
	assert_int_equal(a->sub_room_count, b->sub_room_count);
	for (uint32_t i = 0; i < a->room_count; i++) {
		const struct tn_floor_room *one = a->rooms[i], *other = b->rooms[i];

		assert_true(tn_str_equal(one->name, other->name));
		assert_true(tn_str_equal(one->label, other->label));
		assert_int_equal(one->placed, other->placed);
		if (one->placed)
			same_rect(&one->rect, &other->rect);
		near(one->height, other->height);
		near(one->elevation, other->elevation);
		assert_memory_equal(one->walls, other->walls, sizeof(one->walls));
		assert_int_equal(one->style != NULL, other->style != NULL);
		if (one->style)
			assert_true(tn_str_equal(one->style->name, other->style->name));
	}
}

static void same_openings(const struct tn_floor_opening *a, const struct tn_floor_opening *b)
{
	for (; a && b; a = a->next, b = b->next) {
		assert_int_equal(a->kind, b->kind);
		assert_int_equal(a->horizontal, b->horizontal);
		assert_int_equal(a->drawn, b->drawn);
		assert_int_equal(a->swing, b->swing);
		assert_int_equal(a->full, b->full);
		assert_int_equal(a->opens_into ? a->opens_into->index + 1 : 0,
				 b->opens_into ? b->opens_into->index + 1 : 0);
		near(a->line, b->line);
		near(a->center, b->center);
		near(a->width, b->width);
		near(a->height, b->height);
	}
	assert_null(a);
	assert_null(b);
}

static void same_floors(const struct tn_floor_floor *a, const struct tn_floor_floor *b)
{
	for (; a && b; a = a->next, b = b->next) {
		const struct tn_floor_circulation *one = a->circulation, *other = b->circulation;

		assert_true(tn_str_equal(a->name, b->name));
		near(a->height, b->height);
		for (; one && other; one = one->next, other = other->next) {
			assert_true(tn_str_equal(one->name, other->name));
			assert_int_equal(one->lift, other->lift);
			assert_int_equal(one->steps, other->steps);
			same_rect(&one->rect, &other->rect);
		}
		assert_null(one);
		assert_null(other);
		same_openings(a->openings, b->openings);
	}
	assert_null(a);
	assert_null(b);
}

static void same_plan(const struct tn_floor_plan *a, const struct tn_floor_plan *b)
{
	assert_int_equal(a->unit, b->unit);
	near(a->settings.wall_thickness, b->settings.wall_thickness);
	near(a->settings.door_width, b->settings.door_width);
	near(a->settings.window_height, b->settings.window_height);
	assert_int_equal(a->settings.show_labels, b->settings.show_labels);
	assert_int_equal(a->settings.stair_code, b->settings.stair_code);
	assert_true(tn_str_equal(a->settings.theme, b->settings.theme));
	assert_true(tn_str_equal(a->tree.front.title, b->tree.front.title));
	same_rooms(a, b);
	same_floors(a->floors, b->floors);
}

/* Canonical text means the same, and its canonical text is itself. JSON comes back as it was. */
static void check_text(struct tn_str text)
{
	struct tn_floor_plan *plan = make(text), *again, *imported;
	struct tn_buf one, other, json, json_again, json_of_canonical;
	struct import back;

	canonical(plan, &one);
	again = make(tn_buf_str(&one));
	same_plan(plan, again);
	canonical(again, &other);
	same_bytes(&one, &other);
	json_of(plan, &json);
	json_of(again, &json_of_canonical);
	same_bytes(&json, &json_of_canonical);
	import(tn_buf_str(&json), &back);
	if (back.code != TENON_OK)
		fail_msg("%s\n%.*s", back.faults.data, (int)json.size, json.data);
	assert_string_equal(back.warnings.data, "[]");
	imported = make(tn_str_from(back.text.data));
	assert_int_equal(imported->diagnostics.counts[TN_FLOOR_ERROR],
			 plan->diagnostics.counts[TN_FLOOR_ERROR]);
	json_of(imported, &json_again);
	same_bytes(&json, &json_again);
	import_finish(&back);
	tn_floor_plan_free(imported);
	tn_floor_plan_free(again);
	tn_floor_plan_free(plan);
	tn_buf_finish(&one);
	tn_buf_finish(&other);
	tn_buf_finish(&json);
	tn_buf_finish(&json_again);
	tn_buf_finish(&json_of_canonical);
}

static void test_examples(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		struct tenon_error err;
		struct tn_buf text;
		char path[512];

		(void)snprintf(path, sizeof(path), "%s/floorplan-examples/%s.floorplan",
			       TN_TEST_DATA, names[i]);
		tn_buf_init(&text, TN_MIB);
		assert_int_equal(tn_file_read(path, 0, &text, &err), TENON_OK);
		check_text(tn_buf_str(&text));
		tn_buf_finish(&text);
	}
}

static void test_everything(void **state)
{
	(void)state;
	check_text(TN_STR("floorplan\n"));
	check_text(TN_STR("floorplan config { theme: \"no such\" } floor F { room R at (1,1) size "
			  "(1 x 1) } floor x1 { lift L size (1 x 1) }"));
	check_text(tn_str_from(all_of_it));
}

/* ---- made plans ---- */

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static unsigned pick(uint64_t *seed, unsigned count)
{
	return (unsigned)(next_random(seed) % count);
}

static void put_length(struct tn_buf *out, uint64_t *seed)
{
	static const char *const units[] = {"", "", "", "m", "ft", "in", "cm"};
	const unsigned whole = pick(seed, 30), part = pick(seed, 1000);

	tn_buf_format(out, "%u.%03u", whole + 1, part);
	tn_buf_append_text(out, units[pick(seed, TN_COUNT(units))]);
}

static void put_size(struct tn_buf *out, uint64_t *seed)
{
	tn_buf_append_text(out, " size (");
	put_length(out, seed);
	tn_buf_append_text(out, " x ");
	put_length(out, seed);
	tn_buf_append_text(out, ")");
}

static void put_random_room(struct tn_buf *out, uint64_t *seed, unsigned number)
{
	static const char *const directions[] = {
		"right-of",       "left-of",       "above",          "below",
		"above-right-of", "above-left-of", "below-right-of", "below-left-of"};
	static const char *const aligns[] = {"", " align center", " align bottom", " align right"};
	static const char *const types[] = {"solid", "door", "window at 30%", "open",
					    "window at 1.5 size (1 x 1)"};

	tn_buf_format(out, "room R%u", number);
	put_size(out, seed);
	if (number == 0 || pick(seed, 3) == 0) {
		tn_buf_append_text(out, " at (");
		put_length(out, seed);
		tn_buf_append_text(out, ", -");
		put_length(out, seed);
		tn_buf_append_text(out, ")");
	} else {
		const unsigned to = pick(seed, number), direction = pick(seed, 8);

		tn_buf_format(out, " %s R%u gap ", directions[direction], to);
		put_length(out, seed);
		tn_buf_append_text(out, aligns[pick(seed, 4)]);
	}
	if (pick(seed, 2))
		tn_buf_format(out, " walls [left: %s, top: %s]", types[pick(seed, 5)],
			      types[pick(seed, 5)]);
	if (pick(seed, 4) == 0) {
		tn_buf_format(out, " composed of [ sub-room S%u at (0, 0.3in)", number);
		put_size(out, seed);
		tn_buf_append_text(out, " ]");
	}
	tn_buf_append_text(out, "\n");
}

static void test_made(void **state)
{
	static const char *const units[] = {"", "config { default_unit: m }",
					    "config { default_unit: in, wallThickness: 3cm }",
					    "config { default_unit: ft }"};

	(void)state;
	for (uint64_t number = 1; number <= 300; number++) {
		uint64_t seed = number * 0x9e3779b97f4a7c15u;
		const unsigned rooms = pick(&seed, 12);
		struct tn_buf text;

		tn_buf_init(&text, TN_MIB);
		tn_buf_format(&text, "floorplan %s floor F {\n", units[pick(&seed, 4)]);
		for (unsigned i = 0; i < rooms; i++)
			put_random_room(&text, &seed, i);
		tn_buf_append_text(&text, "}\n");
		for (unsigned i = 1; i < rooms; i++)
			tn_buf_format(&text, "connect R%u to R%u door at %u%%\n", i - 1, i,
				      pick(&seed, 101));
		check_text(tn_buf_str(&text));
		tn_buf_finish(&text);
	}
}

/* ---- words of canonical text ---- */

static void test_canonical_text(void **state)
{
	static const char text[] =
		"floorplan # gone\n"
		"connect B to F.A opening at 50% swing: left\n"
		"floor F { lift L at (1,1) size (2x2), room A label \"1.0\" size (4x2) at (-1, 0)\n"
		"room B size (3m x 2) right-of A gap 0 align top elevation 0 }\n";
	static const char expected[] =
		"%%{version: \"1.0\"}%%\n"
		"floorplan\n"
		"  floor F {\n"
		"    room A at (-1,0) size (4 x 2) walls [top: solid, right: solid, bottom: solid, "
		"left: solid] label '1.0'\n"
		"    room B size (3m x 2) walls [top: solid, right: solid, bottom: solid, left: "
		"solid] right-of A\n"
		"    lift L at (1,1) size (2 x 2)\n"
		"  }\n"
		"  connect B to F.A opening\n";
	struct tn_floor_plan *plan;
	struct tenon_error err;
	struct tn_buf out, notes;
	char fixed[sizeof(text)];

	(void)state;
	memcpy(fixed, text, sizeof(text));
	*strstr(fixed, "(2x2),") = '(';
	strstr(fixed, "(2x2),")[5] = ' ';
	plan = make(tn_str_from(fixed));
	tn_buf_init(&out, TN_MIB);
	tn_buf_init(&notes, TN_MIB);
	assert_int_equal(tn_floor_put_canonical(&out, plan, &notes, &err), TENON_OK);
	tn_buf_append_byte(&out, '\0');
	tn_buf_append_byte(&notes, '\0');
	assert_string_equal(out.data, expected);
	assert_string_equal(
		notes.data,
		"[{\"feature\":\"E1\",\"message\":\"negative numbers are kept; readers of language "
		"1.0 may refuse them\",\"count\":1,\"line\":3},{\"feature\":\"E6\",\"message\":"
		"\"Floor.Room in connect is kept; readers of language 1.0 may refuse "
		"it\",\"count\":"
		"1,\"line\":2},{\"message\":\"comments are left out\"}]");
	tn_buf_finish(&out);
	tn_buf_finish(&notes);
	tn_floor_plan_free(plan);
}

/* A plan that mixes systems is read in the unit that comes first in its text (4.1); canonical text
 * has another order. */
static void test_mixed_units(void **state)
{
	static const char text[] = "floorplan floor F { room A size (1m x 1) at (0,0) }\n"
				   "define box (1ft x 2)";
	struct tn_floor_plan *plan = make(tn_str_from(text));
	struct tn_buf out;

	(void)state;
	assert_int_equal(plan->unit, TN_FLOOR_M);
	canonical(plan, &out);
	tn_buf_append_byte(&out, '\0');
	assert_non_null(strstr(out.data, "config { default_unit: m }"));
	tn_buf_finish(&out);
	tn_floor_plan_free(plan);
	check_text(tn_str_from(text));
}

/* ---- the schedule ---- */

static void test_csv(void **state)
{
	struct tn_floor_plan *plan = make(TN_STR(
		"floorplan floor F { room A size (10 x 2.5) at (0,0) label 'a \"b\"' composed "
		"of [ sub-room C size (1 x 1) at (0,0) label \"=1+1\" ] }"));
	struct tenon_error err;
	struct tn_buf out;

	(void)state;
	tn_buf_init(&out, TN_MIB);
	assert_int_equal(tn_floor_put_csv(&out, plan, &err), TENON_OK);
	tn_buf_append_byte(&out, '\0');
	assert_string_equal(out.data, "floor,name,label,width,height,area,perimeter\r\n"
				      "\"F\",\"A\",\"a \"\"b\"\"\",10,2.5,25,25\r\n"
				      "\"F\",\"C\",\"'=1+1\",1,1,1,4\r\n");
	tn_buf_finish(&out);
	tn_floor_plan_free(plan);
}

/* ---- import ---- */

static void expect_import(const char *json, const char *text, const char *warnings)
{
	struct import found;

	import(tn_str_from(json), &found);
	if (found.code != TENON_OK)
		fail_msg("%s", found.faults.data);
	assert_string_equal(found.text.data, text);
	assert_string_equal(found.warnings.data, warnings);
	import_finish(&found);
}

static void expect_faults(const char *json, const char *faults)
{
	struct import found;

	import(tn_str_from(json), &found);
	assert_int_equal(found.code, TENON_INVALID);
	assert_string_equal(found.faults.data, faults);
	assert_int_equal(found.text.size, 1); /* nothing but the NUL of this test */
	import_finish(&found);
}

#define SOLID "walls [top: solid, right: solid, bottom: solid, left: solid]"

static void test_older_shape(void **state)
{
	(void)state;
	expect_import(
		"{\"grammarVersion\":\"0.1.0\",\"floors\":[{\"id\":\"f1\",\"index\":0,\"rooms\":["
		"{\"name\":\"A\",\"x\":0,\"z\":2,\"width\":10,\"height\":8,\"walls\":[{"
		"\"direction\":\"top\",\"type\":\"window\",\"position\":25},{\"direction\":"
		"\"left\","
		"\"type\":\"open\"}]},{\"name\":\"B\",\"x\":10,\"z\":2,\"width\":5,\"height\":8}]}]"
		","
		"\"connections\":[{\"fromRoom\":\"A\",\"fromWall\":\"right\",\"toRoom\":\"B\","
		"\"toWall\":\"left\",\"doorType\":\"door\",\"position\":30,\"swing\":\"left\","
		"\"opensInto\":\"B\",\"width\":3,\"fullHeight\":true}]}",
		"%%{version: \"1.0\"}%%\nfloorplan\n  config { default_unit: ft }\n  floor f1 {\n"
		"    room A at (0,2) size (10 x 8) walls [top: window at 25%, right: solid, "
		"bottom: "
		"solid, left: open]\n"
		"    room B at (10,2) size (5 x 8) " SOLID "\n  }\n"
		"  connect A.right to B.left door at 30% size (3 x full) opens into B swing: "
		"left\n",
		"[]");
}

static void test_names(void **state)
{
	(void)state;
	expect_import(
		"{\"format\":\"floorplan/1\",\"colour\":1,\"floors\":[{\"id\":\"1st\",\"rooms\":["
		"{\"name\":\"Living Room\",\"x\":0,\"y\":0,\"width\":1,\"height\":1},"
		"{\"name\":\"Living_Room\",\"width\":1,\"height\":1,\"relative\":{\"direction\":"
		"\"right-of\",\"reference\":\"Living Room\"}},"
		"{\"name\":\"door\",\"x\":9,\"y\":9,\"width\":1,\"height\":1,\"label\":\"D\"}]}],"
		"\"connections\":[{\"from\":\"Living Room\",\"to\":\"Living_Room\",\"type\":"
		"\"opening\"}]}",
		"%%{version: \"1.0\"}%%\nfloorplan\n  config { default_unit: ft }\n  floor _1st {\n"
		"    room Living_Room_2 at (0,0) size (1 x 1) " SOLID " label \"Living Room\"\n"
		"    room Living_Room size (1 x 1) " SOLID " right-of Living_Room_2\n"
		"    room door_ at (9,9) size (1 x 1) " SOLID " label \"D\"\n"
		"  }\n  connect Living_Room_2 to Living_Room opening\n",
		"[{\"message\":\"the field 'colour' is not known and left out\",\"path\":\"\"},"
		"{\"message\":\"'1st' is no name and is called '_1st'\",\"path\":\"/floors/0\"},"
		"{\"message\":\"'Living Room' is no name and is called 'Living_Room_2'\",\"path\":"
		"\"/floors/0/rooms/0\"},{\"message\":\"'door' is no name and is called 'door_'\","
		"\"path\":\"/floors/0/rooms/2\"}]");
}

static void test_faults(void **state)
{
	(void)state;
	expect_faults("[]",
		      "[{\"code\":\"FP9001\",\"message\":\"an object is due here, not array\","
		      "\"path\":\"\"}]");
	expect_faults(
		"{\"format\":\"x\",\"floors\":[{\"id\":\"F\",\"rooms\":[{\"name\":\"A\",\"x\":"
		"\"1\","
		"\"y\":0,\"width\":0,\"height\":1e9}]}],\"verticals\":[[]]}",
		"[{\"code\":\"FP9001\",\"message\":\"'x' is none of: floorplan/1\",\"path\":"
		"\"/format\"},{\"code\":\"FP9001\",\"message\":\"a number is due here, not "
		"string\","
		"\"path\":\"/floors/0/rooms/0/x\"},{\"code\":\"FP9001\",\"message\":\"'x' is "
		"missing\",\"path\":\"/floors/0/rooms/0/x\"},{\"code\":\"FP9001\",\"message\":"
		"\"numbers go up to 1000000\",\"path\":\"/floors/0/rooms/0/height\"},{\"code\":"
		"\"FP9001\",\"message\":\"a number above zero is due here\",\"path\":"
		"\"/floors/0/rooms/0/width\"},{\"code\":\"FP9001\",\"message\":\"'height' is "
		"missing\",\"path\":\"/floors/0/rooms/0/height\"},{\"code\":\"FP9001\",\"message\":"
		"\"a vertical link is an array of two or more\",\"path\":\"/verticals/0\"}]");
}

/* Texts that no string of the language can hold. */
static void test_texts(void **state)
{
	(void)state;
	expect_import(
		"{\"format\":\"floorplan/1\",\"title\":\"two\\nlines\",\"floors\":[{\"id\":\"F\","
		"\"rooms\":[{\"name\":\"A\",\"x\":0,\"y\":0,\"width\":1,\"height\":1,\"label\":"
		"\"a\\\"b'c\\u0000\"}]}]}",
		"---\ntitle: \"two lines\"\n---\n%%{version: \"1.0\"}%%\nfloorplan\n  config { "
		"default_unit: ft }\n  floor F {\n    room A at (0,0) size (1 x 1) " SOLID
		" label \"a'b'c \"\n  }\n",
		"[{\"message\":\"a control character became a blank\",\"path\":\"/title\"},"
		"{\"message\":\"the text has both kinds of quotes; \\\" became '\",\"path\":"
		"\"/floors/0/rooms/0/label\"},{\"message\":\"the text has a NUL, which became a "
		"blank\",\"path\":\"/floors/0/rooms/0/label\"}]");
}

/* Nesting, the size of the text, and how many faults are told of (7.1, 11). */
static void test_limits(void **state)
{
	struct import found;
	struct tn_buf json;
	size_t told = 0;

	(void)state;
	tn_buf_init(&json, 4 * TN_MIB);
	tn_buf_append_text(&json, "{\"format\":\"floorplan/1\",\"floors\":[{\"id\":\"F\",");
	for (int i = 0; i < TN_FLOOR_DEPTH_MAX + 2; i++)
		tn_buf_format(&json,
			      "\"rooms\":[{\"name\":\"R%d\",\"x\":0,\"y\":0,\"width\":1,"
			      "\"height\":1%s",
			      i, i == TN_FLOOR_DEPTH_MAX + 1 ? "" : ",");
	for (int i = 0; i < TN_FLOOR_DEPTH_MAX + 2; i++)
		tn_buf_append_text(&json, "}]");
	tn_buf_append_text(&json, "}]}");
	import(tn_buf_str(&json), &found);
	assert_int_equal(found.code, TENON_INVALID);
	assert_non_null(strstr(found.faults.data, "rooms are nested at most 8 deep"));
	import_finish(&found);

	tn_buf_clear(&json);
	tn_buf_append_text(&json, "{\"format\":\"floorplan/1\",\"floors\":[{}");
	for (int i = 0; i < 100; i++)
		tn_buf_append_text(&json, ",{}");
	tn_buf_append_text(&json, "]}");
	import(tn_buf_str(&json), &found);
	for (const char *at = found.faults.data; (at = strstr(at, "FP9001")); at++)
		told++;
	assert_int_equal(told, 20);
	import_finish(&found);

	tn_buf_clear(&json);
	tn_buf_append_text(&json, "{\"format\":\"floorplan/1\",\"floors\":[],\"styles\":[{"
				  "\"name\":\"S\",\"roughness\":1}");
	for (int i = 0; i < 300; i++)
		tn_buf_format(&json, ",{\"name\":\"S%d\",\"floor_texture\":\"%04090d\"}", i, i);
	tn_buf_append_text(&json, "]}");
	import(tn_buf_str(&json), &found);
	assert_int_equal(found.code, TENON_INVALID);
	assert_non_null(strstr(found.faults.data, "text would be larger than 1048576 bytes"));
	import_finish(&found);
	tn_buf_finish(&json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_examples),    cmocka_unit_test(test_everything),
		cmocka_unit_test(test_made),        cmocka_unit_test(test_canonical_text),
		cmocka_unit_test(test_mixed_units), cmocka_unit_test(test_csv),
		cmocka_unit_test(test_older_shape), cmocka_unit_test(test_names),
		cmocka_unit_test(test_faults),      cmocka_unit_test(test_texts),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
