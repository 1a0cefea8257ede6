#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/studio/cost.h"
#include "apps/studio/value_test_kit.h"
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
	tn_studio_value_kit_finish(&kit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reference_cases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
