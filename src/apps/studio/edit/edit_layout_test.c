#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "apps/studio/document/document_test_kit.h"
#include "apps/studio/document/geometry.h"
#include "base/mem.h"

#define NODE(id, type, more)                                                                      \
	"{\"op\":\"putNode\",\"node\":{\"id\":\"" id "\",\"typeId\":\"" type "\",\"label\":\"" id \
	"\",\"terraformName\":\"" id "\",\"position\":{\"x\":100,"                                \
	"\"y\":100}" more "}}"
#define GROUP "azurerm/core/resource_group"
#define PLAN "azurerm/compute/app_service_plan"
#define APP "azurerm/compute/app_service"

static int open_kit(void **state)
{
	struct studio_kit *kit = tn_mem_alloc(sizeof(*kit));

	assert_non_null(kit);
	studio_kit_open(kit, NULL);
	studio_kit_change(
		kit, "[" NODE("rg", GROUP, "") "," NODE(
			     "app", APP,
			     ",\"parentId\":\"rg\",\"references\":{\"service_plan_id\":"
			     "\"plan\"}") "," NODE("plan", PLAN,
						   ",\"parentId\":\"rg\"") "," NODE("other", GROUP,
										    "") "]");
	studio_kit_index(kit);
	*state = kit;
	return 0;
}

static int close_kit(void **state)
{
	studio_kit_close(*state);
	tn_mem_free(*state);
	return 0;
}

static const struct tn_studio_node *node(struct studio_kit *kit, const char *id)
{
	const struct tn_studio_node *found = tn_studio_node_find(&kit->document, tn_str_from(id));

	assert_non_null(found);
	return found;
}

static void assert_at(struct studio_kit *kit, const char *id, int32_t x, int32_t y)
{
	assert_int_equal(node(kit, id)->x, x);
	assert_int_equal(node(kit, id)->y, y);
}

static uint32_t moved(const struct tn_json *answer)
{
	return tn_json_get(answer, "moved")->count;
}

/* ST-130: the reference counts as an edge; one change, one undo step; twice changes nothing */
static void all_of_it(void **state)
{
	struct studio_kit *kit = *state;
	uint64_t revision;

	assert_int_equal(moved(studio_kit_done(kit, tn_studio_edit_layout, "{}")), 4);
	assert_string_equal(kit->change.label, "Lay out 4 resources");
	assert_at(kit, "rg", 20, 60);
	assert_at(kit, "app", 20, 60);
	assert_at(kit, "plan", 320, 60); /* app refers to plan */
	assert_int_equal(node(kit, "rg")->width, 580);
	assert_int_equal(node(kit, "app")->width, 0); /* leaves keep what they had */
	revision = tn_oplog_revision(kit->log);
	assert_int_equal(moved(studio_kit_done(kit, tn_studio_edit_layout, "{}")), 0);
	assert_int_equal(tn_oplog_revision(kit->log), revision);
	studio_kit_undo(kit);
	studio_kit_index(kit);
	assert_at(kit, "plan", 100, 100);
	assert_int_equal(node(kit, "rg")->width, 0);
}

/* The arguments win over the project's configuration. */
static void as_configured(void **state)
{
	struct studio_kit *kit = *state;

	studio_kit_change(kit, "[{\"op\":\"setConfig\",\"config\":{\"layout\":{\"direction\":"
			       "\"BT\",\"algorithm\":\"layered\"}}}]");
	(void)studio_kit_done(kit, tn_studio_edit_layout, "{}");
	assert_at(kit, "plan", 20, 60);
	assert_at(kit, "app", 20, 200);
	(void)studio_kit_done(kit, tn_studio_edit_layout, "{\"direction\":\"RL\"}");
	assert_at(kit, "plan", 20, 60);
	assert_at(kit, "app", 320, 60);
	(void)studio_kit_done(kit, tn_studio_edit_layout,
			      "{\"direction\":\"LR\",\"algorithm\":\"hybrid\"}");
	assert_at(kit, "app", 20, 60); /* by label */
	assert_at(kit, "plan", 300, 60);
}

static void one_container(void **state)
{
	struct studio_kit *kit = *state;

	(void)studio_kit_done(kit, tn_studio_edit_layout, "{\"containerId\":\"rg\"}");
	assert_at(kit, "rg", 100, 100);
	assert_at(kit, "other", 100, 100);
	assert_at(kit, "plan", 320, 60);
	(void)studio_kit_refused(kit, tn_studio_edit_layout, "{\"containerId\":\"nobody\"}",
				 "NOT_FOUND");
	(void)studio_kit_refused(kit, tn_studio_edit_layout, "{\"containerId\":\"app\"}",
				 "INVALID_INPUT");
}

static void some_of_them(void **state)
{
	struct studio_kit *kit = *state;

	(void)studio_kit_done(kit, tn_studio_edit_layout,
			      "{\"instanceIds\":[\"plan\",\"app\",\"plan\"]}");
	assert_at(kit, "app", 100, 100);
	assert_at(kit, "plan", 400, 100);
	assert_int_equal(tn_studio_rect_of(node(kit, "rg")).width, 400 + 240 + 20);
	/* One that has a size gets a larger one. */
	studio_kit_change(kit,
			  "[{\"op\":\"place\",\"nodes\":[{\"id\":\"rg\",\"x\":0,\"y\":0,"
			  "\"width\":700,\"height\":700},{\"id\":\"plan\",\"x\":500,\"y\":100}]}]");
	(void)studio_kit_done(kit, tn_studio_edit_layout,
			      "{\"instanceIds\":[\"plan\",\"app\"],\"direction\":\"RL\"}");
	assert_at(kit, "app", 400, 100);
	assert_int_equal(node(kit, "rg")->width, 700);
	(void)studio_kit_done(kit, tn_studio_edit_layout,
			      "{\"instanceIds\":[\"plan\",\"app\"],\"direction\":\"TB\"}");
	studio_kit_change(kit,
			  "[{\"op\":\"place\",\"nodes\":[{\"id\":\"plan\",\"x\":450,\"y\":100},"
			  "{\"id\":\"app\",\"x\":450,\"y\":400}]}]");
	(void)studio_kit_done(kit, tn_studio_edit_layout,
			      "{\"instanceIds\":[\"plan\",\"app\"],\"direction\":\"LR\"}");
	assert_int_equal(node(kit, "rg")->width, 450 + 240 + 60 + 240 + 20);
	(void)studio_kit_refused(kit, tn_studio_edit_layout,
				 "{\"instanceIds\":[\"plan\",\"other\"]}", "INVALID_INPUT");
	(void)studio_kit_refused(kit, tn_studio_edit_layout,
				 "{\"instanceIds\":[\"plan\",\"nobody\"]}", "NOT_FOUND");
}

static void place(struct studio_kit *kit, const char *operation)
{
	studio_kit_change(kit, operation);
	studio_kit_index(kit);
}

/* 12.3: align from two, distribute from three */
static void lining_up(void **state)
{
	struct studio_kit *kit = *state;

	place(kit, "[" NODE("a", PLAN, "") "," NODE("b", PLAN, "") "," NODE("c", PLAN, "") "]");
	place(kit, "[{\"op\":\"place\",\"nodes\":[{\"id\":\"a\",\"x\":0,\"y\":10},{\"id\":\"b\","
		   "\"x\":900,\"y\":50,\"width\":100,\"height\":200},{\"id\":\"c\",\"x\":300,"
		   "\"y\":-30}]}]");
	(void)studio_kit_done(kit, tn_studio_edit_layout,
			      "{\"instanceIds\":[\"a\",\"b\",\"c\"],\"align\":\"top\"}");
	assert_at(kit, "a", 0, -30);
	assert_at(kit, "b", 900, -30);
	(void)studio_kit_done(
		kit, tn_studio_edit_layout,
		"{\"instanceIds\":[\"a\",\"b\",\"c\"],\"distribute\":\"horizontal\"}");
	assert_at(kit, "a", 0, -30);
	assert_at(kit, "c", 240 + (1000 - 240 - 240 - 100) / 2, -30);
	assert_at(kit, "b", 900, -30);
	(void)studio_kit_done(kit, tn_studio_edit_layout,
			      "{\"instanceIds\":[\"a\",\"b\"],\"align\":\"bottom\"}");
	assert_at(kit, "a", 0, 90);
	(void)studio_kit_done(kit, tn_studio_edit_layout,
			      "{\"instanceIds\":[\"a\",\"b\"],\"align\":\"middle\"}");
	assert_at(kit, "a", 0, 30);
	(void)studio_kit_done(kit, tn_studio_edit_layout,
			      "{\"instanceIds\":[\"a\",\"b\"],\"align\":\"right\"}");
	assert_at(kit, "a", 760, 30);
	(void)studio_kit_done(kit, tn_studio_edit_layout,
			      "{\"instanceIds\":[\"a\",\"b\"],\"align\":\"center\"}");
	assert_at(kit, "a", 760, 30);
	assert_at(kit, "b", 830, -30);
	(void)studio_kit_done(kit, tn_studio_edit_layout,
			      "{\"instanceIds\":[\"a\",\"b\"],\"align\":\"left\"}");
	assert_at(kit, "b", 760, -30);
	(void)studio_kit_refused(kit, tn_studio_edit_layout,
				 "{\"instanceIds\":[\"a\"],\"align\":\"left\"}", "INVALID_INPUT");
	(void)studio_kit_refused(kit, tn_studio_edit_layout,
				 "{\"instanceIds\":[\"a\",\"b\"],\"distribute\":\"vertical\"}",
				 "INVALID_INPUT");
	(void)studio_kit_refused(kit, tn_studio_edit_layout, "{\"align\":\"left\"}",
				 "INVALID_INPUT");
}

/* Across containers places are those on the canvas; padding is kept, and the container grows. */
static void lining_up_across_containers(void **state)
{
	struct studio_kit *kit = *state;

	place(kit, "[{\"op\":\"place\",\"nodes\":[{\"id\":\"rg\",\"x\":500,\"y\":500},{\"id\":"
		   "\"app\",\"x\":40,\"y\":80},{\"id\":\"other\",\"x\":900,\"y\":0}]}]");
	(void)studio_kit_done(kit, tn_studio_edit_layout,
			      "{\"instanceIds\":[\"app\",\"other\"],\"align\":\"left\"}");
	assert_at(kit, "app", 40, 80);
	assert_at(kit, "other", 540, 0);
	(void)studio_kit_done(kit, tn_studio_edit_layout,
			      "{\"instanceIds\":[\"app\",\"other\"],\"align\":\"top\"}");
	assert_at(kit, "app", 40, 60); /* as far as it can */
	/* Inside what was chosen as well: it goes along, so that there is only one left. */
	(void)studio_kit_refused(kit, tn_studio_edit_layout,
				 "{\"instanceIds\":[\"app\",\"rg\"],\"align\":\"top\"}",
				 "INVALID_INPUT");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_of_it, open_kit, close_kit),
		cmocka_unit_test_setup_teardown(as_configured, open_kit, close_kit),
		cmocka_unit_test_setup_teardown(one_container, open_kit, close_kit),
		cmocka_unit_test_setup_teardown(some_of_them, open_kit, close_kit),
		cmocka_unit_test_setup_teardown(lining_up, open_kit, close_kit),
		cmocka_unit_test_setup_teardown(lining_up_across_containers, open_kit, close_kit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
