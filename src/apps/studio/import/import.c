/* import.c - from files to nodes, and what is told of it (import.h). */
#include <stdio.h>

#include "apps/studio/document/document.h"
#include "apps/studio/import/internal.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

enum { LISTED_MAX = 1000, TEXT_BYTES_MAX = 1024 };

/* ---- the answer ---- */

static bool is_secret_value(const struct tn_import_note *note)
{
	return tn_str_find(note->attribute, TN_STR("password")) != TN_STR_NONE ||
	       tn_str_find(note->attribute, TN_STR("secret")) != TN_STR_NONE ||
	       tn_str_find(note->attribute, TN_STR("token")) != TN_STR_NONE ||
	       tn_str_find(note->attribute, TN_STR("key")) != TN_STR_NONE;
}

static void put_note(struct tn_buf *out, const struct tn_import_note *note)
{
	tn_json_begin_object(out);
	if (note->file)
		tn_json_put_member_str(out, "file", note->file->name);
	if (note->line)
		tn_json_put_member_int(out, "line", note->line);
	tn_json_put_member_str(out, "attribute", note->attribute);
	tn_json_put_member_str(out, "text",
			       is_secret_value(note) ? TN_STR("[redacted]")
						     : tn_utf8_cut(note->text, TEXT_BYTES_MAX));
	tn_json_put_member_text(out, "reason", note->why);
	tn_json_end_object(out);
}

static void put_node(struct tn_buf *out, const struct tn_import_node *node)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "instanceId", node->id);
	tn_json_put_member_str(out, "typeId", node->type->id);
	tn_json_put_member_str(out, "terraformName", node->name);
	if (node->primary)
		tn_json_put_member_str(out, "address", node->primary->address);
	if (node->exists)
		tn_json_put_member_bool(out, "existing", true);
}

static void put_nodes(const struct tn_import *import, struct tn_buf *out)
{
	unsigned listed = 0;

	tn_json_put_key(out, "mapped");
	tn_json_begin_array(out);
	for (const struct tn_import_node *node = import->nodes; node; node = node->next) {
		if (node->gone || node->notes)
			continue;
		put_node(out, node);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
	tn_json_put_key(out, "partial");
	tn_json_begin_array(out);
	for (const struct tn_import_node *node = import->nodes; node; node = node->next) {
		if (node->gone || !node->notes)
			continue;
		put_node(out, node);
		tn_json_put_key(out, "notUnderstood");
		tn_json_begin_array(out);
		for (const struct tn_import_note *note = node->notes; note && listed < LISTED_MAX;
		     note = note->next, listed++)
			put_note(out, note);
		tn_json_end_array(out);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_foreign(const struct tn_import *import, struct tn_buf *out)
{
	tn_json_put_key(out, "foreign");
	tn_json_begin_array(out);
	for (const struct tn_import_foreign *one = import->foreign; one; one = one->next) {
		tn_json_begin_object(out);
		if (one->id[0])
			tn_json_put_member_text(out, "instanceId", one->id);
		tn_json_put_member_str(out, "kind", one->kind);
		if (one->type.size)
			tn_json_put_member_str(out, "type", one->type);
		tn_json_put_member_str(out, "name", one->name);
		if (one->file)
			tn_json_put_member_str(out, "file", one->file->name);
		if (one->line)
			tn_json_put_member_int(out, "line", one->line);
		tn_json_put_member_text(out, "reason", one->why);
		tn_json_put_member_bool(out, "kept", one->id[0] != '\0');
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_rest(const struct tn_import *import, struct tn_buf *out)
{
	unsigned count = 0;

	tn_json_put_key(out, "renamed");
	tn_json_begin_array(out);
	for (const struct tn_import_rename *one = import->renames; one; one = one->next) {
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "from", one->from);
		tn_json_put_member_str(out, "to", one->to);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
	tn_json_put_key(out, "lost");
	tn_json_begin_array(out);
	for (const struct tn_import_note *note = import->lost; note; note = note->next)
		put_note(out, note);
	tn_json_end_array(out);
	tn_json_put_key(out, "faults");
	tn_json_begin_array(out);
	for (const struct tn_import_fault *one = import->reading.faults; one && count < LISTED_MAX;
	     one = one->next, count++) {
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "file", one->file->name);
		tn_json_put_member_int(out, "line", one->range.line);
		tn_json_put_member_int(out, "column", one->range.column);
		tn_json_put_member_text(out, "message", one->message);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

/* ---- the road ---- */

static bool read(struct tn_import *import)
{
	const struct tn_studio_import_options *options = import->options;
	struct tn_studio_fault *fault = import->edit->fault;

	if (!import->state)
		return tn_import_read_config(&import->reading, options->files, options->file_count,
					     fault);
	if (options->file_count != 1)
		return tn_studio_fail(fault, "INVALID_INPUT",
				      "a state or a plan is one file of JSON");
	return tn_import_read_state(&import->reading, &options->files[0],
				    options->source == TN_STUDIO_FROM_PLAN, fault);
}

static bool run(struct tn_import *import, struct tn_buf *result)
{
	const struct tn_studio_document *document = import->edit->document;

	if (!read(import))
		return false;
	import->old_count = document->node_count;
	import->was_empty = document->node_count == 0;
	tn_import_find_tags(import);
	tn_import_nodes(import);
	tn_import_others(import);
	tn_import_foreigners(import);
	if (!tn_import_make(import) || !tn_import_place(import))
		return false;
	put_nodes(import, result);
	put_foreign(import, result);
	put_rest(import, result);
	if (!tn_import_compare(import, result))
		return false;
	import->edit->steps++;
	(void)snprintf(import->edit->summary, sizeof(import->edit->summary), "Import %s",
		       import->state ? "a state" : "configuration");
	return true;
}

bool tn_studio_import(struct tn_studio_edit *edit, const struct tn_studio_import_options *options,
		      struct tn_buf *result)
{
	struct tn_import import = {.arena = edit->arena,
				   .edit = edit,
				   .options = options,
				   .registry = edit->document->registry,
				   .into = options->into,
				   .dry_run = options->dry_run,
				   .state = options->source != TN_STUDIO_FROM_CONFIG};
	bool good;

	if (options->into.size && !tn_studio_node_find(edit->document, options->into))
		return tn_studio_fail(edit->fault, "NOT_FOUND", "there is no resource '%.*s'",
				      (int)options->into.size, options->into.data);
	tn_map_init(&import.types);
	tn_map_init(&import.names);
	tn_map_init(&import.owns);
	tn_map_init(&import.there);
	tn_import_reading_init(&import.reading, edit->arena);
	good = run(&import, result);
	tn_import_reading_finish(&import.reading);
	tn_map_finish(&import.types);
	tn_map_finish(&import.names);
	tn_map_finish(&import.owns);
	tn_map_finish(&import.there);
	return good;
}
