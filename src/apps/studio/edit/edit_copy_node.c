/* The nodes of copy_resources, put there by add_resource: under which labels and names, with which
 * values, and where. */
#include <math.h>

#include "apps/studio/document/declared.h"
#include "apps/studio/edit/internal.h"
#include "apps/studio/limits.h"
#include "apps/studio/project/project.h"

void tn_studio_copy_drop(struct tn_studio_copy *copy, const struct tn_studio_copied *one,
			 struct tn_str property, const char *reason)
{
	struct tn_arena *arena = copy->edit->arena;
	struct tn_studio_fault *fault = copy->edit->fault;
	struct tn_json_maker maker;
	const char *why = reason ? reason : fault ? fault->message : "";

	why = tn_arena_copy(arena, tn_str_from(why));
	tn_json_maker_begin(&maker, arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, TN_STR("instanceId"), tn_json_make_str(arena, one->old_id));
	tn_json_maker_put(&maker, TN_STR("property"), tn_json_make_str(arena, property));
	tn_json_maker_put(&maker, TN_STR("reason"),
			  tn_json_make_str(arena, tn_str_from(why ? why : "")));
	tn_json_maker_add(&copy->dropped, tn_json_maker_end(&maker));
	if (fault && !reason)
		*fault = (struct tn_studio_fault){.code = NULL};
}

/* ---- places ---- */

struct corner {
	int64_t x, y;
};

static struct corner place_of(const struct tn_json *record)
{
	const struct tn_json *position = tn_json_get(record, "position");
	double x = 0, y = 0;

	(void)tn_json_to_double(tn_json_get(position, "x"), &x);
	(void)tn_json_to_double(tn_json_get(position, "y"), &y);
	return (struct corner){(int64_t)lround(x), (int64_t)lround(y)};
}

/* How far those at the top go, all alike. */
static struct corner way(const struct tn_studio_copy *copy)
{
	const struct tn_json *position = tn_json_get(copy->arguments, "position");
	struct corner least = {INT64_MAX, INT64_MAX}, to = {TN_STUDIO_GRID, TN_STUDIO_GRID};

	if (!position && copy->within && !tn_json_get(copy->arguments, "into"))
		return to;
	for (size_t i = 0; i < copy->count; i++) {
		struct corner at = place_of(copy->all[i].record);

		if (copy->all[i].parent)
			continue;
		least.x = at.x < least.x ? at.x : least.x;
		least.y = at.y < least.y ? at.y : least.y;
	}
	to = (struct corner){TN_STUDIO_PADDING, TN_STUDIO_HEADER + TN_STUDIO_PADDING};
	if (position)
		to = place_of(copy->arguments);
	return (struct corner){to.x - least.x, to.y - least.y};
}

/* ---- labels and names ---- */

/* "Web 2" where there is a "Web" beside the copy. */
static struct tn_str free_label(struct tn_studio_copy *copy, struct tn_str label)
{
	const struct tn_studio_document *document = copy->edit->document;

	for (unsigned number = 1; number < TN_STUDIO_NODES_MAX + 2; number++) {
		struct tn_str made = label;
		bool taken = false;

		if (number > 1)
			made = tn_str_from(tn_arena_format(
				copy->edit->arena, "%.*s %u",
				(int)(label.size > 100 ? 100 : label.size), label.data, number));
		for (size_t i = 0; i < document->node_count && !taken; i++)
			taken = tn_str_equal(document->nodes[i]->label, made);
		if (!taken)
			return made;
	}
	return label;
}

static bool name_is_taken(const struct tn_studio_copy *copy, const struct tn_studio_type *type,
			  struct tn_str name)
{
	const struct tn_studio_document *document = copy->edit->document;

	for (size_t i = 0; i < document->node_count; i++) {
		const struct tn_studio_node *node = document->nodes[i];
		struct tn_str other;

		if (node->type == type &&
		    tn_json_to_str(tn_json_get(node->properties, "name"), &other) &&
		    tn_str_equal(other, name))
			return true;
	}
	return false;
}

/* "rg-shop-2" where "rg-shop" is there, as its type allows it. */
static const struct tn_json *free_name(struct tn_studio_copy *copy,
				       const struct tn_studio_type *type,
				       const struct tn_json *value)
{
	struct tn_str name = tn_str("", 0), made;
	int64_t longest = 1000;
	bool plain = false;

	if (!tn_json_to_str(value, &name))
		return value;
	(void)tn_json_to_bool(tn_json_get(type->naming, "noHyphens"), &plain);
	(void)tn_json_to_int(tn_json_get(type->naming, "maxLength"), &longest);
	made = name;
	for (unsigned number = 2; name_is_taken(copy, type, made) && made.data; number++) {
		size_t room = longest > 8 ? (size_t)longest - 6 : 2;

		made = tn_str_from(tn_arena_format(copy->edit->arena, "%.*s%s%u",
						   (int)(name.size < room ? name.size : room),
						   name.data, plain ? "" : "-", number));
	}
	return tn_json_make_str(copy->edit->arena, made);
}

/* ---- values ---- */

/* What is kept for the original; NULL: nothing. */
static const struct tn_json *secret_of(const struct tn_studio_copy *copy,
				       const struct tn_studio_copied *one, struct tn_str key)
{
	return copy->from ? tn_studio_secret_find(copy->from->secrets, one->old_id, key) : NULL;
}

/* Values but ranges, which are assigned anew, and secrets of another project. */
static const struct tn_json *values_of(struct tn_studio_copy *copy,
				       const struct tn_studio_copied *one,
				       const struct tn_studio_type *type)
{
	const struct tn_json *given = tn_json_get(one->record, "properties");
	const struct tn_studio_property *range = tn_studio_range_property(type);
	struct tn_json_maker maker;

	tn_json_maker_begin(&maker, copy->edit->arena, TN_JSON_OBJECT);
	for (const struct tn_json *at = tn_studio_edit_first(given); at; at = at->next) {
		const struct tn_studio_property *property = tn_studio_property_find(type, at->key);

		if (range && tn_str_equal(range->key, at->key))
			continue;
		if (property && property->sensitive)
			continue;
		tn_json_maker_put(&maker, at->key,
				  tn_str_is(at->key, "name") ? free_name(copy, type, at) : at);
	}
	for (size_t i = 0; i < type->property_count; i++) {
		const struct tn_studio_property *property = &type->properties[i];
		const struct tn_json *secret = NULL;

		if (!property->sensitive)
			continue;
		secret = secret_of(copy, one, property->key);
		if (secret && copy->within)
			tn_json_maker_put(&maker, property->key, secret);
		else if (secret || tn_json_get_str(given, property->key))
			tn_studio_copy_drop(copy, one, property->key,
					    "a secret is not copied into another project");
	}
	return tn_json_maker_end(&maker);
}

/* ---- one node, and all ---- */

static const struct tn_json *parent_of(const struct tn_studio_copy *copy,
				       const struct tn_studio_copied *one)
{
	const struct tn_json *into = tn_json_get(copy->arguments, "into");
	struct tn_arena *arena = copy->edit->arena;

	if (one->parent)
		return tn_json_make_str(arena, copy->all[one->parent - 1].new_id);
	if (into)
		return into->type == TN_JSON_NULL ? NULL : into;
	return copy->within ? tn_json_get(one->record, "parentId") : NULL;
}

static const struct tn_json *addition(struct tn_studio_copy *copy,
				      const struct tn_studio_copied *one,
				      const struct tn_studio_type *type, struct corner far)
{
	struct tn_arena *arena = copy->edit->arena;
	struct corner at = place_of(one->record);
	const struct tn_json *size = tn_json_get(one->record, "size");
	struct tn_json_maker maker, place;

	if (!one->parent)
		at = (struct corner){at.x + far.x, at.y + far.y};
	tn_json_maker_begin(&place, arena, TN_JSON_OBJECT);
	tn_json_maker_put(&place, TN_STR("x"), tn_json_make_int(arena, at.x));
	tn_json_maker_put(&place, TN_STR("y"), tn_json_make_int(arena, at.y));
	tn_json_maker_begin(&maker, arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, TN_STR("typeId"), tn_json_make_str(arena, type->id));
	tn_json_maker_put(&maker, TN_STR("label"),
			  tn_json_make_str(arena, free_label(copy, tn_studio_edit_text(one->record,
										       "label"))));
	if (parent_of(copy, one))
		tn_json_maker_put(&maker, TN_STR("parentId"), parent_of(copy, one));
	tn_json_maker_put(&maker, TN_STR("position"), tn_json_maker_end(&place));
	if (tn_json_is(size, TN_JSON_OBJECT) && tn_studio_has_size(type))
		tn_json_maker_put(&maker, TN_STR("size"), size);
	tn_json_maker_put(&maker, TN_STR("properties"), values_of(copy, one, type));
	return tn_json_maker_end(&maker);
}

static bool add_one(struct tn_studio_copy *copy, struct tn_studio_copied *one, struct corner far)
{
	struct tn_studio_edit *edit = copy->edit;
	struct tn_str type_id = tn_studio_edit_text(one->record, "typeId");
	const struct tn_studio_type *type = tn_studio_type_find(edit->document->registry, type_id);
	const struct tn_json *arguments;
	struct tn_json *answer = NULL;
	struct tn_buf result;
	bool done;

	one->done = true;
	if (!type)
		return tn_studio_fail_unknown_type(edit->fault, edit->document->registry, type_id);
	arguments = addition(copy, one, type, far);
	if (!arguments)
		return tn_studio_edit_no_memory(edit);
	tn_buf_init(&result, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&result);
	done = tn_studio_edit_add(edit, arguments, &result);
	tn_json_end_object(&result);
	if (done && tn_json_parse_copy(edit->arena, tn_buf_str(&result), &answer, NULL) != TENON_OK)
		done = tn_studio_edit_no_memory(edit);
	tn_buf_finish(&result);
	one->new_id = tn_studio_edit_text(answer, "instanceId");
	return done;
}

/* Outside in; what stands in itself, which only a document can say, is added last. */
bool tn_studio_copy_add_all(struct tn_studio_copy *copy)
{
	struct corner far = way(copy);

	for (unsigned depth = 0; depth <= TN_STUDIO_DEPTH_MAX; depth++) {
		for (size_t i = 0; i < copy->count; i++) {
			struct tn_studio_copied *one = &copy->all[i];
			bool ready = !one->parent || copy->all[one->parent - 1].new_id.size > 0;

			if (!one->done && ready && !add_one(copy, one, far))
				return false;
		}
	}
	for (size_t i = 0; i < copy->count; i++) {
		if (!copy->all[i].done)
			return tn_studio_fail(
				copy->edit->fault, "CONTAINMENT_ERROR",
				"'%.*s' stands in itself, or nested more than %d deep",
				(int)copy->all[i].old_id.size, copy->all[i].old_id.data,
				TN_STUDIO_DEPTH_MAX);
	}
	return true;
}
