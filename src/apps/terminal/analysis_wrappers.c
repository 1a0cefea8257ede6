#include "apps/terminal/analysis_parts.h"

#include "base/size.h"

/* ---- options ---- */

/* getopt takes an unambiguous beginning of a long name for the whole. */
static bool is_listed(const char *list, struct tn_str name)
{
	while (list && *list) {
		size_t size = strcspn(list, " ");

		if (name.size >= 2 && tn_str_starts(tn_str(list, size), name))
			return true;
		list += size;
		list += *list == ' ';
	}
	return false;
}

bool tn_option_is(const struct tn_option *option, const char *name)
{
	return option->name.size >= 2 && tn_str_starts(tn_str_from(name), option->name);
}

static struct tn_option long_option(struct tn_options *o, const struct tn_word *word)
{
	struct tn_option option = {.name = tn_str_from_offset(word->text, 2)};
	size_t equals = tn_str_find_byte(option.name, '=');

	o->at++;
	if (equals != TN_STR_NONE) {
		option.has_value = true;
		option.value.text = tn_str_from_offset(option.name, equals + 1);
		option.value.flags = word->flags;
		option.name.size = equals;
	} else if (is_listed(o->grammar->long_values, option.name) && o->at < o->run->count) {
		option.has_value = true;
		option.value = o->run->words[o->at++];
	}
	return option;
}

static struct tn_option short_option(struct tn_options *o, const struct tn_word *word)
{
	struct tn_option option = {.letter = word->text.data[o->letter++]};
	const char *values = o->grammar->values ? o->grammar->values : "";

	if (strchr(values, option.letter)) {
		option.value.text = tn_str_from_offset(word->text, o->letter);
		option.value.flags = word->flags;
		option.has_value = true;
		o->letter = 0;
		o->at++;
		if (!option.value.text.size) {
			option.has_value = o->at < o->run->count;
			if (option.has_value)
				option.value = o->run->words[o->at++];
		}
	} else if (o->letter >= word->text.size) {
		o->letter = 0;
		o->at++;
	}
	return option;
}

struct tn_option tn_options_next(struct tn_options *o)
{
	static const struct tn_option end = {.is_end = true};
	const struct tn_word *word;

	if (o->at >= o->run->count)
		return end;
	word = &o->run->words[o->at];
	if (o->letter)
		return short_option(o, word);
	if (word->text.size < 2 || word->text.data[0] != '-')
		return end;
	if (tn_str_is(word->text, "--")) {
		o->at++;
		return end;
	}
	if (word->text.data[1] == '-')
		return long_option(o, word);
	o->letter = 1;
	return short_option(o, word);
}

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
	struct tn_option_grammar grammar;
	unsigned how;
	unsigned operands;      /* words before the program */
	const char *stops;      /* letters: nothing is run */
	const char *texts;      /* letters whose value is a text for a shell */
	const char *long_texts; /* names whose value is one */
};

#define SUDO_LONG                                                                              \
	"auth-type chdir chroot close-from command-timeout group host login-class other-user " \
	"preserve-env prompt role type user"

static const struct wrapper wrappers[] = {
	{"env",
	 {"uCSa", "unset chdir split-string argv0"},
	 ASSIGNS | DASH | TEXT_AND_WORDS,
	 0,
	 NULL,
	 "S",
	 "split-string"},
	{"command", {NULL, NULL}, 0, 0, "vV", NULL, NULL},
	{"builtin", {NULL, NULL}, 0, 0, NULL, NULL, NULL},
	{"noglob", {NULL, NULL}, 0, 0, NULL, NULL, NULL},
	{"nocorrect", {NULL, NULL}, 0, 0, NULL, NULL, NULL},
	{"-", {NULL, NULL}, 0, 0, NULL, NULL, NULL},
	{"repeat", {NULL, NULL}, 0, 1, NULL, NULL, NULL},
	{"exec", {"a", NULL}, 0, 0, NULL, NULL, NULL},
	{"nohup", {NULL, NULL}, 0, 0, NULL, NULL, NULL},
	{"setsid", {NULL, NULL}, 0, 0, NULL, NULL, NULL},
	{"nice", {"n", "adjustment"}, 0, 0, NULL, NULL, NULL},
	{"ionice", {"cn", "class classdata"}, 0, 0, "pPu", NULL, NULL},
	{"chrt", {"TPD", "sched-runtime sched-period sched-deadline"}, 0, 1, "pm", NULL, NULL},
	{"taskset", {NULL, NULL}, 0, 1, "p", NULL, NULL},
	{"numactl",
	 {"iNmCPp", "interleave cpunodebind membind physcpubind preferred"},
	 0,
	 0,
	 "sH",
	 NULL,
	 NULL},
	{"time", {"fo", "format output"}, 0, 0, NULL, NULL, NULL},
	{"timeout", {"ks", "kill-after signal"}, 0, 1, NULL, NULL, NULL},
	{"stdbuf", {"ioe", "input output error"}, 0, 0, NULL, NULL, NULL},
	{"unbuffer", {NULL, NULL}, 0, 0, NULL, NULL, NULL},
	{"sudo",
	 {"CDghpRrTtUu", SUDO_LONG},
	 PRIVILEGED | ASSIGNS | IS_SHELL,
	 0,
	 "lvkKVe",
	 NULL,
	 NULL},
	{"doas", {"Cu", NULL}, PRIVILEGED | IS_SHELL, 0, "L", NULL, NULL},
	{"run0",
	 {"ugD", "user group chdir unit property nice setenv"},
	 PRIVILEGED,
	 0,
	 NULL,
	 NULL,
	 NULL},
	{"pkexec", {NULL, "user"}, PRIVILEGED, 0, NULL, NULL, NULL},
	{"su",
	 {"csgGwT", "command shell group supp-group whitelist-environment session-command"},
	 PRIVILEGED | IS_SHELL | DASH | NEEDS_DASHES,
	 0,
	 NULL,
	 "c",
	 "command session-command"},
	{"runuser",
	 {"csgGuwT", "command shell group supp-group user session-command"},
	 PRIVILEGED | IS_SHELL | DASH | NEEDS_DASHES,
	 0,
	 NULL,
	 "c",
	 "command session-command"},
	{"gosu", {NULL, NULL}, PRIVILEGED, 1, NULL, NULL, NULL},
	{"setpriv",
	 {NULL, "reuid regid ruid euid rgid egid groups inh-caps ambient-caps "
		"bounding-set securebits pdeathsig selinux-label apparmor-profile"},
	 0,
	 0,
	 "d",
	 NULL,
	 NULL},
	{"sg", {"c", NULL}, IS_SHELL, 1, NULL, "c", NULL},
	{"chroot", {NULL, "userspec groups"}, IS_SHELL, 1, NULL, NULL, NULL},
	{"nsenter", {"tSGW", "target setuid setgid"}, IS_SHELL, 0, NULL, NULL, NULL},
	{"unshare",
	 {"RwSG", "root wd setuid setgid propagation setgroups map-user map-group "
		  "map-users map-groups boottime monotonic"},
	 IS_SHELL,
	 0,
	 NULL,
	 NULL,
	 NULL},
	{"xargs",
	 {"adEILnPs", "arg-file delimiter max-args max-procs max-chars eof"},
	 ADDS_WORDS,
	 0,
	 NULL,
	 NULL,
	 NULL},
	{"watch", {"nq", "interval equexit"}, JOINS, 0, NULL, NULL, NULL},
	{"strace", {"aeEIobOpPsSuUX", "output"}, 0, 0, NULL, NULL, NULL},
	{"ltrace", {"aAeFlnopsSuwx", "output"}, 0, 0, NULL, NULL, NULL},
	{"valgrind", {NULL, NULL}, 0, 0, NULL, NULL, NULL},
	{"catchsegv", {NULL, NULL}, 0, 0, NULL, NULL, NULL},
	{"fakeroot", {"lsbiu", "lib faked save load"}, IS_SHELL, 0, NULL, NULL, NULL},
	{"proot", {"rbqkw", NULL}, IS_SHELL, 0, NULL, NULL, NULL},
	{"flock", {"wEc", "timeout wait conflict-exit-code command"}, 0, 1, NULL, "c", "command"},
	{"script",
	 {"cEIoOBTmt", "command echo log-in log-out log-io log-timing logging-format"},
	 IS_SHELL | NEEDS_DASHES,
	 0,
	 NULL,
	 "c",
	 "command"},
	{"systemd-run",
	 {"upHMtd", "unit property description slice host machine uid gid nice "
		    "working-directory setenv on-calendar on-active"},
	 PRIVILEGED,
	 0,
	 NULL,
	 NULL,
	 NULL},
	{"systemd-inhibit", {NULL, "what who why mode"}, 0, 0, NULL, NULL, NULL},
	{"dbus-run-session", {NULL, "config-file dbus-daemon"}, 0, 0, NULL, NULL, NULL},
	{"xvfb-run",
	 {"enfpsw", "error-file server-num auth-file xauth-protocol server-args wait"},
	 0,
	 0,
	 NULL,
	 NULL,
	 NULL},
	{"busybox", {NULL, NULL}, 0, 0, NULL, NULL, NULL},
	{"toybox", {NULL, NULL}, 0, 0, NULL, NULL, NULL},
	{"prlimit", {"po", "pid output"}, 0, 0, "p", NULL, NULL},
	{"cpulimit", {"lpe", "limit pid exe"}, 0, 0, "p", NULL, NULL},
	{"caffeinate", {"tw", NULL}, 0, 0, NULL, NULL, NULL},
	{"entr", {NULL, NULL}, ADDS_WORDS, 0, NULL, NULL, NULL},
	{"firejail", {NULL, NULL}, IS_SHELL, 0, NULL, NULL, NULL},
	{"faketime", {"fp", NULL}, 0, 1, NULL, NULL, NULL},
	{"chronic", {NULL, NULL}, 0, 0, NULL, NULL, NULL},
	{"ts", {NULL, NULL}, 0, 0, NULL, NULL, NULL},
	{"xterm", {"eT", NULL}, NEEDS_DASHES | TEXT_AND_WORDS, 0, NULL, "e", NULL},
	{"nix-shell",
	 {"pIA", "run command packages attr"},
	 NEEDS_DASHES,
	 0,
	 NULL,
	 NULL,
	 "run command"},
	{"ssh-agent", {"aEPt", NULL}, 0, 0, "kcs", NULL, NULL},
	{"machinectl", {"M", "machine uid"}, NEEDS_DASHES, 0, NULL, NULL, NULL},
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
		if (tn_str_find(words[i].text, mark) != TN_STR_NONE)
			words[i].flags |= TN_WORD_UNKNOWN | TN_WORD_EXPANDED;
	}
	copy.words = words;
	return copy;
}

struct looking {
	const struct wrapper *w;
	struct tn_options options;
	struct tn_str mark; /* xargs -I */
	bool stopped, has_text;
	bool direct; /* what looks like a text is a program and its words */
};

static void take_option(struct tn_analyser *a, const struct tn_run *run, struct looking *l,
			const struct tn_option *option)
{
	const struct wrapper *w = l->w;
	bool is_text = option->letter && w->texts && strchr(w->texts, option->letter);

	if (option->letter && w->stops && strchr(w->stops, option->letter))
		l->stopped = true;
	if (!option->letter && w->long_texts && option->name.size >= 2)
		is_text = is_listed(w->long_texts, option->name);
	if (is_text && option->has_value) {
		struct tn_scope scope = tn_run_scope(run);
		struct tn_run inner = *run;

		scope.privileged = scope.privileged || (w->how & PRIVILEGED);
		inner.scope = scope;
		l->has_text = true;
		if (option->value.flags & TN_WORD_UNKNOWN)
			tn_run_unknown(a, run, "a text for a shell is made by an expansion");
		tn_run_text_with(a, &inner, option->value.text,
				 w->how & TEXT_AND_WORDS ? l->options.at : run->count);
	}
	if ((w->how & ADDS_WORDS) && (option->letter == 'I' || tn_option_is(option, "replace")))
		l->mark = option->has_value ? option->value.text : TN_STR("{}");
	if ((w->how & ADDS_WORDS) && option->letter == 'i')
		l->mark = TN_STR("{}");
	if (strcmp(w->name, "watch") == 0 &&
	    (option->letter == 'x' || tn_option_is(option, "exec")))
		l->direct = true;
	if (strcmp(w->name, "runuser") == 0 &&
	    (option->letter == 'u' || tn_option_is(option, "user")))
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
	struct tn_option option;

	l->options.at = at;
	while ((l->w->how & NEEDS_DASHES) && !l->direct && l->options.at < run->count &&
	       !tn_str_starts(run->words[l->options.at].text, TN_STR("-")))
		l->options.at++;
	while (!l->has_text && !(option = tn_options_next(&l->options)).is_end)
		take_option(a, run, l, &option);
	return l->has_text;
}

bool tn_wrapper_look(struct tn_analyser *a, const struct tn_run *run, struct tn_str name)
{
	struct looking l = {.w = find_wrapper(name)};
	struct tn_option option;
	size_t at;
	bool dashes;

	if (!l.w)
		return false;
	l.options = (struct tn_options){.run = run, .grammar = &l.w->grammar, .at = 1};
	while (!(option = tn_options_next(&l.options)).is_end)
		take_option(a, run, &l, &option);
	at = l.options.at;
	dashes = at > 1 && tn_run_word_is(run, at - 1, "--");
	if (l.stopped || l.has_text)
		return true;
	while ((l.w->how & DASH) && tn_run_word_is(run, at, "-"))
		at++;
	if (l.w->how & ASSIGNS)
		at = skip_assignments(a, run, at);
	at += l.w->operands;
	if (l.w->texts && at < run->count && at > 1 && find_late_text(a, run, &l, at))
		return true;
	if (at >= run->count || ((l.w->how & NEEDS_DASHES) && !dashes && !l.direct))
		look_at_shell(a, run, l.w);
	else
		look_inside(a, run, &l, at);
	return true;
}
