/* analysis.h - which programs a shell text would run, as far as that can be known without running
 * it (terminal.md section 10.1).
 *
 * A real tokeniser and parser of POSIX shell with what bash, zsh and fish texts commonly add; what
 * it cannot follow is hidden or opaque. A guard rail, no boundary. Everything lives in the arena;
 * slices may point into the text. Scripts that are given to a shell are read from disk (at most
 * TN_ANALYSIS_SCRIPT_BYTES_MAX). Threads: any. */
#ifndef TN_TERM_ANALYSIS_H
#define TN_TERM_ANALYSIS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

struct tn_inputs;
struct tn_names;

/* A name and what it stands for: a variable, an alias, a function, a program by another name. */
struct tn_shell_name {
	struct tn_shell_name *next;
	struct tn_str name, value; /* value.data NULL: not known */
	bool busy;                 /* being looked at */
	bool is_known_before;      /* the surroundings say so, not this text */
	bool from_start;           /* of a start file of the user's */
	bool is_exact;             /* $1, "$@": the words are known, and stay the words they are */
	bool is_secret;            /* a variable that was given the value of $API_TOKEN */
};

struct tn_simple_command {
	struct tn_str name;   /* base name, quoting resolved; empty: only redirections */
	struct tn_str path;   /* as written, resolved */
	struct tn_str *words; /* arguments after the name, resolved */
	bool *word_is_known;  /* false: made by an expansion; the word holds what is known of it */
	bool *word_is_glob;   /* it has unquoted * ? [ ] */
	bool *word_is_secret; /* $API_TOKEN is in it, or a variable with its value */
	size_t word_count;
	struct tn_str *writes; /* targets of > and >> and their kin, and files it is known to
				  write */
	size_t write_count;
	struct tn_str *reads; /* targets of < */
	size_t read_count;
	struct tn_str source;  /* as it stands in the text, for messages */
	struct tn_str cwd;     /* where it runs; empty: not known */
	size_t fed_from;       /* the commands from here up to this one may have made its input or
				  words */
	bool name_is_glob;     /* su*o: whatever it fits */
	bool privileged;       /* under sudo, doas, su, pkexec */
	bool reads_pipe;       /* it stands behind a | */
	bool in_background;    /* before a & */
	bool runs_unknown;     /* it runs a text that is not known */
	bool reads_terminal;   /* a shell that reads what is typed, or fed to what is around it */
	bool forks_itself;     /* in a function that starts itself again and again */
	bool deletes;          /* code in its words or its input calls what deletes */
	bool input_is_secret;  /* $API_TOKEN is in its here-document */
	struct tn_str input;   /* its standard input, as far as it stands in the text */
	struct tn_str wrapper; /* outermost wrapper it was found under; empty: none */
};

struct tn_analysis {
	struct tn_simple_command *commands;
	size_t count;
	/* What runs is masked: decoded, piped or expanded into a shell or a program's name, or more
	 * than can be looked at. */
	bool hidden;
	struct tn_str hidden_because; /* a sentence; empty: it is not */
	bool opaque;                  /* code in another language, a script that cannot be read */
	struct tn_str opaque_because; /* a sentence; empty: it is not */
	bool incomplete;              /* a shell would ask for more of it before it runs */
	/* What the text gave a meaning to, the latest first; behind it what was known before. */
	const struct tn_shell_name *aliases, *functions, *variables, *programs;
};

struct tn_analysis_surroundings {
	const char *cwd;   /* for scripts given to sh, bash, source, . ; NULL: they are opaque */
	const char *shell; /* who reads the text: "bash", "fish", ...; NULL: bash or its kin */
	const struct tn_names
		*names;           /* what the session's shell has learnt (names.h); NULL: nothing */
	bool no_comments;         /* zsh has none in lines that are typed */
	const char *const *env;   /* "NAME=value", set for it; NULL: none */
	struct tn_str stdin_text; /* what a shell would read; data NULL: the terminal */
	struct tn_inputs *inputs; /* holds the scripts that are read; NULL: nobody does */
};

/* Fails: NO_MEMORY (the arena's limit), never for what the text says. */
TN_MUST_USE enum tenon_code tn_analyse(struct tn_arena *arena, struct tn_str text,
				       const struct tn_analysis_surroundings *around,
				       struct tn_analysis *ret, struct tenon_error *err);
/* The same for a program that is started without a shell. */
TN_MUST_USE enum tenon_code tn_analyse_argv(struct tn_arena *arena, const char *const *argv,
					    const struct tn_analysis_surroundings *around,
					    struct tn_analysis *ret, struct tenon_error *err);

/* The name of a shell: what it reads is shell text. */
bool tn_analysis_is_shell(struct tn_str name);

#endif
