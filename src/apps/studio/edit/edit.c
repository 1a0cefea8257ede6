#include "apps/studio/edit/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "apps/studio/project/project.h"
#include "base/utf8.h"
#include "store/limits.h"

enum { TOUCHED_BYTES_MAX = TN_OPLOG_NOTE_MAX - 256 };

/* ---- begin and end ---- */

bool tn_studio_edit_begin(struct tn_studio_edit *edit, int64_t expected_revision)
{
	struct tenon_error err = {0};

	tn_buf_init(&edit->touched, TN_OPLOG_NOTE_MAX);
	tn_map_init(&edit->touched_ids);
	edit->touched_count = 0;
	edit->steps = 0;
	edit->of = 0;
	edit->summary[0] = '\0';
	if (tn_oplog_begin(edit->log, expected_revision, &err) == TENON_OK) {
		if (edit->project)
			tn_studio_secrets_begin(edit->project);
		return true;
	}
	(void)tn_studio_fail_error(edit->fault, &err);
	if (err.code == TENON_EXPIRED && edit->fault)
		edit->fault->details = tn_str_from(tn_arena_format(
			edit->arena, "{\"revision\":%llu,\"expectedRevision\":%lld}",
			(unsigned long long)tn_oplog_revision(edit->log),
			(long long)expected_revision));
	return false;
}

void tn_studio_edit_abandon(struct tn_studio_edit *edit)
{
	tn_oplog_abandon(edit->log);
	if (edit->project)
		(void)tn_studio_secrets_end(edit->project, false, NULL);
	tn_buf_finish(&edit->touched);
	tn_map_finish(&edit->touched_ids);
}

bool tn_studio_edit_adopt(struct tn_studio_edit *edit, struct tn_studio_edit *from)
{
	struct tenon_error err = {0};
	bool good = tn_studio_document_exchange(edit->document, from->document, &err) == TENON_OK ||
		    tn_studio_fail_error(edit->fault, &err);

	if (good)
		tn_oplog_pass(from->log, edit->log);
	if (good && edit->project && from->project)
		good = tn_studio_secrets_adopt(edit->project, from->project, edit->fault);
	tn_buf_finish(&edit->touched);
	tn_map_finish(&edit->touched_ids);
	edit->touched = from->touched;
	edit->touched_ids = from->touched_ids;
	edit->touched_count = from->touched_count;
	edit->steps = from->steps;
	edit->of = from->of;
	memcpy(edit->summary, from->summary, sizeof(edit->summary));
	tn_buf_init(&from->touched, TN_OPLOG_NOTE_MAX);
	tn_map_init(&from->touched_ids);
	tn_studio_edit_abandon(from);
	if (!good)
		tn_studio_edit_abandon(edit);
	return good;
}

/* A gesture has touched what its changes before this one have touched, too. */
static void touch_joined(struct tn_studio_edit *edit)
{
	const struct tn_change *whole =
		tn_oplog_joins(edit->log, edit->actor ? edit->actor : "", edit->gesture);
	struct tn_json *note = NULL;
	const struct tn_json *ids;
	int64_t count = 0;
	struct tn_str id;

	if (!whole || !whole->note ||
	    tn_json_parse_copy(edit->arena, tn_str_from(whole->note), &note, NULL) != TENON_OK)
		return;
	ids = tn_json_get(note, "instanceIds");
	for (const struct tn_json *at = tn_json_is(ids, TN_JSON_ARRAY) ? ids->first : NULL; at;
	     at = at->next) {
		if (tn_json_to_str(at, &id) && tn_studio_id_is_valid(id))
			tn_studio_edit_touch(edit, id);
	}
	/* Those that its note had no room for are among these, or more. */
	if (tn_json_to_int(tn_json_get(note, "count"), &count) &&
	    count > (int64_t)edit->touched_count)
		edit->touched_count = (size_t)count;
}

/* How many ids there was room for. */
static size_t named(const struct tn_studio_edit *edit)
{
	size_t quotes = 0;

	for (size_t i = 0; i < edit->touched.size; i++)
		quotes += edit->touched.data[i] == '"';
	return quotes / 2;
}

/* {"tool":"add_resource","instanceIds":["..."]}, as change.h reads it. */
static char *make_note(struct tn_studio_edit *edit)
{
	struct tn_buf note;
	char *text;

	tn_buf_init(&note, TN_OPLOG_NOTE_MAX);
	tn_json_begin_object(&note);
	tn_json_put_member_str(&note, "tool",
			       tn_utf8_cut(tn_str_from(edit->tool ? edit->tool : ""), 64));
	tn_json_put_key(&note, "instanceIds");
	tn_json_begin_array(&note);
	tn_buf_append_str(&note, tn_buf_str(&edit->touched));
	tn_json_end_array(&note);
	if (edit->touched_count > named(edit))
		tn_json_put_member_int(&note, "count", (int64_t)edit->touched_count);
	tn_json_end_object(&note);
	text = note.failed ? NULL : tn_arena_copy(edit->arena, tn_buf_str(&note));
	tn_buf_finish(&note);
	return text;
}

static const char *label_of(struct tn_studio_edit *edit, const char *label)
{
	if (label && *label)
		return label;
	if (edit->steps != 1)
		(void)snprintf(edit->summary, sizeof(edit->summary), "%u changes", edit->steps);
	return edit->summary;
}

bool tn_studio_edit_finish(struct tn_studio_edit *edit, const char *label, bool dry_run,
			   struct tn_change *ret)
{
	struct tn_commit commit = {.actor = edit->actor ? edit->actor : "",
				   .label = label_of(edit, label),
				   .expected_revision = -1,
				   .who = edit->who,
				   .gesture = edit->gesture,
				   .of = edit->of,
				   .dry_run = dry_run};
	struct tenon_error err = {0};

	touch_joined(edit);
	commit.note = make_note(edit);
	if (!commit.note) {
		tn_studio_edit_abandon(edit);
		return tn_studio_edit_no_memory(edit);
	}
	/* Secrets first: one without its change is forgotten again, a change without its secret
	 * would be a promise that nobody keeps. */
	if (edit->project && !tn_studio_secrets_end(edit->project, !dry_run, edit->fault)) {
		edit->project = NULL;
		tn_studio_edit_abandon(edit);
		return false;
	}
	tn_buf_finish(&edit->touched);
	tn_map_finish(&edit->touched_ids);
	if (tn_oplog_end(edit->log, &commit, ret, &err) != TENON_OK)
		return tn_studio_fail_error(edit->fault, &err);
	return true;
}

/* ---- steps ---- */

bool tn_studio_edit_no_memory(struct tn_studio_edit *edit)
{
	return tn_studio_fail_memory(edit->fault);
}

bool tn_studio_edit_index(struct tn_studio_edit *edit)
{
	struct tenon_error err = {0};

	return tn_studio_document_index(edit->document, &err) == TENON_OK ||
	       tn_studio_fail_error(edit->fault, &err);
}

bool tn_studio_edit_step(struct tn_studio_edit *edit, const struct tn_json *operation)
{
	struct tenon_error err = {0};

	if (!operation)
		return tn_studio_edit_no_memory(edit);
	return tn_oplog_step(edit->log, operation, &err) == TENON_OK ||
	       tn_studio_fail_error(edit->fault, &err);
}

bool tn_studio_edit_apply(struct tn_studio_edit *edit, struct tn_str operation)
{
	struct tn_json *tree = NULL;
	struct tenon_error err = {0};

	if (tn_json_parse_copy(edit->arena, operation, &tree, &err) != TENON_OK)
		return tn_studio_fail_error(edit->fault, &err);
	return tn_studio_edit_step(edit, tree);
}

/* Many ids are cut: the note of a change is a hint, not a record. Their number is not. */
void tn_studio_edit_touch(struct tn_studio_edit *edit, struct tn_str node_id)
{
	struct tn_buf *touched = &edit->touched;
	uintptr_t number = edit->touched_count + 1;

	if (tn_map_get(&edit->touched_ids, node_id) ||
	    tn_map_put(&edit->touched_ids, node_id, (void *)number, NULL) != TENON_OK)
		return;
	edit->touched_count = number;
	if (touched->size + node_id.size + 3 <= TOUCHED_BYTES_MAX)
		tn_json_put_str(touched, node_id);
}

/* As if nothing had been touched since there were so many. */
static void touch_back(struct tn_studio_edit *edit, size_t size, size_t count)
{
	size_t cursor = 0;
	struct tn_str id;
	void *number;

	edit->touched.size = size;
	edit->touched_count = count;
	while (tn_map_next(&edit->touched_ids, &cursor, &id, &number)) {
		if ((uintptr_t)number > count)
			(void)tn_map_remove(&edit->touched_ids, id);
	}
}

void tn_studio_edit_say(struct tn_studio_edit *edit, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(edit->summary, sizeof(edit->summary), format, arguments);
	va_end(arguments);
	tn_utf8_one_line(edit->summary, strlen(edit->summary));
	edit->summary[tn_utf8_cut(tn_str_from(edit->summary), sizeof(edit->summary) - 1).size] =
		'\0';
}

bool tn_studio_edit_run(struct tn_studio_edit *edit, tn_studio_edit_fn *step,
			const struct tn_json *arguments, struct tn_buf *result)
{
	size_t mark = tn_oplog_steps(edit->log), size = result->size;
	size_t touched = edit->touched.size, touched_count = edit->touched_count;
	bool done = tn_studio_edit_index(edit) && step(edit, arguments, result);

	if (done && result->failed)
		done = tn_studio_fail(edit->fault, "LIMIT_EXCEEDED", "the answer is too large");
	if (done) {
		edit->steps++;
		return true;
	}
	tn_oplog_back_to(edit->log, mark);
	result->size = size;
	touch_back(edit, touched, touched_count);
	return false;
}

/* ---- finding ---- */

struct tn_str tn_studio_edit_text(const struct tn_json *object, const char *key)
{
	struct tn_str text = tn_str("", 0);

	(void)tn_json_to_str(tn_json_get(object, key), &text);
	return text;
}

const struct tn_json *tn_studio_edit_first(const struct tn_json *value)
{
	return value && (value->type == TN_JSON_ARRAY || value->type == TN_JSON_OBJECT)
		       ? value->first
		       : NULL;
}

struct tn_studio_node *tn_studio_edit_node(struct tn_studio_edit *edit,
					   const struct tn_json *arguments, const char *key)
{
	struct tn_str id = tn_studio_edit_text(arguments, key);
	struct tn_studio_node *node = tn_studio_node_find(edit->document, id);

	if (!node)
		(void)tn_studio_fail(edit->fault, "NOT_FOUND",
				     "there is no node '%.*s' (%s); list_resources has the ids",
				     (int)(id.size < 80 ? id.size : 80), id.data, key);
	return node;
}

struct tn_str tn_studio_keep(struct tn_studio_edit *edit, struct tn_str text)
{
	const char *copy = tn_arena_copy(edit->arena, text);

	return copy ? tn_str(copy, text.size) : tn_str(NULL, 0);
}

struct tn_str tn_studio_edit_new_id(struct tn_studio_edit *edit)
{
	uint64_t counter = edit->document->generation;
	char text[TN_STUDIO_UUID_SIZE];

	do {
		tn_studio_make_id(counter++, text);
	} while (tn_studio_node_find(edit->document, tn_str_from(text)) ||
		 tn_studio_edge_find(edit->document, tn_str_from(text)));
	return tn_studio_keep(edit, tn_str_from(text));
}

static bool has_code(const struct tn_studio_diagnostics *list, const char *code)
{
	const struct tn_studio_diagnostic *at = list->first;

	while (at && strcmp(at->code, code) != 0)
		at = at->next;
	return at != NULL;
}

bool tn_studio_edit_put_diagnostics(struct tn_studio_edit *edit, struct tn_str node_id,
				    bool renamed, struct tn_buf *result)
{
	const struct tn_studio_check_options options = {.deployed = edit->deployed,
							.status = edit->status};
	struct tn_studio_diagnostics list;
	const struct tn_studio_node *node;

	if (!tn_studio_edit_index(edit))
		return false;
	node = tn_studio_node_find(edit->document, node_id);
	tn_studio_diagnostics_init(&list, edit->arena);
	tn_studio_check_node(edit->document, node, &options, &list);
	/* The check says it itself when it knows the old address. */
	if (renamed && edit->deployed && edit->deployed(edit->status, node_id, NULL) &&
	    !has_code(&list, "ADDRESS_CHANGED"))
		(void)tn_studio_diagnose(&list, TN_STUDIO_WARNING, "ADDRESS_CHANGED", node,
					 "the resource is deployed under its old name: the next "
					 "apply destroys it and creates it anew");
	tn_json_put_key(result, "diagnostics");
	tn_studio_diagnostics_put(result, &list);
	return true;
}

/* ---- the actions ---- */
