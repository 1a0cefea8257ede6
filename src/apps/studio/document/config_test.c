/* The configuration: what it may hold, what is shown of it, and merging (studio.md 4.3, ST-028,
 * ST-030; FR-20, FR-21). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "apps/studio/document/declared.h"
#include "apps/studio/document/config.h"
#include "base/mem.h"

struct kit {
	struct tn_studio_document document;
	struct tn_arena arena;
	struct tn_studio_fault fault;
	struct tn_buf shown, paths, hints, changed;
};

static struct tn_studio_registry *registry;

static int group_set_up(void **state)
{
	(void)state;
	return tn_studio_registry_built_in(&registry, NULL) == TENON_OK ? 0 : 1;
}

static int group_tear_down(void **state)
{
	(void)state;
	tn_studio_registry_unref(registry);
	return 0;
}

static int set_up(void **state)
{
	struct kit *kit = tn_mem_alloc(sizeof(*kit));

	tn_studio_document_init(&kit->document, registry);
	tn_arena_init(&kit->arena, 64 * TN_MIB);
	tn_buf_init(&kit->shown, TN_MIB);
	tn_buf_init(&kit->paths, TN_MIB);
	tn_buf_init(&kit->hints, TN_MIB);
	tn_buf_init(&kit->changed, TN_MIB);
	*state = kit;
	return 0;
}

static int tear_down(void **state)
{
	struct kit *kit = *state;

	tn_studio_document_finish(&kit->document);
	tn_arena_finish(&kit->arena);
	tn_buf_finish(&kit->shown);
	tn_buf_finish(&kit->paths);
	tn_buf_finish(&kit->hints);
	tn_buf_finish(&kit->changed);
	tn_mem_free(kit);
	return 0;
}

static void apply(struct kit *kit, const char *operation)
{
	struct tn_json *value = NULL;
	struct tn_buf inverse;

	tn_buf_init(&inverse, TN_MIB);
	assert_int_equal(tn_json_parse_copy(&kit->arena, tn_str_from(operation), &value, NULL),
			 TENON_OK);
	assert_int_equal(tn_studio_document_ops.apply(&kit->document, value, &inverse, NULL),
			 TENON_OK);
	tn_buf_finish(&inverse);
}

static void set(struct kit *kit, const char *config)
{
	char text[4096];

	(void)snprintf(text, sizeof(text), "{\"op\":\"setConfig\",\"config\":%s}", config);
	apply(kit, text);
}

static void show(struct kit *kit)
{
	tn_buf_clear(&kit->shown);
	tn_buf_clear(&kit->paths);
	tn_buf_clear(&kit->hints);
	tn_studio_config_put(&kit->shown, &kit->document, &kit->paths, &kit->hints);
	tn_buf_append_byte(&kit->shown, '\0');
	tn_buf_append_byte(&kit->paths, '\0');
	tn_buf_append_byte(&kit->hints, '\0');
}

static bool merge(struct kit *kit, const char *patch)
{
	const struct tn_json *merged = NULL;
	struct tn_json *value = NULL;
	struct tn_buf text;

	kit->fault = (struct tn_studio_fault){.code = NULL};
	tn_buf_clear(&kit->changed);
	assert_int_equal(tn_json_parse_copy(&kit->arena, tn_str_from(patch), &value, NULL),
			 TENON_OK);
	if (!tn_studio_config_merge(&kit->document, value, &kit->arena, &merged, &kit->changed,
				    &kit->fault))
		return false;
	tn_buf_append_byte(&kit->changed, '\0');
	tn_buf_init(&text, TN_MIB);
	tn_studio_write_pretty(&text, merged, 0);
	tn_buf_append_byte(&text, '\0');
	set(kit, text.data);
	tn_buf_finish(&text);
	return true;
}

static void expect_stored(const struct kit *kit, const char *wanted)
{
	struct tn_json *value = NULL;
	struct tn_arena arena;

	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_json_parse_copy(&arena, tn_str_from(wanted), &value, NULL), TENON_OK);
	assert_true(tn_json_equal(kit->document.config, value));
	tn_arena_finish(&arena);
}

static void refuse(struct kit *kit, const char *patch, const char *words, const char *suggestion)
{
	if (merge(kit, patch))
		fail_msg("%s was accepted", patch);
	assert_string_equal(kit->fault.code, "INVALID_INPUT");
	if (!strstr(kit->fault.message, words))
		fail_msg("%s: %s", patch, kit->fault.message);
	if (suggestion) {
		assert_int_equal(kit->fault.suggestion_count, 1);
		assert_true(tn_str_is(kit->fault.suggestions[0], suggestion));
	}
}

/* 4.3, FR-20: what is not there counts as its default, and is shown so. */
static void defaults_are_shown(void **state)
{
	struct kit *kit = *state;

	show(kit);
	assert_non_null(strstr(
		kit->shown.data,
		"{\"region\":null,\"tags\":{},\"naming\":{\"enabled\":false,\"template\":"
		"\"{type}-{env}-{region}-{name}\",\"env\":\"dev\",\"region\":\"\",\"org\":\"\"},"
		"\"activeProviders\":[\"azurerm\"],\"providers\":{},\"backend\":{\"type\":"
		"\"local\","
		"\"config\":{}},\"variableValues\":{},\"layout\":{\"algorithm\":\"layered\","
		"\"direction\":\"LR\",\"gridSize\":20,\"snap\":true},\"edges\":{\"style\":"
		"\"bezier\","
		"\"show\":{\"structural\":true,\"binding\":true,\"reference\":true,\"annotation\":"
		"true}},\"terraform\":{\"autoInit\":true,\"parallelism\":10,\"lockTimeout\":\"0s\"}"
		","
		"\"cost\":{\"priceRegion\":null},\"policies\":{},\"sensitiveKeys\":["));
	assert_string_equal(kit->paths.data, "[]");
	assert_string_equal(kit->hints.data,
			    "{\"providers.azurerm.subscription_id\":{\"set\":false}}");
}

#define ID "12345678-1234-1234-1234-123456785555"
#define SECRETS                                                                                   \
	"{\"region\":\"westeurope\",\"providers\":{\"azurerm\":{\"subscription_id\":\"" ID        \
	"\"},\"aws\":{\"region\":\"us-east-1\",\"secret_key\":\"canary-aws\"}},\"backend\":{"     \
	"\"type\":\"azurerm\",\"config\":{\"container_name\":\"state\",\"access_key\":"           \
	"\"canary-key\",\"nested\":{\"password\":\"canary-nested\"},\"token\":\"\"}},"            \
	"\"tags\":{\"owner\":\"canary-owner\",\"team\":\"x\"},\"sensitiveKeys\":[\"tags.owner\"," \
	"\"variableValues.*\"],\"variableValues\":{\"a\":[\"canary-list\"]},\"future\":{\"x\":1}}"

/* ST-028 */
static void what_is_sensitive_is_not_shown(void **state)
{
	struct kit *kit = *state;

	set(kit, SECRETS);
	show(kit);
	assert_null(strstr(kit->shown.data, "canary"));
	assert_null(strstr(kit->shown.data, ID));
	assert_null(strstr(kit->hints.data, "canary"));
	assert_non_null(strstr(kit->shown.data, "\"subscription_id\":\"[redacted]\""));
	assert_non_null(strstr(kit->shown.data, "\"container_name\":\"state\""));
	assert_non_null(strstr(kit->shown.data, "\"team\":\"x\""));
	assert_non_null(strstr(kit->shown.data, "\"token\":\"\"")); /* nothing is no secret */
	assert_non_null(strstr(kit->shown.data, "\"future\":{\"x\":1}"));
	assert_string_equal(kit->paths.data,
			    "[\"tags.owner\",\"providers.azurerm.subscription_id\","
			    "\"providers.aws.secret_key\",\"backend.config.access_key\","
			    "\"backend.config.nested.password\",\"variableValues.a\"]");
	/* OQ-03: the end of an id, never of a secret. */
	assert_non_null(strstr(kit->hints.data,
			       "\"providers.azurerm.subscription_id\":{\"set\":true,"
			       "\"ends\":\"\xE2\x80\xA6"
			       "5555\"}"));
	assert_non_null(strstr(kit->hints.data, "\"backend.config.access_key\":{\"set\":true}"));
	/* The list always contains what is built in. */
	assert_non_null(strstr(kit->shown.data, "\"providers.*.client_secret\""));
	assert_non_null(strstr(kit->shown.data, "\"backend.config.sas_token\""));
	assert_non_null(strstr(kit->shown.data, "\"tags.owner\",\"variableValues.*\"]"));
}

/* ST-028: read, modify, write. */
static void what_was_redacted_can_be_written_back(void **state)
{
	struct kit *kit = *state;

	set(kit, SECRETS);
	show(kit);
	assert_true(merge(kit, kit->shown.data));
	const struct tn_json *azure =
		tn_json_get(tn_json_get(kit->document.config, "providers"), "azurerm");
	assert_true(tn_str_is(tn_json_get(azure, "subscription_id")->text, ID));
	const struct tn_json *backend =
		tn_json_get(tn_json_get(kit->document.config, "backend"), "config");
	assert_true(tn_str_is(tn_json_get(backend, "access_key")->text, "canary-key"));
	assert_true(tn_str_is(tn_json_get(tn_json_get(backend, "nested"), "password")->text,
			      "canary-nested"));
	assert_non_null(tn_json_get(kit->document.config, "future"));
	/* What was not there is there now, with its default, and nothing that was is another. */
	assert_null(strstr(kit->changed.data, "subscription_id"));
	assert_null(strstr(kit->changed.data, "sensitiveKeys"));
	assert_null(strstr(kit->changed.data, "tags"));
	assert_int_equal(tn_json_get(kit->document.config, "sensitiveKeys")->count, 2);
}

/* FR-21: JSON Merge Patch. */
static void patches_are_merged(void **state)
{
	struct kit *kit = *state;

	assert_true(merge(kit, "{\"tags\":{\"a\":\"1\",\"b\":\"2\"},\"region\":\"westeurope\"}"));
	expect_stored(kit, "{\"region\":\"westeurope\",\"tags\":{\"a\":\"1\",\"b\":\"2\"}}");
	assert_string_equal(kit->changed.data, "[\"region\",\"tags.a\",\"tags.b\"]");
	assert_true(merge(kit, "{\"tags\":{\"a\":null,\"c\":\"3\",\"b\":\"2\"}}"));
	expect_stored(kit, "{\"region\":\"westeurope\",\"tags\":{\"b\":\"2\",\"c\":\"3\"}}");
	assert_string_equal(kit->changed.data, "[\"tags.a\",\"tags.c\"]");
	assert_true(merge(kit, "{\"activeProviders\":[\"aws\",\"azurerm\"]}"));
	assert_true(merge(kit, "{\"activeProviders\":[\"aws\"]}"));
	expect_stored(kit, "{\"region\":\"westeurope\",\"tags\":{\"b\":\"2\",\"c\":\"3\"},"
			   "\"activeProviders\":[\"aws\"]}");
	assert_true(merge(kit, "{}"));
	assert_string_equal(kit->changed.data, "[]");
	assert_true(merge(kit, "{\"tags\":null,\"activeProviders\":null,\"region\":null}"));
	expect_stored(kit, "{}");
	assert_true(merge(kit, "{\"variableValues\":{\"x\":{\"deep\":{\"a\":null,\"b\":1}}}}"));
	expect_stored(kit, "{\"variableValues\":{\"x\":{\"deep\":{\"b\":1}}}}");
}

/* ST-030 */
static void mistakes_are_explained(void **state)
{
	struct kit *kit = *state;

	set(kit, "{\"region\":\"a\"}");
	refuse(kit, "{\"regoin\":\"x\"}", "no such key", "region");
	refuse(kit, "{\"naming\":{\"tempalte\":\"{name}\"}}", "naming.tempalte", "template");
	refuse(kit, "{\"naming\":{\"template\":\"{type}-{env}\"}}", "{name}", NULL);
	refuse(kit, "{\"naming\":{\"template\":\"{nam}-{name}\"}}", "{nam}", "name");
	refuse(kit, "{\"naming\":{\"template\":\"{name\"}}", "naming.template", NULL);
	refuse(kit, "{\"naming\":{\"enabled\":\"yes\"}}", "true or false", NULL);
	refuse(kit, "{\"backend\":{\"type\":\"s4\"}}", "local, azurerm, s3", "s3");
	refuse(kit, "{\"layout\":{\"direction\":\"up\"}}", "LR, RL, TB, BT", NULL);
	refuse(kit, "{\"layout\":{\"gridSize\":0}}", "1 to 200", NULL);
	refuse(kit, "{\"terraform\":{\"parallelism\":1.5}}", "whole number", NULL);
	refuse(kit, "{\"terraform\":{\"lockTimeout\":\"5\"}}", "duration", NULL);
	refuse(kit, "{\"terraform\":{\"path\":\"/bin/sh\"}}", "no such key", NULL);
	refuse(kit, "{\"activeProviders\":[\"azurem\"]}", "activeProviders.0", "azurerm");
	refuse(kit, "{\"providers\":{\"azur\":{}}}", "no provider", "azurerm");
	refuse(kit, "{\"providers\":{\"azurerm\":{\"subscription\":\"x\"}}}",
	       "providers.azurerm.subscription", "subscription_id");
	refuse(kit, "{\"providers\":{\"azurerm\":{\"subscription_id\":\"x\"}}}",
	       "providers.azurerm.subscription_id", NULL);
	refuse(kit, "{\"providers\":{\"aws\":{\"region\":\"nowhere-1\"}}}", "providers.aws.region",
	       NULL);
	refuse(kit, "{\"variableValues\":{\"a b\":1}}", "name of a variable", NULL);
	refuse(kit, "{\"tags\":{\"a\":1}}", "tags.a", NULL);
	refuse(kit, "{\"tags\":[]}", "an object", NULL);
	refuse(kit, "{\"sensitiveKeys\":[\"\"]}", "sensitiveKeys.0", NULL);
	refuse(kit, "[]", "an object", NULL);
	/* All of them at once. */
	refuse(kit, "{\"a1\":1,\"region\":5,\"edges\":{\"show\":{\"binding\":1}}}", "see details",
	       NULL);
	assert_non_null(strstr(kit->fault.details.data, "\"path\":\"region\""));
	assert_non_null(strstr(kit->fault.details.data, "\"path\":\"edges.show.binding\""));
	expect_stored(kit, "{\"region\":\"a\"}");
	/* And what is right is taken. */
	assert_true(merge(kit, "{\"naming\":{\"template\":\"{org}{type}{env}{region}{name}\"},"
			       "\"providers\":{\"aws\":{\"region\":\"eu-central-1\"}}}"));
	assert_true(merge(kit, "{\"terraform\":{\"lockTimeout\":\"1m30s\",\"parallelism\":5}}"));
}

/* Section 21 */
static void values_have_caps(void **state)
{
	struct kit *kit = *state;
	struct tn_buf text;

	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, "{\"variableValues\":{\"x\":");
	for (int i = 0; i < 20; i++)
		tn_buf_append_text(&text, "[");
	for (int i = 0; i < 20; i++)
		tn_buf_append_text(&text, "]");
	tn_buf_append(&text, "}}", 3);
	refuse(kit, text.data, "nested deeper", NULL);
	tn_buf_clear(&text);
	tn_buf_append_text(&text, "{\"variableValues\":{\"x\":\"");
	for (int i = 0; i < 70000; i++)
		tn_buf_append_byte(&text, 'x');
	tn_buf_append(&text, "\"}}", 4);
	refuse(kit, text.data, "longer than", NULL);
	tn_buf_finish(&text);
	refuse(kit, "{\"tags\":{\"a\":\"x\\u0000y\"}}", "NUL", NULL);
}

/* ST-029: values of sensitive variables, wherever they come from. */
static void sensitive_variables_are_known(void **state)
{
	struct kit *kit = *state;

	apply(kit, "{\"op\":\"putNode\",\"node\":{\"id\":\"n1\",\"typeId\":"
		   "\"azurerm/compute/virtual_machine\",\"label\":\"VM\",\"terraformName\":\"vm\","
		   "\"position\":{\"x\":0,\"y\":0}}}");
	apply(kit,
	      "{\"op\":\"putNode\",\"node\":{\"id\":\"n2\",\"typeId\":"
	      "\"azurerm/containers/container_app\",\"label\":\"App\",\"terraformName\":\"app\","
	      "\"position\":{\"x\":0,\"y\":0}}}");
	assert_non_null(tn_studio_secret_owner(&kit->document, TN_STR("vm_admin_password"), NULL));
	assert_null(tn_studio_secret_owner(&kit->document, TN_STR("vm_ssh_public_key"), NULL));
	assert_null(tn_studio_secret_owner(&kit->document, TN_STR("vm_name"), NULL));
	assert_null(tn_studio_secret_owner(&kit->document, TN_STR("vm2_admin_password"), NULL));
	assert_non_null(tn_studio_secret_owner(&kit->document, TN_STR("app_secret_db"), NULL));
	assert_null(tn_studio_secret_owner(&kit->document, TN_STR("app_secre"), NULL));
	set(kit, "{\"variableValues\":{\"vm_admin_password\":\"canary\",\"vm_name\":\"n\"}}");
	show(kit);
	assert_null(strstr(kit->shown.data, "canary"));
	assert_non_null(strstr(kit->shown.data, "\"vm_name\":\"n\""));
}

#define KIT(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		KIT(defaults_are_shown),
		KIT(what_is_sensitive_is_not_shown),
		KIT(what_was_redacted_can_be_written_back),
		KIT(patches_are_merged),
		KIT(mistakes_are_explained),
		KIT(values_have_caps),
		KIT(sensitive_variables_are_known),
	};

	return cmocka_run_group_tests(tests, group_set_up, group_tear_down);
}
