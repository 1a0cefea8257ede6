#include "apps/workbench/source/links.h"

#include "apps/workbench/limits.h"
#include "base/mem.h"

/* ---- from a name to a declaration ---- */

struct query {
	struct tn_wb_links *links;
	unsigned steps; /* exports may pass each other on in circles */
};

static uint32_t of_export(struct query *query, const struct tn_wb_file *file, struct tn_str name,
			  struct tn_str member);

static struct tn_str export_of(const struct tn_wb_source_hint *hint)
{
	return hint->export_name.size ? hint->export_name : TN_STR("default");
}

/* An export of a package, if somebody hints at it. */
static uint32_t of_package(const struct tn_wb_links *links, struct tn_str specifier,
			   struct tn_str name)
{
	for (uint32_t i = 0; i < links->package_count; i++) {
		const struct tn_wb_source_hint *hint = &links->hints[links->package_hints[i]];

		if (tn_str_equal(hint->target, specifier) && tn_str_equal(export_of(hint), name))
			return links->unit_count + i;
	}
	return TN_WB_NONE;
}

/* `name` of what `specifier` means here; "*": all of it, and the member is meant. */
static uint32_t of_specifier(struct query *query, const struct tn_wb_file *file,
			     struct tn_str specifier, struct tn_str name, struct tn_str member)
{
	const struct tn_wb_file *target;
	uint32_t found;

	if (tn_str_is(name, "*")) {
		name = member;
		member = tn_str("", 0);
	}
	if (name.size == 0)
		return TN_WB_NONE;
	found = member.size ? TN_WB_NONE : of_package(query->links, specifier, name);
	if (found != TN_WB_NONE)
		return found;
	target = tn_wb_resolve(&query->links->resolver, file, specifier);
	return target ? of_export(query, target, name, member) : TN_WB_NONE;
}

static uint32_t of_local(struct query *query, const struct tn_wb_file *file, struct tn_str name,
			 struct tn_str member)
{
	const struct tn_wb_import *import;
	uint32_t unit = tn_wb_module_unit(&file->module, name);

	if (unit != TN_WB_NONE)
		return member.size ? TN_WB_NONE : query->links->first_node[file->index] + unit;
	import = tn_wb_module_import(&file->module, name);
	return import ? of_specifier(query, file, import->specifier, import->name, member)
		      : TN_WB_NONE;
}

static uint32_t of_export(struct query *query, const struct tn_wb_file *file, struct tn_str name,
			  struct tn_str member)
{
	const struct tn_wb_export *export = tn_wb_module_export(&file->module, name);
	uint32_t found = TN_WB_NONE;

	if (++query->steps > TN_WB_EXPORT_STEPS_MAX)
		return TN_WB_NONE;
	if (export && export->specifier.size)
		return of_specifier(query, file, export->specifier, export->passed_on, member);
	if (export)
		return of_local(query, file, export->local, member);
	if (tn_str_is(name, "default"))
		return TN_WB_NONE;
	for (uint32_t i = 0; i < file->module.star_count && found == TN_WB_NONE; i++)
		found = of_specifier(query, file, file->module.stars[i], name, member);
	return found;
}

uint32_t tn_wb_links_use(struct tn_wb_links *links, const struct tn_wb_file *file,
			 const struct tn_wb_use *use)
{
	struct query query = {.links = links};

	if (use->specifier.size)
		return of_specifier(&query, file, use->specifier, use->name, use->member);
	return of_local(&query, file, use->name, use->member);
}

const struct tn_wb_file *tn_wb_links_variable(struct tn_wb_links *links,
					      const struct tn_wb_file *file, struct tn_str name,
					      struct tn_str *ret_name)
{
	const struct tn_wb_import *import = tn_wb_module_import(&file->module, name);
	const struct tn_wb_export *export;
	const struct tn_wb_file *target;

	*ret_name = name;
	if (!import)
		return file;
	target = tn_wb_resolve(&links->resolver, file, import->specifier);
	export = target ? tn_wb_module_export(&target->module, import->name) : NULL;
	if (!export || export->specifier.size)
		return NULL;
	*ret_name = export->local;
	return target;
}

/* ---- hints ---- */

/* A file hint: from its export to the declaration, and where to point at. */
static void place_file(struct tn_wb_links *links, const struct tn_wb_source_hint *hint,
		       struct tn_wb_hint_place *place)
{
	struct query query = {.links = links};
	const struct tn_wb_file *file = tn_wb_find_module(links->files, hint->target, false);
	const struct tn_wb_export *export;
	uint32_t first;

	if (!file)
		return;
	export = tn_wb_module_export(&file->module, export_of(hint));
	place->node = of_export(&query, file, export_of(hint), tn_str("", 0));
	place->is_found = export || place->node != TN_WB_NONE;
	place->file = file;
	if (export)
		place->at = export->at;
	first = links->first_node[file->index];
	if (place->node != TN_WB_NONE && place->node >= first &&
	    place->node - first < file->module.unit_count)
		place->at = file->module.units[place->node - first].at;
}

static void place_hint(struct tn_wb_links *links, size_t number)
{
	const struct tn_wb_source_hint *hint = &links->hints[number];
	struct tn_wb_hint_place *place = &links->places[number];

	if (hint->kind == TN_WB_SOURCE_FILE) {
		place_file(links, hint, place);
	} else if (hint->kind == TN_WB_SOURCE_PACKAGE) {
		place->node = of_package(links, hint->target, export_of(hint));
		place->is_found = true;
	}
	if (place->node != TN_WB_NONE && links->type_of[place->node] == TN_WB_NONE)
		links->type_of[place->node] = (uint32_t)number;
}

/* Of hints of one type the first stands for the type. */
static uint32_t first_hint_of(const struct tn_wb_links *links, uint32_t hint)
{
	while (hint > 0 && tn_str_equal(links->hints[hint - 1].type_id, links->hints[hint].type_id))
		hint--;
	return hint;
}

/* ---- making ---- */

static uint32_t *numbers(struct tn_wb_links *links, size_t count)
{
	return tn_arena_alloc_array(&links->arena, count + 1, sizeof(uint32_t));
}

static bool count_nodes(struct tn_wb_links *links)
{
	uint64_t units = 0;

	links->first_node = numbers(links, links->files->count);
	links->package_hints = numbers(links, links->hint_count);
	links->places =
		tn_arena_alloc_array(&links->arena, links->hint_count + 1, sizeof(*links->places));
	if (!links->first_node || !links->package_hints || !links->places)
		return false;
	for (size_t i = 0; i < links->files->count; i++) {
		links->files->list[i]->index = (uint32_t)i;
		links->first_node[i] = (uint32_t)units;
		units += links->files->list[i]->module.unit_count;
	}
	for (size_t i = 0; i < links->hint_count; i++) {
		links->places[i].node = TN_WB_NONE;
		if (links->hints[i].kind == TN_WB_SOURCE_PACKAGE)
			links->package_hints[links->package_count++] = (uint32_t)i;
	}
	links->unit_count = (uint32_t)units;
	links->node_count = links->unit_count + links->package_count;
	links->type_of = numbers(links, links->node_count);
	return units < TN_WB_NONE / 2 && links->type_of;
}

enum tenon_code tn_wb_links_make(struct tn_wb_links *links, struct tn_wb_files *files,
				 const struct tn_wb_source_hint *hints, size_t count,
				 struct tenon_error *err)
{
	*links = (struct tn_wb_links){.files = files, .hints = hints, .hint_count = count};
	tn_arena_init(&links->arena, TN_WB_LINKS_BYTES_MAX);
	tn_wb_resolver_init(&links->resolver, files);
	for (size_t i = 0; i < count; i++)
		if (hints[i].kind == TN_WB_SOURCE_FILE)
			(void)tn_wb_find_module(files, hints[i].target,
						true); /* or it is missing */
	if (!count_nodes(links))
		return links->arena.starved
			       ? tn_fail(err, TENON_NO_MEMORY, "out of memory")
			       : tn_fail(err, TENON_LIMIT, "the project declares too much");
	for (uint32_t i = 0; i < links->node_count; i++)
		links->type_of[i] = TN_WB_NONE;
	/* What somebody wrote down counts more than what was inferred. */
	for (int inferred = 0; inferred < 2; inferred++)
		for (size_t i = 0; i < count; i++)
			if (hints[i].is_inferred == (inferred == 1))
				place_hint(links, i);
	return TENON_OK;
}

void tn_wb_links_finish(struct tn_wb_links *links)
{
	tn_wb_resolver_finish(&links->resolver);
	tn_arena_finish(&links->arena);
}

/* ---- who renders whom ---- */

static void follow_unit(struct tn_wb_links *links, const struct tn_wb_file *file, uint32_t unit,
			uint32_t *used)
{
	const struct tn_wb_module *module = &file->module;
	const struct tn_wb_unit *at = &module->units[unit];

	links->target_first[links->first_node[file->index] + unit] = *used;
	for (uint32_t i = 0; i < at->use_count; i++) {
		uint32_t node = tn_wb_links_use(links, file, &module->uses[at->use_first + i]);

		if (node != TN_WB_NONE)
			links->targets[(*used)++] = node;
	}
}

enum tenon_code tn_wb_links_follow(struct tn_wb_links *links, const atomic_bool *cancelled,
				   struct tenon_error *err)
{
	size_t uses = 0;
	uint32_t used = 0;

	for (size_t i = 0; i < links->files->count; i++)
		uses += links->files->list[i]->module.use_count;
	links->targets = numbers(links, uses);
	links->target_first = numbers(links, links->node_count + 1);
	links->seen = numbers(links, links->node_count);
	links->queue = numbers(links, links->node_count);
	if (!links->targets || !links->target_first || !links->seen || !links->queue)
		return links->arena.starved
			       ? tn_fail(err, TENON_NO_MEMORY, "out of memory")
			       : tn_fail(err, TENON_LIMIT, "the project renders too much");
	for (size_t i = 0; i < links->files->count; i++) {
		const struct tn_wb_file *file = links->files->list[i];

		if (cancelled && atomic_load_explicit(cancelled, memory_order_relaxed))
			return tn_fail(err, TENON_CANCELLED, "cancelled");
		for (uint32_t unit = 0; unit < file->module.unit_count; unit++)
			follow_unit(links, file, unit, &used);
	}
	for (uint32_t i = links->unit_count; i <= links->node_count; i++)
		links->target_first[i] = used; /* packages render what nobody sees */
	return TENON_OK;
}

static void push(struct tn_wb_links *links, uint32_t node, uint32_t *count)
{
	if (node == TN_WB_NONE || links->seen[node] == links->search)
		return;
	links->seen[node] = links->search;
	links->queue[(*count)++] = node;
}

/* Breadth first, so that each is reached over the fewest others. */
void tn_wb_links_search(struct tn_wb_links *links, const struct tn_wb_search *search)
{
	uint32_t count = 0, at = 0, level_end;
	unsigned depth = 0;

	links->search++;
	for (size_t i = 0; i < search->count; i++)
		push(links, search->start[i], &count);
	for (level_end = count; at < count && depth < TN_WB_RENDER_DEPTH_MAX; at++) {
		uint32_t node = links->queue[at], hint = links->type_of[node];

		if (hint != TN_WB_NONE)
			search->found(search->data, first_hint_of(links, hint));
		if (hint == TN_WB_NONE || (search->is_route && links->hints[hint].is_inferred))
			for (uint32_t i = links->target_first[node];
			     i < links->target_first[node + 1]; i++)
				push(links, links->targets[i], &count);
		if (at + 1 == level_end) {
			level_end = count;
			depth++;
		}
	}
}
