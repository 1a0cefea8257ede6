/* A plan in other forms and back: JSON, canonical text, the schedule of rooms (floorplan.md 10.1,
 * 13: parse(canonical(p)) equals p; export, import and export give the same bytes). */
#include "apps/floorplan/exchange/interchange_test_kit.h"

#include <math.h>

#include "apps/floorplan/plan/metrics.h"
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
	struct tn_floor_plan *plan = kit_read(text), *again, *imported;
	struct tn_buf one, other, json, json_again, json_of_canonical;
	struct import back;

	kit_canonical(plan, &one);
	again = kit_read(tn_buf_str(&one));
	same_plan(plan, again);
	kit_canonical(again, &other);
	kit_same_bytes(&one, &other);
	kit_json(plan, &json);
	kit_json(again, &json_of_canonical);
	kit_same_bytes(&json, &json_of_canonical);
	kit_import(tn_buf_str(&json), &back);
	if (back.code != TENON_OK)
		fail_msg("%s\n%.*s", back.faults.data, (int)json.size, json.data);
	assert_string_equal(back.warnings.data, "[]");
	imported = kit_read(tn_str_from(back.text.data));
	assert_int_equal(imported->diagnostics.counts[TN_FLOOR_ERROR],
			 plan->diagnostics.counts[TN_FLOOR_ERROR]);
	kit_json(imported, &json_again);
	kit_same_bytes(&json, &json_again);
	kit_import_finish(&back);
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
	plan = kit_read(tn_str_from(fixed));
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
	struct tn_floor_plan *plan = kit_read(tn_str_from(text));
	struct tn_buf out;

	(void)state;
	assert_int_equal(plan->unit, TN_FLOOR_M);
	kit_canonical(plan, &out);
	tn_buf_append_byte(&out, '\0');
	assert_non_null(strstr(out.data, "config { default_unit: m }"));
	tn_buf_finish(&out);
	tn_floor_plan_free(plan);
	check_text(tn_str_from(text));
}

/* ---- the schedule ---- */

static void test_csv(void **state)
{
	struct tn_floor_plan *plan = kit_read(TN_STR(
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_examples),    cmocka_unit_test(test_everything),
		cmocka_unit_test(test_made),        cmocka_unit_test(test_canonical_text),
		cmocka_unit_test(test_mixed_units), cmocka_unit_test(test_csv),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
