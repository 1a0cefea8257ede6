/* Reading the files that a run stands on beside ours, and the state, by a worker: what it found is
 * kept for the project (run_known.c). */
#include "apps/studio/run/internal.h"
#include "base/mem.h"

struct tn_studio_reading {                 /* a worker's, but for what the loop does with it */
	struct tn_studio_runs *runs;       /* NULL: they have gone */
	struct tn_studio_project *project; /* NULL: it has */
	struct tn_studio_reading *next;
	void (*then)(void *data);
	void *data;
	char directory[TN_STUDIO_RUN_PATH_SIZE];
	struct tn_studio_known *known;
	struct tn_studio_made *made; /* NULL: not wanted, or there is one */
};

static void work(void *data, const atomic_bool *cancelled)
{
	struct tn_studio_reading *reading = data;

	tn_studio_known_read(reading->known, reading->directory, cancelled);
	if (reading->made && !*cancelled)
		tn_studio_made_work(reading->made);
}

const struct tn_studio_known *tn_studio_known_of(const struct tn_studio_runs *runs,
						 const struct tn_studio_project *project)
{
	const struct tn_studio_scanned *scanned = runs->scanned;

	while (scanned && scanned->project != project)
		scanned = scanned->next;
	return scanned ? scanned->known : NULL;
}

static void keep(struct tn_studio_reading *reading)
{
	struct tn_studio_scanned *scanned =
		reading->project ? tn_studio_runs_scan(reading->runs, reading->project) : NULL;

	if (!scanned)
		return;
	tn_studio_known_free(scanned->known);
	scanned->known = reading->known;
	reading->known = NULL;
	if (reading->made) {
		tn_studio_made_free(scanned->made);
		scanned->made = reading->made;
		reading->made = NULL;
	}
}

static void done(void *data, bool cancelled)
{
	struct tn_studio_reading *reading = data;
	struct tn_studio_reading **at = reading->runs ? &reading->runs->readings : NULL;

	(void)cancelled;
	while (at && *at && *at != reading)
		at = &(*at)->next;
	if (at && *at) {
		*at = reading->next;
		keep(reading);
	}
	if (reading->then)
		reading->then(reading->data);
	tn_studio_known_free(reading->known);
	tn_studio_made_free(reading->made);
	tn_mem_free(reading);
}

void tn_studio_files_forget(struct tn_studio_runs *runs, const struct tn_studio_project *project)
{
	for (struct tn_studio_reading *one = runs->readings; one; one = one->next) {
		if (!project || one->project == project)
			one->project = NULL;
	}
	while (!project && runs->readings) { /* their ends free them */
		runs->readings->runs = NULL;
		runs->readings = runs->readings->next;
	}
}

void tn_studio_files_give_up(struct tn_studio_runs *runs, const void *data)
{
	for (struct tn_studio_reading *one = runs->readings; one; one = one->next) {
		if (one->data == data)
			one->then = NULL;
	}
}

bool tn_studio_files_read(struct tn_studio_runs *runs, struct tn_studio_project *project,
			  bool generates, void (*then)(void *data), void *data,
			  struct tn_studio_fault *fault)
{
	struct tn_studio_reading *reading = tn_mem_alloc(sizeof(*reading));
	struct tn_studio_known *known = tn_studio_known_new();
	struct tenon_error err = {0};
	struct tn_job *job;

	if (!reading || !known) {
		tn_mem_free(reading);
		tn_studio_known_free(known);
		return tn_studio_fail_memory(fault);
	}
	*reading = (struct tn_studio_reading){
		.runs = runs, .project = project, .then = then, .data = data, .known = known};
	if (!tn_studio_run_path(reading->directory, project->path, "terraform"))
		reading->directory[0] = '\0'; /* nothing is there */
	if (generates && !tn_studio_made_of(runs, project))
		reading->made = tn_studio_made_begin(project);
	if (tn_job_start(runs->options.loop, work, done, reading, &job, &err) != TENON_OK) {
		tn_studio_known_free(known);
		tn_studio_made_free(reading->made);
		tn_mem_free(reading);
		return tn_studio_fail_error(fault, &err);
	}
	reading->next = runs->readings;
	runs->readings = reading;
	return true;
}
