/* A batch as it is made: what finds its instances again is added where it was left out (A15, D4).
 */
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/acting.h"
#include "jsonrpc/json_make.h"

struct completing {
	const struct tn_wb_acting *acting;
	struct tn_arena *arena;
	size_t left; /* bytes of descriptions that may still be read */
};

static bool is_stored(const struct tn_wb_acting *acting, const struct tn_json *op, struct tn_str id)
{
	struct tn_wb_address address = {.group = acting->group, .instance_id = id};

	return tn_json_to_str(tn_json_get(op, "path"), &address.path) &&
	       tn_wb_document_find(tn_wb_drafts_document(acting->workspace->drafts), &address);
}

/* The same, with what a page says of the instance; a draft that is there keeps what it has, and one
 * that is put back is what it was. */
static const struct tn_json *complete(struct completing *c, const struct tn_json *op)
{
	const struct tn_wb_instance *found;
	struct tn_json *tree = NULL;
	const struct tn_json *locator;
	struct tn_str name = {0}, id = {0};

	(void)tn_json_to_str(tn_json_get(op, "op"), &name);
	if (!tn_str_is(name, "set") || tn_json_get(op, "instanceLocator") ||
	    !tn_json_to_str(tn_json_get(op, "instanceId"), &id) || is_stored(c->acting, op, id) ||
	    tn_wb_drafts_was_there(c->acting->workspace->drafts, c->acting->group, op))
		return op;
	found = tn_wb_acting_instance(c->acting, id);
	if (!found || found->text.size > c->left)
		return op;
	c->left -= found->text.size;
	if (!tn_json_get(op, "componentTypeId"))
		op = tn_json_with(c->arena, op, TN_STR("componentTypeId"),
				  tn_json_make_str(c->arena, found->type_id));
	if (!op || tn_json_parse_copy(c->arena, found->text, &tree, NULL) != TENON_OK)
		return op;
	locator = tn_json_get(tree, "instanceLocator");
	return locator ? tn_json_with(c->arena, op, TN_STR("instanceLocator"), locator) : op;
}

const struct tn_json *tn_wb_complete_ops(const struct tn_wb_acting *acting, struct tn_arena *arena,
					 const struct tn_json *ops)
{
	struct completing c = {.acting = acting, .arena = arena, .left = TN_WB_COMPLETED_BYTES_MAX};
	struct tn_json_maker maker;

	tn_json_maker_begin(&maker, arena, TN_JSON_ARRAY);
	for (const struct tn_json *at = ops->first; at; at = at->next) {
		const struct tn_json *op = complete(&c, at);

		if (!op)
			return NULL;
		tn_json_maker_add(&maker, op);
	}
	return tn_json_maker_end(&maker);
}
