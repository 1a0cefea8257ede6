/* The pull-request comment of plan.md section 14 (P-11): order, escaping, size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/markdown.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"
#include "base/utf8.h"

/* ---- escaping ---- */

static void test_escaping(void **state)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{"plain words", "plain words"},
		{"a|b", "a\\|b"},
		{"<script>&amp;", "&lt;script&gt;&amp;amp;"},
		{"`code`", "\\`code\\`"},
		{"@team", "@&#8203;team"},
		{"#123", "#&#8203;123"},
		{"org/repo#9", "org/repo#&#8203;9"},
		{"# 1", "# 1"},
		{"!7", "!&#8203;7"},
		{"GH-12", "GH-&#8203;12"},
		{"a-12", "a-12"},
		{"line\nbreak", "line break"},
		{"aws_db_instance.main_x", "aws_db_instance.main_x"},
		{"_stressed_", "\\_stressed\\_"},
		{"*bold*", "\\*bold\\*"},
		{"[link](http://x)", "\\[link\\](http://x)"},
		{"back\\slash", "back\\\\slash"},
		{"~~gone~~", "\\~\\~gone\\~\\~"},
		{"", ""},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_buf out = test_buf();

		tn_plan_put_markdown_text(&out, tn_str_from(cases[i].text));
		assert_true(tn_str_is(tn_buf_str(&out), cases[i].expected));
		tn_buf_finish(&out);
	}
}

static void test_code(void **state)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{"a_b.c", "`a_b.c`"}, {"a`b", "``a`b``"}, {"``", "``` `` ```"},
		{"`a", "`` `a ``"},   {"a|b", "`a\\|b`"}, {"@x #1 <b>", "`@x #1 <b>`"},
		{"a\nb", "`a b`"},    {"", "`  `"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_buf out = test_buf();

		tn_plan_put_markdown_code(&out, tn_str_from(cases[i].text));
		assert_true(tn_str_is(tn_buf_str(&out), cases[i].expected));
		tn_buf_finish(&out);
	}
}

/* ---- the whole comment ---- */

static struct tn_buf markdown(const struct tn_plan *plan, size_t max_bytes)
{
	struct tn_buf out = test_buf();

	tn_plan_put_markdown(&out, plan, TN_PLAN_NON_TECHNICAL, max_bytes);
	assert_false(out.failed);
	return out;
}

static size_t offset_of(struct tn_buf *buf, const char *part)
{
	size_t at = tn_str_find(tn_buf_str(buf), tn_str_from(part));

	if (at == TN_STR_NONE)
		fail_msg("no \"%s\" in: %.*s", part, (int)buf->size, buf->data);
	return at;
}

static void test_layout(void **state)
{
	static const char *const order[] = {
		"<!-- tenon-plan:aaaaaaaaaaaa -->\n### Plan: 3 to add, 1 to change, 0 to replace, "
		"1 "
		"to destroy \xe2\x80\x93 risk: critical\n",
		"\nDeletes data for good: the managed database ",
		"\n#### Risks\n\n- **critical** Data is deleted: `aws_db_instance.gone`. ",
		"\n#### Removed (1)\n\n| Address | What | Why / key facts |\n| --- | --- | --- |\n"
		"| `aws_db_instance.gone` | managed database \"gone\" | because it is no longer in "
		"the configuration |\n",
		"\n#### Changed (1)\n",
		"| `aws_lb.b` | load balancer \"b\" | idle timeout from \"1\" to \"2\" |\n",
		"\n#### Created (3)\n",
		"| `aws_instance.w[0]` | virtual machine \"w\\[0\\]\" |  |\n",
		"\n#### Outputs\n\n- `url` is new\n",
		"\n#### Changed outside\n\n- `aws_lb.b` was changed\n",
		"\n#### Errors and warnings\n\n- warning: Deprecated &lt;thing&gt;\n",
	};
	struct tn_plan *plan = test_plan();
	struct tn_plan_output output = {.name = TN_STR("url"), .action = TN_PLAN_CREATE};
	struct tn_plan_entry *entry;
	struct tn_buf out;
	size_t last = 0;

	(void)state;
	(void)test_add(plan, TN_PLAN_CREATE, "aws_instance.w[0]");
	(void)test_add(plan, TN_PLAN_CREATE, "aws_instance.w[1]");
	(void)test_add(plan, TN_PLAN_CREATE, "aws_instance.w[2]");
	entry = test_add(plan, TN_PLAN_UPDATE, "aws_lb.b");
	(void)test_attr(plan, entry, "idle_timeout", "#1", "#2");
	entry = test_add(plan, TN_PLAN_DELETE, "aws_db_instance.gone");
	test_reason(plan, entry, "not_in_configuration", "x");
	plan->outputs = &output;
	plan->output_count = 1;
	(void)test_drift(plan, TN_PLAN_UPDATE, "aws_lb.b");
	(void)test_diagnostic(plan, "warning", "Deprecated <thing>");
	test_assess(plan);
	out = markdown(plan, 0);
	assert_lacks(&out, "`, `"); /* evidence has a path only where an attribute is meant */
	assert_int_equal(offset_of(&out, order[0]), 0);
	for (size_t i = 1; i < TN_COUNT(order); i++) {
		size_t at = offset_of(&out, order[i]);

		assert_true(at > last);
		last = at;
	}
	assert_lacks(&out, "<details>");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

static struct tn_plan *plan_of(unsigned deletes, unsigned creates)
{
	struct tn_plan *plan = test_plan();
	char address[64];

	for (unsigned i = 0; i < deletes + creates; i++) {
		(void)snprintf(address, sizeof(address), "aws_lb.n[%u]", i);
		(void)test_add(plan, i < deletes ? TN_PLAN_DELETE : TN_PLAN_CREATE, address);
	}
	test_assess(plan);
	return plan;
}

/* Groups above 10 rows are folded away. */
static void test_details(void **state)
{
	struct tn_plan *plan = plan_of(10, 11);
	struct tn_buf out = markdown(plan, 0);

	(void)state;
	assert_contains(&out, "#### Removed (10)");
	assert_contains(&out, "<details>\n<summary>Created (11)</summary>\n\n| Address |");
	assert_true(offset_of(&out, "\n</details>\n") > offset_of(&out, "`aws_lb.n[20]`"));
	tn_buf_finish(&out);
	test_plan_free(plan);
}

/* Every line that begins a table row ends it; fences pair up; tags are closed. */
static void check_whole(struct tn_buf *out, size_t max_bytes)
{
	struct tn_str rest = tn_buf_str(out);
	size_t details = 0;

	assert_true(out->size <= max_bytes);
	assert_true(tn_utf8_valid(out->data, out->size));
	assert_true(out->size > 0 && out->data[out->size - 1] == '\n');
	while (rest.size > 0) {
		size_t end = tn_str_find_byte(rest, '\n');
		struct tn_str line = tn_str(rest.data, end);
		size_t ticks = 0;

		for (size_t i = 0; i < line.size; i++)
			ticks += line.data[i] == '`';
		assert_int_equal(ticks % 2, 0);
		if (tn_str_starts(line, TN_STR("|")))
			assert_true(tn_str_ends(line, TN_STR(" |")));
		details += tn_str_is(line, "<details>");
		details -= tn_str_is(line, "</details>");
		rest = tn_str_from_offset(rest, end + 1);
	}
	assert_int_equal(details, 0);
}

static uint32_t rows_of(struct tn_buf *out, const char *start)
{
	struct tn_str rest = tn_buf_str(out);
	uint32_t count = 0;
	size_t at;

	while ((at = tn_str_find(rest, tn_str_from(start))) != TN_STR_NONE) {
		count++;
		rest = tn_str_from_offset(rest, at + 1);
	}
	return count;
}

/* Creations go first, deletions last, and what is left out is counted. */
static void test_cut(void **state)
{
	static const size_t sizes[] = {1000, 1500, 3000, 5000, 10000, 20000, 60000, 65536};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(sizes); i++) {
		struct tn_plan *plan = plan_of(100, 900);
		struct tn_buf out = markdown(plan, sizes[i]);
		uint32_t rows = rows_of(&out, "\n| `aws_lb.n[");
		unsigned left = 1000 - rows;
		char note[80];

		check_whole(&out, sizes[i]);
		if (rows < 100)
			(void)snprintf(
				note, sizeof(note),
				"\n_Left out to keep this short: %u removed, 900 created._\n",
				100 - rows);
		else
			(void)snprintf(note, sizeof(note),
				       "\n_Left out to keep this short: %u created._\n", left);
		if (left > 0)
			assert_contains(&out, note);
		else
			assert_lacks(&out, "Left out");
		assert_contains(&out, "### Plan: 900 to add, 0 to change, 0 to replace, 100 to "
				      "destroy");
		tn_buf_finish(&out);
		test_plan_free(plan);
	}
}

/* Names made to break out: of the cell, the code span, the size. */
static void test_hostile_names(void **state)
{
	char name[5000];
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry;
	struct tn_buf out;

	(void)state;
	memset(name, '@', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	for (unsigned i = 0; i < 30; i++) {
		entry = test_add(plan, i % 2 ? TN_PLAN_DELETE : TN_PLAN_CREATE,
				 "a_b.c[\"x`` | <b> @team #1\"]");
		(void)test_attr(plan, entry, "name", "| `<img src=x>` @all #42\n| new | row |",
				i % 2 ? NULL : "| `<img src=x>` @all #42\n| new | row |");
		(void)test_attr(plan, entry, "size", NULL, name);
		test_reason(plan, entry, "tainted", name);
	}
	plan->errored = true;
	(void)test_diagnostic(plan, "error", name);
	test_assess(plan);
	for (size_t size = 1000; size <= 12000; size += 1000) {
		out = markdown(plan, size);
		assert_true(out.size <= size);
		assert_lacks(&out, "<img");
		assert_lacks(&out, "@all");
		assert_lacks(&out, "#42");
		assert_lacks(&out, "\n| new");
		tn_buf_finish(&out);
	}
	test_plan_free(plan);
}

static void test_evidence(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "aws_db_instance.a");
	struct tn_buf out;

	(void)state;
	(void)test_attr(plan, entry, "deletion_protection", "?true", "?false");
	test_assess(plan);
	out = markdown(plan, 0);
	assert_contains(&out, "- **high** Protection of data is turned off: `aws_db_instance.a`, "
			      "`deletion_protection`. A safeguard");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

static void test_without_changes(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_buf out;

	(void)state;
	plan->status = TN_PLAN_NO_CHANGES;
	out = markdown(plan, 0);
	assert_contains(&out, "### Plan: 0 to add, 0 to change, 0 to replace, 0 to destroy "
			      "\xe2\x80\x93 risk: none\n\nNo changes: what exists matches the "
			      "configuration.\n");
	assert_lacks(&out, "|");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

/* What a row leaves out can be opened; a rule explains itself once (finding 20). */
static void test_settings(void **state)
{
	static const char *const paths[] = {"a_setting", "b_setting", "c_setting", "d_setting"};
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "aws_lb.a");
	struct tn_buf out = test_buf();

	(void)state;
	for (size_t i = 0; i < TN_COUNT(paths); i++)
		(void)test_attr(plan, entry, paths[i], "old|one", "new");
	test_attr(plan, entry, "db_password", "visible", "visible2")->forces_replacement = true;
	entry = test_add(plan, TN_PLAN_UPDATE, "aws_lb.b");
	(void)test_attr(plan, entry, "a_setting", "1", "2");
	(void)test_add(plan, TN_PLAN_DELETE, "aws_route_table.a");
	(void)test_add(plan, TN_PLAN_DELETE, "aws_route_table.b");
	test_assess(plan);
	tn_plan_put_markdown(&out, plan, TN_PLAN_NON_TECHNICAL, 0);
	assert_contains(&out, "\n#### Settings\n\n`aws_lb.a`\n<details>\n<summary>All 5 settings"
			      "</summary>\n\n- `a_setting`: \"old\\|one\" \xe2\x86\x92 \"new\"\n");
	assert_contains(&out, "- `db_password`: (hidden) \xe2\x86\x92 (hidden) (forces the "
			      "replacement)\n\n</details>\n");
	assert_lacks(&out, "visible");
	assert_lacks(&out, "`aws_lb.b`\n<details>");
	assert_contains(
		&out,
		"- **high** An object is deleted: `aws_route_table.a`. It is deleted, and what "
		"relies on it stops working.\n- **high** An object is deleted: "
		"`aws_route_table.b`.\n");
	assert_lacks(&out, "RISK-");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

/* HO-001, HO-003: what a model has just read is not told again, and all that was not is. */
static void test_beside(void **state)
{
	static const char *const paths[] = {"a", "b", "c", "d", "e"};
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_REPLACE, "aws_lb.a");
	struct tn_buf said = test_buf(), out = test_buf();

	(void)state;
	for (size_t i = 0; i < TN_COUNT(paths); i++)
		(void)test_attr(plan, entry, paths[i], "old", "new");
	test_attr(plan, entry, "name", "x", "y")->forces_replacement = true;
	(void)test_add(plan, TN_PLAN_READ, "data.aws_ami.ubuntu");
	test_assess(plan);
	tn_plan_put_explanation(&said, plan, TN_PLAN_FORM_FULL, TN_PLAN_NON_TECHNICAL);
	tn_plan_put_markdown_beside(&out, plan, TN_PLAN_NON_TECHNICAL, tn_buf_str(&said));
	assert_lacks(&out, "tenon-plan:");
	assert_lacks(&out, "Removes and rebuilds");
	assert_lacks(&out, "#### Replaced");
	assert_contains(&out, "| `data.aws_ami.ubuntu` |"); /* the paragraph only counts it */
	assert_contains(
		&out, "- `aws_lb.a`: `a`: \"old\" \xe2\x86\x92 \"new\", `b`: \"old\" \xe2\x86\x92 "
		      "\"new\", `c`: \"old\" \xe2\x86\x92 \"new\", `name`: \"x\" \xe2\x86\x92 "
		      "\"y\" (forces the replacement) and 2 more\n");
	/* Words of somebody else tell nothing for sure. */
	tn_buf_clear(&out);
	tn_plan_put_markdown_beside(&out, plan, TN_PLAN_NON_TECHNICAL, TN_STR("All is well."));
	assert_contains(&out, "Removes and rebuilds");
	assert_contains(&out, "#### Replaced (1)");
	tn_buf_finish(&said);
	tn_buf_finish(&out);
	test_plan_free(plan);
}

/* What is cut off a table is not its worst row. */
static void test_worst_row_first(void **state)
{
	struct tn_plan *plan = plan_of(0, 900);
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_CREATE, "aws_db_instance.worst");
	struct tn_buf out;

	(void)state;
	(void)test_attr(plan, entry, "publicly_accessible", NULL, "?true");
	test_assess(plan);
	out = markdown(plan, 3000);
	check_whole(&out, 3000);
	assert_contains(&out, "\n| `aws_db_instance.worst` |");
	assert_contains(&out, "Left out to keep this short");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_settings),
		cmocka_unit_test(test_escaping),
		cmocka_unit_test(test_code),
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_details),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_hostile_names),
		cmocka_unit_test(test_evidence),
		cmocka_unit_test(test_worst_row_first),
		cmocka_unit_test(test_beside),
		cmocka_unit_test(test_without_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
