/* Configuration files, taken apart: resources, variables and their values, locals, the rest. */
#include "apps/studio/import/internal.h"

static void *make(struct tn_import_reading *reading, size_t size)
{
	void *memory = tn_arena_alloc(reading->arena, size);

	reading->full = reading->full || !memory;
	return memory;
}

static void put(struct tn_import_reading *reading, struct tn_map *map, struct tn_str key,
		void *value)
{
	struct tenon_error err;

	if (tn_map_put(map, key, value, &err) != TENON_OK)
		reading->full = true;
}

static void add_fault(struct tn_import_reading *reading, const struct tn_studio_import_file *file,
		      struct tn_hcl_range range, const char *message)
{
	struct tn_import_fault *fault = make(reading, sizeof(*fault));

	if (!fault)
		return;
	*fault = (struct tn_import_fault){.file = file, .range = range, .message = message};
	if (reading->last_fault)
		reading->last_fault->next = fault;
	else
		reading->faults = fault;
	reading->last_fault = fault;
}

struct tn_import_object *tn_import_add_object(struct tn_import_reading *reading, struct tn_str type,
					      struct tn_str name, struct tn_hcl_body *body)
{
	struct tn_import_object *object = make(reading, sizeof(*object));

	if (!object)
		return NULL;
	if (reading->object_count == reading->object_room) {
		size_t room = reading->object_room ? reading->object_room * 2 : 64;
		struct tn_import_object **more = make(reading, room * sizeof(object));

		if (!more)
			return NULL;
		if (reading->object_count > 0)
			memcpy(more, reading->objects, reading->object_count * sizeof(object));
		reading->objects = more;
		reading->object_room = room;
	}
	object->type = type;
	object->name = name;
	object->body = body;
	object->address = tn_import_format(reading->arena, "%.*s.%.*s", (int)type.size, type.data,
					   (int)name.size, name.data);
	object->next_of_type = tn_map_get(&reading->by_type, type);
	put(reading, &reading->by_type, type, object);
	put(reading, &reading->by_address, object->address, object);
	reading->objects[reading->object_count++] = object;
	return object;
}

/* So that a name in quotes is found for what it names. What several have is nobody's: the map
 * itself stands there. */
void tn_import_index_values(struct tn_import_reading *reading)
{
	for (size_t i = 0; i < reading->object_count; i++) {
		struct tn_import_object *object = reading->objects[i];

		for (const struct tn_hcl_attribute *one = object->body->attributes; one;
		     one = one->next) {
			struct tn_str value = tn_import_canonical(reading, one->value), key;

			if (value.size == 0)
				continue;
			key = tn_import_format(reading->arena, "%.*s\n%.*s\n%.*s",
					       (int)object->type.size, object->type.data,
					       (int)one->name.size, one->name.data, (int)value.size,
					       value.data);
			put(reading, &reading->by_value, key,
			    tn_map_get(&reading->by_value, key) ? (void *)&reading->by_value
								: object);
		}
	}
}

static struct tn_import_variable *variable_named(struct tn_import_reading *reading,
						 struct tn_str name)
{
	struct tn_import_variable *variable = tn_map_get(&reading->variables, name);

	if (variable)
		return variable;
	variable = make(reading, sizeof(*variable));
	if (!variable)
		return NULL;
	variable->name = name;
	put(reading, &reading->variables, name, variable);
	return variable;
}

static void read_variable(struct tn_import_reading *reading, struct tn_import_other *other)
{
	struct tn_import_variable *variable =
		other->block->label_count == 1 ? variable_named(reading, other->block->labels[0])
					       : NULL;
	const struct tn_hcl_attribute *value, *sensitive;

	if (!variable)
		return;
	value = tn_hcl_attribute_find(other->block->body, "default");
	sensitive = tn_hcl_attribute_find(other->block->body, "sensitive");
	variable->block = other;
	variable->sensitive = sensitive && tn_json_is(sensitive->value->value, TN_JSON_TRUE);
	if (!variable->value && value && !tn_json_is(value->value->value, TN_JSON_NULL))
		variable->value = value->value;
}

static void read_locals(struct tn_import_reading *reading, const struct tn_import_other *other)
{
	for (const struct tn_hcl_attribute *one = other->block->body->attributes; one;
	     one = one->next) {
		struct tn_import_local *local = make(reading, sizeof(*local));

		if (!local)
			return;
		*local = (struct tn_import_local){
			.name = one->name, .attribute = one, .file = other->file};
		put(reading, &reading->locals, one->name, local);
	}
}

static void read_values(struct tn_import_reading *reading, const struct tn_studio_import_file *file,
			const struct tn_hcl_body *body)
{
	for (const struct tn_hcl_attribute *one = body->attributes; one; one = one->next) {
		struct tn_import_variable *variable = variable_named(reading, one->name);

		if (!variable)
			return;
		variable->value = one->value;
		variable->values_file = file;
	}
}

static bool is_values_file(struct tn_str name)
{
	return tn_str_ends(name, TN_STR(".tfvars"));
}

static void read_block(struct tn_import_reading *reading, const struct tn_studio_import_file *file,
		       struct tn_hcl_block *block)
{
	struct tn_import_object *object;
	struct tn_import_other *other;

	if (tn_str_is(block->type, "resource") && block->label_count == 2) {
		object = tn_import_add_object(reading, block->labels[0], block->labels[1],
					      block->body);
		if (!object)
			return;
		object->file = file;
		object->block = block;
		object->line = block->range.line;
		return;
	}
	other = make(reading, sizeof(*other));
	if (!other)
		return;
	other->block = block;
	other->file = file;
	if (reading->last_other)
		reading->last_other->next = other;
	else
		reading->others = other;
	reading->last_other = other;
	if (tn_str_is(block->type, "variable"))
		read_variable(reading, other);
	else if (tn_str_is(block->type, "locals"))
		read_locals(reading, other);
}

static bool read_file(struct tn_import_reading *reading, const struct tn_studio_import_file *file,
		      struct tn_studio_fault *fault)
{
	struct tn_hcl_file *parsed;
	struct tenon_error err;
	enum tenon_code code = tn_hcl_parse(reading->arena, file->text, &parsed, &err);

	if (code == TENON_NO_MEMORY)
		return tn_studio_fail_memory(fault);
	if (code != TENON_OK)
		return tn_studio_fail(fault, "LIMIT_EXCEEDED", "%.*s: %s", (int)file->name.size,
				      file->name.data, err.message);
	for (const struct tn_hcl_fault *one = parsed->faults; one; one = one->next)
		add_fault(reading, file, one->range, one->message);
	if (is_values_file(file->name)) {
		read_values(reading, file, parsed->body);
		return true;
	}
	for (struct tn_hcl_block *block = parsed->body->blocks; block; block = block->next)
		read_block(reading, file, block);
	for (const struct tn_hcl_attribute *one = parsed->body->attributes; one; one = one->next)
		add_fault(reading, file, one->range, "a block is expected here, not an argument");
	return true;
}

bool tn_import_read_config(struct tn_import_reading *reading,
			   const struct tn_studio_import_file *files, size_t count,
			   struct tn_studio_fault *fault)
{
	/* Values win over defaults: they are read first. */
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < count; i++) {
			if (is_values_file(files[i].name) == (pass == 0) &&
			    !read_file(reading, &files[i], fault))
				return false;
		}
	}
	tn_import_index_values(reading);
	return !reading->full || tn_studio_fail_memory(fault);
}
