/* Starts: what is started is compared after the kernel has taken it and before its first
 * instruction. From then on nobody can write to it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/size.h"
#include "hold/hold_items.h"

enum {
	BEGIN_BYTES = 255,
	INTERPRETERS_MAX = 5, /* one behind the other, as the kernel has it */
	WORDS_BYTES = INTERPRETERS_MAX * (BEGIN_BYTES + 2) + PATH_MAX
};

static struct tn_hold_start *start_of(struct tn_hold *hold, pid_t thread)
{
	for (size_t i = 0; i < TN_COUNT(hold->starts); i++) {
		if (hold->starts[i].thread == thread)
			return &hold->starts[i];
	}
	return NULL;
}

/* A script that is too large to be held: what starts then is its interpreter. */
static bool is_large_script(const struct tn_hold_item *item)
{
	char begin[2] = "", mark[TN_HOLD_MARK_SIZE];
	int fd = !item->has_copy && item->kind != TN_INPUT_ABSENT
			 ? open(item->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
			 : -1;
	bool is = fd >= 0 && read(fd, begin, 2) == 2 && memcmp(begin, "#!", 2) == 0;

	if (fd >= 0)
		(void)close(fd); /* only read */
	return is && tn_inputs_mark(AT_FDCWD, item->path, mark, sizeof(mark)) &&
	       strcmp(mark, item->mark) == 0;
}

/* False: *error. */
static bool begin_start(struct tn_hold *hold, pid_t thread, const struct tn_hold_item *item,
			const char *path, int *error)
{
	struct tn_hold_start *start = start_of(hold, thread);

	*error = EAGAIN;
	if (!start) {
		start = start_of(hold, 0);
		if (!start)
			return false;
		if (ptrace(PTRACE_SEIZE, thread, NULL, PTRACE_O_TRACEEXEC) != 0) {
			(void)fprintf(stderr,
				      "tenon: %s cannot be held at its start (%s), and was not "
				      "started\n",
				      item->path, strerror(errno));
			*error = EACCES;
			return false;
		}
	}
	*start = (struct tn_hold_start){.thread = thread, .item = item};
	(void)snprintf(start->path, sizeof(start->path), "%s", path);
	return true;
}

/* Nothing of what will be started has run when it stands still for us; what stands there now is of
 * no meaning, because the kernel looks once more. */
void tn_hold_answer_start(struct tn_hold *hold, const struct tn_confine_call *call, int folder,
			  uint64_t path_at)
{
	pid_t thread = (pid_t)call->request->pid;
	struct tn_hold_start *before = start_of(hold, thread);
	const struct tn_hold_item *item = NULL;
	char path[PATH_MAX] = "";
	int error = ENOENT;

	if (before)
		before->item = NULL;
	if (tn_confine_copy_text(call, path_at, path) == 0)
		item = tn_hold_find(hold, call, folder, path);
	if (!item && tn_hold_is_closed(hold, call, folder, path))
		tn_confine_reply(call, ENOENT, 0);
	else if (!item || is_large_script(item))
		tn_hold_let(call);
	else if (item->kind != TN_INPUT_ABSENT && begin_start(hold, thread, item, path, &error))
		tn_hold_let(call);
	else
		tn_confine_reply(call, error, 0);
}

/* "#! INTERPRETER ARGUMENT", as the kernel cuts it up; *argument is NULL without one. */
static bool cut_line(char *line, char **interpreter, char **argument)
{
	char *end;

	if (strncmp(line, "#!", 2) != 0)
		return false;
	line[strcspn(line, "\n")] = '\0';
	end = line + strlen(line);
	while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
		*--end = '\0';
	*interpreter = line + 2 + strspn(line + 2, " \t");
	end = *interpreter + strcspn(*interpreter, " \t");
	*argument = *end ? end + strspn(end, " \t") : NULL;
	*end = '\0';
	return **interpreter == '/';
}

/* Its beginning: of the copy where there is one. */
static void read_begin(const struct tn_hold_item *item, const char *path,
		       char line[BEGIN_BYTES + 1])
{
	size_t size = 0;
	ssize_t got;
	int fd;

	if (item && item->bytes.size) {
		size = item->bytes.size < BEGIN_BYTES ? item->bytes.size : BEGIN_BYTES;
		memcpy(line, item->bytes.data, size);
	} else if (item && item->fd >= 0) {
		got = pread(item->fd, line, BEGIN_BYTES, 0);
		size = got > 0 ? (size_t)got : 0;
	} else if ((fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) >= 0) {
		got = pread(fd, line, BEGIN_BYTES, 0);
		size = got > 0 ? (size_t)got : 0;
		(void)close(fd); /* only read */
	}
	line[size] = '\0';
}

/* A list of words with a NUL behind each, put together from its end. */
struct words {
	char bytes[WORDS_BYTES];
	size_t from;
};

static void put_before(struct words *words, const char *word)
{
	size_t size = strlen(word) + 1;

	if (words->from < size)
		return; /* longer than what is compared with: it will not be equal */
	words->from -= size;
	memcpy(words->bytes + words->from, word, size);
}

/* Its first words are these. */
static bool has_words(pid_t pid, const struct words *words)
{
	char link[TN_HOLD_LINK_BYTES], are[WORDS_BYTES];
	size_t size = sizeof(words->bytes) - words->from;
	ssize_t got = -1;
	int fd;

	(void)snprintf(link, sizeof(link), "/proc/%d/cmdline", (int)pid);
	fd = open(link, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		got = read(fd, are, size);
		(void)close(fd); /* only read */
	}
	return got == (ssize_t)size && memcmp(are, words->bytes + words->from, size) == 0;
}

static bool is_program(pid_t pid, const char *path)
{
	char link[TN_HOLD_LINK_BYTES];
	struct stat now, then;

	(void)snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	return stat(link, &now) == 0 && stat(path, &then) == 0 && now.st_dev == then.st_dev &&
	       now.st_ino == then.st_ino;
}

static const struct tn_hold_item *of_path(const struct tn_hold *hold, const char *path)
{
	for (size_t i = 0; i < hold->count; i++) {
		if (hold->items[i].has_copy && !hold->items[i].is_own &&
		    strcmp(hold->items[i].path, path) == 0)
			return &hold->items[i];
	}
	return NULL;
}

/* A script: the interpreter that its copy names runs, with the words that the kernel makes of that
 * line; of one that is a script, too, likewise. */
static bool is_script_as_judged(const struct tn_hold *hold, pid_t pid,
				const struct tn_hold_start *start)
{
	char line[BEGIN_BYTES + 1], next[BEGIN_BYTES + 1], *interpreter, *argument;
	struct words words = {.from = sizeof(words.bytes)};

	read_begin(start->item, NULL, line);
	put_before(&words, start->path);
	for (int i = 0; i < INTERPRETERS_MAX; i++) {
		if (!cut_line(line, &interpreter, &argument))
			return false;
		if (argument)
			put_before(&words, argument);
		put_before(&words, interpreter);
		read_begin(of_path(hold, interpreter), interpreter, next);
		if (strncmp(next, "#!", 2) != 0)
			return is_program(pid, interpreter) && has_words(pid, &words);
		memcpy(line, next, sizeof(line));
	}
	return false;
}

static bool is_as_judged(const struct tn_hold *hold, pid_t pid, const struct tn_hold_start *start)
{
	char link[TN_HOLD_LINK_BYTES], mark[TN_HOLD_MARK_SIZE];

	if (start->item->has_copy)
		return is_script_as_judged(hold, pid, start);
	(void)snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	return tn_inputs_mark(AT_FDCWD, link, mark, sizeof(mark)) &&
	       strcmp(mark, start->item->mark) == 0;
}

static void stand_still(struct tn_hold *hold, pid_t pid, int status)
{
	int event = status >> 16, signal_number = event ? 0 : WSTOPSIG(status);
	unsigned long thread = (unsigned long)pid;
	struct tn_hold_start *start;

	if (event == PTRACE_EVENT_EXEC)
		(void)ptrace(PTRACE_GETEVENTMSG, pid, NULL, &thread); /* who called it */
	start = start_of(hold, (pid_t)thread);
	if (event == PTRACE_EVENT_EXEC && start && start->item && !is_as_judged(hold, pid, start)) {
		(void)fprintf(stderr,
			      "tenon: %s was changed after it had been looked at, and was not "
			      "started\n",
			      start->item->path);
		(void)kill(pid, SIGKILL);
	}
	if (start)
		start->thread = 0;
	(void)ptrace(PTRACE_DETACH, pid, NULL, (void *)(intptr_t)signal_number);
}

void tn_hold_waited(struct tn_hold *hold, pid_t pid, int status)
{
	struct tn_hold_start *start;

	if (WIFSTOPPED(status)) {
		stand_still(hold, pid, status);
		return;
	}
	start = start_of(hold, pid);
	if (start)
		start->thread = 0;
}
