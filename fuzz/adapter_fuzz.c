/* adapter_fuzz.c - anything that a page may say (workbench.md 11.4): it is taken or its connection
 * is closed, what is kept stays within the bounds of section 21, and what is told of it is JSON.
 *
 * The input: messages, a line each. A line that begins with "2" is the second page's, "+" lets a
 * second pass, "-" ends the first page. */
#include <stdint.h>

#include "apps/workbench/sessions/session.h"
#include "jsonrpc/json_write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char module[] =
	"{\"schemaVersion\":\"v0\",\"components\":{\"t\":{\"displayName\":\"T\",\"props\":{"
	"\"s\":{\"exposure\":{\"kind\":\"editable\",\"control\":{\"kind\":\"string\"}}}}}}}";
static const char drafted[] =
	"[{\"op\":\"set\",\"instanceId\":\"a\",\"path\":\"/s\",\"value\":\"x\",\"componentTypeId\":"
	"\"t\"},{\"op\":\"set\",\"instanceId\":\"b\",\"path\":\"/s\",\"value\":\"y\","
	"\"componentTypeId\":\"t\"}]";
static const char target[] = "{\"type\":\"app\",\"url\":\"http://127.0.0.1:1/\"}";

struct play {
	uint64_t now_ms;
	struct tn_clock clock;
	struct tn_arena arena;
	struct tn_wb_registry *registry;
	struct tn_wb_drafts *drafts;
	struct tn_wb_sessions set;
	struct tn_wb_session *session;
	struct tn_wb_page *pages[2];
	bool closed[2];
};

static uint64_t now_ms(void *data)
{
	return ((const struct play *)data)->now_ms;
}

static int64_t wall_ms(void *data)
{
	(void)data;
	return 1769849080000;
}

static struct tn_json *parse(struct play *play, struct tn_str text)
{
	struct tn_json *tree = NULL;

	tn_assert(tn_json_parse_copy(&play->arena, text, &tree, NULL) == TENON_OK);
	return tree;
}

/* ---- what is told ---- */

static void send(void *data, struct tn_wb_page *page, struct tn_str text)
{
	struct play *play = data;

	tn_assert(!play->closed[page == play->pages[1]]);
	tn_assert(tn_json_is(parse(play, text), TN_JSON_OBJECT));
}

static void close_page(void *data, struct tn_wb_page *page, unsigned code)
{
	struct play *play = data;
	bool *closed = &play->closed[page == play->pages[1]];

	tn_assert(!*closed && code >= TN_WB_CLOSE_MALFORMED && code <= TN_WB_CLOSE_GONE);
	*closed = true;
}

static const struct tn_wb_sessions_events events = {.send = send, .close = close_page};

/* ---- what is kept ---- */

static void check(struct play *play)
{
	const struct tn_wb_session *session = play->session;
	struct tn_buf out;

	tn_assert(session->instances.used <= TN_WB_INSTANCES_MAX);
	tn_assert(session->instance_bytes <= TN_WB_INSTANCES_BYTES_MAX);
	tn_assert(session->log.count <= TN_WB_LOG_ENTRIES_MAX);
	tn_assert(tn_wb_drafts_document(play->drafts)->count == 2);
	tn_buf_init(&out, TN_WB_SESSION_BYTES_MAX);
	tn_json_begin_array(&out);
	tn_wb_session_put(&out, session);
	tn_wb_sessions_put_selection(&out, &play->set);
	tn_wb_session_put_selection(&out, session);
	(void)tn_wb_log_put(&out, &session->log,
			    &(struct tn_wb_log_query){.limit = TN_WB_LOG_ENTRIES_MAX});
	tn_assert(tn_wb_graph_put_snapshot(session->graph, &out, NULL) == TENON_OK);
	tn_json_end_array(&out);
	tn_assert(!out.failed);
	tn_assert(parse(play, tn_buf_str(&out))->count == 5);
	tn_buf_finish(&out);
}

/* ---- the pages ---- */

static void connect_page(struct play *play, int i)
{
	struct tn_buf hello;

	tn_assert(tn_wb_page_open(play->session, NULL, &play->pages[i], NULL) == TENON_OK);
	play->closed[i] = false;
	tn_buf_init(&hello, TN_KIB);
	tn_buf_format(&hello,
		      "{\"type\":\"runtime.ready\",\"key\":\"%s\",\"adapterId\":\"a\","
		      "\"adapterVersion\":\"1\",\"capabilities\":{\"selection\":true,\"overrides\":"
		      "true,\"instances\":true},\"page\":{\"pageId\":\"p\",\"url\":"
		      "\"http://127.0.0.1:1/x\",\"title\":\"\"}}",
		      play->session->key);
	tn_wb_page_receive(play->pages[i], tn_buf_str(&hello));
	tn_assert(play->pages[i]->ready);
	tn_buf_finish(&hello);
}

static void say(struct play *play, struct tn_str line)
{
	int i = line.size && line.data[0] == '2';

	if (tn_str_is(line, "+")) {
		play->now_ms += 1000;
		(void)tn_wb_sessions_tick(&play->set);
	} else if (tn_str_is(line, "-")) {
		tn_wb_page_gone(play->pages[0]);
		connect_page(play, 0);
	} else {
		tn_wb_page_receive(play->pages[i], tn_str_from_offset(line, (size_t)i));
	}
	if (play->closed[i]) {
		tn_wb_page_gone(play->pages[i]);
		connect_page(play, i);
	}
}

static void set_up(struct play *play)
{
	struct tn_wb_contribution contribution = {.module = TN_STR("m")};
	const struct tn_wb_registry_inputs inputs = {.contributions = &contribution, .count = 1};
	const struct tn_wb_drafts_options options = {.root_fd = -1, .clock = &play->clock};
	const struct tn_wb_target_rules rules = {.any_host = false};
	struct tn_wb_batch batch = {.expected_revision = -1};
	struct tn_wb_outcome outcome;
	struct tn_wb_target to;
	struct tn_wb_facts facts;

	*play = (struct play){.now_ms = 1000};
	play->clock = (struct tn_clock){.monotonic_ms = now_ms, .wall_ms = wall_ms, .data = play};
	tn_arena_init(&play->arena, 1024 * TN_MIB);
	contribution.tree = parse(play, tn_str_from(module));
	tn_assert(tn_wb_registry_compose(&inputs, NULL, &play->registry, NULL) == TENON_OK);
	tn_assert(tn_wb_drafts_open(&options, &play->drafts, NULL) == TENON_OK);
	facts = (struct tn_wb_facts){.registry = play->registry};
	batch.ops = parse(play, tn_str_from(drafted));
	batch.facts = &facts;
	tn_wb_outcome_init(&outcome);
	tn_assert(tn_wb_drafts_apply(play->drafts, &batch, &outcome, NULL) == TENON_OK);
	tn_wb_outcome_finish(&outcome);
	tn_wb_sessions_init(&play->set, &play->clock, &events, play);
	play->set.site = (struct tn_wb_site){.registry = play->registry, .drafts = play->drafts};
	tn_assert(!tn_wb_target_read(parse(play, tn_str_from(target)), &rules, &to, NULL));
	tn_assert(tn_wb_session_start(&play->set, &to, &play->session, NULL) == TENON_OK);
	tn_assert(tn_wb_session_reachable(play->session, "http://127.0.0.1:2/", NULL) == TENON_OK);
	connect_page(play, 0);
	connect_page(play, 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_str rest = tn_str((const char *)data, size);
	struct play play;

	set_up(&play);
	while (rest.size) {
		size_t end = tn_str_find_byte(rest, '\n');

		say(&play, tn_str(rest.data, end == TN_STR_NONE ? rest.size : end));
		rest = tn_str_from_offset(rest, end == TN_STR_NONE ? rest.size : end + 1);
	}
	check(&play);
	tn_assert(tn_wb_session_stop(play.session));
	tn_assert(play.closed[0] && play.closed[1]);
	tn_wb_sessions_finish(&play.set);
	tn_wb_drafts_close(play.drafts);
	tn_wb_registry_free(play.registry);
	tn_arena_finish(&play.arena);
	return 0;
}
