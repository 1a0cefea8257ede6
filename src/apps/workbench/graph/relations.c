/* Which routes and types a component type is used by, and which it uses. */
#include <stdlib.h>

#include "apps/workbench/graph/graph.h"
#include "apps/workbench/limits.h"
#include "jsonrpc/json_write.h"

struct relations { /* ids, to be put in order */
	struct tn_str ids[TN_WB_RELATIONS_MAX];
	size_t count, left; /* those that are too many to be told */
	bool outward;
	const char *kind;
};

static void note_relation(const struct tn_wb_node *other, bool outward, void *data)
{
	struct relations *relations = data;

	if (outward != relations->outward || !tn_wb_node_is(other, relations->kind))
		return;
	if (relations->count < TN_WB_RELATIONS_MAX)
		relations->ids[relations->count++] = tn_wb_node_id(other);
	else
		relations->left++;
}

static int compare(const void *left, const void *right)
{
	const struct tn_str *a = left, *b = right;

	return tn_str_compare(*a, *b);
}

static void put_relation(struct tn_buf *out, const char *name, const char *more,
			 const struct tn_wb_node *node, struct relations *relations)
{
	size_t start = out->size, at = 0;

	relations->count = relations->left = 0;
	if (node)
		tn_wb_node_edges(node, note_relation, relations);
	qsort(relations->ids, relations->count, sizeof(relations->ids[0]), compare);
	tn_json_put_key(out, name);
	tn_json_begin_array(out);
	while (at < relations->count && out->size - start < TN_WB_RELATIONS_BYTES_MAX)
		tn_json_put_str(out, relations->ids[at++]);
	tn_json_end_array(out);
	relations->left += relations->count - at;
	if (relations->left)
		tn_json_put_member_int(out, more, (int64_t)relations->left);
}

void tn_wb_node_put_relations(struct tn_buf *out, const struct tn_wb_node *node)
{
	struct relations relations = {.kind = "route"};

	put_relation(out, "usedByRoutes", "moreUsedByRoutes", node, &relations);
	relations.kind = "componentType";
	put_relation(out, "usedBy", "moreUsedBy", node, &relations);
	relations.outward = true;
	put_relation(out, "uses", "moreUses", node, &relations);
}
