/* Nodes, edges and the claims on them. */
#include "apps/workbench/graph/internal.h"
#include "base/mem.h"

struct tn_wb_node *tn_wb_thing_find(const struct tn_wb_graph *graph, struct tn_str key)
{
	return tn_map_get(&graph->things, key);
}

static struct tn_wb_node *create(struct tn_wb_graph *graph, enum tn_wb_kind kind, struct tn_str key)
{
	struct tn_wb_node *thing = tn_mem_alloc(sizeof(*thing) + key.size);
	struct tenon_error err;

	if (!thing)
		return NULL;
	thing->kind = kind;
	memcpy(thing + 1, key.data, key.size);
	thing->key = tn_str((char *)(thing + 1), key.size);
	if (tn_map_put(&graph->things, thing->key, thing, &err) != TENON_OK) {
		tn_mem_free(thing);
		return NULL;
	}
	thing->older = graph->newest_thing;
	if (thing->older)
		thing->older->newer = thing;
	else
		graph->oldest_thing = thing;
	graph->newest_thing = thing;
	return thing;
}

static struct tn_wb_node *need(struct tn_wb_graph *graph, enum tn_wb_kind kind, struct tn_str key)
{
	struct tn_wb_node *thing = tn_wb_thing_find(graph, key);

	return thing ? thing : create(graph, kind, key);
}

static void link_end(struct tn_wb_node *edge, int which, struct tn_wb_node *node)
{
	struct tn_wb_link *link = &edge->links[which];

	edge->ends[which] = node;
	link->edge = edge;
	link->next = node->edges;
	if (link->next)
		link->next->prev = link;
	node->edges = link;
}

static void unlink_end(struct tn_wb_node *edge, int which)
{
	struct tn_wb_link *link = &edge->links[which];

	if (link->next)
		link->next->prev = link->prev;
	if (link->prev)
		link->prev->next = link->next;
	else
		edge->ends[which]->edges = link->next;
}

struct tn_wb_node *tn_wb_thing_need(struct tn_wb_graph *graph, const struct tn_wb_item *item)
{
	struct tn_wb_node *from, *to, *edge = tn_wb_thing_find(graph, item->key);

	if (item->kind < TN_WB_FIRST_EDGE || edge)
		return edge ? edge : create(graph, item->kind, item->key);
	from = need(graph, (enum tn_wb_kind)item->from.data[0], item->from);
	to = from ? need(graph, (enum tn_wb_kind)item->to.data[0], item->to) : NULL;
	edge = to ? create(graph, item->kind, item->key) : NULL;
	if (edge) {
		link_end(edge, 0, from);
		link_end(edge, 1, to);
		return edge;
	}
	if (to && to != from)
		tn_wb_thing_prune(graph, to);
	if (from)
		tn_wb_thing_prune(graph, from);
	return NULL;
}

void tn_wb_thing_touch(struct tn_wb_graph *graph, struct tn_wb_node *thing)
{
	if (thing->touched)
		return;
	thing->touched = true;
	thing->next_touched = graph->touched;
	graph->touched = thing;
}

void tn_wb_thing_prune(struct tn_wb_graph *graph, struct tn_wb_node *thing)
{
	struct tn_wb_node *from = thing->ends[0], *to = thing->ends[1];

	if (thing->claims || thing->edges || thing->touched)
		return;
	if (from) {
		unlink_end(thing, 0);
		unlink_end(thing, 1);
	}
	(void)tn_map_remove(&graph->things, thing->key);
	if (thing->newer)
		thing->newer->older = thing->older;
	else
		graph->newest_thing = thing->older;
	if (thing->older)
		thing->older->newer = thing->newer;
	else
		graph->oldest_thing = thing->newer;
	tn_mem_free(thing);
	if (from)
		tn_wb_thing_prune(graph, from);
	if (to && to != from)
		tn_wb_thing_prune(graph, to);
}

/* ---- claims ---- */

struct tn_wb_claim *tn_wb_claim_create(struct tn_str text)
{
	struct tn_wb_claim *claim = tn_mem_alloc(sizeof(*claim) + text.size);

	if (!claim)
		return NULL;
	memcpy(claim + 1, text.data, text.size);
	claim->text = tn_str((char *)(claim + 1), text.size);
	return claim;
}

struct tn_wb_claim *tn_wb_claim_of(const struct tn_wb_node *thing,
				   const struct tn_wb_producer *producer)
{
	struct tn_wb_claim *claim = thing->claims;

	while (claim && claim->producer != producer)
		claim = claim->next;
	return claim;
}

void tn_wb_claim_make(struct tn_wb_graph *graph, struct tn_wb_producer *producer,
		      struct tn_wb_node *thing, struct tn_wb_claim *claim)
{
	struct tn_wb_claim *before = tn_wb_claim_of(thing, producer);

	if (before && tn_str_equal(before->text, claim->text)) {
		before->stamp = graph->stamp;
		tn_mem_free(claim);
		return;
	}
	if (before)
		tn_wb_claim_end(graph, before);
	claim->stamp = graph->stamp;
	claim->thing = thing;
	claim->producer = producer;
	claim->next = thing->claims;
	thing->claims = claim;
	claim->next_of = producer->claims;
	if (claim->next_of)
		claim->next_of->prev_of = claim;
	producer->claims = claim;
	graph->claims++;
	producer->count++;
	tn_wb_thing_touch(graph, thing);
}

void tn_wb_claim_end(struct tn_wb_graph *graph, struct tn_wb_claim *claim)
{
	struct tn_wb_claim **at = &claim->thing->claims;

	while (*at != claim)
		at = &(*at)->next;
	*at = claim->next;
	if (claim->next_of)
		claim->next_of->prev_of = claim->prev_of;
	if (claim->prev_of)
		claim->prev_of->next_of = claim->next_of;
	else
		claim->producer->claims = claim->next_of;
	graph->claims--;
	claim->producer->count--;
	tn_wb_thing_touch(graph, claim->thing);
	claim->next = graph->gone;
	graph->gone = claim;
}

void tn_wb_claims_free_gone(struct tn_wb_graph *graph)
{
	while (graph->gone) {
		struct tn_wb_claim *claim = graph->gone;

		graph->gone = claim->next;
		tn_mem_free(claim);
	}
}
