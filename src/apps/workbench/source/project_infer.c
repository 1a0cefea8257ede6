/* Entries that nobody wrote: of exported components, with props as far as their file says them. */
#include <stdio.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/source/project_parts.h"
#include "jsonrpc/json_write.h"

struct making {
	struct tn_wb_links *links;
	const struct tn_wb_source_scan *what;
	struct tn_buf *out;
	struct tn_wb_diagnostics *diagnostics;
	uint8_t *made; /* by node: it has an entry */
};

/* ---- props ---- */

static void put_options(struct tn_buf *out, const struct tn_wb_source_prop *prop)
{
	tn_json_put_key(out, "options");
	tn_json_begin_array(out);
	for (uint32_t i = 0; i < prop->option_count; i++) {
		struct tn_str value = prop->options[i];
		char label[TN_WB_TEXT_BYTES_MAX];

		memcpy(label, value.data, value.size);
		if (value.size && label[0] >= 'a' && label[0] <= 'z')
			label[0] = (char)(label[0] - 'a' + 'A');
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "value", value);
		tn_json_put_member_str(out, "label", tn_str(label, value.size));
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_control(struct tn_buf *out, const struct tn_wb_source_prop *prop)
{
	static const char *const kinds[] = {
		[TN_WB_PROP_STRING] = "string",   [TN_WB_PROP_NUMBER] = "number",
		[TN_WB_PROP_BOOLEAN] = "boolean", [TN_WB_PROP_SELECT] = "select",
		[TN_WB_PROP_SLOT] = "slot",
	};

	tn_json_put_key(out, "control");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "kind", kinds[prop->kind]);
	if (prop->kind == TN_WB_PROP_SELECT)
		put_options(out, prop);
	if (prop->kind == TN_WB_PROP_SLOT) {
		tn_json_put_member_str(out, "slotName", prop->name);
		tn_json_put_member_bool(out, "editable", false);
	}
	tn_json_end_object(out);
}

static void put_editable(struct tn_buf *out, const struct tn_wb_source_prop *prop)
{
	bool is_text = prop->kind == TN_WB_PROP_STRING || prop->kind == TN_WB_PROP_SELECT;

	tn_json_put_member_text(out, "kind", "editable");
	put_control(out, prop);
	if (prop->kind == TN_WB_PROP_STRING && prop->is_required)
		tn_json_put_member_raw(out, "constraints", TN_STR("{\"required\":true}"));
	if (prop->has_standard && is_text)
		tn_json_put_member_str(out, "uiDefaultValue", prop->standard);
	else if (prop->has_standard)
		tn_json_put_member_raw(out, "uiDefaultValue", prop->standard);
}

static void put_prop(struct tn_buf *out, const struct tn_wb_source_prop *prop)
{
	tn_json_put_key_str(out, prop->name);
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "propName", prop->name);
	tn_json_put_key(out, "exposure");
	tn_json_begin_object(out);
	switch (prop->kind) {
	case TN_WB_PROP_OPAQUE:
		tn_json_put_member_text(out, "kind", "opaque");
		tn_json_put_member_text(out, "reason", "type not resolved");
		break;
	case TN_WB_PROP_CODE:
	case TN_WB_PROP_JSON:
		tn_json_put_member_text(out, "kind", "inspectOnly");
		tn_json_put_member_text(out, "displayHint",
					prop->kind == TN_WB_PROP_CODE ? "code" : "json");
		break;
	default:
		put_editable(out, prop);
	}
	tn_json_end_object(out);
	tn_json_end_object(out);
}

/* ---- entries ---- */

/* "src/components/Note.tsx": "Note". */
static struct tn_str stem_of(struct tn_str path)
{
	size_t start = path.size, end = path.size;

	while (start > 0 && path.data[start - 1] != '/')
		start--;
	while (end > start && path.data[end - 1] != '.')
		end--;
	return tn_str(path.data + start, (end > start ? end - 1 : path.size) - start);
}

static bool is_capital(struct tn_str name)
{
	return name.size > 0 && name.data[0] >= 'A' && name.data[0] <= 'Z';
}

/* "auto.src.components.Note.Note"; false: too long. */
static bool type_id_of(struct tn_str path, struct tn_str name, char ret[TN_WB_ID_BYTES_MAX + 1])
{
	struct tn_str stem = stem_of(path);
	int folder = (int)(stem.data - path.data);
	int size = snprintf(ret, TN_WB_ID_BYTES_MAX + 1, "auto.%.*s%.*s.%.*s", folder, path.data,
			    (int)stem.size, stem.data, (int)name.size, name.data);

	for (int i = 5; i < 5 + folder && i < TN_WB_ID_BYTES_MAX; i++)
		if (ret[i] == '/')
			ret[i] = '.';
	return size > 0 && size <= TN_WB_ID_BYTES_MAX;
}

static void put_entry(struct making *making, const struct tn_wb_file *file,
		      const struct tn_wb_unit *unit, struct tn_str name, struct tn_str shown)
{
	char id[TN_WB_ID_BYTES_MAX + 1];
	struct tn_buf *out = making->out;

	if (!type_id_of(tn_str_from(file->path), name, id)) {
		tn_wb_diagnose_format(making->diagnostics,
				      &(struct tn_wb_diagnostic){.severity = TN_WB_INFO,
								 .code = "inferred_id_too_long",
								 .file = file->path,
								 .line = unit->at.line},
				      "%.*s is not inferred: its id would have more than %d bytes",
				      (int)name.size, name.data, TN_WB_ID_BYTES_MAX);
		return;
	}
	tn_json_put_key_str(out, tn_str_from(id));
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "typeId", id);
	tn_json_put_member_str(out, "displayName", shown);
	tn_json_put_member_raw(out, "tags", TN_STR("[\"inferred\"]"));
	tn_json_put_key(out, "props");
	tn_json_begin_object(out);
	for (uint32_t i = 0; i < unit->prop_count; i++)
		put_prop(out, &file->module.props[unit->prop_first + i]);
	tn_json_end_object(out);
	tn_json_put_key(out, "implementation");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "kind", "file");
	tn_json_put_member_text(out, "filePath", file->path);
	tn_json_put_member_str(out, "exportName", name);
	tn_json_end_object(out);
	tn_json_end_object(out);
}

static void infer_export(struct making *making, const struct tn_wb_file *file,
			 const struct tn_wb_export *export)
{
	bool is_default = tn_str_is(export->name, "default");
	uint32_t number = export->specifier.size ? TN_WB_NONE
						 : tn_wb_module_unit(&file->module, export->local);
	const struct tn_wb_unit *unit;
	struct tn_str shown = export->name;
	uint32_t node;

	if (number == TN_WB_NONE)
		return; /* another file's, or no declaration */
	unit = &file->module.units[number];
	node = making->links->first_node[file->index] + number;
	if (is_default && !tn_str_is(unit->name, TN_WB_DEFAULT_UNIT))
		shown = unit->name;
	else if (is_default)
		shown = unit->shown.size ? unit->shown : stem_of(tn_str_from(file->path));
	if (!unit->is_component || !is_capital(shown) || making->made[node] ||
	    making->links->type_of[node] != TN_WB_NONE)
		return;
	making->made[node] = 1;
	put_entry(making, file, unit, export->name, shown);
}

static void infer_file(struct making *making, const struct tn_wb_file *file)
{
	if (making->what->infer && !tn_wb_globs_match(making->what->infer, tn_str_from(file->path)))
		return;
	/* What is exported by name as well goes by that. */
	for (int by_default = 0; by_default < 2; by_default++)
		for (uint32_t i = 0; i < file->module.export_count; i++)
			if (tn_str_is(file->module.exports[i].name, "default") == (by_default == 1))
				infer_export(making, file, &file->module.exports[i]);
}

enum tenon_code tn_wb_infer(struct tn_wb_links *links, const struct tn_wb_source_scan *what,
			    struct tn_buf *out, struct tn_wb_diagnostics *diagnostics,
			    struct tenon_error *err)
{
	struct making making = {
		.links = links, .what = what, .out = out, .diagnostics = diagnostics};

	making.made = tn_arena_alloc(&links->arena, links->node_count + 1);
	if (!making.made)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "schemaVersion", "v0");
	tn_json_put_key(out, "components");
	tn_json_begin_object(out);
	for (size_t i = 0; i < links->files->count; i++)
		if (links->files->list[i]->is_included)
			infer_file(&making, links->files->list[i]);
	tn_json_end_object(out);
	tn_json_end_object(out);
	return TENON_OK;
}
