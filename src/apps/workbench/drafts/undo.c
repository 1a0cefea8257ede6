/* Undo and redo, across people and assistants (ARCHITECTURE section 3.3). */
#include "apps/workbench/drafts/drafts_parts.h"
#include "base/mem.h"
#include "jsonrpc/json_make.h"

/* An instance may have been found under another id since (A15): then its draft is meant all the
 * same. NULL: there is none. */
static const struct tn_wb_draft *find_rebound(const struct tn_wb_document *document,
					      const struct tn_wb_address *address)
{
	size_t first, count;

	if (!document->rebound || tn_wb_document_find(document, address))
		return NULL;
	count = tn_wb_document_group(document, address->group, &first);
	for (size_t i = 0; i < count; i++) {
		const struct tn_wb_draft *draft = document->slots[first + i].draft;

		if (tn_str_equal(draft->rebound_from, address->instance_id) &&
		    tn_str_equal(draft->address.path, address->path))
			return draft;
	}
	return NULL;
}

/* The operation for where the draft is now; what finds its instance stays as it is now. */
static enum tenon_code redirect(struct tn_wb_change *change, const struct tn_wb_draft *draft,
				const struct tn_json *entry, const struct tn_json **ret,
				struct tenon_error *err)
{
	struct tn_arena *arena = &change->arena;
	struct tn_json *locator = NULL;
	struct tn_str from;
	enum tenon_code code = TENON_OK;

	if (draft->locator.size)
		code = tn_json_parse_copy(arena, draft->locator, &locator, err);
	if (code != TENON_OK)
		return code;
	/* The step frees the draft. */
	from = tn_str(tn_arena_copy(arena, draft->rebound_from), draft->rebound_from.size);
	if (entry->type == TN_JSON_OBJECT && from.data) {
		entry = tn_json_with(arena, entry, TN_STR("instanceLocator"), locator);
		entry = entry ? tn_json_with(arena, entry, TN_STR("reboundFrom"),
					     tn_json_make_str(arena, from))
			      : NULL;
	}
	*ret = tn_wb_document_operation(arena, &draft->address, entry);
	return TENON_OK;
}

static enum tenon_code step_back(struct tn_wb_change *change, const struct tn_json *operation,
				 struct tenon_error *err)
{
	struct tn_wb_address address = {.group = TN_WB_GROUP_APP};
	const struct tn_wb_draft *draft;
	enum tenon_code code = TENON_OK;

	if (!tn_wb_document_address(operation, &address))
		return tn_fail(err, TENON_INTERNAL, "the log has an operation without address");
	draft = find_rebound(&change->drafts->document, &address);
	if (draft)
		code = redirect(change, draft, tn_json_get(operation, "entry"), &operation, err);
	return code == TENON_OK ? tn_wb_change_step(change, operation, err) : code;
}

static void name_first(const struct tn_change *change, void *data)
{
	const char **ret_actor = data;

	*ret_actor = change->actor;
}

/* Others have changed the same props since. */
static enum tenon_code check_conflicts(struct tn_wb_change *change,
				       const struct tn_oplog_taken *taken, struct tenon_error *err)
{
	const char *actor = "somebody";
	size_t count = taken->clean ? 0
				    : tn_oplog_conflicts(change->drafts->log, taken->id, true, 1,
							 name_first, &actor);

	if (!count)
		return TENON_OK;
	return tn_wb_change_fail(
		change, "conflict",
		tn_fail(err, TENON_EXPIRED,
			"\"%.80s\" stays: %s has changed the same props since; undo that first",
			taken->label, actor));
}

static enum tenon_code take_back(struct tn_wb_change *change, const struct tn_oplog_which *which,
				 struct tenon_error *err)
{
	struct tn_oplog_taken taken;
	enum tenon_code code =
		tn_oplog_take(change->drafts->log, which, &change->arena, &taken, err);

	if (code == TENON_NOT_FOUND)
		return tn_wb_change_fail(change, "nothing_to_undo", code);
	if (code != TENON_OK)
		return tn_wb_change_fail(change, "internal_error", code);
	code = check_conflicts(change, &taken, err);
	if (code != TENON_OK)
		return code;
	change->of = taken.id;
	change->label = taken.label;
	change->outcome->label = tn_mem_copy_text(taken.label, strlen(taken.label));
	for (const struct tn_json *at = taken.back->first; at && code == TENON_OK; at = at->next)
		code = step_back(change, at, err);
	return code == TENON_OK ? code : tn_wb_change_fail(change, "internal_error", code);
}

static enum tenon_code undo(struct tn_wb_change *change, const struct tn_oplog_which *which,
			    struct tenon_error *err)
{
	enum tenon_code code = tn_wb_change_begin(change, err);

	if (code != TENON_OK)
		return code;
	code = take_back(change, which, err);
	if (code == TENON_OK)
		return tn_wb_change_end(change, err);
	tn_wb_change_abandon(change);
	return code;
}

enum tenon_code tn_wb_drafts_undo(struct tn_wb_drafts *drafts, const struct tn_oplog_which *which,
				  const char *actor, const char *who, struct tn_wb_outcome *outcome,
				  struct tenon_error *err)
{
	struct tn_wb_change change = {
		.drafts = drafts, .outcome = outcome, .actor = actor, .who = who, .always = true};

	return undo(&change, which, err);
}

enum tenon_code tn_wb_drafts_would_undo(struct tn_wb_drafts *drafts,
					const struct tn_oplog_which *which,
					struct tn_wb_outcome *outcome, struct tenon_error *err)
{
	struct tn_wb_change change = {.drafts = drafts, .outcome = outcome, .dry_run = true};

	return undo(&change, which, err);
}

const struct tn_change *tn_wb_drafts_undoes(const struct tn_wb_drafts *drafts,
					    const struct tn_oplog_which *which)
{
	struct tn_oplog_taken taken;
	struct tn_arena arena;
	enum tenon_code code;

	tn_arena_init(&arena, TN_WB_OVERRIDES_ARENA_MAX);
	code = tn_oplog_look(drafts->log, which, &arena, &taken, NULL);
	tn_arena_finish(&arena);
	return code == TENON_OK ? tn_oplog_line(drafts->log, taken.id) : NULL;
}
