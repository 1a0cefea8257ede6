/* Texts that are no JSON, patterns and URI templates that are none: each with its sentence. Schemas
 * have schema_refused_test.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/size.h"
#include "jsonrpc/json.h"
#include "jsonrpc/limits.h"
#include "jsonrpc/pattern.h"
#include "jsonrpc/uri_template.h"

struct row {
	const char *text;
	enum tenon_code code;
	const char *message;
};

typedef enum tenon_code refusing_fn(struct tn_str text, struct tenon_error *err);

static void expect_refused(refusing_fn *refuse, struct tn_str text, enum tenon_code code,
			   const char *message)
{
	struct tenon_error err = {.code = TENON_OK};

	if (refuse(text, &err) != code || err.code != code || strcmp(err.message, message) != 0)
		fail_msg("%.*s: wanted: %d %s; got: %d %s", (int)(text.size < 60 ? text.size : 60),
			 text.data, (int)code, message, (int)err.code, err.message);
}

static void append_number(struct tn_buf *text, const char *before, unsigned n, const char *after)
{
	tn_buf_append_text(text, before);
	tn_buf_append_uint(text, n);
	tn_buf_append_text(text, after);
}

static void expect_rows(refusing_fn *refuse, const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		expect_refused(refuse, tn_str_from(rows[i].text), rows[i].code, rows[i].message);
}

/* ---- JSON ---- */

static enum tenon_code parse_json(struct tn_str text, struct tenon_error *err)
{
	struct tn_arena arena;
	struct tn_json *root;
	enum tenon_code code;

	tn_arena_init(&arena, 64 * TN_MIB);
	code = tn_json_parse_copy(&arena, text, &root, err);
	tn_arena_finish(&arena);
	return code;
}

static void test_json(void **state) /* MCP-012, MCP-015 */
{
	static const struct row rows[] = {
		{"", TENON_INVALID, "an unfinished value at byte 0"},
		{"[1,", TENON_INVALID, "an unfinished value at byte 3"},
		{"\"a", TENON_INVALID, "a string without end at byte 2"},
		{"\"a\tb\"", TENON_INVALID, "a control character in a string; escape it at byte 2"},
		{"\"\\q\"", TENON_INVALID, "a malformed escape in a string at byte 1"},
		{"\"\xff\"", TENON_INVALID, "a string that is not UTF-8 at byte 3"},
		{"01", TENON_INVALID, "a malformed number at byte 0"},
		{"-", TENON_INVALID, "a malformed number at byte 0"},
		{"1.", TENON_INVALID, "a number without digits after its point at byte 0"},
		{"1e+", TENON_INVALID, "a number without digits in its exponent at byte 0"},
		{"nul", TENON_INVALID, "an unknown word at byte 0"},
		{"?", TENON_INVALID, "an unexpected character at byte 0"},
		{"{a", TENON_INVALID, "a member without a quoted key at byte 1"},
		{"{\"a\"}", TENON_INVALID, "a key without a colon at byte 4"},
		{"[1 2]", TENON_INVALID, "a missing comma or bracket at byte 3"},
		{"1 2", TENON_INVALID, "something after the value at byte 2"},
	};

	(void)state;
	expect_rows(parse_json, rows, TN_COUNT(rows));
}

static void test_large_json(void **state) /* MCP-013 */
{
	char deep[TN_JSON_DEPTH_MAX + 1], message[80];
	struct tn_buf text;

	(void)state;
	memset(deep, '[', sizeof(deep));
	(void)snprintf(message, sizeof(message), "nested too deeply at byte %d", TN_JSON_DEPTH_MAX);
	expect_refused(parse_json, tn_str(deep, sizeof(deep)), TENON_INVALID, message);

	tn_buf_init(&text, 4 * TN_MIB);
	tn_buf_append_byte(&text, '{');
	for (unsigned i = 0; i <= TN_JSON_MEMBERS_MAX; i++)
		append_number(&text, i ? ",\"" : "\"", i, "\":1");
	tn_buf_append_byte(&text, '}');
	(void)snprintf(message, sizeof(message), "an object with more than %d members",
		       TN_JSON_MEMBERS_MAX);
	expect_refused(parse_json, tn_buf_str(&text), TENON_LIMIT, message);
	tn_buf_finish(&text);
}

/* ---- patterns ---- */

static enum tenon_code compile_pattern(struct tn_str text, struct tenon_error *err)
{
	struct tn_arena arena;
	const struct tn_pattern *pattern;
	enum tenon_code code;

	tn_arena_init(&arena, 16 * TN_MIB);
	code = tn_pattern_compile(&arena, text, &pattern, err);
	tn_arena_finish(&arena);
	return code;
}

static void test_patterns(void **state) /* MCP-282 */
{
	static const struct row rows[] = {
		{"(a)\\1", TENON_INVALID,
		 "the pattern has a back-reference, which is not supported, at character 5"},
		{"\\k<a>", TENON_INVALID,
		 "the pattern has a named back-reference, which is not supported, at character 2"},
		{"\\p{L}", TENON_INVALID,
		 "the pattern has a Unicode property \\p, which is not supported, at character 2"},
		{"\\q", TENON_INVALID, "the pattern has an unknown escape at character 2"},
		{"\\", TENON_INVALID, "the pattern has an unknown escape at character 2"},
		{"\\x4", TENON_INVALID, "the pattern has an unknown escape at character 2"},
		{"\\u{110000}", TENON_INVALID, "the pattern has an unknown escape at character 2"},
		{"\\c1", TENON_INVALID, "the pattern has an unknown escape at character 2"},
		{"[b-a]", TENON_INVALID,
		 "the pattern has a range that runs backwards at character 5"},
		{"[a", TENON_INVALID, "the pattern has a [ without a ] at character 3"},
		{"(?=a)", TENON_INVALID,
		 "the pattern has look-around or a group kind that is not supported at character "
		 "3"},
		{"(a", TENON_INVALID, "the pattern has a ( without a ) at character 3"},
		{"a)", TENON_INVALID, "the pattern has a ) without a ( at character 2"},
		{"*", TENON_INVALID, "the pattern has nothing to repeat at character 1"},
		{"^*", TENON_INVALID, "the pattern has a repeated assertion at character 3"},
		{"a{2,1}", TENON_INVALID,
		 "the pattern has a repetition that runs backwards at character 7"},
		{"a{65536}", TENON_LIMIT,
		 "the pattern has a repetition that is too long at character 9"},
		{"(a{60}){60000}", TENON_LIMIT,
		 "the pattern is too large; make its repetitions smaller"},
		{"([ab]{3}[cd]|x){5000}", TENON_LIMIT,
		 "the pattern is too large; make its repetitions smaller"},
	};

	(void)state;
	expect_rows(compile_pattern, rows, TN_COUNT(rows));
}

static void test_large_patterns(void **state) /* MCP-282 */
{
	struct tn_buf text;
	char message[80];

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_byte(&text, '[');
	for (unsigned i = 0; i < 300; i++) /* no two of them touch */
		append_number(&text, "\\u1", 100 + 2 * i, "");
	tn_buf_append_byte(&text, ']');
	(void)snprintf(message, sizeof(message),
		       "the pattern has a class of too many ranges at character %zu",
		       text.size + 1);
	expect_refused(compile_pattern, tn_buf_str(&text), TENON_LIMIT, message);

	tn_buf_clear(&text);
	for (unsigned i = 0; i < 65; i++)
		tn_buf_append_byte(&text, '(');
	expect_refused(compile_pattern, tn_buf_str(&text), TENON_LIMIT,
		       "the pattern has groups nested too deeply at character 66");
	tn_buf_finish(&text);
}

/* ---- URI templates ---- */

static enum tenon_code compile_template(struct tn_str text, struct tenon_error *err)
{
	struct tn_uri_template *template = NULL;
	enum tenon_code code = tn_uri_template_compile(text, &template, err);

	assert_true((code == TENON_OK) == (template != NULL));
	tn_uri_template_free(template);
	return code;
}

static void test_templates(void **state) /* MCP-235 */
{
	static const struct row rows[] = {
		{"a:{b", TENON_INVALID, "URI template: a { without its }"},
		{"a:b}", TENON_INVALID, "URI template: a } without its {"},
		{"a:{b:0}", TENON_INVALID, "URI template: a prefix is 1 to 9999"},
		{"a:{b:x}", TENON_INVALID, "URI template: a prefix is 1 to 9999"},
		{"a:{b:10000}", TENON_INVALID, "URI template: a prefix is 1 to 9999"},
		{"a:{}", TENON_INVALID, "URI template: \"\" is no variable name"},
		{"a:{b c}", TENON_INVALID, "URI template: \"b c\" is no variable name"},
	};
	struct tn_buf text;
	char message[80];

	(void)state;
	expect_rows(compile_template, rows, TN_COUNT(rows));

	tn_buf_init(&text, TN_MIB);
	(void)snprintf(message, sizeof(message), "URI template: more than %d variables",
		       TN_URI_TEMPLATE_VARIABLES_MAX);
	for (unsigned i = 0; i <= TN_URI_TEMPLATE_VARIABLES_MAX; i++)
		tn_buf_append_text(&text, "{a}");
	expect_refused(compile_template, tn_buf_str(&text), TENON_LIMIT, message);
	tn_buf_clear(&text);
	tn_buf_append_text(&text, "{a");
	for (unsigned i = 0; i < TN_URI_TEMPLATE_VARIABLES_MAX; i++)
		tn_buf_append_text(&text, ",a");
	tn_buf_append_byte(&text, '}');
	expect_refused(compile_template, tn_buf_str(&text), TENON_LIMIT, message);

	tn_buf_clear(&text);
	for (unsigned i = 0; i <= TN_URI_TEMPLATE_BYTES_MAX; i++)
		tn_buf_append_byte(&text, 'a');
	(void)snprintf(message, sizeof(message), "URI template: longer than %d bytes",
		       TN_URI_TEMPLATE_BYTES_MAX);
	expect_refused(compile_template, tn_buf_str(&text), TENON_LIMIT, message);
	tn_buf_finish(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json),      cmocka_unit_test(test_large_json),
		cmocka_unit_test(test_patterns),  cmocka_unit_test(test_large_patterns),
		cmocka_unit_test(test_templates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
