/* Hashes of tools: what a model reads counts, wherever it stands; what it does not read does not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"
#include "mcp/tool_digest.h"

static void hash_of(const char *app, const char *text, char hash[TN_DIGEST_HEX_SIZE])
{
	struct tn_tool_digests digests = {0};
	struct tn_arena arena;
	struct tn_json *tool;

	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_json_parse_copy(&arena, tn_str_from(text), &tool, NULL), TENON_OK);
	assert_int_equal(tn_tool_digests_add(&digests, app, tool, NULL), TENON_OK);
	tn_tool_digests_sum(&digests, NULL, hash);
	tn_tool_digests_finish(&digests);
	tn_arena_finish(&arena);
}

static const char tool[] = "{\"name\":\"a\",\"title\":\"A\",\"description\":\"d\",\"inputSchema\":{"
			   "\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"string\","
			   "\"description\":\"y\"}}},\"annotations\":{\"readOnlyHint\":true}}";

static void what_a_model_reads_counts(void **state)
{
	static const char *const others[] = {
		"{\"name\":\"b\",\"title\":\"A\",\"description\":\"d\",\"inputSchema\":{\"type\":"
		"\"object\",\"properties\":{\"x\":{\"type\":\"string\",\"description\":\"y\"}}},"
		"\"annotations\":{\"readOnlyHint\":true}}",
		"{\"name\":\"a\",\"title\":\"A\",\"description\":\"D\",\"inputSchema\":{\"type\":"
		"\"object\",\"properties\":{\"x\":{\"type\":\"string\",\"description\":\"y\"}}},"
		"\"annotations\":{\"readOnlyHint\":true}}",
		"{\"name\":\"a\",\"title\":\"A\",\"description\":\"d\",\"inputSchema\":{\"type\":"
		"\"object\",\"properties\":{\"x\":{\"type\":\"string\",\"description\":\"z\"}}},"
		"\"annotations\":{\"readOnlyHint\":true}}",
		"{\"name\":\"a\",\"title\":\"A\",\"description\":\"d\",\"inputSchema\":{\"type\":"
		"\"object\",\"properties\":{\"x\":{\"type\":\"string\",\"description\":\"y\"}}},"
		"\"annotations\":{\"readOnlyHint\":false}}",
	};
	char hash[TN_DIGEST_HEX_SIZE], other[TN_DIGEST_HEX_SIZE];

	(void)state;
	hash_of("app", tool, hash);
	for (size_t i = 0; i < TN_COUNT(others); i++) {
		hash_of("app", others[i], other);
		assert_string_not_equal(hash, other);
	}
	hash_of("other", tool, other);
	assert_string_not_equal(hash, other);
}

static void order_and_spaces_do_not(void **state)
{
	static const char same[] =
		"{ \"annotations\":{\"readOnlyHint\": true}, \"icons\":[], \"description\":\"d\",\n"
		"\"inputSchema\":{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"string\","
		"\"description\":\"\\u0079\"}}},\"title\":\"A\",\"name\":\"a\",\"_meta\":{}}";
	char hash[TN_DIGEST_HEX_SIZE], other[TN_DIGEST_HEX_SIZE];

	(void)state;
	hash_of("app", tool, hash);
	hash_of("app", same, other);
	assert_string_equal(hash, other);
}

/* As sha256sum would: printf '{"name":"a"}' | sha256sum, and of the line. */
static void the_lines_can_be_checked_by_hand(void **state)
{
	struct tn_tool_digests digests = {0};
	char hash[TN_DIGEST_HEX_SIZE], expected[TN_DIGEST_HEX_SIZE], line[200];
	struct tn_arena arena;
	struct tn_json *named;
	struct tn_buf lines;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	tn_buf_init(&lines, TN_MIB);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(
			tn_json_parse_copy(&arena,
					   tn_str_from(i ? "{\"name\":\"a\"}" : "{\"name\":\"b\"}"),
					   &named, NULL),
			TENON_OK);
		assert_int_equal(tn_tool_digests_add(&digests, "p", named, NULL), TENON_OK);
	}
	tn_tool_digests_sum(&digests, &lines, hash);
	tn_digest_hex(TN_STR("{\"name\":\"a\"}"), expected);
	(void)snprintf(line, sizeof(line), "%s  p.a\n", expected);
	assert_memory_equal(lines.data, line, strlen(line));
	tn_digest_hex(tn_buf_str(&lines), expected);
	assert_string_equal(hash, expected);
	tn_buf_finish(&lines);
	tn_tool_digests_finish(&digests);
	tn_arena_finish(&arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_model_reads_counts),
		cmocka_unit_test(order_and_spaces_do_not),
		cmocka_unit_test(the_lines_can_be_checked_by_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
