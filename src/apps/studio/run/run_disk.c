/* Runs on disk: .tenon/runs/<runId>/run.json with the log and the plan beside it (studio.md 4.2).
 * Those that an earlier process left running are lost (9.6). */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/studio/run/internal.h"
#include "apps/studio/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "loop/proc_stat.h"
#include "store/file.h"

enum { RUNS_READ_MAX = 1000, TURNS_AT_ONCE = 8 /* of 64 KiB that lost runs left: some ms */ };

/* ---- processes of an earlier life ---- */

uint64_t tn_studio_process_start_time(int pid)
{
	struct tn_proc_stat process;

	/* One that is over and was not waited for is over. */
	return tn_proc_stat_read(pid, &process) && process.state != 'Z' ? process.started : 0;
}

bool tn_studio_process_is(int pid, uint64_t start)
{
	return pid > 0 && kill(pid, 0) == 0 && start > 0 &&
	       tn_studio_process_start_time(pid) == start;
}

/* ---- writing ---- */

static void put_private(struct tn_buf *out, const struct tn_studio_run *run)
{
	int pid = run->process ? tn_studio_process_pid(run->process) : 0;

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "inputs", run->inputs);
	tn_json_put_member_text(out, "state", run->state_mark);
	tn_json_put_member_text(out, "request", run->request);
	tn_json_put_member_text(out, "hidden", run->hidden);
	if (run->plan)
		tn_json_put_member_text(out, "plan", run->plan->file.digest);
	tn_json_put_member_text(out, "actor", run->options.actor);
	tn_json_put_member_bool(out, "person", run->options.person);
	tn_json_put_member_bool(out, "destroys",
				run->options.destroy || run->options.command == TN_STUDIO_DESTROY);
	if (run->state == TN_STUDIO_RUNNING && pid > 0) {
		tn_json_put_member_int(out, "pid", pid);
		tn_json_put_member_int(out, "pidStart", (int64_t)tn_studio_process_start_time(pid));
	}
	tn_json_end_object(out);
}

void tn_studio_run_save(struct tn_studio_run *run)
{
	char path[TN_STUDIO_RUN_PATH_SIZE];

	tn_buf_clear(&run->stored);
	tn_json_begin_object(&run->stored);
	tn_json_put_key(&run->stored, "result");
	tn_studio_run_put_live(&run->stored, run);
	tn_json_put_key(&run->stored, "private");
	put_private(&run->stored, run);
	tn_json_end_object(&run->stored);
	tn_buf_append_byte(&run->stored, '\n');
	if (run->stored.failed || !tn_studio_run_path(path, run->folder, "run.json") ||
	    tn_file_write(path, 0600, tn_buf_str(&run->stored), NULL) != TENON_OK)
		return; /* where it cannot be written the run is known until we end */
}

void tn_studio_run_resave(struct tn_studio_run *run)
{
	char path[TN_STUDIO_RUN_PATH_SIZE];
	struct tn_buf text;

	tn_buf_init(&text, 2 * TN_STUDIO_RUN_RESULT_BYTES_MAX);
	tn_json_begin_object(&text);
	tn_json_put_key(&text, "result");
	tn_studio_run_put(&text, run, NULL);
	tn_json_put_key(&text, "private");
	tn_json_put_value(&text, tn_json_get(run->record, "private"));
	tn_json_end_object(&text);
	tn_buf_append_byte(&text, '\n');
	if (!text.failed && tn_studio_run_path(path, run->folder, "run.json"))
		(void)!tn_file_write(path, 0600, tn_buf_str(&text),
				     NULL); /* the log is what counts */
	tn_buf_finish(&text);
}

/* ---- from running to stored ---- */

static bool read_record(struct tn_studio_run *run)
{
	struct tn_json *record = NULL;

	/* In place: the text is the buffer's and stays with the run. */
	if (run->stored.failed ||
	    tn_json_parse_copy(&run->arena, tn_buf_str(&run->stored), &record, NULL) != TENON_OK)
		return false;
	run->record = record;
	return tn_json_is(tn_json_get(record, "result"), TN_JSON_OBJECT);
}

void tn_studio_run_settle(struct tn_studio_run *run)
{
	tn_studio_findings_finish(&run->findings);
	tn_studio_findings_init(&run->findings);
	for (int i = 0; i < 2; i++) {
		tn_studio_lines_finish(&run->lines[i]);
		tn_studio_lines_init(&run->lines[i]);
	}
	tn_studio_run_log_close(&run->log);
	tn_timer_close(run->grace);
	run->grace = NULL;
	tn_buf_finish(&run->document);
	tn_buf_finish(&run->last_words);
	tn_arena_finish(&run->arena);
	tn_arena_init(&run->arena, TN_STUDIO_RUN_ARENA_MAX);
	run->generated = (struct tn_studio_generated){0};
	run->digests = NULL;
	run->env = NULL;
	run->options.actor = run->options.principal = run->options.plan_id = "";
	tn_studio_act_free(run->act);
	run->act = NULL;
	run->targets = run->replace = NULL;
	run->target_count = run->replace_count = run->digest_count = 0;
	run->engine = (struct tn_studio_engine){.path = NULL};
	if (!read_record(run))
		run->record = NULL;
	tn_buf_finish(&run->stored);
}

void tn_studio_run_free(struct tn_studio_run *run)
{
	if (!run)
		return;
	tn_studio_rest_close(run->rest);
	tn_studio_process_free(run->process);
	tn_studio_capture_free(run->capture);
	tn_timer_close(run->grace);
	tn_studio_findings_finish(&run->findings);
	for (int i = 0; i < 2; i++)
		tn_studio_lines_finish(&run->lines[i]);
	tn_studio_run_log_close(&run->log);
	tn_studio_plan_drop(run);
	tn_studio_act_free(run->act);
	while (run->watchers) {
		struct tn_studio_run_watcher *watcher = run->watchers;

		run->watchers = watcher->next;
		tn_mem_free(watcher);
	}
	tn_buf_finish(&run->document);
	tn_buf_finish(&run->last_words);
	tn_buf_finish(&run->stored);
	tn_arena_finish(&run->arena);
	tn_mem_free(run->folder);
	tn_mem_free(run->directory);
	tn_mem_free(run);
}

/* ---- reading ---- */

static bool is_run_id(const char *name)
{
	size_t size = strlen(name);

	return size == TN_STUDIO_RUN_ID_SIZE - 2 && strncmp(name, "run_", 4) == 0 &&
	       strspn(name + 4, "abcdefghijklmnopqrstuvwxyz0123456789") == size - 4;
}

static bool read_enums(struct tn_studio_run *run, const struct tn_json *result)
{
	struct tn_str command = {NULL, 0}, status = {NULL, 0}, time = {NULL, 0};
	int which = -1;

	(void)tn_json_to_str(tn_json_get(result, "command"), &command);
	(void)tn_json_to_str(tn_json_get(result, "status"), &status);
	for (int i = TN_STUDIO_INIT; i <= TN_STUDIO_DESTROY; i++) {
		if (tn_str_is(command, tn_studio_command_name((enum tn_studio_command)i)))
			which = i;
	}
	if (which < 0 || !tn_json_to_str(tn_json_get(result, "startedAt"), &time) ||
	    !tn_clock_parse_iso(time, &run->started_wall_ms))
		return false;
	run->options.command = (enum tn_studio_command)which;
	run->state = tn_str_is(status, "finished")    ? TN_STUDIO_FINISHED
		     : tn_str_is(status, "cancelled") ? TN_STUDIO_CANCELLED
						      : TN_STUDIO_LOST;
	return true;
}

static struct tn_studio_run *read_run(struct tn_studio_runs *runs,
				      struct tn_studio_project *project, const char *id)
{
	struct tn_studio_run *run = tn_studio_run_new(runs, project, id);
	char path[TN_STUDIO_RUN_PATH_SIZE];

	if (!run)
		return NULL;
	if (tn_studio_run_path(path, run->folder, "run.json") &&
	    tn_file_read(path, TN_FILE_REGULAR_ONLY | TN_FILE_NO_FOLLOW, &run->stored, NULL) ==
		    TENON_OK &&
	    read_record(run) && read_enums(run, tn_json_get(run->record, "result"))) {
		tn_buf_finish(&run->stored);
		return run;
	}
	tn_studio_run_free(run);
	return NULL;
}

/* Newest first. */
static void insert(struct tn_studio_runs *runs, struct tn_studio_run *run)
{
	struct tn_studio_run **at = &runs->first;

	while (*at && (*at)->started_wall_ms > run->started_wall_ms)
		at = &(*at)->next;
	run->next = *at;
	*at = run;
}

static void look_for_orphan(struct tn_studio_scanned *scanned, const struct tn_studio_run *run)
{
	const struct tn_json *record = tn_json_get(run->record, "private");
	int64_t pid = 0, start = 0;

	if (run->state != TN_STUDIO_LOST || !tn_json_to_int(tn_json_get(record, "pid"), &pid) ||
	    !tn_json_to_int(tn_json_get(record, "pidStart"), &start) || pid <= 1 ||
	    pid > INT32_MAX || start <= 0 || !tn_studio_process_is((int)pid, (uint64_t)start))
		return;
	scanned->orphan = (int)pid;
	scanned->orphan_start = (uint64_t)start;
	(void)snprintf(scanned->orphan_run, sizeof(scanned->orphan_run), "%s", run->id);
}

static void read_all(struct tn_studio_runs *runs, struct tn_studio_scanned *scanned)
{
	char path[TN_STUDIO_RUN_PATH_SIZE];
	const struct dirent *entry;
	unsigned count = 0, turns = TURNS_AT_ONCE;
	DIR *folder = NULL;

	if (tn_studio_run_path(path, scanned->project->path, ".tenon/backend.tfbackend"))
		(void)unlink(path); /* of a process that was killed while it initialised */
	if (tn_studio_run_path(path, scanned->project->path, ".tenon/runs"))
		folder = opendir(path);
	while (folder && count < RUNS_READ_MAX && (entry = readdir(folder)) != NULL) {
		struct tn_studio_run *run;

		if (!is_run_id(entry->d_name))
			continue;
		count++;
		run = read_run(runs, scanned->project, entry->d_name);
		if (!run)
			continue;
		insert(runs, run);
		look_for_orphan(scanned, run);
		tn_studio_rest_open(run, &turns);
	}
	if (folder)
		(void)closedir(folder); /* only read from */
}

struct tn_studio_scanned *tn_studio_runs_scan(struct tn_studio_runs *runs,
					      struct tn_studio_project *project)
{
	struct tn_studio_scanned *scanned = runs->scanned;

	while (scanned && scanned->project != project)
		scanned = scanned->next;
	if (scanned)
		return scanned;
	scanned = tn_mem_alloc(sizeof(*scanned));
	if (!scanned)
		return NULL;
	*scanned = (struct tn_studio_scanned){.project = project, .next = runs->scanned};
	runs->scanned = scanned;
	read_all(runs, scanned);
	return scanned;
}

/* ---- keeping 50 ---- */

static void remove_files(const struct tn_studio_run *run)
{
	static const char *const names[] = {"run.json",  "log.jsonl", "plan.tfplan",
					    "plan.json", "stdout",    "stderr"};
	char path[TN_STUDIO_RUN_PATH_SIZE];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (tn_studio_run_path(path, run->folder, names[i]))
			(void)unlink(path); /* it may not be there */
	}
	(void)rmdir(run->folder); /* what else lies in it is not ours */
}

void tn_studio_runs_prune(struct tn_studio_runs *runs, struct tn_studio_project *project)
{
	struct tn_studio_run **at = &runs->first;
	unsigned count = 0;

	while (*at) {
		struct tn_studio_run *run = *at;

		if (run->project != project || run->state == TN_STUDIO_RUNNING || run->capture ||
		    ++count < TN_STUDIO_RUNS_KEPT) {
			at = &run->next;
			continue;
		}
		*at = run->next;
		remove_files(run);
		tn_studio_run_free(run);
	}
}
