/* Every allocation of every act on a plan fails once, and from then on always: no crash, no leak,
 * and no answer that is less than the whole and called a success. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/floorplan/mcp/action.h"
#include "apps/floorplan/mcp/tools.h"
#include "apps/floorplan/limits.h"
#include "base/size.h"
#include "short_memory.h"

/* Some of everything that is drawn, measured and written. */
static const char plan_text[] =
	"---\ntitle: House\n---\nfloorplan\ndefine big (9 x 9)\n"
	"style Oak { floor_color: \"#C8A46B\", wall_color: \"#445566\" }\n"
	"config { theme: dark, wall_thickness: 0.3 }\n"
	"floor G height 10 {\n"
	"room A at (0,0) size (20 x 20) walls [left: window, top: door] label \"All\" composed of "
	"[ sub-room B at (0,0) size big ]\n"
	"room C size (9 x 9) right-of A style Oak\nroom D at (40,0) size (6 x 6)\n"
	"stair S at (10,10) shape U-shaped from top turn left rise 10\n"
	"stair T at (1,12) shape spiral rotation clockwise outer-radius 3 rise 10\n"
	"lift L at (16,16) size (3 x 3) doors (top)\n}\n"
	"floor H { room A size (9 x 9) at (0,0) lift L at (16,16) size (3 x 3) doors (top) }\n"
	"connect A.right to C.left door\nconnect G.A to outside double-door\n"
	"vertical G.L to H.L\n";

#define SMALL "\"width\":96,\"height\":80,\"renderAllFloors\":true"

static const struct {
	const char *name;
	const struct tn_floor_action *action;
	const char *arguments;
} acts[] = {
	{"render", &tn_floor_action_render,
	 "{" SMALL ",\"showDimensions\":true,\"showArea\":true,\"showLegend\":true,"
	 "\"showFloorSummary\":true,\"showDiagnostics\":true}"},
	{"difference", &tn_floor_action_render,
	 "{" SMALL ",\"before\":\"floorplan floor G { room A at (0,0) size (9 x 9) }\"}"},
	{"space", &tn_floor_action_render, "{" SMALL ",\"format\":\"3d-png\"}"},
	{"svg", &tn_floor_action_export, "{\"format\":\"svg\"}"},
	{"pdf", &tn_floor_action_export, "{\"format\":\"pdf\"}"},
	{"dxf", &tn_floor_action_export, "{\"format\":\"dxf\"}"},
	{"json", &tn_floor_action_export, "{\"format\":\"json\"}"},
	{"canonical", &tn_floor_action_export, "{\"format\":\"canonical\"}"},
	{"csv", &tn_floor_action_export, "{\"format\":\"csv\"}"},
	{"validate", &tn_floor_action_validate, "{\"lint\":true}"},
	{"analyze", &tn_floor_action_analyze, "{\"lint\":true}"},
	{"modify", &tn_floor_action_modify,
	 "{\"operations\":[{\"action\":\"rename_room\",\"target\":\"C\",\"params\":{\"newName\":"
	 "\"Hall\"}},{\"action\":\"remove_room\",\"target\":\"G.A\"},{\"action\":\"add_room\","
	 "\"params\":{\"name\":\"N\",\"size\":{\"width\":2,\"height\":2},\"position\":{\"x\":50,"
	 "\"y\":0}}},{\"action\":\"update_walls\",\"target\":\"D\",\"params\":{\"top\":\"door\"}},"
	 "{\"action\":\"convert_to_relative\",\"params\":{\"anchorRoom\":\"G.D\"}}]}"},
	{"import", &tn_floor_action_import,
	 "{\"json\":{\"format\":\"floorplan/1\",\"unit\":\"ft\",\"floors\":[{\"id\":\"G\","
	 "\"rooms\":[{\"name\":\"Living Room\",\"x\":0,\"y\":0,\"width\":9,\"height\":9}]}]}}"},
};

struct answer {
	struct tn_floor_act act;
	bool whole;
};

static struct answer run(size_t index, const struct tn_json *arguments)
{
	const struct tn_floor_action *action = acts[index].action;
	struct answer answer;

	tn_floor_act_init(&answer.act, action->without_text ? TN_STR("") : tn_str_from(plan_text),
			  arguments);
	action->run(&answer.act);
	answer.whole = tn_floor_act_end(&answer.act);
	return answer;
}

/* The whole answer, or none that looks like it. */
static void compare(const struct answer *got, const struct answer *right)
{
	if (!got->whole || !got->act.success)
		return;
	if (!tn_str_equal(tn_buf_str(&got->act.json), tn_buf_str(&right->act.json)))
		fail_msg("%.*s\n%.*s", (int)got->act.json.size, got->act.json.data,
			 (int)right->act.json.size, right->act.json.data);
	assert_true(tn_str_equal(tn_buf_str(&got->act.file), tn_buf_str(&right->act.file)));
}

static void fail_each(size_t index, bool goes_on)
{
	struct tn_json *arguments = NULL;
	struct answer right, got;
	struct tn_arena arena;
	unsigned long nth = 0;
	unsigned refused = 0;
	long live;
	bool hit;

	fault = (struct short_memory){.armed = false};
	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	assert_int_equal(
		tn_json_parse_copy(&arena, tn_str_from(acts[index].arguments), &arguments, NULL),
		TENON_OK);
	right = run(index, arguments);
	if (!right.whole || !right.act.success)
		fail_msg("%s: %.*s", acts[index].name, (int)right.act.json.size,
			 right.act.json.data);
	live = fault.live;
	do {
		fault.goes_on = goes_on;
		fault.nth = ++nth;
		fault.count = 0;
		fault.hit = false;
		fault.armed = true;
		got = run(index, arguments);
		fault.armed = false;
		hit = fault.hit;
		compare(&got, &right);
		refused += !got.whole || !got.act.success;
		tn_floor_act_finish(&got.act);
		if (fault.live != live)
			fail_msg("%s, allocation %lu: %ld blocks are left", acts[index].name, nth,
				 fault.live - live);
	} while (hit);
	assert_true(refused > 2);
	print_message("%s: %lu allocations, %u times refused\n", acts[index].name, nth - 1,
		      refused);
	tn_floor_act_finish(&right.act);
	tn_arena_finish(&arena);
}

static void test_each_once(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(acts); i++)
		fail_each(i, false);
}

static void test_each_for_good(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(acts); i++)
		fail_each(i, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_once),
		cmocka_unit_test(test_each_for_good),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
