/* What was taken from the diagram and still exists (SC-024). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/studio/document/document_test_kit.h"
#include "apps/studio/status/ghost.h"
#include "base/size.h"

static struct tn_studio_status *open_status(const char *path)
{
	const struct tn_studio_status_options options = {.path = path, .clock = &tn_clock_system};
	struct tn_studio_status *status = NULL;

	assert_int_equal(tn_studio_status_create(&options, &status, NULL), TENON_OK);
	return status;
}

static void expect(const struct studio_kit *kit, const struct tn_studio_status *status,
		   const char *ghosts)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	tn_studio_ghosts_put(&out, status, &kit->document);
	tn_buf_append_byte(&out, '\0');
	assert_string_equal(out.data, ghosts);
	tn_buf_finish(&out);
}

static void ghosts(void **state)
{
	static const struct tn_studio_part part = {{"n1", 2}, {"terraform_data.n1", 17}, true};
	char path[] = "/tmp/tenon-ghost-XXXXXX";
	struct tn_studio_status *status;
	struct tn_json *added;
	struct studio_kit kit;
	struct tn_studio_part of = part;
	char arguments[128], ghost[400];
	struct tn_str id = {NULL, 0};
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	(void)close(fd);
	(void)unlink(path);
	studio_kit_open(&kit, NULL);
	status = open_status(path);
	added = studio_kit_done(&kit, tn_studio_edit_add,
				"{\"typeId\":\"builtin/core/data\",\"label\":\"one\",\"position\":{"
				"\"x\":40,\"y\":60}}");
	assert_true(tn_json_to_str(tn_json_get(added, "instanceId"), &id));
	of.node_id = id;
	studio_kit_index(&kit);
	assert_false(tn_studio_ghosts_note(status, &kit.document));
	tn_studio_status_complete(status, &of, TN_STUDIO_CREATE);
	assert_false(tn_studio_ghosts_note(status, &kit.document));
	expect(&kit, status, "[]");
	(void)snprintf(arguments, sizeof(arguments), "{\"instanceId\":\"%.*s\"}", (int)id.size,
		       id.data);
	(void)snprintf(ghost, sizeof(ghost),
		       "[{\"instanceId\":\"%.*s\",\"typeId\":\"builtin/core/data\",\"label\":"
		       "\"one\",\"rect\":{\"x\":40,\"y\":60,\"width\":240,\"height\":80},"
		       "\"addresses\":[\"terraform_data.n1\"]}]",
		       (int)id.size, id.data);
	(void)studio_kit_done(&kit, tn_studio_edit_remove, arguments);
	studio_kit_index(&kit);
	assert_true(tn_studio_ghosts_note(status, &kit.document));
	expect(&kit, status, ghost);
	studio_kit_undo(&kit);
	studio_kit_index(&kit);
	assert_true(tn_studio_ghosts_note(status, &kit.document));
	expect(&kit, status, "[]");
	studio_kit_redo(&kit);
	studio_kit_index(&kit);
	assert_true(tn_studio_ghosts_note(status, &kit.document));
	/* After a restart, too; and until it is destroyed. */
	assert_int_equal(tn_studio_status_save(status, NULL), TENON_OK);
	tn_studio_status_destroy(status);
	status = open_status(path);
	expect(&kit, status, ghost);
	tn_studio_status_complete(status, &of, TN_STUDIO_DELETE);
	expect(&kit, status, "[]");
	tn_studio_status_destroy(status);
	studio_kit_close(&kit);
	(void)unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(ghosts)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
