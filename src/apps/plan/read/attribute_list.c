#include "apps/plan/read/attribute_list.h"

#include "apps/plan/limits.h"
#include "apps/plan/read/secret_names.h"
#include "base/mem.h"
#include "base/size.h"
#include "base/utf8.h"

enum {
	SCRATCH_BYTES = 2 * 1024 * 1024, /* 400 paths of 1 KiB, and those of their containers */
	NAME_DISTANCE = 8,               /* members between a name and its value */
	UNCHANGED_MAX = TN_PLAN_ATTRIBUTES_MAX / 2,
	SHORT_NAME = 64 /* what is left of a name that makes a path too long */
};

bool tn_plan_attribute_list_init(struct tn_plan_attribute_list *list, struct tn_plan_build *build)
{
	memset(list, 0, sizeof(*list));
	list->build = build;
	tn_arena_init(&list->scratch, SCRATCH_BYTES);
	list->attributes = tn_mem_alloc_array(TN_PLAN_ATTRIBUTES_MAX, sizeof(*list->attributes));
	if (!list->attributes)
		(void)tn_plan_build_fail(build, TENON_NO_MEMORY, "input_too_large",
					 "no memory to read a plan");
	return list->attributes != NULL;
}

void tn_plan_attribute_list_finish(struct tn_plan_attribute_list *list)
{
	tn_plan_build_check_memory(list->build, list->scratch.starved);
	tn_mem_free(list->attributes);
	tn_arena_finish(&list->scratch);
}

void tn_plan_attribute_list_reset(struct tn_plan_attribute_list *list)
{
	tn_arena_reset(&list->scratch);
	list->count = list->unchanged = list->truncated = 0;
}

struct tn_plan_attribute *tn_plan_attribute_list_add(struct tn_plan_attribute_list *list,
						     struct tn_plan_path path, uint8_t change)
{
	uint32_t index = list->count;

	if (index == TN_PLAN_ATTRIBUTES_MAX ||
	    (change == TN_PLAN_ATTR_UNCHANGED && list->unchanged == UNCHANGED_MAX)) {
		list->truncated++;
		return NULL;
	}
	list->unchanged += change == TN_PLAN_ATTR_UNCHANGED;
	list->attributes[index] = (struct tn_plan_attribute){.path = path.text, .change = change};
	list->in_scratch[index] = path.in_scratch;
	list->count++;
	return &list->attributes[index];
}

void tn_plan_attribute_list_rename(struct tn_plan_attribute_list *list, uint32_t index,
				   struct tn_plan_path path)
{
	list->attributes[index].path = path.text;
	list->in_scratch[index] = path.in_scratch;
}

/* ---- paths ---- */

struct tn_plan_path tn_plan_path_join(struct tn_plan_attribute_list *list, struct tn_str parent,
				      struct tn_str before, struct tn_str name, struct tn_str after)
{
	struct tn_str parts[] = {parent, before, name, after};
	size_t size = parent.size + before.size + name.size + after.size, at = 0;
	char *text;

	if (size > TN_PLAN_PATH_BYTES_MAX) {
		parts[2] = tn_utf8_cut(name, SHORT_NAME);
		size = parent.size + before.size + parts[2].size + after.size;
	}
	text = size > TN_PLAN_PATH_BYTES_MAX ? NULL : tn_arena_alloc_raw(&list->scratch, size);
	if (!text)
		return (struct tn_plan_path){parent, true};
	for (size_t i = 0; i < TN_COUNT(parts); i++) {
		if (parts[i].size)
			memcpy(text + at, parts[i].data, parts[i].size);
		at += parts[i].size;
	}
	return (struct tn_plan_path){tn_str(text, size), true};
}

struct tn_plan_path tn_plan_path_name(struct tn_plan_attribute_list *list, struct tn_str parent,
				      struct tn_str name)
{
	if (name.size && name.data[0] == '"')
		return tn_plan_path_join(list, parent, TN_STR("["), name, TN_STR("]"));
	if (parent.size == 0)
		return (struct tn_plan_path){tn_utf8_cut(name, TN_PLAN_PATH_BYTES_MAX), false};
	return tn_plan_path_join(list, parent, TN_STR("."), name, tn_str("", 0));
}

struct tn_plan_path tn_plan_path_index(struct tn_plan_attribute_list *list, struct tn_str parent,
				       uint32_t index)
{
	char digits[10];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + index % 10);
		index /= 10;
	} while (index);
	return tn_plan_path_join(list, parent, TN_STR("["),
				 tn_str(digits + at, sizeof(digits) - at), TN_STR("]"));
}

/* ---- commit ---- */

/* The paths that were put together go into one run of bytes. */
static bool commit_paths(const struct tn_plan_attribute_list *list,
			 struct tn_plan_attribute *attributes)
{
	size_t size = 0;
	char *to;

	for (uint32_t i = 0; i < list->count; i++)
		size += list->in_scratch[i] ? attributes[i].path.size : 0;
	if (size == 0)
		return true;
	to = tn_arena_alloc_raw(&list->build->plan->arena, size);
	if (!to)
		return false;
	for (uint32_t i = 0; i < list->count; i++) {
		struct tn_str *path = &attributes[i].path;

		if (!list->in_scratch[i] || path->size == 0)
			continue;
		memcpy(to, path->data, path->size);
		path->data = to;
		to += path->size;
	}
	return true;
}

/* {name = "DB_PASSWORD", value = "..."}: the name beside it says what the value is. */
static bool is_named_secret(const struct tn_plan_attribute_list *list, uint32_t index)
{
	static const struct tn_str value = {".value", 6}, name = {"name", 4};
	struct tn_str path = list->attributes[index].path, owner;

	if (!tn_str_ends(path, value))
		return false;
	owner = tn_str(path.data, path.size - value.size + 1);
	for (uint32_t i = index; i-- > 0 && index - i < NAME_DISTANCE;) {
		const struct tn_plan_attribute *near = &list->attributes[i];

		if (tn_str_starts(near->path, owner) &&
		    tn_str_equal(tn_str_from_offset(near->path, owner.size), name))
			return tn_plan_is_secret_name(near->after.text) ||
			       tn_plan_is_secret_name(near->before.text);
	}
	return false;
}

static void hide_named_secrets(struct tn_plan_attribute_list *list)
{
	for (uint32_t i = 0; i < list->count; i++) {
		struct tn_plan_attribute *attribute = &list->attributes[i];

		if (!is_named_secret(list, i))
			continue;
		attribute->sensitive = true;
		attribute->multiline = false;
		attribute->before = (struct tn_plan_value){.kind = TN_PLAN_VALUE_NONE};
		attribute->after = (struct tn_plan_value){.kind = TN_PLAN_VALUE_NONE};
	}
}

void tn_plan_attribute_list_commit(struct tn_plan_attribute_list *list,
				   struct tn_plan_attributes *ret)
{
	size_t size = list->count * sizeof(*list->attributes);
	struct tn_plan_attribute *items = NULL;

	*ret = (struct tn_plan_attributes){.truncated = list->truncated};
	if (list->count == 0)
		return;
	hide_named_secrets(list);
	if (tn_plan_build_has_room(list->build))
		items = tn_arena_alloc_raw(&list->build->plan->arena, size);
	if (items) {
		memcpy(items, list->attributes, size);
		if (!commit_paths(list, items))
			items = NULL;
	}
	if (!items) { /* short of memory: counted, not kept */
		ret->truncated += list->count;
		return;
	}
	ret->items = items;
	ret->count = list->count;
}
