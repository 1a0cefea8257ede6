#include "apps/studio/document_test_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "jsonrpc/json_write.h"

static uint64_t no_time(void *data)
{
	(void)data;
	return 0;
}

static int64_t one_time(void *data)
{
	(void)data;
	return 1795255200000; /* 2026-11-21T10:00:00Z */
}

static const struct tn_clock still = {.monotonic_ms = no_time, .wall_ms = one_time};

void studio_kit_open(struct studio_kit *kit, const char *path)
{
	struct tn_oplog_options options = {.path = path,
					   .ops = &tn_studio_document_ops,
					   .document = &kit->document,
					   .clock = &still};

	*kit = (struct studio_kit){.log = NULL};
	tn_arena_init(&kit->arena, 512 * TN_MIB);
	assert_int_equal(tn_studio_registry_built_in(&kit->registry, &kit->err), TENON_OK);
	tn_studio_document_init(&kit->document, kit->registry);
	if (tn_oplog_open(&options, &kit->log, &kit->err) != TENON_OK)
		fail_msg("open: %s", kit->err.message);
}

void studio_kit_close(struct studio_kit *kit)
{
	tn_oplog_close(kit->log);
	tn_studio_document_finish(&kit->document);
	tn_studio_registry_unref(kit->registry);
	tn_arena_finish(&kit->arena);
}

struct tn_json *studio_kit_parse(struct studio_kit *kit, const char *text)
{
	struct tn_json *tree = NULL;
	struct tenon_error err = {0};

	if (tn_json_parse_copy(&kit->arena, tn_str_from(text), &tree, &err) != TENON_OK)
		fail_msg("%s: %.200s", err.message, text);
	return tree;
}

enum tenon_code studio_kit_commit(struct studio_kit *kit, const char *operations)
{
	const struct tn_commit commit = {.actor = "tester",
					 .label = "a change",
					 .operations = studio_kit_parse(kit, operations),
					 .expected_revision = -1};

	return tn_oplog_commit(kit->log, &commit, &kit->change, &kit->err);
}

void studio_kit_change(struct studio_kit *kit, const char *operations)
{
	if (studio_kit_commit(kit, operations) != TENON_OK)
		fail_msg("%s: %.300s", kit->err.message, operations);
}

const char *studio_kit_saved(struct studio_kit *kit)
{
	struct tn_buf out;
	const char *text;

	tn_buf_init(&out, 256 * TN_MIB);
	tn_studio_document_ops.save(&kit->document, &out);
	assert_false(out.failed);
	text = tn_arena_copy(&kit->arena, tn_buf_str(&out));
	tn_buf_finish(&out);
	assert_non_null(text);
	return text;
}

void studio_kit_undo(struct studio_kit *kit)
{
	if (tn_oplog_undo(kit->log, "tester", -1, &kit->change, &kit->err) != TENON_OK)
		fail_msg("undo: %s", kit->err.message);
}

void studio_kit_redo(struct studio_kit *kit)
{
	if (tn_oplog_redo(kit->log, "tester", -1, &kit->change, &kit->err) != TENON_OK)
		fail_msg("redo: %s", kit->err.message);
}

void studio_kit_index(struct studio_kit *kit)
{
	assert_int_equal(tn_studio_document_index(&kit->document, &kit->err), TENON_OK);
}

const char *studio_kit_text(const struct tn_json *object, const char *key)
{
	struct tn_str text;

	if (!tn_json_to_str(tn_json_get(object, key), &text))
		fail_msg("no text %s", key);
	return text.data;
}
