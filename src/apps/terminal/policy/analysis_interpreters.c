#include "apps/terminal/policy/analysis_options.h"

#include "base/size.h"

/* ---- programs given as an argument ---- */

struct interpreter {
	const char *names;
	struct tn_shell_option_grammar grammar;
	const char *code;      /* letters that are followed by a program */
	const char *long_code; /* names that are */
	const char *files; /* letters that name a program's file or module: no program is read */
};

static const struct interpreter interpreters[] = {
	{"python pypy ipython", {"cmWXQ", NULL}, "c", "", "m"},
	{"perl", {"eEIMmxF", NULL}, "eE", "", ""},
	{"ruby jruby irb", {"eICrEFKTW", NULL}, "e", "", ""},
	{"node nodejs bun deno",
	 {"eprCL", "eval print require import loader config"},
	 "ep",
	 "eval print",
	 ""},
	{"php", {"rRBEFSdcntzf", "run"}, "rRBE", "run", "fS"},
	{"lua luajit", {"el", NULL}, "e", "", ""},
	{"R Rscript", {"ef", NULL}, "e", "", "f"},
	{"julia", {"eELp", "eval print load"}, "eE", "eval print", ""},
	{"osascript", {"els", NULL}, "e", "", ""},
	{"groovy scala elixir", {"e", NULL}, "e", "", ""},
	{"guile", {"csel", NULL}, "c", "", "s"},
	{"tclsh wish expect", {"cf", NULL}, "c", "", "f"},
	{"emacs",
	 {"lfL", "eval execute load script funcall"},
	 "f",
	 "eval execute funcall script load",
	 ""},
	{"sbcl clisp", {"x", "eval load"}, "x", "eval load", ""},
	{"lldb", {"osSkKwc", "one-line one-line-before-file source core"}, "oO", "one-line", ""},
	{"gdb",
	 {"xdpo", "eval-command init-eval-command command"},
	 "x",
	 "eval-command init-eval-command ex iex",
	 ""},
	{"ghc", {"e", NULL}, "e", "", ""},
	{"m4", {"DIUs", NULL}, "", "", ""},
	{"dc", {"ef", "expression file"}, "e", "expression", ""},
	{"octave raku swipl racket ocaml erl csi", {"eg", "eval"}, "eg", "eval", ""},
};

/* python3.11 is python. */
static struct tn_str without_version(struct tn_str name)
{
	size_t size = name.size;

	while (size > 0 && (tn_is_digit(name.data[size - 1]) || name.data[size - 1] == '.' ||
			    name.data[size - 1] == '-'))
		size--;
	return size ? tn_str(name.data, size) : name;
}

static const struct interpreter *find_interpreter(struct tn_str name)
{
	name = without_version(name);
	for (size_t i = 0; i < TN_COUNT(interpreters); i++) {
		if (tn_analysis_is_one_of(name, interpreters[i].names))
			return &interpreters[i];
	}
	return NULL;
}

static const char one_liner[] = "a program in another language stands in an argument";
static const char piped_program[] = "a program in another language is read from elsewhere";

static bool is_code(const struct interpreter *which, const struct tn_shell_option *option)
{
	return option->letter ? strchr(which->code, option->letter) != NULL
			      : tn_analysis_is_one_of(option->name, which->long_code);
}

/* The program is a file, or the standard input that "-" stands for. */
static bool names_file(struct tn_analyser *a, const struct tn_run *run, size_t at)
{
	const struct tn_word *word = at < run->count ? &run->words[at] : NULL;

	if (!word || tn_str_is(word->text, "-") || tn_str_is(word->text, "/dev/stdin"))
		return false;
	if (word->flags & TN_WORD_PROCESS)
		tn_run_hidden(a, run, "a program in another language is made by an expansion");
	else if (tn_file_is_written_here(a, word->text))
		tn_run_hidden(a, run, "a program is written and run by the same text");
	return true;
}

/* All its words: where one is code, others may be, too. */
static void look_at_code(struct tn_analyser *a, const struct tn_run *run)
{
	tn_run_unknown(a, run, one_liner);
	for (size_t i = 1; i < run->count; i++)
		tn_code_look(a, run, run->words[i].text);
}

static void look_at_code_input(struct tn_analyser *a, const struct tn_run *run)
{
	if (run->scope.reads_pipe && !run->input_redirected)
		tn_run_hidden(a, run, piped_program);
	else if (run->input_redirected || run->scope.more_words)
		tn_run_unknown(a, run, piped_program);
	tn_code_look(a, run, tn_run_fed_text(a, run));
}

/* gdb --args PROGRAM */
static void look_behind_args(struct tn_analyser *a, const struct tn_run *run)
{
	for (size_t i = 1; i + 1 < run->count; i++) {
		if (tn_run_word_is(run, i, "--args") || tn_run_word_is(run, i, "-args") ||
		    tn_run_word_is(run, i, "--")) {
			tn_run_inner(a, run, i + 1);
			return;
		}
	}
}

static void look_at_interpreter(struct tn_analyser *a, const struct tn_run *run,
				const struct interpreter *which)
{
	struct tn_shell_options options = {.run = run, .grammar = &which->grammar, .at = 1};
	bool has_program = false;
	struct tn_shell_option option;

	if (tn_analysis_is_one_of(run->words[0].text, "gdb lldb"))
		look_behind_args(a, run);
	while (!has_program && !(option = tn_shell_options_next(&options)).is_end) {
		if (is_code(which, &option)) {
			look_at_code(a, run);
			return;
		}
		has_program = option.letter ? strchr(which->files, option.letter) != NULL
					    : tn_analysis_is_one_of(option.name, "version help");
	}
	/* deno eval */
	if (tn_run_word_is(run, options.at, "eval"))
		look_at_code(a, run);
	if (!has_program && !names_file(a, run, options.at))
		look_at_code_input(a, run);
	else if (has_program && tn_str_starts(run->words[0].text, TN_STR("python")))
		tn_code_look(a, run, tn_run_fed_text(a, run)); /* python -m pty */
}

/* ---- awk ---- */

/* Where a / is a division and no pattern: behind an operand. */
static bool is_operand_end(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || c == ')' || c == ']' || c == '_' || c == '"' ||
	       c == '$';
}

/* Behind the quote at `at`; the text in it is left out. */
static size_t skip_quoted(struct tn_str program, size_t at, char quote)
{
	for (at++; at < program.size && program.data[at] != quote; at++) {
		if (program.data[at] == '\\')
			at++;
		else if (program.data[at] == '\n')
			break;
	}
	return at;
}

static size_t skip_line(struct tn_str script, size_t at)
{
	while (at < script.size && script.data[at] != '\n')
		at++;
	return at;
}

static bool calls(struct tn_str program, size_t at, struct tn_str name)
{
	struct tn_str rest = tn_str_from_offset(program, at);

	return tn_str_starts(rest, name) &&
	       (at == 0 || !(tn_is_alpha(program.data[at - 1]) || program.data[at - 1] == '_'));
}

/* system(), "command" | getline, print | "command", @load */
static bool awk_runs_something(struct tn_str program)
{
	char before = '\n';

	for (size_t at = 0; at < program.size; at++) {
		char c = program.data[at];
		char next = at + 1 < program.size ? program.data[at + 1] : '\0';

		if (c == '#') {
			at = skip_line(program, at);
		} else if (c == '"' || (c == '/' && !is_operand_end(before))) {
			at = skip_quoted(program, at, c);
		} else if (c == '|' && next == '|') {
			at++;
		} else if (c == '|' || c == '@' || calls(program, at, TN_STR("system"))) {
			return true;
		}
		if (c != ' ' && c != '\t')
			before = c;
	}
	return false;
}

static void look_at_awk_program(struct tn_analyser *a, const struct tn_run *run,
				const struct tn_word *program)
{
	if (program->flags & TN_WORD_UNKNOWN)
		tn_run_unknown(a, run, "a program for awk is made by an expansion");
	if (!awk_runs_something(program->text))
		return;
	tn_run_unknown(a, run, "a program for awk runs other programs");
	tn_code_look(a, run, program->text);
}

static void look_at_awk(struct tn_analyser *a, const struct tn_run *run)
{
	static const struct tn_shell_option_grammar grammar = {"vFfeEilW",
							       "assign field-separator file "
							       "source exec include load"};
	struct tn_shell_options options = {.run = run, .grammar = &grammar, .at = 1};
	bool has_program = false;
	struct tn_shell_option option;
	struct tn_word text;

	while (!(option = tn_shell_options_next(&options)).is_end) {
		bool is_file = (option.letter && strchr("fEi", option.letter)) ||
			       tn_analysis_is_one_of(option.name, "file exec include");

		if (option.letter == 'l' || tn_analysis_is_one_of(option.name, "load")) {
			tn_run_unknown(a, run, "awk is told to load code");
		} else if (is_file && option.has_value) {
			text = option.value;
			has_program = true;
			if (!tn_script_read(a, option.value.text, &text.text))
				tn_run_unknown(a, run, "a program for awk cannot be read here");
			else
				look_at_awk_program(a, run, &text);
		} else if (option.letter == 'e' || tn_analysis_is_one_of(option.name, "source")) {
			has_program = true;
			look_at_awk_program(a, run, &option.value);
		}
	}
	if (!has_program && options.at < run->count)
		look_at_awk_program(a, run, &run->words[options.at]);
}

/* ---- sed ---- */

/* GNU sed: s/a/b/e and the command e run what they make. Behind `at`, which is an s. */
static bool substitution_runs(struct tn_str script, size_t *at)
{
	char separator = *at + 1 < script.size ? script.data[*at + 1] : '\n';
	unsigned seen = 1;

	(*at)++;
	while (seen < 3 && ++*at < script.size) {
		if (script.data[*at] == '\\')
			++*at;
		else if (script.data[*at] == separator)
			seen++;
	}
	for (++*at; *at < script.size && !strchr(";\n} ", script.data[*at]); ++*at) {
		if (script.data[*at] == 'e')
			return true;
		if (script.data[*at] == 'w')
			break;
	}
	return false;
}

/* Only what runs something is looked for: addresses are passed over, then comes a letter. */
static bool sed_runs_something(struct tn_str script)
{
	for (size_t at = 0; at < script.size; at++) {
		char c = script.data[at];

		if (c == '/' || (c == '\\' && at + 1 < script.size)) {
			at += c == '\\';
			at = skip_quoted(script, at, script.data[at]);
		} else if (c == 's') {
			if (substitution_runs(script, &at))
				return true;
		} else if (c == 'y') {
			(void)substitution_runs(script, &at);
		} else if (c == 'e') {
			return true;
		} else if (c && strchr("aicrwRWbtT:#", c)) {
			at = c == 'b' || c == 't' || c == 'T'
				     ? at + strcspn(script.data + at, ";\n}")
				     : skip_line(script, at);
		}
	}
	return false;
}

static void look_at_sed_script(struct tn_analyser *a, const struct tn_run *run,
			       const struct tn_word *script)
{
	char *copy = tn_analysis_alloc(a, script->text.size + 1, 1);

	if (!copy)
		return;
	memcpy(copy, script->text.data, script->text.size);
	if (!sed_runs_something(tn_str(copy, script->text.size)))
		return;
	tn_run_unknown(a, run, "a script for sed runs other programs");
	tn_code_look(a, run, script->text);
}

static void look_at_sed(struct tn_analyser *a, const struct tn_run *run)
{
	static const struct tn_shell_option_grammar grammar = {"efl",
							       "expression file line-length"};
	struct tn_shell_options options = {.run = run, .grammar = &grammar, .at = 1};
	bool has_script = false;
	struct tn_shell_option option;
	struct tn_word text;

	while (!(option = tn_shell_options_next(&options)).is_end) {
		if (option.letter == 'e' || tn_analysis_is_one_of(option.name, "expression")) {
			has_script = true;
			look_at_sed_script(a, run, &option.value);
		} else if (option.letter == 'f' || tn_analysis_is_one_of(option.name, "file")) {
			has_script = true;
			text = option.value;
			if (!tn_script_read(a, option.value.text, &text.text))
				tn_run_unknown(a, run, "a script for sed cannot be read here");
			else
				look_at_sed_script(a, run, &text);
		}
		if (option.letter == 'i' && options.letter) { /* -i.bak: the rest is a suffix */
			options.letter = 0;
			options.at++;
		}
	}
	if (!has_script && options.at < run->count)
		look_at_sed_script(a, run, &run->words[options.at]);
}

/* ---- editors, clients of databases ---- */

static bool contains_any(struct tn_str text, const char *const *needles, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (tn_str_find(text, tn_str_from(needles[i])) != TN_STR_NONE)
			return true;
	}
	return false;
}

/* -c, -sc */
static bool is_cluster_with_c(struct tn_str option)
{
	return option.size > 1 && option.size < 5 && option.data[0] == '-' &&
	       option.data[option.size - 1] == 'c';
}

/* vim -c ':!command', less +!command, psql -c '\! command' */
static void look_for_escapes(struct tn_analyser *a, const struct tn_run *run)
{
	static const char *const escapes[] = {"!",     "system", ":py",     ":lua",
					      ":ruby", ".shell", "PROGRAM", "call "};

	for (size_t i = 1; i < run->count; i++) {
		struct tn_str text = run->words[i].text;
		bool is_command =
			tn_str_starts(text, TN_STR("+")) || tn_str_starts(text, TN_STR(".")) ||
			tn_str_starts(text, TN_STR("-c")) || tn_str_starts(text, TN_STR("--cmd")) ||
			tn_str_find(text, TN_STR("\\!")) != TN_STR_NONE ||
			is_cluster_with_c(run->words[i - 1].text) ||
			tn_run_word_is(run, i - 1, "-e") || tn_run_word_is(run, i - 1, "--cmd");

		if (is_command && contains_any(text, escapes, TN_COUNT(escapes))) {
			tn_run_unknown(a, run,
				       "a command for an editor or a client may run programs");
			tn_code_look(a, run, text);
		}
		if (tn_run_word_is(run, i, "-S") || tn_run_word_is(run, i, "-s"))
			tn_run_unknown(a, run, "a script for an editor may run programs");
	}
}

/* Editors that read what to do from elsewhere. */
static void look_at_editor(struct tn_analyser *a, const struct tn_run *run)
{
	look_for_escapes(a, run);
	if (tn_analysis_is_one_of(tn_base_name(run->words[0].text), "ed ex"))
		look_at_code_input(a, run);
	else if ((run->scope.reads_pipe || run->input_redirected) &&
		 !tn_analysis_is_one_of(tn_base_name(run->words[0].text), "less more most"))
		tn_run_unknown(a, run, "an editor reads commands from elsewhere");
	if (!tn_analysis_is_one_of(tn_base_name(run->words[0].text), "less more most"))
		tn_code_look(a, run, tn_run_fed_text(a, run));
}

/* Calls of PowerShell are names without quotes, and its options have one dash. */
static void look_at_powershell(struct tn_analyser *a, const struct tn_run *run)
{
	for (size_t i = 1; i < run->count; i++) {
		struct tn_str text = run->words[i].text;

		if (text.size > 1 && text.data[0] == '-' && tn_to_lower(text.data[1]) == 'e')
			tn_run_hidden(a, run, "code in another language is decoded");
	}
	if (run->count > 1)
		look_at_code(a, run);
	look_at_code_input(a, run);
}

static void look_at_client(struct tn_analyser *a, const struct tn_run *run)
{
	look_for_escapes(a, run);
	tn_words_look_at_texts(a, run);
	tn_code_look(a, run, tn_run_fed_text(a, run));
}

/* make -f - reads its rules; CC='...' and SHELL='...' are texts that it runs. */
static void look_at_make(struct tn_analyser *a, const struct tn_run *run)
{
	for (size_t i = 1; i < run->count; i++) {
		const struct tn_word *word = &run->words[i];
		bool is_rules = tn_run_word_is(run, i - 1, "-f") || tn_run_word_is(run, i, "-f-");

		if (is_rules && ((word->flags & TN_WORD_PROCESS) ||
				 tn_analysis_is_one_of(word->text, "-f- - /dev/stdin")))
			tn_run_hidden(a, run, "rules for make are read from elsewhere");
		else if (is_rules && tn_file_is_written_here(a, word->text))
			tn_run_hidden(a, run, "rules for make are written by the same text");
		if (tn_str_starts(word->text, TN_STR("--eval=")))
			tn_run_unknown(a, run, one_liner);
	}
	tn_words_look_at_texts(a, run);
	tn_code_look(a, run, tn_run_fed_text(a, run));
}

static const struct {
	const char *names;
	void (*look)(struct tn_analyser *a, const struct tn_run *run);
} others[] = {
	{"awk gawk mawk nawk", look_at_awk},
	{"sed gsed", look_at_sed},
	{"vi vim nvim view ex ed gvim vimdiff less more most", look_at_editor},
	{"psql mysql mariadb sqlite sqlite3 ftp lftp sftp mail telnet", look_at_client},
	{"pwsh powershell pwsh.exe powershell.exe", look_at_powershell},
	{"make gmake bmake", look_at_make},
};

bool tn_interpreter_look(struct tn_analyser *a, const struct tn_run *run, struct tn_str name)
{
	const struct interpreter *which = find_interpreter(name);

	for (size_t i = 0; i < TN_COUNT(others); i++) {
		if (tn_analysis_is_one_of(name, others[i].names)) {
			others[i].look(a, run);
			return true;
		}
	}
	if (!which)
		return false;
	look_at_interpreter(a, run, which);
	return true;
}
