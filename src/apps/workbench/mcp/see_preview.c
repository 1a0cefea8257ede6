/* skaffa://preview/...: what is previewed, and what is selected there. */
#include <stdio.h>
#include <stdlib.h>

#include "apps/workbench/launch/launcher.h"
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "base/mem.h"
#include "base/size.h"
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

/* What its page says of itself: its path, its adapter, and what was wrong of its messages. */
static void say_of_session(struct tn_wb_look *look, size_t index)
{
	static const char *const members[] = {"route", "adapter", "warnings"};

	for (size_t i = 0; i < TN_COUNT(members); i++) {
		size_t at = index * TN_COUNT(members) + i;

		if (at >= TN_COUNT(look->pointers))
			return;
		(void)snprintf(look->pointers[at], sizeof(look->pointers[at]), "/sessions/%zu/%s",
			       index, members[i]);
		look->untrusted[at] = look->pointers[at];
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
	for (size_t i = 0; first; first = first->next, i++) {
		tn_wb_session_put(out, first);
		say_of_session(look, i);
	}
	tn_json_end_array(out);
	tn_json_put_key(out, "launchers");
	if (look->workspace && look->workspace->config)
		tn_wb_launchers_put(out, look->workspace->config);
	else
		tn_json_put_raw(out, TN_STR("[]"));
	tn_json_end_object(out);
	return TN_WB_SEEN;
}

enum tn_wb_seen tn_wb_see_selection(struct tn_wb_look *look)
{
	static const char *const pointers[] = {"/current/selected",
					       "/current/props",
					       "/current/overrides",
					       "/current/source",
					       "/current/definition",
					       "/current/ancestors",
					       "/others",
					       NULL};
	static const struct tn_wb_sessions none;

	tn_wb_say_preview(look, tn_wb_session_of(look->workspace, NULL));
	tn_wb_sessions_put_selection(look->data,
				     look->workspace ? &look->workspace->sessions : &none);
	if (tn_wb_session_of(look->workspace, NULL))
		tn_wb_say_untrusted(look, pointers);
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
	static const char *const pointers[] = {"/route", "/adapter", "/warnings", NULL};
	const struct tn_wb_session *session = begin(look, session_id);

	if (!session)
		return TN_WB_NOT_THERE;
	tn_wb_session_put(look->data, session);
	tn_wb_say_untrusted(look, pointers);
	return TN_WB_SEEN;
}

enum tn_wb_seen tn_wb_see_session_selection(struct tn_wb_look *look, const char *session_id)
{
	static const char *const pointers[] = {"/selected",   "/props",     "/overrides", "/source",
					       "/definition", "/ancestors", NULL};
	const struct tn_wb_session *session = begin(look, session_id);

	if (!session)
		return TN_WB_NOT_THERE;
	tn_wb_session_put_selection(look->data, session);
	tn_wb_say_untrusted(look, pointers);
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
	tn_wb_say_untrusted(look, pointers);
	return TN_WB_SEEN;
}

enum tn_wb_seen tn_wb_see_logs(struct tn_wb_look *look, const char *session_id, const char *level,
			       const char *limit, const char *cursor)
{
	static const char *const pointers[] = {"/entries", NULL};
	const struct tn_wb_session *session = begin(look, session_id);
	struct tn_wb_log_query query = {.bytes_max = look->bytes_max};
	uint64_t most = TN_WB_LOG_ENTRIES_MAX, more;
	char next[24];

	if ((level && !tn_wb_log_level_of(tn_str_from(level), &query.least)) ||
	    (cursor && !tn_str_to_uint(tn_str_from(cursor), &query.before)) ||
	    (limit && (!tn_str_to_uint(tn_str_from(limit), &most) || !most))) {
		look->message = "level is debug, info, warn or error; limit an integer of 1 or "
				"more; a cursor what a page before has said";
		return TN_WB_MALFORMED;
	}
	if (!session)
		return TN_WB_NOT_THERE;
	query.limit = (size_t)most;
	tn_json_begin_object(look->data);
	tn_json_put_key(look->data, "entries");
	more = tn_wb_log_put(look->data, &session->log, &query);
	(void)snprintf(next, sizeof(next), "%llu", (unsigned long long)more);
	if (more)
		tn_json_put_member_text(look->data, "nextCursor", next);
	tn_json_end_object(look->data);
	tn_wb_say_untrusted(look, pointers);
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
	static const char *const pointers[] = {"/instances", "/nextCursor", NULL};
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
	tn_wb_say_untrusted(look, pointers);
	return TN_WB_SEEN;
}
