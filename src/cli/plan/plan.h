/* plan.h - what the subcommands of `tenon plan` share (plan.md section 13).
 *
 * A subcommand is one file: it reads its options, reads the plan, writes one result to standard
 * output and notes what happened; the exit code follows from the notes by the contract's
 * precedence. All else goes to standard error. Threads: the main thread. */
#ifndef TN_CLI_PLAN_H
#define TN_CLI_PLAN_H

#include "apps/plan/service/answer.h"
#include "apps/plan/service/config.h"
#include "apps/plan/read/model.h"
#include "cli/shared/options.h"

enum tn_plan_exit {
	TN_PLAN_EXIT_OK = 0,
	TN_PLAN_EXIT_ERRORED = 1, /* the plan itself reports an error */
	TN_PLAN_EXIT_CHANGES = 2, /* --detailed-exitcode: there are changes */
	TN_PLAN_EXIT_RISK = 3,    /* --fail-on reached */
	TN_PLAN_EXIT_USAGE = 64,
	TN_PLAN_EXIT_DATA = 65, /* not a plan; --strict: cross-check failed; gates: it ends early */
	TN_PLAN_EXIT_NO_INPUT = 66,
	TN_PLAN_EXIT_UNAVAILABLE = 69, /* --no-fallback and no explanation to be had */
	TN_PLAN_EXIT_INTERNAL = 70
};

enum { TN_PLAN_RUN_OPTIONS_MAX = 24, TN_PLAN_RUN_WORDS_MAX = 2 };

struct tn_plan_run {
	const char *verb; /* "explain" */
	struct tn_plan_config config;
	const char *words[TN_PLAN_RUN_WORDS_MAX];
	size_t word_count;
	/* Options of every subcommand that reads a plan. */
	bool quiet, soft, strict, detailed_exitcode;
	int fail_on;       /* index of a level: low, medium, high, critical; -1: off */
	int input_kind;    /* enum tn_plan_input_kind */
	uint64_t outcomes; /* one bit an exit code that applies */
	bool colour;
	bool json; /* what was asked for is JSON, so a mistake is, too */
};

/* ---- options ---- */

/* Reads the subcommand's own options and the common ones. False: everything is said and noted. */
bool tn_plan_run_options(struct tn_plan_run *run, const char *usage, const char *summary,
			 const struct tn_option *own, size_t own_count, size_t word_max, int argc,
			 char **argv);

/* The options of subcommands that word an explanation. */
struct tn_plan_wording_options {
	bool count_only, full, no_fallback;
	int audience; /* enum tn_plan_audience */
	int source;   /* index: builtin, openai, auto */
};
enum { TN_PLAN_WORDING_OPTION_COUNT = 5 };
void tn_plan_run_wording_options(struct tn_plan_wording_options *values,
				 struct tn_option out[TN_PLAN_WORDING_OPTION_COUNT]);
/* --count-only and --full exclude each other. False: said and noted. */
bool tn_plan_run_preference(struct tn_plan_run *run, const struct tn_plan_wording_options *values,
			    enum tn_plan_preference *ret);
/* Fills what the options say of a wish; the client is opened when the source needs it, and belongs
 * to the caller. */
bool tn_plan_run_wish(struct tn_plan_run *run, const struct tn_plan_wording_options *values,
		      const struct tn_plan *plan, struct tn_plan_wish *wish);

/* ---- input ---- */

/* Reads FILE, or standard input for "-" and NULL, to its end and makes a plan of it; notes what the
 * plan's state means for the exit code. False: said and noted. */
bool tn_plan_run_read(struct tn_plan_run *run, const char *file, struct tn_plan **ret);

/* True when standard input is a terminal and no FILE was given: the usage is shown and noted. */
bool tn_plan_run_has_nothing(struct tn_plan_run *run);

/* ---- output ---- */

/* "tenon plan explain: ..." on standard error. */
void tn_plan_run_say(const struct tn_plan_run *run, const char *format, ...) TN_PRINTF(2, 3);
/* The result, with a final newline, to standard output; finishes the buffer. A buffer that failed
 * is noted as an internal error. */
void tn_plan_run_write(struct tn_plan_run *run, struct tn_buf *out);

/* ---- the exit code (plan_exit.c) ---- */

void tn_plan_run_note(struct tn_plan_run *run, enum tn_plan_exit outcome);
/* By the contract's order: 64, 66, 65, 69, 70, 1, 3, 2, 0. */
int tn_plan_exit_code(uint64_t outcomes);

/* ---- the subcommands, one file each ---- */

void tn_plan_run_explain(struct tn_plan_run *run, int argc, char **argv);
void tn_plan_run_parse(struct tn_plan_run *run, int argc, char **argv);
void tn_plan_run_risk(struct tn_plan_run *run, int argc, char **argv);
void tn_plan_run_best_of(struct tn_plan_run *run, int argc, char **argv);
void tn_plan_run_score(struct tn_plan_run *run, int argc, char **argv);
void tn_plan_run_context(struct tn_plan_run *run, int argc, char **argv);
void tn_plan_run_compare(struct tn_plan_run *run, int argc, char **argv);
void tn_plan_run_history(struct tn_plan_run *run, int argc, char **argv);

#endif
