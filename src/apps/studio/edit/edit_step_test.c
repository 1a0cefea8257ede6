/* The steps of one change, and the revision that it is made on (studio.md 12.6, ST-060, ST-061). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "apps/studio/document/document_test_kit.h"
#include "jsonrpc/json_write.h"

#define GROUP "azurerm/core/resource_group"

/* ST-061 */
static void another_revision_is_refused(void **state)
{
	struct studio_kit *kit = *state;
	struct tn_studio_edit edit = {.document = &kit->document,
				      .log = kit->log,
				      .arena = &kit->arena,
				      .fault = &kit->fault};

	(void)studio_kit_add(kit, GROUP, NULL);
	assert_false(tn_studio_edit_begin(&edit, 7));
	assert_string_equal(kit->fault.code, "STALE_REVISION");
	assert_string_equal(kit->fault.details.data, "{\"revision\":1,\"expectedRevision\":7}");
}

/* 12.6: a batch is one change; a step that fails leaves the others, abandoning leaves nothing. */
static void many_steps_are_one_change(void **state)
{
	struct studio_kit *kit = *state;
	struct tn_studio_edit edit = {.document = &kit->document,
				      .log = kit->log,
				      .arena = &kit->arena,
				      .fault = &kit->fault,
				      .actor = "x",
				      .tool = "execute_batch"};
	struct tn_buf result;
	size_t size;

	tn_buf_init(&result, TN_MIB);
	tn_json_begin_object(&result);
	assert_true(tn_studio_edit_begin(&edit, -1));
	assert_true(tn_studio_edit_add(&edit, studio_kit_parse(kit, "{\"typeId\":\"" GROUP "\"}"),
				       &result));
	size = result.size;
	assert_false(
		tn_studio_edit_add(&edit, studio_kit_parse(kit, "{\"typeId\":\"x\"}"), &result));
	assert_int_equal(result.size, size);
	assert_true(tn_studio_edit_add(&edit, studio_kit_parse(kit, "{\"typeId\":\"" GROUP "\"}"),
				       &result));
	assert_true(tn_studio_edit_finish(&edit, NULL, false, &kit->change));
	assert_string_equal(kit->change.label, "2 changes");
	assert_int_equal(kit->change.revision, 1);
	assert_int_equal(kit->document.node_count, 2);
	studio_kit_undo(kit);
	assert_int_equal(kit->document.node_count, 0);
	assert_true(tn_studio_edit_begin(&edit, -1));
	assert_true(tn_studio_edit_add(&edit, studio_kit_parse(kit, "{\"typeId\":\"" GROUP "\"}"),
				       &result));
	tn_studio_edit_abandon(&edit);
	assert_int_equal(kit->document.node_count, 0);
	assert_int_equal(tn_oplog_revision(kit->log), 2);
	tn_buf_finish(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STUDIO_KIT_TEST(another_revision_is_refused),
		STUDIO_KIT_TEST(many_steps_are_one_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
