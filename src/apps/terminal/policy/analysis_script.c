/* analysis_script.c - ./deploy.sh: a file that is started by its path and is a script. Its first
 * line says who reads it, and what it does is looked at as if that program had been given its name.
 */
#include "apps/terminal/policy/internal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hold/inputs.h"
#include "apps/terminal/limits.h"
#include "base/size.h"

/* A look into a file system, in bytes of text that take as long. */
enum { FILE_COST = 256 };

/* What the machine's owner installed is known by its name. A way back leads anywhere. */
static bool is_installed(struct tn_str path)
{
	static const char *const folders[] = {"/usr/",   "/bin/", "/sbin/", "/lib/",
					      "/lib64/", "/opt/", "/snap/", "/nix/"};

	if (tn_str_find(path, TN_STR("/..")) != TN_STR_NONE)
		return false;
	for (size_t i = 0; i < TN_COUNT(folders); i++) {
		if (tn_str_starts(path, tn_str_from(folders[i])))
			return true;
	}
	return false;
}

/* The file's first bytes; 0: it is no file that can be read, or it is empty. */
static size_t read_begin(const struct tn_analyser *a, const char *path, char *begin, size_t size)
{
	int at = AT_FDCWD, fd;
	struct stat status;
	ssize_t got = 0;

	if (a->around->inputs)
		at = tn_inputs_seen_from(a->around->inputs, &path);
	fd = openat(at, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return 0;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		got = pread(fd, begin, size, 0);
	(void)close(fd); /* read only */
	return got > 0 ? (size_t)got : 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* "#!/usr/bin/env -S bash -e": the program, and all that follows as one word, as Linux has it.
 * A file without it that is no program is given to sh, by shells and by env. */
static bool find_reader(struct tn_str begin, struct tn_str words[2])
{
	size_t at = 2, end = 2;

	words[1] = tn_str("", 0);
	if (!tn_str_starts(begin, TN_STR("#!"))) {
		words[0] = TN_STR("sh"); /* dash takes all but programs for a script */
		return !tn_str_starts(begin, TN_STR("\x7f"
						    "ELF"));
	}
	while (end < begin.size && begin.data[end] != '\n')
		end++;
	while (end > at && (is_blank(begin.data[end - 1]) || begin.data[end - 1] == '\r'))
		end--;
	while (at < end && is_blank(begin.data[at]))
		at++;
	words[0] = tn_str(begin.data + at, 0);
	while (at < end && !is_blank(begin.data[at])) {
		words[0].size++;
		at++;
	}
	while (at < end && is_blank(begin.data[at]))
		at++;
	words[1] = tn_str(begin.data + at, end - at);
	return words[0].size > 0;
}

static void look_as(struct tn_analyser *a, const struct tn_run *run, const struct tn_str reader[2],
		    struct tn_str path)
{
	size_t more = reader[1].size ? 2 : 1;
	struct tn_run own = *run;
	struct tn_word *words = tn_analysis_alloc(a, run->count + more, sizeof(*words));

	if (!words)
		return;
	for (size_t i = 0; i < more; i++)
		words[i] = (struct tn_word){reader[i], TN_WORD_QUOTED};
	memcpy(words + more, run->words, run->count * sizeof(*words));
	words[more] = (struct tn_word){path, TN_WORD_QUOTED};
	own.words = words;
	own.count = run->count + more;
	tn_run_inner(a, &own, 0);
}

/* False: it is no file that can be read, or a program of the machine. */
static bool look_at_file(struct tn_analyser *a, const struct tn_run *run, struct tn_str named)
{
	const char *path = tn_script_path(a, named);
	struct tn_str reader[2];
	char *begin;
	size_t size;

	begin = path ? tn_analysis_alloc(a, TN_ANALYSIS_SCRIPT_BEGIN_BYTES, 1) : NULL;
	size = begin ? read_begin(a, path, begin, TN_ANALYSIS_SCRIPT_BEGIN_BYTES) : 0;
	tn_analysis_spend(a, FILE_COST + size);
	if (size && find_reader(tn_str(begin, size), reader))
		look_as(a, run, reader, named);
	return size > 0;
}

/* Only directories that are not the machine's own, and only before one that has the program. */
static void look_along_path(struct tn_analyser *a, const struct tn_run *run)
{
	struct tn_str rest = a->path, name = run->words[0].text;

	for (size_t i = 0; rest.size && i < TN_ANALYSIS_PATH_ENTRIES_MAX; i++) {
		size_t end = tn_str_find_byte(rest, ':');
		struct tn_str entry = tn_str(rest.data, end == TN_STR_NONE ? rest.size : end);
		char *file;

		rest = tn_str_from_offset(rest, end == TN_STR_NONE ? rest.size : end + 1);
		if (tn_analysis_stopped(a))
			return;
		file = tn_arena_format(a->arena, "%.*s/%.*s", (int)entry.size, entry.data,
				       (int)name.size, name.data);
		a->starved = a->starved || !file;
		if (!file ||
		    (entry.size && is_installed(tn_str_from(file)) && access(file, X_OK) == 0))
			return;
		if (entry.size && !is_installed(tn_str_from(file)) &&
		    look_at_file(a, run, tn_str_from(file)))
			return;
	}
}

void tn_script_look(struct tn_analyser *a, const struct tn_run *run)
{
	const struct tn_word *word = &run->words[0];

	if ((word->flags & (TN_WORD_EXPANDED | TN_WORD_GLOB)) || !a->around->cwd ||
	    !word->text.size)
		return;
	if (tn_str_find_byte(word->text, '/') == TN_STR_NONE)
		look_along_path(a, run);
	else if (!is_installed(word->text))
		(void)look_at_file(a, run, word->text);
}
