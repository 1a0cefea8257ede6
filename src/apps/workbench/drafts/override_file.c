#include "apps/workbench/drafts/override_file.h"

#include <stdio.h>

#include "apps/workbench/drafts/json_text.h"
#include "apps/workbench/values/id.h"
#include "apps/workbench/values/prop_path.h"
#include "apps/workbench/values/strict_json.h"
#include "base/clock.h"
#include "jsonrpc/json_pointer.h"
#include "jsonrpc/json_write.h"

/* ---- writing ---- */

/* Texts that are kept compactly are read again to be written on lines. */
static void put_json_member(struct tn_buf *out, struct tn_arena *arena, const char *key,
			    struct tn_str json)
{
	struct tn_json *value = NULL;

	if (tn_json_parse_copy(arena, json, &value, NULL) != TENON_OK) {
		out->failed = true;
		out->starved = out->starved || arena->starved;
		return;
	}
	tn_buf_format(out, ",\n        \"%s\": ", key);
	tn_wb_json_put_pretty(out, value, 4);
}

static void put_entry(struct tn_buf *out, struct tn_arena *arena, const struct tn_wb_draft *draft)
{
	tn_buf_append_text(out, "      {\n        \"instanceId\": ");
	tn_wb_json_put_pretty_string(out, draft->address.instance_id);
	tn_buf_append_text(out, ",\n        \"path\": ");
	tn_wb_json_put_pretty_string(out, draft->address.path);
	put_json_member(out, arena, "value", draft->value);
	if (draft->type_id.size) {
		tn_buf_append_text(out, ",\n        \"componentTypeId\": ");
		tn_wb_json_put_pretty_string(out, draft->type_id);
	}
	if (draft->locator.size)
		put_json_member(out, arena, "instanceLocator", draft->locator);
	tn_buf_append_text(out, "\n      }");
}

static void put_group(struct tn_buf *out, const struct tn_wb_document *document,
		      enum tn_wb_group group)
{
	size_t first, count = tn_wb_document_group(document, group, &first);
	struct tn_arena arena;

	if (!count)
		return;
	tn_buf_format(out, ",\n  \"%s\": {\n    \"overrides\": [", tn_wb_group_name(group));
	tn_arena_init(&arena, TN_WB_OVERRIDES_ARENA_MAX);
	for (size_t i = 0; i < count && !out->failed; i++) {
		tn_buf_append_text(out, i ? ",\n" : "\n");
		put_entry(out, &arena, document->slots[first + i].draft);
		tn_arena_reset(&arena);
	}
	tn_arena_finish(&arena);
	tn_buf_append_text(out, "\n    ]\n  }");
}

void tn_wb_override_file_put(struct tn_buf *out, const struct tn_wb_document *document,
			     const char *updated_at)
{
	tn_buf_append_text(out, "{\n  \"schemaVersion\": \"v0\",\n  \"updatedAt\": ");
	tn_wb_json_put_pretty_string(out, tn_str_from(updated_at));
	for (size_t i = 0; i < TN_WB_GROUPS; i++)
		put_group(out, document, (enum tn_wb_group)i);
	tn_buf_append_text(out, "\n}\n");
}

void tn_wb_override_file_put_compact(struct tn_buf *out, const struct tn_wb_document *document,
				     const char *updated_at)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "schemaVersion", "v0");
	tn_json_put_member_text(out, "updatedAt", updated_at);
	for (size_t i = 0; i < TN_WB_GROUPS; i++) {
		size_t first, count = tn_wb_document_group(document, (enum tn_wb_group)i, &first);

		if (!count)
			continue;
		tn_json_put_key(out, tn_wb_group_name((enum tn_wb_group)i));
		tn_json_begin_object(out);
		tn_json_put_key(out, "overrides");
		tn_json_begin_array(out);
		for (size_t j = 0; j < count; j++) {
			tn_json_begin_object(out);
			tn_wb_draft_put_members(out, document->slots[first + j].draft);
			tn_json_end_object(out);
		}
		tn_json_end_array(out);
		tn_json_end_object(out);
	}
	tn_json_end_object(out);
}

/* ---- reading ---- */

struct reading {
	struct tn_wb_document *document;
	struct tn_wb_diagnostics *diagnostics;
	struct tn_buf pointer;
	enum tenon_code code;
	struct tenon_error *err;
	size_t invalid;
	bool said_unknown;
};

static void say(struct reading *r, enum tn_wb_severity severity, const char *code,
		const char *message)
{
	char pointer[TN_WB_TEXT_BYTES_MAX];

	(void)snprintf(pointer, sizeof(pointer), "%.*s", (int)r->pointer.size,
		       r->pointer.size ? r->pointer.data : "");
	tn_wb_diagnose(r->diagnostics, &(struct tn_wb_diagnostic){.severity = severity,
								  .code = code,
								  .message = message,
								  .file = TN_WB_OVERRIDE_PATH,
								  .pointer = pointer});
	r->invalid += severity == TN_WB_ERROR;
}

static const char *entry_fault(const struct tn_json *entry, struct tn_wb_draft_parts *ret)
{
	const struct tn_json *type_id = tn_json_get(entry, "componentTypeId");
	struct tn_wb_prop_path path;

	if (!tn_json_is(entry, TN_JSON_OBJECT))
		return "an override is an object";
	if (!tn_json_to_str(tn_json_get(entry, "instanceId"), &ret->address.instance_id) ||
	    !tn_wb_instance_id_is_valid(ret->address.instance_id))
		return "\"instanceId\" is a string of 1 to 200 bytes";
	if (!tn_json_to_str(tn_json_get(entry, "path"), &ret->address.path) ||
	    tn_wb_prop_path_read(&path, ret->address.path) != TN_WB_PATH_GOOD)
		return "\"path\" is a JSON Pointer that begins with the prop's name";
	if (type_id &&
	    (!tn_json_to_str(type_id, &ret->type_id) || !tn_wb_type_id_is_valid(ret->type_id)))
		return "\"componentTypeId\" is a string of 1 to 200 bytes";
	ret->value = tn_json_get(entry, "value");
	ret->locator = tn_json_get(entry, "instanceLocator");
	if (!ret->value)
		return "\"value\" is missing";
	if (!tn_wb_json_is_finite(ret->value))
		return "\"value\" has a number that is too large";
	if (tn_wb_json_depth(ret->value) > TN_WB_VALUE_DEPTH_MAX)
		return "\"value\" is nested too deep";
	return !ret->locator || tn_wb_locator_is_valid(ret->locator)
		       ? NULL
		       : "\"instanceLocator\" has at most 16 KiB and 32 levels, and no number that "
			 "is too large";
}

static bool is_named(struct tn_str key, const char *const *names)
{
	for (; *names; names++) {
		if (tn_str_is(key, *names))
			return true;
	}
	return false;
}

/* Section 5: fields that we do not know are told once. */
static void say_unknown(struct reading *r, const struct tn_json *object, const char *const *names)
{
	for (const struct tn_json *at = object->first; at && !r->said_unknown; at = at->next) {
		size_t mark = r->pointer.size;

		if (is_named(at->key, names))
			continue;
		tn_json_pointer_push(&r->pointer, at->key);
		say(r, TN_WB_INFO, "unknown_field",
		    "the field is not known and is not kept when the file is written");
		r->pointer.size = mark;
		r->said_unknown = true;
	}
}

static void add_draft(struct reading *r, const struct tn_wb_draft_parts *parts)
{
	struct tn_wb_draft *draft = NULL;

	r->code = tn_wb_draft_make(parts, &draft, r->err);
	if (r->code == TENON_OK && draft->value.size > TN_WB_VALUE_BYTES_MAX)
		say(r, TN_WB_ERROR, "override_invalid", "\"value\" has more than 64 KiB");
	else if (r->code == TENON_OK && tn_wb_document_find(r->document, &draft->address))
		say(r, TN_WB_WARNING, "duplicate_override",
		    "the same instance and path stand in the file before; the last one counts");
	if (r->code == TENON_OK)
		r->code = tn_wb_document_put(r->document, draft, r->err);
	tn_wb_draft_unref(draft);
}

static void read_entry(struct reading *r, const struct tn_json *entry, enum tn_wb_group group)
{
	static const char *const names[] = {"instanceId",      "path", "value", "componentTypeId",
					    "instanceLocator", NULL};
	struct tn_wb_draft_parts parts = {.address = {.group = group}};
	const char *fault = entry_fault(entry, &parts);

	if (fault) {
		say(r, TN_WB_ERROR, "override_invalid", fault);
		return;
	}
	say_unknown(r, entry, names);
	add_draft(r, &parts);
}

static void read_group(struct reading *r, const struct tn_json *root, enum tn_wb_group group)
{
	static const char *const names[] = {"overrides", NULL};
	const struct tn_json *object = tn_json_get(root, tn_wb_group_name(group));
	const struct tn_json *list = tn_json_get(object, "overrides");
	size_t mark = r->pointer.size, index = 0;

	if (!object)
		return;
	tn_json_pointer_push(&r->pointer, tn_str_from(tn_wb_group_name(group)));
	if (tn_json_is(list, TN_JSON_ARRAY)) {
		say_unknown(r, object, names);
		tn_json_pointer_push(&r->pointer, TN_STR("overrides"));
	} else {
		say(r, TN_WB_ERROR, "override_invalid",
		    "a group is an object with \"overrides\", an array");
		list = NULL;
	}
	for (const struct tn_json *at = list ? list->first : NULL; at && r->code == TENON_OK;
	     at = at->next) {
		size_t inner = r->pointer.size;

		tn_json_pointer_push_index(&r->pointer, index++);
		read_entry(r, at, group);
		r->pointer.size = inner;
	}
	r->pointer.size = mark;
}

static void read_root(struct reading *r, const struct tn_json *root, char *updated_at)
{
	static const char *const names[] = {"schemaVersion", "updatedAt", "app", "component", NULL};
	const struct tn_json *version = tn_json_get(root, "schemaVersion");
	struct tn_str time = {NULL, 0};

	if (!tn_json_is(root, TN_JSON_OBJECT)) {
		say(r, TN_WB_ERROR, "VALIDATION_ERROR", "the file must hold an object");
		return;
	}
	if (!tn_json_is(version, TN_JSON_STRING) || !tn_str_is(version->text, "v0")) {
		say(r, TN_WB_ERROR, "VALIDATION_ERROR", "\"schemaVersion\" must be \"v0\"");
		return;
	}
	if (tn_json_to_str(tn_json_get(root, "updatedAt"), &time) && time.size < TN_CLOCK_ISO_SIZE)
		(void)snprintf(updated_at, TN_CLOCK_ISO_SIZE, "%.*s", (int)time.size, time.data);
	say_unknown(r, root, names);
	for (size_t i = 0; i < TN_WB_GROUPS; i++)
		read_group(r, root, (enum tn_wb_group)i);
}

enum tenon_code tn_wb_override_file_read(struct tn_wb_document *document, struct tn_str text,
					 char *updated_at, struct tn_wb_diagnostics *diagnostics,
					 struct tenon_error *err)
{
	struct reading r = {.document = document, .diagnostics = diagnostics, .err = err};
	struct tenon_error why = {0};
	struct tn_json *root = NULL;
	struct tn_arena arena;

	updated_at[0] = '\0';
	tn_arena_init(&arena, TN_WB_OVERRIDES_ARENA_MAX);
	tn_buf_init(&r.pointer, 64 * TN_MIB);
	r.err = &why;
	r.code = tn_wb_json_read(&arena, text, &root, &why);
	if (r.code == TENON_OK)
		read_root(&r, root, updated_at);
	if (r.code != TENON_OK)
		say(&r, TN_WB_ERROR, r.code == TENON_INVALID ? "INVALID_SYNTAX" : "limit_exceeded",
		    why.message);
	tn_buf_finish(&r.pointer);
	tn_arena_finish(&arena);
	if (r.code == TENON_OK && r.invalid)
		return tn_fail(err, TENON_INVALID, "the file has %zu faults; nothing of it is used",
			       r.invalid);
	return r.code == TENON_OK ? TENON_OK : tn_fail(err, r.code, "%.200s", why.message);
}
