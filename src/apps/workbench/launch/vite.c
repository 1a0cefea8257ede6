#include "apps/workbench/launch/vite.h"

#include <limits.h>
#include <stdio.h>

#include "apps/workbench/limits.h"
#include "base/percent.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

/* ---- to it ---- */

static void put_given(struct tn_buf *out, const struct tn_wb_config *config, const char *member)
{
	const struct tn_json *value = tn_wb_config_get(config, "preview", member);

	if (!value)
		return;
	tn_json_put_key(out, member);
	tn_json_put_value(out, value);
}

/* What the page of one component passes: the values that forms begin with. */
static void put_props(struct tn_buf *out, const struct tn_wb_entry *entry)
{
	const struct tn_json *props = entry ? tn_json_get(entry->tree, "props") : NULL;

	tn_json_put_key(out, "props");
	tn_json_begin_object(out);
	for (const struct tn_json *at = props ? props->first : NULL; at; at = at->next) {
		const struct tn_json *value =
			tn_json_get(tn_json_get(at, "exposure"), "uiDefaultValue");

		if (!value)
			continue;
		tn_json_put_key_str(out, at->key);
		tn_json_put_value(out, value);
	}
	tn_json_end_object(out);
}

static void put_hints(struct tn_buf *out, const struct tn_wb_registry *registry)
{
	size_t count = 0;
	const struct tn_wb_hint *hints = tn_wb_registry_hints(registry, &count);

	tn_json_put_key(out, "hints");
	tn_json_begin_array(out);
	for (size_t i = 0; i < count; i++) {
		bool file = hints[i].kind == TN_WB_HINT_FILE;

		tn_json_begin_object(out);
		tn_json_put_member_str(out, "typeId", hints[i].type_id);
		tn_json_put_member_text(out, "kind", file ? "file" : "package");
		tn_json_put_member_str(out, file ? "filePath" : "specifier", hints[i].target);
		tn_json_put_member_str(out, "exportName", hints[i].export_name);
		put_props(out, tn_wb_registry_find(registry, hints[i].type_id));
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_inputs(struct tn_buf *out, const struct tn_wb_vite *vite, bool hints)
{
	const struct tn_json *options = vite->options;
	const struct tn_json *file;

	if (!options)
		options = tn_json_get(tn_wb_config_get(vite->config, "preview", "launcher"),
				      "options");
	file = tn_json_get(options, "configFile");
	tn_json_put_member_text(out, "root", vite->folder);
	tn_json_put_member_text(out, "workspaceRoot", vite->root);
	if (tn_json_is(file, TN_JSON_STRING))
		tn_json_put_member_str(out, "configFile", file->text);
	put_given(out, vite->config, "mount");
	put_given(out, vite->config, "entry");
	put_given(out, vite->config, "styles");
	put_given(out, vite->config, "decorators");
	if (hints)
		put_hints(out, vite->registry);
	tn_json_put_member_text(out, "host", "127.0.0.1");
}

static void put_page_members(struct tn_buf *out, const struct tn_wb_vite_page *page)
{
	if (page->component.size)
		tn_json_put_member_str(out, "componentTypeId", page->component);
	tn_json_put_member_text(out, "sessionId", page->session_id);
	tn_json_put_member_text(out, "sessionKey", page->key);
	tn_json_put_member_text(out, "channelUrl", page->channel);
}

void tn_wb_vite_put_start(struct tn_buf *out, const struct tn_wb_vite *vite)
{
	tn_json_begin_object(out);
	put_inputs(out, vite, true);
	tn_json_put_member_text(out, "adapterUrl", vite->adapter);
	put_page_members(out, vite->page);
	tn_json_end_object(out);
}

void tn_wb_vite_put_page(struct tn_buf *out, const struct tn_wb_vite_page *page)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "type", "page");
	put_page_members(out, page);
	tn_json_end_object(out);
}

void tn_wb_vite_put_leave(struct tn_buf *out, struct tn_str component)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "type", "leave");
	if (component.size)
		tn_json_put_member_str(out, "componentTypeId", component);
	tn_json_end_object(out);
}

void tn_wb_vite_put_written(struct tn_buf *out, const char *root, const struct tn_json *files)
{
	char path[PATH_MAX];

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "type", "written");
	tn_json_put_key(out, "files");
	tn_json_begin_array(out);
	for (const struct tn_json *at = files ? files->first : NULL; at; at = at->next) {
		struct tn_str file = {0};

		if (!tn_json_to_str(tn_json_get(at, "filePath"), &file))
			continue;
		(void)snprintf(path, sizeof(path), "%s/%.*s", root, (int)file.size, file.data);
		tn_json_put_text(out, path);
	}
	tn_json_end_array(out);
	tn_json_end_object(out);
}

uint64_t tn_wb_vite_inputs(const struct tn_wb_vite *vite)
{
	struct tn_buf text;
	uint64_t hash;

	tn_buf_init(&text, TN_WB_INPUT_BYTES_MAX);
	put_inputs(&text, vite, false);
	hash = tn_str_hash(tn_buf_str(&text), 0);
	tn_buf_finish(&text);
	return hash;
}

uint64_t tn_wb_vite_hints(const struct tn_wb_registry *registry)
{
	struct tn_buf text;
	uint64_t hash;

	tn_buf_init(&text, TN_WB_INPUT_BYTES_MAX);
	put_hints(&text, registry);
	hash = tn_str_hash(tn_buf_str(&text), 0);
	tn_buf_finish(&text);
	return hash;
}

void tn_wb_vite_put_hints(struct tn_buf *out, const struct tn_wb_registry *registry)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "type", "hints");
	put_hints(out, registry);
	tn_json_end_object(out);
}

/* ---- packages ---- */

/* "@scope/kit/Button": "@scope/kit". */
static struct tn_str package_of(struct tn_str specifier)
{
	size_t at = tn_str_find_byte(specifier, '/');

	if (specifier.size && specifier.data[0] == '@' && at != TN_STR_NONE) {
		size_t next = tn_str_find_byte(tn_str_from_offset(specifier, at + 1), '/');

		at = next == TN_STR_NONE ? TN_STR_NONE : at + 1 + next;
	}
	return tn_str(specifier.data, at == TN_STR_NONE ? specifier.size : at);
}

static bool has_line(struct tn_str text, struct tn_str line)
{
	size_t at;

	while ((at = tn_str_find(text, line)) != TN_STR_NONE) {
		if (at && text.data[at - 1] == '\n' && at + line.size < text.size &&
		    text.data[at + line.size] == '\n')
			return true;
		text = tn_str_from_offset(text, at + 1);
	}
	return false;
}

void tn_wb_vite_put_packages(struct tn_buf *out, const struct tn_wb_registry *registry)
{
	size_t count = 0;
	const struct tn_wb_hint *hints = tn_wb_registry_hints(registry, &count);

	tn_buf_append_byte(out, '\n');
	for (size_t i = 0; i < count; i++) {
		struct tn_str name = package_of(hints[i].target);

		if (hints[i].kind == TN_WB_HINT_FILE || has_line(tn_buf_str(out), name))
			continue;
		tn_buf_append_str(out, name);
		tn_buf_append_byte(out, '\n');
	}
}

bool tn_wb_vite_packages_suffice(struct tn_str before, struct tn_str now)
{
	while (now.size > 1) {
		struct tn_str rest = tn_str_from_offset(now, 1);
		struct tn_str name = tn_str(rest.data, tn_str_find_byte(rest, '\n'));

		if (!has_line(before, name))
			return false;
		now = tn_str_from_offset(rest, name.size);
	}
	return true;
}

void tn_wb_vite_put_path(struct tn_buf *out, struct tn_str component)
{
	tn_buf_append_byte(out, '/');
	if (!component.size)
		return;
	tn_buf_append_text(out, "__skaffa/component?type=");
	tn_percent_put(out, component, "");
}

/* ---- from it ---- */

static struct tn_str text_of(const struct tn_json *object, const char *name)
{
	struct tn_str text = {"", 0};

	(void)tn_json_to_str(tn_json_get(object, name), &text);
	return text;
}

static enum tn_wb_vite_kind kind_of(struct tn_str type)
{
	static const char *const names[] = {
		[TN_WB_VITE_READY] = "ready",
		[TN_WB_VITE_LOG] = "log",
		[TN_WB_VITE_INSTRUMENTED] = "instrumented",
		[TN_WB_VITE_SKIPPED] = "skipped",
		[TN_WB_VITE_GONE] = "gone",
		[TN_WB_VITE_ERROR] = "error",
	};

	for (size_t i = TN_WB_VITE_READY; i < TN_COUNT(names); i++)
		if (tn_str_is(type, names[i]))
			return (enum tn_wb_vite_kind)i;
	return TN_WB_VITE_OTHER;
}

bool tn_wb_vite_read(struct tn_arena *arena, struct tn_str line, struct tn_wb_vite_word *ret)
{
	struct tn_json *json = NULL;
	struct tenon_error err;

	if (!line.size || line.data[0] != '{' ||
	    tn_json_parse_copy(arena, line, &json, &err) != TENON_OK || !text_of(json, "type").size)
		return false;
	*ret = (struct tn_wb_vite_word){
		.kind = kind_of(text_of(json, "type")),
		.url = text_of(json, "url"),
		.level = text_of(json, "level"),
		.message = text_of(json, "message"),
		.code = text_of(json, "code"),
		.type_id = text_of(json, "typeId"),
		.target = text_of(json, "target"),
		.export_name = text_of(json, "exportName"),
		.reason = text_of(json, "reason"),
	};
	return true;
}
