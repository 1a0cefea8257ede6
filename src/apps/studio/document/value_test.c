#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/studio/document/node_name.h"
#include "apps/studio/document/value_test_kit.h"
#include "apps/studio/registry/property_check.h"
#include "base/size.h"
#include "jsonrpc/json_make.h"
#include "jsonrpc/json_write.h"

static struct tn_studio_scope scope_of(struct tn_studio_value_kit *kit, const char *node)
{
	return tn_studio_scope_of(&kit->document,
				  tn_studio_node_find(&kit->document, tn_str_from(node)),
				  &kit->arena);
}

static const struct tn_studio_property *property_of(struct tn_studio_value_kit *kit,
						    const char *node, const char *key)
{
	const struct tn_studio_property *property = tn_studio_property_find(
		tn_studio_node_find(&kit->document, tn_str_from(node))->type, tn_str_from(key));

	assert_non_null(property);
	return property;
}

/* studio.md 5.5: stored, then by another property, then the default, then unset. */
static void test_effective_values(void **state)
{
	struct tn_studio_value_kit kit;

	(void)state;
	tn_studio_value_kit_init(&kit,
				 "{'id':'a','typeId':'azurerm/compute/"
				 "virtual_machine','label':'a','terraformName':'a'}"
				 ","
				 "{'id':'b','typeId':'azurerm/compute/"
				 "virtual_machine','label':'b','terraformName':'b','properties':{'"
				 "os_type':'windows','image_sku':'own','size':null}}",
				 NULL, NULL);
	assert_string_equal(tn_studio_value_kit_text(&kit, "a", "image_publisher"),
			    "\"Canonical\"");
	assert_string_equal(tn_studio_value_kit_text(&kit, "b", "image_publisher"),
			    "\"MicrosoftWindowsServer\"");
	assert_string_equal(tn_studio_value_kit_text(&kit, "b", "image_sku"), "\"own\"");
	assert_string_equal(tn_studio_value_kit_text(&kit, "b", "size"),
			    tn_studio_value_kit_text(&kit, "a", "size"));
	assert_string_equal(tn_studio_value_kit_text(&kit, "a", "no_such_key"), "unset");
	tn_studio_value_kit_finish(&kit);
}

/* studio.md 5.2: the terraform type by a property. Appendix C 2. */
static void test_terraform_type(void **state)
{
	struct tn_studio_value_kit kit;
	struct tn_studio_scope a, b, c;

	(void)state;
	tn_studio_value_kit_init(
		&kit,
		"{'id':'a','typeId':'azurerm/compute/"
		"virtual_machine','label':'a','terraformName':'a'}"
		","
		"{'id':'b','typeId':'azurerm/compute/"
		"virtual_machine','label':'b','terraformName':'b','properties':{'os_type':'windows'"
		"}}"
		","
		"{'id':'c','typeId':'azurerm/core/subscription','label':'c','terraformName':'c'}",
		NULL, NULL);
	a = scope_of(&kit, "a");
	b = scope_of(&kit, "b");
	c = scope_of(&kit, "c");
	assert_true(tn_str_is(tn_studio_terraform_type(&a), "azurerm_linux_virtual_machine"));
	assert_true(tn_str_is(tn_studio_terraform_type(&b), "azurerm_windows_virtual_machine"));
	assert_int_equal(tn_studio_terraform_type(&c).size, 0);
	tn_studio_value_kit_finish(&kit);
}

/* studio.md 5.4: every operator on a value, on none, and on one that comes later. */
static const struct {
	const char *condition;
	bool holds;
} conditions[] = {
	{"{'prop':'os_type','is':'linux'}", true},
	{"{'prop':'os_type','is':'windows'}", false},
	{"{'prop':'os_type','not':'windows'}", true},
	{"{'prop':'os_type','in':['windows','linux']}", true},
	{"{'prop':'os_type','in':[]}", false},
	{"{'prop':'os_type','notIn':['windows']}", true},
	{"{'prop':'os_type','notIn':['linux']}", false},
	{"{'prop':'os_type','startsWith':'lin'}", true},
	{"{'prop':'os_type','startsWith':'win'}", false},
	{"{'prop':'custom_data','startsWith':'x'}", false},
	{"{'prop':'os_disk_size_gb','startsWith':'6'}", false},
	{"{'prop':'os_type','set':true}", true},
	{"{'prop':'os_type','set':false}", false},
	{"{'prop':'os_type','truthy':true}", true},
	/* unset */
	{"{'prop':'custom_data','set':true}", false},
	{"{'prop':'custom_data','set':false}", true},
	{"{'prop':'custom_data','truthy':true}", false},
	{"{'prop':'custom_data','truthy':false}", true},
	{"{'prop':'custom_data','is':false}", false},
	{"{'prop':'custom_data','is':null}", true},
	{"{'prop':'custom_data','not':'x'}", true},
	{"{'prop':'nothing','set':true}", false},
	/* in variable mode it counts as there */
	{"{'prop':'admin_username','set':true}", true},
	{"{'prop':'admin_username','truthy':true}", true},
	{"{'prop':'admin_username','is':'azureuser'}", true},
	/* numbers */
	{"{'prop':'os_disk_size_gb','is':64.0}", true},
	{"{'prop':'os_disk_size_gb','in':[30,64]}", true},
	/* together */
	{"{'all':[]}", true},
	{"{'any':[]}", false},
	{"{'none':[]}", true},
	{"{'all':[{'prop':'os_type','set':true},{'prop':'custom_data','set':true}]}", false},
	{"{'any':[{'prop':'os_type','set':true},{'prop':'custom_data','set':true}]}", true},
	{"{'none':[{'prop':'os_type','set':true},{'prop':'custom_data','set':true}]}", false},
	{"{'none':[{'prop':'custom_data','set':true}]}", true},
	/* references */
	{"{'ref':'subnet_id'}", true},
	{"{'ref':'nsg_id'}", false},
	{"{'ref':'nothing'}", false},
};

static void test_conditions(void **state)
{
	struct tn_studio_value_kit kit;
	struct tn_studio_scope scope;

	(void)state;
	tn_studio_value_kit_init(
		&kit,
		"{'id':'n','typeId':'azurerm/networking/"
		"virtual_network','label':'n','terraformName':'n'}"
		","
		"{'id':'s','typeId':'azurerm/networking/"
		"subnet','label':'s','terraformName':'s','parentId':'n'}"
		","
		"{'id':'a','typeId':'azurerm/compute/"
		"virtual_machine','label':'a','terraformName':'a','parentId':'s','properties':{'os_"
		"disk_size_gb':64},'variableModes':{'admin_username':'variable'}}",
		NULL, NULL);
	scope = scope_of(&kit, "a");
	for (size_t i = 0; i < TN_COUNT(conditions); i++) {
		if (tn_studio_condition_holds(
			    &scope, tn_studio_value_kit_json(&kit, conditions[i].condition)) !=
		    conditions[i].holds)
			fail_msg("%s", conditions[i].condition);
	}
	assert_true(tn_studio_condition_holds(&scope, NULL));
	tn_studio_value_kit_finish(&kit);
}

/* `item`: a field, its default, the element itself. */
static void test_items(void **state)
{
	struct tn_studio_value_kit kit;
	struct tn_studio_scope scope;
	const struct tn_studio_property *rules;

	(void)state;
	tn_studio_value_kit_init(&kit,
				 "{'id':'g','typeId':'azurerm/networking/"
				 "network_security_group','label':'g','terraformName':'g'}",
				 NULL, NULL);
	scope = scope_of(&kit, "g");
	rules = property_of(&kit, "g", "security_rules");
	scope.item = tn_studio_value_kit_json(&kit, "{'name':'web','priority':100}");
	scope.item_fields = rules->fields;
	scope.item_field_count = rules->field_count;
	assert_true(tn_studio_condition_holds(
		&scope, tn_studio_value_kit_json(&kit, "{'item':'name','is':'web'}")));
	assert_true(tn_studio_condition_holds(
		&scope, tn_studio_value_kit_json(&kit, "{'item':'source_port_range','is':'*'}")));
	assert_true(tn_studio_condition_holds(
		&scope, tn_studio_value_kit_json(&kit, "{'item':'direction','set':false}")));
	scope.item = tn_studio_value_kit_json(&kit, "'x'");
	assert_true(tn_studio_condition_holds(
		&scope, tn_studio_value_kit_json(&kit, "{'item':'','is':'x'}")));
	tn_studio_value_kit_finish(&kit);
}

/* ---- all conditions of the catalogue ---- */

static size_t evaluated, held;

static void walk(struct tn_studio_value_kit *kit, const struct tn_studio_scope *scope,
		 const struct tn_json *value)
{
	static const char *const names[] = {"if", "eachIf", "visibleWhen", "requiredWhen"};

	if (value->type != TN_JSON_OBJECT && value->type != TN_JSON_ARRAY)
		return;
	for (const struct tn_json *m = value->first; m; m = m->next) {
		for (size_t i = 0; value->type == TN_JSON_OBJECT && i < TN_COUNT(names); i++) {
			if (tn_str_is(m->key, names[i])) {
				evaluated++;
				held += tn_studio_condition_holds(scope, m);
			}
		}
		walk(kit, scope, m);
	}
}

static void test_catalogue_conditions(void **state)
{
	struct tn_studio_value_kit kit;
	struct tn_buf nodes;

	(void)state;
	/* One node of each type, with its defaults. */
	tn_studio_value_kit_init(&kit, "", NULL, NULL);
	tn_buf_init(&nodes, TN_MIB);
	for (size_t i = 0; i < kit.registry->type_count; i++)
		tn_buf_format(
			&nodes,
			"%s{'id':'n%zu','typeId':'%.*s','label':'n%zu','terraformName':'n%zu'}",
			i > 0 ? "," : "", i, (int)kit.registry->types[i]->id.size,
			kit.registry->types[i]->id.data, i, i);
	tn_buf_append_byte(&nodes, '\0');
	tn_studio_value_kit_finish(&kit);
	tn_studio_value_kit_init(&kit, nodes.data, NULL, NULL);
	tn_buf_finish(&nodes);
	assert_int_equal(kit.document.node_count, 119);
	for (size_t i = 0; i < kit.document.node_count; i++) {
		const struct tn_studio_node *node = kit.document.nodes[i];
		struct tn_studio_scope scope = tn_studio_scope_of(&kit.document, node, &kit.arena);

		walk(&kit, &scope, node->type->source);
		for (size_t p = 0; p < node->type->property_count; p++) {
			const struct tn_studio_property *property = &node->type->properties[p];

			(void)tn_studio_is_visible(&scope, property);
			(void)tn_studio_is_required(&scope, property);
			/* Top level: no endpoint arises. */
			if (property->implicit)
				assert_false(tn_studio_is_visible(&scope, property));
		}
	}
	/* 123 visibleWhen, 53 requiredWhen and the `if` of templates and meters. */
	assert_in_range(evaluated, 250, 2000);
	assert_in_range(held, evaluated / 10, evaluated * 9 / 10);
	tn_studio_value_kit_finish(&kit);
}

/* Appendix C 11: each property of the catalogue can be made visible. */
static void test_visibility_is_reachable(void **state)
{
	struct tn_studio_value_kit kit;
	struct tn_studio_scope scope;

	(void)state;
	tn_studio_value_kit_init(
		&kit,
		"{'id':'a','typeId':'azurerm/networking/firewall','label':'a','terraformName':'a'}"
		","
		"{'id':'b','typeId':'azurerm/networking/"
		"virtual_network_gateway','label':'b','terraformName':'b','properties':{'type':'"
		"Vpn','vpn_client_enabled':true}}",
		NULL, NULL);
	scope = scope_of(&kit, "b");
	assert_true(tn_studio_is_visible(&scope, property_of(&kit, "b", "vpn_client_protocols")));
	assert_true(
		tn_studio_is_required(&scope, property_of(&kit, "b", "vpn_client_address_pool")));
	tn_studio_value_kit_finish(&kit);
}

/* studio.md 5.5: visible only if the property named there is visible as well. */
static void test_visibility_chain(void **state)
{
	struct tn_studio_value_kit kit;
	struct tn_studio_scope on, off;

	(void)state;
	tn_studio_value_kit_init(
		&kit,
		"{'id':'n','typeId':'azurerm/networking/"
		"virtual_network','label':'n','terraformName':'n'}"
		","
		"{'id':'s','typeId':'azurerm/networking/"
		"subnet','label':'s','terraformName':'s','parentId':'n'}"
		","
		"{'id':'v','typeId':'azurerm/security/"
		"key_vault','label':'v','terraformName':'v','parentId':'s'}"
		","
		"{'id':'w','typeId':'azurerm/security/key_vault','label':'w','terraformName':'w'}",
		NULL, NULL);
	on = scope_of(&kit, "v");
	off = scope_of(&kit, "w");
	/* studio.md 8.6: implicit ones are there only in a subnet. */
	assert_true(tn_studio_is_visible(&on, property_of(&kit, "v", "pep_subresources")));
	assert_true(tn_studio_is_visible(&on, property_of(&kit, "v", "pep_dns_zone_id")));
	assert_false(tn_studio_is_visible(&off, property_of(&kit, "w", "pep_subresources")));
	assert_string_equal(tn_studio_value_kit_text(&kit, "v", "pep_subresources"), "[\"vault\"]");
	tn_studio_value_kit_finish(&kit);
}

/* ST-044: explicit beats parent; only the parents named count; annotations are transparent. */
static void test_references(void **state)
{
	struct tn_studio_value_kit kit;
	const struct tn_studio_node *targets[2], *cluster;
	bool implied = false;

	(void)state;
	tn_studio_value_kit_init(
		&kit,
		"{'id':'g','typeId':'azurerm/core/resource_group','label':'g','terraformName':'g'}"
		","
		"{'id':'n','typeId':'azurerm/networking/"
		"virtual_network','label':'n','terraformName':'n','parentId':'g'}"
		","
		"{'id':'r','typeId':'_annotation/general/"
		"region','label':'r','terraformName':'r','parentId':'n'}"
		","
		"{'id':'s','typeId':'azurerm/networking/"
		"subnet','label':'s','terraformName':'s','parentId':'r'}"
		","
		"{'id':'t','typeId':'azurerm/networking/"
		"subnet','label':'t','terraformName':'t','parentId':'n'}"
		","
		"{'id':'k','typeId':'azurerm/containers/"
		"kubernetes_cluster','label':'k','terraformName':'k','parentId':'s'}"
		","
		"{'id':'l','typeId':'azurerm/containers/"
		"kubernetes_cluster','label':'l','terraformName':'l','parentId':'s','references':{'"
		"vnet_subnet_id':'t'}}"
		","
		"{'id':'m','typeId':'azurerm/containers/"
		"kubernetes_cluster','label':'m','terraformName':'m','parentId':'g'}",
		NULL, NULL);
	cluster = tn_studio_node_find(&kit.document, TN_STR("k"));
	assert_int_equal(tn_studio_references(&kit.document, cluster,
					      property_of(&kit, "k", "vnet_subnet_id"), targets, 2,
					      &implied),
			 1);
	assert_true(implied);
	assert_true(tn_str_is(targets[0]->id, "s"));
	cluster = tn_studio_node_find(&kit.document, TN_STR("l"));
	assert_int_equal(tn_studio_references(&kit.document, cluster,
					      property_of(&kit, "l", "vnet_subnet_id"), targets, 2,
					      &implied),
			 1);
	assert_false(implied);
	assert_true(tn_str_is(targets[0]->id, "t"));
	/* Appendix C 5: a group is no subnet. */
	cluster = tn_studio_node_find(&kit.document, TN_STR("m"));
	assert_null(tn_studio_reference(&kit.document, cluster, TN_STR("vnet_subnet_id")));
	/* A key that only the parent implies. */
	assert_true(tn_str_is(tn_studio_reference(&kit.document,
						  tn_studio_node_find(&kit.document, TN_STR("s")),
						  TN_STR("virtual_network_name"))
				      ->id,
			      "n"));
	tn_studio_value_kit_finish(&kit);
}

/* studio.md 8.4, 5.5: sensitive ones always; switches that only steer visibility never. */
static void test_variables(void **state)
{
	struct tn_studio_value_kit kit;
	struct tn_studio_scope scope;

	(void)state;
	tn_studio_value_kit_init(&kit,
				 "{'id':'a','typeId':'azurerm/networking/"
				 "subnet','label':'a','terraformName':'a','variableModes':{'"
				 "address_prefixes':'variable','nsg_enabled':'variable'}}"
				 ","
				 "{'id':'b','typeId':'azurerm/database/"
				 "mssql_server','label':'b','terraformName':'b'}",
				 NULL, NULL);
	scope = scope_of(&kit, "a");
	assert_true(tn_studio_is_variable(&scope, property_of(&kit, "a", "address_prefixes")));
	assert_false(tn_studio_is_variable(&scope, property_of(&kit, "a", "nsg_enabled")));
	assert_false(tn_studio_is_variable(&scope, property_of(&kit, "a", "service_endpoints")));
	scope = scope_of(&kit, "b");
	assert_true(tn_studio_is_variable(&scope,
					  property_of(&kit, "b", "administrator_login_password")));
	tn_studio_value_kit_finish(&kit);
}

/* ST-048, ST-049: the contract's example, and each rule of it alone. */
static void test_names(void **state)
{
	static const struct {
		const char *naming, *group, *vault, *account;
	} cases[] = {
		{"'template':'{org}-{type}-{env}-{region}-{name}'",
		 "'location':'eastus2','naming_env':'prod'", "kv-prod-eus2-LogsArchiveLongName",
		 "stprodeus2logsarchivelon"},
		{"'template':'{type}-{region}-{name}','region':''", "'location':'nowhere'",
		 "kv-LogsArchiveLongName", "stlogsarchivelongname"},
		{"'template':'{region}{type}.{org}_{name}','region':'x','org':''",
		 "'location':'nowhere'", "xkv_LogsArchiveLongName", "xst_logsarchivelongname"},
		{"'template':'{name}-{org}','org':'acme'", "'location':'eastus'",
		 "LogsArchiveLongName-acme", "logsarchivelongnameacme"},
		{"'template':'{org}.{name}{region}','region':'w'", "'location':'nowhere'",
		 "LogsArchiveLongNamew", "logsarchivelongnamew"},
		{"'template':'{env}-{name}','env':''", "'location':'eastus','naming_env':''",
		 "-LogsArchiveLongName", "logsarchivelongname"},
		{"'template':'{foo}{name}'", "'location':'eastus'", "{foo}LogsArchiveLongName",
		 "{foo}logsarchivelongname"},
		{"'template':'{env}-{name}'", "'location':'eastus'", "dev-LogsArchiveLongName",
		 "devlogsarchivelongname"}, /* dev is the default (config.c) */
		{"'env':'dev'", "'location':'westeurope'", NULL, "stdevweulogsarchivelongn"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		char nodes[1000], config[300], expected[100];
		struct tn_studio_value_kit kit;

		(void)snprintf(nodes, sizeof(nodes),
			       "{'id':'g','typeId':'azurerm/core/resource_group','label':'g',"
			       "'terraformName':'g','properties':{%s}},"
			       "{'id':'s','typeId':'azurerm/storage/"
			       "storage_account','label':'s','terraformName':'s','parentId':'g','"
			       "slug':'LogsArchiveLongName'}"
			       ","
			       "{'id':'v','typeId':'azurerm/monitoring/"
			       "action_group','label':'v','terraformName':'v','parentId':'g','slug'"
			       ":'LogsArchiveLongName'}",
			       cases[i].group);
		(void)snprintf(config, sizeof(config), "{'naming':{'enabled':true,%s}}",
			       cases[i].naming);
		tn_studio_value_kit_init(&kit, nodes, config, NULL);
		(void)snprintf(expected, sizeof(expected), "\"%s\"", cases[i].account);
		assert_string_equal(tn_studio_value_kit_text(&kit, "s", "name"), expected);
		if (cases[i].vault) {
			char *kv = strstr(cases[i].vault, "kv");

			/* The abbreviation of an action group is ag. */
			(void)snprintf(expected, sizeof(expected), "\"%.*s%s%s\"",
				       kv ? (int)(kv - cases[i].vault) : 0, cases[i].vault,
				       kv ? "ag" : "", kv ? kv + 2 : cases[i].vault);
			assert_string_equal(tn_studio_value_kit_text(&kit, "v", "name"), expected);
		}
		tn_studio_value_kit_finish(&kit);
	}
}

static void test_names_off(void **state)
{
	struct tn_studio_value_kit kit;

	(void)state;
	/* Off; without a slug; a type without an abbreviation. */
	tn_studio_value_kit_init(
		&kit,
		"{'id':'g','typeId':'azurerm/core/resource_group','label':'g','terraformName':'g'}"
		","
		"{'id':'s','typeId':'azurerm/storage/"
		"storage_account','label':'s','terraformName':'s','parentId':'g','slug':'x'}",
		"{'naming':{'enabled':false}}", NULL);
	assert_string_equal(tn_studio_value_kit_text(&kit, "s", "name"), "unset");
	tn_studio_value_kit_finish(&kit);
	tn_studio_value_kit_init(
		&kit,
		"{'id':'a','typeId':'azurerm/storage/"
		"storage_account','label':'a','terraformName':'a','properties':{'name':'own'}}"
		","
		"{'id':'b','typeId':'aws/networking/"
		"vpc','label':'b','terraformName':'b','slug':'x','properties':{'name':'lit'}}",
		"{'naming':{'enabled':true,'template':'{type}-{name}'}}", NULL);
	assert_string_equal(tn_studio_value_kit_text(&kit, "a", "name"), "\"own\"");
	assert_string_equal(tn_studio_value_kit_text(&kit, "b", "name"), "\"lit\"");
	tn_studio_value_kit_finish(&kit);
}

static bool none_is_taken(const void *data, struct tn_str name)
{
	(void)data;
	(void)name;
	return false;
}

/* 6.2 step 4: what a type is called without a name of its own, and where there is one already. */
static void expect_own_name(const struct tn_studio_type *type,
			    const struct tn_studio_property *property, const char *label,
			    struct tn_arena *arena)
{
	char name[TN_STUDIO_NAME_SIZE], text[256], why[256];
	const struct tn_json *fits;

	tn_studio_derive_name(tn_str_from(label), type->id, none_is_taken, NULL, name);
	tn_studio_derive_plain_name(type, tn_str_from(name), text, sizeof(text));
	if (!tn_studio_check_value(property, tn_json_make_str(arena, tn_str_from(text)), arena,
				   &fits, why, sizeof(why)))
		fail_msg("%.*s: %s", (int)type->id.size, type->id.data, why);
}

/* As few characters as it says are enough. */
static void expect_shortest(const struct tn_studio_type *type,
			    const struct tn_studio_property *property, struct tn_arena *arena)
{
	static const char *const shortest[] = {"aaaaaaaaaaaaaaaaaaaa", "/aaaaaaaaaaaaaaaaaaa",
					       "a.aaaaaaaaaaaaaaaaaa", "11111111111111111111"};
	size_t size = property->min_length > 0 ? (size_t)property->min_length : 1;
	const struct tn_json *fits;

	for (size_t i = 0; size <= 20 && i < TN_COUNT(shortest); i++) {
		if (tn_studio_check_value(property,
					  tn_json_make_str(arena, tn_str(shortest[i], size)), arena,
					  &fits, NULL, 0))
			return;
	}
	fail_msg("%.*s %.*s: nothing of %zu characters fits its pattern", (int)type->id.size,
		 type->id.data, (int)property->key.size, property->key.data, size);
}

static void test_own_names_follow_own_rules(void **state)
{
	struct tn_studio_value_kit kit;

	(void)state;
	tn_studio_value_kit_init(&kit, "", NULL, NULL);
	for (size_t i = 0; i < kit.registry->type_count; i++) {
		const struct tn_studio_type *type = kit.registry->types[i];

		for (size_t p = 0; p < type->property_count; p++) {
			const struct tn_studio_property *property = &type->properties[p];
			char second[128];

			if (property->type != TN_STUDIO_STRING)
				continue;
			if (property->min_length > 0)
				expect_shortest(type, property, &kit.arena);
			if (!tn_str_is(property->key, "name") || !property->required ||
			    property->default_value || property->default_by)
				continue;
			(void)snprintf(second, sizeof(second), "%.*s 2",
				       (int)type->display_name.size, type->display_name.data);
			expect_own_name(type, property, second, &kit.arena);
			second[type->display_name.size] = '\0';
			expect_own_name(type, property, second, &kit.arena);
		}
	}
	tn_studio_value_kit_finish(&kit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_effective_values),
		cmocka_unit_test(test_terraform_type),
		cmocka_unit_test(test_conditions),
		cmocka_unit_test(test_items),
		cmocka_unit_test(test_catalogue_conditions),
		cmocka_unit_test(test_visibility_is_reachable),
		cmocka_unit_test(test_visibility_chain),
		cmocka_unit_test(test_references),
		cmocka_unit_test(test_variables),
		cmocka_unit_test(test_own_names_follow_own_rules),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_names_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
