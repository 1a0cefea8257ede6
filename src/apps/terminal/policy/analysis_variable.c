/* analysis_variable.c - NAME=value, before a command, exported, or in a call's `env`: which of them
 * have other programs run something. */
#include "apps/terminal/policy/internal.h"

#include "base/size.h"

/* Programs run what these say. */
static const char *const commands_in[] = {
	"VISUAL",
	"GIT_SSH",
	"GIT_SSH_COMMAND",
	"GIT_EXTERNAL_DIFF",
	"BROWSER",
	"PROMPT_COMMAND",
	"RSYNC_RSH",
	"CVS_RSH",
	"LESSOPEN",
	"LESSCLOSE",
	"FCEDIT",
	"CC",
	"CXX",
	"CPP",
	"LD",
	"AR",
	"MAKE",
	"SHELL",
};
/* They put code into programs that are named otherwise. */
static const char *const loaders[] = {"LD_PRELOAD",       "LD_AUDIT",
				      "BASH_ENV",         "PYTHONSTARTUP",
				      "PERL5DB",          "DYLD_INSERT_LIBRARIES",
				      "PERL5OPT",         "GCONV_PATH",
				      "VIMINIT",          "EXINIT",
				      "LUA_INIT",         "MAKEFILES",
				      "R_PROFILE_USER",   "DOTNET_STARTUP_HOOKS",
				      "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS"};

static bool is_among(struct tn_str name, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (tn_str_is(name, list[i]))
			return true;
	}
	return false;
}

/* Programs look for what these end with: MANPAGER, HGEDITOR, CARGO_TARGET_X_RUNNER. */
static bool names_command(struct tn_str name)
{
	static const char *const ends[] = {"PAGER", "EDITOR", "_RUNNER", "_WRAPPER", "ASKPASS"};

	for (size_t i = 0; i < TN_COUNT(ends); i++) {
		if (tn_str_ends(name, tn_str_from(ends[i])))
			return true;
	}
	return is_among(name, commands_in, TN_COUNT(commands_in));
}

/* Every program is looked for first where anybody may have put one of that name. */
static bool is_open_path(struct tn_str name, struct tn_str value)
{
	static const char *const open[] = {".", "./", "..", "/tmp", "/var/tmp", "/dev/shm"};

	while (tn_str_is(name, "PATH") && value.size) {
		size_t size = tn_str_find_byte(value, ':');
		struct tn_str entry = tn_str(value.data, size == TN_STR_NONE ? value.size : size);

		for (size_t i = 0; i < TN_COUNT(open); i++) {
			if (tn_str_is(entry, open[i]) ||
			    (open[i][0] == '/' && tn_str_starts(entry, tn_str_from(open[i])) &&
			     entry.data[strlen(open[i])] == '/'))
				return true;
		}
		value = tn_str_from_offset(value, entry.size + 1);
	}
	return false;
}

/* Shells expand what stands in them whenever they show it. */
static bool is_prompt(struct tn_str name)
{
	return name.size == 3 && tn_str_starts(name, TN_STR("PS")) && tn_is_digit(name.data[2]);
}

static bool loads_code(struct tn_str name, struct tn_str value)
{
	static const struct {
		const char *name, *option;
	} options[] = {
		{"NODE_OPTIONS", "-r"},
		{"NODE_OPTIONS", "--require"},
		{"NODE_OPTIONS", "--import"},
		{"NODE_OPTIONS", "--loader"},
		{"RUBYOPT", "-r"},
		{"NODE_OPTIONS", "--experimental-loader"},
		{"MAKEFLAGS", "--eval"},
		{"JAVA_TOOL_OPTIONS", "-javaagent"},
		{"TAR_OPTIONS", "exec"},
		{"TAR_OPTIONS", "-command"},
		{"TAR_OPTIONS", "-I"},
		{"LESS", "+!"},
	};

	for (size_t i = 0; i < TN_COUNT(options); i++) {
		if (tn_str_is(name, options[i].name) &&
		    tn_str_find(value, tn_str_from(options[i].option)) != TN_STR_NONE)
			return true;
	}
	/* Its aliases, pagers and hooks; without any is usual. */
	if (tn_str_is(name, "GIT_CONFIG_GLOBAL") || tn_str_is(name, "GIT_CONFIG_SYSTEM"))
		return !tn_str_is(value, "/dev/null") && value.size;
	/* A function that each bash has from its start. */
	return tn_str_starts(name, TN_STR("BASH_FUNC_")) ||
	       is_among(name, loaders, TN_COUNT(loaders));
}

/* x=$API_TOKEN: what is in x is as secret. */
static void learn_secret(struct tn_analyser *a, struct tn_str name)
{
	struct tn_shell_name *known = tn_analysis_lookup(a->variables, name);

	if (known)
		known->is_secret = true;
}

void tn_run_variable(struct tn_analyser *a, const struct tn_scope *scope, struct tn_str name,
		     struct tn_word value)
{
	struct tn_scope inner = *scope;
	bool known = !(value.flags & TN_WORD_UNKNOWN);

	tn_analysis_learn(a, &a->variables, name, known ? value.text : tn_str(NULL, 0));
	if (value.flags & TN_WORD_SECRET)
		learn_secret(a, name);
	tn_builtin_evaluate(a, scope, value.text);
	if (tn_str_is(name, "PATH"))
		a->path = value.text;
	if (is_prompt(name))
		tn_word_evaluate(a, scope, value.text);
	if (is_open_path(name, value.text))
		tn_analysis_hidden(a, "programs are looked for where anybody may put them");
	if (tn_str_is(name, "TENON_CONSENT"))
		tn_analysis_hidden(a, "a variable says that no person is asked");
	if (loads_code(name, value.text))
		tn_analysis_hidden(a, "a variable puts code into programs that start");
	if (!names_command(name))
		return;
	if (!inner.wrapper.size)
		inner.wrapper = name;
	inner.more_words = 0;
	if (value.text.size && value.text.data[0] == '|')
		value.text = tn_str_from_offset(value.text, 1); /* LESSOPEN */
	if (!known)
		tn_analysis_opaque(a, "a variable names a program that is not known");
	if (tn_code_is_dangerous(tn_base_name(value.text)))
		tn_analysis_hidden(a, "a variable has other programs run a dangerous one");
	tn_analysis_text(a, value.text, &inner);
}
