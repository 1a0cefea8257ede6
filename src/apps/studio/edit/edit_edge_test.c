/* An edge gets another label and other ends (SC-027). */
#include "apps/studio/edit/edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "apps/studio/document/document_test_kit.h"
#include "base/mem.h"

#define PLAN "azurerm/compute/app_service_plan"
#define APP "azurerm/compute/app_service"
#define GROUP "azurerm/core/resource_group"

struct drawn {
	struct studio_kit kit;
	const char *a, *b, *app, *edge;
};

static int set_up(void **state)
{
	struct drawn *drawn = tn_mem_alloc(sizeof(*drawn));
	const char *group;

	assert_non_null(drawn);
	studio_kit_open(&drawn->kit, NULL);
	group = studio_kit_add(&drawn->kit, GROUP, NULL);
	drawn->a = studio_kit_add(&drawn->kit, PLAN, group);
	drawn->b = studio_kit_add(&drawn->kit, PLAN, group);
	drawn->app = studio_kit_add(&drawn->kit, APP, group);
	drawn->edge = studio_kit_text(
		studio_kit_done(&drawn->kit, tn_studio_edit_connect,
				studio_kit_format(
					&drawn->kit,
					"{\"sourceInstanceId\":\"%s\",\"sourceHandle\":\"asp-out\","
					"\"targetInstanceId\":\"%s\",\"targetHandle\":\"asp-in\"}",
					drawn->a, drawn->app)),
		"edgeId");
	*state = drawn;
	return 0;
}

static int tear_down(void **state)
{
	struct drawn *drawn = *state;

	studio_kit_close(&drawn->kit);
	tn_mem_free(drawn);
	return 0;
}

static const char *edge_with(struct drawn *drawn, const char *more)
{
	return studio_kit_format(&drawn->kit, "{\"edgeId\":\"%s\"%s}", drawn->edge, more);
}

static const struct tn_studio_edge *edge_of(struct drawn *drawn)
{
	studio_kit_index(&drawn->kit);
	assert_int_equal(drawn->kit.document.edge_count, 1);
	assert_true(tn_str_is(drawn->kit.document.edges[0]->id, drawn->edge));
	return drawn->kit.document.edges[0];
}

static const char *plan_of(struct drawn *drawn)
{
	const struct tn_studio_node *app = studio_kit_node(&drawn->kit, drawn->app);

	return studio_kit_json(&drawn->kit, tn_json_get(app->references, "service_plan_id"));
}

static void test_label(void **state)
{
	struct drawn *drawn = *state;
	struct studio_kit *kit = &drawn->kit;
	uint64_t revision;

	(void)studio_kit_done(kit, tn_studio_edit_update_edge,
			      edge_with(drawn, ",\"label\":\"runs on\""));
	assert_true(tn_str_is(edge_of(drawn)->label, "runs on"));
	revision = tn_oplog_revision(kit->log);
	(void)studio_kit_done(kit, tn_studio_edit_update_edge,
			      edge_with(drawn, ",\"label\":\"runs on\""));
	(void)studio_kit_done(kit, tn_studio_edit_update_edge, edge_with(drawn, ""));
	assert_int_equal(tn_oplog_revision(kit->log), revision); /* nothing was to be done */
	(void)studio_kit_done(kit, tn_studio_edit_update_edge, edge_with(drawn, ",\"label\":\"\""));
	assert_int_equal(edge_of(drawn)->label.size, 0);
	assert_null(tn_json_get(edge_of(drawn)->record, "label"));
	studio_kit_undo(kit);
	assert_true(tn_str_is(edge_of(drawn)->label, "runs on"));
	(void)studio_kit_refused(
		kit, tn_studio_edit_update_edge,
		edge_with(
			drawn,
			",\"label\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
			"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
			"aaaaaa\""),
		"INVALID_INPUT");
}

static void test_other_end(void **state)
{
	struct drawn *drawn = *state;
	struct studio_kit *kit = &drawn->kit;
	const char *before;
	struct tn_json *answer;
	uint64_t revision;

	(void)studio_kit_done(kit, tn_studio_edit_update_edge,
			      edge_with(drawn, ",\"label\":\"runs on\""));
	before = studio_kit_saved(kit);
	revision = tn_oplog_revision(kit->log);
	/* The handle takes one edge only: this one. */
	answer = studio_kit_done(
		kit, tn_studio_edit_update_edge,
		edge_with(drawn, studio_kit_format(kit, ",\"source\":\"%s\"", drawn->b)));
	assert_string_equal(studio_kit_text(answer, "edgeId"), drawn->edge);
	assert_int_equal(tn_oplog_revision(kit->log), revision + 1);
	assert_string_equal(kit->change.label, "Draw an edge elsewhere");
	assert_true(tn_str_is(edge_of(drawn)->source_id, drawn->b));
	assert_true(tn_str_is(edge_of(drawn)->label, "runs on"));
	assert_non_null(strstr(plan_of(drawn), drawn->b));
	studio_kit_undo(kit);
	assert_string_equal(studio_kit_saved(kit), before);
	studio_kit_redo(kit);
	assert_true(tn_str_is(edge_of(drawn)->source_id, drawn->b));
}

static void test_refused(void **state)
{
	struct drawn *drawn = *state;
	struct studio_kit *kit = &drawn->kit;

	(void)studio_kit_refused(kit, tn_studio_edit_update_edge, "{\"edgeId\":\"nothing\"}",
				 "NOT_FOUND");
	(void)studio_kit_refused(kit, tn_studio_edit_update_edge,
				 edge_with(drawn, ",\"source\":\"nobody\""), "NOT_FOUND");
	(void)studio_kit_refused(
		kit, tn_studio_edit_update_edge,
		edge_with(drawn, studio_kit_format(kit, ",\"source\":\"%s\"", drawn->app)),
		"CONNECTION_NOT_ALLOWED");
	(void)studio_kit_refused(kit, tn_studio_edit_update_edge,
				 edge_with(drawn, ",\"targetHandle\":\"asp-out\""),
				 "CONNECTION_NOT_ALLOWED");
	assert_true(tn_str_is(edge_of(drawn)->source_id, drawn->a));
	assert_non_null(strstr(plan_of(drawn), drawn->a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_label, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_other_end, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
