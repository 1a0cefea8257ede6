/* Where a node may stand, and how large it is. */
#include "apps/studio/edit/internal.h"

#include "apps/studio/limits.h"

bool tn_studio_has_size(const struct tn_studio_type *type)
{
	return type && (type->container || tn_str_ends(type->id, TN_STR("/sticky_note")));
}

struct tn_studio_rect tn_studio_start_size(const struct tn_studio_type *type)
{
	struct tn_studio_rect rect = {.width = TN_STUDIO_LEAF_WIDTH,
				      .height = TN_STUDIO_LEAF_HEIGHT};

	if (type && type->container) {
		rect.width = TN_STUDIO_CONTAINER_WIDTH;
		rect.height = TN_STUDIO_CONTAINER_HEIGHT;
	}
	if (type && type->min_width > rect.width)
		rect.width = type->min_width;
	if (type && type->min_height > rect.height)
		rect.height = type->min_height;
	return rect;
}

/* An annotation around it counts for nothing: the rule is for what is around that. */
static const struct tn_studio_node *real(const struct tn_studio_node *parent)
{
	while (parent && parent->type && parent->type->is_annotation)
		parent = parent->parent;
	return parent;
}

/* ["azurerm/core/resource_group"], and for people "Resource Group (azurerm/core/...)". */
static void put_legal(struct tn_studio_edit *edit, const struct tn_studio_type *type,
		      struct tn_buf *text, struct tn_buf *list)
{
	const struct tn_json *legal = type->can_be_child_of;

	tn_json_begin_array(list);
	for (const struct tn_json *at = legal ? legal->first : NULL; at; at = at->next) {
		const struct tn_studio_type *parent =
			tn_studio_type_find(edit->document->registry, at->text);

		tn_json_put_value(list, at);
		if (at != legal->first)
			tn_buf_append_text(text, at->next ? ", " : " or ");
		if (parent)
			tn_buf_format(text, "%.*s (%.*s)", (int)parent->display_name.size,
				      parent->display_name.data, (int)at->text.size, at->text.data);
		else
			tn_buf_append_str(text, at->text);
	}
	tn_json_end_array(list);
	if (text->size == 0)
		tn_buf_append_text(text, "any container");
}

static bool refuse(struct tn_studio_edit *edit, const struct tn_studio_type *type,
		   const struct tn_studio_node *parent)
{
	struct tn_str shown = parent->type ? parent->type->display_name : parent->type_id;
	struct tn_buf text, list;

	tn_buf_init(&text, TN_MIB);
	tn_buf_init(&list, TN_MIB);
	put_legal(edit, type, &text, &list);
	(void)tn_studio_fail(edit->fault, "CONTAINMENT_ERROR",
			     "%.*s cannot stand in '%.*s', a %.*s; it stands in %.*s, or at top "
			     "level",
			     (int)type->display_name.size, type->display_name.data,
			     (int)parent->label.size, parent->label.data, (int)shown.size,
			     shown.data, (int)text.size, text.data ? text.data : "");
	if (edit->fault)
		edit->fault->details = tn_str_from(tn_arena_format(
			edit->arena,
			"{\"typeId\":\"%.*s\",\"parentTypeId\":\"%s\",\"legalParents\":%.*s}",
			(int)type->id.size, type->id.data,
			parent->type ? parent->type->id.data : "", (int)list.size, list.data));
	for (const struct tn_json *at = type->can_be_child_of ? type->can_be_child_of->first : NULL;
	     at; at = at->next)
		tn_studio_fault_suggest(edit->fault, at->text);
	tn_buf_finish(&text);
	tn_buf_finish(&list);
	return false;
}

bool tn_studio_edit_check_parent(struct tn_studio_edit *edit, const struct tn_studio_type *type,
				 const struct tn_studio_node *parent, unsigned levels_below)
{
	const struct tn_studio_node *around = real(parent);

	if (!parent)
		return true;
	if (parent->depth + 1 + levels_below >= TN_STUDIO_DEPTH_MAX)
		return tn_studio_fail(edit->fault, "LIMIT_EXCEEDED",
				      "containers are nested at most %d deep", TN_STUDIO_DEPTH_MAX);
	if (!type) /* one that nobody knows here stays what it is */
		return true;
	if (!parent->type || !parent->type->container ||
	    (around && (!around->type || !tn_studio_may_contain(around->type, type))))
		return refuse(edit, type, around ? around : parent);
	return true;
}

static bool is_module(const struct tn_json *modules, struct tn_str id)
{
	struct tn_str text;

	for (const struct tn_json *at = tn_json_is(modules, TN_JSON_ARRAY) ? modules->first : NULL;
	     at; at = at->next) {
		if (tn_json_to_str(tn_json_get(at, "id"), &text) && tn_str_equal(text, id))
			return true;
	}
	return false;
}

bool tn_studio_edit_check_module(struct tn_studio_edit *edit, struct tn_str module_id)
{
	if (module_id.size == 0 || is_module(edit->document->modules, module_id))
		return true;
	return tn_studio_fail(edit->fault, "NOT_FOUND", "there is no module '%.*s'",
			      (int)(module_id.size < 80 ? module_id.size : 80), module_id.data);
}
