/* Is a document what its schema says (C4), and what of it does nobody read? */
#include "apps/workbench/config/internal.h"
#include "apps/workbench/values/pointer.h"
#include "base/size.h"
#include "jsonrpc/schema.h"

/* ---- where a fault is ---- */

/* modules[3].id becomes /modules/3/id, overrides["ui.button"] becomes /overrides/ui.button. */
static void put_pointer(struct tn_buf *out, struct tn_str rest)
{
	while (rest.size) {
		size_t start = rest.data[0] == '.' || rest.data[0] == '[', end = start;

		if (rest.data[0] == '[' && rest.size > 1 && rest.data[1] == '"') {
			start = 2;
			end = tn_str_find(rest, TN_STR("\"]"));
		} else {
			while (end < rest.size && !strchr(".[]", rest.data[end]))
				end++;
		}
		if (end == TN_STR_NONE || end > rest.size)
			end = rest.size;
		tn_wb_pointer_push(out, tn_str(rest.data + start, end - start));
		while (end < rest.size && strchr("\"]", rest.data[end]))
			end++;
		rest = tn_str_from_offset(rest, end);
	}
}

static void tell_fault(const struct tn_schema_fault *fault, const char *file,
		       struct tn_wb_diagnostics *diagnostics)
{
	struct tn_buf pointer;

	tn_buf_init(&pointer, TN_KIB);
	put_pointer(&pointer, tn_str_from(fault->path));
	tn_buf_append_byte(&pointer, '\0');
	tn_wb_diagnose(diagnostics,
		       &(struct tn_wb_diagnostic){.severity = TN_WB_ERROR,
						  .code = "VALIDATION_ERROR",
						  .message = fault->message,
						  .file = file,
						  .pointer = pointer.failed ? NULL : pointer.data});
	tn_buf_finish(&pointer);
}

bool tn_wb_config_check(struct tn_str schema, const struct tn_json *json, const char *file,
			struct tn_wb_diagnostics *diagnostics)
{
	struct tn_schema_faults faults = {.root = "config"};
	struct tn_schema *compiled = NULL;
	struct tenon_error err;
	enum tenon_code code = tn_schema_compile_text(schema, &compiled, &err);

	if (code == TENON_OK)
		code = tn_schema_check(compiled, json, &faults);
	for (uint32_t i = 0; code != TENON_OK && i < faults.count; i++)
		tell_fault(&faults.items[i], file, diagnostics);
	tn_schema_free(compiled);
	return code == TENON_OK;
}

/* ---- members that nobody reads ---- */

static const struct {
	const char *section; /* "": the document itself */
	const char *members[10];
} known[] = {
	{"",
	 {"$schema", "schemaVersion", "modules", "preview", "components", "graph", "guardrails",
	  "ai"}},
	{"preview",
	 {"root", "mount", "entry", "styles", "decorators", "environment", "launcher",
	  "propDefaults"}},
	{"components", {"overrides", "infer"}},
	{"graph", {"include", "exclude", "routes"}},
	{"guardrails", {"readOnlyFiles", "allowSave", "mcpActuation", "lockedProps"}},
	{"ai", {"prompts"}},
};

static bool is_known(const char *const members[10], struct tn_str name)
{
	for (int i = 0; i < 10 && members[i]; i++)
		if (tn_str_is(name, members[i]))
			return true;
	return false;
}

static void tell_of(const struct tn_json *section, size_t which, const char *file,
		    struct tn_wb_diagnostics *diagnostics)
{
	const char *name = known[which].section;

	if (!tn_json_is(section, TN_JSON_OBJECT))
		return;
	for (const struct tn_json *at = section->first; at; at = at->next) {
		struct tn_wb_diagnostic of = {
			.severity = TN_WB_INFO, .code = "unknown_field", .file = file};
		struct tn_buf pointer;

		if (is_known(known[which].members, at->key))
			continue;
		tn_buf_init(&pointer, TN_KIB);
		if (*name)
			tn_wb_pointer_push(&pointer, tn_str_from(name));
		tn_wb_pointer_push(&pointer, at->key);
		tn_buf_append_byte(&pointer, '\0');
		of.pointer = pointer.failed ? NULL : pointer.data;
		tn_wb_diagnose_format(diagnostics, &of,
				      "%.*s means nothing here; it is passed over",
				      (int)(at->key.size < 100 ? at->key.size : 100), at->key.data);
		tn_buf_finish(&pointer);
	}
}

void tn_wb_config_tell_unknown(const struct tn_json *json, const char *file,
			       struct tn_wb_diagnostics *diagnostics)
{
	for (size_t i = 0; i < TN_COUNT(known); i++)
		tell_of(*known[i].section ? tn_json_get(json, known[i].section) : json, i, file,
			diagnostics);
}
