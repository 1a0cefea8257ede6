/* What stands before and behind the changes, and instead of them (plan.md sections 6.3, 10.4). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/explain.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

static void test_nothing_changes(void **state)
{
	struct tn_plan *plan = test_plan();

	(void)state;
	plan->status = TN_PLAN_NO_CHANGES;
	test_is_full(plan, 0,
		     "Summary: 0 changes\nNo changes: what exists matches the "
		     "configuration.");
	plan->status = TN_PLAN_OUTPUTS_ONLY;
	plan->output_count = 2;
	test_is_full(plan, 0, "Summary: 0 changes\nOnly output values change (2), no object does.");
	plan->status = TN_PLAN_DRIFT_ONLY;
	plan->drift_count = 1;
	test_is_full(plan, 0,
		     "Summary: 0 changes\nNothing is changed now; 1 object was changed "
		     "outside Terraform.");
	plan->status = TN_PLAN_DEFERRED_ONLY;
	plan->deferred_count = 3;
	test_is_full(plan, 0,
		     "Summary: 0 changes\nNothing is changed now; 3 changes are put off to "
		     "a later plan.");
	plan->status = TN_PLAN_CHANGES;
	plan->actions[TN_PLAN_READ] = 2;
	test_is_full(plan, 0,
		     "Summary: 0 changes\nNo object changes; 2 data sources are read while "
		     "applying.");
	plan->status = TN_PLAN_ERRORED;
	plan->errored = true;
	(void)test_diagnostic(plan, "warning", "not this");
	(void)test_diagnostic(plan, "error", "Invalid\nreference.");
	test_is_full(plan, 0, "Summary: 0 changes\nPlanning failed: Invalid reference.");
	test_plan_free(plan);
}

/* Section 6.3: an empty result is never called "no changes" when the text was cut. */
static void test_nothing_but_cut(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_mismatch mismatch = {.field = "add", .stated = 3, .counted = 0};

	(void)state;
	plan->consistent = 0;
	plan->mismatches = &mismatch;
	plan->mismatch_count = 1;
	test_is_full(plan, 0,
		     "Summary: 0 changes\nThe text looks cut off or altered: 3 to add "
		     "announced but 0 found.");
	test_plan_free(plan);
}

static void test_leading_notes(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_mismatch mismatches[] = {{.field = "add", .stated = 3, .counted = 1},
						{.field = "destroy", .stated = 4, .counted = 1}};

	(void)state;
	(void)test_add(plan, TN_PLAN_DELETE, "aws_db_instance.a");
	plan->errored = true;
	(void)test_diagnostic(plan, "error", "Quota exceeded.");
	plan->consistent = 0;
	plan->mismatches = mismatches;
	plan->mismatch_count = 2;
	test_assess(plan);
	test_is_full(plan, 0,
		     "Summary: 1 change\nThe plan is incomplete because Terraform stopped with an "
		     "error: Quota exceeded. The text looks cut off or altered: 3 to add announced "
		     "but 1 found, 4 to destroy announced but 1 found. Deletes data for good: the "
		     "managed database \"a\" (aws_db_instance.a). Permanently removes the managed "
		     "database \"a\" "
		     "(aws_db_instance.a).");
	test_plan_free(plan);
}

static void test_closing_notes(void **state)
{
	struct tn_plan *plan = test_plan();

	(void)state;
	(void)test_add(plan, TN_PLAN_CREATE, "aws_eip.a");
	(void)test_add(plan, TN_PLAN_READ, "data.aws_ami.a");
	(void)test_add(plan, TN_PLAN_READ, "data.aws_ami.b");
	plan->output_count = 1;
	plan->drift_count = 2;
	plan->deferred_count = 1;
	(void)test_diagnostic(plan, "warning", "x");
	test_diagnostic(plan, "warning", "y")->in_apply = true;
	test_is_full(
		plan, 0,
		"Summary: 1 change\nCreates a fixed public address \"a\" (aws_eip.a). 2 data "
		"sources are read while applying. 1 output value changes. 2 objects were "
		"changed outside Terraform. 1 change is put off to a later plan. 1 warning was "
		"given.");
	test_plan_free(plan);
}

/* Errors and warnings say what they are about (finding 13). */
static void test_diagnostics_with_content(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_diagnostic *diagnostic;

	(void)state;
	(void)test_add(plan, TN_PLAN_CREATE, "aws_eip.a");
	plan->errored = true;
	diagnostic = test_diagnostic(plan, "error", "Instance cannot be destroyed");
	diagnostic->address = TN_STR("aws_db_instance.postgres");
	diagnostic->file = TN_STR("main.tf");
	diagnostic->line = 436;
	diagnostic->detail = TN_STR("It has prevent_destroy set, but the plan\nwants it gone. To "
				    "go on, take it off.");
	diagnostic = test_diagnostic(plan, "warning", "Argument is deprecated");
	diagnostic->file = TN_STR("net.tf");
	diagnostic->line = 3;
	test_is_full(
		plan, 0,
		"Summary: 1 change\nThe plan is incomplete because Terraform stopped with an "
		"error: Instance cannot be destroyed (aws_db_instance.postgres, main.tf:436): "
		"It has prevent_destroy set, but the plan wants it gone. Creates a fixed public "
		"address \"a\" (aws_eip.a). 1 warning was "
		"given. Argument is deprecated (net.tf:3).");
	plan->diagnostic_count = 0;
	diagnostic = test_diagnostic(plan, "error", "1 error occurred:");
	*diagnostic = (struct tn_plan_diagnostic){.severity = "error",
						  .summary = TN_STR("1 error occurred:")};
	diagnostic->detail = TN_STR("\t* no such zone: password=hunter22\n\n");
	test_is_full(plan, 0,
		     "Summary: 1 change\nThe plan is incomplete because Terraform stopped with an "
		     "error: 1 error occurred: no such zone: password=[redacted]. Creates a fixed "
		     "public address \"a\" (aws_eip.a).");
	test_plan_free(plan);
}

/* Deleted is not changed, and made again is told (finding 14). */
static void test_drift_of_deleted(void **state)
{
	struct tn_plan *plan = test_plan();

	(void)state;
	(void)test_add(plan, TN_PLAN_CREATE, "aws_eip.a");
	(void)test_drift(plan, TN_PLAN_DELETE, "aws_eip.a");
	(void)test_drift(plan, TN_PLAN_UPDATE, "aws_lb.b");
	test_assess(plan);
	test_is_full(
		plan, 0,
		"Summary: 1 change\nCreates a fixed public address \"a\" (aws_eip.a). 1 object "
		"was changed outside Terraform. 1 object was deleted outside Terraform and is "
		"made again.");
	(void)test_drift(plan, TN_PLAN_DELETE, "aws_lb.c");
	test_is_full(
		plan, 0,
		"Summary: 1 change\nCreates a fixed public address \"a\" (aws_eip.a). 1 object "
		"was changed outside Terraform. 2 objects were deleted outside Terraform, and 1 "
		"of them is made again.");
	test_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_changes),
		cmocka_unit_test(test_nothing_but_cut),
		cmocka_unit_test(test_leading_notes),
		cmocka_unit_test(test_closing_notes),
		cmocka_unit_test(test_diagnostics_with_content),
		cmocka_unit_test(test_drift_of_deleted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
