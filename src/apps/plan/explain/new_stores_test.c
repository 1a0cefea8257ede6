/* Stores that a plan makes: rules that delete find nothing there yet. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/plan/explain/new_stores.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

static const struct {
	bool is_new;
	const char *rules, *names, *named; /* of the rules; NULL: known after applying */
	enum tn_plan_action action;
	const char *store, *name, *stored; /* the other entry; NULL: none */
	unsigned unit;                     /* of the rules; the store's is 0 */
} cases[] = {
	{true, "aws_s3_bucket_lifecycle_configuration.r", "bucket", "b", TN_PLAN_CREATE,
	 "aws_s3_bucket.s", "bucket", "b", 0},
	{true, "aws_s3_bucket_lifecycle_configuration.r", "bucket", NULL, TN_PLAN_CREATE, NULL,
	 NULL, NULL, 0},
	{false, "aws_s3_bucket_lifecycle_configuration.r", "bucket", "b", TN_PLAN_CREATE,
	 "aws_s3_bucket.s", "bucket", "c", 0},
	{false, "aws_s3_bucket_lifecycle_configuration.r", "bucket", "b", TN_PLAN_CREATE, NULL,
	 NULL, NULL, 0},
	/* It is there, and changes. */
	{false, "aws_ecr_lifecycle_policy.r", "repository", "app", TN_PLAN_UPDATE,
	 "aws_ecr_repository.s", "name", "app", 0},
	{true, "aws_ecr_lifecycle_policy.r", "repository", "app", TN_PLAN_CREATE,
	 "aws_ecr_repository.s", "name", "app", 0},
	/* Another account's is called the same. */
	{false, "aws_ecr_lifecycle_policy.r", "repository", "app", TN_PLAN_CREATE,
	 "aws_ecr_repository.s", "name", "app", 1},
	/* Named like a store of another kind. */
	{false, "google_bigtable_gc_policy.r", "table", "b", TN_PLAN_CREATE, "aws_s3_bucket.s",
	 "bucket", "b", 0},
	{false, "minio_ilm_policy.r", "bucket", "b", TN_PLAN_CREATE, NULL, NULL, NULL, 0},
	{false, "alicloud_oss_bucket_lifecycle.r", "bucket", "b", TN_PLAN_CREATE, NULL, NULL, NULL,
	 0},
	/* What holds its rules itself. */
	{true, "google_storage_bucket.r", "name", "b", TN_PLAN_CREATE, NULL, NULL, NULL, 0},
};

static void test_new_stores(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan *plan = test_plan();
		bool update = cases[i].action == TN_PLAN_UPDATE;
		struct tn_plan_entry *rules = test_add(plan, TN_PLAN_CREATE, cases[i].rules);
		struct tn_plan_new_stores stores;
		struct tenon_error err;

		rules->unit = cases[i].unit;
		test_attr(plan, rules, cases[i].names, NULL, cases[i].named)->unknown =
			!cases[i].named;
		if (cases[i].store)
			(void)test_attr(plan, test_add(plan, cases[i].action, cases[i].store),
					cases[i].name, update ? cases[i].stored : NULL,
					cases[i].stored);
		tn_plan_new_stores_init(&stores);
		assert_int_equal(tn_plan_new_stores_read(&stores, plan, &err), TENON_OK);
		if (tn_plan_is_of_new_store(&stores, rules) != cases[i].is_new)
			fail_msg("case %zu", i);
		tn_plan_new_stores_finish(&stores);
		test_plan_free(plan);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_new_stores),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
