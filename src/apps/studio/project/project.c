#include "apps/studio/project/internal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "apps/studio/limits.h"
#include "apps/studio/status/status.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

/* ---- the table ---- */

enum tenon_code tn_studio_projects_create(const struct tn_studio_projects_options *options,
					  struct tn_studio_projects **ret, struct tenon_error *err)
{
	struct tn_studio_projects *projects = tn_mem_alloc(sizeof(*projects));
	enum tenon_code code;

	if (!projects)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	projects->options = *options;
	tn_arena_init(&projects->scratch, TN_MIB);
	code = tn_studio_roots_init(projects, err);
	if (code == TENON_OK)
		code = tn_studio_watch_create(projects, err);
	if (code != TENON_OK) {
		tn_roots_finish(&projects->roots);
		tn_mem_free(projects);
		return code;
	}
	*ret = projects;
	return TENON_OK;
}

void tn_studio_projects_stop(struct tn_studio_projects *projects)
{
	if (!projects)
		return;
	projects->current = NULL;
	projects->count = 0;
	while (projects->first) {
		struct tn_studio_project *project = projects->first;

		projects->first = project->next;
		tn_studio_watch_remove(project);
		tn_studio_project_free(project);
	}
	tn_studio_watch_destroy(projects->watch);
	projects->watch = NULL;
	/* Whatever is let go or put back from here on does without. */
	projects->options.loop = NULL;
	projects->options.changed = NULL;
}

void tn_studio_projects_destroy(struct tn_studio_projects *projects)
{
	if (!projects)
		return;
	tn_studio_projects_stop(projects);
	tn_studio_recent_free(projects);
	tn_studio_registry_unref(projects->registry);
	tn_arena_finish(&projects->scratch);
	tn_roots_finish(&projects->roots);
	tn_mem_free(projects);
}

/* Whoever is handed a project finds its diagram indexed: a change leaves that to the next reader.
 */
static struct tn_studio_project *settled(struct tn_studio_project *project)
{
	struct tenon_error err;
	enum tenon_code code =
		project ? tn_studio_document_index(&project->document, &err) : TENON_OK;

	tn_assert(code == TENON_OK); /* an edge without end in an open document */
	return project;
}

struct tn_studio_project *tn_studio_project_current(const struct tn_studio_projects *projects)
{
	return settled(projects->current);
}

struct tn_studio_project *tn_studio_projects_first(const struct tn_studio_projects *projects)
{
	return projects->first;
}

bool tn_studio_project_is_dirty(const struct tn_studio_project *project)
{
	return tn_studio_project_revision(project) != project->saved_revision;
}

void tn_studio_project_tell(struct tn_studio_project *project, const char *what)
{
	const struct tn_studio_projects_options *options = &project->projects->options;

	if (options->changed && project->own->in_table)
		options->changed(project, what, options->data);
}

struct tn_studio_project *tn_studio_project_at(const struct tn_studio_projects *projects,
					       const char *path)
{
	for (struct tn_studio_project *at = projects->first; at; at = at->next) {
		if (strcmp(at->path, path) == 0)
			return at;
	}
	return NULL;
}

void tn_studio_project_fail_closed(const char *which, struct tn_studio_fault *fault)
{
	(void)tn_studio_fail(fault, "PROJECT_NOT_FOUND",
			     "no open project is '%.200s': list_projects shows them, "
			     "open_project opens one",
			     which);
}

struct tn_studio_project *tn_studio_project_find(struct tn_studio_projects *projects,
						 const char *which, struct tn_studio_fault *fault)
{
	struct tn_studio_project *found = NULL;
	struct tn_buf resolved;

	if (!which) {
		if (!projects->current)
			(void)tn_studio_fail(
				fault, "NO_PROJECT",
				"No project is open: use open_project or new_project.");
		return settled(projects->current);
	}
	for (struct tn_studio_project *at = projects->first; at && !found; at = at->next) {
		if (strcmp(at->id, which) == 0 || strcmp(at->path, which) == 0)
			found = at;
	}
	tn_buf_init(&resolved, TN_STUDIO_FILE_BYTES_MAX);
	if (!found && which[0] == '/' && tn_studio_path_allowed(projects, which, &resolved, NULL))
		found = tn_studio_project_at(projects, resolved.data);
	tn_buf_finish(&resolved);
	if (!found)
		tn_studio_project_fail_closed(which, fault);
	return settled(found);
}

/* ---- life of one ---- */

bool tn_studio_project_private(const struct tn_studio_project *project, const char *name,
			       struct tn_buf *ret, struct tn_studio_fault *fault)
{
	tn_buf_format(ret, "/proc/self/fd/%d/%s", project->own->private_fd, name);
	tn_buf_append_byte(ret, '\0');
	if (ret->failed)
		return tn_studio_fail_memory(fault);
	ret->size--; /* the NUL stays behind the last byte */
	return true;
}

void tn_studio_project_free(struct tn_studio_project *project)
{
	tn_oplog_close(project->log);
	if (project->own->has_document)
		tn_studio_document_finish(&project->document);
	tn_studio_secrets_finish(project);
	tn_studio_status_destroy(project->status);
	tn_arena_finish(&project->own->head_arena);
	tn_roots_finish(&project->own->root);
	if (project->own->private_fd >= 0)
		(void)close(project->own->private_fd); /* nothing was written through it */
	tn_buf_finish(&project->own->warnings);
	tn_mem_free(project->own);
	tn_mem_free(project->path);
	tn_mem_free(project);
}

void tn_studio_project_unlink(struct tn_studio_project *project)
{
	struct tn_studio_project **link = &project->projects->first;

	while (*link && *link != project)
		link = &(*link)->next;
	if (*link)
		*link = project->next;
}

void tn_studio_project_make_current(struct tn_studio_project *project)
{
	struct tn_studio_projects *projects = project->projects;
	bool changes = projects->current != project;

	tn_studio_project_unlink(project);
	project->next = projects->first;
	projects->first = project;
	projects->current = project;
	tn_studio_recent_add(projects, project);
	if (changes)
		tn_studio_project_tell(project, "current");
}

bool tn_studio_projects_have_room(const struct tn_studio_projects *projects,
				  struct tn_studio_fault *fault)
{
	if (projects->count + projects->loading < TN_STUDIO_PROJECTS_MAX)
		return true;
	return tn_studio_fail(fault, "LIMIT_EXCEEDED",
			      "%d projects are open, which is the most: close one first",
			      TN_STUDIO_PROJECTS_MAX);
}

void tn_studio_project_admit(struct tn_studio_project *project)
{
	struct tn_studio_projects *projects = project->projects;

	project->own->scratch = &projects->scratch;
	project->own->in_table = true;
	project->made_here = tn_studio_is_trusted(projects, project);
	tn_oplog_attach(project->log, projects->options.loop);
	projects->count++;
	tn_studio_watch_add(project);
	tn_studio_project_look(project); /* since it was read */
	tn_studio_project_make_current(project);
	tn_studio_project_tell(project, "projects");
}

bool tn_studio_project_trust(struct tn_studio_project *project, const char *digest,
			     struct tn_studio_fault *fault)
{
	(void)snprintf(project->trusted, sizeof(project->trusted), "%s", digest ? digest : "");
	if (!tn_studio_trust_add(project->projects, project, fault))
		return false;
	project->made_here = true;
	return true;
}

/* ---- files that change behind our back (ST-025) ---- */

static bool marks_differ(struct tn_studio_project *project)
{
	bool differ = false;

	for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++) {
		struct tn_studio_mark mark = tn_studio_mark_of(project, i);

		differ = differ || !tn_studio_mark_equal(&mark, &project->own->marks[i]);
		project->own->marks[i] = mark;
	}
	return differ;
}

void tn_studio_project_look(struct tn_studio_project *project)
{
	struct tn_studio_texts texts;
	bool was = project->disk_changed, same = true, taken = false;

	if (!marks_differ(project))
		return;
	if (tn_studio_texts_read(project, &texts, NULL)) {
		for (int i = 0; i < TN_STUDIO_FILE_COUNT; i++)
			same = same &&
			       strcmp(texts.files[i].digest, project->own->saved.digests[i]) == 0;
		if (!same && !tn_studio_project_is_dirty(project))
			taken = tn_studio_project_take(project, &texts,
						       "Take files that changed on disk", NULL);
		project->disk_changed = !same && !taken;
	} else {
		project->disk_changed = true;
	}
	tn_studio_texts_finish(&texts);
	if (taken || was != project->disk_changed)
		tn_studio_project_tell(project, "projects");
}

/* ---- showing it ---- */

void tn_studio_project_put(struct tn_buf *out, const struct tn_studio_project *project)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "id", project->id);
	tn_json_put_member_text(out, "name", project->name);
	tn_json_put_member_text(out, "path", project->path);
	tn_json_put_member_bool(out, "dirty", tn_studio_project_is_dirty(project));
	tn_json_put_member_int(out, "formatVersion", 1);
	if (project->recovered)
		tn_json_put_member_bool(out, "recovered", true);
	if (project->disk_changed)
		tn_json_put_member_bool(out, "diskChanged", true);
	tn_json_end_object(out);
}
