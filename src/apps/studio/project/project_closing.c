/* project_closing.c - a project is let go: what is unsaved is dropped, and its memory freed. */
#include "apps/studio/project/internal.h"
#include "base/mem.h"

struct tn_studio_closing {
	struct tn_studio_projects *projects;
	struct tn_studio_project *project; /* in no table; NULL: closed, or back there */
	bool was_current;
	struct tn_studio_fault fault; /* of dropping; its details are in `scratch` */
	struct tn_arena scratch;
};

struct tn_studio_closing *tn_studio_closing_begin(struct tn_studio_project *project, bool discard,
						  struct tn_studio_fault *fault)
{
	struct tn_studio_projects *projects = project->projects;
	struct tn_studio_closing *closing;

	tn_arena_reset(&projects->scratch);
	if (tn_studio_project_is_dirty(project) && !discard) {
		(void)tn_studio_fail(fault, "UNSAVED_CHANGES",
				     "'%s' has unsaved changes: save_project keeps them, "
				     "discard drops them",
				     project->name);
		return NULL;
	}
	closing = tn_mem_alloc(sizeof(*closing));
	if (!closing) {
		(void)tn_studio_fail_memory(fault);
		return NULL;
	}
	closing->projects = projects;
	closing->project = project;
	closing->was_current = projects->current == project;
	tn_arena_init(&closing->scratch, TN_MIB);
	tn_studio_project_unlink(project);
	if (closing->was_current)
		projects->current = projects->first; /* the one that was current before */
	projects->count--;
	projects->loading++; /* its place stays, for it may come back */
	tn_studio_watch_remove(project);
	/* Whoever follows it lets go of it now. */
	tn_studio_project_tell(project, "projects");
	tn_studio_project_tell(project, "current");
	tn_oplog_attach(project->log, NULL);
	project->own->in_table = false;
	project->own->scratch = &closing->scratch;
	return closing;
}

/* What is on disk is the document again; the changes that are dropped stay in the history, and undo
 * brings them back. */
static bool drop_changes(struct tn_studio_project *project, struct tn_studio_fault *fault)
{
	struct tn_studio_texts texts;
	bool done;

	done = tn_studio_texts_read(project, &texts, fault) &&
	       tn_studio_project_take(project, &texts, "Drop unsaved changes", fault);
	tn_studio_texts_finish(&texts);
	return done;
}

void tn_studio_closing_close(struct tn_studio_closing *closing)
{
	struct tn_studio_project *project = closing->project;

	if (tn_studio_project_is_dirty(project) && !drop_changes(project, &closing->fault))
		return;
	tn_studio_project_free(project);
	closing->project = NULL;
}

/* Its files cannot be read: it is open as it was. */
static void put_back(struct tn_studio_closing *closing)
{
	struct tn_studio_projects *projects = closing->projects;
	struct tn_studio_project *project = closing->project;

	closing->project = NULL;
	project->own->scratch = &projects->scratch;
	project->own->in_table = true;
	tn_oplog_attach(project->log, projects->options.loop);
	project->next = projects->first;
	projects->first = project;
	projects->count++;
	if (closing->was_current)
		projects->current = project;
	tn_studio_watch_add(project);
	tn_studio_project_tell(project, "projects");
	tn_studio_project_tell(project, "current");
}

static void pass_on(struct tn_studio_closing *closing, struct tn_studio_fault *fault)
{
	*fault = closing->fault;
	if (fault->details.size > 0) {
		const char *copy = tn_arena_copy(&closing->projects->scratch, fault->details);

		fault->details = tn_str(copy, copy ? fault->details.size : 0);
	}
}

bool tn_studio_closing_end(struct tn_studio_closing *closing, struct tn_studio_fault *fault)
{
	struct tn_studio_projects *projects = closing->projects;
	bool closed = !closing->project;

	projects->loading--;
	if (!closed) {
		put_back(closing);
		if (fault)
			pass_on(closing, fault);
	}
	tn_arena_finish(&closing->scratch);
	tn_mem_free(closing);
	return closed;
}

bool tn_studio_project_close(struct tn_studio_project *project, bool discard,
			     struct tn_studio_fault *fault)
{
	struct tn_studio_closing *closing = tn_studio_closing_begin(project, discard, fault);

	if (!closing)
		return false;
	tn_studio_closing_close(closing);
	return tn_studio_closing_end(closing, fault);
}
