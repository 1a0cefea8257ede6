/* Rules that keep images which others delete. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/plan/explain/explain.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

enum { ABSENT = -1, HIGH = TN_PLAN_RISK_HIGH, ATTRIBUTES = 4 };

#define KEPT "cleanup_policies[0].most_recent_versions[0].keep_count"
#define ACTION "cleanup_policies[0].action"

static const struct {
	int level;
	struct {
		const char *path, *before, *after;
	} rows[ATTRIBUTES];
} cases[] = {
	{HIGH, {{ACTION, "KEEP", "KEEP"}, {KEPT, "#10", "#1"}}},
	{HIGH, {{KEPT, "#10", "#1"}}}, /* what it does is not printed */
	{ABSENT, {{ACTION, "KEEP", "KEEP"}, {KEPT, "#1", "#10"}}},
	/* It goes; it comes. */
	{HIGH, {{ACTION, "KEEP", NULL}, {KEPT, "#10", NULL}}},
	{ABSENT, {{ACTION, NULL, "KEEP"}, {KEPT, NULL, "#10"}}},
	/* It moves. */
	{ABSENT,
	 {{ACTION, "KEEP", NULL},
	  {KEPT, "#10", NULL},
	  {"cleanup_policies[1].action", NULL, "KEEP"},
	  {"cleanup_policies[1].most_recent_versions[0].keep_count", NULL, "#10"}}},
	/* Of fewer images. */
	{HIGH,
	 {{ACTION, "KEEP", "KEEP"},
	  {"cleanup_policies[0].condition[0].tag_prefixes[0]", NULL, "release"}}},
	{ABSENT,
	 {{ACTION, "KEEP", "KEEP"},
	  {"cleanup_policies[0].condition[0].tag_prefixes[0]", "release", NULL}}},
	/* From now on it is meant. */
	{HIGH, {{"cleanup_policy_dry_run", "?true", "?false"}}},
	{ABSENT, {{"cleanup_policy_dry_run", "?false", "?true"}}},
};

static void test_kept(void **state)
{
	static const char address[] = "google_artifact_registry_repository.a";

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, address);

		for (size_t j = 0; j < ATTRIBUTES && cases[i].rows[j].path; j++)
			(void)test_attr(plan, entry, cases[i].rows[j].path, cases[i].rows[j].before,
					cases[i].rows[j].after);
		test_assess(plan);
		if (test_level(plan, "RISK-DATA-EXPIRES", address) != cases[i].level ||
		    plan->finding_count != (cases[i].level == HIGH))
			fail_msg("case %zu", i);
		test_plan_free(plan);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
