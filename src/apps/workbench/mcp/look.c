/* From a URI to an envelope. */
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "base/limits.h"
#include "base/percent.h"
#include "base/size.h"
#include "jsonrpc/uri_template.h"
#include "mcp/call.h"

/* ---- URIs (15.1) ---- */

struct variables {
	const struct tn_uri_variable *list;
	size_t count;
};

static const char *value_of(const struct variables *variables, const char *name)
{
	for (size_t i = 0; i < variables->count; i++)
		if (tn_str_is(variables->list[i].name, name))
			return variables->list[i].value.data;
	return NULL;
}

static enum tn_wb_seen see_index(struct tn_wb_look *look, const struct variables *variables)
{
	const struct tn_wb_index_query query = {.cursor = value_of(variables, "cursor")};

	return tn_wb_see_index(look, &query);
}

static enum tn_wb_seen see_entry(struct tn_wb_look *look, const struct variables *variables)
{
	return tn_wb_see_entry(look, value_of(variables, "typeId"));
}

static enum tn_wb_seen see_graph(struct tn_wb_look *look, const struct variables *variables)
{
	return tn_wb_see_graph(look, value_of(variables, "cursor"));
}

static enum tn_wb_seen see_patches(struct tn_wb_look *look, const struct variables *variables)
{
	return tn_wb_see_patches(look, value_of(variables, "epoch"), value_of(variables, "since"));
}

static enum tn_wb_seen see_node(struct tn_wb_look *look, const struct variables *variables)
{
	return tn_wb_see_node(look, value_of(variables, "kind"), value_of(variables, "id"));
}

static enum tn_wb_seen see_session(struct tn_wb_look *look, const struct variables *variables)
{
	return tn_wb_see_session(look, value_of(variables, "sessionId"));
}

static enum tn_wb_seen see_selection(struct tn_wb_look *look, const struct variables *variables)
{
	return tn_wb_see_session_selection(look, value_of(variables, "sessionId"));
}

static enum tn_wb_seen see_session_graph(struct tn_wb_look *look, const struct variables *variables)
{
	return tn_wb_see_session_graph(look, value_of(variables, "sessionId"));
}

static enum tn_wb_seen see_instances(struct tn_wb_look *look, const struct variables *variables)
{
	struct tn_wb_instances_query query = {.type = value_of(variables, "type"),
					      .cursor = value_of(variables, "cursor")};
	const char *limit = value_of(variables, "limit");
	uint64_t number = 0;

	if (limit && (!tn_str_to_uint(tn_str_from(limit), &number) || !number)) {
		look->message = "limit is an integer of 1 or more";
		return TN_WB_MALFORMED;
	}
	query.limit = (size_t)number;
	return tn_wb_see_instances(look, value_of(variables, "sessionId"), &query);
}

static enum tn_wb_seen see_logs(struct tn_wb_look *look, const struct variables *variables)
{
	return tn_wb_see_logs(look, value_of(variables, "sessionId"), value_of(variables, "level"),
			      value_of(variables, "limit"), value_of(variables, "cursor"));
}

static enum tn_wb_seen see_overrides(struct tn_wb_look *look, const struct variables *variables)
{
	return tn_wb_see_overrides(look, value_of(variables, "cursor"),
				   value_of(variables, "limit"));
}

struct place {
	const char *path; /* below skaffa:// */
	enum tn_wb_seen (*see)(struct tn_wb_look *look);
	enum tn_wb_seen (*see_with)(struct tn_wb_look *look, const struct variables *variables);
};

static const struct place places[] = {
	{.path = "server/info", .see = tn_wb_see_info},
	{.path = "workspaces", .see = tn_wb_see_workspaces},
	{.path = "workspace/config", .see = tn_wb_see_config},
	{.path = "workspace/registry", .see = tn_wb_see_registry},
	{.path = "workspace/registry/index{?cursor}", .see_with = see_index},
	{.path = "workspace/registry/{typeId}", .see_with = see_entry},
	{.path = "workspace/graph{?cursor}", .see_with = see_graph},
	{.path = "workspace/graph/patches{?epoch,since}", .see_with = see_patches},
	{.path = "workspace/graph/node/{kind}/{id}", .see_with = see_node},
	{.path = "workspace/overrides{?limit,cursor}", .see_with = see_overrides},
	{.path = "workspace/overrides/save-plan", .see = tn_wb_see_plan},
	{.path = "preview/sessions", .see = tn_wb_see_sessions},
	{.path = "preview/selection", .see = tn_wb_see_selection},
	{.path = "preview/sessions/{sessionId}", .see_with = see_session},
	{.path = "preview/sessions/{sessionId}/selection", .see_with = see_selection},
	{.path = "preview/sessions/{sessionId}/graph", .see_with = see_session_graph},
	{.path = "preview/sessions/{sessionId}/instances{?type,limit,cursor}",
	 .see_with = see_instances},
	{.path = "preview/sessions/{sessionId}/logs{?level,limit,cursor}", .see_with = see_logs},
};

/* Names of variables are the template's: it stays until what they lead to was seen. False: the URI
 * is not of this place. */
static bool see_place(struct tn_wb_look *look, const struct place *place, struct tn_str rest,
		      enum tn_wb_seen *ret)
{
	struct tn_uri_variable list[TN_URI_TEMPLATE_VARIABLES_MAX];
	struct variables variables = {.list = list};
	struct tn_uri_template *compiled = NULL;
	struct tenon_error err;
	bool found;

	if (tn_uri_template_compile(tn_str_from(place->path), &compiled, &err) != TENON_OK)
		return false;
	found = tn_uri_template_match(compiled, rest, &look->call->arena, list, &variables.count);
	if (found)
		*ret = place->see ? place->see(look) : place->see_with(look, &variables);
	tn_uri_template_free(compiled);
	return found;
}

static enum tn_wb_seen see(struct tn_wb_look *look, struct tn_str rest)
{
	enum tn_wb_seen seen = TN_WB_NOT_THERE;

	for (size_t i = 0; i < TN_COUNT(places); i++)
		if (see_place(look, &places[i], rest, &seen))
			return seen;
	return seen;
}

/* skaffa://workspaces/{id}/REST is skaffa://REST of that workspace (section 0). */
static bool split(struct tn_arena *arena, struct tn_str uri, const char **ret_id,
		  struct tn_str *ret_rest)
{
	static const struct tn_str scheme = {"skaffa://", 9}, all = {"workspaces/", 11};
	size_t slash;

	*ret_id = NULL;
	if (!tn_str_starts(uri, scheme))
		return false;
	*ret_rest = tn_str_from_offset(uri, scheme.size);
	if (!tn_str_starts(*ret_rest, all))
		return true;
	*ret_rest = tn_str_from_offset(*ret_rest, all.size);
	slash = tn_str_find_byte(*ret_rest, '/');
	if (slash == TN_STR_NONE)
		return false;
	*ret_id = tn_arena_copy(arena, tn_str(ret_rest->data, slash));
	*ret_rest = tn_str_from_offset(*ret_rest, slash + 1);
	return *ret_id != NULL;
}

struct tn_wb_workspace *tn_wb_look_workspace(struct tn_wb_door *door, struct tenon_call *call,
					     struct tn_str uri, const char *path)
{
	struct tn_wb_look look;
	struct tn_str rest;
	const char *id;

	return split(&call->arena, uri, &id, &rest) && tn_str_is(rest, path) &&
			       tn_wb_look_begin(&look, door, call, id, NULL)
		       ? look.workspace
		       : NULL;
}

enum tn_wb_seen tn_wb_look_at(struct tn_wb_door *door, struct tenon_call *call, struct tn_str uri,
			      size_t bytes_max, struct tn_buf *out, const char **ret_message)
{
	enum tn_wb_seen seen = TN_WB_NOT_THERE;
	struct tn_wb_look look;
	struct tn_str rest;
	struct tn_buf data;
	const char *id;

	tn_buf_init(&data, TN_RESULT_BYTES_MAX);
	if (split(&call->arena, uri, &id, &rest) &&
	    tn_wb_look_begin(&look, door, call, id, &data)) {
		look.bytes_max = bytes_max;
		seen = see(&look, rest);
		if (seen == TN_WB_SEEN)
			tn_wb_put_envelope(out, &look);
		*ret_message = look.message;
	}
	if (seen == TN_WB_NOT_THERE && !tn_percent_is_valid(uri)) {
		*ret_message = "in the uri, \"%\" stands before two hexadecimal digits, as in %25 "
			       "for itself";
		seen = TN_WB_MALFORMED;
	}
	tn_buf_finish(&data);
	return seen;
}
