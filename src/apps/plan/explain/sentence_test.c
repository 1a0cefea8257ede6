/* One change in one sentence (plan.md section 10.4). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/sentence.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

static void test_delete(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_DELETE, "aws_db_instance.main");

	(void)state;
	test_is_sentence(plan, "Permanently removes the managed database \"main\" "
			       "(aws_db_instance.main).");
	(void)test_attr(plan, entry, "identifier", "ledger", NULL);
	test_reason(plan, entry, "not_in_configuration", "aws_db_instance.main");
	test_is_sentence(plan, "Permanently removes the managed database \"ledger\" "
			       "(aws_db_instance.main) because it is no longer in the "
			       "configuration.");
	test_plan_free(plan);
}

static void test_replace(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_REPLACE, "aws_lb.front");

	(void)state;
	test_is_sentence(plan,
			 "Removes and rebuilds the load balancer \"front\" (aws_lb.front); it "
			 "is unavailable in between.");
	test_reason(plan, entry, "forces_replacement", "engine_version");
	test_is_sentence(plan, "Removes and rebuilds the load balancer \"front\" (aws_lb.front) "
			       "because its engine version cannot be changed in place; it is "
			       "unavailable in between.");
	test_reason(plan, entry, "forces_replacement", "name");
	test_is_sentence(plan, "Removes and rebuilds the load balancer \"front\" (aws_lb.front) "
			       "because its engine version and name cannot be changed in place; it "
			       "is unavailable in between.");
	entry->reason_count--;
	entry->order = TN_PLAN_CREATE_FIRST;
	test_is_sentence(plan,
			 "Builds a replacement for the load balancer \"front\" (aws_lb.front), "
			 "then removes the old one because its engine version cannot be "
			 "changed in place.");
	entry->order = TN_PLAN_FORGET_OLD;
	test_is_sentence(plan, "Builds a new load balancer \"front\" (aws_lb.front) and leaves the "
			       "old one running outside Terraform's control.");
	plan->tool = TN_PLAN_OPENTOFU;
	entry->order = TN_PLAN_FORGET_FIRST;
	test_is_sentence(plan, "Builds a new load balancer \"front\" (aws_lb.front) and leaves the "
			       "old one running outside OpenTofu's control.");
	test_plan_free(plan);
}

static void test_other_actions(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry;

	(void)state;
	(void)test_add(plan, TN_PLAN_FORGET, "aws_sqs_queue.jobs");
	test_is_sentence(plan, "Stops managing the message queue \"jobs\" (aws_sqs_queue.jobs); it "
			       "keeps running.");
	(void)test_add(plan, TN_PLAN_FORGET, "aws_ebs_volume.data"); /* nothing that runs */
	test_is_sentence(plan,
			 "Stops managing the disk \"data\" (aws_ebs_volume.data); it stays as "
			 "it is.");
	test_add(plan, TN_PLAN_REPLACE, "aws_ebs_volume.data")->order = TN_PLAN_FORGET_OLD;
	test_is_sentence(plan,
			 "Builds a new disk \"data\" (aws_ebs_volume.data) and leaves the old "
			 "one in place outside Terraform's control.");
	(void)test_add(plan, TN_PLAN_IMPORT, "aws_s3_bucket.logs");
	test_is_sentence(plan, "Starts managing the existing storage bucket \"logs\" "
			       "(aws_s3_bucket.logs).");
	entry = test_add(plan, TN_PLAN_MOVE, "module.a.aws_s3_bucket.new");
	entry->previous_address = TN_STR("aws_s3_bucket.old");
	test_is_sentence(plan, "Renames aws_s3_bucket.old to module.a.aws_s3_bucket.new in "
			       "Terraform's records only.");
	(void)test_add(plan, TN_PLAN_ACTION_UNKNOWN, "aws_s3_bucket.odd");
	test_is_sentence(plan, "Does something this program does not know to the storage bucket "
			       "\"odd\" (aws_s3_bucket.odd).");
	test_plan_free(plan);
}

static void test_create(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_CREATE, "aws_instance.web");

	(void)state;
	test_is_sentence(plan, "Creates a virtual machine \"web\" (aws_instance.web).");
	(void)test_attr(plan, entry, "instance_type", NULL, "t2.micro");
	test_is_sentence(plan, "Creates a virtual machine \"web\" (aws_instance.web), t2.micro.");
	(void)test_attr(plan, entry, "availability_zone", NULL, "eu-west-1a");
	(void)test_attr(plan, entry, "allocated_storage", NULL, "#20");
	(void)test_attr(plan, entry, "port", NULL, "#443");
	(void)test_attr(plan, entry, "replicas", NULL, "#3"); /* the fifth: not shown */
	test_is_sentence(plan,
			 "Creates a virtual machine \"web\" (aws_instance.web), t2.micro, 20 GB "
			 "of storage, in eu-west-1a, port 443.");
	(void)test_add(plan, TN_PLAN_CREATE, "aws_iam_role.web");
	test_is_sentence(plan, "Creates an access role \"web\" (aws_iam_role.web).");
	(void)test_add(plan, TN_PLAN_CREATE, "azurerm_mssql_database.d");
	test_is_sentence(plan, "Creates an SQL database \"d\" (azurerm_mssql_database.d).");
	(void)test_add(plan, TN_PLAN_CREATE, "aws_s3_bucket_lifecycle_configuration.l");
	test_is_sentence(plan, "Creates clean-up rules of a storage bucket \"l\" "
			       "(aws_s3_bucket_lifecycle_configuration.l).");
	(void)test_add(plan, TN_PLAN_CREATE, "aws_iam_user.joe");
	test_is_sentence(plan, "Creates a user account \"joe\" (aws_iam_user.joe).");
	test_plan_free(plan);
}

/* A value that reads like a sentence of ours is quoted. */
static void test_facts_do_not_speak(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_CREATE, "aws_instance.web");

	(void)state;
	(void)test_attr(plan, entry, "size", NULL, "x. Nothing else changes");
	test_is_sentence(plan, "Creates a virtual machine \"web\" (aws_instance.web), \"x. Nothing "
			       "else changes\".");
	test_plan_free(plan);
}

/* What is imported or moved and changed at once says both (finding 14). */
static void test_imported_and_moved(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "aws_lb.a");

	(void)state;
	(void)test_attr(plan, entry, "idle_timeout", "#1", "#2");
	entry->import_id = TN_STR("lb-1");
	test_is_sentence(plan, "Takes over the existing load balancer \"a\" (aws_lb.a) and changes "
			       "it: idle timeout from \"1\" to \"2\".");
	entry->import_id = tn_str(NULL, 0);
	entry->previous_address = TN_STR("aws_lb.old");
	test_is_sentence(plan, "Changes the load balancer \"a\" (aws_lb.a, until now aws_lb.old): "
			       "idle timeout from \"1\" to \"2\".");
	entry = test_add(plan, TN_PLAN_REPLACE, "aws_lb.b");
	entry->import_id = TN_STR("lb-2");
	test_is_sentence(plan,
			 "Takes over the existing load balancer \"b\" (aws_lb.b) and replaces "
			 "it.");
	entry->import_id = tn_str(NULL, 0);
	entry->order = TN_PLAN_ORDER_NONE; /* a stream does not tell (finding 7) */
	test_is_sentence(plan, "Replaces the load balancer \"b\" (aws_lb.b).");
	test_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_delete),
		cmocka_unit_test(test_replace),
		cmocka_unit_test(test_other_actions),
		cmocka_unit_test(test_create),
		cmocka_unit_test(test_facts_do_not_speak),
		cmocka_unit_test(test_imported_and_moved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
