/* One rule that deletes by age, read on one side of the change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/plan/explain/expiry.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

enum { ATTRIBUTES = 4 };

enum {
	NOTHING = TN_PLAN_REACH_NOTHING,
	OLD = TN_PLAN_REACH_OLD,
	PART = TN_PLAN_REACH_PART,
	UNCERTAIN = TN_PLAN_REACH_UNCERTAIN,
	ALL = TN_PLAN_REACH_ALL
};

#define S3 "aws_s3_bucket_lifecycle_configuration.a"
#define GCS "google_storage_bucket.a"
#define AZURE "azurerm_storage_management_policy.a"

struct row {
	const char *path, *before, *after;
};

static const struct {
	const char *address;
	int before, after; /* reach */
	int hidden_blocks, hidden_attributes;
	bool age_hidden; /* afterwards */
	unsigned days;   /* afterwards */
	struct row rows[ATTRIBUTES];
} rules[] = {
	{S3, ALL, ALL, 0, 0, false, 30, {{"rule[0].expiration[0].days", "#90", "#30"}}},
	{S3, NOTHING, ALL, 0, 0, false, 30, {{"rule[0].expiration[0].days", "#0", "#30"}}},
	/* As one cloud prints that it is about markers, or a date. */
	{S3,
	 NOTHING,
	 NOTHING,
	 0,
	 0,
	 false,
	 0,
	 {{"rule[0].expiration[0].days", NULL, "#0"},
	  {"rule[0].expiration[0].expired_object_delete_marker", NULL, "?true"}}},
	{S3,
	 ALL,
	 NOTHING,
	 0,
	 0,
	 false,
	 0,
	 {{"rule[0].status", "Enabled", "Disabled"}, {"rule[0].expiration[0].days", "#9", "#9"}}},
	/* A rule that goes, and one that comes. */
	{S3,
	 ALL,
	 NOTHING,
	 3,
	 3,
	 false,
	 0,
	 {{"rule[0].status", "Enabled", NULL},
	  {"rule[0].expiration[0].days", "#9", NULL},
	  {"rule[0].filter[0].prefix", "", NULL}}},
	{S3,
	 NOTHING,
	 NOTHING,
	 3,
	 3,
	 false,
	 0,
	 {{"rule[0].status", NULL, "Enabled"}, {"rule[0].transition[0].days", NULL, "#9"}}},
	/* The age stays, and is not printed. */
	{S3, NOTHING, UNCERTAIN, 2, 0, true, 0, {{"rule[0].status", "Disabled", "Enabled"}}},
	{S3, PART, UNCERTAIN, 1, 1, true, 0, {{"rule[0].filter[0].prefix", "tmp/", NULL}}},
	{AZURE, NOTHING, UNCERTAIN, 2, 1, true, 0, {{"rule[0].enabled", "?false", "?true"}}},
	/* No block is left out: there is none with an age. */
	{S3, NOTHING, NOTHING, 0, 3, false, 0, {{"rule[0].status", "Disabled", "Enabled"}}},
	/* Its age is taken away. */
	{S3,
	 UNCERTAIN,
	 NOTHING,
	 1,
	 1,
	 false,
	 0,
	 {{"rule[0].expiration[0].days", "#9", NULL}, {"rule[0].status", "Enabled", "Enabled"}}},
	{GCS,
	 OLD,
	 ALL,
	 0,
	 0,
	 false,
	 5,
	 {{"lifecycle_rule[0].action[0].type", "Delete", NULL},
	  {"lifecycle_rule[0].action[1].type", NULL, "Delete"},
	  {"lifecycle_rule[0].condition[0].age", "#5", "#5"},
	  {"lifecycle_rule[0].condition[0].with_state", "ARCHIVED", "ANY"}}},
	{GCS,
	 NOTHING,
	 ALL,
	 0,
	 0,
	 false,
	 5,
	 {{"lifecycle_rule[0].action[0].type", "SetStorageClass", NULL},
	  {"lifecycle_rule[0].action[1].type", NULL, "Delete"},
	  {"lifecycle_rule[0].condition[0].age", "#5", "#5"}}},
	{AZURE,
	 ALL,
	 PART,
	 0,
	 0,
	 false,
	 9,
	 {{"rule[0].actions[0].base_blob[0].delete_after_days_since_creation_greater_than", "#9",
	   "#9"},
	  {"rule[0].filters[0].blob_types[0]", "blockBlob", "appendBlob"}}},
};

static void test_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(rules); i++) {
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, rules[i].address);
		struct tn_plan_expiry before, after;
		struct tn_plan_block rule;

		for (size_t j = 0; j < ATTRIBUTES && rules[i].rows[j].path; j++)
			(void)test_attr(plan, entry, rules[i].rows[j].path, rules[i].rows[j].before,
					rules[i].rows[j].after);
		entry->hidden_blocks = (uint32_t)rules[i].hidden_blocks;
		entry->hidden_attributes = (uint32_t)rules[i].hidden_attributes;
		assert_true(tn_plan_expiry_rule(entry, entry->attributes.items, &rule));
		before = tn_plan_expiry_read(entry, &rule, TN_PLAN_BEFORE, false);
		after = tn_plan_expiry_read(entry, &rule, TN_PLAN_AFTER, false);
		if ((int)before.reach != rules[i].before || (int)after.reach != rules[i].after ||
		    (after.reach != TN_PLAN_REACH_NOTHING &&
		     (after.age_hidden != rules[i].age_hidden || after.days != rules[i].days)))
			fail_msg("case %zu: %d, %d, %d days", i, before.reach, after.reach,
				 (int)after.days);
		test_plan_free(plan);
	}
}

static void test_was_there(void **state)
{
	static const struct {
		bool was_there;
		struct row rows[ATTRIBUTES];
	} cases[] = {
		{false, {{"rule[0].expiration[0].days", "#90", "#30"}}},
		{true, {{"rule[0].expiration[0].days", "#30", "#90"}}},
		{false,
		 {{"rule[0].expiration[0].days", "#30", "#30"},
		  {"rule[0].filter[0].prefix", "a", NULL}}},
		/* In another rule, that goes. */
		{true,
		 {{"rule[0].expiration[0].days", NULL, "#30"},
		  {"rule[1].expiration[0].days", "#30", NULL}}},
		{false,
		 {{"rule[0].expiration[0].days", NULL, "#30"},
		  {"rule[1].expiration[0].days", "#30", NULL},
		  {"rule[1].filter[0].prefix", "a", NULL}}},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, S3);
		struct tn_plan_expiry after;
		struct tn_plan_block rule;

		for (size_t j = 0; j < ATTRIBUTES && cases[i].rows[j].path; j++)
			(void)test_attr(plan, entry, cases[i].rows[j].path, cases[i].rows[j].before,
					cases[i].rows[j].after);
		assert_true(tn_plan_expiry_rule(entry, entry->attributes.items, &rule));
		after = tn_plan_expiry_read(entry, &rule, TN_PLAN_AFTER, false);
		if (tn_plan_expiry_was_there(entry, &after) != cases[i].was_there)
			fail_msg("case %zu", i);
		test_plan_free(plan);
	}
}

/* Only in the lists that hold such rules. */
static void test_shared(void **state)
{
	static const struct {
		bool shared;
		const char *type, *path;
	} cases[] = {
		{true, "aws_s3_bucket_lifecycle_configuration", "rule.status"},
		{true, "aws_s3_bucket_lifecycle_configuration", "rule[1].filter[0].and[0].prefix"},
		{true, "aws_s3_bucket_lifecycle_configuration", "rule.filter.and.tags[\"a.b\"]"},
		{false, "aws_s3_bucket_lifecycle_configuration", "rule.id"},
		{false, "aws_s3_bucket_lifecycle_configuration", "rule.expiration.days"},
		{true, "azurerm_storage_management_policy", "rule[0].enabled"},
		{true, "azurerm_storage_management_policy", "rule[0].filters[0].blob_types[0]"},
		{true, "aws_s3_bucket", "lifecycle_rule[0].enabled"},
		{true, "google_storage_bucket", "lifecycle_rule[0].action[0].type"},
		{true, "aws_ecr_lifecycle_policy", "policy.rules[0].selection.tagStatus"},
		{true, "google_artifact_registry_repository", "cleanup_policies[0].action"},
		{false, "aws_s3_bucket", "rule[0].status"},
		{false, "aws_lb_listener_rule", "rule.action.type"},
		{false, "azurerm_storage_management_policy", "rules[0].enabled"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		if (tn_plan_expiry_is_shared(tn_str_from(cases[i].type),
					     tn_str_from(cases[i].path)) != cases[i].shared)
			fail_msg("case %zu", i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_was_there),
		cmocka_unit_test(test_shared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
