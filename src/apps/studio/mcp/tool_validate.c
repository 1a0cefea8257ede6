/* validate_diagram: what is wrong, and what would cure it (section 7). */
#include "apps/studio/generate/generate.h"
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/mcp/tools.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

enum { SHOWN_MAX = 50 };

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

void tn_studio_say_diagnostic(struct tn_buf *text, const struct tn_studio_diagnostic *one)
{
	const struct {
		const char *before;
		struct tn_str word;
	} parts[] = {{" instanceId ", one->node_id},
		     {" property ", one->property},
		     {" edgeId ", one->edge_id},
		     {" Hint: ", one->hint},
		     {" Fix: ", one->fix}};

	tn_buf_format(text, "%s %s: ", severities[one->severity], one->code);
	tn_utf8_put_line(text, one->message);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (parts[i].word.size == 0)
			continue;
		tn_buf_append_text(text, parts[i].before);
		tn_utf8_put_line(text, parts[i].word);
	}
	tn_buf_append_byte(text, '\n');
}

/* Errors before warnings, and these before notes: what stops comes first. */
static void put_all(struct tn_studio_act *act, const struct tn_json *arguments,
		    const struct tn_studio_diagnostics *list, struct tn_buf *result)
{
	const struct tn_json *ids = tn_json_get(arguments, "instanceIds");
	enum tn_studio_severity least = least_of(arguments);
	size_t counts[3] = {0, 0, 0}, shown = 0;

	tn_json_put_key(result, "diagnostics");
	tn_json_begin_array(result);
	for (int severity = TN_STUDIO_ERROR; severity <= (int)least; severity++)
		for (const struct tn_studio_diagnostic *at = list->first; at; at = at->next) {
			if ((int)at->severity != severity || !is_wanted(ids, at->node_id))
				continue;
			counts[severity]++;
			tn_studio_diagnostic_put(result, at);
			if (shown++ < SHOWN_MAX)
				tn_studio_say_diagnostic(act->text, at);
		}
	tn_json_end_array(result);
	tn_json_put_member_bool(result, "valid", counts[TN_STUDIO_ERROR] == 0);
	tn_json_put_key(result, "counts");
	tn_json_begin_object(result);
	for (int i = 0; i < 3; i++)
		tn_json_put_member_int(result, severities[i], (int64_t)counts[i]);
	tn_json_end_object(result);
	if (shown > SHOWN_MAX)
		tn_buf_format(act->text, "and %zu more: severity or instanceIds give fewer\n",
			      shown - SHOWN_MAX);
	tn_buf_append_count(act->text, counts[0], "error");
	tn_buf_append_text(act->text, ", ");
	tn_buf_append_count(act->text, counts[1], "warning");
	tn_buf_append_text(act->text, ", ");
	tn_buf_append_count(act->text, counts[2], "note");
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
	const struct tn_studio_check_options check = {.deployed = tn_studio_status_deployed,
						      .status = project->status,
						      .prices = act->prices};

	if (!check_ids(act, tn_json_get(arguments, "instanceIds")))
		return false;
	tn_studio_diagnostics_init(&list, act->arena);
	tn_studio_check(&project->document, &check, &list);
	if (!tn_studio_generate(&project->document, &options, act->arena, &list, &generated))
		return tn_studio_fail_memory(act->fault);
	put_all(act, arguments, &list, result);
	if (act->for_model)
		tn_buf_format(act->text, ", revision %llu",
			      (unsigned long long)tn_studio_project_revision(project));
	tn_json_put_member_int(result, "revision", (int64_t)tn_studio_project_revision(project));
	return true;
}

const struct tn_studio_action tn_studio_action_validate = {
	.needs_prices = true, .stands_aside = true, .says_all = true, .run = run};
