#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/size.h"
#include "jsonrpc/jsonc.h"

static struct tn_buf out;
static struct tenon_error err;

static int set_up(void **state)
{
	(void)state;
	tn_buf_init(&out, TN_MIB);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	tn_buf_finish(&out);
	return 0;
}

static void assert_out(const char *wanted)
{
	if (!tn_str_is(tn_buf_str(&out), wanted))
		fail_msg("[%.*s] instead of [%s]", (int)out.size, out.data, wanted);
	tn_buf_clear(&out);
}

static void assert_said(const char *words)
{
	if (!strstr(err.message, words))
		fail_msg("\"%s\" does not say \"%s\"", err.message, words);
}

/* "a.b" as a path. */
static struct tn_jsonc_path path_of(const char *words, struct tn_str keys[4])
{
	struct tn_jsonc_path path = {.keys = keys, .count = 0};

	for (size_t size; *words; words += size + (words[size] == '.')) {
		size = strcspn(words, ".");
		keys[path.count++] = tn_str(words, size);
	}
	return path;
}

static enum tenon_code set(const char *text, const char *path, const char *value)
{
	struct tn_str keys[4];

	tn_buf_clear(&out);
	return tn_jsonc_set(tn_str_from(text), path_of(path, keys), tn_str_from(value), &out, &err);
}

static enum tenon_code remove_at(const char *text, const char *path)
{
	struct tn_str keys[4];

	tn_buf_clear(&out);
	return tn_jsonc_remove(tn_str_from(text), path_of(path, keys), &out, &err);
}

static void test_strip(void **state)
{
	static const char *const pairs[][2] = {
		{"{\"a\": 1}", "{\"a\": 1}"},
		{"{ // x\n\"a\": 1, }", "{     \n\"a\": 1  }"},
		{"[1, /* two */ 2,\r\n]", "[1,           2 \r\n]"},
		{"{\"//\": \"/* no */\", \"b\\\"//\": 2}",
		 "{\"//\": \"/* no */\", \"b\\\"//\": 2}"},
		{"[,]", "[,]"},
		{"{\"a\":,}", "{\"a\":,}"},
		{"[1,,]", "[1,,]"},
		{"[[1,],]", "[[1 ] ]"},
		{"{}// at the end", "{}             "},
		{"", ""},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(pairs); i++) {
		tn_buf_clear(&out);
		assert_int_equal(tn_jsonc_strip(tn_str_from(pairs[i][0]), &out, &err), TENON_OK);
		assert_out(pairs[i][1]);
	}
	assert_int_equal(tn_jsonc_strip(TN_STR("{\n\n/* no end"), &out, &err), TENON_INVALID);
	assert_said("line 3: this comment has no end");
}

static void test_parse(void **state)
{
	static const char text[] =
		"// top\n{\n  \"a\": {\"b\": [1, 2,]}, // x\n  \"c\": \"d\",\n}\n";
	struct tn_arena arena;
	struct tn_json *value = NULL;
	const struct tn_json *c;
	const char *base = NULL;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_jsonc_parse(&arena, tn_str_from(text), &value, &base, &err), TENON_OK);
	assert_int_equal(value->count, 2);
	c = tn_json_get(value, "c");
	assert_true(tn_str_is(c->text, "d"));
	assert_int_equal(tn_jsonc_line(tn_str_from(text), (size_t)(c->key.data - base)), 4);
	assert_int_equal(tn_jsonc_parse(&arena, TN_STR("// nothing\n"), &value, NULL, &err),
			 TENON_OK);
	assert_int_equal(value->type, TN_JSON_OBJECT);
	assert_int_equal(
		tn_jsonc_parse(&arena, TN_STR("{\n\"a\": 1\n\"b\": 2}"), &value, NULL, &err),
		TENON_INVALID);
	assert_said("line 3: ");
	assert_int_equal(tn_jsonc_parse(&arena, TN_STR("{} {}"), &value, NULL, &err),
			 TENON_INVALID);
	assert_said("line 1: ");
	tn_arena_finish(&arena);
}

static void test_find(void **state)
{
	static const char text[] = "{ // c\n  \"a\" : { \"\\u0062\": [1, \"}\"] , } }";
	struct tn_jsonc_member member;
	struct tn_str keys[4];

	(void)state;
	assert_int_equal(tn_jsonc_find(tn_str_from(text), path_of("a.b", keys), &member, &err),
			 TENON_OK);
	assert_true(tn_str_is(tn_str(text + member.key_at, member.key_size), "\"\\u0062\""));
	assert_true(tn_str_is(tn_str(text + member.value_at, member.value_size), "[1, \"}\"]"));
	assert_int_equal(tn_jsonc_find(tn_str_from(text), path_of("a.c", keys), &member, &err),
			 TENON_NOT_FOUND);
	assert_int_equal(tn_jsonc_find(tn_str_from(text), path_of("a.b.c", keys), &member, &err),
			 TENON_INVALID);
	assert_said("line 2: \"b\" should be an object");
	assert_int_equal(tn_jsonc_find(TN_STR("[]"), path_of("a", keys), &member, &err),
			 TENON_INVALID);
	assert_int_equal(tn_jsonc_find(TN_STR(""), path_of("a", keys), &member, &err),
			 TENON_NOT_FOUND);
	assert_int_equal(
		tn_jsonc_find(TN_STR("{\"a\":1,\n\"a\":2}"), path_of("a", keys), &member, &err),
		TENON_INVALID);
	assert_said("line 2: the key \"a\" stands here a second time");
}

/* Each: the text before, path, value, the text after; removing it again gives the first text, or
 * the fifth where one is named. */
static const char *const insertions[][5] = {
	/* one line, in three manners */
	{"{\"a\": 1}", "b", "2", "{\"a\": 1, \"b\": 2}"},
	{"{\"a\":1}", "b", "{\"c\":[1,2]}", "{\"a\":1,\"b\":{\"c\":[1,2]}}"},
	{"{\"a\": 1, }\n", "b", "2", "{\"a\": 1, \"b\": 2, }\n"},
	/* a line each; tabs, four blanks, CRLF, no final newline */
	{"{\n\t\"a\": 1\n}\n", "b", "{\"c\":{\"d\":true}}",
	 "{\n\t\"a\": 1,\n\t\"b\": {\n\t\t\"c\": {\n\t\t\t\"d\": true\n\t\t}\n\t}\n}\n"},
	{"{\n    \"a\": {\n        \"x\": 1\n    }\n}", "a.y", "{\"z\":[\"p\",\"q\"]}",
	 "{\n    \"a\": {\n        \"x\": 1,\n        \"y\": {\n            \"z\": [\"p\", \"q\"]\n"
	 "        }\n    }\n}"},
	{"{\r\n  \"a\": 1\r\n}\r\n", "b", "{\"c\":1}",
	 "{\r\n  \"a\": 1,\r\n  \"b\": {\r\n    \"c\": 1\r\n  }\r\n}\r\n"},
	{"{\n  \"a\": 1 }", "b", "2", "{\n  \"a\": 1,\n  \"b\": 2 }"},
	/* comments and commas keep their places */
	{"{\n  \"a\": 1 // one\n}", "b", "2", "{\n  \"a\": 1, // one\n  \"b\": 2\n}"},
	{"{\n  \"a\": 1, // one\n  // end\n}", "b", "2",
	 "{\n  \"a\": 1, // one\n  \"b\": 2,\n  // end\n}"},
	{"{\n  \"a\": 1 /* x\n y */\n}", "b", "2", "{\n  \"a\": 1, /* x\n y */\n  \"b\": 2\n}"},
	{"{\"a\": 1 // c\n}", "b", "2", "{\"a\": 1, \"b\": 2 // c\n}"},
	{"{\n  \"a\": 1 /* c */ }", "b", "2", "{\n  \"a\": 1,\n  \"b\": 2 /* c */ }"},
	/* what is made on the way stays, empty */
	{"{\n  \"a\": 1\n}", "b.c", "2", "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 2\n  }\n}",
	 "{\n  \"a\": 1,\n  \"b\": {}\n}"},
	{"{\"a\":1}", "b.c", "2", "{\"a\":1,\"b\":{\"c\":2}}", "{\"a\":1,\"b\":{}}"},
	{"", "a.b", "1", "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n", "{\n  \"a\": {}\n}\n"},
	{"// mine", "a", "1", "// mine\n{\n  \"a\": 1\n}\n", "// mine\n{}\n"},
	{"{}", "a", "1", "{\n  \"a\": 1\n}", "{}"},
	{"{\"a\":{}}", "a.b", "1", "{\"a\":{\"b\":1}}"},
	{"{\n  \"a\": {}\n}", "a.b", "1", "{\n  \"a\": {\n    \"b\": 1\n  }\n}"},
	{"{\n  \"a\": {\n    // none yet\n  }\n}", "a.b", "1",
	 "{\n  \"a\": {\n    // none yet\n    \"b\": 1\n  }\n}",
	 "{\n  \"a\": {\n    // none yet\n    \n  }\n}"},
	{"\xEF\xBB\xBF{\"a\": 1}", "b", "2", "\xEF\xBB\xBF{\"a\": 1, \"b\": 2}"},
	{"{\"a\": 1}", "q\"t", "\"\\u00e4\"", "{\"a\": 1, \"q\\\"t\": \"\xC3\xA4\"}"},
};

static void test_set_and_remove(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(insertions); i++) {
		const char *const *row = insertions[i];
		char after[512];

		assert_int_equal(set(row[0], row[1], row[2]), TENON_OK);
		assert_out(row[3]);
		/* The same once more changes nothing. */
		assert_int_equal(set(row[3], row[1], row[2]), TENON_OK);
		assert_out(row[3]);
		assert_int_equal(remove_at(row[3], row[1]), TENON_OK);
		(void)snprintf(after, sizeof(after), "%s", row[4] ? row[4] : row[0]);
		assert_out(after);
	}
}

static void test_replace(void **state)
{
	(void)state;
	assert_int_equal(set("{\n  \"a\": { \"b\": 1 }, // x\n  \"c\": 2\n}", "a", "{\"b\":2}"),
			 TENON_OK);
	assert_out("{\n  \"a\": {\n    \"b\": 2\n  }, // x\n  \"c\": 2\n}");
	assert_int_equal(set("{\"a\":1,\"c\":2}", "a", "[true,{}]"), TENON_OK);
	assert_out("{\"a\":[true,{}],\"c\":2}");
	/* Equal, but written in another way: not touched. */
	assert_int_equal(set("{\"a\": {\"y\": 1.0, /* ! */ \"x\": \"\\u0041\",}}", "a",
			     "{\"x\":\"A\",\"y\":1}"),
			 TENON_OK);
	assert_out("{\"a\": {\"y\": 1.0, /* ! */ \"x\": \"\\u0041\",}}");
}

static void test_remove(void **state)
{
	static const char *const rows[][3] = {
		{"{\"a\": 1, \"b\": 2, \"c\": 3}", "a", "{\"b\": 2, \"c\": 3}"},
		{"{\"a\": 1, \"b\": 2, \"c\": 3}", "b", "{\"a\": 1, \"c\": 3}"},
		{"{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}", "a",
		 "{\n  \"b\": 2,\n  \"c\": 3\n}"},
		{"{\n  \"a\": 1,\n  // of b\n  \"b\": 2, // b\n  \"c\": 3\n}", "b",
		 "{\n  \"a\": 1,\n  // of b\n  // b\n  \"c\": 3\n}"},
		/* The line must stay: what follows would end up in the comment. */
		{"{ // c\n  \"a\": 1, \"b\": 2 }", "a", "{ // c\n  \"b\": 2 }"},
		{"{\n  \"a\": 1, // c\n  \"b\": 2 }", "b", "{\n  \"a\": 1 // c\n   }"},
		{"{\"a\": 1\n, \"b\": 2\n}", "b", "{\"a\": 1\n\n}"},
		{"{\"a\": /* gone */ 1 /* kept */, \"b\": 2}", "a", "{ /* kept */\"b\": 2}"},
		{"{ /* kept */ \"a\": 1 }", "a", "{ /* kept */  }"},
		{"{\n  \"a\": 1,\n}", "a", "{}"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		assert_int_equal(remove_at(rows[i][0], rows[i][1]), TENON_OK);
		assert_out(rows[i][2]);
	}
	assert_int_equal(remove_at("{\"a\": 1}", "b"), TENON_NOT_FOUND);
	assert_int_equal(remove_at("", "b"), TENON_NOT_FOUND);
}

static void test_refused(void **state)
{
	(void)state;
	assert_int_equal(set("{\"a\": 1,\n \"b\" 2}", "c", "1"), TENON_INVALID);
	assert_said("line 2: ");
	assert_int_equal(set("[]", "c", "1"), TENON_INVALID);
	assert_said("an object should stand here");
	assert_int_equal(set("{\"a\": 1}", "a.b", "1"), TENON_INVALID);
	assert_said("\"a\" should be an object");
	assert_int_equal(set("{}", "a", "1 2"), TENON_INVALID);
	assert_int_equal(set("{\"a\": 1, \"a\": 2}", "a", "3"), TENON_INVALID);
	assert_said("a second time");
	assert_int_equal(out.size, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strip),   cmocka_unit_test(test_parse),
		cmocka_unit_test(test_find),    cmocka_unit_test(test_set_and_remove),
		cmocka_unit_test(test_replace), cmocka_unit_test(test_remove),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
