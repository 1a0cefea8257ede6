/* What lies between the nodes of a file: references, edges, and the rules that join them. */
#include "apps/studio/document/connection.h"
#include "apps/studio/document/document_reader.h"
#include "jsonrpc/json_make.h"

/* ---- references ---- */

static const struct tn_json *references_of(const struct tn_studio_entry *entry)
{
	const struct tn_json *references = tn_json_get(entry->record, "references");

	return tn_json_is(references, TN_JSON_OBJECT) ? references : NULL;
}

static const struct tn_studio_property *reference_property(const struct tn_studio_entry *entry,
							   struct tn_str key)
{
	const struct tn_studio_property *property =
		entry->type ? tn_studio_property_find(entry->type, key) : NULL;

	return property && property->type == TN_STUDIO_REFERENCE ? property : NULL;
}

static struct tn_studio_entry *target_of(struct tn_studio_reader *reader,
					 const struct tn_json *value)
{
	struct tn_str id;

	return tn_json_to_str(value, &id) ? tn_map_get(&reader->by_id, id) : NULL;
}

/* A target of unknown type is kept: the program that knows it knows whether it may be. */
static bool target_is_right(struct tn_studio_reader *reader,
			    const struct tn_studio_property *property, const struct tn_json *value)
{
	const struct tn_studio_entry *target = target_of(reader, value);

	return target && (!target->type || tn_studio_may_refer(property, target->type));
}

static const struct tn_json *right_ones(struct tn_studio_reader *reader,
					const struct tn_studio_property *property,
					const struct tn_json *list)
{
	struct tn_json_maker maker;

	tn_json_maker_begin(&maker, reader->arena, TN_JSON_ARRAY);
	for (const struct tn_json *at = list->first; at; at = at->next) {
		if (target_is_right(reader, property, at))
			tn_json_maker_add(&maker, at);
	}
	reader->failed = reader->failed || !tn_json_maker_end(&maker);
	return tn_json_maker_end(&maker);
}

/* The value as it should be; NULL: there is nothing left of it. */
static const struct tn_json *right_value(struct tn_studio_reader *reader,
					 const struct tn_studio_property *property,
					 const struct tn_json *value)
{
	struct tn_json_maker list;

	if (value->type == TN_JSON_ARRAY) {
		value = right_ones(reader, property, value);
		if (!value || value->count == 0)
			return NULL;
		return property->many ? value : value->first;
	}
	if (!target_is_right(reader, property, value))
		return NULL;
	if (!property->many)
		return value;
	tn_json_maker_begin(&list, reader->arena, TN_JSON_ARRAY);
	tn_json_maker_add(&list, value);
	return tn_json_maker_end(&list);
}

static void repair_reference(struct tn_studio_reader *reader, struct tn_studio_entry *entry,
			     const struct tn_json *value)
{
	const struct tn_studio_property *property = reference_property(entry, value->key);
	const struct tn_json *right;
	struct tn_json *references;

	if (!property)
		return;
	right = right_value(reader, property, value);
	if (right && tn_json_equal(right, value))
		return;
	references = tn_json_with(reader->arena, references_of(entry), value->key, right);
	tn_studio_entry_set(reader, entry, "references", references);
	tn_studio_repaired(
		reader, "INVALID_REFERENCE", entry->id,
		"'%.*s': what the reference %.*s names is not there or may not be named; "
		"it was cleared",
		(int)entry->label.size, entry->label.data, (int)value->key.size, value->key.data);
}

static void repair_references(struct tn_studio_reader *reader)
{
	for (size_t i = 0; i < reader->node_count; i++) {
		struct tn_studio_entry *entry = &reader->nodes[i];
		const struct tn_json *references = references_of(entry);

		for (const struct tn_json *at = references ? references->first : NULL; at;
		     at = at->next)
			repair_reference(reader, entry, at);
	}
}

/* Whether the reference has this target; *ret_full: it has another and can have one only. */
static bool refers_to(const struct tn_studio_entry *entry, struct tn_str key, struct tn_str target,
		      bool *ret_full)
{
	const struct tn_json *value = tn_json_get_str(references_of(entry), key);
	struct tn_str id;

	*ret_full = tn_json_is(value, TN_JSON_STRING);
	if (tn_json_to_str(value, &id))
		return tn_str_equal(id, target);
	for (const struct tn_json *at = value ? value->first : NULL; at; at = at->next) {
		if (tn_json_to_str(at, &id) && tn_str_equal(id, target))
			return true;
	}
	return false;
}

static void add_reference(struct tn_studio_reader *reader, struct tn_studio_entry *entry,
			  const struct tn_studio_property *property, struct tn_str target)
{
	const struct tn_json *old = tn_json_get_str(references_of(entry), property->key);
	struct tn_json *value = tn_json_make_str(reader->arena, target);
	struct tn_json_maker list;

	if (property->many) {
		tn_json_maker_begin(&list, reader->arena, TN_JSON_ARRAY);
		for (const struct tn_json *at = old ? old->first : NULL; at; at = at->next)
			tn_json_maker_add(&list, at);
		tn_json_maker_add(&list, value);
		value = tn_json_maker_end(&list);
	}
	if (value)
		value = tn_json_with(reader->arena, references_of(entry), property->key, value);
	reader->failed = reader->failed || !value;
	if (value)
		tn_studio_entry_set(reader, entry, "references", value);
}

static void add_drawn(struct tn_studio_reader *reader, struct tn_studio_entry *entry,
		      struct tn_str key)
{
	const struct tn_json *old = tn_json_get(entry->record, TN_STUDIO_DRAWN);
	struct tn_json_maker list;
	struct tn_str text;

	if (!tn_json_is(old, TN_JSON_ARRAY))
		old = NULL;
	tn_json_maker_begin(&list, reader->arena, TN_JSON_ARRAY);
	for (const struct tn_json *at = old ? old->first : NULL; at; at = at->next) {
		if (tn_json_to_str(at, &text) && tn_str_equal(text, key))
			return;
		tn_json_maker_add(&list, at);
	}
	tn_json_maker_add(&list, tn_json_make_str(reader->arena, key));
	tn_studio_entry_set(reader, entry, TN_STUDIO_DRAWN, tn_json_maker_end(&list));
}

/* ---- edges ---- */

struct ends {
	struct tn_studio_entry *source, *target;
	struct tn_str source_handle, target_handle;
};

static void drop_edge(struct tn_studio_reader *reader, struct tn_studio_entry *edge,
		      const char *why)
{
	edge->dropped = true;
	tn_studio_repaired(reader, "INVALID_REFERENCE", tn_str(NULL, 0),
			   "edge %.*s was left out: %s",
			   (int)(edge->id.size < 64 ? edge->id.size : 64),
			   edge->id.data ? edge->id.data : "", why);
}

static bool read_ends(struct tn_studio_reader *reader, struct tn_studio_entry *edge,
		      struct ends *ret)
{
	*ret = (struct ends){.source = target_of(reader, tn_json_get(edge->record, "source")),
			     .target = target_of(reader, tn_json_get(edge->record, "target"))};
	if (!ret->source || !ret->target) {
		drop_edge(reader, edge, "one of its ends does not exist");
		return false;
	}
	(void)tn_json_to_str(tn_json_get(edge->record, "sourceHandle"), &ret->source_handle);
	(void)tn_json_to_str(tn_json_get(edge->record, "targetHandle"), &ret->target_handle);
	if (ret->source_handle.size == 0 || ret->target_handle.size == 0 ||
	    ret->source == ret->target) {
		drop_edge(reader, edge, "it joins nothing");
		return false;
	}
	return true;
}

static void give_id(struct tn_studio_reader *reader, struct tn_studio_entry *edge)
{
	edge->id = tn_studio_reader_id(reader);
	tn_studio_entry_set(reader, edge, "id", tn_json_make_str(reader->arena, edge->id));
}

static void read_edge_id(struct tn_studio_reader *reader, struct tn_studio_entry *edge)
{
	if (!tn_json_to_str(tn_json_get(edge->record, "id"), &edge->id) ||
	    !tn_studio_id_is_valid(edge->id) || tn_map_get(&reader->edges_by_id, edge->id)) {
		give_id(reader, edge);
		tn_studio_repaired(reader, "DUPLICATE_ID", tn_str(NULL, 0),
				   "an edge had no id of its own; it is %.*s now",
				   (int)edge->id.size, edge->id.data ? edge->id.data : "");
	}
}

/* ST-034: an edge of a `ref-` handle is a reference. */
static bool fold(struct tn_studio_reader *reader, struct tn_studio_entry *edge,
		 const struct ends *ends)
{
	struct tn_str key = tn_str_from_offset(ends->source_handle, 4);
	const struct tn_studio_property *property;
	bool full;

	if (!tn_str_starts(ends->source_handle, TN_STR("ref-")) || !ends->source->type)
		return false;
	property = reference_property(ends->source, key);
	edge->dropped = true;
	if (!property ||
	    (ends->target->type && !tn_studio_may_refer(property, ends->target->type))) {
		drop_edge(reader, edge, "its reference may not be");
		return true;
	}
	if (refers_to(ends->source, key, ends->target->id, &full))
		full = false;
	else if (!full)
		add_reference(reader, ends->source, property, ends->target->id);
	if (full)
		drop_edge(reader, edge, "its reference has another target");
	else if (!property->edge)
		add_drawn(reader, ends->source, key);
	return true;
}

static bool category_is_right(const struct tn_json *value)
{
	struct tn_str text;

	return tn_json_to_str(value, &text) &&
	       (tn_str_is(text, "structural") || tn_str_is(text, "binding") ||
		tn_str_is(text, "annotation"));
}

static void repair_category(struct tn_studio_reader *reader, struct tn_studio_entry *edge,
			    const struct ends *ends)
{
	struct tn_studio_connection connection;
	const char *name = "structural";

	if (category_is_right(tn_json_get(edge->record, "category")))
		return;
	if (tn_studio_connection_find(reader->registry, ends->source->type, ends->source_handle,
				      ends->target->type, ends->target_handle, &connection))
		name = tn_studio_edge_category_name(connection.category);
	tn_studio_entry_set(reader, edge, "category",
			    tn_json_make_str(reader->arena, tn_str_from(name)));
	tn_studio_repaired(reader, "INVALID_VALUE", tn_str(NULL, 0),
			   "edge %.*s had no category; it is %s now", (int)edge->id.size,
			   edge->id.data, name);
}

/* An edge that sets a reference sets it, unless the reference says something else. */
static void complete_reference(struct tn_studio_reader *reader, struct tn_studio_entry *edge,
			       const struct ends *ends)
{
	const struct tn_studio_property *property;
	struct tn_studio_connection connection;
	struct tn_studio_entry *on, *other;
	bool full;

	if (!tn_studio_connection_find(reader->registry, ends->source->type, ends->source_handle,
				       ends->target->type, ends->target_handle, &connection) ||
	    !connection.rule || !connection.rule->sets)
		return;
	on = connection.rule->sets_on_source ? ends->source : ends->target;
	other = connection.rule->sets_on_source ? ends->target : ends->source;
	property = reference_property(on, connection.rule->reference);
	if (!property || refers_to(on, property->key, other->id, &full))
		return;
	if (full) {
		drop_edge(reader, edge, "the reference it would set has another target");
		return;
	}
	add_reference(reader, on, property, other->id);
	tn_studio_repaired(reader, "INVALID_REFERENCE", on->id,
			   "'%.*s': the reference %.*s is set now, as its edge says",
			   (int)on->label.size, on->label.data, (int)property->key.size,
			   property->key.data);
}

/* ---- references without their edge ---- */

static struct tn_str pair_key(struct tn_arena *arena, struct tn_str source,
			      struct tn_str source_handle, struct tn_str target,
			      struct tn_str target_handle)
{
	return tn_str_from(tn_arena_format(arena, "%.*s %.*s %.*s %.*s", (int)source.size,
					   source.data, (int)target.size, target.data,
					   (int)source_handle.size, source_handle.data,
					   (int)target_handle.size, target_handle.data));
}

static struct tn_studio_entry *new_edge(struct tn_studio_reader *reader)
{
	struct tn_studio_entry *grown;
	size_t room = reader->edge_room ? 2 * reader->edge_room : 64;

	if (reader->edge_count < reader->edge_room)
		return &reader->edges[reader->edge_count++];
	grown = tn_arena_alloc_array(reader->arena, room, sizeof(*grown));
	if (!grown) {
		reader->failed = true;
		return NULL;
	}
	if (reader->edge_count > 0)
		memcpy(grown, reader->edges, reader->edge_count * sizeof(*grown));
	reader->edges = grown;
	reader->edge_room = room;
	return &reader->edges[reader->edge_count++];
}

static void put_text(struct tn_json_maker *maker, const char *key, struct tn_str text)
{
	tn_json_maker_put(maker, tn_str_from(key), tn_json_make_str(maker->arena, text));
}

static void make_edge(struct tn_studio_reader *reader, const struct tn_studio_rule *rule,
		      struct tn_str source, struct tn_str target)
{
	struct tn_studio_entry *edge = new_edge(reader);
	struct tn_json_maker record;

	if (!edge)
		return;
	*edge = (struct tn_studio_entry){.id = tn_studio_reader_id(reader)};
	tn_json_maker_begin(&record, reader->arena, TN_JSON_OBJECT);
	put_text(&record, "id", edge->id);
	put_text(&record, "source", source);
	put_text(&record, "sourceHandle", rule->from_handle);
	put_text(&record, "target", target);
	put_text(&record, "targetHandle", rule->to_handle);
	put_text(&record, "category", TN_STR("structural"));
	edge->record = tn_json_maker_end(&record);
	if (!edge->record || tn_map_put(&reader->edges_by_id, edge->id, edge, NULL) != TENON_OK)
		reader->failed = true;
}

static void complete_edge(struct tn_studio_reader *reader, const struct tn_map *joined,
			  struct tn_studio_entry *entry, struct tn_str key,
			  const struct tn_json *value)
{
	const struct tn_studio_entry *other = target_of(reader, value);
	const struct tn_studio_rule *rule;
	struct tn_str source, target, pair;

	if (!other || !entry->type || !other->type)
		return;
	rule = tn_studio_rule_of(reader->registry, entry->type, key, other->type);
	if (!rule)
		return;
	source = rule->sets_on_source ? entry->id : other->id;
	target = rule->sets_on_source ? other->id : entry->id;
	pair = pair_key(reader->arena, source, rule->from_handle, target, rule->to_handle);
	if (!pair.data || tn_map_get(joined, pair)) {
		reader->failed = reader->failed || !pair.data;
		return;
	}
	make_edge(reader, rule, source, target);
	tn_studio_repaired(reader, "INVALID_REFERENCE", entry->id,
			   "'%.*s': the reference %.*s has its edge now", (int)entry->label.size,
			   entry->label.data, (int)key.size, key.data);
}

static void complete_edges(struct tn_studio_reader *reader, const struct tn_map *joined)
{
	for (size_t i = 0; i < reader->node_count && !reader->failed; i++) {
		struct tn_studio_entry *entry = &reader->nodes[i];
		const struct tn_json *references = references_of(entry);

		for (const struct tn_json *at = references ? references->first : NULL; at;
		     at = at->next) {
			if (at->type != TN_JSON_ARRAY) {
				complete_edge(reader, joined, entry, at->key, at);
				continue;
			}
			for (const struct tn_json *one = at->first; one; one = one->next)
				complete_edge(reader, joined, entry, at->key, one);
		}
	}
}

/* ---- the whole ---- */

static void repair_edge(struct tn_studio_reader *reader, struct tn_studio_entry *edge,
			struct tn_map *joined)
{
	struct tn_str pair;
	struct ends ends;

	read_edge_id(reader, edge);
	if (!read_ends(reader, edge, &ends) || fold(reader, edge, &ends))
		return;
	pair = pair_key(reader->arena, ends.source->id, ends.source_handle, ends.target->id,
			ends.target_handle);
	if (pair.data && tn_map_get(joined, pair)) {
		drop_edge(reader, edge, "there is the same edge once more");
		return;
	}
	repair_category(reader, edge, &ends);
	complete_reference(reader, edge, &ends);
	if (edge->dropped)
		return;
	if (!pair.data || tn_map_put(joined, pair, edge, NULL) != TENON_OK ||
	    tn_map_put(&reader->edges_by_id, edge->id, edge, NULL) != TENON_OK)
		reader->failed = true;
}

bool tn_studio_repair_edges(struct tn_studio_reader *reader, const struct tn_json *edges)
{
	struct tn_map joined;

	repair_references(reader);
	tn_map_init(&joined);
	for (const struct tn_json *at = edges ? edges->first : NULL; at && !reader->failed;
	     at = at->next) {
		struct tn_studio_entry *edge = new_edge(reader);

		if (!edge)
			break;
		*edge = (struct tn_studio_entry){.record = at};
		if (tn_json_is(at, TN_JSON_OBJECT))
			repair_edge(reader, edge, &joined);
		else
			drop_edge(reader, edge, "it is no object");
	}
	complete_edges(reader, &joined);
	tn_map_finish(&joined);
	return !reader->failed || tn_studio_fail_memory(reader->fault);
}
