#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/studio/cost/cost.h"
#include "apps/studio/document/value_test_kit.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

struct answer {
	struct tn_studio_value_kit *kit;
	const struct tn_json *json;
	struct tn_studio_fault fault;
	char text[4096];
	bool right;
};

static struct answer estimate(struct tn_studio_value_kit *kit,
			      const struct tn_studio_prices *prices,
			      const struct tn_studio_cost_options *options)
{
	struct answer answer = {.kit = kit};
	struct tn_buf result, text;
	struct tn_json *json = NULL;
	struct tenon_error err;

	tn_buf_init(&result, 16 * TN_MIB);
	tn_buf_init(&text, TN_MIB);
	tn_json_begin_object(&result);
	answer.right = tn_studio_estimate(&kit->document, prices, options, &kit->arena, &result,
					  &text, &answer.fault);
	tn_json_end_object(&result);
	if (answer.right)
		assert_int_equal(tn_json_parse_copy(&kit->arena, tn_buf_str(&result), &json, &err),
				 TENON_OK);
	answer.json = json;
	(void)snprintf(answer.text, sizeof(answer.text), "%.*s", (int)text.size,
		       text.data ? text.data : "");
	tn_buf_finish(&result);
	tn_buf_finish(&text);
	return answer;
}

/* "estimates.a.monthly" as JSON text. */
static const char *at(const struct answer *answer, const char *path)
{
	const struct tn_json *value = answer->json;
	struct tn_str rest = tn_str_from(path);
	struct tn_buf out;
	const char *text;

	while (value && rest.size > 0) {
		size_t dot = tn_str_find_byte(rest, '.');
		struct tn_str key = tn_str(rest.data, dot == TN_STR_NONE ? rest.size : dot);
		uint64_t index = 0;

		rest = tn_str_from_offset(rest, key.size + 1);
		if (value->type == TN_JSON_ARRAY && tn_str_to_uint(key, &index)) {
			value = value->first;
			while (value && index-- > 0)
				value = value->next;
		} else {
			value = tn_json_get_str(value, key);
		}
	}
	if (!value)
		return "nothing";
	tn_buf_init(&out, TN_MIB);
	tn_json_put_value(&out, value);
	text = tn_arena_copy(&answer->kit->arena, tn_buf_str(&out));
	tn_buf_finish(&out);
	return text;
}

static const struct tn_studio_cost_options everything;

/* studio.md 11.3: the reference cases, to the cent. */
static void test_reference_cases(void **state)
{
	struct tn_studio_value_kit kit;
	struct answer answer;

	(void)state;
	tn_studio_value_kit_init(
		&kit,
		"{'id':'vm','typeId':'azurerm/compute/"
		"virtual_machine','label':'m','terraformName':'m',"
		"'properties':{'size':'Standard_B2s','os_disk_size_gb':30,'os_disk_type':"
		"'Standard_LRS'}},"
		"{'id':'aks','typeId':'azurerm/containers/kubernetes_cluster','label':'k',"
		"'terraformName':'k','properties':{'sku_tier':'Free','default_pool_vm_size':"
		"'Standard_D4s_v3','default_pool_count':3}},"
		"{'id':'st','typeId':'azurerm/storage/"
		"storage_account','label':'s','terraformName':'s',"
		"'properties':{'account_tier':'Standard','account_replication_type':'LRS'}},"
		"{'id':'lb','typeId':'azurerm/networking/"
		"load_balancer','label':'l','terraformName':"
		"'l','properties':{'sku':'Standard'}}",
		NULL,
		"{'formatVersion':1,'usage':{'vm':{'data_disk_count':2},'st':{'storage_gb':250}}}");
	answer = estimate(&kit, NULL, &everything);
	assert_true(answer.right);
	assert_string_equal(at(&answer, "estimates.vm.breakdown"),
			    "{\"Compute\":30.37,\"OS disk\":1.2,\"Data disks\":2.4}");
	assert_string_equal(at(&answer, "estimates.vm.monthly"), "33.97");
	assert_string_equal(at(&answer, "estimates.vm.usage"), "{\"data_disk_count\":2}");
	assert_string_equal(at(&answer, "estimates.vm.lines.0"),
			    "{\"label\":\"Compute\",\"quantity\":730,\"unit\":\"hour\",\"price\":"
			    "0.0416,\"amount\":30.37}");
	assert_string_equal(at(&answer, "estimates.aks.monthly"), "420.48");
	assert_string_equal(at(&answer, "estimates.st.breakdown"),
			    "{\"Capacity\":4.6,\"Operations (flat estimate)\":3}");
	assert_string_equal(at(&answer, "estimates.st.monthly"), "7.6");
	assert_string_equal(at(&answer, "estimates.lb.breakdown"),
			    "{\"Balancer\":18.25,\"Rules\":18.25,\"Data\":0.5}");
	assert_string_equal(at(&answer, "estimates.lb.monthly"), "37");
	assert_string_equal(at(&answer, "total.monthly"), "499.05");
	assert_string_equal(at(&answer, "total.complete"), "true");
	assert_string_equal(at(&answer, "pricesAsOf"), "\"2026-04\"");
	assert_non_null(strstr(answer.text, "m: 33.97\n"));
	assert_non_null(strstr(answer.text, "Total: 499.05 USD a month"));
	answer = estimate(&kit, NULL,
			  &(const struct tn_studio_cost_options){
				  .says_lines = true, .group_by = TN_STUDIO_BY_CATEGORY});
	/* HO-001: what of a long text is cut is not the sum. */
	assert_int_equal(strncmp(answer.text, "Total: 499.05 USD a month", 25), 0);
	assert_non_null(strstr(answer.text, "\nCompute: 33.97, 1 resource (compute)\n"));
	assert_non_null(strstr(answer.text, "  Compute: 730 x 0.0416 per hour = 30.37\n"));
	assert_non_null(strstr(answer.text, "  usage:{\"data_disk_count\":2} of vm\n"));
	tn_studio_value_kit_finish(&kit);
}

/* Every type with meters, with its defaults: made by a second implementation of 11.2 in exact
 * decimals, in cents. */
static const struct {
	const char *type;
	int64_t cents;
} priced[] = {
	{"azurerm/networking/public_ip", 365},
	{"azurerm/networking/nat_gateway", 3650},
	{"azurerm/networking/bastion_host", 13914},
	{"azurerm/networking/load_balancer", 3700},
	{"azurerm/dns/dns_zone", 90},
	{"azurerm/compute/virtual_machine", 3157},
	{"azurerm/security/key_vault", 300},
	{"azurerm/compute/app_service_plan", 1241},
	{"azurerm/containers/container_registry", 500},
	{"azurerm/containers/kubernetes_cluster", 3037},
	{"azurerm/containers/kubernetes_cluster_node_pool", 3037},
	{"azurerm/messaging/servicebus_namespace", 981},
	{"azurerm/messaging/eventhub_namespace", 2200},
	{"azurerm/web/cdn_profile", 810},
	{"azurerm/web/frontdoor_profile", 3770},
	{"azurerm/containers/container_app", 0},
	{"azurerm/containers/container_group", 4088},
	{"azurerm/compute/virtual_machine_scale_set", 6314},
	{"azurerm/web/static_web_app", 0},
	{"azurerm/web/signalr_service", 0},
	{"azurerm/storage/storage_account", 484},
	{"azurerm/database/mssql_database", 1472},
	{"azurerm/database/redis_cache", 5329},
	{"azurerm/database/postgresql_flexible_server", 13368},
	{"azurerm/database/cosmosdb_account", 2586},
	{"azurerm/database/mysql_flexible_server", 13230},
	{"azurerm/monitoring/log_analytics_workspace", 41400},
	{"azurerm/monitoring/application_insights", 0},
	{"aws/networking/nat_gateway", 3735},
	{"aws/compute/instance", 823},
	{"aws/compute/eip", 365},
	{"aws/compute/alb", 2227},
	{"aws/compute/rds_instance", 1474},
	{"aws/storage/s3_bucket", 330},
	{"aws/monitoring/cloudwatch_log_group", 280},
	{"aws/compute/lambda_function", 62},
	{"aws/compute/api_gateway", 100},
	{"aws/database/dynamodb_table", 175},
	{"aws/messaging/sqs_queue", 40},
	{"aws/messaging/sns_topic", 50},
	{"aws/security/secrets_manager", 40},
	{"aws/containers/ecr", 50},
	{"aws/storage/efs", 1500},
	{"aws/database/elasticache", 1241},
	{"aws/containers/eks_cluster", 7300},
	{"aws/containers/ecs_cluster", 3604},
	{"aws/containers/eks_node_group", 6074},
};

/* A node of each type of the catalogue, called by its place: "n7". */
static void every_type(struct tn_studio_value_kit *kit)
{
	struct tn_studio_registry *registry;
	struct tenon_error err;
	struct tn_buf nodes;

	assert_int_equal(tn_studio_registry_built_in(&registry, &err), TENON_OK);
	tn_buf_init(&nodes, TN_MIB);
	for (size_t i = 0; i < registry->type_count; i++)
		tn_buf_format(
			&nodes,
			"%s{'id':'n%zu','typeId':'%.*s','label':'n%zu','terraformName':'n%zu'}",
			i > 0 ? "," : "", i, (int)registry->types[i]->id.size,
			registry->types[i]->id.data, i, i);
	tn_buf_append_byte(&nodes, '\0');
	tn_studio_registry_unref(registry);
	tn_studio_value_kit_init(kit, nodes.data, NULL, NULL);
	tn_buf_finish(&nodes);
}

/* studio.md 11.2, Appendix C 12: no meter reads what the type does not have. */
static void test_every_priced_type(void **state)
{
	struct tn_studio_value_kit kit;
	struct answer answer;
	int64_t all = 0, counted = 0;
	size_t free_types = 0, unpriced = 0, left_out = 0;

	(void)state;
	every_type(&kit);
	answer = estimate(&kit, NULL, &everything);
	assert_true(answer.right);
	for (size_t i = 0; i < kit.document.node_count; i++) {
		const struct tn_studio_node *node = kit.document.nodes[i];
		char path[64], expected[32];
		size_t at_table = 0;

		(void)snprintf(path, sizeof(path), "estimates.%.*s.monthly", (int)node->id.size,
			       node->id.data);
		while (at_table < TN_COUNT(priced) &&
		       !tn_str_is(node->type_id, priced[at_table].type))
			at_table++;
		if (at_table == TN_COUNT(priced)) {
			const char *text = at(&answer, path);

			/* Free is 0, what has no price is null, what is only drawn is not there. */
			free_types += strcmp(text, "0") == 0;
			unpriced += strcmp(text, "null") == 0;
			left_out += strcmp(text, "nothing") == 0;
			continue;
		}
		counted++;
		all += priced[at_table].cents;
		(void)snprintf(expected, sizeof(expected), "%.15g",
			       (double)priced[at_table].cents / 100);
		if (strcmp(at(&answer, path), expected) != 0)
			fail_msg("%s: %s, not %s", priced[at_table].type, at(&answer, path),
				 expected);
	}
	assert_int_equal(counted, 47);
	assert_int_equal(free_types, 42); /* 43 with the subscription, which is virtual */
	assert_int_equal(unpriced, 19);   /* 17 unpriced, 2 by use alone */
	assert_int_equal(left_out, 11);
	assert_string_equal(at(&answer, "total.complete"), "false"); /* ST-112 */
	assert_int_equal(tn_json_get(tn_json_get(answer.json, "total"), "unpriced")->count, 19);
	assert_true(fabs(strtod(at(&answer, "total.monthly"), NULL) * 100 - (double)all) < 0.5);
	tn_studio_value_kit_finish(&kit);
}

/* ST-112: a size that the table does not know: null with the key, the other lines are there. */
static void test_unknown_is_never_zero(void **state)
{
	struct tn_studio_value_kit kit;
	struct answer answer;
	struct tn_arena arena;
	int64_t cents;

	(void)state;
	tn_studio_value_kit_init(
		&kit,
		"{'id':'vm','typeId':'azurerm/compute/virtual_machine','label':'m',"
		"'terraformName':'m','properties':{'size':'Standard_Z9','os_disk_size_gb':30,"
		"'os_disk_type':'Standard_LRS'}},"
		"{'id':'x','typeId':'nobody/has/this','label':'x','terraformName':'x'}",
		NULL, NULL);
	answer = estimate(&kit, NULL, &everything);
	assert_true(answer.right);
	assert_string_equal(at(&answer, "estimates.vm.monthly"), "null");
	assert_string_equal(at(&answer, "estimates.vm.reason"),
			    "\"no price for azurerm/vm/Standard_Z9\"");
	assert_string_equal(at(&answer, "estimates.vm.breakdown"),
			    "{\"OS disk\":1.2,\"Data disks\":0}");
	assert_string_equal(at(&answer, "estimates.x.monthly"), "null");
	assert_string_equal(at(&answer, "total.monthly"), "1.2");
	assert_string_equal(at(&answer, "total.complete"), "false");
	assert_string_equal(at(&answer, "total.unpriced"), "[\"vm\",\"x\"]");
	assert_non_null(strstr(answer.text, "without what has no price"));
	tn_arena_init(&arena, TN_MIB);
	assert_false(tn_studio_cost_total(&kit.document, NULL, &arena, &cents));
	assert_int_equal(cents, 120);
	tn_arena_finish(&arena);
	tn_studio_value_kit_finish(&kit);
}

#define ACCOUNT(id, parent)                                                      \
	"{'id':'" id "','typeId':'azurerm/storage/storage_account','label':'" id \
	"','terraformName':'" id "'" parent "}"

/* 11.3: a region without figures of its own is priced as the base region, and says so. */
static void test_regions(void **state)
{
	static const char nodes[] =
		"{'id':'g','typeId':'azurerm/core/resource_group','label':'g','terraformName':'g',"
		"'properties':{'location':'westeurope'}}," ACCOUNT(
			"a", ",'parentId':'g'") "," ACCOUNT("b", "") ",{'id':'i','typeId':'aws/"
								     "compute/eip','label':'i',"
								     "'terraformName':'i'}";
	static const struct {
		const char *config, *a, *b, *i;
	} cases[] = {
		{NULL, "true", "nothing", "nothing"},
		{"{'region':'uksouth'}", "true", "true", "nothing"},
		{"{'region':'eastus'}", "true", "nothing", "nothing"},
		{"{'cost':{'priceRegion':'eastus'}}", "nothing", "nothing", "nothing"},
		{"{'cost':{'priceRegion':'eu-west-1'}}", "true", "nothing", "true"},
		{"{'providers':{'aws':{'region':'eu-central-1'}}}", "true", "nothing", "true"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_studio_value_kit kit;
		struct answer answer;

		tn_studio_value_kit_init(&kit, nodes, cases[i].config, NULL);
		answer = estimate(&kit, NULL, &everything);
		assert_string_equal(at(&answer, "estimates.a.approximate"), cases[i].a);
		assert_string_equal(at(&answer, "estimates.b.approximate"), cases[i].b);
		assert_string_equal(at(&answer, "estimates.i.approximate"), cases[i].i);
		assert_string_equal(at(&answer, "estimates.a.monthly"), "4.84");
		tn_studio_value_kit_finish(&kit);
	}
}

/* What if: nothing is stored, keys and ranges are checked. */
static void test_what_if(void **state)
{
	struct tn_studio_value_kit kit;
	struct tn_studio_cost_options options = {.node_ids = NULL};
	struct answer answer;

	(void)state;
	tn_studio_value_kit_init(&kit, ACCOUNT("a", "") "," ACCOUNT("b", ""), NULL,
				 "{'formatVersion':1,'usage':{'a':{'storage_gb':200}}}");
	options.what_if = tn_studio_value_kit_json(&kit, "{'a':{'storage_gb':250}}");
	answer = estimate(&kit, NULL, &options);
	assert_string_equal(at(&answer, "estimates.a.monthly"), "7.6");
	assert_string_equal(at(&answer, "estimates.b.usage"), "{\"storage_gb\":100}");
	answer = estimate(&kit, NULL, &everything);
	assert_string_equal(at(&answer, "estimates.a.usage"), "{\"storage_gb\":200}");
	options.what_if = tn_studio_value_kit_json(&kit, "{'a':{'storage_tb':1}}");
	answer = estimate(&kit, NULL, &options);
	assert_false(answer.right);
	assert_string_equal(answer.fault.code, "INVALID_INPUT");
	assert_non_null(strstr(answer.fault.message, "storage_gb"));
	options.what_if = tn_studio_value_kit_json(&kit, "{'a':{'storage_gb':0}}");
	assert_false(estimate(&kit, NULL, &options).right);
	options.what_if = tn_studio_value_kit_json(&kit, "{'c':{'storage_gb':1}}");
	answer = estimate(&kit, NULL, &options);
	assert_string_equal(answer.fault.code, "NOT_FOUND");
	options.what_if = NULL;
	options.node_ids = tn_studio_value_kit_json(&kit, "['b']");
	answer = estimate(&kit, NULL, &options);
	assert_string_equal(at(&answer, "estimates.a"), "nothing");
	assert_string_equal(at(&answer, "total.monthly"), "4.84");
	options.node_ids = tn_studio_value_kit_json(&kit, "['b','z']");
	assert_string_equal(estimate(&kit, NULL, &options).fault.code, "NOT_FOUND");
	tn_studio_value_kit_finish(&kit);
}

/* 11.3: subtotals, and the budget. */
static void test_groups_and_budget(void **state)
{
	struct tn_studio_value_kit kit;
	struct tn_studio_cost_options options = {.group_by = TN_STUDIO_BY_GROUP};
	struct answer answer;

	(void)state;
	tn_studio_value_kit_init(
		&kit,
		"{'id':'g','typeId':'azurerm/core/resource_group','label':'shop','terraformName':"
		"'g'}," ACCOUNT("a", ",'parentId':'g'") "," ACCOUNT(
			"b", "") ",{'id':'i','typeId':'aws/compute/"
				 "eip','label':'i','terraformName':'i'}",
		NULL, "{'formatVersion':1,'usage':{},'budget':10}");
	answer = estimate(&kit, NULL, &options);
	assert_string_equal(at(&answer, "groups.0"),
			    "{\"id\":\"g\",\"label\":\"shop\",\"monthly\":4.84,\"complete\":true,"
			    "\"resources\":2}");
	assert_string_equal(at(&answer, "groups.1"),
			    "{\"id\":null,\"label\":\"without a group\",\"monthly\":8.49,"
			    "\"complete\":true,\"resources\":2}");
	assert_string_equal(at(&answer, "total.monthly"), "13.33");
	assert_string_equal(at(&answer, "total.overBudget"), "true");
	options.group_by = TN_STUDIO_BY_PROVIDER;
	answer = estimate(&kit, NULL, &options);
	assert_string_equal(at(&answer, "groups.0.label"), "\"Azure Resource Manager\"");
	assert_string_equal(at(&answer, "groups.1.monthly"), "3.65");
	options.group_by = TN_STUDIO_BY_CATEGORY;
	answer = estimate(&kit, NULL, &options);
	assert_string_equal(at(&answer, "groups.1.label"), "\"Storage\"");
	options.group_by = TN_STUDIO_BY_MODULE;
	answer = estimate(&kit, NULL, &options);
	assert_string_equal(at(&answer, "groups.0.label"), "\"root\"");
	tn_studio_value_kit_finish(&kit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reference_cases),
		cmocka_unit_test(test_every_priced_type),
		cmocka_unit_test(test_unknown_is_never_zero),
		cmocka_unit_test(test_regions),
		cmocka_unit_test(test_what_if),
		cmocka_unit_test(test_groups_and_budget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
