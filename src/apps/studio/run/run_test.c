/* Runs of the engine (studio.md section 9), with the fake engine of ST-150: real processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/studio/run/run_test_kit.h"
#include "apps/studio/limits.h"
#include "base/mem.h"
#include "store/file.h"

static bool exists(const struct run_kit *k, const char *name)
{
	char path[256];

	run_kit_path(k, name, path, sizeof(path));
	return access(path, F_OK) == 0;
}

static bool run_file_exists(const struct run_kit *k, const char *name)
{
	char path[128];

	(void)snprintf(path, sizeof(path), ".tenon/runs/%s/%s", k->run_id, name);
	return exists(k, path);
}

/* ---- finding it (9.1) ---- */

static void finding(void **state)
{
	struct run_kit *k = *state;

	assert_null(tn_studio_engine_known(k->runs));
	assert_true(run_kit_find(k));
	assert_string_equal(k->engine->name, "terraform");
	assert_string_equal(k->engine->version, "1.11.4");
	assert_true(k->engine->json_init);
	assert_true(run_kit_find(k)); /* known, and still not inside the call */
	tn_studio_engine_set_path(k->runs, "/no/such/terraform");
	assert_false(run_kit_find(k));
	assert_string_equal(k->fault.code, "TERRAFORM_NOT_FOUND"); /* US-02: descriptive */
	assert_non_null(strstr(k->fault.message, "/no/such/terraform"));
	assert_non_null(strstr(k->fault.message, "terraform.path"));
	tn_studio_engine_set_path(k->runs, "/bin/true");
	assert_false(run_kit_find(k));
	assert_string_equal(k->fault.code, "TERRAFORM_NOT_FOUND");
}

/* Beside a program of its own: what it answers stands in fake.json there. */
static void expect_version(struct run_kit *k, const char *name, const char *scenario,
			   const char *fault, bool json_init)
{
	char folder[128], path[192], file[192];

	(void)snprintf(folder, sizeof(folder), "%s/engine", k->kit->folder);
	(void)mkdir(folder, 0700);
	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	(void)snprintf(file, sizeof(file), "%s/fake.json", folder);
	(void)unlink(path);
	assert_int_equal(symlink(TN_TEST_DATA "/../studio/fake_engine", path), 0);
	assert_int_equal(tn_file_write(file, 0600, tn_str_from(scenario), NULL), TENON_OK);
	/* A link to it: its own folder is what the program goes by. */
	tn_studio_engine_set_path(k->runs, path);
	k->fault = (struct tn_studio_fault){0};
	if (fault) {
		assert_false(run_kit_find(k));
		assert_string_equal(k->fault.code, fault);
		return;
	}
	if (!run_kit_find(k))
		fail_msg("%s: %s", k->fault.code, k->fault.message);
	assert_int_equal(k->engine->json_init, json_init);
}

static void versions(void **state) /* TERRAFORM_TOO_OLD, and what each knows */
{
	struct run_kit *k = *state;

	expect_version(k, "terraform", "{\"version\":\"1.4.9\"}", "TERRAFORM_TOO_OLD", false);
	expect_version(k, "terraform", "{\"version_text\":\"Terraform v0.12.31\\nmore\"}",
		       "TERRAFORM_TOO_OLD", false);
	expect_version(k, "terraform", "{\"version_text\":\"something else\"}",
		       "TERRAFORM_NOT_FOUND", false);
	expect_version(k, "terraform", "{\"version\":\"1.5.0\"}", NULL, false);
	expect_version(k, "terraform", "{\"version\":\"1.8.9\"}", NULL, false);
	expect_version(k, "terraform", "{\"version\":\"1.9.0-rc1\"}", NULL, true);
	expect_version(k, "terraform", "{\"version\":\"2.0.0\"}", NULL, true);
}

/* ---- the cycle ---- */

static void cycle(void **state) /* ST-150: init, validate, plan, apply, change, destroy */
{
	struct run_kit *k = *state;
	char path[512], digest[TN_DIGEST_HEX_SIZE];
	struct tn_buf plan;

	run_kit_do(k, TN_STUDIO_INIT);
	run_kit_has(k,
		    "\"command\":\"init\",\"status\":\"finished\",\"exitCode\":0,\"success\":true");
	run_kit_has(k, "\"text\":\"initialised\"");
	run_kit_do(k, TN_STUDIO_VALIDATE);
	run_kit_has(k, "\"text\":\"valid\"");
	run_kit_has(k, "\"resourceChanges\":[]");
	run_kit_do(k, TN_STUDIO_PLAN);
	run_kit_has(k,
		    "\"summary\":{\"add\":2,\"change\":0,\"remove\":0,\"import\":0,\"replace\":0,"
		    "\"text\":\"2 to add, 0 to change, 0 to destroy\"");
	run_kit_has(k,
		    "{\"address\":\"terraform_data.alpha\",\"action\":\"create\",\"success\":true,"
		    "\"instanceId\":\"n-alpha\"}");
	run_kit_has(k, "\"engine\":{\"name\":\"terraform\",\"version\":\"1.11.4\"}");
	run_kit_has(k, "\"planId\":\"run_");
	run_kit_has(k, "\"logUri\":\"studio://runs/run_");
	run_kit_has(k, "\"files\":[\"terraform.tf\",");
	run_kit_status(k, "n-alpha", "pending"); /* ST-101: plans change no status */
	tn_buf_init(&plan, TN_MIB);
	assert_true(tn_studio_run_plan_file(k->run, path, sizeof(path), &k->fault));
	assert_int_equal(tn_file_read(path, 0, &plan, NULL), TENON_OK);
	assert_true(run_kit_contains(&plan, "\"resource_changes\""));
	tn_digest_hex(tn_buf_str(&plan), digest);
	assert_string_equal(tn_studio_run_plan_shown(k->run), digest);
	assert_false(tn_studio_run_destroys(k->run));
	assert_true(
		tn_str_is(tn_studio_run_node_of(k->run, TN_STR("terraform_data.beta")), "n-beta"));
	tn_buf_finish(&plan);
	run_kit_do(k, TN_STUDIO_APPLY);
	run_kit_has(k, "\"text\":\"2 added, 0 changed, 0 destroyed\"");
	run_kit_status(k, "n-alpha", "created");
	run_kit_do(k, TN_STUDIO_PLAN);
	run_kit_has(k, "\"text\":\"0 to add, 0 to change, 0 to destroy\"");
	run_kit_do(k, TN_STUDIO_DESTROY);
	run_kit_has(k, "\"text\":\"0 added, 0 changed, 2 destroyed\"");
	run_kit_has(k, "\"action\":\"delete\",\"success\":true");
	run_kit_status(k, "n-alpha", "destroyed");
	assert_true(exists(k, ".tenon/deployment.json"));
}

static void arguments(void **state) /* 9.2: exactly these, in the project's folder */
{
	struct run_kit *k = *state;
	struct tn_json *targets = NULL;
	struct tn_studio_run_options options = {
		.command = TN_STUDIO_PLAN, .destroy = true, .refresh_only = true};
	struct tn_arena arena;
	char expected[512];

	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_json_parse_copy(&arena, TN_STR("[\"n-alpha\"]"), &targets, NULL),
			 TENON_OK);
	options.targets = options.replace = targets;
	run_kit_scenario(k, "{\"argv\":true}");
	run_kit_do(k, TN_STUDIO_INIT);
	assert_true(run_kit_contains(&k->lines,
				     "1 [\"init\", \"-input=false\", \"-no-color\", \"-json\"]\n"));
	run_kit_do(k, TN_STUDIO_VALIDATE);
	assert_true(run_kit_contains(&k->lines, "1 [\"validate\", \"-json\"]\n"));
	assert_true(run_kit_start(k, &options));
	run_kit_wait(k, &k->ended);
	(void)snprintf(expected, sizeof(expected),
		       "1 [\"plan\", \"-input=false\", \"-no-color\", \"-json\", "
		       "\"-parallelism=10\", \"-lock-timeout=0s\", "
		       "\"-out=%s/.tenon/runs/%s/plan.tfplan\", \"-destroy\", \"-refresh-only\", "
		       "\"-target=terraform_data.alpha\", \"-replace=terraform_data.alpha\"]\n",
		       k->project->path, k->run_id);
	if (!run_kit_contains(&k->lines, expected))
		fail_msg("%s in %.*s", expected, (int)k->lines.size, k->lines.data);
	run_kit_do(k, TN_STUDIO_APPLY);
	assert_true(run_kit_contains(
		&k->lines, "1 [\"apply\", \"-input=false\", \"-no-color\", \"-json\", "
			   "\"-parallelism=10\", \"-lock-timeout=0s\", \"/proc/self/fd/"));
	assert_false(run_kit_contains(&k->lines, "-auto-approve"));
	options = (struct tn_studio_run_options){
		.command = TN_STUDIO_INIT, .upgrade = true, .migrate_state = true};
	assert_true(run_kit_start(k, &options));
	run_kit_wait(k, &k->ended);
	assert_true(run_kit_contains(&k->lines, "1 [\"init\", \"-input=false\", \"-no-color\", "
						"\"-upgrade\", \"-migrate-state\", "
						"\"-force-copy\"]\n"));
	options = (struct tn_studio_run_options){.command = TN_STUDIO_PLAN, .targets = targets};
	assert_int_equal(tn_json_parse_copy(&arena, TN_STR("[\"nobody\"]"), &targets, NULL),
			 TENON_OK);
	options.targets = targets;
	assert_false(run_kit_start(k, &options));
	assert_string_equal(k->fault.code, "NOT_FOUND");
	tn_arena_finish(&arena);
}

static void environment(void **state) /* 9.2, ST-029 */
{
	struct run_kit *k = *state;

	assert_int_equal(setenv("TF_LOG", "trace", 1), 0);
	assert_int_equal(setenv("TF_CLI_ARGS_plan", "-foo", 1), 0);
	assert_int_equal(setenv("TENON_BRIDGE_TOKEN", "t0ken", 1), 0);
	assert_int_equal(setenv("KEPT", "yes", 1), 0);
	run_kit_scenario(k, "{\"echo\":{\"plan\":[\"TF_LOG\",\"TF_CLI_ARGS_plan\",\"KEPT\","
			    "\"TF_IN_AUTOMATION\",\"TF_INPUT\",\"CHECKPOINT_DISABLE\","
			    "\"TENON_BRIDGE_TOKEN\"]}}");
	run_kit_do(k, TN_STUDIO_PLAN);
	assert_true(run_kit_contains(&k->lines, "TF_LOG=(unset)\n"));
	assert_true(run_kit_contains(&k->lines, "TF_CLI_ARGS_plan=(unset)\n"));
	assert_true(run_kit_contains(&k->lines, "KEPT=yes\n"));
	assert_true(run_kit_contains(&k->lines, "TF_IN_AUTOMATION=1\n"));
	assert_true(run_kit_contains(&k->lines, "TF_INPUT=0\n"));
	assert_true(run_kit_contains(&k->lines, "CHECKPOINT_DISABLE=1\n"));
	assert_true(run_kit_contains(&k->lines, "TENON_BRIDGE_TOKEN=(unset)\n"));
	(void)unsetenv("TF_LOG");
	(void)unsetenv("TF_CLI_ARGS_plan");
	(void)unsetenv("TENON_BRIDGE_TOKEN");
	(void)unsetenv("KEPT");
}

static void initialising(void **state) /* autoInit (9.2) */
{
	struct run_kit *k = *state;
	const struct tn_studio_run_options plan = {.command = TN_STUDIO_PLAN};
	struct tn_studio_trust trust;

	assert_true(kit_commit(k->project, "[{\"op\":\"setConfig\",\"config\":{\"terraform\":{"
					   "\"autoInit\":false}}}]"));
	assert_false(run_kit_start(k, &plan));
	assert_string_equal(k->fault.code, "INIT_REQUIRED");
	assert_true(kit_commit(k->project, "[{\"op\":\"setConfig\",\"config\":{}}]"));
	run_kit_do(k, TN_STUDIO_PLAN); /* init runs first, and its lines are among them */
	assert_true(run_kit_contains(&k->lines, "Terraform has been successfully initialized!"));
	run_kit_do(k, TN_STUDIO_PLAN);
	assert_false(run_kit_contains(&k->lines, "initialized"));
	/* Another backend: what was initialised is something else. */
	assert_true(kit_commit(k->project,
			       "[{\"op\":\"setConfig\",\"config\":{\"backend\":{\"type\":\"http\","
			       "\"config\":{\"address\":\"http://127.0.0.1:9/s\",\"password\":"
			       "\"b4ckend-pass\"}}}}]"));
	assert_false(run_kit_start(k, &plan)); /* its state names providers (ST-085) */
	assert_string_equal(k->fault.code, "UNTRUSTED_PROJECT");
	assert_true(tn_studio_run_trust(k->runs, k->project, &trust, &k->fault));
	memcpy(k->project->trusted, trust.digest, sizeof(trust.digest));
	tn_studio_trust_finish(&trust);
	run_kit_do(k, TN_STUDIO_PLAN);
	assert_true(run_kit_contains(&k->lines, "backend config 0o600: "));
	assert_false(run_kit_contains(&k->lines, "b4ckend-pass")); /* ST-087 */
	assert_false(exists(k, ".tenon/backend.tfbackend"));
	run_kit_scenario(k, "{\"diagnostics\":{\"init\":[{\"severity\":\"error\",\"summary\":"
			    "\"no provider\",\"detail\":\"\"}]}}");
	assert_true(kit_commit(k->project, "[{\"op\":\"setConfig\",\"config\":{}}]"));
	run_kit_do(k, TN_STUDIO_PLAN);
	run_kit_has(k, "\"success\":false");
	run_kit_has(k, "\"summary\":\"no provider\"");
	assert_false(run_kit_contains(&k->lines, "Plan"));
}

/* ---- lines (9.4) ---- */

static void every_line(void **state) /* FR-24: N lines, in order, each at once */
{
	struct run_kit *k = *state;
	char expected[64];
	struct tn_buf log;
	uint64_t next = 0;

	run_kit_scenario(k, "{\"before\":{\"plan\":[{\"text\":\"row\",\"repeat\":500}]}}");
	run_kit_do(k, TN_STUDIO_PLAN);
	for (unsigned i = 5; i < 500; i++) { /* init says some before */
		(void)snprintf(expected, sizeof(expected), "\n%u row\n", i);
		assert_true(run_kit_contains(&k->lines, expected));
	}
	(void)snprintf(expected, sizeof(expected), "\"lines\":%u,", k->line_count);
	run_kit_has(k, expected);
	tn_buf_init(&log, TN_MIB);
	tn_studio_run_log(&log, k->run, k->line_count, TN_MIB, &next);
	assert_int_equal(next, k->line_count + 1);
	tn_buf_clear(&log);
	tn_studio_run_log(&log, k->run, 1, TN_MIB, &next);
	assert_true(run_kit_contains(&log, "\nrow\nrow\n"));
	tn_buf_clear(&log);
	tn_studio_run_log(&log, k->run, 1, 10, &next); /* in pieces */
	assert_in_range(next, 2, 4);
	tn_buf_finish(&log);
}

static void anything(void **state) /* ST-088: nothing in the output can break the reader */
{
	struct run_kit *k = *state;

	run_kit_scenario(
		k,
		"{\"before\":{\"plan\":[\"garbage {\",\"{\\\"@message\\\":\",{\"bytes_hex\":"
		"\"ff00fe41\"},{\"text\":\"x\",\"size\":2097152},\"\\u001b[2J\\u001b[31mred\\u001b"
		"[0m\",\"{\\\"@level\\\":\\\"info\\\",\\\"@message\\\":\\\"new\\\",\\\"type\\\":"
		"\\\"from_the_future\\\"}\",{\"text\":\"to stderr\",\"stream\":\"stderr\"}]},"
		"\"after\":{\"plan\":[{\"text\":\"half a line\",\"end\":false}]}}");
	run_kit_do(k, TN_STUDIO_PLAN);
	run_kit_has(k, "\"success\":true");
	run_kit_has(k, "\"text\":\"2 to add, 0 to change, 0 to destroy\"");
	assert_true(run_kit_contains(&k->lines, " garbage {\n"));
	assert_true(run_kit_contains(&k->lines, " {\"@message\":\n"));
	assert_true(run_kit_contains(&k->lines, " \xef\xbf\xbd\xef\xbf\xbd"
						"A\n"));
	assert_true(run_kit_contains(&k->lines, " \033[31mred\033[0m\n"));
	assert_true(run_kit_contains(&k->lines, " new\n"));
	assert_true(run_kit_contains(&k->lines, " to stderr\n"));
	assert_true(run_kit_contains(&k->lines, " half a line\n"));
}

static void huge_log(void **state) /* ST-087: 10 MiB, then head and tail */
{
	struct run_kit *k = *state;
	char path[256];
	struct tn_buf log;
	struct stat file;
	uint64_t next = 0;

	run_kit_scenario(k,
			 "{\"before\":{\"plan\":[{\"text\":\"padding \",\"size\":1000,\"repeat\":"
			 "20000}]},\"after\":{\"plan\":[\"the very last\"]}}");
	run_kit_do(k, TN_STUDIO_PLAN);
	assert_true(k->line_count > 20000);
	(void)snprintf(path, sizeof(path), "%s/.tenon/runs/%s/log.jsonl", k->project->path,
		       k->run_id);
	assert_int_equal(stat(path, &file), 0);
	assert_in_range(file.st_size, 6 * TN_MIB, TN_STUDIO_RUN_LOG_BYTES_MAX);
	assert_int_equal(file.st_mode & 0777, 0600);
	tn_buf_init(&log, 64 * TN_MIB);
	tn_studio_run_log(&log, k->run, 1, 32 * TN_MIB, &next);
	assert_int_equal(next, k->line_count + 1);
	assert_true(run_kit_contains(&log, "Initializing the backend"));
	assert_true(run_kit_contains(&log, " lines left out]\n"));
	assert_true(run_kit_contains(&log, "\nthe very last\n"));
	tn_buf_finish(&log);
}

/* ---- plans (ST-083) ---- */

static bool apply_plan(struct run_kit *k, const char *plan_id)
{
	const struct tn_studio_run_options options = {.command = TN_STUDIO_APPLY,
						      .plan_id = plan_id};

	return run_kit_start(k, &options);
}

static void planned(void **state)
{
	struct run_kit *k = *state;
	char plan[64], path[256];

	run_kit_do(k, TN_STUDIO_PLAN);
	memcpy(plan, k->run_id, sizeof(plan));
	assert_false(apply_plan(k, "run_unheardof"));
	assert_string_equal(k->fault.code, "NOT_FOUND");
	assert_true(apply_plan(k, plan));
	run_kit_wait(k, &k->ended);
	run_kit_has(k, "\"text\":\"2 added, 0 changed, 0 destroyed\"");
	/* The state is another one now. */
	assert_false(apply_plan(k, plan));
	assert_string_equal(k->fault.code, "STALE_PLAN");
	run_kit_do(k, TN_STUDIO_PLAN);
	memcpy(plan, k->run_id, sizeof(plan));
	/* Another configuration. */
	assert_true(kit_commit(
		k->project, "[{\"op\":\"putNode\",\"node\":{\"id\":\"n-beta\",\"typeId\":"
			    "\"builtin/core/data\",\"label\":\"beta\",\"terraformName\":\"beta\","
			    "\"position\":{\"x\":0,\"y\":0},\"properties\":{\"input\":\"new\"},"
			    "\"references\":{}}}]"));
	assert_false(apply_plan(k, plan));
	assert_string_equal(k->fault.code, "STALE_PLAN");
	run_kit_do(k, TN_STUDIO_PLAN);
	run_kit_has(k, "\"text\":\"0 to add, 1 to change, 0 to destroy\"");
	memcpy(plan, k->run_id, sizeof(plan));
	/* A file of the user's. */
	run_kit_path(k, "terraform/mine.tf", path, sizeof(path));
	assert_int_equal(tn_file_write(path, 0600, TN_STR("# mine\n"), NULL), TENON_OK);
	assert_false(apply_plan(k, plan));
	assert_string_equal(k->fault.code, "STALE_PLAN");
	assert_int_equal(unlink(path), 0);
	run_kit_restart(k); /* and plans outlive the daemon */
	assert_true(apply_plan(k, plan));
	run_kit_wait(k, &k->ended);
	run_kit_has(k, "\"text\":\"0 added, 1 changed, 0 destroyed\"");
}

/* ---- trust (ST-085) ---- */

static void untrusted(void **state)
{
	struct run_kit *k = *state;
	const struct tn_studio_run_options plan = {.command = TN_STUDIO_PLAN};
	char path[256];

	run_kit_path(k, "terraform", path, sizeof(path));
	(void)mkdir(path, 0755);
	run_kit_path(k, "terraform/evil.tf", path, sizeof(path));
	assert_int_equal(tn_file_write(path, 0600, TN_STR("# runs programs\n"), NULL), TENON_OK);
	k->project->made_here = false;
	assert_false(run_kit_start(k, &plan));
	assert_string_equal(k->fault.code, "UNTRUSTED_PROJECT");
	assert_non_null(strstr(k->fault.message, "evil.tf"));
	assert_false(exists(k, "terraform/.terraform"));
	k->project->made_here = true; /* or trusted */
	run_kit_do(k, TN_STUDIO_PLAN);
	run_kit_has(k, "\"success\":true");
}

static void edited(void **state) /* ST-071 */
{
	struct run_kit *k = *state;
	const struct tn_studio_run_options plan = {.command = TN_STUDIO_PLAN};
	char path[256];

	run_kit_do(k, TN_STUDIO_PLAN);
	run_kit_path(k, "terraform/main.tf", path, sizeof(path));
	assert_int_equal(tn_file_write(path, 0600, TN_STR("# by hand\n"), NULL), TENON_OK);
	assert_false(run_kit_start(k, &plan));
	assert_string_equal(k->fault.code, "GENERATED_FILE_EDITED");
}

/* ---- keeping (ST-087) ---- */

static void keeping(void **state)
{
	struct run_kit *k = *state;
	char first[64], id[TN_STUDIO_ID_SIZE];
	size_t count = 0;

	run_kit_do(k, TN_STUDIO_INIT);
	memcpy(first, k->run_id, sizeof(first));
	run_kit_scenario(k, "{\"refuse\":{\"validate\":\"no\"}}"); /* quickly */
	for (unsigned i = 0; i < TN_STUDIO_RUNS_KEPT; i++)
		run_kit_do(k, TN_STUDIO_VALIDATE);
	assert_null(tn_studio_run_find(k->runs, k->project, first));
	run_kit_restart(k);
	while (tn_studio_run_listed(k->runs, k->project, count, id))
		count++;
	assert_int_equal(count, TN_STUDIO_RUNS_KEPT);
	assert_string_equal(tn_studio_run_id(tn_studio_run_find(k->runs, k->project, NULL)),
			    k->run_id);
	assert_true(run_file_exists(k, "log.jsonl"));
}

/* ---- what exists (ST-100) ---- */

struct read {
	struct run_kit *k;
	bool over, good;
};

static void state_read(bool good, void *data)
{
	struct read *read = data;

	read->over = true;
	read->good = good;
	tn_loop_stop(read->k->loop);
}

static void refreshing(void **state)
{
	struct run_kit *k = *state;
	struct read read = {.k = k};
	char path[256];

	run_kit_do(k, TN_STUDIO_APPLY);
	run_kit_path(k, "terraform/terraform.tfstate", path, sizeof(path));
	assert_int_equal(unlink(path), 0); /* behind our back */
	tn_studio_state_refresh(k->runs, k->project, state_read, &read);
	assert_false(read.over);
	run_kit_wait(k, &read.over);
	assert_true(read.good);
	run_kit_status(k, "n-alpha", "pending");
	read = (struct read){.k = k};
	k->project->made_here = false;
	run_kit_path(k, "terraform/evil.tf", path, sizeof(path));
	assert_int_equal(tn_file_write(path, 0600, TN_STR("# x\n"), NULL), TENON_OK);
	tn_studio_state_refresh(k->runs, k->project, state_read, &read);
	run_kit_wait(k, &read.over);
	assert_false(read.good); /* ST-143: opening runs nothing that is not trusted */
	k->project->made_here = true;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, run_kit_set_up, run_kit_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(finding),     TEST(versions),     TEST(cycle),      TEST(arguments),
		TEST(environment), TEST(initialising), TEST(every_line), TEST(anything),
		TEST(huge_log),    TEST(planned),      TEST(untrusted),  TEST(edited),
		TEST(keeping),     TEST(refreshing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
