/* The revision of each node's and edge's last change (studio-canvas.md SC-012), and when those went
 * that are gone. An operation notes what it is about to change; the log tells what became of it. */
#include "apps/studio/document/internal.h"

#include "apps/studio/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

enum { KINDS = TN_STUDIO_EDGES + 1 };

struct before { /* as it was when the change began */
	uint64_t rev, linked;
};

struct tn_studio_revisions {
	struct tn_map before[KINDS]; /* id to struct before: what has been touched since */
	struct tn_map gone[KINDS];   /* id to the revision at which it went */
	uint64_t gone_since;         /* what went at this revision or before is not known */
	bool fresh;                  /* some may have no revision: they have that of the next */
};

static struct tn_studio_revisions *revisions_of(struct tn_studio_document *document)
{
	if (!document->revisions) {
		document->revisions = tn_mem_alloc(sizeof(*document->revisions));
		if (!document->revisions)
			return NULL;
		document->revisions->fresh = true;
		for (int i = 0; i < KINDS; i++) {
			tn_map_init(&document->revisions->before[i]);
			tn_map_init(&document->revisions->gone[i]);
		}
	}
	return document->revisions;
}

static void forget_before(struct tn_map *map)
{
	struct tn_str id;
	size_t cursor = 0;
	void *before;

	while (tn_map_next(map, &cursor, &id, &before))
		tn_mem_free(before);
	tn_map_finish(map);
	tn_map_init(map);
}

void tn_studio_revisions_free(struct tn_studio_revisions *revisions)
{
	if (!revisions)
		return;
	for (int i = 0; i < KINDS; i++) {
		forget_before(&revisions->before[i]);
		tn_map_finish(&revisions->gone[i]);
	}
	tn_mem_free(revisions);
}

/* ---- while a change is made ---- */

enum tenon_code tn_studio_revise(struct tn_studio_document *document, enum tn_studio_kind kind,
				 struct tn_str id, struct tenon_error *err)
{
	struct tn_studio_revisions *revisions = revisions_of(document);
	const struct tn_studio_node *node =
		kind == TN_STUDIO_NODES ? tn_studio_node_find(document, id) : NULL;
	const struct tn_studio_edge *edge =
		kind == TN_STUDIO_EDGES ? tn_studio_edge_find(document, id) : NULL;
	struct before *before;

	if (revisions && tn_map_get(&revisions->before[kind], id))
		return TENON_OK;
	before = revisions ? tn_mem_alloc(sizeof(*before)) : NULL;
	if (!before)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (node)
		*before = (struct before){node->rev, node->linked};
	else if (edge)
		before->rev = edge->rev;
	if (tn_map_put(&revisions->before[kind], id, before, err) == TENON_OK)
		return TENON_OK;
	tn_mem_free(before);
	return TENON_NO_MEMORY;
}

static bool same_member(const struct tn_json *a, const struct tn_json *b, const char *key)
{
	const struct tn_json *x = tn_json_get(a, key), *y = tn_json_get(b, key);

	return (!x && !y) || (x && y && tn_json_equal(x, y));
}

void tn_studio_revise_from(struct tn_studio_node *node, const struct tn_studio_node *old)
{
	bool same = same_member(node->record, old->record, "references") &&
		    same_member(node->record, old->record, TN_STUDIO_DRAWN);

	node->rev = old->rev;
	node->linked = same ? old->linked : 0;
}

/* Where everything is taken anew, what is as it was has not changed. */
static enum tenon_code revise_node(struct tn_studio_document *document, struct tn_studio_node *node,
				   struct tenon_error *err)
{
	const struct tn_studio_node *old = tn_studio_node_find(document, node->id);

	if (old)
		tn_studio_revise_from(node, old);
	if (old && tn_json_equal(old->record, node->record))
		return TENON_OK;
	return tn_studio_revise(document, TN_STUDIO_NODES, node->id, err);
}

static enum tenon_code revise_edge(struct tn_studio_document *document, struct tn_studio_edge *edge,
				   struct tenon_error *err)
{
	const struct tn_studio_edge *old = tn_studio_edge_find(document, edge->id);

	if (old)
		edge->rev = old->rev;
	if (old && tn_json_equal(old->record, edge->record))
		return TENON_OK;
	return tn_studio_revise(document, TN_STUDIO_EDGES, edge->id, err);
}

enum tenon_code tn_studio_revise_all(struct tn_studio_document *document,
				     const struct tn_studio_document *fresh,
				     struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	for (size_t i = 0; i < fresh->node_count && code == TENON_OK; i++)
		code = revise_node(document, fresh->nodes[i], err);
	for (size_t i = 0; i < fresh->edge_count && code == TENON_OK; i++)
		code = revise_edge(document, fresh->edges[i], err);
	for (size_t i = 0; i < document->node_count && code == TENON_OK; i++) {
		if (!tn_studio_node_find(fresh, document->nodes[i]->id))
			code = tn_studio_revise(document, TN_STUDIO_NODES, document->nodes[i]->id,
						err);
	}
	for (size_t i = 0; i < document->edge_count && code == TENON_OK; i++) {
		if (!tn_studio_edge_find(fresh, document->edges[i]->id))
			code = tn_studio_revise(document, TN_STUDIO_EDGES, document->edges[i]->id,
						err);
	}
	return code;
}

enum tenon_code tn_studio_revisions_pass(struct tn_studio_document *from,
					 struct tn_studio_document *to, struct tenon_error *err)
{
	struct tn_studio_revisions *own = revisions_of(to);

	if (!own)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	for (int i = 0; from->revisions && i < KINDS; i++) {
		forget_before(&own->before[i]);
		own->before[i] = from->revisions->before[i];
		tn_map_init(&from->revisions->before[i]);
	}
	return TENON_OK;
}

/* ---- when it has ended ---- */

static void forget_gone(struct tn_studio_revisions *revisions, uint64_t revision)
{
	for (int i = 0; i < KINDS; i++) {
		tn_map_finish(&revisions->gone[i]);
		tn_map_init(&revisions->gone[i]);
	}
	revisions->gone_since = revision;
}

static void bury(struct tn_studio_revisions *revisions, int kind, struct tn_str id,
		 uint64_t revision)
{
	if (revisions->gone[TN_STUDIO_NODES].used + revisions->gone[TN_STUDIO_EDGES].used >=
		    TN_STUDIO_GONE_MAX ||
	    tn_map_put(&revisions->gone[kind], id, (void *)(uintptr_t)revision, NULL) != TENON_OK)
		forget_gone(revisions, revision);
}

/* False: there is none now. */
static bool set(const struct tn_studio_document *document, int kind, struct tn_str id,
		const struct before *to, uint64_t linked)
{
	struct tn_studio_node *node =
		kind == TN_STUDIO_NODES ? tn_studio_node_find(document, id) : NULL;
	struct tn_studio_edge *edge =
		kind == TN_STUDIO_EDGES ? tn_studio_edge_find(document, id) : NULL;

	if (node) {
		node->rev = to->rev;
		node->linked = linked ? linked : node->linked ? node->linked : to->rev;
	} else if (edge) {
		edge->rev = to->rev;
	}
	return node || edge;
}

static void settle(struct tn_studio_document *document, int kind, uint64_t revision, bool committed)
{
	struct tn_studio_revisions *revisions = document->revisions;
	const struct before now = {.rev = revision};
	struct tn_str id;
	size_t cursor = 0;
	void *value;

	while (tn_map_next(&revisions->before[kind], &cursor, &id, &value)) {
		const struct before *before = value;

		if (!committed)
			(void)set(document, kind, id, before, before->linked);
		else if (set(document, kind, id, &now, 0))
			(void)tn_map_remove(&revisions->gone[kind], id);
		else if (before->rev > 0)
			bury(revisions, kind, id, revision);
	}
	forget_before(&revisions->before[kind]);
}

/* What was read from files that say nothing of it. */
static void settle_fresh(struct tn_studio_document *document, uint64_t revision)
{
	for (size_t i = 0; i < document->node_count; i++) {
		struct tn_studio_node *node = document->nodes[i];

		node->rev = node->rev ? node->rev : revision;
		node->linked = node->linked ? node->linked : revision;
	}
	for (size_t i = 0; i < document->edge_count; i++) {
		if (document->edges[i]->rev == 0)
			document->edges[i]->rev = revision;
	}
	forget_gone(document->revisions, revision);
	document->revisions->fresh = false;
}

void tn_studio_document_settled(void *data, uint64_t revision, bool committed)
{
	struct tn_studio_document *document = data;

	if (!document->revisions)
		return;
	for (int i = 0; i < KINDS; i++)
		settle(document, i, revision, committed);
	if (committed && document->revisions->fresh)
		settle_fresh(document, revision);
}

/* ---- looking ---- */

uint64_t tn_studio_gone_at(const struct tn_studio_document *document, enum tn_studio_kind kind,
			   struct tn_str id)
{
	return document->revisions ? (uintptr_t)tn_map_get(&document->revisions->gone[kind], id)
				   : 0;
}

uint64_t tn_studio_gone_since(const struct tn_studio_document *document)
{
	return document->revisions && !document->revisions->fresh ? document->revisions->gone_since
								  : UINT64_MAX;
}

/* ---- in a saved document ---- */

/* {"nodes":[rev,linked,...],"edges":[rev,...],"goneNodes":{id:rev},"goneEdges":{...},"since":N},
 * nodes and edges in the order they are saved in. */
static const char *const gone_names[KINDS] = {"goneNodes", "goneEdges"};

static void put_gone(struct tn_buf *out, const struct tn_map *gone, const char *key)
{
	struct tn_str id;
	size_t cursor = 0;
	void *revision;

	tn_json_put_key(out, key);
	tn_json_begin_object(out);
	while (tn_map_next(gone, &cursor, &id, &revision)) {
		tn_json_put_key_str(out, id);
		tn_json_put_int(out, (int64_t)(uintptr_t)revision);
	}
	tn_json_end_object(out);
}

void tn_studio_revisions_put(const struct tn_studio_document *document, struct tn_buf *out)
{
	const struct tn_studio_revisions *revisions = document->revisions;

	if (!revisions || revisions->fresh)
		return;
	tn_json_put_key(out, TN_STUDIO_REVISIONS);
	tn_json_begin_object(out);
	tn_json_put_key(out, "nodes");
	tn_json_begin_array(out);
	for (size_t i = 0; i < document->node_count; i++) {
		tn_json_put_int(out, (int64_t)document->nodes[i]->rev);
		tn_json_put_int(out, (int64_t)document->nodes[i]->linked);
	}
	tn_json_end_array(out);
	tn_json_put_key(out, "edges");
	tn_json_begin_array(out);
	for (size_t i = 0; i < document->edge_count; i++)
		tn_json_put_int(out, (int64_t)document->edges[i]->rev);
	tn_json_end_array(out);
	for (int i = 0; i < KINDS; i++)
		put_gone(out, &revisions->gone[i], gone_names[i]);
	tn_json_put_member_int(out, "since", (int64_t)revisions->gone_since);
	tn_json_end_object(out);
}

static bool next_revision(const struct tn_json **at, uint64_t *ret)
{
	int64_t value;

	if (!*at || !tn_json_to_int(*at, &value) || value < 1)
		return false;
	*ret = (uint64_t)value;
	*at = (*at)->next;
	return true;
}

static const struct tn_json *list_of(const struct tn_json *saved, const char *key, size_t count)
{
	const struct tn_json *list = tn_json_get(saved, key);

	return tn_json_is(list, TN_JSON_ARRAY) && list->count == count && count > 0 ? list->first
										    : NULL;
}

static bool read_lists(struct tn_studio_document *document, const struct tn_json *saved)
{
	const struct tn_json *node = list_of(saved, "nodes", 2 * document->node_count);
	const struct tn_json *edge = list_of(saved, "edges", document->edge_count);
	bool good = true;

	for (size_t i = 0; i < document->node_count; i++)
		good = good && next_revision(&node, &document->nodes[i]->rev) &&
		       next_revision(&node, &document->nodes[i]->linked);
	for (size_t i = 0; i < document->edge_count; i++)
		good = good && next_revision(&edge, &document->edges[i]->rev);
	return good;
}

static bool read_gone(struct tn_studio_revisions *revisions, int kind, const struct tn_json *saved)
{
	const struct tn_json *gone = tn_json_get(saved, gone_names[kind]);
	int64_t revision;

	if (!tn_json_is(gone, TN_JSON_OBJECT))
		return false;
	for (const struct tn_json *at = gone->first; at; at = at->next) {
		if (!tn_json_to_int(at, &revision) || revision < 1 ||
		    tn_map_put(&revisions->gone[kind], at->key, (void *)(uintptr_t)revision,
			       NULL) != TENON_OK)
			return false;
	}
	return true;
}

enum tenon_code tn_studio_revisions_read(struct tn_studio_document *document,
					 const struct tn_json *saved, struct tenon_error *err)
{
	struct tn_studio_revisions *revisions = revisions_of(document);
	int64_t since = 0;

	if (!revisions)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	saved = tn_json_get(saved, TN_STUDIO_REVISIONS);
	if (!tn_json_to_int(tn_json_get(saved, "since"), &since) || !read_lists(document, saved))
		return TENON_OK; /* an older program wrote it */
	for (int i = 0; i < KINDS; i++) {
		if (!read_gone(revisions, i, saved))
			return TENON_OK;
	}
	revisions->gone_since = (uint64_t)since;
	revisions->fresh = false;
	return TENON_OK;
}
