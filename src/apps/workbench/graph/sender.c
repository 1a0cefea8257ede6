/* What a producer sends is refused as a whole (G9), and told where it is wrong. */
#include "apps/workbench/graph/internal.h"

enum tenon_code tn_wb_sender_refuse(const struct tn_wb_sender *from, const char *code,
				    const char *pointer, const char *message)
{
	const struct tn_wb_diagnostic of = {
		.severity = TN_WB_ERROR, .code = code, .pointer = pointer};

	tn_wb_diagnose_format(
		from->diagnostics, &of, "the update of producer %s is refused as a whole: %s%s%s",
		from->producer, pointer ? pointer : "", pointer && *pointer ? " " : "", message);
	return TENON_INVALID;
}

enum tenon_code tn_wb_sender_refuse_item(const struct tn_wb_sender *from, struct tn_arena *arena,
					 struct tn_wb_place place,
					 const struct tn_wb_item_fault *fault)
{
	const char *pointer = tn_arena_format(arena, "/%s/%zu%s%s", place.list, place.index,
					      *fault->pointer ? "/" : "", fault->pointer);

	return tn_wb_sender_refuse(from, "graph_update_invalid", pointer, fault->message);
}

enum tenon_code tn_wb_sender_head(const struct tn_wb_sender *from, const struct tn_json *document,
				  const char *first, const char *second, int64_t *ret_revision)
{
	static const char code[] = "graph_update_invalid";
	struct tn_str version;

	if (!tn_json_to_str(tn_json_get(document, "schemaVersion"), &version) ||
	    !tn_str_is(version, "v0"))
		return tn_wb_sender_refuse(from, code, "/schemaVersion", "must be \"v0\"");
	if (!tn_json_to_int(tn_json_get(document, "revision"), ret_revision) || *ret_revision < 0)
		return tn_wb_sender_refuse(from, code, "/revision",
					   "must be an integer of 0 or more");
	if (!tn_json_is(tn_json_get(document, first), TN_JSON_ARRAY) ||
	    (second && !tn_json_is(tn_json_get(document, second), TN_JSON_ARRAY)))
		return tn_wb_sender_refuse(from, code, "",
					   second ? "nodes and edges must be lists"
						  : "ops must be a list");
	return TENON_OK;
}

enum tenon_code tn_wb_sender_item(const struct tn_wb_sender *from, struct tn_arena *arena,
				  const struct tn_json *json, enum tn_wb_item_form form,
				  struct tn_wb_place place, struct tn_wb_item *ret)
{
	struct tn_wb_item_fault fault;
	enum tenon_code code = tn_wb_item_read(arena, json, form, ret, &fault);

	if (code == TENON_INVALID)
		return tn_wb_sender_refuse_item(from, arena, place, &fault);
	if (code == TENON_OK && !tn_wb_kind_belongs(ret->kind, from->holds)) {
		fault = (struct tn_wb_item_fault){"kind", "does not belong into this graph"};
		return tn_wb_sender_refuse_item(from, arena, place, &fault);
	}
	return code;
}
