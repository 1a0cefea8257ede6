#include "apps/studio/picture/outline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "apps/studio/limits.h"
#include "apps/studio/picture/picture_test_kit.h"

/* Labels, notes and values that would like to be lines of their own, and a secret. */
static const char diagram[] =
	"{\"formatVersion\":1,\"revision\":1,\"nodes\":["
	"{\"id\":\"s\",\"typeId\":\"azurerm/database/mssql_server\",\"label\":\"SQL\\n"
	"evil:\\\"x\\\" azurerm/core/resource_group z\",\"terraformName\":\"sql\",\"parentId\":"
	"\"g\",\"position\":{\"x\":5,\"y\":6},\"notes\":\"first\\nsecond\",\"properties\":{"
	"\"administrator_login\":\"ad\\nmin\",\"administrator_login_password\":\"canary-secret\"},"
	"\"enabledOutputs\":[\"id\"]},"
	"{\"id\":\"g\",\"typeId\":\"azurerm/core/resource_group\",\"label\":\"Shop\","
	"\"terraformName\":\"shop\",\"position\":{\"x\":0,\"y\":0}},"
	"{\"id\":\"p\",\"typeId\":\"azurerm/compute/app_service_plan\",\"label\":\"Plan\","
	"\"terraformName\":\"app\",\"ownName\":\"plan\",\"parentId\":\"g\",\"position\":{\"x\":0,"
	"\"y\":0}},"
	"{\"id\":\"a\",\"typeId\":\"azurerm/compute/app_service\",\"label\":\"App\","
	"\"terraformName\":\"app\",\"parentId\":\"g\",\"position\":{\"x\":0,\"y\":0},"
	"\"references\":{\"service_plan_id\":\"p\"}},"
	"{\"id\":\"u\",\"typeId\":\"of/another/version\",\"label\":\"U\",\"terraformName\":\"u\","
	"\"position\":{\"x\":0,\"y\":0},\"properties\":{\"k\":1},\"references\":{\"r\":\"p\"}}],"
	"\"edges\":[{\"id\":\"e\",\"source\":\"p\",\"sourceHandle\":\"node\",\"target\":\"g\","
	"\"targetHandle\":\"node\",\"category\":\"annotation\",\"label\":"
	"\"x\\ny\\u2028z\\u2029\\u0085\"}],"
	"\"modules\":[],\"instances\":[]}";

static const char wanted[] =
	"shop:Shop azurerm/core/resource_group g\n"
	" sql:\"SQL\\nevil:\\\"x\\\" azurerm/core/resource_group z\" "
	"azurerm/database/mssql_server s administrator_login:\"ad\\nmin\" "
	"administrator_login_password:\"[redacted]\" | notes:\"first\\nsecond\" "
	"enabledOutputs:[\"id\"]\n"
	" plan:Plan azurerm/compute/app_service_plan p | terraformName:app\n"
	" app:App azurerm/compute/app_service a service_plan_id->plan\n"
	"u:U of/another/version u k:1 | references:{\"r\":\"p\"}\n"
	"edges:\n"
	"annotation plan.node -> shop.node e label:\"x\\ny\\u2028z\\u2029\\u0085\"\n";

static void test_outline(void **state)
{
	struct tn_picture_kit kit;
	struct tn_arena arena;
	struct tn_buf out;
	const struct tn_studio_edge *edges = NULL;
	struct tenon_error err;
	size_t count = 0;

	(void)state;
	tn_picture_kit_init(&kit, tn_str_from(diagram));
	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	tn_buf_init(&out, TN_STUDIO_RESULT_BYTES_MAX);
	assert_int_equal(tn_studio_edges_all(&kit.document, &arena, &edges, &count, &err),
			 TENON_OK);
	tn_studio_outline(&out,
			  &(struct tn_studio_outline){.document = &kit.document, .arena = &arena},
			  edges, count);
	tn_buf_append_byte(&out, '\0');
	assert_false(out.failed);
	assert_true(out.size > strlen(wanted));
	/* Behind it stands the edge that reading has made of the reference, with a new id. */
	out.data[strlen(wanted)] = '\0';
	assert_string_equal(out.data, wanted);
	tn_buf_finish(&out);
	tn_arena_finish(&arena);
	tn_picture_kit_finish(&kit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_outline)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
