/* What stands around a plan that is applied: everything in terraform/ that the engine can read
 * there (ST-081), hashed, and held: the bytes that were hashed are those that the engine will be
 * given. Found by descriptors, so that no name leads elsewhere meanwhile. Runs in a worker. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/studio/run/internal.h"
#include "apps/studio/limits.h"
#include "base/mem.h"

enum { DEPTH_MAX = 24, NAMES_BYTES_MAX = 8 * 1024 * 1024, NAMES_SHOWN_BYTES = 300 };

/* What the engine writes itself: the state has a mark of its own (ST-083). */
static bool is_state(const char *name)
{
	static const char *const names[] = {"terraform.tfstate", "terraform.tfstate.backup",
					    ".terraform.tfstate.lock.info", "crash.log"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

static void put_stamp(struct tn_buf *out, int fd)
{
	struct tn_studio_stamp stamp = tn_studio_stamp_of(fd);

	tn_buf_format(out, " %llu %llu %llu %llu %llu\n", (unsigned long long)stamp.device,
		      (unsigned long long)stamp.inode, (unsigned long long)stamp.size,
		      (unsigned long long)stamp.changed, (unsigned long long)stamp.modified);
}

/* ---- what of it is held ---- */

static void add_name_to(struct tn_buf *names, const char *name)
{
	if (names->size < NAMES_SHOWN_BYTES)
		tn_buf_format(names, "%s%.100s", names->size ? ", " : "", name);
}

static void hold(struct tn_studio_around *around, enum tn_input_kind kind, int folder,
		 const char *mark, const struct tn_str *bytes)
{
	struct stat about;

	if (!around->list || around->is_unheld)
		return;
	if (fstat(folder, &about) != 0 ||
	    !tn_hold_list_add(around->list, kind, around->path, &about, mark, bytes))
		around->failed = true;
	around->bytes += bytes ? bytes->size : 0;
}

/* At most so many bytes; false: there are more, or it cannot be read. */
static bool read_file(struct tn_studio_around *around, int fd)
{
	const uint64_t room = TN_STUDIO_ACT_BYTES_MAX - around->bytes;
	const size_t most =
		room < TN_STUDIO_ACT_FILE_BYTES_MAX ? (size_t)room : TN_STUDIO_ACT_FILE_BYTES_MAX;
	ssize_t got = 1;

	tn_buf_clear(&around->content);
	while (got > 0 && around->content.size <= most) {
		char piece[16 * 1024];

		do
			got = read(fd, piece, sizeof(piece));
		while (got < 0 && errno == EINTR);
		if (got > 0)
			tn_buf_append(&around->content, piece, (size_t)got);
	}
	return got == 0 && around->content.size <= most && !around->content.failed;
}

static bool gains_privileges(struct tn_str text)
{
	static const char *const words[] = {"sudo ", "doas ", "pkexec "};
	bool does = false;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		does = does || tn_str_find(text, tn_str_from(words[i])) != TN_STR_NONE;
	return does;
}

/* By its bytes; or by inode, size and times, as the programs of providers and what is large. */
static void put_file(struct tn_studio_around *around, int folder, int fd, const char *name,
		     bool by_stamp)
{
	char mark[TN_INPUT_MARK_SIZE], hex[TN_DIGEST_HEX_SIZE];
	struct tn_str bytes;

	(void)tn_inputs_mark_fd(fd, mark, sizeof(mark));
	if (by_stamp || !read_file(around, fd)) {
		put_stamp(around->out, fd);
		hold(around, TN_INPUT_PROGRAM, folder, mark, NULL);
		if (!by_stamp)
			add_name_to(&around->large, name);
		return;
	}
	bytes = tn_buf_str(&around->content);
	tn_digest_hex(bytes, hex);
	tn_buf_format(around->out, " %s\n", hex);
	hold(around, TN_INPUT_SCRIPT, folder, mark, &bytes);
	if (gains_privileges(bytes))
		add_name_to(&around->privileged, name);
}

/* ---- folders ---- */

static bool put_folder(struct tn_studio_around *around, int folder, unsigned depth, bool by_stamp);

/* Nothing is in it but what is there now. */
static void close_folder(struct tn_studio_around *around, int fd)
{
	hold(around, TN_INPUT_CLOSED, fd, "", NULL);
}

/* Providers may be links to the folder that all projects share. */
static bool put_link(struct tn_studio_around *around, int folder, const char *name, unsigned depth,
		     bool by_stamp)
{
	char target[4096];
	ssize_t size = readlinkat(folder, name, target, sizeof(target));
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat about;
	bool good = true;

	tn_buf_append(around->out, target, size > 0 ? (size_t)size : 0);
	put_stamp(around->out, fd);
	if (fd >= 0 && fstat(fd, &about) == 0 && S_ISDIR(about.st_mode)) {
		close_folder(around, fd);
		good = put_folder(around, fd, depth + 1, true);
	} else if (fd >= 0 && S_ISREG(about.st_mode)) {
		put_file(around, folder, fd, name, by_stamp);
	}
	if (fd >= 0)
		(void)close(fd); /* only read from */
	return good;
}

static bool put_below(struct tn_studio_around *around, int fd, const char *name, unsigned depth,
		      bool by_stamp)
{
	bool is_engines = depth == 0 && strcmp(name, ".terraform") == 0;
	bool good;

	around->is_unheld = around->is_unheld || (is_engines && around->needs_init);
	if (is_engines)
		close_folder(around, fd);
	good = put_folder(around, fd, depth + 1,
			  by_stamp || (depth == 1 && strcmp(name, "providers") == 0));
	if (is_engines)
		around->is_unheld = false;
	return good;
}

static bool put_this(struct tn_studio_around *around, int folder, const char *name, unsigned depth,
		     bool by_stamp)
{
	struct stat about;
	bool good = true;
	int fd;

	if (fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) != 0)
		return true; /* it has gone meanwhile */
	if (S_ISLNK(about.st_mode))
		return put_link(around, folder, name, depth, by_stamp);
	if (!S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode))
		return true;
	fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (S_ISDIR(about.st_mode) && fd >= 0)
		good = put_below(around, fd, name, depth, by_stamp);
	else if (fd >= 0)
		put_file(around, folder, fd, name, by_stamp);
	else
		put_stamp(around->out, fd);
	if (fd >= 0)
		(void)close(fd); /* only read from */
	return good;
}

static bool put_entry(struct tn_studio_around *around, int folder, const char *name, unsigned depth,
		      bool by_stamp)
{
	size_t size = strlen(around->path);
	bool good;

	tn_buf_append_text(around->out, name);
	tn_buf_append_byte(around->out, '\0');
	if (size + strlen(name) + 2 > sizeof(around->path))
		return false;
	(void)snprintf(around->path + size, sizeof(around->path) - size, "/%s", name);
	good = put_this(around, folder, name, depth, by_stamp);
	around->path[size] = '\0';
	return good;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct names {
	const char **list; /* in the arena */
	size_t count, room;
};

static void add_name(struct tn_studio_around *around, struct names *names, const char *name)
{
	const char *copy = tn_arena_copy(&around->arena, tn_str_from(name));

	around->count++;
	if (names->count == names->room) {
		size_t room = names->room ? 2 * names->room : 64;
		const char **more = tn_arena_alloc_array(&around->arena, room, sizeof(*more));

		if (more && names->count > 0)
			memcpy(more, names->list, names->count * sizeof(*more));
		names->list = more;
		names->room = room;
	}
	if (!names->list || !copy)
		around->count = TN_STUDIO_ACT_FILES_MAX + 1; /* as if there were too many */
	else
		names->list[names->count++] = copy;
}

/* Sorted. More than are looked at: the count says so. */
static void read_names(struct tn_studio_around *around, int folder, struct names *names)
{
	int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *entries = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;

	if (!entries) {
		if (fd >= 0)
			(void)close(fd); /* only read from */
		return;
	}
	while (around->count <= TN_STUDIO_ACT_FILES_MAX && (entry = readdir(entries)) != NULL) {
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			add_name(around, names, entry->d_name);
	}
	(void)closedir(entries); /* only read from */
	if (names->count > 0)
		qsort(names->list, names->count, sizeof(*names->list), by_name);
}

static bool put_folder(struct tn_studio_around *around, int folder, unsigned depth, bool by_stamp)
{
	struct names names = {.list = NULL};
	bool good;

	read_names(around, folder, &names);
	good = depth < DEPTH_MAX && around->count <= TN_STUDIO_ACT_FILES_MAX;
	tn_buf_append_text(around->out, "{\n");
	for (size_t i = 0; good && i < names.count; i++) {
		if (around->cancelled && atomic_load(around->cancelled))
			return false;
		if (depth > 0 || !is_state(names.list[i]))
			good = put_entry(around, folder, names.list[i], depth, by_stamp);
	}
	tn_buf_append_text(around->out, "}\n");
	return good;
}

bool tn_studio_around_put(struct tn_studio_around *around, struct tn_buf *out, int folder)
{
	bool good;

	around->out = out;
	tn_arena_init(&around->arena, NAMES_BYTES_MAX);
	tn_buf_init(&around->content, 2 * TN_STUDIO_ACT_FILE_BYTES_MAX);
	good = put_folder(around, folder, 0, false) && !out->failed && !around->failed;
	tn_buf_finish(&around->content);
	tn_arena_finish(&around->arena);
	return good;
}

void tn_studio_around_init(struct tn_studio_around *around)
{
	*around = (struct tn_studio_around){.count = 0};
	tn_buf_init(&around->large, 2 * NAMES_SHOWN_BYTES);
	tn_buf_init(&around->privileged, 2 * NAMES_SHOWN_BYTES);
}

void tn_studio_around_finish(struct tn_studio_around *around)
{
	tn_buf_finish(&around->large);
	tn_buf_finish(&around->privileged);
}
