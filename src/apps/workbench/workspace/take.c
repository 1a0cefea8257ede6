/* What was read becomes what is seen. */
#include <limits.h>
#include <stdio.h>

#include "apps/workbench/drafts/override_file.h"
#include "apps/workbench/limits.h"
#include "apps/workbench/workspace/load.h"
#include "apps/workbench/workspace/stay.h"

/* Exchanges the two lists; true: they differ. */
static bool exchange(struct tn_wb_diagnostics *mine, struct tn_wb_diagnostics *read)
{
	struct tn_wb_diagnostics before = *mine;

	*mine = *read;
	*read = before;
	return !tn_wb_diagnostics_equal(mine, read);
}

static unsigned take_config(struct tn_wb_workspace *workspace, struct tn_wb_load *load)
{
	const struct tn_wb_config *former = workspace->config;
	enum tn_wb_state before = workspace->state;
	unsigned changed = 0;

	tn_wb_stay_tell(workspace, load->config);
	if (!former || !tn_wb_config_equal(former, load->config))
		changed = TN_WB_CHANGED_CONFIG;
	if (!former || !tn_wb_config_launchers_equal(former, load->config))
		changed |= TN_WB_CHANGED_LAUNCHERS;
	tn_wb_config_destroy(workspace->config);
	workspace->config = load->config;
	load->config = NULL;
	if (load->trusted == workspace->trusted) /* else the next look is on its way */
		workspace->state = workspace->config->degraded ? TN_WB_DEGRADED : TN_WB_LOADED;
	return changed | (before != workspace->state ? TN_WB_CHANGED_STATE : 0u);
}

/* R7: the same again is no change. */
static unsigned take_registry(struct tn_wb_workspace *workspace, struct tn_wb_load *load)
{
	unsigned changed = 0;

	if (!workspace->registry || !tn_wb_registry_equal(workspace->registry, load->registry)) {
		if (workspace->registry_told)
			tn_wb_registry_free(workspace->registry);
		else
			workspace->registry_told = workspace->registry;
		workspace->types_told = 0;
		workspace->registry = load->registry;
		load->registry = NULL;
		workspace->registry_revision++;
		changed = TN_WB_CHANGED_REGISTRY;
	}
	if (exchange(&workspace->registry_diagnostics, &load->registry_diagnostics))
		changed |= TN_WB_CHANGED_REGISTRY;
	return changed;
}

static unsigned take_graph(struct tn_wb_workspace *workspace, struct tn_wb_load *load)
{
	uint64_t before = tn_wb_graph_revision(workspace->graph);
	struct tn_wb_claims claims = workspace->claims; /* of the look before */

	if (load->graph && tn_wb_graph_is_new(workspace->graph)) {
		tn_wb_graph_destroy(workspace->graph);
		workspace->graph = load->graph;
		load->graph = NULL;
		tn_wb_graph_bound(workspace->graph, TN_WB_CLAIM_STEPS_MAX);
	} else {
		tn_wb_graph_bound(workspace->graph, 0); /* what differs was found aside */
		tn_wb_claims_take(&load->claims, &claims, workspace->graph,
				  &load->graph_diagnostics);
		tn_wb_graph_bound(workspace->graph, TN_WB_CLAIM_STEPS_MAX);
	}
	workspace->claims = load->claims;
	load->claims = claims;
	if (exchange(&workspace->graph_diagnostics, &load->graph_diagnostics) ||
	    before != tn_wb_graph_revision(workspace->graph))
		return TN_WB_CHANGED_GRAPH;
	return 0;
}

/* O15: what others have written is one change. */
static unsigned take_drafts(struct tn_wb_workspace *workspace, struct tn_wb_load *load)
{
	bool was_invalid, changed;
	struct tn_wb_outcome outcome;
	struct tenon_error err;

	if (!workspace->drafts) {
		workspace->drafts = load->drafts;
		workspace->root_fd = load->root_fd;
		load->drafts = NULL;
		load->root_fd = -1;
		return TN_WB_CHANGED_OVERRIDES;
	}
	was_invalid = tn_wb_drafts_file_is_invalid(workspace->drafts);
	tn_wb_outcome_init(&outcome);
	changed = tn_wb_drafts_reload(workspace->drafts, &load->look, &outcome, &err) == TENON_OK &&
		  outcome.changed;
	tn_wb_outcome_finish(&outcome);
	changed = changed || was_invalid != tn_wb_drafts_file_is_invalid(workspace->drafts);
	return changed ? TN_WB_CHANGED_OVERRIDES : 0u;
}

static void watch_folder(const char *folder, void *watch)
{
	(void)tn_wb_watch_add(watch, folder);
}

/* A file may come with its folders: each of them that is there is followed. True: one is new. */
static bool watch_above(struct tn_wb_watch *watch, const char *file)
{
	char folder[PATH_MAX];
	bool any = false;

	for (const char *slash = strchr(file, '/'); slash; slash = strchr(slash + 1, '/')) {
		if (slash - file >= (ptrdiff_t)sizeof(folder))
			break;
		(void)snprintf(folder, sizeof(folder), "%.*s", (int)(slash - file), file);
		any = tn_wb_watch_add(watch, folder) || any;
	}
	return any;
}

/* What changed before its folder was followed is seen by one more look. */
static void watch_programs(struct tn_wb_workspace *workspace)
{
	const struct tn_wb_config *config = workspace->config;
	bool any = false;

	for (size_t i = 0; i < config->followed_count; i++)
		any = watch_above(workspace->watch, config->followed[i]) || any;
	workspace->read_again = workspace->read_again || any;
}

/* Whatever was read lies in one of these. */
static void watch_folders(struct tn_wb_workspace *workspace)
{
	char folder[PATH_MAX];

	if (!workspace->watch)
		return;
	(void)tn_wb_watch_add(workspace->watch, "");
	(void)tn_wb_watch_add(workspace->watch, TN_WB_OVERRIDE_FOLDER);
	for (size_t i = 0; i < workspace->config->module_count; i++) {
		const char *file = workspace->config->modules[i].file;
		const char *slash = file ? strrchr(file, '/') : NULL;

		if (!slash || file[0] == '/' || slash - file >= (ptrdiff_t)sizeof(folder))
			continue;
		(void)snprintf(folder, sizeof(folder), "%.*s", (int)(slash - file), file);
		(void)tn_wb_watch_add(workspace->watch, folder);
	}
	if (workspace->source)
		tn_wb_source_folders(workspace->source, watch_folder, workspace->watch);
	watch_programs(workspace);
}

/* Sessions stand on what was taken over; pages are told what is another for them (13.4, O15). */
static void take_site(struct tn_wb_workspace *workspace, unsigned what)
{
	workspace->sessions.site = (struct tn_wb_site){
		.registry = workspace->registry,
		.graph = workspace->graph,
		.drafts = workspace->drafts,
		.prop_defaults = tn_wb_config_get(workspace->config, "preview", "propDefaults")};
	if (what & (TN_WB_CHANGED_CONFIG | TN_WB_CHANGED_REGISTRY | TN_WB_CHANGED_OVERRIDES))
		tn_wb_sessions_init_again(&workspace->sessions, NULL, NULL);
}

static void tell_failure(struct tn_wb_workspace *workspace, const struct tn_wb_load *load)
{
	tn_wb_diagnose(&workspace->graph_diagnostics,
		       &(struct tn_wb_diagnostic){.severity = TN_WB_ERROR,
						  .code = "not_read",
						  .message = load->err.message});
}

void tn_wb_workspace_take(struct tn_wb_workspace *workspace, struct tn_wb_load *load)
{
	unsigned what = 0;

	workspace->analyses = load->analyses;
	if (load->code == TENON_OK) {
		what = take_config(workspace, load);
		what |= take_registry(workspace, load);
		what |= take_graph(workspace, load);
		what |= take_drafts(workspace, load);
		if (workspace->source && tn_wb_source_read_count(workspace->source))
			what |= TN_WB_CHANGED_SOURCES;
		for (int i = 0; i < TN_WB_EVALUATED_PARTS; i++)
			workspace->evaluated.parts[i].tries = 0;
		watch_folders(workspace);
		take_site(workspace, what);
		tn_wb_stay_taken(workspace);
	} else {
		tell_failure(workspace, load);
		what = TN_WB_CHANGED_GRAPH;
	}
	tn_wb_workspace_tell(workspace, what);
}
