/* What a page reports: which instances live there, and what has become of drafts. */
#include "apps/workbench/sessions/parts.h"
#include "apps/workbench/values/id.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

/* ---- instances (A8, G11) ---- */

struct report {
	struct tn_wb_session *session;
	struct tn_wb_instance **items; /* upserted; NULL where it was left out */
	size_t count;
	const struct tn_json *remove;
	struct tn_buf ops; /* of the session graph */
};

static void say_too_large(struct tn_wb_session *session)
{
	tn_wb_session_warn(session, "instances_incomplete",
			   "A page reports more instances, or larger ones, than are kept: some are "
			   "missing.");
}

static const char *read_items(struct report *report, const struct tn_json *upsert)
{
	for (const struct tn_json *at = upsert->first; at; at = at->next) {
		struct tn_wb_instance *made = NULL;
		struct tenon_error err;
		enum tenon_code code = tn_wb_instance_read(at, report->session->id, &made, &err);

		if (code == TENON_INVALID)
			return "upsert has something that is no instance of this session";
		if (code != TENON_OK)
			say_too_large(report->session);
		else
			report->items[report->count++] = made;
	}
	return NULL;
}

static const char *check_removed(const struct tn_json *remove)
{
	struct tn_str id;

	for (const struct tn_json *at = remove->first; at; at = at->next)
		if (!tn_json_to_str(at, &id) || !tn_wb_instance_id_is_valid(id))
			return "remove has something that is no instanceId";
	return NULL;
}

static void begin_op(struct report *report, const char *op, const char *member)
{
	tn_json_begin_object(&report->ops);
	tn_json_put_member_text(&report->ops, "op", op);
	tn_json_put_key(&report->ops, member);
	tn_json_begin_object(&report->ops);
	tn_json_put_member_text(&report->ops, "kind",
				member[0] == 'n' ? "instance" : "instanceChildOfInstance");
	tn_json_put_member_text(&report->ops, "sessionId", report->session->id);
}

static void end_op(struct report *report)
{
	tn_json_end_object(&report->ops);
	tn_json_end_object(&report->ops);
}

static void put_edge(struct report *report, const char *op, const struct tn_wb_instance *instance)
{
	if (!instance->parent_id.size)
		return;
	begin_op(report, op, "edge");
	tn_json_put_member_str(&report->ops, "parentInstanceId", instance->parent_id);
	tn_json_put_member_str(&report->ops, "childInstanceId", instance->id);
	end_op(report);
}

static void put_node(struct report *report, const struct tn_wb_instance *instance)
{
	begin_op(report, "upsertNode", "node");
	tn_json_put_member_str(&report->ops, "instanceId", instance->id);
	tn_json_put_member_str(&report->ops, "componentTypeId", instance->type_id);
	if (instance->display_name.size)
		tn_json_put_member_str(&report->ops, "displayName", instance->display_name);
	if (instance->source.size)
		tn_json_put_member_raw(&report->ops, "source", instance->source);
	end_op(report);
}

static void remove_one(struct report *report, struct tn_str id)
{
	struct tn_wb_session *session = report->session;
	const struct tn_wb_instance *selected = session->selection.instance;
	struct tn_wb_instance *old = tn_map_remove(&session->instances, id);

	if (selected && tn_str_equal(selected->id, id))
		tn_wb_session_take_selection(session, NULL, "programmatic");
	if (!old)
		return;
	put_edge(report, "removeEdge", old);
	begin_op(report, "removeNode", "node");
	tn_json_put_member_str(&report->ops, "instanceId", old->id);
	end_op(report);
	session->instance_bytes -= old->text.size;
	tn_mem_free(old);
}

/* Takes the instance over. */
static void put_one(struct report *report, struct tn_wb_instance *made)
{
	struct tn_wb_session *session = report->session;
	struct tn_wb_instance *old = tn_map_get(&session->instances, made->id);
	size_t bytes = session->instance_bytes - (old ? old->text.size : 0) + made->text.size;
	struct tenon_error err;

	if (bytes > TN_WB_INSTANCES_BYTES_MAX ||
	    (!old && session->instances.used >= TN_WB_INSTANCES_MAX) ||
	    tn_map_put(&session->instances, made->id, made, &err) != TENON_OK) {
		say_too_large(session);
		tn_mem_free(made);
		return;
	}
	session->instance_bytes = bytes;
	if (old && !tn_str_equal(old->parent_id, made->parent_id))
		put_edge(report, "removeEdge", old);
	put_node(report, made);
	put_edge(report, "upsertEdge", made);
	tn_mem_free(old);
}

static void update_graph(struct report *report)
{
	struct tn_wb_session *session = report->session;
	struct tn_json *patch = NULL;
	struct tn_wb_update update;
	struct tenon_error err;
	struct tn_arena arena;
	struct tn_buf text;

	tn_arena_init(&arena, TN_WB_UPDATE_ARENA_MAX);
	tn_buf_init(&text, TN_WB_PATCH_BYTES_MAX);
	tn_json_begin_object(&text);
	tn_json_put_member_text(&text, "schemaVersion", "v0");
	tn_json_put_member_int(&text, "revision", ++session->reports);
	tn_json_put_member_raw(&text, "ops", tn_buf_str(&report->ops));
	tn_json_end_object(&text);
	if (report->ops.failed || text.failed ||
	    tn_json_parse_copy(&arena, tn_buf_str(&text), &patch, &err) != TENON_OK ||
	    tn_wb_graph_edit(session->graph, "adapter", TN_WB_RANK_OUTSIDE, patch, &update, NULL,
			     &err) != TENON_OK)
		say_too_large(session);
	tn_buf_finish(&text);
	tn_arena_finish(&arena);
}

/* What a selection says of its ancestors is theirs: a click comes before the report of what a
 * navigation has brought (N4). */
static void tell_change(struct tn_wb_session *session, const struct tn_buf *before)
{
	struct tn_buf after;
	bool same;

	tn_buf_init(&after, TN_WB_SESSION_BYTES_MAX);
	tn_wb_session_put_ancestors(&after, session);
	same = tn_str_equal(tn_buf_str(before), tn_buf_str(&after));
	tn_buf_finish(&after);
	tn_wb_session_tell(session, TN_WB_CHANGED_INSTANCES | (same ? 0 : TN_WB_CHANGED_SELECTION));
}

static void apply_report(struct report *report, bool full)
{
	struct tn_wb_session *session = report->session;
	struct tn_wb_update update;
	struct tn_buf before;

	tn_buf_init(&before, TN_WB_SESSION_BYTES_MAX);
	tn_wb_session_put_ancestors(&before, session);
	tn_json_begin_array(&report->ops);
	if (full) {
		tn_wb_session_forget_instances(session);
		(void)tn_wb_graph_remove(session->graph, "adapter", &update);
	}
	for (const struct tn_json *at = report->remove->first; at; at = at->next)
		remove_one(report, at->text);
	for (size_t i = 0; i < report->count; i++) {
		put_one(report, report->items[i]);
		report->items[i] = NULL;
	}
	tn_json_end_array(&report->ops);
	update_graph(report);
	tell_change(session, &before);
	tn_buf_finish(&before);
}

const char *tn_wb_session_reported_instances(struct tn_wb_page *page, const struct tn_json *message)
{
	const struct tn_json *upsert = tn_json_get(message, "upsert");
	struct report report = {.session = page->session, .remove = tn_json_get(message, "remove")};
	const char *fault;
	bool full;

	if (!tn_json_to_bool(tn_json_get(message, "full"), &full) ||
	    !tn_json_is(upsert, TN_JSON_ARRAY) || !tn_json_is(report.remove, TN_JSON_ARRAY))
		return "full, upsert and remove are needed";
	report.items = tn_mem_alloc_array(upsert->count + 1, sizeof(struct tn_wb_instance *));
	if (!report.items) {
		say_too_large(page->session);
		return NULL;
	}
	tn_buf_init(&report.ops, TN_WB_PATCH_BYTES_MAX);
	fault = read_items(&report, upsert);
	if (!fault)
		fault = check_removed(report.remove);
	if (!fault && tn_wb_session_primary(page->session) == page)
		apply_report(&report, full);
	for (size_t i = 0; i < report.count; i++)
		tn_mem_free(report.items[i]);
	tn_mem_free(report.items);
	tn_buf_finish(&report.ops);
	return fault;
}

/* ---- drafts (A14, A15, O16) ---- */

struct moved {
	struct tn_map ids; /* "instance\npath" to the entry of `rebound` */
	struct tn_buf key;
	struct tn_wb_rebound *list;
	size_t count;
};

static bool read_address(const struct tn_json *json, const struct tn_wb_session *session,
			 struct tn_wb_address *ret)
{
	ret->group = session->group;
	return tn_json_to_str(tn_json_get(json, "instanceId"), &ret->instance_id) &&
	       tn_wb_instance_id_is_valid(ret->instance_id) &&
	       tn_json_to_str(tn_json_get(json, "path"), &ret->path) &&
	       ret->path.size <= TN_WB_PATH_BYTES_MAX;
}

static bool is_list(const struct tn_json *json)
{
	return tn_json_is(json, TN_JSON_ARRAY) && json->count <= TN_WB_REPORTS_MAX;
}

static struct tn_str key_of(struct tn_buf *key, const struct tn_wb_address *address)
{
	tn_buf_clear(key);
	tn_buf_append_str(key, address->instance_id);
	tn_buf_append_byte(key, '\n');
	tn_buf_append_str(key, address->path);
	return tn_buf_str(key);
}

static const char *read_rebound(struct moved *moved, const struct tn_json *rebound,
				const struct tn_wb_session *session)
{
	struct tenon_error err;

	for (const struct tn_json *at = rebound ? rebound->first : NULL; at; at = at->next) {
		struct tn_wb_rebound *one = &moved->list[moved->count];

		one->to_locator = tn_json_get(at, "toLocator");
		if (!read_address(at, session, &one->from) ||
		    !tn_json_to_str(tn_json_get(at, "toInstanceId"), &one->to_instance_id) ||
		    !tn_wb_instance_id_is_valid(one->to_instance_id) ||
		    (one->to_locator && !tn_wb_locator_is_valid(one->to_locator)))
			return "rebound has something that is no move of a draft";
		if (tn_map_put(&moved->ids, key_of(&moved->key, &one->from), one, &err) != TENON_OK)
			return NULL;
		moved->count++;
	}
	return NULL;
}

/* NULL, or the sentence; `act`: the statuses are taken, otherwise only looked at. */
static const char *each_status(struct tn_wb_page *page, struct moved *moved,
			       const struct tn_json *list, bool orphaned, bool act, bool *changed)
{
	struct tn_wb_session *session = page->session;

	for (const struct tn_json *at = list->first; at; at = at->next) {
		enum tn_wb_report report = TN_WB_APPLIED;
		const struct tn_wb_rebound *to;
		struct tn_wb_address address;
		struct tn_str reason = {0};

		if (orphaned && tn_json_to_str(tn_json_get(at, "reason"), &reason))
			report = tn_wb_report_of(reason);
		if (!read_address(at, session, &address) ||
		    (orphaned && (!reason.data || report == TN_WB_UNREPORTED)))
			return "applied and orphaned list drafts by instanceId, path and reason";
		if (!act)
			continue;
		to = tn_map_get(&moved->ids, key_of(&moved->key, &address));
		if (to)
			address.instance_id = to->to_instance_id;
		*changed |= tn_wb_drafts_report(session->set->site.drafts, session->number,
						&address, report);
	}
	return NULL;
}

static const char *check_statuses(struct tn_wb_page *page, struct moved *moved,
				  const struct tn_json *applied, const struct tn_json *orphaned)
{
	const char *fault = each_status(page, moved, applied, false, false, NULL);

	return fault ? fault : each_status(page, moved, orphaned, true, false, NULL);
}

static void take_statuses(struct tn_wb_page *page, struct moved *moved,
			  const struct tn_json *applied, const struct tn_json *orphaned)
{
	struct tn_wb_session *session = page->session;
	struct tn_wb_sessions *set = session->set;
	bool changed = false;
	struct tenon_error err;
	size_t count = 0;

	if (!set->site.drafts)
		return;
	if (tn_wb_drafts_rebind(set->site.drafts, moved->list, moved->count, &count, &err) !=
	    TENON_OK)
		tn_wb_session_warn(session, "persist_failed", err.message);
	(void)each_status(page, moved, applied, false, true, &changed);
	(void)each_status(page, moved, orphaned, true, true, &changed);
	if (count) /* the page that found them knows; the others have to be told */
		tn_wb_sessions_init_again(set, &session->group, page);
	if (count || changed)
		tn_wb_session_tell(session, TN_WB_CHANGED_DRAFTS);
}

const char *tn_wb_page_reported_drafts(struct tn_wb_page *page, const struct tn_json *message)
{
	const struct tn_json *applied = tn_json_get(message, "applied");
	const struct tn_json *orphaned = tn_json_get(message, "orphaned");
	const struct tn_json *rebound = tn_json_get(message, "rebound");
	struct moved moved = {.count = 0};
	const char *fault;

	if (!is_list(applied) || !is_list(orphaned) || (rebound && !is_list(rebound)))
		return "applied and orphaned are needed, of at most 10,000 drafts";
	moved.list = tn_mem_alloc_array((rebound ? rebound->count : 0) + 1, sizeof(*moved.list));
	if (!moved.list)
		return NULL;
	tn_map_init(&moved.ids);
	tn_buf_init(&moved.key, TN_WB_PATH_BYTES_MAX + TN_WB_ID_BYTES_MAX + 1);
	fault = read_rebound(&moved, rebound, page->session);
	if (!fault)
		fault = check_statuses(page, &moved, applied, orphaned);
	if (!fault)
		take_statuses(page, &moved, applied, orphaned);
	tn_buf_finish(&moved.key);
	tn_map_finish(&moved.ids);
	tn_mem_free(moved.list);
	return fault;
}
