/* run_test_kit.h - a project, the fake engine (tests/studio/fake_engine), and a loop to run it in;
 * for tests. */
#ifndef TN_STUDIO_RUN_TEST_KIT_H
#define TN_STUDIO_RUN_TEST_KIT_H

#include "apps/studio/project/project_test_kit.h"
#include "apps/studio/run/run.h"
#include "apps/studio/status/status.h"
#include "loop/loop.h"

struct run_kit {
	struct kit *kit;
	struct tn_loop *loop;
	struct tn_timer *timer;
	struct tn_studio_project *project;
	struct tn_studio_runs *runs;
	struct tn_studio_runs_options options;
	const struct tn_studio_engine *engine; /* after run_kit_find */
	struct tn_studio_fault fault;
	struct tn_studio_act *act; /* after run_kit_act */
	bool late, found, ended, opened;
	struct tn_buf lines; /* "number text\n" as they came */
	unsigned line_count;
	struct tn_buf result, text; /* of the run that ended last */
	char run_id[64];
	struct tn_studio_run *run;
	/* At this line the run is cancelled; 0: never. */
	unsigned cancel_at;
};

/* cmocka's: a project "shop" with two terraform_data nodes "n-alpha", "n-beta". */
int run_kit_set_up(void **state);
int run_kit_tear_down(void **state);
/* The table of runs goes, as when the daemon does, and comes again. */
void run_kit_restart(struct run_kit *k);
/* fake.json of the project. */
void run_kit_scenario(struct run_kit *k, const char *json);
bool run_kit_find(struct run_kit *k);
/* The act of an apply or destroy, as the tool makes it: a plan is made or read first where there is
 * none. NULL: k->fault says why. */
struct tn_studio_act *run_kit_act(struct run_kit *k, const struct tn_studio_run_options *options);
/* Starts it (an apply or destroy without an act: with one of its own); false: k->fault says why. */
bool run_kit_start(struct run_kit *k, const struct tn_studio_run_options *options);
/* The same, and waits for its end; k->result has what came of it. */
void run_kit_do(struct run_kit *k, enum tn_studio_command command);
void run_kit_wait(struct run_kit *k, bool *flag);
/* Until the run has said so many lines. */
void run_kit_hear(struct run_kit *k, unsigned lines);
void run_kit_pause(struct run_kit *k, unsigned ms);

/* A text that must, or must not, stand in the result. */
void run_kit_has(struct run_kit *k, const char *text);
void run_kit_lacks(struct run_kit *k, const char *text);
bool run_kit_contains(const struct tn_buf *buf, const char *text);
void run_kit_status(struct run_kit *k, const char *node_id, const char *expected);
void run_kit_path(const struct run_kit *k, const char *name, char *out, size_t size);

#endif
