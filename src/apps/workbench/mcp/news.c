/* Whoever follows a resource is told when a read of it would be another (N3, N4). */
#include <stdio.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "base/digest.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/percent.h"
#include "base/size.h"
#include "mcp/caller_folder.h"
#include "mcp/feed.h"
#include "mcp/server.h"

/* One for each workspace that changed, and one that is closed already. */
enum {
	CHANGED_MAX = TN_WB_WORKSPACES_MAX + 1,
	TYPES_AT_ONCE = 2000,
	TYPES_LEFT = 1 << 30 /* of `what`: others of them are still to be told */
};

struct changed {
	char id[TN_HANDLE_SIZE];
	unsigned what;
};

struct tn_wb_news {
	struct tn_timer *timer; /* while it runs nothing is told */
	struct tn_later *later;
	struct changed list[CHANGED_MAX];
	size_t count;
};

/* What a selection shows besides what a page says of it (E3): of its type, its drafts, its routes.
 */
enum {
	SHOWN_WITH_SELECTION = TN_WB_CHANGED_CONFIG | TN_WB_CHANGED_REGISTRY | TN_WB_CHANGED_GRAPH |
			       TN_WB_CHANGED_OVERRIDES | TN_WB_CHANGED_DRAFTS
};

static const struct {
	const char *path;
	unsigned of; /* which changes concern it, besides state and list, which concern all */
} paths[] = {
	{"server/info", TN_WB_CHANGED_CONFIG}, /* what its guardrails allow */
	{"workspace/config", TN_WB_CHANGED_CONFIG},
	{"workspace/registry", TN_WB_CHANGED_REGISTRY},
	{"workspace/registry/index", TN_WB_CHANGED_REGISTRY | TN_WB_CHANGED_GRAPH},
	{"workspace/graph", TN_WB_CHANGED_GRAPH},
	{"workspace/graph/patches", TN_WB_CHANGED_GRAPH},
	{"workspace/overrides",
	 TN_WB_CHANGED_OVERRIDES | TN_WB_CHANGED_REGISTRY | TN_WB_CHANGED_DRAFTS},
	{"workspace/overrides/save-plan", TN_WB_CHANGED_PLAN},
	{"preview/sessions",
	 TN_WB_CHANGED_LAUNCHERS | TN_WB_CHANGED_SESSION | TN_WB_CHANGED_ACTIVE},
	{"preview/selection", SHOWN_WITH_SELECTION | TN_WB_CHANGED_SELECTION |
				      TN_WB_CHANGED_ACTIVE | TN_WB_CHANGED_SESSION},
};

/* Whose workspace this is (section 0): to them the short URIs mean it. */
struct its_callers {
	const struct tn_wb_workspaces *set;
	const char *workspace;
};

static bool is_its_caller(const struct tn_peer *peer, void *data)
{
	const struct its_callers *its = data;
	const struct tn_wb_workspace *own;
	char room[PATH_MAX];
	const char *why;

	own = tn_wb_workspaces_of(its->set, tn_peer_folder(peer, room), &why);
	return own && strcmp(own->id, its->workspace) == 0;
}

/* `everybody`: which workspace a short URI means may be another now. */
static void tell_one(struct tn_wb_door *door, const char *workspace, const char *path,
		     bool everybody)
{
	struct its_callers its = {.set = &door->workspaces, .workspace = workspace};
	char uri[1024]; /* a type's id may be three times as long as it is */

	(void)snprintf(uri, sizeof(uri), "skaffa://%s", path);
	tn_feed_resource_updated_for(door->server, tn_str_from(uri),
				     everybody ? NULL : is_its_caller, &its);
	(void)snprintf(uri, sizeof(uri), "skaffa://workspaces/%s/%s", workspace, path);
	tenon_server_resource_updated(door->server, uri);
}

static bool is_followed(struct tn_wb_door *door, const char *workspace, const char *path)
{
	char uri[256];

	(void)snprintf(uri, sizeof(uri), "skaffa://%s", path);
	if (tn_feed_has_subscriber(door->server, tn_str_from(uri)))
		return true;
	(void)snprintf(uri, sizeof(uri), "skaffa://workspaces/%s/%s", workspace, path);
	return tn_feed_has_subscriber(door->server, tn_str_from(uri));
}

/* A selection is made of so much that most changes leave it as it is: it is told when it says
 * something else, or in another state of the preview (N3). `session`: NULL, that which is active,
 * and the others. */
static void tell_selection(struct tn_wb_door *door, struct tn_wb_workspace *workspace,
			   const char *path, struct tn_wb_session *session)
{
	const struct tn_wb_session *of = session ? session : workspace->sessions.active;
	char *shown = session ? session->shown : workspace->shown;
	char now[TN_DIGEST_HEX_SIZE] = "";
	struct tn_buf text;

	if (is_followed(door, workspace->id, path)) {
		tn_buf_init(&text, TN_RESULT_BYTES_MAX);
		tn_buf_append_text(&text, of ? tn_wb_session_state_name(of->state) : "");
		tn_buf_append_byte(&text, workspace->sessions.first ? '1' : '0');
		if (session)
			tn_wb_session_put_selection(&text, session);
		else
			tn_wb_sessions_put_selection(&text, &workspace->sessions);
		if (!text.failed)
			tn_digest_hex(tn_buf_str(&text), now);
		tn_buf_finish(&text);
		if (!*now || strcmp(now, shown) != 0)
			tell_one(door, workspace->id, path, false);
	}
	memcpy(shown, now, sizeof(now));
}

static const struct {
	const char *part;          /* behind the session's id */
	unsigned of, of_workspace; /* changes of the session, and of any of the workspace */
} parts[] = {
	{"", TN_WB_CHANGED_SESSION | TN_WB_CHANGED_ACTIVE, 0},
	{"/selection", TN_WB_CHANGED_SELECTION | TN_WB_CHANGED_SESSION, SHOWN_WITH_SELECTION},
	{"/instances", TN_WB_CHANGED_INSTANCES, 0},
	{"/graph", TN_WB_CHANGED_INSTANCES, 0},
	{"/logs", TN_WB_CHANGED_LOG, 0},
};

/* Each session notes what of it has not been told. */
static void tell_sessions(struct tn_wb_door *door, const struct changed *changed)
{
	struct tn_wb_workspace *workspace =
		tn_wb_workspaces_find(&door->workspaces, tn_str_from(changed->id));

	for (struct tn_wb_session *at = workspace ? workspace->sessions.first : NULL; at;
	     at = at->next) {
		for (size_t i = 0; i < TN_COUNT(parts); i++) {
			char path[128];

			(void)snprintf(path, sizeof(path), "preview/sessions/%s%s", at->id,
				       parts[i].part);
			if (!(at->changes & parts[i].of || changed->what & parts[i].of_workspace))
				continue;
			if (strcmp(parts[i].part, "/selection") == 0)
				tell_selection(door, workspace, path, at);
			else
				tell_one(door, changed->id, path, false);
		}
		at->changes = 0;
	}
}

static bool same_type(const struct tn_wb_entry *a, const struct tn_wb_entry *b)
{
	return b && tn_str_equal(a->module, b->module) && tn_json_equal(a->tree, b->tree);
}

static void tell_type(struct tn_wb_door *door, const char *workspace, struct tn_str type_id)
{
	struct tn_buf path;

	tn_buf_init(&path, TN_WB_TEXT_BYTES_MAX);
	tn_buf_append_text(&path, "workspace/registry/");
	tn_percent_put(&path, type_id, "");
	tn_buf_append_byte(&path, '\0');
	if (!path.failed)
		tell_one(door, workspace, path.data, false);
	tn_buf_finish(&path);
}

/* One of the types that are there, and then of those that were: told when it is another now, or
 * gone. */
static void look_at_type(struct tn_wb_door *door, const struct tn_wb_workspace *workspace,
			 size_t at)
{
	const struct tn_wb_registry *now = workspace->registry, *before = workspace->registry_told;
	size_t count = tn_wb_registry_count(now);
	const struct tn_wb_entry *entry =
		at < count ? tn_wb_registry_at(now, at) : tn_wb_registry_at(before, at - count);
	const struct tn_wb_entry *other =
		tn_wb_registry_find(at < count ? before : now, entry->type_id);

	if (at < count ? !same_type(entry, other) : !other)
		tell_type(door, workspace->id, entry->type_id);
}

/* Each type by itself, if it has changed (N4), so many in a turn. True: there are more. */
static bool tell_types(struct tn_wb_door *door, const struct changed *changed)
{
	struct tn_wb_workspace *workspace =
		tn_wb_workspaces_find(&door->workspaces, tn_str_from(changed->id));
	size_t all, end;

	if (!workspace || !workspace->registry_told)
		return false;
	all = tn_wb_registry_count(workspace->registry) +
	      tn_wb_registry_count(workspace->registry_told);
	end = workspace->types_told + TYPES_AT_ONCE < all ? workspace->types_told + TYPES_AT_ONCE
							  : all;
	while (workspace->types_told < end)
		look_at_type(door, workspace, workspace->types_told++);
	if (end < all)
		return true;
	tn_wb_registry_free(workspace->registry_told);
	workspace->registry_told = NULL;
	return false;
}

static void tell(struct tn_wb_door *door, const struct changed *changed)
{
	const unsigned all = TN_WB_CHANGED_STATE | TN_WB_CHANGED_LIST;
	struct tn_wb_workspace *workspace =
		tn_wb_workspaces_find(&door->workspaces, tn_str_from(changed->id));

	if (changed->what & (TN_WB_CHANGED_CONFIG | TN_WB_CHANGED_LIST))
		tn_wb_prompts_refresh(door);
	if (changed->what & all)
		tenon_server_resource_updated(door->server, "skaffa://workspaces");
	if (workspace && changed->what & all)
		workspace->shown[0] = '\0'; /* told below, whatever it says */
	tell_sessions(door, changed);
	for (size_t i = 0; i < TN_COUNT(paths); i++) {
		if (!(changed->what & (paths[i].of | all)))
			continue;
		if (workspace && !(changed->what & all) &&
		    strcmp(paths[i].path, "preview/selection") == 0)
			tell_selection(door, workspace, paths[i].path, NULL);
		else
			tell_one(door, changed->id, paths[i].path, changed->what & all);
	}
}

static void tell_all(struct tn_wb_door *door)
{
	struct tn_wb_news *news = door->news;
	size_t left = 0;

	for (size_t i = 0; i < news->count; i++) {
		struct changed *changed = &news->list[i];

		tell(door, changed);
		if (!(changed->what & (TN_WB_CHANGED_REGISTRY | TYPES_LEFT)) ||
		    !tell_types(door, changed))
			continue;
		changed->what = TYPES_LEFT;
		news->list[left++] = *changed;
	}
	if (news->count)
		tn_timer_start(news->timer, TN_WB_TOGETHER_MS);
	news->count = left;
}

static void due(struct tn_timer *timer, void *door)
{
	(void)timer;
	tell_all(door);
}

static void due_now(struct tn_later *later, void *data)
{
	struct tn_wb_door *door = data;

	(void)later;
	if (!tn_timer_active(door->news->timer))
		tell_all(door);
}

void tn_wb_news_changed(void *data, struct tn_wb_workspace *workspace, unsigned what)
{
	struct tn_wb_door *door = data;
	struct tn_wb_news *news = door->news;
	size_t at = 0;

	tn_wb_preview_changed(door, workspace, what);
	if (workspace->state != TN_WB_CLOSING)
		tn_wb_plan_follow(door, workspace, what);
	while (at < news->count && strcmp(news->list[at].id, workspace->id) != 0)
		at++;
	if (at == CHANGED_MAX) {
		tell_all(door); /* what is left of it is of fewer: those that are open */
		at = news->count;
	}
	if (at == news->count) {
		news->list[at] = (struct changed){.what = 0};
		(void)snprintf(news->list[at].id, sizeof(news->list[at].id), "%s", workspace->id);
		news->count++;
	}
	news->list[at].what |= what;
	tn_later_request(news->later);
}

enum tenon_code tn_wb_news_open(struct tn_wb_door *door, struct tenon_error *err)
{
	struct tn_loop *loop = door->server->loop;
	enum tenon_code code;

	door->news = tn_mem_alloc(sizeof(*door->news));
	if (!door->news)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	code = tn_timer_open(loop, due, door, &door->news->timer, err);
	if (code == TENON_OK)
		code = tn_later_open(loop, due_now, door, &door->news->later, err);
	return code;
}

void tn_wb_news_close(struct tn_wb_door *door)
{
	if (!door->news)
		return;
	tn_timer_close(door->news->timer);
	tn_later_close(door->news->later);
	tn_mem_free(door->news);
	door->news = NULL;
}
