/* What a rule that deletes by age is about: does it hold what it was about before? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/plan/explain/expiry_filter.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

enum { ATTRIBUTES = 4 };

struct row {
	const char *path, *before, *after;
};

static struct tn_plan_rule_side side_of(const struct tn_plan_entry *entry, enum tn_plan_side side,
					bool of_old)
{
	const struct tn_plan_attribute *first = entry->attributes.items;

	return (struct tn_plan_rule_side){
		{first, first + entry->attributes.count, TN_STR("rule[0].")}, side, of_old};
}

static struct tn_plan_entry *add_rows(struct tn_plan *plan, const struct row *rows)
{
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "acme_rules.a");

	for (size_t i = 0; i < ATTRIBUTES && rows[i].path; i++)
		(void)test_attr(plan, entry, rows[i].path, rows[i].before, rows[i].after);
	return entry;
}

#define IN_FILTER "rule[0].filter[0]."

static const struct {
	bool held; /* what it is about afterwards, it was about before */
	bool of_old;
	struct row rows[ATTRIBUTES];
} changes[] = {
	{true, false, {{IN_FILTER "prefix", "tmp/", "tmp/"}}},
	{true, false, {{IN_FILTER "prefix", NULL, "tmp/"}}},
	{true, false, {{IN_FILTER "prefix", "tmp/", "tmp/old/"}}},
	{false, false, {{IN_FILTER "prefix", "tmp/old/", "tmp/"}}},
	{false, false, {{IN_FILTER "prefix", "tmp/", NULL}}},
	{false, false, {{IN_FILTER "prefix", "tmp/", ""}}},
	{false, false, {{IN_FILTER "prefix", "a/", "b/"}}},
	/* Where it stands does not matter. */
	{true,
	 false,
	 {{IN_FILTER "prefix", "tmp/", NULL},
	  {IN_FILTER "and[0].prefix", NULL, "tmp/"},
	  {IN_FILTER "and[0].tags[\"t\"]", NULL, "1"}}},
	{false,
	 false,
	 {{IN_FILTER "and[0].prefix", "tmp/", NULL},
	  {IN_FILTER "prefix", NULL, "tmp/"},
	  {IN_FILTER "and[0].tags[\"t\"]", "1", NULL}}},
	{true,
	 false,
	 {{IN_FILTER "tag[0].key", "t", NULL},
	  {IN_FILTER "tag[0].value", "1", NULL},
	  {IN_FILTER "and[0].tags[\"t\"]", NULL, "1"}}},
	{false, false, {{IN_FILTER "tag[0].key", "t", "t"}, {IN_FILTER "tag[0].value", "1", "2"}}},
	{false, false, {{IN_FILTER "and[0].tags[\"t\"]", "1", "2"}}},
	/* Alternatives: one less is narrower, one more is wider, the last one was all there was. */
	{true,
	 false,
	 {{"rule[0].filters[0].prefix_match[0]", "a", "a"},
	  {"rule[0].filters[0].prefix_match[1]", "b", NULL}}},
	{false,
	 false,
	 {{"rule[0].filters[0].prefix_match[0]", "a", "a"},
	  {"rule[0].filters[0].prefix_match[1]", NULL, "b"}}},
	{false, false, {{"rule[0].filters[0].prefix_match[0]", "a", NULL}}},
	{true, false, {{"rule[0].filters[0].prefix_match[0]", NULL, "a"}}},
	{false, false, {{"rule[0].condition[0].matches_suffix[0]", ".tmp", NULL}}},
	{true, false, {{"rule[0].condition[0].matches_suffix[0]", ".tmp", ".old.tmp"}}},
	{false, false, {{"rule[0].condition[0].matches_storage_class[0]", "NEARLINE", NULL}}},
	/* Sizes. */
	{false, false, {{IN_FILTER "object_size_greater_than", "#1000", NULL}}},
	{false, false, {{IN_FILTER "object_size_greater_than", "#1000", "#10"}}},
	{true, false, {{IN_FILTER "object_size_greater_than", "#1000", "#2000"}}},
	{false, false, {{IN_FILTER "object_size_less_than", "#1000", "#2000"}}},
	{true, false, {{IN_FILTER "object_size_less_than", "#0", "#2000"}}},
	/* States and conditions. */
	{false, false, {{"rule[0].condition[0].with_state", "ARCHIVED", "ANY"}}},
	{false, false, {{"rule[0].condition[0].with_state", "LIVE", "ANY"}}},
	{true, false, {{"rule[0].condition[0].with_state", "ANY", "LIVE"}}},
	{false, false, {{"rule[0].selection.tagStatus", "tagged", "any"}}},
	{false, false, {{"rule[0].condition[0].num_newer_versions", "#5", "#0"}}},
	{false, false, {{"rule[0].condition[0].num_newer_versions", "#5", "#3"}}},
	{true, false, {{"rule[0].condition[0].num_newer_versions", "#3", "#5"}}},
	{false, false, {{"rule[0].condition[0].created_before", "2025-01-01", "2026-01-01"}}},
	{true, false, {{"rule[0].condition[0].created_before", "2026-01-01", "2025-01-01"}}},
	{false, false, {{"rule[0].filters[0].blob_types[0]", "appendBlob", "blockBlob"}}},
	{false, false, {{"rule[0].filters[0].blob_types[0]", "blockBlob", "appendBlob"}}},
	/* What is said of what was overwritten counts for nothing else. */
	{true,
	 false,
	 {{"rule[0].noncurrent_version_expiration[0].newer_noncurrent_versions", "#5", NULL}}},
	{false,
	 true,
	 {{"rule[0].noncurrent_version_expiration[0].newer_noncurrent_versions", "#5", NULL}}},
	/* No filters. */
	{true, false, {{"rule[0].id", "a", "b"}, {"rule[0].expiration[0].days", "#90", "#1"}}},
};

static void test_holds(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(changes); i++) {
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *entry = add_rows(plan, changes[i].rows);
		struct tn_plan_rule_side before = side_of(entry, TN_PLAN_BEFORE, changes[i].of_old);
		struct tn_plan_rule_side after = side_of(entry, TN_PLAN_AFTER, changes[i].of_old);

		if (tn_plan_filter_holds(entry, &before, &after) != changes[i].held)
			fail_msg("case %zu", i);
		test_plan_free(plan);
	}
}

/* Of a list, a text prints only the elements that change. */
static void test_hidden_elements(void **state)
{
	static const struct row one_less[ATTRIBUTES] = {
		{"rule[0].filters[0].prefix_match[0]", "a", NULL}};
	static const struct row one_more[ATTRIBUTES] = {
		{"rule[0].filters[0].prefix_match[0]", NULL, "a"}};

	(void)state;
	for (int more = 0; more < 2; more++) {
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *entry = add_rows(plan, more ? one_more : one_less);
		struct tn_plan_rule_side before = side_of(entry, TN_PLAN_BEFORE, false);
		struct tn_plan_rule_side after = side_of(entry, TN_PLAN_AFTER, false);

		entry->hidden_elements = 1;
		assert_int_equal(tn_plan_filter_holds(entry, &before, &after), !more);
		test_plan_free(plan);
	}
}

static const struct {
	bool parts;
	struct row rows[ATTRIBUTES];
} rules[] = {
	{false, {{"rule[0].id", NULL, "a"}}},
	{true, {{IN_FILTER "prefix", NULL, "a"}}},
	{false, {{IN_FILTER "prefix", NULL, ""}}},
	{false, {{IN_FILTER "prefix", "a", NULL}}},
	{true, {{IN_FILTER "and[0].tags[\"t\"]", NULL, "1"}}},
	{true, {{IN_FILTER "object_size_less_than", NULL, "#10"}}},
	{false, {{IN_FILTER "object_size_less_than", NULL, "#0"}}},
	{true, {{"rule[0].filters[0].blob_types[0]", NULL, "appendBlob"}}},
	{false, {{"rule[0].filters[0].blob_types[0]", NULL, "blockBlob"}}},
	{false,
	 {{"rule[0].filters[0].blob_types[0]", NULL, "appendBlob"},
	  {"rule[0].filters[0].blob_types[1]", NULL, "blockBlob"}}},
	{true,
	 {{"rule[0].filters[0].blob_types[0]", NULL, "blockBlob"},
	  {"rule[0].filters[0].prefix_match[0]", NULL, "a"}}},
};

static void test_parts(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(rules); i++) {
		struct tn_plan *plan = test_plan();
		struct tn_plan_rule_side after =
			side_of(add_rows(plan, rules[i].rows), TN_PLAN_AFTER, false);

		if (tn_plan_filter_parts(&after) != rules[i].parts)
			fail_msg("case %zu", i);
		test_plan_free(plan);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_holds),
		cmocka_unit_test(test_hidden_elements),
		cmocka_unit_test(test_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
