#include "apps/floorplan/exchange/interchange_test_kit.h"

#include "apps/floorplan/limits.h"

struct tn_floor_plan *kit_read(struct tn_str text)
{
	struct tn_floor_plan *plan;
	struct tenon_error err;

	if (tn_floor_plan_create(text, false, &plan, &err) != TENON_OK)
		fail_msg("%s", err.message);
	for (const struct tn_floor_diagnostic *at = plan->diagnostics.first;
	     at && !plan->tree.parses; at = at->next) {
		if (at->severity == TN_FLOOR_ERROR)
			fail_msg("FP%04d %u:%u %s in\n%.*s", at->code, at->range.line,
				 at->range.column, at->message, (int)text.size, text.data);
	}
	return plan;
}

void kit_canonical(const struct tn_floor_plan *plan, struct tn_buf *out)
{
	struct tenon_error err;
	struct tn_buf notes;

	tn_buf_init(out, TN_MIB);
	tn_buf_init(&notes, TN_MIB);
	assert_int_equal(tn_floor_put_canonical(out, plan, &notes, &err), TENON_OK);
	tn_buf_finish(&notes);
}

void kit_json(const struct tn_floor_plan *plan, struct tn_buf *out)
{
	struct tenon_error err;

	tn_buf_init(out, TN_FLOOR_OUTPUT_BYTES_MAX);
	assert_int_equal(tn_floor_put_json(out, plan, &err), TENON_OK);
}

void kit_import(struct tn_str json, struct import *ret)
{
	struct tenon_error err;
	struct tn_arena arena;
	struct tn_json *root;

	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	tn_buf_init(&ret->text, TN_MIB);
	tn_buf_init(&ret->warnings, TN_MIB);
	tn_buf_init(&ret->faults, TN_MIB);
	assert_int_equal(tn_json_parse_copy(&arena, json, &root, &err), TENON_OK);
	ret->code = tn_floor_import(root, tn_str("", 0), &ret->text, &ret->warnings, &ret->faults,
				    &err);
	tn_buf_append_byte(&ret->text, '\0');
	tn_buf_append_byte(&ret->warnings, '\0');
	tn_buf_append_byte(&ret->faults, '\0');
	tn_arena_finish(&arena);
}

void kit_import_finish(struct import *import)
{
	tn_buf_finish(&import->text);
	tn_buf_finish(&import->warnings);
	tn_buf_finish(&import->faults);
}

void kit_same_bytes(const struct tn_buf *a, const struct tn_buf *b)
{
	if (!tn_str_equal(tn_buf_str(a), tn_buf_str(b)))
		fail_msg("these differ:\n%.*s\n%.*s", (int)a->size, a->data, (int)b->size, b->data);
}
