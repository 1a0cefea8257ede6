/* project_opening.c - opening a project (FR-17): where it lies, its files, and its place in the
 * table. */
#include <string.h>

#include "apps/studio/project/internal.h"
#include "base/mem.h"
#include "base/size.h"

struct tn_studio_opening {
	struct tn_studio_projects *projects;
	char *path;                        /* of the folder, resolved */
	struct tn_studio_project *project; /* loaded, and in no table; NULL: not yet, or no more */
	struct tn_studio_fault fault;      /* of loading; its details are in `scratch` */
	struct tn_arena scratch;
	struct tn_studio_opening *next;
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

static void append(struct tn_studio_opening *opening)
{
	struct tn_studio_opening **end = &opening->projects->openings;

	while (*end)
		end = &(*end)->next;
	*end = opening;
}

struct tn_studio_opening *tn_studio_opening_begin(struct tn_studio_projects *projects,
						  const char *path, struct tn_studio_fault *fault)
{
	struct tn_studio_opening *opening;
	char *folder;

	tn_arena_reset(&projects->scratch);
	folder = find_folder(projects, path, fault);
	if (!folder)
		return NULL;
	if (!tn_studio_projects_registry(projects, fault)) {
		tn_mem_free(folder);
		return NULL;
	}
	opening = tn_mem_alloc(sizeof(*opening));
	if (!opening) {
		tn_mem_free(folder);
		(void)tn_studio_fail_memory(fault);
		return NULL;
	}
	opening->projects = projects;
	opening->path = folder;
	tn_arena_init(&opening->scratch, TN_MIB);
	append(opening);
	return opening;
}

bool tn_studio_opening_waits(const struct tn_studio_opening *opening)
{
	const struct tn_studio_opening *at = opening->projects->openings;

	while (at != opening && strcmp(at->path, opening->path) != 0)
		at = at->next;
	return at != opening;
}

bool tn_studio_opening_is_open(const struct tn_studio_opening *opening)
{
	return tn_studio_project_at(opening->projects, opening->path) != NULL;
}

void tn_studio_opening_load(struct tn_studio_opening *opening)
{
	char *path = tn_mem_copy_text(opening->path, strlen(opening->path));

	if (path)
		opening->project = tn_studio_project_load(opening->projects, path,
							  &opening->scratch, &opening->fault);
	else
		(void)tn_studio_fail_memory(&opening->fault);
}

static bool pass_on(struct tn_studio_opening *opening, struct tn_studio_fault *fault)
{
	*fault = opening->fault;
	if (fault->details.size > 0) {
		const char *copy = tn_arena_copy(&opening->projects->scratch, fault->details);

		fault->details = tn_str(copy, copy ? fault->details.size : 0);
	}
	return false;
}

static bool admit(struct tn_studio_opening *opening, struct tn_studio_fault *fault)
{
	if (!opening->project)
		return pass_on(opening, fault);
	if (!tn_studio_projects_have_room(opening->projects, fault))
		return false;
	tn_studio_project_admit(opening->project);
	opening->project = NULL;
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

struct tn_studio_project *tn_studio_opening_end(struct tn_studio_opening *opening,
						struct tn_buf *ret_warnings,
						struct tn_studio_fault *fault)
{
	struct tn_studio_project *project = tn_studio_project_at(opening->projects, opening->path);

	if (project)
		tn_studio_project_make_current(project);
	else if (admit(opening, fault))
		project = tn_studio_project_current(opening->projects);
	if (project)
		put_warnings(project, ret_warnings);
	return project;
}

void tn_studio_opening_free(struct tn_studio_opening *opening)
{
	struct tn_studio_opening **at = &opening->projects->openings;

	while (*at != opening)
		at = &(*at)->next;
	*at = opening->next;
	if (opening->project)
		tn_studio_project_free(opening->project);
	tn_arena_finish(&opening->scratch);
	tn_mem_free(opening->path);
	tn_mem_free(opening);
}

/* ---- at once ---- */

struct tn_studio_project *tn_studio_project_open(struct tn_studio_projects *projects,
						 const char *path, struct tn_buf *ret_warnings,
						 struct tn_studio_fault *fault)
{
	struct tn_studio_opening *opening = tn_studio_opening_begin(projects, path, fault);
	struct tn_studio_project *project;

	if (!opening)
		return NULL;
	if (!tn_studio_opening_is_open(opening))
		tn_studio_opening_load(opening);
	project = tn_studio_opening_end(opening, ret_warnings, fault);
	tn_studio_opening_free(opening);
	return project;
}
