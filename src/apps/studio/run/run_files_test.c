/* What a worker read of the user's own files and the state is what the loop goes by (run_files.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/studio/limits.h"
#include "apps/studio/run/internal.h"
#include "apps/studio/run/run_test_kit.h"
#include "store/file.h"

static const struct tn_studio_run_options apply = {.command = TN_STUDIO_APPLY};

struct read {
	struct run_kit *k;
	bool over;
};

static void over(void *data)
{
	struct read *read = data;

	read->over = true;
	tn_loop_stop(read->k->loop);
}

static void read_files(struct run_kit *k)
{
	struct read read = {.k = k};

	assert_true(tn_studio_files_read(k->runs, k->project, true, over, &read, &k->fault));
	assert_false(read.over); /* never inside */
	run_kit_wait(k, &read.over);
}

/* More than is read on the loop. */
static void write_large(struct run_kit *k, const char *name, const char *begin, char what,
			const char *end)
{
	char path[256];
	struct tn_buf text;

	tn_buf_init(&text, 4 * TN_STUDIO_LOOP_BYTES_MAX);
	tn_buf_append_text(&text, begin);
	for (size_t i = 0; i < 2 * TN_STUDIO_LOOP_BYTES_MAX; i++)
		tn_buf_append_byte(&text, what);
	tn_buf_append_text(&text, end);
	run_kit_path(k, name, path, sizeof(path));
	assert_int_equal(tn_file_write(path, 0600, tn_buf_str(&text), NULL), TENON_OK);
	tn_buf_finish(&text);
}

static void write_own(struct run_kit *k, char what)
{
	write_large(k, "terraform/own.tf", "# ", what, "\n");
}

static void write_state(struct run_kit *k)
{
	write_large(k, "terraform/terraform.tfstate", "{\"fake\":{},\"serial\":1,\"x\":\"", 'x',
		    "\"}\n");
}

static enum tn_studio_act_state look(struct run_kit *k)
{
	struct tn_studio_run *plan = NULL;

	return tn_studio_act_find(k->runs, k->project, &apply, &plan, &k->fault);
}

static void large_files(void **state)
{
	struct run_kit *k = *state;

	run_kit_do(k, TN_STUDIO_INIT);
	write_own(k, 'a');
	write_state(k);
	read_files(k);
	run_kit_do(k, TN_STUDIO_PLAN);
	assert_int_equal(look(k), TN_STUDIO_ACT_READY);
	/* Written anew: the loop does not read it, a worker finds the same bytes. */
	write_own(k, 'a');
	assert_int_equal(look(k), TN_STUDIO_ACT_UNPLANNED);
	read_files(k);
	assert_int_equal(look(k), TN_STUDIO_ACT_READY);
	write_state(k);
	assert_int_equal(look(k), TN_STUDIO_ACT_UNPLANNED);
	read_files(k);
	assert_int_equal(look(k), TN_STUDIO_ACT_READY);
	write_own(k, 'b');
	read_files(k);
	assert_int_equal(look(k), TN_STUDIO_ACT_UNPLANNED);
}

static void what_is_no_file(void **state)
{
	struct run_kit *k = *state;
	char path[256];

	run_kit_path(k, "terraform", path, sizeof(path));
	assert_int_equal(tn_dir_create(path, 0700, NULL), TENON_OK);
	run_kit_path(k, "terraform/pipe.tfvars", path, sizeof(path));
	assert_int_equal(mkfifo(path, 0600), 0);
	run_kit_path(k, "terraform/endless.tfvars", path, sizeof(path));
	assert_int_equal(symlink("/dev/zero", path), 0);
	read_files(k);
	run_kit_do(k, TN_STUDIO_PLAN);
	assert_int_equal(look(k), TN_STUDIO_ACT_READY);
}

/* Whoever waits is told, and nothing is kept for a project that has gone. */
static void gone_meanwhile(void **state)
{
	struct run_kit *k = *state;
	struct read first = {.k = k}, second = {.k = k};

	assert_true(tn_studio_files_read(k->runs, k->project, true, over, &first, &k->fault));
	assert_true(tn_studio_runs_forget(k->runs, k->project, &k->fault));
	run_kit_wait(k, &first.over);
	assert_true(tn_studio_files_read(k->runs, k->project, true, over, &second, &k->fault));
	run_kit_restart(k);
	run_kit_wait(k, &second.over);
}

/* SC-028: what a run is made of is made by a worker, of the project as it is and no other. */
static void made_by_a_worker(void **state)
{
	const struct tn_studio_part part = {.node_id = TN_STR("n-alpha"),
					    .address = TN_STR("terraform_data.alpha"),
					    .primary = true};
	const struct tn_studio_run_options plan = {.command = TN_STUDIO_PLAN, .force = true};
	const struct tn_str one = TN_STR("first-one"), two = TN_STR("second-one");
	struct run_kit *k = *state;

	assert_true(run_kit_find(k));
	read_files(k);
	assert_non_null(tn_studio_made_of(k->runs, k->project));
	assert_true(kit_add(k->project, "n-gamma", "gamma"));
	assert_null(tn_studio_made_of(k->runs, k->project));
	read_files(k);
	assert_non_null(tn_studio_made_of(k->runs, k->project));
	tn_studio_status_complete(k->project->status, &part, TN_STUDIO_CREATE);
	assert_null(tn_studio_made_of(k->runs, k->project));
	read_files(k);
	assert_non_null(tn_studio_made_of(k->runs, k->project));
	assert_true(tn_studio_secret_set(k->project, TN_STR("password"), &one, &k->fault));
	assert_null(tn_studio_made_of(k->runs, k->project));
	read_files(k);
	assert_true(tn_studio_secret_set(k->project, TN_STR("password"), &two, &k->fault));
	assert_null(tn_studio_made_of(k->runs, k->project));
	read_files(k);
	assert_true(run_kit_start(k, &plan));
	assert_null(tn_studio_made_of(k->runs, k->project)); /* used */
	run_kit_wait(k, &k->ended);
	run_kit_has(k, "\"success\":true");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, run_kit_set_up, run_kit_tear_down)
	const struct CMUnitTest tests[] = {TEST(large_files), TEST(what_is_no_file),
					   TEST(gone_meanwhile), TEST(made_by_a_worker)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
