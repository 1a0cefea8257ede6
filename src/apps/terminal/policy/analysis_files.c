#include "apps/terminal/policy/analysis_options.h"

#include <fcntl.h>
#include <stdlib.h>

#include "hold/inputs.h"
#include "apps/terminal/policy/paths.h"
#include "hold/limits.h"
#include "base/size.h"

/* ---- scripts ---- */

/* What these write is built or only touched. */
static bool is_builder(struct tn_str name)
{
	static const char *const names[] = {"gcc",   "cc",    "clang", "g++", "c++",   "clang++",
					    "ld",    "go",    "rustc", "mv",  "chmod", "chown",
					    "javac", "touch", "mkdir", "rm",  "chgrp", "rustup"};

	for (size_t i = 0; i < TN_COUNT(names); i++) {
		if (tn_str_is(name, names[i]))
			return true;
	}
	return false;
}

bool tn_file_is_written_here(const struct tn_analyser *a, struct tn_str path)
{
	struct tn_str base = tn_base_name(path);

	for (size_t i = 0; base.size && i < a->count; i++) {
		const struct tn_simple_command *c = &a->commands[i];

		for (size_t j = 0; j < c->write_count; j++) {
			if (tn_str_equal(tn_base_name(c->writes[j]), base) && !is_builder(c->name))
				return true;
		}
	}
	return false;
}

const char *tn_script_path(struct tn_analyser *a, struct tn_str path)
{
	const char *home = getenv("HOME");

	if (path.size && path.data[0] == '~')
		return tn_path_resolve(a->arena, a->cwd, tn_str_from(home), path);
	if (path.size && path.data[0] == '/')
		return tn_arena_copy(a->arena, path);
	if (!a->cwd.size || a->cwd.data[0] != '/')
		return NULL;
	return tn_arena_format(a->arena, "%.*s/%.*s", (int)a->cwd.size, a->cwd.data, (int)path.size,
			       path.data);
}

static bool read_unheld(struct tn_analyser *a, const char *path, struct tn_str *ret)
{
	struct tn_held held;
	struct tn_str bytes;
	char *copy;

	if (tn_held_file(&held, AT_FDCWD, path, TN_ANALYSIS_SCRIPT_BYTES_MAX, NULL) != TENON_OK)
		return false;
	bytes = tn_held_map(&held);
	copy = tn_analysis_alloc(a, bytes.size + 1, 1);
	if (copy && bytes.size)
		memcpy(copy, bytes.data, bytes.size);
	*ret = tn_str(copy ? copy : "", copy ? bytes.size : 0);
	tn_held_unmap(bytes);
	tn_held_finish(&held);
	return copy != NULL;
}

bool tn_script_read(struct tn_analyser *a, struct tn_str path, struct tn_str *ret)
{
	const char *name;

	if (tn_str_is(path, "/dev/null")) {
		*ret = tn_str("", 0);
		return true;
	}
	if (a->around->cwd == NULL && !(path.size && path.data[0] == '/'))
		return false;
	name = tn_script_path(a, path);
	if (!name)
		return false;
	/* Held even when it cannot be looked into: it must not become another one. */
	if (a->around->inputs && !tn_inputs_script(a->around->inputs, name, ret)) {
		if (a->around->inputs->is_full)
			tn_analysis_hidden(a, "it reads more files than can be held");
		return false;
	}
	/* What it says now is not what it will say then. */
	if (tn_file_is_written_here(a, path)) {
		tn_analysis_hidden(a, "a script is written and run by the same text");
		return false;
	}
	return a->around->inputs || read_unheld(a, name, ret);
}

/* ---- programs by another name ---- */

/* What `$(which rm)` comes to. */
static struct tn_str asked_for(const struct tn_analyser *a, const struct tn_run *run)
{
	const struct tn_simple_command *c;

	if (run->index == 0 || run->index >= a->count)
		return tn_str("", 0);
	c = &a->commands[run->index - 1];
	if (!c->word_count || !(tn_str_is(c->name, "which") || tn_str_is(c->name, "command") ||
				tn_str_is(c->name, "type")))
		return tn_str("", 0);
	return tn_base_name(c->words[c->word_count - 1]);
}

static void learn_copy(struct tn_analyser *a, struct tn_str source, struct tn_str target)
{
	struct tn_str base = tn_base_name(target);

	if (tn_code_destroys(source))
		tn_analysis_hidden(a, "a program that destroys gets another name");
	if (source.size)
		tn_analysis_learn(a, &a->copies, base.size ? base : source, source);
}

/* cat /bin/rm > x */
static void learn_copies_by_cat(struct tn_analyser *a, const struct tn_run *run)
{
	for (size_t i = 1; i < run->count; i++) {
		if (tn_str_find(run->words[i].text, TN_STR("bin/")) == TN_STR_NONE)
			continue;
		for (size_t j = 0; j < run->write_count; j++)
			learn_copy(a, tn_base_name(run->words[i].text), run->writes[j]);
	}
}

void tn_files_copied(struct tn_analyser *a, struct tn_str name, const struct tn_run *run)
{
	const struct tn_word *last = &run->words[run->count - 1];
	struct tn_str source;

	if (tn_str_is(name, "cat")) {
		learn_copies_by_cat(a, run);
		return;
	}
	if (run->count < 3 || (last->flags & TN_WORD_UNKNOWN) ||
	    !(tn_str_is(name, "cp") || tn_str_is(name, "ln") || tn_str_is(name, "install") ||
	      tn_str_is(name, "mv")))
		return;
	source = tn_base_name(run->words[run->count - 2].text);
	if (run->words[run->count - 2].flags & TN_WORD_UNKNOWN)
		source = asked_for(a, run);
	if (source.size && !tn_str_equal(source, tn_base_name(last->text)))
		learn_copy(a, source, last->text);
}

/* ---- what programs write ---- */

enum { WRITES_ALL, WRITES_LAST, WRITES_BEHIND_FIRST, WRITES_NONE };

static const struct {
	const char *names;
	const char *values;  /* short options that take a value */
	const char *outputs; /* options whose value is written: "-o --output" */
	int operands;
} writers[] = {
	{"tee sponge touch rm rmdir unlink shred mkfifo wipefs blkdiscard srm trash", "rtdsn", "",
	 WRITES_ALL},
	{"mkdir mknod truncate fallocate", "mZsrlo", "", WRITES_ALL},
	{"chmod chown chgrp setfacl chattr", "mM", "", WRITES_BEHIND_FIRST},
	{"cp gcp ln", "St", "-t --target-directory", WRITES_LAST},
	{"install", "Stmogs", "-t --target-directory", WRITES_LAST},
	{"rsync scp", "efPBXciFlo", "", WRITES_LAST},
	{"bmaptool rpi-imager", "", "", WRITES_LAST},
	{"ddrescue dd_rescue", "abBcEeHiIKLmoOrsTxXQZ", "", WRITES_BEHIND_FIRST},
	{"pv partclone.restore partclone.dd partclone.ext4 partclone.ntfs partclone.btrfs "
	 "partclone.vfat partclone.xfs",
	 "LBNDiwHAFsa", "-o --output -O --overwrite", WRITES_NONE},
	{"xxd", "clsog", "", WRITES_LAST},
	{"csplit shuf enscript ptx nasm pandoc ffmpeg dstat", "nbk", "-f --prefix -o --output",
	 WRITES_NONE},
	{"mv rename", "St", "-t --target-directory", WRITES_ALL},
	{"curl", "XHdFuAebTUmKrCEwxYyzQP", "-o --output --output-dir -D --dump-header -c",
	 WRITES_NONE},
	{"wget", "aeiBTwQUtlARDINX", "-O --output-document -P --directory-prefix -o -a",
	 WRITES_NONE},
	{"sort uniq", "kStT", "-o --output", WRITES_NONE},
	{"gcc cc clang g++ c++ ld go rustc javac", "IDLlWfOx", "-o -d --output", WRITES_NONE},
	{"unzip 7z bsdtar", "x", "-d -o", WRITES_NONE},
	{"tar", "XTg", "-C --directory", WRITES_NONE},
	{"vi vim nvim nano emacs ed ex micro pico", "cSuUTt", "", WRITES_ALL},
	{"mkfs mkswap fdisk sfdisk cfdisk parted sgdisk gdisk cryptsetup tune2fs e2fsck fsck "
	 "mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat",
	 "LtbUOENmIiFn", "", WRITES_ALL},
};

static bool is_output(const char *list, const struct tn_shell_option *option)
{
	const char letter[] = {'-', option->letter, '\0'};
	char name[64] = "--";

	if (option->letter)
		return tn_analysis_is_one_of(tn_str_from(letter), list);
	if (option->name.size == 0 || option->name.size + 3 > sizeof(name))
		return false;
	memcpy(name + 2, option->name.data, option->name.size);
	return tn_analysis_is_one_of(tn_str(name, option->name.size + 2), list);
}

/* The letters that take a value: those of the program and the outputs. */
static const char *letters_of(struct tn_analyser *a, const char *values, const char *outputs)
{
	char *letters = tn_analysis_alloc(a, strlen(values) + strlen(outputs) + 1, 1);
	size_t count = strlen(values);

	if (!letters)
		return "";
	memcpy(letters, values, count);
	for (size_t i = 0; outputs[i] && outputs[i + 1]; i++) {
		bool begins = i == 0 || outputs[i - 1] == ' ';

		if (begins && outputs[i] == '-' && outputs[i + 1] != '-')
			letters[count++] = outputs[i + 1];
	}
	return letters;
}

static const char *long_names_of(struct tn_analyser *a, const char *outputs)
{
	char *names = tn_analysis_alloc(a, strlen(outputs) + 1, 1);
	size_t count = 0;

	for (const char *at = strstr(outputs, "--"); names && at; at = strstr(at, "--")) {
		size_t size = strcspn(at, " ");

		memcpy(names + count, at + 2, size - 2);
		count += size - 2;
		names[count++] = ' ';
		at += size;
	}
	return names ? names : "";
}

static void push(struct tn_analyser *a, const struct tn_word *word)
{
	if (word->text.size)
		tn_analysis_push_word(a, word->text, word->flags);
}

/* Operands up to the next option; how many there were before is counted on. */
static void push_operands(struct tn_analyser *a, struct tn_shell_options *options, int which,
			  size_t *operands, size_t *last)
{
	const struct tn_run *run = options->run;
	bool dashes = options->at > 1 && tn_run_word_is(run, options->at - 1, "--");

	for (; options->at < run->count; options->at++) {
		const struct tn_word *word = &run->words[options->at];

		if (!dashes && word->text.size > 1 && word->text.data[0] == '-')
			break; /* options may stand behind operands */
		*last = options->at;
		if (which == WRITES_ALL || (which == WRITES_BEHIND_FIRST && *operands > 0))
			push(a, word);
		(*operands)++;
	}
}

static void written_by(struct tn_analyser *a, const struct tn_run *run, size_t which)
{
	const struct tn_shell_option_grammar grammar = {
		letters_of(a, writers[which].values, writers[which].outputs),
		long_names_of(a, writers[which].outputs)};
	struct tn_shell_options options = {.run = run, .grammar = &grammar, .at = 1};
	size_t operands = 0, last = 0;

	while (options.at < run->count || options.letter) {
		struct tn_shell_option option = tn_shell_options_next(&options);

		if (option.is_end)
			push_operands(a, &options, writers[which].operands, &operands, &last);
		else if (option.has_value && is_output(writers[which].outputs, &option))
			push(a, &option.value);
	}
	if (writers[which].operands == WRITES_LAST && operands > 1)
		push(a, &run->words[last]);
}

/* dd of=FILE */
static void written_by_dd(struct tn_analyser *a, const struct tn_run *run)
{
	for (size_t i = 1; i < run->count; i++) {
		struct tn_word word = run->words[i];

		if (!tn_str_starts(word.text, TN_STR("of=")))
			continue;
		word.text = tn_str_from_offset(word.text, 3);
		push(a, &word);
	}
}

/* sed -i, perl -i: what they read they write. */
static void written_in_place(struct tn_analyser *a, const struct tn_run *run)
{
	bool in_place = false;

	for (size_t i = 1; i < run->count; i++) {
		struct tn_str text = run->words[i].text;

		in_place = in_place || tn_str_starts(text, TN_STR("--in-place")) ||
			   (text.size > 1 && text.data[0] == '-' && text.data[1] != '-' &&
			    tn_str_find_byte(text, 'i') != TN_STR_NONE);
	}
	for (size_t i = 1; in_place && i < run->count; i++) {
		if (!tn_str_starts(run->words[i].text, TN_STR("-")))
			push(a, &run->words[i]);
	}
}

/* find -fprint FILE */
static void written_by_find(struct tn_analyser *a, const struct tn_run *run)
{
	bool deletes = false;

	for (size_t i = 1; i < run->count; i++) {
		deletes = deletes || tn_run_word_is(run, i, "-delete");
		if (i + 1 < run->count &&
		    tn_analysis_is_one_of(run->words[i].text, "-fprint -fprintf -fprint0 -fls"))
			push(a, &run->words[i + 1]);
	}
	for (size_t i = 1; deletes && i < run->count; i++) {
		if (tn_str_starts(run->words[i].text, TN_STR("-")))
			break;
		push(a, &run->words[i]);
	}
}

void tn_files_written(struct tn_analyser *a, struct tn_str name, const struct tn_run *run)
{
	if (tn_analysis_is_one_of(name, "dd dcfldd dc3dd"))
		written_by_dd(a, run);
	else if (tn_str_is(name, "sed") || tn_str_is(name, "perl"))
		written_in_place(a, run);
	else if (tn_str_is(name, "find"))
		written_by_find(a, run);
	for (size_t i = 0; i < TN_COUNT(writers); i++) {
		if (tn_analysis_is_one_of(name, writers[i].names))
			written_by(a, run, i);
	}
}
