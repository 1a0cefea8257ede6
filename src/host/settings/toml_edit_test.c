#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/size.h"
#include "host/settings/toml_edit.h"

static const struct tn_str keys[] = {TN_STR("mcp_servers"), TN_STR("tenon")};
static const struct tn_toml_path path = {keys, 2};
static const struct tn_toml_pair pairs[] = {
	{TN_STR("command"), TN_STR("\"/bin/tenon\"")},
	{TN_STR("args"), TN_STR("[\"mcp\", \"plan\"]")},
};
#define BLOCK "[mcp_servers.tenon]\ncommand = \"/bin/tenon\"\nargs = [\"mcp\", \"plan\"]\n"

static struct tn_buf out;
static struct tenon_error err;

static int set_up(void **state)
{
	(void)state;
	tn_buf_init(&out, TN_MIB);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	tn_buf_finish(&out);
	return 0;
}

static void assert_set(const char *text, const char *wanted)
{
	tn_buf_clear(&out);
	assert_int_equal(tn_toml_set(tn_str_from(text), path, pairs, TN_COUNT(pairs), &out, &err),
			 TENON_OK);
	if (!tn_str_is(tn_buf_str(&out), wanted))
		fail_msg("[%.*s] instead of [%s]", (int)out.size, out.data, wanted);
}

static void assert_removed(const char *text, const char *wanted)
{
	tn_buf_clear(&out);
	assert_int_equal(tn_toml_remove(tn_str_from(text), path, &out, &err), TENON_OK);
	if (!tn_str_is(tn_buf_str(&out), wanted))
		fail_msg("[%.*s] instead of [%s]", (int)out.size, out.data, wanted);
}

static void test_new_table(void **state)
{
	static const char *const rows[][2] = {
		{"", BLOCK},
		{"model = \"x\"\n", "model = \"x\"\n\n" BLOCK},
		{"[mcp_servers.other]\nargs = [ # one\n  \"a]\",\n]\n",
		 "[mcp_servers.other]\nargs = [ # one\n  \"a]\",\n]\n\n" BLOCK},
		{"a = '''\n[mcp_servers.tenon]\n'''\n# end\n",
		 "a = '''\n[mcp_servers.tenon]\n'''\n# end\n\n" BLOCK},
		{"[[things]]\nx = {a = 1}\n", "[[things]]\nx = {a = 1}\n\n" BLOCK},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		assert_set(rows[i][0], rows[i][1]);
		assert_set(rows[i][1], rows[i][1]);
		assert_removed(rows[i][1], rows[i][0]);
	}
	assert_set("a = 1", "a = 1\n\n" BLOCK);
	assert_set("a = 1\r\n", "a = 1\r\n\r\n[mcp_servers.tenon]\r\ncommand = "
				"\"/bin/tenon\"\r\nargs = [\"mcp\", \"plan\"]\r\n");
}

static void test_mend(void **state)
{
	(void)state;
	/* Further keys, comments and blanks stay; what differs is replaced in its place. */
	assert_set("[mcp_servers . 'tenon'] # ours\nenabled = true\nargs = [ \"mcp\",\n  "
		   "\"plan\" ]\ncommand = '/old' # here\n\n[mcp_servers.tenon.env]\nA = \"b\"\n",
		   "[mcp_servers . 'tenon'] # ours\nenabled = true\nargs = [ \"mcp\",\n  "
		   "\"plan\" ]\ncommand = \"/bin/tenon\" # here\n\n[mcp_servers.tenon.env]\n"
		   "A = \"b\"\n");
	assert_set("[mcp_servers.tenon]\ncommand = \"/bin/tenon\"\n# end\n[z]\n",
		   "[mcp_servers.tenon]\ncommand = \"/bin/tenon\"\nargs = [\"mcp\", \"plan\"]\n"
		   "# end\n[z]\n");
	assert_set("[mcp_servers.tenon]", BLOCK);
	assert_set("[mcp_servers.tenon]\ncommand=\"/bin/tenon\"\nargs=[\"mcp\",\"plan\"]",
		   "[mcp_servers.tenon]\ncommand=\"/bin/tenon\"\nargs=[\"mcp\",\"plan\"]");
	/* A blank inside a text is not one between tokens. */
	assert_set("[mcp_servers.tenon]\ncommand=\"/bin/ tenon\"\nargs=[\"mcp\",\"plan\"]\n",
		   "[mcp_servers.tenon]\ncommand=\"/bin/tenon\"\nargs=[\"mcp\",\"plan\"]\n");
}

static void test_remove(void **state)
{
	(void)state;
	assert_removed("a = 1\n\n" BLOCK "\n[mcp_servers.tenon.env]\nA = \"b\"\n\n# of z\n[z]\n",
		       "a = 1\n\n# of z\n[z]\n");
	assert_removed(BLOCK "[z]\n", "[z]\n");
	assert_removed("# keep\n" BLOCK "# keep too\n[z]\n", "# keep\n# keep too\n[z]\n");
	tn_buf_clear(&out);
	assert_int_equal(tn_toml_remove(TN_STR("a = 1\n"), path, &out, &err), TENON_NOT_FOUND);
}

static void test_find(void **state)
{
	struct tn_toml_table table;
	struct tn_arena arena;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(
		tn_toml_find(&arena, TN_STR("a = 1\n" BLOCK "env.A = \"x\"\n"), path, &table, &err),
		TENON_OK);
	assert_true(table.found);
	assert_int_equal(table.count, 2);
	assert_true(tn_str_is(table.pairs[1].key, "args"));
	assert_true(tn_str_is(table.pairs[1].value, "[\"mcp\", \"plan\"]"));
	assert_int_equal(
		tn_toml_find(&arena, TN_STR("[mcp_servers.tenon.env]\n"), path, &table, &err),
		TENON_OK);
	assert_true(table.found);
	assert_int_equal(tn_toml_find(&arena, TN_STR("[mcp_servers]\n"), path, &table, &err),
			 TENON_OK);
	assert_false(table.found);
	tn_arena_finish(&arena);
}

static void test_refused(void **state)
{
	static const char *const rows[][2] = {
		{"a = 1\nmcp_servers = {}\n", "line 2: the table mcp_servers.tenon stands here in "
					      "braces or by dotted keys; write it "
					      "below a line [mcp_servers.tenon]"},
		{"[mcp_servers]\ntenon.command = \"x\"\n",
		 "line 2: the table mcp_servers.tenon stands here"},
		{"[mcp_servers]\ntenon = {command = \"x\"}\n",
		 "line 2: the table mcp_servers.tenon stands here"},
		{"mcp_servers.tenon.command = \"x\"\n",
		 "line 1: the table mcp_servers.tenon stands here"},
		{"[[mcp_servers]]\n", "a list of tables"},
		{"[[mcp_servers.tenon]]\n", "a list of tables"},
		{BLOCK BLOCK, "a second time"},
		{"a = 1\nb = \"no end\n", "line 2: this text has no end"},
		{"a = \"\"\"no end\n\n", "line 1: this text has no end"},
		{"a = [1, 2\n", "a bracket is not closed"},
		{"a = [1}\n", "this bracket closes nothing"},
		{"a 1\n", "an equals sign should stand here"},
		{"a =\n", "a value is missing"},
		{"= 1\n", "a key should stand here"},
		{"[a\n", "the header is not closed"},
		{"[a] b\n", "something follows"},
		{"{\"json\": true}\n", "a key should stand here"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		tn_buf_clear(&out);
		assert_int_equal(tn_toml_set(tn_str_from(rows[i][0]), path, pairs, TN_COUNT(pairs),
					     &out, &err),
				 TENON_INVALID);
		if (!strstr(err.message, rows[i][1]))
			fail_msg("[%s] does not say [%s]", err.message, rows[i][1]);
		assert_int_equal(out.size, 0);
	}
}

/* A table with one key less than may be read takes no two more. */
static void test_full_table(void **state)
{
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, "[mcp_servers.tenon]\n");
	for (int i = 0; i < TN_TOML_PAIRS_MAX - 2; i++)
		tn_buf_format(&text, "k%d = %d\n", i, i);
	tn_buf_clear(&out);
	assert_int_equal(tn_toml_set(tn_buf_str(&text), path, pairs, TN_COUNT(pairs), &out, &err),
			 TENON_OK);
	tn_buf_append_text(&text, "one = 1\n");
	tn_buf_clear(&out);
	assert_int_equal(tn_toml_set(tn_buf_str(&text), path, pairs, TN_COUNT(pairs), &out, &err),
			 TENON_INVALID);
	assert_int_equal(out.size, 0);
	tn_buf_clear(&text);
	for (int i = 0; i < 64; i++)
		tn_buf_format(&text, "[mcp_servers.tenon.t%d]\n[x%d]\n", i, i);
	assert_int_equal(tn_toml_set(tn_buf_str(&text), path, pairs, TN_COUNT(pairs), &out, &err),
			 TENON_INVALID);
	assert_int_equal(out.size, 0);
	tn_buf_finish(&text);
}

static void assert_dropped(const char *text, const char *key, const char *wanted)
{
	tn_buf_clear(&out);
	assert_int_equal(tn_toml_drop(tn_str_from(text), path, tn_str_from(key), &out, &err),
			 wanted ? TENON_OK : TENON_NOT_FOUND);
	if (!tn_str_is(tn_buf_str(&out), wanted ? wanted : ""))
		fail_msg("[%.*s] instead of [%s]", (int)out.size, out.data, wanted);
}

/* HO-012: what an entry over HTTP has goes, however it is written. */
static void test_drop(void **state)
{
	(void)state;
	assert_dropped("[mcp_servers.tenon]\nurl = \"x\" # gone\na = 1\n", "url",
		       "[mcp_servers.tenon]\na = 1\n");
	assert_dropped("[mcp_servers.tenon]\na = 1\nurl = [\n  1, # in it\n]", "url",
		       "[mcp_servers.tenon]\na = 1\n");
	assert_dropped("[mcp_servers.tenon]\nh.a = 1\nb = 2\nh.\"c d\" = 3\n", "h",
		       "[mcp_servers.tenon]\nb = 2\n");
	assert_dropped("[mcp_servers.tenon]\na = 1\n\n[mcp_servers.tenon.h]\n# gone\nb = 2\n\n"
		       "[mcp_servers.tenon.h.i]\nc = 3\n\n[o]\nh = 1\n",
		       "h", "[mcp_servers.tenon]\na = 1\n\n[o]\nh = 1\n");
	assert_dropped("[mcp_servers.tenon]\nhh = 1\n[mcp_servers.other]\nh = 1\n", "h", NULL);
}

static void test_copy(void **state)
{
	static const char text[] = "a = 1\n[mcp_servers.tenon]\nurl = \"x\" # kept\n\n[o]\nb = 1\n"
				   "[mcp_servers.tenon.h]\nc = 1\n";

	(void)state;
	tn_buf_clear(&out);
	assert_int_equal(tn_toml_copy(tn_str_from(text), path, &out, &err), TENON_OK);
	assert_true(tn_str_is(tn_buf_str(&out), "[mcp_servers.tenon]\nurl = \"x\" # kept\n"
						"[mcp_servers.tenon.h]\nc = 1\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_new_table), cmocka_unit_test(test_mend),
		cmocka_unit_test(test_remove),    cmocka_unit_test(test_find),
		cmocka_unit_test(test_refused),   cmocka_unit_test(test_full_table),
		cmocka_unit_test(test_drop),      cmocka_unit_test(test_copy),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
