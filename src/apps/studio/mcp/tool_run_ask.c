/* The question before an apply or destroy: its words, and what a page draws of it (ST-081, SC-022).
 */
#include <string.h>

#include "apps/studio/limits.h"
#include "apps/studio/mcp/plan_cost.h"
#include "apps/studio/mcp/tool_run.h"
#include "base/arena.h"
#include "jsonrpc/json_write.h"

/* Of what the core takes (tenon/result.h); what has no room is counted. */
enum { DATA_BYTES = 120 * 1024, CHANGE_BYTES = 4 * 1024 };

struct asking {
	const struct tn_studio_project *project;
	const struct tn_studio_run *plan;
	struct tn_map nodes; /* by address: its node's id */
	struct tn_arena arena;
};

/* ---- changes ---- */

static void note_node(struct tn_str address, struct tn_str action, struct tn_str node_id,
		      void *data)
{
	struct asking *asking = data;
	struct tn_str *id = node_id.size > 0 ? tn_arena_alloc(&asking->arena, sizeof(*id)) : NULL;

	(void)action;
	if (!id)
		return;
	*id = node_id;
	(void)!tn_map_put(&asking->nodes, address, id, NULL); /* without memory it has none */
}

static void put_change(const struct asking *asking, struct tn_buf *out, const struct tn_json *from)
{
	struct tn_str address = {NULL, 0}, action = {NULL, 0};
	const struct tn_str *node_id;
	struct tn_buf clean;

	(void)tn_json_to_str(tn_json_get(from, "address"), &address);
	(void)tn_json_to_str(tn_json_get(from, "action"), &action);
	node_id = tn_map_get(&asking->nodes, address);
	tn_buf_init(&clean, CHANGE_BYTES);
	tn_studio_redact(asking->project, address, &clean);
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "address", tn_buf_str(&clean));
	if (node_id)
		tn_json_put_member_str(out, "instanceId", *node_id);
	tn_json_put_member_str(out, "action", action);
	tn_json_end_object(out);
	tn_buf_finish(&clean);
}

static void put_changes(struct asking *asking, struct tn_buf *out,
			const struct tn_studio_told *told)
{
	struct tn_json *changes = NULL;
	size_t count = 0;

	tn_json_put_key(out, "changes");
	tn_json_begin_array(out);
	if (tn_json_parse_copy(&asking->arena, tn_buf_str(&told->changes), &changes, NULL) ==
	    TENON_OK) {
		for (const struct tn_json *one = changes->first;
		     one && out->size + CHANGE_BYTES < DATA_BYTES; one = one->next, count++)
			put_change(asking, out, one);
	}
	tn_json_end_array(out);
	if (count < told->numbers.all)
		tn_json_put_member_int(out, "moreChanges", (int64_t)(told->numbers.all - count));
}

/* ---- the rest ---- */

static void put_counts(struct tn_buf *out, const struct tn_studio_told_counts *n)
{
	tn_json_put_key(out, "counts");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "add", (int64_t)n->add);
	tn_json_put_member_int(out, "change", (int64_t)n->change);
	tn_json_put_member_int(out, "remove", (int64_t)n->remove);
	tn_json_put_member_int(out, "replace", (int64_t)n->replace);
	tn_json_put_member_int(out, "import", (int64_t)n->import);
	tn_json_put_member_int(out, "move", (int64_t)n->move);
	tn_json_put_member_int(out, "forget", (int64_t)n->forget);
	tn_json_put_member_int(out, "unknown", (int64_t)n->unknown);
	tn_json_end_object(out);
}

static void put_actor(struct tenon_call *call, struct tn_buf *out)
{
	tn_json_put_key(out, "actor");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "name", tn_studio_actor_of(call));
	tn_json_put_member_bool(out, "person", tenon_call_is_person(call));
	tn_json_end_object(out);
}

static void put_data(struct tenon_call *call, struct asking *asking, const char *command,
		     const struct tn_studio_plan_costs *costs, struct tn_buf *out)
{
	const struct tn_studio_told *told = tn_studio_plan_told(asking->plan);

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "projectId", asking->project->id);
	tn_json_put_member_text(out, "command", command);
	tn_json_put_member_text(out, "planId", tn_studio_run_id(asking->plan));
	if (told)
		put_counts(out, &told->numbers);
	if (costs) {
		tn_json_put_key(out, "monthlyCost");
		tn_studio_plan_costs_put(out, costs);
	}
	if (told)
		tn_json_put_member_int(out, "destroys", (int64_t)told->numbers.remove);
	put_actor(call, out);
	if (told)
		put_changes(asking, out, told);
	tn_json_end_object(out);
	tn_buf_append_byte(out, '\0');
}

static bool consent(struct tenon_call *call, struct asking *asking,
		    const struct tn_studio_act_words *words, const char *command,
		    const struct tn_studio_plan_costs *costs)
{
	struct tn_buf detail, data;
	bool good;

	tn_buf_init(&detail, TN_MIB);
	tn_buf_init(&data, TN_MIB);
	tn_buf_append_text(&detail, words->detail);
	if (costs) {
		tn_buf_append_text(&detail, "\nMonthly cost (an estimate): ");
		tn_studio_plan_costs_say(&detail, costs);
	}
	tn_buf_append_byte(&detail, '\0');
	put_data(call, asking, command, costs, &data);
	const struct tenon_act act = {.kind = command,
				      .summary = words->summary,
				      .detail = detail.failed ? words->detail : detail.data,
				      .exactly = words->digest,
				      .exactly_size = strlen(words->digest),
				      .data = data.failed ? NULL : data.data,
				      .is_named = tenon_call_text(call, "planId") &&
						  words->is_as_shown};

	good = tenon_call_consent(call, &act);
	tn_buf_finish(&detail);
	tn_buf_finish(&data);
	return good;
}

bool tn_studio_ask(struct tenon_call *call, struct tn_studio_door *door,
		   struct tn_studio_project *project, const struct tn_studio_act *held)
{
	struct tn_studio_act_words words = tn_studio_act_words(held);
	struct asking asking = {.project = project,
				.plan = tn_studio_run_find(door->runs, project, words.plan_id)};
	struct tn_studio_plan_costs costs;
	bool priced, good;

	if (!asking.plan) {
		struct tn_studio_fault fault;

		(void)tn_studio_fail(&fault, "STALE_PLAN", "The plan has gone. Run plan again.");
		tn_studio_reply_fault(call, &fault);
		return false;
	}
	tn_map_init(&asking.nodes);
	tn_arena_init(&asking.arena, TN_STUDIO_ARENA_MAX);
	tn_studio_run_each_change(asking.plan, note_node, &asking);
	priced = tn_studio_plan_costs_find(&costs, door, project, asking.plan);
	/* What a plan does is what is asked about, by whichever command. */
	good = consent(call, &asking, &words,
		       tn_studio_command_name(words.destroys ? TN_STUDIO_DESTROY : TN_STUDIO_APPLY),
		       priced ? &costs : NULL);
	tn_studio_plan_costs_finish(&costs);
	tn_map_finish(&asking.nodes);
	tn_arena_finish(&asking.arena);
	return good;
}
