#include "apps/studio/registry/registry_test_kit.h"

#include "jsonrpc/json_write.h"
#include <time.h>

/* studio.md 5, studio-catalog.md 1: the whole catalogue, nothing of it left out. */
static void test_catalogue(void **state)
{
	struct tn_studio_registry *registry = load(NULL);
	size_t hidden = 0, properties = 0, outputs = 0, dead = 0, handles = 0, containers = 0;

	(void)state;
	if (registry->faults->count > 0)
		print_faults(registry);
	assert_int_equal(registry->faults->count, 0);
	assert_int_equal(registry->type_count, 119);
	assert_int_equal(registry->provider_count, 3);
	assert_int_equal(registry->rule_count, 20);
	assert_int_equal(registry->binding_count, 1);
	for (size_t i = 0; i < registry->type_count; i++) {
		const struct tn_studio_type *type = registry->types[i];

		hidden += type->hidden;
		containers += type->container;
		outputs += type->output_count;
		for (size_t p = 0; p < type->property_count; p++)
			properties += !type->properties[p].implicit;
		for (size_t h = 0; h < type->handle_count; h++)
			dead += type->handles[h].dead;
		handles += type->handle_count;
		assert_ptr_equal(tn_studio_type_find(registry, type->id), type);
		assert_true(i == 0 || registry->types[i - 1]->order < type->order);
	}
	assert_int_equal(hidden, 1);
	assert_int_equal(containers, 24);
	assert_int_equal(properties, 846);
	assert_int_equal(outputs, 268);
	assert_int_equal(handles, 63);
	assert_int_equal(dead, 33); /* ST-047 */
	tn_studio_registry_unref(registry);
}

/* ---- lists that the clouds extend ---- */

/* Words of keys whose values the clouds add to: sizes, tiers, versions, zones. */
static const char *const growing[] = {
	"size",     "sizes",       "sku",     "version",    "zone",       "zones",   "region",
	"location", "runtime",     "model",   "class",      "engine",     "tier",    "disk",
	"device",   "storage",     "service", "services",   "memory",     "cpu",     "capacity",
	"vcores",   "replication", "role",    "retention",  "instance",   "license", "ami",
	"charset",  "collation",   "log",     "encryption", "subresource"};

/* Closed on purpose: the template has a line for each value, or there are no others by nature. */
static const char *const closed[] = {
	"azurerm/compute/function_app runtime_stack",
	"azurerm/web/signalr_service service_mode",
	"azurerm/networking/public_ip ip_version",
	"azurerm/storage/storage_account account_tier",
	"azurerm/storage/storage_account account_replication_type",
	"aws/networking/vpc instance_tenancy",
	"azurerm/ai/cognitive_deployment version_upgrade_option",
	"azurerm/security/key_vault access_model",
	"azurerm/monitoring/diagnostic_setting log_analytics_destination_type"};

static bool is_growing(struct tn_str key)
{
	for (size_t start = 0; start <= key.size;) {
		struct tn_str rest = tn_str_from_offset(key, start);
		size_t end = tn_str_find_byte(rest, '_');
		struct tn_str word = tn_str(rest.data, end == TN_STR_NONE ? rest.size : end);

		for (size_t i = 0; i < TN_COUNT(growing); i++) {
			if (tn_str_is(word, growing[i]))
				return true;
		}
		start += word.size + 1;
	}
	return false;
}

static bool is_closed_on_purpose(struct tn_str type, struct tn_str key)
{
	char name[128];

	(void)snprintf(name, sizeof(name), "%.*s %.*s", (int)type.size, type.data, (int)key.size,
		       key.data);
	for (size_t i = 0; i < TN_COUNT(closed); i++) {
		if (strcmp(name, closed[i]) == 0)
			return true;
	}
	return false;
}

static unsigned count_closed(struct tn_str owner, const struct tn_studio_property *properties,
			     size_t count)
{
	unsigned found = 0;

	for (size_t i = 0; i < count; i++) {
		const struct tn_studio_property *at = &properties[i];

		found += count_closed(owner, at->fields, at->field_count);
		if (!at->allowed || at->open || !is_growing(at->key) ||
		    is_closed_on_purpose(owner, at->key))
			continue;
		print_error("%.*s %.*s is a closed list\n", (int)owner.size, owner.data,
			    (int)at->key.size, at->key.data);
		found++;
	}
	return found;
}

/* 5.3: what a cloud extends is a suggestion: a new size, version or region is taken at once. */
static void test_nothing_that_grows_is_a_closed_list(void **state)
{
	struct tn_studio_registry *registry = load(NULL);
	unsigned found = 0;

	(void)state;
	for (size_t i = 0; i < registry->type_count; i++)
		found += count_closed(registry->types[i]->id, registry->types[i]->properties,
				      registry->types[i]->property_count);
	for (size_t i = 0; i < registry->provider_count; i++)
		found += count_closed(registry->providers[i].id, registry->providers[i].config,
				      registry->providers[i].config_count);
	assert_int_equal(found, 0);
	tn_studio_registry_unref(registry);
}

/* 5.1: whole types, and only with "override"; a broken one leaves what was there. */
static void test_override(void **state)
{
	static const char vault[] = "{\"typeId\":\"azurerm/security/key_vault\",%s"
				    "\"displayName\":\"%s\",\"category\":\"security\","
				    "\"terraform\":{\"type\":\"x\"},\"hcl\":{\"body\":[%s]}}";
	static const struct {
		const char *override, *body, *name, *fault;
	} cases[] = {
		{"", "", "Key Vault", "\"override\": true"},
		{"\"override\":true,", "", "Mine", NULL},
		{"\"override\":true,", "\"nothing\"", "Key Vault", "unknown property"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		char type[600], text[800];
		struct tn_studio_registry *registry;

		(void)snprintf(type, sizeof(type), vault, cases[i].override, "Mine", cases[i].body);
		(void)snprintf(text, sizeof(text), "{\"formatVersion\":1,\"types\":[%s]}", type);
		registry = load(text);
		assert_int_equal(registry->type_count, 119);
		assert_true(tn_str_is(
			tn_studio_type_find(registry, TN_STR("azurerm/security/key_vault"))
				->display_name,
			cases[i].name));
		if (cases[i].fault)
			assert_true(has_fault(registry, i == 0 ? "/types/0" : "/types/0/hcl/body/0",
					      cases[i].fault));
		tn_studio_registry_unref(registry);
	}
}

/* ST-041: rules whose handle or reference does not exist. */
static void test_rules(void **state)
{
	static const struct {
		const char *rule, *pointer, *part;
	} cases[] = {
		{"{'from':'acme/own/box','fromHandle':'in','to':'acme/own/box','toHandle':'in'}",
		 "/connectionRules/0/fromHandle", "is a target"},
		{"{'from':'acme/own/box','fromHandle':'non','to':'acme/own/box','toHandle':'in'}",
		 "/connectionRules/0/fromHandle", "has no handle \"non\""},
		{"{'from':'acme/own/box','fromHandle':'ref-r','to':'acme/own/box','toHandle':'in',"
		 "'sets':{'on':'target','reference':'q'}}",
		 "/connectionRules/0/sets/reference", "no such reference"},
		{"{'from':'acme/own/box','fromHandle':'ref-r','to':'acme/own/box','toHandle':'in',"
		 "'sets':{'on':'source','reference':'r','append':true}}",
		 "/connectionRules/0/sets", "append"},
		{"{'from':'acme/own/bx','fromHandle':'ref-r','to':'acme/own/box','toHandle':'in'}",
		 "/connectionRules/0/from", "did you mean \"acme/own/box\"?"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		char text[2000];
		struct tn_studio_registry *registry;

		(void)snprintf(
			text, sizeof(text),
			"{'formatVersion':1,'palette':[{'id':'own','label':'Own'}],'providers':"
			"{'acme':{'displayName':'A','source':null}},'connectionRules':[%s],'types':"
			"[{'typeId':'acme/own/box','displayName':'Box','category':'own','terraform'"
			":{'type':'b'},'hcl':{'body':[]},'handles':[{'id':'in','kind':'target'}],"
			"'properties':[{'key':'r','type':'reference','to':['acme/own/box']}]}]}",
			cases[i].rule);
		for (char *c = text; *c; c++)
			*c = *c == '\'' ? '"' : *c;
		registry = load(text);
		if (!has_fault(registry, cases[i].pointer, cases[i].part))
			fail_msg("%s", cases[i].rule);
		assert_int_equal(registry->rule_count, 20);
		assert_non_null(tn_studio_type_find(registry, TN_STR("acme/own/box")));
		tn_studio_registry_unref(registry);
	}
}

/* ST-143: what of a project can run programs, or is HCL as written. */
static void test_trust(void **state)
{
	static const struct {
		const char *body;
		bool trust;
	} cases[] = {
		{"'hcl':{'body':[{'attr':'x','value':{'lit':1}}]}", false},
		{"'hcl':{'body':[],'data':[{'type':'azurerm_x','name':'x','items':[]}]}", false},
		{"'hcl':{'body':[],'data':[{'type':'http','name':'x','items':[]}]}", true},
		{"'hcl':{'body':[],'data':[{'type':'terraform_remote_state','name':'x',"
		 "'items':[]}]}",
		 true},
		{"'hcl':{'body':[],'extra':[{'id':'e','type':'null_resource','name':'x',"
		 "'items':[]}]}",
		 true},
		{"'hcl':{'body':[],'extra':[{'id':'e','type':'terraform_data','name':'x',"
		 "'items':[]}]}",
		 false},
		{"'hcl':{'body':[],'extra':[{'id':'e','type':'terraform_data','name':'x','items':["
		 "{'block':'provisioner','items':[]}]}]}",
		 true},
		{"'hcl':{'body':[{'block':'x','items':[{'attr':'x','value':{'list':[{'raw':'1'}]}}]"
		 "}]}",
		 true},
		{"'hcl':{'body':[{'attr':'x','value':{'raw':'1'}}]}", true},
		{"'hcl':{'body':[{'block':'provisioner','items':[]}]}", true},
		{"'hcl':{'body':[{'attr':'x','value':{'fn':'file','args':[{'lit':'/'}]}}]}", true},
		{"'hcl':{'body':[{'attr':'x','value':{'fn':'upper','args':[{'lit':'a'}]}}]}",
		 false},
		{"'hcl':{'body':[],'data':[{'type':'external','name':'x','items':[]}]}", true},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_studio_source source = {.name = TN_STR("types/a.json"),
						  .from_project = true};
		char text[1000];
		struct tn_studio_registry *registry;
		struct tenon_error err;

		(void)snprintf(text, sizeof(text),
			       "{'formatVersion':1,'palette':[{'id':'own','label':'Own'}],"
			       "'types':[{'typeId':'azurerm/own/box','displayName':'Box',"
			       "'category':'own','terraform':{'type':'azurerm_b'},%s}]}",
			       cases[i].body);
		for (char *c = text; *c; c++)
			*c = *c == '\'' ? '"' : *c;
		source.text = tn_str_from(text);
		assert_int_equal(tn_studio_registry_create(&source, 1, &registry, &err), TENON_OK);
		assert_int_equal(
			tn_studio_type_find(registry, TN_STR("azurerm/own/box"))->needs_trust,
			cases[i].trust);
		assert_int_equal(strlen(registry->project_digest), 64);
		assert_false(registry->project_brings);
		tn_studio_registry_unref(registry);
	}
}

/* A provider is a program: one that a project brings, and whatever is of one that is not known. */
static void test_trust_in_providers(void **state)
{
	static const char own[] =
		"{\"formatVersion\":1,\"palette\":[{\"id\":\"own\",\"label\":\"Own\"}],"
		"\"providers\":{\"acme\":{\"displayName\":\"A\",\"source\":\"acme/acme\"}},"
		"\"types\":[{\"typeId\":\"acme/own/box\",\"displayName\":\"Box\","
		"\"category\":\"own\",\"terraform\":{\"type\":\"other_box\"},"
		"\"hcl\":{\"body\":[]}}]}";
	struct tn_studio_source source = {.name = TN_STR("types/a.json"), .text = TN_STR(own)};
	struct tn_studio_registry *registry;

	(void)state;
	for (int of_project = 0; of_project < 2; of_project++) {
		const struct tn_studio_type *type;

		source.from_project = of_project == 1;
		assert_int_equal(tn_studio_registry_create(&source, 1, &registry, NULL), TENON_OK);
		type = tn_studio_type_find(registry, TN_STR("acme/own/box"));
		assert_non_null(type);
		assert_int_equal(type->needs_trust, of_project);
		assert_int_equal(registry->project_brings, of_project);
		assert_int_equal(strlen(registry->project_digest), of_project ? 64 : 0);
		tn_studio_registry_unref(registry);
	}
}

/* 6.2, US-07, Appendix B: up to five ids, best first. */
static void test_suggestions(void **state)
{
	static const struct {
		const char *wrong, *first;
	} cases[] = {
		{"azurerm/network/vnet", "azurerm/networking/virtual_network"},
		{"virtual_network", "azurerm/networking/virtual_network"},
		{"azurerm/networking/virtual_netwrk", "azurerm/networking/virtual_network"},
		{"azurerm/subnet", "azurerm/networking/subnet"},
		{"aws/vpc", "aws/networking/vpc"},
		{"keyvault", "azurerm/security/key_vault"},
		{"Key Vault", "azurerm/security/key_vault"},
		{"aws/s3", "aws/storage/s3_bucket"},
		{"storage account", "azurerm/storage/storage_account"},
		{"aks", "azurerm/containers/kubernetes_cluster"},
	};
	struct tn_studio_registry *registry = load(NULL);
	struct tn_studio_fault fault;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		assert_false(
			tn_studio_fail_unknown_type(&fault, registry, tn_str_from(cases[i].wrong)));
		assert_string_equal(fault.code, "UNKNOWN_RESOURCE_TYPE");
		assert_non_null(strstr(fault.message, cases[i].wrong));
		assert_non_null(strstr(fault.message, "is not in the registry"));
		assert_true(tn_str_is(fault.value, cases[i].wrong)); /* details.value */
		assert_in_range(fault.suggestion_count, 1, 5);
		if (!tn_str_is(fault.suggestions[0], cases[i].first))
			fail_msg("%s: %.*s", cases[i].wrong, (int)fault.suggestions[0].size,
				 fault.suggestions[0].data);
	}
	(void)tn_studio_fail_unknown_type(&fault, registry, TN_STR("qqqqqqq"));
	assert_int_equal(fault.suggestion_count, 0);
	tn_studio_registry_unref(registry);
}

/* ST-042, ST-043: annotations go anywhere, others where they belong. */
static void test_containment(void **state)
{
	struct tn_studio_registry *registry = load(NULL);
	const struct tn_studio_type *group =
		tn_studio_type_find(registry, TN_STR("azurerm/core/resource_group"));
	const struct tn_studio_type *network =
		tn_studio_type_find(registry, TN_STR("azurerm/networking/virtual_network"));
	const struct tn_studio_type *subnet =
		tn_studio_type_find(registry, TN_STR("azurerm/networking/subnet"));
	const struct tn_studio_type *note =
		tn_studio_type_find(registry, TN_STR("_annotation/general/sticky_note"));
	const struct tn_studio_type *zone =
		tn_studio_type_find(registry, TN_STR("azurerm/networking/private_dns_zone"));

	(void)state;
	assert_true(tn_studio_may_contain(NULL, subnet));
	assert_true(tn_studio_may_contain(group, network));
	assert_true(tn_studio_may_contain(network, subnet));
	assert_false(tn_studio_may_contain(group, subnet));
	assert_false(tn_studio_may_contain(network, group));
	assert_true(tn_studio_may_contain(subnet, note));
	assert_false(tn_studio_may_contain(zone, zone)); /* it is no container */
	tn_studio_registry_unref(registry);
}

/* studio-catalog.md 4: endpoints arise only where a subnet is among the parents. */
static void test_implicit_properties(void **state)
{
	static const char *const exceptions[] = {
		"azurerm/web/static_web_app", "azurerm/web/signalr_service",
		"azurerm/integration/app_configuration", "azurerm/database/cosmosdb_account"};
	struct tn_studio_registry *registry = load(NULL);
	size_t count = 0;

	(void)state;
	for (size_t i = 0; i < registry->type_count; i++) {
		const struct tn_studio_type *type = registry->types[i];
		const struct tn_studio_property *parts =
			tn_studio_property_find(type, TN_STR("pep_subresources"));
		bool exception = false;

		for (size_t e = 0; e < TN_COUNT(exceptions); e++)
			exception = exception || tn_str_is(type->id, exceptions[e]);
		assert_int_equal(parts != NULL, type->private_endpoint && !exception);
		if (!parts)
			continue;
		count++;
		assert_true(parts->implicit);
		assert_int_equal(parts->type, TN_STUDIO_ENUM_LIST);
		assert_true(tn_json_equal(parts->default_value->first,
					  tn_json_get(type->private_endpoint, "default")));
		assert_int_equal(tn_studio_property_find(type, TN_STR("pep_dns_zone_id"))->type,
				 TN_STUDIO_REFERENCE);
	}
	assert_int_equal(count, 12);
	tn_studio_registry_unref(registry);
}

/* 5.3: labels are derived, known initialisms stand upper case. */
static void test_labels(void **state)
{
	struct tn_studio_registry *registry = load_type(
		"'hcl':{'body':[]},'properties':[{'key':'os_disk_size_gb','type':'number'},{'key':"
		"'vm_id','type':'string'},{'key':'name','type':'string','label':'Given'},{'key':"
		"'dns_server_ids','type':'string'}]");
	const struct tn_studio_type *type = tn_studio_type_find(registry, TN_STR("acme/own/box"));

	(void)state;
	assert_true(tn_str_is(type->properties[0].label, "OS disk size GB"));
	assert_true(tn_str_is(type->properties[1].label, "VM ID"));
	assert_true(tn_str_is(type->properties[2].label, "Given"));
	assert_true(tn_str_is(type->properties[3].label, "DNS server ids"));
	tn_studio_registry_unref(registry);
}

static const struct tn_json *shown(struct tn_arena *arena,
				   const struct tn_studio_registry *registry,
				   const struct tn_studio_type *type, enum tn_studio_detail detail)
{
	struct tn_json *tree;
	struct tenon_error err;
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	tn_json_begin_object(&out);
	tn_studio_type_put(&out, registry, type, detail);
	tn_json_end_object(&out);
	assert_int_equal(tn_json_parse_copy(arena, tn_buf_str(&out), &tree, &err), TENON_OK);
	tn_buf_finish(&out);
	return tree;
}

/* FR-27: every field for all 118 visible types. */
static void test_info(void **state)
{
	static const char *const members[] = {"typeId",       "displayName", "category",
					      "provider",     "description", "isContainer",
					      "canBeChildOf", "handles",     "properties"};
	struct tn_studio_registry *registry = load(NULL);
	struct tn_arena arena;
	size_t visible = 0, bytes = 0;

	(void)state;
	tn_arena_init(&arena, 64 * TN_MIB);
	for (size_t i = 0; i < registry->type_count; i++) {
		const struct tn_json *info =
			shown(&arena, registry, registry->types[i], TN_STUDIO_STANDARD);
		const struct tn_json *full =
			shown(&arena, registry, registry->types[i], TN_STUDIO_FULL);

		visible += !registry->types[i]->hidden;
		bytes += registry->types[i]->id.size;
		for (size_t m = 0; m < TN_COUNT(members); m++)
			assert_non_null(tn_json_get(info, members[m]));
		assert_true(tn_json_is(tn_json_get(info, "canBeChildOf"), TN_JSON_ARRAY));
		assert_true(tn_json_get(info, "canBeChildOf")->count > 0 ||
			    registry->types[i]->can_be_child_of);
		for (const struct tn_json *p = tn_json_get(info, "properties")->first; p;
		     p = p->next) {
			assert_true(tn_json_get(p, "key")->text.size > 0);
			assert_true(tn_json_get(p, "label")->text.size > 0);
			assert_non_null(tn_json_get(p, "type"));
			assert_non_null(tn_json_get(p, "required"));
			assert_null(tn_json_get(p, "allowed"));
		}
		/* ST-047: what nothing can use is not shown. */
		for (const struct tn_json *h = tn_json_get(info, "handles")->first; h; h = h->next)
			assert_false(tn_studio_handle_find(registry->types[i],
							   tn_json_get(h, "id")->text)
					     ->dead);
		assert_non_null(tn_json_get(full, "connections"));
		assert_non_null(tn_json_get(full, "outputs"));
	}
	assert_int_equal(visible, 118);
	assert_true(bytes > 0);
	tn_arena_finish(&arena);
	tn_studio_registry_unref(registry);
}

/* Palette order, and the numbers that 5 promises of naming and regions. */
static void test_order(void **state)
{
	struct tn_studio_registry *registry = load(NULL);

	(void)state;
	assert_true(tn_str_is(registry->types[0]->category, "general"));
	assert_true(tn_str_is(registry->categories[0].id, "general"));
	for (size_t i = 1; i < registry->category_count; i++)
		assert_true(registry->categories[i - 1].order <= registry->categories[i].order);
	assert_int_equal(registry->region_shortcodes->count, 25);
	assert_int_equal(registry->cost_regions->count, 16);
	assert_int_equal(tn_json_get(registry->prices, "table")->count, 193);
	tn_studio_registry_unref(registry);
}

/* Files add up: prices and short names of one's own, the built-in ones stay. */
static void test_merge(void **state)
{
	struct tn_studio_registry *registry = load(
		"{\"formatVersion\":1,\"regionShortcodes\":{\"mars\":\"mrs\",\"eastus\":\"e\"},"
		"\"prices\":{\"currency\":\"USD\",\"table\":{\"acme/box\":{\"per\":\"month\","
		"\"usd\":3},\"azurerm/acr/Basic\":{\"per\":\"month\",\"usd\":6}}}}");
	const struct tn_json *table = tn_json_get(registry->prices, "table");
	double usd = 0;

	(void)state;
	assert_int_equal(registry->faults->count, 0);
	assert_true(tn_str_is(tn_json_get(registry->region_shortcodes, "eastus")->text, "e"));
	assert_true(tn_str_is(tn_json_get(registry->region_shortcodes, "westus")->text, "wus"));
	assert_true(tn_json_to_double(tn_json_get(tn_json_get(table, "acme/box"), "usd"), &usd));
	assert_true(tn_json_to_double(tn_json_get(tn_json_get(table, "azurerm/acr/Basic"), "usd"),
				      &usd));
	assert_true(usd > 5.9);
	assert_non_null(tn_json_get(table, "azurerm/acr/Standard"));
	assert_true(tn_str_is(tn_json_get(registry->prices, "asOf")->text, "2026-04"));
	tn_studio_registry_unref(registry);
}

/* Parsed on first use: it has to be quick and small. The bound is ten times what is measured, in
 * the processor's time. */
static void test_cost_of_loading(void **state)
{
	clock_t began = clock();
	struct tn_studio_registry *registry = load(NULL);
	clock_t took_ms = (clock() - began) / (CLOCKS_PER_SEC / 1000);

	(void)state;
	print_message("%ld ms, %zu KiB\n", (long)took_ms, registry->arena.total / TN_KIB);
	assert_true(took_ms < 1000);
	assert_true(registry->arena.total < 4 * TN_MIB);
	tn_studio_registry_unref(registry);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_catalogue),
		cmocka_unit_test(test_override),
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_trust),
		cmocka_unit_test(test_trust_in_providers),
		cmocka_unit_test(test_suggestions),
		cmocka_unit_test(test_containment),
		cmocka_unit_test(test_implicit_properties),
		cmocka_unit_test(test_nothing_that_grows_is_a_closed_list),
		cmocka_unit_test(test_labels),
		cmocka_unit_test(test_info),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_cost_of_loading),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
