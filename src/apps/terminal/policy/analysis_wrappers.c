#include "apps/terminal/policy/analysis_options.h"

#include "base/size.h"

/* ---- the table ---- */

enum {
	PRIVILEGED = 1,
	ASSIGNS = 2,         /* NAME=value words before the program */
	JOINS = 4,           /* what it runs is a text for a shell, in several words */
	DASH = 8,            /* "-" is an option */
	ADDS_WORDS = 16,     /* it runs the program with words that it reads */
	IS_SHELL = 32,       /* without a program it is a shell */
	NEEDS_DASHES = 64,   /* the program stands behind -- only */
	TEXT_AND_WORDS = 128 /* words behind a text are its arguments */
};

struct wrapper {
	const char *name;
	struct tn_shell_option_grammar grammar;
	unsigned how;
	unsigned operands;      /* words before the program */
	const char *stops;      /* letters: nothing is run */
	const char *texts;      /* letters whose value is a text for a shell */
	const char *long_texts; /* names whose value is one */
	const char *direct;     /* a letter and a name: a program follows, no text */
};

#define SUDO_LONG                                                                              \
	"auth-type chdir chroot close-from command-timeout group host login-class other-user " \
	"preserve-env prompt role type user"

static const struct wrapper wrappers[] = {
	{.name = "env",
	 .grammar = {.values = "uCSa", .long_values = "unset chdir split-string argv0"},
	 .how = ASSIGNS | DASH | TEXT_AND_WORDS,
	 .texts = "S",
	 .long_texts = "split-string"},
	{.name = "command", .stops = "vV"},
	{.name = "builtin"},
	{.name = "noglob"},
	{.name = "nocorrect"},
	{.name = "-"},
	{.name = "repeat", .operands = 1},
	{.name = "exec", .grammar = {.values = "a"}},
	{.name = "nohup"},
	{.name = "setsid"},
	{.name = "nice", .grammar = {.values = "n", .long_values = "adjustment"}},
	{.name = "ionice",
	 .grammar = {.values = "cn", .long_values = "class classdata"},
	 .stops = "pPu"},
	{.name = "chrt",
	 .grammar = {.values = "TPD", .long_values = "sched-runtime sched-period sched-deadline"},
	 .operands = 1,
	 .stops = "pm"},
	{.name = "taskset", .operands = 1, .stops = "p"},
	{.name = "numactl",
	 .grammar = {.values = "iNmCPp",
		     .long_values = "interleave cpunodebind membind physcpubind preferred"},
	 .stops = "sH"},
	{.name = "time", .grammar = {.values = "fo", .long_values = "format output"}},
	{.name = "timeout",
	 .grammar = {.values = "ks", .long_values = "kill-after signal"},
	 .operands = 1},
	{.name = "stdbuf", .grammar = {.values = "ioe", .long_values = "input output error"}},
	{.name = "unbuffer"},
	{.name = "sudo",
	 .grammar = {.values = "CDghpRrTtUu", .long_values = SUDO_LONG},
	 .how = PRIVILEGED | ASSIGNS | IS_SHELL,
	 .stops = "lvkKVe"},
	{.name = "doas", .grammar = {.values = "Cu"}, .how = PRIVILEGED | IS_SHELL, .stops = "L"},
	{.name = "run0",
	 .grammar = {.values = "ugD", .long_values = "user group chdir unit property nice setenv"},
	 .how = PRIVILEGED},
	{.name = "pkexec", .grammar = {.long_values = "user"}, .how = PRIVILEGED},
	{.name = "su",
	 .grammar =
		 {.values = "csgGwT",
		  .long_values =
			  "command shell group supp-group whitelist-environment session-command"},
	 .how = PRIVILEGED | IS_SHELL | DASH | NEEDS_DASHES,
	 .texts = "c",
	 .long_texts = "command session-command"},
	{.name = "runuser",
	 .grammar = {.values = "csgGuwT",
		     .long_values = "command shell group supp-group user session-command"},
	 .how = PRIVILEGED | IS_SHELL | DASH | NEEDS_DASHES,
	 .texts = "c",
	 .long_texts = "command session-command",
	 .direct = "uuser"},
	{.name = "gosu", .how = PRIVILEGED, .operands = 1},
	{.name = "setpriv",
	 .grammar = {.long_values =
			     "reuid regid ruid euid rgid egid groups inh-caps ambient-caps "
			     "bounding-set securebits pdeathsig selinux-label apparmor-profile"},
	 .stops = "d"},
	{.name = "sg",
	 .grammar = {.values = "c"},
	 .how = IS_SHELL | JOINS,
	 .operands = 1,
	 .texts = "c"},
	{.name = "chroot",
	 .grammar = {.long_values = "userspec groups"},
	 .how = IS_SHELL,
	 .operands = 1},
	{.name = "nsenter",
	 .grammar = {.values = "tSGW", .long_values = "target setuid setgid"},
	 .how = IS_SHELL},
	{.name = "unshare",
	 .grammar = {.values = "RwSG",
		     .long_values = "root wd setuid setgid propagation setgroups map-user "
				    "map-group map-users map-groups boottime monotonic"},
	 .how = IS_SHELL},
	{.name = "xargs",
	 .grammar = {.values = "adEILnPs",
		     .long_values = "arg-file delimiter max-args max-procs max-chars eof"},
	 .how = ADDS_WORDS},
	{.name = "watch",
	 .grammar = {.values = "nq", .long_values = "interval equexit"},
	 .how = JOINS,
	 .direct = "xexec"},
	{.name = "strace", .grammar = {.values = "aeEIobOpPsSuUX", .long_values = "output"}},
	{.name = "ltrace", .grammar = {.values = "aAeFlnopsSuwx", .long_values = "output"}},
	{.name = "valgrind"},
	{.name = "catchsegv"},
	{.name = "fakeroot",
	 .grammar = {.values = "lsbiu", .long_values = "lib faked save load"},
	 .how = IS_SHELL},
	{.name = "proot", .grammar = {.values = "rbqkw"}, .how = IS_SHELL},
	{.name = "flock",
	 .grammar = {.values = "wEc", .long_values = "timeout wait conflict-exit-code command"},
	 .operands = 1,
	 .texts = "c",
	 .long_texts = "command"},
	{.name = "script",
	 .grammar = {.values = "cEIoOBTmt",
		     .long_values = "command echo log-in log-out log-io log-timing logging-format"},
	 .how = IS_SHELL | NEEDS_DASHES,
	 .texts = "c",
	 .long_texts = "command"},
	{.name = "systemd-run",
	 .grammar = {.values = "upHMtd",
		     .long_values = "unit property description slice host machine uid gid nice "
				    "working-directory setenv on-calendar on-active"},
	 .how = PRIVILEGED},
	{.name = "systemd-inhibit", .grammar = {.long_values = "what who why mode"}},
	{.name = "dbus-run-session", .grammar = {.long_values = "config-file dbus-daemon"}},
	{.name = "xvfb-run",
	 .grammar = {.values = "enfpsw",
		     .long_values =
			     "error-file server-num auth-file xauth-protocol server-args wait"}},
	{.name = "busybox"},
	{.name = "toybox"},
	{.name = "prlimit", .grammar = {.values = "po", .long_values = "pid output"}, .stops = "p"},
	{.name = "cpulimit",
	 .grammar = {.values = "lpe", .long_values = "limit pid exe"},
	 .stops = "p"},
	{.name = "caffeinate", .grammar = {.values = "tw"}},
	{.name = "entr", .how = ADDS_WORDS},
	{.name = "firejail", .how = IS_SHELL},
	{.name = "faketime", .grammar = {.values = "fp"}, .operands = 1},
	{.name = "chronic"},
	{.name = "ts"},
	{.name = "xterm",
	 .grammar = {.values = "eT"},
	 .how = NEEDS_DASHES | TEXT_AND_WORDS,
	 .texts = "e"},
	{.name = "nix-shell",
	 .grammar = {.values = "pIA", .long_values = "run command packages attr"},
	 .how = NEEDS_DASHES,
	 .long_texts = "run command"},
	{.name = "ssh-agent", .grammar = {.values = "aEPt"}, .stops = "kcs"},
	{.name = "machinectl",
	 .grammar = {.values = "M", .long_values = "machine uid"},
	 .how = NEEDS_DASHES},
};

static const struct wrapper *find_wrapper(struct tn_str name)
{
	for (size_t i = 0; i < TN_COUNT(wrappers); i++) {
		if (tn_str_is(name, wrappers[i].name))
			return &wrappers[i];
	}
	return NULL;
}

/* ---- looking ---- */

static bool is_assignment(struct tn_str text)
{
	size_t equals = tn_str_find_byte(text, '=');

	if (equals == TN_STR_NONE || equals == 0 || tn_is_digit(text.data[0]))
		return false;
	for (size_t i = 0; i < equals; i++) {
		if (!tn_is_alpha(text.data[i]) && !tn_is_digit(text.data[i]) && text.data[i] != '_')
			return false;
	}
	return true;
}

static size_t skip_assignments(struct tn_analyser *a, const struct tn_run *run, size_t at)
{
	while (at < run->count && is_assignment(run->words[at].text)) {
		struct tn_word value = run->words[at];
		size_t equals = tn_str_find_byte(value.text, '=');
		struct tn_str name = tn_str(value.text.data, equals);

		value.text = tn_str_from_offset(value.text, equals + 1);
		tn_run_variable(a, &run->scope, name, value);
		at++;
	}
	return at;
}

/* The words into which xargs puts what it reads: {} or what -I says. */
static struct tn_run replaced(struct tn_analyser *a, const struct tn_run *run, size_t from,
			      struct tn_str mark)
{
	struct tn_word *words = tn_analysis_alloc(a, run->count, sizeof(*words));
	struct tn_run copy = *run;

	if (!words)
		return copy;
	memcpy(words, run->words, run->count * sizeof(*words));
	for (size_t i = from; i < run->count; i++) {
		size_t at = tn_str_find(words[i].text, mark);

		if (at != TN_STR_NONE)
			words[i].flags |= TN_WORD_UNKNOWN | TN_WORD_EXPANDED | TN_WORD_ENDS |
					  (at == 0 ? TN_WORD_BEGINS : 0);
	}
	copy.words = words;
	return copy;
}

struct looking {
	const struct wrapper *w;
	struct tn_shell_options options;
	struct tn_str mark; /* xargs -I */
	bool stopped, has_text;
	bool direct; /* what looks like a text is a program and its words */
};

static bool is_text_option(const struct wrapper *w, const struct tn_shell_option *option)
{
	if (option->letter)
		return w->texts && strchr(w->texts, option->letter) != NULL;
	return w->long_texts && tn_shell_option_is_listed(w->long_texts, option->name);
}

static void look_at_option_text(struct tn_analyser *a, const struct tn_run *run, struct looking *l,
				const struct tn_shell_option *option)
{
	struct tn_run inner = *run;

	inner.scope = tn_run_scope(run);
	inner.scope.privileged = inner.scope.privileged || (l->w->how & PRIVILEGED);
	l->has_text = true;
	tn_run_text_flags(a, run, option->value.flags);
	tn_run_text_with(a, &inner, option->value.text,
			 l->w->how & TEXT_AND_WORDS ? l->options.at : run->count);
}

/* xargs -I{}, -i, --replace */
static void take_mark(struct looking *l, const struct tn_shell_option *option)
{
	if (option->letter != 'I' && option->letter != 'i' &&
	    !tn_shell_option_is(option, "replace"))
		return;
	l->mark = option->has_value ? option->value.text : TN_STR("{}");
}

static void take_option(struct tn_analyser *a, const struct tn_run *run, struct looking *l,
			const struct tn_shell_option *option)
{
	const struct wrapper *w = l->w;

	if (option->letter && w->stops && strchr(w->stops, option->letter))
		l->stopped = true;
	if (option->has_value && is_text_option(w, option))
		look_at_option_text(a, run, l, option);
	if (w->how & ADDS_WORDS)
		take_mark(l, option);
	/* watch -x, runuser -u */
	if (w->direct &&
	    (option->letter == w->direct[0] || tn_shell_option_is(option, w->direct + 1)))
		l->direct = true;
}

/* It starts a shell for whoever types, or for what is fed to it. */
static void look_at_shell(struct tn_analyser *a, const struct tn_run *run, const struct wrapper *w)
{
	struct tn_run own = *run;

	if (!(w->how & IS_SHELL))
		return;
	own.scope.privileged = own.scope.privileged || (w->how & PRIVILEGED);
	if (run->index < a->count)
		a->commands[run->index].reads_terminal = true;
	if (run->input_redirected || run->scope.reads_pipe)
		tn_run_input(a, &own);
}

static void look_inside(struct tn_analyser *a, const struct tn_run *run, struct looking *l,
			size_t at)
{
	const struct wrapper *w = l->w;
	struct tn_scope scope = tn_run_scope(run);
	struct tn_run own = *run;

	scope.privileged = scope.privileged || (w->how & PRIVILEGED);
	if ((w->how & ADDS_WORDS) && !l->mark.size)
		scope.more_words = 1;
	if (l->mark.size)
		own = replaced(a, run, at, l->mark);
	if ((w->how & JOINS) && !l->direct) {
		struct tn_word text = tn_run_join(a, &own, at, own.count);

		own.scope = scope;
		tn_run_text(a, &own, &text);
		return;
	}
	if (w->how & ADDS_WORDS) { /* it keeps what it reads to itself */
		own.input_redirected = false;
		scope.reads_pipe = false;
	}
	tn_run_inner_in(a, &own, at, own.count, &scope);
}

/* flock FILE -c 'text', su USER -c 'text': options behind the operand count, too. */
static bool find_late_text(struct tn_analyser *a, const struct tn_run *run, struct looking *l,
			   size_t at)
{
	struct tn_shell_option option;

	l->options.at = at;
	while ((l->w->how & NEEDS_DASHES) && !l->direct && l->options.at < run->count &&
	       !tn_str_starts(run->words[l->options.at].text, TN_STR("-")))
		l->options.at++;
	while (!l->has_text && !(option = tn_shell_options_next(&l->options)).is_end)
		take_option(a, run, l, &option);
	return l->has_text;
}

/* Behind the options: what is still before the program. */
static void look_behind_options(struct tn_analyser *a, const struct tn_run *run, struct looking *l)
{
	unsigned how = l->w->how;
	size_t at = l->options.at;
	bool dashes = at > 1 && tn_run_word_is(run, at - 1, "--");

	while ((how & DASH) && tn_run_word_is(run, at, "-"))
		at++;
	if (how & ASSIGNS)
		at = skip_assignments(a, run, at);
	at += l->w->operands;
	if (l->w->texts && at < run->count && find_late_text(a, run, l, at))
		return;
	if (at >= run->count || ((how & NEEDS_DASHES) && !dashes && !l->direct))
		look_at_shell(a, run, l->w);
	else
		look_inside(a, run, l, at);
}

bool tn_wrapper_look(struct tn_analyser *a, const struct tn_run *run, struct tn_str name)
{
	struct looking l = {.w = find_wrapper(name)};
	struct tn_shell_option option;

	if (!l.w)
		return false;
	l.options = (struct tn_shell_options){.run = run, .grammar = &l.w->grammar, .at = 1};
	while (!(option = tn_shell_options_next(&l.options)).is_end)
		take_option(a, run, &l, &option);
	if (!l.stopped && !l.has_text)
		look_behind_options(a, run, &l);
	return true;
}
