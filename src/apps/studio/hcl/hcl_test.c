/* The parser of configuration: what it reads, where it says things stand, and what it makes of
 * broken and hostile texts. Expected values come from the HCL native syntax specification and were
 * compared with its reference implementation (tests/studio/). */
#include "apps/studio/hcl/hcl_test_kit.h"

#include <stdlib.h>

struct example {
	const char *text, *dump;
};

static void expect(struct world *world, const struct example *examples, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		parse(world, tn_str_from(examples[i].text));
		assert_string_equal(world->dump.data, examples[i].dump);
	}
}
#define EXPECT(state, examples) expect(*(state), examples, sizeof(examples) / sizeof(*(examples)))

static void test_literals(void **state)
{
	static const struct example examples[] = {
		{"", ""},
		{"\n\n  \n", ""},
		{"a = 1", "a=1;"},
		{"a = -12.50e+3\n", "a=-12.50e+3;"},
		{"a = 007", "a=7;"},
		{"a = - 5", "a=-5;"},
		{"a = -(-5)", "a=other:-(-5);"},
		{"a = !true", "a=other:!true;"},
		{"a = true\nb = false\nc = null", "a=true;b=false;c=null;"},
		{"a = (((\"x\")))", "a=\"x\";"},
		{"a-b_c = 1\n_d=2", "a-b_c=1;_d=2;"},
		{"gr\xC3\xB6\xC3\x9F"
		 "e = 1",
		 "gr\xC3\xB6\xC3\x9F"
		 "e=1;"},
		{"a = [1, \"x\", true,]\n", "a=[1,\"x\",true];"},
		{"a = [\n  1, # one\n  2 // two\n  , /* three */ 3\n]", "a=[1,2,3];"},
		{"a = {}\nb = []", "a={};b=[];"},
		{"a = { x = 1, \"y z\" : 2\n  (\"w\") = 3\n 4 = 5 }",
		 "a={\"x\":1,\"y z\":2,\"w\":3,\"4\":5};"},
		{"a = {\n\n  x = {\n    y = [1]\n  }\n\n  z = null,\n}",
		 "a={\"x\":{\"y\":[1]},\"z\":null};"},
		{"a = { true = 1, null = 2, in = 3 }", "a={\"true\":1,\"null\":2,\"in\":3};"},
	};

	EXPECT(state, examples);
}

static void test_texts(void **state)
{
	static const struct example examples[] = {
		{"a = \"\"", "a=\"\";"},
		{"a = \"x\\n\\r\\t\\\"\\\\y\"", "a=\"x\\n\\r\\t\\\"\\\\y\";"},
		{"a = \"\\u00e4\\U0001F600\"", "a=\"\xC3\xA4\xF0\x9F\x98\x80\";"},
		{"a = \"\\ud800\"", "a=\"\xEF\xBF\xBD\";"},
		{"a = \"$${x} %%{y} $ % $x %y $$ %%\"", "a=\"${x} %{y} $ % $x %y $$ %%\";"},
		{"a = \"$$${x}\"", "a=\"$${x}\";"},
		{"a = \"x$\"", "a=\"x$\";"},
		{"a = \"# no // comment /* in */ here\"", "a=\"# no // comment /* in */ here\";"},
		{"a = \"${x}\"", "a=ref:x;"},
		{"a = \"${ azurerm_subnet.a.id }\"", "a=ref:azurerm_subnet|a|id;"},
		{"a = \"p-${x}-${f(\"y\")}\"", "a=template:(\"p-\" ref:x \"-\" call:f(\"y\"));"},
		{"a = \"${\"${\"in\"}\"}\"", "a=\"in\";"},
		{"a = \"${{ k = \"}\" }.k}\"", "a=other:\"${{ k = \"}\" }.k}\";"},
		{"a = \"x ${~ y ~} z\"", "a=other:\"x ${~ y ~} z\";"},
		{"a = \"%{ if x }1%{ else }2%{ endif }\"",
		 "a=other:\"%{ if x }1%{ else }2%{ endif }\";"},
		{"a = \"%{for k, v in m ~}${k}%{endfor}\"",
		 "a=other:\"%{for k, v in m ~}${k}%{endfor}\";"},
		{"a = [\"${x}\n\"]",
		 "\n1:11 a text in quotes ends in its line; the closing \" is missing"},
		{"a = \"\\q\"\nb = 1",
		 "b=1;\n1:6 an escape in this text is unknown; \\ itself is written \\\\"},
		{"a = \"%{ endif }\"", "\n1:14 this directive ends nothing"},
		{"a = \"%{ if x }\"", "\n1:16 an %{if} or %{for} in this text has no end"},
	};

	EXPECT(state, examples);
}

static void test_heredocs(void **state)
{
	static const struct example examples[] = {
		{"a = <<EOT\nx\n  y\nEOT\n", "a=\"x\\n  y\\n\";"},
		{"a = <<EOT\nEOT\nb = 1", "a=\"\";b=1;"},
		{"a = <<EOT\nx\n  EOT\n", "a=\"x\\n\";"},
		{"a = <<-EOT\n    x\n      y\n\n    z\n    EOT\n", "a=\"x\\n  y\\n\\nz\\n\";"},
		{"a = <<-EOT\n    x\n  \n   y\nEOT\n", "a=\" x\\n  \\ny\\n\";"},
		{"a = <<EOT\n\\n \"q\" $${x} EOT\nEOTX\nEOT\n",
		 "a=\"\\\\n \\\"q\\\" ${x} EOT\\nEOTX\\n\";"},
		{"a = <<EOT\n${x}\nEOT\n", "a=other:<<EOT\n${x}\nEOT;"},
		{"a = <<EOT\n${[\n1]}\nEOT\n", "a=other:<<EOT\n${[\n1]}\nEOT;"},
		{"a = <<EOT\r\nx\r\nEOT\r\nb = 1\r\n", "a=\"x\\r\\n\";b=1;"},
		{"a = [<<A\nx\nA\n, <<B\ny\nB\n]", "a=[\"x\\n\",\"y\\n\"];"},
		{"a = f(<<A\nx\nA\n)", "a=call:f(\"x\\n\");"},
		{"a = <<EOT x\nEOT\nb = 1",
		 "b=1;\n1:10 a name and the end of the line are expected after <<\n"
		 "2:4 = or { is expected after this name"},
		{"a = <<EOT\nb = 1\nc = 2",
		 "b=1;c=2;\n1:5 the line that ends this heredoc is missing"},
	};

	EXPECT(state, examples);
}

static void test_expressions(void **state)
{
	static const struct example examples[] = {
		{"a = var.x", "a=ref:var|x;"},
		{"a = x.y[0].z", "a=ref:x|y|[0]|z;"},
		{"a = x.y.0.1.z", "a=ref:x|y|0|1|z;"},
		{"a = x [ \"k\" ] . y", "a=ref:x|[ \"k\" ]|y;"},
		{"a = x[var.i].y", "a=other:x[var.i].y;"},
		{"a = x.*.y", "a=other:x.*.y;"},
		{"a = x[*].y[0]", "a=other:x[*].y[0];"},
		{"a = (x).y", "a=other:(x).y;"},
		{"a = (x.y)", "a=ref:x|y;"},
		{"a = [1][0]", "a=other:[1][0];"},
		{"a = [x, 1]", "a=list:(ref:x 1);"},
		{"a = { k = x, \"l\" = [y] }", "a=map:(k=ref:x l=list:(ref:y));"},
		{"a = { (x) = 1 }", "a=other:{ (x) = 1 };"},
		{"a = { \"${x}\" = 1 }", "a=other:{ \"${x}\" = 1 };"},
		{"a = { k = 1, k = 2 }", "a=other:{ k = 1, k = 2 };"},
		{"a = f()", "a=call:f();"},
		{"a = f(1, x,\n 2,\n)", "a=call:f(1 ref:x 2);"},
		{"a = f(x...)", "a=call:fother:f(x...);"},
		{"a = provider::p::f(1)", "a=call:provider::p::f(1);"},
		{"a = f(1).x", "a=other:f(1).x;"},
		{"a = 1 + 2 * -x % y", "a=other:1 + 2 * -x % y;"},
		{"a = x == 1 && !y || z >= 2", "a=other:x == 1 && !y || z >= 2;"},
		{"a = x ? 1 : y ? 2 : 3", "a=other:x ? 1 : y ? 2 : 3;"},
		{"a = (x ?\n 1\n : 2)", "a=other:(x ?\n 1\n : 2);"},
		{"a = [for k, v in x : v if v != \"\"]",
		 "a=other:[for k, v in x : v if v != \"\"];"},
		{"a = {for k in x :\n k => k...\n}", "a=other:{for k in x :\n k => k...\n};"},
		{"a = { fork = 1 }", "a={\"fork\":1};"},
		{"a = x # note\nb = y // note\nc = z /* note */", "a=ref:x;b=ref:y;c=ref:z;"},
	};
	static const struct example calls[] = {{"a = f(x...)", "a=other:f"}};

	for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		parse(*state, tn_str_from(examples[i].text));
		if (strstr(examples[i].text, "..."))
			continue; /* below: its function is a step, too */
		assert_string_equal(((struct world *)*state)->dump.data, examples[i].dump);
	}
	parse(*state, tn_str_from(calls[0].text));
	assert_int_equal(((struct world *)*state)->file->body->attributes->value->kind,
			 TN_HCL_OTHER);
	assert_null(((struct world *)*state)->file->faults);
}

static void test_blocks(void **state)
{
	static const struct example examples[] = {
		{"a {}", "a{}"},
		{"a { x = 1 }", "a{x=1;}"},
		{"a \"b\" c \"d e\" {\n}", "a.b.c.d e{}"},
		{"a {\n  x = 1\n\n  b {\n    y = 2\n  }\n  z = 3\n}\nc {}",
		 "a{x=1;z=3;b{y=2;}}c{}"},
		{"a { # note\n  x = 1 } # no",
		 "a!{x=1;}\n2:9 the end of the line is expected here"},
		{"a\n{\n}",
		 "\n1:2 = or { is expected after this name\n2:1 the name of an argument or "
		 "block is expected here"},
		{"a { x = 1, y = 2 }\nb {}", "a!{x=1;}b{}\n1:10 a block in one line holds one "
					     "argument; the closing } is expected "
					     "here"},
		{"a { b {} }\nc {}", "a!{}c{}\n1:7 a block in one line holds one argument"},
		{"a \"${x}\" {}", "\n1:9 a label is a plain text"},
		{"a b c d e f {}", "\n1:11 this block has too many labels"},
		{"x = 1\nx = 2", "x=1;\n2:1 this argument was set before"},
		{"a {\n  x = 1\n  y = 2\n  x = 3\n}",
		 "a!{x=1;y=2;}\n4:3 this argument was set before"},
		{"a {} b {}\nc {}", "a{}c{}\n1:6 the end of the line is expected here"},
		{"}\na {}", "a{}\n1:1 the name of an argument or block is expected here"},
	};

	EXPECT(state, examples);
}

/* What cannot be read costs as little as possible of what can. */
static void test_recovery(void **state)
{
	static const struct example examples[] = {
		{"a {\n  x = ]\n  y = 2\n}\nb {}", "a!{y=2;}b{}\n2:7 a value is expected here"},
		{"a {\n  x = [\n    1,\n    =,\n  ]\n  y = 2\n}\nb {}",
		 "a!{y=2;}b{}\n4:5 a value is expected here"},
		{"resource \"t\" \"a\" {\n  x = [1,\n\nresource \"t\" \"b\" {\n  y = 2\n}\n",
		 "resource.t.a!{}resource.t.b{y=2;}\n4:10 a comma or the closing ] is expected "
		 "here"},
		{"resource \"t\" \"a\" {\n  x {\n    y = 1\n\nresource \"t\" \"b\" {\n}\n",
		 "resource.t.a!{x!{y=1;resource.t.b{}}}\n7:1 the } that ends this block is "
		 "missing"},
		{"resource \"t\" \"a\" {\n  x = \"open\n  y = 2\n}\n",
		 "resource.t.a!{y=2;}\n2:12 a text in quotes ends in its line; the closing \" is "
		 "missing"},
		{"a {\n  \"x\" = 1\n  y = 2\n}",
		 "a!{y=2;}\n2:3 a name is written without quotes here"},
		{"a {\n  x = 1 +\n  y = 2\n}", "a!{y=2;}\n2:10 a value is expected here"},
		{"a {\n  x = /* open\n}\nb {}\n",
		 "a!{}\n2:7 a comment begins here that has no end\n"
		 "5:1 a value is expected here\n5:1 the } that "
		 "ends this block is missing"},
	};

	EXPECT(state, examples);
}

static void test_ranges(void **state)
{
	static const char text[] = "# about a\n// more\nresource \"t\" \"a\" {\n"
				   "  n\xC3\xA4me = \"\xE2\x82\xAC\" # why\n"
				   "  list = [x, 22]\n} # done\n\n# apart\n\nlocals {}\n";
	struct world *world = *state;
	const struct tn_hcl_block *block;
	const struct tn_hcl_attribute *attribute;

	parse(world, tn_str_from(text));
	assert_null(world->file->faults);
	block = world->file->body->blocks;
	assert_int_equal(block->range.line, 3);
	assert_int_equal(block->range.column, 1);
	assert_true(tn_str_starts(block->text, TN_STR("# about a\n")));
	assert_true(tn_str_ends(block->text, TN_STR("} # done")));
	assert_int_equal(text[block->range.end - 1], '}');
	assert_true(tn_str_is(block->next->text, "locals {}"));
	attribute = block->body->attributes;
	assert_int_equal(attribute->range.line, 4);
	assert_int_equal(attribute->range.column, 3);
	assert_int_equal(attribute->value->range.column, 10);
	assert_true(tn_str_is(attribute->value->text, "\"\xE2\x82\xAC\""));
	attribute = attribute->next;
	assert_int_equal(attribute->value->items->range.line, 5);
	assert_int_equal(attribute->value->items->next->range.column, 14);
	assert_true(tn_str_is(attribute->value->items->next->text, "22"));
	assert_ptr_equal(tn_hcl_attribute_find(block->body, "list"), attribute);
	assert_null(tn_hcl_attribute_find(block->body, "lis"));
}

static void test_foreign_bytes(void **state)
{
	static const struct example examples[] = {
		{"\xEF\xBB\xBF"
		 "a = 1",
		 "a=1;"},
		{"a = 1\nb = \"\xFF\"", "\n2:6 the file is not UTF-8 text"},
		{"a = 1\r\nb {\r\n  c = 2\r\n}\r\n", "a=1;b{c=2;}"},
		{"a = 1\rb = 2", "a=1;\n1:6 the end of the line is expected here"},
		{"a\xE2\x80\xAF= 1", "\n1:2 = or { is expected after this name"},
	};
	struct world *world = *state;

	EXPECT(state, examples);
	parse(world, tn_str("a = 1\n\0b", 8));
	assert_string_equal(world->dump.data, "\n2:1 the file has a NUL byte; it is no text");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_literals, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_texts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_heredocs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_expressions, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_blocks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_recovery, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_ranges, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_foreign_bytes, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("studio_hcl", tests, NULL, NULL);
}
