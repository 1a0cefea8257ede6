#include "cli/shared/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

enum { HELP_COLUMN = 30 };

/* ---- values ---- */

/* The index of `word` in "a|b|c", or -1. */
static int choice_index(const char *choices, const char *word)
{
	size_t size = strlen(word);
	int index = 0;

	for (const char *at = choices;; index++) {
		size_t length = strcspn(at, "|");

		if (length == size && memcmp(at, word, size) == 0)
			return index;
		if (at[length] == '\0')
			return -1;
		at += length + 1;
	}
}

static bool set_number(const struct tn_option *option, const char *text, struct tenon_error *err)
{
	char *end = NULL;
	long long value;

	errno = 0;
	value = strtoll(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || value < option->least ||
	    value > option->most) {
		(void)tn_fail(err, TENON_INVALID, "--%s wants a whole number from %lld to %lld",
			      option->name, (long long)option->least, (long long)option->most);
		return false;
	}
	*(int64_t *)option->value = value;
	return true;
}

/* Digits with at most one point: "0.7". Read by hand, as strtod depends on the locale. */
static bool read_real(const char *text, double *ret)
{
	double value = 0, scale = 1;
	bool point = false, digit = false;

	for (; *text; text++) {
		if (*text == '.' && !point) {
			point = true;
		} else if (tn_is_digit(*text)) {
			digit = true;
			value = value * 10 + (*text - '0');
			scale *= point ? 10 : 1;
		} else {
			return false;
		}
	}
	*ret = value / scale;
	return digit;
}

static bool set_value(const struct tn_option *option, const char *text, struct tenon_error *err)
{
	double real = 0;
	int index;

	switch (option->kind) {
	case TN_OPTION_TEXT:
		*(const char **)option->value = text;
		return true;
	case TN_OPTION_NUMBER:
		return set_number(option, text, err);
	case TN_OPTION_REAL:
		if (read_real(text, &real) && real >= (double)option->least &&
		    real <= (double)option->most) {
			*(double *)option->value = real;
			return true;
		}
		(void)tn_fail(err, TENON_INVALID, "--%s wants a number from %lld to %lld",
			      option->name, (long long)option->least, (long long)option->most);
		return false;
	case TN_OPTION_CHOICE:
		index = choice_index(option->choices, text);
		if (index >= 0)
			*(int *)option->value = index;
		else
			(void)tn_fail(err, TENON_INVALID, "--%s wants one of %s", option->name,
				      option->choices);
		return index >= 0;
	default: /* a flag: told apart by the caller */
		*(bool *)option->value = true;
		return true;
	}
}

/* ---- words ---- */

struct reading {
	const struct tn_options *options;
	int argc, at;
	char **argv;
	struct tenon_error *err;
};

static const struct tn_option *find_long(const struct tn_options *options, struct tn_str name)
{
	for (size_t i = 0; i < options->option_count; i++) {
		if (tn_str_is(name, options->options[i].name))
			return &options->options[i];
	}
	return NULL;
}

static const struct tn_option *find_letter(const struct tn_options *options, char letter)
{
	for (size_t i = 0; i < options->option_count; i++) {
		if (options->options[i].letter && options->options[i].letter == letter)
			return &options->options[i];
	}
	return NULL;
}

/* `attached` is what stood in the same word, or NULL. */
static bool apply(struct reading *reading, const struct tn_option *option, const char *attached)
{
	if (option->kind == TN_OPTION_FLAG) {
		if (attached) {
			(void)tn_fail(reading->err, TENON_INVALID, "--%s takes no value",
				      option->name);
			return false;
		}
		return set_value(option, "", reading->err);
	}
	if (!attached && reading->at + 1 < reading->argc)
		attached = reading->argv[++reading->at];
	if (!attached) {
		(void)tn_fail(reading->err, TENON_INVALID, "--%s wants a value", option->name);
		return false;
	}
	return set_value(option, attached, reading->err);
}

static bool read_long(struct reading *reading, const char *word)
{
	struct tn_str name = tn_str_from(word + 2);
	size_t equals = tn_str_find_byte(name, '=');
	const struct tn_option *option;

	if (equals != TN_STR_NONE)
		name.size = equals;
	option = find_long(reading->options, name);
	if (!option) {
		(void)tn_fail(reading->err, TENON_INVALID, "there is no option --%.*s",
			      name.size > 60 ? 60 : (int)name.size, name.data);
		return false;
	}
	return apply(reading, option, equals == TN_STR_NONE ? NULL : name.data + equals + 1);
}

static bool read_short(struct reading *reading, const char *word)
{
	const struct tn_option *option = find_letter(reading->options, word[1]);

	if (!option) {
		(void)tn_fail(reading->err, TENON_INVALID, "there is no option -%c", word[1]);
		return false;
	}
	return apply(reading, option, word[2] ? word + 2 : NULL);
}

static bool is_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

enum tn_options_result tn_options_parse(const struct tn_options *options, int argc, char **argv,
					size_t *ret_word_count, struct tenon_error *err)
{
	struct reading reading = {.options = options, .argc = argc, .argv = argv, .err = err};
	bool ended = false;

	*ret_word_count = 0;
	for (reading.at = 1; reading.at < argc; reading.at++) {
		const char *word = argv[reading.at];

		if (!ended && is_help(word))
			return TN_OPTIONS_HELP;
		if (!ended && strcmp(word, "--") == 0) {
			ended = true;
		} else if (ended || word[0] != '-' || word[1] == '\0') {
			if (*ret_word_count == options->word_max) {
				(void)tn_fail(err, TENON_INVALID, "\"%.60s\" is one word too many",
					      word);
				return TN_OPTIONS_WRONG;
			}
			options->words[(*ret_word_count)++] = word;
		} else if (!(word[1] == '-' ? read_long(&reading, word)
					    : read_short(&reading, word))) {
			return TN_OPTIONS_WRONG;
		}
	}
	return TN_OPTIONS_OK;
}

/* ---- help ---- */

void tn_options_print_help(const struct tn_options *options, FILE *out)
{
	(void)fprintf(out, "usage: %s\n\n%s\n", options->usage, options->summary);
	if (options->option_count)
		(void)fprintf(out, "\noptions:\n");
	for (size_t i = 0; i < options->option_count; i++) {
		const struct tn_option *option = &options->options[i];
		const char *value =
			option->kind == TN_OPTION_CHOICE ? option->choices : option->word;
		char left[160];

		(void)snprintf(left, sizeof(left), "%c%c%s--%s%s%s", option->letter ? '-' : ' ',
			       option->letter ? option->letter : ' ', option->letter ? ", " : "  ",
			       option->name, option->kind == TN_OPTION_FLAG ? "" : " ",
			       option->kind == TN_OPTION_FLAG ? "" : value);
		if (strlen(left) < HELP_COLUMN - 2)
			(void)fprintf(out, "  %-*s%s\n", HELP_COLUMN - 2, left, option->help);
		else
			(void)fprintf(out, "  %s\n%*s%s\n", left, HELP_COLUMN, "", option->help);
	}
}
