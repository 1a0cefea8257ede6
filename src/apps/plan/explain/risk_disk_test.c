/* A machine that goes takes its root disk with it, unless the disk is kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/plan/explain/explain.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

enum { ABSENT = -1, HIGH = TN_PLAN_RISK_HIGH };

static const struct {
	int level;
	const char *address, *path, *before; /* the switch as it was; NULL: not shown */
} cases[] = {
	{ABSENT, "aws_instance.a", NULL, NULL}, /* it may be kept: a sentence says so */
	{HIGH, "aws_instance.a", "root_block_device[0].delete_on_termination", "?true"},
	{HIGH, "aws_instance.a", "root_block_device.delete_on_termination", "?true"},
	{ABSENT, "aws_instance.a", "root_block_device[0].delete_on_termination", "?false"},
	/* Another disk of it. */
	{ABSENT, "aws_instance.a", "ebs_block_device[0].delete_on_termination", "?false"},
	{HIGH, "aws_instance.a", "ebs_block_device[0].delete_on_termination", "?true"},
	{HIGH, "aws_spot_instance_request.a", "ebs_block_device.delete_on_termination", "?true"},
	{HIGH, "azurerm_virtual_machine.a", "delete_data_disks_on_termination", "?true"},
	{ABSENT, "azurerm_virtual_machine.a", "delete_data_disks_on_termination", "?false"},
	{HIGH, "yandex_compute_instance.a", "secondary_disk[0].auto_delete", "?true"},
	{HIGH, "google_compute_instance.a", "boot_disk[0].auto_delete", "?true"},
	{ABSENT, "google_compute_instance.a", "boot_disk.auto_delete", "?false"},
	{ABSENT, "azurerm_linux_virtual_machine.a", NULL, NULL},
	{ABSENT, "azurerm_windows_virtual_machine.a", NULL, NULL},
	{HIGH, "azurerm_virtual_machine.a", "delete_os_disk_on_termination", "?true"},
	{ABSENT, "azurerm_virtual_machine.a", "delete_os_disk_on_termination", "?false"},
	{ABSENT, "oci_core_instance.a", "preserve_boot_volume", "?true"},
	{ABSENT, "hcloud_server.a", NULL, NULL},
	/* Machines without a disk of their own, and templates. */
	{ABSENT, "aws_ecs_service.a", NULL, NULL},
	{ABSENT, "aws_launch_template.a", NULL, NULL},
	{ABSENT, "google_compute_instance_template.a", NULL, NULL},
	{ABSENT, "azurerm_kubernetes_cluster_node_pool.a", NULL, NULL},
};

static void test_replaced(void **state)
{
	static const enum tn_plan_order orders[] = {TN_PLAN_DESTROY_FIRST, TN_PLAN_CREATE_FIRST,
						    TN_PLAN_ORDER_NONE};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases) * TN_COUNT(orders); i++) {
		size_t at = i / TN_COUNT(orders);
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *entry = test_add(plan, TN_PLAN_REPLACE, cases[at].address);

		entry->order = (uint8_t)orders[i % TN_COUNT(orders)];
		if (cases[at].path)
			(void)test_attr(plan, entry, cases[at].path, cases[at].before,
					cases[at].before);
		test_assess(plan);
		if (test_level(plan, "RISK-DATA-REPLACE", cases[at].address) != cases[at].level)
			fail_msg("case %zu", at);
		test_plan_free(plan);
	}
}

/* What is forgotten keeps its disk. */
static void test_forgotten(void **state)
{
	struct tn_plan *plan = test_plan();

	(void)state;
	test_add(plan, TN_PLAN_REPLACE, "aws_instance.a")->order = TN_PLAN_FORGET_OLD;
	test_assess(plan);
	assert_int_equal(test_level(plan, "RISK-DATA-REPLACE", "aws_instance.a"), ABSENT);
	test_plan_free(plan);
}

/* The old machine goes by its switches as they were; a new one has its own. */
static void test_switched(void **state)
{
	static const struct {
		const char *address, *path, *before, *after;
		int lost, off;
	} switches[] = {
		{"aws_instance.a", "root_block_device[0].delete_on_termination", "?false", "?true",
		 ABSENT, HIGH},
		{"aws_instance.a", "root_block_device[0].delete_on_termination", "?true", "?false",
		 HIGH, ABSENT},
		{"aws_instance.a", "ebs_block_device[0].delete_on_termination", "?false", "?true",
		 ABSENT, HIGH},
		{"google_compute_instance.a", "boot_disk[0].auto_delete", "?false", "?true", ABSENT,
		 HIGH},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(switches); i++) {
		const char *address = switches[i].address;
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *entry = test_add(plan, TN_PLAN_REPLACE, address);

		entry->order = TN_PLAN_DESTROY_FIRST;
		(void)test_attr(plan, entry, switches[i].path, switches[i].before,
				switches[i].after);
		test_assess(plan);
		if (test_level(plan, "RISK-DATA-REPLACE", address) != switches[i].lost ||
		    test_level(plan, "RISK-DATA-PROTECT-OFF", address) != switches[i].off)
			fail_msg("case %zu", i);
		test_plan_free(plan);
	}
}

/* Disks for data, with a root disk that is kept, lost, or not shown. */
static void test_data_disks(void **state)
{
	static const struct {
		const char *root; /* its switch as it was; NULL: not shown */
		const char *deleted, *replaced;
	} roots[] = {
		{"?false", "(aws_instance.a) with its data disks.",
		 "Replaces the virtual machine \"a\" (aws_instance.a); what is on its data disks "
		 "is "
		 "lost. "},
		{"?true", "(aws_instance.a) with its disks.",
		 "Replaces the virtual machine \"a\" (aws_instance.a); what is on its disks is "
		 "lost. "},
		{NULL,
		 "(aws_instance.a) with its data disks, and with its root disk, unless that is set "
		 "to be kept.",
		 "what is on its root disk is lost, unless the disk is set to be kept."},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(roots); i++) {
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *entry = test_add(plan, TN_PLAN_REPLACE, "aws_instance.a");
		struct tn_buf out = test_buf();

		(void)test_attr(plan, entry, "ebs_block_device[0].delete_on_termination", "?false",
				"?false");
		(void)test_attr(plan, entry, "ebs_block_device[1].delete_on_termination", "?true",
				"?true");
		if (roots[i].root)
			(void)test_attr(plan, entry, "root_block_device[0].delete_on_termination",
					roots[i].root, roots[i].root);
		test_assess(plan);
		tn_plan_put_paragraph(&out, plan, TN_PLAN_NON_TECHNICAL);
		assert_contains(&out, roots[i].replaced);
		entry->action = TN_PLAN_DELETE;
		test_assess(plan);
		tn_buf_clear(&out);
		tn_plan_put_paragraph(&out, plan, TN_PLAN_NON_TECHNICAL);
		assert_contains(&out, roots[i].deleted);
		tn_buf_finish(&out);
		test_plan_free(plan);
	}
}

static void test_words(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_REPLACE, "aws_instance.a");
	struct tn_buf out = test_buf();

	(void)state;
	test_reason(plan, entry, "requested", "");
	test_assess(plan);
	tn_plan_put_paragraph(&out, plan, TN_PLAN_NON_TECHNICAL);
	assert_contains(
		&out,
		"the virtual machine \"a\" (aws_instance.a) because its replacement was requested; "
		"it is unavailable in between; what is on its root disk is lost, unless the disk "
		"is set "
		"to be kept.");
	tn_buf_clear(&out);
	(void)test_attr(plan, entry, "root_block_device[0].delete_on_termination", "?true",
			"?true");
	test_assess(plan);
	tn_plan_put_paragraph(&out, plan, TN_PLAN_NON_TECHNICAL);
	assert_contains(&out, "what is on its root disk is lost. ");
	tn_buf_clear(&out);
	entry->action = TN_PLAN_DELETE;
	test_assess(plan);
	tn_plan_put_paragraph(&out, plan, TN_PLAN_NON_TECHNICAL);
	assert_contains(&out, "Deletes the virtual machine \"a\" (aws_instance.a) with its root "
			      "disk.");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_replaced), cmocka_unit_test(test_forgotten),
		cmocka_unit_test(test_switched), cmocka_unit_test(test_data_disks),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
