/* What the engine's lines mean: changes, diagnostics, outputs, statuses (studio.md 9.5, 9.7, 10).
 */
#include <stdio.h>

#include "apps/studio/run/internal.h"
#include "apps/studio/limits.h"
#include "apps/studio/status/status.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

enum { SAVE_EVERY_MS = 500 };

void tn_studio_findings_init(struct tn_studio_run_findings *findings)
{
	*findings = (struct tn_studio_run_findings){0};
	findings->last_change = &findings->changes;
	findings->last_diagnostic = &findings->diagnostics;
	tn_map_init(&findings->by_address);
}

void tn_studio_findings_finish(struct tn_studio_run_findings *findings)
{
	tn_map_finish(&findings->by_address);
}

static struct tn_studio_status *status_of(const struct tn_studio_run *run)
{
	return run->project ? run->project->status : NULL;
}

static struct tn_studio_part part_of(const struct tn_studio_run_change *change)
{
	return (struct tn_studio_part){
		.node_id = change->node_id, .address = change->address, .primary = change->primary};
}

/* What is under way is to be known after a crash, too; but not with each line. */
static void begin_part(struct tn_studio_run *run, const struct tn_studio_run_change *change,
		       enum tn_studio_phase phase)
{
	const struct tn_studio_part part = part_of(change);
	uint64_t now = tn_clock_now_ms(run->runs->options.clock);

	if (change->node_id.size == 0 || !status_of(run))
		return;
	tn_studio_status_begin(status_of(run), &part, phase, run->id);
	if (now - run->status_saved_ms >= SAVE_EVERY_MS || run->status_saved_ms == 0) {
		tn_studio_status_keep(status_of(run));
		run->status_saved_ms = now;
	}
}

static struct tn_str keep(struct tn_studio_run *run, struct tn_str text)
{
	const char *copy = tn_arena_copy(&run->arena, text);

	return copy ? tn_str(copy, text.size) : tn_str(NULL, 0);
}

static bool changes_things(const struct tn_studio_run *run)
{
	return run->options.command == TN_STUDIO_APPLY || run->options.command == TN_STUDIO_DESTROY;
}

/* ---- text ---- */

struct tn_str tn_studio_run_clean(struct tn_studio_run *run, struct tn_str text)
{
	struct tn_buf redacted, clean;
	struct tn_str rest, result;

	tn_buf_init(&redacted, 4 * TN_STUDIO_RUN_LINE_BYTES_MAX);
	tn_buf_init(&clean, 4 * TN_STUDIO_RUN_LINE_BYTES_MAX);
	if (run->project)
		tn_studio_redact(run->project, text, &redacted);
	else
		tn_buf_append_str(&redacted, text);
	for (rest = tn_buf_str(&redacted); rest.size > 0;) {
		size_t end = tn_str_find_byte(rest, '\n');
		size_t size = end == TN_STR_NONE ? rest.size : end;

		tn_studio_line_clean(&clean, tn_str(rest.data, size));
		if (end != TN_STR_NONE)
			tn_buf_append_byte(&clean, '\n');
		rest = tn_str_from_offset(rest, size + 1);
	}
	if (run->project && !tn_str_equal(tn_buf_str(&redacted), tn_buf_str(&clean))) {
		tn_buf_clear(&redacted);
		tn_studio_redact(run->project, tn_buf_str(&clean), &redacted);
		result = keep(run, tn_buf_str(&redacted));
	} else {
		result = keep(run, tn_buf_str(&clean));
	}
	tn_buf_finish(&redacted);
	tn_buf_finish(&clean);
	return result;
}

/* ---- changes ---- */

static struct tn_studio_run_change *change_of(struct tn_studio_run *run, struct tn_str address,
					      struct tn_str action)
{
	struct tn_studio_run_findings *findings = &run->findings;
	struct tn_studio_run_change *change = tn_map_get(&findings->by_address, address);
	const struct tn_studio_address *block;

	if (change)
		return change;
	if (findings->change_count >= TN_STUDIO_RUN_CHANGES_MAX)
		return NULL;
	change = tn_arena_alloc(&run->arena, sizeof(*change));
	if (!change)
		return NULL;
	address = keep(run, address);
	action = keep(run, action);
	if (!address.data || !action.data ||
	    tn_map_put(&findings->by_address, address, change, NULL) != TENON_OK)
		return NULL;
	block = tn_studio_address_find(&run->generated, address);
	*change = (struct tn_studio_run_change){.address = address, .action = action};
	if (block && block->node) {
		change->node_id = block->node->id;
		change->primary = block->primary;
	} else { /* of a node that is no more in the diagram */
		change->node_id = keep(
			run, tn_studio_status_node_of(status_of(run), address, &change->primary));
	}
	*findings->last_change = change;
	findings->last_change = &change->next;
	findings->change_count++;
	return change;
}

static void plan_change(struct tn_studio_run *run, const struct tn_studio_said *said)
{
	struct tn_str action = tn_studio_action_word(said->action);
	struct tn_studio_run_change *change = change_of(run, said->address, action);

	if (change && tn_str_is(action, "replace"))
		run->findings.replaced++;
	if (change && !changes_things(run))
		change->done = true; /* 9.5: for plan every entry is a success */
}

static enum tn_studio_phase phase_of(const struct tn_studio_run_change *change,
				     struct tn_str action)
{
	/* The second half of a replacement is still the change of one thing. */
	if (tn_str_is(action, "delete"))
		return TN_STUDIO_DELETE;
	if (tn_str_is(action, "create") && !tn_str_is(change->action, "replace"))
		return TN_STUDIO_CREATE;
	return TN_STUDIO_UPDATE;
}

static void start_change(struct tn_studio_run *run, const struct tn_studio_said *said)
{
	struct tn_studio_run_change *change =
		change_of(run, said->address, tn_studio_action_word(said->action));

	if (!change)
		return;
	/* One that nobody planned: what is deleted and then created was replaced. */
	if (change->started && tn_str_is(change->action, "delete") &&
	    tn_str_is(said->action, "create")) {
		change->action = TN_STR("replace");
		change->halves = 1;
		change->done = false;
	}
	change->started = true;
	if (!tn_str_is(said->action, "read"))
		begin_part(run, change, phase_of(change, said->action));
}

static void complete_change(struct tn_studio_run *run, const struct tn_studio_said *said)
{
	struct tn_studio_run_change *change =
		change_of(run, said->address, tn_studio_action_word(said->action));
	struct tn_studio_part part;
	enum tn_studio_phase phase;

	if (!change)
		return;
	part = part_of(change);
	phase = phase_of(change, said->action);
	if (tn_str_is(change->action, "replace") && ++change->halves < 2) {
		begin_part(run, change, TN_STUDIO_UPDATE);
		return;
	}
	if (tn_str_is(change->action, "replace"))
		phase = TN_STUDIO_UPDATE; /* in whichever order: it is there */
	change->done = true;
	if (change->node_id.size > 0 && !tn_str_is(said->action, "read"))
		tn_studio_status_complete(status_of(run), &part, phase);
}

static void fail_change(struct tn_studio_run *run, struct tn_studio_run_change *change,
			struct tn_str why)
{
	struct tn_studio_part part;

	if (!change)
		return;
	part = part_of(change);
	change->failed = true;
	if (why.size > 0)
		change->error = why;
	if (change->node_id.size > 0 && changes_things(run))
		tn_studio_status_fail(status_of(run), &part,
				      change->error.size > 0 ? change->error : TN_STR("failed"));
}

/* ---- diagnostics ---- */

/* `resource "type" "name"` or `data "type" "name"` of the root module (ST-090); empty: none. */
static struct tn_str address_in(struct tn_studio_run *run, struct tn_str context)
{
	static const char *const kinds[] = {"resource \"", "data \""};

	for (size_t i = 0; i < 2; i++) {
		struct tn_str rest = context, type, name;
		size_t end;

		if (!tn_str_starts(rest, tn_str_from(kinds[i])))
			continue;
		rest = tn_str_from_offset(rest, strlen(kinds[i]));
		end = tn_str_find(rest, TN_STR("\" \""));
		if (end == TN_STR_NONE)
			continue;
		type = tn_str(rest.data, end);
		rest = tn_str_from_offset(rest, end + 3);
		end = tn_str_find_byte(rest, '"');
		if (end == TN_STR_NONE)
			continue;
		name = tn_str(rest.data, end);
		return tn_str_from(tn_arena_format(&run->arena, "%s%.*s.%.*s",
						   i == 1 ? "data." : "", (int)type.size, type.data,
						   (int)name.size, name.data));
	}
	return tn_str(NULL, 0);
}

/* Where the engine says it is: file, line, address, as it says them. */
static void read_place(struct tn_studio_run *run, const struct tn_json *body,
		       struct tn_studio_run_diagnostic *d)
{
	const struct tn_json *range = tn_json_get(body, "range");
	struct tn_str text = {NULL, 0};

	if (tn_json_to_str(tn_json_get(range, "filename"), &text) && text.size > 0)
		d->file = tn_studio_run_clean(run, text);
	(void)tn_json_to_int(tn_json_get(tn_json_get(range, "start"), "line"), &d->line);
	if (d->line < 0 || d->line > INT32_MAX)
		d->line = 0;
	if (tn_json_to_str(tn_json_get(body, "address"), &text) && text.size > 0)
		d->address = tn_studio_run_clean(run, text);
	else if (tn_json_to_str(tn_json_get(tn_json_get(body, "snippet"), "context"), &text))
		d->address = address_in(run, text);
}

static void locate(struct tn_studio_run *run, const struct tn_json *body,
		   struct tn_studio_run_diagnostic *d)
{
	const struct tn_studio_place *place = NULL;
	const struct tn_studio_address *block = NULL;

	read_place(run, body, d);
	if (d->file.size > 0 && d->line > 0)
		place = tn_studio_place_find(&run->generated, d->file, (unsigned)d->line);
	if (d->address.size == 0 && place)
		d->address = place->address;
	if (d->address.size > 0)
		block = tn_studio_address_find(&run->generated, d->address);
	if (block && block->node)
		d->node_id = block->node->id;
	else if (place && place->node)
		d->node_id = place->node->id;
	if (place && place->node && tn_str_equal(place->node->id, d->node_id))
		d->property = place->property;
}

static struct tn_studio_run_diagnostic *add_diagnostic(struct tn_studio_run *run, bool is_error)
{
	struct tn_studio_run_findings *findings = &run->findings;
	struct tn_studio_run_diagnostic *d;

	*(is_error ? &findings->errors : &findings->warnings) += 1;
	if (findings->diagnostic_count >= TN_STUDIO_RUN_DIAGNOSTICS_MAX)
		return NULL;
	d = tn_arena_alloc(&run->arena, sizeof(*d));
	if (!d)
		return NULL;
	d->is_error = is_error;
	*findings->last_diagnostic = d;
	findings->last_diagnostic = &d->next;
	findings->diagnostic_count++;
	return d;
}

/* The address of a diagnostic may lack the instance key that its change has. */
static void blame(struct tn_studio_run *run, const struct tn_studio_run_diagnostic *d)
{
	struct tn_studio_run_change *change = tn_map_get(&run->findings.by_address, d->address);
	struct tn_str why = d->detail.size > 0
				    ? tn_str_from(tn_arena_format(
					      &run->arena, "%.*s: %.*s", (int)d->summary.size,
					      d->summary.data, (int)d->detail.size, d->detail.data))
				    : d->summary;

	for (struct tn_studio_run_change *one = run->findings.changes; one && !change;
	     one = one->next) {
		if (one->started && tn_str_starts(one->address, d->address) &&
		    one->address.size > d->address.size &&
		    one->address.data[d->address.size] == '[')
			change = one;
	}
	if (change && (change->started || !changes_things(run)))
		fail_change(run, change, why);
}

static void hear_diagnostic(struct tn_studio_run *run, const struct tn_json *body)
{
	struct tn_studio_run_diagnostic *d;
	struct tn_str severity = {NULL, 0}, text = {NULL, 0};
	bool is_error;

	(void)tn_json_to_str(tn_json_get(body, "severity"), &severity);
	is_error = !tn_str_is(severity, "warning");
	d = add_diagnostic(run, is_error);
	if (!d)
		return;
	if (tn_json_to_str(tn_json_get(body, "summary"), &text)) {
		run->findings.is_stale |= is_error && tn_str_is(text, "Saved plan is stale");
		d->summary = tn_studio_run_clean(run, text);
	}
	if (tn_json_to_str(tn_json_get(body, "detail"), &text))
		d->detail = tn_studio_run_clean(run, text);
	locate(run, body, d);
	if (is_error && d->address.size > 0)
		blame(run, d);
}

/* ---- outputs ---- */

static void put_clean_value(struct tn_studio_run *run, struct tn_buf *out,
			    const struct tn_json *value)
{
	switch (value->type) {
	case TN_JSON_STRING:
		tn_json_put_str(out, tn_studio_run_clean(run, value->text));
		break;
	case TN_JSON_ARRAY:
		tn_json_begin_array(out);
		for (const struct tn_json *one = value->first; one; one = one->next)
			put_clean_value(run, out, one); /* as deep as the reader let it be */
		tn_json_end_array(out);
		break;
	case TN_JSON_OBJECT:
		tn_json_begin_object(out);
		for (const struct tn_json *one = value->first; one; one = one->next) {
			tn_json_put_key_str(out, tn_studio_run_clean(run, one->key));
			put_clean_value(run, out, one);
		}
		tn_json_end_object(out);
		break;
	default:
		tn_json_put_value(out, value);
	}
}

static void hear_outputs(struct tn_studio_run *run, const struct tn_json *outputs)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_STUDIO_RUN_RESULT_BYTES_MAX / 2);
	tn_json_begin_object(&out);
	for (const struct tn_json *one = outputs->first; one; one = one->next) {
		const struct tn_json *value = tn_json_get(one, "value");
		bool sensitive = false;

		(void)tn_json_to_bool(tn_json_get(one, "sensitive"), &sensitive);
		tn_json_put_key_str(&out, one->key);
		tn_json_begin_object(&out);
		if (sensitive) {
			tn_json_put_member_text(&out, "value", "[redacted]");
		} else {
			tn_json_put_key(&out, "value");
			if (value)
				put_clean_value(run, &out, value);
			else
				tn_json_put_null(&out);
		}
		tn_json_put_member_bool(&out, "sensitive", sensitive);
		tn_json_end_object(&out);
	}
	tn_json_end_object(&out);
	if (!out.failed)
		run->findings.outputs = keep(run, tn_buf_str(&out));
	tn_buf_finish(&out);
}

/* ---- one line ---- */

static void hear_summary(struct tn_studio_run *run, const struct tn_studio_said *said)
{
	struct tn_studio_run_findings *findings = &run->findings;
	struct tn_str operation = tn_utf8_cut(said->operation, sizeof(findings->operation) - 1);

	findings->has_summary = true;
	findings->add = said->add;
	findings->change = said->change;
	findings->remove = said->remove;
	findings->import = said->import;
	(void)snprintf(findings->operation, sizeof(findings->operation), "%.*s",
		       (int)operation.size, operation.size ? operation.data : "");
}

void tn_studio_run_hear(struct tn_studio_run *run, const struct tn_studio_said *said)
{
	switch (said->says) {
	case TN_STUDIO_SAYS_PLANNED:
		plan_change(run, said);
		break;
	case TN_STUDIO_SAYS_SUMMARY:
		hear_summary(run, said);
		break;
	case TN_STUDIO_SAYS_OUTPUTS:
		if (changes_things(run)) /* before an apply they have no values */
			hear_outputs(run, said->body);
		break;
	case TN_STUDIO_SAYS_DIAGNOSTIC:
		hear_diagnostic(run, said->body);
		break;
	case TN_STUDIO_SAYS_START:
		start_change(run, said);
		break;
	case TN_STUDIO_SAYS_COMPLETE:
		complete_change(run, said);
		break;
	case TN_STUDIO_SAYS_ERRORED:
		fail_change(run, change_of(run, said->address, tn_studio_action_word(said->action)),
			    tn_str(NULL, 0));
		break;
	default:
		break;
	}
}

/* ---- the end ---- */

static void read_validation(struct tn_studio_run *run)
{
	struct tn_json *document = NULL;
	const struct tn_json *list;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	if (tn_json_parse_copy(&arena, tn_buf_str(&run->document), &document, NULL) == TENON_OK) {
		list = tn_json_get(document, "diagnostics");
		for (const struct tn_json *one = tn_json_is(list, TN_JSON_ARRAY) ? list->first
										 : NULL;
		     one; one = one->next)
			hear_diagnostic(run, one);
	}
	tn_arena_finish(&arena);
}

/* What ended badly without a diagnostic: a crash, a wrong option, text before the JSON. */
static void add_last_words(struct tn_studio_run *run)
{
	struct tn_studio_run_diagnostic *d = add_diagnostic(run, true);

	if (!d)
		return;
	d->summary = tn_str_from(tn_arena_format(&run->arena, "%s ended with exit code %d",
						 run->engine.name, run->exit_code));
	d->detail = keep(run, tn_str_trim(tn_buf_str(&run->last_words)));
}

static void applied(struct tn_studio_run *run, const struct tn_studio_run_digest *one)
{
	tn_studio_status_applied(status_of(run), one->node_id, one->hex,
				 one->is_priced ? &one->cents : NULL);
}

/* Of an apply that failed or was stopped: what is deployed of a node is what was to be if all of it
 * that was to change is done. */
static void settle_done(struct tn_studio_run *run)
{
	struct tn_map speaks; /* by node: a change of it that is not done, if there is one */

	tn_map_init(&speaks);
	for (struct tn_studio_run_change *one = run->findings.changes; one; one = one->next) {
		const struct tn_studio_run_change *known = tn_map_get(&speaks, one->node_id);

		if (one->node_id.size > 0 && (!known || (known->done && !one->done)) &&
		    tn_map_put(&speaks, one->node_id, one, NULL) != TENON_OK)
			goto out; /* without memory less is known */
	}
	for (size_t i = 0; i < run->digest_count; i++) {
		const struct tn_studio_run_change *one =
			tn_map_get(&speaks, run->digests[i].node_id);

		if (one && one->done)
			applied(run, &run->digests[i]);
	}
out:
	tn_map_finish(&speaks);
}

static void settle_changes(struct tn_studio_run *run)
{
	bool good = run->exit_code == 0;

	/* Moves and the like have no lines of their own. */
	for (struct tn_studio_run_change *one = run->findings.changes; one; one = one->next) {
		if (good && !one->started && !one->failed)
			one->done = true;
	}
	if (run->options.command != TN_STUDIO_APPLY || run->target_count > 0)
		return;
	for (size_t i = 0; good && i < run->digest_count; i++)
		applied(run, &run->digests[i]);
	if (!good)
		settle_done(run);
}

void tn_studio_run_conclude(struct tn_studio_run *run)
{
	if (run->step == TN_STUDIO_STEP_COMMAND && run->options.command == TN_STUDIO_VALIDATE)
		read_validation(run);
	if (run->findings.is_stale && run->options.plan_id)
		(void)tn_studio_fail(
			&run->fault, "STALE_PLAN",
			"The state has changed since the plan was made (the engine says "
			"so). Run plan again.");
	if (run->exit_code != 0 && run->findings.errors == 0 && !run->cancelled && !run->fault.code)
		add_last_words(run);
	if (changes_things(run) && run->step == TN_STUDIO_STEP_COMMAND)
		settle_changes(run);
}
