#include "apps/workbench/workspace/saving.h"

#include "apps/workbench/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "loop/loop.h"

struct tn_wb_saving {
	struct tn_wb_written written;      /* first */
	struct tn_wb_workspace *workspace; /* NULL: it was closed meanwhile */
	struct tn_wb_saving *next;
	struct tn_wb_save save;
	struct tn_wb_address only;
	char *only_bytes;            /* the texts of `only`; NULL: all */
	struct tn_job *job;          /* NULL: it waits */
	struct tn_wb_source *source; /* lent while it runs */
	char *root, *undo;           /* undo: the edits that do it */
	struct tn_wb_saved saved;
};

static void free_saving(struct tn_wb_saving *saving)
{
	tn_wb_plan_inputs_finish(&saving->saved.inputs);
	tn_wb_plan_finish(&saving->saved.plan);
	tn_wb_edit_outcome_finish(&saving->saved.files);
	tn_wb_source_close(saving->source);
	tn_mem_free(saving->only_bytes);
	tn_mem_free(saving->root);
	tn_mem_free(saving->undo);
	tn_mem_free(saving);
}

bool tn_wb_saving_has_drafts(const struct tn_wb_workspace *workspace)
{
	size_t first;

	return workspace->drafts && tn_wb_document_group(tn_wb_drafts_document(workspace->drafts),
							 TN_WB_GROUP_APP, &first) > 0;
}

/* ---- what it is made of ---- */

struct collecting {
	const struct tn_wb_workspace *workspace;
	struct tn_wb_plan_inputs *inputs;
	struct tn_map types; /* that have drafts */
	bool failed;
};

static struct tn_str keep(struct collecting *c, struct tn_str text)
{
	const char *copy = text.size ? tn_arena_copy(&c->inputs->arena, text) : "";

	c->failed = c->failed || !copy;
	return tn_str(copy, copy ? text.size : 0);
}

static void note_type(struct collecting *c, struct tn_str type_id)
{
	if (type_id.size && tn_map_put(&c->types, type_id, c, NULL) != TENON_OK)
		c->failed = true;
}

static const struct tn_wb_instance *live_instance(const struct tn_wb_workspace *workspace,
						  struct tn_str id)
{
	const struct tn_wb_instance *found = NULL;

	for (const struct tn_wb_session *at = workspace->sessions.first; at && !found;
	     at = at->next)
		if (at->group == TN_WB_GROUP_APP)
			found = tn_map_get(&at->instances, id);
	return found;
}

/* What a draft does not say of its instance, the page may. */
static void complete(struct collecting *c, struct tn_wb_plan_draft *draft)
{
	const struct tn_wb_instance *live;
	struct tn_json *json = NULL;
	struct tn_buf locator;

	if (draft->type_id.size && draft->locator.size)
		return;
	live = live_instance(c->workspace, draft->address.instance_id);
	if (!live)
		return;
	if (!draft->type_id.size)
		draft->type_id = keep(c, live->type_id);
	if (draft->locator.size ||
	    tn_json_parse_copy(&c->inputs->arena, live->text, &json, NULL) != TENON_OK ||
	    !tn_json_get(json, "instanceLocator"))
		return;
	tn_buf_init(&locator, TN_WB_DESCRIPTOR_BYTES_MAX);
	tn_json_put_value(&locator, tn_json_get(json, "instanceLocator"));
	draft->locator = keep(c, tn_buf_str(&locator));
	tn_buf_finish(&locator);
}

static void add_draft(struct collecting *c, const struct tn_wb_draft *draft)
{
	struct tn_wb_plan_draft *to = &c->inputs->drafts[c->inputs->draft_count++];

	*to = (struct tn_wb_plan_draft){.address = {TN_WB_GROUP_APP,
						    keep(c, draft->address.instance_id),
						    keep(c, draft->address.path)},
					.value = keep(c, draft->value),
					.type_id = keep(c, draft->type_id),
					.locator = keep(c, draft->locator)};
	complete(c, to);
	note_type(c, to->type_id);
}

static void collect_drafts(struct collecting *c, const struct tn_wb_address *only)
{
	const struct tn_wb_document *document = tn_wb_drafts_document(c->workspace->drafts);
	size_t first, count = tn_wb_document_group(document, TN_WB_GROUP_APP, &first);

	c->inputs->drafts =
		tn_arena_alloc_array(&c->inputs->arena, count + 1, sizeof(*c->inputs->drafts));
	c->failed = c->failed || !c->inputs->drafts;
	for (size_t i = first; i < first + count && !c->failed; i++) {
		const struct tn_wb_draft *draft = document->slots[i].draft;

		if (!only || tn_wb_address_compare(only, &draft->address) == 0)
			add_draft(c, draft);
	}
}

/* Of the types that have drafts, as far as there is room. */
static void collect_instances(struct collecting *c)
{
	struct tn_wb_plan_inputs *inputs = c->inputs;
	size_t count = 0, bytes = 0, cursor;
	struct tn_str id;
	void *value;

	for (const struct tn_wb_session *at = c->workspace->sessions.first; at; at = at->next)
		count += at->group == TN_WB_GROUP_APP ? at->instances.used : 0;
	inputs->instances =
		tn_arena_alloc_array(&inputs->arena, count + 1, sizeof(*inputs->instances));
	c->failed = c->failed || !inputs->instances;
	for (const struct tn_wb_session *at = c->workspace->sessions.first; at && !c->failed;
	     at = at->next) {
		cursor = 0;
		while (at->group == TN_WB_GROUP_APP && !inputs->is_cut &&
		       tn_map_next(&at->instances, &cursor, &id, &value)) {
			const struct tn_wb_instance *instance = value;

			if (!tn_map_get(&c->types, instance->type_id))
				continue;
			bytes += instance->id.size + instance->text.size;
			inputs->is_cut = bytes > TN_WB_PLAN_INSTANCES_BYTES_MAX;
			inputs->instances[inputs->instance_count++] = (struct tn_wb_plan_instance){
				keep(c, instance->id), keep(c, instance->text)};
		}
	}
}

static void collect_hints(struct collecting *c)
{
	size_t count = 0;
	const struct tn_wb_hint *hints = tn_wb_registry_hints(c->workspace->registry, &count);

	c->inputs->hints =
		tn_arena_alloc_array(&c->inputs->arena, count + 1, sizeof(*c->inputs->hints));
	c->failed = c->failed || !c->inputs->hints;
	for (size_t i = 0; i < count && !c->failed; i++)
		if (tn_map_get(&c->types, hints[i].type_id))
			c->inputs->hints[c->inputs->hint_count++] = (struct tn_wb_source_hint){
				.type_id = keep(c, hints[i].type_id),
				.kind = hints[i].kind == TN_WB_HINT_FILE ? TN_WB_SOURCE_FILE
									 : TN_WB_SOURCE_PACKAGE,
				.target = keep(c, hints[i].target),
				.export_name = keep(c, hints[i].export_name)};
}

/* A pattern that is none would leave open what it was to close. */
static enum tenon_code collect_rules(struct collecting *c, struct tenon_error *err)
{
	const struct tn_json *list =
		tn_wb_config_get(c->workspace->config, "guardrails", "readOnlyFiles");
	size_t size = tn_json_is(list, TN_JSON_ARRAY) ? list->count : 0, count = 0;
	struct tn_str *texts = tn_arena_alloc_array(&c->inputs->arena, size + 1, sizeof(*texts));

	if (!texts)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	for (const struct tn_json *at = size ? list->first : NULL; at; at = at->next)
		if (tn_json_to_str(at, &texts[count]))
			count++;
	return count ? tn_wb_globs_create(texts, count, &c->inputs->read_only, err) : TENON_OK;
}

static enum tenon_code collect(struct tn_wb_saving *saving, struct tenon_error *err)
{
	struct collecting c = {.workspace = saving->workspace, .inputs = &saving->saved.inputs};
	enum tenon_code code = collect_rules(&c, err);

	if (code != TENON_OK)
		return code;
	tn_map_init(&c.types);
	collect_drafts(&c, saving->only_bytes ? &saving->only : NULL);
	if (!c.failed)
		collect_instances(&c);
	if (!c.failed)
		collect_hints(&c);
	tn_map_finish(&c.types);
	return c.failed ? tn_fail(err, TENON_NO_MEMORY, "out of memory") : TENON_OK;
}

/* ---- in the worker ---- */

static enum tenon_code write_files(struct tn_wb_saving *saving, struct tn_str text)
{
	struct tn_wb_saved *saved = &saving->saved;
	struct tn_wb_edits edits = {.read_only = saved->inputs.read_only};
	struct tn_json *json = NULL;
	struct tn_arena arena;
	enum tenon_code code;

	tn_arena_init(&arena, TN_WB_PLAN_BYTES_MAX);
	code = tn_json_parse_copy(&arena, text, &json, &saved->err);
	if (code == TENON_OK)
		code = tn_wb_edits_read(&arena, json, &edits, &saved->files, &saved->err);
	if (code == TENON_OK)
		code = tn_wb_edits_apply(saving->root, &edits, &saved->files, &saved->err);
	tn_arena_finish(&arena);
	return code;
}

static void work(void *data, const atomic_bool *cancelled)
{
	struct tn_wb_saving *saving = data;
	struct tn_wb_saved *saved = &saving->saved;
	bool may;

	if (saving->undo) {
		saved->code = write_files(saving, tn_str_from(saving->undo));
		saved->is_written = saved->code == TENON_OK;
		return;
	}
	saved->code = tn_wb_plan_make(saving->source, &saved->inputs, cancelled, &saved->plan,
				      &saved->err);
	may = saving->save.writes && (saving->save.partial || !saved->plan.failure_count);
	if (saved->code != TENON_OK || !may || !saved->plan.written_count ||
	    atomic_load_explicit(cancelled, memory_order_relaxed))
		return;
	saved->code = write_files(saving, tn_buf_str(&saved->plan.edits));
	saved->is_written = saved->code == TENON_OK;
}

/* ---- on the loop ---- */

/* What was written, and is still what it was when it was planned. */
static size_t list_written(const struct tn_wb_saving *saving, struct tn_wb_address *list)
{
	const struct tn_wb_document *document = tn_wb_drafts_document(saving->workspace->drafts);
	const struct tn_wb_saved *saved = &saving->saved;
	size_t count = 0;

	for (size_t i = 0; i < saved->inputs.draft_count; i++) {
		const struct tn_wb_plan_draft *draft = &saved->inputs.drafts[i];
		const struct tn_wb_slot *slot = tn_wb_document_find(document, &draft->address);

		if (saved->plan.is_written[i] && slot &&
		    tn_str_equal(slot->draft->value, draft->value))
			list[count++] = draft->address;
	}
	return count;
}

static void tell_drafts(struct tn_wb_workspace *workspace, const struct tn_wb_outcome *outcome)
{
	if (!outcome->changed)
		return;
	tn_wb_sessions_apply(&workspace->sessions, TN_WB_GROUP_APP,
			     tn_buf_str(&outcome->forth[TN_WB_GROUP_APP]));
	tn_wb_workspace_tell(workspace, TN_WB_CHANGED_OVERRIDES);
}

static void remember(struct tn_wb_workspace *workspace, const struct tn_buf *inverse,
		     uint64_t change)
{
	tn_mem_free(workspace->last_saved);
	workspace->last_saved = inverse ? tn_mem_copy_text(inverse->data, inverse->size) : NULL;
	workspace->last_saved_change = change;
}

static enum tenon_code clear_drafts(struct tn_wb_saving *saving, struct tn_wb_outcome *outcome)
{
	struct tn_wb_workspace *workspace = saving->workspace;
	struct tn_wb_saved *saved = &saving->saved;
	struct tn_wb_address *list =
		tn_mem_alloc_array(saved->inputs.draft_count + 1, sizeof(*list));
	enum tenon_code code;

	if (!list)
		return tn_fail(&saved->err, TENON_NO_MEMORY, "out of memory");
	code = tn_wb_drafts_clear_these(workspace->drafts, list, list_written(saving, list),
					saving->save.actor, "Save to the source", outcome,
					&saved->err);
	tn_mem_free(list);
	if (code == TENON_OK && saved->files.inverse.size)
		remember(workspace, &saved->files.inverse, outcome->change_id);
	return code;
}

static enum tenon_code restore_drafts(struct tn_wb_saving *saving, struct tn_wb_outcome *outcome)
{
	struct tn_wb_workspace *workspace = saving->workspace;
	const struct tn_oplog_which which = {.id = workspace->last_saved_change};

	remember(workspace, NULL, 0);
	if (!which.id)
		return TENON_OK;
	return tn_wb_drafts_undo(workspace->drafts, &which, saving->save.actor, NULL, outcome,
				 &saving->saved.err);
}

/* Files are written: the drafts follow. */
static void settle(struct tn_wb_saving *saving)
{
	struct tn_wb_outcome outcome;
	enum tenon_code code;

	tn_wb_outcome_init(&outcome);
	code = saving->undo ? restore_drafts(saving, &outcome) : clear_drafts(saving, &outcome);
	if (code == TENON_OK)
		tell_drafts(saving->workspace, &outcome);
	else
		saving->saved.failure = outcome.failure ? outcome.failure : "internal_error";
	tn_wb_outcome_finish(&outcome);
}

static void end(struct tn_wb_saving *saving)
{
	saving->save.done(saving->save.data, saving->workspace, &saving->saved);
	free_saving(saving);
}

static void written(struct tn_wb_written *at, enum tenon_code code, const struct tenon_error *err)
{
	struct tn_wb_saving *saving = (struct tn_wb_saving *)at;

	if (code == TENON_CANCELLED) {
		saving->workspace = NULL; /* it was closed */
	} else if (code != TENON_OK) {
		saving->saved.failure = "persist_failed";
		saving->saved.err = *err;
	}
	end(saving);
}

static void finish(struct tn_wb_saving *saving)
{
	struct tn_wb_workspace *workspace = saving->workspace;

	if (workspace)
		workspace->savings = saving->next;
	if (workspace && saving->saved.is_written)
		settle(saving);
	saving->written.done = written;
	/* Whoever is told that it is saved may write the overrides' file himself. */
	if (workspace && saving->saved.is_written && workspace->drafts &&
	    tn_wb_drafts_wait(workspace->drafts, &saving->written))
		return;
	end(saving);
}

static void done(void *data, bool cancelled)
{
	struct tn_wb_saving *saving = data;
	struct tn_wb_workspace *workspace = saving->workspace;

	(void)cancelled;
	saving->job = NULL;
	if (workspace) {
		workspace->source = saving->source;
		saving->source = NULL;
		workspace->saving_runs = false;
		workspace->read_again = workspace->read_again || saving->saved.is_written;
	}
	finish(saving);
	if (workspace)
		workspace->sources_free(workspace);
}

static enum tenon_code begin_undo(struct tn_wb_saving *saving, struct tenon_error *err)
{
	const char *last = saving->workspace->last_saved;

	if (!last)
		return tn_fail(err, TENON_NOT_FOUND,
			       "nothing was saved since the folder was opened, or that is taken "
			       "back already");
	saving->undo = tn_mem_copy_text(last, strlen(last));
	return saving->undo ? TENON_OK : tn_fail(err, TENON_NO_MEMORY, "out of memory");
}

static enum tenon_code begin(struct tn_wb_saving *saving, struct tenon_error *err)
{
	struct tn_wb_workspace *workspace = saving->workspace;
	enum tenon_code code =
		workspace->source ? collect(saving, err)
				  : tn_fail(err, TENON_SYSTEM, "the sources could not be read");

	if (code == TENON_OK && saving->save.undo)
		code = begin_undo(saving, err);
	if (code != TENON_OK)
		return code;
	saving->source = workspace->source;
	code = tn_job_start(workspace->set->loop, work, done, saving, &saving->job, err);
	workspace->saving_runs = code == TENON_OK;
	if (code == TENON_OK)
		workspace->source = NULL;
	else
		saving->source = NULL;
	return code;
}

void tn_wb_saving_next(struct tn_wb_workspace *workspace)
{
	while (workspace->savings && !workspace->savings->job && !workspace->load) {
		struct tn_wb_saving *first = workspace->savings;

		first->saved.code = begin(first, &first->saved.err);
		if (first->saved.code == TENON_OK)
			return;
		finish(first);
	}
}

static bool keep_only(struct tn_wb_saving *saving, const struct tn_wb_address *only)
{
	size_t id = only->instance_id.size, path = only->path.size;

	saving->only_bytes = tn_mem_alloc(id + path + 1);
	if (!saving->only_bytes)
		return false;
	memcpy(saving->only_bytes, only->instance_id.data, id);
	memcpy(saving->only_bytes + id, only->path.data, path);
	saving->only = (struct tn_wb_address){only->group, tn_str(saving->only_bytes, id),
					      tn_str(saving->only_bytes + id, path)};
	return true;
}

enum tenon_code tn_wb_workspace_save(struct tn_wb_workspace *workspace,
				     const struct tn_wb_save *save, struct tenon_error *err)
{
	struct tn_wb_saving *saving = tn_mem_alloc(sizeof(*saving)), **at = &workspace->savings;

	if (!saving)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	saving->workspace = workspace;
	saving->save = *save;
	tn_wb_plan_inputs_init(&saving->saved.inputs);
	tn_wb_plan_init(&saving->saved.plan);
	tn_wb_edit_outcome_init(&saving->saved.files);
	saving->root = tn_mem_copy_text(workspace->root, strlen(workspace->root));
	if (!saving->root || (save->only && !keep_only(saving, save->only))) {
		free_saving(saving);
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	while (*at)
		at = &(*at)->next;
	*at = saving;
	tn_wb_saving_next(workspace);
	return TENON_OK;
}

void tn_wb_saving_close(struct tn_wb_workspace *workspace)
{
	struct tn_wb_saving *next;

	for (struct tn_wb_saving *at = workspace->savings; at; at = next) {
		next = at->next;
		at->workspace = NULL;
		if (at->job)
			tn_job_cancel(at->job);
		else
			finish(at);
	}
	workspace->savings = NULL;
}
