#include "store/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/digest.h"

static char folder[] = "/tmp/tenon-file-test-XXXXXX";
static char path_space[PATH_MAX];

static const char *inside(const char *name)
{
	(void)snprintf(path_space, sizeof(path_space), "%s/%s", folder, name);
	return path_space;
}

static void assert_content(const char *name, const char *expected)
{
	struct tn_buf text;
	struct tenon_error err = {0};

	tn_buf_init(&text, 1000);
	assert_int_equal(tn_file_read(inside(name), TN_FILE_NO_FOLLOW, &text, &err), TENON_OK);
	assert_true(tn_str_is(tn_buf_str(&text), expected));
	tn_buf_finish(&text);
}

static size_t entries(void)
{
	DIR *dir = opendir(folder);
	size_t count = 0;

	assert_non_null(dir);
	while (readdir(dir))
		count++;
	(void)closedir(dir);
	return count - 2; /* . and .. */
}

static void writes_and_replaces(void **state)
{
	struct tenon_error err = {0};
	struct stat status;

	(void)state;
	assert_int_equal(tn_file_write(inside("a"), 0600, TN_STR("first"), &err), TENON_OK);
	assert_content("a", "first");
	assert_int_equal(tn_file_write(inside("a"), 0600, TN_STR("second, longer"), &err),
			 TENON_OK);
	assert_content("a", "second, longer");
	assert_int_equal(stat(inside("a"), &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_int_equal(entries(), 1); /* no temporary file stays behind */
}

static void a_failed_write_leaves_the_old_file_and_nothing_else(void **state)
{
	struct tenon_error err = {0};
	char name[NAME_MAX + 20];

	(void)state;
	assert_int_equal(tn_file_write(inside("a"), 0600, TN_STR("x"), &err), TENON_OK);
	assert_int_equal(mkdir(inside("d"), 0700), 0);
	/* A folder cannot be replaced by a file: the rename fails after the write. */
	assert_int_equal(tn_file_write(inside("d"), 0600, TN_STR("x"), &err), TENON_SYSTEM);
	assert_null(strstr(err.message, folder));
	assert_int_equal(entries(), 2);
	assert_int_equal(rmdir(inside("d")), 0);
	assert_int_equal(tn_file_write(inside("none/b"), 0600, TN_STR("x"), &err), TENON_NOT_FOUND);
	assert_int_equal(tn_file_write(inside(""), 0600, TN_STR("x"), &err), TENON_INVALID);
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(tn_file_write(inside(name), 0600, TN_STR("x"), &err), TENON_INVALID);
}

static void what_others_have_changed_is_not_replaced(void **state)
{
	char known[TN_DIGEST_HEX_SIZE];
	struct tenon_error err = {0};
	int at = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	assert_true(at >= 0);
	assert_int_equal(tn_file_write_known_at(at, "k", 0600, TN_STR("first"), "", &err),
			 TENON_OK);
	assert_int_equal(tn_file_write_known_at(at, "k", 0600, TN_STR("again"), "", &err),
			 TENON_EXPIRED);
	tn_digest_hex(TN_STR("first"), known);
	assert_int_equal(tn_file_write_known_at(at, "k", 0600, TN_STR("second"), known, &err),
			 TENON_OK);
	assert_int_equal(tn_file_write_known_at(at, "k", 0600, TN_STR("third"), known, &err),
			 TENON_EXPIRED);
	assert_content("k", "second");
	assert_int_equal(unlinkat(at, "k", 0), 0);
	tn_digest_hex(TN_STR("second"), known);
	assert_int_equal(tn_file_write_known_at(at, "k", 0600, TN_STR("third"), known, &err),
			 TENON_EXPIRED);
	assert_int_equal(symlinkat("elsewhere", at, "k"), 0);
	assert_int_equal(tn_file_write_known_at(at, "k", 0600, TN_STR("third"), "", &err),
			 TENON_EXPIRED);
	assert_int_equal(unlinkat(at, "k", 0), 0);
	assert_int_equal(entries(), 1); /* that of the tests before */
	assert_int_equal(close(at), 0);
}

static void a_link_is_not_followed_when_asked(void **state)
{
	struct tenon_error err = {0};
	char target[PATH_MAX];
	int fd = -1;

	(void)state;
	(void)snprintf(target, sizeof(target), "%s", inside("a"));
	assert_int_equal(tn_file_write(target, 0600, TN_STR("x"), &err), TENON_OK);
	assert_int_equal(symlink(target, inside("link")), 0);
	assert_int_equal(tn_file_open(inside("link"), TN_FILE_NO_FOLLOW, &fd, &err), TENON_DENIED);
	assert_int_equal(tn_file_open(inside("link"), 0, &fd, &err), TENON_OK);
	(void)close(fd);
	/* Replacing a link replaces the link, not what it points to. */
	assert_int_equal(tn_file_write(inside("link"), 0600, TN_STR("y"), &err), TENON_OK);
	assert_content("link", "y");
	assert_content("a", "x");
	assert_int_equal(unlink(inside("link")), 0);
}

static void pipes_and_folders_are_refused(void **state)
{
	struct tenon_error err = {0};
	int fd = -1;

	(void)state;
	assert_int_equal(mkfifo(inside("pipe"), 0600), 0);
	/* Without O_NONBLOCK this would wait for a writer for ever. */
	assert_int_equal(tn_file_open(inside("pipe"), TN_FILE_REGULAR_ONLY, &fd, &err),
			 TENON_DENIED);
	assert_int_equal(unlink(inside("pipe")), 0);
	assert_int_equal(tn_file_open(folder, 0, &fd, &err), TENON_DENIED);
	assert_int_equal(tn_file_open(inside("absent"), 0, &fd, &err), TENON_NOT_FOUND);
	assert_int_equal(tn_file_open(inside("a/b"), 0, &fd, &err), TENON_NOT_FOUND);
}

static void reading_stops_at_the_cap(void **state)
{
	struct tenon_error err = {0};
	struct tn_buf text;

	(void)state;
	assert_int_equal(tn_file_write(inside("a"), 0600, TN_STR("12345"), &err), TENON_OK);
	tn_buf_init(&text, 5);
	assert_int_equal(tn_file_read(inside("a"), 0, &text, &err), TENON_OK);
	tn_buf_finish(&text);
	tn_buf_init(&text, 4);
	assert_int_equal(tn_file_read(inside("a"), 0, &text, &err), TENON_LIMIT);
	tn_buf_finish(&text);
}

static void folders_are_made_with_those_above(void **state)
{
	struct tenon_error err = {0};
	struct tn_buf path;

	(void)state;
	assert_int_equal(tn_dir_create(inside("x/y/z"), 0700, &err), TENON_OK);
	assert_int_equal(tn_dir_create(inside("x/y/z"), 0700, &err), TENON_OK);
	assert_int_equal(tn_dir_create(inside("a/y"), 0700, &err), TENON_INVALID);
	assert_int_equal(tn_dir_create("", 0700, &err), TENON_INVALID);
	assert_int_equal(rmdir(inside("x/y/z")), 0);
	assert_int_equal(rmdir(inside("x/y")), 0);
	assert_int_equal(rmdir(inside("x")), 0);

	tn_buf_init(&path, PATH_MAX);
	assert_int_equal(setenv("XDG_STATE_HOME", inside("state"), 1), 0);
	assert_int_equal(tn_dir_state(&path, false, &err), TENON_OK);
	assert_string_equal(path.data, inside("state/tenon"));
	assert_int_equal(access(path.data, F_OK), -1);
	tn_buf_clear(&path);
	assert_int_equal(tn_dir_state(&path, true, &err), TENON_OK);
	assert_int_equal(access(path.data, F_OK), 0);
	assert_int_equal(rmdir(inside("state/tenon")), 0);
	assert_int_equal(rmdir(inside("state")), 0);
	/* A relative path is invalid there; HOME takes over. */
	assert_int_equal(setenv("XDG_STATE_HOME", "relative", 1), 0);
	assert_int_equal(setenv("HOME", "/home/x", 1), 0);
	tn_buf_clear(&path);
	assert_int_equal(tn_dir_state(&path, false, &err), TENON_OK);
	assert_string_equal(path.data, "/home/x/.local/state/tenon");
	assert_int_equal(unsetenv("XDG_STATE_HOME"), 0);
	assert_int_equal(unsetenv("HOME"), 0);
	tn_buf_clear(&path);
	assert_int_equal(tn_dir_state(&path, false, &err), TENON_NOT_FOUND);
	tn_buf_finish(&path);
}

static int set_up(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	(void)unlink(inside("a"));
	return rmdir(folder); /* fails when a test left something behind */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_and_replaces),
		cmocka_unit_test(a_failed_write_leaves_the_old_file_and_nothing_else),
		cmocka_unit_test(what_others_have_changed_is_not_replaced),
		cmocka_unit_test(a_link_is_not_followed_when_asked),
		cmocka_unit_test(pipes_and_folders_are_refused),
		cmocka_unit_test(reading_stops_at_the_cap),
		cmocka_unit_test(folders_are_made_with_those_above),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
