#include "apps/plan/service/allowed_path.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char top[] = "/tmp/tenon-paths-test-XXXXXX";
static char space[4][PATH_MAX];

static const char *at(unsigned slot, const char *name)
{
	(void)snprintf(space[slot], sizeof(space[slot]), "%s/%s", top, name);
	return space[slot];
}

static void make_file(const char *name)
{
	FILE *file = fopen(at(0, name), "w");

	assert_non_null(file);
	assert_int_equal(fclose(file), 0);
}

/* "" when it opened, otherwise the reason. */
static const char *attempt(const char *folders, const char *path)
{
	const char *reason = "", *list[8] = {NULL};
	char copy[4096];
	size_t count = 0;
	struct tenon_error err = {0};
	struct tn_roots roots;
	int fd = -1;

	(void)snprintf(copy, sizeof(copy), "%s", folders);
	for (char *rest = copy; rest && *rest; count++)
		list[count] = strsep(&rest, ":");
	assert_int_equal(tn_roots_init(&roots, list, &err), TENON_OK);
	if (tn_plan_open_path(&roots, path, &fd, &reason, &err) == TENON_OK)
		assert_int_equal(close(fd), 0);
	else
		assert_null(strstr(err.message, top)); /* no host path in a message */
	tn_roots_finish(&roots);
	return reason;
}

static void files_inside_open_by_either_kind_of_path(void **state)
{
	char both[2 * PATH_MAX];

	(void)state;
	assert_string_equal(attempt(at(1, "a"), at(2, "a/plan.txt")), "");
	assert_string_equal(attempt(at(1, "a"), "plan.txt"), "");
	assert_string_equal(attempt(at(1, "a"), "sub/deep.txt"), "");
	assert_string_equal(attempt(at(1, "a/"), at(2, "a/plan.txt")), "");
	(void)snprintf(both, sizeof(both), "%s:%s", at(1, "none"), at(2, "a"));
	assert_string_equal(attempt(both, "plan.txt"), "");
	/* The allowed folder may itself be reached by a link. */
	assert_string_equal(attempt(at(1, "link-to-a"), at(2, "link-to-a/plan.txt")), "");
	assert_string_equal(attempt(at(1, "link-to-a"), at(2, "a/plan.txt")), "");
}

static void nothing_outside_opens(void **state)
{
	(void)state;
	assert_string_equal(attempt("", at(2, "a/plan.txt")), "path_not_allowed");
	assert_string_equal(attempt(at(1, "a"), at(2, "b/secret.txt")), "path_not_allowed");
	/* A name that merely begins like the folder. */
	assert_string_equal(attempt(at(1, "a"), at(2, "a-not/secret.txt")), "path_not_allowed");
	assert_string_equal(attempt(at(1, "a"), at(2, "a/../b/secret.txt")), "path_not_allowed");
	assert_string_equal(attempt(at(1, "a"), "../b/secret.txt"), "path_not_allowed");
	assert_string_equal(attempt(at(1, "a"), "sub/.."), "path_not_allowed");
	assert_string_equal(attempt(at(1, "a"), ""), "path_not_allowed");
	/* Links that lead out, as the last component and on the way. */
	assert_string_equal(attempt(at(1, "a"), "link-out"), "path_not_allowed");
	assert_string_equal(attempt(at(1, "a"), "folder-out/secret.txt"), "path_not_allowed");
	/* What does not exist outside is refused with the same words. */
	assert_string_equal(attempt(at(1, "a"), at(2, "b/none.txt")), "path_not_allowed");
}

static void what_is_missing_inside_is_told(void **state)
{
	(void)state;
	assert_string_equal(attempt(at(1, "a"), "none.txt"), "no_such_file");
	assert_string_equal(attempt(at(1, "a"), at(2, "a/none.txt")), "no_such_file");
	assert_string_equal(attempt(at(1, "a"), "sub"), "no_such_file");
	assert_string_equal(attempt(at(1, "a"), "pipe"), "no_such_file"); /* and does not hang */
	assert_string_equal(attempt(at(1, "a"), "..plan.txt"), "no_such_file");
}

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(top) || mkdir(at(0, "a"), 0700) || mkdir(at(0, "a/sub"), 0700) ||
	    mkdir(at(0, "b"), 0700) || mkdir(at(0, "a-not"), 0700))
		return -1;
	make_file("a/plan.txt");
	make_file("a/sub/deep.txt");
	make_file("b/secret.txt");
	make_file("a-not/secret.txt");
	return symlink(at(0, "b/secret.txt"), at(1, "a/link-out")) ||
	       symlink(at(0, "b"), at(1, "a/folder-out")) ||
	       symlink(at(0, "a"), at(1, "link-to-a")) || mkfifo(at(0, "a/pipe"), 0600);
}

static int tear_down(void **state)
{
	static const char *const files[] = {"a/plan.txt",       "a/sub/deep.txt", "b/secret.txt",
					    "a-not/secret.txt", "a/link-out",     "a/folder-out",
					    "link-to-a",        "a/pipe"};
	static const char *const folders[] = {"a/sub", "a", "b", "a-not"};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		(void)unlink(at(0, files[i]));
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		(void)rmdir(at(0, folders[i]));
	return rmdir(top);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_inside_open_by_either_kind_of_path),
		cmocka_unit_test(nothing_outside_opens),
		cmocka_unit_test(what_is_missing_inside_is_told),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
