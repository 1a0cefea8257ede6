#include "apps/workbench/workspace/load.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "apps/workbench/edit/recover.h"
#include "apps/workbench/limits.h"
#include "apps/workbench/workspace/claiming.h"
#include "apps/workbench/workspace/evaluate.h"
#include "apps/workbench/workspace/stay.h"
#include "base/mem.h"

/* ---- in the worker ---- */

enum { ANCESTORS_MAX = 64 };

/* The folders where packages may lie: the root and those above it, up to the one with .git (C7). */
static size_t package_folders(char *root, const char *list[ANCESTORS_MAX + 1])
{
	size_t count = 0;

	while (count < ANCESTORS_MAX) {
		char *copy = tn_mem_copy_text(root, strlen(root));
		char git[4096], *slash = strrchr(root, '/');

		if (!copy)
			break;
		list[count++] = copy;
		(void)snprintf(git, sizeof(git), "%s/.git", root);
		if (access(git, F_OK) == 0 || !slash || slash == root)
			break;
		*slash = '\0';
	}
	list[count] = NULL;
	return count;
}

static enum tenon_code read_config(struct tn_wb_load *load)
{
	const char *const own[] = {load->root, NULL};
	const char *packages[ANCESTORS_MAX + 1];
	char *at = tn_mem_copy_text(load->root, strlen(load->root));
	size_t count = at ? package_folders(at, packages) : 0;
	struct tn_roots roots = {0}, all = {0};
	struct tn_wb_config_options options = {.roots = &roots,
					       .packages = &all,
					       .trusted = load->trusted,
					       .evaluated = &load->evaluated,
					       .want = &load->want};
	enum tenon_code code = tn_roots_init(&roots, own, &load->err);

	packages[count] = NULL;
	if (code == TENON_OK) {
		code = tn_roots_init(&all, packages, &load->err);
		if (code == TENON_OK) {
			code = tn_wb_config_read(&options, &load->config, &load->err);
			tn_roots_finish(&all);
		}
		tn_roots_finish(&roots);
	}
	for (size_t i = 0; i < count; i++)
		tn_mem_free((char *)packages[i]);
	tn_mem_free(at);
	return code;
}

static enum tenon_code look_at_drafts(struct tn_wb_load *load)
{
	struct tn_wb_drafts_options options = {-1, load->clock, load->loop};

	load->root_fd = open(load->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (load->root_fd < 0)
		return tn_fail_errno(&load->err, errno, "the folder");
	if (!load->first)
		return tn_wb_disk_look(&load->look, load->root_fd, &load->err);
	options.root_fd = load->root_fd;
	return tn_wb_drafts_open(&options, &load->drafts, &load->err);
}

static void work(void *data, const atomic_bool *cancelled)
{
	struct tn_wb_load *load = data;

	if (load->first)
		(void)tn_wb_edits_recover(load->root); /* what was killed while it saved */
	load->code = read_config(load);
	if (load->code == TENON_OK && load->want.any) {
		load->prepare_code = tn_wb_prepare(&load->prepare, &load->err);
		return;
	}
	if (load->code == TENON_OK && !atomic_load(cancelled))
		load->code = tn_wb_load_sources(load, cancelled);
	if (load->code == TENON_OK)
		load->code = look_at_drafts(load);
}

/* ---- on the loop ---- */

static void free_load(struct tn_wb_load *load)
{
	tn_wb_scratch_remove(load->prepare.made);
	tn_wb_evaluated_finish(&load->evaluated);
	tn_buf_finish(&load->want.question);
	tn_wb_config_destroy(load->config);
	tn_wb_registry_free(load->registry);
	tn_wb_source_found_finish(&load->found);
	tn_wb_claims_finish(&load->claims);
	tn_wb_claims_finish(&load->before);
	tn_wb_graph_destroy(load->graph);
	tn_wb_source_close(load->source);
	tn_wb_drafts_close(load->drafts);
	tn_wb_disk_look_finish(&load->look);
	if (load->root_fd >= 0)
		(void)close(load->root_fd);
	tn_wb_diagnostics_finish(&load->registry_diagnostics);
	tn_wb_diagnostics_finish(&load->graph_diagnostics);
	tn_mem_free(load->root);
	tn_mem_free(load);
}

static void give_back(struct tn_wb_load *load, struct tn_wb_workspace *workspace)
{
	workspace->source = load->source;
	load->source = NULL;
	workspace->evaluated = load->evaluated;
	tn_wb_evaluated_init(&load->evaluated);
	workspace->claims = load->before;
	load->before = (struct tn_wb_claims){0};
}

static void settle(struct tn_wb_workspace *workspace, struct tn_wb_load *load)
{
	workspace->load = NULL;
	workspace->load_waits = false;
	give_back(load, workspace);
	if (load->code == TENON_OK && load->want.any)
		tn_wb_evaluate(workspace, load, tn_wb_workspace_read_again);
	else
		tn_wb_workspace_take(workspace, load);
	workspace->sources_free(workspace);
	free_load(load);
}

static void done(void *data, bool cancelled)
{
	struct tn_wb_load *load = data;
	struct tn_wb_workspace *workspace = load->workspace;

	(void)cancelled; /* only with its workspace */
	if (!workspace)
		free_load(load);
	else if (tn_wb_claiming_is_idle(workspace))
		settle(workspace, load);
	else
		workspace->load_waits = true;
}

void tn_wb_load_settle(struct tn_wb_workspace *workspace)
{
	if (workspace->load_waits && tn_wb_claiming_is_idle(workspace))
		settle(workspace, workspace->load);
}

void tn_wb_load_close(struct tn_wb_workspace *workspace)
{
	struct tn_wb_load *load = workspace->load;

	if (!load)
		return;
	load->workspace = NULL;
	workspace->load = NULL;
	if (workspace->load_waits)
		free_load(load);
	else
		tn_job_cancel(load->job);
}

enum tenon_code tn_wb_load_start(struct tn_wb_workspace *workspace, struct tenon_error *err)
{
	struct tn_wb_load *load = tn_mem_alloc(sizeof(*load));
	enum tenon_code code;

	if (!load)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_wb_diagnostics_init(&load->registry_diagnostics);
	tn_wb_diagnostics_init(&load->graph_diagnostics);
	tn_buf_init(&load->want.question, TN_WB_INPUT_BYTES_MAX);
	load->workspace = workspace;
	load->trusted = workspace->trusted;
	load->first = !workspace->drafts;
	load->root_fd = -1;
	tn_wb_disk_look_init(&load->look);
	if (workspace->drafts)
		tn_wb_drafts_look_begin(workspace->drafts, &load->look);
	load->clock = workspace->set->clock;
	load->loop = workspace->set->loop;
	load->source = workspace->source; /* the worker's as soon as there is one */
	load->before = workspace->claims;
	if (workspace->forgets)
		tn_wb_evaluated_finish(&workspace->evaluated);
	workspace->forgets = false;
	tn_wb_stay_loaded(workspace, &workspace->evaluated.parts[TN_WB_EVALUATED_MODULES].loaded);
	load->evaluated = workspace->evaluated;
	load->root = tn_mem_copy_text(workspace->root, strlen(workspace->root));
	code = load->root ? TENON_OK : tn_fail(err, TENON_NO_MEMORY, "out of memory");
	load->prepare = (struct tn_wb_prepare){.root = load->root,
					       .folder = ".",
					       .runtime_folder = workspace->set->runtime_folder,
					       .needs_node = true};
	load->prepare.files[0] =
		(struct tn_wb_prepare_file){"evaluator.mjs", workspace->set->evaluator};
	if (code == TENON_OK)
		code = tn_job_start(workspace->set->loop, work, done, load, &load->job, err);
	if (code != TENON_OK) {
		load->source = NULL;
		load->before = (struct tn_wb_claims){0};
		tn_wb_evaluated_init(&load->evaluated);
		free_load(load);
		return code;
	}
	tn_wb_evaluated_init(&workspace->evaluated);
	workspace->source = NULL;
	workspace->claims = (struct tn_wb_claims){0};
	workspace->load = load;
	return TENON_OK;
}

void tn_wb_workspace_read_again(struct tn_wb_workspace *workspace)
{
	struct tenon_error err;

	workspace->read_again = workspace->load || workspace->saving_runs || workspace->evaluation;
	if (workspace->read_again)
		return;
	if (tn_wb_load_start(workspace, &err) != TENON_OK)
		tn_wb_diagnose(&workspace->graph_diagnostics,
			       &(struct tn_wb_diagnostic){.severity = TN_WB_ERROR,
							  .code = "not_read",
							  .message = err.message});
}
