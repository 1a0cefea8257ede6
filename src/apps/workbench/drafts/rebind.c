/* Drafts follow their instances to other ids (A15). */
#include "apps/workbench/drafts/drafts_parts.h"
#include "apps/workbench/values/id.h"
#include "base/mem.h"

/* Ids change places with each other when a line is inserted above, so all moves of a report are
 * one: what is in the way of one may be going itself. */
enum { ROUNDS_MAX = 8 };

struct move {
	struct tn_wb_draft *from, *to; /* from NULL: it is left out */
};

struct moves {
	struct tn_wb_drafts *drafts;
	struct move *items;
	size_t count, left;
	struct tn_wb_document sources, targets; /* of those that are not left out */
};

static void leave_out(struct move *move)
{
	tn_wb_draft_unref(move->from);
	tn_wb_draft_unref(move->to);
	*move = (struct move){.from = NULL};
}

static enum tenon_code make_move(struct moves *m, const struct tn_wb_rebound *rebound,
				 struct move *move, struct tenon_error *err)
{
	const struct tn_wb_slot *slot = tn_wb_document_find(&m->drafts->document, &rebound->from);
	struct tn_wb_draft_parts parts = {.address = {.group = rebound->from.group,
						      .instance_id = rebound->to_instance_id,
						      .path = rebound->from.path},
					  .locator = rebound->to_locator,
					  .rebound_from = rebound->from.instance_id};
	struct tn_json *value = NULL;
	struct tn_arena arena;
	enum tenon_code code;

	if (!slot || !tn_wb_instance_id_is_valid(rebound->to_instance_id) ||
	    tn_str_equal(rebound->to_instance_id, rebound->from.instance_id) ||
	    (rebound->to_locator && !tn_wb_locator_is_valid(rebound->to_locator)))
		return TENON_OK;
	parts.type_id = slot->draft->type_id;
	tn_arena_init(&arena, TN_WB_OVERRIDES_ARENA_MAX);
	code = tn_json_parse_copy(&arena, slot->draft->value, &value, err);
	parts.value = value;
	if (code == TENON_OK)
		code = tn_wb_draft_make(&parts, &move->to, err);
	if (code == TENON_OK)
		move->from = tn_wb_draft_ref(slot->draft);
	tn_arena_finish(&arena);
	return code;
}

static void forget_both(struct moves *m)
{
	tn_wb_document_finish(&m->sources);
	tn_wb_document_finish(&m->targets);
	tn_wb_document_init(&m->sources);
	tn_wb_document_init(&m->targets);
	m->left = 0;
}

/* Of two from one place, or to one place, the first counts. */
static enum tenon_code collect(struct moves *m, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	forget_both(m);
	for (size_t i = 0; i < m->count && code == TENON_OK; i++) {
		struct move *move = &m->items[i];

		if (!move->from)
			continue;
		if (tn_wb_document_find(&m->sources, &move->from->address) ||
		    tn_wb_document_find(&m->targets, &move->to->address)) {
			leave_out(move);
			continue;
		}
		m->left++;
		code = tn_wb_document_put(&m->sources, move->from, err);
		if (code == TENON_OK)
			code = tn_wb_document_put(&m->targets, move->to, err);
	}
	return code;
}

/* True: some were left out because a draft that stays is in their way. */
static bool drop_blocked(struct moves *m)
{
	bool dropped = false;

	for (size_t i = 0; i < m->count; i++) {
		struct move *move = &m->items[i];

		if (!move->from || !tn_wb_document_find(&m->drafts->document, &move->to->address) ||
		    tn_wb_document_find(&m->sources, &move->to->address))
			continue;
		leave_out(move);
		dropped = true;
	}
	return dropped;
}

static void take_out(struct tn_wb_document *document, const struct tn_wb_document *which)
{
	for (size_t i = 0; i < which->count; i++) {
		const struct tn_wb_slot *slot =
			tn_wb_document_find(document, &which->slots[i].draft->address);

		if (slot)
			tn_wb_document_remove(document, (size_t)(slot - document->slots));
	}
}

static enum tenon_code put_in(struct tn_wb_document *document, const struct tn_wb_document *which,
			      struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	for (size_t i = 0; i < which->count && code == TENON_OK; i++)
		code = tn_wb_document_put(document, which->slots[i].draft, err);
	return code;
}

static enum tenon_code move_all(struct moves *m, struct tenon_error *err)
{
	struct tn_wb_document *document = &m->drafts->document;
	enum tenon_code code, undone;

	take_out(document, &m->sources);
	code = put_in(document, &m->targets, err);
	if (code == TENON_OK)
		code = tn_wb_drafts_write(m->drafts, err);
	if (code == TENON_OK) {
		m->drafts->revision++;
		return TENON_OK;
	}
	/* There is room for those that were there before. */
	take_out(document, &m->targets);
	undone = put_in(document, &m->sources, NULL);
	tn_assert(undone == TENON_OK);
	return code;
}

static enum tenon_code settle(struct moves *m, struct tenon_error *err)
{
	enum tenon_code code = collect(m, err);

	for (int round = 0; code == TENON_OK && drop_blocked(m); round++) {
		if (round == ROUNDS_MAX) {
			forget_both(m);
			return TENON_OK;
		}
		code = collect(m, err);
	}
	return code == TENON_OK && m->left ? move_all(m, err) : code;
}

enum tenon_code tn_wb_drafts_rebind(struct tn_wb_drafts *drafts, const struct tn_wb_rebound *list,
				    size_t count, size_t *ret_moved, struct tenon_error *err)
{
	struct moves m = {.drafts = drafts, .count = count};
	enum tenon_code code = TENON_OK;

	*ret_moved = 0;
	if (!count)
		return TENON_OK;
	m.items = tn_mem_alloc_array(count, sizeof(*m.items));
	if (!m.items)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_wb_document_init(&m.sources);
	tn_wb_document_init(&m.targets);
	for (size_t i = 0; i < count && code == TENON_OK; i++)
		code = make_move(&m, &list[i], &m.items[i], err);
	if (code == TENON_OK)
		code = settle(&m, err);
	if (code == TENON_OK)
		*ret_moved = m.left;
	for (size_t i = 0; i < count; i++)
		leave_out(&m.items[i]);
	tn_wb_document_finish(&m.sources);
	tn_wb_document_finish(&m.targets);
	tn_mem_free(m.items);
	return code;
}
