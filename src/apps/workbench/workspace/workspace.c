#include "apps/workbench/workspace/workspace.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/workspace/claiming.h"
#include "apps/workbench/workspace/evaluate.h"
#include "apps/workbench/workspace/load.h"
#include "apps/workbench/workspace/saving.h"
#include "apps/workbench/workspace/stay.h"
#include "base/mem.h"
#include "base/rng.h"

/* ---- the set ---- */

void tn_wb_workspaces_init(struct tn_wb_workspaces *set, struct tn_loop *loop,
			   const struct tn_clock *clock, const char *state_folder)
{
	*set = (struct tn_wb_workspaces){.loop = loop, .clock = clock};
	set->trust = tn_wb_trust_create(state_folder);
}

/* What is plain memory, and may be much of it: it is freed in a worker. */
struct remains {
	struct tn_wb_graph *graph;
	struct tn_wb_registry *registry, *registry_told;
	struct tn_wb_config *config;
	struct tn_wb_claims claims;
};

static void finish_remains(struct remains *remains)
{
	tn_wb_claims_finish(&remains->claims);
	tn_wb_graph_destroy(remains->graph);
	tn_wb_registry_free(remains->registry);
	tn_wb_registry_free(remains->registry_told);
	tn_wb_config_destroy(remains->config);
}

static void free_remains(void *remains)
{
	finish_remains(remains);
	tn_mem_free(remains);
}

static void let_go(struct tn_loop *loop, struct remains *all)
{
	struct remains *remains = tn_mem_alloc(sizeof(*remains));

	if (!remains) {
		finish_remains(all);
		return;
	}
	*remains = *all;
	tn_job_free_aside(loop, free_remains, remains);
}

static void free_workspace(struct tn_wb_workspace *workspace)
{
	tn_wb_claiming_close(workspace);
	tn_wb_load_close(workspace);
	tn_wb_saving_close(workspace);
	tn_wb_evaluate_cancel(workspace);
	tn_wb_stay_end(workspace);
	tn_wb_evaluated_finish(&workspace->evaluated);
	tn_wb_sessions_finish(&workspace->sessions);
	tn_wb_watch_destroy(workspace->watch);
	tn_wb_source_close(workspace->source);
	tn_wb_drafts_close(workspace->drafts);
	if (workspace->root_fd >= 0)
		(void)close(workspace->root_fd);
	let_go(workspace->set->loop,
	       &(struct remains){workspace->graph, workspace->registry, workspace->registry_told,
				 workspace->config, workspace->claims});
	tn_wb_diagnostics_finish(&workspace->registry_diagnostics);
	tn_wb_diagnostics_finish(&workspace->graph_diagnostics);
	tn_mem_free(workspace->root);
	tn_mem_free(workspace->plan);
	tn_mem_free(workspace->last_saved);
	tn_mem_free(workspace);
}

void tn_wb_workspaces_finish(struct tn_wb_workspaces *set)
{
	while (set->first) {
		struct tn_wb_workspace *workspace = set->first;

		set->first = workspace->next;
		free_workspace(workspace);
	}
	tn_wb_trust_destroy(set->trust);
	*set = (struct tn_wb_workspaces){0};
}

struct tn_wb_workspace *tn_wb_workspaces_find(const struct tn_wb_workspaces *set, struct tn_str id)
{
	struct tn_wb_workspace *at = set->first;

	while (at && !tn_str_is(id, at->id))
		at = at->next;
	return at;
}

/* ---- which is the caller's ---- */

static bool is_above(const char *root, const char *folder)
{
	size_t size = strlen(root);

	return strncmp(root, folder, size) == 0 &&
	       (folder[size] == '\0' || folder[size] == '/' || size == 1);
}

struct tn_wb_workspace *tn_wb_workspaces_of(const struct tn_wb_workspaces *set, const char *folder,
					    const char **ret_why)
{
	struct tn_wb_workspace *best = NULL;

	for (struct tn_wb_workspace *at = folder ? set->first : NULL; at; at = at->next)
		if (is_above(at->root, folder) && (!best || strlen(at->root) > strlen(best->root)))
			best = at;
	if (best)
		*ret_why = "its root is the nearest folder above yours";
	else if (set->count == 1)
		*ret_why = "it is the only one that is open";
	else
		*ret_why = set->first ? "it was opened last" : "none is open";
	return best ? best : set->first;
}

/* ---- opening and closing ---- */

static enum tenon_code find_folder(const char *path, char **ret, struct tenon_error *err)
{
	char real[PATH_MAX];
	struct stat status;

	*ret = NULL;
	if (path[0] != '/')
		return tn_fail(err, TENON_INVALID,
			       "the path is not absolute: send one that begins with /");
	if (!realpath(path, real))
		return tn_fail(err,
			       errno == ENOENT || errno == ENOTDIR ? TENON_NOT_FOUND : TENON_DENIED,
			       "NOT_FOUND: there is no such folder, or it may not be entered");
	if (stat(real, &status) != 0 || !S_ISDIR(status.st_mode))
		return tn_fail(err, TENON_INVALID, "NOT_A_DIRECTORY: it is no folder");
	*ret = tn_mem_copy_text(real, strlen(real));
	return *ret ? TENON_OK : tn_fail(err, TENON_NO_MEMORY, "out of memory");
}

static void make_names(struct tn_wb_workspace *workspace)
{
	char token[TN_RNG_TOKEN_SIZE(16)];

	tn_rng_token(token, 16);
	(void)snprintf(workspace->id, sizeof(workspace->id), "ws_%s%s",
		       workspace->set->handles ? workspace->set->handles->node : "", token);
	tn_rng_hex(workspace->epoch, sizeof(workspace->epoch) - 1);
	workspace->name = strrchr(workspace->root, '/') + 1;
	if (!*workspace->name)
		workspace->name = "/";
}

static void files_changed(void *data)
{
	tn_wb_workspace_read_again(data);
}

static void sources_free(struct tn_wb_workspace *workspace)
{
	tn_wb_saving_next(workspace);
	if (workspace->read_again)
		tn_wb_workspace_read_again(workspace);
}

static enum tenon_code create(struct tn_wb_workspaces *set, char *root, bool trusted,
			      struct tn_wb_workspace **ret, struct tenon_error *err)
{
	struct tn_wb_workspace *workspace = tn_mem_alloc(sizeof(*workspace));

	if (!workspace) {
		tn_mem_free(root);
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	workspace->set = set;
	workspace->root = root;
	workspace->trusted = trusted;
	tn_wb_evaluated_init(&workspace->evaluated);
	tn_wb_diagnostics_init(&workspace->registry_diagnostics);
	tn_wb_diagnostics_init(&workspace->graph_diagnostics);
	make_names(workspace);
	tn_wb_sessions_init(&workspace->sessions, set->clock, set->session_events, workspace);
	workspace->root_fd = -1;
	workspace->sources_free = sources_free;
	workspace->look_again = tn_wb_workspace_read_again;
	workspace->settle_look = tn_wb_load_settle;
	workspace->graph = tn_wb_graph_create(TN_WB_GRAPH_PROJECT);
	workspace->watch = tn_wb_watch_create(set->loop, root, files_changed, workspace);
	if (workspace->watch)
		(void)tn_wb_watch_add(workspace->watch, "");
	if (workspace->graph)
		tn_wb_graph_bound(workspace->graph, TN_WB_CLAIM_STEPS_MAX);
	if (!workspace->graph || tn_wb_load_start(workspace, err) != TENON_OK) {
		free_workspace(workspace);
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	*ret = workspace;
	return TENON_OK;
}

static void put_first(struct tn_wb_workspaces *set, struct tn_wb_workspace *workspace)
{
	struct tn_wb_workspace **at = &set->first;

	while (*at && *at != workspace)
		at = &(*at)->next;
	if (*at)
		*at = workspace->next;
	else
		set->count++;
	workspace->next = set->first;
	set->first = workspace;
}

static struct tn_wb_workspace *find_root(const struct tn_wb_workspaces *set, const char *root)
{
	struct tn_wb_workspace *at = set->first;

	while (at && strcmp(at->root, root) != 0)
		at = at->next;
	return at;
}

static enum tenon_code open_again(struct tn_wb_workspace *workspace, bool trusted,
				  struct tenon_error *err)
{
	put_first(workspace->set, workspace);
	tn_wb_workspace_tell(workspace, TN_WB_CHANGED_LIST);
	return trusted ? tn_wb_workspace_trust(workspace, true, err) : TENON_OK;
}

enum tenon_code tn_wb_workspace_open(struct tn_wb_workspaces *set, const char *path, bool trusted,
				     struct tn_wb_workspace **ret, struct tenon_error *err)
{
	char *root = NULL;
	enum tenon_code code;

	if (!set->trust)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	code = find_folder(path, &root, err);
	if (code != TENON_OK)
		return code;
	*ret = find_root(set, root);
	if (*ret) {
		tn_mem_free(root);
		return open_again(*ret, trusted, err);
	}
	if (set->count >= TN_WB_WORKSPACES_MAX)
		code = tn_fail(err, TENON_LIMIT, "%d workspaces are open: close one of them first",
			       TN_WB_WORKSPACES_MAX);
	if (code == TENON_OK && trusted)
		code = tn_wb_trust_set(set->trust, root, true, err);
	if (code != TENON_OK) {
		tn_mem_free(root);
		return code;
	}
	code = create(set, root, tn_wb_trust_is(set->trust, root), ret, err);
	if (code == TENON_OK) {
		put_first(set, *ret);
		tn_wb_workspace_tell(*ret, TN_WB_CHANGED_LIST | TN_WB_CHANGED_STATE);
	}
	return code;
}

void tn_wb_workspace_close(struct tn_wb_workspace *workspace)
{
	struct tn_wb_workspace **at = &workspace->set->first;

	while (*at != workspace)
		at = &(*at)->next;
	*at = workspace->next;
	workspace->set->count--;
	workspace->state = TN_WB_CLOSING;
	tn_wb_workspace_tell(workspace, TN_WB_CHANGED_LIST | TN_WB_CHANGED_STATE);
	free_workspace(workspace);
}

enum tenon_code tn_wb_workspace_trust(struct tn_wb_workspace *workspace, bool trusted,
				      struct tenon_error *err)
{
	enum tenon_code code =
		tn_wb_trust_set(workspace->set->trust, workspace->root, trusted, err);

	/* Trust that is taken back is gone, whether that can be kept or not. */
	if ((code != TENON_OK && trusted) || workspace->trusted == trusted)
		return code;
	workspace->trusted = trusted;
	workspace->state = TN_WB_LOADING; /* what is known was read under the other */
	if (!trusted) {
		tn_wb_evaluate_cancel(workspace);
		tn_wb_stay_end(workspace);
		workspace->forgets = true;
	}
	tn_wb_workspace_tell(workspace, TN_WB_CHANGED_STATE);
	tn_wb_workspace_read_again(workspace);
	return code;
}
