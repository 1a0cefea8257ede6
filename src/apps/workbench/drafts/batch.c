/* Batches of operations: all or nothing, and every op that fails is told (O6 to O10). */
#include "apps/workbench/drafts/drafts_parts.h"
#include "apps/workbench/drafts/json_text.h"
#include "base/mem.h"
#include "jsonrpc/json_make.h"

struct batch {
	struct tn_wb_change change;
	const struct tn_wb_batch *asked;
	struct tn_wb_document *document;
	uint32_t index;
};

/* ---- no-ops (O8) ---- */

static bool is_same_json(struct tn_arena *arena, struct tn_str stored, const struct tn_json *given)
{
	struct tn_json *tree = NULL;

	return tn_json_parse_copy(arena, stored, &tree, NULL) == TENON_OK &&
	       tn_json_equal(tree, given);
}

/* An equal value and nothing new beside it. */
static bool is_no_op(struct tn_arena *arena, const struct tn_wb_draft *stored,
		     const struct tn_wb_draft_parts *parts)
{
	if (parts->type_id.size && !tn_str_equal(parts->type_id, stored->type_id))
		return false;
	if (parts->locator &&
	    (!stored->locator.size || !is_same_json(arena, stored->locator, parts->locator)))
		return false;
	return is_same_json(arena, stored->value, parts->value);
}

/* ---- the ops ---- */

static enum tenon_code set(struct batch *b, struct tn_wb_draft_parts *parts, bool *ret_effect,
			   struct tenon_error *err)
{
	struct tn_arena *arena = &b->change.arena;
	const struct tn_wb_slot *slot = tn_wb_document_find(b->document, &parts->address);
	struct tn_json *locator = NULL;
	enum tenon_code code = TENON_OK;

	if (slot && is_no_op(arena, slot->draft, parts))
		return tn_wb_document_name(b->document, slot, err);
	if (slot && !parts->type_id.size)
		parts->type_id = slot->draft->type_id;
	if (slot && !parts->locator && slot->draft->locator.size) {
		code = tn_json_parse_copy(arena, slot->draft->locator, &locator, err);
		parts->locator = locator;
	}
	if (slot)
		parts->rebound_from = slot->draft->rebound_from;
	*ret_effect = true;
	return code == TENON_OK ? tn_wb_change_step(&b->change,
						    tn_wb_document_operation(
							    arena, &parts->address,
							    tn_wb_document_entry(arena, parts)),
						    err)
				: code;
}

/* From behind, so that those before keep their places. */
static enum tenon_code clear_slots(struct batch *b, size_t first, size_t count, bool *ret_effect,
				   struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	*ret_effect = count > 0;
	while (count-- > 0 && code == TENON_OK)
		code = tn_wb_change_clear(&b->change, b->document->slots[first + count].draft, err);
	return code;
}

static enum tenon_code apply_op(struct batch *b, struct tn_wb_checked *op, bool *ret_effect,
				struct tenon_error *err)
{
	const struct tn_wb_address *address = &op->parts.address;
	const struct tn_wb_slot *slot;
	size_t first, count;

	switch (op->op) {
	case TN_WB_SET:
		return set(b, &op->parts, ret_effect, err);
	case TN_WB_CLEAR:
		slot = tn_wb_document_find(b->document, address);
		return slot ? clear_slots(b, (size_t)(slot - b->document->slots), 1, ret_effect,
					  err)
			    : TENON_OK;
	case TN_WB_CLEAR_INSTANCE:
		count = tn_wb_document_instance(b->document, address->group, address->instance_id,
						&first);
		return clear_slots(b, first, count, ret_effect, err);
	case TN_WB_CLEAR_ALL:
		count = tn_wb_document_group(b->document, address->group, &first);
		return clear_slots(b, first, count, ret_effect, err);
	}
	return TENON_OK;
}

static bool add_fault(struct batch *b, const struct tn_wb_op_fault *fault)
{
	struct tn_wb_outcome *outcome = b->change.outcome;
	struct tn_wb_op_fault *faults = outcome->faults;

	if (!faults)
		faults = tn_mem_alloc_array(b->asked->ops->count, sizeof(*faults));
	if (!faults)
		return false;
	outcome->faults = faults;
	faults[outcome->fault_count] = *fault;
	faults[outcome->fault_count++].index = b->index;
	return true;
}

/* One op, on what the valid ones before it made; one that fails leaves that as it is. */
static enum tenon_code do_op(struct batch *b, const struct tn_json *op, struct tenon_error *err)
{
	struct tn_wb_facts facts = {.instance = NULL};
	struct tn_wb_op_fault fault;
	struct tn_wb_checked checked;
	enum tenon_code code;
	bool effect = false;

	if (b->asked->facts)
		facts = *b->asked->facts;
	facts.past = &b->change.drafts->past;
	if (!tn_wb_check_op(b->document, b->asked->group, &facts, op, &checked, &fault))
		return add_fault(b, &fault) ? TENON_OK
					    : tn_fail(err, TENON_NO_MEMORY, "out of memory");
	code = apply_op(b, &checked, &effect, err);
	b->change.outcome->applied += effect;
	b->change.outcome->unchanged += !effect;
	return code;
}

static enum tenon_code do_all(struct batch *b, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	for (const struct tn_json *at = b->asked->ops->first; at && code == TENON_OK;
	     at = at->next, b->index++)
		code = do_op(b, at, err);
	if (code != TENON_OK)
		return tn_wb_change_fail(&b->change, "internal_error", code);
	if (!b->change.outcome->fault_count)
		return TENON_OK;
	return tn_wb_change_fail(&b->change, "validation_failed",
				 tn_fail(err, TENON_INVALID, "%zu of %u ops cannot be done: %.200s",
					 b->change.outcome->fault_count, b->asked->ops->count,
					 b->change.outcome->faults[0].message));
}

static enum tenon_code check_batch(const struct tn_wb_drafts *drafts,
				   const struct tn_wb_batch *batch, struct tn_wb_outcome *outcome,
				   struct tenon_error *err)
{
	outcome->revision = drafts->revision;
	if (!tn_json_is(batch->ops, TN_JSON_ARRAY) || batch->ops->count == 0 ||
	    batch->ops->count > TN_WB_OPS_MAX) {
		outcome->failure = "validation_failed";
		return tn_fail(err, TENON_INVALID, "\"ops\" is an array of 1 to %d operations",
			       TN_WB_OPS_MAX);
	}
	if (batch->expected_revision >= 0 &&
	    (uint64_t)batch->expected_revision != drafts->revision) {
		outcome->failure = "conflict";
		return tn_fail(err, TENON_EXPIRED,
			       "the overrides have revision %llu, not %lld: read them again",
			       (unsigned long long)drafts->revision,
			       (long long)batch->expected_revision);
	}
	return TENON_OK;
}

enum tenon_code tn_wb_drafts_apply(struct tn_wb_drafts *drafts, const struct tn_wb_batch *batch,
				   struct tn_wb_outcome *outcome, struct tenon_error *err)
{
	struct batch b = {.asked = batch,
			  .document = &drafts->document,
			  .change = {.drafts = drafts,
				     .outcome = outcome,
				     .actor = batch->actor,
				     .label = batch->label,
				     .who = batch->who,
				     .by_assistant = batch->by_assistant,
				     .dry_run = batch->dry_run}};
	enum tenon_code code = check_batch(drafts, batch, outcome, err);

	if (code == TENON_OK)
		code = tn_wb_change_begin(&b.change, err);
	if (code != TENON_OK)
		return code;
	code = do_all(&b, err);
	if (code == TENON_OK)
		return tn_wb_change_end(&b.change, err);
	tn_wb_change_abandon(&b.change);
	return code;
}

bool tn_wb_drafts_was_there(const struct tn_wb_drafts *drafts, enum tn_wb_group group,
			    const struct tn_json *op)
{
	const struct tn_wb_facts facts = {.past = &drafts->past};
	struct tn_wb_op_fault fault;
	struct tn_wb_checked checked;

	/* Nothing is known but what was there. */
	return tn_wb_check_op(&drafts->document, group, &facts, op, &checked, &fault) &&
	       checked.op == TN_WB_SET;
}

/* ---- orphans ---- */

static bool is_orphan(const struct tn_wb_slot *slot, const enum tn_wb_group *group)
{
	return (!group || slot->draft->address.group == *group) &&
	       strcmp(tn_wb_slot_status(slot, NULL, NULL), "orphaned") == 0;
}

enum tenon_code tn_wb_drafts_clear_orphaned(struct tn_wb_drafts *drafts,
					    const enum tn_wb_group *group, const char *actor,
					    struct tn_wb_outcome *outcome, struct tenon_error *err)
{
	struct tn_wb_change change = {.drafts = drafts,
				      .outcome = outcome,
				      .actor = actor,
				      .label = "Clear orphaned overrides"};
	enum tenon_code code = tn_wb_change_begin(&change, err);

	if (code != TENON_OK)
		return code;
	for (size_t i = drafts->document.count; i-- > 0 && code == TENON_OK;) {
		if (!is_orphan(&drafts->document.slots[i], group))
			continue;
		code = tn_wb_change_clear(&change, drafts->document.slots[i].draft, err);
		outcome->applied++;
	}
	if (code == TENON_OK)
		return tn_wb_change_end(&change, err);
	tn_wb_change_abandon(&change);
	return tn_wb_change_fail(&change, "internal_error", code);
}

/* ---- what was saved ---- */

enum tenon_code tn_wb_drafts_clear_these(struct tn_wb_drafts *drafts,
					 const struct tn_wb_address *addresses, size_t count,
					 const char *actor, const char *label,
					 struct tn_wb_outcome *outcome, struct tenon_error *err)
{
	struct tn_wb_change change = {
		.drafts = drafts, .outcome = outcome, .actor = actor, .label = label};
	enum tenon_code code = tn_wb_change_begin(&change, err);

	if (code != TENON_OK)
		return code;
	for (size_t i = 0; i < count && code == TENON_OK; i++) {
		const struct tn_wb_slot *slot =
			tn_wb_document_find(&drafts->document, &addresses[i]);

		if (!slot)
			continue;
		code = tn_wb_change_clear(&change, slot->draft, err);
		outcome->applied++;
	}
	if (code == TENON_OK)
		return tn_wb_change_end(&change, err);
	tn_wb_change_abandon(&change);
	return tn_wb_change_fail(&change, "internal_error", code);
}
