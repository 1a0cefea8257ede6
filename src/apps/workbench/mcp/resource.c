/* The resources of workbench (workbench.md 15.1): all of them are read by their URI. */
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "base/limits.h"
#include "mcp/call.h"

static void read_now(struct tenon_call *call, void *door)
{
	const char *message = NULL;
	enum tn_wb_seen seen;
	struct tn_buf out;

	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	seen = tn_wb_look_at(door, call, tn_str_from(tenon_call_uri(call)), TN_WB_CONTENT_BYTES_MAX,
			     &out, &message);
	if (seen == TN_WB_NOT_THERE) {
		tenon_call_not_found(call);
	} else if (seen == TN_WB_MALFORMED) {
		tenon_call_refuse(call, TN_WB_RPC_INVALID_PARAMS, message, NULL);
	} else if (out.failed) {
		tenon_call_refuse(call, TN_WB_RPC_INTERNAL,
				  "Out of memory, or the result is too large: ask for less.", NULL);
	} else {
		tenon_call_set_cache(call, 0, false);
		tenon_call_add_resource_text(call, NULL, "application/json", out.data, out.size);
		tenon_call_finish(call);
	}
	tn_buf_finish(&out);
}

static void read_resource(struct tenon_call *call, void *door)
{
	if (!tn_wb_plan_first(door, call, tn_str_from(tenon_call_uri(call)), read_now))
		read_now(call, door);
}

#define RESOURCE(variable, path, its_name, its_title, its_priority, its_description)           \
	static const struct tenon_resource variable = {                                        \
		.uri = "skaffa://" path,                                                       \
		.name = its_name,                                                              \
		.title = its_title,                                                            \
		.description = its_description,                                                \
		.mime_type = "application/json",                                               \
		.size_bytes = -1,                                                              \
		.annotations = "{\"audience\":[\"assistant\"],\"priority\":" its_priority "}", \
		.read = read_resource}

RESOURCE(info, "server/info", "skaffa.server.info", "Workbench", "0.5",
	 "Which workspace is yours and why, its state, versions, features and limits.");
RESOURCE(workspaces, "workspaces", "skaffa.workspaces", "Open workspaces", "0.5",
	 "Every folder that is open, with its id for skaffa://workspaces/{id}/...");
RESOURCE(config, "workspace/config", "skaffa.workspace.config", "Configuration", "0.3",
	 "The configuration with all its defaults, its modules, and what is wrong of them.");
RESOURCE(all_types, "workspace/registry", "skaffa.workspace.registry.effective",
	 "Component registry", "0.8",
	 "Every component type, its props and which of them may be changed, how.");
RESOURCE(registry_index, "workspace/registry/index", "skaffa.workspace.registry.index",
	 "Component types", "0.6",
	 "Every component type in a line: names, tags, editable props, source.");
RESOURCE(graph, "workspace/graph", "skaffa.workspace.graph.snapshot", "Project graph", "0.7",
	 "Routes, component types, and which of them uses which.");
RESOURCE(patches, "workspace/graph/patches", "skaffa.workspace.graph.patches",
	 "Changes of the graph", "0.2", "The newest changes of the project graph, in order.");
RESOURCE(overrides, "workspace/overrides", "skaffa.workspace.overrides.state", "Overrides", "0.7",
	 "Drafts of prop values, with what became of them on the page, and the file they are in.");
RESOURCE(save_plan, "workspace/overrides/save-plan", "skaffa.workspace.overrides.savePlan",
	 "Save plan", "0.3",
	 "What a person's Save would write into the source, as edits and a diff, and which drafts "
	 "cannot be written, why.");
RESOURCE(sessions, "preview/sessions", "skaffa.preview.sessions", "Previews", "0.8",
	 "What is previewed now, and what could be started.");
RESOURCE(selection, "preview/selection", "skaffa.preview.selection.current", "Selection", "1.0",
	 "What is selected on screen, with its props, source and place in the graph.");

const struct tenon_resource *const tn_wb_resources[] = {
	&info,    &workspaces, &config,    &all_types, &registry_index, &graph,
	&patches, &overrides,  &save_plan, &sessions,  &selection,      NULL};

#define TEMPLATE(variable, path, its_name, its_title, its_description)                            \
	static const struct tenon_resource_template variable = {.uri_template = "skaffa://" path, \
								.name = its_name,                 \
								.title = its_title,               \
								.description = its_description,   \
								.mime_type = "application/json",  \
								.read = read_resource,            \
								.complete = tn_wb_complete}

TEMPLATE(of_type, "workspace/registry/{typeId}", "skaffa.workspace.registry.entry",
	 "A component type", "One component type with its props.");
TEMPLATE(of_index, "workspace/registry/index{?cursor}", "skaffa.workspace.registry.index.page",
	 "Component types, from a cursor on", "The next page of a long index.");
TEMPLATE(of_graph, "workspace/graph{?cursor}", "skaffa.workspace.graph.part",
	 "Project graph, from a cursor on",
	 "The next part of a graph that is too large to be told whole: nodes and edges in no "
	 "order.");
TEMPLATE(of_overrides, "workspace/overrides{?limit,cursor}", "skaffa.workspace.overrides.page",
	 "Overrides, from a cursor on", "The next page of many drafts.");
TEMPLATE(of_patches, "workspace/graph/patches{?epoch,since}",
	 "skaffa.workspace.graph.patches.since", "Changes since a revision",
	 "Every change of the graph after a revision, or the whole graph when they are not kept.");
TEMPLATE(of_node, "workspace/graph/node/{kind}/{id}", "skaffa.workspace.graph.node", "A node",
	 "One route or component type; kind is route or componentType.");
TEMPLATE(of_session, "preview/sessions/{sessionId}", "skaffa.preview.session", "A preview",
	 "One preview: its state, page, adapter, warnings.");
TEMPLATE(of_session_selection, "preview/sessions/{sessionId}/selection",
	 "skaffa.preview.session.selection", "The selection of a preview",
	 "What is selected in one preview, or why nothing is.");
TEMPLATE(of_session_graph, "preview/sessions/{sessionId}/graph", "skaffa.preview.session.graph",
	 "What is on the page, as a graph", "Instances of one preview, and which stands in which.");
TEMPLATE(of_instances, "preview/sessions/{sessionId}/instances{?type,limit,cursor}",
	 "skaffa.preview.session.instances", "What is on the page",
	 "Instances of one preview with their props and sources.");
TEMPLATE(of_logs, "preview/sessions/{sessionId}/logs{?level,limit,cursor}",
	 "skaffa.preview.session.logs", "The log of a preview",
	 "What its server and its page have said lately.");
TEMPLATE(of_workspace, "workspaces/{workspace}/{+path}", "skaffa.workspaces.part",
	 "The same of a named workspace",
	 "Any of the other URIs, of the workspace with this id: workspaces/ID/workspace/graph.");

const struct tenon_resource_template *const tn_wb_templates[] = {&of_type,
								 &of_index,
								 &of_graph,
								 &of_overrides,
								 &of_patches,
								 &of_node,
								 &of_session,
								 &of_session_selection,
								 &of_session_graph,
								 &of_instances,
								 &of_logs,
								 &of_workspace,
								 NULL};

/* ---- completion ---- */

static bool complete_node(const struct tn_wb_node *node, void *data)
{
	struct tenon_call *call = data;
	const char *name, *typed;
	struct tn_str id = tn_wb_node_id(node);

	tenon_call_completing(call, &name, &typed);
	if (tn_str_starts(id, tn_str_from(typed)))
		tenon_call_add_completion(call, tn_arena_copy(&call->arena, id));
	return true;
}

static void complete_types(struct tenon_call *call, const struct tn_wb_registry *registry,
			   const char *typed)
{
	for (size_t i = 0; i < tn_wb_registry_count(registry); i++) {
		struct tn_str id = tn_wb_registry_at(registry, i)->type_id;

		if (tn_str_starts(id, tn_str_from(typed)))
			tenon_call_add_completion(call, tn_arena_copy(&call->arena, id));
	}
}

static void complete_workspaces(struct tenon_call *call, const struct tn_wb_door *door,
				const char *typed)
{
	for (const struct tn_wb_workspace *at = door->workspaces.first; at; at = at->next)
		if (tn_str_starts(tn_str_from(at->id), tn_str_from(typed)))
			tenon_call_add_completion(call, at->id);
}

static void complete_sessions(struct tenon_call *call, const struct tn_wb_workspace *workspace,
			      const char *typed)
{
	for (const struct tn_wb_session *at = workspace->sessions.first; at; at = at->next)
		if (tn_str_starts(tn_str_from(at->id), tn_str_from(typed)))
			tenon_call_add_completion(call, at->id);
}

void tn_wb_complete(struct tenon_call *call, void *data)
{
	struct tn_wb_door *door = data;
	const char *name, *typed;
	struct tn_wb_look look;

	tenon_call_completing(call, &name, &typed);
	(void)tn_wb_look_begin(&look, door, call, NULL, NULL);
	if (strcmp(name, "workspace") == 0) {
		complete_workspaces(call, door, typed);
	} else if (look.workspace && strcmp(name, "sessionId") == 0) {
		complete_sessions(call, look.workspace, typed);
	} else if (strcmp(name, "kind") == 0) {
		tenon_call_add_completion(call, "route");
		tenon_call_add_completion(call, "componentType");
	} else if (look.workspace && look.workspace->registry && strcmp(name, "typeId") == 0) {
		complete_types(call, look.workspace->registry, typed);
	} else if (look.workspace && strcmp(name, "id") == 0) {
		tn_wb_graph_each(look.workspace->graph, "route", complete_node, call);
		tn_wb_graph_each(look.workspace->graph, "componentType", complete_node, call);
	}
	tenon_call_finish(call);
}
