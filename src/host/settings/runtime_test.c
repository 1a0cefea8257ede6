#include "host/settings/runtime.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char base[64];

static int set_up(void **state)
{
	(void)state;
	(void)snprintf(base, sizeof(base), "/tmp/tenon-runtime-XXXXXX");
	if (!mkdtemp(base))
		return -1;
	return setenv("XDG_RUNTIME_DIR", base, 1);
}

static int remove_one(const char *name, const struct stat *status, int kind, struct FTW *where)
{
	(void)status;
	(void)kind;
	(void)where;
	return remove(name);
}

static int tear_down(void **state)
{
	(void)state;
	return nftw(base, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static struct tn_discovery example(void)
{
	return (struct tn_discovery){.pid = getpid(),
				     .http_port = 7777,
				     .bridge_port = 40123,
				     .url = "http://127.0.0.1:7777",
				     .token = "abcdefghijklmnopqrst",
				     .version = "1.2.3",
				     .started_at = "2026-01-02T03:04:05.678Z"};
}

static void the_folder_is_private(void **state)
{
	struct tn_runtime_paths paths;
	struct tenon_error err;
	struct stat status;

	(void)state;
	assert_int_equal(tn_runtime_find(&paths, false, &err), TENON_NOT_FOUND);
	assert_int_equal(tn_runtime_find(&paths, true, &err), TENON_OK);
	assert_int_equal(stat(paths.folder, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0700);
	assert_int_equal(chmod(paths.folder, 0755), 0);
	assert_int_equal(tn_runtime_find(&paths, true, &err), TENON_DENIED);
	assert_non_null(strstr(err.message, "0700"));
}

static void a_link_is_no_folder(void **state)
{
	struct tn_runtime_paths paths;
	char link[128];

	(void)state;
	(void)snprintf(link, sizeof(link), "%s/tenon", base);
	assert_int_equal(symlink("/tmp", link), 0);
	assert_int_equal(tn_runtime_find(&paths, true, NULL), TENON_DENIED);
}

/* ST-006: a file without a held lock is what a dead daemon left. */
static void alive_is_a_held_lock(void **state)
{
	const struct tn_discovery written = example();
	struct tn_discovery read;
	struct tn_runtime_paths paths;
	struct tenon_error err;
	struct stat status;
	int fd = -1, other = -1;

	(void)state;
	assert_int_equal(tn_runtime_find(&paths, true, &err), TENON_OK);
	assert_int_equal(tn_discovery_write(&paths, &written, &err), TENON_OK);
	assert_int_equal(stat(paths.discovery, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0600);
	assert_int_equal(tn_discovery_read(&paths, &read, &err), TENON_NOT_FOUND);
	assert_int_equal(tn_runtime_lock(&paths, &fd, &err), TENON_OK);
	assert_int_equal(tn_discovery_read(&paths, &read, &err), TENON_OK);
	assert_int_equal(read.pid, written.pid);
	assert_int_equal(read.http_port, 7777);
	assert_int_equal(read.bridge_port, 40123);
	assert_string_equal(read.url, written.url);
	assert_string_equal(read.token, written.token);
	assert_int_equal(tn_runtime_lock(&paths, &other, &err), TENON_BUSY);
	assert_int_equal(close(fd), 0);
	assert_int_equal(tn_discovery_read(&paths, &read, &err), TENON_NOT_FOUND);
	assert_int_equal(tn_runtime_lock(&paths, &fd, &err), TENON_OK);
	assert_int_equal(close(fd), 0);
}

/* The holder is gone with its process, however that ended. */
static void a_killed_holder_frees_it(void **state)
{
	struct tn_runtime_paths paths;
	int ready[2], fd = -1;
	char byte;
	pid_t child;

	(void)state;
	assert_int_equal(tn_runtime_find(&paths, true, NULL), TENON_OK);
	assert_int_equal(pipe(ready), 0);
	child = fork();
	if (child == 0) {
		if (tn_runtime_lock(&paths, &fd, NULL) == TENON_OK)
			(void)!write(ready[1], "x", 1);
		(void)pause();
		_exit(0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(tn_runtime_lock(&paths, &fd, NULL), TENON_BUSY);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(tn_runtime_lock(&paths, &fd, NULL), TENON_OK);
	assert_int_equal(close(fd), 0);
	assert_int_equal(close(ready[0]) + close(ready[1]), 0);
}

static void what_we_did_not_write_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"{",
		"[]",
		"{\"pid\":1}",
		("{\"pid\":1,\"version\":\"1\",\"startedAt\":\"x\",\"url\":\"u\",\"httpPort\":"
		 "70000,"
		 "\"bridgePort\":1,\"token\":\"t\"}"),
	};
	struct tn_runtime_paths paths;
	struct tn_discovery read = {.pid = 7};
	int fd = -1;

	(void)state;
	assert_int_equal(tn_runtime_find(&paths, true, NULL), TENON_OK);
	assert_int_equal(tn_runtime_lock(&paths, &fd, NULL), TENON_OK);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		FILE *file = fopen(paths.discovery, "w");

		assert_non_null(file);
		assert_true(fputs(texts[i], file) >= 0);
		assert_int_equal(fclose(file), 0);
		assert_int_equal(tn_discovery_read(&paths, &read, NULL), TENON_INVALID);
		assert_int_equal(read.pid, 7);
	}
	assert_int_equal(unlink(paths.discovery), 0);
	assert_int_equal(symlink("/etc/passwd", paths.discovery), 0);
	assert_int_equal(tn_discovery_read(&paths, &read, NULL), TENON_DENIED);
	assert_int_equal(close(fd), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_folder_is_private, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_link_is_no_folder, set_up, tear_down),
		cmocka_unit_test_setup_teardown(alive_is_a_held_lock, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_killed_holder_frees_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_we_did_not_write_is_refused, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
