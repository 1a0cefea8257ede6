/* The JSON of `show -json`: resources with their values, as if somebody had written them. */
#include "apps/studio/import/internal.h"
#include "apps/studio/limits.h"

enum { MODULE_DEPTH_MAX = 16 };

static struct tn_str text_of(const struct tn_json *object, const char *key)
{
	struct tn_str text = TN_STR("");

	(void)tn_json_to_str(tn_json_get(object, key), &text);
	return text;
}

static void *make(struct tn_import_reading *reading, size_t size)
{
	void *memory = tn_arena_alloc(reading->arena, size);

	reading->full = reading->full || !memory;
	return memory;
}

/* Whether a member may be a nested block: an object, or a list of nothing but objects. */
static bool is_block(const struct tn_json *value)
{
	if (value->type == TN_JSON_OBJECT)
		return true;
	if (value->type != TN_JSON_ARRAY || value->count == 0)
		return false;
	for (const struct tn_json *one = value->first; one; one = one->next) {
		if (one->type != TN_JSON_OBJECT)
			return false;
	}
	return true;
}

static struct tn_hcl_body *make_body(struct tn_import_reading *reading,
				     const struct tn_json *object, unsigned depth);

static void add_blocks(struct tn_import_reading *reading, struct tn_hcl_block ***tail,
		       const struct tn_json *value, unsigned depth)
{
	const struct tn_json *one = value->type == TN_JSON_OBJECT ? value : value->first;

	for (; one; one = value->type == TN_JSON_OBJECT ? NULL : one->next) {
		struct tn_hcl_block *block = make(reading, sizeof(*block));

		if (!block)
			return;
		block->type = value->key;
		block->body = make_body(reading, one, depth + 1);
		if (!block->body)
			return;
		**tail = block;
		*tail = &block->next;
	}
}

/* Attributes and nested blocks look alike there: what can be both is both. */
static struct tn_hcl_body *make_body(struct tn_import_reading *reading,
				     const struct tn_json *object, unsigned depth)
{
	struct tn_hcl_body *body = make(reading, sizeof(*body));
	struct tn_hcl_attribute **attribute;
	struct tn_hcl_block **block;

	if (!body)
		return NULL;
	attribute = &body->attributes;
	block = &body->blocks;
	for (const struct tn_json *one = object->first; one; one = one->next) {
		if (one->type == TN_JSON_NULL)
			continue;
		*attribute = make(reading, sizeof(**attribute));
		if (!*attribute)
			return NULL;
		(*attribute)->name = one->key;
		(*attribute)->value = tn_import_wrap(reading, one);
		if (!(*attribute)->value)
			return NULL;
		attribute = &(*attribute)->next;
		if (depth < MODULE_DEPTH_MAX && is_block(one))
			add_blocks(reading, &block, one, depth);
	}
	return body;
}

/* "a", "a_0", "net_a": instances and modules have names of their own. */
static struct tn_str name_of(struct tn_import_reading *reading, const struct tn_json *resource)
{
	struct tn_str name = text_of(resource, "name"), key;
	const struct tn_json *index = tn_json_get(resource, "index");

	if (tn_json_is(index, TN_JSON_NUMBER) || tn_json_is(index, TN_JSON_STRING)) {
		key = index->text;
		return tn_import_format(reading->arena, "%.*s_%.*s", (int)name.size, name.data,
					(int)key.size, key.data);
	}
	return name;
}

static void read_resource(struct tn_import_reading *reading,
			  const struct tn_studio_import_file *file, const struct tn_json *resource)
{
	struct tn_str type = text_of(resource, "type"), name = name_of(reading, resource);
	const struct tn_json *values = tn_json_get(resource, "values");
	struct tn_import_object *object;
	struct tn_hcl_body *body;

	if (tn_str_is(text_of(resource, "mode"), "data") || type.size == 0 || name.size == 0 ||
	    !tn_json_is(values, TN_JSON_OBJECT))
		return;
	body = make_body(reading, values, 0);
	object = body ? tn_import_add_object(reading, type, name, body) : NULL;
	if (object)
		object->file = file;
}

static void read_module(struct tn_import_reading *reading, const struct tn_studio_import_file *file,
			const struct tn_json *module, unsigned depth)
{
	const struct tn_json *resources = tn_json_get(module, "resources");
	const struct tn_json *children = tn_json_get(module, "child_modules");

	if (tn_json_is(resources, TN_JSON_ARRAY)) {
		for (const struct tn_json *one = resources->first; one; one = one->next)
			read_resource(reading, file, one);
	}
	if (!tn_json_is(children, TN_JSON_ARRAY) || depth >= MODULE_DEPTH_MAX)
		return;
	for (const struct tn_json *one = children->first; one; one = one->next)
		read_module(reading, file, one, depth + 1);
}

bool tn_import_read_state(struct tn_import_reading *reading,
			  const struct tn_studio_import_file *file, bool plan,
			  struct tn_studio_fault *fault)
{
	const struct tn_json *values;
	struct tenon_error err;
	size_t budget = reading->budget;
	struct tn_json *json;

	if (tn_json_parse_copy(reading->arena, file->text, &json, &err) != TENON_OK)
		return tn_studio_fail(fault, "INVALID_INPUT", "%.*s is no JSON: %s",
				      (int)file->name.size, file->name.data, err.message);
	values = tn_json_get(json, plan ? "planned_values" : "values");
	if (!values && !tn_json_get(json, "format_version"))
		return tn_studio_fail(fault, "INVALID_INPUT",
				      "%.*s is not what `show -json` writes of a %s; write it "
				      "with `terraform show -json`",
				      (int)file->name.size, file->name.data,
				      plan ? "plan" : "state");
	/* An empty state has no values at all. */
	reading->budget = TN_HCL_NODES_MAX;
	if (values)
		read_module(reading, file, tn_json_get(values, "root_module"), 0);
	if (reading->budget == 0)
		return tn_studio_fail(fault, "LIMIT_EXCEEDED", "%.*s has more than %d values",
				      (int)file->name.size, file->name.data, TN_HCL_NODES_MAX);
	reading->budget = budget;
	tn_import_index_values(reading);
	return !reading->full || tn_studio_fail_memory(fault);
}
