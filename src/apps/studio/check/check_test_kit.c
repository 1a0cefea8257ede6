#include "apps/studio/check/check_test_kit.h"

#include "base/mem.h"

static struct tn_studio_registry *registry;

int group_set_up(void **state)
{
	(void)state;
	return tn_studio_registry_built_in(&registry, NULL) == TENON_OK ? 0 : 1;
}

int group_tear_down(void **state)
{
	(void)state;
	tn_studio_registry_unref(registry);
	return 0;
}

int set_up(void **state)
{
	struct kit *kit = tn_mem_alloc(sizeof(*kit));

	kit->registry = registry;
	tn_studio_document_init(&kit->document, registry);
	tn_arena_init(&kit->arena, 256 * 1024 * 1024);
	*state = kit;
	return 0;
}

int tear_down(void **state)
{
	struct kit *kit = *state;

	tn_studio_document_finish(&kit->document);
	tn_arena_finish(&kit->arena);
	tn_mem_free(kit);
	return 0;
}

void apply(struct kit *kit, const char *operation)
{
	struct tn_json *value = NULL;
	struct tn_buf inverse;
	struct tenon_error err = {0};

	tn_buf_init(&inverse, 64 * 1024 * 1024);
	assert_int_equal(tn_json_parse_copy(&kit->arena, tn_str_from(operation), &value, &err),
			 TENON_OK);
	if (tn_studio_document_ops.apply(&kit->document, value, &inverse, &err) != TENON_OK)
		fail_msg("%s: %s", operation, err.message);
	tn_buf_finish(&inverse);
}

void add(struct kit *kit, const char *id, const char *type, const char *more)
{
	char text[2048];

	(void)snprintf(
		text, sizeof(text),
		"{\"op\":\"putNode\",\"node\":{\"id\":\"%s\",\"typeId\":\"%s\",\"label\":\"%s\","
		"\"terraformName\":\"%s\",\"position\":{\"x\":0,\"y\":0}%s%s}}",
		id, type, id, id, *more ? "," : "", more);
	apply(kit, text);
}

void check_with(struct kit *kit, const struct tn_studio_check_options *options)
{
	assert_int_equal(tn_studio_document_index(&kit->document, NULL), TENON_OK);
	tn_studio_diagnostics_init(&kit->list, &kit->arena);
	tn_studio_check(&kit->document, options, &kit->list);
}

/* The first of this code (and node); NULL: none. */
const struct tn_studio_diagnostic *find(const struct kit *kit, const char *code, const char *id)
{
	for (const struct tn_studio_diagnostic *at = kit->list.first; at; at = at->next) {
		if (strcmp(at->code, code) == 0 && (!id || tn_str_is(at->node_id, id)))
			return at;
	}
	return NULL;
}

void dump(const struct kit *kit)
{
	for (const struct tn_studio_diagnostic *at = kit->list.first; at; at = at->next)
		print_message("%d %s %.*s\n", (int)at->severity, at->code, (int)at->message.size,
			      at->message.data);
}

const struct tn_studio_diagnostic *expect(const struct kit *kit, const char *code, const char *id,
					  enum tn_studio_severity severity)
{
	const struct tn_studio_diagnostic *one = find(kit, code, id);

	if (!one) {
		dump(kit);
		fail_msg("%s of %s is missing", code, id ? id : "(none)");
	}
	assert_int_equal(one->severity, severity);
	return one;
}

/* The same of a node alone, as edits answer it. */
const struct tn_studio_diagnostic *expect_alone(struct kit *kit, const char *code, const char *id)
{
	const struct tn_studio_node *node = tn_studio_node_find(&kit->document, tn_str_from(id));

	tn_studio_diagnostics_init(&kit->list, &kit->arena);
	tn_studio_check_node(&kit->document, node, NULL, &kit->list);
	return expect(kit, code, id, find(kit, code, id) ? find(kit, code, id)->severity : 0);
}

void expect_fix(const struct tn_studio_diagnostic *one, const char *wanted)
{
	char text[512];

	(void)snprintf(text, sizeof(text), "%.*s", (int)one->fix.size,
		       one->fix.data ? one->fix.data : "");
	assert_string_equal(text, wanted);
}

void build_three_tiers(struct kit *kit)
{
	add(kit, "rg", RG, GROUP);
	add(kit, "net", VNET,
	    IN("rg") ",\"properties\":{\"name\":\"net\",\"address_space\":[\"10.0.0.0/16\"]}");
	add(kit, "web", SUBNET,
	    IN("net") ",\"properties\":{\"name\":\"web\",\"address_prefixes\":[\"10.0.1.0/24\"]}");
	add(kit, "data", SUBNET,
	    IN("net") ",\"properties\":{\"name\":\"data\",\"address_prefixes\":[\"10.0.2.0/24\"]}");
	add(kit, "plan", "azurerm/compute/app_service_plan",
	    IN("rg") ",\"properties\":{\"name\":\"plan\"}");
	add(kit, "app", "azurerm/compute/app_service",
	    IN("rg") ",\"properties\":{\"name\":\"shop-app-77\"},\"references\":{\"service_plan_"
		     "id\":\"plan\"}");
	add(kit, "sql", "azurerm/database/mssql_server",
	    IN("rg") ",\"properties\":{\"name\":\"shop-sql-77\",\"administrator_login\":"
		     "\"sqladmin\"}");
	add(kit, "db", "azurerm/database/mssql_database",
	    IN("sql") ",\"properties\":{\"name\":\"shop\"}");
	add(kit, "kv", "azurerm/security/key_vault",
	    IN("rg") ",\"properties\":{\"name\":\"shop-kv-77\"}");
	apply(kit,
	      "{\"op\":\"setConfig\",\"config\":{\"providers\":{\"azurerm\":{\"subscription_id\":"
	      "\"00000000-0000-0000-0000-000000000001\"}}}}");
}
