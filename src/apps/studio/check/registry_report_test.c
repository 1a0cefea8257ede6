#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/studio/check/registry_report.h"
#include "base/size.h"
#include "store/file.h"

/* ST-050: the example of docs/registry.md, and what its types become. */
static void test_report(void **state)
{
	struct tn_studio_report report;
	struct tn_arena arena;
	struct tenon_error err = {0};
	struct tn_buf text, shown_text;

	(void)state;
	tn_arena_init(&arena, 64 * TN_MIB);
	tn_buf_init(&text, TN_MIB);
	tn_buf_init(&shown_text, TN_MIB);
	assert_int_equal(tn_file_read(TN_STUDIO_DATA "/../../../../examples/studio-types.json", 0,
				      &text, &err),
			 TENON_OK);
	assert_int_equal(tn_studio_report_make(TN_STR("mine.json"), tn_buf_str(&text), NULL, &arena,
					       &report, &err),
			 TENON_OK);
	if (report.fault_count > 0)
		fail_msg("%.*s: %.*s", (int)report.faults->pointer.size,
			 report.faults->pointer.data, (int)report.faults->message.size,
			 report.faults->message.data);
	assert_int_equal(report.fault_count, 0);
	assert_int_equal(report.type_count, 3);
	tn_studio_report_print(&shown_text, TN_STR("mine.json"), &report);
	tn_buf_append_byte(&shown_text, '\0');
	assert_non_null(strstr(shown_text.data, "# acme/core/server\n"));
	assert_non_null(strstr(shown_text.data, "resource \"acme_linux_server\" \"example\" {"));
	assert_non_null(strstr(shown_text.data, "acme_site.parent.id"));
	assert_non_null(strstr(shown_text.data, "resource \"acme_alarm\" \"example_alarm\" {"));
	assert_non_null(strstr(shown_text.data, "resource \"acme_disk\" \"example\" {"));
	assert_non_null(strstr(shown_text.data, "3 types, 0 mistakes\n"));
	tn_studio_report_finish(&report);
	tn_buf_finish(&shown_text);
	tn_buf_finish(&text);
	tn_arena_finish(&arena);
}

/* ST-050: against a dump of the provider's schema. */
static void test_schema(void **state)
{
	static const char schema[] =
		"{\"provider_schemas\":{\"registry.terraform.io/acme/acme\":{\"resource_schemas\":{"
		"\"acme_box\":{\"block\":{\"attributes\":{\"name\":{},\"id\":{}},\"block_types\":{"
		"\"lid\":{\"block\":{\"attributes\":{\"colour\":{}}}}}}}}}}}";
	static const char text[] =
		"{\"formatVersion\":1,\"palette\":[{\"id\":\"own\",\"label\":\"O\"}],\"providers\":"
		"{"
		"\"acme\":{\"displayName\":\"A\",\"source\":null}},\"types\":[{\"typeId\":"
		"\"acme/own/"
		"box\",\"displayName\":\"B\",\"category\":\"own\",\"terraform\":{\"type\":"
		"\"acme_box\"},\"outputs\":[{\"key\":\"id\",\"attribute\":\"id\"},{\"key\":\"w\","
		"\"attribute\":\"weight[0].kg\"}],\"hcl\":{\"body\":[{\"attr\":\"name\",\"value\":{"
		"\"lit\":1}},{\"attr\":\"nam\",\"value\":{\"lit\":1}},{\"block\":\"lid\",\"items\":"
		"[{"
		"\"attr\":\"color\",\"value\":{\"lit\":1}}]},{\"block\":\"lock\",\"items\":[]}],"
		"\"extra\":[{\"id\":\"e\",\"type\":\"acme_bow\",\"name\":\"{self}\",\"items\":[]}]}"
		"}]}";
	static const char *const expected[] = {
		"acme_box has no argument \"nam\"", "lid has no argument \"color\"",
		"acme_box has no block \"lock\"", "acme_box has no attribute \"weight\"",
		"the schema has no type \"acme_bow\""};
	struct tn_studio_report report;
	struct tn_arena arena;
	struct tn_json *dump;
	struct tenon_error err = {0};
	const struct tn_studio_report_fault *fault;

	(void)state;
	tn_arena_init(&arena, 64 * TN_MIB);
	assert_int_equal(tn_json_parse_copy(&arena, tn_str_from(schema), &dump, &err), TENON_OK);
	assert_int_equal(
		tn_studio_report_make(TN_STR("m"), tn_str_from(text), dump, &arena, &report, &err),
		TENON_OK);
	assert_int_equal(report.fault_count, TN_COUNT(expected));
	fault = report.faults;
	for (size_t i = 0; i < TN_COUNT(expected); i++, fault = fault->next) {
		assert_true(tn_str_is(fault->pointer, "acme/own/box"));
		if (!tn_str_is(fault->message, expected[i]))
			fail_msg("%s: %.*s", expected[i], (int)fault->message.size,
				 fault->message.data);
	}
	tn_studio_report_finish(&report);
	/* Something else is no schema. */
	assert_int_equal(tn_studio_report_make(TN_STR("m"), tn_str_from(text), dump->first->first,
					       &arena, &report, &err),
			 TENON_INVALID);
	tn_arena_finish(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_schema),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
