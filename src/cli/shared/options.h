/* options.h - reading a verb's options from one table, and printing its help from the same.
 *
 * Long options as `--name value` or `--name=value`, one-letter ones as `-n 3` or `-n3`; `--` ends
 * them; a lone `-` is a positional word. Ownership: texts point into argv. Threads: any. */
#ifndef TN_CLI_OPTIONS_H
#define TN_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

enum tn_option_kind {
	TN_OPTION_FLAG,   /* bool *: becomes true */
	TN_OPTION_TEXT,   /* const char ** */
	TN_OPTION_NUMBER, /* int64_t *: from `least` to `most` */
	TN_OPTION_REAL,   /* double *: from `least` to `most` */
	TN_OPTION_CHOICE  /* int *: the index of the word in `choices` */
};

struct tn_option {
	const char *name; /* "max-bytes" */
	char letter;      /* 'n', or 0 */
	enum tn_option_kind kind;
	void *value;         /* as `kind` says; untouched when the option is not given */
	const char *choices; /* CHOICE: "text|markdown|json" */
	int64_t least, most; /* NUMBER, REAL */
	const char *word;    /* what the value is called in the help: "N"; not for FLAG, CHOICE */
	const char *help;    /* one line */
};

struct tn_options {
	const char *usage;   /* "tenon plan parse [FILE|-] [options]" */
	const char *summary; /* a sentence or two */
	const struct tn_option *options;
	size_t option_count;
	const char **words; /* positional words go here */
	size_t word_max;
};

enum tn_options_result { TN_OPTIONS_OK, TN_OPTIONS_HELP, TN_OPTIONS_WRONG };

/* Reads argv[1..argc). WRONG: err says what and what to write instead. HELP: --help or -h stood
 * somewhere before `--`. */
enum tn_options_result tn_options_parse(const struct tn_options *options, int argc, char **argv,
					size_t *ret_word_count, struct tenon_error *err);

void tn_options_print_help(const struct tn_options *options, FILE *out);

#endif
