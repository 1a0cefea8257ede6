/* copy_resources: nodes with all they hold, within a project, between two, or from a document
 * (studio.md 15.8, studio-canvas.md SC-014). */
#include <math.h>

#include "apps/studio/document/declared.h"
#include "apps/studio/edit/internal.h"
#include "apps/studio/limits.h"
#include "apps/studio/project/project.h"

struct copied {
	const struct tn_json *record;
	struct tn_str old_id, new_id;
	uint32_t parent; /* its place in the list + 1; 0: it is at the top of what is copied */
	bool done;
};

struct copy {
	struct tn_studio_edit *edit;
	const struct tn_json *arguments;
	const struct tn_studio_project *from; /* NULL: of a document */
	bool within;                          /* one project */
	struct copied *all;
	size_t count;
	struct tn_map by_id;          /* old id to struct copied */
	struct tn_json_maker dropped; /* {"instanceId","property","reason"} */
	struct tn_json_maker edges;   /* ids */
};

static struct tn_str text_of(const struct tn_json *object, const char *key)
{
	struct tn_str text = tn_str("", 0);

	(void)tn_json_to_str(tn_json_get(object, key), &text);
	return text;
}

static const struct tn_json *first_of(const struct tn_json *value)
{
	return value && (value->type == TN_JSON_ARRAY || value->type == TN_JSON_OBJECT)
		       ? value->first
		       : NULL;
}

/* Forgets what a step said that was refused, and notes it. */
static void drop(struct copy *copy, const struct copied *one, struct tn_str property,
		 const char *reason)
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

/* ---- what is copied ---- */

static bool take(struct copy *copy, const struct tn_json *record)
{
	struct copied *one = &copy->all[copy->count];
	struct tn_str id = text_of(record, "id");

	if (id.size == 0)
		id = text_of(record, "instanceId");
	if (tn_map_get(&copy->by_id, id))
		return true;
	*one = (struct copied){.record = tn_json_copy(copy->edit->arena, record)};
	if (!one->record || tn_map_put(&copy->by_id, id, one, NULL) != TENON_OK)
		return tn_studio_edit_no_memory(copy->edit);
	one->old_id = tn_studio_keep(copy->edit, id);
	copy->count++;
	return true;
}

static bool make_room(struct copy *copy, size_t count)
{
	if (count > TN_STUDIO_NODES_MAX)
		return tn_studio_fail(copy->edit->fault, "LIMIT_EXCEEDED",
				      "%zu nodes; at most %d are copied at once", count,
				      TN_STUDIO_NODES_MAX);
	copy->all = tn_arena_alloc_array(copy->edit->arena, count + 1, sizeof(*copy->all));
	return copy->all || tn_studio_edit_no_memory(copy->edit);
}

static bool is_chosen(const struct copy *copy, const struct tn_studio_node *node)
{
	for (; node; node = node->parent) {
		if (tn_map_get(&copy->by_id, node->id))
			return true;
	}
	return false;
}

/* Those that are named, and whatever stands in them. */
static bool gather_nodes(struct copy *copy)
{
	const struct tn_studio_document *document = &copy->from->document;
	const struct tn_json *ids = tn_json_get(copy->arguments, "instanceIds");

	if (!make_room(copy, document->node_count))
		return false;
	for (const struct tn_json *at = first_of(ids); at; at = at->next) {
		const struct tn_studio_node *node = tn_studio_node_find(document, at->text);

		if (!node)
			return tn_studio_fail(copy->edit->fault, "NOT_FOUND",
					      "there is no node '%.*s' to copy", (int)at->text.size,
					      at->text.data);
		if (!take(copy, node->record))
			return false;
	}
	for (size_t i = 0; i < document->node_count; i++) {
		if (is_chosen(copy, document->nodes[i]) && !take(copy, document->nodes[i]->record))
			return false;
	}
	return true;
}

static bool gather(struct copy *copy)
{
	const struct tn_json *nodes =
		tn_json_get(tn_json_get(copy->arguments, "document"), "nodes");

	if (copy->from ? !gather_nodes(copy) : !make_room(copy, nodes ? nodes->count : 0))
		return false;
	for (const struct tn_json *at = copy->from ? NULL : first_of(nodes); at; at = at->next) {
		if (!take(copy, at))
			return false;
	}
	for (size_t i = 0; i < copy->count; i++) {
		struct copied *parent =
			tn_map_get(&copy->by_id, text_of(copy->all[i].record, "parentId"));

		if (parent && parent != &copy->all[i])
			copy->all[i].parent = (uint32_t)(parent - copy->all) + 1;
	}
	return copy->count > 0 ||
	       tn_studio_fail(copy->edit->fault, "INVALID_INPUT", "there is nothing to copy");
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
static struct corner way(const struct copy *copy)
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

/* ---- one node ---- */

/* "Web 2" where there is a "Web" beside the copy. */
static struct tn_str free_label(struct copy *copy, struct tn_str label)
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

/* What is kept for the original; NULL: nothing. */
static const struct tn_json *secret_of(const struct copy *copy, const struct copied *one,
				       struct tn_str key)
{
	return copy->from ? tn_studio_secret_find(copy->from->secrets, one->old_id, key) : NULL;
}

static bool name_is_taken(const struct copy *copy, const struct tn_studio_type *type,
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
static const struct tn_json *free_name(struct copy *copy, const struct tn_studio_type *type,
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

/* Values but ranges, which are assigned anew, and secrets of another project. */
static const struct tn_json *values_of(struct copy *copy, const struct copied *one,
				       const struct tn_studio_type *type)
{
	const struct tn_json *given = tn_json_get(one->record, "properties");
	const struct tn_studio_property *range = tn_studio_range_property(type);
	struct tn_json_maker maker;

	tn_json_maker_begin(&maker, copy->edit->arena, TN_JSON_OBJECT);
	for (const struct tn_json *at = first_of(given); at; at = at->next) {
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
			drop(copy, one, property->key,
			     "a secret is not copied into another project");
	}
	return tn_json_maker_end(&maker);
}

static const struct tn_json *parent_of(const struct copy *copy, const struct copied *one)
{
	const struct tn_json *into = tn_json_get(copy->arguments, "into");
	struct tn_arena *arena = copy->edit->arena;

	if (one->parent)
		return tn_json_make_str(arena, copy->all[one->parent - 1].new_id);
	if (into)
		return into->type == TN_JSON_NULL ? NULL : into;
	return copy->within ? tn_json_get(one->record, "parentId") : NULL;
}

static const struct tn_json *addition(struct copy *copy, const struct copied *one,
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
			  tn_json_make_str(arena, free_label(copy, text_of(one->record, "label"))));
	if (parent_of(copy, one))
		tn_json_maker_put(&maker, TN_STR("parentId"), parent_of(copy, one));
	tn_json_maker_put(&maker, TN_STR("position"), tn_json_maker_end(&place));
	if (tn_json_is(size, TN_JSON_OBJECT) && tn_studio_has_size(type))
		tn_json_maker_put(&maker, TN_STR("size"), size);
	tn_json_maker_put(&maker, TN_STR("properties"), values_of(copy, one, type));
	return tn_json_maker_end(&maker);
}

static bool add_one(struct copy *copy, struct copied *one, struct corner far)
{
	struct tn_studio_edit *edit = copy->edit;
	struct tn_str type_id = text_of(one->record, "typeId");
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
	one->new_id = text_of(answer, "instanceId");
	return done;
}

/* Outside in; what stands in itself, which only a document can say, is added last. */
static bool add_all(struct copy *copy)
{
	struct corner far = way(copy);

	for (unsigned depth = 0; depth <= TN_STUDIO_DEPTH_MAX; depth++) {
		for (size_t i = 0; i < copy->count; i++) {
			struct copied *one = &copy->all[i];
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

/* ---- the rest of a node, by update_resource ---- */

static bool update(struct copy *copy, const struct copied *one, const char *key,
		   const struct tn_json *value)
{
	struct tn_studio_edit *edit = copy->edit;
	struct tn_json_maker maker;
	const struct tn_json *arguments;
	struct tn_buf waste;
	bool done;

	tn_json_maker_begin(&maker, edit->arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, TN_STR("instanceId"), tn_json_make_str(edit->arena, one->new_id));
	tn_json_maker_put(&maker, TN_STR("properties"), tn_json_make(edit->arena, TN_JSON_OBJECT));
	tn_json_maker_put(&maker, tn_str_from(key), value);
	arguments = tn_json_maker_end(&maker);
	if (!arguments)
		return tn_studio_edit_no_memory(edit);
	tn_buf_init(&waste, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&waste);
	done = tn_studio_edit_update(edit, arguments, &waste);
	tn_buf_finish(&waste);
	return done;
}

/* To the copy of what it referred to, or within one project to itself. NULL: nowhere. */
static const struct tn_json *target_of(struct copy *copy, struct tn_str id)
{
	const struct copied *inner = tn_map_get(&copy->by_id, id);

	if (inner)
		return tn_json_make_str(copy->edit->arena, inner->new_id);
	if (copy->within && tn_studio_node_find(copy->edit->document, id))
		return tn_json_make_str(copy->edit->arena, id);
	return NULL;
}

static void refer(struct copy *copy, const struct copied *one, const struct tn_json *reference)
{
	struct tn_arena *arena = copy->edit->arena;
	struct tn_json_maker list, maker;
	const struct tn_json *value;
	bool many = reference->type == TN_JSON_ARRAY;

	tn_json_maker_begin(&list, arena, TN_JSON_ARRAY);
	for (const struct tn_json *at = many ? reference->first : reference; at; at = at->next) {
		struct tn_str id = tn_str("", 0);
		const struct tn_json *target;

		(void)tn_json_to_str(at, &id);
		target = target_of(copy, id);
		if (target)
			tn_json_maker_add(&list, target);
		else
			drop(copy, one, reference->key, "what it refers to is not copied");
		if (!many)
			break;
	}
	value = tn_json_maker_end(&list);
	if (!value || value->count == 0)
		return;
	tn_json_maker_begin(&maker, arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, reference->key, many ? value : value->first);
	if (!update(copy, one, "references", tn_json_maker_end(&maker)))
		drop(copy, one, reference->key, NULL);
}

static void complete(struct copy *copy, const struct copied *one)
{
	static const char *const keys[] = {"variableModes", "enabledOutputs", "slug", "notes"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct tn_json *value = tn_json_get(one->record, keys[i]);

		if (value && !update(copy, one, keys[i], value))
			drop(copy, one, tn_str_from(keys[i]), NULL);
	}
	for (const struct tn_json *at = first_of(tn_json_get(one->record, "references")); at;
	     at = at->next)
		refer(copy, one, at);
}

/* ---- edges between them ---- */

static bool connect(struct copy *copy, const struct tn_json *edge, const struct copied *source,
		    const struct copied *target)
{
	struct tn_studio_edit *edit = copy->edit;
	const struct tn_json *label = tn_json_get(edge, "label");
	struct tn_json *answer = NULL;
	struct tn_json_maker maker;
	const struct tn_json *arguments;
	struct tn_buf result;
	bool done;

	tn_json_maker_begin(&maker, edit->arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, TN_STR("sourceInstanceId"),
			  tn_json_make_str(edit->arena, source->new_id));
	tn_json_maker_put(&maker, TN_STR("sourceHandle"), tn_json_get(edge, "sourceHandle"));
	tn_json_maker_put(&maker, TN_STR("targetInstanceId"),
			  tn_json_make_str(edit->arena, target->new_id));
	tn_json_maker_put(&maker, TN_STR("targetHandle"), tn_json_get(edge, "targetHandle"));
	if (label)
		tn_json_maker_put(&maker, TN_STR("label"), label);
	arguments = tn_json_maker_end(&maker);
	if (!arguments)
		return tn_studio_edit_no_memory(edit);
	tn_buf_init(&result, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&result);
	done = tn_studio_edit_connect(edit, arguments, &result);
	tn_json_end_object(&result);
	if (done && tn_json_parse_copy(edit->arena, tn_buf_str(&result), &answer, NULL) == TENON_OK)
		tn_json_maker_add(&copy->edges, tn_json_get(answer, "edgeId"));
	tn_buf_finish(&result);
	return done;
}

static void copy_edge(struct copy *copy, const struct tn_json *edge)
{
	const struct copied *source = tn_map_get(&copy->by_id, text_of(edge, "source"));
	const struct copied *target = tn_map_get(&copy->by_id, text_of(edge, "target"));
	const struct tn_studio_edge *there;

	if (!source || !target)
		return;
	there = tn_studio_edge_between(copy->edit->document, source->new_id,
				       text_of(edge, "sourceHandle"), target->new_id,
				       text_of(edge, "targetHandle"));
	if (there) /* the reference that it sets has made it */
		tn_json_maker_add(
			&copy->edges,
			tn_json_make_str(copy->edit->arena, tn_studio_keep(copy->edit, there->id)));
	else if (!connect(copy, edge, source, target))
		drop(copy, source, text_of(edge, "sourceHandle"), NULL);
}

/* Its records change while copies are made, so they are noted first. */
static bool copy_edges(struct copy *copy)
{
	const struct tn_json *given =
		tn_json_get(tn_json_get(copy->arguments, "document"), "edges");
	struct tn_json_maker list;

	if (copy->from) {
		tn_json_maker_begin(&list, copy->edit->arena, TN_JSON_ARRAY);
		for (size_t i = 0; i < copy->from->document.edge_count; i++)
			tn_json_maker_add(&list,
					  tn_json_copy(copy->edit->arena,
						       copy->from->document.edges[i]->record));
		given = tn_json_maker_end(&list);
		if (!given)
			return tn_studio_edit_no_memory(copy->edit);
	}
	for (const struct tn_json *at = first_of(given); at; at = at->next) {
		bool derived = false;

		(void)tn_json_to_bool(tn_json_get(at, "derived"), &derived);
		if (!derived)
			copy_edge(copy, at);
	}
	return true;
}

/* ---- the whole ---- */

static bool answer(struct copy *copy, struct tn_buf *result)
{
	const struct tn_json *edges = tn_json_maker_end(&copy->edges);
	const struct tn_json *dropped = tn_json_maker_end(&copy->dropped);

	if (!edges || !dropped)
		return tn_studio_edit_no_memory(copy->edit);
	tn_json_put_key(result, "copies");
	tn_json_begin_object(result);
	for (size_t i = 0; i < copy->count; i++) {
		tn_json_put_key_str(result, copy->all[i].old_id);
		tn_json_put_str(result, copy->all[i].new_id);
	}
	tn_json_end_object(result);
	tn_json_put_key(result, "edges");
	tn_json_put_value(result, edges);
	tn_json_put_key(result, "dropped");
	tn_json_put_value(result, dropped);
	return true;
}

static bool is_called(const struct tn_studio_project *project, const char *which)
{
	return strcmp(project->id, which) == 0 || strcmp(project->path, which) == 0;
}

/* NULL: there is none in the list. */
static struct tn_studio_project *find_frozen(struct tn_studio_project *first, const char *which)
{
	while (first && !is_called(first, which))
		first = first->next;
	return first;
}

/* On a fork the table is not to be looked into: a worker may be there. */
static struct tn_studio_project *find_source(const struct tn_studio_edit *edit, const char *which)
{
	struct tn_studio_projects *projects = edit->project->projects;
	struct tn_studio_project *found;
	struct tn_buf resolved;
	char whole[PATH_MAX];
	const char *path =
		tn_place_from(tn_studio_projects_roots(projects), edit->folder, which, whole);

	if (edit->project->own) {
		found = tn_studio_project_find(projects, which, edit->fault);
		return found || path == which ? found
					      : tn_studio_project_find(projects, path, edit->fault);
	}
	if (is_called(edit->project, which))
		return edit->project;
	found = find_frozen(edit->others, which);
	tn_buf_init(&resolved, TN_STUDIO_FILE_BYTES_MAX);
	if (!found && path[0] == '/' && tn_studio_path_allowed(projects, path, &resolved, NULL))
		found = is_called(edit->project, resolved.data)
				? edit->project
				: find_frozen(edit->others, resolved.data);
	tn_buf_finish(&resolved);
	if (!found)
		tn_studio_project_fail_closed(which, edit->fault);
	return found;
}

static bool choose_source(struct copy *copy)
{
	struct tn_studio_edit *edit = copy->edit;
	struct tn_str which = text_of(copy->arguments, "fromProject");
	bool ids = tn_json_get(copy->arguments, "instanceIds") != NULL;

	if (ids == (tn_json_get(copy->arguments, "document") != NULL))
		return tn_studio_fail(edit->fault, "INVALID_INPUT",
				      "send either instanceIds or a document");
	copy->from = ids ? edit->project : NULL;
	if (ids && which.size > 0)
		copy->from = find_source(edit, which.data);
	copy->within = ids && copy->from == edit->project;
	return !ids || copy->from != NULL;
}

static bool copy_all(struct copy *copy, struct tn_buf *result)
{
	struct tn_studio_edit *edit = copy->edit;

	if (!choose_source(copy) || !gather(copy) || !add_all(copy))
		return false;
	for (size_t i = 0; i < copy->count; i++)
		complete(copy, &copy->all[i]);
	if (!copy_edges(copy))
		return false;
	if (copy->count == 1)
		tn_studio_edit_say(edit, "Copy '%.*s'",
				   (int)text_of(copy->all[0].record, "label").size,
				   text_of(copy->all[0].record, "label").data);
	else
		tn_studio_edit_say(edit, "Copy %zu resources", copy->count);
	edit->steps = 0; /* those of which it is made are one */
	return answer(copy, result);
}

static bool copy_step(struct tn_studio_edit *edit, const struct tn_json *arguments,
		      struct tn_buf *result)
{
	struct copy copy = {.edit = edit, .arguments = arguments};
	unsigned steps = edit->steps;
	bool done;

	tn_map_init(&copy.by_id);
	tn_json_maker_begin(&copy.dropped, edit->arena, TN_JSON_ARRAY);
	tn_json_maker_begin(&copy.edges, edit->arena, TN_JSON_ARRAY);
	done = copy_all(&copy, result);
	tn_map_finish(&copy.by_id);
	edit->steps = steps;
	return done;
}

bool tn_studio_edit_copy(struct tn_studio_edit *edit, const struct tn_json *arguments,
			 struct tn_buf *result)
{
	return tn_studio_edit_run(edit, copy_step, arguments, result);
}
