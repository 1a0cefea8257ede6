/* What a run is made of, the checked configuration, made by a worker before it starts: at a
 * thousand nodes that takes longer than the loop may be held. */
#include "apps/studio/run/internal.h"
#include "apps/studio/limits.h"
#include "apps/studio/status/status.h"
#include "base/mem.h"

struct tn_studio_made {
	struct tn_studio_project *fork; /* as it was; with its secrets */
	struct tn_arena arena;
	struct tn_studio_diagnostics diagnostics;
	struct tn_studio_generated generated;
	bool good;
};

static bool make(struct tn_studio_project *project, struct tn_arena *arena,
		 struct tn_studio_diagnostics *list, struct tn_studio_generated *ret,
		 struct tn_studio_fault *fault)
{
	const struct tn_studio_check_options check = {
		.for_run = true, .deployed = tn_studio_status_deployed, .status = project->status};
	const struct tn_studio_generate_options options = {
		.project_name = tn_str_from(project->name), .secrets = project->secrets};
	struct tenon_error err = {0};

	tn_studio_diagnostics_init(list, arena);
	if (tn_studio_document_index(&project->document, &err) != TENON_OK)
		return tn_studio_fail_error(fault, &err);
	tn_studio_check(&project->document, &check, list);
	if (!tn_studio_generate(&project->document, &options, arena, list, ret))
		return tn_studio_fail_memory(fault);
	return true;
}

/* ---- by a worker ---- */

struct tn_studio_made *tn_studio_made_begin(struct tn_studio_project *project)
{
	struct tn_studio_made *made = tn_mem_alloc(sizeof(*made));

	if (!made)
		return NULL;
	*made = (struct tn_studio_made){.good = false};
	if (tn_studio_project_fork(project, &made->fork, NULL) != TENON_OK) {
		tn_mem_free(made);
		return NULL;
	}
	tn_arena_init(&made->arena, TN_STUDIO_ARENA_MAX);
	return made;
}

void tn_studio_made_work(struct tn_studio_made *made)
{
	made->good = make(made->fork, &made->arena, &made->diagnostics, &made->generated, NULL);
}

void tn_studio_made_free(struct tn_studio_made *made)
{
	if (!made)
		return;
	tn_arena_finish(&made->arena);
	tn_studio_project_thaw(made->fork);
	tn_mem_free(made);
}

/* ---- on the loop ---- */

static bool is_current(const struct tn_studio_made *made, const struct tn_studio_project *project)
{
	const struct tn_studio_project *fork = made->fork;

	return made->good && fork->frozen_revision == tn_studio_project_revision(project) &&
	       strcmp(fork->name, project->name) == 0 &&
	       (fork->secrets && project->secrets ? tn_json_equal(fork->secrets, project->secrets)
						  : fork->secrets == project->secrets) &&
	       tn_studio_status_agrees(fork->status, project->status);
}

const struct tn_studio_made *tn_studio_made_of(const struct tn_studio_runs *runs,
					       const struct tn_studio_project *project)
{
	const struct tn_studio_scanned *scanned = runs->scanned;

	while (scanned && scanned->project != project)
		scanned = scanned->next;
	return scanned && scanned->made && is_current(scanned->made, project) ? scanned->made
									      : NULL;
}

void tn_studio_made_drop(struct tn_studio_runs *runs, const struct tn_studio_project *project)
{
	struct tn_studio_scanned *scanned = runs->scanned;

	while (scanned && scanned->project != project)
		scanned = scanned->next;
	if (!scanned)
		return;
	tn_studio_made_free(scanned->made);
	scanned->made = NULL;
}

bool tn_studio_run_generate(const struct tn_studio_runs *runs, struct tn_studio_project *project,
			    struct tn_arena *arena, struct tn_studio_diagnostics *list,
			    struct tn_studio_generated *ret, struct tn_studio_fault *fault)
{
	const struct tn_studio_made *made = tn_studio_made_of(runs, project);

	if (!made)
		return make(project, arena, list, ret, fault);
	*list = made->diagnostics;
	*ret = made->generated;
	return true;
}
