/* Every mistake of a file of types, told with its place (ST-041). */
#include "apps/studio/registry/registry_test_kit.h"

struct mistake {
	const char *more, *pointer, *part;
};

static const struct mistake mistakes[] = {
	/* unknown keys, with the nearest */
	{"'hcl':{'body':[]},'propertys':[]", "/types/1/propertys", "did you mean \"properties\"?"},
	{"'hcl':{'body':[]},'properties':[{'key':'a','type':'string','defalt':1}]",
	 "/types/1/properties/0/defalt", "did you mean \"default\"?"},
	{"'hcl':{'body':[],'bodys':1}", "/types/1/hcl/bodys", "unknown member"},
	/* dangling type ids */
	{"'hcl':{'body':[]},'canBeChildOf':['acme/own/rom']", "/types/1/canBeChildOf/0",
	 "did you mean \"acme/own/room\"?"},
	{"'hcl':{'body':[]},'properties':[{'key':'r','type':'reference','to':['x/y/z']}]",
	 "/types/1/properties/0/to/0", "no file has a type \"x/y/z\""},
	{"'hcl':{'body':[]},'parentReference':{'key':'r','from':['acme/own/none']}",
	 "/types/1/parentReference/from/0", "no file has a type"},
	{"'hcl':{'body':[]},'visualParents':['acme/own/none']", "/types/1/visualParents/0",
	 "no file has a type"},
	/* properties and conditions */
	{"'hcl':{'body':['size']},'properties':[{'key':'sizes','type':'string'}]",
	 "/types/1/hcl/body/0", "unknown property \"size\"; did you mean \"sizes\"?"},
	{"'hcl':{'body':[]},'properties':[{'key':'a','type':'string','visibleWhen':{'prop':'b',"
	 "'set':true}}]",
	 "/types/1/properties/0/visibleWhen/prop", "unknown property \"b\""},
	{"'hcl':{'body':[]},'properties':[{'key':'a','type':'enum','allowed':['x']},{'key':'b',"
	 "'type':'string','visibleWhen':{'prop':'a','is':'y'}}]",
	 "/types/1/properties/1/visibleWhen/is", "never has this value"},
	{"'hcl':{'body':[]},'properties':[{'key':'a','type':'string','visibleWhen':{'prop':'a'}}]",
	 "/types/1/properties/0/visibleWhen", "a comparison is missing"},
	{"'hcl':{'body':[{'attr':'x','value':{'lit':1},'if':{'ref':'a'}}]},'properties':[{'key':"
	 "'a','type':'string'}]",
	 "/types/1/hcl/body/0/if/ref", "is no reference"},
	{"'hcl':{'body':[]},'properties':[{'key':'a','type':'enum','allowed':['x','y'],'default':"
	 "'z'}]",
	 "/types/1/properties/0/default", "one of x, y is expected, not \"z\""},
	{"'hcl':{'body':[]},'properties':[{'key':'a','type':'number','max':3,'default':4}]",
	 "/types/1/properties/0/default", "at most 3"},
	{"'hcl':{'body':[]},'properties':[{'key':'a','type':'string','pattern':'(a)\\\\1'}]",
	 "/types/1/properties/0/pattern", ""},
	{"'hcl':{'body':[]},'properties':[{'key':'a','type':'string','defaultBy':{'prop':'b',"
	 "'cases':{}}},{'key':'b','type':'string','defaultBy':{'prop':'a','cases':{}}}]",
	 "/types/1/properties/0/defaultBy", "circle"},
	{"'hcl':{'body':[]},'properties':[{'key':'a','type':'string','visibleWhen':{'any':[{'prop':"
	 "'b','set':true}]}},{'key':'b','type':'string','visibleWhen':{'none':[{'prop':'a','is':"
	 "'x'}]}}]",
	 "/types/1/properties/0/visibleWhen", "circle"},
	{"'hcl':{'body':[]},'properties':[{'key':'a','type':'string'},{'key':'a','type':'string'}]",
	 "/types/1/properties/1", "is there twice"},
	{"'hcl':{'body':[]},'properties':[{'key':'a','type':'text'}]", "/types/1/properties/0/type",
	 "none of: string, number"},
	{"'hcl':{'body':[]},'properties':[{'key':'a','type':'enum'}]", "/types/1/properties/0",
	 "an enum needs \"allowed\""},
	{"'hcl':{'body':[]},'properties':[{'key':'a','type':'string','min':2,'max':1}]",
	 "/types/1/properties/0/min", "greater than"},
	/* templates */
	{"'hcl':{'body':[{'attr':'x','value':{'text':'{nam}-x'}}]},'properties':[{'key':'name',"
	 "'type':'string'}]",
	 "/types/1/hcl/body/0/value/text", "did you mean \"name\"?"},
	{"'hcl':{'body':[{'attr':'x','value':{'text':'{name'}}]},'properties':[{'key':'name',"
	 "'type':'string'}]",
	 "/types/1/hcl/body/0/value/text", "a { without its }"},
	{"'hcl':{'body':[{'attr':'x','value':{'text':'{name:up}'}}]},'properties':[{'key':'name',"
	 "'type':'string'}]",
	 "/types/1/hcl/body/0/value/text", "filter"},
	{"'hcl':{'body':[{'attr':'x','value':{'var':'token','sensitive':true}}]}",
	 "/types/1/hcl/body/0/value/var", "begins with \"{self}_\""},
	{"'hcl':{'body':[{'block':'b','each':'name','items':[]}]},'properties':[{'key':'name',"
	 "'type':'string'}]",
	 "/types/1/hcl/body/0", "neither a list nor a map"},
	{"'hcl':{'body':[{'block':'b','each':'l','items':[{'attr':'x','value':{'item':'por'}}]}]},"
	 "'properties':[{'key':'l','type':'array','items':{'type':'object','fields':[{'key':'port',"
	 "'type':'number'}]}}]",
	 "/types/1/hcl/body/0/items/0/value/item", "did you mean \"port\"?"},
	{"'hcl':{'body':[{'attr':'x','value':{'item':'port'}}]}", "/types/1/hcl/body/0/value/item",
	 "outside of \"each\""},
	{"'hcl':{'body':[{'attr':'x','value':{'extra':'e','attr':'id'}}]}",
	 "/types/1/hcl/body/0/value/extra", "no extra block"},
	{"'hcl':{'body':[{'attr':'x','value':{'scope':'plac'}}]}",
	 "/types/1/hcl/body/0/value/scope", "no scope \"plac\""},
	{"'hcl':{'body':[{'attr':'x','value':{'what':1}}]}", "/types/1/hcl/body/0/value",
	 "no expression"},
	{"'hcl':{'body':[{'attr':'a b','value':{'lit':1}}]}", "/types/1/hcl/body/0/attr",
	 "name of an attribute"},
	{"'hcl':{'body':[]},'needs':['nowhere']", "/types/1/needs/0", "no scope \"nowhere\""},
	/* handles, outputs, icon, docs */
	{"'hcl':{'body':[]},'handles':[{'id':'h','kind':'both'}]", "/types/1/handles/0/kind",
	 "none of: target, source"},
	{"'hcl':{'body':[]},'handles':[{'id':'ref-x','kind':'source'}]", "/types/1/handles/0",
	 "by themselves"},
	{"'hcl':{'body':[]},'outputs':[{'key':'id'}]", "/types/1/outputs/0", "attribute"},
	{"'hcl':{'body':[]},'icon':'<script>'", "/types/1/icon", "data of a path"},
	{"'hcl':{'body':[]},'docsUrl':'javascript:x'", "/types/1/docsUrl", "https://"},
	/* costs */
	{"'hcl':{'body':[]},'cost':{'meters':[{'label':'L','price':'acme/{size}','qty':1}]}",
	 "/types/1/cost/meters/0/price", "unknown property \"size\""},
	{"'hcl':{'body':[]},'cost':{'meters':[{'label':'L','price':'acme/"
	 "x','qty':{'usage':'gb'}}]}",
	 "/types/1/cost/meters/0/qty/usage", "no usage"},
	{"'hcl':{'body':[]},'cost':{'meters':[{'label':'L','price':'acme/x','qty':{'over':[1]}}]}",
	 "/types/1/cost/meters/0/qty/over", "two quantities"},
	{"'hcl':{'body':[]},'cost':{'free':true,'unpriced':true}", "/types/1/cost", "one of free"},
	{"'hcl':{'body':[]},'cost':{'unpriced':true,'usage':[{'key':'gb','default':5,'max':3}]}",
	 "/types/1/cost/usage/0", "in its range"},
	/* without hcl */
	{"'container':true", "/types/1", "\"hcl\" is missing"},
};

/* ST-041: file, pointer and reason; the broken type is left out, the others are there. */
static void test_mistakes(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(mistakes); i++) {
		struct tn_studio_registry *registry = load_type(mistakes[i].more);

		if (!has_fault(registry, mistakes[i].pointer, mistakes[i].part))
			fail_msg("%s: no fault at %s with \"%s\"", mistakes[i].more,
				 mistakes[i].pointer, mistakes[i].part);
		assert_null(tn_studio_type_find(registry, TN_STR("acme/own/box")));
		assert_non_null(tn_studio_type_find(registry, TN_STR("acme/own/room")));
		assert_int_equal(registry->type_count, 120);
		tn_studio_registry_unref(registry);
	}
}

static void test_broken_files(void **state)
{
	static const struct {
		const char *text, *pointer, *part;
	} files[] = {
		{"", "", "line 1, column 1"},
		{"[]", "", "is an object"},
		{"{\"types\":[]}", "/formatVersion", "is missing"},
		{"{\"formatVersion\":2}", "/formatVersion", "version 2 is not understood"},
		{"{\"formatVersion\":1,\n \"types\":[}", "", "line 2, column "},
		{"{\"formatVersion\":1,\"typs\":[]}", "/typs", "did you mean \"types\"?"},
		{"{\"formatVersion\":1,\"types\":{}}", "/types", "an array"},
		{"{\"formatVersion\":1,\"prices\":{\"currency\":\"EUR\"}}", "/prices/currency",
		 "USD"},
		{"{\"formatVersion\":1,\"prices\":{\"table\":{\"a/b\":{\"per\":\"month\"}}}}",
		 "/prices/table/a~1b", "usd"},
		{"{\"formatVersion\":1,\"providers\":{\"aws\":{\"displayName\":\"A\",\"source\":"
		 "null}}}",
		 "/providers/aws", "another file"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(files); i++) {
		struct tn_studio_registry *registry = load(files[i].text);

		if (!has_fault(registry, files[i].pointer, files[i].part))
			fail_msg("%s", files[i].text);
		assert_int_equal(registry->type_count, 119);
		tn_studio_registry_unref(registry);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_broken_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
