/* What came of a run, for programs and for readers (studio.md 9.5). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "apps/studio/run/internal.h"
#include "apps/studio/limits.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

enum { CHANGES_SHOWN = 20, ERRORS_SHOWN = 100, DETAIL_SHOWN = 1000 };

const char *tn_studio_run_state_name(enum tn_studio_run_state state)
{
	static const char *const names[] = {"running", "finished", "cancelled", "lost"};

	return names[state];
}

static bool changes_things(const struct tn_studio_run *run)
{
	return run->options.command == TN_STUDIO_APPLY || run->options.command == TN_STUDIO_DESTROY;
}

bool tn_studio_run_success(const struct tn_studio_run *run)
{
	return run->has_exit && run->exit_code == 0 && run->findings.errors == 0 &&
	       !run->fault.code;
}

/* ---- counts ---- */

struct counts {
	int64_t add, change, remove, import, replace;
};

static void count(struct counts *counts, struct tn_str action)
{
	bool replace = tn_str_is(action, "replace");

	counts->replace += replace;
	counts->add += replace || tn_str_is(action, "create");
	counts->remove += replace || tn_str_is(action, "delete");
	counts->change += tn_str_is(action, "update");
	counts->import += tn_str_is(action, "import");
}

/* An apply that failed says only what was planned: what was done is counted here. */
static struct counts counts_of(const struct tn_studio_run *run)
{
	const struct tn_studio_run_findings *findings = &run->findings;
	bool done = strcmp(findings->operation, "plan") != 0;
	struct counts counts = {0};

	if (findings->has_summary && done == changes_things(run))
		return (struct counts){findings->add, findings->change, findings->remove,
				       findings->import, (int64_t)findings->replaced};
	for (const struct tn_studio_run_change *one = findings->changes; one; one = one->next) {
		if (one->done && !one->failed)
			count(&counts, one->action);
	}
	return counts;
}

static void put_plural(struct tn_buf *out, size_t number, const char *word)
{
	tn_buf_format(out, "%zu %s%s", number, word, number == 1 ? "" : "s");
}

static bool went_well(const struct tn_studio_run *run)
{
	return run->has_exit && run->exit_code == 0;
}

/* Of init and validate. */
static void put_verdict(struct tn_buf *out, const struct tn_studio_run *run)
{
	const struct tn_studio_run_findings *findings = &run->findings;

	if (findings->errors == 0 && went_well(run))
		tn_buf_append_text(out, run->options.command == TN_STUDIO_INIT ? "initialised"
									       : "valid");
	else
		put_plural(out, findings->errors, "error");
	if (findings->warnings > 0) {
		tn_buf_append_text(out, ", ");
		put_plural(out, findings->warnings, "warning");
	}
}

static void put_sentence(struct tn_buf *out, const struct tn_studio_run *run)
{
	struct counts n = counts_of(run);
	bool done = changes_things(run);

	if (run->options.command == TN_STUDIO_INIT || run->options.command == TN_STUDIO_VALIDATE) {
		put_verdict(out, run);
		return;
	}
	if (!done && !run->findings.has_summary && !went_well(run)) {
		tn_buf_append_text(out, run->state == TN_STUDIO_RUNNING ? "no plan yet"
									: "no plan was made");
		return;
	}
	tn_buf_format(out,
		      done ? "%lld added, %lld changed, %lld destroyed"
			   : "%lld to add, %lld to change, %lld to destroy",
		      (long long)n.add, (long long)n.change, (long long)n.remove);
	if (n.import > 0)
		tn_buf_format(out, done ? ", %lld imported" : ", %lld to import",
			      (long long)n.import);
}

void tn_studio_run_put_summary(struct tn_buf *out, const struct tn_studio_run *run)
{
	struct counts n = counts_of(run);
	struct tn_buf text;

	tn_buf_init(&text, 4 * TN_KIB);
	put_sentence(&text, run);
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "add", n.add);
	tn_json_put_member_int(out, "change", n.change);
	tn_json_put_member_int(out, "remove", n.remove);
	tn_json_put_member_int(out, "import", n.import);
	tn_json_put_member_int(out, "replace", n.replace);
	tn_json_put_member_str(out, "text", tn_buf_str(&text));
	tn_json_put_member_int(out, "errors", (int64_t)run->findings.errors);
	tn_json_put_member_int(out, "warnings", (int64_t)run->findings.warnings);
	tn_json_end_object(out);
	tn_buf_finish(&text);
}

/* ---- lists ---- */

static void put_some(struct tn_buf *out, const char *key, struct tn_str value)
{
	if (value.size > 0)
		tn_json_put_member_str(out, key, value);
}

static void put_diagnostics(struct tn_buf *out, const struct tn_studio_run *run)
{
	tn_json_begin_array(out);
	for (const struct tn_studio_run_diagnostic *d = run->findings.diagnostics; d; d = d->next) {
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "severity", d->is_error ? "error" : "warning");
		tn_json_put_member_str(out, "summary", d->summary);
		tn_json_put_member_str(out, "detail", d->detail);
		put_some(out, "address", d->address);
		put_some(out, "file", d->file);
		if (d->line > 0)
			tn_json_put_member_int(out, "line", d->line);
		put_some(out, "instanceId", d->node_id);
		put_some(out, "property", d->property);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_changes(struct tn_buf *out, const struct tn_studio_run *run)
{
	tn_json_begin_array(out);
	for (const struct tn_studio_run_change *c = run->findings.changes; c; c = c->next) {
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "address", c->address);
		tn_json_put_member_str(out, "action", c->action);
		tn_json_put_member_bool(out, "success", c->done && !c->failed);
		put_some(out, "error", c->error);
		put_some(out, "instanceId", c->node_id);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static void put_files(struct tn_buf *out, const struct tn_studio_run *run)
{
	tn_json_begin_array(out);
	for (size_t i = 0; i < run->generated.file_count; i++)
		tn_json_put_str(out, run->generated.files[i].name);
	tn_json_end_array(out);
}

static void put_times(struct tn_buf *out, const struct tn_studio_run *run)
{
	char time[TN_CLOCK_ISO_SIZE], uri[TN_STUDIO_RUN_ID_SIZE + 32];

	tn_clock_format_iso(run->started_wall_ms, time);
	(void)snprintf(uri, sizeof(uri), "studio://runs/%s/log", run->id);
	tn_json_put_member_text(out, "startedAt", time);
	if (run->state != TN_STUDIO_RUNNING) {
		tn_clock_format_iso(tn_clock_wall_ms(run->runs->options.clock), time);
		tn_json_put_member_text(out, "finishedAt", time);
	}
	tn_json_put_member_int(
		out, "durationMs",
		(int64_t)(tn_clock_now_ms(run->runs->options.clock) - run->started_ms));
	tn_json_put_member_int(out, "lines", (int64_t)run->line_count);
	tn_json_put_member_text(out, "logUri", uri);
}

void tn_studio_run_put_live(struct tn_buf *out, const struct tn_studio_run *run)
{
	bool good = tn_studio_run_success(run), over = run->state != TN_STUDIO_RUNNING;

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "runId", run->id);
	tn_json_put_member_text(out, "command", tn_studio_command_name(run->options.command));
	tn_json_put_member_text(out, "status", tn_studio_run_state_name(run->state));
	if (over && run->has_exit)
		tn_json_put_member_int(out, "exitCode", run->exit_code);
	if (over)
		tn_json_put_member_bool(out, "success", good);
	tn_json_put_key(out, "summary");
	tn_studio_run_put_summary(out, run);
	tn_json_put_key(out, "diagnostics");
	put_diagnostics(out, run);
	tn_json_put_key(out, "resourceChanges");
	put_changes(out, run);
	if (run->findings.outputs.size > 0)
		tn_json_put_member_raw(out, "outputs", run->findings.outputs);
	if (over && good && run->plan && !run->cancelled)
		tn_json_put_member_text(out, "planId", run->id);
	else if (run->act)
		tn_json_put_member_text(out, "planId", run->act->plan_id);
	tn_json_put_key(out, "engine");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "name", run->engine.name);
	tn_json_put_member_text(out, "version", run->engine.version);
	tn_json_end_object(out);
	put_times(out, run);
	tn_json_put_key(out, "files");
	put_files(out, run);
	if (run->options.actor[0])
		tn_json_put_member_text(out, "actor", run->options.actor);
	tn_json_end_object(out);
}

/* ---- for readers; from the JSON, so that those of earlier processes read the same ---- */

static struct tn_str member(const struct tn_json *object, const char *key)
{
	struct tn_str text = {NULL, 0};

	(void)tn_json_to_str(tn_json_get(object, key), &text);
	return text;
}

static void say_changes(struct tn_buf *out, const struct tn_json *changes)
{
	static const struct {
		const char *action, *sign;
	} signs[] = {{"create", "+"}, {"update", "~"}, {"delete", "-"}, {"replace", "-/+"}};
	unsigned shown = 0;

	for (const struct tn_json *one = changes->first; one; one = one->next) {
		struct tn_str action = member(one, "action"), address = member(one, "address");
		const char *sign = " ";
		bool good = true;

		if (shown++ == CHANGES_SHOWN) {
			tn_buf_format(out, "\n  and %u more", changes->count - CHANGES_SHOWN);
			return;
		}
		for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
			if (tn_str_is(action, signs[i].action))
				sign = signs[i].sign;
		}
		(void)tn_json_to_bool(tn_json_get(one, "success"), &good);
		tn_buf_format(out, "\n  %s %.*s %.*s%s", sign, (int)action.size, action.data,
			      (int)address.size, address.data, good ? "" : " (not done)");
	}
}

static void say_errors(struct tn_buf *out, const struct tn_json *diagnostics)
{
	unsigned shown = 0;

	for (const struct tn_json *one = diagnostics->first; one; one = one->next) {
		struct tn_str summary = member(one, "summary"), file = member(one, "file");
		struct tn_str detail = tn_utf8_cut(member(one, "detail"), DETAIL_SHOWN);
		struct tn_str address = member(one, "address");
		int64_t line = 0;

		if (!tn_str_is(member(one, "severity"), "error") || shown++ >= ERRORS_SHOWN)
			continue;
		(void)tn_json_to_int(tn_json_get(one, "line"), &line);
		tn_buf_format(out, "\nError: %.*s", (int)summary.size, summary.data);
		if (address.size > 0)
			tn_buf_format(out, " (%.*s)", (int)address.size, address.data);
		if (file.size > 0)
			tn_buf_format(out, " at %.*s:%lld", (int)file.size, file.data,
				      (long long)line);
		if (detail.size > 0)
			tn_buf_format(out, "\n  %.*s", (int)detail.size, detail.data);
	}
}

static void say(struct tn_buf *out, const struct tn_json *result, const struct tn_studio_run *run)
{
	enum tn_studio_run_state state = run->state;
	const struct tn_json *changes = tn_json_get(result, "resourceChanges");
	const struct tn_json *diagnostics = tn_json_get(result, "diagnostics");
	struct tn_str command = member(result, "command"), id = member(result, "runId");
	struct tn_str summary = member(tn_json_get(result, "summary"), "text");
	int64_t code = 0, lines = 0;
	bool good = false;

	(void)tn_json_to_bool(tn_json_get(result, "success"), &good);
	(void)tn_json_to_int(tn_json_get(result, "lines"), &lines);
	if (run->rest)
		lines = (int64_t)run->line_count;
	tn_buf_format(out, "%.*s %s", (int)command.size, command.data,
		      state == TN_STUDIO_FINISHED  ? (good ? "succeeded" : "failed")
		      : state == TN_STUDIO_RUNNING ? "is running"
		      : state == TN_STUDIO_LOST    ? "was lost: Tenon ended before it did"
						   : "was cancelled");
	if (tn_json_to_int(tn_json_get(result, "exitCode"), &code) && code != 0)
		tn_buf_format(out, " (exit code %lld)", (long long)code);
	if (state != TN_STUDIO_LOST)
		tn_buf_format(out, ": %.*s", (int)summary.size, summary.data);
	tn_buf_append_byte(out, '.'); /* what a lost one did is in its log, and in the state */
	if (tn_json_is(changes, TN_JSON_ARRAY))
		say_changes(out, changes);
	if (tn_json_is(diagnostics, TN_JSON_ARRAY))
		say_errors(out, diagnostics);
	tn_buf_format(out, "\nRun %.*s, %lld lines: studio://runs/%.*s/log", (int)id.size, id.data,
		      (long long)lines, (int)id.size, id.data);
	if (run->rest) {
		tn_buf_append_byte(out, '\n');
		tn_studio_rest_tell(run->rest, out);
		out->size -= out->size > 0 && !out->failed; /* the line's end */
	}
}

void tn_studio_run_put_stored_summary(struct tn_buf *out, const struct tn_studio_run *run)
{
	const struct tn_json *summary = tn_json_get(tn_json_get(run->record, "result"), "summary");

	if (run->state != TN_STUDIO_LOST || !tn_json_is(summary, TN_JSON_OBJECT)) {
		tn_json_put_value(out, summary);
		return;
	}
	tn_json_begin_object(out);
	for (const struct tn_json *one = summary->first; one; one = one->next) {
		tn_json_put_key_str(out, one->key);
		if (tn_str_is(one->key, "text"))
			tn_json_put_text(out, "not known: Tenon ended before it did");
		else
			tn_json_put_value(out, one);
	}
	tn_json_end_object(out);
}

static void put_record(struct tn_buf *out, const struct tn_studio_run *run)
{
	const struct tn_json *result = tn_json_get(run->record, "result");
	int64_t duration_ms = run->rest ? tn_studio_rest_duration_ms(run->rest) : -1;

	tn_json_begin_object(out);
	for (const struct tn_json *one = tn_json_is(result, TN_JSON_OBJECT) ? result->first : NULL;
	     one; one = one->next) {
		tn_json_put_key_str(out, one->key);
		if (tn_str_is(one->key, "status"))
			tn_json_put_text(out, tn_studio_run_state_name(run->state));
		else if (run->rest && tn_str_is(one->key, "lines"))
			tn_json_put_int(out, (int64_t)run->line_count);
		else if (duration_ms >= 0 && tn_str_is(one->key, "durationMs"))
			tn_json_put_int(out, duration_ms);
		else if (tn_str_is(one->key, "summary"))
			tn_studio_run_put_stored_summary(out, run);
		else
			tn_json_put_value(out, one);
	}
	tn_json_end_object(out);
}

void tn_studio_run_put(struct tn_buf *out, const struct tn_studio_run *run, struct tn_buf *ret_text)
{
	struct tn_json *result = NULL;
	struct tn_arena arena;
	struct tn_buf live;

	if (run->record) {
		put_record(out, run);
		if (ret_text)
			say(ret_text, tn_json_get(run->record, "result"), run);
		return;
	}
	tn_buf_init(&live, TN_STUDIO_RUN_RESULT_BYTES_MAX);
	tn_studio_run_put_live(&live, run);
	tn_json_put_raw(out, tn_buf_str(&live));
	tn_buf_inherit_failure(out, &live);
	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	if (ret_text && !live.failed &&
	    tn_json_parse_copy(&arena, tn_buf_str(&live), &result, NULL) == TENON_OK)
		say(ret_text, result, run);
	tn_arena_finish(&arena);
	tn_buf_finish(&live);
}

/* ---- the plan ---- */

bool tn_studio_run_plan_file(const struct tn_studio_run *run, char *ret_path, size_t size,
			     struct tn_studio_fault *fault)
{
	char path[TN_STUDIO_RUN_PATH_SIZE];

	if (run->options.command == TN_STUDIO_PLAN && run->state != TN_STUDIO_RUNNING &&
	    tn_studio_run_path(path, run->folder, "plan.json") && access(path, F_OK) == 0 &&
	    strlen(path) < size) {
		(void)snprintf(ret_path, size, "%s", path);
		return true;
	}
	return tn_studio_fail(fault, "NOT_FOUND",
			      "%s made no plan. Run plan, and use the runId of its result.",
			      run->id);
}

const char *tn_studio_run_plan_shown(const struct tn_studio_run *run)
{
	return run->plan ? run->plan->shown : "";
}

const struct tn_studio_told *tn_studio_plan_told(const struct tn_studio_run *run)
{
	return run->plan && run->plan->is_told ? &run->plan->told : NULL;
}

bool tn_studio_run_destroys(const struct tn_studio_run *run)
{
	bool destroys = run->options.destroy || run->options.command == TN_STUDIO_DESTROY;

	(void)tn_json_to_bool(tn_json_get(tn_json_get(run->record, "private"), "destroys"),
			      &destroys);
	return destroys;
}

void tn_studio_run_each_change(const struct tn_studio_run *run,
			       void (*each)(struct tn_str address, struct tn_str action,
					    struct tn_str node_id, void *data),
			       void *data)
{
	const struct tn_json *changes =
		tn_json_get(tn_json_get(run->record, "result"), "resourceChanges");

	for (const struct tn_json *one = tn_json_is(changes, TN_JSON_ARRAY) ? changes->first : NULL;
	     one; one = one->next)
		each(member(one, "address"), member(one, "action"), member(one, "instanceId"),
		     data);
}

struct tn_str tn_studio_run_node_of(const struct tn_studio_run *run, struct tn_str address)
{
	const struct tn_json *changes =
		tn_json_get(tn_json_get(run->record, "result"), "resourceChanges");
	const struct tn_studio_address *block;

	if (!run->record) {
		block = tn_studio_address_find(&run->generated, address);
		return block && block->node ? block->node->id : tn_str(NULL, 0);
	}
	for (const struct tn_json *one = tn_json_is(changes, TN_JSON_ARRAY) ? changes->first : NULL;
	     one; one = one->next) {
		if (tn_str_equal(member(one, "address"), address))
			return member(one, "instanceId");
	}
	return tn_str(NULL, 0);
}
