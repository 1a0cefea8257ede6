/* skaffa://preview/...: what is previewed, and what is selected there. */
#include <stdlib.h>

#include "apps/workbench/launch/launcher.h"
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

struct tn_wb_session *tn_wb_session_of(const struct tn_wb_workspace *workspace, const char *id)
{
	if (!workspace)
		return NULL;
	return id ? tn_wb_sessions_find(&workspace->sessions, tn_str_from(id))
		  : workspace->sessions.active;
}

/* L5: without a workspace or a session it is an empty list and no selection, never a failure. */
void tn_wb_say_preview(struct tn_wb_look *look, const struct tn_wb_session *session)
{
	if (!tn_wb_look_is_loaded(look))
		return;
	if (!look->workspace->sessions.first) {
		look->status = "no_session";
		look->message =
			"Nothing is previewed in this workspace. A person begins: tenon workbench "
			"preview";
	} else if (!session || session->state != TN_WB_SESSION_READY) {
		look->status = "session_not_ready";
		look->message = "No page of the preview has its adapter yet: a person opens the "
				"session's url in a browser.";
	}
}

enum tn_wb_seen tn_wb_see_sessions(struct tn_wb_look *look)
{
	const struct tn_wb_session *first =
		look->workspace ? look->workspace->sessions.first : NULL;
	struct tn_buf *out = look->data;

	tn_wb_say_preview(look, first);
	if (first) /* the list itself is there, whatever its sessions do */
		look->status = "ok";
	if (first)
		look->message = NULL;
	tn_json_begin_object(out);
	tn_json_put_key(out, "sessions");
	tn_json_begin_array(out);
	for (; first; first = first->next)
		tn_wb_session_put(out, first);
	tn_json_end_array(out);
	tn_json_put_key(out, "launchers");
	if (look->workspace && look->workspace->config)
		tn_wb_launchers_put(out, look->workspace->config);
	else
		tn_json_put_raw(out, TN_STR("[]"));
	tn_json_end_object(out);
	return TN_WB_SEEN;
}

static void say_untrusted(struct tn_wb_look *look, const char *const *pointers)
{
	for (size_t i = 0; pointers[i]; i++)
		look->untrusted[i] = pointers[i];
}

enum tn_wb_seen tn_wb_see_selection(struct tn_wb_look *look)
{
	static const char *const pointers[] = {"/current/selected", "/current/props",
					       "/current/ancestors", "/others", NULL};
	static const struct tn_wb_sessions none;

	tn_wb_say_preview(look, tn_wb_session_of(look->workspace, NULL));
	tn_wb_sessions_put_selection(look->data,
				     look->workspace ? &look->workspace->sessions : &none);
	if (tn_wb_session_of(look->workspace, NULL))
		say_untrusted(look, pointers);
	return TN_WB_SEEN;
}

/* ---- one session ---- */

static const struct tn_wb_session *begin(struct tn_wb_look *look, const char *session_id)
{
	const struct tn_wb_session *session =
		session_id ? tn_wb_session_of(look->workspace, session_id) : NULL;

	if (session)
		tn_wb_say_preview(look, session);
	return session;
}

enum tn_wb_seen tn_wb_see_session(struct tn_wb_look *look, const char *session_id)
{
	static const char *const pointers[] = {"/route", "/adapter", NULL};
	const struct tn_wb_session *session = begin(look, session_id);

	if (!session)
		return TN_WB_NOT_THERE;
	tn_wb_session_put(look->data, session);
	say_untrusted(look, pointers);
	return TN_WB_SEEN;
}

enum tn_wb_seen tn_wb_see_session_selection(struct tn_wb_look *look, const char *session_id)
{
	static const char *const pointers[] = {"/selected", "/props", "/ancestors", NULL};
	const struct tn_wb_session *session = begin(look, session_id);

	if (!session)
		return TN_WB_NOT_THERE;
	tn_wb_session_put_selection(look->data, session);
	say_untrusted(look, pointers);
	return TN_WB_SEEN;
}

enum tn_wb_seen tn_wb_see_session_graph(struct tn_wb_look *look, const char *session_id)
{
	static const char *const pointers[] = {"/graph", NULL};
	const struct tn_wb_session *session = begin(look, session_id);
	struct tn_buf *out = look->data;
	struct tenon_error err;

	if (!session)
		return TN_WB_NOT_THERE;
	tn_json_begin_object(out);
	tn_json_put_key(out, "graph");
	if (tn_wb_graph_bytes(session->graph) > look->bytes_max) { /* M4 */
		tn_json_put_null(out);
		tn_json_put_member_bool(out, "truncated", true);
		tn_json_put_member_text(out, "template",
					"skaffa://preview/sessions/{sessionId}/"
					"instances{?type,limit,cursor}");
	} else if (tn_wb_graph_put_snapshot(session->graph, out, &err) != TENON_OK) {
		out->failed = true;
	}
	tn_json_end_object(out);
	say_untrusted(look, pointers);
	return TN_WB_SEEN;
}

enum tn_wb_seen tn_wb_see_logs(struct tn_wb_look *look, const char *session_id, const char *level,
			       const char *limit)
{
	static const char *const pointers[] = {"/entries", NULL};
	const struct tn_wb_session *session = begin(look, session_id);
	enum tn_wb_log_level least = TN_WB_LOG_DEBUG;
	uint64_t most = TN_WB_LOG_ENTRIES_MAX;

	if ((level && !tn_wb_log_level_of(tn_str_from(level), &least)) ||
	    (limit && (!tn_str_to_uint(tn_str_from(limit), &most) || !most))) {
		look->message = "level is debug, info, warn or error; limit an integer of 1 or "
				"more";
		return TN_WB_MALFORMED;
	}
	if (!session)
		return TN_WB_NOT_THERE;
	tn_json_begin_object(look->data);
	tn_json_put_key(look->data, "entries");
	tn_wb_log_put(look->data, &session->log, least, (size_t)most);
	tn_json_end_object(look->data);
	say_untrusted(look, pointers);
	return TN_WB_SEEN;
}

/* ---- instances ---- */

static int compare(const void *left, const void *right)
{
	const struct tn_wb_instance *const *a = left, *const *b = right;

	return tn_str_compare((*a)->id, (*b)->id);
}

/* Those that fit, by id; NULL: out of memory. */
static const struct tn_wb_instance **sorted(const struct tn_wb_session *session,
					    const struct tn_wb_instances_query *query,
					    size_t *ret_count)
{
	const struct tn_wb_instance **list =
		tn_mem_alloc_array(session->instances.used + 1, sizeof(*list));
	size_t cursor = 0, count = 0;
	struct tn_str key;
	void *value;

	while (list && tn_map_next(&session->instances, &cursor, &key, &value)) {
		const struct tn_wb_instance *one = value;

		if ((!query->type || tn_str_is(one->type_id, query->type)) &&
		    (!query->cursor || tn_str_compare(key, tn_str_from(query->cursor)) > 0))
			list[count++] = one;
	}
	if (list)
		qsort(list, count, sizeof(struct tn_wb_instance *), compare);
	*ret_count = count;
	return list;
}

/* A cursor is the id of the last one of the page before. */
enum tn_wb_seen tn_wb_see_instances(struct tn_wb_look *look, const char *session_id,
				    const struct tn_wb_instances_query *query)
{
	static const char *const pointers[] = {"/instances", NULL};
	const struct tn_wb_session *session = begin(look, session_id);
	const struct tn_wb_instance **list;
	struct tn_buf *out = look->data;
	size_t count = 0, at = 0;

	if (!session)
		return TN_WB_NOT_THERE;
	list = sorted(session, query, &count);
	tn_json_begin_object(out);
	tn_json_put_key(out, "instances");
	tn_json_begin_array(out);
	while (list && at < count && out->size < look->bytes_max &&
	       at < (query->limit ? query->limit : TN_WB_PAGE_MAX))
		tn_json_put_raw(out, list[at++]->text);
	tn_json_end_array(out);
	if (list && at < count)
		tn_json_put_member_str(out, "nextCursor", list[at - 1]->id);
	tn_json_end_object(out);
	tn_mem_free(list);
	say_untrusted(look, pointers);
	return TN_WB_SEEN;
}
