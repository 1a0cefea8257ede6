#include "apps/terminal/policy/analysis_options.h"

#include "base/size.h"

/* ---- standard input as a script ---- */

/* `echo text | sh`: all that feeds it is known. */
static bool is_printed(const struct tn_simple_command *c)
{
	if (!tn_str_is(c->name, "echo") && !tn_str_is(c->name, "printf"))
		return false;
	for (size_t i = 0; i < c->word_count; i++) {
		if (!c->word_is_known[i])
			return false;
	}
	return c->write_count == 0;
}

static struct tn_str printed_text(struct tn_analyser *a, const struct tn_simple_command *c)
{
	struct tn_word *words = tn_analysis_alloc(a, c->word_count, sizeof(*words));
	struct tn_run run = {.words = words, .count = c->word_count};
	size_t from = 0;

	for (size_t i = 0; words && i < c->word_count; i++)
		words[i].text = c->words[i];
	while (words && from < run.count && run.words[from].text.size &&
	       run.words[from].text.data[0] == '-')
		from++; /* echo -e */
	return words ? tn_run_join(a, &run, from, run.count).text : tn_str(NULL, 0);
}

enum { FED_BY_MAX = 16 }; /* wrappers between echo and who reads it */

struct tn_str tn_run_fed_text(struct tn_analyser *a, const struct tn_run *run)
{
	const struct tn_simple_command *feeder;

	if (run->input_redirected)
		return run->input;
	if (!run->scope.reads_pipe || run->scope.fed_from >= run->index || run->index >= a->count ||
	    run->index > run->scope.fed_from + FED_BY_MAX)
		return tn_str(NULL, 0);
	for (size_t i = run->scope.fed_from + 1; i < run->index; i++) {
		if (!a->commands[i].reads_pipe)
			return tn_str(NULL, 0); /* more than one feeds it */
	}
	feeder = &a->commands[run->scope.fed_from];
	return is_printed(feeder) ? printed_text(a, feeder) : tn_str(NULL, 0);
}

void tn_run_input(struct tn_analyser *a, const struct tn_run *run)
{
	struct tn_str text = tn_run_fed_text(a, run);

	if (!run->input_redirected) {
		tn_run_hidden(a, run, "a shell reads a pipe");
		if (!text.data)
			return;
	} else if (!text.data) {
		if (!run->read_count || (run->input_flags & TN_WORD_UNKNOWN)) {
			tn_run_hidden(a, run, "a shell reads what is not known");
			return;
		}
		if (!tn_script_read(a, run->reads[run->read_count - 1], &text)) {
			tn_run_unknown(a, run, "a shell reads a file that cannot be read here");
			return;
		}
	}
	tn_run_text_flags(a, run, run->input_flags);
	tn_run_text_str(a, run, text);
}

void tn_shell_input(struct tn_analyser *a, const struct tn_run *run)
{
	if (run->input_redirected || run->scope.reads_pipe) {
		tn_run_input(a, run);
		return;
	}
	if (run->index < a->count)
		a->commands[run->index].reads_terminal = true;
	if (run->scope.more_words)
		tn_run_hidden(a, run, "a shell gets words that are not known");
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

/* `sh /dev/fd/3 3< x.sh`: what was opened there is not followed. */
static bool is_descriptor(struct tn_str path)
{
	return tn_str_starts(path, TN_STR("/dev/fd/")) ||
	       (tn_str_starts(path, TN_STR("/proc/")) &&
		tn_str_find(path, TN_STR("/fd/")) != TN_STR_NONE);
}

void tn_shell_script(struct tn_analyser *a, const struct tn_run *run, const struct tn_word *file)
{
	struct tn_str text;

	if (is_standard_input(file->text) && !(file->flags & TN_WORD_UNKNOWN)) {
		tn_shell_input(a, run);
		return;
	}
	if (file->flags & TN_WORD_PROCESS) {
		tn_run_hidden(a, run, "a script is made by an expansion");
		return;
	}
	if (is_descriptor(file->text)) {
		tn_run_hidden(a, run, "a shell reads what is not known");
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

/* `again`: in the place of what was said before. */
static void shadow_word(struct tn_analyser *a, bool again, const char *name, struct tn_word word,
			bool is_exact)
{
	struct tn_shell_name *known = tn_analysis_lookup(a->variables, tn_str_from(name));
	/* Not NULL: somebody has said what it is, though we do not know. */
	struct tn_str value = word.text.data ? word.text : tn_str("", 0);

	if (again && known && !known->busy && !known->is_known_before)
		known->value = value;
	else
		tn_analysis_shadow(a, &a->variables, tn_str_from(name), value);
	known = tn_analysis_lookup(a->variables, tn_str_from(name));
	if (known)
		known->is_exact = is_exact;
}

/* As many words as there are: NULs stand between them. */
static void shadow_all(struct tn_analyser *a, bool again, const struct tn_run *run, size_t from)
{
	struct tn_word all = {.flags = 0};
	bool is_exact = true;
	size_t size = 0;
	char *text;

	for (size_t i = from; i < run->count; i++) {
		size += run->words[i].text.size + 1;
		all.flags |= run->words[i].flags & TN_WORD_UNKNOWN;
		is_exact = is_exact && !(run->words[i].flags & TN_WORD_UNKNOWN);
	}
	text = tn_analysis_alloc(a, size, 1);
	if (!text)
		return;
	tn_analysis_spend(a, size);
	all.text = tn_str(text, size - 1);
	for (size_t i = from; i < run->count; i++) {
		memcpy(text, run->words[i].text.data, run->words[i].text.size);
		text += run->words[i].text.size;
		*text++ = '\0';
	}
	shadow_word(a, again, "@", all, is_exact);
}

void tn_shell_arguments(struct tn_analyser *a, const struct tn_run *run, size_t from, bool again)
{
	static const char *const names[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};

	for (size_t i = 0; i < TN_COUNT(names) && from + i < run->count; i++)
		shadow_word(a, again, names[i], run->words[from + i],
			    !(run->words[from + i].flags & TN_WORD_UNKNOWN));
	if (from + 1 < run->count) {
		shadow_all(a, again, run, from + 1);
		shadow_word(a, again, "*", tn_run_join(a, run, from + 1, run->count), false);
	}
}

static void look_at_text(struct tn_analyser *a, const struct tn_run *run, size_t at)
{
	struct tn_shell_name *variables = a->variables;

	if (at >= run->count) {
		if (run->scope.more_words)
			tn_run_hidden(a, run, "a text for a shell is not known");
		return;
	}
	tn_shell_arguments(a, run, at + 1, false);
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
	if (tn_shell_option_is(option, "rcfile") || tn_shell_option_is(option, "init-file")) {
		tn_run_hidden(a, run, "a shell is told to begin with a file");
		tn_shell_script(a, run, &option->value);
	}
	if (tn_shell_option_is(option, "version") || tn_shell_option_is(option, "help"))
		s->ends = true;
}

/* ENV=file sh -i: an interactive shell begins with it. */
static void look_at_start_file(struct tn_analyser *a, const struct tn_run *run)
{
	struct tn_shell_name *known = tn_analysis_lookup(a->variables, TN_STR("ENV"));
	struct tn_word file = {.flags = 0};

	if (!known || known->busy)
		return;
	known->busy = true;
	file.text = known->value;
	tn_run_hidden(a, run, "a shell is told to begin with a file");
	if (file.text.data)
		tn_shell_script(a, run, &file);
	known->busy = false;
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
	look_at_start_file(a, run);
	if (s.text)
		look_at_text(a, run, s.options.at);
	else if (s.options.at < run->count && !s.input)
		tn_shell_script(a, run, &run->words[s.options.at]);
	else
		tn_shell_input(a, run);
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
		tn_shell_script(a, run, &run->words[options.at]);
	else
		tn_shell_input(a, run);
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
	struct tn_shell_name *aliases = a->aliases, *functions = a->functions;
	struct tn_run own = *run;
	size_t i = find_shell(name);

	if (i == TN_COUNT(shells))
		return false;
	own.scope.dialect = shells[i].dialect;
	if (shells[i].dialect == TN_DIALECT_FISH)
		look_at_fish(a, &own);
	else
		look_at_posix(a, &own);
	a->aliases = aliases; /* the shell around it does not have those */
	a->functions = functions;
	return true;
}

bool tn_shell_look(struct tn_analyser *a, const struct tn_run *run, struct tn_str name)
{
	return tn_builtin_look(a, run, name) || look_at_shell(a, run, name);
}
