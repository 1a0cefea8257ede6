/* get_plan: what a plan would change, node by node, in values and in words (ST-091). */
#include <limits.h>
#include <string.h>

#include "apps/studio/mcp/tool_run.h"
#include "apps/studio/limits.h"
#include "apps/studio/mcp/plan_cost.h"
#include "apps/studio/mcp/say.h"
#include "apps/studio/mcp/tools.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "mcp/fit.h"
#include "mcp/room.h"
#include "store/file.h"
#include "tenon/plan.h"

enum { CHANGES_SHOWN = 200 /* on a page for a model, at most */ };

/* Read by a worker: it touches this and nothing else. */
struct reading {
	struct tn_studio_door *door;
	char run_id[TN_STUDIO_ID_SIZE], project_id[TN_STUDIO_ID_SIZE];
	char path[PATH_MAX],
		shown[TN_DIGEST_HEX_SIZE]; /* what it was when it was written; empty: unknown */
	struct tn_buf text;
	char *json, *words; /* of the plan engine */
	bool is_another;    /* not what was written */
	struct tenon_error err;
};

static void free_reading(void *data)
{
	struct reading *reading = data;

	tn_buf_finish(&reading->text);
	tenon_plan_free_text(reading->json);
	tenon_plan_free_text(reading->words);
	tn_mem_free(reading);
}

static void work(const struct tenon_call *call, void *data)
{
	struct reading *reading = data;
	struct tenon_plan *plan = NULL;
	char digest[TN_DIGEST_HEX_SIZE];

	(void)call;
	if (tn_file_read(reading->path, TN_FILE_REGULAR_ONLY | TN_FILE_NO_FOLLOW, &reading->text,
			 &reading->err) != TENON_OK)
		return;
	tn_digest_hex(tn_buf_str(&reading->text), digest);
	reading->is_another = reading->shown[0] && strcmp(digest, reading->shown) != 0;
	if (reading->is_another || tenon_plan_parse(reading->text.data, reading->text.size, &plan,
						    &reading->err) != TENON_OK)
		return;
	reading->json = tenon_plan_to_json(plan, TENON_PLAN_CHANGES);
	reading->words = tenon_plan_explain(plan, TENON_PLAN_AUTO, false);
	tenon_plan_free(plan);
}

/* ---- the answer ---- */

struct answer {
	const struct tn_studio_project *project;
	const struct tn_studio_run *run;
	const struct tn_studio_plan_costs *costs; /* NULL: there are no prices */
	struct tn_map nodes;                      /* by address: its node's id */
	struct tn_map places;                     /* by address: which change it is */
	size_t first, total;                      /* the changes that are shown */
	uint32_t count;
	struct tn_arena *arena;
	struct tn_buf *out;
};

static struct tn_str text_of(const struct tn_json *object, const char *key)
{
	struct tn_str text = {NULL, 0};

	(void)tn_json_to_str(tn_json_get(object, key), &text);
	return text;
}

static bool flag_of(const struct tn_json *object, const char *key)
{
	bool value = false;

	(void)tn_json_to_bool(tn_json_get(object, key), &value);
	return value;
}

/* ST-087: secrets that the provider does not know to be some. */
static void put_redacted(const struct answer *answer, const struct tn_json *value)
{
	struct tn_buf clean;

	if (!tn_json_is(value, TN_JSON_STRING)) {
		tn_json_put_value(answer->out, value); /* the plan engine makes texts of the rest */
		return;
	}
	tn_buf_init(&clean, TN_STUDIO_RESULT_BYTES_MAX);
	tn_studio_redact(answer->project, value->text, &clean);
	tn_json_put_str(answer->out, tn_buf_str(&clean));
	tn_buf_inherit_failure(answer->out, &clean);
	tn_buf_finish(&clean);
}

static void put_attribute(const struct answer *answer, const struct tn_json *from)
{
	bool sensitive = flag_of(from, "sensitive"), unknown = flag_of(from, "unknown");
	struct tn_str change = text_of(from, "change");

	tn_json_begin_object(answer->out);
	tn_json_put_member_str(answer->out, "path", text_of(from, "path"));
	tn_json_put_member_str(answer->out, "change", change);
	tn_json_put_key(answer->out, "before");
	if (sensitive && !tn_str_is(change, "add"))
		tn_json_put_text(answer->out, "[redacted]");
	else
		put_redacted(answer, tn_json_get(from, "before"));
	tn_json_put_key(answer->out, "after");
	if (sensitive && !tn_str_is(change, "remove"))
		tn_json_put_text(answer->out, "[redacted]");
	else if (unknown)
		tn_json_put_text(answer->out, "(known after apply)");
	else
		put_redacted(answer, tn_json_get(from, "after"));
	if (flag_of(from, "forces_replacement"))
		tn_json_put_member_bool(answer->out, "forcesReplacement", true);
	tn_json_end_object(answer->out);
}

static void put_attributes(const struct answer *answer, const struct tn_json *list)
{
	tn_json_begin_array(answer->out);
	for (const struct tn_json *one = tn_json_is(list, TN_JSON_ARRAY) ? list->first : NULL; one;
	     one = one->next)
		put_attribute(answer, one);
	tn_json_end_array(answer->out);
}

static void note_node(struct tn_str address, struct tn_str action, struct tn_str node_id,
		      void *data)
{
	struct answer *answer = data;
	struct tn_str *id = node_id.size > 0 ? tn_arena_alloc(answer->arena, sizeof(*id)) : NULL;

	(void)action;
	if (!id)
		return;
	*id = node_id;
	(void)!tn_map_put(&answer->nodes, address, id, NULL); /* without memory it has none */
}

static void put_change(const struct answer *answer, const struct tn_json *from)
{
	struct tn_str address = text_of(from, "address"), action = text_of(from, "action");
	const struct tn_str *known = tn_map_get(&answer->nodes, address);
	struct tn_str node_id = known ? *known : tn_str("", 0);
	const struct tn_studio_plan_cost *cost;

	tn_json_begin_object(answer->out);
	if (node_id.size > 0)
		tn_json_put_member_str(answer->out, "instanceId", node_id);
	tn_json_put_member_str(answer->out, "address", address);
	tn_json_put_member_str(answer->out, "action", action);
	tn_json_put_key(answer->out, "actions");
	tn_json_put_value(answer->out, tn_json_get(from, "actions"));
	tn_json_put_key(answer->out, "reasons");
	tn_json_put_value(answer->out, tn_json_get(from, "reasons"));
	tn_json_put_key(answer->out, "attributes");
	put_attributes(answer, tn_json_get(from, "attributes"));
	tn_json_put_key(answer->out, "risk");
	tn_json_put_value(answer->out, tn_json_get(from, "risk"));
	cost = answer->costs ? tn_studio_plan_cost_of(answer->costs, node_id) : NULL;
	if (cost) {
		tn_json_put_key(answer->out, "monthlyCost");
		tn_studio_plan_cost_put(answer->out, cost);
	}
	tn_json_end_object(answer->out);
}

static void put_outputs(const struct answer *answer, const struct tn_json *list)
{
	tn_json_begin_array(answer->out);
	for (const struct tn_json *one = tn_json_is(list, TN_JSON_ARRAY) ? list->first : NULL; one;
	     one = one->next) {
		bool sensitive = flag_of(one, "sensitive");

		tn_json_begin_object(answer->out);
		tn_json_put_member_str(answer->out, "name", text_of(one, "name"));
		tn_json_put_member_str(answer->out, "action", text_of(one, "action"));
		tn_json_put_member_bool(answer->out, "sensitive", sensitive);
		if (!sensitive && !flag_of(one, "unknown")) {
			tn_json_put_key(answer->out, "after");
			put_redacted(answer, tn_json_get(one, "after"));
		}
		tn_json_end_object(answer->out);
	}
	tn_json_end_array(answer->out);
}

/* ---- a page of it (HO-003): some changes, and the findings of these ---- */

static const struct tn_json *first_in(const struct tn_json *object, const char *key)
{
	const struct tn_json *list = tn_json_get(object, key);

	return tn_json_is(list, TN_JSON_ARRAY) ? list->first : NULL;
}

/* A finding stands with its change; what is of none, on the first page. */
static bool is_shown(const struct answer *answer, const struct tn_json *finding)
{
	const size_t *place = tn_map_get(&answer->places, text_of(finding, "address"));

	return place ? *place >= answer->first && *place - answer->first < answer->count
		     : answer->first == 0;
}

static void put_risk(const struct answer *answer, const struct tn_json *risk)
{
	tn_json_begin_object(answer->out);
	for (const struct tn_json *one = tn_json_is(risk, TN_JSON_OBJECT) ? risk->first : NULL; one;
	     one = one->next) {
		tn_json_put_key_str(answer->out, one->key);
		if (!tn_str_is(one->key, "findings")) {
			tn_json_put_value(answer->out, one);
			continue;
		}
		tn_json_begin_array(answer->out);
		for (const struct tn_json *at = first_in(risk, "findings"); at; at = at->next) {
			if (is_shown(answer, at))
				tn_json_put_value(answer->out, at);
		}
		tn_json_end_array(answer->out);
	}
	tn_json_end_object(answer->out);
}

static void put_changes(const struct answer *answer, const struct tn_json *plan)
{
	size_t place = 0;

	tn_json_begin_array(answer->out);
	for (const struct tn_json *one = first_in(plan, "resource_changes"); one;
	     one = one->next, place++) {
		if (place >= answer->first && place - answer->first < answer->count)
			put_change(answer, one);
	}
	tn_json_end_array(answer->out);
}

/* Nothing where all changes are there. */
static void put_page(const struct answer *answer)
{
	size_t next = answer->first + answer->count;

	if (answer->count == answer->total)
		return;
	tn_json_put_key(answer->out, "page");
	tn_json_begin_object(answer->out);
	tn_json_put_member_int(answer->out, "offset", (int64_t)answer->first);
	tn_json_put_member_int(answer->out, "returned", (int64_t)answer->count);
	tn_json_put_member_int(answer->out, "total", (int64_t)answer->total);
	if (next < answer->total)
		tn_json_put_member_int(answer->out, "nextOffset", (int64_t)next);
	tn_json_end_object(answer->out);
}

static void put_plan(const struct answer *answer, const struct tn_json *plan, const char *words)
{
	tn_json_begin_object(answer->out);
	tn_json_put_member_text(answer->out, "runId", tn_studio_run_id(answer->run));
	tn_json_put_key(answer->out, "summary");
	tn_json_put_value(answer->out, tn_json_get(plan, "summary"));
	if (answer->costs) {
		tn_json_put_key(answer->out, "monthlyCost");
		tn_studio_plan_costs_put(answer->out, answer->costs);
	}
	put_page(answer);
	tn_json_put_key(answer->out, "changes");
	put_changes(answer, plan);
	tn_json_put_key(answer->out, "outputs");
	put_outputs(answer, answer->first == 0 ? tn_json_get(plan, "outputs") : NULL);
	tn_json_put_key(answer->out, "risk");
	put_risk(answer, tn_json_get(plan, "risk"));
	tn_json_put_member_text(answer->out, "explanation", words);
	tn_json_end_object(answer->out);
}

static void say_more(struct tn_buf *text, const struct tn_buf *result)
{
	struct tn_json *plan = NULL;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	if (!result->failed &&
	    tn_json_parse_copy(&arena, tn_buf_str(result), &plan, NULL) == TENON_OK)
		tn_studio_say_plan(text, plan);
	tn_arena_finish(&arena);
}

/* Both forms of a page; what was in them goes. */
static void put_both(const struct tenon_call *call, const struct answer *answer,
		     const struct tn_json *plan, const char *words, struct tn_buf *text)
{
	tn_buf_clear(answer->out);
	tn_buf_clear(text);
	tn_buf_append_text(text, words);
	put_plan(answer, plan, words);
	if (tn_call_says_all(call))
		say_more(text, answer->out);
}

/* Which changes are asked for, and how many of them at most: a model is not handed more than a
 * page.
 */
static void choose_page(const struct tenon_call *call, struct answer *answer,
			const struct tn_json *plan)
{
	int64_t offset = 0, limit = tn_call_is_for_model(call) ? CHANGES_SHOWN : UINT32_MAX;
	size_t left;

	(void)tenon_call_int(call, "offset", &offset); /* absent: from the first on */
	(void)tenon_call_int(call, "limit", &limit);
	for (const struct tn_json *one = first_in(plan, "resource_changes"); one; one = one->next) {
		size_t *place = tn_arena_alloc(answer->arena, sizeof(*place));

		if (place) {
			*place = answer->total;
			(void)!tn_map_put(&answer->places, text_of(one, "address"), place, NULL);
		}
		answer->total++;
	}
	answer->first = (uint64_t)offset < answer->total ? (size_t)offset : answer->total;
	left = answer->total - answer->first;
	answer->count = (uint32_t)(left < (uint64_t)limit ? left : (uint64_t)limit);
}

static void reply_page(struct tenon_call *call, struct answer *answer, const struct tn_json *plan,
		       const char *words)
{
	struct tn_buf out, text, unsent, safe;

	/* The first page has the words. */
	tn_buf_init(&safe, TN_STUDIO_RESULT_BYTES_MAX);
	if (answer->first == 0)
		tn_studio_redact(answer->project, tn_str_from(words), &safe);
	tn_buf_append_byte(&safe, '\0');
	words = safe.failed ? "" : safe.data;
	tn_buf_init(&out, TN_STUDIO_RESULT_BYTES_MAX);
	tn_buf_init(&text, TN_STUDIO_RESULT_BYTES_MAX);
	tn_buf_init(&unsent, 0);
	answer->out = &out;
	put_both(call, answer, plan, words, &text);
	while (tn_room_lacks(call, &text, tn_call_sends_structured(call) ? &out : &unsent,
			     &answer->count))
		put_both(call, answer, plan, words, &text);
	tn_studio_reply(call, tn_buf_str(&text), &out);
	tn_buf_finish(&text);
	tn_buf_finish(&unsent);
	tn_buf_finish(&safe);
}

static void reply(struct tenon_call *call, const struct reading *reading,
		  const struct tn_studio_project *project, const struct tn_studio_run *run)
{
	struct tn_json *plan = NULL;
	struct tn_studio_fault fault;
	struct tn_arena arena;
	struct tn_studio_plan_costs costs;
	struct answer answer = {.project = project, .run = run, .arena = &arena};

	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	if (tn_json_parse_copy(&arena, tn_str_from(reading->json), &plan, NULL) != TENON_OK) {
		(void)tn_studio_fail_memory(&fault);
		tn_studio_reply_fault(call, &fault);
	} else {
		tn_map_init(&answer.nodes);
		tn_map_init(&answer.places);
		tn_studio_run_each_change(run, note_node, &answer);
		if (tn_studio_plan_costs_find(&costs, reading->door, project, run))
			answer.costs = &costs;
		choose_page(call, &answer, plan);
		reply_page(call, &answer, plan, reading->words);
		tn_studio_plan_costs_finish(&costs);
		tn_map_finish(&answer.nodes);
		tn_map_finish(&answer.places);
	}
	tn_arena_finish(&arena);
}

static void done(struct tenon_call *call, void *data)
{
	const struct reading *reading = data;
	struct tn_studio_project *project =
		tn_studio_project_find(reading->door->projects, reading->project_id, NULL);
	const struct tn_studio_run *run =
		project ? tn_studio_run_find(reading->door->runs, project, reading->run_id) : NULL;
	struct tn_studio_fault fault;

	if (!run)
		(void)tn_studio_fail(&fault, "NOT_FOUND", "The project was closed meanwhile.");
	else if (reading->is_another)
		(void)tn_studio_fail(&fault, "STALE_PLAN",
				     "What stands in the folder of this run is not what the plan "
				     "does: it was changed since. Run plan again.");
	else if (!reading->json || !reading->words)
		(void)tn_studio_fail(&fault, "ENGINE_FAILED", "The plan cannot be read: %s.",
				     reading->err.message[0] ? reading->err.message
							     : "out of memory");
	else {
		reply(call, reading, project, run);
		return;
	}
	tn_studio_reply_fault(call, &fault);
}

/* ---- the call ---- */

static struct tn_studio_run *last_plan(struct tn_studio_door *door,
				       struct tn_studio_project *project)
{
	char id[TN_STUDIO_ID_SIZE];

	for (size_t i = 0; tn_studio_run_listed(door->runs, project, i, id); i++) {
		struct tn_studio_run *run = tn_studio_run_find(door->runs, project, id);

		if (run && tn_studio_run_command(run) == TN_STUDIO_PLAN &&
		    tn_studio_run_state(run) == TN_STUDIO_FINISHED)
			return run;
	}
	return NULL;
}

void tn_studio_call_get_plan(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_project *project = tn_studio_project_of(call, door);
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_studio_run *run;
	struct reading *reading;

	if (!project)
		return;
	run = tenon_call_text(call, "runId") ? tn_studio_run_of(call, door)
					     : last_plan(door, project);
	if (!run && tenon_call_text(call, "runId"))
		return; /* it has been told */
	reading = run ? tn_mem_alloc(sizeof(*reading)) : NULL;
	if (!run) {
		(void)tn_studio_fail(&fault, "NOT_FOUND",
				     "No plan was made in this project: run_terraform with command "
				     "plan.");
	} else if (!reading) {
		(void)tn_studio_fail_memory(&fault);
	} else {
		reading->door = door;
		memcpy(reading->project_id, project->id, sizeof(reading->project_id));
		(void)strncpy(reading->run_id, tn_studio_run_id(run), sizeof(reading->run_id) - 1);
		tn_buf_init(&reading->text, TN_STUDIO_RUN_DOCUMENT_BYTES_MAX);
		memcpy(reading->shown, tn_studio_run_plan_shown(run),
		       strlen(tn_studio_run_plan_shown(run)));
		if (tn_studio_run_plan_file(run, reading->path, sizeof(reading->path), &fault)) {
			tenon_call_set_data(call, reading, free_reading);
			tenon_call_work(call, work, done, reading);
			return;
		}
		free_reading(reading);
	}
	tn_studio_reply_fault(call, &fault);
}
