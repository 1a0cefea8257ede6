/* tenon://tools: a hash of what models are told about each tool (mcp/tool_digest.h). */
#include "host/daemon/admin_app.h"
#include "mcp/tool_digest.h"

enum { TOOLS_ARENA_BYTES = 4 * 1024 * 1024 };

/* The tool as tools/list gives it. */
static enum tenon_code add_tool(struct tn_tool_digests *digests, const char *app,
				const struct tn_item *item, struct tenon_error *err)
{
	struct tn_buf definition;
	struct tn_arena arena;
	struct tn_json *tool = NULL;
	enum tenon_code code;

	tn_buf_init(&definition, TN_MIB);
	tn_arena_init(&arena, TOOLS_ARENA_BYTES);
	/* Finders are only in lists without output schemas. */
	tn_item_write(item, TN_R5, !item->finder, &definition);
	code = tn_json_parse_copy(&arena, tn_buf_str(&definition), &tool, err);
	if (code == TENON_OK)
		code = tn_tool_digests_add(digests, app, tool, err);
	tn_arena_finish(&arena);
	tn_buf_finish(&definition);
	return code;
}

/* Those of apps that are off are offered to nobody; those of this app, and some of others, to
 * persons only: no model reads them. */
static enum tenon_code add_app(struct tn_tool_digests *digests, const struct tn_admin *admin,
			       const struct tn_app_slot *slot, struct tenon_error *err)
{
	const struct tn_list *tools = &admin->server->registry.lists[TN_ITEM_TOOL];
	enum tenon_code code = TENON_OK;

	if (slot->app == &admin->app || slot->is_off)
		return TENON_OK;
	for (size_t i = 0; i < tools->count && code == TENON_OK; i++)
		if (tools->items[i]->app == slot->bit && !tools->items[i]->tool.person_only)
			code = add_tool(digests, slot->app->name, tools->items[i], err);
	return code;
}

/* Of no app. */
static enum tenon_code add_finders(struct tn_tool_digests *digests, const struct tn_admin *admin,
				   struct tenon_error *err)
{
	const struct tn_list *tools = &admin->server->registry.lists[TN_ITEM_TOOL];
	enum tenon_code code = TENON_OK;

	for (size_t i = 0; i < tools->count && code == TENON_OK; i++) {
		if (tools->items[i]->finder)
			code = add_tool(digests, admin->app.name, tools->items[i], err);
	}
	return code;
}

static void put_digests(struct tn_tool_digests *digests, struct tn_buf *out)
{
	char sum[TN_DIGEST_HEX_SIZE];

	tn_tool_digests_sum(digests, NULL, sum);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "hash", sum);
	tn_json_put_key(out, "tools");
	tn_json_begin_object(out);
	for (size_t i = 0; i < digests->count; i++)
		tn_json_put_member_text(out, digests->items[i].name, digests->items[i].hash);
	tn_json_end_object(out);
	tn_json_end_object(out);
}

void tn_admin_write_tools(struct tn_admin *admin, struct tn_buf *out)
{
	struct tn_tool_digests digests = {0};
	struct tenon_error err = {0};
	enum tenon_code code = TENON_OK;

	for (const struct tn_app_slot *slot = admin->server->apps; slot && code == TENON_OK;
	     slot = slot->next)
		code = add_app(&digests, admin, slot, &err);
	if (code == TENON_OK)
		code = add_finders(&digests, admin, &err);
	if (code == TENON_OK) {
		put_digests(&digests, out);
	} else {
		tn_json_begin_object(out);
		tn_json_put_member_null(out, "hash");
		tn_json_put_member_text(out, "problem", err.message);
		tn_json_end_object(out);
	}
	tn_tool_digests_finish(&digests);
}
