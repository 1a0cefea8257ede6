/* validate_diagram: what is wrong, and what would cure it (section 7). */
#include "apps/studio/generate.h"
#include "apps/studio/tool_state.h"
#include "jsonrpc/json_write.h"

enum { SHOWN_MAX = 50 };

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"instanceIds\":{\"type\":\"array\",\"maxItems\":10000,\"items\":{\"type\":\"string\","
	"\"maxLength\":64},\"description\":\"Only these nodes\"},"
	"\"severity\":{\"enum\":[\"error\",\"warning\",\"info\"],\"description\":\"Only this and "
	"what is worse\"}," TN_STUDIO_PROJECT_ARGUMENT "},\"additionalProperties\":false}";

static const char output_schema[] = TN_STUDIO_OUTPUT(
	"\"valid\":" TN_STUDIO_SWITCH ",\"diagnostics\":" TN_STUDIO_OBJECTS
	",\"counts\":{\"type\":\"object\",\"properties\":{\"error\":" TN_STUDIO_COUNT
	",\"warning\":" TN_STUDIO_COUNT ",\"info\":" TN_STUDIO_COUNT
	"},\"required\":[\"error\",\"warning\",\"info\"]},\"revision\":" TN_STUDIO_COUNT,
	"\"valid\",\"diagnostics\",\"counts\"");

static const char *const severities[] = {"error", "warning", "info"};

static enum tn_studio_severity least_of(const struct tn_json *arguments)
{
	struct tn_str text = {NULL, 0};

	(void)tn_json_to_str(tn_json_get(arguments, "severity"), &text);
	for (int i = 0; i < 3; i++) {
		if (tn_str_is(text, severities[i]))
			return (enum tn_studio_severity)i;
	}
	return TN_STUDIO_INFO;
}

static bool is_wanted(const struct tn_json *ids, struct tn_str node_id)
{
	for (const struct tn_json *at = ids ? ids->first : NULL; at; at = at->next) {
		if (tn_str_equal(at->text, node_id))
			return true;
	}
	return !ids;
}

static void put_line(struct tn_buf *text, const struct tn_studio_diagnostic *one)
{
	tn_buf_format(text, "%s %s: ", severities[one->severity], one->code);
	tn_buf_append_str(text, one->message);
	tn_buf_append_byte(text, '\n');
}

static void put_all(struct tn_studio_act *act, const struct tn_json *arguments,
		    const struct tn_studio_diagnostics *list, struct tn_buf *result)
{
	const struct tn_json *ids = tn_json_get(arguments, "instanceIds");
	enum tn_studio_severity least = least_of(arguments);
	size_t counts[3] = {0, 0, 0}, shown = 0;

	tn_json_put_key(result, "diagnostics");
	tn_json_begin_array(result);
	for (const struct tn_studio_diagnostic *at = list->first; at; at = at->next) {
		if (at->severity > least || !is_wanted(ids, at->node_id))
			continue;
		counts[at->severity]++;
		tn_studio_diagnostic_put(result, at);
		if (shown++ < SHOWN_MAX)
			put_line(act->text, at);
	}
	tn_json_end_array(result);
	tn_json_put_member_bool(result, "valid", counts[TN_STUDIO_ERROR] == 0);
	tn_json_put_key(result, "counts");
	tn_json_begin_object(result);
	for (int i = 0; i < 3; i++)
		tn_json_put_member_int(result, severities[i], (int64_t)counts[i]);
	tn_json_end_object(result);
	tn_buf_format(act->text, "%zu errors, %zu warnings, %zu notes", counts[0], counts[1],
		      counts[2]);
}

static bool check_ids(struct tn_studio_act *act, const struct tn_json *ids)
{
	for (const struct tn_json *at = ids ? ids->first : NULL; at; at = at->next) {
		if (!tn_studio_node_find(&act->project->document, at->text))
			return tn_studio_fail(act->fault, "NOT_FOUND",
					      "there is no resource '%.*s'", (int)at->text.size,
					      at->text.data);
	}
	return true;
}

static bool run(struct tn_studio_act *act, const struct tn_json *arguments, struct tn_buf *result)
{
	const struct tn_studio_project *project = act->project;
	struct tn_studio_diagnostics list;
	struct tn_studio_generated generated;
	const struct tn_studio_generate_options options = {
		.project_name = tn_str_from(project->name), .secrets = project->secrets};
	const struct tn_studio_check_options check = {.known_variables = project->secrets,
						      .deployed = tn_studio_status_deployed,
						      .status = project->status,
						      .prices = act->prices};

	if (!check_ids(act, tn_json_get(arguments, "instanceIds")))
		return false;
	tn_studio_diagnostics_init(&list, act->arena);
	tn_studio_check(&project->document, &check, &list);
	if (!tn_studio_generate(&project->document, &options, act->arena, &list, &generated))
		return tn_studio_fail_memory(act->fault);
	put_all(act, arguments, &list, result);
	tn_json_put_member_int(result, "revision", (int64_t)tn_oplog_revision(project->log));
	return true;
}

const struct tn_studio_action tn_studio_action_validate = {
	.name = "validate_diagram", .needs_prices = true, .run = run};

static void call_validate(struct tenon_call *call, void *door)
{
	tn_studio_run_action(call, door, &tn_studio_action_validate);
}

const struct tenon_tool tn_studio_tool_validate = {
	.name = "validate_diagram",
	.title = "Check the diagram",
	.description = "What is wrong with the diagram: missing values and references, wrong "
		       "ranges, cycles, names that clash; with a hint, and tool calls that would "
		       "cure it where there are any.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_READ_ONLY | TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.text_max_bytes = 100000,
	.call = call_validate,
	.beyond_core = true,
};
