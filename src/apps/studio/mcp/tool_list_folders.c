/* list_folders: where a page finds projects, and makes them (studio-canvas.md SC-025). Only what
 * lies in the allowed folders has a name here; what lies elsewhere is refused like what does not
 * exist. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/studio/limits.h"
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/mcp/tools.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "mcp/caller_folder.h"

enum { FILES_LOOKED = 2000, ARENA_MAX = 64 * 1024 * 1024 };

struct looking { /* a worker's */
	struct tn_roots roots;
	bool has_roots;
	char asked[PATH_MAX]; /* empty: the roots themselves */
	struct tn_studio_fault fault;
	struct tn_arena arena;
	const char **names;
	size_t count;
	struct tn_buf result;
};

static void free_looking(void *data)
{
	struct looking *looking = data;

	if (looking->has_roots)
		tn_roots_finish(&looking->roots);
	tn_arena_finish(&looking->arena);
	tn_buf_finish(&looking->result);
	tn_mem_free(looking);
}

/* ---- one folder ---- */

static bool has_configuration(int folder)
{
	DIR *files = fdopendir(folder);
	const struct dirent *entry;
	bool found = false;

	if (!files) {
		(void)close(folder);
		return false;
	}
	for (int i = 0; i < FILES_LOOKED && !found && (entry = readdir(files)) != NULL; i++) {
		struct tn_str name = tn_str_from(entry->d_name);

		found = entry->d_name[0] != '.' && (tn_str_ends(name, TN_STR(".tf")) ||
						    tn_str_ends(name, TN_STR(".tf.json")) ||
						    tn_str_ends(name, TN_STR(".tofu")));
	}
	(void)closedir(files); /* only read from, and `folder` with it */
	return found;
}

static const char *kind_of(const struct tn_place *place)
{
	struct stat about;
	int folder = -1;

	if (fstatat(place->folder, "studio.json", &about, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISREG(about.st_mode))
		return "project";
	if (tn_place_folder(place, &folder, NULL) == TENON_OK && has_configuration(folder))
		return "terraform";
	return "folder";
}

/* NULL: it is no folder, or lies elsewhere; `path` is walked from the top, links and all. */
static const char *kind_at(const struct looking *looking, const char *path)
{
	struct tn_place place;
	const char *kind = NULL;

	if (tn_place_find(&looking->roots, path, &place, NULL) != TENON_OK)
		return NULL;
	if (tn_place_is_folder(&place))
		kind = kind_of(&place);
	tn_place_close(&place);
	return kind;
}

static void put_folder(struct looking *looking, const char *name, const char *kind)
{
	tn_json_begin_object(&looking->result);
	tn_json_put_member_text(&looking->result, "name", name);
	tn_json_put_member_text(&looking->result, "kind", kind);
	tn_json_end_object(&looking->result);
}

/* ---- what is in one ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Hidden ones are left out, and names that JSON cannot have. */
static bool collect(struct looking *looking, int fd)
{
	DIR *folder = fdopendir(fd);
	const struct dirent *entry;
	size_t looked = 0;

	if (!folder) {
		(void)close(fd);
		return tn_studio_fail(&looking->fault, "IO_ERROR", "The folder cannot be read.");
	}
	looking->names = tn_arena_alloc_array(&looking->arena, TN_STUDIO_FOLDERS_LOOKED,
					      sizeof(*looking->names));
	while (looking->names && looked < TN_STUDIO_FOLDERS_LOOKED &&
	       (entry = readdir(folder)) != NULL) {
		struct tn_str name = tn_str_from(entry->d_name);

		looked++;
		if (name.data[0] == '.' || !tn_utf8_valid(name.data, name.size) ||
		    (entry->d_type != DT_DIR && entry->d_type != DT_LNK &&
		     entry->d_type != DT_UNKNOWN))
			continue;
		looking->names[looking->count] = tn_arena_copy(&looking->arena, name);
		if (looking->names[looking->count])
			looking->count++;
	}
	(void)closedir(folder); /* only read from */
	if (!looking->names)
		return tn_studio_fail_memory(&looking->fault);
	qsort(looking->names, looking->count, sizeof(*looking->names), by_name);
	return true;
}

static bool put_all(struct looking *looking, const struct tenon_call *call, const char *path)
{
	const char *between = strcmp(path, "/") == 0 ? "" : "/";
	size_t put = 0, i = 0;

	for (; i < looking->count && put < TN_STUDIO_FOLDERS_MAX && !tenon_call_cancelled(call);
	     i++) {
		const char *whole = tn_arena_format(&looking->arena, "%s%s%s", path, between,
						    looking->names[i]);
		const char *kind = whole ? kind_at(looking, whole) : NULL;

		if (!kind)
			continue;
		put_folder(looking, looking->names[i], kind);
		put++;
	}
	return i < looking->count || looking->count == TN_STUDIO_FOLDERS_LOOKED;
}

/* Where one level up is allowed, too. */
static void put_parent(struct looking *looking, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *parent = slash == path ? "/" : NULL;

	if (path[1] == '\0')
		return;
	if (!parent)
		parent = tn_arena_copy(&looking->arena, tn_str(path, (size_t)(slash - path)));
	if (parent && kind_at(looking, parent))
		tn_json_put_member_text(&looking->result, "parent", parent);
}

static bool refuse(struct looking *looking)
{
	return tn_studio_fail(&looking->fault, "PATH_NOT_ALLOWED",
			      "'%.200s' is no folder that projects may lie in (home, the temporary "
			      "folder, or those of the setting studio.roots). Without a path they "
			      "are listed.",
			      looking->asked);
}

static bool list(struct looking *looking, const struct tenon_call *call)
{
	struct tn_buf *out = &looking->result;
	struct tn_place place;
	bool good, truncated;
	int fd = -1;

	if (tn_place_find(&looking->roots, looking->asked, &place, NULL) != TENON_OK)
		return refuse(looking);
	good = tn_place_is_folder(&place) && tn_place_folder(&place, &fd, NULL) == TENON_OK;
	if (good && collect(looking, fd)) {
		tn_json_put_member_text(out, "path", place.path);
		put_parent(looking, place.path);
		tn_json_put_key(out, "folders");
		tn_json_begin_array(out);
		truncated = put_all(looking, call, place.path);
		tn_json_end_array(out);
		tn_json_put_member_bool(out, "truncated", truncated);
	} else if (!looking->fault.code) {
		(void)tn_studio_fail(&looking->fault, "NOT_FOUND",
				     "'%.200s' is no folder that can be read.", looking->asked);
	}
	tn_place_close(&place);
	return !looking->fault.code;
}

static void list_roots(struct looking *looking)
{
	struct tn_buf *out = &looking->result;

	tn_json_put_member_text(out, "path", "");
	tn_json_put_key(out, "folders");
	tn_json_begin_array(out);
	for (size_t i = 0; i < looking->roots.count; i++) {
		const char *path = looking->roots.list[i].path;
		const char *kind = kind_at(looking, path);
		bool twice = false;

		for (size_t before = 0; before < i; before++)
			twice = twice || strcmp(looking->roots.list[before].path, path) == 0;
		if (kind && !twice)
			put_folder(looking, path, kind);
	}
	tn_json_end_array(out);
	tn_json_put_member_bool(out, "truncated", false);
}

static void work(const struct tenon_call *call, void *data)
{
	struct looking *looking = data;

	tn_json_begin_object(&looking->result);
	if (looking->asked[0])
		(void)list(looking, call);
	else
		list_roots(looking);
}

static void done(struct tenon_call *call, void *data)
{
	struct looking *looking = data;

	if (looking->fault.code) {
		tn_studio_reply_fault(call, &looking->fault);
		return;
	}
	tn_json_end_object(&looking->result);
	tn_studio_reply(call, tn_str("", 0), &looking->result);
}

void tn_studio_call_list_folders(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	const char *path = tn_call_path(call, tn_studio_projects_roots(door->projects),
					tenon_call_text(call, "path"));
	struct looking *looking = tn_mem_alloc(sizeof(*looking));
	struct tn_studio_fault fault;

	if (!looking) {
		(void)tn_studio_fail_memory(&fault);
		tn_studio_reply_fault(call, &fault);
		return;
	}
	tn_arena_init(&looking->arena, ARENA_MAX);
	tn_buf_init(&looking->result, TN_STUDIO_RESULT_BYTES_MAX);
	tenon_call_set_data(call, looking, free_looking);
	if (path && (path[0] != '/' || strlen(path) >= sizeof(looking->asked))) {
		(void)tn_studio_fail(&fault, "INVALID_INPUT",
				     "path: '%.200s' is not absolute: begin it with /", path);
		tn_studio_reply_fault(call, &fault);
		return;
	}
	if (path)
		memcpy(looking->asked, path, strlen(path) + 1);
	looking->has_roots =
		tn_studio_roots_copy(door->projects, &looking->roots, NULL) == TENON_OK;
	if (looking->has_roots) {
		tenon_call_work(call, work, done, looking);
		return;
	}
	(void)tn_studio_fail_memory(&fault);
	tn_studio_reply_fault(call, &fault);
}
