/* Is a document what its schema says (C4), and what of it does nobody read? */
#include "apps/workbench/config/internal.h"
#include "base/size.h"
#include "jsonrpc/json_pointer.h"
#include "jsonrpc/schema.h"

/* ---- faults ---- */

/* What the schema calls the document itself. */
static const char document[] = "config";

static void tell_fault(const struct tn_schema_fault *fault, const char *file,
		       struct tn_wb_diagnostics *diagnostics)
{
	struct tn_buf pointer;
	bool known;

	tn_buf_init(&pointer, TN_KIB);
	known = tn_schema_put_pointer(&pointer, fault->path, document);
	tn_buf_append_byte(&pointer, '\0');
	tn_wb_diagnose(diagnostics,
		       &(struct tn_wb_diagnostic){.severity = TN_WB_ERROR,
						  .code = "VALIDATION_ERROR",
						  .message = fault->message,
						  .file = file,
						  .pointer = known && !pointer.failed ? pointer.data
										      : NULL});
	tn_buf_finish(&pointer);
}

bool tn_wb_config_check(struct tn_str schema, const struct tn_json *json, const char *file,
			struct tn_wb_diagnostics *diagnostics)
{
	struct tn_schema_faults faults = {.root = document};
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
			tn_json_pointer_push(&pointer, tn_str_from(name));
		tn_json_pointer_push(&pointer, at->key);
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
