/* The life of sessions and their pages (workbench.md 10.2 to 10.4, S1 to S5, A3). */
#include "apps/workbench/sessions/sessions_test_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static struct tn_wb_sessions_kit the_kit;

static int set_up(void **state)
{
	tn_wb_sessions_kit_init(&the_kit);
	*state = &the_kit;
	return 0;
}

static int tear_down(void **state)
{
	tn_wb_sessions_kit_finish(*state);
	return 0;
}

static void a_session_is_ready_when_its_adapter_has_shaken_hands(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;
	const char *info;

	assert_int_equal(kit->session->state, TN_WB_SESSION_LOADING);
	tn_wb_sessions_kit_page(kit->session);
	assert_int_equal(kit->session->state, TN_WB_SESSION_READY);
	assert_ptr_equal(kit->set.active, kit->session);
	info = tn_wb_sessions_kit_info(kit, kit->session);
	assert_non_null(strstr(info, "\"target\":{\"type\":\"app\",\"url\":"
				     "\"http://127.0.0.1:5173/\"},\"state\":\"ready\","
				     "\"active\":true,\"url\":\"http://127.0.0.1:40000/\""));
	assert_non_null(strstr(info, "\"adapter\":{\"id\":\"fake\",\"version\":\"1\""));
	assert_non_null(strstr(info, "\"pages\":1,\"mode\":\"editor\",\"route\":{\"pathname\":"
				     "\"/menu/rye\",\"matchedRouteIds\":[],\"source\":"
				     "\"location\"},\"launcher\":null"));
}

static void the_handshake_is_answered_with_drafts_defaults_and_types(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;
	const char *sent;

	assert_int_equal(
		tn_wb_drafts_kit_apply(&kit->drafts,
				       "[{\"op\":\"set\",\"instanceId\":\"b1\",\"path\":\"/label\","
				       "\"value\":\"Save\"}]"),
		TENON_OK);
	tn_wb_sessions_kit_page(kit->session);
	sent = tn_wb_sessions_kit_sent(kit);
	assert_non_null(strstr(sent, "{\"type\":\"host.init\",\"sessionId\":\"session_"));
	assert_non_null(strstr(sent, "\"protocol\":\"v0\",\"mode\":\"editor\","
				     "\"initialOverrides\":[{\"op\":\"set\",\"instanceId\":\"b1\","
				     "\"path\":\"/label\",\"value\":\"Save\""));
	assert_non_null(strstr(sent, "\"propDefaults\":{\"ui.button\":{\"tone\":\"quiet\"}}"));
	assert_non_null(strstr(sent, "{\"typeId\":\"ui.button\",\"displayNames\":[\"Button\"]}"));
}

static void a_wrong_key_and_a_late_hello_close_the_connection(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;
	struct tn_wb_page *page = NULL;
	struct tenon_error err;

	assert_int_equal(tn_wb_page_open(kit->session, NULL, &page, &err), TENON_OK);
	tn_wb_sessions_kit_say(page, "{\"type\":\"runtime.ready\",\"key\":\"guess\"}");
	assert_int_equal(kit->closed, 4401);
	tn_wb_page_gone(page);
	assert_int_equal(tn_wb_page_open(kit->session, NULL, &page, &err), TENON_OK);
	tn_wb_sessions_kit_say(page, "{\"type\":\"runtime.log\"}");
	assert_int_equal(kit->closed, 4400);
	tn_wb_page_gone(page);
	kit->closed = 0;
	assert_int_equal(tn_wb_page_open(kit->session, NULL, &page, &err), TENON_OK);
	assert_int_equal(tn_wb_sessions_tick(&kit->set), TN_WB_HELLO_MS);
	kit->now_ms += TN_WB_HELLO_MS;
	(void)tn_wb_sessions_tick(&kit->set);
	assert_int_equal(kit->closed, 4400);
	assert_int_equal(kit->session->state, TN_WB_SESSION_LOADING);
	assert_string_equal(tn_wb_sessions_kit_sent(kit), "");
}

static void warnings_come_with_time_and_go_with_a_handshake(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;
	struct tn_wb_page *page;

	kit->now_ms += TN_WB_NOT_DETECTED_MS - 1;
	assert_int_equal(tn_wb_sessions_tick(&kit->set), 1);
	assert_false(tn_wb_sessions_kit_has_warning(kit->session, "adapter_not_detected"));
	kit->now_ms++;
	assert_true(tn_wb_sessions_tick(&kit->set) == UINT64_MAX);
	assert_true(tn_wb_sessions_kit_has_warning(kit->session, "adapter_not_detected"));
	page = tn_wb_sessions_kit_page(kit->session);
	assert_int_equal(kit->session->warnings.count, 0);
	tn_wb_page_gone(page);
	assert_int_equal(kit->session->state, TN_WB_SESSION_RELOADING);
	kit->now_ms += TN_WB_DISCONNECTED_MS;
	(void)tn_wb_sessions_tick(&kit->set);
	assert_true(tn_wb_sessions_kit_has_warning(kit->session, "adapter_disconnected"));
	tn_wb_sessions_kit_page(kit->session);
	assert_int_equal(kit->session->state, TN_WB_SESSION_READY);
	assert_int_equal(kit->session->warnings.count, 0);
}

static void a_launch_that_takes_too_long_has_failed(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;
	struct tn_wb_target target = {.type = TN_WB_GROUP_APP, .launcher = TN_STR("vite")};
	struct tn_wb_session *session = NULL;
	struct tenon_error err;

	assert_int_equal(tn_wb_session_start(&kit->set, &target, &session, &err), TENON_OK);
	kit->now_ms += TN_WB_LAUNCH_MS;
	(void)tn_wb_sessions_tick(&kit->set);
	assert_int_equal(session->state, TN_WB_SESSION_FAILED);
	assert_non_null(strstr(tn_wb_sessions_kit_info(kit, session),
			       "\"launcher\":{\"id\":\"vite\",\"state\":\"failed\"}"));
	assert_non_null(strstr(tn_wb_sessions_kit_info(kit, session),
			       "\"lastError\":{\"code\":\"launch_timeout\""));
	assert_true(tn_wb_session_stop(session));
	tn_wb_session_released(session);
	assert_int_equal(kit->set.count, 1);
}

static void a_stopped_session_closes_its_pages_and_the_next_app_is_active(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;
	struct tn_wb_session *other = tn_wb_sessions_kit_start(
		kit, "{\"type\":\"app\",\"url\":\"http://127.0.0.1:5174/\"}");
	struct tn_wb_session *card = tn_wb_sessions_kit_start(
		kit, "{\"type\":\"component\",\"componentTypeId\":\"ui.card\",\"harnessUrl\":"
		     "\"http://127.0.0.1:5174/\"}");
	struct tn_wb_page *page, *unused = NULL;
	struct tenon_error err;

	tn_wb_sessions_kit_page(card);
	assert_null(kit->set.active);
	page = tn_wb_sessions_kit_page(kit->session);
	tn_wb_sessions_kit_page(other);
	assert_ptr_equal(kit->set.active, kit->session);
	tn_wb_sessions_kit_click(page, "b1");
	assert_true(tn_wb_session_stop(kit->session));
	assert_false(tn_wb_session_stop(kit->session));
	assert_int_equal(kit->closed, 4409);
	assert_ptr_equal(kit->set.active, other);
	assert_string_equal(kit->session->selection.caused_by, "sessionEnded");
	assert_int_equal(tn_wb_page_open(kit->session, NULL, &unused, &err), TENON_EXPIRED);
	tn_wb_page_gone(page);
	tn_wb_session_released(kit->session);
	assert_int_equal(kit->set.count, 2);
	assert_true(tn_wb_session_activate(card));
	assert_ptr_equal(kit->set.active, card);
}

static void sessions_and_pages_are_bounded(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;
	struct tn_wb_target target = {.type = TN_WB_GROUP_APP};
	struct tn_wb_session *session = NULL;
	struct tn_wb_page *page = NULL;
	struct tenon_error err;

	for (int i = 1; i < TN_WB_SESSIONS_MAX; i++)
		assert_int_equal(tn_wb_session_start(&kit->set, &target, &session, &err), TENON_OK);
	assert_int_equal(tn_wb_session_start(&kit->set, &target, &session, &err), TENON_LIMIT);
	for (int i = 0; i < TN_WB_PAGES_MAX; i++)
		assert_int_equal(tn_wb_page_open(kit->session, NULL, &page, &err), TENON_OK);
	assert_int_equal(tn_wb_page_open(kit->session, NULL, &page, &err), TENON_LIMIT);
}

static void a_second_page_gets_drafts_and_keeps_the_session_ready(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;
	struct tn_wb_page *first = tn_wb_sessions_kit_page(kit->session);
	struct tn_wb_page *second = tn_wb_sessions_kit_page(kit->session);

	(void)tn_wb_sessions_kit_sent(kit);
	tn_wb_sessions_apply(&kit->set, TN_WB_GROUP_APP, TN_STR("[{\"op\":\"clearAll\"}]"));
	assert_non_null(strstr(strchr(tn_wb_sessions_kit_sent(kit), '\n'), "host.applyOverrides"));
	tn_wb_sessions_apply(&kit->set, TN_WB_GROUP_COMPONENT, TN_STR("[]"));
	assert_string_equal(tn_wb_sessions_kit_sent(kit), "");
	tn_wb_sessions_kit_say(first, "{\"type\":\"runtime.unload\"}");
	assert_int_equal(kit->session->state, TN_WB_SESSION_READY);
	tn_wb_sessions_kit_say(second, "{\"type\":\"runtime.unload\"}");
	assert_int_equal(kit->session->state, TN_WB_SESSION_RELOADING);
}

static void requests_go_to_the_page_and_come_back_by_number(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;
	struct tn_wb_page *page;
	uint64_t number;

	assert_int_equal(tn_wb_session_select(kit->session, TN_STR("b1")), 0);
	page = tn_wb_sessions_kit_page(kit->session);
	(void)tn_wb_sessions_kit_sent(kit);
	number = tn_wb_session_navigate(kit->session, TN_STR("/menu/\"x\""));
	assert_int_equal(number, 1);
	assert_non_null(strstr(tn_wb_sessions_kit_sent(kit),
			       "\"requestId\":\"1\",\"to\":{\"path\":\"/menu/\\\"x\\\"\"}}"));
	tn_wb_sessions_kit_say(page, "{\"type\":\"runtime.result\",\"requestId\":\"7\","
				     "\"ok\":true}");
	assert_int_equal(kit->result, 0);
	tn_wb_sessions_kit_say(page, "{\"type\":\"runtime.result\",\"requestId\":\"1\","
				     "\"ok\":false,\"error\":{\"code\":\"a\",\"message\":\"b\"}}");
	assert_int_equal(kit->result, 1);
	assert_false(kit->result_ok);
	tn_wb_session_set_mode(kit->session, true);
	assert_non_null(strstr(tn_wb_sessions_kit_sent(kit), "\"mode\":\"interact\""));
}

/* 15.3: also to a page that comes later; who asked before takes nothing of the next away. */
static void a_prompt_is_shown_until_it_is_taken_back(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;
	uint64_t first = tn_wb_session_prompt(kit->session, "Which one?"), second;

	(void)tn_wb_sessions_kit_page(kit->session);
	assert_non_null(strstr(tn_wb_sessions_kit_sent(kit), "\"text\":\"Which one?\""));
	second = tn_wb_session_prompt(kit->session, "And now?");
	tn_wb_session_unprompt(kit->session, first);
	assert_string_equal(kit->session->prompt, "And now?");
	assert_null(strstr(tn_wb_sessions_kit_sent(kit), "null"));
	tn_wb_session_unprompt(kit->session, second);
	assert_null(kit->session->prompt);
	assert_non_null(strstr(tn_wb_sessions_kit_sent(kit), "\"text\":null"));
	(void)tn_wb_session_prompt(kit->session, "Freed with its session");
}

static void drafts_are_pending_again_when_the_last_session_ends(void **state)
{
	struct tn_wb_sessions_kit *kit = *state;
	struct tn_wb_page *page = tn_wb_sessions_kit_page(kit->session);

	assert_int_equal(
		tn_wb_drafts_kit_apply(&kit->drafts,
				       "[{\"op\":\"set\",\"instanceId\":\"b1\",\"path\":\"/label\","
				       "\"value\":\"Save\"}]"),
		TENON_OK);
	tn_wb_sessions_kit_say(page, "{\"type\":\"runtime.overrideStatus\",\"applied\":[{"
				     "\"instanceId\":\"b1\",\"path\":\"/label\"}],"
				     "\"orphaned\":[]}");
	assert_non_null(strstr(tn_wb_drafts_kit_list(&kit->drafts), "applied"));
	kit->told = 0;
	tn_wb_session_stop(kit->session);
	assert_true(kit->told & TN_WB_CHANGED_DRAFTS);
	assert_non_null(strstr(tn_wb_drafts_kit_list(&kit->drafts), "pending"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_session_is_ready_when_its_adapter_has_shaken_hands),
		TEST(the_handshake_is_answered_with_drafts_defaults_and_types),
		TEST(a_wrong_key_and_a_late_hello_close_the_connection),
		TEST(warnings_come_with_time_and_go_with_a_handshake),
		TEST(a_launch_that_takes_too_long_has_failed),
		TEST(a_stopped_session_closes_its_pages_and_the_next_app_is_active),
		TEST(sessions_and_pages_are_bounded),
		TEST(a_second_page_gets_drafts_and_keeps_the_session_ready),
		TEST(requests_go_to_the_page_and_come_back_by_number),
		TEST(drafts_are_pending_again_when_the_last_session_ends),
		TEST(a_prompt_is_shown_until_it_is_taken_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
