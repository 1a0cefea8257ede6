/* Which resources become nodes, and what is known of them. */
#include "apps/studio/document/document.h"
#include "apps/studio/import/internal.h"

enum { ROUNDS_MAX = 20, ARGUMENTS_MAX = 5000 };

static void put_type(struct tn_import *import, struct tn_str name,
		     const struct tn_studio_type *type)
{
	struct tenon_error err;

	if (name.size > 0 && !tn_map_get(&import->types, name) &&
	    tn_map_put(&import->types, name, (void *)type, &err) != TENON_OK)
		import->full = true;
}

static void index_types(struct tn_import *import)
{
	for (size_t i = 0; i < import->registry->type_count; i++) {
		const struct tn_studio_type *type = import->registry->types[i];
		struct tn_str name;

		for (size_t at = 0; type->body && (name = tn_studio_type_makes(type, at)).size > 0;
		     at++)
			put_type(import, name, type);
	}
}

/* ---- nodes ---- */

/* The node that an import of the same block has made. */
static const struct tn_studio_node *node_there(const struct tn_import *import,
					       const struct tn_import_object *object,
					       const struct tn_studio_type *type)
{
	const struct tn_studio_document *document = import->edit->document;
	const struct tn_studio_node *node = tn_map_get(&import->there, object->address);

	if (!node)
		node = tn_studio_node_by_name(document, type->id, object->name);
	return node && node->type == type ? node : NULL;
}

static void index_there(struct tn_import *import)
{
	const struct tn_studio_document *document = import->edit->document;
	struct tenon_error err;
	struct tn_str address;

	for (size_t i = 0; i < document->node_count; i++) {
		struct tn_studio_node *node = document->nodes[i];

		if (tn_json_to_str(tn_json_get(node->record, TN_IMPORT_ADDRESS), &address) &&
		    tn_map_put(&import->there, address, node, &err) != TENON_OK)
			import->full = true;
	}
}

static struct tn_import_node *add_node(struct tn_import *import, struct tn_import_object *object,
				       const struct tn_studio_type *type)
{
	struct tn_import_node *node = tn_import_new(import, sizeof(*node));
	const struct tn_studio_node *there;
	uint64_t counter = import->id_count;

	if (!node)
		return NULL;
	node->type = type;
	node->primary = object;
	there = node_there(import, object, type);
	if (there) {
		/* Taken in before: again it adds nothing. */
		node->exists = true;
		node->name = there->name;
		node->own = there->own;
		memcpy(node->id, there->id.data,
		       there->id.size < sizeof(node->id) ? there->id.size : sizeof(node->id) - 1);
	} else {
		do {
			tn_studio_make_id(counter++, node->id);
		} while (tn_studio_node_find(import->edit->document, tn_str_from(node->id)));
		import->id_count = counter;
	}
	object->node = node;
	if (import->last_node)
		import->last_node->next = node;
	else
		import->nodes = node;
	import->last_node = node;
	return node;
}

/* os_type and the like: which of a type's terraform types it is. */
static void bind_variant(struct tn_import_frame *frame)
{
	const struct tn_json *terraform = tn_json_get(frame->node->type->terraform, "type"), *cases;
	const struct tn_studio_property *property;
	const struct tn_json *allowed, *value;
	struct tn_str key, name;

	if (!tn_json_to_str(tn_json_get(terraform, "by"), &key))
		return;
	property = tn_studio_property_find(frame->node->type, key);
	cases = tn_json_get(terraform, "cases");
	if (!property || !cases)
		return;
	for (const struct tn_json *one = cases->first; one; one = one->next) {
		value = tn_json_make_str(frame->import->arena, one->key);
		if (value && tn_json_to_str(one, &name) &&
		    tn_str_equal(name, frame->object->type)) {
			(void)tn_import_bind_value(frame, property, value);
			return;
		}
	}
	value = property->default_value;
	if (tn_json_to_str(value, &name) && !tn_json_get_str(cases, name)) {
		(void)tn_import_bind_value(frame, property, value);
		return;
	}
	allowed = property->allowed;
	for (value = allowed ? allowed->first : NULL; value; value = value->next) {
		if (tn_json_to_str(value, &name) && !tn_json_get_str(cases, name)) {
			(void)tn_import_bind_value(frame, property, value);
			return;
		}
	}
}

static size_t size_of(const struct tn_hcl_body *body)
{
	size_t size = 0;

	for (const struct tn_hcl_attribute *one = body->attributes; one; one = one->next)
		size++;
	for (const struct tn_hcl_block *one = body->blocks; one; one = one->next)
		size += 1 + size_of(one->body);
	return size;
}

static const char *reason_to_leave(const struct tn_import_object *object)
{
	static const char *const metas[] = {"count", "for_each", "provider", NULL};
	static const char *const reasons[] = {"it has count", "it has for_each",
					      "it names a provider configuration"};

	for (size_t i = 0; metas[i]; i++) {
		if (object->block && tn_hcl_attribute_find(object->body, metas[i]))
			return reasons[i];
	}
	if (size_of(object->body) > ARGUMENTS_MAX)
		return "it has more arguments than any type knows";
	return NULL;
}

static void make_nodes(struct tn_import *import)
{
	tn_map_finish(&import->names);
	tn_map_init(&import->names);
	tn_map_finish(&import->owns);
	tn_map_init(&import->owns);
	import->nodes = import->last_node = NULL;
	for (size_t i = 0; i < import->reading.object_count && !import->full; i++) {
		struct tn_import_object *object = import->reading.objects[i];
		const struct tn_studio_type *type = tn_map_get(&import->types, object->type);
		struct tn_import_node *node;

		object->node = object->owner = object->claimed = NULL;
		object->extra = NULL;
		object->bound = false;
		if (!type || object->why)
			continue;
		node = add_node(import, object, type);
		if (!node)
			break;
		tn_import_name(import, node, object->name);
		tn_import_keep_name(import, node);
	}
}

static void match_nodes(struct tn_import *import)
{
	for (struct tn_import_node *node = import->nodes; node && !import->full;
	     node = node->next) {
		struct tn_import_frame frame = {
			.import = import, .node = node, .object = node->primary};

		if (!node->primary)
			continue;
		bind_variant(&frame);
		tn_import_match(&frame, node->type->body, node->primary->body);
	}
}

/* Resources that could not be written again stay as they are. True: there were some, and others may
 * have referred to them. */
static bool leave_lost(struct tn_import *import)
{
	bool any = false;

	for (struct tn_import_node *node = import->nodes; node; node = node->next) {
		if (node->gone || !node->primary || import->state)
			continue;
		if (!node->stranded && !tn_import_is_lost(node->type->body, node->primary->body))
			continue;
		node->primary->why = "what it stands in or depends on is not in these files, or "
				     "is no resource of the diagram";
		any = true;
	}
	return any;
}

static void finish(struct tn_import *import)
{
	for (size_t i = 0; i < import->reading.object_count; i++) {
		struct tn_import_object *object = import->reading.objects[i];

		if (!object->node && !object->owner && !object->bound && !object->why)
			object->why = tn_map_get(&import->types, object->type)
					      ? "it could not be joined to the resource it belongs "
						"to"
					      : "no type of the registry makes such resources";
		if (object->owner)
			tn_import_note_leftovers(import, object->owner, object);
		else if (object->node)
			tn_import_note_leftovers(import, object->node, object);
	}
}

static void settle_owns(struct tn_import *import)
{
	for (struct tn_import_node *node = import->nodes; node; node = node->next) {
		if (!node->gone)
			tn_import_settle_own(import, node);
	}
}

void tn_import_nodes(struct tn_import *import)
{
	index_types(import);
	index_there(import);
	for (size_t i = 0; i < import->reading.object_count; i++)
		import->reading.objects[i]->why = reason_to_leave(import->reading.objects[i]);
	for (unsigned round = 0; round < ROUNDS_MAX && !import->full; round++) {
		tn_import_back_to(import, 0);
		import->edges = NULL;
		make_nodes(import);
		match_nodes(import);
		tn_import_find_owns(import);
		tn_import_fold(import);
		settle_owns(import);
		tn_import_endpoints(import);
		tn_import_parents(import);
		if (!leave_lost(import))
			break;
	}
	finish(import);
}
