/* A draft follows its instance to another id (A15). */
#include "apps/workbench/drafts/drafts_parts.h"
#include "apps/workbench/values/id.h"

static enum tenon_code check_rebind(const struct tn_wb_drafts *drafts,
				    const struct tn_wb_draft_parts *to,
				    const struct tn_wb_address *from, struct tenon_error *err)
{
	if (!tn_wb_document_find(&drafts->document, from))
		return tn_fail(err, TENON_NOT_FOUND, "there is no such override");
	if (!tn_wb_instance_id_is_valid(to->address.instance_id))
		return tn_fail(err, TENON_INVALID, "an instance's id has 1 to 200 bytes");
	if (tn_wb_document_find(&drafts->document, &to->address))
		return tn_fail(err, TENON_BUSY,
			       "the instance that was found has an override of that prop itself");
	return TENON_OK;
}

/* Both are in memory for a moment; which one stays depends on the file. */
static enum tenon_code move(struct tn_wb_drafts *drafts, struct tn_wb_draft *from,
			    struct tn_wb_draft *to, struct tenon_error *err)
{
	enum tenon_code code, undone = TENON_OK;
	const struct tn_wb_slot *slot = tn_wb_document_find(&drafts->document, &from->address);

	tn_wb_document_remove(&drafts->document, (size_t)(slot - drafts->document.slots));
	code = tn_wb_document_put(&drafts->document, to, err);
	if (code == TENON_OK) {
		code = tn_wb_drafts_write(drafts, err);
		slot = tn_wb_document_find(&drafts->document, &to->address);
		if (code != TENON_OK)
			tn_wb_document_remove(&drafts->document,
					      (size_t)(slot - drafts->document.slots));
	}
	if (code != TENON_OK) /* there is room: it was there before */
		undone = tn_wb_document_put(&drafts->document, from, NULL);
	tn_assert(undone == TENON_OK);
	drafts->revision += code == TENON_OK;
	return code;
}

enum tenon_code tn_wb_drafts_rebind(struct tn_wb_drafts *drafts,
				    const struct tn_wb_address *address,
				    struct tn_str to_instance_id, const struct tn_json *to_locator,
				    struct tenon_error *err)
{
	struct tn_wb_draft_parts parts = {.address = {.group = address->group,
						      .instance_id = to_instance_id,
						      .path = address->path},
					  .locator = to_locator,
					  .rebound_from = address->instance_id};
	struct tn_wb_draft *from, *to = NULL;
	struct tn_json *value = NULL;
	struct tn_arena arena;
	enum tenon_code code = check_rebind(drafts, &parts, address, err);

	if (code != TENON_OK)
		return code;
	from = tn_wb_draft_ref(tn_wb_document_find(&drafts->document, address)->draft);
	parts.type_id = from->type_id;
	tn_arena_init(&arena, TN_WB_OVERRIDES_ARENA_MAX);
	code = tn_json_parse_copy(&arena, from->value, &value, err);
	parts.value = value;
	if (code == TENON_OK)
		code = tn_wb_draft_make(&parts, &to, err);
	tn_arena_finish(&arena);
	if (code == TENON_OK)
		code = move(drafts, from, to, err);
	tn_wb_draft_unref(to);
	tn_wb_draft_unref(from);
	return code;
}
