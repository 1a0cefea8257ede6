/* execute_batch: many operations, all or none, one change (12.6). */
#include <string.h>

#include "apps/studio/document/change.h"
#include "apps/studio/limits.h"
#include "apps/studio/mcp/batch.h"
#include "apps/studio/mcp/tools.h"
#include "apps/studio/mcp/waiting.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/schema.h"
#include "mcp/call.h"

/* ---- which tools: those that are an action, by their place among all ---- */

/* NULL: it cannot stand in a batch. */
static const struct tn_studio_action *action_of(const struct tenon_tool *tool)
{
	const struct tn_studio_action *action =
		tool->call == tn_studio_call_action ? tool->data : NULL;

	return action && !action->alone ? action : NULL;
}

static size_t count_tools(const struct tn_studio_door *door)
{
	size_t count = 0;

	while (door->app->tools[count])
		count++;
	return count;
}

void tn_studio_batch_finish(struct tn_studio_door *door)
{
	for (size_t i = 0; door->schemas && i < count_tools(door); i++)
		tn_schema_free(door->schemas[i]);
	tn_mem_free(door->schemas);
}

/* Compiled when first used; the core has its own for calls of their own. */
static const struct tn_schema *schema_of(struct tn_studio_door *door, size_t index)
{
	if (!door->schemas)
		door->schemas = tn_mem_alloc(count_tools(door) * sizeof(*door->schemas));
	if (door->schemas && !door->schemas[index] &&
	    tn_schema_compile_text(tn_str_from(door->app->tools[index]->input_schema),
				   &door->schemas[index], NULL) != TENON_OK)
		return NULL;
	return door->schemas ? door->schemas[index] : NULL;
}

/* ---- what an operation takes from those before ---- */

static const struct tn_json *result_called(const struct tn_studio_batch *batch, struct tn_str name)
{
	const struct tn_json *operation = batch->operations->first;
	const struct tn_json *found = NULL;

	for (size_t i = 0; i < batch->count; i++, operation = operation->next) {
		struct tn_str as = {NULL, 0};

		if (tn_json_to_str(tn_json_get(operation, "as"), &as) && tn_str_equal(as, name))
			found = batch->results[i];
	}
	return found;
}

static bool put_taken(struct tn_studio_batch *batch, struct tn_str text, struct tn_buf *out)
{
	struct tn_str rest = tn_str(text.data + 1, text.size - 1);
	size_t dot = tn_str_find_byte(rest, '.');
	const struct tn_json *value;

	value = result_called(batch, tn_str(rest.data, dot == TN_STR_NONE ? rest.size : dot));
	if (!value || dot == TN_STR_NONE)
		return tn_studio_fail(&batch->turn->fault, "INVALID_INPUT",
				      "'%.*s' names no earlier result; send \"$name.field\" with "
				      "the name of an operation before, or \"$$...\" for a plain $",
				      (int)text.size, text.data);
	while (value && dot != TN_STR_NONE) {
		rest = tn_str_from_offset(rest, dot + 1);
		dot = tn_str_find_byte(rest, '.');
		value = tn_json_get_str(value,
					tn_str(rest.data, dot == TN_STR_NONE ? rest.size : dot));
	}
	if (!value)
		return tn_studio_fail(&batch->turn->fault, "INVALID_INPUT",
				      "the earlier result has no field '%.*s'", (int)text.size,
				      text.data);
	tn_json_put_value(out, value);
	return true;
}

static bool put_filled(struct tn_studio_batch *batch, const struct tn_json *value,
		       struct tn_buf *out)
{
	bool object = value->type == TN_JSON_OBJECT;

	if (value->type == TN_JSON_STRING && value->text.size > 1 && value->text.data[0] == '$') {
		if (value->text.data[1] != '$')
			return put_taken(batch, value->text, out);
		tn_json_put_str(out, tn_str(value->text.data + 1, value->text.size - 1));
		return true;
	}
	if (!object && value->type != TN_JSON_ARRAY) {
		tn_json_put_value(out, value);
		return true;
	}
	if (object)
		tn_json_begin_object(out);
	else
		tn_json_begin_array(out);
	for (const struct tn_json *at = value->first; at; at = at->next) {
		if (object)
			tn_json_put_key_str(out, at->key);
		if (!put_filled(batch, at, out))
			return false;
	}
	if (object)
		tn_json_end_object(out);
	else
		tn_json_end_array(out);
	return true;
}

/* The same tree with what is taken put in; NULL: the fault says why. */
static const struct tn_json *fill(struct tn_studio_batch *batch, const struct tn_json *arguments)
{
	struct tn_json *filled = NULL;
	struct tn_buf text;

	tn_buf_init(&text, TN_STUDIO_RESULT_BYTES_MAX);
	if (put_filled(batch, arguments, &text) &&
	    (text.failed ||
	     tn_json_parse_copy(&batch->turn->arena, tn_buf_str(&text), &filled, NULL) != TENON_OK))
		(void)tn_studio_fail_memory(&batch->turn->fault);
	tn_buf_finish(&text);
	return filled;
}

/* ---- one operation ---- */

static const struct tn_studio_action *find_action(struct tn_studio_batch *batch, struct tn_str name,
						  size_t *ret_index)
{
	const struct tenon_tool *const *tools = batch->turn->door->app->tools;

	for (size_t i = 0; tools[i]; i++) {
		if (tn_str_is(name, tools[i]->name) && action_of(tools[i])) {
			*ret_index = i;
			return action_of(tools[i]);
		}
	}
	(void)tn_studio_fail(&batch->turn->fault, "INVALID_INPUT",
			     "'%.*s' cannot stand in a batch; tools that edit or read the diagram "
			     "and the configuration can",
			     (int)name.size, name.data);
	for (size_t i = 0; tools[i]; i++) {
		struct tn_str known = tn_str_from(tools[i]->name);

		if (action_of(tools[i]) && tn_near_is(name, known))
			tn_studio_fault_suggest(&batch->turn->fault, known);
	}
	return NULL;
}

static bool check(struct tn_studio_batch *batch, size_t index, const struct tn_json *arguments)
{
	const struct tn_schema *schema = schema_of(batch->turn->door, index);
	struct tn_schema_faults faults = {.root = "arguments"};
	struct tn_buf text;

	if (!schema)
		return tn_studio_fail_memory(&batch->turn->fault);
	if (tn_schema_check(schema, arguments, &faults) == TENON_OK)
		return true;
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_schema_faults_write(&faults, &text);
	(void)tn_studio_fail(&batch->turn->fault, "INVALID_INPUT", "%.*s", (int)text.size,
			     text.data ? text.data : "");
	tn_buf_finish(&text);
	return false;
}

static bool run_one(struct tn_studio_batch *batch, const struct tn_json *operation)
{
	struct tn_studio_turn *turn = batch->turn;
	const struct tn_studio_action *action;
	const struct tn_json *arguments;
	struct tn_json *tree = NULL;
	struct tn_buf result;
	size_t index = 0;
	bool good;

	action = find_action(batch, tn_json_get(operation, "tool")->text, &index);
	arguments = action ? fill(batch, tn_json_get(operation, "arguments")) : NULL;
	if (!arguments || !check(batch, index, arguments))
		return false;
	tn_buf_init(&result, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&result);
	good = tn_studio_turn_run(turn, action, arguments, &result);
	tn_json_end_object(&result);
	if (good && (result.failed || tn_json_parse_copy(&turn->arena, tn_buf_str(&result), &tree,
							 NULL) != TENON_OK))
		good = tn_studio_fail_memory(&turn->fault);
	tn_buf_finish(&result);
	batch->results[batch->count] = tree;
	return good;
}

/* ---- all of them ---- */

/* BATCH_FAILED with which one, which tool and why. */
static void explain(struct tn_studio_batch *batch, const struct tn_json *operation)
{
	struct tn_studio_turn *turn = batch->turn;
	const struct tn_studio_fault why = turn->fault;
	struct tn_buf details;

	if (!why.code) {
		(void)tn_studio_fail_memory(&turn->fault);
		return;
	}
	tn_buf_init(&details, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&details);
	tn_json_put_member_int(&details, "index", (int64_t)batch->count);
	tn_json_put_member_str(&details, "tool", tn_json_get(operation, "tool")->text);
	tn_json_put_key(&details, "error");
	tn_studio_fault_put(&details, &why);
	tn_json_end_object(&details);
	(void)tn_studio_fail(&turn->fault, "BATCH_FAILED",
			     "operation %zu of %u (%.*s): %.700s; nothing has changed",
			     batch->count + 1, batch->operations->count,
			     (int)tn_json_get(operation, "tool")->text.size,
			     tn_json_get(operation, "tool")->text.data, why.message);
	if (!details.failed) {
		char *copy = tn_arena_copy(&turn->arena, tn_buf_str(&details));

		turn->fault.details = copy ? tn_str(copy, details.size) : tn_str("", 0);
	}
	tn_buf_finish(&details);
}

/* What single operations expect of nodes is looked at before the first is done: a node that one of
 * them has changed is not stale to the next (SC-012). */
static bool check_expected(struct tn_studio_batch *batch)
{
	for (const struct tn_json *at = batch->operations->first; at; at = at->next) {
		if (!tn_studio_edit_expects(
			    &batch->turn->edit,
			    tn_json_get(tn_json_get(at, "arguments"), "expectedNodes"))) {
			explain(batch, at);
			return false;
		}
		batch->count++;
	}
	batch->count = 0;
	return true;
}

bool tn_studio_batch_begin(struct tn_studio_batch *batch, struct tn_studio_turn *turn,
			   struct tenon_call *call)
{
	*batch = (struct tn_studio_batch){
		.turn = turn, .operations = tn_json_get(tn_call_arguments(call), "operations")};
	(void)tenon_call_bool(call, "dryRun", &batch->dry_run);
	batch->next = batch->operations->first;
	batch->results = tn_arena_alloc_array(&turn->arena, batch->operations->count,
					      sizeof(struct tn_json *));
	if (!batch->results)
		return tn_studio_fail_memory(&turn->fault);
	return check_expected(batch);
}

const struct tn_studio_action *tn_studio_batch_action(struct tn_studio_batch *batch,
						      const struct tn_json *operation)
{
	const struct tenon_tool *const *tools = batch->turn->door->app->tools;

	for (size_t i = 0; tools[i]; i++) {
		if (tn_str_is(tn_json_get(operation, "tool")->text, tools[i]->name))
			return schema_of(batch->turn->door, i) ? action_of(tools[i]) : NULL;
	}
	return NULL;
}

bool tn_studio_batch_step(struct tn_studio_batch *batch)
{
	if (!run_one(batch, batch->next)) {
		explain(batch, batch->next);
		return false;
	}
	batch->count++;
	batch->next = batch->next->next;
	return true;
}

/* Places are left out, what the operation itself has said, and what is empty. */
static bool is_told(const struct tn_json *member)
{
	static const char *const places[] = {"position", "size", "moved", "grown", "parentId"};

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (tn_str_is(member->key, places[i]))
			return false;
	}
	return !((member->type == TN_JSON_ARRAY || member->type == TN_JSON_OBJECT) &&
		 member->count == 0);
}

/* What each operation answered, a line each: ids above all (hosts.md HO-001). */
static void put_lines(const struct tn_studio_batch *batch, struct tn_buf *text)
{
	const struct tn_json *operation = batch->operations->first;

	for (size_t i = 0; i < batch->count; i++, operation = operation->next) {
		struct tn_str tool = tn_json_get(operation, "tool")->text;

		tn_buf_format(text, "\n%zu %.*s", i + 1, (int)tool.size, tool.data);
		for (const struct tn_json *at = batch->results[i]->first; at; at = at->next) {
			if (!is_told(at))
				continue;
			tn_buf_append_byte(text, ' ');
			tn_buf_append_str(text, at->key);
			tn_buf_append_byte(text, ':');
			tn_json_put_value(text, at);
		}
	}
}

void tn_studio_batch_put_results(struct tn_studio_batch *batch)
{
	struct tn_studio_turn *turn = batch->turn;

	tn_json_put_key(&turn->result, "results");
	tn_json_begin_array(&turn->result);
	for (size_t i = 0; i < batch->count; i++)
		tn_json_put_value(&turn->result, batch->results[i]);
	tn_json_end_array(&turn->result);
	tn_buf_clear(&turn->text);
	put_lines(batch, &turn->text);
}

void tn_studio_batch_put_change(struct tn_studio_batch *batch, const struct tn_change *change)
{
	struct tn_studio_turn *turn = batch->turn;
	struct tn_buf text;

	tn_studio_put_change(&turn->result, change);
	if (batch->dry_run)
		tn_json_put_member_bool(&turn->result, "dryRun", true);
	tn_json_end_object(&turn->result);
	tn_buf_init(&text, TN_STUDIO_RESULT_BYTES_MAX);
	tn_buf_append_count(&text, batch->count, "operation");
	tn_buf_format(&text, " done%s, revision %llu",
		      batch->dry_run ? " (a dry run: nothing is kept)" : "",
		      (unsigned long long)change->revision);
	if (change->id)
		tn_buf_format(&text, ", change-%llu", (unsigned long long)change->id);
	tn_buf_append_str(&text, tn_buf_str(&turn->text));
	tn_buf_finish(&turn->text);
	turn->text = text;
}

/* ---- the call ---- */

static bool run_all(struct tn_studio_batch *batch, struct tn_studio_turn *turn,
		    struct tenon_call *call)
{
	struct tn_change change = {.id = 0};
	bool good = tn_studio_batch_begin(batch, turn, call);

	while (good && batch->next)
		good = tn_studio_batch_step(batch);
	if (!good) {
		tn_studio_edit_abandon(&turn->edit);
		return false;
	}
	if (!tn_studio_edit_finish(&turn->edit, tenon_call_text(call, "label"), batch->dry_run,
				   &change))
		return false;
	tn_studio_batch_put_results(batch);
	tn_studio_batch_put_change(batch, &change);
	return true;
}

void tn_studio_batch_at_once(struct tenon_call *call, struct tn_studio_door *door,
			     struct tn_studio_project *project)
{
	struct tn_studio_batch batch;
	struct tn_studio_turn turn;

	tn_studio_turn_begin(&turn, door, project);
	if (tn_studio_turn_edit(&turn, call, "execute_batch") && run_all(&batch, &turn, call)) {
		if (!batch.dry_run)
			tn_studio_publish(door, project, "config");
		tn_studio_reply(call, tn_buf_str(&turn.text), &turn.result);
	} else {
		tn_studio_turn_fail(&turn, call);
	}
	tn_studio_turn_end(&turn);
}

/* Each operation looks at the document once or twice. */
static bool is_long(struct tenon_call *call, const struct tn_studio_project *project)
{
	size_t steps = tn_json_get(tn_call_arguments(call), "operations")->count;

	return steps * (project->document.node_count + project->document.edge_count + steps) >
	       TN_STUDIO_BATCH_AT_ONCE_MAX;
}

void tn_studio_call_batch(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_project *project = tn_studio_project_of(call, door);

	if (!project || tn_studio_waits(call, door, project->path, tn_studio_call_batch, door))
		return;
	if (is_long(call, project))
		tn_studio_batch_on_trial(call, door, project);
	else
		tn_studio_batch_at_once(call, door, project);
}
