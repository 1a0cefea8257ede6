/* analysis_parts.h - what the files of the analysis share.
 *
 * The road: analysis_list.c reads a text into runs (a command with its words), with analysis_word.c
 * for words and analysis_dollar.c for expansions; analysis_run.c notes each run and looks through
 * it: analysis_wrappers.c for what runs its arguments (sudo, xargs), analysis_shells.c for what
 * runs a text (sh -c, eval), analysis_tools.c for the rest (find, git, awk). Each of these reads
 * further texts. analysis_files.c knows what programs write.
 *
 * Ownership: the analyser's arena. Memory that runs out is remembered (`starved`) and told once, at
 * the end. Threads: any. */
#ifndef TN_TERM_ANALYSIS_PARTS_H
#define TN_TERM_ANALYSIS_PARTS_H

#include "apps/terminal/analysis.h"
#include "base/buf.h"

/* ---- words ---- */

enum {
	TN_WORD_UNKNOWN = 1,  /* made by an expansion */
	TN_WORD_GLOB = 2,     /* unquoted * ? [ ] */
	TN_WORD_QUOTED = 4,   /* some of it was quoted: no keyword, no alias */
	TN_WORD_CHANGED = 8,  /* its text is not the source's */
	TN_WORD_SPLIT = 16,   /* NULs in it separate words */
	TN_WORD_EXPANDED = 32 /* an expansion, even one whose value is known */
};
struct tn_word {
	struct tn_str text;
	unsigned flags;
};

struct tn_words { /* a stack: who adds takes away */
	struct tn_word *items;
	size_t count, capacity;
};

/* ---- what is known besides the text ---- */

struct tn_shell_name { /* a variable, an alias or a function and what it stands for */
	struct tn_shell_name *next;
	struct tn_str name, value;
	bool busy; /* being looked at */
};

enum tn_dialect { TN_DIALECT_BASH, TN_DIALECT_SH, TN_DIALECT_FISH };

struct tn_analyser {
	struct tn_arena *arena;
	const struct tn_analysis_surroundings *around;
	struct tn_simple_command *commands;
	size_t count, capacity;
	struct tn_words words;
	struct tn_buf letters; /* of words being read; a stack, too */
	struct tn_shell_name *variables, *aliases;
	size_t name_count;
	size_t work;    /* bytes read so far, nested texts again */
	unsigned depth; /* texts inside texts, commands inside commands */
	bool starved, spent, opaque, too_much, incomplete, stdin_used;
	struct tn_str because;
	struct tn_str cwd; /* follows `cd`; empty: not known */
};

/* What a command inherits from what stands around it. */
struct tn_scope {
	struct tn_str wrapper;
	enum tn_dialect dialect;
	bool privileged, reads_pipe;
	size_t fed_from;
	size_t more_words; /* unknown words are added to it: xargs */
};

/* A command as it was read. */
struct tn_run {
	const struct tn_word *words; /* words[0]: the command word */
	size_t count;
	struct tn_str *writes, *reads;
	size_t write_count, read_count;
	struct tn_str input; /* its standard input, when that is known; data NULL: not */
	bool input_redirected, input_unknown; /* unknown: that text is a part of it */
	bool feeds; /* it only redirects, and is the input of what has just been closed */
	struct tn_str source;
	struct tn_scope scope;
	size_t index; /* of the command that it was noted as */
};

/* ---- analysis.c ---- */

void tn_analysis_opaque(struct tn_analyser *a, const char *because); /* static; the first stays */
void tn_analysis_opaque_at(struct tn_analyser *a, const char *because, struct tn_str what);
void *tn_analysis_alloc(struct tn_analyser *a, size_t count, size_t size); /* NULL: starved */
/* Goes one deeper; false: too deep or too much, opaque. */
bool tn_analysis_enter(struct tn_analyser *a, size_t work);
void tn_analysis_leave(struct tn_analyser *a);
void tn_analysis_spend(struct tn_analyser *a, size_t work);

/* Nothing more is read: no memory, or more to do than anybody types. */
static inline bool tn_analysis_stopped(const struct tn_analyser *a)
{
	return a->starved || a->spent;
}

void tn_analysis_learn(struct tn_analyser *a, struct tn_shell_name **list, struct tn_str name,
		       struct tn_str value);
struct tn_shell_name *tn_analysis_lookup(struct tn_shell_name *list, struct tn_str name);
void tn_analysis_push_word(struct tn_analyser *a, struct tn_str text, unsigned flags);

/* ---- analysis_list.c ---- */

struct tn_held;
struct tn_here; /* a here-document whose text comes at the next line */

struct tn_reader { /* a text being read */
	struct tn_analyser *a;
	struct tn_str text;
	size_t at;
	struct tn_scope scope;
	bool is_outermost;
	struct tn_here *heres;
	struct tn_held *held; /* runs that wait for those */
};

void tn_analysis_text(struct tn_analyser *a, struct tn_str text, const struct tn_scope *scope);
/* From `at` to the closing parenthesis, which is passed over. False: there is none. */
bool tn_analysis_substitution(struct tn_reader *r);
void tn_reader_fault(struct tn_reader *r, const char *what);

static inline int tn_reader_peek(const struct tn_reader *r, size_t ahead)
{
	return r->at + ahead < r->text.size ? (unsigned char)r->text.data[r->at + ahead] : -1;
}

/* ---- analysis_word.c ---- */

/* A word at the reader's place, which is not a blank; pushed to the stack (several, when braces or
 * blanks of known values split it). */
void tn_word_read(struct tn_reader *r);
/* The same for one text: a here-document or an assignment's value; not split. */
struct tn_word tn_word_read_value(struct tn_reader *r);
bool tn_word_ends(const struct tn_reader *r, int c); /* c is a blank, an operator or the end */
/* Everything but the quoting of double quotes, up to the end of the text. */
struct tn_word tn_word_read_body(struct tn_reader *r);

/* ---- analysis_dollar.c: what begins with $ or `; adds to the letters. ---- */

void tn_dollar_read(struct tn_reader *r, bool quoted, unsigned *flags);
void tn_backquote_read(struct tn_reader *r, bool quoted, unsigned *flags);
void tn_double_quote_read(struct tn_reader *r, unsigned *flags); /* behind the opening one */
/* ((...)) at the place of the first one: passes over it. False: it is no arithmetic. */
bool tn_arithmetic_read(struct tn_reader *r);

/* ---- analysis_run.c ---- */

void tn_run_look(struct tn_analyser *a, const struct tn_run *run);
/* What a wrapper runs: the words from `first` on. */
void tn_run_inner(struct tn_analyser *a, const struct tn_run *run, size_t first);
/* The same in a scope of its own. */
void tn_run_inner_in(struct tn_analyser *a, const struct tn_run *run, size_t first, size_t end,
		     const struct tn_scope *scope);
/* A word that is a text for a shell; opaque when it is not known. */
void tn_run_text(struct tn_analyser *a, const struct tn_run *run, const struct tn_word *word);
void tn_run_text_str(struct tn_analyser *a, const struct tn_run *run, struct tn_str text);
/* The words from..end joined by blanks. */
struct tn_word tn_run_join(struct tn_analyser *a, const struct tn_run *run, size_t from,
			   size_t end);
/* A variable is set, before a command (PAGER=less man sh) or by one (export). */
void tn_run_variable(struct tn_analyser *a, const struct tn_scope *scope, struct tn_str name,
		     struct tn_word value);
/* Its standard input is a script: of a shell, of `exec < file`. */
void tn_run_input(struct tn_analyser *a, const struct tn_run *run);
struct tn_scope tn_run_scope(const struct tn_run *run);
struct tn_str tn_base_name(struct tn_str path);
/* It runs something that is not known. */
void tn_run_unknown(struct tn_analyser *a, const struct tn_run *run, const char *because);
/* `text` and behind it the words from `from` on, as a text for a shell. */
void tn_run_text_with(struct tn_analyser *a, const struct tn_run *run, struct tn_str text,
		      size_t from);
bool tn_run_word_is(const struct tn_run *run, size_t index, const char *text);

/* ---- what is looked through; each says whether it knows the program ---- */

bool tn_wrapper_look(struct tn_analyser *a, const struct tn_run *run, struct tn_str name);
bool tn_shell_look(struct tn_analyser *a, const struct tn_run *run, struct tn_str name);
bool tn_tool_look(struct tn_analyser *a, const struct tn_run *run, struct tn_str name);
/* awk, sed, python -c, vim: programs whose arguments are programs. */
bool tn_interpreter_look(struct tn_analyser *a, const struct tn_run *run, struct tn_str name);

/* Options, as getopt reads them. `values`: letters that take a value; `long_values`: names that
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

/* It is that long option, or one that programs take for it. */
bool tn_shell_option_is(const struct tn_shell_option *option, const char *name);

/* ---- analysis_files.c ---- */

/* Pushes what the command is known to write, besides redirections. */
void tn_files_written(struct tn_analyser *a, struct tn_str name, const struct tn_run *run);

/* A script's text in the arena; false: it is opaque, and said why. */
bool tn_script_read(struct tn_analyser *a, struct tn_str path, struct tn_str *ret);

#endif
