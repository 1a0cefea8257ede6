/* execute_batch: many operations, all or none, one change (12.6). */
#include <string.h>

#include "apps/studio/change.h"
#include "apps/studio/tool_state.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/schema.h"
#include "mcp/call.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"operations\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":500,\"items\":{\"type\":"
	"\"object\",\"properties\":{"
	"\"tool\":{\"type\":\"string\",\"maxLength\":64,\"description\":\"A tool that edits or "
	"reads the diagram\"},"
	"\"arguments\":{\"type\":\"object\",\"description\":\"Its arguments. A text "
	"\\\"$name.field\\\" takes a field of the earlier result called name; $$ at the start is a "
	"plain $\"},"
	"\"as\":{\"type\":\"string\",\"pattern\":\"^[A-Za-z_][A-Za-z0-9_-]{0,63}$\","
	"\"description\":\"A name for this result\"}"
	"},\"required\":[\"tool\",\"arguments\"],\"additionalProperties\":false},\"description\":"
	"\"Done in order; each sees what those before it did\"},"
	"\"dryRun\":{\"type\":\"boolean\",\"description\":\"Try it and keep nothing\"},"
	"\"label\":{\"type\":\"string\",\"maxLength\":200,\"description\":\"What the history calls "
	"the change\"}," TN_STUDIO_WRITE_ARGUMENTS
	"},\"required\":[\"operations\"],\"additionalProperties\":false}";

static const char output_schema[] = TN_STUDIO_OUTPUT(
	"\"results\":" TN_STUDIO_OBJECTS ",\"dryRun\":" TN_STUDIO_SWITCH TN_STUDIO_CHANGE,
	"\"results\",\"revision\"");

/* ---- which tools ---- */

static const struct tn_studio_batch_entry entries[] = {
	{&tn_studio_tool_add, &tn_studio_action_add},
	{&tn_studio_tool_update, &tn_studio_action_update},
	{&tn_studio_tool_remove, &tn_studio_action_remove},
	{&tn_studio_tool_connect, &tn_studio_action_connect},
	{&tn_studio_tool_disconnect, &tn_studio_action_disconnect},
	{&tn_studio_tool_move, &tn_studio_action_move},
	{&tn_studio_tool_layout, &tn_studio_action_layout},
	{&tn_studio_tool_set_config, &tn_studio_action_set_config},
	{&tn_studio_tool_list, &tn_studio_action_list},
	{&tn_studio_tool_diagram, &tn_studio_action_diagram},
	{&tn_studio_tool_types, &tn_studio_action_types},
	{&tn_studio_tool_get_config, &tn_studio_action_get_config},
	{&tn_studio_tool_validate, &tn_studio_action_validate},
	{&tn_studio_tool_costs, &tn_studio_action_costs},
};

const struct tn_studio_batch_entry *tn_studio_batch_find(struct tn_str name, size_t *ret_index)
{
	for (size_t i = 0; i < TN_COUNT(entries); i++) {
		if (tn_str_is(name, entries[i].action->name)) {
			*ret_index = i;
			return &entries[i];
		}
	}
	return NULL;
}

void tn_studio_batch_finish(struct tn_studio_door *door)
{
	for (size_t i = 0; door->schemas && i < TN_COUNT(entries); i++)
		tn_schema_free(door->schemas[i]);
	tn_mem_free(door->schemas);
}

/* Compiled when first used; the core has its own for calls of their own. */
static const struct tn_schema *schema_of(struct tn_studio_door *door, size_t index)
{
	if (!door->schemas)
		door->schemas = tn_mem_alloc(TN_COUNT(entries) * sizeof(*door->schemas));
	if (door->schemas && !door->schemas[index] &&
	    tn_schema_compile_text(tn_str_from(entries[index].tool->input_schema),
				   &door->schemas[index], NULL) != TENON_OK)
		return NULL;
	return door->schemas ? door->schemas[index] : NULL;
}

/* ---- what an operation takes from those before ---- */

struct batch {
	struct tn_studio_turn *turn;
	const struct tn_json *operations;
	const struct tn_json **results; /* by place, in the arena */
	size_t count;                   /* done so far */
};

static const struct tn_json *result_called(const struct batch *batch, struct tn_str name)
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

static bool put_taken(struct batch *batch, struct tn_str text, struct tn_buf *out)
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

static bool put_filled(struct batch *batch, const struct tn_json *value, struct tn_buf *out)
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
static const struct tn_json *fill(struct batch *batch, const struct tn_json *arguments)
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

static const struct tn_studio_batch_entry *entry_of(struct batch *batch, struct tn_str name,
						    size_t *ret_index)
{
	const struct tn_studio_batch_entry *entry = tn_studio_batch_find(name, ret_index);

	if (entry)
		return entry;
	(void)tn_studio_fail(&batch->turn->fault, "INVALID_INPUT",
			     "'%.*s' cannot stand in a batch; tools that edit or read the diagram "
			     "and the configuration can",
			     (int)name.size, name.data);
	for (size_t i = 0; i < TN_COUNT(entries); i++) {
		struct tn_str known = tn_str_from(entries[i].action->name);

		if (tn_near_is(name, known))
			tn_studio_fault_suggest(&batch->turn->fault, known);
	}
	return NULL;
}

static bool check(struct batch *batch, size_t index, const struct tn_json *arguments)
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

static bool run_one(struct batch *batch, const struct tn_json *operation)
{
	struct tn_studio_turn *turn = batch->turn;
	const struct tn_studio_batch_entry *entry;
	const struct tn_json *arguments;
	struct tn_json *tree = NULL;
	struct tn_buf result;
	size_t index = 0;
	bool good;

	entry = entry_of(batch, tn_json_get(operation, "tool")->text, &index);
	arguments = entry ? fill(batch, tn_json_get(operation, "arguments")) : NULL;
	if (!arguments || !check(batch, index, arguments))
		return false;
	tn_buf_init(&result, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&result);
	good = tn_studio_turn_run(turn, entry->action, arguments, &result);
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
static void explain(struct batch *batch, const struct tn_json *operation)
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

static bool run_all(struct batch *batch)
{
	struct tn_studio_turn *turn = batch->turn;

	batch->results = tn_arena_alloc_array(&turn->arena, batch->operations->count,
					      sizeof(struct tn_json *));
	if (!batch->results)
		return tn_studio_fail_memory(&turn->fault);
	for (const struct tn_json *at = batch->operations->first; at; at = at->next) {
		if (!run_one(batch, at)) {
			explain(batch, at);
			return false;
		}
		batch->count++;
	}
	return true;
}

static bool finish(struct batch *batch, struct tenon_call *call, bool dry_run)
{
	struct tn_studio_turn *turn = batch->turn;
	struct tn_change change = {.id = 0};

	tn_json_put_key(&turn->result, "results");
	tn_json_begin_array(&turn->result);
	for (size_t i = 0; i < batch->count; i++)
		tn_json_put_value(&turn->result, batch->results[i]);
	tn_json_end_array(&turn->result);
	if (!tn_studio_edit_finish(&turn->edit, tenon_call_text(call, "label"), dry_run, &change))
		return false;
	tn_studio_put_change(&turn->result, &change);
	if (dry_run)
		tn_json_put_member_bool(&turn->result, "dryRun", true);
	tn_json_end_object(&turn->result);
	tn_buf_clear(&turn->text);
	tn_buf_format(&turn->text, "%zu operations done%s, revision %llu", batch->count,
		      dry_run ? " (a dry run: nothing is kept)" : "",
		      (unsigned long long)change.revision);
	return true;
}

static void call_batch(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_project *project = tn_studio_project_of(call, door);
	struct tn_studio_turn turn;
	struct batch batch = {.turn = &turn,
			      .operations = tn_json_get(tn_call_arguments(call), "operations")};
	bool dry_run = false, good = false;

	if (!project)
		return;
	(void)tenon_call_bool(call, "dryRun", &dry_run);
	tn_studio_turn_begin(&turn, door, project);
	if (tn_studio_turn_edit(&turn, call, "execute_batch")) {
		good = run_all(&batch);
		if (good)
			good = finish(&batch, call, dry_run);
		else
			tn_studio_edit_abandon(&turn.edit);
	}
	if (!good) {
		tn_studio_turn_fail(&turn, call);
	} else {
		if (!dry_run)
			tn_studio_publish(door, project, "config");
		tn_studio_reply(call, tn_buf_str(&turn.text), &turn.result);
	}
	tn_studio_turn_end(&turn);
}

const struct tenon_tool tn_studio_tool_batch = {
	.name = "execute_batch",
	.title = "Do many things at once",
	.description = "Up to 500 operations as one change: all of them or none, one revision, one "
		       "step of undo. \"$name.field\" takes what an earlier operation answered, "
		       "e.g. {\"parentId\": \"$rg.instanceId\"}. The best way to build a diagram.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_CLOSED_WORLD,
	.text_max_bytes = 100000,
	.call = call_batch,
	.beyond_core = true,
};
