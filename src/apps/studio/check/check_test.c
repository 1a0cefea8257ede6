/* What is wrong with a diagram: a test for each code of studio.md section 7 that is not
 * generation's. */
#include "apps/studio/check/check_test_kit.h"

#include <stdlib.h>
#include <time.h>

#include "apps/studio/cost/cost.h"
#include "base/mem.h"

static void a_clean_diagram_has_no_error(void **state)
{
	struct kit *kit = *state;

	build_three_tiers(kit);
	check_with(kit, NULL);
	if (kit->list.counts[TN_STUDIO_ERROR] > 0)
		dump(kit);
	assert_int_equal(kit->list.counts[TN_STUDIO_ERROR], 0);
}

static void missing_property(void **state)
{
	struct kit *kit = *state;

	add(kit, "my_group", RG, "\"properties\":{}");
	apply(kit, "{\"op\":\"setConfig\",\"config\":{\"region\":\"westeurope\"}}");
	check_with(kit, NULL);
	expect(kit, "MISSING_PROPERTY", "my_group", TN_STUDIO_ERROR);
	const struct tn_studio_diagnostic *name = find(kit, "MISSING_PROPERTY", "my_group");
	while (name && !tn_str_is(name->property, "name"))
		name = name->next;
	assert_non_null(name);
	expect_fix(name,
		   "[{\"tool\":\"update_resource\",\"arguments\":{\"instanceId\":\"my_group\","
		   "\"properties\":{\"name\":\"my-group\"}}}]");
	(void)expect_alone(kit, "MISSING_PROPERTY", "my_group");
	/* What is a variable has its value elsewhere. */
	add(kit, "my_group", RG,
	    "\"properties\":{\"location\":\"westeurope\"},\"variableModes\":{\"name\":"
	    "\"variable\"}");
	check_with(kit, NULL);
	assert_null(find(kit, "MISSING_PROPERTY", "my_group"));
}

static void invalid_value(void **state)
{
	struct kit *kit = *state;

	add(kit, "rg", RG, GROUP);
	add(kit, "st", STORAGE,
	    IN("rg") ",\"properties\":{\"name\":\"Not-Valid\",\"account_tier\":\"Gold\"}");
	check_with(kit, NULL);
	const struct tn_studio_diagnostic *one =
		expect(kit, "INVALID_VALUE", "st", TN_STUDIO_ERROR);
	assert_true(tn_str_is(one->property, "name"));
	assert_non_null(strstr(one->message.data, "Not-Valid"));
	while (one && !tn_str_is(one->property, "account_tier"))
		one = one->next;
	assert_non_null(one);
	expect_fix(one, "[{\"tool\":\"update_resource\",\"arguments\":{\"instanceId\":\"st\","
			"\"properties\":{\"account_tier\":null}}}]");
}

/* A zone follows its region: any of the region's is taken, others are told. */
static void a_zone_is_of_its_region(void **state)
{
	struct kit *kit = *state;
	const struct tn_studio_diagnostic *one;

	add(kit, "vpc", "aws/networking/vpc", "\"properties\":{\"name\":\"vpc\"}");
	add(kit, "sn", "aws/networking/subnet",
	    IN("vpc") ",\"properties\":{\"name\":\"sn\",\"availability_zone\":\"us-east-1a\"}");
	apply(kit, "{\"op\":\"setConfig\",\"config\":{\"region\":\"eu-north-1\"}}");
	check_with(kit, NULL);
	one = expect(kit, "ZONE_OUTSIDE_REGION", "sn", TN_STUDIO_ERROR);
	assert_non_null(strstr(one->message.data, "no zone of eu-north-1"));
	expect_fix(one, "[{\"tool\":\"update_resource\",\"arguments\":{\"instanceId\":\"sn\","
			"\"properties\":{\"availability_zone\":null}}}]");
	apply(kit, "{\"op\":\"setConfig\",\"config\":{\"region\":\"eu-north-1\",\"providers\":{"
		   "\"aws\":{\"region\":\"us-east-1\"}}}}");
	check_with(kit, NULL);
	assert_null(find(kit, "ZONE_OUTSIDE_REGION", "sn"));
	assert_null(find(kit, "PROVIDER_CONFIG", NULL));
	/* A region of another cloud is none of this one. */
	apply(kit, "{\"op\":\"setConfig\",\"config\":{\"region\":\"westeurope\"}}");
	check_with(kit, NULL);
	assert_non_null(find(kit, "PROVIDER_CONFIG", NULL));
}

/* ST-029, ST-141: a secret that somebody wrote into the file is told of without being told. */
static void a_secret_in_the_diagram_is_not_repeated(void **state)
{
	struct kit *kit = *state;
	struct tn_buf out;

	add(kit, "rg", RG, GROUP);
	add(kit, "sql", "azurerm/database/mssql_server",
	    IN("rg") ",\"properties\":{\"name\":\"shop-sql-77\",\"administrator_login\":\"a\","
		     "\"administrator_login_password\":\"hunter2-Canary\"}");
	check_with(kit, NULL);
	(void)expect(kit, "INVALID_VALUE", "sql", TN_STUDIO_ERROR);
	tn_buf_init(&out, 1024 * 1024);
	tn_studio_diagnostics_put(&out, &kit->list);
	tn_buf_append_byte(&out, '\0');
	assert_null(strstr(out.data, "Canary"));
	tn_buf_finish(&out);
}

static void missing_reference(void **state)
{
	struct kit *kit = *state;
	const struct tn_studio_diagnostic *one;

	add(kit, "rg", RG, GROUP);
	add(kit, "app", "azurerm/compute/app_service",
	    IN("rg") ",\"properties\":{\"name\":\"shop-app-77\"}");
	check_with(kit, NULL);
	one = expect(kit, "MISSING_REFERENCE", "app", TN_STUDIO_ERROR);
	assert_int_equal(one->fix.size, 0);
	add(kit, "plan", "azurerm/compute/app_service_plan",
	    IN("rg") ",\"properties\":{\"name\":\"plan\"}");
	check_with(kit, NULL);
	one = expect(kit, "MISSING_REFERENCE", "app", TN_STUDIO_ERROR);
	assert_true(one->fix.size > 0);
	assert_non_null(strstr(one->fix.data, "\"tool\":\"update_resource\""));
	assert_non_null(strstr(one->fix.data, ":\"plan\"}"));
	/* A subnet's network is not a property, and where it stands. */
	add(kit, "sn", SUBNET, "\"properties\":{\"name\":\"sn\"}");
	add(kit, "net", VNET, IN("rg") ",\"properties\":{\"name\":\"net\"}");
	one = expect_alone(kit, "MISSING_REFERENCE", "sn");
	assert_true(tn_str_is(one->property, "virtual_network_name"));
	expect_fix(one, "[{\"tool\":\"move_resource\",\"arguments\":{\"instanceId\":\"sn\","
			"\"parentId\":\"net\"}}]");
}

static void invalid_reference(void **state)
{
	struct kit *kit = *state;
	const struct tn_studio_diagnostic *one;

	build_three_tiers(kit);
	add(kit, "app", "azurerm/compute/app_service",
	    IN("rg") ",\"properties\":{\"name\":\"shop-app-77\"},\"references\":{\"service_plan_"
		     "id\":\"gone\"}");
	check_with(kit, NULL);
	one = expect(kit, "INVALID_REFERENCE", "app", TN_STUDIO_ERROR);
	expect_fix(one, "[{\"tool\":\"update_resource\",\"arguments\":{\"instanceId\":\"app\","
			"\"properties\":{},\"references\":{\"service_plan_id\":null}}}]");
	add(kit, "app", "azurerm/compute/app_service",
	    IN("rg") ",\"properties\":{\"name\":\"shop-app-77\"},\"references\":{\"service_plan_"
		     "id\":\"kv\"}");
	one = expect_alone(kit, "INVALID_REFERENCE", "app");
	assert_non_null(strstr(one->message.data, "'kv' is a Key Vault; a App Service Plan is"));
}

static void missing_scope_and_parent(void **state)
{
	struct kit *kit = *state;
	const struct tn_studio_diagnostic *one;

	add(kit, "net", VNET, "\"properties\":{\"name\":\"net\"}");
	check_with(kit, NULL);
	one = expect(kit, "MISSING_SCOPE", "net", TN_STUDIO_ERROR);
	assert_null(find(kit, "MISSING_PARENT", "net")); /* said once */
	add(kit, "rg", RG, GROUP);
	check_with(kit, NULL);
	one = expect(kit, "MISSING_SCOPE", "net", TN_STUDIO_ERROR);
	expect_fix(one, "[{\"tool\":\"move_resource\",\"arguments\":{\"instanceId\":\"net\","
			"\"parentId\":\"rg\"}}]");
	one = expect(kit, "MISSING_PARENT", "rg", TN_STUDIO_WARNING);
	assert_non_null(strstr(one->message.data, "belongs into a Subscription"));
}

static void duplicate_name(void **state)
{
	struct kit *kit = *state;
	const struct tn_studio_diagnostic *one;

	build_three_tiers(kit);
	add(kit, "data", SUBNET,
	    IN("net") ",\"properties\":{\"name\":\"web\",\"address_prefixes\":[\"10.0.2.0/24\"]}");
	add(kit, "net2", VNET,
	    IN("rg") ",\"properties\":{\"name\":\"net2\",\"address_space\":[\"10.1.0.0/16\"]}");
	add(kit, "other", SUBNET,
	    IN("net2") ",\"properties\":{\"name\":\"web\",\"address_prefixes\":[\"10.1.2.0/24\"]}");
	check_with(kit, NULL);
	one = expect(kit, "DUPLICATE_NAME", "data", TN_STUDIO_WARNING);
	expect_fix(one, "[{\"tool\":\"update_resource\",\"arguments\":{\"instanceId\":\"data\","
			"\"properties\":{\"name\":\"web-2\"}}}]");
	assert_null(find(kit, "DUPLICATE_NAME", "other")); /* another network */
	(void)expect_alone(kit, "DUPLICATE_NAME", "web");
}

static void global_name(void **state)
{
	static const char *const generic[] = {
		"storage", "storageaccount1", "test123",
		"st",      "webdata", /* two words in one: nobody can tell */
		"demo"};
	struct kit *kit = *state;
	char more[256];

	add(kit, "rg", RG, GROUP);
	for (size_t i = 0; i < sizeof(generic) / sizeof(generic[0]); i++) {
		(void)snprintf(more, sizeof(more), IN("rg") ",\"properties\":{\"name\":\"%s\"}",
			       generic[i]);
		add(kit, "st", STORAGE, more);
		check_with(kit, NULL);
		if (strcmp(generic[i], "webdata") == 0)
			assert_null(find(kit, "GLOBAL_NAME", "st"));
		else
			(void)expect(kit, "GLOBAL_NAME", "st", TN_STUDIO_INFO);
	}
	const struct tn_studio_diagnostic *one = expect_alone(kit, "GLOBAL_NAME", "st");
	assert_non_null(strstr(one->fix.data, "{\"name\":\"demo"));
	assert_null(strchr(strstr(one->fix.data, "demo"), '-')); /* this type has no hyphens */
	add(kit, "st", STORAGE, IN("rg") ",\"properties\":{\"name\":\"contosologs\"}");
	check_with(kit, NULL);
	assert_null(find(kit, "GLOBAL_NAME", "st"));
	assert_null(find(kit, "GLOBAL_NAME", "rg")); /* not unique worldwide */
}

static void subscription_orphan(void **state)
{
	struct kit *kit = *state;

	add(kit, "sub1", "azurerm/core/subscription", "\"properties\":{\"display_name\":\"A\"}");
	add(kit, "rg1", RG, IN("sub1") "," GROUP);
	add(kit, "rg2", RG, GROUP);
	check_with(kit, NULL);
	assert_null(find(kit, "MULTI_SUBSCRIPTION_ORPHAN", NULL));
	add(kit, "sub2", "azurerm/core/subscription", "\"properties\":{\"display_name\":\"B\"}");
	check_with(kit, NULL);
	(void)expect(kit, "MULTI_SUBSCRIPTION_ORPHAN", "rg2", TN_STUDIO_ERROR);
	assert_null(find(kit, "MULTI_SUBSCRIPTION_ORPHAN", "rg1"));
	assert_null(find(kit, "MULTI_SUBSCRIPTION_ORPHAN", "sub1"));
	(void)expect_alone(kit, "MULTI_SUBSCRIPTION_ORPHAN", "rg2");
}

static void subnets(struct kit *kit, const char *a, const char *b)
{
	char more[256];

	(void)snprintf(more, sizeof(more),
		       IN("net") ",\"properties\":{\"name\":\"aa\",\"address_prefixes\":[%s]}", a);
	add(kit, "a", SUBNET, more);
	(void)snprintf(more, sizeof(more),
		       IN("net") ",\"properties\":{\"name\":\"bb\",\"address_prefixes\":[%s]}", b);
	add(kit, "b", SUBNET, more);
	check_with(kit, NULL);
}

/* 6.4 */
static void address_ranges(void **state)
{
	struct kit *kit = *state;
	const struct tn_studio_diagnostic *one;

	add(kit, "rg", RG, GROUP);
	add(kit, "net", VNET,
	    IN("rg") ",\"properties\":{\"name\":\"net\",\"address_space\":[\"10.0.0.0/"
		     "16\",\"fd00::/48\"]}");
	subnets(kit, "\"10.0.1.0/24\",\"fd00:0:0:1::/64\"", "\"10.0.2.0/24\"");
	assert_null(find(kit, "CIDR_INVALID", NULL));
	assert_null(find(kit, "CIDR_OVERLAP", NULL));
	assert_null(find(kit, "CIDR_OUTSIDE_PARENT", NULL));
	subnets(kit, "\"10.0.1.0/24\"", "\"10.0.1.128/25\"");
	one = expect(kit, "CIDR_OVERLAP", "b", TN_STUDIO_ERROR);
	expect_fix(one, "[{\"tool\":\"update_resource\",\"arguments\":{\"instanceId\":\"b\","
			"\"properties\":{\"address_prefixes\":[\"10.0.0.0/25\"]}}}]");
	(void)expect_alone(kit, "CIDR_OVERLAP", "a"); /* whoever is asked about */
	subnets(kit, "\"10.0.1.0/24\"", "\"10.1.0.0/24\"");
	one = expect(kit, "CIDR_OUTSIDE_PARENT", "b", TN_STUDIO_ERROR);
	expect_fix(one, "[{\"tool\":\"update_resource\",\"arguments\":{\"instanceId\":\"b\","
			"\"properties\":{\"address_prefixes\":[\"10.0.0.0/24\"]}}}]");
	subnets(kit, "\"10.0.1.0/24\"", "\"fd01::/64\"");
	(void)expect(kit, "CIDR_OUTSIDE_PARENT", "b", TN_STUDIO_ERROR);
	subnets(kit, "\"10.0.1.0/24\"", "\"10.0.2.7/24\"");
	one = expect(kit, "CIDR_INVALID", "b", TN_STUDIO_ERROR);
	expect_fix(one, "[{\"tool\":\"update_resource\",\"arguments\":{\"instanceId\":\"b\","
			"\"properties\":{\"address_prefixes\":[\"10.0.2.0/24\"]}}}]");
	subnets(kit, "\"10.0.1.0/24\"", "\"10.0.2.0\",5");
	(void)expect(kit, "CIDR_INVALID", "b", TN_STUDIO_ERROR);
	assert_null(find(kit, "INVALID_VALUE", "b"));
	/* Networks of the diagram. */
	add(kit, "net2", VNET,
	    IN("rg") ",\"properties\":{\"name\":\"net2\",\"address_space\":[\"10.0.128.0/17\"]}");
	check_with(kit, NULL);
	one = expect(kit, "CIDR_OVERLAP", "net2", TN_STUDIO_ERROR);
	expect_fix(one, "[{\"tool\":\"update_resource\",\"arguments\":{\"instanceId\":\"net2\","
			"\"properties\":{\"address_space\":[\"10.1.0.0/17\"]}}}]");
}

static void unknown_type(void **state)
{
	struct kit *kit = *state;
	const struct tn_studio_diagnostic *one;

	add(kit, "x", "azurerm/network/vnet", "");
	check_with(kit, NULL);
	one = expect(kit, "UNKNOWN_RESOURCE_TYPE", "x", TN_STUDIO_WARNING);
	assert_non_null(strstr(one->message.data, "azurerm/network/vnet"));
	assert_true(one->hint.size > 0);
	assert_int_equal(kit->list.counts[TN_STUDIO_ERROR], 0);
	/* What an import keeps as text is written back (18), so nothing is amiss. */
	add(kit, "f", "foreign/resource/random_id",
	    "\"foreignText\":[\"resource \\\"random_id\\\" \\\"f\\\" {}\"]");
	check_with(kit, NULL);
	assert_null(find(kit, "UNKNOWN_RESOURCE_TYPE", "f"));
	(void)expect(kit, "UNKNOWN_RESOURCE_TYPE", "x", TN_STUDIO_WARNING);
}

static void provider_config(void **state)
{
	struct kit *kit = *state;
	const struct tn_studio_diagnostic *one;

	add(kit, "rg", RG, GROUP);
	check_with(kit, NULL);
	one = expect(kit, "PROVIDER_CONFIG", NULL, TN_STUDIO_WARNING);
	assert_true(tn_str_is(one->property, "providers.azurerm.subscription_id"));
	assert_non_null(strstr(one->hint.data, "ARM_SUBSCRIPTION_ID"));
	add(kit, "sub", "azurerm/core/subscription", "\"properties\":{\"display_name\":\"A\"}");
	add(kit, "vpc", "aws/networking/vpc", "\"properties\":{\"name\":\"v\"}");
	check_with(kit, NULL);
	one = expect(kit, "PROVIDER_CONFIG", NULL, TN_STUDIO_WARNING);
	assert_true(tn_str_is(one->property, "providers.aws.region"));
	apply(kit, "{\"op\":\"setConfig\",\"config\":{\"region\":\"eu-central-1\"}}");
	check_with(kit, NULL);
	assert_null(find(kit, "PROVIDER_CONFIG", NULL));
}

static const char *deployed_as;

static bool deployed(const void *status, struct tn_str id, struct tn_buf *ret)
{
	(void)status;
	if (!tn_str_is(id, "vm") && !tn_str_is(id, "rg"))
		return false;
	if (ret && tn_str_is(id, "vm"))
		tn_buf_append_text(ret, deployed_as);
	return true;
}

static void deployed_nodes(void **state)
{
	const struct tn_studio_check_options options = {.deployed = deployed};
	struct kit *kit = *state;

	build_three_tiers(kit);
	add(kit, "vm", "azurerm/compute/virtual_machine",
	    IN("web") ",\"properties\":{\"name\":\"vm\",\"os_type\":\"windows\"}");
	deployed_as = "\"azurerm_windows_virtual_machine.vm\",\"azurerm_network_interface.vm_nic\"";
	check_with(kit, &options);
	assert_null(find(kit, "WILL_REPLACE", "vm"));
	assert_null(find(kit, "ADDRESS_CHANGED", "vm"));
	deployed_as = "\"azurerm_linux_virtual_machine.vm\",\"azurerm_network_interface.vm_nic\"";
	check_with(kit, &options);
	(void)expect(kit, "WILL_REPLACE", "vm", TN_STUDIO_WARNING);
	deployed_as = "\"module.m.azurerm_windows_virtual_machine.old[0]\"";
	check_with(kit, &options);
	(void)expect(kit, "ADDRESS_CHANGED", "vm", TN_STUDIO_WARNING);
	/* Only the interface was made: an apply that failed on its way. */
	deployed_as = "\"azurerm_network_interface.vm\"";
	check_with(kit, &options);
	assert_null(find(kit, "WILL_REPLACE", "vm"));
}

/* 11.3 */
static void budget(void **state)
{
	struct kit *kit = *state;
	struct tn_studio_prices *prices = NULL;
	struct tn_studio_check_options options = {.deployed = NULL};

	build_three_tiers(kit);
	assert_int_equal(tn_studio_prices_load(kit->registry, NULL, &prices, NULL), TENON_OK);
	options.prices = prices;
	check_with(kit, &options);
	assert_null(find(kit, "BUDGET_EXCEEDED", NULL));
	apply(kit, "{\"op\":\"setBudget\",\"budget\":0.5}");
	check_with(kit, &options);
	(void)expect(kit, "BUDGET_EXCEEDED", NULL, TN_STUDIO_WARNING);
	apply(kit, "{\"op\":\"setBudget\",\"budget\":100000}");
	check_with(kit, &options);
	assert_null(find(kit, "BUDGET_EXCEEDED", NULL));
	tn_studio_prices_unref(prices);
}

/* 5.3: open lists */
static void unlisted_value(void **state)
{
	struct kit *kit = *state;

	add(kit, "rg", RG, "\"properties\":{\"name\":\"rg-shop\",\"location\":\"moonwest\"}");
	check_with(kit, NULL);
	(void)expect(kit, "UNLISTED_VALUE", "rg", TN_STUDIO_INFO);
	assert_null(find(kit, "INVALID_VALUE", "rg"));
}

/* 1,000 nodes in less than 10 ms; here with room for slow machines and sanitizers. */
static void large_diagrams_are_checked_at_once(void **state)
{
	struct kit *kit = *state;
	char id[16], more[256];
	clock_t began, took_ms;

	add(kit, "rg", RG, GROUP);
	for (int net = 0; net < 10; net++) {
		(void)snprintf(id, sizeof(id), "net%d", net);
		(void)snprintf(more, sizeof(more),
			       IN("rg") ",\"properties\":{\"name\":\"net%d\",\"address_space\":["
					"\"10.%d.0.0/16\"]}",
			       net, net);
		add(kit, id, VNET, more);
		for (int i = 0; i < 99; i++) {
			(void)snprintf(id, sizeof(id), "s%d-%d", net, i);
			(void)snprintf(more, sizeof(more),
				       "\"parentId\":\"net%d\",\"properties\":{\"name\":\"s%d\","
				       "\"address_prefixes\":[\"10.%d.%d.0/24\"]}",
				       net, i, net, i);
			char text[1024];
			(void)snprintf(
				text, sizeof(text),
				"{\"op\":\"putNode\",\"node\":{\"id\":\"%s\",\"typeId\":\"" SUBNET
				"\",\"label\":\"%s\",\"terraformName\":\"n%d_%d\",\"position\":{"
				"\"x\":0,\"y\":0},%s}}",
				id, id, net, i, more);
			apply(kit, text);
		}
	}
	check_with(kit, NULL); /* warm */
	began = clock();       /* the processor's time: others may want it, too */
	check_with(kit, NULL);
	took_ms = (clock() - began) / (CLOCKS_PER_SEC / 1000);
	print_message("%zu nodes: %ld ms\n", kit->document.node_count, (long)took_ms);
	assert_int_equal(kit->list.counts[TN_STUDIO_ERROR], 0);
	assert_true(took_ms < 500);
}

#define KIT(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		KIT(a_clean_diagram_has_no_error),
		KIT(missing_property),
		KIT(invalid_value),
		KIT(a_zone_is_of_its_region),
		KIT(a_secret_in_the_diagram_is_not_repeated),
		KIT(missing_reference),
		KIT(invalid_reference),
		KIT(missing_scope_and_parent),
		KIT(duplicate_name),
		KIT(global_name),
		KIT(subscription_orphan),
		KIT(address_ranges),
		KIT(unknown_type),
		KIT(provider_config),
		KIT(deployed_nodes),
		KIT(budget),
		KIT(unlisted_value),
		KIT(large_diagrams_are_checked_at_once),
	};

	return cmocka_run_group_tests(tests, group_set_up, group_tear_down);
}
