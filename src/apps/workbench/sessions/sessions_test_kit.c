#include "apps/workbench/sessions/sessions_test_kit.h"

#include <stdio.h>

#include "jsonrpc/json_write.h"

static const char graph[] =
	"{\"schemaVersion\":\"v0\",\"revision\":1,\"nodes\":["
	"{\"kind\":\"route\",\"id\":\"routeId:root\",\"path\":\"/\"},"
	"{\"kind\":\"route\",\"id\":\"routeId:home\",\"path\":\"/\"},"
	"{\"kind\":\"route\",\"id\":\"routeId:item\",\"path\":\"/menu/:itemId\"},"
	"{\"kind\":\"route\",\"id\":\"routeId:special\",\"path\":\"/menu/special\"},"
	"{\"kind\":\"route\",\"id\":\"route:/*\",\"path\":\"/*\"},"
	"{\"kind\":\"componentType\",\"id\":\"ui.button\",\"displayName\":\"Button\",\"source\":{"
	"\"filePath\":\"src/Button.tsx\",\"line\":3}},"
	"{\"kind\":\"componentType\",\"id\":\"ui.card\",\"displayName\":\"Card\"}],\"edges\":["
	"{\"kind\":\"routeUsesComponentType\",\"routeId\":\"routeId:home\",\"componentTypeId\":"
	"\"ui.button\"},"
	"{\"kind\":\"componentTypeUsesComponentType\",\"from\":\"ui.card\",\"to\":\"ui.button\"}]}";

static uint64_t now_ms(void *data)
{
	const struct tn_wb_sessions_kit *kit = data;

	return kit->now_ms;
}

static int64_t wall_ms(void *data)
{
	(void)data;
	return 1769849080000;
}

static void send(void *data, struct tn_wb_page *page, struct tn_str text)
{
	struct tn_wb_sessions_kit *kit = data;

	(void)page;
	tn_buf_append_str(&kit->sent, text);
	tn_buf_append_byte(&kit->sent, '\n');
}

static void close_page(void *data, struct tn_wb_page *page, unsigned code)
{
	struct tn_wb_sessions_kit *kit = data;

	(void)page;
	kit->closed = code;
}

static void changed(void *data, struct tn_wb_session *session, unsigned what)
{
	struct tn_wb_sessions_kit *kit = data;

	(void)session;
	kit->told |= what;
}

static void result(void *data, struct tn_wb_session *session, uint64_t request, bool ok,
		   struct tn_str code, const struct tn_json *answer)
{
	struct tn_wb_sessions_kit *kit = data;

	(void)session;
	(void)code;
	(void)answer;
	kit->result = request;
	kit->result_ok = ok;
}

static const struct tn_wb_sessions_events events = {
	.send = send, .close = close_page, .changed = changed, .result = result};

static struct tn_json *parse(struct tn_wb_sessions_kit *kit, const char *text)
{
	struct tn_json *tree = NULL;

	tn_assert(tn_json_parse_copy(&kit->arena, tn_str_from(text), &tree, NULL) == TENON_OK);
	return tree;
}

void tn_wb_sessions_kit_init(struct tn_wb_sessions_kit *kit)
{
	struct tn_wb_update update;

	*kit = (struct tn_wb_sessions_kit){.now_ms = 1000};
	tn_wb_drafts_kit_init(&kit->drafts);
	tn_arena_init(&kit->arena, 512 * TN_MIB);
	tn_buf_init(&kit->sent, 64 * TN_MIB);
	kit->clock = (struct tn_clock){.monotonic_ms = now_ms, .wall_ms = wall_ms, .data = kit};
	kit->graph = tn_wb_graph_create(TN_WB_GRAPH_PROJECT);
	tn_assert(kit->graph &&
		  tn_wb_graph_put(kit->graph, "a", TN_WB_RANK_ROUTES, parse(kit, graph), &update,
				  NULL, NULL) == TENON_OK &&
		  update.accepted);
	tn_wb_sessions_init(&kit->set, &kit->clock, &events, kit);
	kit->set.site = (struct tn_wb_site){
		.registry = kit->drafts.types.registry,
		.graph = kit->graph,
		.drafts = kit->drafts.drafts,
		.prop_defaults = parse(kit, "{\"ui.button\":{\"tone\":\"quiet\"}}")};
	kit->session = tn_wb_sessions_kit_start(
		kit, "{\"type\":\"app\",\"url\":\"http://127.0.0.1:5173/\"}");
}

void tn_wb_sessions_kit_finish(struct tn_wb_sessions_kit *kit)
{
	tn_wb_sessions_finish(&kit->set);
	tn_wb_graph_destroy(kit->graph);
	tn_buf_finish(&kit->sent);
	tn_arena_finish(&kit->arena);
	tn_wb_drafts_kit_finish(&kit->drafts);
}

struct tn_wb_session *tn_wb_sessions_kit_start(struct tn_wb_sessions_kit *kit, const char *text)
{
	const struct tn_wb_target_rules rules = {.registry = kit->set.site.registry};
	struct tn_wb_session *session = NULL;
	struct tn_wb_target target;
	struct tenon_error err;

	tn_assert(!tn_wb_target_read(parse(kit, text), &rules, &target, &err));
	tn_assert(tn_wb_session_start(&kit->set, &target, &session, &err) == TENON_OK);
	tn_assert(tn_wb_session_reachable(session, "http://127.0.0.1:40000/", &err) == TENON_OK);
	return session;
}

struct tn_wb_page *tn_wb_sessions_kit_page(struct tn_wb_session *session)
{
	struct tn_wb_page *page = NULL;
	char text[1024];
	struct tenon_error err;

	tn_assert(tn_wb_page_open(session, NULL, &page, &err) == TENON_OK);
	(void)snprintf(text, sizeof(text),
		       "{\"type\":\"runtime.ready\",\"key\":\"%s\",\"adapterId\":\"fake\","
		       "\"adapterVersion\":\"1\",\"capabilities\":{\"selection\":true,"
		       "\"overrides\":true,\"instances\":true,\"source\":\"callsite\"},\"page\":{"
		       "\"pageId\":\"p\",\"url\":\"http://127.0.0.1:40000/menu/rye?a=b\","
		       "\"title\":\"T\"}}",
		       session->key);
	tn_wb_page_receive(page, tn_str_from(text));
	return page;
}

void tn_wb_sessions_kit_say(struct tn_wb_page *page, const char *text)
{
	tn_wb_page_receive(page, tn_str_from(text));
}

static const char *take(struct tn_wb_sessions_kit *kit, struct tn_buf *buf)
{
	const char *copy = tn_arena_copy(&kit->arena, tn_buf_str(buf));

	tn_assert(copy && !buf->failed);
	tn_buf_clear(buf);
	return copy;
}

const char *tn_wb_sessions_kit_sent(struct tn_wb_sessions_kit *kit)
{
	return take(kit, &kit->sent);
}

static const char *finish(struct tn_wb_sessions_kit *kit, struct tn_buf *buf)
{
	const char *copy = take(kit, buf);

	tn_buf_finish(buf);
	return copy;
}

const char *tn_wb_sessions_kit_info(struct tn_wb_sessions_kit *kit,
				    const struct tn_wb_session *session)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	tn_wb_session_put(&out, session);
	return finish(kit, &out);
}

const char *tn_wb_sessions_kit_selection(struct tn_wb_sessions_kit *kit)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	tn_wb_sessions_put_selection(&out, &kit->set);
	return finish(kit, &out);
}

const char *tn_wb_sessions_kit_graph(struct tn_wb_sessions_kit *kit,
				     const struct tn_wb_session *session)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	tn_assert(tn_wb_graph_put_snapshot(session->graph, &out, NULL) == TENON_OK);
	return finish(kit, &out);
}

void tn_wb_sessions_kit_click(struct tn_wb_page *page, const char *instance_id)
{
	char text[1024];

	(void)snprintf(text, sizeof(text),
		       "{\"type\":\"runtime.selectionChanged\",\"sessionId\":\"%s\","
		       "\"causedBy\":\"click\",\"selected\":{\"instanceId\":\"%s\","
		       "\"componentTypeId\":\"ui.button\",\"props\":{\"label\":\"Order\"}}}",
		       page->session->id, instance_id);
	tn_wb_sessions_kit_say(page, text);
}

bool tn_wb_sessions_kit_has_warning(const struct tn_wb_session *session, const char *code)
{
	for (size_t i = 0; i < session->warnings.count; i++)
		if (strcmp(session->warnings.items[i].code, code) == 0)
			return true;
	return false;
}
