/* Arguments made of words: each type, files, lists, and every mistake in its words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/shared/call_arguments.h"

static const char schema_text[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"text\":{\"type\":\"string\"},\"count\":{\"type\":\"integer\"},"
	"\"share\":{\"type\":\"number\"},\"force\":{\"type\":\"boolean\"},"
	"\"tags\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
	"\"sizes\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"}},"
	"\"object\":{\"type\":\"object\"},\"either\":{\"type\":[\"object\",\"string\"]},"
	"\"level\":{\"enum\":[1,2,3]},\"mode\":{\"enum\":[\"a\",\"b\"]},"
	"\"nothing\":{\"type\":\"null\"},"
	"\"one\":{\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"null\"}]},"
	"\"named\":{\"$ref\":\"#/$defs/number\"}},"
	"\"$defs\":{\"number\":{\"type\":\"number\"}},\"additionalProperties\":false}";

static enum tenon_code make(const char *schema, const char *base, const char *const *words,
			    struct tn_buf *out, struct tenon_error *err)
{
	struct tn_json *tree = NULL;
	struct tn_buf base_text;
	struct tn_arena arena;
	enum tenon_code code;
	size_t count = 0;

	while (words[count])
		count++;
	tn_arena_init(&arena, TN_MIB);
	tn_buf_init(&base_text, TN_MIB);
	if (base)
		tn_buf_append_text(&base_text, base);
	if (schema)
		assert_int_equal(tn_json_parse_copy(&arena, tn_str_from(schema), &tree, err),
				 TENON_OK);
	code = tn_cli_arguments(tree, base ? &base_text : NULL, words, count, out, err);
	tn_buf_append_byte(out, '\0');
	tn_buf_finish(&base_text);
	tn_arena_finish(&arena);
	return code;
}

static void expect(const char *schema, const char *base, const char *const *words,
		   const char *wanted)
{
	struct tenon_error err = {0};
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	if (make(schema, base, words, &out, &err) != TENON_OK)
		fail_msg("refused: %s", err.message);
	assert_string_equal(out.data, wanted);
	tn_buf_finish(&out);
}

static void refuse(const char *schema, const char *base, const char *const *words,
		   const char *wanted)
{
	struct tenon_error err = {0};
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	assert_int_not_equal(make(schema, base, words, &out, &err), TENON_OK);
	assert_string_equal(err.message, wanted);
	tn_buf_finish(&out);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NO_WORDS ((const char *const[]){NULL})

static void values_are_what_the_schema_wants(void **state)
{
	(void)state;
	expect(schema_text, NULL, WORDS("text=5"), "{\"text\":\"5\"}");
	expect(schema_text, NULL, WORDS("text="), "{\"text\":\"\"}");
	expect(schema_text, NULL, WORDS("text=a=b"), "{\"text\":\"a=b\"}");
	expect(schema_text, NULL, WORDS("count=5", "share=0.5"), "{\"count\":5,\"share\":0.5}");
	expect(schema_text, NULL, WORDS("count=-5"), "{\"count\":-5}");
	expect(schema_text, NULL, WORDS("share=3"), "{\"share\":3}");
	expect(schema_text, NULL, WORDS("force=true"), "{\"force\":true}");
	expect(schema_text, NULL, WORDS("object={\"a\":1}"), "{\"object\":{\"a\":1}}");
	expect(schema_text, NULL, WORDS("either={}"), "{\"either\":\"{}\"}");
	expect(schema_text, NULL, WORDS("level=2", "mode=b"), "{\"level\":2,\"mode\":\"b\"}");
	expect(schema_text, NULL, WORDS("one=7", "named=1.5"), "{\"one\":7,\"named\":1.5}");
	expect(schema_text, NULL, WORDS("one=null", "nothing=null"),
	       "{\"one\":null,\"nothing\":null}");
	expect(NULL, NULL, WORDS("count=5", "anything=x"), "{\"count\":\"5\",\"anything\":\"x\"}");
	expect(schema_text, NULL, NO_WORDS, "{}");
}

static void json_is_taken_as_it_stands(void **state)
{
	(void)state;
	expect(schema_text, NULL, WORDS("count:=5", "text:=\"@ann\""),
	       "{\"count\":5,\"text\":\"@ann\"}");
	expect(NULL, NULL, WORDS("x:=[1, {\"a\": null}]"), "{\"x\":[1,{\"a\":null}]}");
	expect(NULL, NULL, WORDS("big:=12345678901234567890"), "{\"big\":12345678901234567890}");
}

static void lists_are_given_whole_or_one_by_one(void **state)
{
	(void)state;
	expect(schema_text, NULL, WORDS("tags=a", "text=x", "tags=b"),
	       "{\"tags\":[\"a\",\"b\"],\"text\":\"x\"}");
	expect(schema_text, NULL, WORDS("sizes=1", "sizes=2"), "{\"sizes\":[1,2]}");
	expect(schema_text, NULL, WORDS("tags=[\"a\",\"b\"]"), "{\"tags\":[\"a\",\"b\"]}");
	expect(schema_text, NULL, WORDS("tags:=[]"), "{\"tags\":[]}");
	refuse(schema_text, NULL, WORDS("sizes=x"), "sizes: \"x\" is not a whole number");
	refuse(schema_text, NULL, WORDS("tags:=[]", "tags=a"), "tags is given twice");
}

static void words_win_over_the_object(void **state)
{
	(void)state;
	expect(schema_text, "{\"text\":\"a\",\"count\":1}", WORDS("count=2"),
	       "{\"text\":\"a\",\"count\":2}");
	expect(schema_text, " { } ", NO_WORDS, "{}");
	refuse(schema_text, "[]", NO_WORDS, "--args: send a JSON object, not array");
	refuse(schema_text, "{\"texd\":1}", NO_WORDS,
	       "there is no argument \"texd\"; did you mean \"text\"?");
}

static void mistakes_are_named(void **state)
{
	(void)state;
	refuse(schema_text, NULL, WORDS("txet=a"),
	       "there is no argument \"txet\"; did you mean \"text\"?");
	refuse(schema_text, NULL, WORDS("zzzzzzzz=a"),
	       "there is no argument \"zzzzzzzz\"; there is: text, count, share, force, tags, "
	       "sizes, object, either, level, mode, nothing, one, named");
	refuse(schema_text, NULL, WORDS("count=x"), "count: \"x\" is not a whole number");
	refuse(schema_text, NULL, WORDS("count=1.5"), "count: \"1.5\" is not a whole number");
	refuse(schema_text, NULL, WORDS("share=x"), "share: \"x\" is not a number");
	refuse(schema_text, NULL, WORDS("force=yes"), "force: \"yes\" is not true or false");
	refuse(schema_text, NULL, WORDS("object=[1]"), "object: \"[1]\" is not a JSON object");
	refuse(schema_text, NULL, WORDS("text=a", "text=b"), "text is given twice");
	refuse(schema_text, NULL, WORDS("word"),
	       "\"word\": write NAME=VALUE or NAME:=JSON (tenon help arguments)");
	refuse(schema_text, NULL, WORDS("=x"),
	       "\"=x\": write NAME=VALUE or NAME:=JSON (tenon help arguments)");
	refuse(schema_text, NULL, WORDS("text=@/no/such/file"),
	       "/no/such/file: there is no such file");
	refuse("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}},"
	       "\"required\":[\"a\"]}",
	       NULL, NO_WORDS, "a: required but missing; send a string");
}

static void files_are_read(void **state)
{
	char path[] = "/tmp/tenon-arguments-XXXXXX", word[64], json_word[64];
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "[1,2]\n", 6), 6);
	(void)close(fd);
	(void)snprintf(word, sizeof(word), "text=@%s", path);
	(void)snprintf(json_word, sizeof(json_word), "sizes:=@%s", path);
	expect(schema_text, NULL, WORDS(word, json_word),
	       "{\"text\":\"[1,2]\\n\",\"sizes\":[1,2]}");
	assert_int_equal(unlink(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_what_the_schema_wants),
		cmocka_unit_test(json_is_taken_as_it_stands),
		cmocka_unit_test(lists_are_given_whole_or_one_by_one),
		cmocka_unit_test(words_win_over_the_object),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(files_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
