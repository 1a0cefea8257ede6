#include "hold/inputs.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "store/file.h"

static char folder[] = "/tmp/tenon-inputs-test-XXXXXX";
static char path_space[PATH_MAX];

static const char *inside(const char *name)
{
	(void)snprintf(path_space, sizeof(path_space), "%s/%s", folder, name);
	return path_space;
}

static void put(const char *name, const char *bytes, mode_t mode)
{
	struct tenon_error err;

	assert_int_equal(tn_file_write(inside(name), mode, tn_str_from(bytes), &err), TENON_OK);
}

static void digest_of(const struct tn_inputs *inputs, char out[TN_DIGEST_HEX_SIZE])
{
	struct tn_buf text;

	tn_buf_init(&text, 65536);
	tn_inputs_bind(inputs, &text);
	assert_false(text.failed);
	tn_digest_hex(tn_buf_str(&text), out);
	tn_buf_finish(&text);
}

static struct tn_inputs *in_folder(void)
{
	struct tn_inputs *inputs = tn_inputs_create();
	struct tenon_error err;

	assert_non_null(inputs);
	assert_int_equal(tn_held_folder(&inputs->folder, AT_FDCWD, folder, &err), TENON_OK);
	return inputs;
}

static void what_was_read_is_what_is_held(void **state)
{
	struct tn_inputs *inputs = in_folder();
	char script[PATH_MAX];
	struct tn_str text;

	(void)state;
	(void)snprintf(script, sizeof(script), "%s", inside("x.sh"));
	put("x.sh", "one\n", 0644);
	assert_true(tn_inputs_script(inputs, script, &text));
	assert_true(tn_str_is(text, "one\n"));
	assert_null(tn_inputs_changed(inputs));
	put("x.sh", "two\n", 0644);
	assert_true(tn_inputs_script(inputs, script, &text)); /* not read a second time */
	assert_true(tn_str_is(text, "one\n"));
	assert_string_equal(tn_inputs_changed(inputs), script);
	put("x.sh", "one\n", 0644);
	assert_null(tn_inputs_changed(inputs));
	assert_int_equal(inputs->count, 1);
	tn_inputs_unref(inputs);
}

static void what_is_not_there_must_stay_away(void **state)
{
	struct tn_inputs *inputs = in_folder();
	char script[PATH_MAX];
	struct tn_str text;

	(void)state;
	(void)snprintf(script, sizeof(script), "%s", inside("later.sh"));
	assert_false(tn_inputs_script(inputs, script, &text));
	assert_null(tn_inputs_changed(inputs));
	put("later.sh", "", 0644);
	assert_string_equal(tn_inputs_changed(inputs), script);
	assert_int_equal(unlink(script), 0);
	assert_null(tn_inputs_changed(inputs));
	tn_inputs_unref(inputs);
}

static void a_program_is_known_by_its_file(void **state)
{
	struct tn_inputs *inputs = in_folder();
	char tool[PATH_MAX], binary[PATH_MAX];

	(void)state;
	(void)snprintf(tool, sizeof(tool), "%s", inside("tool"));
	(void)snprintf(binary, sizeof(binary), "%s", inside("binary"));
	put("tool", "#!/bin/sh\ntrue\n", 0755);
	put("binary", "\177ELF and so on", 0755);
	tn_inputs_program(inputs, tool);
	tn_inputs_program(inputs, binary);
	tn_inputs_program(inputs, binary);
	assert_int_equal(inputs->count, 2);
	assert_null(tn_inputs_changed(inputs));
	put("binary", "\177ELF and so on", 0755); /* the same bytes, but another file */
	assert_string_equal(tn_inputs_changed(inputs), binary);
	tn_inputs_unref(inputs);
	inputs = in_folder();
	tn_inputs_program(inputs, tool);
	put("tool", "#!/bin/sh\nfalse\n", 0755);
	assert_string_equal(tn_inputs_changed(inputs), tool);
	tn_inputs_unref(inputs);
}

/* Another folder under the same name, with the same script in it, is another act. */
static void an_approval_is_bound_to_all_of_it(void **state)
{
	char first[TN_DIGEST_HEX_SIZE], other[TN_DIGEST_HEX_SIZE], script[PATH_MAX];
	struct tn_inputs *inputs = in_folder();
	struct tn_str text;

	(void)state;
	(void)snprintf(script, sizeof(script), "%s", inside("y.sh"));
	put("y.sh", "rm -rf v1\n", 0644);
	assert_true(tn_inputs_script(inputs, script, &text));
	digest_of(inputs, first);
	inputs->folder.inode++;
	digest_of(inputs, other);
	assert_string_not_equal(first, other);
	tn_inputs_unref(inputs);
	inputs = in_folder();
	assert_true(tn_inputs_script(inputs, script, &text));
	digest_of(inputs, other);
	assert_string_equal(first, other);
	tn_inputs_unref(inputs);
	put("y.sh", "rm -rf v2\n", 0644);
	inputs = in_folder();
	assert_true(tn_inputs_script(inputs, script, &text));
	digest_of(inputs, other);
	assert_string_not_equal(first, other);
	tn_inputs_unref(inputs);
}

static void there_is_an_end_to_it(void **state)
{
	struct tn_inputs *inputs = in_folder();
	struct tn_str text;
	char name[32];

	(void)state;
	put("z.sh", "true\n", 0644);
	for (int i = 0; i < 200; i++) {
		(void)snprintf(name, sizeof(name), "absent-%d", i);
		tn_inputs_program(inputs, inside(name));
	}
	assert_true(inputs->count < 200);
	assert_false(tn_inputs_script(inputs, inside("z.sh"), &text));
	tn_inputs_unref(inputs);
	tn_inputs_unref(NULL);
}

/* Hashing holds up everybody else. */
static void bytes_have_an_end_as_well(void **state)
{
	enum { SIZE = 128 * 1024 };
	char *bytes = tn_mem_alloc(SIZE);
	struct tn_inputs *inputs = in_folder();
	struct tn_str text;
	char name[32];
	int held = 0;

	(void)state;
	assert_non_null(bytes);
	memset(bytes, '#', SIZE - 1);
	for (int i = 0; i < 20; i++) {
		(void)snprintf(name, sizeof(name), "large-%d", i);
		put(name, bytes, 0644);
		held += tn_inputs_script(inputs, inside(name), &text);
		assert_int_equal(unlink(inside(name)), 0);
	}
	assert_int_equal(held, 16);
	assert_true(inputs->is_full);
	assert_int_equal(inputs->bytes, 16 * (SIZE - 1));
	tn_mem_free(bytes);
	tn_inputs_unref(inputs);
}

int main(void)
{
	static const char *const files[] = {"x.sh", "later.sh", "tool", "binary", "y.sh", "z.sh"};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_read_is_what_is_held),
		cmocka_unit_test(what_is_not_there_must_stay_away),
		cmocka_unit_test(a_program_is_known_by_its_file),
		cmocka_unit_test(an_approval_is_bound_to_all_of_it),
		cmocka_unit_test(there_is_an_end_to_it),
		cmocka_unit_test(bytes_have_an_end_as_well),
	};
	int failed;

	if (!mkdtemp(folder))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		(void)unlink(inside(files[i])); /* or it has gone */
	(void)rmdir(folder);
	return failed;
}
