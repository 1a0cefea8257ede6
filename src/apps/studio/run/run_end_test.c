/* How runs end before their time (studio.md 9.6, FR-07, ST-084). */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/studio/run/run_test_kit.h"
#include "store/file.h"

static bool run_file_exists(const struct run_kit *k, const char *name)
{
	char path[256];

	(void)snprintf(path, sizeof(path), "%s/.tenon/runs/%s/%s", k->project->path, k->run_id,
		       name);
	return access(path, F_OK) == 0;
}

/* ---- one at a time (ST-084) ---- */

static void one_at_a_time(void **state)
{
	struct run_kit *k = *state;
	const struct tn_studio_run_options plan = {.command = TN_STUDIO_PLAN};
	char id[64];

	run_kit_scenario(k, "{\"hang\":{\"plan\":true}}");
	assert_true(run_kit_start(k, &plan));
	memcpy(id, k->run_id, sizeof(id));
	assert_ptr_equal(tn_studio_run_active(k->runs, k->project), k->run);
	struct tn_studio_run *first = k->run, *second = NULL;
	struct tn_studio_run_options other = {.command = TN_STUDIO_VALIDATE};

	assert_false(tn_studio_run_start(k->runs, k->project, &other, &second, &k->fault));
	assert_string_equal(k->fault.code, "RUN_IN_PROGRESS");
	assert_non_null(strstr(k->fault.message, id));
	assert_true(tn_str_find(k->fault.details, tn_str_from(id)) != TN_STR_NONE);
	assert_true(k->fault.retryable);
	assert_false(tn_studio_runs_forget(k->runs, k->project, &k->fault));
	tn_studio_run_cancel(first, false);
	run_kit_wait(k, &k->ended);
	assert_null(tn_studio_run_active(k->runs, k->project));
	assert_true(tn_studio_runs_forget(k->runs, k->project, &k->fault));
	assert_non_null(tn_studio_run_find(k->runs, k->project, id)); /* from disk */
}

/* ---- cancelling (9.6) ---- */

static void cancelling(void **state)
{
	struct run_kit *k = *state;

	run_kit_do(k, TN_STUDIO_PLAN);
	run_kit_scenario(k, "{\"gap\":0.3,\"cleanup\":0.1}");
	k->cancel_at = 2;
	run_kit_do(k, TN_STUDIO_APPLY);
	run_kit_has(k, "\"status\":\"cancelled\",\"exitCode\":1,\"success\":false");
	assert_true(run_kit_contains(&k->lines, "Interrupt received.\n")); /* it ended cleanly */
	assert_int_equal(tn_studio_run_state(k->run), TN_STUDIO_CANCELLED);
	run_kit_do(k, TN_STUDIO_PLAN);
	run_kit_has(k, "\"status\":\"cancelled\"");
	run_kit_lacks(k, "planId");
	k->cancel_at = 0;
}

static void cancelling_by_force(void **state) /* no SIGKILL by itself for an apply */
{
	struct run_kit *k = *state;
	const struct tn_studio_run_options apply = {.command = TN_STUDIO_APPLY};

	run_kit_do(k, TN_STUDIO_INIT);
	run_kit_scenario(k, "{\"hang\":{\"apply\":true},\"ignore\":[\"INT\",\"TERM\"]}");
	k->options.grace_ms = 100; /* which is nothing for an apply */
	run_kit_restart(k);
	assert_true(run_kit_start(k, &apply));
	run_kit_hear(k, 2);
	tn_studio_run_cancel(k->run, false);
	assert_true(tn_studio_run_is_cancelled(k->run));
	run_kit_pause(k, 500);
	assert_false(k->ended);
	tn_studio_run_cancel(k->run, true);
	run_kit_wait(k, &k->ended);
	run_kit_has(k, "\"status\":\"cancelled\",\"exitCode\":137");
	assert_false(run_file_exists(k, "stdout")); /* what it wrote to is gone */
}

static void stubborn_plan(void **state) /* SIGTERM after a while, then SIGKILL */
{
	struct run_kit *k = *state;
	const struct tn_studio_run_options plan = {.command = TN_STUDIO_PLAN};

	run_kit_do(k, TN_STUDIO_INIT);
	run_kit_scenario(k, "{\"hang\":{\"plan\":true},\"ignore\":[\"INT\"]}");
	k->options.grace_ms = 300;
	run_kit_restart(k);
	assert_true(run_kit_start(k, &plan));
	run_kit_hear(k, 2);
	tn_studio_run_cancel(k->run, false);
	tn_studio_run_cancel(k->run, false); /* again is nothing more */
	run_kit_wait(k, &k->ended);
	run_kit_has(k, "\"status\":\"cancelled\",\"exitCode\":143");
	run_kit_scenario(k, "{\"hang\":{\"plan\":true},\"ignore\":[\"INT\",\"TERM\"]}");
	assert_true(run_kit_start(k, &plan));
	run_kit_hear(k, 2);
	tn_studio_run_cancel(k->run, false);
	run_kit_wait(k, &k->ended);
	run_kit_has(k, "\"status\":\"cancelled\",\"exitCode\":137");
}

/* ---- the daemon's end ---- */

static void shutdown_waits(void **state) /* FR-07, 9.6 */
{
	struct run_kit *k = *state;
	const struct tn_studio_run_options apply = {.command = TN_STUDIO_APPLY};
	const struct tn_studio_run *run;

	run_kit_do(k, TN_STUDIO_INIT);
	run_kit_scenario(k, "{\"gap\":0.2,\"cleanup\":0.2}");
	assert_true(run_kit_start(k, &apply));
	run_kit_hear(k, 2);
	tn_studio_runs_destroy(k->runs); /* interrupts, and waits */
	k->runs = NULL;
	assert_true(k->ended);
	run_kit_has(k, "\"status\":\"cancelled\",\"exitCode\":1");
	run_kit_restart(k);
	run = tn_studio_run_find(k->runs, k->project, k->run_id);
	assert_non_null(run);
	assert_int_equal(tn_studio_run_state(run), TN_STUDIO_CANCELLED);
}

static void lost(void **state) /* what does not end in time goes on alone, and is lost */
{
	struct run_kit *k = *state;
	const struct tn_studio_run_options apply = {.command = TN_STUDIO_APPLY};
	const struct tn_studio_run *run;
	int pid = 0;
	struct tn_buf record;
	char path[256];
	const char *at;

	run_kit_do(k, TN_STUDIO_INIT);
	run_kit_scenario(k, "{\"hang\":{\"apply\":true},\"ignore\":[\"INT\"]}");
	k->options.shutdown_ms = 300;
	run_kit_restart(k);
	assert_true(run_kit_start(k, &apply));
	run_kit_hear(k, 2);
	run_kit_restart(k);
	assert_false(k->ended);
	run = tn_studio_run_find(k->runs, k->project, k->run_id);
	assert_non_null(run);
	assert_int_equal(tn_studio_run_state(run), TN_STUDIO_LOST);
	tn_buf_clear(&k->result);
	tn_studio_run_put(&k->result, run, NULL);
	tn_buf_append_byte(&k->result, '\0');
	run_kit_has(k, "\"status\":\"lost\"");
	/* It still runs: nothing else may, until it has ended. */
	assert_false(run_kit_start(k, &apply));
	assert_string_equal(k->fault.code, "RUN_IN_PROGRESS");
	tn_buf_init(&record, TN_MIB);
	(void)snprintf(path, sizeof(path), "%s/.tenon/runs/%s/run.json", k->project->path,
		       k->run_id);
	assert_int_equal(tn_file_read(path, 0, &record, NULL), TENON_OK);
	tn_buf_append_byte(&record, '\0');
	at = strstr(record.data, "\"pid\":");
	assert_non_null(at);
	pid = (int)strtol(at + 6, NULL, 10);
	tn_buf_finish(&record);
	assert_int_equal(kill(-pid, SIGKILL), 0);
	for (int i = 0; i < 100 && kill(pid, 0) == 0; i++)
		run_kit_pause(k, 20);
	run_kit_scenario(k, "{}");
	run_kit_do(k, TN_STUDIO_APPLY);
	run_kit_has(k, "\"success\":true");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, run_kit_set_up, run_kit_tear_down)

int main(void)
{
	const struct CMUnitTest all[] = {
		TEST(one_at_a_time), TEST(cancelling),     TEST(cancelling_by_force),
		TEST(stubborn_plan), TEST(shutdown_waits), TEST(lost),
	};

	return cmocka_run_group_tests(all, NULL, NULL);
}
