/* What is known of a node, and taking it back. */
#include <stdarg.h>
#include <stdio.h>

#include "apps/studio/registry/property_check.h"
#include "apps/studio/import/internal.h"
#include "apps/studio/document/value.h"

void *tn_import_new(struct tn_import *import, size_t size)
{
	void *memory = tn_arena_alloc(import->arena, size);

	import->full = import->full || !memory;
	return memory;
}

struct tn_str tn_import_format(struct tn_arena *arena, const char *format, ...)
{
	va_list args, again;
	char *text;
	int size;

	va_start(args, format);
	va_copy(again, args);
	size = vsnprintf(NULL, 0, format, args);
	text = size >= 0 ? tn_arena_alloc(arena, (size_t)size + 1) : NULL;
	if (text)
		(void)vsnprintf(text, (size_t)size + 1, format, again);
	va_end(again);
	va_end(args);
	return text ? tn_str(text, (size_t)size) : TN_STR("");
}

void tn_import_set(struct tn_import *import, const void **slot, const void *value)
{
	if (import->change_count == import->change_room) {
		size_t room = import->change_room ? import->change_room * 2 : 256;
		struct tn_import_change *more = tn_import_new(import, room * sizeof(*more));

		if (!more)
			return;
		if (import->change_count > 0)
			memcpy(more, import->changes, import->change_count * sizeof(*more));
		import->changes = more;
		import->change_room = room;
	}
	import->changes[import->change_count++] = (struct tn_import_change){slot, *slot};
	*slot = value;
}

void tn_import_back_to(struct tn_import *import, size_t mark)
{
	while (import->change_count > mark) {
		const struct tn_import_change *change = &import->changes[--import->change_count];

		*change->slot = change->was;
	}
}

const struct tn_import_binding *tn_import_binding(const struct tn_import_binding *first,
						  enum tn_import_kind kind, struct tn_str key)
{
	for (; first; first = first->next) {
		if (first->kind == kind && tn_str_equal(first->key, key))
			return first;
	}
	return NULL;
}

void tn_import_bind(struct tn_import *import, struct tn_import_binding **first,
		    enum tn_import_kind kind, struct tn_str key, const struct tn_json *value,
		    struct tn_import_node *target)
{
	struct tn_import_binding *binding = tn_import_new(import, sizeof(*binding));

	if (!binding)
		return;
	*binding = (struct tn_import_binding){
		.kind = kind, .key = key, .value = value, .target = target, .next = *first};
	TN_IMPORT_SET(import, *first, binding);
}

/* What somebody wrote stays, even where the type says that it should be otherwise: it becomes a
 * diagnostic, and the plan shows no change. */
static bool fits(const struct tn_studio_property *property, const struct tn_json *value)
{
	switch (property->type) {
	case TN_STUDIO_STRING:
	case TN_STUDIO_CIDR:
	case TN_STUDIO_ENUM:
		return value->type == TN_JSON_STRING;
	case TN_STUDIO_NUMBER:
		return value->type == TN_JSON_NUMBER;
	case TN_STUDIO_BOOLEAN:
		return value->type == TN_JSON_TRUE || value->type == TN_JSON_FALSE;
	case TN_STUDIO_ENUM_LIST:
	case TN_STUDIO_ARRAY:
		return value->type == TN_JSON_ARRAY && property->field_count == 0;
	default:
		return false;
	}
}

/* "1.0" among the values of a property that is written as a number. */
static const struct tn_json *same_number(const struct tn_studio_property *property,
					 const struct tn_json *value)
{
	double want, have;

	if (value->type != TN_JSON_NUMBER || !tn_json_to_double(value, &want))
		return NULL;
	for (const struct tn_json *one = property->allowed ? property->allowed->first : NULL; one;
	     one = one->next) {
		struct tn_json number = {.type = TN_JSON_NUMBER};

		if (!tn_json_to_str(one, &number.text) || number.text.size == 0 ||
		    !tn_is_digit(number.text.data[0]))
			continue;
		if (tn_json_to_double(&number, &have) && have >= want && have <= want)
			return one;
	}
	return NULL;
}

static bool bind_checked(struct tn_import_frame *frame, struct tn_import_binding **first,
			 const struct tn_studio_property *property, enum tn_import_kind kind,
			 const struct tn_json *value)
{
	const struct tn_import_binding *before;
	const struct tn_json *stored;
	char why[256];

	stored = same_number(property, value);
	if (!stored && !tn_studio_check_value(property, value, frame->import->arena, &stored, why,
					      sizeof(why))) {
		if (!fits(property, value))
			return false;
		stored = value;
	}
	before = tn_import_binding(*first, kind, property->key);
	if (before)
		return tn_json_equal(before->value, stored);
	tn_import_bind(frame->import, first, kind, property->key, stored, NULL);
	return true;
}

bool tn_import_bind_value(struct tn_import_frame *frame, const struct tn_studio_property *property,
			  const struct tn_json *value)
{
	if (property->type == TN_STUDIO_REFERENCE || value->type == TN_JSON_NULL)
		return false;
	return bind_checked(frame, &frame->node->bindings, property,
			    property->sensitive ? TN_IMPORT_SECRET : TN_IMPORT_VALUE, value);
}

static const struct tn_studio_property *field_of(const struct tn_studio_property *property,
						 struct tn_str key)
{
	for (size_t i = 0; i < property->field_count; i++) {
		if (tn_str_equal(property->fields[i].key, key))
			return &property->fields[i];
	}
	return NULL;
}

bool tn_import_bind_field(struct tn_import_frame *frame, struct tn_str field,
			  const struct tn_json *value)
{
	const struct tn_studio_property *of =
		frame->item && frame->item_of ? field_of(frame->item_of, field) : NULL;
	const struct tn_import_binding *before;

	if (!frame->item || value->type == TN_JSON_NULL)
		return false;
	if (of)
		return !of->sensitive &&
		       bind_checked(frame, &frame->item->bindings, of, TN_IMPORT_VALUE, value);
	/* The element itself, or the key and value of a map: checked with the whole property. */
	if (frame->item_of && frame->item_of->field_count > 0)
		return false;
	before = tn_import_binding(frame->item->bindings, TN_IMPORT_VALUE, field);
	if (before)
		return tn_json_equal(before->value, value);
	tn_import_bind(frame->import, &frame->item->bindings, TN_IMPORT_VALUE, field, value, NULL);
	return true;
}

const struct tn_import_list *tn_import_list_of(const struct tn_import_node *node,
					       const struct tn_studio_property *property)
{
	for (const struct tn_import_list *list = node->lists; list; list = list->next) {
		if (list->property == property)
			return list;
	}
	return NULL;
}

struct tn_import_item *tn_import_add_item(struct tn_import *import, struct tn_import_node *node,
					  const struct tn_studio_property *property)
{
	struct tn_import_list *list = (struct tn_import_list *)tn_import_list_of(node, property);
	struct tn_import_item *item = tn_import_new(import, sizeof(*item));

	if (!item)
		return NULL;
	if (!list) {
		list = tn_import_new(import, sizeof(*list));
		if (!list)
			return NULL;
		list->property = property;
		list->next = node->lists;
		TN_IMPORT_SET(import, node->lists, list);
	}
	if (list->last)
		TN_IMPORT_SET(import, list->last->next, item);
	else
		TN_IMPORT_SET(import, list->first, item);
	TN_IMPORT_SET(import, list->last, item);
	return item;
}
