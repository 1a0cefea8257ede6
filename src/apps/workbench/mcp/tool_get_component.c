/* workbench_get_component: one type, where it is written, and who uses it (15.3). */
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "apps/workbench/mcp/tools.h"
#include "base/near.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

static void put_definition(struct tn_buf *out, const struct tn_wb_node *node)
{
	struct tn_str source = node ? tn_wb_node_source(node) : (struct tn_str){0};

	if (source.size)
		tn_json_put_member_raw(out, "definition", source);
	else
		tn_json_put_member_null(out, "definition");
}

/* The ids alone of those that live on some page. */
static void put_instances(struct tn_buf *out, const struct tn_wb_workspace *workspace,
			  struct tn_str type_id)
{
	size_t start = out->size;
	int64_t left = 0;

	tn_json_put_key(out, "instances");
	tn_json_begin_array(out);
	for (const struct tn_wb_session *at = workspace->sessions.first; at; at = at->next) {
		size_t cursor = 0;
		struct tn_str key;
		void *value;

		while (tn_map_next(&at->instances, &cursor, &key, &value)) {
			const struct tn_wb_instance *one = value;

			if (!tn_str_equal(one->type_id, type_id))
				continue;
			if (out->size - start < TN_WB_RELATIONS_BYTES_MAX)
				tn_json_put_str(out, one->id);
			else
				left++;
		}
	}
	tn_json_end_array(out);
	if (left)
		tn_json_put_member_int(out, "moreInstances", left);
}

static void put_component(struct tn_wb_look *look, const struct tn_wb_entry *entry)
{
	const struct tn_wb_node *node =
		tn_wb_graph_find(look->workspace->graph, "componentType", entry->type_id);
	struct tn_buf *out = look->data;

	tn_json_begin_object(out);
	tn_json_put_key(out, "entry");
	tn_json_put_value(out, entry->tree);
	tn_json_put_member_str(out, "provenance", entry->module);
	put_definition(out, node);
	tn_wb_node_put_relations(out, node);
	put_instances(out, look->workspace, entry->type_id);
	look->untrusted[0] = "/instances"; /* their ids are a page's */
	tn_json_end_object(out);
}

static struct tn_str nearest(const struct tn_wb_registry *registry, struct tn_str type_id)
{
	struct tn_str best = {0};
	unsigned least = TN_NEAR_NONE;

	for (size_t i = 0; i < tn_wb_registry_count(registry); i++) {
		struct tn_str id = tn_wb_registry_at(registry, i)->type_id;
		unsigned distance = tn_near_distance(type_id, id);

		if (tn_near_is(type_id, id) && distance < least) {
			best = id;
			least = distance;
		}
	}
	return best;
}

static void refuse(struct tenon_call *call, const struct tn_wb_registry *registry,
		   const char *type_id)
{
	struct tn_str best = nearest(registry, tn_str_from(type_id));

	if (tn_wb_registry_is_disabled(registry, tn_str_from(type_id)))
		tn_wb_reply_error(call, "component_disabled",
				  "%.200s is disabled by components.overrides", type_id);
	else if (best.size)
		tn_wb_reply_error(call, "unknown_component",
				  "there is no component type %.200s; did you mean %.*s?", type_id,
				  (int)best.size, best.data);
	else
		tn_wb_reply_error(call, "unknown_component",
				  "there is no component type %.200s; workbench_list_components "
				  "lists them",
				  type_id);
}

void tn_wb_call_get_component(struct tenon_call *call, void *data)
{
	const char *type_id = tenon_call_text(call, "typeId");
	const struct tn_wb_entry *entry;
	struct tn_wb_look look;
	struct tn_buf out;

	if (!tn_wb_look_begin_call(&look, data, call, &out))
		return;
	if (!tn_wb_look_loaded(&look)) {
		tn_wb_reply_look(call, &look, TN_WB_SEEN, &out);
		return;
	}
	entry = tn_wb_registry_find(look.workspace->registry, tn_str_from(type_id));
	if (!entry) {
		tn_buf_finish(&out);
		refuse(call, look.workspace->registry, type_id);
		return;
	}
	put_component(&look, entry);
	tn_wb_reply_look(call, &look, TN_WB_SEEN, &out);
}
