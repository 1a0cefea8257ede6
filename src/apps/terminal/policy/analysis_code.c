#include "apps/terminal/policy/internal.h"

#include "base/size.h"

/* ---- what is dangerous, by its words ---- */

/* Calls and words of other languages that delete. */
static const char *const deletions[] = {
	"remove_tree",
	"remove_dir",
	"remove_entry",
	".drop(",
	"rmtree",
	"os.remove",
	"os.unlink",
	"os.rmdir",
	"os.removedirs",
	".unlink",
	"unlink",
	"rmSync",
	"truncateSync",
	"rmdirSync",
	"unlinkSync",
	"rm_rf",
	"rm_r",
	"FileUtils.rm",
	"File.delete",
	"removeSync",
	"Deno.remove",
	"fs.rm",
	"emptyDirSync",
	"delete-directory",
	"delete-file",
	"file delete",
	"Directory.Delete",
	"File.Delete",
	"Remove-Item",
	"File.rm",
	"zf_rm",
	"os.truncate",
	"rm(",
	"deleteRecursively",
	"recursive_rmdir",
};

/* What makes code of a text, and what makes a text of something masked. */
static const char *const evaluators[] = {
	"exec(",  "eval(",     "eval ", "system(", "compile(",
	"popen(", "Function(", "iex ",  "spawn",   "Invoke-Expression"};
static const char *const decoders[] = {
	"b64decode", "fromhex", "unhexlify",    "atob(",          "base64",     "decode(",
	"chr(",      "pack(",   "fromCharCode", "rot13",          "rot_13",     "[::-1]",
	"reverse(",  "urlopen", "requests.get", "DownloadString", "decompress",
};

static bool has_one_of(struct tn_str text, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (tn_str_find(text, tn_str_from(list[i])) != TN_STR_NONE)
			return true;
	}
	return false;
}

/* ---- commands inside code ---- */

enum { COMMANDS_IN_CODE_MAX = 32, WORDS_IN_CODE_MAX = 24 };

static bool is_name_letter(char c)
{
	return tn_is_alpha(c) || tn_is_digit(c) || strchr("_./-+~", c) != NULL;
}

/* Where the words of a command end: "rm -rf x", ["rm", "-rf", "x"], `rm -rf x`. */
static bool ends_words(char c, bool is_list)
{
	return c == '\n' || c == '\0' || strchr(is_list ? "])}" : "\"'`;)}]|&<>", c) != NULL;
}

static bool is_between(char c, bool is_list)
{
	return c == ' ' || c == '\t' || (is_list && strchr("\"',", c));
}

/* The words behind the name at `at`, which ends at `end`. */
static size_t read_words(struct tn_str text, size_t at, size_t end, struct tn_word *words)
{
	bool is_list = end < text.size && strchr("\"',", text.data[end]) && text.data[end];
	size_t count = 0;

	words[count++] = (struct tn_word){tn_str(text.data + at, end - at), TN_WORD_QUOTED};
	while (end < text.size && count < WORDS_IN_CODE_MAX &&
	       !ends_words(text.data[end], is_list)) {
		size_t from = end;

		while (end < text.size && !ends_words(text.data[end], is_list) &&
		       !is_between(text.data[end], is_list))
			end++;
		if (end > from)
			words[count++] = (struct tn_word){tn_str(text.data + from, end - from),
							  TN_WORD_QUOTED};
		else
			end++;
	}
	return count;
}

/* A name in a program's text stands for the program when it begins a quoted text or a word, and
 * something follows. */
static bool stands_for_program(struct tn_str text, size_t at, size_t end)
{
	char before = at ? text.data[at - 1] : ' ';
	char behind = end < text.size ? text.data[end] : '\0';

	return (text.data[at] == '/' || strchr(" \t\n\"'`!;|&({[=,:>\\$", before)) && behind &&
	       strchr(" \t\"',%{", behind) != NULL;
}

static void look_at_words_in_code(struct tn_analyser *a, const struct tn_run *run,
				  struct tn_str text, size_t at, size_t end)
{
	struct tn_word *words = tn_analysis_alloc(a, WORDS_IN_CODE_MAX, sizeof(*words));
	struct tn_run inner = *run;
	struct tn_scope scope = tn_run_scope(run);

	if (!words)
		return;
	inner.words = words;
	inner.count = read_words(text, at, end, words);
	inner.input_redirected = false;
	scope.reads_pipe = false;
	tn_run_inner_in(a, &inner, 0, inner.count, &scope);
}

static void look_for_commands(struct tn_analyser *a, const struct tn_run *run, struct tn_str text)
{
	unsigned found = 0;
	size_t end;

	for (size_t at = 0; at < text.size && found < COMMANDS_IN_CODE_MAX; at = end + 1) {
		end = at;
		while (end < text.size && is_name_letter(text.data[end]))
			end++;
		if (end == at ||
		    !tn_code_is_dangerous(tn_base_name(tn_str(text.data + at, end - at))) ||
		    !stands_for_program(text, at, end))
			continue;
		look_at_words_in_code(a, run, text, at, end);
		found++;
	}
}

void tn_code_look(struct tn_analyser *a, const struct tn_run *run, struct tn_str text)
{
	tn_analysis_spend(a, text.size);
	if (tn_analysis_stopped(a) || !text.size)
		return;
	if (run->index < a->count && has_one_of(text, deletions, TN_COUNT(deletions)))
		a->commands[run->index].deletes = true;
	if (has_one_of(text, evaluators, TN_COUNT(evaluators)) &&
	    has_one_of(text, decoders, TN_COUNT(decoders)))
		tn_run_hidden(a, run, "code in another language decodes what it runs");
	look_for_commands(a, run, text);
}

/* ---- programs that nothing is known of ---- */

/* Their words are texts, names and patterns, whatever stands in them. */
static const char *const printers[] = {
	"echo",    "printf",      "print",    "grep",      "egrep",    "fgrep",   "rg",
	"ag",      "ack",         "man",      "info",      "help",     "which",   "type",
	"whereis", "whatis",      "apropos",  "logger",    "test",     "[",       "[[",
	"cat",     "head",        "tail",     "ls",        "dir",      "stat",    "file",
	"wc",      "sort",        "uniq",     "cut",       "tr",       "diff",    "cmp",
	"comm",    "touch",       "mkdir",    "cd",        "pushd",    "true",    "false",
	":",       "jq",          "yq",       "curl",      "gh",       "glab",    "hub",
	"svn",     "hg",          "return",   "exit",      "basename", "dirname", "realpath",
	"pgrep",   "ps",          "expr",     "let",       "shift",    "read",    "history",
	"strings", "ldd",         "objdump",  "nm",        "readelf",  "md5sum",  "sha256sum",
	"shasum",  "notify-send", "locate",   "column",    "paste",    "join",    "fold",
	"fmt",     "nl",          "rev",      "tac",       "seq",      "date",    "sleep",
	"unset",   "shopt",       "ulimit",   "umask",     "unalias",  "rmdir",   "rm",
	"unlink",  "cp",          "mv",       "ln",        "install",  "chmod",   "chown",
	"chgrp",   "tee",         "kill",     "pkill",     "killall",  "su",      "pidof",
	"usermod", "useradd",     "adduser",  "chsh",      "passwd",   "shred",   "srm",
	"say",     "wall",        "fzf-tmux", "highlight", "bat",      "tree",    "du",
	"df",
};

/* Their words name packages, services and files; their options may still have texts that run. */
static const char *const keepers[] = {
	"apt",
	"apt-get",
	"aptitude",
	"apt-cache",
	"apt-mark",
	"dnf",
	"dnf5",
	"yum",
	"zypper",
	"apk",
	"brew",
	"pacman",
	"yay",
	"snap",
	"flatpak",
	"port",
	"emerge",
	"pkg",
	"pkg_add",
	"nix-env",
	"nix",
	"xbps-install",
	"dpkg",
	"dpkg-query",
	"rpm",
	"pip",
	"pip3",
	"pipx",
	"npm",
	"yarn",
	"pnpm",
	"gem",
	"cargo",
	"go",
	"composer",
	"opkg",
	"pyenv",
	"rbenv",
	"nvm",
	"asdf",
	"rustup",
	"update-alternatives",
	"clean-install",
	"systemctl",
	"service",
	"journalctl",
	"docker",
	"podman",
	"kubectl",
	"helm",
	"aws",
	"gcloud",
	"az",
	"terraform",
	"make",
	"cmake",
	"meson",
	"zip",
	"unzip",
	"7z",
	"gzip",
	"ssh-keygen",
	"lsof",
	"strace",
	"mount",
	"umount",
	"complete",
	"compgen",
	"compopt",
	"bind",
	"rsync",
	"scp",
	"wget",
	"tmux",
	"git",
	"security",
	"codesign",
	"cpio",
	"dh_install",
	"rimraf",
	"update-rc.d",
	"chkconfig",
	"code",
	"subl",
	"select-editor",
	"vagrant",
};

static bool is_among(struct tn_str name, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (tn_str_is(name, list[i]))
			return true;
	}
	return false;
}

static bool has_blank(struct tn_str text)
{
	for (size_t i = 0; i < text.size; i++) {
		if (text.data[i] == ' ' || text.data[i] == '\t' || text.data[i] == '\n')
			return true;
	}
	return false;
}

void tn_words_look_at_texts(struct tn_analyser *a, const struct tn_run *run)
{
	for (size_t i = 1; i < run->count; i++) {
		if (has_blank(run->words[i].text))
			tn_code_look(a, run, run->words[i].text);
	}
}

/* -wrapper /bin/rm,-rf,build */
static void look_at_commas(struct tn_analyser *a, const struct tn_run *run, struct tn_str text)
{
	size_t comma = tn_str_find_byte(text, ',');

	if (comma != TN_STR_NONE && comma > 0 && !has_blank(text) &&
	    tn_code_is_dangerous(tn_base_name(tn_str(text.data, comma))))
		look_at_words_in_code(a, run, text, 0, comma);
}

void tn_words_look_at_programs(struct tn_analyser *a, const struct tn_run *run)
{
	for (size_t i = 1; i < run->count; i++) {
		struct tn_word word = run->words[i];
		struct tn_run inner = *run;
		struct tn_scope scope = tn_run_scope(run);
		size_t equals = tn_str_find_byte(word.text, '=');
		struct tn_word *words;

		if (word.text.size && word.text.data[0] == '-' && equals != TN_STR_NONE)
			word.text = tn_str_from_offset(word.text, equals + 1);
		if (!tn_code_is_dangerous(tn_base_name(word.text)))
			continue;
		words = tn_analysis_alloc(a, run->count - i, sizeof(*words));
		if (!words)
			return;
		words[0] = word;
		inner.words = words;
		inner.count = 1;
		/* start-stop-daemon --exec rm -- -rf x */
		for (size_t j = i + 1; j < run->count; j++) {
			if (j != i + 1 || !tn_run_word_is(run, j, "--"))
				words[inner.count++] = run->words[j];
		}
		tn_run_inner_in(a, &inner, 0, inner.count, &scope);
		return;
	}
}

void tn_words_look(struct tn_analyser *a, const struct tn_run *run, struct tn_str name)
{
	if (!name.size || is_among(name, printers, TN_COUNT(printers)))
		return;
	tn_words_look_at_texts(a, run);
	for (size_t i = 1; i < run->count; i++)
		look_at_commas(a, run, run->words[i].text);
	if (!is_among(name, keepers, TN_COUNT(keepers)))
		tn_words_look_at_programs(a, run);
	tn_code_look(a, run, tn_run_fed_text(a, run));
}
