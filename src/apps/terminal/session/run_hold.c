/* Before a person is asked: what a run starts and reads is held, as far as its text says which, and
 * what cannot be held is found (terminal.md section 10.2). */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/terminal/policy/paths.h"
#include "apps/terminal/limits.h"
#include "apps/terminal/session/run.h"
#include "base/size.h"
#include "hold/limits.h"

enum { COMMANDS_LOOKED_UP = 256, NOTE_BYTES = 160 };

static bool is_one_of(struct tn_str name, const char *const *list)
{
	for (size_t i = 0; list[i]; i++) {
		if (tn_str_is(name, list[i]))
			return true;
	}
	return false;
}

/* ---- what cannot be held ---- */

static void note(struct tn_term_run *run, const char *format, ...) TN_PRINTF(2, 3);
static void note(struct tn_term_run *run, const char *format, ...)
{
	char text[NOTE_BYTES];
	va_list words;

	va_start(words, format);
	(void)vsnprintf(text, sizeof(text), format, words);
	va_end(words);
	for (size_t i = 0; i < run->unheld_count; i++) {
		if (strcmp(run->unheld[i], text) == 0)
			return;
	}
	if (run->unheld_count == TN_COUNT(run->unheld)) {
		run->unheld[TN_COUNT(run->unheld) - 1] = "and more of it";
		return;
	}
	run->unheld[run->unheld_count] = tn_arena_copy(&run->arena, tn_str_from(text));
	if (run->unheld[run->unheld_count])
		run->unheld_count++;
}

/* Their privileges come from the file that is started, which a watched program cannot give. */
static const char *const privileged[] = {
	"sudo",    "su",         "doas",        "pkexec",    "newgrp",    "sg",
	"passwd",  "chsh",       "chfn",        "chage",     "gpasswd",   "at",
	"batch",   "crontab",    "mount",       "umount",    "ping",      "podman",
	"buildah", "fusermount", "fusermount3", "newuidmap", "newgidmap", NULL};

static bool is_privileged(const struct tn_term_run *run)
{
	if (geteuid() == 0 || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
		return false;
	for (size_t i = 0; i < run->analysis.count; i++) {
		if (is_one_of(run->analysis.commands[i].name, privileged))
			return true;
	}
	return false;
}

static bool is_fresh(const struct tn_term_run *run)
{
	return run->wish.place.isolated || run->wish.program;
}

/* What cannot be started is started without a watcher: that attempt says what is wrong. */
static bool can_start(const struct tn_term_run *run)
{
	const char *name = run->wish.program ? run->wish.program[0] : NULL;
	int at = run->inputs->folder.fd >= 0 ? run->inputs->folder.fd : AT_FDCWD;
	struct stat status;

	if (!name || !strchr(name, '/'))
		return true;
	return fstatat(at, name, &status, 0) == 0 && S_ISREG(status.st_mode) &&
	       faccessat(at, name, X_OK, 0) == 0;
}

bool tn_term_run_holds(const struct tn_term_run *run)
{
	return run->inputs->count > 0 && is_fresh(run) && !is_privileged(run) && can_start(run);
}

static void note_large(struct tn_term_run *run)
{
	for (const struct tn_input *at = run->inputs->files; at; at = at->next) {
		if (at->is_large && !run->inputs->is_full)
			note(run, "%.100s is larger than %zu KiB", at->path,
			     TN_ANALYSIS_SCRIPT_BYTES_MAX / TN_KIB);
	}
}

static void note_all(struct tn_term_run *run)
{
	if (run->analysis.hidden)
		note(run, "%.*s", (int)run->analysis.hidden_because.size,
		     run->analysis.hidden_because.data);
	if (run->inputs->is_full)
		note(run, "it reads and starts more than %d files or %zu KiB", TN_TERM_INPUTS_MAX,
		     TN_TERM_INPUTS_BYTES_MAX / TN_KIB);
	note_large(run);
	if (run->inputs->count && !is_fresh(run))
		note(run, "a session's shell opens files by name: they are compared right before "
			  "it gets the line (isolated: true holds them)");
	else if (run->inputs->count && is_privileged(run))
		note(run, "a program that gains privileges runs in it: files are compared right "
			  "before it starts");
}

/* ---- names ---- */

static const char *full_name(struct tn_term_run *run, const struct tn_simple_command *c,
			     struct tn_str word)
{
	if (word.size && word.data[0] == '/')
		return tn_arena_copy(&run->arena, word);
	if (!c->cwd.size || !word.size)
		return NULL;
	return tn_path_resolve(&run->arena, c->cwd, tn_str_from(getenv("HOME")), word);
}

static bool is_file(const char *path)
{
	struct stat about;

	return path && stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static bool is_folder(const char *path)
{
	struct stat about;

	return path && stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* What is tried before it is found must not come to stand there: it would be started. */
static const char *look_up(struct tn_term_run *run, const struct tn_simple_command *c,
			   const char *path)
{
	while (path && *path && run->looks < TN_TERM_LOOKS_MAX) {
		size_t size = strcspn(path, ":");
		const char *named =
			tn_arena_format(&run->arena, "%.*s/%.*s", size ? (int)size : 1,
					size ? path : ".", (int)c->name.size, c->name.data);
		const char *full = full_name(run, c, tn_str_from(named));

		if (is_file(full) && access(full, X_OK) == 0)
			return full;
		if (full)
			tn_inputs_tried(run->inputs, full);
		path += size + (path[size] == ':');
		run->looks++;
	}
	run->inputs->is_full = run->inputs->is_full || (path && *path);
	return NULL;
}

/* Whatever stands there, also when nothing does. */
static void hold(struct tn_term_run *run, const char *path)
{
	struct tn_str ignored;

	if (path)
		(void)tn_inputs_script(run->inputs, path, &ignored); /* or known by its mark */
}

static void hold_file(struct tn_term_run *run, const char *path)
{
	if (is_file(path))
		hold(run, path);
}

/* ---- what interpreters are given ---- */

/* What these are given first is code, as a script is to a shell. */
static const char *const interpreters[] = {"python", "python2", "python3", "pypy3",   "node",
					   "nodejs", "deno",    "bun",     "perl",    "ruby",
					   "php",    "lua",     "tclsh",   "Rscript", NULL};

static bool is_python(struct tn_str name)
{
	return tn_str_starts(name, TN_STR("python")) || tn_str_is(name, "pypy3");
}

static bool reads_code(struct tn_str name)
{
	return is_one_of(name, interpreters) || is_python(name);
}

/* The file that stands in the file's place when a folder is given. */
static void hold_word(struct tn_term_run *run, const struct tn_simple_command *c, size_t i)
{
	const char *full = full_name(run, c, c->words[i]);

	if (c->word_is_known && !c->word_is_known[i])
		note(run, "which file %.*s is given is known only when it runs", (int)c->name.size,
		     c->name.data);
	else if (is_folder(full) && is_python(c->name))
		hold(run, tn_arena_format(&run->arena, "%s/__main__.py", full));
	else
		hold_file(run, full);
}

/* python -m a.b: what stands in its directory goes before what is installed, and what does not
 * stand there must not come. */
static void hold_module(struct tn_term_run *run, const struct tn_simple_command *c,
			struct tn_str module)
{
	char *name = tn_arena_copy(&run->arena, module);

	if (!name || !c->cwd.size)
		return;
	for (char *at = name; *at; at++)
		*at = *at == '.' ? '/' : *at;
	hold(run, tn_arena_format(&run->arena, "%.*s/%s.py", (int)c->cwd.size, c->cwd.data, name));
	hold(run, tn_arena_format(&run->arena, "%.*s/%s/__init__.py", (int)c->cwd.size, c->cwd.data,
				  name));
	hold(run, tn_arena_format(&run->arena, "%.*s/%s/__main__.py", (int)c->cwd.size, c->cwd.data,
				  name));
}

static bool is_option(struct tn_str word)
{
	return word.size > 1 && word.data[0] == '-';
}

static void hold_code(struct tn_term_run *run, const struct tn_simple_command *c)
{
	for (size_t i = 0; i < c->read_count; i++)
		hold_file(run, full_name(run, c, c->reads[i]));
	for (size_t i = 0; i < c->word_count; i++) {
		if (is_python(c->name) && tn_str_is(c->words[i], "-m") && i + 1 < c->word_count) {
			hold_module(run, c, c->words[i + 1]);
			break;
		}
		if (is_option(c->words[i]))
			continue;
		hold_word(run, c, i);
		if (is_file(full_name(run, c, c->words[i])))
			break; /* what follows is its own */
	}
	note(run, "modules and files that %.*s chooses itself", (int)c->name.size, c->name.data);
}

/* `cat x | sh`: what is given to what writes the text. */
static void hold_feeders(struct tn_term_run *run, const struct tn_simple_command *c, size_t index)
{
	for (size_t i = c->fed_from; i < index; i++) {
		const struct tn_simple_command *from = &run->analysis.commands[i];

		for (size_t j = 0; j < from->word_count; j++)
			hold_file(run, full_name(run, from, from->words[j]));
	}
}

/* ---- programs that look for a file of theirs ---- */

static const struct {
	const char *names[8];
	const char *files[4];                   /* the first of them that is there */
	const char *file_options, *dir_options; /* another one; elsewhere */
} finders[] = {
	{{"make", "gmake"},
	 {"GNUmakefile", "makefile", "Makefile"},
	 "-f --file --makefile",
	 "-C --directory"},
	{{"npm", "npx", "yarn", "pnpm", "bun"}, {"package.json"}, "", "--prefix --cwd -C"},
	{{"just"}, {"justfile", ".justfile", "Justfile"}, "-f --justfile", "-d"},
	{{"rake"}, {"rakefile", "Rakefile"}, "-f --rakefile", "-C"},
	{{"cmake"}, {"CMakeLists.txt"}, "-P -C", "-S"},
	{{"docker", "podman"}, {"Dockerfile"}, "-f --file", ""},
	{{"cargo"}, {"Cargo.toml", "build.rs"}, "--manifest-path", ""},
	{{"tox", "pytest", "pip", "pip3"}, {"setup.py", "conftest.py", "tox.ini"}, "", ""},
	{{"gradle", "mvn", "ant"}, {"build.gradle", "pom.xml", "build.xml"}, "-b -f", "-p"},
	{{"ninja", "meson"}, {"build.ninja", "meson.build"}, "-f", "-C"},
};

/* The value of the first of these options; {NULL, 0}: it has none. */
static struct tn_str value_of(const struct tn_simple_command *c, const char *options)
{
	for (size_t i = 0; i < c->word_count && *options; i++) {
		struct tn_str word = c->words[i];
		size_t equals = tn_str_find_byte(word, '=');

		for (const char *o = options; *o; o += strspn(o, " ")) {
			size_t size = strcspn(o, " ");

			if (tn_str_equal(word, tn_str(o, size)) && i + 1 < c->word_count)
				return c->words[i + 1];
			if (equals == size && tn_str_starts(word, tn_str(o, size)))
				return tn_str_from_offset(word, size + 1);
			/* -fFILE */
			if (size == 2 && o[1] != '-' && word.size > 2 &&
			    tn_str_starts(word, tn_str(o, size)))
				return tn_str_from_offset(word, size);
			o += size;
		}
	}
	return tn_str(NULL, 0);
}

static void hold_found(struct tn_term_run *run, const struct tn_simple_command *c, size_t which)
{
	struct tn_str file = value_of(c, finders[which].file_options);
	struct tn_str folder = value_of(c, finders[which].dir_options);
	const char *at =
		folder.data ? full_name(run, c, folder) : tn_arena_copy(&run->arena, c->cwd);
	bool found = false;

	note(run, "what %.*s reads besides (includes, modules)", (int)c->name.size, c->name.data);
	if (!at || !c->cwd.size)
		return;
	if (file.data)
		hold(run, tn_path_resolve(&run->arena, tn_str_from(at), tn_str_from(getenv("HOME")),
					  file));
	for (size_t i = 0;
	     !file.data && !found && i < TN_COUNT(finders[0].files) && finders[which].files[i];
	     i++) {
		const char *path =
			tn_arena_format(&run->arena, "%s/%s", at, finders[which].files[i]);

		found = is_file(path);
		hold(run, path);
	}
}

static void hold_finders(struct tn_term_run *run, const struct tn_simple_command *c)
{
	for (size_t i = 0; i < TN_COUNT(finders); i++) {
		for (size_t j = 0; j < TN_COUNT(finders[0].names) && finders[i].names[j]; j++) {
			if (tn_str_is(c->name, finders[i].names[j]))
				hold_found(run, c, i);
		}
	}
}

/* ---- all of it ---- */

/* What they run is not on this machine, or not among its files. */
static const char *const elsewhere[] = {
	"ssh", "docker",  "podman",    "kubectl",    "nsenter",     "chroot",  "lxc",
	"rsh", "vagrant", "multipass", "machinectl", "systemd-run", "nerdctl", NULL};

static void hold_started(struct tn_term_run *run, const struct tn_simple_command *c,
			 const char *path)
{
	const char *full = tn_str_find_byte(c->path, '/') == TN_STR_NONE
				   ? look_up(run, c, path)
				   : full_name(run, c, c->path);

	if (full)
		tn_inputs_program(run->inputs, full);
	else
		note(run, "%.*s, which is found only when it runs", (int)c->path.size,
		     c->path.data);
}

/* A script says the same few names again and again. */
static bool was_started(const struct tn_term_run *run, size_t index)
{
	const struct tn_simple_command *commands = run->analysis.commands;

	for (size_t i = 0; i < index; i++) {
		if (tn_str_equal(commands[i].path, commands[index].path) &&
		    tn_str_equal(commands[i].cwd, commands[index].cwd))
			return true;
	}
	return false;
}

/* A pattern, or what a variable has. */
static void note_unknown(struct tn_term_run *run, const struct tn_simple_command *c)
{
	for (size_t i = 0; i < c->word_count; i++) {
		if (!c->word_is_known[i] || c->word_is_glob[i])
			note(run, "which file %.*s is given is known only when it runs",
			     (int)c->name.size, c->name.data);
	}
}

/* `cp a b; sh b`: it was not there, or no name stands there, when the run was judged. */
static void note_unread(struct tn_term_run *run, const struct tn_simple_command *c)
{
	bool reads = tn_analysis_is_shell(c->name) || tn_str_is(c->name, ".") ||
		     tn_str_is(c->name, "source");

	if (reads && c->runs_unknown && !run->analysis.hidden)
		note(run, "what %.*s reads could not be read before it runs", (int)c->name.size,
		     c->name.data);
}

static bool is_builtin(struct tn_str name)
{
	static const char *const names[] = {
		".",         ":",        "alias",   "bg",      "bind",     "break",    "builtin",
		"case",      "cd",       "command", "compgen", "complete", "continue", "declare",
		"dirs",      "disown",   "enable",  "eval",    "exec",     "exit",     "export",
		"fc",        "fg",       "getopts", "hash",    "help",     "history",  "jobs",
		"let",       "local",    "logout",  "mapfile", "popd",     "pushd",    "read",
		"readarray", "readonly", "return",  "set",     "setopt",   "shift",    "shopt",
		"source",    "suspend",  "times",   "trap",    "type",     "typeset",  "ulimit",
		"umask",     "unalias",  "unset",   "wait",    "[[",       "print",    "autoload",
		NULL};

	return is_one_of(name, names);
}

/* The call's own counts first. */
static const char *search_path(const struct tn_term_run *run, const char *path)
{
	for (size_t i = 0; run->wish.env && run->wish.env[i]; i++) {
		if (strncmp(run->wish.env[i], "PATH=", 5) == 0)
			return run->wish.env[i] + 5;
	}
	return path ? path : getenv("PATH");
}

void tn_term_run_hold_programs(struct tn_term_run *run, const char *path)
{
	path = search_path(run, path);
	for (size_t i = 0; i < run->analysis.count && i < COMMANDS_LOOKED_UP; i++) {
		const struct tn_simple_command *c = &run->analysis.commands[i];

		if (!c->path.size)
			continue;
		if (!is_builtin(c->name) && !was_started(run, i))
			hold_started(run, c, path);
		if (reads_code(c->name))
			hold_code(run, c);
		if ((reads_code(c->name) || tn_analysis_is_shell(c->name)) && c->reads_pipe)
			hold_feeders(run, c, i);
		if (tn_analysis_is_shell(c->name))
			note_unknown(run, c);
		note_unread(run, c);
		if (is_one_of(c->name, elsewhere))
			note(run, "what %.*s runs somewhere else", (int)c->name.size, c->name.data);
		hold_finders(run, c);
	}
	if (run->analysis.count > COMMANDS_LOOKED_UP)
		note(run, "it has more than %d commands", COMMANDS_LOOKED_UP);
	note_all(run);
}
