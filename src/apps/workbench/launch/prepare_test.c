/* What must be there before a server is started (S8, T21). */
#include "apps/workbench/launch/prepare.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/workbench/values/folder_kit.h"

static struct tn_wb_prepare of_folder(const char *folder)
{
	return (struct tn_wb_prepare){.root = folder_path(), .folder = folder};
}

static void the_folder_is_below_the_root_or_it_is_refused(void **state)
{
	struct tn_wb_prepare prepare;
	struct tenon_error err;
	char want[256];

	(void)state;
	folder_write("web/package.json", "{}");
	assert_int_equal(symlink("/usr", "/tmp/tenon-prepare-link"), 0);
	prepare = of_folder("web");
	assert_null(tn_wb_prepare(&prepare, &err));
	(void)snprintf(want, sizeof(want), "%s/web", folder_path());
	assert_string_equal(prepare.directory, want);
	prepare = of_folder(".");
	assert_null(tn_wb_prepare(&prepare, &err));
	assert_string_equal(prepare.directory, folder_path());
	prepare = of_folder("none");
	assert_string_equal(tn_wb_prepare(&prepare, &err), "folder_missing");
	prepare = of_folder("web/package.json");
	assert_string_equal(tn_wb_prepare(&prepare, &err), "folder_missing");
	prepare = of_folder("../tenon-prepare-link");
	assert_string_equal(tn_wb_prepare(&prepare, &err), "path_escapes_workspace");
	assert_int_equal(unlink("/tmp/tenon-prepare-link"), 0);
}

static void our_files_are_private_and_written_when_they_are_others(void **state)
{
	char runtime[256], path[300];
	struct tn_wb_prepare prepare = of_folder(".");
	struct tenon_error err;
	struct stat first, second;

	(void)state;
	(void)snprintf(runtime, sizeof(runtime), "%s/run", folder_path());
	(void)snprintf(path, sizeof(path), "%s/workbench/launcher.mjs", runtime);
	assert_int_equal(mkdir(runtime, 0700), 0);
	prepare.runtime_folder = runtime;
	prepare.files[0] = (struct tn_wb_prepare_file){"launcher.mjs", TN_STR("one")};
	assert_null(tn_wb_prepare(&prepare, &err));
	assert_string_equal(prepare.paths[0], path);
	assert_string_equal(prepare.made, "");
	assert_int_equal(stat(path, &first), 0);
	assert_int_equal(first.st_mode & 0777, 0600);
	assert_null(tn_wb_prepare(&prepare, &err));
	assert_int_equal(stat(path, &second), 0);
	assert_true(first.st_ino == second.st_ino);
	prepare.files[0].text = TN_STR("two");
	assert_null(tn_wb_prepare(&prepare, &err));
	assert_int_equal(stat(path, &second), 0);
	assert_false(first.st_ino == second.st_ino);
}

static void without_a_runtime_folder_one_is_made_and_removed(void **state)
{
	struct tn_wb_prepare prepare = of_folder("."), again = of_folder(".");
	struct tenon_error err;

	(void)state;
	prepare.files[0] = (struct tn_wb_prepare_file){"launcher.mjs", TN_STR("one")};
	assert_null(tn_wb_prepare(&prepare, &err));
	assert_int_equal(access(prepare.paths[0], R_OK), 0);
	assert_int_equal(strncmp(prepare.made, prepare.paths[0], strlen(prepare.made)), 0);
	again.runtime_folder = prepare.made;
	again.files[0] = prepare.files[0];
	assert_null(tn_wb_prepare(&again, &err));
	assert_int_equal(access(again.paths[0], R_OK), 0);
	tn_wb_scratch_remove(prepare.made);
	assert_int_equal(access(prepare.made, F_OK), -1);
	tn_wb_scratch_remove("");
}

/* A daemon that is killed cannot tidy up: the next one does. */
static void what_a_killed_process_has_made_goes_with_the_next(void **state)
{
	struct tn_wb_prepare prepare = of_folder(".");
	char made[TN_WB_SCRATCH_SIZE];
	struct tenon_error err;
	int ends[2], status;
	pid_t child;

	(void)state;
	prepare.files[0] = (struct tn_wb_prepare_file){"launcher.mjs", TN_STR("one")};
	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		if (tn_wb_prepare(&prepare, &err) ||
		    write(ends[1], prepare.made, sizeof(prepare.made)) != sizeof(prepare.made))
			_exit(1);
		(void)kill(getpid(), SIGKILL);
	}
	assert_int_equal(read(ends[0], made, sizeof(made)), sizeof(made));
	assert_int_equal(access(made, F_OK), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_null(tn_wb_prepare(&prepare, &err));
	assert_int_equal(access(prepare.made, F_OK), 0);
	assert_int_equal(access(made, F_OK), -1);
	tn_wb_scratch_remove(prepare.made);
	assert_int_equal(access(prepare.made, F_OK), -1);
	assert_int_equal(close(ends[0]) + close(ends[1]), 0);
}

static void node_is_looked_for_on_the_path(void **state)
{
	struct tn_wb_prepare prepare = of_folder(".");
	struct tenon_error err;
	char bin[256], want[300];

	(void)state;
	prepare.needs_node = true;
	(void)snprintf(bin, sizeof(bin), "%s/bin", folder_path());
	(void)snprintf(want, sizeof(want), "%s/node", bin);
	assert_int_equal(setenv("PATH", bin, 1), 0);
	assert_string_equal(tn_wb_prepare(&prepare, &err), "NODE_MISSING");
	assert_non_null(strstr(err.message, "Install Node"));
	folder_write("bin/node", "#!/bin/sh\n");
	assert_string_equal(tn_wb_prepare(&prepare, &err), "NODE_MISSING"); /* no program */
	assert_int_equal(chmod(want, 0700), 0);
	assert_null(tn_wb_prepare(&prepare, &err));
	assert_string_equal(prepare.node, want);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_folder_is_below_the_root_or_it_is_refused,
						folder_set_up, folder_tear_down),
		cmocka_unit_test_setup_teardown(
			our_files_are_private_and_written_when_they_are_others, folder_set_up,
			folder_tear_down),
		cmocka_unit_test_setup_teardown(without_a_runtime_folder_one_is_made_and_removed,
						folder_set_up, folder_tear_down),
		cmocka_unit_test_setup_teardown(what_a_killed_process_has_made_goes_with_the_next,
						folder_set_up, folder_tear_down),
		cmocka_unit_test_setup_teardown(node_is_looked_for_on_the_path, folder_set_up,
						folder_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
