#include "apps/plan/read/address.h"
#include "apps/plan/limits.h"
#include "apps/plan/read/count.h"
#include "apps/plan/read/json_change.h"
#include "apps/plan/read/json_value.h"
#include "apps/plan/read/parse_json.h"
#include "apps/plan/read/plan_line.h"
#include "base/size.h"
#include "base/utf8.h"

struct stream {
	struct tn_plan_build *build;
	struct tn_arena scratch; /* the tree of one line */
	struct tn_plan_line line;
	uint32_t records, number;
	bool applying;
};

static struct tn_str text_of(const struct tn_json *object, const char *key)
{
	struct tn_str text = {NULL, 0};

	(void)tn_json_to_str(tn_json_get(object, key), &text);
	return text;
}

/* ---- changes ---- */

static uint8_t find_action(struct tn_str word)
{
	static const struct {
		const char *word;
		uint8_t action;
	} words[] = {{"create", TN_PLAN_CREATE}, {"read", TN_PLAN_READ},
		     {"update", TN_PLAN_UPDATE}, {"replace", TN_PLAN_REPLACE},
		     {"delete", TN_PLAN_DELETE}, {"remove", TN_PLAN_FORGET},
		     {"forget", TN_PLAN_FORGET}, {"import", TN_PLAN_IMPORT},
		     {"move", TN_PLAN_MOVE},     {"noop", TN_PLAN_ACTION_COUNT}};

	for (size_t i = 0; i < TN_COUNT(words); i++) {
		if (tn_str_is(word, words[i].word))
			return words[i].action;
	}
	return TN_PLAN_ACTION_UNKNOWN;
}

static void set_names(struct stream *stream, struct tn_plan_entry *entry,
		      const struct tn_json *resource)
{
	const struct tn_json *key = tn_json_get(resource, "resource_key");
	struct tn_plan_address address;
	struct tn_str module = text_of(resource, "module");

	entry->address = text_of(resource, "addr");
	if (entry->address.size &&
	    tn_plan_address_read(entry->address, &address) == entry->address.size)
		(void)tn_plan_entry_set_address(entry, &address, &stream->build->plan->arena);
	if (module.size)
		entry->module = module;
	if (!entry->type.size)
		entry->type = text_of(resource, "resource_type");
	if (!entry->name.size)
		entry->name = text_of(resource, "resource_name");
	if (tn_json_is(key, TN_JSON_NUMBER) || tn_json_is(key, TN_JSON_STRING)) {
		entry->key_kind =
			key->type == TN_JSON_NUMBER ? TN_PLAN_KEY_INT : TN_PLAN_KEY_STRING;
		entry->key_text = key->text;
	}
	entry->deposed = text_of(resource, "deposed");
}

static void read_planned(struct stream *stream, const struct tn_json *record)
{
	struct tn_plan_build *build = stream->build;
	const struct tn_json *change = tn_json_get(record, "change");
	const struct tn_json *resource = tn_json_get(change, "resource");
	const struct tn_json *importing = tn_json_get(change, "importing");
	struct tn_str previous = text_of(tn_json_get(change, "previous_resource"), "addr");
	struct tn_str reason = text_of(change, "reason");
	uint8_t action = find_action(text_of(change, "action"));
	struct tn_plan_entry *entry;
	const char *code;

	if (action == TN_PLAN_ACTION_COUNT) {
		if (!previous.data && !importing)
			return;
		action = importing ? TN_PLAN_IMPORT : TN_PLAN_MOVE;
	}
	entry = tn_plan_add_entry(build);
	if (!entry)
		return;
	set_names(stream, entry, resource);
	entry->action = action;
	entry->line_first = entry->line_last = stream->number;
	if (previous.size)
		entry->previous_address = previous;
	if (tn_json_is(importing, TN_JSON_OBJECT)) {
		struct tn_str id = text_of(importing, "id");

		entry->import_id = id.data ? id : tn_str("", 0);
	}
	if (action == TN_PLAN_ACTION_UNKNOWN)
		tn_plan_warn(build, "unknown_action", stream->number,
			     "an entry has an action this version does not know");
	code = tn_plan_json_reason(reason);
	if (code)
		tn_plan_add_reason(build, entry, code, reason);
}

static void read_drift(struct stream *stream, const struct tn_json *record)
{
	const struct tn_json *change = tn_json_get(record, "change");
	struct tn_plan_drift *drift = tn_plan_add_drift(stream->build);
	uint8_t action = find_action(text_of(change, "action"));

	if (!drift)
		return;
	drift->address = text_of(tn_json_get(change, "resource"), "addr");
	drift->previous_address = text_of(tn_json_get(change, "previous_resource"), "addr");
	drift->action = action == TN_PLAN_ACTION_COUNT ? TN_PLAN_UPDATE : action;
}

static void read_deferred(struct stream *stream, const struct tn_json *record)
{
	const struct tn_json *change = tn_json_get(record, "change");
	struct tn_plan_deferred *deferred = tn_plan_add_deferred(stream->build);
	uint8_t action = find_action(text_of(change, "action"));

	if (!deferred)
		return;
	deferred->address = text_of(tn_json_get(change, "resource"), "addr");
	deferred->action = action == TN_PLAN_ACTION_COUNT ? TN_PLAN_ACTION_UNKNOWN : action;
	deferred->reason = tn_plan_json_deferred_reason(text_of(record, "reason"));
}

/* ---- the rest ---- */

static int64_t count_of(const struct tn_json *changes, const char *key)
{
	int64_t value = -1;

	if (!tn_json_to_int(tn_json_get(changes, key), &value) || value < 0 || value > INT32_MAX)
		return -1;
	return value;
}

static void read_summary(struct stream *stream, const struct tn_json *record)
{
	const struct tn_json *changes = tn_json_get(record, "changes");

	if (!tn_str_is(text_of(changes, "operation"), "plan")) {
		stream->build->plan->contains_apply = true;
		return;
	}
	if (stream->line.present)
		return;
	stream->line = (struct tn_plan_line){
		.present = true,
		.import = count_of(changes, "import"),
		.add = count_of(changes, "add"),
		.change = count_of(changes, "change"),
		.destroy = count_of(changes, "remove"),
		.forget = count_of(changes, "forget"),
		.invoke = count_of(changes, "action_invocation"),
	};
	stream->line.present =
		stream->line.add >= 0 && stream->line.change >= 0 && stream->line.destroy >= 0;
}

static void read_outputs(struct stream *stream, const struct tn_json *record)
{
	const struct tn_json *outputs = tn_json_get(record, "outputs");

	if (!tn_json_is(outputs, TN_JSON_OBJECT) || stream->applying)
		return;
	for (const struct tn_json *one = outputs->first; one; one = one->next) {
		uint8_t action = find_action(text_of(one, "action"));
		struct tn_plan_output *output;

		if (action == TN_PLAN_ACTION_COUNT || action == TN_PLAN_ACTION_UNKNOWN)
			continue;
		output = tn_plan_add_output(stream->build);
		if (!output)
			return;
		output->name = one->key;
		output->action = action == TN_PLAN_CREATE || action == TN_PLAN_DELETE
					 ? action
					 : TN_PLAN_UPDATE;
		(void)tn_json_to_bool(tn_json_get(one, "sensitive"), &output->sensitive);
		if (!output->sensitive)
			output->after =
				tn_plan_json_scalar(stream->build, tn_json_get(one, "value"));
	}
}

static void read_diagnostic(struct stream *stream, const struct tn_json *record)
{
	const struct tn_json *source = tn_json_get(record, "diagnostic");
	const struct tn_json *range = tn_json_get(source, "range");
	struct tn_plan_diagnostic *diagnostic = tn_plan_add_diagnostic(stream->build);
	int64_t line = 0;

	if (!diagnostic)
		return;
	diagnostic->severity =
		tn_str_is(text_of(source, "severity"), "error") ? "error" : "warning";
	diagnostic->summary = text_of(source, "summary");
	diagnostic->detail = tn_utf8_cut(text_of(source, "detail"), TN_PLAN_DETAIL_BYTES_MAX);
	diagnostic->address = text_of(source, "address");
	diagnostic->file = text_of(range, "filename");
	if (tn_json_to_int(tn_json_get(tn_json_get(range, "start"), "line"), &line) && line > 0 &&
	    line < INT32_MAX)
		diagnostic->line = (uint32_t)line;
	diagnostic->in_apply = stream->applying;
	if (!stream->applying && strcmp(diagnostic->severity, "error") == 0)
		stream->build->plan->errored = true;
}

static void read_version(struct stream *stream, const struct tn_json *record)
{
	struct tn_plan *plan = stream->build->plan;
	struct tn_str terraform = text_of(record, "terraform"), tofu = text_of(record, "tofu");

	plan->tool = tofu.data ? TN_PLAN_OPENTOFU
			       : (terraform.data ? TN_PLAN_TERRAFORM : TN_PLAN_TOOL_UNKNOWN);
	plan->tool_version = tofu.data ? tofu : terraform;
}

static void read_apply(struct stream *stream, const struct tn_json *record)
{
	(void)record;
	stream->applying = stream->build->plan->contains_apply = true;
}

/* Other types say how far the work is. */
static const struct {
	const char *type;
	void (*read)(struct stream *stream, const struct tn_json *record);
} types[] = {
	{"planned_change", read_planned},   {"resource_drift", read_drift},
	{"deferred_change", read_deferred}, {"change_summary", read_summary},
	{"outputs", read_outputs},          {"diagnostic", read_diagnostic},
	{"version", read_version},          {"apply_start", read_apply},
	{"apply_progress", read_apply},     {"apply_complete", read_apply},
	{"apply_errored", read_apply},
};

/* ---- lines ---- */

static void read_record(struct stream *stream, const struct tn_json *record)
{
	struct tn_str type = text_of(record, "type");

	if (!type.data || !tn_json_get(record, "@level"))
		return;
	stream->records++;
	for (size_t i = 0; i < TN_COUNT(types); i++) {
		if (tn_str_is(type, types[i].type)) {
			types[i].read(stream, record);
			return;
		}
	}
}

/* False: the line is no whole record. */
static bool read_line(struct stream *stream, char *line, size_t size)
{
	struct tenon_error err;
	struct tn_json *record = NULL;

	if (size < 2 || line[0] != '{')
		return true; /* other programs write between the records */
	tn_arena_reset(&stream->scratch);
	if (tn_json_parse(&stream->scratch, line, size, &record, &err) != TENON_OK) {
		tn_plan_warn(stream->build, "record_skipped", stream->number,
			     "a line that is no whole JSON object was passed over");
		return false;
	}
	if (tn_json_is(record, TN_JSON_OBJECT))
		read_record(stream, record);
	return true;
}

static void conclude(struct stream *stream, bool cut)
{
	struct tn_plan_build *build = stream->build;
	struct tn_plan *plan = build->plan;
	struct tn_plan_unit *unit;

	if (stream->records == 0) {
		(void)tn_plan_build_fail(build, TENON_INVALID, "not_a_plan",
					 "no record of a plan was found; send the output of "
					 "`terraform plan -json`");
		return;
	}
	unit = tn_plan_add_unit(build);
	if (!unit)
		return;
	unit->plan_line = stream->line.present ? stream->line : TN_PLAN_LINE_ABSENT;
	tn_plan_count(build);
	plan->truncated = cut || (!stream->line.present && !plan->errored);
	unit->truncated = plan->truncated;
	plan->mode = tn_plan_only_unexplained_deletes(plan) ? TN_PLAN_DESTROY : TN_PLAN_NORMAL;
	if (plan->errored)
		plan->status = TN_PLAN_ERRORED;
	else if (plan->change_count || plan->truncated)
		plan->status = plan->change_count ? TN_PLAN_CHANGES : TN_PLAN_NO_VERDICT;
	else if (plan->output_count)
		plan->status = TN_PLAN_OUTPUTS_ONLY;
	else if (plan->deferred_count)
		plan->status = TN_PLAN_DEFERRED_ONLY;
	else
		plan->status = plan->drift_count ? TN_PLAN_DRIFT_ONLY : TN_PLAN_NO_CHANGES;
	tn_plan_judge(build);
}

void tn_plan_parse_stream(struct tn_plan_build *build, struct tn_plan_text text)
{
	struct stream stream = {.build = build, .line = TN_PLAN_LINE_ABSENT};
	char *at = text.data, *end = text.data + text.size;
	size_t next_tick = TN_PLAN_TICK_BYTES;
	bool whole = true;

	build->plan->kind = TN_PLAN_JSON_STREAM;
	build->plan->format = TN_PLAN_FORMAT_JSON_STREAM;
	/* With the text and what is kept of it: within four times the input. */
	tn_arena_init(&stream.scratch, 2 * text.size + TN_MIB);
	while (at < end && build->code == TENON_OK) {
		char *stop = memchr(at, '\n', (size_t)(end - at));

		if (!stop)
			stop = end;
		stream.number++;
		whole = read_line(&stream, at, (size_t)(stop - at)) || stop < end;
		at = stop < end ? stop + 1 : end;
		if ((size_t)(at - text.data) < next_tick)
			continue;
		next_tick = (size_t)(at - text.data) + TN_PLAN_TICK_BYTES;
		if (!tn_plan_build_tick(build, (size_t)(at - text.data)))
			break;
	}
	if (build->code == TENON_OK)
		conclude(&stream, !whole);
	tn_plan_build_check_memory(build, stream.scratch.starved);
	tn_arena_finish(&stream.scratch);
}
