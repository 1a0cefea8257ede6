/* Which files lie in the folders for fonts. What another user of the machine may have put there is
 * looked at with care: no links to folders, no devices, a bound on everything. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "plugins/shaping.h"

enum { FIRST_ROOM = 64 };

uint64_t shaping_stamp_of(const struct stat *about)
{
	return (uint64_t)about->st_mtim.tv_sec * 1000000007u + (uint64_t)about->st_mtim.tv_nsec +
	       (uint64_t)about->st_ino * 31u + (uint64_t)about->st_size + 1;
}

uint64_t shaping_stamp(const char *path)
{
	struct stat about;

	return stat(path, &about) == 0 ? shaping_stamp_of(&about) : 0;
}

/* ---- folders ---- */

static bool is_font_name(const char *name)
{
	static const char *const endings[] = {".ttf", ".otf", ".ttc", ".otc"};
	size_t size = strlen(name);

	for (size_t i = 0; i < TN_COUNT(endings); i++)
		if (size > 4 &&
		    tn_str_equal_nocase(tn_str(name + size - 4, 4), tn_str_from(endings[i])))
			return true;
	return false;
}

/* Room for one more at the end of a list: its memory is doubled. */
static bool has_room(void **list, size_t count, size_t size)
{
	void *more;

	if (count < FIRST_ROOM ? count > 0 : (count & (count - 1)) != 0)
		return true;
	more = tn_mem_resize(*list, (count > 0 ? 2 * count : FIRST_ROOM) * size);
	*list = more ? more : *list;
	return more != NULL;
}

static bool add_file(struct shaping_index *index, const char *path, const struct stat *about)
{
	struct shaping_file *file;

	if (index->file_count == TN_SHAPING_FILES_MAX || about->st_size < 12 ||
	    about->st_size > (off_t)TN_SHAPING_FILE_BYTES_MAX)
		return true;
	if (!has_room((void **)&index->files, index->file_count, sizeof(*file)))
		return false;
	file = &index->files[index->file_count];
	*file = (struct shaping_file){.path = NULL};
	file->path = tn_arena_copy(&index->arena, tn_str_from(path));
	file->size = (uint64_t)about->st_size;
	file->stamp = shaping_stamp_of(about);
	index->file_count++;
	return file->path != NULL;
}

/* Notes the folder. NULL: it is not there, or no more are looked at; *ok is cleared without
 * memory. */
static DIR *enter(struct shaping_index *index, const char *path, bool *ok)
{
	struct shaping_folder *noted;
	struct stat about;
	DIR *folder;

	if (index->folder_count == TN_SHAPING_FOLDERS_MAX)
		return NULL;
	*ok = has_room((void **)&index->folders, index->folder_count, sizeof(*noted));
	if (!*ok)
		return NULL;
	folder = opendir(path);
	noted = &index->folders[index->folder_count++];
	noted->path = tn_arena_copy(&index->arena, tn_str_from(path));
	noted->stamp = folder && fstat(dirfd(folder), &about) == 0 ? shaping_stamp_of(&about) : 0;
	*ok = noted->path != NULL;
	return folder;
}

static bool look_into(struct shaping_index *index, const char *path, unsigned depth)
{
	const struct dirent *entry;
	char inside[PATH_MAX];
	struct stat about;
	bool ok = true;
	DIR *folder = enter(index, path, &ok);

	while (folder && ok && (entry = readdir(folder))) {
		int size = snprintf(inside, sizeof(inside), "%s/%s", path, entry->d_name);

		if (entry->d_name[0] == '.' || size <= 0 || size >= (int)sizeof(inside) ||
		    lstat(inside, &about) != 0)
			continue;
		if (S_ISDIR(about.st_mode) && depth > 0)
			ok = look_into(index, inside, depth - 1);
		else if (!S_ISDIR(about.st_mode) && is_font_name(entry->d_name) &&
			 stat(inside, &about) == 0 && S_ISREG(about.st_mode))
			ok = add_file(index, inside, &about);
	}
	if (folder)
		(void)closedir(folder);
	return ok;
}

bool shaping_find_files(struct shaping_index *index, const char *const *folders)
{
	for (; *folders; folders++)
		if (!look_into(index, *folders, TN_SHAPING_DEPTH_MAX))
			return false;
	return true;
}
