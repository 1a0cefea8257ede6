/* One change of the overrides, whoever makes it: steps in the log, then the file, then the commit
 * (O6); and what it comes to in the end. */
#include "apps/workbench/drafts/drafts_parts.h"
#include "base/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

void tn_wb_outcome_init(struct tn_wb_outcome *outcome)
{
	*outcome = (struct tn_wb_outcome){.revision = 0};
	for (size_t i = 0; i < TN_WB_GROUPS; i++)
		tn_buf_init(&outcome->forth[i], TN_RESULT_BYTES_MAX);
	tn_buf_init(&outcome->inverse, TN_RESULT_BYTES_MAX);
	tn_buf_init(&outcome->states, TN_RESULT_BYTES_MAX);
}

void tn_wb_outcome_finish(struct tn_wb_outcome *outcome)
{
	for (size_t i = 0; i < TN_WB_GROUPS; i++)
		tn_buf_finish(&outcome->forth[i]);
	tn_buf_finish(&outcome->inverse);
	tn_buf_finish(&outcome->states);
	tn_mem_free(outcome->faults);
	tn_mem_free(outcome->label);
}

/* ---- beginning and ending ---- */

enum tenon_code tn_wb_change_begin(struct tn_wb_change *change, struct tenon_error *err)
{
	enum tenon_code code = tn_oplog_begin(change->drafts->log, -1, err);

	change->outcome->revision = change->drafts->revision;
	if (code != TENON_OK)
		return tn_wb_change_fail(change, "internal_error", code);
	tn_arena_init(&change->arena, TN_WB_OVERRIDES_ARENA_MAX);
	tn_wb_document_watch(&change->drafts->document);
	return TENON_OK;
}

enum tenon_code tn_wb_change_fail(struct tn_wb_change *change, const char *failure,
				  enum tenon_code code)
{
	change->outcome->failure = code == TENON_LIMIT ? "limit_exceeded" : failure;
	return code;
}

enum tenon_code tn_wb_change_step(struct tn_wb_change *change, const struct tn_json *operation,
				  struct tenon_error *err)
{
	if (!operation)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	return tn_oplog_step(change->drafts->log, operation, err);
}

enum tenon_code tn_wb_change_clear(struct tn_wb_change *change, const struct tn_wb_draft *draft,
				   struct tenon_error *err)
{
	const struct tn_json nothing = {.type = TN_JSON_NULL};

	return tn_wb_change_step(
		change, tn_wb_document_operation(&change->arena, &draft->address, &nothing), err);
}

static void close_change(struct tn_wb_change *change)
{
	tn_wb_document_settle(&change->drafts->document);
	tn_wb_document_unwatch(&change->drafts->document);
	tn_arena_finish(&change->arena);
}

void tn_wb_change_abandon(struct tn_wb_change *change)
{
	tn_oplog_abandon(change->drafts->log);
	close_change(change);
}

/* ---- what it comes to ---- */

static void begin_op(struct tn_buf *out, const char *op)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "op", op);
}

static void put_set(struct tn_buf *out, const struct tn_wb_draft *draft)
{
	begin_op(out, "set");
	tn_wb_draft_put_members(out, draft);
	tn_json_end_object(out);
}

static void put_clear(struct tn_buf *out, const struct tn_wb_draft *draft)
{
	begin_op(out, "clear");
	tn_json_put_member_str(out, "instanceId", draft->address.instance_id);
	tn_json_put_member_str(out, "path", draft->address.path);
	tn_json_end_object(out);
}

/* O8: a set keeps metadata that it leaves out; so what has more of it than before goes first. */
static void put_back(struct tn_wb_outcome *outcome, const struct tn_wb_draft *before,
		     const struct tn_wb_draft *after)
{
	struct tn_buf *out = &outcome->inverse;
	bool grown = before && after &&
		     ((after->type_id.size && !before->type_id.size) ||
		      (after->locator.size && !before->locator.size));

	if (!before || grown)
		put_clear(out, after);
	if (before)
		put_set(out, before);
	outcome->inverse_count += 1u + grown;
}

static void put_forth(struct tn_wb_outcome *outcome, const struct tn_wb_touch *touch,
		      const struct tn_wb_draft *after)
{
	struct tn_buf *out = &outcome->forth[touch->named->address.group];

	if (!out->size)
		tn_json_begin_array(out);
	if (after)
		put_set(out, after);
	else
		put_clear(out, touch->named);
}

static bool has_changed(const struct tn_wb_change *change)
{
	const struct tn_wb_document *document = &change->drafts->document;
	const struct tn_wb_touch *touches;
	size_t count = tn_wb_document_touches(document, &touches);

	for (size_t i = 0; i < count; i++) {
		if (!tn_wb_draft_equal(touches[i].before,
				       tn_wb_document_after(document, &touches[i])))
			return true;
	}
	return false;
}

static void describe(struct tn_wb_change *change)
{
	const struct tn_wb_document *document = &change->drafts->document;
	struct tn_wb_outcome *outcome = change->outcome;
	const struct tn_wb_touch *touches;
	size_t count = tn_wb_document_touches(document, &touches);

	for (size_t i = 0; i < count; i++) {
		const struct tn_wb_draft *after = tn_wb_document_after(document, &touches[i]);

		if (!tn_wb_draft_equal(touches[i].before, after))
			put_forth(outcome, &touches[i], after);
	}
	for (size_t i = 0; i < TN_WB_GROUPS; i++) {
		if (outcome->forth[i].size)
			tn_json_end_array(&outcome->forth[i]);
	}
	tn_json_begin_array(&outcome->inverse);
	for (size_t i = count; i-- > 0;) {
		const struct tn_wb_draft *after = tn_wb_document_after(document, &touches[i]);

		if (!tn_wb_draft_equal(touches[i].before, after))
			put_back(outcome, touches[i].before, after);
	}
	tn_json_end_array(&outcome->inverse);
}

static void describe_states(struct tn_wb_change *change)
{
	const struct tn_wb_document *document = &change->drafts->document;
	const struct tn_wb_touch *touches;
	size_t count = tn_wb_document_touches(document, &touches);

	tn_json_begin_array(&change->outcome->states);
	for (size_t i = 0; i < count; i++) {
		const struct tn_wb_slot *slot =
			tn_wb_document_find(document, &touches[i].named->address);

		if (slot)
			tn_wb_slot_put(&change->outcome->states, slot, NULL);
	}
	tn_json_end_array(&change->outcome->states);
}

/* ---- making it so ---- */

/* The file was written and the log refused: what is in memory again goes back into the file. */
static void write_back(struct tn_wb_change *change)
{
	if (!change->keep_file)
		(void)!tn_wb_drafts_write(change->drafts, NULL);
}

static enum tenon_code commit(struct tn_wb_change *change, struct tenon_error *err)
{
	const struct tn_commit how = {.actor = change->actor ? change->actor : "somebody",
				      .label = change->label ? change->label : "Change overrides",
				      .who = change->who,
				      .expected_revision = -1,
				      .of = change->of};
	struct tn_change done;
	enum tenon_code code = TENON_OK;

	if (!change->keep_file)
		code = tn_wb_drafts_write(change->drafts, err);
	if (code != TENON_OK)
		return tn_wb_change_fail(change, "persist_failed", code);
	code = tn_oplog_end(change->drafts->log, &how, &done, err);
	if (code != TENON_OK) {
		write_back(change);
		return tn_wb_change_fail(change, "internal_error", code);
	}
	change->outcome->change_id = done.id;
	return TENON_OK;
}

static enum tenon_code check_outcome(struct tn_wb_change *change, struct tenon_error *err)
{
	enum tenon_code code = tn_buf_check(&change->outcome->inverse, err);

	for (size_t i = 0; i < TN_WB_GROUPS && code == TENON_OK; i++)
		code = tn_buf_check(&change->outcome->forth[i], err);
	return code == TENON_OK ? code : tn_wb_change_fail(change, "internal_error", code);
}

static void note_past(struct tn_wb_change *change)
{
	const struct tn_wb_document *document = &change->drafts->document;
	const struct tn_wb_touch *touches;
	size_t count = tn_wb_document_touches(document, &touches);

	for (size_t i = 0; i < count; i++)
		if (touches[i].before &&
		    !tn_wb_draft_equal(touches[i].before,
				       tn_wb_document_after(document, &touches[i])))
			tn_wb_past_note(&change->drafts->past, touches[i].before);
}

/* V5: whose drafts these are now. What a person has made stays theirs: else it could be changed
 * first, and then be cleared without a question. */
static void note_maker(struct tn_wb_change *change)
{
	struct tn_wb_document *document = &change->drafts->document;
	const struct tn_wb_touch *touches;
	size_t count = tn_wb_document_touches(document, &touches);

	for (size_t i = 0; i < count; i++) {
		struct tn_wb_slot *slot = tn_wb_document_find(document, &touches[i].named->address);

		if (slot && !tn_wb_draft_equal(touches[i].before, slot->draft))
			slot->by_assistant = change->by_assistant &&
					     (!touches[i].before || touches[i].slot.by_assistant);
	}
}

enum tenon_code tn_wb_change_end(struct tn_wb_change *change, struct tenon_error *err)
{
	struct tn_wb_outcome *outcome = change->outcome;
	bool changed = has_changed(change), made = (changed || change->always) && !change->dry_run;
	enum tenon_code code;

	describe(change);
	describe_states(change);
	code = check_outcome(change, err);
	change->keep_file = change->keep_file || !changed;
	if (code == TENON_OK && made)
		code = commit(change, err);
	if (code == TENON_OK && made) {
		note_maker(change);
		note_past(change);
		change->drafts->revision += changed;
		outcome->revision = change->drafts->revision;
		outcome->changed = changed;
	}
	tn_oplog_abandon(change->drafts->log); /* what has been committed stays */
	close_change(change);
	return code;
}
