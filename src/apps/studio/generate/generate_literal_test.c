/* Values of a diagram as literals of HCL: whatever they hold, HCL reads them back (studio.md 8.3,
 * ST-144). */
#include "apps/studio/hcl/hcl_tree.h"
#include "apps/studio/generate/generate_words_kit.h"

#include <stdlib.h>

#include "apps/studio/hcl/hcl.h"

/* Every trap in one text: what HCL makes of the literal is the text again. */
static const char *const traps[] = {
	"${file(\\\"/etc/passwd\\\")}",
	"%{ if true }x%{ endif }",
	"$${x}",
	"$$${x}",
	"%%{x}",
	"$%{x}",
	"a$",
	"a%",
	"$",
	"$$",
	"\\\\",
	"\\\\\\\"",
	"\\\"\\n}\\nresource \\\"x\\\" \\\"y\\\" {",
	"<<EOT\\nx\\nEOT",
	"line\\r\\nline\\ttab",
	"\\u0001\\u001b\\u007f\\u0085\\u2028",
	"/* */ # //",
	"../../etc/passwd",
	"\\ud83d\\ude00 \\u0065\\u0301",
	"{self} {name}",
};

static const struct tn_json *constant(const struct tn_hcl_body *body, const char *name)
{
	const struct tn_hcl_attribute *found = tn_hcl_attribute_find(body, name);
	assert_non_null(found);
	assert_int_equal(found->value->kind, TN_HCL_CONSTANT);
	return found->value->value;
}

static const struct tn_hcl_body *parse(struct tn_studio_gen_kit *kit, const char *name)
{
	struct tn_hcl_file *file;
	struct tenon_error err;
	assert_int_equal(tn_hcl_parse(&kit->arena, tn_studio_gen_kit_file(kit, name), &file, &err),
			 TENON_OK);
	assert_null(file->faults);
	return file->body;
}

static void test_hostile_values(void **state)
{
	struct tn_studio_gen_kit *kit = *state;
	for (size_t i = 0; i < sizeof(traps) / sizeof(traps[0]); i++) {
		char diagram[4096], config[4096];
		(void)snprintf(diagram, sizeof(diagram),
			       "{\"formatVersion\":1,\"revision\":1,\"nodes\":[{\"id\":\"rg\","
			       "\"typeId\":\"azurerm/core/resource_group\",\"label\":\"%s\","
			       "\"terraformName\":\"rg\",\"position\":{\"x\":0,\"y\":0},"
			       "\"properties\":{\"name\":\"%s\",\"location\":\"%s\"},"
			       "\"variableModes\":{\"location\":\"variable\"}}],"
			       "\"edges\":[],\"modules\":[],\"instances\":[]}",
			       traps[i], traps[i], traps[i]);
		(void)snprintf(config, sizeof(config), "{\"tags\":{\"%s\":\"%s\"}}", traps[i],
			       traps[i]);
		assert_true(tn_studio_gen_kit_load(kit, tn_str_from(diagram), tn_str_from(config),
						   false));
		assert_true(tn_studio_gen_kit_run(kit, NULL));
		struct tn_str text = kit->document.nodes[0]->label;
		const struct tn_hcl_body *body = parse(kit, "main.tf");
		assert_non_null(body->blocks);
		assert_null(body->blocks->next);
		assert_true(tn_str_equal(constant(body->blocks->body, "name")->text, text));
		body = parse(kit, "terraform.tfvars");
		assert_true(tn_str_equal(constant(body, "rg_location")->text, text));
		body = parse(kit, "locals.tf");
		const struct tn_json *tags = constant(body->blocks->body, "common_tags");
		assert_int_equal(tags->count, 1);
		assert_true(tn_str_equal(tags->first->key, text));
		assert_true(tn_str_equal(tags->first->text, text));
	}
}

/* Escapes as the contract spells them. */
static void test_escapes(void **state)
{
	static const char *const pairs[][2] = {{"a\"b\\c", "\"a\\\"b\\\\c\""},
					       {"\n\r\t", "\"\\n\\r\\t\""},
					       {"${a}%{b}", "\"$${a}%%{b}\""},
					       {"\x01\x7f", "\"\\u0001\\u007F\""},
					       {"gr\xC3\xB6\xC3\x9F", "\"gr\xC3\xB6\xC3\x9F\""},
					       {"$a %b $", "\"$a %b $\""},
					       {"bad\xff", "\"bad\xEF\xBF\xBD\""}};
	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		struct tn_buf out;
		tn_buf_init(&out, 4096);
		tn_studio_put_hcl_string(&out, tn_str_from(pairs[i][0]));
		assert_true(tn_str_is(tn_buf_str(&out), pairs[i][1]));
		tn_buf_finish(&out);
	}
}

/* A value next to a template's text does not make an interpolation with it, and a megabyte stays a
 * literal (ST-144). */
static void test_neighbours(void **state)
{
	struct tn_studio_gen_kit *kit = *state;
	RUN(kit, "{}",
	    NODE("id", "azurerm/identity/federated_identity_credential", "",
		 ",'properties':{'name':'x','scenario':'github','github_org':'o$','github_repo':'{"
		 "file}'}"));
	assert_false(has(kit, "main.tf", "${"));
	struct tn_buf config;
	tn_buf_init(&config, 2 * TN_MIB);
	tn_buf_append_text(&config, "{'tags':{'big':'");
	for (size_t i = 0; i < TN_MIB; i += 4)
		tn_buf_append_text(&config, "${a}");
	tn_buf_append_text(&config, "'}}");
	tn_buf_append_byte(&config, '\0');
	RUN(kit, config.data, "");
	const struct tn_hcl_body *body = parse(kit, "locals.tf");
	const struct tn_json *tags = constant(body->blocks->body, "common_tags");
	assert_int_equal(tags->first->text.size, TN_MIB);
	tn_buf_finish(&config);
}

/* Keys are bare only where HCL reads them as text; columns are counted in grapheme clusters. */
static void test_keys(void **state)
{
	struct tn_studio_gen_kit *kit = *state;
	RUN(kit, "{'tags':{'for':1,'null':2,'a-b':3,'1a':4,'e\xCC\x81':5,'n':{'x':1.50},'m':-0}}",
	    "");
	assert_file(kit, "locals.tf",
		    HEAD "locals {\n  common_tags = {\n"
			 "    \"for\"  = 1\n    \"null\" = 2\n    a-b    = 3\n    \"1a\"   = 4\n"
			 "    \"e\xCC\x81\"    = 5\n    n = {\n      x = 1.5\n    }\n    m = 0\n"
			 "  }\n}\n");
	RUN(kit,
	    "{'tags':{'a':12345678901234567890,'b':1e3,'c':0.1,'d':1e400,'e':[1,'x',[true]],'f':[],"
	    "'g':[{'h':1}]}}",
	    "");
	assert_file(kit, "locals.tf",
		    HEAD "locals {\n  common_tags = {\n    a = 12345678901234567890\n    b = 1000\n"
			 "    c = 0.1\n    d = 1e400\n    e = [1, \"x\", [true]]\n    f = []\n"
			 "    g = [{\n      h = 1\n    }]\n  }\n}\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_hostile_values),
		TEST(test_escapes),
		TEST(test_neighbours),
		TEST(test_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
