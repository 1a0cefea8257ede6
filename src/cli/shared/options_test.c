#include "cli/shared/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct values {
	bool full;
	const char *reply;
	int64_t count;
	double temperature;
	int format;
	const char *words[2];
	size_t word_count;
	struct tenon_error err;
};

static enum tn_options_result parse(struct values *values, const char *const *words)
{
	const struct tn_option table[] = {
		{.name = "full", .kind = TN_OPTION_FLAG, .value = &values->full, .help = "all"},
		{.name = "reply",
		 .kind = TN_OPTION_TEXT,
		 .value = &values->reply,
		 .word = "TEXT",
		 .help = "an answer"},
		{.name = "count",
		 .letter = 'n',
		 .kind = TN_OPTION_NUMBER,
		 .value = &values->count,
		 .least = 1,
		 .most = 10,
		 .word = "N",
		 .help = "how many"},
		{.name = "temperature",
		 .kind = TN_OPTION_REAL,
		 .value = &values->temperature,
		 .most = 2,
		 .word = "T",
		 .help = "how wild"},
		{.name = "format",
		 .kind = TN_OPTION_CHOICE,
		 .value = &values->format,
		 .choices = "text|markdown|json",
		 .help = "how it looks"},
	};
	const struct tn_options options = {.usage = "test [FILE]",
					   .summary = "Tests.",
					   .options = table,
					   .option_count = sizeof(table) / sizeof(table[0]),
					   .words = values->words,
					   .word_max = 2};
	char *argv[16] = {(char *)(uintptr_t) "test"};
	int argc = 1;

	for (; *words; words++)
		argv[argc++] = (char *)(uintptr_t)*words;
	return tn_options_parse(&options, argc, argv, &values->word_count, &values->err);
}

#define PARSE(values, ...) parse(values, (const char *const[]){__VA_ARGS__, NULL})

static void every_kind_is_read(void **state)
{
	struct values values = {0};

	(void)state;
	assert_int_equal(PARSE(&values, "--full", "file", "--reply", "--odd", "-n3",
			       "--temperature=0.25", "--format=json", "-"),
			 TN_OPTIONS_OK);
	assert_true(values.full);
	assert_string_equal(values.reply, "--odd");
	assert_int_equal(values.count, 3);
	assert_true(values.temperature == 0.25);
	assert_int_equal(values.format, 2);
	assert_int_equal(values.word_count, 2);
	assert_string_equal(values.words[0], "file");
	assert_string_equal(values.words[1], "-");
	assert_int_equal(PARSE(&values, "-n", "10", "--", "--full"), TN_OPTIONS_OK);
	assert_int_equal(values.count, 10);
	assert_string_equal(values.words[0], "--full");
}

static void what_is_wrong_is_named(void **state)
{
	const struct {
		const char *words[3];
		const char *message;
	} wrong[] = {
		{{"--ful", NULL}, "--ful"},
		{{"-x", NULL}, "-x"},
		{{"--full=1", NULL}, "--full takes no value"},
		{{"--reply", NULL}, "--reply wants a value"},
		{{"--count=0", NULL}, "from 1 to 10"},
		{{"--count=3x", NULL}, "from 1 to 10"},
		{{"--count=", NULL}, "from 1 to 10"},
		{{"--count=99999999999999999999", NULL}, "from 1 to 10"},
		{{"--temperature=2.1", NULL}, "from 0 to 2"},
		{{"--temperature=.", NULL}, "from 0 to 2"},
		{{"--temperature=-1", NULL}, "from 0 to 2"},
		{{"--temperature=1.2.3", NULL}, "from 0 to 2"},
		{{"--format=xml", NULL}, "text|markdown|json"},
		{{"--format=tex", NULL}, "text|markdown|json"},
		{{"a", "b", "c"}, "\"c\""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct values values = {0};
		const char *words[4] = {wrong[i].words[0], wrong[i].words[1], wrong[i].words[2]};

		assert_int_equal(parse(&values, words), TN_OPTIONS_WRONG);
		assert_non_null(strstr(values.err.message, wrong[i].message));
	}
}

static void help_is_asked_for_anywhere_before_the_end_of_options(void **state)
{
	struct values values = {0};

	(void)state;
	assert_int_equal(PARSE(&values, "file", "--help"), TN_OPTIONS_HELP);
	assert_int_equal(PARSE(&values, "-h"), TN_OPTIONS_HELP);
	assert_int_equal(PARSE(&values, "--", "--help"), TN_OPTIONS_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_is_read),
		cmocka_unit_test(what_is_wrong_is_named),
		cmocka_unit_test(help_is_asked_for_anywhere_before_the_end_of_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
