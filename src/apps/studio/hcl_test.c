/* The parser of configuration: what it reads, where it says things stand, and what it makes of
 * broken and hostile texts. Expected values come from the HCL native syntax specification and were
 * compared with its reference implementation (tests/studio/). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/studio/hcl.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"

struct world {
	struct tn_arena arena;
	struct tn_hcl_file *file;
	struct tn_buf dump;
};

static int set_up(void **state)
{
	struct world *world = test_calloc(1, sizeof(*world));

	tn_arena_init(&world->arena, TN_STUDIO_ARENA_MAX);
	tn_buf_init(&world->dump, TN_STUDIO_RESULT_BYTES_MAX);
	*state = world;
	return 0;
}

static int tear_down(void **state)
{
	struct world *world = *state;

	tn_arena_finish(&world->arena);
	tn_buf_finish(&world->dump);
	test_free(world);
	return 0;
}

static const char *const kinds[] = {"", "ref:", "template:", "list:", "map:", "call:", "other:"};

static void dump_value(struct tn_buf *out, const struct tn_hcl_value *value)
{
	tn_buf_append_text(out, kinds[value->kind]);
	if (value->kind == TN_HCL_CONSTANT) {
		struct tn_buf json; /* of its own: the writer would put a comma in between */

		tn_buf_init(&json, TN_STUDIO_RESULT_BYTES_MAX);
		tn_json_put_value(&json, value->value);
		tn_buf_append_str(out, tn_buf_str(&json));
		tn_buf_finish(&json);
		return;
	}
	for (size_t i = 0; i < value->step_count; i++) {
		tn_buf_append_text(out, i ? "|" : "");
		tn_buf_append_str(out, value->steps[i]);
	}
	if (value->kind == TN_HCL_OTHER) {
		tn_buf_append_str(out, value->text);
		return;
	}
	if (value->kind == TN_HCL_REFERENCE)
		return;
	tn_buf_append_byte(out, '(');
	for (const struct tn_hcl_value *item = value->items; item; item = item->next) {
		if (value->kind == TN_HCL_MAP) {
			tn_buf_append_str(out, item->key);
			tn_buf_append_byte(out, '=');
		}
		dump_value(out, item);
		tn_buf_append_byte(out, item->next ? ' ' : ')');
	}
	if (!value->items)
		tn_buf_append_byte(out, ')');
}

static void dump_body(struct tn_buf *out, const struct tn_hcl_body *body)
{
	for (const struct tn_hcl_attribute *one = body->attributes; one; one = one->next) {
		tn_buf_append_str(out, one->name);
		tn_buf_append_byte(out, '=');
		dump_value(out, one->value);
		tn_buf_append_byte(out, ';');
	}
	for (const struct tn_hcl_block *one = body->blocks; one; one = one->next) {
		tn_buf_append_str(out, one->type);
		for (unsigned i = 0; i < one->label_count; i++) {
			tn_buf_append_byte(out, '.');
			tn_buf_append_str(out, one->labels[i]);
		}
		tn_buf_append_text(out, one->faulty ? "!{" : "{");
		dump_body(out, one->body);
		tn_buf_append_byte(out, '}');
	}
}

static void parse(struct world *world, struct tn_str text)
{
	struct tenon_error err = {0};

	assert_int_equal(tn_hcl_parse(&world->arena, text, &world->file, &err), TENON_OK);
	tn_buf_clear(&world->dump);
	dump_body(&world->dump, world->file->body);
	for (const struct tn_hcl_fault *fault = world->file->faults; fault; fault = fault->next)
		tn_buf_format(&world->dump, "\n%u:%u %s", fault->range.line, fault->range.column,
			      fault->message);
	tn_buf_append_byte(&world->dump, '\0');
	assert_false(world->dump.failed);
}

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

/* ---- hostile texts ---- */

static struct tn_str repeated(struct world *world, const char *start, const char *piece,
			      size_t times, const char *end)
{
	size_t piece_size = strlen(piece), size = strlen(start), total;
	char *text;

	total = size + piece_size * times + strlen(end);
	text = tn_arena_alloc(&world->arena, total + 1);
	assert_non_null(text);
	memcpy(text, start, size);
	for (size_t i = 0; i < times; i++, size += piece_size)
		memcpy(text + size, piece, piece_size);
	memcpy(text + size, end, strlen(end));
	return tn_str(text, total);
}

static void test_nesting_is_bounded(void **state)
{
	static const char *const openings[] = {"(",    "[",  "{a=", "f(",        "x[",
					       "\"${", "-(", "1?",  "[for x in "};
	struct world *world = *state;

	for (size_t i = 0; i < sizeof(openings) / sizeof(*openings); i++) {
		parse(world, repeated(world, "a = ", openings[i], 100000, "\nb = 1\n"));
		assert_non_null(world->file->faults);
		assert_string_equal(world->file->faults->message, "this is nested too deeply");
		tn_arena_reset(&world->arena);
	}
	parse(world, repeated(world, "", "a {\n", 100000, "\n"));
	assert_string_equal(world->file->faults->message, "this is nested too deeply");
	/* One less than the bound is fine. */
	parse(world,
	      repeated(world,
		       "a = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "",
		       0, "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]\n"));
	assert_null(world->file->faults);
}

/* Texts that would cost the square of their size if anything were looked at again and again. */
static void test_time_is_linear(void **state)
{
	static const struct {
		const char *start, *piece, *end;
	} texts[] = {
		{"", "<<A\n", ""},
		{"", "a=<<A\n", ""},
		{"", "a=/*", ""},
		{"", "a=\"\\\"", ""},
		{"a=)", "\"\\\"", ""},
		{"", "a=\"", ""},
		{"", "a=[\n", ""},
		{"", "a{x=!}", ""},
		{"", "a{\n}\n", ""},
		{"", "#\n", ""},
		{"a=[", "1,", "]"},
		{"a=f(", "\n", ")"},
		{"a=\"", "$${", "\""},
		{"a=\"", "${x}", "\""},
		{"a=x", ".y", ""},
		{"a=x", "[0]", ""},
		{"a=", "-", "1"},
		{"a={", "a=1,", "}"},
		{"a=\"", "%{if x}", "\""},
		{"a=<<-A\n", " x\n", "A\n"},
		{"", "}", ""},
		{"", "a=)\n", ""},
		{"", "a=1;", ""},
		{"", "resource \"a\" \"b\" {\n", ""},
		{"", "a=1\n", ""},
	};
	struct world *world = *state;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		size_t times = 400000 / strlen(texts[i].piece);
		struct tn_str text =
			repeated(world, texts[i].start, texts[i].piece, times, texts[i].end);
		struct tenon_error err = {0};
		uint64_t before = tn_clock_now_ms(&tn_clock_system);
		enum tenon_code code = tn_hcl_parse(&world->arena, text, &world->file, &err);

		assert_true(code == TENON_OK || code == TENON_LIMIT);
		/* Linear takes some ten milliseconds; the square of 400,000 minutes. */
		if (tn_clock_now_ms(&tn_clock_system) - before > 5000)
			fail_msg("\"%s\" took %u ms", texts[i].piece,
				 (unsigned)(tn_clock_now_ms(&tn_clock_system) - before));
		tn_arena_reset(&world->arena);
	}
}

static void test_caps(void **state)
{
	struct world *world = *state;
	struct tenon_error err = {0};
	struct tn_str text = repeated(world, "# ", " ", TN_HCL_BYTES_MAX - 2, "");

	assert_int_equal(tn_hcl_parse(&world->arena, text, &world->file, &err), TENON_OK);
	text = repeated(world, "# ", " ", TN_HCL_BYTES_MAX - 1, "");
	assert_int_equal(tn_hcl_parse(&world->arena, text, &world->file, &err), TENON_LIMIT);
	text = repeated(world, "a=[", "1,", TN_HCL_NODES_MAX, "]");
	assert_int_equal(tn_hcl_parse(&world->arena, text, &world->file, &err), TENON_LIMIT);
}

/* ---- properties ---- */

static const char *const sources[] = {
	"# head\nresource \"a\" \"b\" {\n  x = \"${var.y}-z\"\n  l = [1, 2]\n\n  c {\n    d = {\n  "
	"    "
	"e = f(1)\n    }\n  }\n}\n\nlocals {\n  t = <<-EOT\n    one\n      two\n  EOT\n}\n",
	"variable \"v\" {\n  type = object({\n    a = string\n    b = optional(list(string), [])\n "
	" "
	"})\n  default = { a = \"x\", b = [] } /* last */\n}\n\noutput \"o\" { value = [for s in "
	"var.v.b : upper(s) if s != \"\"] }\n// end\n",
	"data \"d\" \"e\" {\n  filter {\n    name   = \"n\" # why\n    values = [\"%{ if a }b%{ "
	"endif "
	"}\"]\n  }\n  count = var.x ? 1 : 0\n}\nmodule \"m\" {\n  source = \"./m\"\n  ids    = "
	"data.d.e[*].id\n}\n",
};

static bool is_space_or_comment(struct tn_str gap)
{
	size_t at = 0;

	while (at < gap.size) {
		struct tn_str rest = tn_str_from_offset(gap, at);
		size_t end = 0;

		if (strchr(" \t\r\n", gap.data[at])) {
			at++;
			continue;
		}
		if (tn_str_starts(rest, TN_STR("/*")))
			end = tn_str_find(rest, TN_STR("*/")) + 2;
		else if (tn_str_starts(rest, TN_STR("#")) || tn_str_starts(rest, TN_STR("//")))
			end = tn_str_find_byte(rest, '\n');
		else
			return false;
		at += end < rest.size ? end : rest.size;
	}
	return true;
}

/* Every byte belongs to exactly one item of the top level, or stands between two. */
static void check_cover(const char *text, const struct tn_hcl_body *body)
{
	const struct tn_hcl_attribute *attribute = body->attributes;
	const struct tn_hcl_block *block = body->blocks;
	const char *at = text, *start, *end;

	while (attribute || block) {
		if (block && (!attribute || block->range.start < attribute->range.start)) {
			start = block->text.data;
			end = start + block->text.size;
			block = block->next;
		} else {
			start = text + attribute->range.start;
			end = text + attribute->range.end;
			attribute = attribute->next;
		}
		assert_true(start >= at && end > start);
		assert_true(is_space_or_comment(tn_str(at, (size_t)(start - at))));
		at = end;
	}
	assert_true(is_space_or_comment(tn_str_from(at)));
}

static void test_bytes_are_covered(void **state)
{
	struct world *world = *state;

	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
		parse(world, tn_str_from(sources[i]));
		assert_null(world->file->faults);
		check_cover(sources[i], world->file->body);
	}
}

static void check_inside(const struct tn_hcl_value *value, const struct tn_hcl_range *outer)
{
	assert_true(value->range.start >= outer->start && value->range.end <= outer->end);
	assert_true(value->range.end > value->range.start);
	for (const struct tn_hcl_value *item = value->items; item; item = item->next)
		check_inside(item, outer);
}

static void check_ranges(const struct tn_hcl_body *body)
{
	for (const struct tn_hcl_attribute *one = body->attributes; one; one = one->next)
		check_inside(one->value, &one->range);
	for (const struct tn_hcl_block *one = body->blocks; one; one = one->next)
		check_ranges(one->body);
}

static void test_mutations(void **state)
{
	static const char bytes[] = "\"${}[]()=,.#/*<-\n \\x1%:?!~\t\r\xC3\xA4";
	struct world *world = *state;
	unsigned seed = 20261121;
	char text[1024];

	for (unsigned round = 0; round < 30000; round++) {
		const char *source = sources[round % (sizeof(sources) / sizeof(*sources))];
		size_t size = strlen(source);
		struct tenon_error err = {0};

		memcpy(text, source, size);
		for (unsigned i = 0; i <= round % 4; i++) {
			size_t at;

			seed = seed * 1103515245u + 12345u;
			at = (seed >> 8) % size;
			seed = seed * 1103515245u + 12345u;
			if (seed & 0x10000) {
				text[at] = bytes[(seed >> 20) % (sizeof(bytes) - 1)];
			} else {
				memmove(text + at, text + at + 1, size - at - 1);
				size--;
			}
		}
		assert_int_equal(
			tn_hcl_parse(&world->arena, tn_str(text, size), &world->file, &err),
			TENON_OK);
		check_ranges(world->file->body);
		tn_arena_reset(&world->arena);
	}
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
		cmocka_unit_test_setup_teardown(test_nesting_is_bounded, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_time_is_linear, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_caps, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_bytes_are_covered, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_mutations, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("studio_hcl", tests, NULL, NULL);
}
