/* A graph that takes another's place: made of it and changed aside, in a worker, where an update is
 * too long for the loop. */
#include "apps/workbench/graph/internal.h"
#include "base/mem.h"

struct copying {
	const struct tn_wb_graph *from;
	struct tn_wb_graph *to;
	struct tn_wb_producer
		*producer; /* the last one that was found; claims come in rows of one */
};

static bool copy_producer(struct tn_wb_graph *to, const struct tn_wb_producer *from)
{
	struct tn_wb_producer *producer = tn_mem_alloc(sizeof(*producer));

	if (!producer)
		return false;
	producer->id = tn_mem_copy_text(from->id, strlen(from->id));
	producer->rank = from->rank;
	producer->revision = from->revision;
	producer->edited = from->edited;
	if (producer->id &&
	    tn_map_put(&to->producers, tn_str_from(producer->id), producer, NULL) == TENON_OK)
		return true;
	tn_mem_free(producer->id);
	tn_mem_free(producer);
	return false;
}

static bool copy_producers(struct copying *c)
{
	size_t cursor = 0;
	struct tn_str key;
	void *value;

	while (tn_map_next(&c->from->producers, &cursor, &key, &value))
		if (!copy_producer(c->to, value))
			return false;
	return true;
}

static struct tn_wb_producer *producer_of(struct copying *c, const struct tn_wb_claim *claim)
{
	const char *id = claim->producer->id;

	if (!c->producer || strcmp(c->producer->id, id) != 0)
		c->producer = tn_map_get(&c->to->producers, tn_str_from(id));
	return c->producer;
}

/* In the same order: of two producers of one rank the first in it counts. */
static bool copy_claims(struct copying *c, struct tn_wb_node *to, const struct tn_wb_node *from)
{
	struct tn_wb_claim **at = &to->claims;

	for (const struct tn_wb_claim *claim = from->claims; claim; claim = claim->next) {
		struct tn_wb_claim *copy = tn_wb_claim_create(claim->text);
		struct tn_wb_producer *producer = copy ? producer_of(c, claim) : NULL;

		if (!producer) {
			tn_mem_free(copy);
			return false;
		}
		if (from->text.data == claim->text.data)
			to->text = copy->text;
		copy->thing = to;
		copy->producer = producer;
		copy->stamp = claim->stamp;
		copy->next_of = producer->claims;
		if (copy->next_of)
			copy->next_of->prev_of = copy;
		producer->claims = copy;
		producer->count++;
		c->to->claims++;
		*at = copy;
		at = &copy->next;
	}
	to->seen = from->seen;
	to->withheld = from->withheld;
	return true;
}

/* The nodes, then the edges, which need them. */
static bool copy_things(struct copying *c, bool edges)
{
	for (const struct tn_wb_node *from = c->from->oldest_thing; from; from = from->newer) {
		struct tn_wb_item item = {.kind = from->kind, .key = from->key};
		struct tn_wb_node *to;

		if ((from->kind >= TN_WB_FIRST_EDGE) != edges)
			continue;
		if (edges) {
			item.from = from->ends[0]->key;
			item.to = from->ends[1]->key;
		}
		to = tn_wb_thing_need(c->to, &item);
		if (!to || !copy_claims(c, to, from))
			return false;
	}
	return true;
}

struct tn_wb_graph *tn_wb_graph_copy(const struct tn_wb_graph *graph)
{
	struct copying c = {.from = graph, .to = tn_wb_graph_create(graph->holds)};

	if (!c.to)
		return NULL;
	if (!copy_producers(&c) || !copy_things(&c, false) || !copy_things(&c, true)) {
		tn_wb_graph_destroy(c.to);
		return NULL;
	}
	c.to->withheld = graph->withheld;
	c.to->bytes = graph->bytes;
	c.to->revision = graph->revision;
	c.to->stamp = graph->stamp;
	c.to->turn = graph->turn;
	return c.to;
}

void tn_wb_graph_succeed(struct tn_wb_graph *next, struct tn_wb_graph *before)
{
	next->steps_max = before->steps_max;
	tn_wb_patches_follow(next, before);
}
