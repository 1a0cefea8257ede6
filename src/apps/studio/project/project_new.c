#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/studio/document/config.h"
#include "apps/studio/id.h"
#include "apps/studio/limits.h"
#include "apps/studio/project/internal.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

static bool fail_folder(const char *shown, const struct tenon_error *err,
			struct tn_studio_fault *fault)
{
	return tn_studio_fail(fault, "IO_ERROR", "'%.300s' cannot be made: %s", shown,
			      err->message);
}

/* The folder, of which at most the last part is missing. */
static bool make_folder(struct tn_place *place, const char *shown, struct tn_studio_fault *fault)
{
	struct tenon_error err = {0};

	if (place->exists && !tn_place_is_folder(place))
		return tn_studio_fail(fault, "PROJECT_EXISTS", "'%.300s' is a file", shown);
	if (!place->exists && strchr(place->name, '/'))
		return tn_studio_fail(fault, "PROJECT_NOT_FOUND",
				      "neither '%.300s' nor the folder above it exists", shown);
	return tn_place_make(place, TN_PLACE_FOLDER, 0777, &err) == TENON_OK ||
	       fail_folder(shown, &err, fault);
}

/* The project's own folder in it, opened; -1: the fault says why. */
static int make_own_folder(const struct tn_place *above, const char *name,
			   struct tn_studio_fault *fault)
{
	struct tenon_error err = {0};
	int fd = -1;

	if (mkdirat(above->folder, name, 0777) == 0 || errno == EEXIST)
		fd = openat(above->folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && (errno == ENOTDIR || errno == ELOOP))
		(void)tn_studio_fail(fault, "PROJECT_EXISTS", "'%.300s' is a file", name);
	else if (fd < 0 && tn_fail_errno(&err, errno, "make folder") != TENON_OK)
		(void)fail_folder(name, &err, fault);
	return fd;
}

/* The value in the layout of our files. */
static bool write_pretty(int folder, const char *name, struct tn_str compact,
			 struct tenon_error *err)
{
	struct tn_arena arena;
	struct tn_json *value = NULL;
	struct tn_buf text;
	bool done = false;

	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	tn_buf_init(&text, TN_STUDIO_FILE_BYTES_MAX);
	if (tn_json_parse_copy(&arena, compact, &value, err) == TENON_OK) {
		tn_studio_write_pretty(&text, value, 0);
		tn_buf_append_byte(&text, '\n');
		done = tn_buf_check(&text, err) == TENON_OK &&
		       tn_file_write_at(folder, name, 0666, tn_buf_str(&text), err) == TENON_OK;
	}
	tn_buf_finish(&text);
	tn_arena_finish(&arena);
	return done;
}

static void put_new_studio(struct tn_buf *out, const struct tn_studio_projects *projects,
			   const char *name, const struct tn_json *config)
{
	char id[TN_STUDIO_UUID_SIZE], now[TN_CLOCK_ISO_SIZE];

	tn_studio_make_id(0, id);
	tn_clock_format_iso(tn_clock_wall_ms(projects->options.clock), now);
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "formatVersion", 1);
	tn_json_put_member_text(out, "id", id);
	tn_json_put_member_text(out, "name", name);
	tn_json_put_member_text(out, "created", now);
	tn_json_put_key(out, "config");
	if (config)
		tn_json_put_value(out, config);
	else
		tn_json_put_raw(out, TN_STR("{}"));
	tn_json_end_object(out);
}

/* The files of a new project; studio.json last, as what makes a folder a project. */
static bool write_new(const struct tn_studio_projects *projects, int folder, const char *name,
		      const struct tn_json *config, struct tn_studio_fault *fault)
{
	static const struct tn_str ignored =
		TN_STR(".tenon/\n.terraform/\n*.tfstate\n*.tfstate.*\n*.tfplan\ncrash.log\n");
	static const struct tn_str diagram =
		TN_STR("{\"formatVersion\":1,\"revision\":1,\"nodes\":[],\"edges\":[],"
		       "\"modules\":[],\"instances\":[]}");
	struct tenon_error err = {0};
	struct tn_buf studio;
	bool done;

	tn_buf_init(&studio, TN_STUDIO_FILE_BYTES_MAX);
	put_new_studio(&studio, projects, name, config);
	done = tn_file_write_at(folder, ".gitignore", 0666, ignored, &err) == TENON_OK &&
	       write_pretty(folder, "diagram.json", diagram, &err) &&
	       tn_buf_check(&studio, &err) == TENON_OK &&
	       write_pretty(folder, "studio.json", tn_buf_str(&studio), &err);
	tn_buf_finish(&studio);
	return done || tn_studio_fail_error(fault, &err);
}

static bool is_empty_folder(int fd)
{
	int again = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	DIR *folder = again < 0 ? NULL : fdopendir(again);
	const struct dirent *entry;
	bool empty = folder != NULL;

	while (empty && (entry = readdir(folder)))
		empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
	if (folder)
		(void)closedir(folder); /* only read from */
	else if (again >= 0)
		(void)close(again); /* only read from */
	return empty;
}

/* What was begun and cannot be is no folder in the way of the next try. */
static void remove_new(const struct tn_place *above, const char *name, int folder)
{
	static const char *const names[] = {".gitignore", "diagram.json", "studio.json"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		(void)unlinkat(folder, names[i], 0); /* some are not there */
	/* It stays when there is something else in it. */
	(void)unlinkat(above->folder, name, AT_REMOVEDIR);
}

/* Everything set, as it will stand in studio.json (ST-030). */
static bool make_config(struct tn_studio_projects *projects, const struct tn_json *patch,
			struct tn_arena *arena, const struct tn_json **ret,
			struct tn_studio_fault *fault)
{
	struct tn_studio_registry *registry;
	struct tn_studio_document document;
	bool done;

	*ret = NULL;
	if (!patch)
		return true;
	registry = tn_studio_projects_registry(projects, fault);
	if (!registry)
		return false;
	tn_studio_document_init(&document, registry);
	done = tn_studio_config_merge(&document, patch, arena, ret, NULL, fault);
	tn_studio_document_finish(&document);
	if (!done && fault->details.size > 0)
		fault->details = tn_str_from(tn_arena_copy(&projects->scratch, fault->details));
	return done;
}

static bool fill(struct tn_studio_projects *projects, const struct tn_place *above,
		 const char *name, const struct tn_json *config, struct tn_studio_fault *fault)
{
	int folder = make_own_folder(above, name, fault);
	bool done = false;

	if (folder < 0)
		return false;
	if (!is_empty_folder(folder)) {
		(void)tn_studio_fail(
			fault, "PROJECT_EXISTS",
			"there is something in '%.300s/%s' already: take another name, or "
			"open it",
			above->path, name);
	} else {
		done = write_new(projects, folder, name, config, fault);
		if (!done)
			remove_new(above, name, folder);
	}
	(void)close(folder); /* what was written is synced */
	return done;
}

static struct tn_studio_project *load(struct tn_studio_projects *projects,
				      const struct tn_buf *path, struct tn_studio_fault *fault)
{
	char *copy = path->failed ? NULL : tn_mem_copy_text(path->data, path->size);
	struct tn_studio_project *project = NULL;

	if (copy)
		project = tn_studio_project_load(projects, copy, &projects->scratch, fault);
	else
		(void)tn_studio_fail_memory(fault);
	if (project)
		tn_studio_project_admit(project);
	return project;
}

static struct tn_studio_project *make(struct tn_studio_projects *projects,
				      const struct tn_place *above, const char *name,
				      const struct tn_json *config, struct tn_studio_fault *fault)
{
	struct tn_studio_project *project = NULL;
	struct tn_buf path;

	if (!fill(projects, above, name, config, fault))
		return NULL;
	tn_buf_init(&path, TN_STUDIO_FILE_BYTES_MAX);
	tn_buf_format(&path, "%s/%s", strcmp(above->path, "/") == 0 ? "" : above->path, name);
	project = load(projects, &path, fault);
	tn_buf_finish(&path);
	/* Where it cannot be remembered, the first run asks for trust. */
	if (project)
		(void)tn_studio_project_trust(project, NULL, NULL);
	return project;
}

static bool has_hidden(const char *path)
{
	return path[0] == '.' || strstr(path, "/.") != NULL;
}

/* What is below a root, without the folder of the demo (tools/start.sh): state, which nothing runs,
 * and of Tenon's own the one part that is a user's. */
static const char *without_demo(const char *path)
{
	static const char demo[] = "/.local/state/tenon/demo";
	size_t size = sizeof(demo) - 1;

	if (strncmp(path, demo, size) == 0 && (path[size] == '/' || !path[size]))
		return path + size;
	return path;
}

/* Hidden folders of home hold start files, keys and settings, Tenon's too: what is made there may
 * be run. One that is itself a root was meant. */
static bool check_hidden(const struct tn_studio_projects *projects, const char *above,
			 const char *name, struct tn_studio_fault *fault)
{
	bool hidden = true;
	char root[PATH_MAX];

	for (size_t i = 0; i < projects->roots.count; i++) {
		size_t size;

		if (!realpath(projects->roots.list[i].path, root))
			continue;
		size = root[1] ? strlen(root) : 0; /* of "/" nothing stands before the slash */
		if (strncmp(above, root, size) == 0 && (above[size] == '/' || !above[size]))
			hidden = hidden && has_hidden(without_demo(above + size));
	}
	return (!hidden && name[0] != '.') ||
	       tn_studio_fail(fault, "PATH_NOT_ALLOWED",
			      "'%.200s' is in a hidden folder, where programs keep what they run: "
			      "take another one, or name it in the setting studio.roots",
			      name);
}

struct tn_studio_project *tn_studio_project_new(struct tn_studio_projects *projects,
						const char *name, const char *folder,
						const struct tn_json *config,
						struct tn_studio_fault *fault)
{
	struct tn_studio_project *project = NULL;
	const struct tn_json *whole = NULL;
	struct tn_place above = {.folder = -1};
	struct tn_arena arena;

	tn_arena_reset(&projects->scratch);
	if (!name || !tn_studio_name_check(name, fault) ||
	    !tn_studio_projects_have_room(projects, fault))
		return NULL;
	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	if (tn_studio_path_find(projects, folder, &above, fault) &&
	    check_hidden(projects, above.path, name, fault) &&
	    make_config(projects, config, &arena, &whole, fault) &&
	    make_folder(&above, folder, fault))
		project = make(projects, &above, name, whole, fault);
	tn_place_close(&above);
	tn_arena_finish(&arena);
	return project;
}
