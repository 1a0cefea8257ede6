/* run.h - what is about to run, resolved once: where, what, with which scripts and programs
 * (terminal.md section 10.2). Rules, check_command, the question to a person, the digest of an
 * approval and the runner take this object, and nothing else.
 *
 * Ownership: the caller finishes; `inputs` may outlive it with whoever takes a reference. Texts of
 * the wish live as long as the call. Threads: loop. */
#ifndef TN_TERM_RUN_H
#define TN_TERM_RUN_H

#include "apps/terminal/policy/analysis.h"
#include "hold/inputs.h"
#include "apps/terminal/policy/names.h"
#include "apps/terminal/session/place.h"

struct tn_term_run_wish {
	struct tn_term_place_wish place;
	struct tn_str text;         /* for a shell; or */
	const char *const *program; /* argv; or neither: a shell that waits for lines */
	const char *const *env;     /* "NAME=value"; NULL: none */
	struct tn_str stdin_text;   /* data NULL: none */
	const char *shell;          /* who reads a line that is typed; NULL: the session's */
	bool is_typed, no_comments; /* analysis.h */
	bool outside;               /* without the sandbox that it would have */
};

struct tn_term_run {
	struct tn_term_run_wish wish;
	struct tn_term_place place;
	struct tn_inputs *inputs; /* has the folder */
	const char *cwd;          /* its real path; NULL: not known */
	const char *session;      /* for people: its handle, "isolated", "a new one" */
	const char *shell;        /* who reads the text */
	struct tn_names names;    /* of a session that does not exist yet */
	struct tn_arena arena;
	struct tn_analysis analysis;
	const char *unheld[8]; /* what cannot be held, for the question; made by hold_programs */
	size_t unheld_count;
	size_t looks; /* at names along PATH, by hold_programs */
};

/* False: *fault. What has been analysed before is not run by this. */
bool tn_term_run_resolve(struct tn_term *term, const struct tn_term_config *config,
			 const struct tn_term_run_wish *wish, struct tn_term_run *ret,
			 struct tn_term_fault *fault);
/* Reads the text, and every script in it, into `analysis`. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_term_run_analyse(struct tn_term_run *run, struct tenon_error *err);
/* Before a person is asked: the programs that would be started, and the files that they are known
 * to read, are held as well, as far as the text says which. What cannot be held is in `unheld`.
 * `path`: the PATH it will be looked up in; NULL: ours. */
void tn_term_run_hold_programs(struct tn_term_run *run, const char *path);
/* All that an approval is bound to, as a JSON array. */
void tn_term_run_bind(const struct tn_term_run *run, struct tn_buf *out);
/* What is started for it reads and starts what was judged (hold.h), and nothing else by those
 * names. False as well where there is nothing to hold. */
bool tn_term_run_holds(const struct tn_term_run *run);
void tn_term_run_finish(struct tn_term_run *run); /* accepts one that is all zero */

#endif
