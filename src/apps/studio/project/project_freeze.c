#include <string.h>

#include "apps/studio/limits.h"
#include "apps/studio/project/internal.h"
#include "apps/studio/status/status.h"
#include "base/mem.h"
#include "jsonrpc/json_make.h"
#include "loop/loop.h"

uint64_t tn_studio_project_revision(const struct tn_studio_project *project)
{
	return project->frozen_revision || !project->log ? project->frozen_revision
							 : tn_oplog_revision(project->log);
}

/* Which there are, not what they are: nobody who reads needs to know. */
static bool note_secrets(const struct tn_studio_project *project, struct tn_studio_project *frozen)
{
	const struct tn_json *secrets = project->secrets;
	struct tn_json_maker names;

	if (!secrets)
		return true;
	tn_json_maker_begin(&names, &frozen->secrets_arena, TN_JSON_OBJECT);
	for (const struct tn_json *at = secrets->first; at; at = at->next) {
		const char *name = tn_arena_copy(&frozen->secrets_arena, at->key);

		if (!name)
			return false;
		tn_json_maker_put(&names, tn_str(name, at->key.size),
				  tn_json_make_bool(&frozen->secrets_arena, true));
	}
	frozen->secrets = tn_json_maker_end(&names);
	return frozen->secrets != NULL;
}

static enum tenon_code fill(struct tn_studio_project *project, struct tn_studio_project *frozen,
			    struct tenon_error *err)
{
	enum tenon_code code;

	frozen->projects = project->projects;
	memcpy(frozen->id, project->id, sizeof(frozen->id));
	memcpy(frozen->name, project->name, sizeof(frozen->name));
	frozen->frozen_revision = tn_oplog_revision(project->log);
	frozen->saved_revision = project->saved_revision;
	frozen->recovered = project->recovered;
	frozen->disk_changed = project->disk_changed;
	frozen->made_here = project->made_here;
	frozen->path = tn_mem_copy_text(project->path, strlen(project->path));
	if (!frozen->path)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	code = project->status ? tn_studio_status_copy(project->status, &frozen->status, err)
			       : TENON_OK;
	return code == TENON_OK
		       ? tn_studio_document_copy(&project->document, &frozen->document, err)
		       : code;
}

static enum tenon_code create(struct tn_studio_project *project, struct tn_studio_project **ret,
			      struct tenon_error *err)
{
	struct tn_studio_project *frozen = tn_mem_alloc(sizeof(*frozen));
	enum tenon_code code;

	if (!frozen)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_arena_init(&frozen->secrets_arena, TN_STUDIO_ARENA_MAX);
	code = fill(project, frozen, err);
	if (code == TENON_OK)
		*ret = frozen;
	else
		tn_studio_project_thaw(frozen);
	return code;
}

enum tenon_code tn_studio_project_freeze(struct tn_studio_project *project,
					 struct tn_studio_project **ret, struct tenon_error *err)
{
	enum tenon_code code = create(project, ret, err);

	if (code != TENON_OK || note_secrets(project, *ret))
		return code;
	tn_studio_project_thaw(*ret);
	*ret = NULL;
	return tn_fail(err, TENON_NO_MEMORY, "out of memory");
}

/* ---- on trial ---- */

static enum tenon_code open_log(struct tn_studio_project *fork, struct tenon_error *err)
{
	const struct tn_oplog_options options = {.ops = &tn_studio_document_ops,
						 .document = &fork->document,
						 .clock = &tn_clock_system};

	return tn_oplog_open(&options, &fork->log, err);
}

enum tenon_code tn_studio_project_fork(struct tn_studio_project *project,
				       struct tn_studio_project **ret, struct tenon_error *err)
{
	struct tn_studio_project *fork = NULL;
	enum tenon_code code = create(project, &fork, err);

	if (code != TENON_OK)
		return code;
	if (project->secrets) {
		fork->secrets = tn_json_copy(&fork->secrets_arena, project->secrets);
		if (!fork->secrets)
			code = tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	if (code == TENON_OK)
		code = open_log(fork, err);
	if (code == TENON_OK)
		*ret = fork;
	else
		tn_studio_project_thaw(fork);
	return code;
}

struct tn_studio_project *tn_studio_project_draft(struct tn_studio_projects *projects,
						  struct tn_studio_fault *fault)
{
	struct tn_studio_registry *registry = tn_studio_projects_registry(projects, fault);
	struct tn_studio_project *draft = registry ? tn_mem_alloc(sizeof(*draft)) : NULL;
	struct tenon_error err = {0};

	if (!draft) {
		if (registry)
			(void)tn_studio_fail_memory(fault);
		return NULL;
	}
	draft->projects = projects;
	tn_arena_init(&draft->secrets_arena, TN_STUDIO_ARENA_MAX);
	tn_studio_document_init(&draft->document, registry);
	if (open_log(draft, &err) == TENON_OK)
		return draft;
	(void)tn_studio_fail_error(fault, &err);
	tn_studio_project_thaw(draft);
	return NULL;
}

static bool adopt_one(struct tn_studio_project *project, const struct tn_json *secret,
		      struct tn_studio_fault *fault)
{
	const struct tn_json *own = tn_json_get_str(project->secrets, secret->key);

	return (own && tn_str_equal(own->text, secret->text)) ||
	       tn_studio_secret_set(project, secret->key, &secret->text, fault);
}

bool tn_studio_secrets_adopt(struct tn_studio_project *project,
			     const struct tn_studio_project *fork, struct tn_studio_fault *fault)
{
	const struct tn_json *at = fork->secrets ? fork->secrets->first : NULL;
	bool done = true;

	for (; done && at; at = at->next)
		done = adopt_one(project, at, fault);
	/* Setting makes another list: it is looked through from its beginning again. */
	at = done && project->secrets ? project->secrets->first : NULL;
	while (done && at) {
		if (tn_json_get_str(fork->secrets, at->key)) {
			at = at->next;
			continue;
		}
		done = tn_studio_secret_set(project, at->key, NULL, fault);
		at = done && project->secrets ? project->secrets->first : NULL;
	}
	return done;
}

void tn_studio_project_thaw(struct tn_studio_project *frozen)
{
	if (!frozen)
		return;
	tn_oplog_close(frozen->log);
	tn_studio_document_finish(&frozen->document);
	tn_studio_status_destroy(frozen->status);
	tn_arena_finish(&frozen->secrets_arena);
	tn_mem_free(frozen->path);
	tn_mem_free(frozen);
}

static void thaw(void *frozen)
{
	tn_studio_project_thaw(frozen);
}

static bool is_large(const struct tn_studio_project *project)
{
	return project->document.node_count + project->document.edge_count > TN_STUDIO_AT_ONCE_MAX;
}

void tn_studio_project_let_go(struct tn_studio_project *frozen)
{
	struct tn_loop *loop = frozen ? frozen->projects->options.loop : NULL;

	if (loop && is_large(frozen))
		tn_job_free_aside(loop, thaw, frozen);
	else
		tn_studio_project_thaw(frozen);
}
