#include "apps/workbench/drafts/past.h"

#include "apps/workbench/limits.h"
#include "base/mem.h"

static struct tn_wb_draft **place(const struct tn_wb_past *past, size_t index)
{
	return &past->ring[(past->first + index) % TN_WB_PAST_MAX];
}

static void drop_oldest(struct tn_wb_past *past)
{
	struct tn_wb_draft *draft = *place(past, 0);

	past->bytes -= draft->bytes;
	past->first = (past->first + 1) % TN_WB_PAST_MAX;
	past->count--;
	tn_wb_draft_unref(draft);
}

void tn_wb_past_finish(struct tn_wb_past *past)
{
	while (past->count)
		drop_oldest(past);
	tn_mem_free(past->ring);
	past->ring = NULL;
}

void tn_wb_past_note(struct tn_wb_past *past, struct tn_wb_draft *draft)
{
	if (!past->ring)
		past->ring = tn_mem_alloc_array(TN_WB_PAST_MAX, sizeof(struct tn_wb_draft *));
	if (!past->ring || draft->bytes > TN_WB_PAST_BYTES_MAX)
		return;
	while (past->count == TN_WB_PAST_MAX || past->bytes + draft->bytes > TN_WB_PAST_BYTES_MAX)
		drop_oldest(past);
	*place(past, past->count++) = tn_wb_draft_ref(draft);
	past->bytes += draft->bytes;
}

static bool is_same(const struct tn_wb_draft *a, const struct tn_wb_draft *b)
{
	return tn_str_equal(a->value, b->value) && tn_str_equal(a->type_id, b->type_id) &&
	       tn_str_equal(a->locator, b->locator);
}

bool tn_wb_past_has(const struct tn_wb_past *past, const struct tn_wb_draft_parts *parts)
{
	struct tn_wb_draft *made = NULL;
	bool has = false;

	for (size_t i = past->count; i-- > 0 && !has;) {
		const struct tn_wb_draft *draft = *place(past, i);

		if (tn_wb_address_compare(&draft->address, &parts->address) != 0)
			continue;
		if (!made && tn_wb_draft_make(parts, &made, NULL) != TENON_OK)
			return false;
		has = is_same(draft, made);
	}
	tn_wb_draft_unref(made);
	return has;
}
