#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/studio/registry/property_check.h"
#include "apps/studio/limits.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

/* A type with one property of each kind. */
static const char types[] =
	"{'formatVersion':1,'palette':[{'id':'own','label':'O'}],'providers':{'acme':{'displayName'"
	":"
	"'A','source':null}},'types':[{'typeId':'acme/own/box','displayName':'B','category':'own',"
	"'terraform':{'type':'b'},'hcl':{'body':[]},'properties':["
	"{'key':'text','type':'string'},"
	"{'key':'short','type':'string','minLength':2,'maxLength':4},"
	"{'key':'name','type':'string','pattern':'^[a-z]+$'},"
	"{'key':'count','type':'number','min':1,'max':10},"
	"{'key':'number','type':'number'},"
	"{'key':'flag','type':'boolean'},"
	"{'key':'tier','type':'enum','allowed':['1','2','Premium']},"
	"{'key':'size','type':'enum','allowed':['small'],'open':true},"
	"{'key':'zones','type':'enum-list','allowed':['1','2']},"
	"{'key':'range','type':'cidr'},"
	"{'key':'words','type':'array','items':{'type':'string'}},"
	"{'key':'numbers','type':'array','items':{'type':'number'}},"
	"{'key':'ranges','type':'array','items':{'type':'cidr'}},"
	"{'key':'tags','type':'key-value-map'},"
	"{'key':'link','type':'reference','to':['acme/own/box']},"
	"{'key':'rules','type':'array','items':{'type':'object','fields':[{'key':'port','type':"
	"'number','max':99},{'key':'to','type':'node','to':['acme/own/box']}]}}]}]}";

/* What is stored, or what the refusal says; ' stands for ". */
static const struct {
	const char *key, *value, *stored, *why;
} cases[] = {
	/* studio.md 6.2: trimmed of nothing, converted when nothing is lost */
	{"text", "' a '", "' a '", NULL},
	{"text", "12.50", "'12.50'", NULL},
	{"text", "true", NULL, "a string is expected, not boolean"},
	{"text", "['a']", NULL, "a string is expected, not array"},
	{"text", "'a\\u0000b'", NULL, "without NUL"},
	{"short", "'a'", NULL, "at least 2 characters are expected, there are 1"},
	{"short", "'abcde'", NULL, "at most 4 characters"},
	{"short", "'\\u00e4\\u00f6\\u00fc\\u00df'", "'\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f'", NULL},
	{"short", "''", "''", NULL},
	{"name", "'abc'", "'abc'", NULL},
	{"name", "'aBc'", NULL, "\"aBc\" does not match the pattern ^[a-z]+$"},
	{"count", "5", "5", NULL},
	{"count", "'5'", "5", NULL},
	{"count", "0", NULL, "a number from 1 to 10 is expected, not 0"},
	{"count", "'11'", NULL, "a number from 1 to 10 is expected, not \"11\""},
	{"number", "'-1.5e3'", "-1.5e3", NULL},
	{"number", "'05'", NULL, "a number is expected"},
	{"number", "' 5'", NULL, "a number is expected"},
	{"number", "'5 '", NULL, "a number is expected"},
	{"number", "'0x5'", NULL, "a number is expected"},
	{"number", "'five'", NULL, "a number is expected, not \"five\""},
	{"number", "true", NULL, "a number is expected, not boolean"},
	{"number", "12345678901234567890", "12345678901234567890", NULL},
	{"flag", "false", "false", NULL},
	{"flag", "'true'", NULL, "true or false is expected, not \"true\""},
	{"flag", "1", NULL, "true or false is expected, not 1"},
	{"tier", "'Premium'", "'Premium'", NULL},
	{"tier", "2", "'2'", NULL},
	{"tier", "'premium'", NULL, "one of 1, 2, Premium is expected"},
	{"tier", "'Premum'", NULL, "did you mean \"Premium\"?"},
	{"tier", "{}", NULL, "one of the allowed values"},
	{"size", "'huge'", "'huge'", NULL},
	{"size", "''", NULL, "one of small"},
	{"zones", "['1',2]", "['1','2']", NULL},
	{"zones", "['1','3']", NULL, "element 2: one of 1, 2 is expected, not \"3\""},
	{"zones", "'1'", NULL, "a list is expected"},
	{"range", "'10.0.0.0/16'", "'10.0.0.0/16'", NULL},
	{"range", "'fd00::/8'", "'fd00::/8'", NULL},
	{"range", "'10.0.0.0/33'", NULL, "an address range like 10.0.0.0/16"},
	{"range", "'10.0.0/16'", NULL, "an address range"},
	{"range", "'10.0.0.0'", NULL, "an address range"},
	{"range", "'10.0.0.0/016'", NULL, "an address range"},
	{"range", "'10.0.0.0/1 '", NULL, "an address range"},
	{"range", "16", NULL, "an address range"},
	{"words", "['a',7]", "['a','7']", NULL},
	{"words", "[]", "[]", NULL},
	{"words", "['a',null]", NULL, "element 2: a string is expected, not null"},
	{"words", "['a',['b']]", NULL, "element 2"},
	{"numbers", "['1',2]", "[1,2]", NULL},
	{"ranges", "['10.0.0.0/8','x']", NULL, "element 2: an address range"},
	{"tags", "{'a':'b','n':1,'t':true}", "{'a':'b','n':'1','t':'true'}", NULL},
	{"tags", "{'a':{}}", NULL, "entry a: a string is expected"},
	{"tags", "['a']", NULL, "an object of texts"},
	{"link", "'id'", NULL, "`references`"},
	{"rules", "[{'port':'80','to':'n1'},{}]", "[{'port':80,'to':'n1'},{}]", NULL},
	{"rules", "[{'port':null}]", "[{}]", NULL},
	{"rules", "[{'port':100}]", NULL, "element 1: field port: a number of at most 99"},
	{"rules", "[{'prt':1}]", NULL, "no field \"prt\"; did you mean \"port\"?"},
	{"rules", "[{'to':7}]", NULL, "field to: the instanceId of a node"},
	{"rules", "[7]", NULL, "element 1: an object is expected, not 7"},
	{"text", "null", NULL, "null takes a value away"},
};

static struct tn_json *parse(struct tn_arena *arena, const char *text)
{
	char *copy = tn_arena_copy(arena, tn_str_from(text));
	struct tn_json *value;
	struct tenon_error err;

	for (char *c = copy; *c; c++)
		*c = *c == '\'' ? '"' : *c;
	if (tn_json_parse(arena, copy, strlen(copy), &value, &err) != TENON_OK)
		fail_msg("%s: %s", text, err.message);
	return value;
}

static struct tn_studio_registry *load(struct tn_arena *arena)
{
	struct tn_studio_source source = {.name = TN_STR("types.json")};
	struct tn_studio_registry *registry;
	struct tenon_error err;
	char *copy = tn_arena_copy(arena, tn_str_from(types));

	for (char *c = copy; *c; c++)
		*c = *c == '\'' ? '"' : *c;
	source.text = tn_str_from(copy);
	assert_int_equal(tn_studio_registry_create(&source, 1, &registry, &err), TENON_OK);
	assert_int_equal(registry->faults->count, 0);
	return registry;
}

static void test_values(void **state)
{
	struct tn_studio_registry *registry;
	const struct tn_studio_type *type;
	struct tn_arena arena;

	(void)state;
	tn_arena_init(&arena, 16 * TN_MIB);
	registry = load(&arena);
	type = tn_studio_type_find(registry, TN_STR("acme/own/box"));
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		const struct tn_json *stored = NULL;
		char why[256] = "";
		bool right = tn_studio_check_value(
			tn_studio_property_find(type, tn_str_from(cases[i].key)),
			parse(&arena, cases[i].value), &arena, &stored, why, sizeof(why));
		struct tn_buf out;

		if (right != (cases[i].stored != NULL))
			fail_msg("%s = %s: %s", cases[i].key, cases[i].value, why);
		if (!right) {
			if (!strstr(why, cases[i].why))
				fail_msg("%s = %s: %s", cases[i].key, cases[i].value, why);
			continue;
		}
		tn_buf_init(&out, TN_KIB);
		tn_json_put_value(&out, stored);
		tn_buf_append_byte(&out, '\0');
		for (char *c = out.data; *c; c++)
			*c = *c == '"' ? '\'' : *c;
		assert_string_equal(out.data, cases[i].stored);
		tn_buf_finish(&out);
	}
	tn_studio_registry_unref(registry);
	tn_arena_finish(&arena);
}

/* studio.md 21: strings of 64 KiB, lists of 1,000. */
static void test_limits(void **state)
{
	struct tn_studio_registry *registry;
	const struct tn_studio_type *type;
	const struct tn_json *stored;
	struct tn_json big = {.type = TN_JSON_STRING}, list = {.type = TN_JSON_ARRAY};
	struct tn_arena arena;
	char why[100], *text;

	(void)state;
	tn_arena_init(&arena, 16 * TN_MIB);
	registry = load(&arena);
	type = tn_studio_type_find(registry, TN_STR("acme/own/box"));
	text = tn_arena_alloc(&arena, TN_STUDIO_STRING_BYTES_MAX + 2);
	memset(text, 'x', TN_STUDIO_STRING_BYTES_MAX + 1);
	big.text = tn_str(text, TN_STUDIO_STRING_BYTES_MAX);
	assert_true(tn_studio_check_value(&type->properties[0], &big, &arena, &stored, why,
					  sizeof(why)));
	big.text.size++;
	assert_false(tn_studio_check_value(&type->properties[0], &big, &arena, &stored, why,
					   sizeof(why)));
	list.first = tn_arena_alloc_array(&arena, TN_STUDIO_LIST_MAX + 1, sizeof(list));
	list.count = TN_STUDIO_LIST_MAX + 1;
	for (unsigned i = 0; i <= TN_STUDIO_LIST_MAX; i++) {
		list.first[i] = (struct tn_json){.type = TN_JSON_STRING, .text = TN_STR("a")};
		list.first[i].next = i < TN_STUDIO_LIST_MAX ? &list.first[i + 1] : NULL;
	}
	assert_false(tn_studio_check_value(tn_studio_property_find(type, TN_STR("words")), &list,
					   &arena, &stored, why, sizeof(why)));
	assert_non_null(strstr(why, "at most 1000"));
	tn_studio_registry_unref(registry);
	tn_arena_finish(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
