#include "apps/workbench/source/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "apps/workbench/limits.h"
#include "base/mem.h"

enum tenon_code tn_wb_files_open(struct tn_wb_files *files, const char *root,
				 struct tn_wb_reader *reader, struct tenon_error *err)
{
	const char *const folders[] = {root, NULL};
	enum tenon_code code;

	*files = (struct tn_wb_files){.reader = reader};
	if (strlen(root) >= sizeof(files->root))
		return tn_fail(err, TENON_INVALID, "the folder's path is too long");
	code = tn_roots_init(&files->roots, folders, err);
	if (code != TENON_OK)
		return code;
	memcpy(files->root, root, strlen(root));
	tn_map_init(&files->by_path);
	return TENON_OK;
}

static void forget(struct tn_wb_file *file)
{
	if (file->is_read)
		tn_wb_module_finish(&file->module);
	tn_mem_free(file->fault);
	file->fault = NULL;
	file->is_read = false;
}

static void drop(struct tn_wb_file *file)
{
	forget(file);
	tn_mem_free(file->path);
	tn_mem_free(file);
}

void tn_wb_files_close(struct tn_wb_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		drop(files->list[i]);
	tn_mem_free(files->list);
	tn_map_finish(&files->by_path);
	tn_roots_finish(&files->roots);
}

/* ---- one file ---- */

struct tn_wb_file *tn_wb_files_get(const struct tn_wb_files *files, struct tn_str path)
{
	return tn_map_get(&files->by_path, path);
}

/* The one of this path, or a new one that is not read yet. NULL: no memory. */
static struct tn_wb_file *entry_of(struct tn_wb_files *files, struct tn_str path)
{
	struct tn_wb_file *file = tn_wb_files_get(files, path);
	size_t capacity = files->capacity ? files->capacity * 2 : 64;
	struct tn_wb_file **list = files->list;

	if (file)
		return file;
	if (files->count == files->capacity) {
		list = tn_mem_resize(files->list, capacity * sizeof(struct tn_wb_file *));
		if (!list)
			return NULL;
		files->list = list;
		files->capacity = capacity;
	}
	file = tn_mem_alloc(sizeof(*file));
	if (!file)
		return NULL;
	file->path = tn_mem_copy_text(path.data, path.size);
	if (!file->path || tn_map_put(&files->by_path, path, file, NULL) != TENON_OK) {
		drop(file);
		return NULL;
	}
	list[files->count++] = file;
	return file;
}

static uint64_t nanoseconds(struct timespec time)
{
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Remembers what the file is now; true: as it was. */
static bool is_as_it_was(struct tn_wb_file *file, const struct stat *status)
{
	uint64_t changed = nanoseconds(status->st_mtim), made = nanoseconds(status->st_ctim);
	bool same = file->size == (uint64_t)status->st_size && file->changed_ns == changed &&
		    file->made_ns == made && file->number == (uint64_t)status->st_ino &&
		    file->device == (uint64_t)status->st_dev;

	file->size = (uint64_t)status->st_size;
	file->changed_ns = changed;
	file->made_ns = made;
	file->number = (uint64_t)status->st_ino;
	file->device = (uint64_t)status->st_dev;
	return same;
}

static bool absolute(const struct tn_wb_files *files, struct tn_str path, char ret[PATH_MAX])
{
	int size = snprintf(ret, PATH_MAX, "%s/%.*s", files->root, (int)path.size, path.data);

	return size > 0 && size < PATH_MAX;
}

enum tenon_code tn_wb_files_text(const struct tn_wb_files *files, struct tn_str path,
				 struct tn_buf *out, struct tenon_error *err)
{
	char whole[PATH_MAX];
	struct tn_place place;
	enum tenon_code code;

	if (!absolute(files, path, whole))
		return tn_fail(err, TENON_INVALID, "the path is too long");
	code = tn_place_find(&files->roots, whole, &place, err);
	if (code != TENON_OK)
		return code;
	code = tn_place_read(&place, out, err);
	tn_place_close(&place);
	return code;
}

static enum tenon_code read_text(struct tn_wb_files *files, struct tn_wb_file *file,
				 struct tenon_error *err)
{
	struct tn_buf text;
	enum tenon_code code;

	tn_buf_init(&text, TN_WB_SOURCE_BYTES_MAX);
	code = tn_wb_files_text(files, tn_str_from(file->path), &text, err);
	if (code == TENON_LIMIT)
		(void)tn_fail(err, code, "it is larger than 2 MiB");
	if (code == TENON_OK)
		code = tn_wb_module_read(files->reader, tn_str_from(file->path), tn_buf_str(&text),
					 &file->module, err);
	tn_buf_finish(&text);
	return code;
}

/* Reads what is not known yet. What cannot be read is remembered as such, until it changes. */
static enum tenon_code read_file(struct tn_wb_files *files, struct tn_wb_file *file,
				 struct tenon_error *err)
{
	struct tenon_error why = {0};
	enum tenon_code code;

	if (file->is_read || file->fault || !files->reader)
		return TENON_OK;
	code = read_text(files, file, &why);
	files->read_count++;
	if (code == TENON_NO_MEMORY)
		return tn_fail(err, code, "out of memory");
	file->is_read = code == TENON_OK;
	if (file->is_read)
		return TENON_OK;
	file->fault = tn_mem_copy_text(why.message, strlen(why.message));
	return file->fault ? TENON_OK : tn_fail(err, TENON_NO_MEMORY, "out of memory");
}

static int by_path(const void *a, const void *b)
{
	const struct tn_wb_file *const *left = a, *const *right = b;

	return strcmp((*left)->path, (*right)->path);
}

struct tn_wb_file *tn_wb_files_take(struct tn_wb_files *files, struct tn_str path)
{
	struct tn_wb_file *file = tn_wb_files_get(files, path);
	char whole[PATH_MAX];
	struct tn_place place;
	bool is_file;

	if (file && file->is_fresh)
		return file;
	if (!absolute(files, path, whole) ||
	    tn_place_find(&files->roots, whole, &place, NULL) != TENON_OK)
		return NULL;
	is_file = place.exists && S_ISREG(place.status.st_mode);
	file = is_file ? entry_of(files, path) : NULL;
	if (file && !is_as_it_was(file, &place.status))
		forget(file);
	tn_place_close(&place);
	if (!file || read_file(files, file, NULL) != TENON_OK)
		return NULL;
	file->is_fresh = true;
	qsort(files->list, files->count, sizeof(struct tn_wb_file *), by_path);
	return file;
}

/* ---- walking ---- */

struct link {
	struct link *next;
	char path[];
};
struct walk {
	struct tn_wb_files *files;
	const struct tn_wb_globs *include, *exclude;
	const atomic_bool *cancelled;
	struct tn_map seen; /* folders and files by device and number */
	struct link *links; /* looked at when all that is no link is known */
	size_t found;
	bool is_full, starved;
	char path[PATH_MAX];
};

/* False: it was seen already. */
static bool is_new(struct walk *walk, const struct stat *status)
{
	uint64_t key[2] = {(uint64_t)status->st_dev, (uint64_t)status->st_ino};
	struct tn_str name = tn_str((const char *)key, sizeof(key));

	if (tn_map_get(&walk->seen, name))
		return false;
	if (tn_map_put(&walk->seen, name, walk, NULL) != TENON_OK)
		walk->starved = true;
	return true;
}

static bool is_wanted(const struct walk *walk)
{
	struct tn_str path = tn_str_from(walk->path);

	return tn_wb_globs_match(walk->include, path) && !tn_wb_globs_match(walk->exclude, path);
}

static bool may_enter(const struct walk *walk)
{
	struct tn_str path = tn_str_from(walk->path);

	return tn_wb_globs_may_enter(walk->include, path) &&
	       !tn_wb_globs_cover(walk->exclude, path);
}

static void add_file(struct walk *walk, const struct stat *status)
{
	struct tn_wb_file *file;

	if (!is_wanted(walk) || !is_new(walk, status))
		return;
	if (walk->found == TN_WB_FILES_MAX) {
		walk->is_full = true;
		return;
	}
	file = entry_of(walk->files, tn_str_from(walk->path));
	if (!file) {
		walk->starved = true;
		return;
	}
	walk->found++;
	if (!is_as_it_was(file, status))
		forget(file);
	file->is_fresh = true;
	file->is_included = true;
}

static void keep_link(struct walk *walk)
{
	size_t size = strlen(walk->path);
	struct link *link;

	if (!is_wanted(walk) && !may_enter(walk))
		return;
	link = tn_mem_alloc(sizeof(*link) + size + 1);
	if (!link) {
		walk->starved = true;
		return;
	}
	memcpy(link->path, walk->path, size);
	link->next = walk->links;
	walk->links = link;
}

static void walk_folder(struct walk *walk, int folder, unsigned depth);

static void enter(struct walk *walk, int folder, const char *name, unsigned depth)
{
	int fd;

	if (!may_enter(walk) || depth == TN_WB_FOLDERS_DEPTH_MAX)
		return;
	fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0)
		walk_folder(walk, fd, depth + 1);
}

static void look_at(struct walk *walk, int folder, const char *name, unsigned depth)
{
	size_t size = strlen(walk->path);
	int more = snprintf(walk->path + size, sizeof(walk->path) - size, "%s%s", size ? "/" : "",
			    name);
	struct stat status;

	if (more > 0 && (size_t)more < sizeof(walk->path) - size &&
	    fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0) {
		if (S_ISLNK(status.st_mode))
			keep_link(walk);
		else if (S_ISDIR(status.st_mode))
			enter(walk, folder, name, depth);
		else if (S_ISREG(status.st_mode))
			add_file(walk, &status);
	}
	walk->path[size] = '\0';
}

static bool is_over(const struct walk *walk)
{
	return walk->is_full || walk->starved ||
	       (walk->cancelled && atomic_load_explicit(walk->cancelled, memory_order_relaxed));
}

/* Takes the descriptor. */
static void walk_folder(struct walk *walk, int folder, unsigned depth)
{
	struct stat status;
	DIR *list = NULL;
	struct dirent *entry;

	if (fstat(folder, &status) == 0 && is_new(walk, &status))
		list = fdopendir(folder);
	if (!list) {
		(void)close(folder); /* only read */
		return;
	}
	while (!is_over(walk) && (entry = readdir(list)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			look_at(walk, folder, entry->d_name, depth);
	(void)closedir(list); /* the descriptor with it */
}

/* What a link leads to, if that is beneath the root and nobody has come there another way. */
static void follow(struct walk *walk, const char *path)
{
	char whole[PATH_MAX];
	struct tn_place place;
	int fd = -1;

	if (!absolute(walk->files, tn_str_from(path), whole) ||
	    tn_place_find(&walk->files->roots, whole, &place, NULL) != TENON_OK)
		return;
	(void)snprintf(walk->path, sizeof(walk->path), "%s", path);
	if (tn_place_is_folder(&place)) {
		if (may_enter(walk) && tn_place_folder(&place, &fd, NULL) == TENON_OK)
			walk_folder(walk, fd, 1);
	} else if (place.exists && S_ISREG(place.status.st_mode)) {
		add_file(walk, &place.status);
	}
	walk->path[0] = '\0';
	tn_place_close(&place);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* In the order of their paths, whatever order folders list them in. Links found on the way are not
 * followed further. */
static void follow_all(struct walk *walk)
{
	size_t count = 0, i = 0;
	const char **paths;

	for (const struct link *link = walk->links; link; link = link->next)
		count++;
	paths = count ? tn_mem_alloc_array(count, sizeof(*paths)) : NULL;
	walk->starved = walk->starved || (count && !paths);
	for (const struct link *link = walk->links; paths && link; link = link->next)
		paths[i++] = link->path;
	if (paths)
		qsort(paths, count, sizeof(*paths), by_text);
	for (i = 0; paths && i < count && !is_over(walk); i++)
		follow(walk, paths[i]);
	tn_mem_free(paths);
	while (walk->links) {
		struct link *link = walk->links;

		walk->links = link->next;
		tn_mem_free(link);
	}
}

/* ---- a look ---- */

static void drop_gone(struct tn_wb_files *files)
{
	size_t kept = 0;

	for (size_t i = 0; i < files->count; i++) {
		if (files->list[i]->is_fresh) {
			files->list[kept++] = files->list[i];
			continue;
		}
		(void)tn_map_remove(&files->by_path, tn_str_from(files->list[i]->path));
		drop(files->list[i]);
	}
	files->count = kept;
	if (kept)
		qsort(files->list, kept, sizeof(struct tn_wb_file *), by_path);
}

static enum tenon_code open_root(struct tn_wb_files *files, int *ret, struct tenon_error *err)
{
	struct tn_place place;
	enum tenon_code code = tn_place_find(&files->roots, files->root, &place, err);

	if (code != TENON_OK)
		return code;
	code = tn_place_folder(&place, ret, err);
	tn_place_close(&place);
	return code;
}

static void tell(const struct tn_wb_file *file, struct tn_wb_diagnostics *diagnostics)
{
	struct tn_wb_diagnostic found = {.severity = TN_WB_WARNING, .file = file->path};

	if (file->fault) {
		found.code = "file_skipped";
		tn_wb_diagnose_format(diagnostics, &found, "not analysed: %s", file->fault);
	} else if (file->is_read && file->module.is_broken) {
		found.code = "parse_error";
		found.line = file->module.broken_line;
		found.message = "something here does not parse; what could be read is used";
		tn_wb_diagnose(diagnostics, &found);
	}
}

static enum tenon_code read_all(struct tn_wb_files *files, const atomic_bool *cancelled,
				struct tn_wb_diagnostics *diagnostics, struct tenon_error *err)
{
	files->read_count = 0;
	for (size_t i = 0; i < files->count; i++) {
		enum tenon_code code = TENON_OK;

		if (cancelled && atomic_load_explicit(cancelled, memory_order_relaxed))
			return tn_fail(err, TENON_CANCELLED, "cancelled");
		code = read_file(files, files->list[i], err);
		if (code != TENON_OK)
			return code;
		tell(files->list[i], diagnostics);
	}
	return TENON_OK;
}

enum tenon_code tn_wb_files_look(struct tn_wb_files *files, const struct tn_wb_globs *include,
				 const struct tn_wb_globs *exclude, const atomic_bool *cancelled,
				 struct tn_wb_diagnostics *diagnostics, struct tenon_error *err)
{
	struct walk walk = {
		.files = files, .include = include, .exclude = exclude, .cancelled = cancelled};
	int root = -1;
	enum tenon_code code = open_root(files, &root, err);

	if (code != TENON_OK)
		return code;
	for (size_t i = 0; i < files->count; i++)
		files->list[i]->is_fresh = files->list[i]->is_included = false;
	tn_map_init(&walk.seen);
	walk_folder(&walk, root, 0);
	follow_all(&walk);
	tn_map_finish(&walk.seen);
	if (walk.starved)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (cancelled && atomic_load_explicit(cancelled, memory_order_relaxed))
		return tn_fail(err, TENON_CANCELLED, "cancelled");
	drop_gone(files);
	if (walk.is_full)
		tn_wb_diagnose_format(diagnostics,
				      &(struct tn_wb_diagnostic){.severity = TN_WB_WARNING,
								 .code = "too_many_files"},
				      "only %d files are analysed; narrow graph.include",
				      TN_WB_FILES_MAX);
	return read_all(files, cancelled, diagnostics, err);
}
