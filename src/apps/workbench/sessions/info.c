/* SessionInfo (10.3), and what is known of instances. */
#include "apps/workbench/sessions/parts.h"
#include "jsonrpc/json_write.h"

static void put_time(struct tn_buf *out, const char *name, int64_t wall_ms)
{
	char text[TN_CLOCK_ISO_SIZE];

	if (!wall_ms) {
		tn_json_put_member_null(out, name);
		return;
	}
	tn_clock_format_iso(wall_ms, text);
	tn_json_put_member_text(out, name, text);
}

static void put_adapter(struct tn_buf *out, const struct tn_wb_session *session)
{
	tn_json_put_key(out, "adapter");
	if (!session->adapter_id) {
		tn_json_put_null(out);
		return;
	}
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "id", session->adapter_id);
	tn_json_put_member_text(out, "version", session->adapter_version);
	tn_json_put_member_raw(out, "capabilities", tn_str_from(session->capabilities));
	tn_json_end_object(out);
}

static void put_route(struct tn_buf *out, const struct tn_wb_route *route)
{
	tn_json_put_key(out, "route");
	if (!route->pathname) {
		tn_json_put_null(out);
		return;
	}
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "pathname", route->pathname);
	tn_json_put_member_raw(out, "matchedRouteIds",
			       route->matched ? tn_str_from(route->matched) : TN_STR("[]"));
	if (route->params)
		tn_json_put_member_raw(out, "params", tn_str_from(route->params));
	tn_json_put_member_text(out, "source", route->from_adapter ? "adapter" : "location");
	tn_json_end_object(out);
}

static void put_launcher(struct tn_buf *out, const struct tn_wb_session *session)
{
	static const char *const states[TN_WB_SESSION_STATES] = {
		[TN_WB_SESSION_CREATING] = "starting", [TN_WB_SESSION_LOADING] = "running",
		[TN_WB_SESSION_READY] = "running",     [TN_WB_SESSION_RELOADING] = "running",
		[TN_WB_SESSION_STOPPED] = "stopping",  [TN_WB_SESSION_DISPOSED] = "stopped",
		[TN_WB_SESSION_FAILED] = "failed",
	};

	tn_json_put_key(out, "launcher");
	if (!session->launcher) {
		tn_json_put_null(out);
		return;
	}
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "id", session->launcher);
	tn_json_put_member_text(out, "state", states[session->state]);
	tn_json_end_object(out);
}

static int64_t page_count(const struct tn_wb_session *session)
{
	int64_t count = 0;

	for (const struct tn_wb_page *page = session->pages; page; page = page->next)
		count += page->ready;
	return count;
}

static void put_error(struct tn_buf *out, const struct tn_wb_session *session)
{
	tn_json_put_key(out, "lastError");
	if (!session->error_code) {
		tn_json_put_null(out);
		return;
	}
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "code", session->error_code);
	tn_json_put_member_text(out, "message", session->error_message);
	tn_json_end_object(out);
}

/* R13: what is left out is named. */
static void add_skipped(struct tn_wb_diagnostics *all, const struct tn_wb_session *session)
{
	const struct tn_wb_diagnostic of = {.severity = TN_WB_WARNING, .code = "not_instrumented"};
	struct tn_buf words;

	if (!session->instrumentation.skipped)
		return;
	tn_buf_init(&words, TN_WB_TEXT_BYTES_MAX);
	tn_wb_instrumentation_put_skipped(&words, &session->instrumentation);
	tn_wb_diagnose_format(all, &of, "%.*s", (int)words.size, words.size ? words.data : "");
	tn_buf_finish(&words);
}

/* S18: as long as no page has it. */
static void add_tag(struct tn_wb_diagnostics *all, const struct tn_wb_session *session)
{
	const struct tn_wb_diagnostic of = {.severity = TN_WB_INFO, .code = "script_tag"};

	if (session->tag &&
	    (session->state == TN_WB_SESSION_LOADING || session->state == TN_WB_SESSION_RELOADING))
		tn_wb_diagnose_format(all, &of,
				      "Its pages need this tag as the first script in their head, "
				      "in development only: %s",
				      session->tag);
}

static void put_warnings(struct tn_buf *out, const struct tn_wb_session *session)
{
	struct tn_wb_diagnostics all;

	tn_wb_diagnostics_init(&all);
	add_tag(&all, session);
	tn_wb_diagnostics_add(&all, &session->warnings);
	add_skipped(&all, session);
	tn_json_put_key(out, "warnings");
	tn_wb_diagnostics_put(out, &all);
	tn_wb_diagnostics_finish(&all);
}

void tn_wb_session_put(struct tn_buf *out, const struct tn_wb_session *session)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "sessionId", session->id);
	tn_json_put_member_text(out, "type", tn_wb_group_name(session->group));
	tn_json_put_member_raw(out, "target", tn_str_from(session->target));
	tn_json_put_member_text(out, "state", tn_wb_session_state_name(session->state));
	tn_json_put_member_bool(out, "active", session->set->active == session);
	tn_json_put_member_text(out, "url", session->url);
	put_time(out, "createdAt", session->created_wall_ms);
	put_time(out, "readyAt", session->ready_wall_ms);
	put_adapter(out, session);
	tn_json_put_member_int(out, "pages", page_count(session));
	tn_json_put_member_text(out, "mode", session->interacts ? "interact" : "editor");
	put_route(out, &session->route);
	put_launcher(out, session);
	tn_json_put_key(out, "instrumentation");
	if (session->launcher)
		tn_wb_instrumentation_put(out, &session->instrumentation);
	else
		tn_json_put_null(out);
	put_warnings(out, session);
	put_error(out, session);
	tn_json_end_object(out);
}

/* ---- facts for drafts (13.5) ---- */

static bool known_in(const struct tn_wb_session *session, struct tn_str id, struct tn_str *ret)
{
	const struct tn_wb_instance *found = session->selection.instance;

	if (!found || !tn_str_equal(found->id, id))
		found = tn_map_get(&session->instances, id);
	if (!found)
		return false;
	*ret = found->type_id;
	return true;
}

static bool known_in_group(const struct tn_wb_sessions *set, enum tn_wb_group group,
			   struct tn_str id, struct tn_str *ret)
{
	for (const struct tn_wb_session *at = set->first; at; at = at->next)
		if (at->group == group && known_in(at, id, ret))
			return true;
	return false;
}

static bool known_app(void *data, struct tn_str id, struct tn_str *ret)
{
	return known_in_group(data, TN_WB_GROUP_APP, id, ret);
}

static bool known_component(void *data, struct tn_str id, struct tn_str *ret)
{
	return known_in_group(data, TN_WB_GROUP_COMPONENT, id, ret);
}

struct tn_wb_facts tn_wb_sessions_facts(struct tn_wb_sessions *set, enum tn_wb_group group)
{
	struct tn_wb_facts facts = {.data = set, .registry = set->site.registry};
	size_t ready = 0, listing = 0;

	facts.instance = group == TN_WB_GROUP_APP ? known_app : known_component;
	for (const struct tn_wb_session *at = set->first; at; at = at->next) {
		if (at->group != group || at->state != TN_WB_SESSION_READY)
			continue;
		ready++;
		listing += at->reports_instances;
	}
	facts.lists_instances = ready > 0 && ready == listing;
	return facts;
}
