/* run_own_files.c - the user's own configuration in terraform/ and in the folders below it, which
 * modules come from. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "apps/studio/run/internal.h"

enum { DEPTH_MAX = 8, ENTRIES_MAX = 10000 /* are looked at: some ms of the loop */ };

struct listing {
	const struct tn_studio_generated *generated; /* NULL: ours are told, too */
	const char *directory;
	struct tn_arena *arena;
	const char **names;
	size_t count, max, looked;
	bool (*is_wanted)(const char *name);
	bool (*is_left_out)(const char *name); /* at the top */
	bool too_many;                         /* or too deep: nobody can say what is there */
};

static bool is_ours(const struct tn_studio_generated *generated, struct tn_str name)
{
	for (size_t i = 0; generated && i < generated->file_count; i++) {
		if (tn_str_equal(generated->files[i].name, name))
			return true;
	}
	return false;
}

static bool is_configuration(struct tn_str name)
{
	static const char *const ends[] = {".tf",        ".tf.json", ".tofu",
					   ".tofu.json", ".tfvars",  ".tfvars.json"};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (tn_str_ends(name, tn_str_from(ends[i])))
			return true;
	}
	return false;
}

static bool is_configuration_name(const char *name)
{
	return is_configuration(tn_str_from(name));
}

static bool is_any(const char *name)
{
	(void)name;
	return true;
}

/* What the engine writes itself. */
static bool is_of_the_engine(const char *name)
{
	return strcmp(name, ".terraform") == 0 || strcmp(name, "terraform.tfstate.d") == 0;
}

/* What nobody but us writes, and what is looked at by itself. */
static bool is_of_the_project(const char *name)
{
	return strcmp(name, ".tenon") == 0 || strcmp(name, ".git") == 0 ||
	       strcmp(name, "terraform") == 0;
}

/* Links count as what they lead to: the engine follows them. */
static bool is_folder(const struct listing *listing, const struct dirent *entry, const char *name)
{
	char path[TN_STUDIO_RUN_PATH_SIZE];
	struct stat about;

	if (entry->d_type != DT_DIR && entry->d_type != DT_LNK && entry->d_type != DT_UNKNOWN)
		return false;
	return tn_studio_run_path(path, listing->directory, name) && stat(path, &about) == 0 &&
	       S_ISDIR(about.st_mode);
}

static void list_folder(struct listing *listing, const char *below, int depth);

static void take(struct listing *listing, const struct dirent *entry, const char *below, int depth)
{
	const char *name = entry->d_name, *whole;

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	    (entry->d_type == DT_REG && !listing->is_wanted(name)))
		return;
	whole = below[0] ? tn_arena_format(listing->arena, "%s/%s", below, name)
			 : tn_arena_copy(listing->arena, tn_str_from(name));
	if (!whole) {
		listing->too_many = true;
		return;
	}
	if (is_folder(listing, entry, whole)) {
		if (depth > 0 || !listing->is_left_out(name))
			list_folder(listing, whole, depth + 1);
	} else if (listing->is_wanted(name) && !is_ours(listing->generated, tn_str_from(whole))) {
		if (listing->count < listing->max)
			listing->names[listing->count++] = whole;
		else
			listing->too_many = true;
	}
}

static void list_folder(struct listing *listing, const char *below, int depth)
{
	char path[TN_STUDIO_RUN_PATH_SIZE];
	const struct dirent *entry;
	DIR *folder;

	if (depth > DEPTH_MAX || !tn_studio_run_path(path, listing->directory, below)) {
		listing->too_many = true;
		return;
	}
	folder = opendir(path);
	while (folder && !listing->too_many && (entry = readdir(folder)) != NULL) {
		if (++listing->looked > ENTRIES_MAX)
			listing->too_many = true;
		else
			take(listing, entry, below, depth);
	}
	if (folder)
		(void)closedir(folder); /* only read from */
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool list(struct listing *listing, size_t *ret_count)
{
	list_folder(listing, "", 0);
	qsort(listing->names, listing->count, sizeof(*listing->names), by_name);
	*ret_count = listing->count;
	return !listing->too_many;
}

bool tn_studio_own_files(const struct tn_studio_generated *generated, const char *directory,
			 size_t max, struct tn_arena *arena, const char **ret, size_t *ret_count)
{
	struct listing listing = {.generated = generated,
				  .directory = directory,
				  .arena = arena,
				  .names = ret,
				  .max = max,
				  .is_wanted = is_configuration_name,
				  .is_left_out = is_of_the_engine};

	return list(&listing, ret_count);
}

bool tn_studio_neighbours(const char *directory, size_t max, struct tn_arena *arena,
			  const char **ret, size_t *ret_count)
{
	struct listing listing = {.directory = directory,
				  .arena = arena,
				  .names = ret,
				  .max = max,
				  .is_wanted = is_any,
				  .is_left_out = is_of_the_project};

	return list(&listing, ret_count);
}
