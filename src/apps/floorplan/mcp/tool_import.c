/* import_floorplan: JSON of either shape to text (floorplan.md 10.1). */
#include "apps/floorplan/exchange/interchange.h"
#include "apps/floorplan/limits.h"
#include "apps/floorplan/mcp/tool_state.h"
#include "apps/floorplan/mcp/tools.h"
#include "jsonrpc/json_write.h"

struct importing {
	struct tn_arena arena;
	struct tn_buf warnings, faults;
};

/* The object itself, or its text. NULL: the act has been refused. */
static const struct tn_json *read_json(struct tn_floor_act *act, struct importing *importing)
{
	const struct tn_json *given = tn_json_get(act->arguments, "json");
	struct tn_json *tree = NULL;
	struct tenon_error err = {0};

	if (!tn_json_is(given, TN_JSON_STRING))
		return given;
	if (given->text.size > TN_FLOOR_INPUT_BYTES_MAX) {
		tn_floor_act_refuse(act, "FP9001", "/json", "the JSON is larger than %lu bytes",
				    TN_FLOOR_INPUT_BYTES_MAX);
		return NULL;
	}
	if (tn_json_parse_copy(&importing->arena, given->text, &tree, &err) != TENON_OK) {
		tn_floor_act_refuse(act, "FP9001", "/json", "this is no JSON: %s", err.message);
		return NULL;
	}
	return tree;
}

static void put_faults(struct tn_floor_act *act, const struct tn_buf *faults)
{
	tn_json_put_member_bool(&act->json, "success", false);
	tn_json_put_member_raw(&act->json, "errors", tn_buf_str(faults));
}

static void put_text(struct tn_floor_act *act, const struct tn_buf *warnings)
{
	act->success = true;
	tn_json_put_member_bool(&act->json, "success", true);
	tn_json_put_member_str(&act->json, "dsl", tn_buf_str(&act->text_after));
	tn_json_put_member_raw(&act->json, "warnings",
			       warnings->size > 0 ? tn_buf_str(warnings) : TN_STR("[]"));
}

static void import(struct tn_floor_act *act, struct importing *importing)
{
	const struct tn_json *json = read_json(act, importing);
	struct tenon_error err = {0};
	enum tenon_code code;

	if (!json)
		return;
	code = tn_floor_import(json, tn_floor_argument_text(act, "name"), &act->text_after,
			       &importing->warnings, &importing->faults, &err);
	if (code == TENON_OK) {
		put_text(act, &importing->warnings);
	} else if (code == TENON_INVALID && importing->faults.size > 0) {
		put_faults(act, &importing->faults);
	} else {
		err.code = code;
		tn_floor_act_fail(act, &err);
	}
}

static void run(struct tn_floor_act *act)
{
	struct importing importing;

	tn_arena_init(&importing.arena, TN_FLOOR_ARENA_MAX);
	tn_buf_init(&importing.warnings, TN_FLOOR_OUTPUT_BYTES_MAX);
	tn_buf_init(&importing.faults, TN_FLOOR_OUTPUT_BYTES_MAX);
	import(act, &importing);
	tn_buf_inherit_failure(&act->json, &importing.warnings);
	tn_buf_inherit_failure(&act->json, &importing.faults);
	tn_buf_finish(&importing.warnings);
	tn_buf_finish(&importing.faults);
	tn_arena_finish(&importing.arena);
}

const struct tn_floor_action tn_floor_action_import = {.without_text = true, .run = run};
