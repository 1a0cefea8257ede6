#include "apps/studio/picture/export.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "apps/studio/picture/picture_test_kit.h"
#include "draw/limits.h"

static const char hostile[] =
	"{\"formatVersion\":1,\"revision\":1,\"nodes\":[{\"id\":\"g\",\"typeId\":"
	"\"azurerm/core/resource_group\",\"label\":\"a | b\\n# c "
	"<script>\",\"terraformName\":\"g\","
	"\"position\":{\"x\":0,\"y\":0},\"notes\":\"> *bold* ![x](http://evil)\"},{\"id\":\"s\","
	"\"typeId\":\"azurerm/database/mssql_server\",\"label\":\"=cmd|' /C calc'!A0\\\"; "
	"end\",\"terraformName\":\"s\",\"parentId\":\"g\",\"position\":{\"x\":0,\"y\":0},"
	"\"properties\":{\"administrator_login\":\"ad|min\","
	"\"administrator_login_password\":\"canary-secret\"},\"enabledOutputs\":[\"id\"]},{\"id\":"
	"\"d\",\"typeId\":\"azurerm/database/"
	"mssql_database\",\"label\":\"plain\",\"terraformName\":"
	"\"d\",\"parentId\":\"s\",\"position\":{\"x\":0,\"y\":0}}],\"edges\":[{\"id\":\"e\","
	"\"source\":"
	"\"d\",\"sourceHandle\":\"node\",\"target\":\"g\",\"targetHandle\":\"node\",\"category\":"
	"\"annotation\",\"label\":\"x\\\"|y\"}],\"modules\":[],\"instances\":[]}";

struct exported {
	struct tn_picture_kit kit;
	struct tn_studio_prices *prices;
	struct tn_studio_export_options options;
	struct tn_studio_export_facts facts;
	struct tn_studio_fault fault;
	struct tn_buf out;
};

static void open_text(struct exported *exported, const char *diagram)
{
	struct tenon_error err;

	memset(exported, 0, sizeof(*exported));
	tn_picture_kit_init(&exported->kit, tn_str_from(diagram));
	assert_int_equal(
		tn_studio_prices_load(exported->kit.registry, NULL, &exported->prices, &err),
		TENON_OK);
	exported->options.project_name = TN_STR("Shop *1*");
	exported->options.revision = 7;
	exported->options.prices = exported->prices;
	tn_buf_init(&exported->out, TN_DRAW_SVG_BYTES_MAX);
}

static void close_text(struct exported *exported)
{
	tn_buf_finish(&exported->out);
	tn_studio_prices_unref(exported->prices);
	tn_picture_kit_finish(&exported->kit);
}

static bool run(struct exported *exported, enum tn_studio_format format)
{
	bool ok;

	exported->options.format = format;
	exported->fault.code = NULL;
	tn_buf_clear(&exported->out);
	ok = tn_studio_export(&exported->kit.document, &exported->options, &exported->kit.arena,
			      &exported->out, &exported->facts, &exported->fault);
	tn_buf_append_byte(&exported->out, '\0');
	return ok;
}

static void has(const struct exported *exported, const char *text)
{
	if (!strstr(exported->out.data, text))
		fail_msg("no %s in\n%s", text, exported->out.data);
}

static void has_not(const struct exported *exported, const char *text)
{
	if (strstr(exported->out.data, text))
		fail_msg("%s in\n%s", text, exported->out.data);
}

static void mermaid(void **state)
{
	struct exported exported;

	(void)state;
	open_text(&exported, hostile);
	assert_true(run(&exported, TN_STUDIO_MERMAID));
	assert_string_equal(exported.out.data,
			    "flowchart LR\n"
			    "  subgraph n0[\"a #124; b #35; c #60;script#62; (Resource Group)\"]\n"
			    "    subgraph n1[\"=cmd#124;' /C calc'!A0#34;#59; end (SQL Server)\"]\n"
			    "      n2[\"plain<br/>SQL Database\"]\n"
			    "    end\n"
			    "  end\n"
			    "  n2 -.-|\"x#34;#124;y\"| n0\n");
	close_text(&exported);
}

/* 15.8: no secrets; what users wrote is text, whatever it looks like */
static void markdown(void **state)
{
	struct exported exported;

	(void)state;
	open_text(&exported, hostile);
	assert_true(run(&exported, TN_STUDIO_MARKDOWN));
	has(&exported, "# Shop \\*1\\*\n");
	has(&exported, "```mermaid\nflowchart LR\n");
	has(&exported, "| a \\| b \\# c &lt;script\\> | Resource Group | g |  |");
	has(&exported, "## Costs\n\nAbout **");
	has(&exported, "| administrator\\_login | ad\\|min |");
	has(&exported, "## Outputs");
	has(&exported, "\\*bold\\* \\!\\[x\\](http://evil)");
	has_not(&exported, "canary-secret");
	has_not(&exported, "<script");
	close_text(&exported);
}

static void csv(void **state)
{
	struct exported exported;

	(void)state;
	open_text(&exported, hostile);
	assert_true(run(&exported, TN_STUDIO_CSV));
	has(&exported,
	    "instanceId,label,typeId,type,terraformName,parent,status,monthlyUsd,note\r\n");
	has(&exported, "\"s\",\"'=cmd|' /C calc'!A0\"\"; end\","); /* no formula */
	has_not(&exported, "canary-secret");
	close_text(&exported);
}

static void json(void **state)
{
	struct exported exported;
	struct tn_json *tree;

	(void)state;
	open_text(&exported, hostile);
	assert_true(run(&exported, TN_STUDIO_EXPORT_JSON));
	has_not(&exported, "canary-secret");
	assert_int_equal(tn_json_parse_copy(&exported.kit.arena,
					    tn_str(exported.out.data, exported.out.size - 1), &tree,
					    NULL),
			 TENON_OK);
	assert_int_equal(tn_json_get(tree, "nodes")->count, 3);
	assert_int_equal(tn_json_get(tree, "edges")->count, 1);
	close_text(&exported);
}

static void pictures(void **state)
{
	struct exported exported;

	(void)state;
	open_text(&exported, hostile);
	assert_true(run(&exported, TN_STUDIO_SVG));
	has(&exported, "<title>Shop *1*</title>\n<desc>3 resources, revision 7</desc>");
	has_not(&exported, "canary-secret");
	assert_true(run(&exported, TN_STUDIO_PNG));
	assert_memory_equal(exported.out.data, "\x89PNG", 4);
	assert_true(exported.facts.width > 100 && exported.facts.scale == 1);
	exported.options.scale = 2;
	assert_true(run(&exported, TN_STUDIO_PNG));
	assert_int_equal(exported.facts.width % 2, 0);
	assert_true(exported.facts.scale == 2);
	close_text(&exported);
}

/* Without a scale a very large diagram becomes a picture that models still take. */
static void very_large(void **state)
{
	struct exported exported;

	(void)state;
	open_text(&exported, hostile);
	exported.kit.document.nodes[0]->x = 300000;
	exported.kit.document.nodes[2]->parent = NULL;
	assert_true(run(&exported, TN_STUDIO_PNG));
	assert_true(exported.facts.width <= 4096 && exported.facts.height >= 1);
	exported.options.scale = 8;
	assert_false(run(&exported, TN_STUDIO_PNG));
	assert_string_equal(exported.fault.code, "LIMIT_EXCEEDED");
	close_text(&exported);
}

static void selections(void **state)
{
	struct exported exported;
	struct tn_json *ids;

	(void)state;
	open_text(&exported, hostile);
	assert_int_equal(tn_json_parse_copy(&exported.kit.arena, TN_STR("[\"s\"]"), &ids, NULL),
			 TENON_OK);
	exported.options.node_ids = ids;
	assert_true(run(&exported, TN_STUDIO_MERMAID));
	has(&exported, "subgraph n1");
	has(&exported, "n2[");
	has_not(&exported, "n0");
	assert_int_equal(
		tn_json_parse_copy(&exported.kit.arena, TN_STR("[\"nobody\"]"), &ids, NULL),
		TENON_OK);
	exported.options.node_ids = ids;
	assert_false(run(&exported, TN_STUDIO_SVG));
	assert_string_equal(exported.fault.code, "NOT_FOUND");
	close_text(&exported);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mermaid),    cmocka_unit_test(markdown),
		cmocka_unit_test(csv),        cmocka_unit_test(json),
		cmocka_unit_test(pictures),   cmocka_unit_test(very_large),
		cmocka_unit_test(selections),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
