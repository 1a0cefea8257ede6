/* One file of JSON with comments, of the workspace or of a package. */
#include <stdio.h>

#include "apps/workbench/config/internal.h"
#include "apps/workbench/limits.h"
#include "apps/workbench/values/strict_json.h"
#include "jsonrpc/jsonc.h"

void tn_wb_config_tell(struct tn_wb_diagnostics *diagnostics, const char *code, const char *file,
		       const char *message)
{
	tn_wb_diagnose(diagnostics, &(struct tn_wb_diagnostic){.severity = TN_WB_ERROR,
							       .code = code,
							       .message = message,
							       .file = file});
}

static void tell_syntax(struct tn_wb_diagnostics *diagnostics, const char *file,
			const struct tenon_error *err)
{
	struct tn_wb_diagnostic of = {
		.severity = TN_WB_ERROR, .code = "INVALID_SYNTAX", .file = file};
	unsigned line = 0;

	if (sscanf(err->message, "line %u: ", &line) == 1)
		of.line = line;
	tn_wb_diagnose_format(diagnostics, &of, "%s", err->message);
}

static const struct tn_json *parse(struct tn_wb_config *config, struct tn_str text,
				   const char *path, struct tn_wb_diagnostics *diagnostics)
{
	struct tn_json *json = NULL;
	struct tenon_error err;
	enum tenon_code code;
	struct tn_buf strict;

	tn_buf_init(&strict, TN_WB_FILE_BYTES_MAX);
	code = tn_jsonc_parse(&config->arena, text, &json, NULL, &err);
	if (code == TENON_OK)
		code = tn_jsonc_strip(text, &strict, &err);
	if (code == TENON_OK && strict.size)
		code = tn_wb_json_read(&config->arena, tn_buf_str(&strict), &json, &err);
	tn_buf_finish(&strict);
	if (code == TENON_OK)
		return json;
	tell_syntax(diagnostics, path, &err);
	return NULL;
}

static const struct tn_json *read_place(struct tn_wb_config *config, const struct tn_place *place,
					const char *path, struct tn_wb_diagnostics *diagnostics)
{
	const struct tn_json *json = NULL;
	struct tenon_error err;
	struct tn_buf text;

	tn_buf_init(&text, TN_WB_FILE_BYTES_MAX);
	if (tn_place_read(place, &text, &err) == TENON_OK)
		json = parse(config, tn_buf_str(&text), path, diagnostics);
	else
		tn_wb_config_tell(diagnostics, "UNKNOWN_ERROR", path, err.message);
	tn_buf_finish(&text);
	return json;
}

const struct tn_json *tn_wb_config_load(struct tn_wb_config *config, const struct tn_roots *roots,
					const char *path, const char *code_missing,
					struct tn_wb_diagnostics *diagnostics)
{
	const struct tn_json *json = NULL;
	struct tenon_error err;
	struct tn_place place;
	enum tenon_code code = tn_place_find(roots, path, &place, &err);

	if (code == TENON_DENIED) {
		tn_wb_config_tell(diagnostics, "path_escapes_workspace", path,
				  "it lies outside the workspace; name a file inside it");
		return NULL;
	}
	if (code != TENON_OK) {
		tn_wb_config_tell(diagnostics, code_missing, path, err.message);
		return NULL;
	}
	if (place.exists)
		json = read_place(config, &place, path, diagnostics);
	else
		tn_wb_config_tell(diagnostics, code_missing, path, "there is no such file");
	tn_place_close(&place);
	return json;
}
