/* The runs of a project as its canvas lists them (SC-021): which plans fit, and when that is said.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "apps/studio/limits.h"
#include "apps/studio/run/run_test_kit.h"
#include "store/file.h"

static unsigned count(const struct tn_buf *list, const char *text)
{
	struct tn_str rest = tn_buf_str(list);
	unsigned found = 0;
	size_t at;

	while ((at = tn_str_find(rest, tn_str_from(text))) != TN_STR_NONE) {
		rest = tn_str_from_offset(rest, at + strlen(text));
		found++;
	}
	return found;
}

static void expect(struct run_kit *k, unsigned runs, unsigned stale, unsigned fitting)
{
	struct tn_buf list;

	tn_buf_init(&list, TN_MIB);
	tn_studio_runs_put(&list, k->runs, k->project);
	tn_buf_append_byte(&list, '\0');
	if (count(&list, "\"runId\"") != runs || count(&list, "\"stale\":true") != stale ||
	    count(&list, "\"stale\":false") != fitting)
		fail_msg("%s", list.data);
	tn_buf_finish(&list);
}

static void write_file(struct run_kit *k, const char *name, size_t size)
{
	char path[256];
	struct tn_buf text;

	tn_buf_init(&text, 4 * TN_STUDIO_LOOP_BYTES_MAX);
	tn_buf_append_text(&text, "{\"fake\":{},\"serial\":1,\"x\":\"");
	while (text.size < size)
		tn_buf_append_byte(&text, 'x');
	tn_buf_append_text(&text, "\"}\n");
	run_kit_path(k, name, path, sizeof(path));
	assert_int_equal(tn_file_write(path, 0600, tn_buf_str(&text), NULL), TENON_OK);
	tn_buf_finish(&text);
}

static void plans(void **state)
{
	struct run_kit *k = *state;

	expect(k, 0, 0, 0);
	run_kit_do(k, TN_STUDIO_INIT);
	expect(k, 1, 0, 0); /* no plan: nothing that could be stale */
	run_kit_do(k, TN_STUDIO_PLAN);
	expect(k, 2, 0, 1);
	assert_false(tn_studio_runs_changed(k->runs, k->project));
	write_file(k, "terraform/own.tf", 10);
	assert_true(tn_studio_runs_changed(k->runs, k->project));
	assert_false(tn_studio_runs_changed(k->runs, k->project)); /* told once */
	expect(k, 2, 1, 0);
	run_kit_do(k, TN_STUDIO_PLAN);
	expect(k, 3, 1, 1);
	run_kit_do(k, TN_STUDIO_APPLY);
	expect(k, 4, 2, 0); /* one was applied, and the state of the other has gone */
	run_kit_restart(k);
	expect(k, 4, 2, 0);
}

static void read(void *data)
{
	struct run_kit *k = data;

	k->late = true;
	tn_loop_stop(k->loop);
}

/* What is not known is not said. */
static void large_state(void **state)
{
	struct run_kit *k = *state;

	run_kit_do(k, TN_STUDIO_INIT);
	write_file(k, "terraform/terraform.tfstate", 2 * TN_STUDIO_LOOP_BYTES_MAX);
	run_kit_do(k, TN_STUDIO_PLAN);
	run_kit_restart(k);
	expect(k, 2, 0, 0);
	k->late = false;
	assert_true(tn_studio_files_read(k->runs, k->project, false, read, k, &k->fault));
	run_kit_wait(k, &k->late);
	expect(k, 2, 0, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(plans, run_kit_set_up, run_kit_tear_down),
		cmocka_unit_test_setup_teardown(large_state, run_kit_set_up, run_kit_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
