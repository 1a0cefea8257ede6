#include "apps/terminal/shell/shell.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/shell/shell_quote.h"

/* ESC [ 25173 ~ empties the line and ESC [ 25174 ~ leaves the command mode of vi; the start files
 * bind them. Twice: what stands before them may be the beginning of such a sequence itself. The
 * first ends a paste that was never ended. */
#define CLEAR_KEYS "\033[201~\033[25173~\033[25174~\033[25173~\033[25174~"

/* Of what a shell reads that took another one's place. */
#define TAKE_FILE "take"
#define TRAPS_FILE "t" /* bash.sh keeps traps in it for a moment */

/* The start files, made of data/shell/. */
extern const char tn_shell_bash[], tn_shell_fish[], tn_shell_posix[], tn_shell_zshenv[],
	tn_shell_zprofile[], tn_shell_zshrc[], tn_shell_zlogin[];
extern const size_t tn_shell_bash_size, tn_shell_fish_size, tn_shell_posix_size,
	tn_shell_zshenv_size, tn_shell_zprofile_size, tn_shell_zshrc_size, tn_shell_zlogin_size;

enum tn_shell_kind tn_shell_kind_of(const char *path)
{
	static const struct {
		const char *name;
		enum tn_shell_kind kind;
	} table[] = {
		{"bash", TN_SHELL_BASH}, {"zsh", TN_SHELL_ZSH},       {"fish", TN_SHELL_FISH},
		{"sh", TN_SHELL_POSIX},  {"dash", TN_SHELL_POSIX},    {"ash", TN_SHELL_POSIX},
		{"ksh", TN_SHELL_POSIX}, {"busybox", TN_SHELL_POSIX}, {"mksh", TN_SHELL_POSIX},
	};
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	if (*name == '-') /* a login shell's own name for itself */
		name++;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		if (strcmp(name, table[i].name) == 0)
			return table[i].kind;
	}
	return TN_SHELL_OTHER;
}

/* ---- files ---- */

static enum tenon_code write_all(int fd, struct tn_str text, struct tenon_error *err)
{
	while (text.size > 0) {
		ssize_t written = write(fd, text.data, text.size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return tn_fail_errno(err, errno, "write a file for the shell");
		text = tn_str_from_offset(text, (size_t)written);
	}
	return TENON_OK;
}

/* Not as tn_file_write does it: nobody needs it after a crash, and a command must not wait for the
 * disk. */
static enum tenon_code write_file(const char *folder, const char *name, const struct tn_buf *text,
				  struct tenon_error *err)
{
	char path[PATH_MAX];
	enum tenon_code code = tn_buf_check(text, err);
	int fd;

	if (code != TENON_OK)
		return code;
	if ((size_t)snprintf(path, sizeof(path), "%s/%s", folder, name) >= sizeof(path))
		return tn_fail(err, TENON_INVALID, "the folder's name is too long");
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return tn_fail_errno(err, errno, "make a file for the shell");
	code = write_all(fd, tn_buf_str(text), err);
	if (close(fd) != 0 && code == TENON_OK)
		code = tn_fail_errno(err, errno, "write a file for the shell");
	return code;
}

void tn_shell_forget(const char *folder, uint64_t number)
{
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%s/c%" PRIu64, folder, number) < sizeof(path))
		(void)unlink(path); /* it may never have been written */
}

void tn_shell_begun(const char *folder)
{
	static const char *const names[] = {"bash",      "fish",   "sh",      ".zshenv",
					    ".zprofile", ".zshrc", ".zlogin", TAKE_FILE};
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if ((size_t)snprintf(path, sizeof(path), "%s/%s", folder, names[i]) < sizeof(path))
			(void)unlink(path); /* most of them are another shell's */
	}
}

void tn_shell_remove(const char *folder)
{
	DIR *dir = opendir(folder);

	if (!dir)
		return;
	for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
		if (entry->d_type != DT_DIR)
			(void)unlinkat(dirfd(dir), entry->d_name, 0); /* rmdir tells */
	}
	(void)closedir(dir);
	(void)rmdir(folder);
}

/* ---- starting ---- */

/* Words of argv and of the environment. They are told by number until the last one is there: the
 * buffer moves while it grows. */
struct words {
	struct tn_buf *bytes;
	unsigned count;
	size_t at[8];
};

static void word(struct words *words, const char *first, const char *second, const char *third)
{
	tn_assert(words->count < sizeof(words->at) / sizeof(*words->at));
	words->at[words->count++] = words->bytes->size;
	tn_buf_append_text(words->bytes, first);
	tn_buf_append_text(words->bytes, second);
	tn_buf_append_text(words->bytes, third);
	tn_buf_append_byte(words->bytes, '\0');
}

struct script {
	const char *name; /* of the file; TAKE_FILE: the user's own are not read */
	const char *text;
	const size_t *size;
};

static enum tenon_code write_script(const struct tn_shell_wish *wish, enum tn_shell_kind kind,
				    const struct script *script, struct tenon_error *err)
{
	struct tn_buf text;
	enum tenon_code code;

	tn_buf_init(&text, TN_SHELL_SCRIPT_BYTES_MAX);
	tn_shell_assign(&text, kind, "__tn_nonce", tn_str_from(wish->nonce));
	tn_shell_assign(&text, kind, "__tn_dir", tn_str_from(wish->folder));
	tn_shell_assign(&text, kind, "__tn_login", wish->login ? TN_STR("1") : TN_STR(""));
	if (strcmp(script->name, TAKE_FILE) == 0)
		tn_shell_assign(&text, kind, "__tn_take", TN_STR("1"));
	tn_buf_append(&text, script->text, *script->size);
	code = write_file(wish->folder, script->name, &text, err);
	tn_buf_clear(&text);
	if (code == TENON_OK && kind == TN_SHELL_BASH) /* made here, whatever the user's umask is */
		code = write_file(wish->folder, TRAPS_FILE, &text, err);
	tn_buf_finish(&text);
	return code;
}

static enum tenon_code start_bash(const struct tn_shell_wish *wish, struct words *argv,
				  struct tenon_error *err)
{
	static const struct script script = {"bash", tn_shell_bash, &tn_shell_bash_size};

	/* A login shell would not read --rcfile; the script reads what a login shell would. */
	word(argv, "--rcfile", "", "");
	word(argv, wish->folder, "/", script.name);
	word(argv, "-i", "", "");
	return write_script(wish, TN_SHELL_BASH, &script, err);
}

static enum tenon_code start_zsh(const struct tn_shell_wish *wish, struct words *argv,
				 struct words *env, struct tenon_error *err)
{
	static const struct script scripts[] = {
		{".zshenv", tn_shell_zshenv, &tn_shell_zshenv_size},
		{".zprofile", tn_shell_zprofile, &tn_shell_zprofile_size},
		{".zshrc", tn_shell_zshrc, &tn_shell_zshrc_size},
		{".zlogin", tn_shell_zlogin, &tn_shell_zlogin_size},
	};
	enum tenon_code code = TENON_OK;

	if (wish->login)
		word(argv, "-l", "", "");
	word(argv, "-i", "", "");
	word(env, "ZDOTDIR=", wish->folder, "");
	for (size_t i = 0; code == TENON_OK && i < sizeof(scripts) / sizeof(*scripts); i++)
		code = write_script(wish, TN_SHELL_ZSH, &scripts[i], err);
	return code;
}

static enum tenon_code start_fish(const struct tn_shell_wish *wish, struct words *argv,
				  struct tenon_error *err)
{
	static const struct script script = {"fish", tn_shell_fish, &tn_shell_fish_size};
	struct tn_buf path;

	if (wish->login)
		word(argv, "-l", "", "");
	word(argv, "-i", "", "");
	word(argv, "--init-command", "", "");
	tn_buf_init(&path, 2 * PATH_MAX);
	tn_shell_quote(&path, TN_SHELL_FISH, tn_str_from(wish->folder));
	tn_buf_append_byte(&path, '\0');
	if (!path.failed) /* `ps` shows this: the nonce is in the file only */
		word(argv, "source ", path.data, "/fish");
	argv->bytes->failed = argv->bytes->failed || path.failed;
	tn_buf_finish(&path);
	return write_script(wish, TN_SHELL_FISH, &script, err);
}

static enum tenon_code start_posix(const struct tn_shell_wish *wish, struct words *argv,
				   struct words *env, struct tenon_error *err)
{
	static const struct script script = {"sh", tn_shell_posix, &tn_shell_posix_size};
	const char *slash = strrchr(wish->path, '/');

	if (strcmp(slash ? slash + 1 : wish->path, "busybox") == 0)
		word(argv, "sh", "", "");
	/* After -l a profile could name another ENV; the script reads the profiles. */
	word(argv, "-i", "", "");
	word(env, "ENV=", wish->folder, "/sh");
	return write_script(wish, TN_SHELL_POSIX, &script, err);
}

static bool folder_can_be_told(const char *folder)
{
	for (const char *c = folder; *c; c++) {
		if ((unsigned char)*c < ' ' || *c == 127 || strchr("$`\\\"", *c))
			return false; /* ENV is expanded like a word between double quotes */
	}
	return folder[0] == '/';
}

static enum tenon_code start_kind(const struct tn_shell_wish *wish, enum tn_shell_kind kind,
				  struct words *argv, struct words *env, struct tenon_error *err)
{
	switch (kind) {
	case TN_SHELL_BASH:
		return start_bash(wish, argv, err);
	case TN_SHELL_ZSH:
		return start_zsh(wish, argv, env, err);
	case TN_SHELL_FISH:
		return start_fish(wish, argv, err);
	case TN_SHELL_POSIX:
		return start_posix(wish, argv, env, err);
	case TN_SHELL_OTHER:
		break; /* as it is; nobody knows what it reads */
	}
	return TENON_OK;
}

enum tenon_code tn_shell_prepare(const struct tn_shell_wish *wish, struct tn_shell_start *ret,
				 struct tenon_error *err)
{
	struct tn_shell_start start = {.kind = tn_shell_kind_of(wish->path)};
	struct words argv = {.bytes = &start.words}, env = {.bytes = &start.words};
	enum tenon_code code;

	if (!folder_can_be_told(wish->folder))
		return tn_fail(err, TENON_INVALID,
			       "the session's folder has a name that cannot "
			       "be told to a shell");
	tn_buf_init(&start.words, TN_SHELL_WORDS_BYTES_MAX);
	word(&argv, wish->path, "", "");
	code = start_kind(wish, start.kind, &argv, &env, err);
	if (code == TENON_OK)
		code = tn_buf_check(&start.words, err);
	if (code != TENON_OK) {
		tn_buf_finish(&start.words);
		return code;
	}
	start.marks = start.kind != TN_SHELL_OTHER && start.kind != TN_SHELL_POSIX;
	for (unsigned i = 0; i < argv.count; i++)
		start.argv[i] = start.words.data + argv.at[i];
	for (unsigned i = 0; i < env.count; i++)
		start.env[i] = start.words.data + env.at[i];
	*ret = start;
	return TENON_OK;
}

enum tenon_code tn_shell_take(enum tn_shell_kind kind, const char *folder, const char *nonce,
			      struct tn_buf *line, struct tenon_error *err)
{
	static const struct script scripts[] = {
		[TN_SHELL_BASH] = {TAKE_FILE, tn_shell_bash, &tn_shell_bash_size},
		[TN_SHELL_ZSH] = {TAKE_FILE, tn_shell_zshenv, &tn_shell_zshenv_size},
		[TN_SHELL_FISH] = {TAKE_FILE, tn_shell_fish, &tn_shell_fish_size},
		[TN_SHELL_POSIX] = {TAKE_FILE, tn_shell_posix, &tn_shell_posix_size},
	};
	struct tn_shell_wish wish = {.folder = folder, .nonce = nonce};
	struct tn_buf path;
	enum tenon_code code;

	if (kind == TN_SHELL_OTHER || !folder_can_be_told(folder))
		return tn_fail(err, TENON_INVALID, "nothing can be told to this shell");
	code = write_script(&wish, kind, &scripts[kind], err);
	if (code != TENON_OK)
		return code;
	tn_buf_init(&path, 2 * PATH_MAX);
	tn_shell_quote(&path, kind, tn_str_from(folder));
	/* The kill character empties the line everywhere; the blank keeps it out of a history. */
	tn_buf_append_text(line, kind == TN_SHELL_FISH ? "\025 source " : "\025 . ");
	tn_buf_append_str(line, tn_buf_str(&path));
	tn_buf_append_text(line, "/" TAKE_FILE "\r");
	tn_buf_inherit_failure(line, &path);
	tn_buf_finish(&path);
	return tn_buf_check(line, err);
}

void tn_shell_start_finish(struct tn_shell_start *start)
{
	tn_buf_finish(&start->words);
}

/* ---- a command ---- */

static bool is_name(struct tn_str name)
{
	for (size_t i = 0; i < name.size; i++) {
		char c = name.data[i];

		if (!tn_is_alpha(c) && c != '_' && (i == 0 || !tn_is_digit(c)))
			return false;
	}
	return name.size > 0;
}

static enum tenon_code write_surroundings(struct tn_buf *out, enum tn_shell_kind kind,
					  const struct tn_shell_command *command,
					  struct tenon_error *err)
{
	if (command->cwd)
		tn_shell_call(out, kind, "__tn_cd", tn_str_from(command->cwd), TN_STR(""));
	for (const char *const *entry = command->env; entry && *entry; entry++) {
		struct tn_str text = tn_str_from(*entry);
		size_t equals = tn_str_find_byte(text, '=');

		if (equals == TN_STR_NONE || !is_name(tn_str(text.data, equals)))
			return tn_fail(err, TENON_INVALID,
				       "a name in env is no name of a variable");
		tn_shell_call(out, kind, "__tn_set", tn_str(text.data, equals),
			      tn_str_from_offset(text, equals + 1));
	}
	return TENON_OK;
}

/* In zsh $_ is the text itself while eval runs; where it is asked for, it is set again first. */
static void write_text(struct tn_buf *out, enum tn_shell_kind kind, struct tn_str text)
{
	bool asks = kind == TN_SHELL_ZSH && (tn_str_find(text, TN_STR("$_")) != TN_STR_NONE ||
					     tn_str_find(text, TN_STR("${_")) != TN_STR_NONE);

	tn_shell_assign(out, kind, "__tn_c", text);
	if (asks)
		tn_buf_append_text(
			out, "__tn_c='{ __tn_p \"$__tn_v\"&&[[ 1 ]];} 2>/dev/null;'$__tn_c\n");
}

/* After `eval` $_ would be the whole text. */
static void write_last_word(struct tn_buf *out, enum tn_shell_kind kind, struct tn_str text)
{
	struct tn_buf last;

	tn_buf_init(&last, text.size + 1);
	if (tn_shell_last_word(text, &last) && !last.failed)
		tn_shell_assign(out, kind, "__tn_u", tn_buf_str(&last));
	tn_buf_finish(&last);
}

/* What empties the line. The kernel's kill character twice: the first may be taken literally (after
 * ^V). */
static void write_clearing(struct tn_buf *line, enum tn_shell_kind kind, char kill_character)
{
	char kill = kill_character ? kill_character : '\025';

	if (kind != TN_SHELL_POSIX && !kill_character) {
		tn_buf_append_text(line, CLEAR_KEYS);
		return;
	}
	tn_buf_append_byte(line, kill);
	tn_buf_append_byte(line, kill);
}

/* What is typed. The blank keeps it out of a history. The right sides of && keep set -e from ending
 * the shell because of the status that the helpers only pass on; what the helpers and `set -x`
 * print besides the marks goes nowhere. */
static void write_line(struct tn_buf *line, enum tn_shell_kind kind, uint64_t number)
{
	switch (kind) {
	case TN_SHELL_BASH:
		/* No reserved word comes first: after an unbalanced quote in eval, bash 5.2 does
		 * not take it for one. */
		tn_buf_format(line,
			      " __tn_s \"$?\" \"${_-}\";{ \\builtin eval \"$__tn_q\";} "
			      "2>/dev/null;__tn_b %" PRIu64
			      " \"$__tn_v\"&&{ [[ 1 ]];} 2>/dev/null;\\builtin eval "
			      "\"$__tn_c\";{ __tn_e \"$?\" \"$__tn_u\"&&[[ 1 ]];} "
			      ">\"$__tn_out\" 2>/dev/null\r",
			      number);
		break;
	case TN_SHELL_ZSH:
		/* nocorrect: or the option correct_all asks whether a file was meant. */
		tn_buf_format(line,
			      " nocorrect __tn_s \"$?\" \"${_-}\";{ [[ -o xtrace ]]&&nocorrect "
			      "__tn_k 1&&nocorrect builtin unsetopt xtrace;} 2>/dev/null;"
			      "{ nocorrect __tn_b %" PRIu64 "&&[[ 1 ]];} >$__tn_out 2>/dev/null;"
			      "nocorrect builtin eval \"$__tn_c\";{ nocorrect __tn_s \"$?\";"
			      "[[ -n $__tn_x ]]&&nocorrect __tn_k&&nocorrect builtin setopt "
			      "xtrace;nocorrect __tn_e $__tn_a "
			      "\"$__tn_u\"&&[[ 1 ]];} >$__tn_out 2>/dev/null\r",
			      number);
		break;
	case TN_SHELL_FISH:
		tn_buf_format(line, " __tn_b %" PRIu64 ";eval $__tn_c;__tn_e $status\r", number);
		break;
	case TN_SHELL_POSIX:
	case TN_SHELL_OTHER:
		tn_buf_format(line,
			      " __tn_b %" PRIu64
			      " \"$?\" \"$-\" \"${_-}\" 2>/dev/null&&{ : \"${_-}\";} "
			      "2>/dev/null;\\eval \"$__tn_c\";{ __tn_e \"$?\" \"$-\" \"$__tn_u\"&&"
			      ": \"$__tn_u\";} 2>/dev/null\n",
			      number);
		break;
	}
}

enum tenon_code tn_shell_deliver(enum tn_shell_kind kind, const char *folder, const char *nonce,
				 const struct tn_shell_command *command, struct tn_buf *line,
				 struct tenon_error *err)
{
	char name[32];
	struct tn_buf text;
	enum tenon_code code;

	if (kind == TN_SHELL_OTHER)
		return tn_fail(err, TENON_INVALID, "nothing is known of this shell");
	(void)nonce; /* the shell knows it */
	(void)snprintf(name, sizeof(name), "c%" PRIu64, command->number);
	tn_buf_init(&text, TN_SHELL_FILE_BYTES_MAX);
	write_text(&text, kind, command->text);
	write_last_word(&text, kind, command->text);
	code = write_surroundings(&text, kind, command, err);
	if (code == TENON_OK)
		code = write_file(folder, name, &text, err);
	tn_buf_finish(&text);
	if (code != TENON_OK)
		return code;
	write_clearing(line, kind, command->kill_character);
	write_line(line, kind, command->number);
	return tn_buf_check(line, err);
}
