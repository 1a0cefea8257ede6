#include "apps/terminal/policy/internal.h"

#include "base/size.h"

/* test -v, printf -v, read, unset, let, ...: each word may name a variable. */
static void look_at_names(struct tn_analyser *a, const struct tn_run *run)
{
	for (size_t i = 1; i < run->count; i++)
		tn_builtin_evaluate(a, &run->scope, run->words[i].text);
}

/* ---- eval and its kin ---- */

/* Nobody has given the name another meaning since the shell began. */
static bool is_the_program(const struct tn_analyser *a, struct tn_str name)
{
	struct tn_shell_name *const lists[] = {a->functions, a->aliases, a->copies};

	for (size_t i = 0; i < TN_COUNT(lists); i++) {
		const struct tn_shell_name *known = tn_analysis_lookup(lists[i], name);

		if (known && !known->from_start)
			return false;
	}
	return true;
}

/* `kubectl completion bash`, by what has such a command. */
static bool is_completion(const struct tn_analyser *a, const struct tn_simple_command *c)
{
	static const char names[] =
		"kubectl helm gh glab docker podman minikube kind k3d oc npm pnpm poetry flux "
		"argocd istioctl kubeadm k9s hugo cilium velero op rustup deno uv stern eksctl "
		"doctl flyctl volta just pip pip3 kustomize skaffold terraform tofu nerdctl crictl";

	return tn_analysis_is_one_of(c->path, names) && c->word_count > 0 && c->word_count <= 3 &&
	       c->word_is_known[0] &&
	       tn_analysis_is_one_of(c->words[0], "completion completions") &&
	       is_the_program(a, c->path);
}

/* As it is called everywhere, or from where its own guide has it. */
static bool is_called(const struct tn_simple_command *c, const char *name)
{
	static const char *const folders[] = {"/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/",
					      "/home/linuxbrew/.linuxbrew/bin/"};

	for (size_t i = 0; i < TN_COUNT(folders); i++) {
		if (tn_str_starts(c->path, tn_str_from(folders[i])) &&
		    tn_str_is(tn_str_from_offset(c->path, strlen(folders[i])), name))
			return true;
	}
	return tn_str_is(c->path, name);
}

/* All commands from the first on are what that one was seen to name in its words: the bash of
 * `starship init bash`. */
static bool is_only(const struct tn_analyser *a, size_t first, size_t end)
{
	for (size_t i = first + 1; i < end; i++) {
		if (!tn_str_equal(a->commands[i].wrapper, a->commands[first].name))
			return false;
	}
	return true;
}

/* What hooks a program into the shell: its first word says so, and nothing is run. */
static bool is_hook(const struct tn_analyser *a, const struct tn_simple_command *c)
{
	static const struct {
		const char *name, *verbs;
	} hooks[] = {
		{"direnv", "hook export"},
		{"starship", "init"},
		{"zoxide", "init"},
		{"atuin", "init"},
		{"mcfly", "init"},
		{"oh-my-posh", "init"},
		{"fnm", "env completions"},
		{"mise", "activate hook-env env completion"},
		{"pyenv", "init virtualenv-init"},
		{"rbenv", "init"},
		{"nodenv", "init"},
		{"opam", "env config"},
		{"brew", "shellenv"},
		{"luarocks", "path"},
		{"fzf", "--bash --zsh --fish"},
		{"thefuck", "--alias"},
		{"minikube", "docker-env podman-env"},
		{"docker-machine", "env"},
		{"conda", "shell.bash shell.zsh shell.posix"},
	};

	for (size_t i = 0; i < TN_COUNT(hooks); i++) {
		if (is_called(c, hooks[i].name))
			return c->word_count > 0 && c->word_is_known[0] &&
			       tn_analysis_is_one_of(c->words[0], hooks[i].verbs) &&
			       is_the_program(a, tn_str_from(hooks[i].name));
	}
	return false;
}

/* Programs whose output is made for eval, and is the same every time. */
static bool is_for_eval(const struct tn_analyser *a, const struct tn_simple_command *c)
{
	static const char *const names[] = {"ssh-agent", "dircolors", "lesspipe", "keychain",
					    "resize",    "asdf",      "rustup"};

	for (size_t i = 0; i < TN_COUNT(names); i++) {
		if (tn_str_is(c->path, names[i]))
			return (c->word_count > 0 || tn_str_is(c->name, "resize")) &&
			       is_the_program(a, c->path);
	}
	return false;
}

/* All that the words of the run are made of is the output of such a program. */
static bool is_made_for_eval(const struct tn_analyser *a, const struct tn_run *run)
{
	size_t first = run->scope.fed_from;
	const struct tn_simple_command *c;

	if (first >= run->index || run->index > a->count)
		return false;
	c = &a->commands[first];
	return (first + 1 == run->index && is_for_eval(a, c)) ||
	       (is_hook(a, c) && is_only(a, first, run->index));
}

static void look_at_eval(struct tn_analyser *a, const struct tn_run *run)
{
	size_t from = tn_run_word_is(run, 1, "--") ? 2 : 1;
	struct tn_word text = tn_run_join(a, run, from, run->count);

	if (!text.text.size && is_made_for_eval(a, run))
		tn_run_unknown(a, run, "a program says what the shell shall do");
	else
		tn_run_text(a, run, &text);
}

static void look_at_source(struct tn_analyser *a, const struct tn_run *run)
{
	size_t at = tn_run_word_is(run, 1, "--") ? 2 : 1;

	if (at >= run->count)
		return;
	if ((run->words[at].flags & TN_WORD_PROCESS) && run->index && run->index <= a->count &&
	    run->scope.fed_from + 1 >= run->index && is_completion(a, &a->commands[run->index - 1]))
		tn_run_unknown(a, run, "a program says what the shell shall do");
	else
		tn_shell_script(a, run, &run->words[at]);
}

static void look_at_trap(struct tn_analyser *a, const struct tn_run *run)
{
	size_t at = tn_run_word_is(run, 1, "--") ? 2 : 1;

	if (at + 1 >= run->count || tn_run_word_is(run, at, "-") || tn_run_word_is(run, at, "-p") ||
	    tn_run_word_is(run, at, "-l"))
		return;
	tn_run_text(a, run, &run->words[at]);
}

/* alias k=rm, used in a later text: alias rm='rm -i' is another matter. */
static void look_at_alias_body(struct tn_analyser *a, struct tn_str name, struct tn_str body)
{
	size_t end = 0;

	body = tn_str_trim(body);
	while (end < body.size && body.data[end] != ' ')
		end++;
	if (tn_code_destroys(tn_base_name(tn_str(body.data, end))) &&
	    !tn_str_equal(name, tn_str(body.data, end)))
		tn_analysis_hidden(a, "a program that destroys gets another name");
}

static void look_at_alias(struct tn_analyser *a, const struct tn_run *run)
{
	for (size_t i = 1; i < run->count; i++) {
		struct tn_word value = run->words[i];
		size_t equals = tn_str_find_byte(value.text, '=');

		if (value.text.size && value.text.data[0] == '-' &&
		    tn_str_find_byte(value.text, 'g') != TN_STR_NONE)
			tn_analysis_hidden(a, "an alias that holds everywhere in a line");
		if (equals == TN_STR_NONE)
			continue;
		if (!(value.flags & TN_WORD_UNKNOWN))
			tn_analysis_learn(a, &a->aliases, tn_str(value.text.data, equals),
					  tn_str_from_offset(value.text, equals + 1));
		look_at_alias_body(a, tn_str(value.text.data, equals),
				   tn_str_from_offset(value.text, equals + 1));
		value.text = tn_str_from_offset(value.text, equals + 1);
		tn_run_text(a, run, &value);
	}
	/* fish: alias NAME TEXT */
	if (run->count == 3 && run->scope.dialect == TN_DIALECT_FISH) {
		tn_analysis_learn(a, &a->aliases, run->words[1].text, run->words[2].text);
		look_at_alias_body(a, run->words[1].text, run->words[2].text);
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

		tn_builtin_evaluate(a, &run->scope, value.text);
		if (equals == TN_STR_NONE || equals == 0 || value.text.data[0] == '-')
			continue;
		value.text = tn_str_from_offset(value.text, equals + 1);
		tn_run_variable(a, &run->scope, name, value);
	}
}

/* set -- a b: $1, "$@" are what it says now, as far as we know. */
static void set_arguments(struct tn_analyser *a, const struct tn_run *run)
{
	size_t at = 1;

	while (at < run->count && run->words[at].text.size > 1 && !tn_run_word_is(run, at, "--") &&
	       strchr("-+", run->words[at].text.data[0]))
		at++;
	at += tn_run_word_is(run, at, "--");
	if (at < run->count)
		tn_shell_arguments(a, run, at - 1, true);
}

/* fish: set -gx NAME VALUE */
static void look_at_set(struct tn_analyser *a, const struct tn_run *run)
{
	size_t at = 1;

	if (run->scope.dialect != TN_DIALECT_FISH) {
		set_arguments(a, run);
		return;
	}
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
			tn_shell_script(a, run, &run->words[i + 1]);
			return;
		}
	}
	tn_shell_input(a, run);
}

/* bash: hash -p FILE NAME, enable -f FILE bring in code. */
static void look_at_loader(struct tn_analyser *a, const struct tn_run *run)
{
	for (size_t i = 1; i < run->count; i++) {
		if (tn_run_word_is(run, i, "-f"))
			tn_run_hidden(a, run, "it changes what commands do");
		if (!tn_run_word_is(run, i, "-p") || i + 2 >= run->count)
			continue;
		tn_run_hidden(a, run, "it changes what commands do");
		tn_analysis_learn(a, &a->copies, run->words[i + 2].text,
				  tn_base_name(run->words[i + 1].text));
	}
}

/* mapfile -C TEXT, complete -C TEXT, compgen -C TEXT, -F; compgen -W WORDS are expanded. */
static void look_at_callback(struct tn_analyser *a, const struct tn_run *run)
{
	look_at_names(a, run);
	for (size_t i = 1; i + 1 < run->count; i++) {
		if (tn_run_word_is(run, i, "-C"))
			tn_run_text(a, run, &run->words[i + 1]);
		if (tn_run_word_is(run, i, "-W"))
			tn_word_evaluate(a, &run->scope, run->words[i + 1].text);
	}
}

/* bind -x '"KEY": TEXT', bind '"KEY": "KEYS"' */
static void look_at_bind(struct tn_analyser *a, const struct tn_run *run)
{
	for (size_t i = 1; i < run->count; i++) {
		struct tn_word word = run->words[i];
		size_t colon = tn_str_find(word.text, TN_STR("\":"));
		struct tn_str text;

		if (tn_run_word_is(run, i, "-f") || tn_run_word_is(run, i, "-s"))
			tn_run_hidden(a, run, "it changes what keys do");
		if (colon == TN_STR_NONE)
			continue;
		text = tn_str_trim(tn_str_from_offset(word.text, colon + 2));
		if (tn_run_word_is(run, i - 1, "-x"))
			tn_run_text_str(a, run, text);
		else if (text.size && text.data[0] == '"')
			tn_run_hidden(a, run, "it changes what keys do");
		tn_code_look(a, run, text);
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
	{"mapfile", look_at_callback, false},
	{"readarray", look_at_callback, false},
	{"complete", look_at_callback, false},
	{"compgen", look_at_callback, false},
	{"bind", look_at_bind, false},
	{"bindkey", look_at_bind, false},
	{"test", look_at_names, false},
	{"[", look_at_names, false},
	{"printf", look_at_names, false},
	{"read", look_at_names, false},
	{"unset", look_at_names, false},
	{"wait", look_at_names, false},
	{"getopts", look_at_names, false},
	{"let", look_at_names, false},
};

bool tn_builtin_look(struct tn_analyser *a, const struct tn_run *run, struct tn_str name)
{
	for (size_t i = 0; i < TN_COUNT(builtins); i++) {
		if (!tn_str_is(name, builtins[i].name))
			continue;
		builtins[i].look(a, run);
		return !builtins[i].goes_on;
	}
	return false;
}
