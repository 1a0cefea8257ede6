/* What is shown of results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/shared/call_output.h"
#include "store/file.h"

static enum tenon_code show(const char *result, const char *file, struct tn_buf *out,
			    struct tenon_error *err)
{
	struct tn_json *tree;
	struct tn_arena arena;
	enum tenon_code code;

	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_json_parse_copy(&arena, tn_str_from(result), &tree, err), TENON_OK);
	code = tn_output_result(tree, file, out, err);
	tn_buf_append_byte(out, '\0');
	tn_arena_finish(&arena);
	return code;
}

static void expect(const char *result, const char *file, const char *wanted)
{
	struct tenon_error err = {0};
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	if (show(result, file, &out, &err) != TENON_OK)
		fail_msg("%s", err.message);
	assert_string_equal(out.data, wanted);
	tn_buf_finish(&out);
}

static void texts(void **state)
{
	(void)state;
	expect("{\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\",\"text\":\"b\\n"
	       "\"}]}",
	       NULL, "a\nb\n");
	expect("{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"a\\\":1}\"}],"
	       "\"structuredContent\":{\"a\":1}}",
	       NULL, "{\n  \"a\": 1\n}\n");
	/* JSON that is not the structured result is somebody's text. */
	expect("{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"a\\\":1}\"}]}", NULL,
	       "{\"a\":1}\n");
	expect("{\"content\":[],\"structuredContent\":{\"a\":[1,\"x\"],\"b\":{},\"c\":[]}}", NULL,
	       "{\n  \"a\": [\n    1,\n    \"x\"\n  ],\n  \"b\": {},\n  \"c\": []\n}\n");
	expect("{\"content\":[{\"type\":\"hologram\"}]}", NULL,
	       "[content of the unknown type \"hologram\"; --json shows it]\n");
	expect("{}", NULL, "");
}

static void bytes(void **state)
{
	(void)state;
	/* What is for the model alone is no output. */
	expect("{\"content\":[{\"type\":\"text\",\"text\":\"seen\",\"annotations\":{\"audience\":["
	       "\"user\",\"assistant\"]}},{\"type\":\"text\",\"text\":\"handle\",\"annotations\":{"
	       "\"audience\":[\"assistant\"]}}]}",
	       NULL, "seen\n");
	expect("{\"content\":[{\"type\":\"image\",\"data\":\"AAEC\",\"mimeType\":\"image/png\"}]}",
	       NULL, "[image, image/png, 3 bytes; --output FILE saves it]\n");
	expect("{\"content\":[{\"type\":\"audio\",\"data\":\"AAE=\"}]}", NULL,
	       "[audio, unknown type, 2 bytes; --output FILE saves it]\n");
	expect("{\"content\":[{\"type\":\"resource_link\",\"name\":\"n\",\"uri\":\"a://b\"}]}",
	       NULL, "[n: tenon read 'a://b']\n");
	expect("{\"content\":[{\"type\":\"resource\",\"resource\":{\"text\":\"t\"}}]}", NULL,
	       "t\n");
	expect("{\"contents\":[{\"uri\":\"a://b\",\"blob\":\"AAEC\"}]}", NULL,
	       "[file, application/octet-stream, 3 bytes; --output FILE saves it]\n");
	expect("{\"contents\":[{\"text\":\"{\\\"a\\\":1}\",\"mimeType\":\"application/json\"}]}",
	       NULL, "{\n  \"a\": 1\n}\n");
}

static void what_is_wanted_goes_to_the_file(void **state)
{
	char path[] = "/tmp/tenon-output-XXXXXX", said[128];
	struct tenon_error err = {0};
	struct tn_buf out;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	(void)close(fd);
	(void)snprintf(said, sizeof(said), "image written to %s (image/png, 3 bytes)\n", path);
	expect("{\"content\":[{\"type\":\"image\",\"data\":\"AAEC\",\"mimeType\":\"image/png\"}]}",
	       path, said);
	tn_buf_init(&out, TN_MIB);
	assert_int_equal(tn_file_read(path, 0, &out, &err), TENON_OK);
	assert_int_equal(out.size, 3);
	assert_memory_equal(out.data, "\0\1\2", 3);
	(void)snprintf(said, sizeof(said), "text written to %s (2 bytes)\n", path);
	expect("{\"content\":[{\"type\":\"text\",\"text\":\"t\"}]}", path, said);
	tn_buf_clear(&out);
	assert_int_equal(show("{\"content\":[]}", path, &out, &err), TENON_INVALID);
	tn_buf_clear(&out);
	assert_int_equal(
		show("{\"content\":[{\"type\":\"image\",\"data\":\"!\"}]}", path, &out, &err),
		TENON_INVALID);
	assert_string_equal(err.message, "the image is not valid base 64");
	tn_buf_finish(&out);
	assert_int_equal(unlink(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts),
		cmocka_unit_test(bytes),
		cmocka_unit_test(what_is_wanted_goes_to_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
