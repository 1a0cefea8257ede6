/* project_loading.c - opening a project (FR-17): where it lies, its files, and its place in the
 * table. */
#include <string.h>

#include "apps/studio/project/internal.h"
#include "base/mem.h"
#include "base/size.h"

struct tn_studio_loading {
	struct tn_studio_projects *projects;
	char *path;                        /* of the folder, resolved */
	struct tn_studio_project *project; /* loaded, and in no table; NULL: not yet, or no more */
	struct tn_studio_fault fault;      /* of loading; its details are in `scratch` */
	struct tn_arena scratch;
};

/* ---- where ---- */

/* Without "/studio.json" behind it. */
static void to_folder(struct tn_buf *path)
{
	static const struct tn_str file = {"/studio.json", 12};

	if (!tn_str_ends(tn_buf_str(path), file) || path->size == file.size)
		return;
	path->size -= file.size;
	path->data[path->size] = '\0';
}

static bool is_folder(const struct tn_studio_projects *projects, const char *path)
{
	struct tn_place place;
	bool is_one;

	if (tn_place_find(&projects->roots, path, &place, NULL) != TENON_OK)
		return false;
	is_one = tn_place_is_folder(&place);
	tn_place_close(&place);
	return is_one;
}

/* NULL: the fault says why. */
static char *find_folder(const struct tn_studio_projects *projects, const char *path,
			 struct tn_studio_fault *fault)
{
	struct tn_buf resolved;
	char *folder = NULL;

	tn_buf_init(&resolved, TN_STUDIO_FILE_BYTES_MAX);
	if (tn_studio_path_allowed(projects, path, &resolved, fault)) {
		to_folder(&resolved);
		if (tn_studio_project_at(projects, resolved.data) ||
		    is_folder(projects, resolved.data)) {
			folder = tn_mem_copy_text(resolved.data, resolved.size);
			if (!folder)
				(void)tn_studio_fail_memory(fault);
		} else {
			(void)tn_studio_fail(fault, "PROJECT_NOT_FOUND",
					     "there is no project folder '%.300s'", path);
		}
	}
	tn_buf_finish(&resolved);
	return folder;
}

/* ---- in three steps ---- */

struct tn_studio_loading *tn_studio_loading_begin(struct tn_studio_projects *projects,
						  const char *path, struct tn_studio_fault *fault)
{
	struct tn_studio_loading *loading;
	char *folder;

	tn_arena_reset(&projects->scratch);
	folder = find_folder(projects, path, fault);
	if (!folder)
		return NULL;
	if ((!tn_studio_project_at(projects, folder) &&
	     !tn_studio_projects_have_room(projects, fault)) ||
	    !tn_studio_projects_registry(projects, fault)) {
		tn_mem_free(folder);
		return NULL;
	}
	loading = tn_mem_alloc(sizeof(*loading));
	if (!loading) {
		tn_mem_free(folder);
		(void)tn_studio_fail_memory(fault);
		return NULL;
	}
	loading->projects = projects;
	loading->path = folder;
	tn_arena_init(&loading->scratch, TN_MIB);
	projects->loading++;
	return loading;
}

const char *tn_studio_loading_path(const struct tn_studio_loading *loading)
{
	return loading->path;
}

bool tn_studio_loading_is_open(const struct tn_studio_loading *loading)
{
	return tn_studio_project_at(loading->projects, loading->path) != NULL;
}

void tn_studio_loading_load(struct tn_studio_loading *loading)
{
	char *path = tn_mem_copy_text(loading->path, strlen(loading->path));

	if (path)
		loading->project = tn_studio_project_load(loading->projects, path,
							  &loading->scratch, &loading->fault);
	else
		(void)tn_studio_fail_memory(&loading->fault);
}

static bool pass_on(struct tn_studio_loading *loading, struct tn_studio_fault *fault)
{
	*fault = loading->fault;
	if (fault->details.size > 0) {
		const char *copy = tn_arena_copy(&loading->projects->scratch, fault->details);

		fault->details = tn_str(copy, copy ? fault->details.size : 0);
	}
	return false;
}

static bool admit(struct tn_studio_loading *loading, struct tn_studio_fault *fault)
{
	if (!loading->project)
		return pass_on(loading, fault);
	tn_studio_project_admit(loading->project);
	loading->project = NULL;
	return true;
}

static void put_warnings(const struct tn_studio_project *project, struct tn_buf *out)
{
	if (!out)
		return;
	tn_buf_append_byte(out, '[');
	tn_buf_append_str(out, tn_buf_str(&project->own->warnings));
	tn_buf_append_byte(out, ']');
}

struct tn_studio_project *tn_studio_loading_end(struct tn_studio_loading *loading,
						struct tn_buf *ret_warnings,
						struct tn_studio_fault *fault)
{
	struct tn_studio_project *project = tn_studio_project_at(loading->projects, loading->path);

	if (project)
		tn_studio_project_make_current(project);
	else if (admit(loading, fault))
		project = tn_studio_project_current(loading->projects);
	if (project)
		put_warnings(project, ret_warnings);
	return project;
}

void tn_studio_loading_free(struct tn_studio_loading *loading)
{
	loading->projects->loading--;
	if (loading->project)
		tn_studio_project_free(loading->project);
	tn_arena_finish(&loading->scratch);
	tn_mem_free(loading->path);
	tn_mem_free(loading);
}

/* ---- at once ---- */

struct tn_studio_project *tn_studio_project_open(struct tn_studio_projects *projects,
						 const char *path, struct tn_buf *ret_warnings,
						 struct tn_studio_fault *fault)
{
	struct tn_studio_loading *loading = tn_studio_loading_begin(projects, path, fault);
	struct tn_studio_project *project;

	if (!loading)
		return NULL;
	if (!tn_studio_loading_is_open(loading))
		tn_studio_loading_load(loading);
	project = tn_studio_loading_end(loading, ret_warnings, fault);
	tn_studio_loading_free(loading);
	return project;
}
