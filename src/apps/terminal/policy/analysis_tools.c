#include "apps/terminal/policy/analysis_options.h"

#include "base/size.h"

static void skip_options(struct tn_shell_options *o)
{
	while (!tn_shell_options_next(o).is_end)
		;
}

/* ---- find, fd ---- */

static void look_at_find(struct tn_analyser *a, const struct tn_run *run)
{
	struct tn_scope scope = tn_run_scope(run);

	scope.reads_pipe = false;
	for (size_t i = 1; i < run->count; i++) {
		size_t end = i + 1;

		if (!tn_analysis_is_one_of(run->words[i].text, "-exec -execdir -ok -okdir"))
			continue;
		while (end < run->count && !tn_run_word_is(run, end, ";") &&
		       !(tn_run_word_is(run, end, "+") && tn_run_word_is(run, end - 1, "{}")))
			end++;
		if (tn_run_word_is(run, i + 1, "{}"))
			tn_run_hidden(a, run, "find runs what it finds");
		tn_run_inner_in(a, run, i + 1, end, &scope);
		i = end;
	}
}

static void look_at_fd(struct tn_analyser *a, const struct tn_run *run)
{
	for (size_t i = 1; i + 1 < run->count; i++) {
		if (tn_analysis_is_one_of(run->words[i].text, "-x -X --exec --exec-batch")) {
			tn_run_inner(a, run, i + 1);
			return;
		}
	}
}

/* ---- git ---- */

/* Settings whose value is a command. */
static bool runs_value(struct tn_str key)
{
	static const char names[] =
		"pager editor sshcommand fsmonitor external textconv command cmd "
		"helper askpass program driver process clean smudge";
	size_t dot = key.size;
	char last[32];

	while (dot > 0 && key.data[dot - 1] != '.')
		dot--;
	key = tn_str_from_offset(key, dot);
	if (key.size >= sizeof(last))
		return false;
	for (size_t i = 0; i < key.size; i++)
		last[i] = tn_to_lower(key.data[i]);
	return tn_analysis_is_one_of(tn_str(last, key.size), names);
}

static void look_at_setting(struct tn_analyser *a, const struct tn_run *run, struct tn_str key,
			    struct tn_word value)
{
	bool is_shell = value.text.size && value.text.data[0] == '!';

	if (is_shell)
		value.text = tn_str_from_offset(value.text, 1);
	else if ((value.flags & TN_WORD_UNKNOWN) && tn_str_starts(key, TN_STR("alias.")))
		tn_run_hidden(a, run, "an alias is made by an expansion");
	if (is_shell || runs_value(key))
		tn_run_text(a, run, &value);
	else if (tn_str_equal_nocase(key, TN_STR("core.hooksPath")) ||
		 tn_str_starts(key, TN_STR("include")))
		tn_run_hidden(a, run, "git is told where to find what it runs");
}

static void look_at_git_option(struct tn_analyser *a, const struct tn_run *run,
			       const struct tn_shell_option *option)
{
	struct tn_word value = option->value;
	size_t equals = tn_str_find_byte(value.text, '=');

	if (tn_str_is(option->name, "exec-path") && option->has_value)
		tn_run_hidden(a, run, "git is told where to find what it runs");
	if (option->letter != 'c' || equals == TN_STR_NONE)
		return;
	value.text = tn_str_from_offset(value.text, equals + 1);
	look_at_setting(a, run, tn_str(option->value.text.data, equals), value);
}

static void look_at_git_config(struct tn_analyser *a, const struct tn_run *run, size_t at)
{
	for (size_t i = at; i + 1 < run->count; i++) {
		struct tn_str key = run->words[i].text;

		if (tn_str_find_byte(key, '.') != TN_STR_NONE && key.data[0] != '-')
			look_at_setting(a, run, key, run->words[i + 1]);
	}
}

/* git rebase --exec TEXT, git difftool -x TEXT, git filter-branch --tree-filter TEXT */
static void look_at_git_texts(struct tn_analyser *a, const struct tn_run *run, size_t at)
{
	for (size_t i = at; i < run->count; i++) {
		struct tn_word value = run->words[i];
		size_t equals = tn_str_find_byte(value.text, '=');
		struct tn_str name =
			tn_str(value.text.data, equals == TN_STR_NONE ? value.text.size : equals);

		if (!tn_analysis_is_one_of(name,
					   "-x --exec --extcmd --upload-pack --receive-pack -u "
					   "--open-files-in-pager") &&
		    !(tn_str_starts(name, TN_STR("--")) && tn_str_ends(name, TN_STR("-filter"))))
			continue;
		if (equals != TN_STR_NONE)
			value.text = tn_str_from_offset(value.text, equals + 1);
		else if (i + 1 < run->count)
			value = run->words[i + 1];
		else
			continue;
		tn_run_text(a, run, &value);
	}
}

/* git clone 'ext::sh -c rm% -rf% x': blanks are written "% ". */
static void look_at_git_address(struct tn_analyser *a, const struct tn_run *run, struct tn_str text)
{
	char *copy;
	size_t size = 0;

	if (!tn_str_starts(text, TN_STR("ext::")))
		return;
	copy = tn_analysis_alloc(a, text.size, 1);
	for (size_t i = 5; copy && i < text.size; i++) {
		if (text.data[i] != '%')
			copy[size++] = text.data[i];
	}
	tn_run_hidden(a, run, "git is given a command for an address");
	if (copy)
		tn_run_text_str(a, run, tn_str(copy, size));
}

static void look_at_git(struct tn_analyser *a, const struct tn_run *run)
{
	static const struct tn_shell_option_grammar grammar = {
		"cC", "git-dir work-tree namespace exec-path super-prefix config-env"};
	struct tn_shell_options options = {.run = run, .grammar = &grammar, .at = 1};
	struct tn_shell_option option;
	struct tn_word text;
	size_t at;

	while (!(option = tn_shell_options_next(&options)).is_end)
		look_at_git_option(a, run, &option);
	at = options.at;
	if (at >= run->count)
		return;
	for (size_t i = at; i < run->count; i++)
		look_at_git_address(a, run, run->words[i].text);
	if (tn_run_word_is(run, at, "config"))
		look_at_git_config(a, run, at + 1);
	else if (tn_run_word_is(run, at, "bisect") && tn_run_word_is(run, at + 1, "run"))
		tn_run_inner(a, run, at + 2);
	else if (tn_run_word_is(run, at, "submodule") && tn_run_word_is(run, at + 1, "foreach")) {
		at += tn_run_word_is(run, at + 2, "--recursive") ? 3 : 2;
		text = tn_run_join(a, run, at, run->count);
		tn_run_text(a, run, &text);
	} else if (tn_analysis_is_one_of(
			   run->words[at].text,
			   "rebase difftool mergetool filter-branch clone fetch pull push "
			   "ls-remote archive grep"))
		look_at_git_texts(a, run, at + 1);
}

/* ---- ssh ---- */

static void look_at_ssh_setting(struct tn_analyser *a, const struct tn_run *run,
				struct tn_word value)
{
	struct tn_str name = tn_str_trim(value.text);
	size_t at = 0;

	/* "name=value", or with blanks between as in its files. */
	while (at < name.size && !strchr("= \t", name.data[at]))
		at++;
	value.text = tn_str_from_offset(name, at < name.size ? at + 1 : at);
	name.size = at;
	if (tn_str_equal_nocase(name, TN_STR("ProxyCommand")) ||
	    tn_str_equal_nocase(name, TN_STR("LocalCommand")) ||
	    tn_str_equal_nocase(name, TN_STR("RemoteCommand")) ||
	    tn_str_equal_nocase(name, TN_STR("KnownHostsCommand")))
		tn_run_text(a, run, &value);
}

/* What runs over there is looked at as if it ran here: harm is harm. */
static void look_at_ssh(struct tn_analyser *a, const struct tn_run *run)
{
	static const struct tn_shell_option_grammar grammar = {"BbcDEeFIiJLlmOopQRSWw", NULL};
	struct tn_shell_options options = {.run = run, .grammar = &grammar, .at = 1};
	struct tn_run own = *run;
	struct tn_shell_option option;
	struct tn_word text;
	size_t operands = 0, at = 1;

	own.scope.dialect = TN_DIALECT_BASH;
	while (operands < 2) { /* options may stand behind the host, too */
		while (!(option = tn_shell_options_next(&options)).is_end) {
			if (option.letter == 'o')
				look_at_ssh_setting(a, run, option.value);
		}
		at = options.at;
		operands++;
		if (operands < 2)
			options.at++;
	}
	if (at < run->count) {
		text = tn_run_join(a, run, at, run->count);
		tn_run_text(a, &own, &text);
	} else if (run->count > 1 && (run->input_redirected || run->scope.reads_pipe)) {
		tn_run_input(a, &own);
	}
}

/* ---- containers ---- */

#define CONTAINER_VALUES "eupvwhlmac"
#define CONTAINER_LONG                                                                           \
	"env user workdir env-file detach-keys name volume publish network hostname entrypoint " \
	"label mount memory cpus restart platform add-host cap-add cap-drop device dns expose "  \
	"ip link log-driver log-opt pid ipc uts userns security-opt shm-size tmpfs ulimit "      \
	"volumes-from pull runtime gpus index scale"

static void look_at_container(struct tn_analyser *a, const struct tn_run *run)
{
	static const struct tn_shell_option_grammar global = {
		"Hclfp", "host config context log-level file project-name profile"};
	static const struct tn_shell_option_grammar own = {CONTAINER_VALUES, CONTAINER_LONG};
	struct tn_shell_options options = {.run = run, .grammar = &global, .at = 1};
	struct tn_scope scope = tn_run_scope(run);
	struct tn_shell_option option;

	skip_options(&options);
	while (options.at < run->count &&
	       tn_analysis_is_one_of(run->words[options.at].text, "container compose")) {
		options.at++;
		skip_options(&options);
	}
	if (options.at >= run->count ||
	    !tn_analysis_is_one_of(run->words[options.at].text, "exec run create"))
		return;
	options.at++;
	options.grammar = &own;
	while (!(option = tn_shell_options_next(&options)).is_end) {
		if (tn_str_is(option.name, "entrypoint") && option.has_value)
			tn_run_text(a, run, &option.value);
	}
	tn_run_inner_in(a, run, options.at + 1, run->count, &scope);
}

/* kubectl exec POD -- COMMAND, and others that put it behind -- */
static void look_behind_dashes(struct tn_analyser *a, const struct tn_run *run)
{
	for (size_t i = 1; i + 1 < run->count; i++) {
		if (tn_run_word_is(run, i, "--")) {
			tn_run_inner(a, run, i + 1);
			return;
		}
	}
}

/* poetry run COMMAND, bundle exec COMMAND */
static void look_behind_verb(struct tn_analyser *a, const struct tn_run *run)
{
	static const struct tn_shell_option_grammar grammar = {
		"pn", "project directory name with python"};

	for (size_t i = 1; i + 1 < run->count; i++) {
		struct tn_shell_options options = {.run = run, .grammar = &grammar, .at = i + 1};

		if (!tn_analysis_is_one_of(run->words[i].text, "run exec x"))
			continue;
		skip_options(&options);
		tn_run_inner(a, run, options.at);
		break;
	}
	tn_code_look(a, run, tn_run_fed_text(a, run));
}

/* ---- parallel ---- */

static void look_at_parallel(struct tn_analyser *a, const struct tn_run *run)
{
	static const struct tn_shell_option_grammar grammar = {
		"jSaCIUNLnPsdE", "jobs sshlogin arg-file colsep max-args max-procs delay joblog "
				 "results timeout retries tmpdir workdir halt"};
	struct tn_shell_options options = {.run = run, .grammar = &grammar, .at = 1};
	size_t end;
	struct tn_word text;

	skip_options(&options);
	end = options.at;
	while (end < run->count && !tn_str_starts(run->words[end].text, TN_STR(":::")))
		end++;
	if (end > options.at) {
		text = tn_run_join(a, run, options.at, end);
		if (tn_str_starts(text.text, TN_STR("{")))
			tn_run_hidden(a, run, "a program is named by what parallel reads");
		tn_run_text(a, run, &text);
		return;
	}
	if (end == run->count)
		tn_run_hidden(a, run, "parallel runs what it reads");
	for (size_t i = end + 1; i < run->count; i++)
		tn_run_text(a, run, &run->words[i]);
}

/* ---- options whose value is a command ---- */

static const struct {
	const char *program, *names;
} command_options[] = {
	{"tar", "-I --use-compress-program --to-command --rsh-command --info-script -F"},
	{"rsync", "-e --rsh --rsync-path"},
	{"scp", "-S"},
	{"sftp", "-S -D"},
	{"man", "-P --pager"},
	{"split", "--filter"},
	{"sort", "--compress-program"},
	{"grep", "--pager"},
	{"rg", "--pre --hostname-bin"},
	{"wget", "--use-askpass"},
	{"zip", "-TT --unzip-command"},
	{"tcpdump", "-z --postrotate-command"},
	{"git-lfs", "--exec"},
};

static void look_at_option_texts(struct tn_analyser *a, const struct tn_run *run, const char *names)
{
	for (size_t i = 1; i < run->count; i++) {
		struct tn_word value = run->words[i];
		size_t equals = tn_str_find_byte(value.text, '=');
		struct tn_str name =
			tn_str(value.text.data, equals == TN_STR_NONE ? value.text.size : equals);
		size_t exec = tn_str_find(value.text, TN_STR("exec="));

		if (tn_str_starts(name, TN_STR("--checkpoint-action")) && exec != TN_STR_NONE)
			value.text = tn_str_from_offset(value.text, exec + 5);
		else if (!tn_analysis_is_one_of(name, names))
			continue;
		else if (equals != TN_STR_NONE)
			value.text = tn_str_from_offset(value.text, equals + 1);
		else if (i + 1 < run->count)
			value = run->words[i + 1];
		tn_run_text(a, run, &value);
	}
}

/* ---- tmux, screen: they type into other shells ---- */

static void look_at_tmux(struct tn_analyser *a, const struct tn_run *run)
{
	static const struct tn_shell_option_grammar global = {"cfLST", NULL};
	static const struct tn_shell_option_grammar own = {"cefFnstTxy", NULL};
	struct tn_shell_options options = {.run = run, .grammar = &global, .at = 1};
	struct tn_shell_option option;
	struct tn_word text;

	while (!(option = tn_shell_options_next(&options)).is_end) {
		if (option.letter == 'c' && option.has_value)
			tn_run_text(a, run, &option.value);
	}
	if (options.at >= run->count ||
	    !tn_analysis_is_one_of(
		    run->words[options.at].text,
		    "new-session new new-window neww split-window splitw respawn-pane "
		    "respawnp respawn-window respawnw run-shell run if-shell if send-keys "
		    "send pipe-pane pipep popup display-popup"))
		return;
	options.at++;
	options.grammar = &own;
	skip_options(&options);
	/* split-window -l 10 TEXT, but send-keys -l TEXT */
	while (options.at < run->count && run->words[options.at].text.size &&
	       tn_is_digit(run->words[options.at].text.data[0]))
		options.at++;
	if (options.at >= run->count)
		return;
	text = tn_run_join(a, run, options.at, run->count);
	tn_run_text(a, run, &text);
}

/* npx PACKAGE, npm exec -c TEXT, pnpm dlx PACKAGE: a package is fetched, and run by its name. */
static void look_at_package(struct tn_analyser *a, const struct tn_run *run, size_t from)
{
	static const struct tn_shell_option_grammar grammar = {
		"pc", "package call with from python spec"};
	struct tn_shell_options options = {.run = run, .grammar = &grammar, .at = from};
	struct tn_shell_option option;

	while (!(option = tn_shell_options_next(&options)).is_end) {
		if (option.has_value && (option.letter == 'c' || tn_str_is(option.name, "call")))
			tn_run_text(a, run, &option.value);
	}
	tn_run_inner(a, run, options.at);
}

static void look_at_npx(struct tn_analyser *a, const struct tn_run *run)
{
	look_at_package(a, run, 1);
}

static void look_at_npm(struct tn_analyser *a, const struct tn_run *run)
{
	for (size_t i = 1; i < run->count; i++) {
		if (tn_analysis_is_one_of(run->words[i].text, "exec x dlx node")) {
			look_at_package(a, run, i + !tn_run_word_is(run, i, "node"));
			return;
		}
		if (tn_analysis_is_one_of(run->words[i].text, "run run-script"))
			return; /* a script of the project */
		if (tn_analysis_is_one_of(run->words[i].text, "-e --eval -p --print") &&
		    i + 1 < run->count) {
			tn_run_unknown(a, run,
				       "a program in another language stands in an argument");
			tn_code_look(a, run, run->words[i + 1].text);
		}
	}
	tn_words_look_at_texts(a, run);
}

static void look_at_crontab(struct tn_analyser *a, const struct tn_run *run)
{
	for (size_t i = 1; i < run->count; i++) {
		if (tn_analysis_is_one_of(run->words[i].text, "-l -r -e"))
			return;
	}
	tn_code_look(a, run, tn_run_fed_text(a, run));
	if (run->input_redirected || run->scope.reads_pipe)
		tn_run_hidden(a, run, "a table of jobs is read from elsewhere");
	tn_run_unknown(a, run, "a table of jobs that run later");
}

/* XDG_CONFIG_HOME=/tmp/x tenon up: with another policy. */
static void look_at_tenon(struct tn_analyser *a, const struct tn_run *run)
{
	static const char *const names[] = {"HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR",
					    "XDG_STATE_HOME"};

	for (size_t i = 0; i < TN_COUNT(names); i++) {
		const struct tn_shell_name *known =
			tn_analysis_lookup(a->variables, tn_str_from(names[i]));

		if (known && !known->from_start)
			tn_run_hidden(a, run, "Tenon is told where its settings are");
	}
}

/* ---- the table ---- */

static const struct {
	const char *names;
	void (*look)(struct tn_analyser *a, const struct tn_run *run);
} tools[] = {
	{"find gfind", look_at_find},
	{"fd fdfind", look_at_fd},
	{"git", look_at_git},
	{"ssh autossh mosh", look_at_ssh},
	{"docker podman nerdctl docker-compose podman-compose", look_at_container},
	{"kubectl oc lxc incus wsl nomad", look_behind_dashes},
	{"poetry bundle uv pipenv pdm hatch rye conda mamba composer", look_behind_verb},
	{"npx pnpx bunx uvx", look_at_npx},
	{"npm pnpm yarn bun", look_at_npm},
	{"parallel", look_at_parallel},
	{"tmux", look_at_tmux},
	{"crontab", look_at_crontab},
};

bool tn_tool_look(struct tn_analyser *a, const struct tn_run *run, struct tn_str name)
{
	if (tn_analysis_is_one_of(name, "tenon tenond"))
		look_at_tenon(a, run);
	for (size_t i = 0; i < TN_COUNT(tools); i++) {
		if (tn_analysis_is_one_of(name, tools[i].names)) {
			tools[i].look(a, run);
			return true;
		}
	}
	for (size_t i = 0; i < TN_COUNT(command_options); i++) {
		if (tn_str_is(name, command_options[i].program)) {
			look_at_option_texts(a, run, command_options[i].names);
			if (!tn_str_is(name, "grep") && !tn_str_is(name, "rg"))
				tn_words_look_at_texts(a, run);
			return true;
		}
	}
	return false;
}
