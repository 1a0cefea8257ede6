/* analysis_options.h - options among the words of a command, as getopt reads them: clusters, values
 * that stand in the word or are the next one, long names cut short.
 *
 * Ownership: what is returned points into the run. Threads: any. */
#ifndef TN_TERM_ANALYSIS_OPTIONS_H
#define TN_TERM_ANALYSIS_OPTIONS_H

#include "apps/terminal/policy/internal.h"

/* `values`: letters that take a value; `long_values`: names that
 * do, separated by blanks. */
struct tn_shell_option_grammar {
	const char *values, *long_values;
};
struct tn_shell_option {
	char letter;            /* 0: a long one */
	struct tn_str name;     /* of a long one */
	struct tn_word value;   /* of either, when it has one */
	bool has_value, is_end; /* end: the first operand, or past the last word */
};
struct tn_shell_options {
	const struct tn_run *run;
	const struct tn_shell_option_grammar *grammar;
	size_t at;     /* the next word; at the end: the first operand */
	size_t letter; /* inside a cluster; 0: none */
};
struct tn_shell_option tn_shell_options_next(struct tn_shell_options *o);

/* It is that long option, or one that programs take for it: an unambiguous beginning. */
bool tn_shell_option_is(const struct tn_shell_option *option, const char *name);
/* The same for one of a list, a blank between two; NULL: none. */
bool tn_shell_option_is_listed(const char *list, struct tn_str name);

#endif
