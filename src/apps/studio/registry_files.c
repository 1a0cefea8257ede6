#include "apps/studio/registry.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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
static void read_one(struct found *found, const char *folder, const char *name, bool of_project)
{
	unsigned flags = TN_FILE_REGULAR_ONLY | (of_project ? TN_FILE_NO_FOLLOW : 0);
	char *path = tn_arena_format(&found->arena, "%s/%s", folder, name);
	struct tn_buf *text = &found->texts[found->count];
	struct tenon_error err;

	tn_buf_init(text, TN_STUDIO_TYPE_FILE_BYTES_MAX);
	if (path && tn_file_read(path, flags, text, &err) != TENON_OK)
		tn_buf_clear(text);
	found->sources[found->count++] = (struct tn_studio_source){
		.name = tn_str_from(name), .text = tn_buf_str(text), .from_project = of_project};
}

/* A folder that is missing has none, and so has a project's that is a link (ST-142). */
static void read_folder(struct found *found, const char *path, bool of_project)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (of_project ? O_NOFOLLOW : 0));
	const char *names[TN_STUDIO_TYPE_FILES_MAX];
	size_t count;
	DIR *folder;

	if (fd < 0)
		return;
	folder = fdopendir(fd);
	if (!folder) {
		(void)close(fd); /* only read from */
		return;
	}
	count = list_files(found, folder, names);
	(void)closedir(folder); /* the descriptor, too */
	for (size_t i = 0; i < count; i++)
		read_one(found, path, names[i], of_project);
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

enum tenon_code tn_studio_registry_with_folders(const char *users, const char *project,
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
	if (users)
		read_folder(found, users, false);
	if (project)
		read_folder(found, project, true);
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
	return tn_studio_registry_with_folders(NULL, NULL, ret, err);
}
