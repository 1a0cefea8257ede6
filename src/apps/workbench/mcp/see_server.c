/* skaffa://server/info and skaffa://workspaces: what this is, and what is open. */
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/acting.h"
#include "jsonrpc/json_write.h"
#include "mcp/revision.h"
#include "mcp/server.h"

const char *tn_wb_state_name(const struct tn_wb_workspace *workspace)
{
	static const char *const names[] = {"loading", "loaded", "degraded", "closing"};

	return workspace ? names[workspace->state] : "no_workspace";
}

void tn_wb_put_workspace(struct tn_buf *out, const struct tn_wb_workspace *workspace)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "id", workspace->id);
	tn_json_put_member_text(out, "root", workspace->root);
	tn_json_put_member_text(out, "name", workspace->name);
	tn_json_put_member_text(out, "state", tn_wb_state_name(workspace));
	tn_json_put_member_bool(out, "trusted", workspace->trusted);
	tn_json_put_member_text(out, "epoch", workspace->epoch);
	tn_json_end_object(out);
}

static void put_workspaces(struct tn_buf *out, const struct tn_wb_workspaces *set)
{
	tn_json_put_key(out, "workspaces");
	tn_json_begin_array(out);
	for (const struct tn_wb_workspace *at = set->first; at; at = at->next)
		tn_wb_put_workspace(out, at);
	tn_json_end_array(out);
}

enum tn_wb_seen tn_wb_see_workspaces(struct tn_wb_look *look)
{
	tn_json_begin_object(look->data);
	put_workspaces(look->data, &look->door->workspaces);
	tn_json_end_object(look->data);
	return TN_WB_SEEN;
}

static void put_revisions(struct tn_buf *out)
{
	tn_json_put_key(out, "schemaVersions");
	tn_json_begin_array(out);
	tn_json_put_text(out, "v0");
	tn_json_end_array(out);
	tn_json_put_key(out, "protocolRevisions");
	tn_json_begin_array(out);
	for (int i = TN_REVISION_NONE + 1; i < TN_REVISION_COUNT; i++)
		tn_json_put_str(out, tn_revision_name((enum tn_revision)i));
	tn_json_end_array(out);
}

static void put_features(struct tn_buf *out, const struct tn_wb_look *look)
{
	bool analyses = look->workspace && look->workspace->analyses;

	tn_json_put_key(out, "features");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "actuation", tn_wb_actuation(look->door, look->workspace));
	tn_json_put_member_bool(out, "inference", analyses);
	tn_json_put_member_bool(out, "analysis", analyses);
	tn_json_end_object(out);
	tn_json_put_key(out, "limits");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "workspaces", TN_WB_WORKSPACES_MAX);
	tn_json_put_member_int(out, "registryEntries", TN_WB_ENTRIES_MAX);
	tn_json_put_member_int(out, "graphNodesAndEdges", TN_WB_CLAIMS_MAX);
	tn_json_put_member_int(out, "resourceBytes", TN_WB_CONTENT_BYTES_MAX);
	tn_json_end_object(out);
}

/* Diagnostics of a broken configuration stand here, too (L6). */
static void put_state(struct tn_buf *out, const struct tn_wb_look *look)
{
	const struct tn_wb_workspace *workspace = look->workspace;

	tn_json_put_member_text(out, "version", TENON_VERSION);
	tn_json_put_member_text(out, "state", tn_wb_state_name(workspace));
	tn_json_put_member_text(out, "root", workspace ? workspace->root : NULL);
	tn_json_put_member_text(out, "name", workspace ? workspace->name : NULL);
	tn_json_put_member_text(out, "why", look->why);
	if (workspace && workspace->state == TN_WB_DEGRADED) {
		tn_json_put_key(out, "diagnostics");
		tn_wb_diagnostics_put(out, &workspace->config->diagnostics);
	}
}

enum tn_wb_seen tn_wb_see_info(struct tn_wb_look *look)
{
	const struct tenon_server *server = look->door->server;
	struct tn_buf *out = look->data;

	tn_json_begin_object(out);
	put_state(out, look);
	tn_json_put_member_text(out, "exposure", server->network ? "remote" : "loopback");
	tn_json_put_member_text(out, "tokenPolicy", server->fixed_token ? "fixed" : "rotating");
	put_revisions(out);
	put_features(out, look);
	put_workspaces(out, &look->door->workspaces);
	tn_json_end_object(out);
	return TN_WB_SEEN;
}
