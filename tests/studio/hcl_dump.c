/* hcl_dump.c - what our parser reads of a file, as JSON: {"faults":[line...],"body":{...}} in the
 * shape the reference parser's tool has: blocks under their type and labels as lists, constants as
 * values. What is no constant is {"expression":"as written"}. */
#include <stdio.h>

#include "apps/studio/hcl/hcl.h"
#include "apps/studio/limits.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

static void put_value(struct tn_buf *out, const struct tn_hcl_value *value)
{
	if (value->kind == TN_HCL_CONSTANT) {
		tn_json_put_value(out, value->value);
	} else if (value->kind == TN_HCL_LIST) {
		tn_json_begin_array(out);
		for (const struct tn_hcl_value *item = value->items; item; item = item->next)
			put_value(out, item);
		tn_json_end_array(out);
	} else if (value->kind == TN_HCL_MAP) {
		tn_json_begin_object(out);
		for (const struct tn_hcl_value *item = value->items; item; item = item->next) {
			tn_json_put_key_str(out, item->key);
			put_value(out, item);
		}
		tn_json_end_object(out);
	} else {
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "expression", value->text);
		tn_json_end_object(out);
	}
}

static void put_body(struct tn_buf *out, const struct tn_hcl_body *body)
{
	tn_json_begin_object(out);
	tn_json_put_key(out, "attributes");
	tn_json_begin_object(out);
	for (const struct tn_hcl_attribute *one = body->attributes; one; one = one->next) {
		tn_json_put_key_str(out, one->name);
		put_value(out, one->value);
	}
	tn_json_end_object(out);
	tn_json_put_key(out, "blocks");
	tn_json_begin_array(out);
	for (const struct tn_hcl_block *one = body->blocks; one; one = one->next) {
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "type", one->type);
		tn_json_put_key(out, "labels");
		tn_json_begin_array(out);
		for (unsigned i = 0; i < one->label_count; i++)
			tn_json_put_str(out, one->labels[i]);
		tn_json_end_array(out);
		tn_json_put_key(out, "body");
		put_body(out, one->body);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
	tn_json_end_object(out);
}

int main(int argc, char **argv)
{
	struct tn_hcl_file *file;
	struct tenon_error err = {0};
	struct tn_arena arena;
	struct tn_buf text, out;
	int status = 2;

	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	tn_buf_init(&text, TN_HCL_BYTES_MAX);
	tn_buf_init(&out, TN_STUDIO_RESULT_BYTES_MAX);
	if (argc == 2 && tn_file_read(argv[1], 0, &text, &err) == TENON_OK &&
	    tn_hcl_parse(&arena, tn_buf_str(&text), &file, &err) == TENON_OK) {
		tn_json_begin_object(&out);
		tn_json_put_key(&out, "faults");
		tn_json_begin_array(&out);
		for (const struct tn_hcl_fault *one = file->faults; one; one = one->next)
			tn_json_put_int(&out, one->range.line);
		tn_json_end_array(&out);
		tn_json_put_key(&out, "body");
		put_body(&out, file->body);
		tn_json_end_object(&out);
		(void)fwrite(out.data, 1, out.size, stdout);
		status = out.failed ? 2 : 0;
	} else {
		(void)fprintf(stderr, "hcl_dump FILE: %s\n", err.message);
	}
	tn_buf_finish(&text);
	tn_buf_finish(&out);
	tn_arena_finish(&arena);
	return status;
}
