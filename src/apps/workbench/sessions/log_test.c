/* The log of a session (workbench.md S20). */
#include "apps/workbench/sessions/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void add(struct tn_wb_log *log, enum tn_wb_log_level level, const char *text)
{
	const struct tn_wb_log_entry entry = {
		.level = level, .origin = TN_WB_LOG_PAGE, .at_wall_ms = 1769849080000};

	tn_wb_log_add(log, &entry, tn_str_from(text));
}

static void sequences_of_terminals_are_left_out(void **none)
{
	static const char *const pairs[][2] = {
		{"\033[31mred\033[0m", "red"},
		{"\033]0;title\aafter", "after"},
		{"\033]8;;http://a\033\\link\033]8;;\033\\", "link"},
		{"\033(Bplain\r\n\tend", "plain\n\tend"},
		{"cut \033[38;5", "cut "},
		{"\033", ""},
		{"a\bb\x7f", "ab"},
	};
	struct tn_wb_log log;

	(void)none;
	tn_wb_log_init(&log);
	for (size_t i = 0; i < TN_COUNT(pairs); i++) {
		add(&log, TN_WB_LOG_INFO, pairs[i][0]);
		assert_string_equal(log.ring[i].message, pairs[i][1]);
	}
	tn_wb_log_finish(&log);
}

static void the_newest_are_kept_and_shown_by_level(void **none)
{
	struct tn_wb_log log;
	struct tn_buf out;
	char text[32];

	(void)none;
	tn_wb_log_init(&log);
	tn_buf_init(&out, TN_MIB);
	for (int i = 0; i < TN_WB_LOG_ENTRIES_MAX + 7; i++) {
		(void)snprintf(text, sizeof(text), "%d", i);
		add(&log, i % 2 ? TN_WB_LOG_ERROR : TN_WB_LOG_DEBUG, text);
	}
	assert_int_equal(log.count, TN_WB_LOG_ENTRIES_MAX);
	(void)tn_wb_log_put(&out, &log,
			    &(struct tn_wb_log_query){.least = TN_WB_LOG_WARN, .limit = 2});
	tn_buf_append_byte(&out, '\0');
	assert_string_equal(out.data, "[{\"level\":\"error\",\"message\":\"503\",\"timestamp\":"
				      "\"2026-01-31T08:44:40.000Z\",\"origin\":\"page\"},"
				      "{\"level\":\"error\",\"message\":\"505\",\"timestamp\":"
				      "\"2026-01-31T08:44:40.000Z\",\"origin\":\"page\"}]");
	tn_buf_finish(&out);
	tn_wb_log_finish(&log);
}

static void a_long_message_is_cut_between_characters(void **none)
{
	char text[TN_WB_TEXT_BYTES_MAX + 16];
	struct tn_wb_log log;

	(void)none;
	for (size_t i = 0; i + 1 < sizeof(text); i += 2)
		memcpy(text + i, "\xC3\xA9", 2);
	text[0] = 'x'; /* so that the limit falls inside of one */
	memmove(text + 1, text + 2, sizeof(text) - 3);
	text[sizeof(text) - 3] = '\0';
	tn_wb_log_init(&log);
	add(&log, TN_WB_LOG_INFO, text);
	assert_int_equal(strlen(log.ring[0].message), TN_WB_TEXT_BYTES_MAX - 1);
	tn_wb_log_finish(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sequences_of_terminals_are_left_out),
		cmocka_unit_test(the_newest_are_kept_and_shown_by_level),
		cmocka_unit_test(a_long_message_is_cut_between_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
