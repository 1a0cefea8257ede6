/* Rules that look at one attribute by its exact name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/plan/explain/wording_test.h"
#include "base/size.h"

static int level_of(const char *id, const char *address, const char *path, const char *before,
		    const char *after)
{
	struct tn_plan *plan = test_plan();
	int level;

	(void)test_attr(plan, test_add(plan, TN_PLAN_UPDATE, address), path, before, after);
	test_assess(plan);
	level = test_level(plan, id, address);
	test_plan_free(plan);
	return level;
}

/* Names of versions are written in many ways; a year behind one is none. */
static void test_tls(void **state)
{
	static const struct {
		const char *before, *after;
		bool weaker;
	} cases[] = {
		{"TLS1_2", "TLS1_0", true},
		{"TLS1_0", "TLS1_2", false},
		{"1.2", "1.0", true},
		{"TLSv1.2_2021", "TLSv1_2016", true},
		{"TLSv1.2_2021", "TLSv1.2_2018", false},
		{"TLSv1", "SSLv3", true},
		{"ELBSecurityPolicy-TLS13-1-2-2021-06", "ELBSecurityPolicy-2016-08", true},
		{"ELBSecurityPolicy-TLS13-1-2-2021-06", "ELBSecurityPolicy-TLS13-1-0-2021-06",
		 true},
		{"ELBSecurityPolicy-2016-08", "ELBSecurityPolicy-TLS13-1-2-2021-06", false},
		{"strong", "weak", false}, /* of names without a version nothing is known */
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		if ((level_of("RISK-ENCRYPTION-OFF", "aws_lb_listener.a", "ssl_policy",
			      cases[i].before, cases[i].after) == TN_PLAN_RISK_HIGH) !=
		    cases[i].weaker)
			fail_msg("%s to %s", cases[i].before, cases[i].after);
}

static void test_public(void **state)
{
	(void)state;
	assert_int_equal(level_of("RISK-PUBLIC-DATA", "aws_s3_bucket_acl.a", "acl", "private",
				  "public-read"),
			 TN_PLAN_RISK_HIGH);
	assert_int_equal(level_of("RISK-PUBLIC-DATA", "azurerm_storage_container.a",
				  "container_access_type", "private", "blob"),
			 TN_PLAN_RISK_HIGH);
	assert_int_equal(level_of("RISK-PUBLIC-DATA", "google_storage_bucket.a",
				  "public_access_prevention", "enforced", "inherited"),
			 TN_PLAN_RISK_HIGH);
	assert_int_equal(level_of("RISK-PUBLIC-DATA", "aws_s3_bucket_acl.a", "acl", "public-read",
				  "private"),
			 -1);
}

static void test_small_ones(void **state)
{
	(void)state;
	assert_int_equal(
		level_of("RISK-CAPACITY-ZERO", "aws_ecs_service.a", "desired_count", "#2", "#0"),
		TN_PLAN_RISK_MEDIUM);
	assert_int_equal(
		level_of("RISK-CAPACITY-ZERO", "aws_ecs_service.a", "desired_count", "#2", "#1"),
		-1);
	assert_int_equal(level_of("RISK-RESTART", "aws_instance.a", "instance_type", "a", "b"),
			 TN_PLAN_RISK_LOW);
	/* A larger disk does not restart; a tag of that name is none. */
	assert_int_equal(level_of("RISK-RESTART", "aws_ebs_volume.a", "size", "#1", "#2"), -1);
	assert_int_equal(level_of("RISK-RESTART", "aws_instance.a", "tags.instance_type", "a", "b"),
			 -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tls),
		cmocka_unit_test(test_public),
		cmocka_unit_test(test_small_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
