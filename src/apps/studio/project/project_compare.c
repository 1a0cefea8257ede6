/* What files that changed on disk say otherwise than the open project (SC-189): told with
 * DISK_CHANGED, so that whoever has to choose sees between what. */
#include <stdio.h>

#include "apps/studio/project/internal.h"
#include "apps/studio/document/merge.h"
#include "apps/studio/limits.h"
#include "jsonrpc/json_write.h"

enum { VALUE_BYTES_MAX = 200, NAME_SIZE = 400 };

struct compare {
	const struct tn_studio_project *project;
	struct tn_buf *out;
	const struct tn_studio_type *type; /* of the node whose members are told; NULL: unknown */
	bool values;                       /* not of the configuration: it may have secrets */
	size_t told;                       /* nodes */
	size_t count;                      /* nodes that differ */
};

static bool is_absent(const struct tn_json *value)
{
	return !value || value->type == TN_JSON_NULL;
}

static bool same(const struct tn_json *a, const struct tn_json *b)
{
	if (is_absent(a) || is_absent(b))
		return is_absent(a) && is_absent(b);
	return tn_json_equal(a, b);
}

/* ---- members ---- */

/* What is short enough to be read, and no secret. */
static void put_side(struct compare *compare, const char *side, const struct tn_json *value)
{
	struct tn_buf text;

	if (is_absent(value))
		return;
	tn_buf_init(&text, VALUE_BYTES_MAX);
	tn_json_put_value(&text, value);
	if (!text.failed)
		tn_json_put_member_raw(compare->out, side, tn_buf_str(&text));
	tn_buf_finish(&text);
}

static void put_member(struct compare *compare, const char *name, struct tn_str key,
		       const struct tn_json *here, const struct tn_json *there)
{
	const struct tn_studio_property *property =
		compare->type ? tn_studio_property_find(compare->type, key) : NULL;

	tn_json_begin_object(compare->out);
	tn_json_put_member_text(compare->out, "member", name);
	if (compare->values && !(property && property->sensitive)) {
		put_side(compare, "here", here);
		put_side(compare, "there", there);
	}
	tn_json_end_object(compare->out);
}

static void put_members(struct compare *compare, const char *prefix, const struct tn_json *here,
			const struct tn_json *there, unsigned depth);

static void put_difference(struct compare *compare, const char *prefix, struct tn_str key,
			   const struct tn_json *here, const struct tn_json *there, unsigned depth)
{
	char name[NAME_SIZE];

	if (same(here, there))
		return;
	(void)snprintf(name, sizeof(name), "%s%s%.*s", prefix, *prefix ? "." : "", (int)key.size,
		       key.data);
	if (tn_studio_merge_descends(key, here, there, depth))
		put_members(compare, name, here, there, depth - 1);
	else
		put_member(compare, name, key, here, there);
}

static void put_members(struct compare *compare, const char *prefix, const struct tn_json *here,
			const struct tn_json *there, unsigned depth)
{
	for (const struct tn_json *at = here ? here->first : NULL; at; at = at->next)
		put_difference(compare, prefix, at->key, at, tn_json_get_str(there, at->key),
			       depth);
	for (const struct tn_json *at = there ? there->first : NULL; at; at = at->next) {
		if (!tn_json_get_str(here, at->key))
			put_difference(compare, prefix, at->key, NULL, at, depth);
	}
}

/* ---- nodes ---- */

static struct tn_str text_of(const struct tn_json *record, const char *key)
{
	struct tn_str text = tn_str("", 0);

	(void)tn_json_to_str(tn_json_get(record, key), &text);
	return text;
}

/* NULL on one side: it is on the other alone. */
static void put_node(struct compare *compare, const struct tn_json *here,
		     const struct tn_json *there)
{
	const struct tn_json *record = here ? here : there;
	const char *change = !here ? "added" : there ? "changed" : "removed";

	compare->count++;
	if (compare->told == TN_STUDIO_DIFFERENCES_MAX)
		return;
	compare->told++;
	tn_json_begin_object(compare->out);
	tn_json_put_member_str(compare->out, "instanceId", text_of(record, "id"));
	tn_json_put_member_str(compare->out, "label", text_of(record, "label"));
	tn_json_put_member_str(compare->out, "typeId", text_of(record, "typeId"));
	tn_json_put_member_text(compare->out, "change", change);
	if (here && there) {
		compare->type = tn_studio_type_find(compare->project->document.registry,
						    text_of(record, "typeId"));
		tn_json_put_key(compare->out, "members");
		tn_json_begin_array(compare->out);
		put_members(compare, "", here, there, 1);
		tn_json_end_array(compare->out);
	}
	tn_json_end_object(compare->out);
}

static void put_nodes(struct compare *compare, const struct tn_json *there, bool *known)
{
	const struct tn_studio_document *document = &compare->project->document;

	tn_json_put_key(compare->out, "nodes");
	tn_json_begin_array(compare->out);
	for (const struct tn_json *at = there ? there->first : NULL; at; at = at->next) {
		const struct tn_studio_node *node =
			tn_studio_node_find(document, text_of(at, "id"));

		if (node)
			known[node->order] = true;
		if (!node || !same(node->record, at))
			put_node(compare, node ? node->record : NULL, at);
	}
	for (size_t i = 0; i < document->node_count; i++) {
		if (!known[i])
			put_node(compare, document->nodes[i]->record, NULL);
	}
	tn_json_end_array(compare->out);
	if (compare->count > compare->told)
		tn_json_put_member_int(compare->out, "moreNodes",
				       (int64_t)(compare->count - compare->told));
}

/* ---- edges, and the configuration ---- */

static void put_edges(struct compare *compare, const struct tn_json *there)
{
	const struct tn_studio_document *document = &compare->project->document;
	int64_t added = 0, changed = 0, kept = 0;

	for (const struct tn_json *at = there ? there->first : NULL; at; at = at->next) {
		const struct tn_studio_edge *edge =
			tn_studio_edge_find(document, text_of(at, "id"));

		added += edge ? 0 : 1;
		kept += edge ? 1 : 0;
		changed += edge && !same(edge->record, at) ? 1 : 0;
	}
	tn_json_put_key(compare->out, "edges");
	tn_json_begin_object(compare->out);
	tn_json_put_member_int(compare->out, "added", added);
	tn_json_put_member_int(compare->out, "removed", (int64_t)document->edge_count - kept);
	tn_json_put_member_int(compare->out, "changed", changed);
	tn_json_end_object(compare->out);
}

static void put_config(struct compare *compare, const struct tn_json *there)
{
	compare->values = false;
	compare->type = NULL;
	tn_json_put_key(compare->out, "config");
	tn_json_begin_array(compare->out);
	put_members(compare, "", compare->project->document.config, there, 1);
	tn_json_end_array(compare->out);
}

/* ---- all of it ---- */

static bool read_files(const struct tn_studio_project *project, const struct tn_studio_texts *texts,
		       struct tn_arena *arena, const struct tn_json **ret,
		       struct tn_studio_fault *fault)
{
	struct tn_json *parsed[TN_STUDIO_FILE_COUNT] = {NULL}, *operation = NULL;
	struct tn_buf repairs;
	bool good = true;

	for (int i = 0; i < TN_STUDIO_FILE_COUNT && good; i++)
		good = !texts->files[i].exists ||
		       tn_studio_text_parse(&texts->files[i], tn_studio_project_file_name(i), arena,
					    &parsed[i], fault);
	if (!good || !parsed[TN_STUDIO_FILE_DIAGRAM])
		return good && tn_studio_fail(fault, "PROJECT_INVALID", "there is no diagram.json");
	tn_buf_init(&repairs, TN_STUDIO_RESULT_BYTES_MAX);
	good = tn_studio_document_read(project->document.registry, parsed[TN_STUDIO_FILE_DIAGRAM],
				       parsed[TN_STUDIO_FILE_COST],
				       tn_json_get(parsed[TN_STUDIO_FILE_STUDIO], "config"), arena,
				       &operation, &repairs, fault);
	tn_buf_finish(&repairs);
	*ret = tn_json_get(operation, "document");
	return good;
}

void tn_studio_project_put_differences(struct tn_studio_project *project,
				       const struct tn_studio_texts *texts, struct tn_buf *out)
{
	struct compare compare = {.project = project, .out = out, .values = true};
	struct tn_studio_fault fault = {.code = NULL};
	const struct tn_json *there = NULL;
	struct tn_arena arena;
	bool *known;

	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	known = tn_arena_alloc_array(&arena, project->document.node_count + 1, sizeof(*known));
	if (!known || tn_studio_document_index(&project->document, NULL) != TENON_OK) {
		tn_arena_finish(&arena);
		return;
	}
	if (!read_files(project, texts, &arena, &there, &fault)) {
		tn_json_put_member_text(out, "unreadable", fault.message);
	} else {
		tn_json_put_key(out, "differences");
		tn_json_begin_object(out);
		put_nodes(&compare, tn_json_get(there, "nodes"), known);
		put_edges(&compare, tn_json_get(there, "edges"));
		put_config(&compare, tn_json_get(there, "config"));
		tn_json_end_object(out);
	}
	tn_arena_finish(&arena);
}
