/* Options among the words of a command are found as getopt finds them: what is taken for an operand
 * here and for an option by the program would be a hole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "apps/terminal/policy/analysis_options.h"

enum { WORDS_MAX = 12 };

struct fixture {
	struct tn_word words[WORDS_MAX];
	struct tn_run run;
	struct tn_shell_options options;
};

static const struct tn_shell_option_grammar grammar = {"cn", "file lines"};

/* `text`: words with one blank between two; the first is the program. */
static void begin(struct fixture *f, const char *text)
{
	f->run = (struct tn_run){.words = f->words};
	while (*text) {
		size_t size = strcspn(text, " ");

		assert_true(f->run.count < WORDS_MAX);
		f->words[f->run.count++] = (struct tn_word){.text = tn_str(text, size)};
		text += size;
		text += *text == ' ';
	}
	f->options = (struct tn_shell_options){.run = &f->run, .grammar = &grammar, .at = 1};
}

/* Each option as "-x" or "--name", its value behind a =; and behind a | the first operand. */
static void reads(const char *text, const char *expected)
{
	struct tn_shell_option option;
	struct fixture f;
	struct tn_buf out;

	begin(&f, text);
	tn_buf_init(&out, 1024);
	for (option = tn_shell_options_next(&f.options); !option.is_end;
	     option = tn_shell_options_next(&f.options)) {
		tn_buf_append_text(&out, out.size ? " " : "");
		if (option.letter)
			tn_buf_format(&out, "-%c", option.letter);
		else
			tn_buf_format(&out, "--%.*s", (int)option.name.size, option.name.data);
		if (option.has_value)
			tn_buf_format(&out, "=%.*s", (int)option.value.text.size,
				      option.value.text.size ? option.value.text.data : "");
	}
	tn_buf_append_byte(&out, '|');
	if (f.options.at < f.run.count)
		tn_buf_append_str(&out, f.words[f.options.at].text);
	if (!tn_str_is(tn_buf_str(&out), expected))
		fail_msg("%s: %.*s, expected %s", text, (int)out.size, out.data, expected);
	tn_buf_finish(&out);
}

static void letters_stand_alone_or_in_clusters(void **state)
{
	(void)state;
	reads("x", "|");
	reads("x operand -a", "|operand"); /* POSIX: the first operand ends them */
	reads("x -a -b operand", "-a -b|operand");
	reads("x -abd operand", "-a -b -d|operand");
	reads("x -a", "-a|");
}

static void a_letter_takes_the_rest_of_its_word_or_the_next_one(void **state)
{
	(void)state;
	reads("x -cvalue operand", "-c=value|operand");
	reads("x -c value operand", "-c=value|operand");
	reads("x -abcvalue operand", "-a -b -c=value|operand");
	reads("x -abc value operand", "-a -b -c=value|operand");
	reads("x -c -a operand", "-c=-a|operand"); /* whatever it looks like */
	reads("x -c -- operand", "-c=--|operand");
	reads("x -cn operand", "-c=n|operand"); /* not -c -n */
}

static void a_value_that_is_missing_is_none(void **state)
{
	(void)state;
	reads("x -c", "-c|");
	reads("x -ac", "-a -c|");
	reads("x --file", "--file|");
}

static void long_names_have_values_behind_a_sign_or_a_blank(void **state)
{
	(void)state;
	reads("x --file name operand", "--file=name|operand");
	reads("x --file=name operand", "--file=name|operand");
	reads("x --file= operand", "--file=|operand");
	reads("x --file=a=b operand", "--file=a=b|operand");
	reads("x --other name", "--other|name");
	reads("x --other=name operand", "--other=name|operand"); /* it may take one all the same */
}

/* GNU getopt takes --fi for --file; a name of one letter could be anything. */
static void long_names_may_be_cut_short(void **state)
{
	const struct tn_shell_option cut = {.name = TN_STR("fi")}, letter = {.name = TN_STR("f")},
				     longer = {.name = TN_STR("files")};

	(void)state;
	reads("x --fi name operand", "--fi=name|operand");
	reads("x --f name", "--f|name");
	reads("x --files name", "--files|name");
	assert_true(tn_shell_option_is(&cut, "file"));
	assert_false(tn_shell_option_is(&letter, "file"));
	assert_false(tn_shell_option_is(&longer, "file"));
	assert_false(tn_shell_option_is(&(struct tn_shell_option){.letter = 'f'}, "file"));
}

static void two_hyphens_end_options_and_one_is_an_operand(void **state)
{
	(void)state;
	reads("x -a -- -b", "-a|-b");
	reads("x --", "|");
	reads("x -", "|-"); /* standard input */
	reads("x -a - -b", "-a|-");
}

/* A value that is part of a word is known as far as the word is. */
static void a_value_is_as_known_as_its_word(void **state)
{
	struct tn_shell_option option;
	struct fixture f;

	(void)state;
	begin(&f, "x -cvalue --file=name");
	f.words[1].flags = TN_WORD_UNKNOWN;
	f.words[2].flags = TN_WORD_GLOB;
	option = tn_shell_options_next(&f.options);
	assert_int_equal(option.value.flags, TN_WORD_UNKNOWN);
	option = tn_shell_options_next(&f.options);
	assert_int_equal(option.value.flags, TN_WORD_GLOB);
}

static void lists_are_of_whole_names(void **state)
{
	(void)state;
	assert_true(tn_shell_option_is_listed("file lines", TN_STR("file")));
	assert_true(tn_shell_option_is_listed("file lines", TN_STR("lines")));
	assert_true(tn_shell_option_is_listed("file lines", TN_STR("li")));
	assert_false(tn_shell_option_is_listed("file lines", TN_STR("file lines")));
	assert_false(tn_shell_option_is_listed("file lines", TN_STR("ile")));
	assert_false(tn_shell_option_is_listed("file lines", TN_STR("")));
	assert_false(tn_shell_option_is_listed("", TN_STR("file")));
	assert_false(tn_shell_option_is_listed(NULL, TN_STR("file")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_stand_alone_or_in_clusters),
		cmocka_unit_test(a_letter_takes_the_rest_of_its_word_or_the_next_one),
		cmocka_unit_test(a_value_that_is_missing_is_none),
		cmocka_unit_test(long_names_have_values_behind_a_sign_or_a_blank),
		cmocka_unit_test(long_names_may_be_cut_short),
		cmocka_unit_test(two_hyphens_end_options_and_one_is_an_operand),
		cmocka_unit_test(a_value_is_as_known_as_its_word),
		cmocka_unit_test(lists_are_of_whole_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
