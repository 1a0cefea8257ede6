#include "apps/studio/document/document_test_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/studio/document/internal.h"
#include "apps/studio/limits.h"
#include "base/mem.h"
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

int studio_kit_set_up(void **state)
{
	struct studio_kit *kit = tn_mem_alloc(sizeof(*kit));

	assert_non_null(kit);
	studio_kit_open(kit, NULL);
	*state = kit;
	return 0;
}

int studio_kit_tear_down(void **state)
{
	studio_kit_close(*state);
	tn_mem_free(*state);
	return 0;
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

static const char *save(struct studio_kit *kit, bool revisions)
{
	struct tn_buf out;
	const char *text;

	tn_buf_init(&out, 256 * TN_MIB);
	tn_json_begin_object(&out);
	tn_studio_document_put(&kit->document, &out);
	if (revisions)
		tn_studio_revisions_put(&kit->document, &out);
	tn_json_end_object(&out);
	assert_false(out.failed);
	text = tn_arena_copy(&kit->arena, tn_buf_str(&out));
	tn_buf_finish(&out);
	assert_non_null(text);
	return text;
}

const char *studio_kit_saved(struct studio_kit *kit)
{
	return save(kit, false);
}

const char *studio_kit_kept(struct studio_kit *kit)
{
	return save(kit, true);
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

/* ---- files ---- */

const char *studio_kit_written(struct studio_kit *kit, uint64_t revision)
{
	struct tn_buf out;
	const char *text;

	tn_buf_init(&out, 64 * TN_MIB);
	tn_studio_document_write_diagram(&kit->document, revision, &out);
	assert_false(out.failed);
	text = tn_arena_copy(&kit->arena, tn_buf_str(&out));
	tn_buf_finish(&out);
	return text;
}

const char *studio_kit_read(struct studio_kit *kit, const char *diagram, const char *cost)
{
	const struct tn_commit commit = {.actor = "x", .label = "x", .expected_revision = -1};
	struct tn_json *operation = NULL, *cost_tree = cost ? studio_kit_parse(kit, cost) : NULL;
	struct tn_buf repairs;
	const char *text = NULL;

	kit->fault = (struct tn_studio_fault){.code = NULL};
	tn_buf_init(&repairs, TN_MIB);
	if (tn_studio_document_read(kit->registry, studio_kit_parse(kit, diagram), cost_tree, NULL,
				    &kit->arena, &operation, &repairs, &kit->fault)) {
		assert_int_equal(tn_oplog_begin(kit->log, -1, &kit->err), TENON_OK);
		if (tn_oplog_step(kit->log, operation, &kit->err) != TENON_OK)
			fail_msg("%s", kit->err.message);
		assert_int_equal(tn_oplog_end(kit->log, &commit, &kit->change, &kit->err),
				 TENON_OK);
		text = tn_arena_copy(&kit->arena, tn_buf_str(&repairs));
		(void)studio_kit_parse(kit, text);
	}
	tn_buf_finish(&repairs);
	return text;
}

/* ---- edits ---- */

struct tn_json *studio_kit_edit(struct studio_kit *kit, tn_studio_edit_fn *edit_fn,
				const char *arguments)
{
	struct tn_studio_edit edit = {.document = &kit->document,
				      .log = kit->log,
				      .arena = &kit->arena,
				      .fault = &kit->fault,
				      .project = kit->project,
				      .actor = "tester",
				      .tool = "some_tool",
				      .deployed = kit->deployed};
	struct tn_json *answer = NULL;
	struct tn_buf result;

	kit->fault = (struct tn_studio_fault){.code = NULL};
	tn_buf_init(&result, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&result);
	if (!tn_studio_edit_begin(&edit, -1)) {
		tn_buf_finish(&result);
		return NULL;
	}
	if (!edit_fn(&edit, studio_kit_parse(kit, arguments), &result)) {
		tn_studio_edit_abandon(&edit);
	} else if (tn_studio_edit_finish(&edit, NULL, false, &kit->change)) {
		tn_json_end_object(&result);
		assert_false(result.failed);
		tn_buf_append_byte(&result, '\0');
		answer = studio_kit_parse(kit, result.data);
	}
	tn_buf_finish(&result);
	return answer;
}

struct tn_json *studio_kit_done(struct studio_kit *kit, tn_studio_edit_fn *edit_fn,
				const char *arguments)
{
	struct tn_json *answer = studio_kit_edit(kit, edit_fn, arguments);

	if (!answer)
		fail_msg("%s: %s (%.300s)", kit->fault.code, kit->fault.message, arguments);
	return answer;
}

const char *studio_kit_refused(struct studio_kit *kit, tn_studio_edit_fn *edit_fn,
			       const char *arguments, const char *code)
{
	uint64_t revision = tn_oplog_revision(kit->log);
	const char *before = studio_kit_kept(kit);

	if (studio_kit_edit(kit, edit_fn, arguments))
		fail_msg("not refused: %.300s", arguments);
	assert_non_null(kit->fault.code);
	if (strcmp(kit->fault.code, code) != 0)
		fail_msg("%s instead of %s: %s (%.300s)", kit->fault.code, code, kit->fault.message,
			 arguments);
	/* ST-060: not even the revision. */
	assert_int_equal(tn_oplog_revision(kit->log), revision);
	assert_string_equal(studio_kit_kept(kit), before);
	return kit->fault.message;
}

const char *studio_kit_add(struct studio_kit *kit, const char *type, const char *parent)
{
	const char *arguments =
		parent ? studio_kit_format(kit, "{\"typeId\":\"%s\",\"parentId\":\"%s\"}", type,
					   parent)
		       : studio_kit_format(kit, "{\"typeId\":\"%s\"}", type);

	return studio_kit_text(studio_kit_done(kit, tn_studio_edit_add, arguments), "instanceId");
}

const struct tn_studio_node *studio_kit_node(struct studio_kit *kit, const char *id)
{
	const struct tn_studio_node *found;

	studio_kit_index(kit);
	found = tn_studio_node_find(&kit->document, tn_str_from(id));
	if (!found)
		fail_msg("no node %s", id);
	return found;
}

const char *studio_kit_json(struct studio_kit *kit, const struct tn_json *value)
{
	struct tn_buf out;
	const char *copy;

	tn_buf_init(&out, 64 * TN_MIB);
	tn_json_put_value(&out, value);
	copy = tn_arena_copy(&kit->arena, tn_buf_str(&out));
	tn_buf_finish(&out);
	assert_non_null(copy);
	return copy;
}

const char *studio_kit_format(struct studio_kit *kit, const char *format, ...)
{
	va_list arguments;
	char out[4096];
	int size;

	va_start(arguments, format);
	size = vsnprintf(out, sizeof(out), format, arguments);
	va_end(arguments);
	assert_true(size >= 0 && (size_t)size < sizeof(out));
	return tn_arena_copy(&kit->arena, tn_str_from(out));
}

uint64_t studio_kit_random(uint64_t *seed)
{
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return *seed * 0x2545f4914f6cdd1dULL;
}
