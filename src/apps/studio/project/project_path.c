#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/studio/project/internal.h"
#include "base/size.h"
#include "store/limits.h"
#include "base/utf8.h"

/* ---- where projects may lie (ST-142) ---- */

enum tenon_code tn_studio_roots_init(struct tn_studio_projects *projects, struct tenon_error *err)
{
	const char *usual[] = {getenv("HOME"), getenv("TMPDIR"), "/tmp", NULL};
	const char *folders[TN_BENEATH_ROOTS_MAX + 1];
	const char *const *wanted = projects->options.roots ? projects->options.roots : usual;
	size_t count = 0;

	/* A variable that is not set is no end of the list. */
	for (size_t i = 0; wanted == usual ? i + 1 < TN_COUNT(usual) : wanted[i] != NULL; i++) {
		if (wanted[i] && wanted[i][0] == '/' && count < TN_BENEATH_ROOTS_MAX)
			folders[count++] = wanted[i];
	}
	folders[count] = NULL;
	return tn_roots_init(&projects->roots, folders, err);
}

enum tenon_code tn_studio_roots_copy(const struct tn_studio_projects *projects,
				     struct tn_roots *ret, struct tenon_error *err)
{
	const char *folders[TN_BENEATH_ROOTS_MAX + 1];
	size_t count = 0;

	for (; count < projects->roots.count && count < TN_BENEATH_ROOTS_MAX; count++)
		folders[count] = projects->roots.list[count].path;
	folders[count] = NULL;
	return tn_roots_init(ret, folders, err);
}

const struct tn_roots *tn_studio_projects_roots(const struct tn_studio_projects *projects)
{
	return &projects->roots;
}

bool tn_studio_path_find(const struct tn_studio_projects *projects, const char *path,
			 struct tn_place *ret, struct tn_studio_fault *fault)
{
	if (!path || path[0] != '/')
		return tn_studio_fail(fault, "INVALID_INPUT",
				      "the path '%.200s' is not absolute: begin it with /",
				      path ? path : "");
	if (strlen(path) >= PATH_MAX)
		return tn_studio_fail(fault, "INVALID_INPUT", "the path is too long");
	if (tn_place_find(&projects->roots, path, ret, NULL) != TENON_OK)
		return tn_studio_fail(fault, "PATH_NOT_ALLOWED",
				      "'%.200s' is not in a folder that projects may lie in (home, "
				      "the temporary folder, or those of the setting studio.roots)",
				      path);
	return true;
}

bool tn_studio_path_allowed(const struct tn_studio_projects *projects, const char *path,
			    struct tn_buf *ret_resolved, struct tn_studio_fault *fault)
{
	struct tn_place place;

	if (!tn_studio_path_find(projects, path, &place, fault))
		return false;
	tn_buf_append(ret_resolved, place.path, strlen(place.path) + 1);
	tn_place_close(&place);
	if (ret_resolved->failed)
		return tn_studio_fail_memory(fault);
	ret_resolved->size--; /* the NUL stays behind the last byte */
	return true;
}

/* ---- in a project ---- */

enum tenon_code tn_studio_project_place(const struct tn_studio_project *project, const char *name,
					struct tn_place *ret, struct tenon_error *err)
{
	char path[PATH_MAX];
	enum tenon_code code;
	int root = -1;

	if (snprintf(path, sizeof(path), "%s/%s", project->path, name) >= (int)sizeof(path))
		return tn_fail(err, TENON_INVALID, "the path is too long");
	code = tn_place_find(&project->own->root, path, ret, err);
	if (code != TENON_DENIED)
		return code;
	/* The project's folder is gone, or has become a link: that is what is to be said. */
	code = tn_root_open(&project->own->root, 0, &root, err);
	if (code == TENON_OK) {
		(void)close(root); /* only looked at */
		return tn_fail(err, TENON_DENIED, "a symbolic link is where none may be");
	}
	return code;
}

/* What the project itself lives on: our files, generated ones, and hidden ones (.tenon, .git). */
static bool is_ours(const char *below)
{
	for (const char *part = below; *part;) {
		size_t size = strcspn(part, "/");

		if (*part == '.')
			return true;
		part += size + (part[size] == '/');
	}
	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++) {
		if (strcmp(below, tn_studio_project_file_name(i)) == 0)
			return true;
	}
	return strcmp(below, "terraform") == 0 || strncmp(below, "terraform/", 10) == 0 ||
	       strcmp(below, "types") == 0 || strncmp(below, "types/", 6) == 0;
}

static bool check_place(const struct tn_studio_project *project, const struct tn_place *place,
			const char *path, struct tn_studio_fault *fault)
{
	size_t base = strlen(project->path);

	/* The walk has made sure of the folder; the folder itself is no file in it. */
	if (strncmp(place->path, project->path, base) != 0 || place->path[base] != '/')
		return tn_studio_fail(fault, "PATH_NOT_ALLOWED", "'%.200s' is outside the project",
				      path);
	if (is_ours(place->path + base + 1))
		return tn_studio_fail(fault, "PATH_NOT_ALLOWED",
				      "'%.200s' belongs to the project itself: take another name",
				      place->path + base + 1);
	return true;
}

bool tn_studio_project_path(const struct tn_studio_project *project, const char *folder,
			    const char *path, struct tn_place *ret, struct tn_studio_fault *fault)
{
	struct tn_roots roots = project->own->root; /* shares its texts */
	char from[PATH_MAX], whole[PATH_MAX];
	const char *meant;
	int size;

	if (!path || !*path)
		return tn_studio_fail(fault, "INVALID_INPUT", "the path is empty");
	meant = tn_place_from(&roots, folder, path, from);
	size = meant[0] == '/' ? snprintf(whole, sizeof(whole), "%s", meant)
			       : snprintf(whole, sizeof(whole), "%s/%s", project->path, meant);
	if (size >= (int)sizeof(whole))
		return tn_studio_fail(fault, "INVALID_INPUT", "the path is too long");
	roots.no_links = false; /* a person's own, as long as they stay in the project */
	if (tn_place_find(&roots, whole, ret, NULL) != TENON_OK)
		return tn_studio_fail(fault, "PATH_NOT_ALLOWED", "'%.200s' is outside the project",
				      path);
	if (check_place(project, ret, path, fault))
		return true;
	tn_place_close(ret);
	return false;
}

const char *tn_studio_project_file_name(int file)
{
	static const char *const names[] = {[TN_STUDIO_FILE_STUDIO] = "studio.json",
					    [TN_STUDIO_FILE_COST] = "cost.json",
					    [TN_STUDIO_FILE_DIAGRAM] = "diagram.json"};

	return names[file];
}

/* ---- names of projects ---- */

bool tn_studio_name_check(const char *name, struct tn_studio_fault *fault)
{
	struct tn_str text = tn_str_from(name);
	size_t characters = 0;

	for (size_t i = 0; i < text.size; i++) {
		unsigned char c = (unsigned char)text.data[i];

		if (c < 0x20 || c == 0x7F || strchr("/\\:*?\"<>|", c))
			return tn_studio_fail(fault, "INVALID_INPUT",
					      "the name '%.120s' has a character that folders may "
					      "not have: none of / \\ : * ? \" < > |",
					      name);
		characters += (c & 0xC0u) != 0x80u;
	}
	if (characters < 1 || characters > 100 || !tn_utf8_valid(text.data, text.size))
		return tn_studio_fail(fault, "INVALID_INPUT",
				      "the name has %zu characters; 1 to 100 are allowed",
				      characters);
	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || name[0] == ' ' ||
	    name[text.size - 1] == ' ')
		return tn_studio_fail(fault, "INVALID_INPUT",
				      "the name '%.120s' is . or .., or has a space at an end",
				      name);
	return true;
}
