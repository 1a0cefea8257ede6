/* Areas, adjacency, access and egress (floorplan.md 9.1 to 9.3), and the metrics and adjacency of
 * the contract's examples (section 13). */
#include "apps/floorplan/plan/resolve_test_kit.h"

#include <math.h>

#include "apps/floorplan/limits.h"
#include "apps/floorplan/plan/metrics.h"
#include "jsonrpc/json.h"
#include "store/file.h"

static const char *const names[] = {"v1-bakery", "v2-compass",  "v3-units",
				    "v4-clinic", "v5-townhall", "v6-freeform"};

/* ---- the examples ---- */

static double number(const struct tn_json *object, const char *key)
{
	double value = NAN;

	if (!tn_json_to_double(tn_json_get(object, key), &value))
		fail_msg("no number '%s'", key);
	return value;
}

/* Every fact that is expected is found; objects in objects, too. */
static void check_facts(const char *name, const struct tn_json *expected,
			const struct tn_json *found)
{
	for (const struct tn_json *at = expected->first; at; at = at->next) {
		const struct tn_json *other = tn_json_get_str(found, at->key);

		if (!other)
			fail_msg("%s: no '%s'", name, at->key.data);
		if (at->type == TN_JSON_OBJECT)
			check_facts(name, at, other);
		else if (at->type == TN_JSON_STRING)
			assert_true(tn_json_equal(at, other));
		else if (!(fabs(number(expected, at->key.data) - number(found, at->key.data)) <=
			   1e-6))
			fail_msg("%s: %s is %.*s, not %.*s", name, at->key.data,
				 (int)other->text.size, other->text.data, (int)at->text.size,
				 at->text.data);
	}
}

static struct tn_json *parse(struct tn_arena *arena, const struct tn_buf *json)
{
	struct tenon_error err;
	struct tn_json *root;

	assert_false(json->failed);
	if (tn_json_parse_copy(arena, tn_buf_str(json), &root, &err) != TENON_OK)
		fail_msg("%s: %.*s", err.message, (int)json->size, json->data);
	return root;
}

static void check_adjacency(const char *name, const struct tn_json *expected,
			    const struct tn_json *found)
{
	const struct tn_json *pair = tn_json_get(found, "pairs")->first;

	for (const struct tn_json *at = expected->first; at; at = at->next) {
		assert_non_null(pair);
		check_facts(name, at, pair);
		pair = pair->next;
	}
	assert_null(pair);
}

static void check_floors(const char *name, const struct tn_floor_plan *plan,
			 const struct tn_json *facts, struct tn_arena *arena)
{
	const struct tn_json *expected = tn_json_get(facts, "floors")->first, *adjacency;
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	tn_floor_put_adjacency(&out, plan);
	adjacency = parse(arena, &out)->first;
	for (const struct tn_floor_floor *floor = plan->floors; floor; floor = floor->next) {
		tn_buf_clear(&out);
		tn_floor_put_floor_metrics(&out, plan, floor, plan->settings.area_in_sqm);
		assert_non_null(expected);
		check_facts(name, tn_json_get(expected, "metrics"), parse(arena, &out));
		check_adjacency(name, tn_json_get(expected, "adjacency"), adjacency);
		expected = expected->next;
		adjacency = adjacency->next;
	}
	assert_null(expected);
	tn_buf_finish(&out);
}

static void read_file(const char *name, const char *ending, struct tn_buf *out)
{
	struct tenon_error err;
	char path[512];

	(void)snprintf(path, sizeof(path), "%s/floorplan-examples/%s.%s", TN_TEST_DATA, name,
		       ending);
	tn_buf_init(out, TN_MIB);
	assert_int_equal(tn_file_read(path, 0, out, &err), TENON_OK);
}

static void test_examples(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		struct tn_buf text, facts;
		struct tn_floor_plan *plan;
		struct tn_arena arena;

		tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
		read_file(names[i], "floorplan", &text);
		read_file(names[i], "json", &facts);
		tn_buf_append_byte(&text, '\0');
		plan = kit_plan(text.data);
		check_floors(names[i], plan, parse(&arena, &facts), &arena);
		tn_floor_plan_free(plan);
		tn_buf_finish(&text);
		tn_buf_finish(&facts);
		tn_arena_finish(&arena);
	}
}

/* ---- areas ---- */

static void test_union(void **state)
{
	static const struct tn_floor_rect rects[] = {
		{0, 0, 4, 4}, {2, 2, 4, 4}, {1, 1, 1, 1}, {10, 0, 2, 3}, {0, 0, 4, 4}};
	struct tn_arena arena;
	double area;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	assert_true(tn_floor_union_area(rects, 0, &arena, &area));
	kit_near(area, 0);
	assert_true(tn_floor_union_area(rects, 1, &arena, &area));
	kit_near(area, 16);
	assert_true(tn_floor_union_area(rects, TN_COUNT(rects), &arena, &area));
	kit_near(area, 16 + 16 - 4 + 6);
	tn_arena_finish(&arena);
}

/* Against counting squares. */
static void test_union_random(void **state)
{
	uint64_t seed = 88172645463325252u;

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct tn_floor_rect rects[20];
		bool covered[24][24] = {{false}};
		struct tn_arena arena;
		double area, expected = 0;

		for (size_t i = 0; i < TN_COUNT(rects); i++) {
			unsigned v[4];

			for (size_t k = 0; k < 4; k++) {
				seed ^= seed << 13;
				seed ^= seed >> 7;
				seed ^= seed << 17;
				v[k] = (unsigned)(seed % (k < 2 ? 16 : 7)) + (k < 2 ? 0 : 1);
			}
			rects[i] = (struct tn_floor_rect){v[0], v[1], v[2], v[3]};
			for (unsigned x = v[0]; x < v[0] + v[2]; x++) {
				for (unsigned y = v[1]; y < v[1] + v[3]; y++)
					covered[x][y] = true;
			}
		}
		for (size_t i = 0; i < 24 * 24; i++)
			expected += covered[i / 24][i % 24] ? 1 : 0;
		tn_arena_init(&arena, TN_MIB);
		assert_true(tn_floor_union_area(rects, TN_COUNT(rects), &arena, &area));
		kit_near(area, expected);
		tn_arena_finish(&arena);
	}
}

#define HOUSE                                                                                      \
	"%%{version: 1.0}%%\nfloorplan config { default_unit: m, wall_thickness: 0.2, "            \
	"area_unit: sqm }\n"                                                                       \
	"floor F height 3 {\n"                                                                     \
	"room A at (0,0) size (6 x 4) walls [top: window size (2 x 1.5), left: open] composed of " \
	"[\n"                                                                                      \
	"  sub-room N at (4,0) size (2 x 2) height 2 walls [left: open] ]\n"                       \
	"room B at (6,0) size (4 x 3) walls [right: door]\n"                                       \
	"stair S at (0.2,2) shape straight toward right rise 3 width 0.9m\n"                       \
	"}\n"                                                                                      \
	"floor G { room C at (0,0) size (6 x 4)\n"                                                 \
	"stair S at (0.2,2) shape straight toward right rise 3 width 0.9m }\n"                     \
	"connect A to B door at 50%\n"                                                             \
	"vertical F.S to G.S\n"

static void test_rooms(void **state)
{
	struct tn_floor_plan *plan = kit_plan(HOUSE);
	const struct tn_floor_room_metrics *all, *one;
	struct tn_arena arena;

	(void)state;
	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	all = tn_floor_rooms_measure(plan, &arena);
	assert_non_null(all);
	one = &all[kit_room(plan, "A")->index];
	kit_near(one->area, 24);
	kit_near(one->volume, 72); /* the floor's height */
	kit_near(one->net_area, 5.9 * 3.8);
	kit_near(one->perimeter, 20);
	kit_near(one->window_area, 3);
	kit_near(one->exterior_wall, 6 + 6 + 1); /* B takes 3 of the right; the left is open */
	assert_int_equal(one->doors, 1);
	one = &all[kit_room(plan, "N")->index];
	kit_near(one->volume, 8);
	kit_near(one->exterior_wall, 2); /* its top; its right lies on B */
	assert_int_equal(one->doors, 0);
	one = &all[kit_room(plan, "B")->index];
	kit_near(one->exterior_wall, 4 + 3 + 4);
	assert_int_equal(one->doors, 2); /* the connection and its own */
	tn_arena_finish(&arena);
	tn_floor_plan_free(plan);
}

static void expect_json(void (*put)(struct tn_buf *, const struct tn_floor_plan *),
			const char *text, const char *expected)
{
	struct tn_floor_plan *plan = kit_plan(text);
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	put(&out, plan);
	tn_buf_append_byte(&out, '\0');
	assert_string_equal(out.data, expected);
	tn_buf_finish(&out);
	tn_floor_plan_free(plan);
}

static void put_summary(struct tn_buf *out, const struct tn_floor_plan *plan)
{
	tn_floor_put_summary(out, plan, plan->settings.area_in_sqm);
}

static void put_floor(struct tn_buf *out, const struct tn_floor_plan *plan)
{
	tn_floor_put_floor_metrics(out, plan, plan->floors, true);
}

static void test_floors(void **state)
{
	(void)state;
	expect_json(put_summary, HOUSE,
		    "{\"floorCount\":2,\"totalRoomCount\":3,\"totalSubRoomCount\":1,"
		    "\"grossFloorArea\":60,\"areaUnit\":\"sqm\"}");
	/* 10 ft by 10 ft twice, half on each other; areas in another unit, lengths in U. */
	expect_json(put_floor,
		    IN_FLOOR("room A at (-5,0) size (10 x 10) room B at (0,0) size (10 x 10)"),
		    "{\"floor\":\"F\",\"roomCount\":2,\"subRoomCount\":0,\"netArea\":18.580608,"
		    "\"coveredArea\":13.935456,\"overlapArea\":4.645152,\"boundingBox\":{\"minX\":"
		    "-5,\"minY\":0,\"width\":15,\"height\":10,\"area\":13.935456},\"efficiency\":"
		    "1.33}");
	expect_json(put_floor, IN_FLOOR(""),
		    "{\"floor\":\"F\",\"roomCount\":0,\"subRoomCount\":0,\"netArea\":0,"
		    "\"coveredArea\":0,\"overlapArea\":0,\"boundingBox\":{\"minX\":0,\"minY\":0,"
		    "\"width\":0,\"height\":0,\"area\":0},\"efficiency\":0}");
}

/* ---- ways ---- */

static void test_access(void **state)
{
	(void)state;
	expect_json(
		tn_floor_put_access, HOUSE,
		"{\"nodes\":[{\"id\":\"outside\",\"kind\":\"outside\"},{\"id\":\"F.A\",\"kind\":"
		"\"room\",\"floor\":\"F\",\"name\":\"A\"},{\"id\":\"F.N\",\"kind\":\"sub-room\","
		"\"floor\":\"F\",\"name\":\"N\"},{\"id\":\"F.B\",\"kind\":\"room\",\"floor\":\"F\","
		"\"name\":\"B\"},{\"id\":\"G.C\",\"kind\":\"room\",\"floor\":\"G\",\"name\":\"C\"},"
		"{\"id\":\"F.stair.S\",\"kind\":\"stair\",\"floor\":\"F\",\"name\":\"S\"},{\"id\":"
		"\"G.stair.S\",\"kind\":\"stair\",\"floor\":\"G\",\"name\":\"S\"}],\"edges\":["
		"{\"from\":\"F.A\",\"to\":\"F.B\",\"kind\":\"door\",\"line\":11},"
		"{\"from\":\"F.B\",\"to\":\"outside\",\"kind\":\"door\"},"
		"{\"from\":\"F.N\",\"to\":\"F.A\",\"kind\":\"open-side\"},"
		"{\"from\":\"F.A\",\"to\":\"F.stair.S\",\"kind\":\"contains\"},"
		"{\"from\":\"G.C\",\"to\":\"G.stair.S\",\"kind\":\"contains\"},"
		"{\"from\":\"F.stair.S\",\"to\":\"G.stair.S\",\"kind\":\"vertical\"}]}");
}

static void test_egress(void **state)
{
	(void)state;
	/* A: from its far corner (0,10) to the door (10,5), then 10 to the exit (20,5). */
	expect_json(
		tn_floor_put_egress,
		METRES("room A at (0,0) size (10 x 10) room B at (10,0) size (10 x 10) "
		       "walls [right: door] room C at (0,10) size (10 x 10)") "connect A to B door",
		"{\"rooms\":[{\"floor\":\"F\",\"room\":\"A\",\"reachable\":true,\"doors\":2,"
		"\"distance\":21.18034},{\"floor\":\"F\",\"room\":\"B\",\"reachable\":true,"
		"\"doors\":1,\"distance\":11.18034},{\"floor\":\"F\",\"room\":\"C\","
		"\"reachable\":false}],\"longest\":[{\"floor\":\"F\",\"room\":\"A\","
		"\"distance\":21.18034}]}");
	/* The shorter of two ways; an opening is no door. */
	expect_json(
		tn_floor_put_egress,
		METRES("room A at (0,0) size (10 x 2)") "connect A.left to outside "
							"opening\nconnect A.right to outside door",
		"{\"rooms\":[{\"floor\":\"F\",\"room\":\"A\",\"reachable\":true,\"doors\":0,"
		"\"distance\":1}],\"longest\":[{\"floor\":\"F\",\"room\":\"A\",\"distance\":1}]"
		"}");
	expect_json(tn_floor_put_egress, HEAD, "{\"rooms\":[],\"longest\":[]}");
}

/* 5,000 rooms in a row, each with a door into the next. */
static void test_many(void **state)
{
	struct tn_buf text, out;
	struct tn_floor_plan *plan;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_init(&out, TN_FLOOR_OUTPUT_BYTES_MAX);
	tn_buf_append_text(&text, HEAD "floor F {\n");
	for (int i = 0; i < TN_FLOOR_ROOMS_MAX; i++)
		tn_buf_format(&text, "room R%d at (%d,0) size (20 x 20)\n", i, 20 * i);
	tn_buf_append_text(&text, "}\nconnect R0.left to outside door\n");
	for (int i = 1; i < TN_FLOOR_ROOMS_MAX; i++)
		tn_buf_format(&text, "connect R%d to R%d door\n", i - 1, i);
	tn_buf_append_byte(&text, '\0');
	plan = kit_plan(text.data);
	tn_floor_put_egress(&out, plan);
	tn_floor_put_access(&out, plan);
	tn_floor_put_adjacency(&out, plan);
	tn_buf_append_byte(&out, '\0');
	assert_false(out.failed);
	assert_non_null(strstr(out.data, "\"room\":\"R4999\",\"reachable\":true,\"doors\":5000"));
	tn_floor_plan_free(plan);
	tn_buf_finish(&out);
	tn_buf_finish(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_examples),     cmocka_unit_test(test_union),
		cmocka_unit_test(test_union_random), cmocka_unit_test(test_rooms),
		cmocka_unit_test(test_floors),       cmocka_unit_test(test_access),
		cmocka_unit_test(test_egress),       cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
