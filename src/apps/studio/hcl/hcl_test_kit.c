#include "apps/studio/hcl/hcl_test_kit.h"

#include "apps/studio/limits.h"
#include "jsonrpc/json_write.h"

int set_up(void **state)
{
	struct world *world = test_calloc(1, sizeof(*world));

	tn_arena_init(&world->arena, TN_STUDIO_ARENA_MAX);
	tn_buf_init(&world->dump, TN_STUDIO_RESULT_BYTES_MAX);
	*state = world;
	return 0;
}

int tear_down(void **state)
{
	struct world *world = *state;

	tn_arena_finish(&world->arena);
	tn_buf_finish(&world->dump);
	test_free(world);
	return 0;
}

static const char *const kinds[] = {"", "ref:", "template:", "list:", "map:", "call:", "other:"};

static void dump_value(struct tn_buf *out, const struct tn_hcl_value *value)
{
	tn_buf_append_text(out, kinds[value->kind]);
	if (value->kind == TN_HCL_CONSTANT) {
		struct tn_buf json; /* of its own: the writer would put a comma in between */

		tn_buf_init(&json, TN_STUDIO_RESULT_BYTES_MAX);
		tn_json_put_value(&json, value->value);
		tn_buf_append_str(out, tn_buf_str(&json));
		tn_buf_finish(&json);
		return;
	}
	for (size_t i = 0; i < value->step_count; i++) {
		tn_buf_append_text(out, i ? "|" : "");
		tn_buf_append_str(out, value->steps[i]);
	}
	if (value->kind == TN_HCL_OTHER) {
		tn_buf_append_str(out, value->text);
		return;
	}
	if (value->kind == TN_HCL_REFERENCE)
		return;
	tn_buf_append_byte(out, '(');
	for (const struct tn_hcl_value *item = value->items; item; item = item->next) {
		if (value->kind == TN_HCL_MAP) {
			tn_buf_append_str(out, item->key);
			tn_buf_append_byte(out, '=');
		}
		dump_value(out, item);
		tn_buf_append_byte(out, item->next ? ' ' : ')');
	}
	if (!value->items)
		tn_buf_append_byte(out, ')');
}

static void dump_body(struct tn_buf *out, const struct tn_hcl_body *body)
{
	for (const struct tn_hcl_attribute *one = body->attributes; one; one = one->next) {
		tn_buf_append_str(out, one->name);
		tn_buf_append_byte(out, '=');
		dump_value(out, one->value);
		tn_buf_append_byte(out, ';');
	}
	for (const struct tn_hcl_block *one = body->blocks; one; one = one->next) {
		tn_buf_append_str(out, one->type);
		for (unsigned i = 0; i < one->label_count; i++) {
			tn_buf_append_byte(out, '.');
			tn_buf_append_str(out, one->labels[i]);
		}
		tn_buf_append_text(out, one->faulty ? "!{" : "{");
		dump_body(out, one->body);
		tn_buf_append_byte(out, '}');
	}
}

void parse(struct world *world, struct tn_str text)
{
	struct tenon_error err = {0};

	assert_int_equal(tn_hcl_parse(&world->arena, text, &world->file, &err), TENON_OK);
	tn_buf_clear(&world->dump);
	dump_body(&world->dump, world->file->body);
	for (const struct tn_hcl_fault *fault = world->file->faults; fault; fault = fault->next)
		tn_buf_format(&world->dump, "\n%u:%u %s", fault->range.line, fault->range.column,
			      fault->message);
	tn_buf_append_byte(&world->dump, '\0');
	assert_false(world->dump.failed);
}
