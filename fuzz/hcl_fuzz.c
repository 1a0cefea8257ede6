/* The parser of configuration on any bytes: it ends, its ranges lie in the text and in each other,
 * and what it calls constant is a value. */
#include <stdlib.h>

#include "apps/studio/hcl/hcl.h"
#include "apps/studio/limits.h"
#include "base/buf.h"
#include "jsonrpc/json_write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good)
{
	if (!good)
		abort();
}

static void check_value(const struct tn_hcl_value *value, struct tn_hcl_range outer,
			struct tn_buf *out)
{
	check(value->range.start >= outer.start && value->range.end <= outer.end);
	check(value->kind != TN_HCL_CONSTANT || value->value);
	check(value->kind != TN_HCL_REFERENCE || value->step_count > 0);
	if (value->kind == TN_HCL_CONSTANT) {
		tn_buf_clear(out);
		tn_json_put_value(out, value->value);
	}
	for (const struct tn_hcl_value *item = value->items; item; item = item->next)
		check_value(item, value->range, out);
}

static void check_body(const struct tn_hcl_body *body, struct tn_hcl_range outer,
		       struct tn_buf *out)
{
	for (const struct tn_hcl_attribute *one = body->attributes; one; one = one->next) {
		check(one->range.start >= outer.start && one->range.end <= outer.end);
		check_value(one->value, one->range, out);
	}
	for (const struct tn_hcl_block *one = body->blocks; one; one = one->next) {
		check(one->range.start >= outer.start && one->range.end <= outer.end);
		check(one->label_count <= TN_HCL_LABELS_MAX);
		check_body(one->body, one->range, out);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_hcl_range whole = {0, (uint32_t)size, 1, 1};
	struct tn_hcl_file *file;
	struct tenon_error err;
	struct tn_arena arena;
	struct tn_buf out;

	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	tn_buf_init(&out, TN_STUDIO_RESULT_BYTES_MAX);
	if (tn_hcl_parse(&arena, tn_str((const char *)data, size), &file, &err) == TENON_OK) {
		check(file->body != NULL);
		check_body(file->body, whole, &out);
		for (const struct tn_hcl_fault *one = file->faults; one; one = one->next)
			check(one->range.line > 0 && one->message);
	}
	tn_buf_finish(&out);
	tn_arena_finish(&arena);
	return 0;
}
