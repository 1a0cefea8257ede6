/* From drafts to the places in the source that they are of. */
#include <stdio.h>

#include "apps/workbench/save/plan_parts.h"
#include "apps/workbench/values/plain_path.h"

bool tn_wb_locator_read(const struct tn_json *json, struct tn_wb_locator *ret)
{
	int64_t line, column, ordinal = 0;
	struct tn_str kind;

	if (!tn_json_to_str(tn_json_get(json, "kind"), &kind) || !tn_str_is(kind, "jsxSite") ||
	    !tn_json_to_str(tn_json_get(json, "file"), &ret->file) ||
	    !tn_json_to_int(tn_json_get(json, "line"), &line) || line < 1 || line > INT32_MAX ||
	    !tn_json_to_int(tn_json_get(json, "column"), &column) || column < 1 ||
	    column > INT32_MAX)
		return false;
	(void)tn_json_to_int(tn_json_get(json, "ordinal"), &ordinal);
	ret->at = (struct tn_wb_position){(uint32_t)line, (uint32_t)column};
	ret->ordinal = ordinal > 0 && ordinal < INT32_MAX ? (uint32_t)ordinal : 0;
	return true;
}

/* ---- which files ---- */

/* Others' code, and what is hidden: a page may name it, and nobody writes there. */
static bool is_of_project(struct tn_str path)
{
	for (size_t at = 0; at < path.size;) {
		struct tn_str rest = tn_str_from_offset(path, at);
		size_t slash = tn_str_find_byte(rest, '/');
		struct tn_str part = tn_str(rest.data, slash == TN_STR_NONE ? rest.size : slash);

		if (part.data[0] == '.' || tn_str_equal_nocase(part, TN_STR("node_modules")))
			return false;
		at += part.size + 1;
	}
	return true;
}

static bool is_source(struct tn_str path)
{
	static const char *const endings[] = {".tsx", ".jsx", ".ts", ".js", ".mts", ".mjs"};

	for (size_t i = 0; i < TN_COUNT(endings); i++)
		if (tn_str_ends(path, tn_str_from(endings[i])))
			return true;
	return false;
}

static const char *fault_of_file(const struct tn_wb_plan_inputs *inputs, struct tn_str path)
{
	if (!tn_wb_path_is_plain(path) || path.size >= PATH_MAX / 2 || !is_of_project(path))
		return "it is not written in a file of this project";
	if (!is_source(path))
		return "it is not written in a file of TypeScript or JavaScript";
	if (tn_wb_globs_match(inputs->read_only, path))
		return "guardrails.readOnlyFiles says that its file stays as it is";
	return NULL;
}

/* ---- making ---- */

static enum tenon_code put(struct tn_map *map, struct tn_str key, void *value,
			   struct tenon_error *err)
{
	return value ? tn_map_put(map, key, value, err)
		     : tn_fail(err, TENON_NO_MEMORY, "out of memory");
}

static enum tenon_code file_of(struct tn_wb_planning *p, struct tn_str path,
			       struct tn_wb_plan_file **ret, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	*ret = tn_map_get(&p->file_of, path);
	if (*ret)
		return TENON_OK;
	*ret = tn_arena_alloc(&p->arena, sizeof(**ret));
	code = put(&p->file_of, path, *ret, err);
	if (code != TENON_OK)
		return code;
	(*ret)->path = path;
	tn_buf_init(&(*ret)->text, TN_WB_SOURCE_BYTES_MAX);
	p->files[p->file_count++] = *ret;
	return TENON_OK;
}

/* The one of this prop at this place, or a new one. */
static enum tenon_code spot_of(struct tn_wb_planning *p, struct tn_wb_item *item,
			       const struct tn_wb_locator *locator, struct tn_str prop,
			       struct tenon_error *err)
{
	const char *key = tn_arena_format(&p->arena, "%u:%u:%.*s:%.*s", locator->at.line,
					  locator->at.column, (int)prop.size, prop.data,
					  (int)locator->file.size, locator->file.data);
	struct tn_wb_spot *spot = key ? tn_map_get(&p->spot_of, tn_str_from(key)) : NULL;
	struct tn_wb_plan_file *file = NULL;
	enum tenon_code code = TENON_OK;

	if (!spot) {
		spot = key ? tn_arena_alloc(&p->arena, sizeof(*spot)) : NULL;
		code = put(&p->spot_of, tn_str_from(key ? key : ""), spot, err);
		if (code == TENON_OK)
			code = file_of(p, locator->file, &file, err);
		if (code != TENON_OK)
			return code;
		*spot = (struct tn_wb_spot){.file = locator->file,
					    .prop = prop,
					    .type_id = item->draft->type_id,
					    .at = locator->at,
					    .next_in_file = file->first};
		file->first = spot;
		p->spots[p->spot_count++] = spot;
	}
	spot->draft_count++;
	item->spot = spot;
	return TENON_OK;
}

static enum tenon_code refuse(struct tn_wb_item *item, const char *code, const char *message)
{
	item->code = code;
	item->message = message;
	return TENON_OK;
}

static enum tenon_code take_draft(struct tn_wb_planning *p, struct tn_wb_item *item,
				  struct tenon_error *err)
{
	const struct tn_wb_plan_draft *draft = item->draft;
	struct tn_wb_prop_path *path = tn_arena_alloc_raw(&p->arena, sizeof(*path));
	struct tn_json *value = NULL, *locator = NULL;
	struct tn_wb_locator site;
	const char *fault;
	enum tenon_code code = path ? TENON_OK : tn_fail(err, TENON_NO_MEMORY, "out of memory");

	if (code == TENON_OK)
		code = tn_json_parse_copy(&p->arena, draft->value, &value, err);
	if (code == TENON_OK && draft->locator.size)
		code = tn_json_parse_copy(&p->arena, draft->locator, &locator, err);
	if (code != TENON_OK)
		return code;
	if (!locator || !tn_wb_locator_read(locator, &site))
		return refuse(item, "unpromotable", "it is not known where it is written");
	fault = fault_of_file(p->inputs, site.file);
	if (fault)
		return refuse(item, "unpromotable", fault);
	if (tn_wb_prop_path_read(path, draft->address.path) != TN_WB_PATH_GOOD || path->count > 1)
		return refuse(item, "unsupportedPattern", "it is a part of a prop's value");
	code = spot_of(p, item, &site, path->tokens[0], err);
	if (code != TENON_OK)
		return code;
	if (!item->spot->value)
		item->spot->value = value;
	if (!tn_json_equal(item->spot->value, value))
		tn_wb_spot_refuse(item->spot, "unpromotable",
				  "other drafts for the same place in the source say another "
				  "value");
	if (!tn_str_equal(item->spot->type_id, draft->type_id))
		tn_wb_spot_refuse(item->spot, "notFound",
				  "drafts of two types are said to be written at one place");
	return TENON_OK;
}

enum tenon_code tn_wb_spots_make(struct tn_wb_planning *p, struct tenon_error *err)
{
	size_t count = p->inputs->draft_count;
	enum tenon_code code = TENON_OK;

	p->items = tn_arena_alloc_array(&p->arena, count + 1, sizeof(*p->items));
	p->spots = tn_arena_alloc_array(&p->arena, count + 1, sizeof(struct tn_wb_spot *));
	p->files = tn_arena_alloc_array(&p->arena, count + 1, sizeof(struct tn_wb_plan_file *));
	if (!p->items || !p->spots || !p->files)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	for (size_t i = 0; i < count && code == TENON_OK; i++) {
		p->items[i].draft = &p->inputs->drafts[i];
		code = take_draft(p, &p->items[i], err);
	}
	return code;
}
