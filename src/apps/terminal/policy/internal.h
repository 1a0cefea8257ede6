/* internal.h - what the files of the analysis share.
 *
 * The road: analysis_list.c reads a text into runs (a command with its words), with analysis_word.c
 * for words and analysis_dollar.c for expansions; analysis_run.c notes each run and looks through
 * it: analysis_wrappers.c for what runs its arguments (sudo, xargs), analysis_shells.c for what
 * runs a text (sh -c, eval), analysis_tools.c for the rest (find, git, awk). Each of these reads
 * further texts. analysis_files.c knows what programs write.
 *
 * Ownership: the analyser's arena. Memory that runs out is remembered (`starved`) and told once, at
 * the end. Threads: any. */
#ifndef TN_TERMINAL_POLICY_INTERNAL_H
#define TN_TERMINAL_POLICY_INTERNAL_H

#include "apps/terminal/policy/analysis.h"
#include "base/buf.h"

/* ---- words ---- */

enum {
	TN_WORD_UNKNOWN = 1,    /* made by an expansion */
	TN_WORD_GLOB = 2,       /* unquoted * ? [ ] */
	TN_WORD_QUOTED = 4,     /* some of it was quoted: no keyword, no alias */
	TN_WORD_CHANGED = 8,    /* its text is not the source's */
	TN_WORD_SPLIT = 16,     /* NULs in it separate words */
	TN_WORD_EXPANDED = 32,  /* an expansion, even one whose value is known */
	TN_WORD_BEGINS = 64,    /* it begins with one */
	TN_WORD_HIDES = 128,    /* as a text for a shell: one stands where a program is named */
	TN_WORD_ENDS = 256,     /* it ends with one */
	TN_WORD_PROCESS = 512,  /* <(...) */
	TN_WORD_OF_CALL = 1024, /* in a function: what its callers say */
	TN_WORD_SECRET = 2048,  /* the value of a variable that is called like a secret */
};
struct tn_word {
	struct tn_str text;
	unsigned flags;
};

struct tn_words { /* a stack: who adds takes away */
	struct tn_word *items;
	size_t count, capacity;
};

/* What a program is called by its path. */
struct tn_str tn_base_name(struct tn_str path);

/* ---- what is known besides the text ---- */

enum tn_dialect { TN_DIALECT_BASH, TN_DIALECT_SH, TN_DIALECT_FISH };

struct tn_run;

struct tn_analyser {
	struct tn_arena *arena;
	const struct tn_analysis_surroundings *around;
	/* What becomes of each command that is read: judged (tn_run_look), or in the reader's own
	 * test only listed. It may have further texts read: sh -c, eval, scripts. */
	void (*look)(struct tn_analyser *a, const struct tn_run *run);
	struct tn_simple_command *commands;
	size_t count, capacity;
	struct tn_words words;
	struct tn_buf letters; /* of words being read; a stack, too */
	size_t word_start;     /* of the word being read, among those */
	struct tn_shell_name *variables, *aliases, *functions;
	struct tn_shell_name *copies; /* programs that stand by another name: x is a copy of rm */
	size_t name_count;
	size_t work;          /* bytes read so far, nested texts again */
	unsigned depth;       /* texts inside texts, commands inside commands */
	unsigned in_function; /* bodies that are being read where they are defined */
	bool starved, spent, hidden, opaque, incomplete, stdin_used;
	struct tn_str hidden_because, opaque_because;
	struct tn_str cwd; /* follows `cd`; empty: not known */
	struct tn_str
		path; /* PATH as the text or the call's `env` set it last; empty: neither did */
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
	struct tn_str input;  /* its standard input, when that is known; data NULL: not */
	unsigned input_flags; /* of that text as a word */
	bool input_redirected;
	bool feeds; /* it only redirects, and is the input of what has just been closed */
	struct tn_str source;
	struct tn_scope scope;
	size_t index; /* of the command that it was noted as */
};

bool tn_run_word_is(const struct tn_run *run, size_t index, const char *text);

/* ---- analysis_state.c ---- */

/* `because` is static; the first stays. */
void tn_analysis_opaque(struct tn_analyser *a, const char *because);
void tn_analysis_hidden(struct tn_analyser *a, const char *because);
void tn_analysis_hidden_at(struct tn_analyser *a, const char *because, struct tn_str what);
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

/* `list`: words, a blank between two. */
bool tn_analysis_is_one_of(struct tn_str text, const char *list);
void tn_analysis_learn(struct tn_analyser *a, struct tn_shell_name **list, struct tn_str name,
		       struct tn_str value);
/* The same, though it has one already: what was there before is found again when this is taken
 * away, and by who looks on behind it. */
void tn_analysis_shadow(struct tn_analyser *a, struct tn_shell_name **list, struct tn_str name,
			struct tn_str value);
struct tn_shell_name *tn_analysis_lookup(struct tn_shell_name *list, struct tn_str name);
void tn_analysis_push_word(struct tn_analyser *a, struct tn_str text, unsigned flags);

/* ---- analysis_list.c ---- */

struct tn_held_run;
struct tn_here; /* a here-document whose text comes at the next line */

struct tn_reader { /* a text being read */
	struct tn_analyser *a;
	struct tn_str text;
	size_t at;
	struct tn_scope scope;
	bool is_outermost;
	struct tn_here *heres;
	struct tn_held_run *held; /* runs that wait for those */
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
/* `text` is evaluated where it stands, though it was quoted: what $(...) in it runs is noted. */
void tn_word_evaluate(struct tn_analyser *a, const struct tn_scope *scope, struct tn_str text);
/* The letters from `start` on end where a shell expects the name of a program. */
bool tn_word_is_at_command(const struct tn_buf *letters, size_t start);
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
void tn_run_text_flags(struct tn_analyser *a, const struct tn_run *run, unsigned flags);
void tn_run_text_str(struct tn_analyser *a, const struct tn_run *run, struct tn_str text);
/* The words from..end joined by blanks. */
struct tn_word tn_run_join(struct tn_analyser *a, const struct tn_run *run, size_t from,
			   size_t end);
/* Its standard input, where it stands in the text: a here-document, `echo text |`. data NULL: not.
 */
struct tn_str tn_run_fed_text(struct tn_analyser *a, const struct tn_run *run);
/* Its standard input is a script: of a shell, of `exec < file`. */
void tn_run_input(struct tn_analyser *a, const struct tn_run *run);
struct tn_scope tn_run_scope(const struct tn_run *run);
/* It runs something that is not known; hidden: something that is masked. */
void tn_run_unknown(struct tn_analyser *a, const struct tn_run *run, const char *because);
void tn_run_hidden(struct tn_analyser *a, const struct tn_run *run, const char *because);
/* `text` and behind it the words from `from` on, as a text for a shell. */
void tn_run_text_with(struct tn_analyser *a, const struct tn_run *run, struct tn_str text,
		      size_t from);

/* ---- what is looked through; each says whether it knows the program ---- */

bool tn_wrapper_look(struct tn_analyser *a, const struct tn_run *run, struct tn_str name);
/* analysis_builtins.c: eval, trap, alias, test -v, bind, ... */
bool tn_builtin_look(struct tn_analyser *a, const struct tn_run *run, struct tn_str name);
/* analysis_subscript.c: a subscript that runs something: what it runs is noted, and the text is
 * hidden. */
void tn_builtin_evaluate(struct tn_analyser *a, const struct tn_scope *scope, struct tn_str text);
bool tn_builtin_has_subscript(struct tn_str text);
/* A script given to a shell by its name, or as its standard input. */
void tn_shell_script(struct tn_analyser *a, const struct tn_run *run, const struct tn_word *file);
void tn_shell_input(struct tn_analyser *a, const struct tn_run *run);
/* $0, $1, ... of what runs, from the word `from` on. `again`: it says so itself (set --). */
void tn_shell_arguments(struct tn_analyser *a, const struct tn_run *run, size_t from, bool again);
bool tn_shell_look(struct tn_analyser *a, const struct tn_run *run, struct tn_str name);
bool tn_tool_look(struct tn_analyser *a, const struct tn_run *run, struct tn_str name);
/* awk, sed, python -c, vim: programs whose arguments are programs. */
bool tn_interpreter_look(struct tn_analyser *a, const struct tn_run *run, struct tn_str name);

/* ---- analysis_code.c: code and words of which only the dangerous is looked for ---- */

/* A text in another language: calls that delete, commands in its strings, code that it decodes. */
void tn_code_look(struct tn_analyser *a, const struct tn_run *run, struct tn_str text);
/* A program that nothing is known of: what follows the name of a dangerous one among its words is
 * looked at as if it ran that; what has blanks as if it were code. */
void tn_words_look(struct tn_analyser *a, const struct tn_run *run, struct tn_str name);
/* The first word that names a dangerous program, and what follows it. */
void tn_words_look_at_programs(struct tn_analyser *a, const struct tn_run *run);
/* Only its words with blanks. */
void tn_words_look_at_texts(struct tn_analyser *a, const struct tn_run *run);

/* ---- analysis_danger.c ---- */

/* rm, shred, sh, sudo, ...: programs that harm or run others. */
bool tn_code_is_dangerous(struct tn_str name);
/* rm, shred, dd, ...: to give it another name is to hide it. */
bool tn_code_destroys(struct tn_str name);

/* ---- analysis_files.c ---- */

/* Pushes what the command is known to write, besides redirections. */
void tn_files_written(struct tn_analyser *a, struct tn_str name, const struct tn_run *run);

/* The same text writes that file, and it is no program that was built. */
bool tn_file_is_written_here(const struct tn_analyser *a, struct tn_str path);

/* cp rm x, ln -s rm x: x is rm from now on. */
void tn_files_copied(struct tn_analyser *a, struct tn_str name, const struct tn_run *run);

/* Where a file lies that a text names, as the kernel will read it: "a/../b" is not "b" when "a" is
 * a link. NULL: not known. */
const char *tn_script_path(struct tn_analyser *a, struct tn_str path);
/* A script's text in the arena; false: it is opaque, and said why. */
bool tn_script_read(struct tn_analyser *a, struct tn_str path, struct tn_str *ret);

/* ---- analysis_script.c ---- */

/* ./deploy.sh, and what stands in a directory that PATH was given: what the script does. */
void tn_script_look(struct tn_analyser *a, const struct tn_run *run);

/* ---- analysis_variable.c ---- */

/* A variable is set, before a command (PAGER=less man sh) or by one (export). */
void tn_run_variable(struct tn_analyser *a, const struct tn_scope *scope, struct tn_str name,
		     struct tn_word value);

#endif
