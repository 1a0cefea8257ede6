#include "apps/studio/run/run_test_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "store/file.h"

enum { WAIT_MS = 30000 };

static void late(struct tn_timer *timer, void *data)
{
	struct run_kit *k = data;

	(void)timer;
	k->late = true;
	tn_loop_stop(k->loop);
}

static void heard(struct tn_studio_run *run, const struct tn_studio_run_line *line, void *data)
{
	struct run_kit *k = data;

	assert_ptr_equal(run, k->run);
	k->line_count++;
	tn_buf_format(&k->lines, "%llu %.*s\n", (unsigned long long)line->number,
		      (int)(line->text.size < 2000 ? line->text.size : 2000), line->text.data);
	if (k->cancel_at == k->line_count)
		tn_studio_run_cancel(run, false);
}

static void ended(struct tn_studio_run *run, void *data)
{
	struct run_kit *k = data;

	assert_false(k->ended);
	k->ended = true;
	tn_buf_clear(&k->result);
	tn_buf_clear(&k->text);
	tn_studio_run_put(&k->result, run, &k->text);
	tn_buf_append_byte(&k->result, '\0');
	tn_buf_append_byte(&k->text, '\0');
	tn_loop_stop(k->loop);
}

static void found(const struct tn_studio_engine *engine, const struct tn_studio_fault *fault,
		  void *data)
{
	struct run_kit *k = data;

	k->engine = engine;
	if (fault)
		k->fault = *fault;
	k->found = true;
	tn_loop_stop(k->loop);
}

void run_kit_wait(struct run_kit *k, bool *flag)
{
	k->late = false;
	tn_timer_start(k->timer, WAIT_MS);
	while (!*flag && !k->late)
		tn_loop_run(k->loop);
	tn_timer_stop(k->timer);
	if (!*flag)
		fail_msg("nothing came: %.*s", (int)k->lines.size, k->lines.data);
}

void run_kit_pause(struct run_kit *k, unsigned ms)
{
	tn_timer_start(k->timer, ms);
	k->late = false;
	while (!k->late)
		tn_loop_run(k->loop);
}

void run_kit_hear(struct run_kit *k, unsigned lines)
{
	for (int i = 0; i < 1500 && k->line_count < lines; i++)
		run_kit_pause(k, 20);
	assert_true(k->line_count >= lines);
}

bool run_kit_find(struct run_kit *k)
{
	k->found = false;
	tn_studio_engine_find(k->runs, found, k);
	assert_false(k->found); /* never inside */
	run_kit_wait(k, &k->found);
	return k->engine != NULL;
}

static void opened(struct tn_studio_act *act, const struct tn_studio_fault *fault, void *data)
{
	struct run_kit *k = data;

	k->act = act;
	if (fault)
		k->fault = *fault;
	k->opened = true;
	tn_loop_stop(k->loop);
}

struct tn_studio_act *run_kit_act(struct run_kit *k, const struct tn_studio_run_options *options)
{
	struct tn_studio_run_options first = tn_studio_act_plan_options(options);
	struct tn_studio_opening *opening = NULL;
	struct tn_studio_run *plan = NULL;

	if (!tn_studio_engine_known(k->runs))
		(void)run_kit_find(k);
	for (int i = 0; i < 3; i++) {
		switch (tn_studio_act_find(k->runs, k->project, options, &plan, &k->fault)) {
		case TN_STUDIO_ACT_REFUSED:
			return NULL;
		case TN_STUDIO_ACT_UNPLANNED:
			if (!run_kit_start(k, &first))
				return NULL;
			run_kit_wait(k, &k->ended);
			break;
		case TN_STUDIO_ACT_UNREAD:
			k->ended = false;
			k->run = plan;
			assert_int_equal(tn_studio_run_watch(plan, heard, ended, k, NULL),
					 TENON_OK);
			if (!tn_studio_plan_read(plan, &k->fault)) {
				tn_studio_run_unwatch(plan, k);
				return NULL;
			}
			run_kit_wait(k, &k->ended);
			break;
		case TN_STUDIO_ACT_READY:
			k->opened = false;
			if (!tn_studio_act_open(k->runs, k->project, options, plan, opened, k,
						&opening, &k->fault))
				return NULL;
			run_kit_wait(k, &k->opened);
			return k->act;
		}
	}
	fail_msg("there is no plan to go by: %s", k->result.data);
	return NULL;
}

bool run_kit_start(struct run_kit *k, const struct tn_studio_run_options *options)
{
	struct tn_studio_run_options mine = *options;
	bool own =
		!mine.act && (mine.command == TN_STUDIO_APPLY || mine.command == TN_STUDIO_DESTROY);

	if (own) {
		mine.act = run_kit_act(k, options);
		if (!mine.act)
			return false;
	}
	mine.actor = "tester";
	mine.principal = "tester";
	mine.line = heard;
	mine.ended = ended;
	mine.data = k;
	k->ended = false;
	k->line_count = 0;
	tn_buf_clear(&k->lines);
	if (!tn_studio_engine_known(k->runs))
		(void)run_kit_find(k);
	k->run = NULL;
	if (!tn_studio_run_start(k->runs, k->project, &mine, &k->run, &k->fault)) {
		if (own)
			tn_studio_act_free(mine.act);
		return false;
	}
	(void)snprintf(k->run_id, sizeof(k->run_id), "%s", tn_studio_run_id(k->run));
	assert_int_equal(tn_studio_run_state(k->run), TN_STUDIO_RUNNING);
	return true;
}

void run_kit_do(struct run_kit *k, enum tn_studio_command command)
{
	const struct tn_studio_run_options options = {.command = command};

	if (!run_kit_start(k, &options))
		fail_msg("%s: %s", k->fault.code, k->fault.message);
	run_kit_wait(k, &k->ended);
}

bool run_kit_contains(const struct tn_buf *buf, const char *text)
{
	return tn_str_find(tn_buf_str(buf), tn_str_from(text)) != TN_STR_NONE;
}

void run_kit_has(struct run_kit *k, const char *text)
{
	if (!run_kit_contains(&k->result, text))
		fail_msg("no %s in %s", text, k->result.data);
}

void run_kit_lacks(struct run_kit *k, const char *text)
{
	if (run_kit_contains(&k->result, text))
		fail_msg("%s in %s", text, k->result.data);
}

void run_kit_status(struct run_kit *k, const char *node_id, const char *expected)
{
	assert_string_equal(tn_studio_status_of(k->project->status, tn_str_from(node_id)),
			    expected);
}

void run_kit_path(const struct run_kit *k, const char *name, char *out, size_t size)
{
	assert_true(snprintf(out, size, "%s/%s", k->project->path, name) < (int)size);
}

void run_kit_scenario(struct run_kit *k, const char *json)
{
	char path[256];

	run_kit_path(k, "fake.json", path, sizeof(path));
	assert_int_equal(tn_file_write(path, 0600, tn_str_from(json), NULL), TENON_OK);
}

static bool add(struct tn_studio_project *project, const char *id, const char *name)
{
	char operations[1024];

	(void)snprintf(operations, sizeof(operations),
		       "[{\"op\":\"putNode\",\"node\":{\"id\":\"%s\",\"typeId\":"
		       "\"builtin/core/data\",\"label\":\"%s\",\"terraformName\":\"%s\","
		       "\"position\":{\"x\":0,\"y\":0},\"properties\":{},\"references\":{}}}]",
		       id, name, name);
	return kit_commit(project, operations);
}

static void make_runs(struct run_kit *k)
{
	k->options.loop = k->loop;
	k->options.clock = &tn_clock_system;
	k->options.read_plan = tn_studio_read_plan;
	k->options.engine_path = TN_TEST_DATA "/../studio/fake_engine";
	assert_int_equal(tn_studio_runs_create(&k->options, &k->runs, NULL), TENON_OK);
}

void run_kit_restart(struct run_kit *k)
{
	tn_studio_runs_destroy(k->runs);
	make_runs(k);
	k->engine = NULL;
}

int run_kit_set_up(void **state)
{
	struct run_kit *k = tn_mem_alloc(sizeof(*k));
	void *kit = NULL;

	assert_non_null(k);
	assert_int_equal(kit_set_up(&kit), 0);
	k->kit = kit;
	assert_int_equal(tn_loop_create(&k->loop, NULL), TENON_OK);
	assert_int_equal(tn_timer_open(k->loop, late, k, &k->timer, NULL), TENON_OK);
	k->project = kit_new(k->kit, "shop");
	assert_non_null(k->project);
	assert_true(add(k->project, "n-alpha", "alpha"));
	assert_true(add(k->project, "n-beta", "beta"));
	tn_buf_init(&k->lines, 64 * TN_MIB);
	tn_buf_init(&k->result, 64 * TN_MIB);
	tn_buf_init(&k->text, 64 * TN_MIB);
	make_runs(k);
	*state = k;
	return 0;
}

int run_kit_tear_down(void **state)
{
	struct run_kit *k = *state;
	void *kit = k->kit;

	tn_studio_runs_destroy(k->runs);
	tn_timer_close(k->timer);
	tn_buf_finish(&k->lines);
	tn_buf_finish(&k->result);
	tn_buf_finish(&k->text);
	(void)kit_tear_down(&kit);
	tn_loop_destroy(k->loop);
	tn_mem_free(k);
	return 0;
}
