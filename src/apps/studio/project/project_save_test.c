/* Saving is whole or not at all, whatever fails and whenever it ends (ST-022, ST-023). The calls
 * that change folders and reach the disk are counted here, and the n-th one fails, or is the last
 * thing the process does. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/studio/project/project_test_kit.h"
#include "base/mem.h"

enum doing { NOTHING, FAILING_ONCE, FAILING, DYING };

static enum doing doing;
static int left; /* calls until it happens */

/* 0: go on. */
static int happens(void)
{
	if (doing == NOTHING || --left >= 0)
		return 0;
	if (doing == DYING)
		_exit(9);
	if (doing == FAILING_ONCE)
		doing = NOTHING;
	errno = EIO;
	return -1;
}

/* In the place of the C library's: what the program links comes first. */
int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
	if (happens() != 0)
		return -1;
	return (int)syscall(SYS_renameat, from_folder, from, to_folder, to);
}

int fsync(int fd)
{
	if (happens() != 0)
		return -1;
	return (int)syscall(SYS_fsync, fd);
}

int unlink(const char *path)
{
	if (happens() != 0)
		return -1;
	return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int unlinkat(int folder, const char *path, int flags)
{
	if (happens() != 0)
		return -1;
	return (int)syscall(SYS_unlinkat, folder, path, flags);
}

/* ---- the three files ---- */

struct set {
	char *texts[3];
};

static const char *const names[] = {"studio.json", "cost.json", "diagram.json"};

static struct set read_set(const struct kit *kit)
{
	struct set set;

	for (int i = 0; i < 3; i++)
		set.texts[i] = kit_read(kit, names[i]);
	return set;
}

static void free_set(struct set *set)
{
	for (int i = 0; i < 3; i++)
		tn_mem_free(set->texts[i]);
}

static bool same_set(const struct set *a, const struct set *b)
{
	for (int i = 0; i < 3; i++) {
		if (!a->texts[i] != !b->texts[i] ||
		    (a->texts[i] && strcmp(a->texts[i], b->texts[i]) != 0))
			return false;
	}
	return true;
}

static bool save(struct tn_studio_project *project)
{
	struct tn_buf files;
	struct tn_studio_fault fault;
	bool done;

	tn_buf_init(&files, TN_MIB);
	done = tn_studio_project_save(project, false, false, &files, &fault);
	tn_buf_finish(&files);
	return done;
}

/* All three files change; cost.json comes (`with`) or goes. */
static void change(struct tn_studio_project *project, const char *id, bool with)
{
	char text[256];

	assert_true(kit_add(project, id, id));
	(void)snprintf(text, sizeof(text),
		       "[{\"op\":\"setConfig\",\"config\":{\"region\":\"%s\"}},"
		       "{\"op\":\"setBudget\",\"budget\":%s}]",
		       id, with ? "5" : "null");
	assert_true(kit_commit(project, text));
}

static void ids_of(const struct tn_studio_project *project, char out[256])
{
	kit_ids(project, out, 256);
}

/* A project with n1 saved, and n2 not. Which way cost.json goes. */
static struct tn_studio_project *begin(struct kit *kit, bool comes, struct set *ret_old)
{
	struct tn_studio_project *project = kit_new(kit, "shop");

	change(project, "n1", !comes);
	assert_true(save(project));
	*ret_old = read_set(kit);
	assert_int_equal(ret_old->texts[1] != NULL, !comes);
	change(project, "n2", comes);
	return project;
}

static void remove_project(struct kit *kit)
{
	char path[256];

	(void)snprintf(path, sizeof(path), "%s/shop", kit->home);
	if (fork() == 0) {
		(void)execl("/bin/rm", "rm", "-rf", path, (char *)NULL);
		_exit(1);
	}
	(void)wait(NULL);
}

static void fail_at_every_step(struct kit *kit, bool comes, enum doing how)
{
	bool done = false;
	int steps = 0;

	for (; !done; steps++) {
		struct set old, now, wanted;
		struct tn_studio_project *project = begin(kit, comes, &old);

		doing = how;
		left = steps;
		done = save(project);
		bool happened = left < 0;
		doing = NOTHING;
		now = read_set(kit);
		/* A failure that is told leaves the old files, unless nothing can be done at all.
		 */
		if (!done && how == FAILING_ONCE)
			assert_true(same_set(&old, &now));
		assert_int_equal(tn_studio_project_is_dirty(project), !done);
		/* And the next save succeeds, over whatever was left behind. */
		assert_true(save(project));
		wanted = read_set(kit);
		if (done)
			assert_true(same_set(&now, &wanted));
		assert_non_null(strstr(wanted.texts[2], "\"n2\""));
		kit_restart(kit);
		project = kit_open(kit, "shop");
		assert_non_null(project);
		assert_false(tn_studio_project_is_dirty(project));
		free_set(&old);
		free_set(&now);
		free_set(&wanted);
		assert_true(tn_studio_project_close(project, false, NULL));
		remove_project(kit);
		done = done && !happened; /* one that was hidden is followed by more */
	}
	assert_true(steps > 8);
}

static void a_save_that_fails_leaves_the_old_files(void **state)
{
	fail_at_every_step(*state, true, FAILING_ONCE);
	fail_at_every_step(*state, false, FAILING_ONCE);
}

static void a_disk_that_goes_and_comes_back_loses_nothing(void **state)
{
	fail_at_every_step(*state, true, FAILING);
	fail_at_every_step(*state, false, FAILING);
}

/* The process ends in the middle: the next opening finds the old files or the new ones, never some
 * of each, and everything that was committed. */
static void a_crash_in_a_save_leaves_whole_files(void **state)
{
	struct kit *kit = *state;
	int finished = 0, kept = 0;

	for (int steps = 0;; steps++) {
		struct set old, now;
		struct tn_studio_project *project = begin(kit, steps % 2, &old);
		char ids[256];
		int status;
		pid_t child;

		/* What is in the log is the kernel's already: another process goes on with it. */
		tn_studio_projects_destroy(kit->projects);
		child = fork();
		if (child == 0) {
			kit->projects = kit_table(kit);
			project = kit_open(kit, "shop");
			doing = DYING;
			left = steps;
			_exit(project && save(project) ? 0 : 1);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		kit->projects = kit_table(kit);
		project = kit_open(kit, "shop");
		assert_non_null(project);
		ids_of(project, ids);
		assert_string_equal(ids, "n1,n2");
		assert_false(project->disk_changed);
		now = read_set(kit);
		if (same_set(&old, &now)) {
			kept++;
			assert_true(tn_studio_project_is_dirty(project));
		} else {
			finished++;
			assert_false(tn_studio_project_is_dirty(project));
			for (int i = 0; i < 3; i += 2)
				assert_non_null(strstr(now.texts[i], "n2"));
			assert_int_equal(now.texts[1] != NULL, steps % 2);
		}
		free_set(&old);
		free_set(&now);
		kit_restart(kit);
		remove_project(kit);
		if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
			break;
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 9);
	}
	assert_true(kept > 3 && finished > 3);
}

/* kill -9 at any moment of commits and saves: what was acknowledged is there (issue 6). */
static void work(struct kit *kit, int out)
{
	struct tn_studio_project *project;
	char id[16];

	kit->projects = kit_table(kit);
	project = kit_open(kit, "shop");
	for (int i = 0; project && i < 100000; i++) {
		(void)snprintf(id, sizeof(id), "k%d_%d", (int)getpid(), i);
		if (!kit_add(project, id, id) || write(out, id, sizeof(id)) != sizeof(id))
			_exit(1);
		if (i % 3 == 2 && !save(project))
			_exit(1);
	}
	_exit(1);
}

static void what_was_acknowledged_survives_kill(void **state)
{
	struct kit *kit = *state;
	unsigned seed = (unsigned)getpid();

	assert_non_null(kit_new(kit, "shop"));
	tn_studio_projects_destroy(kit->projects);
	for (int round = 0; round < 25; round++) {
		char id[16], last[16] = "", ids[200000];
		struct tn_studio_project *project;
		int ends[2];
		pid_t child;

		assert_int_equal(pipe(ends), 0);
		child = fork();
		if (child == 0) {
			(void)close(ends[0]);
			work(kit, ends[1]);
		}
		(void)close(ends[1]);
		(void)usleep(1000 + (useconds_t)(rand_r(&seed) % 30000));
		assert_int_equal(kill(child, SIGKILL), 0);
		assert_int_equal(waitpid(child, NULL, 0), child);
		while (read(ends[0], id, sizeof(id)) == sizeof(id))
			memcpy(last, id, sizeof(last));
		(void)close(ends[0]);
		kit->projects = kit_table(kit);
		project = kit_open(kit, "shop");
		assert_non_null(project);
		assert_false(project->disk_changed);
		kit_ids(project, ids, sizeof(ids));
		if (last[0])
			assert_non_null(strstr(ids, last));
		tn_studio_projects_destroy(kit->projects);
	}
	kit->projects = kit_table(kit);
}

#define KIT(test) cmocka_unit_test_setup_teardown(test, kit_set_up, kit_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		KIT(a_save_that_fails_leaves_the_old_files),
		KIT(a_disk_that_goes_and_comes_back_loses_nothing),
		KIT(a_crash_in_a_save_leaves_whole_files),
		KIT(what_was_acknowledged_survives_kill),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
