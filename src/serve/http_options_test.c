/* What an HTTP listener may be asked for, and what it is told otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"
#include "serve/http_options.h"
#include "transport/limits.h"

#define SECRET "0123456789abcdef"

static const char *refusal(const struct tenon_http_options *options, struct tenon_error *err)
{
	struct tenon_http_options read;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_http_options_read(&arena, options, &read, err), TENON_INVALID);
	tn_arena_finish(&arena);
	return err->message;
}

static void test_refusals(void **state) /* MCP-103, MCP-265, MCP-266 */
{
	static const struct tenon_token one[] = {{.name = "ann", .token = SECRET}, {.name = NULL}};
	static const struct tenon_token blank[] = {{.name = "a b", .token = SECRET},
						   {.name = NULL}};
	static const struct tenon_token everybody[] = {{.name = "anonymous", .token = SECRET},
						       {.name = NULL}};
	static const struct tenon_token whoever_runs_us[] = {{.name = "local", .token = SECRET},
							     {.name = NULL}};
	static const struct tenon_token none[] = {{.name = "ann"}, {.name = NULL}};
	static const struct tenon_token same_token[] = {
		{.name = "ann", .token = SECRET}, {.name = "bob", .token = SECRET}, {.name = NULL}};
	static const struct {
		struct tenon_http_options options;
		const char *message;
	} rows[] = {
		{{.port = 0}, "a token needs at least 16 characters"},
		{{.token = "short"}, "a token needs at least 16 characters"},
		{{.token = "0123456789 abcdef"}, "a token has visible ASCII characters only"},
		{{.tokens = none}, "a token needs at least 16 characters"},
		{{.tokens = blank}, "a token's name has 1 to 63 characters of A-Z a-z 0-9 _ - ."},
		{{.tokens = everybody}, "no token may have the name anonymous"},
		{{.tokens = whoever_runs_us}, "no token may have the name local"},
		{{.tokens = same_token},
		 "the tokens ann and bob are alike; each needs a secret of its own"},
		{{.token = SECRET, .tokens = one}, "token and tokens exclude each other"},
		{{.token = SECRET, .no_token = true}, "no_token and a token exclude each other"},
		{{.tokens = one, .no_token = true}, "no_token and a token exclude each other"},
		{{.address = "0.0.0.0", .no_token = true},
		 "without a token only a loopback address can be served"},
		{{.no_token = true, .path = "", .sse_path = "", .ws_path = ""},
		 "an endpoint needs a path"},
		{{.no_token = true, .path = "mcp"}, "a path begins with /"},
		{{.no_token = true, .ws_path = "/a?b"},
		 "a path has visible ASCII characters without ? # %"},
		{{.no_token = true, .path = "/ws"}, "two endpoints have the path /ws"},
		{{.no_token = true, .ws_path = "/messages"},
		 "two endpoints have the path /messages"},
	};
	struct tenon_error err;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(rows); i++)
		assert_string_equal(refusal(&rows[i].options, &err), rows[i].message);
}

static void test_defaults(void **state)
{
	const struct tenon_http_options asked = {.token = SECRET};
	struct tenon_http_options read;
	struct tenon_error err;
	struct tn_arena arena;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_http_options_read(&arena, &asked, &read, &err), TENON_OK);
	assert_string_equal(read.address, "127.0.0.1");
	assert_string_equal(read.path, "/mcp");
	assert_string_equal(read.sse_path, "/sse");
	assert_string_equal(read.ws_path, "/ws");
	assert_null(read.token);
	assert_string_equal(read.tokens[0].name, "token");
	assert_string_equal(read.tokens[0].token, SECRET);
	assert_null(read.tokens[1].name);
	assert_int_equal(read.keepalive_ms, TN_HTTP_KEEPALIVE_MS);
	assert_int_equal(read.connections_max, TN_HTTP_CONNECTIONS_MAX);
	tn_arena_finish(&arena);
}

static void test_own_copies(void **state)
{
	char name[] = "ann", token[] = SECRET, pattern[] = "terraform_*",
	     origin[] = "https://a.example";
	const char *const patterns[] = {pattern, NULL};
	const char *const origins[] = {origin, NULL};
	const struct tenon_token tokens[] = {{.name = name, .token = token, .tools = patterns},
					     {.name = NULL}};
	const struct tenon_http_options asked = {.tokens = tokens,
						 .origins = origins,
						 .keepalive_ms = UINT32_MAX,
						 .no_legacy = true,
						 .ws_path = ""};
	struct tenon_http_options read;
	struct tenon_error err;
	struct tn_arena arena;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_http_options_read(&arena, &asked, &read, &err), TENON_OK);
	name[0] = token[0] = pattern[0] = origin[0] = 'X';
	assert_string_equal(read.tokens[0].name, "ann");
	assert_string_equal(read.tokens[0].token, SECRET);
	assert_string_equal(read.tokens[0].tools[0], "terraform_*");
	assert_null(read.tokens[0].tools[1]);
	assert_null(read.tokens[0].resources);
	assert_string_equal(read.origins[0], "https://a.example");
	assert_int_equal(read.keepalive_ms, 0); /* never */
	assert_string_equal(read.sse_path, ""); /* that transport is legacy */
	assert_string_equal(read.ws_path, "");
	tn_arena_finish(&arena);
}

static void test_messages_path(void **state) /* MCP-156 */
{
	struct tn_arena arena;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	assert_string_equal(tn_http_messages_path(&arena, "/sse"), "/messages");
	assert_string_equal(tn_http_messages_path(&arena, "/old/sse"), "/old/messages");
	assert_string_equal(tn_http_messages_path(&arena, ""), "");
	tn_arena_finish(&arena);
}

static void test_no_memory(void **state)
{
	const struct tenon_http_options asked = {.token = SECRET};
	struct tenon_http_options read;
	struct tenon_error err;
	struct tn_arena arena;

	(void)state;
	for (size_t limit = 0;; limit += 64) {
		enum tenon_code code;

		tn_arena_init(&arena, limit);
		code = tn_http_options_read(&arena, &asked, &read, &err);
		tn_arena_finish(&arena);
		if (code == TENON_OK)
			break;
		assert_int_equal(code, TENON_NO_MEMORY);
		assert_true(limit < TN_MIB);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refusals),   cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_own_copies), cmocka_unit_test(test_messages_path),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests_name("http_options", tests, NULL, NULL);
}
