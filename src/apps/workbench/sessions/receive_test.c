/* What pages say is checked, bounded and copied (workbench.md B4, 11.2 to 11.5, section 21). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/workbench/sessions/sessions_test_kit.h"
#include "base/mem.h"

static struct tn_wb_sessions_kit the_kit;

static int set_up(void **state)
{
	tn_wb_sessions_kit_init(&the_kit);
	the_kit.page = tn_wb_sessions_kit_page(the_kit.session);
	(void)tn_wb_sessions_kit_sent(&the_kit);
	*state = &the_kit;
	return 0;
}

static int tear_down(void **state)
{
	tn_wb_sessions_kit_finish(*state);
	return 0;
}

#define SELECTED(rest)                                                                 \
	"{\"type\":\"runtime.selectionChanged\",\"causedBy\":\"click\",\"selected\":{" \
	"\"instanceId\":\"b1\",\"componentTypeId\":\"ui.button\"" rest "}}"
#define INSTANCES(full, upsert, remove)                                              \
	"{\"type\":\"runtime.instances\",\"full\":" full ",\"upsert\":[" upsert "]," \
	"\"remove\":[" remove "]}"
#define ONE(id, rest) "{\"instanceId\":\"" id "\",\"componentTypeId\":\"ui.card\"" rest "}"

static void what_breaks_the_contract_closes_the_connection(void **state)
{
	static const char *const bad[] = {
		"",
		"no JSON",
		"[]",
		"{}",
		"{\"type\":7}",
		"{\"type\":\"runtime.ready\"}",
		"{\"type\":\"runtime.log\",\"sessionId\":\"session_0\",\"level\":\"info\","
		"\"message\":\"x\"}",
		"{\"type\":\"runtime.log\",\"level\":\"loud\",\"message\":\"x\"}",
		"{\"type\":\"runtime.log\",\"level\":\"info\"}",
		"{\"type\":\"runtime.selectionChanged\",\"selected\":null}",
		"{\"type\":\"runtime.selectionChanged\",\"causedBy\":\"click\"}",
		"{\"type\":\"runtime.selectionChanged\",\"causedBy\":\"reload\",\"selected\":null}",
		"{\"type\":\"runtime.selectionChanged\",\"causedBy\":\"click\",\"selected\":{}}",
		"{\"type\":\"runtime.selectionChanged\",\"causedBy\":\"click\",\"selected\":{"
		"\"instanceId\":\"\",\"componentTypeId\":\"a\"}}",
		SELECTED(",\"sessionId\":\"session_0\""),
		SELECTED(",\"props\":[]"),
		SELECTED(",\"propsOmitted\":7"),
		SELECTED(",\"displayName\":7"),
		"{\"type\":\"runtime.routerStateChanged\"}",
		"{\"type\":\"runtime.routerStateChanged\",\"pathname\":\"/\","
		"\"matchedRouteIds\":[7]}",
		"{\"type\":\"runtime.routerStateChanged\",\"pathname\":\"/\",\"params\":{\"a\":1}}",
		"{\"type\":\"runtime.instances\",\"full\":true,\"upsert\":[]}",
		INSTANCES("true", "7", ""),
		INSTANCES("true", "", "7"),
		INSTANCES("1", "", ""),
		INSTANCES("false", ONE("c1", ",\"parentInstanceId\":7"), ""),
		"{\"type\":\"runtime.overrideStatus\",\"applied\":[]}",
		"{\"type\":\"runtime.overrideStatus\",\"applied\":[{\"instanceId\":\"a\"}],"
		"\"orphaned\":[]}",
		"{\"type\":\"runtime.overrideStatus\",\"applied\":[],\"orphaned\":[{\"instanceId\":"
		"\"a\",\"path\":\"/a\",\"reason\":\"because\"}]}",
		"{\"type\":\"runtime.overrideStatus\",\"applied\":[],\"orphaned\":[],\"rebound\":[{"
		"\"instanceId\":\"a\",\"path\":\"/a\"}]}",
		"{\"type\":\"runtime.result\",\"requestId\":\"1\"}",
	};
	struct tn_wb_sessions_kit *kit = *state;

	for (size_t i = 0; i < TN_COUNT(bad); i++) {
		struct tn_wb_page *page = tn_wb_sessions_kit_page(kit->session);

		kit->closed = 0;
		tn_wb_sessions_kit_say(page, bad[i]);
		if (kit->closed != TN_WB_CLOSE_MALFORMED)
			fail_msg("was taken: %s", bad[i]);
		tn_wb_page_gone(page);
	}
	assert_null(kit->session->selection.caused_by);
	assert_int_equal(kit->session->instances.used, 0);
	assert_true(tn_wb_sessions_kit_has_warning(kit->session, "adapter_message_invalid"));
}

static void what_is_not_known_is_passed_over(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;

	kit->told = 0;
	tn_wb_sessions_kit_say(kit->page, "{\"type\":\"runtime.dance\",\"wild\":true}");
	tn_wb_sessions_kit_say(kit->page, "{\"type\":\"host.init\"}");
	assert_int_equal(kit->closed, 0);
	assert_int_equal(kit->told, 0);
	tn_wb_sessions_kit_say(kit->page, SELECTED(",\"wild\":{\"__proto__\":1},\"source\":{"
						   "\"filePath\":\"../etc/passwd\",\"line\":1}"));
	assert_int_equal(kit->closed, 0);
	assert_null(strstr(tn_wb_sessions_kit_selection(kit), "wild"));
	assert_null(strstr(tn_wb_sessions_kit_selection(kit), "passwd"));
}

/* A message of `size` bytes that selects an instance with one long prop. */
static char *long_selection(size_t size)
{
	static const char head[] = "{\"type\":\"runtime.selectionChanged\",\"causedBy\":\"click\","
				   "\"selected\":{\"instanceId\":\"b1\",\"componentTypeId\":"
				   "\"ui.button\",\"props\":{\"label\":\"";
	static const char tail[] = "\"}}}";
	char *text = tn_mem_alloc(size + 1);

	assert_non_null(text);
	memset(text, 'x', size);
	memcpy(text, head, sizeof(head) - 1);
	memcpy(text + size - (sizeof(tail) - 1), tail, sizeof(tail) - 1);
	return text;
}

static void a_descriptor_that_is_too_large_is_not_selected_and_that_is_said(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;
	char *text = long_selection(70 * TN_KIB);

	tn_wb_sessions_kit_say(kit->page, text);
	assert_int_equal(kit->closed, 0);
	assert_null(kit->session->selection.instance);
	assert_true(tn_wb_sessions_kit_has_warning(kit->session, "descriptor_too_large"));
	tn_mem_free(text);
	text = long_selection(TN_WB_MESSAGE_BYTES_MAX + 1);
	tn_wb_sessions_kit_say(kit->page, text);
	assert_int_equal(kit->closed, TN_WB_CLOSE_MALFORMED);
	tn_mem_free(text);
}

/* A4: each prop is looked up in all of them when the selection is read. */
static void more_props_than_an_adapter_may_list_are_not_selected(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;
	struct tn_buf text;

	for (int count = TN_WB_PROPS_COUNT_MAX; count <= TN_WB_PROPS_COUNT_MAX + 1; count++) {
		tn_buf_init(&text, TN_MIB);
		tn_buf_append_text(&text, "{\"type\":\"runtime.selectionChanged\",\"causedBy\":"
					  "\"click\",\"selected\":{\"instanceId\":\"b1\","
					  "\"componentTypeId\":\"ui.button\",\"props\":{\"p\":0");
		for (int i = 1; i < count; i++)
			tn_buf_format(&text, ",\"p%d\":0", i);
		tn_buf_append_text(&text, "}}}");
		tn_wb_page_receive(kit->page, tn_buf_str(&text));
		tn_buf_finish(&text);
		assert_int_equal(kit->closed, 0);
		assert_non_null(strstr(tn_wb_sessions_kit_selection(kit), "\"p99\""));
		assert_null(strstr(tn_wb_sessions_kit_selection(kit), "\"p100\""));
		assert_int_equal(
			tn_wb_sessions_kit_has_warning(kit->session, "descriptor_too_large"),
			count > TN_WB_PROPS_COUNT_MAX);
	}
}

static void above_the_rate_logs_go_and_the_last_selection_stays(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;
	char id[16];

	for (int i = 0; i < 1000; i++) {
		(void)snprintf(id, sizeof(id), "b%d", i);
		tn_wb_sessions_kit_say(kit->page, "{\"type\":\"runtime.log\",\"level\":\"info\","
						  "\"message\":\"x\"}");
		tn_wb_sessions_kit_click(kit->page, id);
	}
	assert_int_equal(kit->closed, 0);
	assert_true(kit->session->log.count <= TN_WB_MESSAGES_RATE);
	assert_true(tn_wb_sessions_kit_has_warning(kit->session, "messages_dropped"));
	assert_true(tn_wb_sessions_tick(&kit->set) <= 5);
	kit->now_ms += 1100;
	(void)tn_wb_sessions_tick(&kit->set);
	kit->now_ms += 1100;
	(void)tn_wb_sessions_tick(&kit->set);
	assert_non_null(kit->session->selection.instance);
	assert_true(tn_str_is(kit->session->selection.instance->id, "b999"));
}

static void instances_make_the_session_graph(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;
	const char *graph;

	tn_wb_sessions_kit_say(kit->page,
			       INSTANCES("true",
					 ONE("c1", ",\"displayName\":\"Card\"") "," ONE(
						 "c2", ",\"parentInstanceId\":\"c1\",\"source\":{"
						       "\"filePath\":\"src/a.tsx\",\"line\":2}"),
					 ""));
	graph = tn_wb_sessions_kit_graph(kit, kit->session);
	assert_non_null(strstr(graph, "\"revision\":1"));
	assert_non_null(strstr(graph, "\"instanceId\":\"c2\",\"componentTypeId\":\"ui.card\","
				      "\"source\":{\"filePath\":\"src/a.tsx\",\"line\":2}"));
	assert_non_null(strstr(graph, "\"parentInstanceId\":\"c1\",\"childInstanceId\":\"c2\""));
	tn_wb_sessions_kit_say(kit->page,
			       INSTANCES("false",
					 ONE("c3", "") "," ONE("c2", ",\"parentInstanceId\":"
								     "\"c3\""),
					 "\"c1\""));
	graph = tn_wb_sessions_kit_graph(kit, kit->session);
	assert_null(strstr(graph, "\"c1\""));
	assert_non_null(strstr(graph, "\"parentInstanceId\":\"c3\",\"childInstanceId\":\"c2\""));
	assert_int_equal(kit->session->instances.used, 2);
	/* G11: a reload begins anew, at revision 0. */
	tn_wb_page_gone(kit->page);
	kit->page = tn_wb_sessions_kit_page(kit->session);
	assert_non_null(strstr(tn_wb_sessions_kit_graph(kit, kit->session),
			       "\"revision\":0,\"nodes\":[],\"edges\":[]"));
	assert_int_equal(kit->session->instances.used, 0);
}

static void only_the_first_page_reports_instances_and_the_last_touched_selects(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;
	struct tn_wb_page *second = tn_wb_sessions_kit_page(kit->session);

	tn_wb_sessions_kit_say(second, INSTANCES("true", ONE("c1", ""), ""));
	assert_int_equal(kit->session->instances.used, 0);
	tn_wb_sessions_kit_click(kit->page, "b1");
	tn_wb_sessions_kit_click(second, "b2");
	assert_true(tn_str_is(kit->session->selection.instance->id, "b2"));
	tn_wb_page_gone(second);
	assert_null(kit->session->selection.instance);
	assert_string_equal(kit->session->selection.caused_by, "reload");
}

static void an_instance_that_is_unmounted_is_selected_no_more(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;

	tn_wb_sessions_kit_say(kit->page, INSTANCES("true", ONE("c1", ""), ""));
	tn_wb_sessions_kit_click(kit->page, "c1");
	assert_non_null(kit->session->selection.instance);
	tn_wb_sessions_kit_say(kit->page, INSTANCES("false", "", "\"c1\""));
	assert_null(kit->session->selection.instance);
}

static void drafts_that_are_found_again_move_and_are_reported_there(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;
	struct tn_wb_page *second = tn_wb_sessions_kit_page(kit->session);

	(void)second;
	assert_int_equal(
		tn_wb_drafts_kit_apply(&kit->drafts,
				       "[{\"op\":\"set\",\"instanceId\":\"b1\",\"path\":\"/label\","
				       "\"value\":\"Save\"},{\"op\":\"set\",\"instanceId\":\"b2\","
				       "\"path\":\"/label\",\"value\":\"Go\"}]"),
		TENON_OK);
	(void)tn_wb_sessions_kit_sent(kit);
	tn_wb_sessions_kit_say(
		kit->page,
		"{\"type\":\"runtime.overrideStatus\",\"applied\":[{\"instanceId\":\"b1\","
		"\"path\":\"/label\"}],\"orphaned\":[{\"instanceId\":\"b2\",\"path\":\"/label\","
		"\"reason\":\"ambiguous_locator\"}],\"rebound\":[{\"instanceId\":\"b1\",\"path\":"
		"\"/label\",\"toInstanceId\":\"b9\",\"toLocator\":{\"kind\":\"renderIndex\","
		"\"index\":0}}]}");
	assert_int_equal(kit->closed, 0);
	assert_string_equal(tn_wb_drafts_kit_list(&kit->drafts),
			    "app b2 /label \"Go\" orphaned ambiguous_locator\n"
			    "app b9 /label \"Save\" applied\n");
	/* The page that found it knows; the other one is told. */
	assert_non_null(strstr(tn_wb_sessions_kit_sent(kit), "\"instanceId\":\"b9\""));
}

static void facts_are_those_of_the_group(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;
	struct tn_wb_facts facts;
	struct tn_str type = {0};

	tn_wb_sessions_kit_say(kit->page, INSTANCES("true", ONE("c7", ""), ""));
	tn_wb_sessions_kit_click(kit->page, "b7");
	facts = tn_wb_sessions_facts(&kit->set, TN_WB_GROUP_APP);
	assert_true(facts.lists_instances);
	assert_true(facts.instance(facts.data, TN_STR("c7"), &type) && tn_str_is(type, "ui.card"));
	assert_true(facts.instance(facts.data, TN_STR("b7"), &type) &&
		    tn_str_is(type, "ui.button"));
	assert_false(facts.instance(facts.data, TN_STR("b8"), &type));
	facts = tn_wb_sessions_facts(&kit->set, TN_WB_GROUP_COMPONENT);
	assert_false(facts.lists_instances);
	assert_false(facts.instance(facts.data, TN_STR("c7"), &type));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_breaks_the_contract_closes_the_connection),
		TEST(what_is_not_known_is_passed_over),
		TEST(a_descriptor_that_is_too_large_is_not_selected_and_that_is_said),
		TEST(more_props_than_an_adapter_may_list_are_not_selected),
		TEST(above_the_rate_logs_go_and_the_last_selection_stays),
		TEST(instances_make_the_session_graph),
		TEST(only_the_first_page_reports_instances_and_the_last_touched_selects),
		TEST(an_instance_that_is_unmounted_is_selected_no_more),
		TEST(drafts_that_are_found_again_move_and_are_reported_there),
		TEST(facts_are_those_of_the_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
