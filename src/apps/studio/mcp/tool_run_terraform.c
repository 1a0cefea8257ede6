/* run_terraform: init, validate, plan, apply, destroy (FR-23, FR-24; studio.md section 9). */
#include <stdio.h>
#include <string.h>

#include "apps/studio/mcp/tool_run.h"
#include "apps/studio/limits.h"
#include "apps/studio/mcp/tools.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/consent.h"

enum {
	PLANS_MAX = 3,             /* of one call, when what it is about changes meanwhile */
	QUESTION_BYTES_MAX = 3700, /* of 4,096 that may be shown: the rest is said to be left out */
	NAMES_BYTES_MAX = 1200
};

/* ---- arguments ---- */

static bool flag(const struct tenon_call *call, const char *name)
{
	bool value = false;

	(void)tenon_call_bool(call, name, &value);
	return value;
}

static void read_options(struct tenon_call *call, struct tn_studio_run_options *ret)
{
	const struct tn_json *arguments = tn_call_arguments(call);
	const char *command = tenon_call_text(call, "command");

	*ret = (struct tn_studio_run_options){.plan_id = tenon_call_text(call, "planId"),
					      .destroy = flag(call, "destroy"),
					      .refresh_only = flag(call, "refreshOnly"),
					      .upgrade = flag(call, "upgrade"),
					      .reconfigure = flag(call, "reconfigure"),
					      .migrate_state = flag(call, "migrateState"),
					      .force = flag(call, "force"),
					      .targets = tn_json_get(arguments, "targets"),
					      .replace = tn_json_get(arguments, "replace"),
					      .actor = tn_studio_actor_of(call),
					      .principal = tenon_call_principal(call),
					      .person = tenon_call_is_person(call)};
	for (int i = TN_STUDIO_INIT; i <= TN_STUDIO_DESTROY; i++) {
		if (command &&
		    strcmp(command, tn_studio_command_name((enum tn_studio_command)i)) == 0)
			ret->command = (enum tn_studio_command)i;
	}
	if (ret->targets && ret->targets->count == 0)
		ret->targets = NULL;
	if (ret->replace && ret->replace->count == 0)
		ret->replace = NULL;
}

/* ---- consent (ST-081, ST-085) ---- */

/* Consent to what it is now, byte for byte; that, and nothing else, is trusted afterwards. */
static bool consent_to_trust(struct tenon_call *call, struct tn_studio_project *project,
			     struct tn_buf *detail, const char *digest)
{
	struct tn_studio_fault fault = {.code = NULL};
	char summary[640];
	/* Of this project: its folder stands in the detail, with the digest. */
	const struct tenon_act act = {.kind = "trust",
				      .summary = summary,
				      .detail = detail->failed ? "" : detail->data,
				      .exactly = detail->failed ? "" : detail->data,
				      .exactly_size = detail->failed ? 0 : detail->size};

	(void)snprintf(summary, sizeof(summary),
		       "Trust what the project %s brings to run with Terraform", project->name);
	if (!tenon_call_consent(call, &act))
		return false;
	if (tn_studio_project_trust(project, digest, &fault))
		return true;
	tn_studio_reply_fault(call, &fault);
	return false;
}

/* Line by line behind a mark, so that none of them passes for one of ours, and no emptiness pushes
 * another out of sight. */
static void put_marked(struct tn_buf *detail, struct tn_str text)
{
	struct tn_str rest = text;
	bool was_empty = true;

	while (rest.size > 0 && detail->size < QUESTION_BYTES_MAX) {
		size_t end = tn_str_find_byte(rest, '\n');
		struct tn_str line = end == TN_STR_NONE ? rest : tn_str(rest.data, end);
		bool is_empty = tn_str_trim(line).size == 0;

		if (!is_empty || !was_empty) {
			tn_buf_append_text(detail, "\n| ");
			tn_utf8_put_line(detail,
					 tn_utf8_cut(line, QUESTION_BYTES_MAX - detail->size));
		}
		was_empty = is_empty;
		rest = tn_str_from_offset(rest, line.size + (end != TN_STR_NONE));
	}
	if (rest.size > 0)
		tn_buf_format(detail, "\nand %zu bytes more, which generate_hcl shows", rest.size);
}

/* A person's yes to what a project can run. False: the call waits, or has ended. */
static bool ask_trust(struct tenon_call *call, struct tn_studio_door *door,
		      struct tn_studio_project *project, const struct tn_studio_fault *why)
{
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_studio_trust trust;
	struct tn_buf detail;
	bool good;

	if (!tn_consent_can_ask(call) && !tn_consent_environment(call->server)) {
		tn_studio_reply_fault(call, why);
		return false;
	}
	if (!tn_studio_run_trust(door->runs, project, &trust, &fault)) {
		tn_studio_reply_fault(call, &fault);
		return false;
	}
	if (trust.is_outside || trust.too_many) { /* a yes would not help */
		tn_studio_trust_finish(&trust);
		tn_studio_reply_fault(call, why);
		return false;
	}
	tn_buf_init(&detail, TN_MIB);
	tn_buf_format(
		&detail,
		"Folder: %s\nThe engine can run programs and read files by these, which were "
		"not made here: %.*s%s\nDigest: %s",
		project->path,
		(int)(trust.names.size < NAMES_BYTES_MAX ? trust.names.size : NAMES_BYTES_MAX),
		trust.names.size ? trust.names.data : "",
		trust.names.size < NAMES_BYTES_MAX ? "" : ", and more", trust.digest);
	put_marked(&detail, tn_buf_str(&trust.text));
	tn_buf_append_byte(&detail, '\0');
	good = consent_to_trust(call, project, &detail, trust.digest);
	tn_buf_finish(&detail);
	tn_studio_trust_finish(&trust);
	return good;
}

/* What is remembered of all that exists goes elsewhere, or over what is there (9.6). False: the
 * call waits, or has ended. */
static bool consent_to_move(struct tenon_call *call, const struct tn_studio_project *project)
{
	const struct tn_json *backend = tn_json_get(project->document.config, "backend");
	struct tn_buf shown, where;
	char summary[640];
	struct tenon_act act = {.kind = "apply", .summary = summary};
	bool good;

	tn_buf_init(&where, TN_MIB);
	tn_buf_init(&shown, TN_MIB);
	if (backend)
		tn_json_put_value(&where, backend);
	else
		tn_buf_append_text(&where, "a local file");
	tn_buf_append_byte(&where, '\0');
	tn_buf_append_text(&where, project->path); /* another project's state is another act */
	(void)snprintf(summary, sizeof(summary), "Move the state of %s to another backend",
		       project->name);
	tn_buf_format(&shown, "Folder: %s\nThe state goes over whatever state is there, to: ",
		      project->path);
	if (!where.failed)
		tn_studio_redact(project, tn_str_from(where.data), &shown);
	tn_buf_append_byte(&shown, '\0');
	if (shown.failed || where.failed) {
		tenon_call_fail(call, "out of memory");
		good = false;
	} else {
		act.detail = shown.data;
		act.exactly = where.data;
		act.exactly_size = where.size;
		good = tenon_call_consent(call, &act);
	}
	tn_buf_finish(&where);
	tn_buf_finish(&shown);
	return good;
}

static bool is_untrusted(const struct tn_studio_fault *fault)
{
	return fault->code && strcmp(fault->code, "UNTRUSTED_PROJECT") == 0;
}

static void fail(struct tenon_call *call, struct tn_studio_fault *fault)
{
	if (!fault->code)
		(void)tn_studio_fail_memory(fault);
	tn_studio_reply_fault(call, fault);
}

/* Starts it. NULL: the call waits, or has ended. */
static struct tn_studio_run *try_start(struct tenon_call *call, struct tn_studio_door *door,
				       struct tn_studio_project *project,
				       const struct tn_studio_run_options *options)
{
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_studio_run *run = NULL;

	if (tn_studio_run_start(door->runs, project, options, &run, &fault))
		return run;
	if (is_untrusted(&fault)) {
		if (!ask_trust(call, door, project, &fault))
			return NULL;
		if (tn_studio_run_start(door->runs, project, options, &run, &fault))
			return run;
	}
	fail(call, &fault);
	return NULL;
}

/* ---- the way of a call ---- */

static bool changes_things(enum tn_studio_command command)
{
	return command == TN_STUDIO_APPLY || command == TN_STUDIO_DESTROY;
}

static void begin_waiting(struct tn_studio_wait *wait, struct tn_studio_run *run)
{
	const struct tenon_task_options task = {.message = "The engine runs"};
	int64_t wait_ms = -1;

	if (!tenon_call_int(wait->call, "waitMs", &wait_ms))
		(void)tenon_call_start_task(wait->call, &task); /* it goes on either way */
	tn_studio_wait_for(wait, run, true, wait_ms);
}

static void proceed(struct tenon_call *call, void *data);

/* ---- apply and destroy: the plan first, then the question, then exactly that plan ---- */

static void fail_unread(struct tenon_call *call, const struct tn_studio_run *plan)
{
	struct tn_studio_fault fault;

	if (tn_studio_plan_unread(plan)) {
		tn_studio_reply_fault(call, tn_studio_plan_unread(plan));
		return;
	}
	(void)tn_studio_fail(&fault, "ENGINE_FAILED",
			     "What the plan %s does cannot be read, so nobody can be asked about "
			     "it. Run plan again.",
			     tn_studio_run_id(plan));
	tn_studio_reply_fault(call, &fault);
}

static void planned(struct tn_studio_wait *wait, struct tn_studio_run *run)
{
	wait->then = NULL;
	wait->lines_before += tn_studio_run_lines(run);
	tenon_call_on_cancel(wait->call, NULL, NULL);
	if (tn_studio_run_is_cancelled(run))
		tn_studio_reply_run(wait->call, run, wait->log_from);
	else if (tn_studio_run_has_plan(run))
		tenon_call_after(wait->call, 0, proceed, wait); /* from there it may ask */
	else if (tn_studio_run_went_well(run))
		fail_unread(wait->call, run);
	else
		tn_studio_reply_run(wait->call, run, wait->log_from); /* why there is none */
}

static void plan_first(struct tn_studio_wait *wait, struct tn_studio_project *project,
		       const struct tn_studio_run_options *options)
{
	struct tn_studio_run_options plan = tn_studio_act_plan_options(options);
	struct tn_studio_run *run;

	if (wait->plans++ >= PLANS_MAX) {
		struct tn_studio_fault fault;

		(void)tn_studio_fail(&fault, "STALE_PLAN",
				     "What would be applied changed each time while it was "
				     "planned. Nothing was done; try again when it is quiet.");
		tn_studio_reply_fault(wait->call, &fault);
		return;
	}
	run = try_start(wait->call, wait->door, project, &plan);
	if (!run)
		return;
	wait->then = planned;
	wait->stops_run = true;
	(void)tn_studio_wait_watch(wait, run);
}

static void read_done(struct tn_studio_wait *wait, struct tn_studio_run *run)
{
	wait->then = NULL;
	tenon_call_on_cancel(wait->call, NULL, NULL);
	if (tn_studio_run_has_plan(run))
		tenon_call_after(wait->call, 0, proceed, wait);
	else
		fail_unread(wait->call, run);
}

static void read_plan(struct tn_studio_wait *wait, struct tn_studio_run *plan)
{
	struct tn_studio_fault fault = {.code = NULL};

	wait->then = read_done;
	wait->stops_run = false;
	if (tn_studio_wait_watch(wait, plan) && !tn_studio_plan_read(plan, &fault))
		fail(wait->call, &fault);
}

/* Asked about, and carried out from what is held. While a person thinks nothing is: it is opened
 * and hashed again when there is an answer, which counts for the same digest only. */
static void decide(struct tenon_call *call, void *data)
{
	struct tn_studio_wait *wait = data;
	struct tn_studio_project *project;
	struct tn_studio_run_options options;
	struct tn_studio_run *run = NULL;

	if (!wait->act) {
		proceed(call, data);
		return;
	}
	read_options(call, &options);
	options.act = wait->act;
	wait->act = NULL;
	if (tenon_call_cancelled(call))
		tenon_call_fail(call, "cancelled");
	else if ((project = tn_studio_project_of(call, wait->door)) != NULL &&
		 tn_studio_ask(call, wait->door, project, options.act))
		run = try_start(call, wait->door, project, &options);
	if (!run) {
		tn_studio_act_free(options.act);
		return;
	}
	tn_studio_say_destructive(call, wait->door, project, options.command);
	begin_waiting(wait, run);
}

static void given_up(struct tenon_call *call, void *data)
{
	struct tn_studio_wait *wait = data;

	tn_studio_act_give_up(wait->opening);
	wait->opening = NULL;
	tenon_call_fail(call, "cancelled"); /* nobody reads it */
}

static void opened(struct tn_studio_act *act, const struct tn_studio_fault *fault, void *data)
{
	struct tn_studio_wait *wait = data;

	wait->opening = NULL;
	wait->act = act;
	tenon_call_on_cancel(wait->call, NULL, NULL);
	if (act)
		tenon_call_after(wait->call, 0, decide, wait); /* from there it may ask */
	else
		tn_studio_reply_fault(wait->call, fault);
}

static void change(struct tn_studio_wait *wait, struct tn_studio_project *project,
		   const struct tn_studio_run_options *options)
{
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_studio_run *plan = NULL;

	switch (tn_studio_act_find(wait->door->runs, project, options, &plan, &fault)) {
	case TN_STUDIO_ACT_UNPLANNED:
		plan_first(wait, project, options);
		return;
	case TN_STUDIO_ACT_UNREAD:
		read_plan(wait, plan);
		return;
	case TN_STUDIO_ACT_REFUSED:
		if (!is_untrusted(&fault))
			fail(wait->call, &fault);
		else if (ask_trust(wait->call, wait->door, project,
				   &fault)) /* first: nobody is asked twice */
			tenon_call_after(wait->call, 0, proceed, wait);
		return;
	case TN_STUDIO_ACT_READY:
		break;
	}
	if (tn_studio_act_open(wait->door->runs, project, options, plan, opened, wait,
			       &wait->opening, &fault))
		tenon_call_on_cancel(wait->call, given_up, wait);
	else
		fail(wait->call, &fault);
}

static void start(struct tn_studio_wait *wait, struct tn_studio_project *project)
{
	struct tn_studio_run_options options;
	struct tn_studio_run *run;

	read_options(wait->call, &options);
	if (changes_things(options.command)) {
		change(wait, project, &options);
		return;
	}
	if (options.command == TN_STUDIO_INIT && options.migrate_state &&
	    !consent_to_move(wait->call, project))
		return;
	run = try_start(wait->call, wait->door, project, &options);
	if (run)
		begin_waiting(wait, run);
}

static void go_on(struct tenon_call *call, void *data)
{
	struct tn_studio_wait *wait = data;
	struct tn_studio_project *project;

	if (tenon_call_cancelled(call)) {
		tenon_call_fail(call, "cancelled");
		return;
	}
	project = tn_studio_project_of(call, wait->door);
	if (project)
		start(wait, project);
}

/* The files were read; the call may have gone meanwhile. */
static void looked(void *data)
{
	struct tn_studio_wait *wait = data;

	wait->is_looking = false;
	if (!wait->call)
		tn_mem_free(wait);
	else
		tenon_call_after(wait->call, 0, go_on, wait); /* from there it may ask */
}

/* What it goes by is read first, by a worker. */
static void proceed(struct tenon_call *call, void *data)
{
	struct tn_studio_wait *wait = data;
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_studio_project *project;

	if (tenon_call_cancelled(call)) {
		tenon_call_fail(call, "cancelled");
		return;
	}
	project = tn_studio_project_of(call, wait->door);
	if (!project)
		return;
	wait->is_looking =
		tn_studio_files_read(wait->door->runs, project, true, looked, wait, &fault);
	if (!wait->is_looking)
		fail(call, &fault);
}

/* The engine is looked for; the call may have gone meanwhile. */
static void found(const struct tn_studio_engine *engine, const struct tn_studio_fault *fault,
		  void *data)
{
	struct tn_studio_wait *wait = data;
	struct tenon_call *call = wait->call;

	wait->is_looking = false;
	if (!call)
		tn_mem_free(wait);
	else if (tenon_call_cancelled(call))
		tenon_call_fail(call, "cancelled");
	else if (!engine)
		tn_studio_reply_fault(call, fault);
	else
		tenon_call_after(call, 0, proceed, wait); /* from there it may ask */
}

void tn_studio_call_run_terraform(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_wait *wait;

	if (tn_studio_guard(call) || !tn_studio_project_of(call, door))
		return;
	wait = tn_studio_wait_of(call, door);
	if (!wait)
		return;
	wait->is_looking = true;
	tn_studio_engine_find(door->runs, found, wait);
}
