#include "store/held.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/size.h"
#include "store/file.h"

static char folder[] = "/tmp/tenon-held-test-XXXXXX";
static char path_space[PATH_MAX];

static const char *inside(const char *name)
{
	(void)snprintf(path_space, sizeof(path_space), "%s/%s", folder, name);
	return path_space;
}

static void put(const char *name, const char *bytes)
{
	struct tenon_error err;

	assert_int_equal(tn_file_write(inside(name), 0600, tn_str_from(bytes), &err), TENON_OK);
}

static void assert_bytes(const struct tn_held *held, const char *expected)
{
	struct tn_str bytes = tn_held_map(held);

	assert_int_equal(bytes.size, strlen(expected));
	assert_memory_equal(bytes.data, expected, bytes.size);
	tn_held_unmap(bytes);
}

static void a_file_stays_what_it_was(void **state)
{
	char link[64], digest[TN_DIGEST_HEX_SIZE];
	struct tenon_error err;
	struct tn_held held;
	int again;

	(void)state;
	put("plan", "one thing");
	assert_int_equal(tn_held_file(&held, AT_FDCWD, inside("plan"), 100, &err), TENON_OK);
	tn_digest_hex(TN_STR("one thing"), digest);
	assert_string_equal(held.digest, digest);
	assert_true(tn_held_is_still(&held, AT_FDCWD, inside("plan")));
	/* In place, and by another file of its name. */
	again = open(inside("plan"), O_WRONLY | O_CLOEXEC);
	assert_int_equal(write(again, "O", 1), 1);
	(void)close(again);
	assert_false(tn_held_is_still(&held, AT_FDCWD, inside("plan")));
	assert_bytes(&held, "one thing");
	put("plan", "one thing");
	assert_true(
		tn_held_is_still(&held, AT_FDCWD, inside("plan"))); /* its bytes are what counts */
	put("plan", "one thing more");
	assert_false(tn_held_is_still(&held, AT_FDCWD, inside("plan")));
	/* Nobody writes to what is held, not even through its descriptor opened anew. */
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", held.fd);
	again = open(link, O_RDWR | O_CLOEXEC);
	assert_true(again < 0 || write(again, "x", 1) < 0);
	if (again >= 0)
		(void)close(again);
	assert_true(write(held.fd, "x", 1) < 0);
	assert_int_equal(unlink(inside("plan")), 0);
	assert_false(tn_held_is_still(&held, AT_FDCWD, inside("plan")));
	assert_bytes(&held, "one thing");
	tn_held_finish(&held);
	tn_held_finish(&held);
}

static void what_cannot_be_held_is_said(void **state)
{
	struct tenon_error err;
	struct tn_held held;

	(void)state;
	put("five", "12345");
	assert_int_equal(tn_held_file(&held, AT_FDCWD, inside("five"), 4, &err), TENON_LIMIT);
	assert_int_equal(held.fd, -1);
	assert_int_equal(tn_held_file(&held, AT_FDCWD, inside("five"), 5, &err), TENON_OK);
	tn_held_finish(&held);
	assert_int_equal(tn_held_file(&held, AT_FDCWD, inside("none"), 4, &err), TENON_NOT_FOUND);
	assert_int_equal(tn_held_file(&held, AT_FDCWD, folder, 4, &err), TENON_DENIED);
	assert_int_equal(mkfifo(inside("pipe"), 0600), 0);
	assert_int_equal(tn_held_file(&held, AT_FDCWD, inside("pipe"), 4, &err), TENON_DENIED);
	assert_int_equal(tn_held_folder(&held, AT_FDCWD, inside("five"), &err), TENON_INVALID);
	assert_int_equal(tn_held_folder(&held, AT_FDCWD, inside("none"), &err), TENON_NOT_FOUND);
	assert_int_equal(held.fd, -1);
	assert_false(tn_held_is_still(&held, AT_FDCWD, inside("five")));
	put("empty", "");
	assert_int_equal(tn_held_file(&held, AT_FDCWD, inside("empty"), 4, &err), TENON_OK);
	assert_null(tn_held_map(&held).data);
	assert_true(tn_held_is_still(&held, AT_FDCWD, inside("empty")));
	tn_held_finish(&held);
}

static void a_folder_is_itself_whatever_its_name_leads_to(void **state)
{
	char first[PATH_MAX], second[PATH_MAX], name[PATH_MAX];
	struct tn_held held, copy;
	struct tenon_error err;

	(void)state;
	(void)snprintf(first, sizeof(first), "%s", inside("da"));
	(void)snprintf(second, sizeof(second), "%s", inside("db"));
	(void)snprintf(name, sizeof(name), "%s", inside("cur"));
	assert_int_equal(mkdir(first, 0700) + mkdir(second, 0700) + symlink("da", name), 0);
	assert_int_equal(tn_held_folder(&held, AT_FDCWD, name, &err), TENON_OK);
	assert_string_equal(held.path, first); /* the real one */
	assert_true(tn_held_is_still(&held, AT_FDCWD, name));
	assert_int_equal(unlink(name) + symlink("db", name), 0);
	assert_false(tn_held_is_still(&held, AT_FDCWD, name));
	assert_true(tn_held_is_still(&held, AT_FDCWD, first));
	assert_int_equal(rename(first, inside("moved")), 0);
	assert_false(tn_held_is_still(&held, AT_FDCWD, first));
	assert_true(tn_held_is_still(&held, held.fd, "."));
	assert_int_equal(tn_held_folder_fd(&copy, held.fd, &err), TENON_OK);
	assert_string_equal(copy.path, inside("moved"));
	assert_true(copy.inode == held.inode && copy.device == held.device);
	tn_held_finish(&copy);
	tn_held_finish(&held);
}

/* Every single bit of a file, and its length. */
static void any_bit_makes_another_file_of_it(void **state)
{
	static const char text[] = "rm -rf v1\n";
	struct tenon_error err;
	struct tn_held held;
	char other[sizeof(text)];

	(void)state;
	put("x.sh", text);
	assert_int_equal(tn_held_file(&held, AT_FDCWD, inside("x.sh"), 100, &err), TENON_OK);
	for (size_t bit = 0; bit < 8 * (sizeof(text) - 1); bit++) {
		memcpy(other, text, sizeof(text));
		other[bit / 8] = (char)(other[bit / 8] ^ (1 << bit % 8));
		assert_int_equal(
			tn_file_write(inside("x.sh"), 0600, tn_str(other, sizeof(text) - 1), &err),
			TENON_OK);
		assert_false(tn_held_is_still(&held, AT_FDCWD, inside("x.sh")));
	}
	put("x.sh", "rm -rf v1");
	assert_false(tn_held_is_still(&held, AT_FDCWD, inside("x.sh")));
	tn_held_finish(&held);
}

static void remove_all(void)
{
	static const char *const files[] = {"plan", "five", "pipe", "empty", "cur", "x.sh"};
	static const char *const folders[] = {"da", "db", "moved"};

	for (size_t i = 0; i < TN_COUNT(files); i++)
		(void)unlink(inside(files[i])); /* or it has gone */
	for (size_t i = 0; i < TN_COUNT(folders); i++)
		(void)rmdir(inside(folders[i]));
	(void)rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_stays_what_it_was),
		cmocka_unit_test(what_cannot_be_held_is_said),
		cmocka_unit_test(a_folder_is_itself_whatever_its_name_leads_to),
		cmocka_unit_test(any_bit_makes_another_file_of_it),
	};
	int failed;

	if (!mkdtemp(folder))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	remove_all();
	return failed;
}
