/* names.h - what a session's shell has been told to mean by a name, as far as it was read: aliases,
 * functions, variables, programs by another name (terminal.md section 10.1).
 *
 * They come from the texts that the session was given, its start files among them. A name keeps
 * every meaning that it was given, because which one holds now may hang on what only the shell
 * knows: all of them are judged. Ownership: the caller's. Threads: loop. */
#ifndef TN_TERM_NAMES_H
#define TN_TERM_NAMES_H

#include "apps/terminal/policy/analysis.h"

enum tn_name_kind { TN_NAME_ALIAS, TN_NAME_FUNCTION, TN_NAME_VARIABLE, TN_NAME_PROGRAM };

struct tn_name {
	struct tn_name *next; /* the latest first */
	enum tn_name_kind kind;
	char *name;
	struct tn_str value; /* data NULL: not known */
	bool from_start;     /* a start file of the user's says so */
};

struct tn_names {
	struct tn_name *first;
	size_t count, bytes;
	bool is_full;    /* a name was given a meaning that there was no room for */
	bool has_begun;  /* the start files have been read */
	bool from_start; /* what is added now comes from there */
};

void tn_names_finish(struct tn_names *names); /* all zero is an empty one */

/* Everything that a text gave a meaning to. */
void tn_names_take(struct tn_names *names, const struct tn_analysis *analysis);
/* The same of a text that was not looked at otherwise: of a session that came back, or typed by a
 * person. */
void tn_names_take_text(struct tn_names *names, struct tn_str text, const char *shell,
			const char *cwd);
/* What the user's own start files of that shell define; once. */
void tn_names_begin(struct tn_names *names, const char *shell, bool login);

#endif
