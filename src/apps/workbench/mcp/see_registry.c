/* skaffa://workspace/config and .../registry: how it is configured, and which types there are. */
#include <stdio.h>
#include <stdlib.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "base/nocase.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

enum tn_wb_seen tn_wb_see_config(struct tn_wb_look *look)
{
	if (tn_wb_look_loaded(look))
		tn_wb_config_put(look->data, look->workspace->config);
	return TN_WB_SEEN;
}

static void put_rest(struct tn_buf *out, const struct tn_wb_workspace *workspace)
{
	tn_json_put_member_int(out, "revision", (int64_t)workspace->registry_revision);
	tn_json_put_key(out, "disabled");
	tn_wb_registry_put_disabled(out, workspace->registry);
	tn_json_put_key(out, "provenance");
	tn_wb_registry_put_provenance(out, workspace->registry);
	tn_json_put_key(out, "diagnostics");
	tn_wb_diagnostics_put(out, &workspace->registry_diagnostics);
}

/* M4: what is too large is named, with the way to its parts. */
enum tn_wb_seen tn_wb_see_registry(struct tn_wb_look *look)
{
	const struct tn_wb_workspace *workspace = look->workspace;
	struct tn_buf *out = look->data;

	if (!tn_wb_look_loaded(look))
		return TN_WB_SEEN;
	if (tn_wb_registry_text(workspace->registry).size > look->bytes_max) {
		const struct tn_wb_index_query query = {0};

		tn_json_begin_object(out);
		tn_json_put_member_bool(out, "truncated", true);
		tn_json_put_member_text(out, "template", "skaffa://workspace/registry/{typeId}");
		tn_json_put_key(out, "index");
		(void)tn_wb_see_index(look, &query);
		tn_json_end_object(out);
		return TN_WB_SEEN;
	}
	tn_json_begin_object(out);
	tn_json_put_member_raw(out, "registry", tn_wb_registry_text(workspace->registry));
	put_rest(out, workspace);
	tn_json_end_object(out);
	return TN_WB_SEEN;
}

/* Ids, locators and values may be a page's. */
enum tn_wb_seen tn_wb_see_overrides(struct tn_wb_look *look, const char *cursor, const char *limit)
{
	static const char *const pointers[] = {"/overrides", "/nextCursor", "/file/content", NULL};
	struct tn_wb_drafts_page page = {.cursor = tn_str_from(cursor),
					 .bytes_max = look->bytes_max};
	uint64_t most = 0;

	if (limit && (!tn_str_to_uint(tn_str_from(limit), &most) || !most)) {
		look->message = "limit is an integer of 1 or more";
		return TN_WB_MALFORMED;
	}
	page.limit = (size_t)most;
	if (!tn_wb_look_loaded(look))
		return TN_WB_SEEN;
	if (!tn_wb_drafts_put_state(look->data, look->workspace->drafts, look->workspace->registry,
				    &page)) {
		look->message = "the cursor is none of ours: begin again without one";
		return TN_WB_MALFORMED;
	}
	tn_wb_say_untrusted(look, pointers);
	return TN_WB_SEEN;
}

/* ---- the index ---- */

static bool has_tag(const struct tn_wb_entry *entry, const char *tag)
{
	const struct tn_json *tags = tn_json_get(entry->tree, "tags");
	struct tn_str text;

	if (!tag)
		return true;
	for (const struct tn_json *at = tags ? tags->first : NULL; at; at = at->next)
		if (tn_json_to_str(at, &text) && tn_str_is(text, tag))
			return true;
	return false;
}

static bool fits(const struct tn_wb_entry *entry, const struct tn_wb_index_query *query)
{
	struct tn_str words = tn_str_from(query->query), description = {0};

	(void)tn_json_to_str(tn_json_get(entry->tree, "description"), &description);
	return has_tag(entry, query->tag) && (tn_nocase_contains(entry->type_id, words) ||
					      tn_nocase_contains(entry->display_name, words) ||
					      tn_nocase_contains(description, words));
}

static void put_row(struct tn_buf *out, const struct tn_wb_workspace *workspace,
		    const struct tn_wb_entry *entry)
{
	const struct tn_wb_node *node =
		tn_wb_graph_find(workspace->graph, "componentType", entry->type_id);
	struct tn_str source = node ? tn_wb_node_source(node) : (struct tn_str){0};

	tn_json_begin_object(out);
	tn_wb_entry_put_index_members(out, entry);
	if (source.size)
		tn_json_put_member_raw(out, "source", source);
	tn_json_end_object(out);
}

/* A cursor is the place in the registry of a revision: "REVISION.INDEX". */
static bool read_cursor(const char *cursor, uint64_t revision, size_t *ret_start)
{
	char *end;
	unsigned long long of, at;

	*ret_start = 0;
	if (!cursor || !*cursor)
		return true;
	of = strtoull(cursor, &end, 10);
	if (*end != '.' || of != revision)
		return false;
	at = strtoull(end + 1, &end, 10);
	*ret_start = (size_t)at;
	return !*end;
}

enum tn_wb_seen tn_wb_see_index(struct tn_wb_look *look, const struct tn_wb_index_query *query)
{
	const struct tn_wb_workspace *workspace = look->workspace;
	struct tn_buf *out = look->data;
	size_t index, limit = query->limit ? query->limit : SIZE_MAX, start_size;

	if (!tn_wb_look_loaded(look))
		return TN_WB_SEEN;
	if (!read_cursor(query->cursor, workspace->registry_revision, &index)) {
		look->message = "the cursor is of another revision of the registry: begin again "
				"without one";
		return TN_WB_MALFORMED;
	}
	start_size = out->size;
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "revision", (int64_t)workspace->registry_revision);
	tn_json_put_key(out, "components");
	tn_json_begin_array(out);
	for (; index < tn_wb_registry_count(workspace->registry); index++) {
		const struct tn_wb_entry *entry = tn_wb_registry_at(workspace->registry, index);

		if (!fits(entry, query))
			continue;
		if (!limit-- || out->size - start_size > look->bytes_max)
			break;
		put_row(out, workspace, entry);
	}
	tn_json_end_array(out);
	if (index < tn_wb_registry_count(workspace->registry)) {
		char cursor[48];

		(void)snprintf(cursor, sizeof(cursor), "%llu.%zu",
			       (unsigned long long)workspace->registry_revision, index);
		tn_json_put_member_text(out, "nextCursor", cursor);
	}
	tn_json_end_object(out);
	return TN_WB_SEEN;
}

/* ---- one entry ---- */

enum tn_wb_seen tn_wb_see_entry(struct tn_wb_look *look, const char *type_id)
{
	const struct tn_wb_entry *entry;
	struct tn_buf *out = look->data;

	if (!tn_wb_look_loaded(look))
		return TN_WB_SEEN;
	entry = tn_wb_registry_find(look->workspace->registry, tn_str_from(type_id));
	if (!entry)
		return TN_WB_NOT_THERE;
	tn_json_begin_object(out);
	tn_json_put_key(out, "entry");
	tn_json_put_value(out, entry->tree);
	tn_json_put_member_str(out, "provenance", entry->module);
	tn_json_end_object(out);
	return TN_WB_SEEN;
}
