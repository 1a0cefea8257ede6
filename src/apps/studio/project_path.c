#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/studio/project_private.h"

/* ST-142: what is named is resolved, links and all, before it is compared with what is allowed. */

/* The part of the path that exists, resolved; *ret_rest is what follows it, without a slash in
 * front. `path` is changed. */
static bool resolve_existing(char *path, char ret[PATH_MAX], const char **ret_rest)
{
	char *cut = path + strlen(path);

	*ret_rest = cut;
	for (;;) {
		char kept = *cut;
		bool found;

		*cut = '\0';
		found = realpath(cut == path ? "/" : path, ret) != NULL;
		*cut = kept;
		if (found) {
			*ret_rest = *cut == '/' ? cut + 1 : cut;
			return true;
		}
		if (errno != ENOENT || cut == path)
			return false;
		do {
			cut--;
		} while (cut > path && *cut != '/');
	}
}

/* What does not exist yet is taken as it is written: it may not go up. */
static bool goes_up(const char *rest)
{
	for (const char *part = rest; *part;) {
		size_t size = strcspn(part, "/");

		if (size == 2 && memcmp(part, "..", 2) == 0)
			return true;
		part += size + (part[size] == '/');
	}
	return false;
}

static bool is_below(const char *path, const char *folder)
{
	size_t size = strlen(folder);

	if (size == 1) /* "/" */
		return true;
	return strncmp(path, folder, size) == 0 && (path[size] == '/' || path[size] == '\0');
}

static bool is_below_unresolved(const char *path, const char *folder)
{
	char resolved[PATH_MAX];

	return folder && folder[0] == '/' && realpath(folder, resolved) && is_below(path, resolved);
}

static bool is_in_roots(const struct tn_studio_projects *projects, const char *path)
{
	const char *const *root = projects->options.roots;

	if (!root)
		return is_below_unresolved(path, getenv("HOME")) ||
		       is_below_unresolved(path, getenv("TMPDIR")) ||
		       is_below_unresolved(path, "/tmp");
	for (; *root; root++) {
		if (is_below_unresolved(path, *root))
			return true;
	}
	return false;
}

bool tn_studio_path_allowed(const struct tn_studio_projects *projects, const char *path,
			    struct tn_buf *ret_resolved, struct tn_studio_fault *fault)
{
	char copy[PATH_MAX], resolved[PATH_MAX];
	const char *rest;

	if (!path || path[0] != '/')
		return tn_studio_fail(fault, "INVALID_INPUT",
				      "the path '%.200s' is not absolute: begin it with /",
				      path ? path : "");
	if (snprintf(copy, sizeof(copy), "%s", path) >= (int)sizeof(copy))
		return tn_studio_fail(fault, "INVALID_INPUT", "the path is too long");
	if (!resolve_existing(copy, resolved, &rest) || goes_up(rest) ||
	    !is_in_roots(projects, resolved))
		return tn_studio_fail(fault, "PATH_NOT_ALLOWED",
				      "'%.200s' is not in a folder that projects may lie in (home, "
				      "the temporary folder, or those of the setting studio.roots)",
				      path);
	tn_buf_append_text(ret_resolved, strcmp(resolved, "/") == 0 ? "" : resolved);
	while (*rest) {
		size_t size = strcspn(rest, "/");

		if (size > 0 && !(size == 1 && *rest == '.')) {
			tn_buf_append_byte(ret_resolved, '/');
			tn_buf_append(ret_resolved, rest, size);
		}
		rest += size + (rest[size] == '/');
	}
	if (ret_resolved->size == 0)
		tn_buf_append_byte(ret_resolved, '/');
	tn_buf_append_byte(ret_resolved, '\0');
	if (ret_resolved->failed)
		return tn_studio_fail_memory(fault);
	ret_resolved->size--; /* the NUL stays behind the last byte */
	return true;
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

bool tn_studio_project_path(const struct tn_studio_project *project, const char *path,
			    struct tn_buf *ret, struct tn_studio_fault *fault)
{
	char whole[PATH_MAX];
	struct tn_buf resolved;
	size_t base = strlen(project->path);
	const char *below;
	int size;
	bool good;

	if (!path || !*path)
		return tn_studio_fail(fault, "INVALID_INPUT", "the path is empty");
	size = path[0] == '/' ? snprintf(whole, sizeof(whole), "%s", path)
			      : snprintf(whole, sizeof(whole), "%s/%s", project->path, path);
	if (size >= (int)sizeof(whole))
		return tn_studio_fail(fault, "INVALID_INPUT", "the path is too long");
	tn_buf_init(&resolved, TN_STUDIO_FILE_BYTES_MAX);
	good = tn_studio_path_allowed(project->projects, whole, &resolved, fault);
	if (good && (!is_below(resolved.data, project->path) || resolved.size <= base + 1))
		good = tn_studio_fail(fault, "PATH_NOT_ALLOWED", "'%.200s' is outside the project",
				      path);
	below = good ? resolved.data + base + 1 : "";
	if (good && is_ours(below))
		good = tn_studio_fail(fault, "PATH_NOT_ALLOWED",
				      "'%.200s' belongs to the project itself: take another name",
				      below);
	if (good) {
		tn_buf_append(ret, resolved.data, resolved.size + 1);
		good = !ret->failed || tn_studio_fail_memory(fault);
		ret->size -= good ? 1 : 0;
	}
	tn_buf_finish(&resolved);
	return good;
}
