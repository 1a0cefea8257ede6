/* Files of a project become one operation, repaired where they break what every change keeps
 * (ST-033, ST-034). Here: nodes; document_repair.c has what lies between them. */
#include <stdio.h>

#include "apps/studio/document/document_reader.h"
#include "apps/studio/document/node_name.h"
#include "apps/studio/limits.h"
#include "base/utf8.h"
#include "jsonrpc/json_make.h"
#include "jsonrpc/json_write.h"

static void set_text(struct tn_studio_reader *reader, struct tn_studio_entry *entry,
		     const char *key, struct tn_str text)
{
	tn_studio_entry_set(reader, entry, key, tn_json_make_str(reader->arena, text));
}

/* ---- ids and names ---- */

static bool read_identity(struct tn_studio_reader *reader, struct tn_studio_entry *entry,
			  size_t index)
{
	if (!tn_json_is(entry->record, TN_JSON_OBJECT))
		return tn_studio_fail(reader->fault, "PROJECT_INVALID",
				      "diagram.json: node %zu is no object", index);
	if (!tn_json_to_str(tn_json_get(entry->record, "id"), &entry->id) ||
	    !tn_studio_id_is_valid(entry->id))
		return tn_studio_fail(reader->fault, "PROJECT_INVALID",
				      "diagram.json: node %zu has no id of 1 to 64 characters "
				      "A-Z a-z 0-9 _ -",
				      index);
	if (!tn_json_to_str(tn_json_get(entry->record, "typeId"), &entry->type_id) ||
	    entry->type_id.size == 0)
		return tn_studio_fail(reader->fault, "PROJECT_INVALID",
				      "diagram.json: node %.*s has no typeId", (int)entry->id.size,
				      entry->id.data);
	entry->type = tn_studio_type_find(reader->registry, entry->type_id);
	if (tn_map_get(&reader->by_id, entry->id)) {
		struct tn_str fresh = tn_studio_reader_id(reader);

		tn_studio_repaired(reader, "DUPLICATE_ID", fresh,
				   "two nodes had the id %.*s; the second is %.*s now",
				   (int)entry->id.size, entry->id.data, (int)fresh.size,
				   fresh.data);
		entry->id = fresh;
		set_text(reader, entry, "id", fresh);
	}
	return true;
}

static void repair_label(struct tn_studio_reader *reader, struct tn_studio_entry *entry)
{
	struct tn_str label = tn_str(NULL, 0), cut;

	if (!tn_json_to_str(tn_json_get(entry->record, "label"), &label) || label.size == 0)
		label = entry->type ? entry->type->display_name : entry->type_id;
	cut = tn_studio_cut_label(label);
	entry->label = cut;
	if (tn_json_get(entry->record, "label") && tn_str_equal(label, cut) &&
	    tn_json_is(tn_json_get(entry->record, "label"), TN_JSON_STRING) &&
	    tn_json_get(entry->record, "label")->text.size > 0)
		return;
	set_text(reader, entry, "label", cut);
	tn_studio_repaired(reader, "INVALID_VALUE", entry->id,
			   "a label was missing or too long; it is '%.*s' now", (int)cut.size,
			   cut.data);
}

/* For whom a name is looked for. */
struct wanted {
	const struct tn_studio_reader *reader;
	const struct tn_studio_entry *entry;
};

/* Nothing is named after an annotation. */
static bool has_own(const struct tn_studio_entry *entry)
{
	return !entry->type || !entry->type->is_annotation;
}

static bool own_is_taken(const void *data, struct tn_str own)
{
	const struct wanted *wanted = data;

	return has_own(wanted->entry) && tn_map_get(&wanted->reader->by_own, own) != NULL;
}

static bool name_is_taken(const void *data, struct tn_str name)
{
	const struct wanted *wanted = data;
	const struct tn_studio_entry *entry = wanted->entry;
	char key[TN_STUDIO_ADDRESS_SIZE];

	if (entry->type && entry->type->no_primary)
		return own_is_taken(data, name);
	for (size_t at = 0; tn_studio_address_at(entry->type, entry->type_id, name, at, key);
	     at++) {
		if (tn_map_get(&wanted->reader->by_address, tn_str_from(key)))
			return true;
	}
	return false;
}

static struct tn_str keep_name(struct tn_studio_reader *reader, const char *name)
{
	struct tn_str kept = tn_str_from(tn_arena_copy(reader->arena, tn_str_from(name)));

	reader->failed = reader->failed || !kept.data;
	return kept;
}

static void repair_name(struct tn_studio_reader *reader, struct tn_studio_entry *entry)
{
	struct wanted wanted = {reader, entry};
	struct tn_str name = tn_str("", 0);
	char text[TN_STUDIO_NAME_SIZE];

	if (tn_json_to_str(tn_json_get(entry->record, "terraformName"), &name) &&
	    tn_studio_terraform_name_is_valid(name) && !name_is_taken(&wanted, name)) {
		entry->name = name;
		return;
	}
	tn_studio_derive_name(name.size ? name : entry->label, entry->type_id, name_is_taken,
			      &wanted, text);
	entry->name = keep_name(reader, text);
	set_text(reader, entry, "terraformName", entry->name);
	tn_studio_repaired(reader, "DUPLICATE_NAME", entry->id,
			   "the terraformName '%.*s' was missing, taken or no identifier; it is "
			   "'%.*s' now",
			   (int)(name.size < 80 ? name.size : 80), name.data, (int)entry->name.size,
			   entry->name.data);
}

/* Empty where it is no name, or an earlier node's. */
static void read_own(const struct tn_studio_reader *reader, struct tn_studio_entry *entry)
{
	const struct tn_json *stored = tn_json_get(entry->record, TN_STUDIO_OWN);
	struct wanted wanted = {reader, entry};

	entry->own = entry->name;
	if ((stored && !tn_json_to_str(stored, &entry->own)) ||
	    !tn_studio_terraform_name_is_valid(entry->own) || own_is_taken(&wanted, entry->own))
		entry->own = tn_str("", 0);
}

/* Once it is known what all others have: theirs stay. */
static bool repair_own(struct tn_studio_reader *reader, struct tn_studio_entry *entry)
{
	struct wanted wanted = {reader, entry};
	char text[TN_STUDIO_NAME_SIZE];

	if (entry->own.size > 0)
		return true;
	tn_studio_derive_own(entry->name, entry->type_id, own_is_taken, &wanted, text);
	entry->own = keep_name(reader, text);
	if (tn_json_get(entry->record, TN_STUDIO_OWN) || !tn_str_equal(entry->own, entry->name))
		set_text(reader, entry, TN_STUDIO_OWN, entry->own);
	tn_studio_repaired(reader, "DUPLICATE_NAME", entry->id,
			   "variables, outputs and helper blocks of '%.*s' would be called as "
			   "another node's are; they are named after '%.*s' now",
			   (int)entry->label.size, entry->label.data, (int)entry->own.size,
			   entry->own.data);
	return !reader->failed && (!has_own(entry) || tn_map_put(&reader->by_own, entry->own, entry,
								 NULL) == TENON_OK);
}

static bool put_maps(struct tn_studio_reader *reader, struct tn_studio_entry *entry)
{
	char key[TN_STUDIO_ADDRESS_SIZE];
	bool good =
		!reader->failed && tn_map_put(&reader->by_id, entry->id, entry, NULL) == TENON_OK;

	if (good && entry->own.size > 0 && has_own(entry))
		good = tn_map_put(&reader->by_own, entry->own, entry, NULL) == TENON_OK;
	for (size_t at = 0;
	     good && tn_studio_address_at(entry->type, entry->type_id, entry->name, at, key); at++)
		good = tn_map_put(&reader->by_address, tn_str_from(key), entry, NULL) == TENON_OK;
	return good;
}

/* Ids of the whole file first: one that is made must not meet one that stands further down. */
static bool read_nodes(struct tn_studio_reader *reader, const struct tn_json *nodes)
{
	size_t index = 0;

	for (const struct tn_json *at = nodes ? nodes->first : NULL; at; at = at->next, index++) {
		struct tn_studio_entry *entry = &reader->nodes[index];

		entry->record = at;
		if (!read_identity(reader, entry, index))
			return false;
		repair_label(reader, entry);
		repair_name(reader, entry);
		read_own(reader, entry);
		if (!put_maps(reader, entry))
			return tn_studio_fail_memory(reader->fault);
		reader->node_count++;
	}
	for (size_t i = 0; i < reader->node_count; i++) {
		if (!repair_own(reader, &reader->nodes[i]))
			return tn_studio_fail_memory(reader->fault);
	}
	return true;
}

/* ---- parents ---- */

static void drop_parent(struct tn_studio_reader *reader, struct tn_studio_entry *entry,
			const char *why)
{
	entry->parent = NULL;
	tn_studio_entry_set(reader, entry, "parentId", NULL);
	tn_studio_repaired(reader, "INVALID_REFERENCE", entry->id,
			   "'%.*s' stands at top level now: its parent %s", (int)entry->label.size,
			   entry->label.data, why);
}

static void find_parent(struct tn_studio_reader *reader, struct tn_studio_entry *entry)
{
	const struct tn_json *value = tn_json_get(entry->record, "parentId");
	struct tn_str id;

	if (!value)
		return;
	entry->parent = tn_json_to_str(value, &id) ? tn_map_get(&reader->by_id, id) : NULL;
	if (value->type == TN_JSON_NULL)
		tn_studio_entry_set(reader, entry, "parentId", NULL);
	else if (!entry->parent)
		drop_parent(reader, entry, "does not exist");
}

/* Each node is walked over once: what has been seen leads to the top. */
static void cut_circle(struct tn_studio_reader *reader, struct tn_studio_entry *entry,
		       uint32_t walk)
{
	for (struct tn_studio_entry *at = entry; at && at->seen == 0; at = at->parent) {
		at->seen = walk;
		if (at->parent && at->parent->seen == walk)
			drop_parent(reader, at, "is one of its own descendants");
	}
}

/* Up to where the level is known, then down to it by the same way: each node is met twice at most.
 * What would stand deeper than may be stands at top level, and what is in it below. */
static void limit_depth(struct tn_studio_reader *reader, struct tn_studio_entry *entry)
{
	struct tn_studio_entry *at = entry, *parent;
	uint32_t level = 1;

	for (; at->level == 0 && at->parent; at = at->parent)
		level++;
	if (at->level > 0)
		level += at->level - 1;
	for (at = entry; at && at->level == 0; at = parent, level--) {
		parent = at->parent;
		at->level = (level - 1) % TN_STUDIO_DEPTH_MAX + 1;
		if (at->level == 1 && parent)
			drop_parent(reader, at, "is nested as deep as may be");
	}
}

static void repair_parents(struct tn_studio_reader *reader)
{
	for (size_t i = 0; i < reader->node_count; i++)
		find_parent(reader, &reader->nodes[i]);
	for (size_t i = 0; i < reader->node_count; i++)
		cut_circle(reader, &reader->nodes[i], (uint32_t)i + 1);
	for (size_t i = 0; i < reader->node_count; i++)
		limit_depth(reader, &reader->nodes[i]);
}

/* ---- the whole ---- */

static bool check_form(struct tn_studio_fault *fault, const struct tn_json *file, const char *name)
{
	int64_t version;

	if (!tn_json_is(file, TN_JSON_OBJECT))
		return tn_studio_fail(fault, "PROJECT_INVALID", "%s: is no object", name);
	if (!tn_json_to_int(tn_json_get(file, "formatVersion"), &version) || version < 1)
		return tn_studio_fail(fault, "PROJECT_INVALID", "%s: has no formatVersion", name);
	if (version > TN_STUDIO_FORMAT)
		return tn_studio_fail(fault, "FORMAT_TOO_NEW",
				      "%s has format %lld; this program knows format %d. A newer "
				      "version of it opens the project",
				      name, (long long)version, TN_STUDIO_FORMAT);
	return true;
}

static bool check_list(struct tn_studio_fault *fault, const struct tn_json *diagram,
		       const char *key, size_t max, const struct tn_json **ret)
{
	*ret = tn_json_get(diagram, key);
	if (*ret && (*ret)->type != TN_JSON_ARRAY)
		return tn_studio_fail(fault, "PROJECT_INVALID", "diagram.json: %s is no array",
				      key);
	if (*ret && (*ret)->count > max)
		return tn_studio_fail(fault, "LIMIT_EXCEEDED",
				      "diagram.json has %u %s; at most %zu are possible",
				      (*ret)->count, key, max);
	return true;
}

static const struct tn_json *rest_of(struct tn_arena *arena, const struct tn_json *file,
				     const char *const *known)
{
	struct tn_json_maker rest;
	struct tn_json *made;

	tn_json_maker_begin(&rest, arena, TN_JSON_OBJECT);
	for (const struct tn_json *at = file ? file->first : NULL; at; at = at->next) {
		bool is_known = false;

		for (int i = 0; known[i] && !is_known; i++)
			is_known = tn_str_is(at->key, known[i]);
		if (!is_known)
			tn_json_maker_put(&rest, at->key, at);
	}
	made = tn_json_maker_end(&rest);
	return made && made->count ? made : NULL;
}

static void put_list(struct tn_studio_reader *reader, struct tn_json_maker *document,
		     const char *key, const struct tn_studio_entry *entries, size_t count)
{
	struct tn_json_maker list;

	tn_json_maker_begin(&list, reader->arena, TN_JSON_ARRAY);
	for (size_t i = 0; i < count; i++) {
		if (!entries[i].dropped)
			tn_json_maker_add(&list, entries[i].record);
	}
	tn_json_maker_put(document, tn_str_from(key), tn_json_maker_end(&list));
}

static void put_part(struct tn_json_maker *document, const char *key, const struct tn_json *part)
{
	bool empty =
		!part || part->type == TN_JSON_NULL ||
		((part->type == TN_JSON_OBJECT || part->type == TN_JSON_ARRAY) && part->count == 0);

	if (!empty)
		tn_json_maker_put(document, tn_str_from(key), part);
}

static struct tn_json *make_operation(struct tn_studio_reader *reader,
				      const struct tn_json *diagram, const struct tn_json *cost,
				      const struct tn_json *config)
{
	static const char *const of_diagram[] = {"formatVersion", "revision",  "nodes",    "edges",
						 "modules",       "instances", "template", NULL};
	static const char *const of_cost[] = {"formatVersion", "usage", "budget", NULL};
	struct tn_json_maker document, operation;

	tn_json_maker_begin(&document, reader->arena, TN_JSON_OBJECT);
	put_list(reader, &document, "nodes", reader->nodes, reader->node_count);
	put_list(reader, &document, "edges", reader->edges, reader->edge_count);
	put_part(&document, "config", config);
	put_part(&document, "modules", tn_json_get(diagram, "modules"));
	put_part(&document, "instances", tn_json_get(diagram, "instances"));
	put_part(&document, "template", tn_json_get(diagram, "template"));
	put_part(&document, "usage", tn_json_get(cost, "usage"));
	put_part(&document, "rest", rest_of(reader->arena, diagram, of_diagram));
	put_part(&document, "costRest", rest_of(reader->arena, cost, of_cost));
	put_part(&document, "budget", tn_json_get(cost, "budget"));
	tn_json_maker_begin(&operation, reader->arena, TN_JSON_OBJECT);
	tn_json_maker_put(&operation, TN_STR("op"),
			  tn_json_make_str(reader->arena, TN_STR("replace")));
	tn_json_maker_put(&operation, TN_STR("document"), tn_json_maker_end(&document));
	return tn_json_maker_end(&operation);
}

/* What was made is what will be applied: mistakes of form in single members show here, by name. */
static bool check_records(const struct tn_studio_reader *reader, const struct tn_json *operation)
{
	struct tn_studio_document document;
	struct tenon_error err = {0};
	enum tenon_code code;

	tn_studio_document_init(&document, reader->registry);
	code = tn_studio_document_fill(&document, tn_json_get(operation, "document"), &err);
	tn_studio_document_finish(&document);
	if (code == TENON_OK)
		return true;
	if (code == TENON_INVALID)
		return tn_studio_fail(reader->fault, "PROJECT_INVALID", "diagram.json: %s",
				      err.message);
	return tn_studio_fail_error(reader->fault, &err);
}

static bool read_all(struct tn_studio_reader *reader, const struct tn_json *nodes,
		     const struct tn_json *edges)
{
	reader->nodes = tn_arena_alloc_array(reader->arena, (nodes ? nodes->count : 0) + 1u,
					     sizeof(*reader->nodes));
	if (!reader->nodes)
		return tn_studio_fail_memory(reader->fault);
	if (!read_nodes(reader, nodes))
		return false;
	repair_parents(reader);
	return tn_studio_repair_edges(reader, edges);
}

bool tn_studio_document_read(struct tn_studio_registry *registry, const struct tn_json *diagram,
			     const struct tn_json *cost, const struct tn_json *config,
			     struct tn_arena *arena, struct tn_json **ret_operation,
			     struct tn_buf *repairs, struct tn_studio_fault *fault)
{
	struct tn_studio_reader reader = {
		.registry = registry, .arena = arena, .repairs = repairs, .fault = fault};
	const struct tn_json *nodes, *edges;
	bool done;

	if (!check_form(fault, diagram, "diagram.json") ||
	    (cost && !check_form(fault, cost, "cost.json")) ||
	    !check_list(fault, diagram, "nodes", TN_STUDIO_NODES_MAX, &nodes) ||
	    !check_list(fault, diagram, "edges", TN_STUDIO_EDGES_MAX, &edges))
		return false;
	tn_json_begin_array(repairs);
	tn_map_init(&reader.by_id);
	tn_map_init(&reader.by_own);
	tn_map_init(&reader.by_address);
	tn_map_init(&reader.edges_by_id);
	done = read_all(&reader, nodes, edges);
	if (done) {
		*ret_operation = make_operation(&reader, diagram, cost, config);
		done = !reader.failed && *ret_operation ? check_records(&reader, *ret_operation)
							: tn_studio_fail_memory(fault);
	}
	tn_map_finish(&reader.by_id);
	tn_map_finish(&reader.by_own);
	tn_map_finish(&reader.by_address);
	tn_map_finish(&reader.edges_by_id);
	tn_json_end_array(repairs);
	return done;
}
