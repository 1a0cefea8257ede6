#include "apps/studio/registry/registry.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "apps/studio/limits.h"
#include "base/mem.h"
#include "store/file.h"

/* The files of one folder or two, in the order in which they are loaded. */
struct found {
	struct tn_arena arena;
	size_t count;
	struct tn_studio_source sources[2 * TN_STUDIO_TYPE_FILES_MAX];
	struct tn_buf texts[2 * TN_STUDIO_TYPE_FILES_MAX];
};

static int compare_names(const void *a, const void *b)
{
	const char *const *left = a, *const *right = b;

	return strcmp(*left, *right);
}

/* In the order of their names, so that every start sees the same. */
static size_t list_files(struct found *found, DIR *folder, const char **names)
{
	const struct dirent *entry;
	size_t count = 0;

	while (count < TN_STUDIO_TYPE_FILES_MAX && (entry = readdir(folder)) != NULL) {
		if (entry->d_name[0] == '.' ||
		    !tn_str_ends(tn_str_from(entry->d_name), TN_STR(".json")))
			continue;
		names[count] = tn_arena_copy(&found->arena, tn_str_from(entry->d_name));
		if (names[count])
			count++;
	}
	qsort(names, count, sizeof(*names), compare_names);
	return count;
}

/* A file that cannot be read is empty, and is told as one that is no JSON. */
static void read_one(struct found *found, int folder, const char *name, bool of_project)
{
	unsigned flags = TN_FILE_REGULAR_ONLY | (of_project ? TN_FILE_NO_FOLLOW : 0);
	struct tn_buf *text = &found->texts[found->count];
	struct tenon_error err;
	int fd = -1;

	tn_buf_init(text, TN_STUDIO_TYPE_FILE_BYTES_MAX);
	if (tn_file_open_at(folder, name, flags, &fd, &err) == TENON_OK) {
		if (tn_buf_read_all(text, fd, &err) != TENON_OK)
			tn_buf_clear(text);
		(void)close(fd); /* only read from */
	}
	found->sources[found->count++] = (struct tn_studio_source){
		.name = tn_str_from(name), .text = tn_buf_str(text), .from_project = of_project};
}

/* `fd` is the folder's, and closed here. */
static void read_folder(struct found *found, int fd, bool of_project)
{
	const char *names[TN_STUDIO_TYPE_FILES_MAX];
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	size_t count;

	if (!folder) {
		if (fd >= 0)
			(void)close(fd); /* only read from */
		return;
	}
	count = list_files(found, folder, names);
	for (size_t i = 0; i < count; i++)
		read_one(found, dirfd(folder), names[i], of_project);
	(void)closedir(folder); /* the descriptor, too */
}

const char *tn_studio_data_folder(struct tn_arena *arena)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");

	if (data && data[0] == '/')
		return tn_arena_format(arena, "%s/tenon/studio", data);
	if (home && home[0] == '/')
		return tn_arena_format(arena, "%s/.local/share/tenon/studio", home);
	return NULL;
}

enum tenon_code tn_studio_registry_with_folders(const char *users, int project,
						struct tn_studio_registry **ret,
						struct tenon_error *err)
{
	struct found *found = tn_mem_alloc(sizeof(*found));
	const char *data;
	enum tenon_code code;

	if (!found)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_arena_init(&found->arena, TN_MIB);
	if (!users) {
		data = tn_studio_data_folder(&found->arena);
		users = data ? tn_arena_format(&found->arena, "%s/types", data) : NULL;
	}
	if (users) /* one that is missing has none */
		read_folder(found, open(users, O_RDONLY | O_DIRECTORY | O_CLOEXEC), false);
	if (project >= 0)
		read_folder(found, fcntl(project, F_DUPFD_CLOEXEC, 0), true);
	code = tn_studio_registry_create(found->sources, found->count, ret, err);
	for (size_t i = 0; i < found->count; i++)
		tn_buf_finish(&found->texts[i]);
	tn_arena_finish(&found->arena);
	tn_mem_free(found);
	return code;
}

enum tenon_code tn_studio_registry_with_users(struct tn_studio_registry **ret,
					      struct tenon_error *err)
{
	return tn_studio_registry_with_folders(NULL, -1, ret, err);
}
