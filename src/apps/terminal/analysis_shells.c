#include "apps/terminal/analysis_parts.h"

#include "base/size.h"

/* ---- standard input as a script ---- */

void tn_run_input(struct tn_analyser *a, const struct tn_run *run)
{
	struct tn_str text = run->input;

	if (run->input_unknown)
		tn_run_unknown(a, run, "a shell reads a text that is made by an expansion");
	if (run->input_redirected && !text.data) {
		if (!run->read_count || run->input_unknown) {
			tn_run_unknown(a, run, "a shell reads what is not known");
			return;
		}
		if (!tn_script_read(a, run->reads[run->read_count - 1], &text)) {
			tn_run_unknown(a, run, "a shell reads a file that cannot be read here");
			return;
		}
	} else if (!run->input_redirected) {
		tn_run_unknown(a, run, "a shell reads a pipe");
		return;
	}
	tn_run_text_str(a, run, text);
}

static void read_input(struct tn_analyser *a, const struct tn_run *run)
{
	if (run->input_redirected || run->scope.reads_pipe) {
		tn_run_input(a, run);
		return;
	}
	if (run->index < a->count)
		a->commands[run->index].reads_terminal = true;
	if (run->scope.more_words)
		tn_run_unknown(a, run, "a shell gets words that are not known");
	if (a->around->stdin_text.data && !a->stdin_used) {
		a->stdin_used = true;
		tn_run_text_str(a, run, a->around->stdin_text);
	}
}

/* ---- scripts ---- */

static bool is_standard_input(struct tn_str path)
{
	return tn_str_is(path, "-") || tn_str_is(path, "/dev/stdin") ||
	       tn_str_is(path, "/dev/fd/0") || tn_str_is(path, "/proc/self/fd/0");
}

static void look_at_script(struct tn_analyser *a, const struct tn_run *run,
			   const struct tn_word *file)
{
	struct tn_str text;

	if (is_standard_input(file->text) && !(file->flags & TN_WORD_UNKNOWN)) {
		read_input(a, run);
		return;
	}
	if (file->flags & (TN_WORD_UNKNOWN | TN_WORD_GLOB)) {
		tn_run_unknown(a, run, "the name of a script is made by an expansion");
		return;
	}
	if (!tn_script_read(a, file->text, &text)) {
		tn_run_unknown(a, run, "a script cannot be read here");
		return;
	}
	tn_run_text_str(a, run, text);
}

/* ---- sh -c ---- */

/* $0, $1, ... of `sh -c TEXT`. */
static void learn_arguments(struct tn_analyser *a, const struct tn_run *run, size_t from)
{
	static const char *const names[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};

	for (size_t i = 0; i < TN_COUNT(names) && from + i < run->count; i++)
		tn_analysis_learn(a, &a->variables, tn_str_from(names[i]),
				  run->words[from + i].text);
	if (from + 1 < run->count) {
		struct tn_str all = tn_run_join(a, run, from + 1, run->count).text;

		tn_analysis_learn(a, &a->variables, TN_STR("@"), all);
		tn_analysis_learn(a, &a->variables, TN_STR("*"), all);
	}
}

static void look_at_text(struct tn_analyser *a, const struct tn_run *run, size_t at)
{
	struct tn_shell_name *variables = a->variables;

	if (at >= run->count) {
		if (run->scope.more_words)
			tn_run_unknown(a, run, "a text for a shell is not known");
		return;
	}
	learn_arguments(a, run, at + 1);
	tn_run_text(a, run, &run->words[at]);
	a->variables = variables;
}

/* ---- shells ---- */

static const struct {
	const char *name;
	enum tn_dialect dialect;
} shells[] = {
	{"sh", TN_DIALECT_SH},     {"dash", TN_DIALECT_SH},    {"ash", TN_DIALECT_SH},
	{"bash", TN_DIALECT_BASH}, {"rbash", TN_DIALECT_BASH}, {"zsh", TN_DIALECT_BASH},
	{"ksh", TN_DIALECT_BASH},  {"mksh", TN_DIALECT_BASH},  {"ksh93", TN_DIALECT_BASH},
	{"yash", TN_DIALECT_BASH}, {"csh", TN_DIALECT_BASH},   {"tcsh", TN_DIALECT_BASH},
	{"fish", TN_DIALECT_FISH}, {"hush", TN_DIALECT_SH},    {"posh", TN_DIALECT_SH},
};

/* How a shell of the POSIX kin was started. */
struct started {
	struct tn_shell_options options;
	bool text, input, only_checks, ends;
};

/* +o, +O, +n: options, too. False: it is an operand. */
static bool take_plus(struct started *s, const struct tn_run *run)
{
	size_t at = s->options.at;
	struct tn_str word = at < run->count ? run->words[at].text : tn_str("", 0);

	if (word.size < 2 || word.data[0] != '+')
		return false;
	if (tn_str_find_byte(word, 'n') != TN_STR_NONE)
		s->only_checks = false;
	s->options.at += word.data[1] == 'o' || word.data[1] == 'O' ? 2 : 1;
	return true;
}

static void take_start_option(struct tn_analyser *a, const struct tn_run *run, struct started *s,
			      const struct tn_shell_option *option)
{
	s->text = s->text || option->letter == 'c';
	s->input = s->input || option->letter == 's';
	s->only_checks = s->only_checks || option->letter == 'n';
	if (tn_shell_option_is(option, "rcfile") || tn_shell_option_is(option, "init-file"))
		look_at_script(a, run, &option->value);
	if (tn_shell_option_is(option, "version") || tn_shell_option_is(option, "help"))
		s->ends = true;
}

static void look_at_posix(struct tn_analyser *a, const struct tn_run *run)
{
	static const struct tn_shell_option_grammar grammar = {"oO", "rcfile init-file"};
	struct started s = {.options = {.run = run, .grammar = &grammar, .at = 1}};
	struct tn_shell_option option;

	for (;;) {
		option = tn_shell_options_next(&s.options);
		if (!option.is_end)
			take_start_option(a, run, &s, &option);
		else if (!take_plus(&s, run))
			break;
	}
	if (s.ends || s.only_checks)
		return;
	if (s.text)
		look_at_text(a, run, s.options.at);
	else if (s.options.at < run->count && !s.input)
		look_at_script(a, run, &run->words[s.options.at]);
	else
		read_input(a, run);
}

static void look_at_fish(struct tn_analyser *a, const struct tn_run *run)
{
	static const struct tn_shell_option_grammar grammar = {
		"cCdDfo", "command init-command debug features"};
	struct tn_shell_options options = {.run = run, .grammar = &grammar, .at = 1};
	bool text = false;
	struct tn_shell_option option;

	while (!(option = tn_shell_options_next(&options)).is_end) {
		bool is_init = option.letter == 'C' || tn_shell_option_is(&option, "init-command");
		bool is_text = option.letter == 'c' || tn_shell_option_is(&option, "command");

		if ((is_init || is_text) && option.has_value)
			tn_run_text(a, run, &option.value);
		text = text || is_text;
	}
	if (text)
		return;
	if (options.at < run->count)
		look_at_script(a, run, &run->words[options.at]);
	else
		read_input(a, run);
}

static size_t find_shell(struct tn_str name)
{
	size_t i = 0;

	if (name.size && name.data[0] == '-')
		name = tn_str_from_offset(name, 1); /* a login shell, as exec -a names it */
	while (i < TN_COUNT(shells) && !tn_str_is(name, shells[i].name))
		i++;
	return i;
}

bool tn_analysis_is_shell(struct tn_str name)
{
	return find_shell(name) < TN_COUNT(shells);
}

static bool look_at_shell(struct tn_analyser *a, const struct tn_run *run, struct tn_str name)
{
	struct tn_run own = *run;
	size_t i = find_shell(name);

	if (i == TN_COUNT(shells))
		return false;
	own.scope.dialect = shells[i].dialect;
	if (shells[i].dialect == TN_DIALECT_FISH)
		look_at_fish(a, &own);
	else
		look_at_posix(a, &own);
	return true;
}

/* ---- what shells have built in ---- */

static void look_at_eval(struct tn_analyser *a, const struct tn_run *run)
{
	size_t from = tn_run_word_is(run, 1, "--") ? 2 : 1;
	struct tn_word text = tn_run_join(a, run, from, run->count);

	tn_run_text(a, run, &text);
}

static void look_at_source(struct tn_analyser *a, const struct tn_run *run)
{
	size_t at = tn_run_word_is(run, 1, "--") ? 2 : 1;

	if (at < run->count)
		look_at_script(a, run, &run->words[at]);
}

static void look_at_trap(struct tn_analyser *a, const struct tn_run *run)
{
	size_t at = tn_run_word_is(run, 1, "--") ? 2 : 1;

	if (at + 1 >= run->count || tn_run_word_is(run, at, "-") || tn_run_word_is(run, at, "-p") ||
	    tn_run_word_is(run, at, "-l"))
		return;
	tn_run_text(a, run, &run->words[at]);
}

static void look_at_alias(struct tn_analyser *a, const struct tn_run *run)
{
	for (size_t i = 1; i < run->count; i++) {
		struct tn_word value = run->words[i];
		size_t equals = tn_str_find_byte(value.text, '=');

		if (value.text.size && value.text.data[0] == '-' &&
		    tn_str_find_byte(value.text, 'g') != TN_STR_NONE)
			tn_analysis_opaque(a, "an alias that holds everywhere in a line");
		if (equals == TN_STR_NONE)
			continue;
		if (!(value.flags & TN_WORD_UNKNOWN))
			tn_analysis_learn(a, &a->aliases, tn_str(value.text.data, equals),
					  tn_str_from_offset(value.text, equals + 1));
		value.text = tn_str_from_offset(value.text, equals + 1);
		tn_run_text(a, run, &value);
	}
	/* fish: alias NAME TEXT */
	if (run->count == 3 && run->scope.dialect == TN_DIALECT_FISH) {
		tn_analysis_learn(a, &a->aliases, run->words[1].text, run->words[2].text);
		tn_run_text(a, run, &run->words[2]);
	}
}

/* export X=rm; $X */
static void look_at_declaration(struct tn_analyser *a, const struct tn_run *run)
{
	for (size_t i = 1; i < run->count; i++) {
		struct tn_word value = run->words[i];
		size_t equals = tn_str_find_byte(value.text, '=');
		struct tn_str name = tn_str(value.text.data, equals);

		if (equals == TN_STR_NONE || equals == 0 || value.text.data[0] == '-')
			continue;
		value.text = tn_str_from_offset(value.text, equals + 1);
		tn_run_variable(a, &run->scope, name, value);
	}
}

/* fish: set -gx NAME VALUE */
static void look_at_set(struct tn_analyser *a, const struct tn_run *run)
{
	size_t at = 1;

	if (run->scope.dialect != TN_DIALECT_FISH)
		return;
	while (at < run->count && run->words[at].text.size && run->words[at].text.data[0] == '-')
		at++;
	if (at + 1 < run->count) {
		struct tn_word value = tn_run_join(a, run, at + 1, run->count);

		tn_run_variable(a, &run->scope, run->words[at].text, value);
	}
}

/* exec < file: the shell goes on with what stands there. */
static void look_at_exec(struct tn_analyser *a, const struct tn_run *run)
{
	if (run->count == 1 && run->input_redirected)
		tn_run_input(a, run);
}

/* at, batch: a shell runs later what they read now. */
static void look_at_later(struct tn_analyser *a, const struct tn_run *run)
{
	for (size_t i = 1; i < run->count; i++) {
		if (tn_run_word_is(run, i, "-l") || tn_run_word_is(run, i, "-d") ||
		    tn_run_word_is(run, i, "-r"))
			return;
		if (tn_run_word_is(run, i, "-f") && i + 1 < run->count) {
			look_at_script(a, run, &run->words[i + 1]);
			return;
		}
	}
	read_input(a, run);
}

/* bash: hash -p, enable -f and mapfile -C bring in code; zsh: zle, bindkey -s. */
static void look_at_loader(struct tn_analyser *a, const struct tn_run *run)
{
	for (size_t i = 1; i < run->count; i++) {
		if (tn_run_word_is(run, i, "-p") || tn_run_word_is(run, i, "-f") ||
		    tn_run_word_is(run, i, "-C") || tn_run_word_is(run, i, "-x") ||
		    tn_run_word_is(run, i, "-s"))
			tn_run_unknown(a, run, "it changes what commands or keys do");
	}
}

static const struct {
	const char *name;
	void (*look)(struct tn_analyser *a, const struct tn_run *run);
	bool goes_on; /* it is a wrapper as well */
} builtins[] = {
	{"eval", look_at_eval, false},
	{"source", look_at_source, false},
	{".", look_at_source, false},
	{"trap", look_at_trap, false},
	{"alias", look_at_alias, false},
	{"export", look_at_declaration, false},
	{"declare", look_at_declaration, false},
	{"typeset", look_at_declaration, false},
	{"local", look_at_declaration, false},
	{"readonly", look_at_declaration, false},
	{"set", look_at_set, false},
	{"exec", look_at_exec, true},
	{"at", look_at_later, false},
	{"batch", look_at_later, false},
	{"hash", look_at_loader, false},
	{"enable", look_at_loader, false},
	{"mapfile", look_at_loader, false},
	{"readarray", look_at_loader, false},
	{"bind", look_at_loader, false},
	{"bindkey", look_at_loader, false},
};

bool tn_shell_look(struct tn_analyser *a, const struct tn_run *run, struct tn_str name)
{
	for (size_t i = 0; i < TN_COUNT(builtins); i++) {
		if (!tn_str_is(name, builtins[i].name))
			continue;
		builtins[i].look(a, run);
		return !builtins[i].goes_on;
	}
	return look_at_shell(a, run, name);
}
