/* The engine's lines: whatever comes is read (studio.md 9.7, ST-088, ST-145). */
#include "apps/studio/run/run_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "apps/studio/limits.h"
#include "base/mem.h"
#include "base/utf8.h"

struct heard {
	struct tn_buf text; /* each line in brackets, with what was cut */
	unsigned count;
	uint64_t cut;
	size_t longest;
};

static void hear(struct tn_str line, uint64_t cut, void *data)
{
	struct heard *heard = data;

	heard->count++;
	heard->cut += cut;
	if (line.size > heard->longest)
		heard->longest = line.size;
	if (line.size > 1000)
		return;
	tn_buf_append_byte(&heard->text, '[');
	tn_buf_append_str(&heard->text, line);
	tn_buf_append_byte(&heard->text, ']');
}

static void expect_lines(const char *bytes, size_t size, const char *expected)
{
	for (size_t piece = 1; piece <= size + 1; piece++) { /* however it arrives */
		struct heard heard = {.count = 0};
		struct tn_studio_lines lines;

		tn_buf_init(&heard.text, TN_MIB);
		tn_studio_lines_init(&lines);
		for (size_t at = 0; at < size; at += piece)
			tn_studio_lines_feed(
				&lines, tn_str(bytes + at, size - at < piece ? size - at : piece),
				hear, &heard);
		tn_studio_lines_end(&lines, hear, &heard);
		tn_studio_lines_end(&lines, hear, &heard); /* once is enough */
		tn_buf_append_byte(&heard.text, '\0');
		assert_string_equal(heard.text.data, expected);
		tn_buf_finish(&heard.text);
		tn_studio_lines_finish(&lines);
	}
}

static void splitting(void **state) /* ST-088: half lines at the end are kept */
{
	(void)state;
	expect_lines("", 0, "");
	expect_lines("a\nb\n", 4, "[a][b]");
	expect_lines("a\r\n\nb\r", 6, "[a][][b]");
	expect_lines("half", 4, "[half]");
	expect_lines("\n", 1, "[]");
}

static void long_lines(void **state) /* ST-088: over 1 MiB they are cut, and it is said */
{
	enum { BLOCK = 64 * 1024 };
	char *block = tn_mem_alloc(BLOCK);
	struct heard heard = {.count = 0};
	struct tn_studio_lines lines;

	(void)state;
	assert_non_null(block);
	memset(block, 'x', BLOCK);
	tn_buf_init(&heard.text, TN_MIB);
	tn_studio_lines_init(&lines);
	for (int i = 0; i < 32; i++) /* 2 MiB */
		tn_studio_lines_feed(&lines, tn_str(block, BLOCK), hear, &heard);
	assert_int_equal(heard.count, 0);
	tn_studio_lines_feed(&lines, TN_STR("\nnext\n"), hear, &heard);
	assert_int_equal(heard.count, 2);
	assert_int_equal(heard.longest, TN_STUDIO_RUN_LINE_BYTES_MAX);
	assert_int_equal(heard.cut, 32 * BLOCK - TN_STUDIO_RUN_LINE_BYTES_MAX);
	assert_int_equal(heard.text.size, 6); /* the one after it is whole */
	tn_mem_free(block);
	tn_buf_finish(&heard.text);
	tn_studio_lines_finish(&lines);
}

static void expect_clean(struct tn_str raw, const char *expected)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	tn_studio_line_clean(&out, raw);
	assert_true(tn_utf8_valid(out.data ? out.data : "", out.size));
	tn_buf_append_byte(&out, '\0');
	assert_string_equal(out.data, expected);
	tn_buf_finish(&out);
}

static void cleaning(void **state) /* ST-145: colours stay, nothing else does */
{
	(void)state;
	expect_clean(TN_STR("plain \xc3\xa9 \xe2\x82\xac"), "plain \xc3\xa9 \xe2\x82\xac");
	expect_clean(TN_STR("\033[1;31mred\033[0m"), "\033[1;31mred\033[0m");
	expect_clean(TN_STR("a\033[2Jb\033[Hc\033[?25ld"), "abcd");
	expect_clean(TN_STR("\033]0;title\aX\033]8;;http://x\033\\Y"), "XY");
	expect_clean(TN_STR("\033Pq#0\033\\Z"), "Z");
	expect_clean(TN_STR("\033[?1m not a colour"), " not a colour");
	expect_clean(TN_STR("end\033"), "end");
	expect_clean(TN_STR("end\033["), "end");
	expect_clean(TN_STR("end\033[31"), "end");
	expect_clean(TN_STR("end\033]0;t"), "end");
	expect_clean(TN_STR("a\0b\x07"
			    "c\x7f"
			    "d\te"),
		     "abcd\te");
	expect_clean(TN_STR("one\ntwo\rthree"), "one two three");
	expect_clean(TN_STR("\xc3(\xff\xed\xa0\x80"), "\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd"
						      "\xef\xbf\xbd\xef\xbf\xbd");
	expect_clean(TN_STR("\xc2\x9b"
			    "31m"),
		     "31m"); /* C1 */
	expect_clean(TN_STR("a\xe2\x80\xae"
			    "b\xe2\x80\xa8"
			    "c"),
		     "abc"); /* turned, broken */
}

static void expect_said(const char *line, enum tn_studio_says says, const char *message,
			const char *address, const char *action)
{
	struct tn_studio_said said;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_MIB);
	tn_studio_line_read(tn_str_from(line), &arena, &said);
	assert_int_equal(said.says, says);
	assert_true(tn_str_is(said.message, message));
	assert_true(tn_str_is(said.address, address));
	assert_true(tn_str_is(said.action, action));
	tn_arena_finish(&arena);
}

static void reading(void **state) /* Appendix A; ST-088: unknown types and fields are nothing */
{
	struct tn_studio_said said;
	struct tn_arena arena;

	(void)state;
	expect_said("plain text", TN_STUDIO_SAYS_TEXT, "", "", "");
	expect_said("{", TN_STUDIO_SAYS_TEXT, "", "", "");
	expect_said("{}", TN_STUDIO_SAYS_TEXT, "", "", "");
	expect_said("[1]", TN_STUDIO_SAYS_TEXT, "", "", "");
	expect_said("{\"@message\":1,\"type\":[]}", TN_STUDIO_SAYS_TEXT, "", "", "");
	expect_said("{\"@message\":\"m\",\"type\":\"brand_new\"}", TN_STUDIO_SAYS_TEXT, "m", "",
		    "");
	expect_said("{\"@message\":\"m\",\"type\":\"planned_change\",\"change\":{\"resource\":"
		    "{\"addr\":\"a.b\"},\"action\":\"noop\",\"new\":1}}",
		    TN_STUDIO_SAYS_PLANNED, "m", "a.b", "noop");
	expect_said("{\"@message\":\"m\",\"type\":\"planned_change\",\"change\":7}",
		    TN_STUDIO_SAYS_TEXT, "m", "", "");
	expect_said("{\"@message\":\"m\",\"type\":\"apply_start\",\"hook\":{\"resource\":{\"addr\":"
		    "\"module.m.a.b[0]\"},\"action\":\"delete\"}}",
		    TN_STUDIO_SAYS_START, "m", "module.m.a.b[0]", "delete");
	expect_said("{\"@message\":\"m\",\"type\":\"apply_errored\",\"hook\":{\"resource\":{}}}",
		    TN_STUDIO_SAYS_TEXT, "m", "", "");
	expect_said("{\"@message\":\"m\",\"type\":\"diagnostic\",\"diagnostic\":\"no\"}",
		    TN_STUDIO_SAYS_TEXT, "m", "", "");
	tn_arena_init(&arena, TN_MIB);
	tn_studio_line_read(TN_STR("{\"@level\":\"info\",\"@message\":\"s\",\"type\":"
				   "\"change_summary\",\"changes\":{\"add\":1,\"change\":\"x\","
				   "\"remove\":-4,\"import\":3,\"operation\":\"plan\"}}"),
			    &arena, &said);
	assert_int_equal(said.says, TN_STUDIO_SAYS_SUMMARY);
	assert_int_equal(said.add, 1);
	assert_int_equal(said.change, 0);
	assert_int_equal(said.remove, 0);
	assert_int_equal(said.import, 3);
	assert_true(tn_str_is(said.operation, "plan"));
	assert_true(tn_str_is(said.level, "info"));
	assert_true(tn_str_is(tn_studio_action_word(TN_STR("noop")), "no-op"));
	assert_true(tn_str_is(tn_studio_action_word(TN_STR("remove")), "forget"));
	assert_true(tn_str_is(tn_studio_action_word(TN_STR("create")), "create"));
	tn_arena_finish(&arena);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(splitting),
		cmocka_unit_test(long_lines),
		cmocka_unit_test(cleaning),
		cmocka_unit_test(reading),
	};

	return cmocka_run_group_tests(all, NULL, NULL);
}
