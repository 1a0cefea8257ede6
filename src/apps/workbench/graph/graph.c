#include "apps/workbench/graph/graph.h"

#include "apps/workbench/graph/internal.h"
#include "apps/workbench/graph/snapshot.h"
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
	struct tn_wb_claim *claim; /* NULL: takes the producer's claim back, or `kept` stays */
	struct tn_wb_claim *kept;
};

struct change {
	struct tn_wb_graph *graph;
	struct tn_wb_producer *producer; /* NULL: it is new */
	struct tn_wb_sender from;
	struct tn_arena arena;
	struct step *steps;
	size_t count;
};

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

/* Most of a snapshot is what is claimed already. Only where each thing is named once. */
static bool plan_kept(struct change *change, const struct tn_wb_item *item)
{
	struct step *step = &change->steps[change->count];
	struct tn_wb_node *thing = NULL;
	struct tn_wb_claim *claim = NULL;

	if (change->producer)
		thing = tn_wb_thing_find(change->graph, item->key);
	if (thing)
		claim = tn_wb_claim_of(thing, change->producer);
	if (!claim || !tn_str_equal(claim->text, item->text))
		return false;
	*step = (struct step){.thing = thing, .kept = claim};
	change->count++;
	return true;
}

static enum tenon_code plan_items(struct change *change, const struct tn_wb_item *const *items,
				  size_t count, bool claims)
{
	enum tenon_code code = TENON_OK;

	for (size_t i = 0; i < count && code == TENON_OK; i++)
		if (!claims || !plan_kept(change, items[i]))
			code = plan(change, items[i], claims);
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
	const struct tn_wb_place place = {"ops", index};
	struct tn_str name = {0};

	(void)tn_json_to_str(tn_json_get(op, "op"), &name);
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
		const struct operation *operation = &operations[i];
		struct tn_wb_item item;
		enum tenon_code code;

		if (!tn_str_is(name, operation->name))
			continue;
		code = tn_wb_sender_item(&change->from, &change->arena,
					 tn_json_get(op, operation->member), operation->form, place,
					 &item);
		return code == TENON_OK ? plan(change, &item, operation->claims) : code;
	}
	return tn_wb_sender_refuse_item(&change->from, &change->arena, place, &fault);
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
	const char *id = change->from.producer;
	struct tn_wb_producer *producer;
	struct tenon_error err;

	if (change->producer)
		return TENON_OK;
	producer = tn_mem_alloc(sizeof(*producer));
	if (producer)
		producer->id = tn_mem_copy_text(id, strlen(id));
	if (!producer || !producer->id ||
	    tn_map_put(&change->graph->producers, tn_str_from(id), producer, &err) != TENON_OK) {
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
		struct tn_wb_claim *old;

		if (step->kept) {
			step->kept->stamp = graph->stamp;
		} else if (step->claim) {
			tn_wb_claim_make(graph, change->producer, step->thing, step->claim);
		} else {
			old = tn_wb_claim_of(step->thing, change->producer);
			if (old)
				tn_wb_claim_end(graph, old);
		}
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
				  .from = {producer, graph->holds, diagnostics}};
	tn_arena_init(&change->arena, TN_WB_UPDATE_ARENA_MAX);
	change->steps = tn_arena_alloc_array(&change->arena, items + 1, sizeof(*change->steps));
	return change->steps != NULL;
}

/* How many claims there would be; a thing may be named more than once. */
static size_t claims_after(const struct change *change, bool whole)
{
	const struct tn_wb_producer *before = whole ? NULL : change->producer;
	size_t count = change->graph->claims;

	if (whole && change->producer)
		count -= change->producer->count;
	for (size_t i = 0; i < change->count; i++) {
		struct tn_wb_node *thing = change->steps[i].thing;
		bool claims = change->steps[i].claim || change->steps[i].kept;
		bool claimed = thing->planned ? thing->planned == TN_WB_PLANNED_CLAIM
					      : before && tn_wb_claim_of(thing, before);

		count = count + claims - claimed;
		thing->planned = claims ? TN_WB_PLANNED_CLAIM : TN_WB_PLANNED_NONE;
	}
	for (size_t i = 0; i < change->count; i++)
		change->steps[i].thing->planned = TN_WB_NOT_PLANNED;
	return count;
}

/* What an update is: all that the producer claims, what differs from its snapshot before, or a
 * patch. */
enum how { WHOLE, DIFFERENCE, PATCH };

static size_t count_of(const struct tn_json *list)
{
	return tn_json_is(list, TN_JSON_ARRAY) ? list->count : 0;
}

/* ---- the bound ---- */

void tn_wb_graph_bound(struct tn_wb_graph *graph, size_t steps)
{
	graph->steps_max = steps;
}

/* Counts no further than the bound. */
static size_t count_edges(const struct tn_wb_graph *graph, const struct tn_wb_node *thing,
			  size_t count)
{
	for (const struct tn_wb_link *link = thing->edges; link && count <= graph->steps_max;
	     link = link->next)
		count++;
	return count;
}

static size_t count_claims(const struct tn_wb_graph *graph, const struct tn_wb_producer *producer,
			   size_t count)
{
	for (const struct tn_wb_claim *claim = producer->claims; claim && count <= graph->steps_max;
	     claim = claim->next_of)
		count = count_edges(graph, claim->thing, count + 1);
	return count;
}

bool tn_wb_graph_removes_long(const struct tn_wb_graph *graph, const char *producer)
{
	const struct tn_wb_producer *found = tn_map_get(&graph->producers, tn_str_from(producer));

	return graph->steps_max && found && count_claims(graph, found, 0) > graph->steps_max;
}

static bool is_long(const struct change *change, uint32_t rank, bool whole)
{
	const struct tn_wb_producer *producer = change->producer;
	const struct tn_wb_graph *graph = change->graph;
	size_t count = change->count;

	if (!graph->steps_max)
		return false;
	for (size_t i = 0; i < change->count && count <= graph->steps_max; i++)
		count = count_edges(graph, change->steps[i].thing, count);
	if (producer && (whole || producer->rank != rank))
		count = count_claims(graph, producer, count);
	return count > graph->steps_max;
}

static enum tenon_code fail_long(const struct tn_wb_graph *graph, struct tn_wb_update *ret,
				 struct tenon_error *err)
{
	*ret = (struct tn_wb_update){.revision = graph->revision};
	return tn_fail(err, TENON_BUSY, "the update is for a worker");
}

/* After what was planned: everything, or nothing. */
static enum tenon_code end(struct change *change, enum tenon_code code, uint32_t rank,
			   int64_t revision, enum how how, struct tn_wb_update *ret,
			   struct tenon_error *err)
{
	*ret = (struct tn_wb_update){.revision = change->graph->revision};
	if (code == TENON_OK && is_long(change, rank, how == WHOLE)) {
		forget(change);
		tn_arena_finish(&change->arena);
		return fail_long(change->graph, ret, err);
	}
	if (code == TENON_OK && claims_after(change, how == WHOLE) > TN_WB_CLAIMS_MAX)
		code = tn_wb_sender_refuse(
			&change->from, "limit_exceeded", NULL,
			"the graph would have more than 200,000 nodes and edges; claim fewer");
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
	if (how == WHOLE)
		end_claims_not_made(change);
	change->producer->revision = revision;
	change->producer->edited = how == PATCH;
	tn_wb_graph_settle(change->graph, ret);
	tn_arena_finish(&change->arena);
	return TENON_OK;
}

enum tenon_code tn_wb_graph_take(struct tn_wb_graph *graph, const char *producer, uint32_t rank,
				 const struct tn_wb_snapshot *snapshot, struct tn_wb_update *ret,
				 struct tn_wb_diagnostics *diagnostics, struct tenon_error *err)
{
	const struct tn_wb_item *const *items = (const struct tn_wb_item *const *)snapshot->items;
	const struct tn_wb_producer *known = tn_map_get(&graph->producers, tn_str_from(producer));
	bool whole = !snapshot->is_compared || !known || known->edited;
	enum how how = whole ? WHOLE : DIFFERENCE;
	size_t differ = snapshot->made_count + snapshot->gone_count;
	enum tenon_code code = TENON_NO_MEMORY;
	struct change change;

	if (graph->steps_max && (whole ? snapshot->count : differ) > graph->steps_max)
		return fail_long(graph, ret, err);
	if (!begin(&change, graph, producer, whole ? snapshot->count : differ, diagnostics))
		return end(&change, code, rank, 0, how, ret, err);
	if (whole) {
		code = plan_items(&change, items, snapshot->count, true);
	} else {
		code = plan_items(&change, snapshot->made, snapshot->made_count, true);
		if (code == TENON_OK)
			code = plan_items(&change, snapshot->gone, snapshot->gone_count, false);
	}
	return end(&change, code, rank, snapshot->revision, how, ret, err);
}

enum tenon_code tn_wb_graph_put(struct tn_wb_graph *graph, const char *producer, uint32_t rank,
				const struct tn_json *json, struct tn_wb_update *ret,
				struct tn_wb_diagnostics *diagnostics, struct tenon_error *err)
{
	size_t count = count_of(tn_json_get(json, "nodes")) + count_of(tn_json_get(json, "edges"));
	struct tn_wb_snapshot *snapshot;
	enum tenon_code code;

	if (graph->steps_max && count > graph->steps_max)
		return fail_long(graph, ret, err);
	code = tn_wb_snapshot_read(graph->holds, producer, json, &snapshot, diagnostics, err);
	*ret = (struct tn_wb_update){.revision = graph->revision};
	if (snapshot)
		code = tn_wb_graph_take(graph, producer, rank, snapshot, ret, diagnostics, err);
	tn_wb_snapshot_free(snapshot);
	return code;
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

	tn_wb_diagnose_format(change->from.diagnostics, &of,
			      "producer %s sent revision %lld, and has sent %lld before: send a "
			      "higher one, or a snapshot",
			      change->from.producer, (long long)revision,
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

	if (graph->steps_max && count_of(ops) > graph->steps_max)
		return fail_long(graph, ret, err);
	if (begin(&change, graph, producer, count_of(ops), diagnostics))
		code = tn_wb_sender_head(&change.from, patch, "ops", NULL, &revision);
	if (code == TENON_OK && change.producer && revision <= change.producer->revision) {
		tell_stale(&change, revision);
		code = TENON_INVALID;
	}
	if (code == TENON_OK)
		code = plan_patch(&change, ops);
	return end(&change, code, rank, revision, PATCH, ret, err);
}

size_t tn_wb_graph_claims_of(const struct tn_wb_graph *graph, const char *producer)
{
	const struct tn_wb_producer *found = tn_map_get(&graph->producers, tn_str_from(producer));

	return found ? found->count : 0;
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
