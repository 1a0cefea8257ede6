/* The override file: its bytes, what is loaded, and what happens when it is damaged, changed or
 * cannot be written (O11 to O15). */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/workbench/drafts/drafts_test_kit.h"
#include "apps/workbench/drafts/json_text.h"
#include "apps/workbench/drafts/override_file.h"
#include "store/file.h"

static struct tn_wb_drafts_kit kit;

static int setup(void **state)
{
	(void)state;
	tn_wb_drafts_kit_init(&kit);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	tn_wb_drafts_kit_finish(&kit);
	return 0;
}

/* O12, the contract's example, which came of this op. */
static void the_file_is_as_the_contract_has_it(void **state)
{
	(void)state;
	kit.facts.lists_instances = false;
	assert_int_equal(tn_wb_drafts_kit_apply(
				 &kit,
				 "[{\"op\":\"set\",\"instanceId\":\"inst_a\",\"path\":\"/label\","
				 "\"value\":\"Save\",\"componentTypeId\":\"ui.button\","
				 "\"instanceLocator\":{\"kind\":\"renderIndex\",\"index\":0}}]"),
			 TENON_OK);
	assert_string_equal(tn_wb_drafts_kit_file(&kit),
			    "{\n  \"schemaVersion\": \"v0\",\n"
			    "  \"updatedAt\": \"2026-01-31T08:44:40.000Z\",\n  \"app\": {\n"
			    "    \"overrides\": [\n      {\n        \"instanceId\": \"inst_a\",\n"
			    "        \"path\": \"/label\",\n        \"value\": \"Save\",\n"
			    "        \"componentTypeId\": \"ui.button\",\n"
			    "        \"instanceLocator\": {\n          \"kind\": \"renderIndex\",\n"
			    "          \"index\": 0\n        }\n      }\n    ]\n  }\n}\n");
}

static void values_are_written_on_lines(void **state)
{
	(void)state;
	assert_int_equal(tn_wb_drafts_kit_apply(&kit, "[{\"op\":\"set\",\"instanceId\":\"c1\","
						      "\"path\":\"/style\",\"value\":{\"z\":"
						      "[],\"a\":{},\"\\u00e9\\u2028\":[1.50,1e2,-0,"
						      "true,null,{\"k\":\"\\u0001\\b\\n"
						      "\\\"\\\\\\u007f/\"}]}}]"),
			 TENON_OK);
	assert_non_null(
		strstr(tn_wb_drafts_kit_file(&kit),
		       "        \"value\": {\n          \"z\": [],\n          \"a\": {},\n"
		       "          \"\xC3\xA9\xE2\x80\xA8\": [\n            1.5,\n"
		       "            100,\n            0,\n            true,\n"
		       "            null,\n            {\n"
		       "              \"k\": \"\\u0001\\b\\n\\\"\\\\\x7F/\"\n            }\n"
		       "          ]\n        }\n      }\n"));
}

/* O12: the shortest form that reads back the same, as ECMAScript writes it. */
static void numbers_are_in_their_shortest_form(void **state)
{
	static const char *const cases[][2] = {
		{"1.0", "1"},
		{"-0", "0"},
		{"-0.0", "0"},
		{"10e-1", "1"},
		{"0.1", "0.1"},
		{"0.10000000000000000555", "0.1"},
		{"1e-6", "0.000001"},
		{"1.5e-7", "1.5e-7"},
		{"1e-7", "1e-7"},
		{"123456789012345678", "123456789012345678"},
		{"9007199254740993", "9007199254740993"},
		{"1e20", "100000000000000000000"},
		{"1e21", "1e+21"},
		{"1.7976931348623157e308", "1.7976931348623157e+308"},
		{"5e-324", "5e-324"},
		{"-2.5", "-2.5"},
		{"0.30000000000000004", "0.30000000000000004"},
		{"12345.678e0", "12345.678"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		const struct tn_json *number = tn_wb_drafts_kit_parse(&kit, cases[i][0]);
		struct tn_buf out;

		tn_buf_init(&out, TN_KIB);
		tn_wb_json_put_compact(&out, number);
		assert_string_equal(tn_wb_drafts_kit_text(&kit, &out), cases[i][1]);
		tn_buf_clear(&out);
		tn_wb_json_put_pretty(&out, number, 0);
		assert_string_equal(tn_wb_drafts_kit_text(&kit, &out), cases[i][1]);
		tn_buf_finish(&out);
	}
}

static void load_text(const char *text)
{
	tn_wb_drafts_kit_write(&kit, tn_str_from(text));
	tn_wb_drafts_kit_reopen(&kit);
}

#define FILE_OF(entries) "{\"schemaVersion\":\"v0\",\"app\":{\"overrides\":[" entries "]}}"
#define GOOD "{\"instanceId\":\"b1\",\"path\":\"/label\",\"value\":\"a\"}"

/* O14: nothing is loaded, nothing is written, sets fail with persist_failed, the diagnostics name
 * the problem. */
static void a_damaged_file_is_left_alone(void **state)
{
	static const char *const cases[][2] = {
		{"", ""},
		{"{", ""},
		{"[]", ""},
		{"{\"schemaVersion\":\"v1\"}", ""},
		{"{\"app\":{\"overrides\":[]}}", ""},
		{"{\"schemaVersion\":\"v0\",\"schemaVersion\":\"v0\"}", ""},
		{"{\"schemaVersion\":\"v0\",\"app\":[]}", "/app"},
		{"{\"schemaVersion\":\"v0\",\"component\":{}}", "/component"},
		{FILE_OF(GOOD ",7"), "/app/overrides/1"},
		{FILE_OF("{\"path\":\"/p\",\"value\":1}"), "/app/overrides/0"},
		{FILE_OF("{\"instanceId\":\"a\",\"path\":\"p\",\"value\":1}"), "/app/overrides/0"},
		{FILE_OF("{\"instanceId\":\"a\",\"path\":\"/__proto__\",\"value\":1}"),
		 "/app/overrides/0"},
		{FILE_OF("{\"instanceId\":\"a\",\"path\":\"/p\"}"), "/app/overrides/0"},
		{FILE_OF("{\"instanceId\":\"a\",\"path\":\"/p\",\"value\":1e999}"),
		 "/app/overrides/0"},
		{FILE_OF("{\"instanceId\":\"a\",\"path\":\"/p\",\"value\":1,\"componentTypeId\":"
			 "\"\"}"),
		 "/app/overrides/0"},
		{FILE_OF("{\"instanceId\":\"a\",\"path\":\"/p\",\"value\":1,\"value\":2}"), ""},
		{FILE_OF("{\"instanceId\":\"\xFF\",\"path\":\"/p\",\"value\":1}"), ""},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		const struct tn_wb_diagnostics *told;

		load_text(cases[i][0]);
		told = tn_wb_drafts_diagnostics(kit.drafts);
		if (!tn_wb_drafts_file_is_invalid(kit.drafts) || !told->count)
			fail_msg("%s", cases[i][0]);
		assert_string_equal(told->items[0].pointer, cases[i][1]);
		assert_int_equal(told->items[0].severity, TN_WB_ERROR);
		assert_string_equal(tn_wb_drafts_kit_list(&kit), "");
		assert_int_not_equal(
			tn_wb_drafts_kit_apply(
				&kit, "[{\"op\":\"set\",\"instanceId\":\"b1\",\"path\":\"/label\","
				      "\"value\":\"x\"}]"),
			TENON_OK);
		assert_string_equal(kit.outcome.failure, "persist_failed");
		assert_string_equal(tn_wb_drafts_kit_list(&kit), "");
		assert_string_equal(tn_wb_drafts_kit_file(&kit), cases[i][0]);
	}
}

static void it_can_be_backed_up_and_reset(void **state)
{
	struct tn_buf backup;

	(void)state;
	assert_int_equal(tn_wb_drafts_reset_file(kit.drafts, NULL), TENON_INVALID);
	load_text("broken");
	assert_int_equal(tn_wb_drafts_reset_file(kit.drafts, NULL), TENON_OK);
	assert_false(tn_wb_drafts_file_is_invalid(kit.drafts));
	assert_null(tn_wb_drafts_kit_file(&kit));
	tn_buf_init(&backup, TN_KIB);
	assert_int_equal(
		tn_file_read(
			tn_arena_format(&kit.arena,
					"%s/.skaffa/overrides.v0.json.bak-2026-01-31T08-44-40.000Z",
					kit.path),
			0, &backup, NULL),
		TENON_OK);
	assert_true(tn_str_is(tn_buf_str(&backup), "broken"));
	tn_buf_finish(&backup);
	assert_int_equal(tn_wb_drafts_kit_apply(&kit, "[{\"op\":\"set\",\"instanceId\":\"b1\","
						      "\"path\":\"/label\",\"value\":\"x\"}]"),
			 TENON_OK);
	assert_non_null(tn_wb_drafts_kit_file(&kit));
}

/* O14: the last of two with one address wins; section 5: unknown fields are told once. */
static void doubled_and_unknown_things_are_told(void **state)
{
	const struct tn_wb_diagnostics *told;

	(void)state;
	load_text(FILE_OF(GOOD ",{\"instanceId\":\"b1\",\"path\":\"/label\",\"value\":\"last\","
			       "\"note\":1,\"more\":2}"));
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "app b1 /label \"last\" pending\n");
	told = tn_wb_drafts_diagnostics(kit.drafts);
	assert_int_equal(told->count, 2);
	assert_string_equal(told->items[0].code, "unknown_field");
	assert_string_equal(told->items[0].pointer, "/app/overrides/1/note");
	assert_string_equal(told->items[1].code, "duplicate_override");
	assert_int_equal(told->items[1].severity, TN_WB_WARNING);
}

/* O15 */
static void a_change_from_outside_is_one_change(void **state)
{
	(void)state;
	assert_int_equal(
		tn_wb_drafts_kit_apply(
			&kit,
			"[{\"op\":\"set\",\"instanceId\":\"b1\",\"path\":\"/label\",\"value\":"
			"\"x\"},{\"op\":\"set\",\"instanceId\":\"b2\",\"path\":\"/label\","
			"\"value\":\"y\"}]"),
		TENON_OK);
	assert_int_equal(tn_wb_drafts_kit_reload(&kit), TENON_OK);
	assert_false(kit.outcome.changed);
	tn_wb_drafts_kit_write(
		&kit, TN_STR(FILE_OF("{\"instanceId\":\"b2\",\"path\":\"/label\",\"value\":"
				     "\"y\"},{\"instanceId\":\"c9\",\"path\":\"/q\","
				     "\"value\":[1.0]}")));
	assert_int_equal(tn_wb_drafts_kit_reload(&kit), TENON_OK);
	assert_true(kit.outcome.changed);
	assert_int_equal(kit.outcome.revision, 2);
	assert_string_equal(
		tn_wb_drafts_kit_text(&kit, &kit.outcome.forth[TN_WB_GROUP_APP]),
		"[{\"op\":\"clear\",\"instanceId\":\"b1\",\"path\":\"/label\"},{\"op\":\"set\","
		"\"instanceId\":\"c9\",\"path\":\"/q\",\"value\":[1]}]");
	assert_string_equal(tn_wb_drafts_kit_list(&kit),
			    "app b2 /label \"y\" pending\napp c9 /q [1] pending\n");
	/* Their bytes stay as they are, and it can be undone. */
	assert_non_null(strstr(tn_wb_drafts_kit_file(&kit), "[1.0]"));
	assert_int_equal(tn_wb_drafts_kit_undo(&kit, false), TENON_OK);
	assert_string_equal(tn_wb_drafts_kit_list(&kit),
			    "app b1 /label \"x\" pending\napp b2 /label \"y\" pending\n");
}

static void damage_from_outside_loses_nothing(void **state)
{
	const struct tn_wb_rebound moves = {
		{TN_WB_GROUP_APP, TN_STR("b1"), TN_STR("/label")}, TN_STR("b2"), NULL};
	size_t moved;

	(void)state;
	assert_int_equal(tn_wb_drafts_kit_apply(&kit, "[{\"op\":\"set\",\"instanceId\":\"b1\","
						      "\"path\":\"/label\",\"value\":\"x\"}]"),
			 TENON_OK);
	tn_wb_drafts_kit_write(&kit, TN_STR("<<<<<<< ours"));
	assert_int_equal(tn_wb_drafts_kit_reload(&kit), TENON_OK);
	assert_false(kit.outcome.changed);
	assert_true(tn_wb_drafts_file_is_invalid(kit.drafts));
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "app b1 /label \"x\" pending\n");
	assert_int_not_equal(tn_wb_drafts_kit_apply(&kit, "[{\"op\":\"clearAll\"}]"), TENON_OK);
	assert_string_equal(kit.outcome.failure, "persist_failed");
	assert_int_equal(tn_wb_drafts_rebind(kit.drafts, &moves, 1, &moved, NULL), TENON_INVALID);
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "app b1 /label \"x\" pending\n");
	assert_int_equal(tn_wb_drafts_kit_undo(&kit, false), TENON_INVALID);
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "app b1 /label \"x\" pending\n");
	tn_wb_drafts_kit_write(&kit, TN_STR(FILE_OF(GOOD)));
	assert_int_equal(tn_wb_drafts_kit_reload(&kit), TENON_OK);
	assert_false(tn_wb_drafts_file_is_invalid(kit.drafts));
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "app b1 /label \"a\" pending\n");
	assert_int_equal(tn_wb_drafts_diagnostics(kit.drafts)->count, 0);
}

/* O6: what cannot be written has not happened. The workspace may not lead us out of itself. */
static void what_cannot_be_written_has_not_happened(void **state)
{
	static const char set[] = "[{\"op\":\"set\",\"instanceId\":\"b1\",\"path\":\"/label\","
				  "\"value\":\"x\"}]";

	(void)state;
	assert_int_equal(symlinkat("/tmp", kit.root_fd, ".skaffa"), 0);
	assert_int_equal(tn_wb_drafts_kit_apply(&kit, set), TENON_DENIED);
	assert_string_equal(kit.outcome.failure, "persist_failed");
	assert_false(kit.outcome.changed);
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "");
	assert_int_equal(tn_wb_drafts_revision(kit.drafts), 0);
	assert_int_equal(tn_wb_drafts_kit_undo(&kit, false), TENON_NOT_FOUND);
	tn_wb_drafts_kit_reopen(&kit);
	assert_true(tn_wb_drafts_file_is_invalid(kit.drafts));
	assert_int_equal(unlinkat(kit.root_fd, ".skaffa", 0), 0);
	tn_wb_drafts_kit_reopen(&kit);
	assert_int_equal(tn_wb_drafts_kit_apply(&kit, set), TENON_OK);
}

static void a_link_instead_of_the_file_is_refused(void **state)
{
	(void)state;
	assert_int_equal(mkdirat(kit.root_fd, ".skaffa", 0777), 0);
	assert_int_equal(symlinkat("/etc/hostname", kit.root_fd, ".skaffa/overrides.v0.json"), 0);
	tn_wb_drafts_kit_reopen(&kit);
	assert_true(tn_wb_drafts_file_is_invalid(kit.drafts));
	assert_int_equal(tn_wb_drafts_reset_file(kit.drafts, NULL), TENON_OK);
	assert_int_equal(tn_wb_drafts_kit_apply(&kit, "[{\"op\":\"set\",\"instanceId\":\"b1\","
						      "\"path\":\"/label\",\"value\":\"x\"}]"),
			 TENON_OK);
}

/* O13 */
static void leftovers_of_a_crash_are_removed(void **state)
{
	int fd;

	(void)state;
	assert_int_equal(mkdirat(kit.root_fd, ".skaffa", 0777), 0);
	fd = openat(kit.root_fd, ".skaffa/.tenon-abc.tmp", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	(void)close(fd); /* it is empty */
	fd = openat(kit.root_fd, ".skaffa/notes.tmp", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	(void)close(fd); /* it is empty */
	tn_wb_drafts_kit_reopen(&kit);
	assert_int_equal(faccessat(kit.root_fd, ".skaffa/.tenon-abc.tmp", F_OK, 0), -1);
	assert_int_equal(faccessat(kit.root_fd, ".skaffa/notes.tmp", F_OK, 0), 0);
}

static void a_file_beyond_the_limits_is_not_used(void **state)
{
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, 16 * TN_MIB);
	tn_buf_append_text(&text, "{\"schemaVersion\":\"v0\",\"app\":{\"overrides\":[");
	for (int i = 0; i <= TN_WB_OVERRIDES_MAX; i++)
		tn_buf_format(&text, "%s{\"instanceId\":\"i%d\",\"path\":\"/p\",\"value\":0}",
			      i ? "," : "", i);
	tn_buf_append_text(&text, "]}}");
	tn_wb_drafts_kit_write(&kit, tn_buf_str(&text));
	tn_wb_drafts_kit_reopen(&kit);
	assert_true(tn_wb_drafts_file_is_invalid(kit.drafts));
	assert_string_equal(tn_wb_drafts_diagnostics(kit.drafts)->items[0].code, "limit_exceeded");
	assert_string_equal(tn_wb_drafts_kit_list(&kit), "");
	tn_buf_clear(&text);
	tn_buf_append_text(
		&text, "{\"schemaVersion\":\"v0\",\"app\":{\"overrides\":[{\"instanceId\":\"a\","
		       "\"path\":\"/p\",\"value\":");
	for (int i = 0; i < 100000; i++)
		tn_buf_append_byte(&text, '[');
	tn_wb_drafts_kit_write(&kit, tn_buf_str(&text));
	tn_wb_drafts_kit_reopen(&kit);
	assert_true(tn_wb_drafts_file_is_invalid(kit.drafts));
	tn_buf_finish(&text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_file_is_as_the_contract_has_it),
		TEST(values_are_written_on_lines),
		TEST(numbers_are_in_their_shortest_form),
		TEST(a_damaged_file_is_left_alone),
		TEST(it_can_be_backed_up_and_reset),
		TEST(doubled_and_unknown_things_are_told),
		TEST(a_change_from_outside_is_one_change),
		TEST(damage_from_outside_loses_nothing),
		TEST(what_cannot_be_written_has_not_happened),
		TEST(a_link_instead_of_the_file_is_refused),
		TEST(leftovers_of_a_crash_are_removed),
		TEST(a_file_beyond_the_limits_is_not_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
