/* The enriched selection (workbench.md section 12, E1 to E5). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/workbench/sessions/sessions_test_kit.h"

static struct tn_wb_sessions_kit the_kit;

static int set_up(void **state)
{
	tn_wb_sessions_kit_init(&the_kit);
	the_kit.page = tn_wb_sessions_kit_page(the_kit.session);
	*state = &the_kit;
	return 0;
}

static int tear_down(void **state)
{
	tn_wb_sessions_kit_finish(*state);
	return 0;
}

static void assert_shows(struct tn_wb_sessions_kit *kit, const char *part)
{
	const char *shown = tn_wb_sessions_kit_selection(kit);

	if (!strstr(shown, part))
		fail_msg("no %s in %s", part, shown);
}

static void without_a_selection_it_is_null(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;

	assert_shows(kit, "\"current\":null,\"others\":[]}");
}

static void a_selection_is_matched_and_linked(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;

	tn_wb_sessions_kit_click(kit->page, "b1");
	assert_shows(kit, "\"changedAt\":\"2026-01-31T08:44:40.000Z\",\"causedBy\":\"click\","
			  "\"selected\":{\"sessionId\":\"session_");
	assert_shows(kit, "\"registryMatch\":{\"status\":\"matched\",\"entry\":{\"typeId\":"
			  "\"ui.button\"");
	assert_shows(kit, "\"usedByRoutes\":[\"routeId:home\"],\"usedBy\":[\"ui.card\"],"
			  "\"uses\":[]");
	assert_shows(kit, "\"source\":null,\"definition\":{\"filePath\":\"src/Button.tsx\","
			  "\"line\":3}");
	assert_shows(kit, "\"activeRoute\":{\"kind\":\"route\",\"id\":\"routeId:item\"");
}

/* E4: override, else the configuration's layer, else the baseline, else unknown. */
static void values_come_from_where_they_are_said_to_come(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;

	tn_wb_sessions_kit_click(kit->page, "b1");
	assert_shows(kit, "{\"name\":\"label\",\"path\":\"/label\",\"exposure\":\"editable\","
			  "\"control\":{\"kind\":\"string\"},\"constraints\":{\"required\":true},"
			  "\"value\":\"Order\",\"valueFrom\":\"code\",\"baseline\":\"Order\","
			  "\"overrideState\":\"none\"}");
	assert_shows(kit, "\"value\":\"quiet\",\"valueFrom\":\"config\",\"overrideState\":"
			  "\"none\"}");
	assert_shows(kit, "{\"name\":\"onClick\",\"path\":\"/onClick\",\"exposure\":"
			  "\"inspectOnly\",\"valueFrom\":\"unknown\",\"overrideState\":\"none\"}");
	assert_int_equal(
		tn_wb_drafts_kit_apply(&kit->drafts,
				       "[{\"op\":\"set\",\"instanceId\":\"b1\",\"path\":\"/label\","
				       "\"value\":\"Save\"}]"),
		TENON_OK);
	assert_shows(kit, "\"value\":\"Save\",\"valueFrom\":\"override\",\"baseline\":\"Order\","
			  "\"overrideState\":\"pending\"}");
	assert_shows(kit, "\"overrides\":[{\"group\":\"app\",\"instanceId\":\"b1\"");
}

static void drafts_of_parts_refine_what_is_beneath(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;

	assert_int_equal(
		tn_wb_drafts_kit_apply(
			&kit->drafts,
			"[{\"op\":\"set\",\"instanceId\":\"c1\",\"path\":\"/style/"
			"color\",\"value\":"
			"\"red\"},{\"op\":\"set\",\"instanceId\":\"c1\",\"path\":\"/style\","
			"\"value\":{\"top\":1}}]"),
		TENON_OK);
	tn_wb_sessions_kit_say(
		kit->page, "{\"type\":\"runtime.selectionChanged\",\"causedBy\":\"click\","
			   "\"selected\":{\"instanceId\":\"c1\",\"componentTypeId\":\"ui.card\","
			   "\"props\":{\"style\":{\"left\":2},\"extra/1\":7,\"__proto__\":1}}}");
	assert_shows(kit, "\"value\":{\"top\":1,\"color\":\"red\"},\"valueFrom\":\"override\","
			  "\"baseline\":{\"left\":2}");
	assert_shows(kit, "{\"name\":\"extra/1\",\"path\":\"/extra~11\",\"exposure\":"
			  "\"unregistered\",\"value\":7,\"valueFrom\":\"code\",\"baseline\":7,"
			  "\"overrideState\":\"none\"}");
}

static void what_no_registry_knows_is_unknown(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;

	tn_wb_sessions_kit_say(kit->page,
			       "{\"type\":\"runtime.selectionChanged\",\"causedBy\":\"click\","
			       "\"selected\":{\"instanceId\":\"x\",\"componentTypeId\":"
			       "\"x.unknown\",\"props\":{}}}");
	assert_shows(kit, "\"registryMatch\":{\"status\":\"unknown\",\"entry\":null},"
			  "\"props\":[],\"overrides\":[],\"graph\":{\"componentType\":null,"
			  "\"usedByRoutes\":[],\"usedBy\":[],\"uses\":[]");
}

static void ancestors_are_nearest_first_and_bounded(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;
	char text[512];

	for (int i = 0; i < 15; i++) {
		(void)snprintf(
			text, sizeof(text),
			"{\"type\":\"runtime.instances\",\"full\":false,\"remove\":[],"
			"\"upsert\":[{\"instanceId\":\"a%d\",\"componentTypeId\":\"ui.card\","
			"\"parentInstanceId\":\"a%d\"}]}",
			i, (i + 1) % 15);
		tn_wb_sessions_kit_say(kit->page, text);
	}
	tn_wb_sessions_kit_click(kit->page, "a0");
	assert_shows(kit, "\"ancestors\":[{\"instanceId\":\"a1\",\"componentTypeId\":\"ui.card\","
			  "\"displayName\":\"ui.card\"},");
	assert_shows(kit, "{\"instanceId\":\"a10\",\"componentTypeId\":\"ui.card\",\"displayName\":"
			  "\"ui.card\"}]}");
}

/* N4: a click comes before the report of what a navigation has brought, and who looks is told. */
static void ancestors_that_come_later_are_told(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;
	const char *report = "{\"type\":\"runtime.instances\",\"full\":false,\"remove\":[],"
			     "\"upsert\":[{\"instanceId\":\"c\",\"componentTypeId\":\"ui.card\"},"
			     "{\"instanceId\":\"b1\",\"componentTypeId\":\"ui.button\","
			     "\"parentInstanceId\":\"c\"}]}";

	tn_wb_sessions_kit_click(kit->page, "b1");
	kit->told = 0;
	tn_wb_sessions_kit_say(kit->page, report);
	assert_true(kit->told & TN_WB_CHANGED_SELECTION);
	assert_shows(kit, "\"ancestors\":[{\"instanceId\":\"c\"");
	kit->told = 0;
	tn_wb_sessions_kit_say(kit->page, report);
	assert_false(kit->told & TN_WB_CHANGED_SELECTION);
}

static void route(struct tn_wb_sessions_kit *kit, const char *rest, const char *want)
{
	char text[512];

	(void)snprintf(text, sizeof(text), "{\"type\":\"runtime.routerStateChanged\",%s}", rest);
	tn_wb_sessions_kit_say(kit->page, text);
	(void)snprintf(text, sizeof(text), "\"activeRoute\":{\"kind\":\"route\",\"id\":\"%s\"",
		       want);
	assert_shows(kit, text);
}

/* E5: matched ids, the innermost first; without them the path's most specific pattern. */
static void the_active_route_is_the_innermost_or_the_most_specific(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;

	tn_wb_sessions_kit_click(kit->page, "b1");
	route(kit, "\"pathname\":\"/\",\"matchedRouteIds\":[\"root\",\"home\"]", "routeId:home");
	route(kit, "\"pathname\":\"/menu/rye\"", "routeId:item");
	route(kit, "\"pathname\":\"/menu/special\"", "routeId:special");
	route(kit, "\"pathname\":\"/menu/rye/more\"", "route:/*");
	route(kit, "\"pathname\":\"/menu/rye\",\"matchedRouteIds\":[\"no:such\"]", "routeId:item");
}

static void a_reload_clears_the_selection_and_says_why(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;
	struct tn_buf out;

	tn_wb_sessions_kit_click(kit->page, "b1");
	tn_wb_page_gone(kit->page);
	assert_shows(kit, "\"current\":null");
	tn_buf_init(&out, TN_MIB);
	tn_wb_session_put_selection(&out, kit->session);
	tn_buf_append_byte(&out, '\0');
	assert_non_null(strstr(out.data, "\"causedBy\":\"reload\",\"selected\":null}"));
	tn_buf_finish(&out);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(without_a_selection_it_is_null),
		TEST(a_selection_is_matched_and_linked),
		TEST(values_come_from_where_they_are_said_to_come),
		TEST(drafts_of_parts_refine_what_is_beneath),
		TEST(what_no_registry_knows_is_unknown),
		TEST(ancestors_are_nearest_first_and_bounded),
		TEST(ancestors_that_come_later_are_told),
		TEST(the_active_route_is_the_innermost_or_the_most_specific),
		TEST(a_reload_clears_the_selection_and_says_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
