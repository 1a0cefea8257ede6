/* From the diagram to configuration: studio.md section 8, file by file. That all of it parses and
 * is formatted is checked for every type by generate_facts_test.c and tests/studio/hcl_check.mjs.
 */
#include "apps/studio/generate/generate_words_kit.h"

#include <stdlib.h>

/* studio.md 8.1, 8.2, ST-072: which files there are, what is in each, in which order. */
static void test_files(void **state)
{
	struct tn_studio_gen_kit *kit = *state;
	RUN(kit, "{}", "");
	assert_int_equal(kit->generated.file_count, 2);
	assert_file(kit, "terraform.tf", HEAD "terraform {\n  required_version = \">= 1.5\"\n}\n");
	assert_file(kit, "locals.tf", HEAD "locals {\n  common_tags = {}\n}\n");
	RUN(kit, "{'tags':{'managed_by':'tenon','a':1}}", GROUP, NET,
	    SUBNET("sn",
		   ",'enabledOutputs':['id'],'variableModes':{'address_prefixes':'variable'}"));
	static const char *const names[] = {
		"terraform.tf", "providers.tf", "main.tf",          "variables.tf",
		"outputs.tf",   "locals.tf",    "terraform.tfvars", "terraform.tfvars.example"};
	assert_int_equal(kit->generated.file_count, 8);
	for (size_t i = 0; i < 8; i++)
		assert_true(tn_str_is(kit->generated.files[i].name, names[i]));
	assert_file(kit, "main.tf",
		    HEAD "resource \"azurerm_resource_group\" \"rg\" {\n"
			 "  name     = \"rg-a\"\n  location = \"westeurope\"\n\n"
			 "  tags = local.common_tags\n}\n\n"
			 "resource \"azurerm_virtual_network\" \"net\" {\n"
			 "  name                = \"vnet-a\"\n"
			 "  resource_group_name = azurerm_resource_group.rg.name\n"
			 "  location            = azurerm_resource_group.rg.location\n"
			 "  address_space       = [\"10.0.0.0/16\"]\n\n"
			 "  tags = local.common_tags\n}\n\n"
			 "resource \"azurerm_subnet\" \"sn\" {\n"
			 "  resource_group_name  = azurerm_resource_group.rg.name\n"
			 "  virtual_network_name = azurerm_virtual_network.net.name\n"
			 "  address_prefixes     = var.sn_address_prefixes\n}\n");
	assert_file(kit, "locals.tf",
		    HEAD "locals {\n  common_tags = {\n    managed_by = \"tenon\"\n"
			 "    a          = 1\n  }\n}\n");
	assert_file(kit, "outputs.tf",
		    HEAD "output \"sn_id\" {\n  value = azurerm_subnet.sn.id\n}\n");
	assert_file(kit, "terraform.tfvars", HEAD "sn_address_prefixes = [\"10.0.1.0/24\"]\n");
}

/* ---- order (8.2) ---- */

static void test_order(void **state)
{
	struct tn_studio_gen_kit *kit = *state;
	RUN(kit, "{}", SUBNET("b", ""), NODE("pip", "azurerm/networking/public_ip", IN("rg"), ""),
	    NET, SUBNET("a", ""), GROUP);
	struct tn_str main = tn_studio_gen_kit_file(kit, "main.tf");
	size_t at[5] = {tn_str_find(main, TN_STR("\"rg\" {")),
			tn_str_find(main, TN_STR("\"pip\" {")),
			tn_str_find(main, TN_STR("\"net\" {")),
			tn_str_find(main, TN_STR("\"b\" {")), tn_str_find(main, TN_STR("\"a\" {"))};
	for (size_t i = 0; i + 1 < 5; i++)
		assert_true(at[i] < at[i + 1] && at[i + 1] != TN_STR_NONE);
	assert_null(kit->list.first);
}

/* REFERENCE_CYCLE: the nodes in order, and everything is printed all the same. */
static void test_cycle(void **state)
{
	struct tn_studio_gen_kit *kit = *state;
	RUN(kit, "{}", NODE("x", "builtin/core/data", "", ",'references':{'source':'y'}"),
	    NODE("y", "builtin/core/data", "", ",'references':{'source':'z'}"),
	    NODE("z", "builtin/core/data", "", ",'references':{'source':'x'}"),
	    NODE("behind", "builtin/core/data", "", ",'references':{'source':'x'}"),
	    NODE("free", "builtin/core/data", "", ""));
	const struct tn_studio_diagnostic *told = tn_studio_gen_kit_told(kit, "REFERENCE_CYCLE", 0);
	assert_non_null(told);
	assert_true(tn_str_is(told->node_id, "x"));
	assert_true(tn_str_find(told->message,
				TN_STR("'x label' -> 'y label' -> 'z label' -> 'x label'")) !=
		    TN_STR_NONE);
	assert_null(tn_studio_gen_kit_told(kit, "REFERENCE_CYCLE", 1));
	assert_true(has(kit, "main.tf", "\"x\" {") && has(kit, "main.tf", "\"y\" {") &&
		    has(kit, "main.tf", "\"z\" {") && has(kit, "main.tf", "\"behind\" {") &&
		    has(kit, "main.tf", "\"free\" {"));
}

/* ---- providers (8.8) ---- */

#define SUBSCRIPTION(id, name)                      \
	NODE(id, "azurerm/core/subscription", "",   \
	     ",'properties':{'display_name':'" name \
	     "','subscription_id':'00000000-0000-0000-0000-000000000001'}")
#define GROUP_IN(id, parent) \
	NODE(id, "azurerm/core/resource_group", parent, ",'properties':{'name':'" id "'}")

static void test_one_subscription(void **state)
{
	struct tn_studio_gen_kit *kit = *state;
	RUN(kit, "{}", SUBSCRIPTION("s1", "Prod"), GROUP_IN("a", IN("s1")));
	assert_file(kit, "providers.tf",
		    HEAD "provider \"azurerm\" {\n"
			 "  subscription_id = \"00000000-0000-0000-0000-000000000001\"\n\n"
			 "  features {}\n}\n");
	assert_false(has(kit, "main.tf", "provider ="));
	RUN(kit,
	    "{'providers':{'azurerm':{'subscription_id':'0000ffff-0000-0000-0000-000000000001'}}}",
	    GROUP_IN("a", ""));
	assert_file(kit, "providers.tf",
		    HEAD
		    "provider \"azurerm\" {\n"
		    "  # subscription_id comes from ARM_SUBSCRIPTION_ID in the environment.\n\n"
		    "  features {}\n}\n");
	assert_int_equal(kit->generated.env_count, 1);
	assert_true(tn_str_is(kit->generated.env[0],
			      "ARM_SUBSCRIPTION_ID=0000ffff-0000-0000-0000-000000000001"));
}

static void test_aliases(void **state)
{
	static const char *const names[][2] = {{"Production EU", "production_eu"},
					       {"1st", "_1st"},
					       {"a--b__c", "a_b_c"},
					       {"Dev!", "dev"},
					       {"Gr\xC3\xB6\xC3\x9F"
						"e",
						"gr_e"},
					       {"${x}", "_x"},
					       {"\xE6\x97\xA5\xE6\x9C\xAC", "s1"}};
	struct tn_studio_gen_kit *kit = *state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char first[512], second[512], alias[128];
		(void)snprintf(first, sizeof(first), SUBSCRIPTION("s1", "%s"), names[i][0]);
		(void)snprintf(second, sizeof(second), SUBSCRIPTION("s2", "%s"), names[i][0]);
		RUN(kit, "{}", first, second, GROUP_IN("a", IN("s1")), GROUP_IN("b", IN("s2")));
		(void)snprintf(alias, sizeof(alias), "  alias = \"%s\"\n", names[i][1]);
		assert_true(has(kit, "providers.tf", alias));
		if (strcmp(names[i][1], "s1") == 0)
			continue; /* nothing of the name is left: the node's own name serves */
		(void)snprintf(alias, sizeof(alias), "  alias = \"%s_2\"\n", names[i][1]);
		assert_true(has(kit, "providers.tf", alias));
		(void)snprintf(alias, sizeof(alias), "{\n  provider = azurerm.%s_2\n\n  name",
			       names[i][1]);
		assert_true(has(kit, "main.tf", alias));
	}
	assert_null(tn_studio_gen_kit_told(kit, "MULTI_SUBSCRIPTION_ORPHAN", 0));
	assert_false(has(kit, "providers.tf", "provider \"azurerm\" {\n  #"));
}

static void test_orphan(void **state)
{
	struct tn_studio_gen_kit *kit = *state;
	RUN(kit, "{}", SUBSCRIPTION("s1", "a"), SUBSCRIPTION("s2", "b"), GROUP_IN("lost", ""));
	/* tn_studio_check tells of it (check_test.c), and not a second time here. */
	assert_null(tn_studio_gen_kit_told(kit, "MULTI_SUBSCRIPTION_ORPHAN", 0));
	assert_true(has(kit, "providers.tf", "provider \"azurerm\" {\n  #"));
}

/* The project's region is the default of providers that know it (4.3). */
static void test_region(void **state)
{
	struct tn_studio_gen_kit *kit = *state;
	const char *const bucket[] = {
		NODE("b", "aws/storage/s3_bucket", "", ",'properties':{'bucket':'x'}"), NULL};
	run(kit, "{'region':'eu-west-1'}", bucket);
	assert_true(has(kit, "providers.tf", "region = \"eu-west-1\""));
	run(kit, "{'region':'westeurope'}", bucket);
	assert_true(has(kit, "providers.tf", "region = \"us-east-1\""));
	run(kit, "{'region':'eu-west-1','providers':{'aws':{'region':'sa-east-1','profile':'p'}}}",
	    bucket);
	assert_true(has(kit, "providers.tf", "region  = \"sa-east-1\"\n  profile = \"p\"\n"));
}

/* ---- variables (8.4, ST-029) ---- */

static void test_variables(void **state)
{
	struct tn_studio_gen_kit *kit = *state;
	const char *const diagram[] = {
		GROUP, NET, SUBNET("sn", ""),
		NODE("vm", "azurerm/compute/virtual_machine", IN("sn"),
		     ",'properties':{'name':'vm','os_type':'windows','os_disk_size_gb':64,'admin_"
		     "password':'never-shown'},'variableModes':{'size':'variable','os_disk_size_gb'"
		     ":'variable','license_type':'variable','os_type':'variable'}"),
		NULL};
	run(kit, "{'variableValues':{'vm_size':'Big','gone':1,'vm_admin_password':'leak'}}",
	    diagram);
	assert_file(kit, "variables.tf",
		    HEAD "variable \"vm_size\" {\n"
			 "  description = \"Virtual Machine: Size\"\n  type        = string\n}\n\n"
			 "variable \"vm_admin_password\" {\n"
			 "  description = \"Virtual Machine: Admin password\"\n"
			 "  type        = string\n  sensitive   = true\n}\n\n"
			 "variable \"vm_license_type\" {\n"
			 "  description = \"Virtual Machine: License type\"\n"
			 "  type        = string\n}\n\n"
			 "variable \"vm_os_disk_size_gb\" {\n"
			 "  description = \"Virtual Machine: OS disk size GB\"\n"
			 "  type        = number\n}\n");
	assert_file(kit, "terraform.tfvars",
		    HEAD "vm_size            = \"Big\"\nvm_license_type    = null\n"
			 "vm_os_disk_size_gb = 64\n");
	assert_true(
		has(kit, "terraform.tfvars.example", "# vm_admin_password (string) is a secret"));
	for (size_t i = 0; i < kit->generated.file_count; i++)
		assert_true(tn_str_find(kit->generated.files[i].text, TN_STR("never-shown")) ==
				    TN_STR_NONE &&
			    tn_str_find(kit->generated.files[i].text, TN_STR("leak")) ==
				    TN_STR_NONE);
	const struct tn_studio_diagnostic *told = tn_studio_gen_kit_told(kit, "UNSET_VARIABLE", 0);
	assert_non_null(told);
	assert_true(tn_str_is(told->property, "admin_password"));
	assert_null(tn_studio_gen_kit_told(kit, "UNSET_VARIABLE", 1));
	told = tn_studio_gen_kit_told(kit, "UNUSED_VARIABLE_VALUE", 0);
	assert_true(told && tn_str_is(told->property, "gone"));
	assert_true(tn_studio_gen_kit_run(kit, "{'vm/admin_password':'x'}"));
	assert_null(tn_studio_gen_kit_told(kit, "UNSET_VARIABLE", 0));
	assert_int_equal(kit->generated.variable_count, 4);
	assert_true(kit->generated.variables[1].sensitive && kit->generated.variables[1].has_value);
	assert_true(has(kit, "main.tf", "\"azurerm_windows_virtual_machine\" \"vm\""));
}

/* Two nodes and properties whose variables would have one name. */
static void test_variable_names(void **state)
{
	struct tn_studio_gen_kit *kit = *state;
	RUN(kit, "{}",
	    NODE("a", "azurerm/core/resource_group", "",
		 ",'properties':{'name':'x','location':'l'},'variableModes':{'naming_env':'"
		 "variable','location':'variable'}"),
	    NODE("a_naming", "builtin/core/data", "",
		 ",'properties':{'input':'i'},'variableModes':{'input':'variable'}"));
	assert_true(has(kit, "main.tf", "location = var.a_location"));
	assert_true(has(kit, "main.tf", "input = var.a_naming_input"));
	/* `emit: never` cannot be a variable. */
	assert_false(has(kit, "variables.tf", "\"a_naming_env\""));
}

/* Secrets inside lists: a variable each, named by its element. */
static void test_item_secrets(void **state)
{
	struct tn_studio_gen_kit *kit = *state;
	RUN(kit, "{}", GROUP,
	    NODE("env", "azurerm/containers/container_app_environment", IN("rg"), ""),
	    NODE("app", "azurerm/containers/container_app", IN("env"),
		 ",'properties':{'name':'app','secrets':[{'name':'db-Pass','value':'seen'}]}"));
	assert_true(has(kit, "main.tf", "value = var.app_secret_db_pass"));
	assert_true(has(kit, "variables.tf", "variable \"app_secret_db_pass\""));
	assert_false(has(kit, "main.tf", "seen"));
	assert_non_null(tn_studio_gen_kit_told(kit, "UNSET_VARIABLE", 0));
}

/* ---- outputs, endpoints, bindings ---- */

/* studio.md 8.5 */
static void test_outputs(void **state)
{
	struct tn_studio_gen_kit *kit = *state;
	RUN(kit, "{}", SUBSCRIPTION("sub", "s"), GROUP,
	    NODE("st", "azurerm/storage/storage_account", IN("rg"),
		 ",'properties':{'name':'st'},'enabledOutputs':['primary_access_key','id','no_such'"
		 "]"));
	assert_file(kit, "outputs.tf",
		    HEAD "output \"st_primary_access_key\" {\n"
			 "  value     = azurerm_storage_account.st.primary_access_key\n"
			 "  sensitive = true\n}\n\n"
			 "output \"st_id\" {\n  value = azurerm_storage_account.st.id\n}\n");
}

/* studio.md 8.6 */
static void test_endpoints(void **state)
{
	struct tn_studio_gen_kit *kit = *state;
	RUN(kit, "{}", GROUP, NET, SUBNET("sn", ""),
	    NODE("zone", "azurerm/networking/private_dns_zone", IN("rg"), ""),
	    NODE("st", "azurerm/storage/storage_account", IN("sn"),
		 ",'properties':{'name':'st','pep_subresources':['blob','file']},'references':{'"
		 "pep_dns_zone_id':'zone'}"));
	assert_true(has(kit, "main.tf",
			"resource \"azurerm_private_endpoint\" \"pe_st_file\" {\n"
			"  name                = \"pe-st-file\"\n"
			"  resource_group_name = azurerm_resource_group.rg.name\n"
			"  location            = azurerm_resource_group.rg.location\n"
			"  subnet_id           = azurerm_subnet.sn.id\n\n"
			"  private_service_connection {\n"
			"    name                           = \"pe-st-file-psc\"\n"
			"    private_connection_resource_id = azurerm_storage_account.st.id\n"
			"    subresource_names              = [\"file\"]\n"
			"    is_manual_connection           = false\n  }\n\n"
			"  private_dns_zone_group {\n"
			"    name                 = \"pe-st-file-dns\"\n"
			"    private_dns_zone_ids = [azurerm_private_dns_zone.zone.id]\n  }\n\n"
			"  tags = local.common_tags\n}\n"));
	assert_true(has(kit, "main.tf", "\"pe_st_blob\" {"));
	const struct tn_studio_address *address = tn_studio_address_find(
		&kit->generated, TN_STR("azurerm_private_endpoint.pe_st_blob"));
	assert_true(address && !address->primary && tn_str_is(address->node->id, "st"));
	RUN(kit, "{}", GROUP, NODE("st", "azurerm/storage/storage_account", IN("rg"), ""));
	assert_false(has(kit, "main.tf", "private_endpoint"));
}

/* studio.md 5.9 */
static void test_binding(void **state)
{
	struct tn_studio_gen_kit *kit = *state;
	RUN(kit, "{}", GROUP,
	    NODE("kv", "azurerm/security/key_vault", IN("rg"), ",'properties':{'name':'kv'}"),
	    NODE("kv2", "azurerm/security/key_vault", IN("rg"), ""),
	    NODE("st", "azurerm/storage/storage_account", IN("rg"),
		 ",'properties':{'name':'store'},'enabledOutputs':['primary_access_key']"),
	    "@"
	    "{'id':'e','source':'st','sourceHandle':'out-primary_access_key','target':'kv','"
	    "targetHandle':'secret-in','category':'binding'}");
	assert_true(has(kit, "main.tf",
			"resource \"azurerm_key_vault_secret\" \"st_primary_access_key\" {\n"
			"  name         = \"store-primary-access-key\"\n"
			"  value        = azurerm_storage_account.st.primary_access_key\n"
			"  key_vault_id = azurerm_key_vault.kv.id\n}\n"));
	/* Both vaults ask for it; it is there once. */
	struct tn_str main = tn_studio_gen_kit_file(kit, "main.tf");
	struct tn_str data = TN_STR("data \"azurerm_client_config\" \"current\" {}\n");
	size_t at = tn_str_find(main, data);
	assert_true(at != TN_STR_NONE);
	assert_true(tn_str_find(tn_str_from_offset(main, at + data.size), data) == TN_STR_NONE);
}

/* ---- backend (9.2) ---- */

static void test_backend(void **state)
{
	struct tn_studio_gen_kit *kit = *state;
	RUN(kit,
	    "{'backend':{'type':'s3','config':{'bucket':'b','secret_key':'${s}','encrypt':true,'"
	    "assume_role':{'role_arn':'r'}}}}",
	    "");
	assert_true(has(kit, "terraform.tf",
			"  backend \"s3\" {\n    bucket  = \"b\"\n    encrypt = true\n"
			"    assume_role = {\n      role_arn = \"r\"\n    }\n  }\n"));
	assert_true(tn_str_is(kit->generated.backend_config, "secret_key = \"$${s}\"\n"));
	char *before = tn_arena_copy(&kit->arena, kit->generated.init_signature);
	char old[128];
	(void)snprintf(old, sizeof(old), "%s", before);
	RUN(kit, "{'backend':{'type':'local','config':{'path':'x'}}}", "");
	assert_false(has(kit, "terraform.tf", "backend"));
	assert_false(tn_str_is(kit->generated.init_signature, old));
	RUN(kit,
	    "{'backend':{'type':'remote','config':{'organization':'o','token':'t','workspaces':{'"
	    "name':'w'}}}}",
	    "");
	assert_true(
		has(kit, "terraform.tf",
		    "    organization = \"o\"\n\n    workspaces {\n      name = \"w\"\n    }\n"));
	assert_false(has(kit, "terraform.tf", "token"));
}

/* ---- what is wrong ---- */

static void test_missing(void **state)
{
	struct tn_studio_gen_kit *kit = *state;
	RUN(kit, "{}", NODE("sn", "azurerm/networking/subnet", "", ""));
	const struct tn_studio_diagnostic *scope = tn_studio_gen_kit_told(kit, "MISSING_SCOPE", 0);
	const struct tn_studio_diagnostic *reference =
		tn_studio_gen_kit_told(kit, "MISSING_REFERENCE", 0);
	assert_true(scope && tn_str_is(scope->node_id, "sn"));
	assert_true(reference && tn_str_is(reference->property, "virtual_network_name"));
	assert_null(tn_studio_gen_kit_told(kit, "MISSING_SCOPE", 1));
	assert_file(kit, "main.tf",
		    HEAD "resource \"azurerm_subnet\" \"sn\" {\n"
			 "  address_prefixes = [\"10.0.1.0/24\"]\n}\n");
}

static void test_duplicate(void **state)
{
	struct tn_studio_gen_kit *kit = *state;
	RUN(kit, "{}", NODE("p", "azurerm/networking/virtual_network_peering", "", ""),
	    NODE("q", "azurerm/networking/virtual_network_peering", "", ""));
	assert_null(tn_studio_gen_kit_told(kit, "DUPLICATE_ADDRESS", 0));
	/* A role's first attachment and a node of the same kind cannot be told apart by name. */
	RUN(kit, "{}",
	    NODE("r", "aws/security/iam_role", "", ",'properties':{'managed_policy_arns':['a']}"),
	    NODE("r_policy_0", "aws/security/iam_role", "", ""));
	assert_null(tn_studio_gen_kit_told(kit, "DUPLICATE_ADDRESS", 0));
	RUN(kit, "{}", GROUP, NET, SUBNET("sn", ""),
	    NODE("st", "azurerm/storage/storage_account", IN("sn"), ""),
	    NODE("pe_st_blob", "azurerm/networking/private_endpoint", IN("sn"), ""));
	const struct tn_studio_diagnostic *told =
		tn_studio_gen_kit_told(kit, "DUPLICATE_ADDRESS", 0);
	assert_true(told && tn_str_is(told->node_id, "pe_st_blob"));
	struct tn_str main = tn_studio_gen_kit_file(kit, "main.tf");
	struct tn_str head = TN_STR("\"pe_st_blob\" {");
	size_t at = tn_str_find(main, head);
	assert_true(at != TN_STR_NONE);
	assert_true(tn_str_find(tn_str_from_offset(main, at + head.size), head) == TN_STR_NONE);
}

static void test_modules(void **state)
{
	struct tn_studio_gen_kit *kit = *state;
	RUN(kit, "{}", NODE("rg", "azurerm/core/resource_group", "", ",'moduleId':'m'"));
	assert_true(has(kit, "main.tf", "\"rg\" {"));
	assert_non_null(tn_studio_gen_kit_told(kit, "UNSUPPORTED", 0));
	assert_int_equal(kit->list.counts[TN_STUDIO_ERROR], 0);
}

/* ---- what is asked of it ---- */

/* ST-073, ST-089, ST-101 */
static void test_places(void **state)
{
	struct tn_studio_gen_kit *kit = *state;
	const char *const diagram[] = {
		GROUP, NET, SUBNET("sn", ",'variableModes':{'address_prefixes':'variable'}"), NULL};
	run(kit, "{}", diagram);
	const struct tn_studio_generated *made = &kit->generated;
	const struct tn_studio_place *place = tn_studio_place_find(made, TN_STR("main.tf"), 4);
	assert_true(place && tn_str_is(place->property, "name"));
	assert_true(tn_str_is(place->node->id, "rg"));
	assert_true(tn_str_is(place->text, "  name     = \"rg-a\""));
	place = tn_studio_place_find(made, TN_STR("main.tf"), 3);
	assert_true(place && place->property.size == 0 && place->last_line == 8);
	assert_true(tn_str_is(place->address, "azurerm_resource_group.rg"));
	place = tn_studio_place_find(made, TN_STR("variables.tf"), 4);
	assert_true(place && tn_str_is(place->property, "address_prefixes"));
	place = tn_studio_place_find(made, TN_STR("terraform.tfvars"), 3);
	assert_true(place && tn_str_is(place->node->id, "sn"));
	assert_null(tn_studio_place_find(made, TN_STR("main.tf"), 1));
	const struct tn_studio_address *address =
		tn_studio_address_find(made, TN_STR("azurerm_subnet.sn[\"x].y\"]"));
	assert_true(address && address->primary && tn_str_is(address->node->id, "sn"));
	assert_null(tn_studio_address_find(made, TN_STR("azurerm_subnet.other")));
	assert_null(tn_studio_address_find(made, TN_STR("module.x.azurerm_subnet.sn")));

	char group[65], subnet[65], again[65], digest[65];
	(void)snprintf(digest, sizeof(digest), "%.*s", (int)made->digest.size, made->digest.data);
	tn_studio_node_digest(made, tn_studio_node_find(&kit->document, TN_STR("rg")), group);
	tn_studio_node_digest(made, tn_studio_node_find(&kit->document, TN_STR("sn")), subnet);
	run(kit, "{'variableValues':{'sn_address_prefixes':['10.9.0.0/24']}}", diagram);
	tn_studio_node_digest(made, tn_studio_node_find(&kit->document, TN_STR("rg")), again);
	assert_string_equal(group, again);
	tn_studio_node_digest(made, tn_studio_node_find(&kit->document, TN_STR("sn")), again);
	assert_string_not_equal(subnet, again);
	assert_false(tn_str_is(made->digest, digest));
	run(kit, "{}", diagram); /* ST-070 */
	assert_true(tn_str_is(made->digest, digest));
}

/* A thousand containers of one name, and lists that cannot be variables. */
static void test_many(void **state)
{
	struct tn_studio_gen_kit *kit = *state;
	const char *parts[1001];
	char *texts = tn_mem_alloc((size_t)1000 * 512);
	assert_non_null(texts);
	for (size_t i = 0; i < 1000; i++) {
		char *text = texts + i * 512;
		(void)snprintf(text, 512, SUBSCRIPTION("s%zu", "same"), i, i, i);
		parts[i] = text;
	}
	parts[999] = GROUP_IN("rg", IN("s500"));
	parts[1000] = NULL;
	run(kit, "{}", parts);
	assert_true(has(kit, "main.tf", "provider = azurerm.same_501\n"));
	tn_mem_free(texts);
	RUN(kit, "{}", GROUP,
	    NODE("nsg", "azurerm/networking/network_security_group", IN("rg"),
		 ",'variableModes':{'security_rules':'variable'},'properties':{'security_rules':"
		 "[{'name':'a'}]}"));
	assert_true(has(kit, "main.tf", "    name = \"a\"\n"));
	assert_non_null(tn_studio_gen_kit_told(kit, "UNSUPPORTED", 0));
}

/* Appendix C, traps 2, 5, 6, 7: what comparable tools got wrong. */
static void test_traps(void **state)
{
	struct tn_studio_gen_kit *kit = *state;
	RUN(kit, "{}", GROUP, NET, SUBNET("sn", ""),
	    NODE("app", "azurerm/compute/app_service", IN("rg"),
		 ",'properties':{'os_type':'windows'},'enabledOutputs':['default_hostname']"),
	    NODE("vm", "azurerm/compute/virtual_machine", IN("sn"),
		 ",'properties':{'os_type':'windows'}"),
	    NODE("gateway", "azurerm/networking/application_gateway", IN("rg"), ""));
	assert_true(has(kit, "outputs.tf", "value = azurerm_windows_web_app.app.default_hostname"));
	assert_true(has(kit, "main.tf", "offer     = \"WindowsServer\""));
	assert_false(has(kit, "main.tf", "ubuntu"));
	assert_false(has(kit, "main.tf", "subnet_id = azurerm_resource_group"));
	const struct tn_studio_diagnostic *told =
		tn_studio_gen_kit_told(kit, "MISSING_REFERENCE", 0);
	while (told && !tn_str_is(told->node_id, "gateway"))
		told = told->next;
	assert_true(told && tn_str_is(told->property, "subnet_id"));
	RUN(kit, "{}", NODE("vpc", "aws/networking/vpc", "", ""),
	    NODE("a", "aws/networking/subnet", IN("vpc"), ""),
	    NODE("b", "aws/networking/subnet", IN("vpc"), ""),
	    NODE("alb", "aws/compute/alb", IN("vpc"), ",'references':{'subnet_ids':['a','b']}"),
	    NODE("vm", "aws/compute/instance", IN("a"), ",'properties':{'user_data':'#!/bin/sh'}"));
	assert_true(has(kit, "main.tf", "[aws_subnet.a.id, aws_subnet.b.id]"));
	assert_true(has(kit, "main.tf", "= \"#!/bin/sh\""));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_files),          TEST(test_order),
		TEST(test_cycle),          TEST(test_one_subscription),
		TEST(test_aliases),        TEST(test_orphan),
		TEST(test_region),         TEST(test_variables),
		TEST(test_variable_names), TEST(test_item_secrets),
		TEST(test_outputs),        TEST(test_endpoints),
		TEST(test_binding),        TEST(test_backend),
		TEST(test_missing),        TEST(test_duplicate),
		TEST(test_modules),        TEST(test_places),
		TEST(test_many),           TEST(test_traps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
