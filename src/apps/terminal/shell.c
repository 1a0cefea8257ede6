#include "apps/terminal/shell.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/terminal/shell_quote.h"
#include "base/limits.h"

/* ESC [ 25173 ~ empties the line and ESC [ 25174 ~ leaves the command mode of vi; the start files
 * bind them. Twice: what stands before them may be the beginning of such a sequence itself. The
 * first ends a paste that was never ended. */
#define CLEAR_KEYS "\033[201~\033[25173~\033[25174~\033[25173~\033[25174~"

/* The start files, made of data/shell/. */
extern const char tn_shell_bash[];
extern const size_t tn_shell_bash_size;

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

static enum tenon_code write_start(const struct tn_shell_wish *wish, enum tn_shell_kind kind,
				   const char *name, struct tn_str script, struct tenon_error *err)
{
	struct tn_buf text;
	enum tenon_code code;

	tn_buf_init(&text, TN_SHELL_SCRIPT_BYTES_MAX);
	tn_shell_assign(&text, kind, "__tn_nonce", tn_str_from(wish->nonce));
	tn_shell_assign(&text, kind, "__tn_dir", tn_str_from(wish->folder));
	tn_shell_assign(&text, kind, "__tn_login", wish->login ? TN_STR("1") : TN_STR(""));
	tn_buf_append_str(&text, script);
	code = write_file(wish->folder, name, &text, err);
	tn_buf_finish(&text);
	return code;
}

/* Words of argv and of the environment. They are told by number until the last one is there: the
 * buffer moves while it grows. */
struct words {
	struct tn_buf *bytes;
	unsigned count;
	size_t at[16];
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

static enum tenon_code start_bash(const struct tn_shell_wish *wish, struct words *argv,
				  struct tenon_error *err)
{
	/* Bash takes --rcfile for no login shell: the file reads what a login shell would. */
	word(argv, "--rcfile", "", "");
	word(argv, wish->folder, "/bash", "");
	word(argv, "-i", "", "");
	return write_start(wish, TN_SHELL_BASH, "bash", tn_str(tn_shell_bash, tn_shell_bash_size),
			   err);
}

/* Only bash so far: what others print is not understood. */
static bool folder_can_be_told(const char *folder)
{
	for (const char *c = folder; *c; c++) {
		if ((unsigned char)*c < ' ' || *c == 127 || strchr("$`\\\"", *c))
			return false; /* ENV is expanded like a word between double quotes */
	}
	return folder[0] == '/';
}

enum tenon_code tn_shell_prepare(const struct tn_shell_wish *wish, struct tn_shell_start *ret,
				 struct tenon_error *err)
{
	struct tn_shell_start start = {.kind = tn_shell_kind_of(wish->path)};
	struct words argv = {.bytes = &start.words}, env = {.bytes = &start.words};
	enum tenon_code code = TENON_OK;

	if (!folder_can_be_told(wish->folder))
		return tn_fail(err, TENON_INVALID,
			       "the session's folder has a name that cannot "
			       "be told to a shell");
	tn_buf_init(&start.words, TN_SHELL_WORDS_BYTES_MAX);
	word(&argv, wish->path, "", "");
	switch (start.kind) {
	case TN_SHELL_BASH:
		code = start_bash(wish, &argv, err);
		break;
	default:
		break;
	}
	start.marks = start.kind == TN_SHELL_BASH || start.kind == TN_SHELL_ZSH ||
		      start.kind == TN_SHELL_FISH;
	if (code == TENON_OK)
		code = tn_buf_check(&start.words, err);
	if (code != TENON_OK) {
		tn_buf_finish(&start.words);
		return code;
	}
	for (unsigned i = 0; i < argv.count; i++)
		start.argv[i] = start.words.data + argv.at[i];
	for (unsigned i = 0; i < env.count; i++)
		start.env[i] = start.words.data + env.at[i];
	*ret = start;
	return TENON_OK;
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

/* After `eval` $_ would be the whole text. */
static void write_last_word(struct tn_buf *out, enum tn_shell_kind kind, struct tn_str text)
{
	struct tn_buf last;

	tn_buf_init(&last, text.size + 1);
	if (tn_shell_last_word(text, &last) && !last.failed)
		tn_shell_assign(out, kind, "__tn_u", tn_buf_str(&last));
	tn_buf_finish(&last);
}

static void write_line(struct tn_buf *line, enum tn_shell_kind kind, uint64_t number)
{
	switch (kind) {
	case TN_SHELL_BASH:
		/* The right sides of && keep set -e from ending the shell because of the status
		 * that these two only pass on. No reserved word comes first: after an unbalanced
		 * quote in eval, bash 5.2 does not take it for one. */
		tn_buf_append_text(line, CLEAR_KEYS);
		tn_buf_format(line,
			      " __tn_b %" PRIu64
			      " \"${_-}\"&&{ [[ 1 ]];} 2>/dev/null;\\builtin eval "
			      "\"$__tn_c\";{ __tn_e \"$?\" \"$__tn_u\"&&[[ 1 ]];} 2>/dev/null\r",
			      number);
		break;
	default:
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

	(void)nonce; /* the shell knows it */
	(void)snprintf(name, sizeof(name), "c%" PRIu64, command->number);
	tn_buf_init(&text, TN_SHELL_FILE_BYTES_MAX);
	tn_shell_assign(&text, kind, "__tn_c", command->text);
	write_last_word(&text, kind, command->text);
	code = write_surroundings(&text, kind, command, err);
	if (code == TENON_OK)
		code = write_file(folder, name, &text, err);
	tn_buf_finish(&text);
	if (code == TENON_OK)
		write_line(line, kind, command->number);
	return code == TENON_OK ? tn_buf_check(line, err) : code;
}
