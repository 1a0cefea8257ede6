/* project.h - projects on disk, and those that are open (studio.md 4.2, 4.3, 12.4).
 *
 * A project is a folder. What is edited lives in the operation log under `.tenon/` (document.h),
 * which has every acknowledged change; `save` writes studio.json, diagram.json and cost.json from
 * it. Nothing in a project is run, fetched or trusted by opening it (ST-143). Ownership: the table
 * owns its projects; they live until closed. Threads: loop; opening and saving block for as long as
 * small files take. */
#ifndef TN_STUDIO_PROJECT_H
#define TN_STUDIO_PROJECT_H

#include "base/digest.h"
#include "apps/studio/document/document.h"
#include "apps/studio/limits.h"
#include "base/rng.h"
#include "store/beneath.h"

struct tn_loop;
struct tn_studio_closing;
struct tn_studio_loading;
struct tn_studio_projects;
struct tn_studio_runs;
struct tn_studio_status;

struct tn_studio_project {
	struct tn_studio_projects *projects;
	char id[TN_STUDIO_ID_SIZE];
	char name[401];                       /* 1 to 100 characters */
	char *path;                           /* of the folder, resolved */
	char opened_by[TN_STUDIO_ACTOR_SIZE]; /* who made or opened it last; empty: nobody said */
	bool opened_by_person;
	struct tn_studio_document document;
	struct tn_oplog *log;      /* NULL: it is frozen */
	uint64_t frozen_revision;  /* of one that is, or a fork; 0: neither */
	uint64_t written_revision; /* of what was written to terraform/ last, since it is open */
	uint64_t saved_revision;   /* dirty: the log's is another */
	bool recovered;            /* opened with changes that had not been saved (ST-023) */
	bool disk_changed;         /* files are others than those of the last save (ST-025) */
	bool told_dirty;           /* what the list of projects last said (resource_update.c) */
	bool made_here;            /* ST-085: created by us on this machine, or trusted */
	/* What the person has trusted, by its digest; empty: it was created here. */
	char trusted[TN_DIGEST_HEX_SIZE];
	struct tn_json *secrets; /* by keys of nodes (ST-029, declared.h); its own arena */
	struct tn_arena secrets_arena;
	struct tn_studio_status *status; /* status.h */
	struct tn_studio_project *next;
	struct tn_studio_project_private *own;
};

struct tn_studio_projects_options {
	struct tn_loop *loop; /* NULL: files are not watched */
	const struct tn_clock *clock;
	const char *state_folder; /* recent projects; NULL: the usual */
	const char *data_folder;  /* user types, templates, prices; NULL: the usual */
	const char *const *roots; /* allowed; NULL: home and the temporary folder */
	/* Something a reader could see has changed: `what` is "diagram", "config", "projects",
	 * "current", "status", "problems". */
	void (*changed)(struct tn_studio_project *project, const char *what, void *data);
	void *data;
};
TN_MUST_USE enum tenon_code
tn_studio_projects_create(const struct tn_studio_projects_options *options,
			  struct tn_studio_projects **ret, struct tenon_error *err);
/* Closes all of them, and keeps what is unsaved: nothing of the loop is used from here on. What is
 * being opened, and what is frozen, may still look into the table. */
void tn_studio_projects_stop(struct tn_studio_projects *projects);
void tn_studio_projects_destroy(struct tn_studio_projects *projects); /* stops them first */

/* Built in and the user's files: what projects without types of their own work with, made with the
 * first use. The table's; NULL: the fault says why. */
struct tn_studio_registry *tn_studio_projects_registry(struct tn_studio_projects *projects,
						       struct tn_studio_fault *fault);

/* The one meant by `which` (a path or an id); NULL: the current one. Fails: NO_PROJECT,
 * PROJECT_NOT_FOUND. */
struct tn_studio_project *tn_studio_project_find(struct tn_studio_projects *projects,
						 const char *which, struct tn_studio_fault *fault);
/* PROJECT_NOT_FOUND: no open one is called so. */
void tn_studio_project_fail_closed(const char *which, struct tn_studio_fault *fault);
struct tn_studio_project *tn_studio_project_current(const struct tn_studio_projects *projects);
struct tn_studio_project *tn_studio_projects_first(const struct tn_studio_projects *projects);
bool tn_studio_project_is_dirty(const struct tn_studio_project *project);
uint64_t tn_studio_project_revision(const struct tn_studio_project *project);

/* A project as it is now, for what takes long: in it are its names, its document (whose records it
 * shares), what is deployed, which secrets there are (`true` for each), the revision and the table
 * (whose roots any thread may read), nothing else. Whatever happens to the project, it stays as it
 * is, and what reads only may read it in any thread. *ret is the caller's to thaw, on the loop.
 * Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_studio_project_freeze(struct tn_studio_project *project,
						     struct tn_studio_project **ret,
						     struct tenon_error *err);
/* The same, to be edited on trial: with a log of its own in memory, and secrets as they are. */
TN_MUST_USE enum tenon_code tn_studio_project_fork(struct tn_studio_project *project,
						   struct tn_studio_project **ret,
						   struct tenon_error *err);
/* One with nothing in it, as tn_studio_project_new would make it: to try what would come into it.
 * NULL: the fault says why. */
struct tn_studio_project *tn_studio_project_draft(struct tn_studio_projects *projects,
						  struct tn_studio_fault *fault);
void tn_studio_project_thaw(struct tn_studio_project *frozen); /* accepts NULL; any thread */
/* The same of one that nobody uses: what is large is freed by a worker. On the loop. */
void tn_studio_project_let_go(struct tn_studio_project *frozen);
/* The secrets of a fork become the project's, which the fork is of and which had the same before.
 */
bool tn_studio_secrets_adopt(struct tn_studio_project *project,
			     const struct tn_studio_project *fork, struct tn_studio_fault *fault);

/* Each makes it current. NULL: the fault says why. */
struct tn_studio_project *tn_studio_project_new(struct tn_studio_projects *projects,
						const char *name, const char *folder,
						const struct tn_json *config,
						struct tn_studio_fault *fault);
struct tn_studio_project *tn_studio_project_open(struct tn_studio_projects *projects,
						 const char *path, struct tn_buf *ret_warnings,
						 struct tn_studio_fault *fault);
/* The same in steps, so that a large one is read while the loop goes on. Nobody else opens this
 * folder meanwhile. NULL: the fault says why. The caller frees it, which closes what is not in the
 * table. */
struct tn_studio_loading *tn_studio_loading_begin(struct tn_studio_projects *projects,
						  const char *path, struct tn_studio_fault *fault);
const char *tn_studio_loading_path(const struct tn_studio_loading *loading); /* of the folder */
bool tn_studio_loading_is_open(const struct tn_studio_loading *loading); /* nothing is to be read */
void tn_studio_loading_load(struct tn_studio_loading *loading);          /* any thread */
struct tn_studio_project *tn_studio_loading_end(struct tn_studio_loading *loading,
						struct tn_buf *ret_warnings,
						struct tn_studio_fault *fault);
void tn_studio_loading_free(struct tn_studio_loading *loading);

/* Whole or not at all (ST-022); `force` over DISK_CHANGED. Appends `files` of the answer. */
bool tn_studio_project_save(struct tn_studio_project *project, bool force, bool reload,
			    struct tn_buf *ret_files, struct tn_studio_fault *fault);
/* The project is called so from now on, and is saved as that; its folder stays. */
bool tn_studio_project_rename(struct tn_studio_project *project, const char *name, bool force,
			      struct tn_buf *ret_files, struct tn_studio_fault *fault);
/* After an undo or redo: back at what was saved, it is saved (SC-189). */
void tn_studio_project_settle(struct tn_studio_project *project);
bool tn_studio_project_close(struct tn_studio_project *project, bool discard,
			     struct tn_studio_fault *fault);
/* The same in steps: it leaves the table, what is unsaved is dropped and its memory freed, and it
 * is told. Nobody opens the folder meanwhile. NULL: the fault says why, and nothing has happened.
 */
struct tn_studio_closing *tn_studio_closing_begin(struct tn_studio_project *project, bool discard,
						  struct tn_studio_fault *fault);
void tn_studio_closing_close(struct tn_studio_closing *closing); /* any thread */
/* Frees it. False: its files cannot be read, and it is in the table as before. */
bool tn_studio_closing_end(struct tn_studio_closing *closing, struct tn_studio_fault *fault);
/* Looks at the files now, as watching does (ST-025): what changed behind our back is taken when
 * nothing is unsaved. */
void tn_studio_project_look(struct tn_studio_project *project);
/* The person trusts what this project can run (ST-085), which has this digest; NULL: whatever it
 * is, because it was created here. Remembered on this machine. */
bool tn_studio_project_trust(struct tn_studio_project *project, const char *digest,
			     struct tn_studio_fault *fault);
/* Tells the table's owner, see `changed` above. */
void tn_studio_project_tell(struct tn_studio_project *project, const char *what);

/* A path of a client below the project (export), opened without leaving it (ST-142). A relative one
 * is taken from `folder` (where the client stands; NULL: not known) when that is in the project,
 * else from the project. The caller closes the place. Fails: INVALID_INPUT, PATH_NOT_ALLOWED. */
bool tn_studio_project_path(const struct tn_studio_project *project, const char *folder,
			    const char *path, struct tn_place *ret, struct tn_studio_fault *fault);
/* Anywhere that projects may lie; the path must be absolute. The same for its name alone. */
bool tn_studio_path_find(const struct tn_studio_projects *projects, const char *path,
			 struct tn_place *ret, struct tn_studio_fault *fault);
/* The folders that projects may lie in. */
const struct tn_roots *tn_studio_projects_roots(const struct tn_studio_projects *projects);
bool tn_studio_path_allowed(const struct tn_studio_projects *projects, const char *path,
			    struct tn_buf *ret_resolved, struct tn_studio_fault *fault);

/* The folders that projects may lie in, a copy for workers. */
TN_MUST_USE enum tenon_code tn_studio_roots_copy(const struct tn_studio_projects *projects,
						 struct tn_roots *ret, struct tenon_error *err);

/* {"id","name","path","dirty"} and the like, as the tools say it. */
void tn_studio_project_put(struct tn_buf *out, const struct tn_studio_project *project);
void tn_studio_projects_put_recent(struct tn_buf *out, struct tn_studio_projects *projects);

/* ---- secrets ---- */

/* Kept in .tenon/secrets.json, 0600, by keys of nodes (declared.h); NULL forgets. Those of a node
 * that is removed stay: it may come back. Between begin and end it is written once, at the
 * end, or everything is as it was: what a batch that fails has set is gone. A project of which only
 * the document is there (tests) keeps them in memory. */
bool tn_studio_secret_set(struct tn_studio_project *project, struct tn_str key,
			  const struct tn_str *value, struct tn_studio_fault *fault);
void tn_studio_secrets_begin(struct tn_studio_project *project);
bool tn_studio_secrets_end(struct tn_studio_project *project, bool keep,
			   struct tn_studio_fault *fault);
/* Replaces every secret of at least 4 characters in a text by [redacted] (ST-087): those of the
 * store, what the configuration keeps at sensitive paths, and the credentials of the environment. A
 * secret of several lines is found line by line as well. */
void tn_studio_redact(const struct tn_studio_project *project, struct tn_str text,
		      struct tn_buf *out);
/* Of all that is replaced, with a key of this machine: with the same digest nothing of it is shown
 * that was hidden then. False: no memory, or no place for the key. */
bool tn_studio_redact_digest(const struct tn_studio_project *project, char ret[TN_DIGEST_HEX_SIZE]);

/* ---- generated files (8.9) ---- */
struct tn_studio_generated;
/* Writes terraform/ as generated: untouched what is the same, GENERATED_FILE_EDITED for what was
 * edited unless `overwrite`. Appends `written`, `unchanged`, `removed` as members. */
bool tn_studio_project_write(struct tn_studio_project *project,
			     const struct tn_studio_generated *generated, bool overwrite,
			     struct tn_buf *result, struct tn_studio_fault *fault);
/* As a JSON array: files beside them that the engine reads and that are not ours, by name (SC-103).
 */
void tn_studio_project_put_others(struct tn_studio_project *project,
				  const struct tn_studio_generated *generated, struct tn_buf *out);

#endif
