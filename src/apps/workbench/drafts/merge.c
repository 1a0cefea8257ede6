/* The file that others have changed while drafts were on their way into it: both changes count. */
#include "apps/workbench/drafts/drafts_parts.h"
#include "apps/workbench/drafts/override_file.h"

/* What stands there in both documents, as the file has it; also nothing. */
static bool is_same(const struct tn_wb_slot *a, const struct tn_wb_slot *b)
{
	return a && b ? tn_wb_draft_equal_in_file(a->draft, b->draft) : a == b;
}

static enum tenon_code copy_all(struct tn_wb_document *to, const struct tn_wb_document *from,
				struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	for (size_t i = 0; i < from->count && code == TENON_OK; i++)
		code = tn_wb_document_put(to, from->slots[i].draft, err);
	return code;
}

/* Takes from `to` what the others have taken away. */
static void remove_gone(struct tn_wb_document *to, const struct tn_wb_document *base,
			const struct tn_wb_document *theirs)
{
	for (size_t i = 0; i < base->count; i++) {
		const struct tn_wb_address *address = &base->slots[i].draft->address;
		const struct tn_wb_slot *ours = tn_wb_document_find(to, address);

		if (ours && !tn_wb_document_find(theirs, address) && is_same(ours, &base->slots[i]))
			tn_wb_document_remove(to, tn_wb_document_place(to, address));
	}
}

static enum tenon_code put_theirs(struct tn_wb_document *to, const struct tn_wb_document *base,
				  const struct tn_wb_document *theirs, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	for (size_t i = 0; i < theirs->count && code == TENON_OK; i++) {
		const struct tn_wb_slot *slot = &theirs->slots[i];
		const struct tn_wb_address *address = &slot->draft->address;
		const struct tn_wb_slot *before = tn_wb_document_find(base, address);

		if (!is_same(before, slot) && is_same(tn_wb_document_find(to, address), before))
			code = tn_wb_document_put(to, slot->draft, err);
	}
	return code;
}

static enum tenon_code merge(struct tn_wb_drafts *drafts, const struct tn_wb_document *base,
			     const struct tn_wb_document *theirs, struct tenon_error *err)
{
	struct tn_wb_document both;
	struct tn_wb_outcome outcome;
	enum tenon_code code;

	tn_wb_document_init(&both);
	tn_wb_outcome_init(&outcome);
	code = copy_all(&both, &drafts->document, err);
	if (code == TENON_OK) {
		remove_gone(&both, base, theirs);
		code = put_theirs(&both, base, theirs, err);
	}
	if (code == TENON_OK)
		code = tn_wb_drafts_be(drafts, &both, "Change " TN_WB_OVERRIDE_PATH, &outcome, err);
	tn_wb_outcome_finish(&outcome);
	tn_wb_document_finish(&both);
	return code;
}

enum tenon_code tn_wb_drafts_merge(struct tn_wb_drafts *drafts, struct tn_wb_document *base,
				   struct tn_wb_disk_look *look, struct tenon_error *err)
{
	enum tenon_code code;

	tn_wb_drafts_note(drafts, look);
	drafts->merged = true;
	if (look->is_invalid)
		return tn_fail(err, TENON_INVALID,
			       "others have changed " TN_WB_OVERRIDE_PATH
			       " meanwhile, and it cannot be used as it is; mend it, or back it up "
			       "and reset it");
	code = merge(drafts, base, &look->document, err);
	if (code != TENON_OK)
		return code;
	tn_wb_document_finish(base);
	*base = look->document;
	tn_wb_document_init(&look->document);
	return TENON_OK;
}
