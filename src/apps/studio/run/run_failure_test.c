/* Runs that fail, and what is told of it: diagnostics, objects that are tainted, plans that are
 * wrong, engines that die (studio.md 9, 10). */
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
#include "base/mem.h"
#include "store/file.h"

static void diagnostics(void **state) /* ST-089, ST-090 */
{
	struct run_kit *k = *state;

	run_kit_scenario(k, "{\"fail\":{\"terraform_data.alpha\":{\"how\":\"error\",\"summary\":"
			    "\"quota exceeded\",\"detail\":\"ask for more\"}}}");
	run_kit_do(k, TN_STUDIO_APPLY);
	run_kit_has(k, "\"status\":\"finished\",\"exitCode\":1,\"success\":false");
	run_kit_has(k,
		    "{\"severity\":\"error\",\"summary\":\"quota exceeded\",\"detail\":\"ask for "
		    "more\",\"address\":\"terraform_data.alpha\",\"instanceId\":\"n-alpha\"}");
	run_kit_has(k,
		    "{\"address\":\"terraform_data.alpha\",\"action\":\"create\",\"success\":false,"
		    "\"error\":\"quota exceeded: ask for more\",\"instanceId\":\"n-alpha\"}");
	run_kit_has(k,
		    "{\"address\":\"terraform_data.beta\",\"action\":\"create\",\"success\":true");
	run_kit_has(k, "\"text\":\"1 added, 0 changed, 0 destroyed\"");
	run_kit_status(k, "n-alpha", "failed");
	run_kit_status(k, "n-beta", "created");
	/* Complete, and then a diagnostic without an address: failed all the same. */
	run_kit_scenario(k, "{\"fail\":{\"terraform_data.alpha\":{\"how\":\"postcondition\","
			    "\"summary\":\"Resource postcondition failed\"}}}");
	run_kit_do(k, TN_STUDIO_APPLY);
	run_kit_has(k,
		    "\"address\":\"terraform_data.alpha\",\"action\":\"create\",\"success\":false,"
		    "\"error\":\"Resource postcondition failed\"");
	run_kit_status(k, "n-alpha", "failed");
	run_kit_scenario(k, "{\"replace\":[\"terraform_data.alpha\"],\"count\":{"
			    "\"terraform_data.beta\":2}}");
	run_kit_do(k, TN_STUDIO_APPLY);
	run_kit_has(k, "\"success\":true");
	run_kit_has(k, "\"action\":\"replace\",\"success\":true,\"instanceId\":\"n-alpha\"");
	run_kit_has(k, "\"replace\":1");
	run_kit_has(
		k, "{\"address\":\"terraform_data.beta[1]\",\"action\":\"create\",\"success\":true,"
		   "\"instanceId\":\"n-beta\"}");
	run_kit_status(k, "n-alpha", "created");
}

static void tainted(void **state) /* section 10: an object marked tainted has failed */
{
	struct run_kit *k = *state;

	run_kit_scenario(k, "{\"fail\":{\"terraform_data.beta\":{\"how\":\"tainted\",\"summary\":"
			    "\"provisioner\",\"bare\":true}}}");
	run_kit_do(k, TN_STUDIO_APPLY);
	/* ST-090: by the snippet's context. */
	run_kit_has(k, "\"summary\":\"provisioner\",\"detail\":\"\",\"address\":"
		       "\"terraform_data.beta\",\"file\":\"main.tf\",\"line\":1,\"instanceId\":"
		       "\"n-beta\"");
	run_kit_status(k, "n-beta", "failed");
	run_kit_scenario(k, "{}");
	run_kit_do(k, TN_STUDIO_APPLY);
	run_kit_has(k, "\"action\":\"replace\",\"success\":true");
	run_kit_status(k, "n-beta", "created");
}

static void validation(void **state)
{
	struct run_kit *k = *state;

	run_kit_do(k, TN_STUDIO_INIT);
	run_kit_scenario(k,
			 "{\"diagnostics\":{\"validate\":[{\"severity\":\"error\",\"summary\":"
			 "\"Unsupported argument\",\"detail\":\"no such thing\",\"range\":{"
			 "\"filename\":\"main.tf\",\"start\":{\"line\":3,\"column\":1,\"byte\":0}}}"
			 ",{\"severity\":\"warning\",\"summary\":\"old\",\"detail\":\"\"}]}}");
	run_kit_do(k, TN_STUDIO_VALIDATE);
	run_kit_has(k, "\"exitCode\":1,\"success\":false");
	run_kit_has(k, "\"text\":\"1 error, 1 warning\",\"errors\":1,\"warnings\":1");
	run_kit_has(k, "\"file\":\"main.tf\",\"line\":3");
	run_kit_has(k, "\"instanceId\":\"n-alpha\""); /* through the source map */
}

static void bad_ends(void **state)
{
	struct run_kit *k = *state;

	run_kit_do(k, TN_STUDIO_INIT);
	run_kit_scenario(k, "{\"refuse\":{\"plan\":\"flag provided but not defined: -x\"}}");
	run_kit_do(k, TN_STUDIO_PLAN); /* text before any JSON */
	run_kit_has(k,
		    "\"summary\":\"terraform ended with exit code 1\",\"detail\":\"flag provided "
		    "but not defined: -x\"");
	run_kit_has(k, "\"text\":\"no plan was made\""); /* and not that there is nothing to do */
	run_kit_scenario(k, "{\"crash\":{\"apply\":2}}");
	run_kit_do(k, TN_STUDIO_APPLY); /* a Go trace */
	run_kit_has(k, "\"exitCode\":2,\"success\":false");
	run_kit_has(k, "goroutine 1 [running]:");
	run_kit_scenario(k, "{\"exit\":{\"plan\":3}}");
	run_kit_do(k, TN_STUDIO_PLAN);
	run_kit_has(k, "\"exitCode\":3,\"success\":false");
	run_kit_lacks(k, "planId");
	assert_null(tn_studio_run_fault(k->run));
}

static void engine_failed(void **state) /* it died without output: a tool error */
{
	struct run_kit *k = *state;
	char path[192];

	run_kit_do(k, TN_STUDIO_INIT);
	(void)snprintf(path, sizeof(path), "%s/terraform", k->kit->folder);
	assert_int_equal(tn_file_write(path, 0700,
				       TN_STR("#!/bin/sh\n[ \"$1\" = version ] && echo "
					      "'{\"terraform_version\":\"1.9.0\"}' && exit 0\n"
					      "exit 9\n"),
				       NULL),
			 TENON_OK);
	tn_studio_engine_set_path(k->runs, path);
	run_kit_do(k, TN_STUDIO_VALIDATE);
	assert_non_null(tn_studio_run_fault(k->run));
	assert_string_equal(tn_studio_run_fault(k->run)->code, "ENGINE_FAILED");
	assert_int_equal(unlink(path), 0);
	assert_false(run_kit_start(k, &(struct tn_studio_run_options){.command = TN_STUDIO_PLAN}));
	assert_string_equal(k->fault.code, "ENGINE_FAILED");
	assert_false(run_kit_find(k)); /* looked for again */
	assert_string_equal(k->fault.code, "TERRAFORM_NOT_FOUND");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, run_kit_set_up, run_kit_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(diagnostics), TEST(tainted),       TEST(validation),
		TEST(bad_ends),    TEST(engine_failed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
