#include "apps/studio/registry.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "store/file.h"

/* The files of one folder, read one after the other. */
struct folder {
	struct tn_arena arena;
	const char *path;
	const char *names[TN_STUDIO_TYPE_FILES_MAX];
	size_t count;
	struct tn_studio_source sources[TN_STUDIO_TYPE_FILES_MAX];
	struct tn_buf texts[TN_STUDIO_TYPE_FILES_MAX];
};

static int compare_names(const void *a, const void *b)
{
	const char *const *left = a, *const *right = b;

	return strcmp(*left, *right);
}

/* In the order of their names, so that every start sees the same. */
static void list_files(struct folder *folder)
{
	DIR *dir = opendir(folder->path);
	const struct dirent *entry;

	if (!dir)
		return;
	while (folder->count < TN_STUDIO_TYPE_FILES_MAX && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.' ||
		    !tn_str_ends(tn_str_from(entry->d_name), TN_STR(".json")))
			continue;
		folder->names[folder->count] =
			tn_arena_copy(&folder->arena, tn_str_from(entry->d_name));
		if (folder->names[folder->count])
			folder->count++;
	}
	(void)closedir(dir);
	qsort(folder->names, folder->count, sizeof(folder->names[0]), compare_names);
}

/* A file that cannot be read is empty, and is told as one that is no JSON. */
static void read_files(struct folder *folder)
{
	for (size_t i = 0; i < folder->count; i++) {
		struct tenon_error err;
		char *path =
			tn_arena_format(&folder->arena, "%s/%s", folder->path, folder->names[i]);

		tn_buf_init(&folder->texts[i], TN_STUDIO_TYPE_FILE_BYTES_MAX);
		if (path &&
		    tn_file_read(path, TN_FILE_REGULAR_ONLY, &folder->texts[i], &err) != TENON_OK)
			tn_buf_clear(&folder->texts[i]);
		folder->sources[i].name = tn_str_from(folder->names[i]);
		folder->sources[i].text = tn_buf_str(&folder->texts[i]);
	}
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

enum tenon_code tn_studio_registry_with_users(struct tn_studio_registry **ret,
					      struct tenon_error *err)
{
	struct folder *folder = tn_mem_alloc(sizeof(*folder));
	const char *data;
	enum tenon_code code;

	if (!folder)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_arena_init(&folder->arena, TN_MIB);
	data = tn_studio_data_folder(&folder->arena);
	folder->path = data ? tn_arena_format(&folder->arena, "%s/types", data) : NULL;
	if (folder->path)
		list_files(folder);
	read_files(folder);
	code = tn_studio_registry_create(folder->sources, folder->count, ret, err);
	for (size_t i = 0; i < folder->count; i++)
		tn_buf_finish(&folder->texts[i]);
	tn_arena_finish(&folder->arena);
	tn_mem_free(folder);
	return code;
}
