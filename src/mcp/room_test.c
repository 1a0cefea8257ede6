/* HO-003: what is sent to a model has room there, lists and texts alike; what is left out is said,
 * and reading on gives all of it, a page at a time. Scripts get everything at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"
#include "mcp/limits.h"
#include "mcp/long_text.h"
#include "mcp/test_fixtures.h"
#include "mcp/tokens.h"

enum { NODES = 4000, WORDS = 60000, PAGES_MAX = 40 };

static void put_nodes(struct tn_buf *out)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "name", "large");
	tn_json_put_key(out, "nodes");
	tn_json_begin_array(out);
	for (int i = 0; i < NODES; i++) {
		tn_json_begin_object(out);
		tn_json_put_member_int(out, "number", i);
		tn_json_put_member_text(out, "label", "a \"node\" of many\n");
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
	tn_json_put_member_int(out, "total", NODES);
	tn_json_end_object(out);
}

static void put_words(struct tn_buf *out)
{
	for (int i = 0; i < WORDS; i++)
		tn_buf_format(out, "w\xC3\xB6rd %d\n", i);
}

static void list_nodes(struct tenon_call *call, void *data)
{
	struct tn_buf json;

	(void)data;
	tn_buf_init(&json, TN_RESULT_BYTES_MAX);
	put_nodes(&json);
	tenon_call_add_text(call, "many", TENON_TEXT);
	tenon_call_set_structured(call, json.data, json.size);
	tenon_call_finish(call);
	tn_buf_finish(&json);
}

static void say_words(struct tenon_call *call, void *data)
{
	struct tn_buf text, json;

	(void)data;
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_buf_init(&json, TN_RESULT_BYTES_MAX);
	put_words(&text);
	tn_json_begin_object(&json);
	tn_json_put_member_int(&json, "code", 0);
	tn_json_put_member_str(&json, "output", tn_buf_str(&text));
	tn_json_end_object(&json);
	tenon_call_add_text(call, text.data, text.size);
	tenon_call_add_text(call, "handle h_1", TENON_TEXT);
	tenon_call_set_structured(call, json.data, json.size);
	tenon_call_finish(call);
	tn_buf_finish(&json);
	tn_buf_finish(&text);
}

static const struct tenon_tool tools[] = {
	{.name = "nodes", .text_max_bytes = TN_MIB, .call = list_nodes},
	{.name = "words", .text_max_bytes = 4 * TN_MIB, .call = say_words}};

struct kit {
	struct test_peer *t;
	struct tn_arena arena;
};

static int set_up(void **state)
{
	static const struct tenon_server_options options = {.name = "test", .version = "1"};
	struct kit *kit = tn_mem_alloc(sizeof(*kit));

	assert_non_null(kit);
	kit->t = test_peer_create(&options);
	test_add_tools(kit->t, tools, TN_COUNT(tools));
	kit->t->peer->way = "relay";
	tn_arena_init(&kit->arena, TN_MESSAGE_ARENA_MAX);
	*state = kit;
	return 0;
}

static int tear_down(void **state)
{
	struct kit *kit = *state;

	tn_arena_finish(&kit->arena);
	test_peer_destroy(kit->t);
	tn_mem_free(kit);
	return 0;
}

static const struct tn_json *parse(struct kit *kit, struct tn_str text)
{
	struct tn_json *tree;

	assert_int_equal(tn_json_parse_copy(&kit->arena, text, &tree, NULL), TENON_OK);
	return tree;
}

static const struct tn_json *ask(struct kit *kit, const char *method, const char *params)
{
	(void)test_modern(kit->t, "1", method, params, NULL, NULL);
	return tn_json_get(parse(kit, tn_str_from(test_next(kit->t))), "result");
}

static struct tn_str text_in(const struct tn_json *object, const char *key)
{
	struct tn_str text = {NULL, 0};

	assert_true(tn_json_to_str(tn_json_get(object, key), &text));
	return text;
}

static struct tn_str read_at(struct kit *kit, struct tn_str uri)
{
	char params[128];
	struct tn_str text;
	size_t tokens;

	(void)snprintf(params, sizeof(params), "\"uri\":\"%.*s\"", (int)uri.size, uri.data);
	text = text_in(tn_json_get(ask(kit, "resources/read", params), "contents")->first, "text");
	(void)tn_tokens_cut(text, 2 * TN_MODEL_TOKENS_MAX, &tokens);
	assert_in_range(tokens, 1, TN_MODEL_TOKENS_MAX);
	return text;
}

/* The object that goes on with this one; NULL: it is the last. */
static const struct tn_json *follow(struct kit *kit, const struct tn_json *object)
{
	const struct tn_json *left = tn_json_get(object, "left_out");

	return left ? parse(kit, read_at(kit, text_in(left, "rest"))) : NULL;
}

static void test_lists(void **state)
{
	struct kit *kit = *state;
	const struct tn_json *at =
		tn_json_get(ask(kit, "tools/call", "\"name\":\"nodes\""), "structuredContent");
	int64_t number, seen = 0, total;
	int pages = 0;

	assert_true(tn_json_to_int(tn_json_get(at, "total"), &total)); /* small members stay */
	assert_true(tn_str_is(text_in(at, "name"), "large"));
	assert_true(tn_str_starts(tn_json_get(tn_json_get(at, "left_out"), "what")->first->text,
				  TN_STR("nodes: ")));
	for (; at; at = follow(kit, at), pages++) {
		const struct tn_json *list = tn_json_get(at, "nodes");

		for (const struct tn_json *node = list->first; node; node = node->next) {
			assert_true(tn_json_to_int(tn_json_get(node, "number"), &number));
			assert_int_equal(number, seen++);
		}
	}
	assert_int_equal(seen, NODES);
	assert_in_range(pages, 3, PAGES_MAX);
}

static void test_texts(void **state)
{
	struct kit *kit = *state;
	const struct tn_json *at =
		tn_json_get(ask(kit, "tools/call", "\"name\":\"words\""), "structuredContent");
	struct tn_buf seen, wanted;

	tn_buf_init(&seen, TN_RESULT_BYTES_MAX);
	tn_buf_init(&wanted, TN_RESULT_BYTES_MAX);
	put_words(&wanted);
	for (; at; at = follow(kit, at))
		tn_buf_append_str(&seen, text_in(at, "output"));
	assert_true(tn_str_equal(tn_buf_str(&seen), tn_buf_str(&wanted)));
	tn_buf_finish(&wanted);
	tn_buf_finish(&seen);
}

/* The end of a page says where the next is. */
static struct tn_str take_page(struct tn_str page, struct tn_buf *seen)
{
	static const char mark[] = "\n(";
	struct tn_str uri = {NULL, 0};

	for (size_t i = page.size; i > sizeof(mark); i--) {
		struct tn_str end = tn_str_from_offset(page, i);

		if (tn_str_starts(end, TN_STR(TN_LONG_TEXT_PREFIX)))
			uri = tn_str(end.data, end.size - 1);
		if (uri.data && tn_str_starts(end, TN_STR(mark))) {
			tn_buf_append_str(seen, tn_str(page.data, i));
			return uri;
		}
	}
	tn_buf_append_str(seen, page);
	return uri;
}

static void test_pages(void **state)
{
	struct kit *kit = *state;
	const struct tn_json *part =
		tn_json_get(ask(kit, "tools/call", "\"name\":\"words\""), "content")->first;
	struct tn_buf seen, wanted;
	struct tn_str uri;

	tn_buf_init(&seen, TN_RESULT_BYTES_MAX);
	tn_buf_init(&wanted, TN_RESULT_BYTES_MAX);
	put_words(&wanted);
	uri = take_page(text_in(part, "text"), &seen);
	assert_true(tn_str_equal(uri, text_in(part->next, "uri")));
	assert_true(tn_str_starts(read_at(kit, uri), TN_STR("\n"))); /* cut at a line's end */
	/* What stands behind a text that is cut is there. */
	assert_true(tn_str_is(text_in(part->next->next, "text"), "handle h_1"));
	for (int i = 0; uri.data && i < PAGES_MAX; i++)
		uri = take_page(read_at(kit, uri), &seen);
	assert_true(tn_str_equal(tn_buf_str(&seen), tn_buf_str(&wanted)));
	tn_buf_finish(&wanted);
	tn_buf_finish(&seen);
}

static void test_places(void **state)
{
	struct kit *kit = *state;
	const struct tn_json *part =
		tn_json_get(ask(kit, "tools/call", "\"name\":\"words\""), "content")->first;
	struct tn_str uri = text_in(part->next, "uri");
	static const char *const places[] = {"/", "/x", "/-1", "/99999999", "x"};
	char params[128];

	for (size_t i = 0; i < TN_COUNT(places); i++) {
		(void)snprintf(params, sizeof(params), "\"uri\":\"%.*s%s\"", (int)uri.size,
			       uri.data, places[i]);
		(void)test_modern(kit->t, "1", "resources/read", params, NULL, NULL);
		test_expect_error(kit->t, "1", -32602, "Resource not found");
	}
}

static void test_scripts(void **state)
{
	struct kit *kit = *state;
	const struct tn_json *all;

	kit->t->peer->way = "http";
	all = tn_json_get(ask(kit, "tools/call", "\"name\":\"nodes\""), "structuredContent");
	assert_int_equal(tn_json_get(all, "nodes")->count, NODES);
	assert_null(tn_json_get(all, "left_out"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest all[] = {TEST(test_lists), TEST(test_texts), TEST(test_pages),
					 TEST(test_places), TEST(test_scripts)};

	return cmocka_run_group_tests(all, NULL, NULL);
}
