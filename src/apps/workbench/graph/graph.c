#include "apps/workbench/graph/graph.h"

#include "apps/workbench/graph/internal.h"
#include "apps/workbench/limits.h"
#include "base/mem.h"

struct tn_wb_graph *tn_wb_graph_create(enum tn_wb_graph_holds holds)
{
	struct tn_wb_graph *graph = tn_mem_alloc(sizeof(*graph));

	if (!graph)
		return NULL;
	graph->holds = holds;
	tn_map_init(&graph->things);
	tn_map_init(&graph->producers);
	return graph;
}

static void free_producer(struct tn_wb_producer *producer)
{
	tn_mem_free(producer->id);
	tn_mem_free(producer);
}

void tn_wb_graph_destroy(struct tn_wb_graph *graph)
{
	size_t cursor = 0;
	struct tn_str key;
	void *value;

	if (!graph)
		return;
	while (tn_map_next(&graph->things, &cursor, &key, &value)) {
		struct tn_wb_node *thing = value;

		while (thing->claims)
			tn_wb_claim_end(graph, thing->claims);
		tn_mem_free(thing);
	}
	tn_wb_claims_free_gone(graph);
	tn_map_finish(&graph->things);
	cursor = 0;
	while (tn_map_next(&graph->producers, &cursor, &key, &value))
		free_producer(value);
	tn_map_finish(&graph->producers);
	tn_wb_patches_drop(graph);
	tn_mem_free(graph);
}

/* ---- one update ---- */

struct step { /* what one item of the update does */
	struct tn_wb_node *thing;
	struct tn_wb_claim *claim; /* NULL: takes the producer's claim back */
};

struct change {
	struct tn_wb_graph *graph;
	struct tn_wb_producer *producer; /* NULL: it is new */
	const char *id;
	struct tn_arena arena;
	struct step *steps;
	size_t count;
	struct tn_wb_diagnostics *diagnostics;
};

static enum tenon_code refuse(struct change *change, const char *code, const char *pointer,
			      const char *message)
{
	const struct tn_wb_diagnostic of = {
		.severity = TN_WB_ERROR, .code = code, .pointer = pointer};

	tn_wb_diagnose_format(change->diagnostics, &of,
			      "the update of producer %s is refused as a whole: %s%s%s", change->id,
			      pointer ? pointer : "", pointer && *pointer ? " " : "", message);
	return TENON_INVALID;
}

struct place {
	const char *list; /* "nodes" */
	size_t index;
};

static enum tenon_code refuse_item(struct change *change, struct place place,
				   const struct tn_wb_item_fault *fault)
{
	const char *pointer =
		tn_arena_format(&change->arena, "/%s/%zu%s%s", place.list, place.index,
				*fault->pointer ? "/" : "", fault->pointer);

	return refuse(change, "graph_update_invalid", pointer, fault->message);
}

/* Plans what an item does; nothing that is seen changes yet. */
static enum tenon_code plan(struct change *change, const struct tn_wb_item *item, bool claims)
{
	struct step *step = &change->steps[change->count];

	if (!claims) {
		step->thing = tn_wb_thing_find(change->graph, item->key);
		change->count += step->thing != NULL;
		return TENON_OK;
	}
	step->claim = tn_wb_claim_create(item->text);
	step->thing = step->claim ? tn_wb_thing_need(change->graph, item) : NULL;
	if (!step->thing) {
		tn_mem_free(step->claim);
		return TENON_NO_MEMORY;
	}
	change->count++;
	return TENON_OK;
}

static enum tenon_code plan_item(struct change *change, const struct tn_json *json,
				 enum tn_wb_item_form form, bool claims, struct place place)
{
	struct tn_wb_item_fault fault;
	struct tn_wb_item item;
	enum tenon_code code = tn_wb_item_read(&change->arena, json, form, &item, &fault);

	if (code == TENON_INVALID)
		return refuse_item(change, place, &fault);
	if (code == TENON_OK && !tn_wb_kind_belongs(item.kind, change->graph->holds)) {
		fault = (struct tn_wb_item_fault){"kind", "does not belong into this graph"};
		return refuse_item(change, place, &fault);
	}
	return code == TENON_OK ? plan(change, &item, claims) : code;
}

static enum tenon_code plan_list(struct change *change, const struct tn_json *list,
				 enum tn_wb_item_form form, const char *where)
{
	enum tenon_code code = TENON_OK;
	size_t index = 0;

	for (const struct tn_json *at = list->first; at && code == TENON_OK; at = at->next)
		code = plan_item(change, at, form, true, (struct place){where, index++});
	return code;
}

struct operation {
	const char *name, *member;
	enum tn_wb_item_form form;
	bool claims;
};

/* An edge that is taken back is named by the edge itself. */
static const struct operation operations[] = {
	{"upsertNode", "node", TN_WB_ITEM_NODE, true},
	{"removeNode", "node", TN_WB_ITEM_REFERENCE, false},
	{"upsertEdge", "edge", TN_WB_ITEM_EDGE, true},
	{"removeEdge", "edge", TN_WB_ITEM_EDGE, false},
};

static enum tenon_code plan_operation(struct change *change, const struct tn_json *op, size_t index)
{
	const struct tn_wb_item_fault fault = {
		"op", "must be upsertNode, removeNode, upsertEdge or removeEdge"};
	const struct place place = {"ops", index};
	struct tn_str name = {0};

	(void)tn_json_to_str(tn_json_get(op, "op"), &name);
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
		const struct operation *operation = &operations[i];

		if (tn_str_is(name, operation->name))
			return plan_item(change, tn_json_get(op, operation->member),
					 operation->form, operation->claims, place);
	}
	return refuse_item(change, place, &fault);
}

static void forget(struct change *change)
{
	for (size_t i = 0; i < change->count; i++) {
		tn_mem_free(change->steps[i].claim);
		if (change->steps[i].claim)
			tn_wb_thing_touch(change->graph, change->steps[i].thing);
	}
	/* Things that were made for nothing go; no other thing is otherwise than it was. */
	while (change->graph->touched) {
		struct tn_wb_node *thing = change->graph->touched;

		change->graph->touched = thing->next_touched;
		thing->touched = false;
		tn_wb_thing_prune(change->graph, thing);
	}
}

static enum tenon_code need_producer(struct change *change)
{
	struct tn_wb_producer *producer;
	struct tenon_error err;

	if (change->producer)
		return TENON_OK;
	producer = tn_mem_alloc(sizeof(*producer));
	if (producer)
		producer->id = tn_mem_copy_text(change->id, strlen(change->id));
	if (!producer || !producer->id ||
	    tn_map_put(&change->graph->producers, tn_str_from(change->id), producer, &err) !=
		    TENON_OK) {
		if (producer)
			free_producer(producer);
		return TENON_NO_MEMORY;
	}
	producer->revision = -1;
	change->producer = producer;
	return TENON_OK;
}

/* A producer that moves up or down may change the value of whatever it claims. */
static void set_rank(struct change *change, uint32_t rank)
{
	struct tn_wb_producer *producer = change->producer;

	if (producer->rank == rank)
		return;
	producer->rank = rank;
	for (struct tn_wb_claim *claim = producer->claims; claim; claim = claim->next_of)
		tn_wb_thing_touch(change->graph, claim->thing);
}

static void make_claims(struct change *change)
{
	struct tn_wb_graph *graph = change->graph;

	graph->stamp++;
	for (size_t i = 0; i < change->count; i++) {
		struct step *step = &change->steps[i];
		struct tn_wb_claim *old = tn_wb_claim_of(step->thing, change->producer);

		if (step->claim)
			tn_wb_claim_make(graph, change->producer, step->thing, step->claim);
		else if (old)
			tn_wb_claim_end(graph, old);
	}
}

static void end_claims_not_made(struct change *change)
{
	struct tn_wb_claim *next;

	for (struct tn_wb_claim *claim = change->producer->claims; claim; claim = next) {
		next = claim->next_of;
		if (claim->stamp != change->graph->stamp)
			tn_wb_claim_end(change->graph, claim);
	}
}

static bool begin(struct change *change, struct tn_wb_graph *graph, const char *producer,
		  size_t items, struct tn_wb_diagnostics *diagnostics)
{
	*change = (struct change){.graph = graph,
				  .producer = tn_map_get(&graph->producers, tn_str_from(producer)),
				  .id = producer,
				  .diagnostics = diagnostics};
	tn_arena_init(&change->arena, TN_WB_UPDATE_ARENA_MAX);
	change->steps = tn_arena_alloc_array(&change->arena, items + 1, sizeof(*change->steps));
	return change->steps != NULL;
}

/* How many claims there would be. */
static size_t claims_after(const struct change *change, bool whole)
{
	size_t replaced = whole && change->producer ? change->producer->count : 0;

	return change->graph->claims - replaced + change->count;
}

/* After what was planned: everything, or nothing. */
static enum tenon_code end(struct change *change, enum tenon_code code, uint32_t rank,
			   int64_t revision, bool whole, struct tn_wb_update *ret,
			   struct tenon_error *err)
{
	*ret = (struct tn_wb_update){.revision = change->graph->revision};
	if (code == TENON_OK && claims_after(change, whole) > TN_WB_CLAIMS_MAX)
		code = refuse(change, "limit_exceeded", NULL,
			      "the graph would have more than 200,000 nodes and edges");
	if (code == TENON_OK)
		code = need_producer(change);
	if (code != TENON_OK) {
		forget(change);
		tn_arena_finish(&change->arena);
		return code == TENON_INVALID ? TENON_OK
					     : tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	set_rank(change, rank);
	make_claims(change);
	if (whole)
		end_claims_not_made(change);
	change->producer->revision = revision;
	tn_wb_graph_settle(change->graph, ret);
	tn_arena_finish(&change->arena);
	return TENON_OK;
}

static enum tenon_code check_head(struct change *change, const struct tn_json *document,
				  const char *first, const char *second, int64_t *ret_revision)
{
	struct tn_str version;

	if (!tn_json_to_str(tn_json_get(document, "schemaVersion"), &version) ||
	    !tn_str_is(version, "v0"))
		return refuse(change, "graph_update_invalid", "/schemaVersion", "must be \"v0\"");
	if (!tn_json_to_int(tn_json_get(document, "revision"), ret_revision) || *ret_revision < 0)
		return refuse(change, "graph_update_invalid", "/revision",
			      "must be an integer of 0 or more");
	if (!tn_json_is(tn_json_get(document, first), TN_JSON_ARRAY) ||
	    (second && !tn_json_is(tn_json_get(document, second), TN_JSON_ARRAY)))
		return refuse(change, "graph_update_invalid", "",
			      second ? "nodes and edges must be lists" : "ops must be a list");
	return TENON_OK;
}

static size_t count_of(const struct tn_json *list)
{
	return tn_json_is(list, TN_JSON_ARRAY) ? list->count : 0;
}

enum tenon_code tn_wb_graph_put(struct tn_wb_graph *graph, const char *producer, uint32_t rank,
				const struct tn_json *snapshot, struct tn_wb_update *ret,
				struct tn_wb_diagnostics *diagnostics, struct tenon_error *err)
{
	const struct tn_json *nodes = tn_json_get(snapshot, "nodes");
	const struct tn_json *edges = tn_json_get(snapshot, "edges");
	enum tenon_code code = TENON_NO_MEMORY;
	struct change change;
	int64_t revision = 0;

	if (begin(&change, graph, producer, count_of(nodes) + count_of(edges), diagnostics))
		code = check_head(&change, snapshot, "nodes", "edges", &revision);
	if (code == TENON_OK)
		code = plan_list(&change, nodes, TN_WB_ITEM_NODE, "nodes");
	if (code == TENON_OK)
		code = plan_list(&change, edges, TN_WB_ITEM_EDGE, "edges");
	return end(&change, code, rank, revision, true, ret, err);
}

static enum tenon_code plan_patch(struct change *change, const struct tn_json *ops)
{
	enum tenon_code code = TENON_OK;
	size_t index = 0;

	for (const struct tn_json *at = ops->first; at && code == TENON_OK; at = at->next)
		code = plan_operation(change, at, index++);
	return code;
}

static void tell_stale(const struct change *change, int64_t revision)
{
	const struct tn_wb_diagnostic of = {.severity = TN_WB_WARNING,
					    .code = "stale_producer_revision",
					    .pointer = "/revision"};

	tn_wb_diagnose_format(change->diagnostics, &of,
			      "producer %s sent revision %lld, and has sent %lld before: send a "
			      "higher one, or a snapshot",
			      change->id, (long long)revision,
			      (long long)change->producer->revision);
}

enum tenon_code tn_wb_graph_edit(struct tn_wb_graph *graph, const char *producer, uint32_t rank,
				 const struct tn_json *patch, struct tn_wb_update *ret,
				 struct tn_wb_diagnostics *diagnostics, struct tenon_error *err)
{
	const struct tn_json *ops = tn_json_get(patch, "ops");
	enum tenon_code code = TENON_NO_MEMORY;
	struct change change;
	int64_t revision = 0;

	if (begin(&change, graph, producer, count_of(ops), diagnostics))
		code = check_head(&change, patch, "ops", NULL, &revision);
	if (code == TENON_OK && change.producer && revision <= change.producer->revision) {
		tell_stale(&change, revision);
		code = TENON_INVALID;
	}
	if (code == TENON_OK)
		code = plan_patch(&change, ops);
	return end(&change, code, rank, revision, false, ret, err);
}

bool tn_wb_graph_remove(struct tn_wb_graph *graph, const char *producer, struct tn_wb_update *ret)
{
	struct tn_wb_producer *found = tn_map_remove(&graph->producers, tn_str_from(producer));

	*ret = (struct tn_wb_update){.revision = graph->revision};
	if (!found)
		return false;
	while (found->claims)
		tn_wb_claim_end(graph, found->claims);
	tn_wb_graph_settle(graph, ret);
	free_producer(found);
	return true;
}

void tn_wb_graph_producers(const struct tn_wb_graph *graph,
			   void (*each)(const char *producer, uint32_t rank, void *data),
			   void *data)
{
	size_t cursor = 0;
	struct tn_str key;
	void *value;

	while (tn_map_next(&graph->producers, &cursor, &key, &value)) {
		const struct tn_wb_producer *producer = value;

		each(producer->id, producer->rank, data);
	}
}
