/* What is wrong, what cures it, and the usual layout. */
#include "apps/floorplan/edit/edit.h"
#include "apps/floorplan/exchange/format.h"
#include "apps/floorplan/limits.h"
#include "apps/floorplan/lsp/internal.h"
#include "jsonrpc/json_write.h"

static void put_related(struct tn_buf *out, const struct tn_lsp_document *document,
			const struct tn_floor_diagnostic *one)
{
	if (one->related.line == 0)
		return;
	tn_json_put_key(out, "relatedInformation");
	tn_json_begin_array(out);
	tn_json_begin_object(out);
	tn_json_put_key(out, "location");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "uri", document->uri);
	tn_lsp_put_range(out, "range", document, one->related.start, one->related.end);
	tn_json_end_object(out);
	tn_json_put_member_text(out, "message", one->related_message ? one->related_message : "");
	tn_json_end_object(out);
	tn_json_end_array(out);
}

void tn_lsp_put_diagnostic(struct tn_buf *out, const struct tn_lsp_document *document,
			   const struct tn_floor_diagnostic *one)
{
	char code[16];
	struct tn_buf words = {.data = code, .capacity = sizeof(code), .limit = sizeof(code)};

	tn_buf_format(&words, "FP%04d", one->code);
	tn_json_begin_object(out);
	tn_lsp_put_range(out, "range", document, one->range.start, one->range.end);
	tn_json_put_member_int(out, "severity", (int)one->severity + 1);
	tn_json_put_member_str(out, "code", tn_buf_str(&words));
	tn_json_put_member_text(out, "source", "floorplan");
	tn_json_put_key(out, "message");
	tn_buf_append_text(out, "\"");
	tn_json_put_escaped(out, tn_str_from(one->message));
	if (one->hint) {
		tn_json_put_escaped(out, TN_STR("\n"));
		tn_json_put_escaped(out, tn_str_from(one->hint));
	}
	tn_buf_append_text(out, "\"");
	put_related(out, document, one);
	tn_json_end_object(out);
}

void tn_lsp_put_diagnostics(struct tn_buf *out, const struct tn_lsp_document *document)
{
	const struct tn_floor_diagnostic *one =
		document->plan ? document->plan->diagnostics.first : NULL;
	size_t counts[TN_FLOOR_INFO + 1] = {0};

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "uri", document->uri);
	tn_json_put_member_int(out, "version", document->version);
	tn_json_put_key(out, "diagnostics");
	tn_json_begin_array(out);
	for (; one; one = one->next)
		if (counts[one->severity]++ < TN_LSP_FAULTS_MAX)
			tn_lsp_put_diagnostic(out, document, one);
	tn_json_end_array(out);
	tn_json_end_object(out);
}

void tn_lsp_format(struct tn_lsp_request *request)
{
	struct tn_str text = tn_buf_str(&request->document->text);
	struct tenon_error err = {0};
	struct tn_buf formatted;

	tn_buf_init(&formatted, request->result->limit);
	if (tn_floor_format(text, &formatted, &err) != TENON_OK) {
		request->refusal = "the plan has syntax errors, so it is left as it is";
	} else {
		tn_json_begin_array(request->result);
		if (!tn_str_equal(text, tn_buf_str(&formatted)))
			tn_lsp_put_edit(request->result, request->document, tn_buf_str(&formatted));
		tn_json_end_array(request->result);
	}
	tn_buf_finish(&formatted);
}

/* ---- cures ---- */

static void put_action(struct tn_lsp_request *request, const struct tn_floor_diagnostic *one,
		       struct tn_str after)
{
	const struct tn_lsp_document *document = request->document;
	struct tn_buf *out = request->result;

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "title", one->hint ? one->hint : one->message);
	tn_json_put_member_text(out, "kind", "quickfix");
	tn_json_put_member_bool(out, "isPreferred", true);
	tn_json_put_key(out, "diagnostics");
	tn_json_begin_array(out);
	tn_lsp_put_diagnostic(out, document, one);
	tn_json_end_array(out);
	tn_json_put_key(out, "edit");
	tn_json_begin_object(out);
	tn_json_put_key(out, "changes");
	tn_json_begin_object(out);
	tn_json_put_key_str(out, tn_str_from(document->uri));
	tn_json_begin_array(out);
	tn_lsp_put_edit(out, document, after);
	tn_json_end_array(out);
	tn_json_end_object(out);
	tn_json_end_object(out);
	tn_json_end_object(out);
}

static void try_fix(struct tn_lsp_request *request, const struct tn_floor_diagnostic *one)
{
	struct tn_str text = tn_buf_str(&request->document->text);
	char *operations = tn_arena_format(request->arena, "[%s]", one->fix);
	struct tn_floor_edit_options options = {.atomic = true};
	struct tn_floor_edited edited = {.success = false};
	struct tn_json *tree = NULL;
	struct tenon_error err = {0};

	if (!operations ||
	    tn_json_parse_copy(request->arena, tn_str_from(operations), &tree, &err) != TENON_OK)
		return;
	options.operations = tree;
	if (tn_floor_edit(text, &options, &edited, &err) != TENON_OK)
		return;
	if (edited.success && !tn_str_equal(text, tn_buf_str(&edited.text)))
		put_action(request, one, tn_buf_str(&edited.text));
	tn_floor_edited_finish(&edited);
}

void tn_lsp_actions(struct tn_lsp_request *request)
{
	const struct tn_json *range = tn_json_get(request->params, "range");
	struct tn_str text = tn_buf_str(&request->document->text);
	size_t start = tn_lsp_offset(text, tn_json_get(range, "start")),
	       end = tn_lsp_offset(text, tn_json_get(range, "end"));
	const struct tn_floor_diagnostic *one = request->document->plan->diagnostics.first;
	unsigned left = TN_LSP_ACTIONS_MAX;

	tn_json_begin_array(request->result);
	for (; one && left > 0; one = one->next) {
		if (one->fix && one->range.start <= end && one->range.end >= start) {
			try_fix(request, one);
			left--;
		}
	}
	tn_json_end_array(request->result);
}
