/* verbs.h - the verbs of `tenon`, in the order in which help lists them. Threads: any. */
#ifndef TN_CLI_VERBS_H
#define TN_CLI_VERBS_H

#include <stdio.h>

#include "base/str.h"

struct tn_verb {
	const char *name;
	const char *words;   /* what follows it in the list: "APP.TOOL [NAME=VALUE]..." */
	const char *summary; /* a few words */
	/* argv[0] is the verb; `--help` prints what it takes, on standard output. NULL: the light
	 * front does it itself. */
	int (*run)(int argc, char **argv);
};

extern const struct tn_verb tn_verbs[]; /* ends with a NULL name */

const struct tn_verb *tn_verb_find(struct tn_str name); /* NULL: there is none */
const char *tn_verb_near(struct tn_str name);           /* the one probably meant, or NULL */

void tn_verbs_print(FILE *out); /* `tenon --help` */

#endif
