#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "apps/studio/run/run_tell.h"
#include "apps/studio/limits.h"
#include "jsonrpc/json_write.h"

static void tell(const char *plan, struct tn_studio_told *told)
{
	tn_studio_told_init(told);
	assert_int_equal(tn_studio_tell(tn_str_from(plan), told, NULL), TENON_OK);
	tn_buf_append_byte(&told->lines, '\0');
}

static void the_gravest_first(void **state)
{
	struct tn_studio_told told;

	(void)state;
	tell("{\"resource_changes\":["
	     "{\"address\":\"a.new\",\"action\":\"create\"},"
	     "{\"address\":\"a.read\",\"action\":\"read\"},"
	     "{\"address\":\"a.moved\",\"action\":\"move\",\"previous_address\":\"a.old\"},"
	     "{\"address\":\"a.what\",\"action\":\"unknown\"},"
	     "{\"address\":\"a.odd\",\"action\":\"odd\"},"
	     "{\"address\":\"a.changed\",\"action\":\"update\",\"attributes\":[{\"path\":\"tags."
	     "x\"},"
	     "{\"path\":\"size\"}]},"
	     "{\"address\":\"a.again\",\"action\":\"replace\",\"reasons\":[{\"code\":"
	     "\"replace_because_cannot_update\"}],\"attributes\":[{\"path\":\"zone\","
	     "\"forces_replacement\":true},{\"path\":\"tags\"}]},"
	     "{\"address\":\"a.gone\",\"action\":\"delete\",\"deposed\":\"1a2b\",\"reasons\":["
	     "{\"code\":\"x\",\"text\":\"it is not in the configuration\"}]}],"
	     "\"outputs\":[{\"action\":\"create\"},{\"action\":\"no-op\"}]}",
	     &told);
	assert_string_equal(told.lines.data,
			    "DESTROY a.gone (deposed 1a2b): it is not in the configuration\n"
			    "REPLACE a.again: replace because cannot update; forced by zone\n"
			    "UNKNOWN a.what\n"
			    "UNKNOWN a.odd\n"
			    "change a.changed: tags.x, size\n"
			    "move a.moved (was a.old)\n"
			    "create a.new\n"
			    "1 output changes\n");
	assert_string_equal(told.counts,
			    "2 to add, 1 to change, 2 to destroy, 1 to move, 2 that are not known");
	assert_true(tn_str_is(tn_buf_str(&told.changes),
			      "[{\"address\":\"a.gone\",\"action\":\"delete\"},"
			      "{\"address\":\"a.again\",\"action\":\"replace\"},"
			      "{\"address\":\"a.what\",\"action\":\"unknown\"},"
			      "{\"address\":\"a.odd\",\"action\":\"odd\"},"
			      "{\"address\":\"a.changed\",\"action\":\"update\"},"
			      "{\"address\":\"a.moved\",\"action\":\"move\"},"
			      "{\"address\":\"a.new\",\"action\":\"create\"}]"));
	assert_int_equal(told.numbers.add, 2);
	assert_int_equal(told.numbers.change, 1);
	assert_int_equal(told.numbers.remove, 2);
	assert_int_equal(told.numbers.replace, 1);
	assert_int_equal(told.numbers.move, 1);
	assert_int_equal(told.numbers.unknown, 2);
	assert_int_equal(told.numbers.all, 7);
	tn_studio_told_finish(&told);
}

/* However many, and however long: each is told or counted, and the text stays small. */
static void nothing_is_cut_silently(void **state)
{
	(void)state;
	for (size_t count = 1; count <= 4096; count *= 4) {
		struct tn_studio_told told;
		size_t lines = 0, more = 0;
		struct tn_buf plan;
		const char *rest;

		tn_buf_init(&plan, 16 * TN_MIB);
		tn_buf_append_text(&plan, "{\"resource_changes\":[");
		for (size_t i = 0; i < count; i++)
			tn_buf_format(&plan, "%s{\"address\":\"a.%0*zu\",\"action\":\"%s\"}",
				      i ? "," : "", (int)(i * 7 % 900) + 1, i,
				      i % 2 ? "delete" : "create");
		tn_buf_append_text(&plan, "]}");
		tn_buf_append_byte(&plan, '\0');
		tell(plan.data, &told);
		assert_true(told.lines.size <= TN_STUDIO_TOLD_BYTES_MAX + 1);
		for (const char *at = told.lines.data; (at = strchr(at, '\n')); at++)
			lines++;
		rest = strstr(told.lines.data, "and ");
		if (rest)
			assert_int_equal(sscanf(rest, "and %zu more:", &more), 1);
		assert_int_equal(lines - (rest ? 1 : 0) + more, count);
		assert_int_equal(told.numbers.all, count);
		assert_true(told.changes.size < 1000 * TN_STUDIO_TOLD_MAX);
		tn_studio_told_finish(&told);
		tn_buf_finish(&plan);
	}
}

static void what_is_no_plan(void **state)
{
	static const char *const texts[] = {"", "{", "[]", "{\"resource_changes\":1}", "null"};
	struct tn_studio_told told;
	struct tenon_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		tn_studio_told_init(&told);
		assert_int_not_equal(tn_studio_tell(tn_str_from(texts[i]), &told, &err), TENON_OK);
		tn_studio_told_finish(&told);
	}
}

static void nothing_changes(void **state)
{
	struct tn_studio_told told;

	(void)state;
	tell("{\"resource_changes\":[]}", &told);
	assert_non_null(strstr(told.lines.data, "No resource changes"));
	assert_string_equal(told.counts, "0 to add, 0 to change, 0 to destroy");
	tn_studio_told_finish(&told);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_gravest_first),
		cmocka_unit_test(nothing_is_cut_silently),
		cmocka_unit_test(what_is_no_plan),
		cmocka_unit_test(nothing_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
