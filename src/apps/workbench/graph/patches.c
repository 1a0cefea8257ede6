/* The newest patches, for those who follow (N5 to N7). */
#include "apps/workbench/graph/internal.h"
#include "apps/workbench/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

static void drop_oldest(struct tn_wb_graph *graph)
{
	struct tn_wb_patch *patch = graph->oldest;

	graph->oldest = patch->next;
	if (!graph->oldest)
		graph->newest = NULL;
	graph->patch_count--;
	graph->patch_bytes -= patch->size;
	tn_mem_free(patch->text);
	tn_mem_free(patch);
}

void tn_wb_patches_drop(struct tn_wb_graph *graph)
{
	while (graph->oldest)
		drop_oldest(graph);
}

/* What stays is so many patches or so many bytes at least. */
static bool can_drop(const struct tn_wb_graph *graph)
{
	return graph->oldest && graph->oldest->next &&
	       (graph->patch_count > TN_WB_PATCHES_KEPT ||
		graph->patch_bytes - graph->oldest->size >= TN_WB_PATCH_BYTES_KEPT);
}

void tn_wb_patch_keep(struct tn_wb_graph *graph, struct tn_str text)
{
	struct tn_wb_patch *patch = text.data ? tn_mem_alloc(sizeof(*patch)) : NULL;

	if (patch)
		patch->text = tn_mem_copy_text(text.data, text.size);
	if (!patch || !patch->text) {
		tn_mem_free(patch);
		tn_wb_patches_drop(graph);
		return;
	}
	patch->revision = graph->revision;
	patch->size = text.size;
	if (graph->newest)
		graph->newest->next = patch;
	else
		graph->oldest = patch;
	graph->newest = patch;
	graph->patch_count++;
	graph->patch_bytes += patch->size;
	while (can_drop(graph))
		drop_oldest(graph);
}

void tn_wb_patches_follow(struct tn_wb_graph *graph, struct tn_wb_graph *before)
{
	bool continues = graph->revision == before->revision || graph->oldest;

	if (!before->oldest || !continues) {
		tn_wb_patches_drop(before);
		return;
	}
	before->newest->next = graph->oldest;
	if (!graph->newest)
		graph->newest = before->newest;
	graph->oldest = before->oldest;
	graph->patch_count += before->patch_count;
	graph->patch_bytes += before->patch_bytes;
	before->oldest = before->newest = NULL;
	before->patch_count = before->patch_bytes = 0;
	while (can_drop(graph))
		drop_oldest(graph);
}

uint64_t tn_wb_graph_oldest(const struct tn_wb_graph *graph)
{
	return graph->oldest ? graph->oldest->revision - 1 : graph->revision;
}

uint64_t tn_wb_graph_newest_within(const struct tn_wb_graph *graph, size_t bytes)
{
	const struct tn_wb_patch *patch = graph->oldest;
	size_t left = graph->patch_bytes;

	for (; patch && left > bytes; patch = patch->next)
		left -= patch->size;
	return patch ? patch->revision - 1 : graph->revision;
}

bool tn_wb_graph_put_patches(const struct tn_wb_graph *graph, uint64_t since, struct tn_buf *out)
{
	if (since > graph->revision || since < tn_wb_graph_oldest(graph))
		return false;
	for (const struct tn_wb_patch *patch = graph->oldest; patch; patch = patch->next)
		if (patch->revision > since)
			tn_json_put_raw(out, tn_str(patch->text, patch->size));
	return true;
}
