#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

#include "base/limits.h"
#include "base/size.h"
#include "jsonrpc/uri_template.h"

static struct tn_uri_template *compile(const char *text)
{
	struct tn_uri_template *template = NULL;
	struct tenon_error err;

	if (tn_uri_template_compile(tn_str_from(text), &template, &err) != TENON_OK)
		fail_msg("%s: %s", text, err.message);
	return template;
}

/* ---- matching (MCP-236) ---- */

/* "name=value|name=value", "" for a match without values, NULL for none. */
static const struct {
	const char *template, *uri, *found;
} matches[] = {
	{"", "", ""},
	{"", "x", NULL},
	{"plan://list", "plan://list", ""},
	{"plan://list", "plan://list/", NULL},
	{"plan://list", "plan://lis", NULL},
	{"plan://list", "", NULL},
	{"plan://{id}", "plan://a1", "id=a1"},
	{"plan://{id}", "plan://", NULL},
	{"plan://{id}", "plan://a/b", NULL},
	{"plan://{id}", "plan://a,b", NULL},
	{"plan://{id}", "plan://a?b", NULL},
	{"plan://{id}", "plan://a#b", NULL},
	{"plan://{id}", "plan://a%20b%2Fc", "id=a b/c"},
	{"plan://{id}", "plan://caf%C3%A9", "id=caf\xC3\xA9"},
	{"plan://{id}", "plan://%", NULL},
	{"plan://{id}", "plan://%4", NULL},
	{"plan://{id}", "plan://%zz", NULL},
	{"plan://{id}", "plan://a%00b", NULL},
	{"test://template/{id}/data", "test://template/123/data", "id=123"},
	{"test://template/{id}/data", "test://template/123/date", NULL},
	{"test://template/{id}/data", "test://template//data", NULL},
	{"a/{x}/b/{y}", "a/1/b/2", "x=1|y=2"},
	{"a/{x,y}", "a/1,2", "x=1|y=2"},
	{"a/{x,y}", "a/1", NULL},
	{"a/{x,y}", "a/1,2,3", NULL},
	/* the first takes as much as it can, and what must follow still follows */
	{"{a}-{b}", "1-2-3", "a=1-2|b=3"},
	{"{a}{b}", "xyz", "a=xy|b=z"},
	{"{a}x{b}x", "xxxxx", "a=xx|b=x"},
	{"{a}.tar.gz", "x.tar.gz.tar.gz", "a=x.tar.gz"},
	{"{a}--{b}", "a---b", "a=a-|b=b"},
	{"{a}{b}", "x", NULL},
	{"{x*}", "a,b", "x=a,b"},
	{"file:///{+path}", "file:///a/b/c.txt", "path=a/b/c.txt"},
	{"file:///{+path}", "file:///a?b#c", "path=a?b#c"},
	{"file:///{+path}", "file:///", NULL},
	{"{+a}/{b}", "x/y/z", "a=x/y|b=z"},
	{"{+a},{+b}", "x,y,z", "a=x,y|b=z"},
	{"p{#frag}", "p#sec/1", "frag=sec/1"},
	{"p{#frag}", "p", NULL},
	{"{name}{.ext}", "file.tar.gz", "name=file.tar|ext=gz"},
	{"x{.a,b}", "x.1.2", "a=1|b=2"},
	{"x{.a}", "x1", NULL},
	{"r{/a}", "r/1", "a=1"},
	{"r{/a}", "r/1/2", NULL},
	{"r{/a,b}", "r/1/2", "a=1|b=2"},
	{"r{/a*}", "r/1/2/3", "a=1/2/3"},
	{"r{/a*}/end", "r/1/end/end", "a=1/end"},
	{"r{/a*}?q", "r/1?q", "a=1"},
	{"s{?q}", "s", ""},
	{"s{?q}", "s?q=1", "q=1"},
	{"s{?q}", "s?q=", "q="},
	{"s{?q}", "s?q=a%26b", "q=a&b"},
	{"s{?q}", "s?q=a/b,c?d", "q=a/b,c?d"},
	{"s{?q}", "s?", NULL},
	{"s{?q}", "s?q", NULL},
	{"s{?q}", "s?r=1", NULL},
	{"s{?q}", "s?q=1&q=2", NULL},
	{"s{?q}", "s?q=1&", NULL},
	{"s{?q}", "s?q=1#f", NULL},
	{"s{?q}#f", "s?q=1#f", "q=1"},
	{"s{?q,r}", "s?q=1&r=2", "q=1|r=2"},
	{"s{?q,r}", "s?r=2&q=1", "r=2|q=1"},
	{"s{?q,r}", "s?r=2", "r=2"},
	{"s{?q,r}", "s&r=2", NULL},
	{"s?fixed=1{&q,r}", "s?fixed=1&r=2", "r=2"},
	{"s?fixed=1{&q,r}", "s?fixed=1", ""},
	{"s?fixed=1{&q}", "s?fixed=1?q=2", NULL},
	{"s/{id}{?page,size}", "s/7?size=10&page=2", "id=7|size=10|page=2"},
	/* expanded only */
	{"s/{id:3}", "s/abc", NULL},
	{"s{;x}", "s;x=1", NULL},
};

static void describe(const struct tn_uri_variable *variables, size_t count, struct tn_buf *out)
{
	for (size_t i = 0; i < count; i++) {
		if (i)
			tn_buf_append_byte(out, '|');
		tn_buf_append_str(out, variables[i].name);
		tn_buf_append_byte(out, '=');
		tn_buf_append_str(out, variables[i].value);
		assert_int_equal(variables[i].value.data[variables[i].value.size], '\0');
	}
}

static void test_matching(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(matches); i++) {
		struct tn_uri_variable variables[TN_URI_TEMPLATE_VARIABLES_MAX];
		struct tn_uri_template *template = compile(matches[i].template);
		struct tn_arena arena;
		struct tn_buf found;
		size_t count = 99;
		bool matched;

		tn_arena_init(&arena, TN_MIB);
		tn_buf_init(&found, TN_MIB);
		matched = tn_uri_template_match(template, tn_str_from(matches[i].uri), &arena,
						variables, &count);
		if (matched)
			describe(variables, count, &found);
		if (matched != (matches[i].found != NULL) ||
		    (matched && !tn_str_is(tn_buf_str(&found), matches[i].found)))
			fail_msg("%s on %s: %.*s", matches[i].template, matches[i].uri,
				 (int)found.size, matched ? found.data : "no match");
		tn_buf_finish(&found);
		tn_arena_finish(&arena);
		tn_uri_template_free(template);
	}
}

static void test_full_arena(void **state)
{
	struct tn_uri_variable variables[TN_URI_TEMPLATE_VARIABLES_MAX];
	struct tn_uri_template *template = compile("{a}");
	struct tn_arena arena;
	size_t count;

	(void)state;
	tn_arena_init(&arena, 0);
	assert_false(tn_uri_template_match(template, TN_STR("x"), &arena, variables, &count));
	tn_arena_finish(&arena);
	tn_uri_template_free(template);
}

/* Each would take a backtracking matcher longer than anyone lives. */
static void test_hostile_uris_are_linear(void **state)
{
	static const struct {
		const char *template, *unit;
	} cases[] = {
		{"{a}-{b}-{c}-{d}-{e}-{f}-{g}-{h}!", "-"},
		{"{+a}{+b}{+c}{+d}{+e}{+f}{+g}{+h}!", "x"},
		{"{+a}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa{+b}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!",
		 "a"},
		{"{+x}{?a,b,c}!", "?a="},
		{"{+x}{&a,b,c}!", "&a=1&b=2&c=3"},
		{"{/a*}{/b*}{/c*}{/d*}!", "/x"},
	};
	struct tn_uri_variable variables[TN_URI_TEMPLATE_VARIABLES_MAX];
	size_t count;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_uri_template *template = compile(cases[i].template);
		clock_t start = clock();
		struct tn_arena arena;
		struct tn_buf uri;

		tn_arena_init(&arena, TN_MIB);
		tn_buf_init(&uri, TN_URI_BYTES_MAX + 1);
		while (uri.size + strlen(cases[i].unit) <= TN_URI_BYTES_MAX)
			tn_buf_append_text(&uri, cases[i].unit);
		assert_false(tn_uri_template_match(template, tn_buf_str(&uri), &arena, variables,
						   &count));
		if (clock() - start > CLOCKS_PER_SEC)
			fail_msg("%s is slow", cases[i].template);
		tn_buf_finish(&uri);
		tn_arena_finish(&arena);
		tn_uri_template_free(template);
	}
}

static void test_uri_limit(void **state)
{
	struct tn_uri_variable variables[TN_URI_TEMPLATE_VARIABLES_MAX];
	struct tn_uri_template *template = compile("{a}");
	struct tn_arena arena;
	struct tn_buf uri;
	size_t count;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	tn_buf_init(&uri, TN_MIB);
	while (uri.size < TN_URI_BYTES_MAX)
		tn_buf_append_byte(&uri, 'x');
	assert_true(tn_uri_template_match(template, tn_buf_str(&uri), &arena, variables, &count));
	assert_int_equal(variables[0].value.size, TN_URI_BYTES_MAX);
	tn_buf_append_byte(&uri, 'x');
	assert_false(tn_uri_template_match(template, tn_buf_str(&uri), &arena, variables, &count));
	tn_buf_finish(&uri);
	tn_arena_finish(&arena);
	tn_uri_template_free(template);
}

/* ---- registration ---- */

static void test_refused(void **state)
{
	static const struct {
		const char *template, *part;
	} cases[] = {
		{"{", "a { without"},
		{"a{b", "a { without"},
		{"a}b", "a } without"},
		{"{a}}", "a } without"},
		{"{}", "no variable name"},
		{"{a,}", "no variable name"},
		{"{,a}", "no variable name"},
		{"{a b}", "no variable name"},
		{"{+}", "no variable name"},
		{"{{a}}", "no variable name"},
		{"{a..b}", "no variable name"},
		{"{.}", "no variable name"},
		{"{a.}", "no variable name"},
		{"{%zz}", "no variable name"},
		{"{=a}", "no variable name"},
		{"{!a}", "no variable name"},
		{"{a:0}", "prefix"},
		{"{a:x}", "prefix"},
		{"{a:10000}", "prefix"},
		{"{a:}", "prefix"},
		{"{a:-1}", "prefix"},
		{"{*}", "no variable name"},
		{"{a**}", "no variable name"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_uri_template *template = NULL;
		struct tenon_error err = {0};

		if (tn_uri_template_compile(tn_str_from(cases[i].template), &template, &err) !=
			    TENON_INVALID ||
		    !strstr(err.message, cases[i].part))
			fail_msg("%s: %s", cases[i].template, err.message);
		assert_null(template);
	}
}

static void test_limits(void **state)
{
	struct tn_uri_template *template = NULL;
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	for (int i = 0; i < TN_URI_TEMPLATE_VARIABLES_MAX; i++)
		tn_buf_append_text(&text, "/x{v}");
	assert_int_equal(tn_uri_template_compile(tn_buf_str(&text), &template, NULL), TENON_OK);
	tn_uri_template_free(template);
	tn_buf_append_text(&text, "{v}");
	assert_int_equal(tn_uri_template_compile(tn_buf_str(&text), &template, NULL), TENON_LIMIT);
	tn_buf_clear(&text);
	tn_buf_append_text(&text, "{v");
	for (int i = 0; i < TN_URI_TEMPLATE_VARIABLES_MAX; i++)
		tn_buf_append_text(&text, ",v");
	tn_buf_append_text(&text, "}");
	assert_int_equal(tn_uri_template_compile(tn_buf_str(&text), &template, NULL), TENON_LIMIT);
	tn_buf_clear(&text);
	while (text.size <= TN_URI_TEMPLATE_BYTES_MAX)
		tn_buf_append_byte(&text, 'x');
	assert_int_equal(tn_uri_template_compile(tn_buf_str(&text), &template, NULL), TENON_LIMIT);
	tn_buf_finish(&text);
	tn_uri_template_free(NULL);
}

static void test_has(void **state)
{
	struct tn_uri_template *template = compile("a/{x}{?y,z*}{w:3}");

	(void)state;
	assert_true(tn_uri_template_has(template, TN_STR("x")));
	assert_true(tn_uri_template_has(template, TN_STR("y")));
	assert_true(tn_uri_template_has(template, TN_STR("z")));
	assert_true(tn_uri_template_has(template, TN_STR("w")));
	assert_false(tn_uri_template_has(template, TN_STR("a")));
	assert_false(tn_uri_template_has(template, TN_STR("z*")));
	tn_uri_template_free(template);
}

/* ---- expanding ---- */

static const struct tn_str var[] = {TN_STR("value")}, hello[] = {TN_STR("Hello World!")},
			   path[] = {TN_STR("/foo/bar")}, empty[] = {TN_STR("")},
			   half[] = {TN_STR("50%")}, escaped[] = {TN_STR("a%20b")},
			   umlaut[] = {TN_STR("\xC3\xBC\xC3\xB6x")},
			   list[] = {TN_STR("red"), TN_STR("green"), TN_STR("blue")},
			   keys[] = {TN_STR("semi"), TN_STR(";"),     TN_STR("dot"),
				     TN_STR("."),    TN_STR("comma"), TN_STR(",")};

static const struct tn_uri_value values[] = {
	{TN_STR("var"), TN_URI_TEXT, var, 1},    {TN_STR("hello"), TN_URI_TEXT, hello, 1},
	{TN_STR("path"), TN_URI_TEXT, path, 1},  {TN_STR("empty"), TN_URI_TEXT, empty, 1},
	{TN_STR("half"), TN_URI_TEXT, half, 1},  {TN_STR("esc"), TN_URI_TEXT, escaped, 1},
	{TN_STR("uml"), TN_URI_TEXT, umlaut, 1}, {TN_STR("list"), TN_URI_LIST, list, 3},
	{TN_STR("keys"), TN_URI_PAIRS, keys, 6}, {TN_STR("undef"), TN_URI_TEXT, NULL, 0},
	{TN_STR("none"), TN_URI_LIST, NULL, 0},
};

static const struct {
	const char *template, *uri;
} expansions[] = {
	{"plain", "plain"},
	{"a b\xC3\xBC<%41%>", "a%20b%C3%BC%3C%41%25%3E"},
	{"{var}", "value"},
	{"{hello}", "Hello%20World%21"},
	{"{half}", "50%25"},
	{"{uml}", "%C3%BC%C3%B6x"},
	{"O{empty}X", "OX"},
	{"O{undef}X", "OX"},
	{"O{none}X", "OX"},
	{"{absent}", ""},
	{"{var,hello,empty,undef,path}", "value,Hello%20World%21,,%2Ffoo%2Fbar"},
	{"{var:3}", "val"},
	{"{var:30}", "value"},
	{"{uml:1}", "%C3%BC"},
	{"{list}", "red,green,blue"},
	{"{list*}", "red,green,blue"},
	{"{keys}", "semi,%3B,dot,.,comma,%2C"},
	{"{keys*}", "semi=%3B,dot=.,comma=%2C"},
	{"{+path}/here", "/foo/bar/here"},
	{"{+hello}", "Hello%20World!"},
	{"{+half}", "50%25"},
	{"{+esc}", "a%20b"},
	{"{esc}", "a%2520b"},
	{"{+path:6}/here", "/foo/b/here"},
	{"{+list*}", "red,green,blue"},
	{"{+keys*}", "semi=;,dot=.,comma=,"},
	{"{#path,var}", "#/foo/bar,value"},
	{"{#undef}", ""},
	{"{#empty}", "#"},
	{"X{.var}", "X.value"},
	{"X{.var,undef,half}", "X.value.50%25"},
	{"X{.list}", "X.red,green,blue"},
	{"X{.list*}", "X.red.green.blue"},
	{"X{.empty}", "X."},
	{"{/var,path}/here", "/value/%2Ffoo%2Fbar/here"},
	{"{/var:1,var}", "/v/value"},
	{"{/list*}", "/red/green/blue"},
	{"{/list*,path:4}", "/red/green/blue/%2Ffoo"},
	{"{/keys*}", "/semi=%3B/dot=./comma=%2C"},
	{"{;var,empty,undef}", ";var=value;empty"},
	{"{;hello:5}", ";hello=Hello"},
	{"{;list}", ";list=red,green,blue"},
	{"{;list*}", ";list=red;list=green;list=blue"},
	{"{;keys*}", ";semi=%3B;dot=.;comma=%2C"},
	{"{?var,empty,undef}", "?var=value&empty="},
	{"{?undef}", ""},
	{"{?list}", "?list=red,green,blue"},
	{"{?list*}", "?list=red&list=green&list=blue"},
	{"{?keys}", "?keys=semi,%3B,dot,.,comma,%2C"},
	{"{?keys*}", "?semi=%3B&dot=.&comma=%2C"},
	{"?fixed=yes{&var}", "?fixed=yes&var=value"},
	{"{&list*}", "&list=red&list=green&list=blue"},
	{"{&var:3}", "&var=val"},
};

static void test_expanding(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(expansions); i++) {
		struct tn_uri_template *template = compile(expansions[i].template);
		struct tn_buf out;

		tn_buf_init(&out, TN_MIB);
		tn_uri_template_expand(template, values, TN_COUNT(values), &out);
		if (!tn_str_is(tn_buf_str(&out), expansions[i].uri))
			fail_msg("%s: %.*s", expansions[i].template, (int)out.size, out.data);
		tn_buf_finish(&out);
		tn_uri_template_free(template);
	}
}

/* What was expanded from single values matches again, and gives the values back. */
static void test_round_trip(void **state)
{
	static const char *const templates[] = {"x://{var}/{hello}", "x://h{/var,uml}{?half,hello}",
						"x://{+path}", "x{.half}{#path}",
						"x://{esc}/{path}"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(templates); i++) {
		struct tn_uri_variable variables[TN_URI_TEMPLATE_VARIABLES_MAX];
		struct tn_uri_template *template = compile(templates[i]);
		struct tn_arena arena;
		struct tn_buf out;
		size_t count;

		tn_buf_init(&out, TN_MIB);
		tn_arena_init(&arena, TN_MIB);
		tn_uri_template_expand(template, values, TN_COUNT(values), &out);
		assert_true(tn_uri_template_match(template, tn_buf_str(&out), &arena, variables,
						  &count));
		for (size_t v = 0; v < count; v++) {
			size_t k = 0;

			while (!tn_str_equal(values[k].name, variables[v].name))
				k++;
			assert_true(tn_str_equal(values[k].items[0], variables[v].value));
		}
		tn_arena_finish(&arena);
		tn_buf_finish(&out);
		tn_uri_template_free(template);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_matching),
		cmocka_unit_test(test_full_arena),
		cmocka_unit_test(test_hostile_uris_are_linear),
		cmocka_unit_test(test_uri_limit),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_has),
		cmocka_unit_test(test_expanding),
		cmocka_unit_test(test_round_trip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
