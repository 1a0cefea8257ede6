/* Whoever follows a resource is told when a read of it would be another (N3, N4). */
#include <stdio.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "base/mem.h"
#include "base/size.h"
#include "mcp/feed.h"
#include "mcp/server.h"

/* One for each workspace that changed, and one that is closed already. */
enum { CHANGED_MAX = TN_WB_WORKSPACES_MAX + 1 };

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

static const struct {
	const char *path;
	unsigned of; /* which changes concern it, besides state and list, which concern all */
} paths[] = {
	{"server/info", 0},
	{"workspace/config", TN_WB_CHANGED_CONFIG},
	{"workspace/registry", TN_WB_CHANGED_REGISTRY},
	{"workspace/registry/index", TN_WB_CHANGED_REGISTRY | TN_WB_CHANGED_GRAPH},
	{"workspace/graph", TN_WB_CHANGED_GRAPH},
	{"workspace/graph/patches", TN_WB_CHANGED_GRAPH},
	{"workspace/overrides", TN_WB_CHANGED_OVERRIDES | TN_WB_CHANGED_REGISTRY},
	{"preview/sessions", TN_WB_CHANGED_CONFIG},
	{"preview/selection",
	 TN_WB_CHANGED_REGISTRY | TN_WB_CHANGED_GRAPH | TN_WB_CHANGED_OVERRIDES},
};

static void tell(struct tn_wb_door *door, const struct changed *changed)
{
	const unsigned all = TN_WB_CHANGED_STATE | TN_WB_CHANGED_LIST;
	char uri[256];

	if (changed->what & all)
		tenon_server_resource_updated(door->server, "skaffa://workspaces");
	for (size_t i = 0; i < TN_COUNT(paths); i++) {
		if (!(changed->what & (paths[i].of | all)))
			continue;
		(void)snprintf(uri, sizeof(uri), "skaffa://%s", paths[i].path);
		tenon_server_resource_updated(door->server, uri);
		(void)snprintf(uri, sizeof(uri), "skaffa://workspaces/%s/%s", changed->id,
			       paths[i].path);
		tenon_server_resource_updated(door->server, uri);
	}
}

static void tell_all(struct tn_wb_door *door)
{
	struct tn_wb_news *news = door->news;

	for (size_t i = 0; i < news->count; i++)
		tell(door, &news->list[i]);
	if (news->count)
		tn_timer_start(news->timer, TN_WB_TOGETHER_MS);
	news->count = 0;
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

	while (at < news->count && strcmp(news->list[at].id, workspace->id) != 0)
		at++;
	if (at == CHANGED_MAX) {
		tell_all(door);
		at = 0;
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
