#include "apps/studio/project_types.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/studio/project_private.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

/* The files of one or two folders, in the order in which they are loaded. */
struct found {
	struct tn_arena arena;
	struct tn_studio_source *sources;
	size_t count;
	bool starved;
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_type_file(const char *name)
{
	size_t size = strlen(name);

	return size > 5 && name[0] != '.' && strcmp(name + size - 5, ".json") == 0;
}

/* Names in byte order: what overrides what does not depend on the file system. */
static size_t list_names(struct found *found, DIR *folder, char **names)
{
	struct dirent *entry;
	size_t count = 0;

	while (count < TN_STUDIO_TYPE_FILES_MAX && (entry = readdir(folder))) {
		if (!is_type_file(entry->d_name))
			continue;
		names[count] = tn_arena_copy(&found->arena, tn_str_from(entry->d_name));
		if (!names[count]) {
			found->starved = true;
			break;
		}
		count++;
	}
	qsort(names, count, sizeof(*names), compare_names);
	return count;
}

static void read_one(struct found *found, const char *folder, const char *name, bool from_project)
{
	struct tn_studio_source *source = &found->sources[found->count];
	char *path = tn_arena_format(&found->arena, "%s/%s", folder, name);
	struct tn_buf text;
	char *copy = NULL;

	tn_buf_init(&text, TN_STUDIO_TYPE_FILE_BYTES_MAX);
	if (!path) {
		found->starved = true;
		return;
	}
	/* What cannot be read is told as what is in it: not JSON. */
	if (tn_file_read(path, TN_FILE_NO_FOLLOW | TN_FILE_REGULAR_ONLY, &text, NULL) != TENON_OK)
		tn_buf_clear(&text);
	copy = tn_arena_copy(&found->arena, tn_buf_str(&text));
	if (copy) {
		*source = (struct tn_studio_source){
			.name = tn_str_from(tn_arena_format(&found->arena, "types/%s", name)),
			.text = tn_str(copy, text.size),
			.from_project = from_project};
		found->count++;
	} else {
		found->starved = true;
	}
	tn_buf_finish(&text);
}

/* A folder that is missing, or a link to elsewhere (ST-142), has none. */
static void read_folder(struct found *found, const char *path, bool from_project)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (from_project ? O_NOFOLLOW : 0));
	char *names[TN_STUDIO_TYPE_FILES_MAX];
	size_t count;
	DIR *folder;

	if (fd < 0)
		return;
	folder = fdopendir(fd);
	if (!folder) {
		(void)close(fd); /* only read from */
		return;
	}
	count = list_names(found, folder, names);
	(void)closedir(folder); /* the descriptor, too */
	for (size_t i = 0; i < count && found->count < 2 * TN_STUDIO_TYPE_FILES_MAX; i++)
		read_one(found, path, names[i], from_project);
}

static void read_users(struct found *found, const struct tn_studio_projects *projects)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	char *path = NULL;

	if (projects->options.data_folder)
		path = tn_arena_format(&found->arena, "%s/types", projects->options.data_folder);
	else if (data && data[0] == '/')
		path = tn_arena_format(&found->arena, "%s/tenon/studio/types", data);
	else if (home && home[0] == '/')
		path = tn_arena_format(&found->arena, "%s/.local/share/tenon/studio/types", home);
	if (path)
		read_folder(found, path, false);
}

static void warn_faults(struct tn_studio_project *project,
			const struct tn_studio_registry *registry)
{
	const struct tn_json *faults = registry->faults;
	struct tn_buf *out = &project->own->warnings;

	for (const struct tn_json *at = tn_json_is(faults, TN_JSON_ARRAY) ? faults->first : NULL;
	     at; at = at->next) {
		struct tn_buf text;
		struct tn_str part;

		tn_buf_init(&text, TN_MIB);
		if (tn_json_to_str(tn_json_get(at, "file"), &part))
			tn_buf_append_str(&text, part);
		if (tn_json_to_str(tn_json_get(at, "pointer"), &part) && part.size > 0) {
			tn_buf_append_byte(&text, ' ');
			tn_buf_append_str(&text, part);
		}
		tn_buf_append_text(&text, ": ");
		if (tn_json_to_str(tn_json_get(at, "message"), &part))
			tn_buf_append_str(&text, part);
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "code", "TYPE_FILE");
		tn_json_put_member_str(out, "message", tn_buf_str(&text));
		tn_json_end_object(out);
		tn_buf_finish(&text);
	}
}

static struct tn_studio_registry *create(const struct found *found, struct tn_studio_fault *fault)
{
	struct tn_studio_registry *registry = NULL;
	struct tenon_error err = {0};

	if (found->starved) {
		(void)tn_studio_fail_memory(fault);
		return NULL;
	}
	if (tn_studio_registry_create(found->sources, found->count, &registry, &err) != TENON_OK) {
		(void)tn_studio_fail_error(fault, &err);
		return NULL;
	}
	return registry;
}

struct tn_studio_registry *tn_studio_projects_registry(struct tn_studio_projects *projects,
						       struct tn_studio_fault *fault)
{
	struct found found = {.count = 0};

	if (projects->registry)
		return projects->registry;
	tn_arena_init(&found.arena, TN_STUDIO_ARENA_MAX);
	found.sources = tn_arena_alloc_array(&found.arena, 2 * TN_STUDIO_TYPE_FILES_MAX,
					     sizeof(*found.sources));
	found.starved = !found.sources;
	if (!found.starved)
		read_users(&found, projects);
	projects->registry = create(&found, fault);
	tn_arena_finish(&found.arena);
	return projects->registry;
}

struct tn_studio_registry *tn_studio_project_registry(struct tn_studio_project *project,
						      struct tn_studio_fault *fault)
{
	struct tn_studio_registry *registry = NULL;
	struct found found = {.count = 0};
	size_t users;
	char *path;

	tn_arena_init(&found.arena, TN_STUDIO_ARENA_MAX);
	found.sources = tn_arena_alloc_array(&found.arena, 2 * TN_STUDIO_TYPE_FILES_MAX,
					     sizeof(*found.sources));
	path = tn_arena_format(&found.arena, "%s/types", project->path);
	found.starved = !found.sources || !path;
	if (!found.starved)
		read_users(&found, project->projects);
	users = found.count;
	if (!found.starved)
		read_folder(&found, path, true);
	if (found.count == users && !found.starved)
		registry = tn_studio_projects_registry(project->projects, fault);
	else
		registry = create(&found, fault);
	if (registry && registry == project->projects->registry)
		(void)tn_studio_registry_ref(registry);
	tn_arena_finish(&found.arena);
	if (registry)
		warn_faults(project, registry);
	return registry;
}
