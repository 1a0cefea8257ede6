/* Our own table of schemas with values that fit and values that do not: it stands even where the
 * official suite (schema_suite_test.c) is not installed. MCP-283 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/size.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/schema.h"

#define D7 "\"$schema\":\"http://json-schema.org/draft-07/schema#\""

static const struct {
	const char *schema;
	const char *fit, *unfit; /* arrays of values */
} cases[] = {
	/* types */
	{"true", "[1,null,{},[]]", "[]"},
	{"false", "[]", "[1,null,{},[],\"\"]"},
	{"{}", "[1,null,{},[],\"\"]", "[]"},
	{"{'title':'x','x-any':{'type':3},'default':5,'examples':[1]}", "[1,null]", "[]"},
	{"{'type':'null'}", "[null]", "[0,false,\"\",{},[]]"},
	{"{'type':'boolean'}", "[true,false]", "[0,null,\"true\"]"},
	{"{'type':'integer'}", "[1,1.0,-3,1e3,0,-0.0,123456789012345678901234567890]",
	 "[1.5,1e-1,\"1\",true]"},
	{"{'type':'number'}", "[1,1.5,1e400]", "[\"1\",null]"},
	{"{'type':'string'}", "[\"\",\"a\"]", "[1,null,[]]"},
	{"{'type':'array'}", "[[],[1]]", "[{},\"[]\"]"},
	{"{'type':'object'}", "[{},{\"a\":1}]", "[[],\"{}\"]"},
	{"{'type':['string','null']}", "[\"\",null]", "[1,[],{}]"},
	{"{'type':['integer','string']}", "[1,\"1\"]", "[1.5,null]"},
	{"{'type':['array']}", "[[]]", "[1]"},
	/* enum, const */
	{"{'enum':['a',1,null,{'b':[1]}]}", "[\"a\",1,1.0,null,{\"b\":[1.0]}]",
	 "[\"b\",2,{\"b\":[]},false]"},
	{"{'enum':[]}", "[]", "[null,1]"},
	{"{'const':{'a':1,'b':2}}", "[{\"b\":2,\"a\":1.0}]", "[{\"a\":1},{\"a\":1,\"b\":3}]"},
	{"{'const':0}", "[0,0.0,-0]", "[false,null,\"\",1]"},
	{"{'const':false}", "[false]", "[0,[],{}]"},
	{"{'const':[false]}", "[[false]]", "[[0],[[false]]]"},
	/* numbers */
	{"{'minimum':1.1}", "[1.1,2.6,\"x\"]", "[0.6,1.0999999999999999999]"},
	{"{'minimum':-2}", "[-2,-2.0,-1,1e-400]", "[-2.0001,-3,-1e400]"},
	{"{'maximum':300}", "[300,300.0,3e2,-1]", "[300.5,3.0001e2]"},
	{"{'maximum':9007199254740993}", "[9007199254740993]", "[9007199254740994]"},
	{"{'exclusiveMinimum':1.1}", "[1.2]", "[1.1,1.10]"},
	{"{'exclusiveMaximum':3}", "[2.9999]", "[3,3.0,4]"},
	{"{'minimum':1,'maximum':3}", "[1,2,3]", "[0,4]"},
	{"{'multipleOf':2}", "[0,4,-6,1e100,\"x\"]", "[7,0.5]"},
	{"{'multipleOf':1.5}", "[0,4.5,-3]", "[35,1]"},
	{"{'multipleOf':0.0001}", "[0.0075,1]", "[0.00751]"},
	{"{'multipleOf':0.01}", "[0.1,19.99,1e50]", "[0.001]"},
	{"{'multipleOf':1e-8}", "[12391239123,0.00000001]", "[1e-9]"},
	{"{'multipleOf':0.123456789}", "[0.123456789,12.3456789]", "[1e308]"},
	{"{'type':'integer','multipleOf':1000000007}", "[2000000014]", "[2000000015,1e30]"},
	/* strings */
	{"{'minLength':2}", "[\"ab\",\"\\u00e9\\u00e9\",1]", "[\"a\",\"\\ud83d\\ude00\"]"},
	{"{'maxLength':2}", "[\"\",\"ab\",\"\\ud83d\\ude00\\ud83d\\ude00\",[1,2,3]]", "[\"abc\"]"},
	{"{'minLength':2.0,'maxLength':3.0}", "[\"ab\",\"abc\"]", "[\"a\",\"abcd\"]"},
	{"{'maxLength':1e30}", "[\"abc\"]", "[]"},
	{"{'pattern':'^a*$'}", "[\"\",\"aaa\",1]", "[\"abc\"]"},
	{"{'pattern':'a+'}", "[\"xxaayy\"]", "[\"xxyy\"]"},
	{"{'pattern':'^\\\\S(|(.|\\\\n)*\\\\S)$'}", "[\"a\",\"a b\",\"a\\nb\"]",
	 "[\" a\",\"a \",\"\"]"},
	{"{'format':'email'}", "[\"nonsense\",1]", "[]"},
	{"{'format':'unheard-of'}", "[\"x\"]", "[]"},
	{"{'contentEncoding':'base64','contentMediaType':'application/json'}", "[\"{\",\"%\"]",
	 "[]"},
	/* arrays */
	{"{'items':{'type':'integer'}}", "[[],[1,2],{\"a\":\"b\"},\"x\"]", "[[1,\"x\"],[null]]"},
	{"{'items':false}", "[[]]", "[[1]]"},
	{"{'prefixItems':[{'type':'integer'},{'type':'string'}]}",
	 "[[],[1],[1,\"a\"],[1,\"a\",null]]", "[[\"a\"],[1,2]]"},
	{"{'prefixItems':[{},{}],'items':{'type':'integer'}}", "[[null,null,1],[\"x\"]]",
	 "[[null,null,\"x\"]]"},
	{"{'prefixItems':[true,false]}", "[[],[1]]", "[[1,2]]"},
	{"{'items':[{'type':'integer'}],'additionalItems':false}", "[[],[1]]", "[[\"x\"],[1,2]]"},
	{"{'items':[{'type':'integer'}]}", "[[1,\"x\"]]", "[[\"x\"]]"},
	{"{'additionalItems':false}", "[[1,2]]", "[]"},
	{"{" D7 ",'items':[{'type':'integer'}],'additionalItems':{'type':'null'}}",
	 "[[1,null],[2]]", "[[1,1],[null]]"},
	{"{'items':{'items':{'type':'string'}}}", "[[[\"a\"],[]]]", "[[[1]]]"},
	{"{'minItems':1}", "[[1],\"\"]", "[[]]"},
	{"{'maxItems':2}", "[[1,2],\"xxx\"]", "[[1,2,3]]"},
	{"{'uniqueItems':true}",
	 "[[],[1,2],[1,true],[0,false],[\"a\",\"b\"],[{\"a\":1},{\"a\":2}],[[1],[true]],[1,\"1\"]]",
	 "[[1,1],[1,1.0],[{\"a\":1,\"b\":2},{\"b\":2,\"a\":1}],[[1,2],[1,2]],[\"a\",\"a\"]]"},
	{"{'uniqueItems':true}",
	 "[[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,\"1\",[1],{\"1\":1}]]",
	 "[[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,1e0],"
	 "[{\"a\":1,\"b\":[2]},2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,{\"b\":[2.0],\"a\":1}]]"},
	{"{'uniqueItems':false}", "[[1,1]]", "[]"},
	{"{'contains':{'minimum':5}}", "[[3,5],{},[6]]", "[[],[1,2]]"},
	{"{'contains':{'const':5},'minContains':2}", "[[5,5],[5,1,5,5]]", "[[5],[]]"},
	{"{'contains':{'const':5},'maxContains':1}", "[[5],[1,5]]", "[[5,5],[]]"},
	{"{'contains':{'const':5},'minContains':0}", "[[],[1]]", "[]"},
	{"{'contains':false}", "[{}]", "[[],[1]]"},
	{"{'minContains':2}", "[[]]", "[]"},
	/* objects */
	{"{'properties':{'a':{'type':'integer'},'b':{'type':'string'}}}",
	 "[{},{\"a\":1},{\"c\":[]},{\"a\":1,\"b\":\"x\"},[],1]",
	 "[{\"a\":\"x\"},{\"a\":1,\"b\":1}]"},
	{"{'properties':{'a':true,'b':false}}", "[{\"a\":1}]", "[{\"b\":1},{\"a\":1,\"b\":1}]"},
	{"{'properties':{'__proto__':{'type':'number'},'toString':{'type':'string'}}}",
	 "[{\"__proto__\":1}]", "[{\"__proto__\":\"x\"},{\"toString\":1}]"},
	{"{'properties':{'a\\u0000b':{'type':'number'},'':{'type':'string'}}}",
	 "[{\"a\":\"x\",\"\":\"\"}]", "[{\"a\\u0000b\":\"x\"},{\"\":1}]"},
	{"{'required':['a']}", "[{\"a\":null},[],\"\"]", "[{},{\"b\":1}]"},
	{"{'required':['a','a']}", "[{\"a\":1}]", "[{}]"},
	{"{'properties':{'a':{},'b':{}},'required':['b','c']}", "[{\"b\":1,\"c\":1}]",
	 "[{\"b\":1},{\"c\":1},{\"a\":1}]"},
	{"{'required':[]}", "[{}]", "[]"},
	{"{'additionalProperties':false}", "[{},1]", "[{\"a\":1}]"},
	{"{'properties':{'a':{}},'additionalProperties':false}", "[{},{\"a\":1}]", "[{\"b\":1}]"},
	{"{'additionalProperties':{'type':'boolean'}}", "[{\"a\":true}]", "[{\"a\":1}]"},
	{"{'properties':{'a':{}},'patternProperties':{'^v':{}},'additionalProperties':false}",
	 "[{\"a\":1,\"vx\":2}]", "[{\"xv\":1},{\"a\":1,\"q\":1}]"},
	{"{'patternProperties':{'f.*o':{'type':'integer'}}}", "[{\"foo\":1,\"x\":\"\"},{}]",
	 "[{\"fooo\":\"x\"},{\"foo\":1,\"foooo\":\"x\"}]"},
	{"{'patternProperties':{'a*':{'type':'integer'},'aaa*':{'maximum':20}}}",
	 "[{\"a\":21},{\"aaaa\":18}]", "[{\"a\":\"x\"},{\"aaa\":31},{\"aaa\":\"x\"}]"},
	{"{'properties':{'foo':{'maxItems':3}},'patternProperties':{'f.o':{'minItems':2}}}",
	 "[{\"foo\":[1,2]}]", "[{\"foo\":[]},{\"foo\":[1,2,3,4]},{\"fxo\":[1]}]"},
	{"{'propertyNames':{'maxLength':3}}", "[{\"f\":1,\"foo\":2},{},[1]]", "[{\"fooo\":1}]"},
	{"{'propertyNames':{'pattern':'^[a-z]+$'}}", "[{\"abc\":1}]", "[{\"A\":1},{\"\":1}]"},
	{"{'propertyNames':false}", "[{}]", "[{\"a\":1}]"},
	{"{'propertyNames':{'enum':['a','b']}}", "[{\"a\":1}]", "[{\"c\":1}]"},
	{"{'minProperties':1}", "[{\"a\":1},[]]", "[{}]"},
	{"{'maxProperties':1}", "[{\"a\":1}]", "[{\"a\":1,\"b\":2}]"},
	{"{'dependentRequired':{'a':['b','c']}}",
	 "[{},{\"b\":1},{\"a\":1,\"b\":1,\"c\":1},[\"a\"]]", "[{\"a\":1},{\"a\":1,\"b\":1}]"},
	{"{'dependentSchemas':{'a':{'required':['b'],'maxProperties':2}}}",
	 "[{\"b\":1},{\"a\":1,\"b\":1}]", "[{\"a\":1},{\"a\":1,\"b\":1,\"c\":1}]"},
	{"{'dependentSchemas':{'a':false}}", "[{\"b\":1}]", "[{\"a\":1}]"},
	{"{'dependencies':{'a':['b'],'c':{'required':['d']}}}",
	 "[{\"a\":1,\"b\":1},{\"c\":1,\"d\":1}]", "[{\"a\":1},{\"c\":1}]"},
	{"{" D7 ",'dependencies':{'a':['b']}}", "[{\"b\":1}]", "[{\"a\":1}]"},
	{"{" D7 ",'dependentRequired':{'a':['b']},'prefixItems':[false]}", "[{\"a\":1},[1]]", "[]"},
	/* combinations */
	{"{'allOf':[{'minimum':2},{'maximum':4}]}", "[2,3,4]", "[1,5]"},
	{"{'allOf':[true,false]}", "[]", "[1]"},
	{"{'anyOf':[{'type':'integer'},{'minimum':2}]}", "[1,2.5,3,\"x\"]", "[1.5]"},
	{"{'anyOf':[false,true]}", "[1]", "[]"},
	{"{'oneOf':[{'type':'integer'},{'minimum':2}]}", "[1,2.5]", "[3,1.5]"},
	{"{'oneOf':[true,true,false]}", "[]", "[1]"},
	{"{'oneOf':[true,false,false]}", "[1]", "[]"},
	{"{'type':'string','oneOf':[{'const':'a','title':'A'},{'const':'b','title':'B'}]}",
	 "[\"a\",\"b\"]", "[\"c\",1]"},
	{"{'not':{'type':'integer'}}", "[\"x\",1.5]", "[1]"},
	{"{'not':{}}", "[]", "[1,{}]"},
	{"{'not':{'not':{'type':'integer'}}}", "[1]", "[\"x\"]"},
	{"{'properties':{'a':{'not':{}}}}", "[{\"b\":1}]", "[{\"a\":1}]"},
	{"{'if':{'exclusiveMaximum':0},'then':{'minimum':-10},'else':{'multipleOf':2}}",
	 "[-1,4,\"x\"]", "[-100,3]"},
	{"{'if':{'const':0}}", "[0,1]", "[]"},
	{"{'then':{'const':0},'else':{'const':1}}", "[5]", "[]"},
	{"{'if':true,'then':{'const':'t'},'else':{'const':'e'}}", "[\"t\"]", "[\"e\"]"},
	{"{'if':false,'then':{'const':'t'},'else':{'const':'e'}}", "[\"e\"]", "[\"t\"]"},
	{"{'if':{'properties':{'k':{'const':'x'}},'required':['k']},'then':{'required':['y']}}",
	 "[{\"k\":\"x\",\"y\":1},{\"k\":\"z\"},{}]", "[{\"k\":\"x\"}]"},
	/* references */
	{"{'$ref':'#/$defs/a','$defs':{'a':{'type':'integer'}}}", "[1]", "[\"x\"]"},
	{"{'$ref':'#/definitions/a','definitions':{'a':{'type':'integer'}}}", "[1]", "[\"x\"]"},
	{"{'$ref':'#/$defs/c','$defs':{'a':{'type':'integer'},'b':{'$ref':'#/$defs/a'},"
	 "'c':{'$ref':'#/$defs/b'}}}",
	 "[1]", "[\"x\"]"},
	{"{'properties':{'foo':{'$ref':'#'}},'additionalProperties':false}",
	 "[{\"foo\":false},{\"foo\":{\"foo\":1}}]", "[{\"bar\":1},{\"foo\":{\"bar\":1}}]"},
	{"{'$defs':{'til~de':{'type':'integer'},'sl/ash':{'type':'string'},'per%c':{'const':1}},"
	 "'properties':{'t':{'$ref':'#/$defs/til~0de'},'s':{'$ref':'#/$defs/sl~1ash'},"
	 "'p':{'$ref':'#/$defs/per%25c'}}}",
	 "[{\"t\":1,\"s\":\"x\",\"p\":1}]", "[{\"t\":\"x\"},{\"s\":1},{\"p\":2}]"},
	{"{'$ref':'#/$defs/a','maxItems':2,'$defs':{'a':{'type':'array'}}}", "[[1]]",
	 "[[1,2,3],1]"},
	{"{" D7 ",'definitions':{'a':{'type':'array'}},"
	 "'properties':{'x':{'$ref':'#/definitions/a','maxItems':1}}}",
	 "[{\"x\":[1,2]}]", "[{\"x\":1}]"},
	{"{'$ref':'#here','$defs':{'q':{'$anchor':'here','type':'integer'}}}", "[1]", "[\"x\"]"},
	{"{" D7 ",'$ref':'#here','definitions':{'q':{'$id':'#here','type':'integer'}}}", "[1]",
	 "[\"x\"]"},
	{"{'$id':'http://h/root.json','$ref':'item.json',"
	 "'$defs':{'q':{'$id':'item.json','type':'integer'}}}",
	 "[1]", "[\"x\"]"},
	{"{'$id':'http://h/a/root.json','properties':{'l':{'$ref':'../b/x.json#/$defs/in'}},"
	 "'$defs':{'q':{'$id':'/b/x.json','$defs':{'in':{'type':'null'}}}}}",
	 "[{\"l\":null}]", "[{\"l\":1}]"},
	{"{'$id':'http://h/root.json','$ref':'#/$defs/q/items',"
	 "'$defs':{'q':{'$id':'sub/q.json','items':{'$ref':'r.json'}},"
	 "'r':{'$id':'sub/r.json','const':7}}}",
	 "[7]", "[8]"},
	{"{'$ref':'urn:example:thing','$defs':{'q':{'$id':'urn:example:thing','const':1}}}", "[1]",
	 "[2]"},
	{"{'allOf':[{'$ref':'#/x-parts/p'}],'x-parts':{'p':{'type':'integer'}}}", "[1]", "[\"x\"]"},
	{"{'prefixItems':[{'type':'integer'},{'$ref':'#/prefixItems/0'}]}", "[[1,2]]",
	 "[[1,\"x\"]]"},
	{"{'type':'object','properties':{'next':{'$ref':'#'},'v':{'type':'integer'}},'required':['"
	 "v']}",
	 "[{\"v\":1,\"next\":{\"v\":2,\"next\":{\"v\":3}}}]",
	 "[{\"v\":1,\"next\":{\"v\":2,\"next\":{\"v\":\"x\"}}},{\"v\":1,\"next\":{}}]"},
	{"{'$dynamicRef':'#n','$defs':{'a':{'$dynamicAnchor':'n','type':'string'}}}", "[\"x\"]",
	 "[1]"},
	{"{'$id':'http://h/"
	 "strict','$dynamicAnchor':'node','$ref':'tree','unevaluatedProperties':false,"
	 "'$defs':{'t':{'$id':'tree','$dynamicAnchor':'node','type':'object','properties':{'data':"
	 "true,"
	 "'children':{'type':'array','items':{'$dynamicRef':'#node'}}}}}}",
	 "[{\"children\":[{\"data\":1}]}]", "[{\"children\":[{\"daat\":1}]},{\"x\":1}]"},
	/* unevaluated */
	{"{'unevaluatedProperties':false}", "[{},1]", "[{\"a\":1}]"},
	{"{'unevaluatedProperties':{'type':'string'}}", "[{\"a\":\"x\"}]", "[{\"a\":1}]"},
	{"{'allOf':[{'properties':{'a':{}}}],'properties':{'b':{}},'unevaluatedProperties':false}",
	 "[{\"a\":1,\"b\":2}]", "[{\"c\":1},{\"a\":1,\"c\":1}]"},
	{"{'patternProperties':{'^x':{}},'unevaluatedProperties':false}", "[{\"xa\":1}]",
	 "[{\"ax\":1}]"},
	{"{'additionalProperties':true,'unevaluatedProperties':false}", "[{\"a\":1}]", "[]"},
	{"{'anyOf':[{'properties':{'a':{'const':1}},'required':['a']},{'properties':{'b':{}},"
	 "'required':['b']}],'unevaluatedProperties':false}",
	 "[{\"a\":1},{\"b\":1},{\"a\":1,\"b\":2}]", "[{\"a\":2,\"b\":1},{\"a\":1,\"c\":1}]"},
	{"{'oneOf':[{'properties':{'a':{}},'required':['a']},{'properties':{'b':{}},'required':['b'"
	 "]}],"
	 "'unevaluatedProperties':false}",
	 "[{\"a\":1},{\"b\":1}]", "[{\"a\":1,\"b\":1},{\"a\":1,\"c\":1}]"},
	{"{'not':{'not':{'properties':{'a':{}}}},'unevaluatedProperties':false}", "[{}]",
	 "[{\"a\":1}]"},
	{"{'if':{'properties':{'a':{'const':1}},'required':['a']},'then':{'properties':{'b':{}}},"
	 "'else':{'properties':{'c':{}}},'unevaluatedProperties':false}",
	 "[{\"a\":1,\"b\":1},{\"c\":1},{}]", "[{\"a\":1,\"c\":1},{\"b\":1},{\"a\":2}]"},
	{"{'dependentSchemas':{'a':{'properties':{'b':{}}}},'properties':{'a':{}},"
	 "'unevaluatedProperties':false}",
	 "[{\"a\":1,\"b\":1}]", "[{\"b\":1}]"},
	{"{'$ref':'#/$defs/x','unevaluatedProperties':false,'$defs':{'x':{'properties':{'a':{}}}}}",
	 "[{\"a\":1}]", "[{\"b\":1}]"},
	{"{'allOf':[{'unevaluatedProperties':true}],'unevaluatedProperties':false}", "[{\"a\":1}]",
	 "[]"},
	{"{'properties':{'a':{'properties':{'b':{}}}},'unevaluatedProperties':false}",
	 "[{\"a\":{\"zz\":1}}]", "[{\"b\":1}]"},
	{"{'unevaluatedItems':false}", "[[],{}]", "[[1]]"},
	{"{'prefixItems':[{}],'unevaluatedItems':false}", "[[1]]", "[[1,2]]"},
	{"{'items':{},'unevaluatedItems':false}", "[[1,2]]", "[]"},
	{"{'contains':{'const':1},'unevaluatedItems':{'const':2}}", "[[1,2,1]]", "[[1,3],[2]]"},
	{"{'allOf':[{'prefixItems':[{},{}]}],'prefixItems':[{}],'unevaluatedItems':false}",
	 "[[1,2]]", "[[1,2,3]]"},
	{"{'anyOf':[{'prefixItems':[{'const':1},{}]},{'prefixItems':[{'const':2}]}],"
	 "'unevaluatedItems':false}",
	 "[[1,5],[2]]", "[[2,5],[1,5,6]]"},
	{"{'if':{'prefixItems':[{'const':1}]},'then':{'prefixItems':[{},{}]},'unevaluatedItems':"
	 "false}",
	 "[[1,2],[1]]", "[[2,2],[1,2,3]]"},
};

static const char *quoted(struct tn_arena *arena, const char *text)
{
	char *copy = tn_arena_copy(arena, tn_str_from(text));

	for (char *c = copy; *c; c++) {
		if (*c == '\'')
			*c = '"';
	}
	return copy;
}

static unsigned check_values(struct tn_arena *arena, const struct tn_schema *schema,
			     const char *source, const char *values, enum tenon_code wanted)
{
	struct tn_schema_faults faults = {.root = "value"};
	struct tn_json *list;

	assert_int_equal(tn_json_parse_copy(arena, tn_str_from(values), &list, NULL), TENON_OK);
	for (const struct tn_json *value = list->first; value; value = value->next) {
		struct tn_buf text;

		if (tn_schema_check(schema, value, &faults) == wanted &&
		    tn_schema_check(schema, value, NULL) == wanted &&
		    (faults.count > 0) == (wanted != TENON_OK))
			continue;
		tn_buf_init(&text, TN_MIB);
		tn_json_put_value(&text, value);
		tn_buf_append_byte(&text, '\0');
		fail_msg("%s: %s should be %s (%s)", source, text.data,
			 wanted == TENON_OK ? "valid" : "invalid",
			 faults.count ? faults.items[0].message : "no fault");
	}
	return list->count;
}

static void test_table(void **state)
{
	unsigned count = 0;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_arena arena;
		struct tn_schema *schema;
		struct tenon_error err;
		const char *source;

		tn_arena_init(&arena, TN_MIB);
		source = quoted(&arena, cases[i].schema);
		if (tn_schema_compile_text(tn_str_from(source), &schema, &err) != TENON_OK)
			fail_msg("%s: %s", source, err.message);
		count += check_values(&arena, schema, source, cases[i].fit, TENON_OK);
		count += check_values(&arena, schema, source, cases[i].unfit, TENON_INVALID);
		tn_schema_free(schema);
		tn_arena_finish(&arena);
	}
	print_message("%u values\n", count);
	assert_true(count >= 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_table)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
