/* The proof: what is generated now, against what was read, block by block. */
#include "apps/studio/generate/generate.h"
#include "apps/studio/import/internal.h"
#include "apps/studio/limits.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

enum { DIFFERENCES_MAX = 1000, SHOWN_BYTES_MAX = 512, COMPARE_DEPTH_MAX = 16 };

struct compare {
	struct tn_import *import;
	struct tn_import_reading now;
	struct tn_map renames; /* addresses that were read to what they are now */
	struct tn_buf *out;
	struct tn_str address;
	size_t count, same, blocks;
	bool sensitive;
};

/* What a value is worth where it is known: a name of another resource's attribute is that
 * attribute. */
static const struct tn_hcl_value *worth(struct compare *compare, struct tn_import_reading *reading,
					const struct tn_hcl_value *value)
{
	const struct tn_import_object *object;
	const struct tn_hcl_attribute *own;

	value = tn_import_resolve(reading, value);
	object = tn_import_object_of(&compare->import->reading, value);
	if (!object || value->step_count != 3)
		return value;
	own = tn_import_attribute(object->body, value->steps[2]);
	if (!own)
		return value;
	return tn_import_resolve(&compare->import->reading, own->value);
}

static struct tn_str renamed(struct compare *compare, const struct tn_hcl_value *value)
{
	struct tn_str path = tn_import_path(compare->import->arena, value, 0), address;
	const struct tn_import_rename *rename;

	if (value->step_count < 2)
		return path;
	address = tn_str(path.data, value->steps[0].size + 1 + value->steps[1].size);
	rename = address.size <= path.size ? tn_map_get(&compare->renames, address) : NULL;
	if (!rename)
		return path;
	return tn_import_format(compare->import->arena, "%.*s%.*s", (int)rename->to.size,
				rename->to.data, (int)(path.size - address.size),
				path.data + address.size);
}

static bool same_value(struct compare *compare, const struct tn_hcl_value *was,
		       const struct tn_hcl_value *now, unsigned depth);

static bool same_items(struct compare *compare, const struct tn_hcl_value *was,
		       const struct tn_hcl_value *now, unsigned depth)
{
	const struct tn_hcl_value *other = now->items;

	if (was->item_count != now->item_count)
		return false;
	for (const struct tn_hcl_value *one = was->items; one; one = one->next) {
		if (one->key.size > 0) {
			other = now->items;
			while (other && !tn_str_equal(other->key, one->key))
				other = other->next;
		}
		if (!other || !same_value(compare, one, other, depth))
			return false;
		other = other->next;
	}
	return true;
}

static bool same_value(struct compare *compare, const struct tn_hcl_value *was,
		       const struct tn_hcl_value *now, unsigned depth)
{
	if (depth > COMPARE_DEPTH_MAX)
		return false;
	if (was->kind == TN_HCL_REFERENCE && now->kind == TN_HCL_REFERENCE &&
	    tn_str_equal(renamed(compare, was), tn_import_path(compare->import->arena, now, 0)))
		return true;
	was = worth(compare, &compare->import->reading, was);
	now = worth(compare, &compare->now, now);
	if (tn_import_same(&compare->now, was, now))
		return true;
	if (was->kind == TN_HCL_REFERENCE && now->kind == TN_HCL_REFERENCE) {
		/* A variable without a value is another variable without a value. */
		if (tn_import_is_variable(was) && tn_import_is_variable(now))
			return true;
		return tn_str_equal(renamed(compare, was),
				    tn_import_path(compare->import->arena, now, 0));
	}
	return was->item_count > 0 && now->item_count > 0 &&
	       same_items(compare, was, now, depth + 1);
}

/* ---- telling ---- */

static void put_value(struct tn_buf *out, const char *key, const struct compare *compare,
		      const struct tn_hcl_value *value)
{
	struct tn_buf json;
	struct tn_str text = value->text;

	if (compare->sensitive) {
		tn_json_put_member_text(out, key, "[redacted]");
		return;
	}
	tn_buf_init(&json, TN_STUDIO_RESULT_BYTES_MAX);
	if (text.size == 0 && value->kind == TN_HCL_CONSTANT) {
		tn_json_put_value(&json, value->value);
		text = tn_buf_str(&json);
	}
	tn_json_put_member_str(out, key, tn_utf8_cut(text, SHOWN_BYTES_MAX));
	tn_buf_finish(&json);
}

static bool begin(struct compare *compare, const char *change, struct tn_str attribute)
{
	if (compare->count++ >= DIFFERENCES_MAX)
		return false;
	tn_json_begin_object(compare->out);
	tn_json_put_member_str(compare->out, "address", compare->address);
	if (attribute.size > 0)
		tn_json_put_member_str(compare->out, "attribute", attribute);
	tn_json_put_member_text(compare->out, "change", change);
	return true;
}

static void tell(struct compare *compare, const char *change, struct tn_str attribute,
		 const struct tn_hcl_value *was, const struct tn_hcl_value *now)
{
	if (!begin(compare, change, attribute))
		return;
	if (was)
		put_value(compare->out, "was", compare, was);
	if (now)
		put_value(compare->out, "now", compare, now);
	tn_json_end_object(compare->out);
}

static struct tn_str below(struct compare *compare, struct tn_str prefix, struct tn_str name)
{
	return tn_import_format(compare->import->arena, "%.*s%s%.*s", (int)prefix.size, prefix.data,
				prefix.size ? "." : "", (int)name.size, name.data);
}

/* ---- bodies ---- */

static bool is_nothing(struct compare *compare, const struct tn_hcl_value *value)
{
	value = worth(compare, &compare->now, value);
	if (value->kind != TN_HCL_CONSTANT)
		return false;
	return value->value->type == TN_JSON_NULL ||
	       ((value->value->type == TN_JSON_OBJECT || value->value->type == TN_JSON_ARRAY) &&
		value->value->count == 0);
}

static bool is_secret(struct tn_str name)
{
	static const char *const words[] = {"password",          "secret",     "token", "key_data",
					    "connection_string", "access_key", NULL};

	for (size_t i = 0; words[i]; i++) {
		if (tn_str_find(name, tn_str_from(words[i])) != TN_STR_NONE)
			return true;
	}
	return false;
}

static void compare_attributes(struct compare *compare, const struct tn_hcl_body *was,
			       const struct tn_hcl_body *now, struct tn_str prefix)
{
	const struct tn_hcl_attribute *other;

	for (const struct tn_hcl_attribute *one = now->attributes; one; one = one->next) {
		compare->sensitive = is_secret(one->name);
		other = tn_import_attribute(was, one->name);
		if (!other && !is_nothing(compare, one->value))
			tell(compare, "added", below(compare, prefix, one->name), NULL, one->value);
		else if (other && !same_value(compare, other->value, one->value, 0))
			tell(compare, "changed", below(compare, prefix, one->name), other->value,
			     one->value);
	}
	for (const struct tn_hcl_attribute *one = was->attributes; one && !compare->import->state;
	     one = one->next) {
		compare->sensitive = is_secret(one->name);
		if (!tn_import_attribute(now, one->name) && !is_nothing(compare, one->value))
			tell(compare, "removed", below(compare, prefix, one->name), one->value,
			     NULL);
	}
}

static const struct tn_hcl_block *nth(const struct tn_hcl_body *body, struct tn_str type, size_t at)
{
	for (const struct tn_hcl_block *one = body->blocks; one; one = one->next) {
		if (tn_str_equal(one->type, type) && at-- == 0)
			return one;
	}
	return NULL;
}

static size_t before(const struct tn_hcl_body *body, const struct tn_hcl_block *block)
{
	size_t count = 0;

	for (const struct tn_hcl_block *one = body->blocks; one && one != block; one = one->next)
		count += tn_str_equal(one->type, block->type);
	return count;
}

static void compare_bodies(struct compare *compare, const struct tn_hcl_body *was,
			   const struct tn_hcl_body *now, struct tn_str prefix, unsigned depth)
{
	if (depth > COMPARE_DEPTH_MAX)
		return;
	compare_attributes(compare, was, now, prefix);
	for (const struct tn_hcl_block *one = now->blocks; one; one = one->next) {
		size_t at = before(now, one);
		const struct tn_hcl_block *other = nth(was, one->type, at);

		if (other)
			compare_bodies(compare, other->body, one->body,
				       below(compare, prefix, one->type), depth + 1);
		else
			tell(compare, "added", below(compare, prefix, one->type), NULL, NULL);
	}
	for (const struct tn_hcl_block *one = was->blocks; one && !compare->import->state;
	     one = one->next) {
		if (!nth(now, one->type, before(was, one)))
			tell(compare, "removed", below(compare, prefix, one->type), NULL, NULL);
	}
}

/* ---- all of it ---- */

static void compare_objects(struct compare *compare)
{
	struct tn_import *import = compare->import;

	for (size_t i = 0; i < import->reading.object_count; i++) {
		struct tn_import_object *was = import->reading.objects[i], *now;
		const struct tn_import_rename *rename = tn_map_get(&compare->renames, was->address);
		size_t told = compare->count;

		if (was->why)
			continue; /* its text is written as it was */
		compare->address = rename ? rename->to : was->address;
		now = tn_map_get(&compare->now.by_address, compare->address);
		compare->blocks++;
		if (!now) {
			if (begin(compare, "removed", TN_STR("")))
				tn_json_end_object(compare->out);
			continue;
		}
		now->claimed = now->node = (struct tn_import_node *)import; /* it was there */
		compare_bodies(compare, was->body, now->body, TN_STR(""), 0);
		compare->same += compare->count == told;
	}
}

/* Resources of the nodes that were made, and that nobody had written. */
static void tell_new(struct compare *compare, const struct tn_studio_generated *generated)
{
	for (size_t i = 0; i < generated->address_count; i++) {
		const struct tn_studio_address *one = &generated->addresses[i];
		struct tn_import_object *now = tn_map_get(&compare->now.by_address, one->address);

		if (!now || now->claimed || one->node->order < compare->import->old_count)
			continue;
		compare->address = one->address;
		if (begin(compare, "added", TN_STR("")))
			tn_json_end_object(compare->out);
	}
}

static bool read_generated(struct compare *compare, const struct tn_studio_generated *generated)
{
	struct tn_studio_import_file *files = tn_arena_alloc_array(
		compare->import->arena, generated->file_count + 1, sizeof(*files));
	size_t count = 0;

	if (!files)
		return tn_studio_fail_memory(compare->import->edit->fault);
	for (size_t i = 0; i < generated->file_count; i++) {
		const struct tn_studio_file *file = &generated->files[i];

		if (tn_str_ends(file->name, TN_STR(".tf")) ||
		    tn_str_ends(file->name, TN_STR(".tfvars")))
			files[count++] = (struct tn_studio_import_file){file->name, file->text};
	}
	return tn_import_read_config(&compare->now, files, count, compare->import->edit->fault);
}

bool tn_import_compare(struct tn_import *import, struct tn_buf *result)
{
	const struct tn_studio_generate_options options = {.project_name = TN_STR("import")};
	struct compare compare = {.import = import, .out = result};
	struct tn_studio_diagnostics list;
	struct tn_studio_generated generated;
	struct tenon_error err;
	bool good;

	if (tn_studio_document_index(import->edit->document, &err) != TENON_OK)
		return tn_studio_fail_error(import->edit->fault, &err);
	tn_studio_diagnostics_init(&list, import->arena);
	if (!tn_studio_generate(import->edit->document, &options, import->arena, &list, &generated))
		return tn_studio_fail_memory(import->edit->fault);
	tn_import_reading_init(&compare.now, import->arena);
	tn_map_init(&compare.renames);
	for (struct tn_import_rename *one = import->renames; one; one = one->next)
		import->full |= tn_map_put(&compare.renames, one->from, one, &err) != TENON_OK;
	good = read_generated(&compare, &generated);
	tn_json_put_key(result, "differences");
	tn_json_begin_array(result);
	if (good) {
		compare_objects(&compare);
		tell_new(&compare, &generated);
	}
	tn_json_end_array(result);
	tn_json_put_member_int(result, "differenceCount", (int64_t)compare.count);
	tn_json_put_member_int(result, "unchangedBlocks", (int64_t)compare.same);
	tn_import_reading_finish(&compare.now);
	tn_map_finish(&compare.renames);
	return good;
}
