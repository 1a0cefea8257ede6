/* The same small plan in every wrapping of plan.md sections 3.2 and 4.8 reads the same, and the
 * steps that were needed are listed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/plan/read/reading_kit.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

static const char *const plan_lines[] = {
	"Terraform will perform the following actions:",
	"",
	"  # a.b[\"gr\xC3\xBCn\"] will be updated in-place",
	"  ~ resource \"a\" \"b\" {",
	"      ~ x = 1 -> 2",
	"        # (3 unchanged attributes hidden)",
	"    }",
	"",
	" # c.d will no longer be managed by Terraform, but will not be destroyed",
	" . resource \"c\" \"d\" {",
	"        id = \"1\"",
	"    }",
	"",
	"Plan: 0 to add, 1 to change, 0 to destroy.",
};

/* Each line between `before` and `after`; empty lines get `before` without its blanks at the end.
 */
static struct tn_buf wrapped(const char *before, const char *after)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	for (size_t i = 0; i < TN_COUNT(plan_lines); i++) {
		struct tn_str start = tn_str_from(before);

		while (!plan_lines[i][0] && start.size && start.data[start.size - 1] == ' ')
			start.size--;
		tn_buf_append_str(&out, start);
		tn_buf_append_text(&out, plan_lines[i]);
		tn_buf_append_text(&out, after);
		tn_buf_append_byte(&out, '\n');
	}
	return out;
}

static void check_plan(const struct tn_plan *plan, uint32_t steps)
{
	if (plan->normalised != steps)
		fail_msg("steps %x, expected %x", plan->normalised, steps);
	assert_int_equal(plan->change_count, 2);
	assert_int_equal(plan->consistent, 1);
	assert_str(plan->changes[0].address, "a.b[\"gr\xC3\xBCn\"]");
	assert_int_equal(plan->changes[0].hidden_attributes, 3);
	assert_str(test_attribute(&plan->changes[0].attributes, "x")->after.text, "2");
	assert_str(plan->changes[1].address, "c.d");
	assert_int_equal(plan->changes[1].action, TN_PLAN_FORGET);
}

static void check_text(struct tn_buf text, uint32_t steps)
{
	struct tn_plan *plan = test_parse(tn_buf_str(&text));

	check_plan(plan, steps);
	tn_plan_free(plan);
	tn_buf_finish(&text);
}

static void prefixes_are_taken_off(void **state)
{
	static const struct {
		const char *before;
		uint32_t steps;
	} prefixes[] = {
		{"", 0},
		{"2024-05-01T12:00:00.1234567Z ", TN_PLAN_CLEAN_PREFIX_ISO8601},
		{"2024-05-01T12:00:00+02:00 ", TN_PLAN_CLEAN_PREFIX_ISO8601},
		{"2024-05-01T12:00:00.123456Z 00O ", TN_PLAN_CLEAN_PREFIX_ISO8601},
		{"2024-05-01T12:00:00.123456Z 01E+", TN_PLAN_CLEAN_PREFIX_ISO8601},
		{"[2024-05-01T12:00:00.123Z] ", TN_PLAN_CLEAN_PREFIX_BRACKET_TIME},
		{"09:32:46.963 STDOUT terraform: ", TN_PLAN_CLEAN_PREFIX_RUNNER},
		{"09:32:46.963 STDOUT [a/b] tofu: ", TN_PLAN_CLEAN_PREFIX_RUNNER},
		{"time=2024-05-01T12:00:00Z level=stdout tf-path=terraform msg=",
		 TN_PLAN_CLEAN_PREFIX_RUNNER},
		{"service_1  | ", TN_PLAN_CLEAN_PREFIX_COMPOSE},
		{"> ", TN_PLAN_CLEAN_PREFIX_QUOTE},
		{"> > ", TN_PLAN_CLEAN_PREFIX_QUOTE},
		{"build%step 7: ", TN_PLAN_CLEAN_PREFIX_GENERIC},
		{"    ", TN_PLAN_CLEAN_INDENT},
		{"\t", TN_PLAN_CLEAN_INDENT},
		{"svc | 2024-05-01T12:00:00Z     ", TN_PLAN_CLEAN_PREFIX_COMPOSE |
							    TN_PLAN_CLEAN_PREFIX_ISO8601 |
							    TN_PLAN_CLEAN_INDENT},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(prefixes); i++) {
		print_message("\"%s\"\n", prefixes[i].before);
		check_text(wrapped(prefixes[i].before, ""), prefixes[i].steps);
	}
}

static void line_ends_and_escapes_go(void **state)
{
	(void)state;
	check_text(wrapped("", "\r"), TN_PLAN_CLEAN_CRLF);
	/* Where nothing was drawn over it, a CR at the end is a line end. */
	check_text(wrapped("50%\rwait\r", ""), TN_PLAN_CLEAN_CR_REDRAW | TN_PLAN_CLEAN_CRLF);
	check_text(wrapped("50%\r\x1b[K", ""), TN_PLAN_CLEAN_CR_REDRAW | TN_PLAN_CLEAN_ANSI);
	check_text(wrapped("\x1b[0m\x1b[1;31m", "\x1b[0m"), TN_PLAN_CLEAN_ANSI);
	check_text(wrapped("\x1b]0;title\a\x1b]8;;x\x1b\\\x1b(B\x1b=", ""), TN_PLAN_CLEAN_ANSI);
	check_text(wrapped("\xC2\x9B"
			   "31m\a",
			   "\x7F"),
		   TN_PLAN_CLEAN_ANSI);
	check_text(wrapped("\\u001b[1m", "\\u001b[0m"), TN_PLAN_CLEAN_ANSI_REMNANT);
	check_text(wrapped("^[[1m", "^[[0m"), TN_PLAN_CLEAN_ANSI_REMNANT);
	check_text(wrapped("", "[0m"), TN_PLAN_CLEAN_ANSI_REMNANT);
}

static void a_few_brackets_are_no_remnants(void **state)
{
	struct tn_plan *plan = test_parse_text("  # a.b[\"[0m\"] will be created\n"
					       "  + resource \"a\" \"b\" {\n"
					       "      + x = \"[1m\"\n    }\n\n"
					       "Plan: 1 to add, 0 to change, 0 to destroy.\n");

	(void)state;
	assert_str(plan->changes[0].key_text, "[0m");
	assert_int_equal(plan->normalised, 0);
	tn_plan_free(plan);
}

static struct tn_buf utf16(struct tn_str text, bool little, bool bom)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	if (bom)
		tn_buf_append_text(&out, little ? "\xFF\xFE" : "\xFE\xFF");
	for (size_t i = 0; i < text.size; i++) {
		unsigned code = (unsigned char)text.data[i];
		char low, high;

		if (code == 0xC3) /* the one letter beyond ASCII in the plan */
			code = 0xC0 | ((unsigned char)text.data[++i] & 0x3F);
		low = (char)code;
		high = 0;
		tn_buf_append_byte(&out, little ? low : high);
		tn_buf_append_byte(&out, little ? high : low);
	}
	return out;
}

static void encodings_are_found(void **state)
{
	struct tn_buf text = wrapped("", "\r"), bom;

	(void)state;
	check_text(utf16(tn_buf_str(&text), true, true),
		   TN_PLAN_CLEAN_BOM | TN_PLAN_CLEAN_UTF16 | TN_PLAN_CLEAN_CRLF);
	check_text(utf16(tn_buf_str(&text), false, true),
		   TN_PLAN_CLEAN_BOM | TN_PLAN_CLEAN_UTF16 | TN_PLAN_CLEAN_CRLF);
	check_text(utf16(tn_buf_str(&text), true, false), TN_PLAN_CLEAN_UTF16 | TN_PLAN_CLEAN_CRLF);
	check_text(utf16(tn_buf_str(&text), false, false),
		   TN_PLAN_CLEAN_UTF16 | TN_PLAN_CLEAN_CRLF);
	tn_buf_init(&bom, TN_MIB);
	tn_buf_append_text(&bom, "\xEF\xBB\xBF");
	tn_buf_append_str(&bom, tn_buf_str(&text));
	check_text(bom, TN_PLAN_CLEAN_BOM | TN_PLAN_CLEAN_CRLF);
	tn_buf_finish(&text);
}

static void latin1_is_guessed_and_said(void **state)
{
	struct tn_plan *plan = test_parse_text("  # a.b[\"gr\xFCn\"] will be created\n"
					       "  + resource \"a\" \"b\" {\n    }\n\n"
					       "Plan: 1 to add, 0 to change, 0 to destroy.\n");

	(void)state;
	assert_str(plan->changes[0].key_text, "gr\xC3\xBCn");
	assert_string_equal(plan->encoding, "latin-1");
	assert_int_equal(plan->normalised, TN_PLAN_CLEAN_LATIN1);
	assert_true(test_has_warning(plan, "encoding_guessed"));
	assert_int_equal(plan->confidence, TN_PLAN_MEDIUM);
	tn_plan_free(plan);
	/* UTF-8 with a broken byte stays UTF-8. */
	plan = test_parse_text("  # a.b[\"\xC3\xBC\xFF\"] will be created\n");
	assert_str(plan->changes[0].key_text, "\xC3\xBC\xEF\xBF\xBD");
	assert_string_equal(plan->encoding, "utf-8");
	tn_plan_free(plan);
}

static void comments_are_unwrapped(void **state)
{
	static const char text[] =
		"<details><summary>Plan: 9 to add, 9 to change, 9 to destroy.</summary>\n\n"
		"~~~hcl\n"
		"Terraform will perform the following actions:\n\n"
		"  # a.b[&quot;x&quot;] will be updated in-place\n"
		"  ~ resource &quot;a&quot; &quot;b&quot; {\n"
		"      ~ x = &quot;&lt;1&gt;&quot; -&gt; &quot;&amp;2&quot;\n"
		"    }\n\n"
		"Plan: 0 to add, 1 to change, 0 to destroy.\n~~~\n</details>\n";
	struct tn_plan *plan = test_parse_text(text);
	const struct tn_plan_attribute *x = test_attribute(&plan->changes[0].attributes, "x");

	(void)state;
	assert_int_equal(plan->normalised, TN_PLAN_CLEAN_MARKDOWN | TN_PLAN_CLEAN_HTML_ENTITIES);
	assert_int_equal(plan->consistent, 1);
	assert_int_equal(plan->unit_count, 1);
	assert_str(plan->changes[0].key_text, "x");
	assert_str(x->before.text, "<1>");
	assert_str(x->after.text, "&2");
	tn_plan_free(plan);
}

static void a_list_shifted_to_column_0_reads(void **state)
{
	struct tn_plan *plan = test_parse_text("Terraform will perform the following actions:\n\n"
					       "# a.b will be created\n"
					       "+ resource \"a\" \"b\" {\n"
					       "    + x = {\n"
					       "        + \"k\" = 1\n"
					       "      }\n"
					       "  }\n\n"
					       "Plan: 1 to add, 0 to change, 0 to destroy.\n");

	(void)state;
	assert_int_equal(plan->consistent, 1);
	assert_int_equal(plan->warning_count, 0);
	assert_str(test_attribute(&plan->changes[0].attributes, "x[\"k\"]")->after.text, "1");
	tn_plan_free(plan);
}

static void mixed_units_are_told_apart(void **state)
{
	static const char text[] =
		"09:32:46.963 STDOUT [net] terraform: Terraform will perform the following "
		"actions:\n"
		"09:32:46.963 STDOUT [app] terraform: Terraform will perform the following "
		"actions:\n"
		"09:32:46.964 STDOUT [net] terraform:   # aws_vpc.a will be created\n"
		"09:32:46.964 STDOUT [app] terraform:   # aws_x.b will be destroyed\n"
		"09:32:46.965 STDOUT [net] terraform:   + resource \"aws_vpc\" \"a\" {\n"
		"09:32:46.965 STDOUT [app] terraform:   - resource \"aws_x\" \"b\" {\n"
		"09:32:46.966 STDOUT [app] terraform:       - id = \"1\" -> null\n"
		"09:32:46.966 STDOUT [net] terraform:     }\n"
		"09:32:46.966 STDOUT [app] terraform:     }\n"
		"09:32:46.966 STDOUT [app] terraform: Plan: 0 to add, 0 to change, 1 to destroy.\n"
		"09:32:46.966 STDOUT [net] terraform: Plan: 1 to add, 0 to change, 0 to destroy.\n";
	struct tn_plan *plan = test_parse_text(text);

	(void)state;
	assert_int_equal(plan->consistent, 1);
	assert_int_equal(plan->unit_count, 2);
	assert_str(plan->units[0].label, "net");
	assert_str(plan->units[1].label, "app");
	assert_str(plan->changes[0].address, "aws_vpc.a");
	assert_int_equal(plan->changes[1].unit, 1);
	tn_plan_free(plan);
}

/* What the runner says itself, however long the name in it, is no prefix and spoils no line beside
 * it. */
static void words_of_a_runner_are_no_prefix(void **state)
{
	static const char text[] =
		"09:32:46.963 INFO   [a] Downloading\n"
		"09:32:46.963 STDOUT [net] terraform: Terraform will perform the following "
		"actions:\n"
		"09:32:46.963 INFO   [a/unit/with/a/name/that/is/longer/than/what/follows/it] x\n"
		"09:32:46.964 STDOUT [net] terraform:   # aws_vpc.a will be created\n"
		"09:32:46.965 STDOUT [net] terraform:   + resource \"aws_vpc\" \"a\" {\n"
		"09:32:46.966 INFO   [b/unit/with/a/name/that/is/longer/than/what/follows/it] y\n"
		"09:32:46.966 STDOUT [net] terraform:       + id = \"first\"\n"
		"09:32:46.966 STDOUT [net] terraform:     }\n"
		"09:32:46.966 STDOUT [net] terraform: Plan: 1 to add, 0 to change, 0 to destroy.\n"
		"09:32:46.966 INFO   [c/unit/with/a/name/that/is/longer/than/what/follows/it] z";
	struct tn_plan *plan = test_parse_text(text);

	(void)state;
	assert_int_equal(plan->consistent, 1);
	assert_int_equal(plan->unit_count, 1);
	assert_str(plan->units[0].label, "net");
	assert_int_equal(plan->change_count, 1);
	assert_str(test_attribute(&plan->changes[0].attributes, "id")->after.text, "first");
	tn_plan_free(plan);
}

/* What varies from line to line: times, numbers, jobs (finding 15). `%` stands for a digit that
 * counts on. */
static void numbered_lines_read(void **state)
{
	static const char *const forms[] = {
		"plan\tRun terraform plan\t2024-05-01T12:00:0%.1234567Z ",
		"12:34:5% ",
		"12:34:5%  ", /* with its second blank: the rest is indentation */
		"[plan:1%] ",
		"     %\t",
		"    1%\t",
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(forms); i++) {
		struct tn_buf out;
		struct tn_plan *plan;

		tn_buf_init(&out, TN_MIB);
		for (size_t line = 0; line < TN_COUNT(plan_lines); line++) {
			for (const char *at = forms[i]; *at; at++)
				tn_buf_append_byte(&out,
						   *at == '%' ? (char)('0' + line % 10) : *at);
			tn_buf_append_text(&out, plan_lines[line]);
			tn_buf_append_byte(&out, '\n');
		}
		plan = test_parse(tn_buf_str(&out));
		check_plan(plan,
			   TN_PLAN_CLEAN_PREFIX_GENERIC | (i == 2 ? TN_PLAN_CLEAN_INDENT : 0));
		tn_plan_free(plan);
		tn_buf_finish(&out);
	}
}

/* A plan as one string of JSON, and with the blanks of chats and mails (finding 15). */
static void quoted_and_unbroken_texts_read(void **state)
{
	struct tn_buf plain = wrapped("", ""), out;

	(void)state;
	tn_buf_init(&out, TN_MIB);
	tn_json_put_str(&out, tn_buf_str(&plain));
	tn_buf_append_byte(&out, '\n');
	check_text(out, TN_PLAN_CLEAN_PREFIX_QUOTE);
	tn_buf_init(&out, TN_MIB);
	for (size_t i = 0; i < plain.size; i++)
		tn_buf_append_text(&out, plain.data[i] == ' ' ? "\xC2\xA0"
							      : (char[]){plain.data[i], '\0'});
	check_text(out, TN_PLAN_CLEAN_INDENT);
	tn_buf_finish(&plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prefixes_are_taken_off),
		cmocka_unit_test(line_ends_and_escapes_go),
		cmocka_unit_test(a_few_brackets_are_no_remnants),
		cmocka_unit_test(encodings_are_found),
		cmocka_unit_test(latin1_is_guessed_and_said),
		cmocka_unit_test(comments_are_unwrapped),
		cmocka_unit_test(a_list_shifted_to_column_0_reads),
		cmocka_unit_test(mixed_units_are_told_apart),
		cmocka_unit_test(words_of_a_runner_are_no_prefix),
		cmocka_unit_test(numbered_lines_read),
		cmocka_unit_test(quoted_and_unbroken_texts_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
