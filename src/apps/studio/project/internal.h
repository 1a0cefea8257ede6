/* internal.h - the inside of projects, for the files project*.c, secrets.c, redact.c,
 * manifest.c. Threads: loop. */
#ifndef TN_STUDIO_PROJECT_INTERNAL_H
#define TN_STUDIO_PROJECT_INTERNAL_H

#include "apps/studio/project/project.h"
#include "base/rng.h"
#include "base/digest.h"

/* What people read, diff and commit, in the order in which it is put in place: the diagram last
 * (ST-022). */
enum tn_studio_project_file {
	TN_STUDIO_FILE_STUDIO,
	TN_STUDIO_FILE_COST,
	TN_STUDIO_FILE_DIAGRAM,
	TN_STUDIO_FILE_COUNT
};
/* Here and below `file` is one of them. */
const char *tn_studio_project_file_name(int file); /* project_path.c */

/* Which revision stands in the files, and what they were when it was written: .tenon/saved.json.
 * An empty digest: there is no such file. */
struct tn_studio_saved {
	uint64_t revision;
	char digests[TN_STUDIO_FILE_COUNT][TN_DIGEST_HEX_SIZE];
};

/* To see without reading whether a file may be another one. */
struct tn_studio_mark {
	uint64_t inode, size;
	int64_t changed_ns;
	bool exists;
};

struct tn_studio_redactor;

struct tn_studio_project_private {
	const struct tn_json *head; /* studio.json as it was read: unknown members are kept */
	struct tn_arena head_arena;
	struct tn_studio_saved saved;
	struct tn_studio_mark marks[TN_STUDIO_FILE_COUNT];
	struct tn_buf warnings;   /* members of a JSON array, of the opening */
	struct tn_arena *scratch; /* details of the last fault: the table's, or of the opening */
	struct tn_roots root;     /* the project's folder; no links in it are followed */
	int private_fd;           /* .tenon, O_PATH; -1: not opened yet */
	int watch;                /* of inotify; -1: none */
	bool has_document;        /* it was initialised */
	bool in_table;            /* it is in the table, or was: others are told of it */
	bool unfinished;          /* a save could neither be done nor taken back */

	/* secrets.c: between begin and end. */
	bool collecting, collected;
	struct tn_json *secrets_before;
	struct tn_arena secrets_before_arena;

	/* redact.c: what is looked for, made anew when secrets or the document have changed. */
	struct tn_studio_redactor *redactor;
	uint64_t secrets_generation;
};

struct tn_studio_recent {
	char *name, *path, *id;
	char opened[32];                  /* ISO 8601 */
	char trusted[TN_DIGEST_HEX_SIZE]; /* as in the project */
	struct tn_studio_recent *next;
};

struct tn_studio_projects {
	struct tn_studio_projects_options options;
	struct tn_roots roots;           /* where projects may lie */
	struct tn_studio_project *first; /* the one that was current last comes first */
	struct tn_studio_project *current;
	size_t count;
	struct tn_studio_registry *registry; /* built in and the user's; NULL until first used */
	struct tn_studio_recent *recent;     /* newest first */
	struct tn_studio_recent *trusted;    /* ST-085; newest first */
	bool recent_read;
	char machine_key[TN_RNG_TOKEN_SIZE(32)]; /* empty: not read yet (machine_key.c) */
	struct tn_studio_watch *watch;           /* NULL: nothing is watched */
	size_t loading;                          /* that take room already */
	struct tn_arena scratch; /* details of the last fault; until the next thing is done */
};

/* ---- project.c ---- */

/* A path to a file in .tenon that leads there whatever becomes of the folder's name, for what opens
 * by path; with a NUL behind it. */
bool tn_studio_project_private(const struct tn_studio_project *project, const char *name,
			       struct tn_buf *ret, struct tn_studio_fault *fault);
/* Frees it; what was not saved stays in its log. It is in no list. */
void tn_studio_project_free(struct tn_studio_project *project);
void tn_studio_project_make_current(struct tn_studio_project *project);
void tn_studio_project_unlink(struct tn_studio_project *project); /* out of the table's list */
bool tn_studio_projects_have_room(const struct tn_studio_projects *projects,
				  struct tn_studio_fault *fault);
struct tn_studio_project *tn_studio_project_at(const struct tn_studio_projects *projects,
					       const char *path); /* resolved; NULL: none */
/* Takes what was loaded into the table as the current one. */
void tn_studio_project_admit(struct tn_studio_project *project);

/* ---- project_path.c ---- */

/* 1 to 100 characters that a folder may have, too. */
bool tn_studio_name_check(const char *name, struct tn_studio_fault *fault);
TN_MUST_USE enum tenon_code tn_studio_roots_init(struct tn_studio_projects *projects,
						 struct tenon_error *err);
/* A file or folder of the project itself, through no link. Fails: as tn_place_find; NOT_FOUND also
 * when the project's folder is gone. */
TN_MUST_USE enum tenon_code tn_studio_project_place(const struct tn_studio_project *project,
						    const char *name, struct tn_place *ret,
						    struct tenon_error *err);

/* ---- project_files.c: reading and writing what is on disk ---- */

struct tn_studio_text { /* one file */
	struct tn_buf bytes;
	bool exists;
	char digest[TN_DIGEST_HEX_SIZE]; /* empty when there is none */
};
void tn_studio_text_init(struct tn_studio_text *text);
void tn_studio_text_finish(struct tn_studio_text *text);
/* One that is missing is fine. Fails: PROJECT_INVALID (a link, a folder, too large), IO_ERROR. */
bool tn_studio_text_read(const struct tn_studio_project *project, const char *name,
			 struct tn_studio_text *ret, struct tn_studio_fault *fault);
/* As JSON in the arena. Fails: PROJECT_INVALID with file, line and column (ST-026). */
bool tn_studio_text_parse(const struct tn_studio_text *text, const char *name,
			  struct tn_arena *arena, struct tn_json **ret,
			  struct tn_studio_fault *fault);
/* Whole, or the old one stays; 0600, in .tenon. */
bool tn_studio_private_write(const struct tn_studio_project *project, const char *name,
			     struct tn_str text, struct tn_studio_fault *fault);
struct tn_studio_mark tn_studio_mark_of(const struct tn_studio_project *project, int file);
bool tn_studio_mark_equal(const struct tn_studio_mark *a, const struct tn_studio_mark *b);

/* .tenon/saved.json; false: there is none that counts. */
bool tn_studio_saved_read(const struct tn_studio_project *project, struct tn_studio_saved *ret);
bool tn_studio_saved_write(const struct tn_studio_project *project,
			   const struct tn_studio_saved *saved, struct tn_studio_fault *fault);

/* ---- project_save.c ---- */

/* The text of a file as it would be saved now; false: there is to be none. */
bool tn_studio_project_render(const struct tn_studio_project *project, int file,
			      struct tn_buf *out);
/* A save that a crash interrupted after its point of no return is brought to its end; one that had
 * not come so far is forgotten. */
bool tn_studio_project_finish_save(struct tn_studio_project *project,
				   struct tn_studio_fault *fault);

/* ---- project_open.c ---- */

struct tn_studio_texts {
	struct tn_studio_text files[TN_STUDIO_FILE_COUNT];
};
/* The three files; false: one of them cannot be read. */
bool tn_studio_texts_read(const struct tn_studio_project *project, struct tn_studio_texts *ret,
			  struct tn_studio_fault *fault);
void tn_studio_texts_finish(struct tn_studio_texts *texts);
/* Takes the files as the document: one operation, by `actor`. What is there is saved, then. */
bool tn_studio_project_take(struct tn_studio_project *project, const struct tn_studio_texts *texts,
			    const char *label, struct tn_studio_fault *fault);
/* What is on disk, which is in no table yet. `path`, from tn_mem, is the project's from here on;
 * details of a fault are in `scratch`. Threads: any; the table has its registry. */
struct tn_studio_project *tn_studio_project_load(struct tn_studio_projects *projects, char *path,
						 struct tn_arena *scratch,
						 struct tn_studio_fault *fault);

/* ---- project_compare.c ---- */

/* What these files say otherwise than the project, as members: `differences` {nodes: [{instanceId,
 * label, typeId, change, members?: [{member, here?, there?}]}], moreNodes?, edges: {added, removed,
 * changed}, config: [{member}]}, "added" being what the files alone have; or `unreadable`, why they
 * cannot be taken. */
void tn_studio_project_put_differences(struct tn_studio_project *project,
				       const struct tn_studio_texts *texts, struct tn_buf *out);

/* ---- project_recent.c ---- */

void tn_studio_recent_add(struct tn_studio_projects *projects,
			  const struct tn_studio_project *project);
void tn_studio_recent_free(struct tn_studio_projects *projects);
bool tn_studio_is_trusted(struct tn_studio_projects *projects, struct tn_studio_project *project);
bool tn_studio_trust_add(struct tn_studio_projects *projects,
			 const struct tn_studio_project *project, struct tn_studio_fault *fault);
/* A file of this name in the user's state folder; with a NUL behind it. */
bool tn_studio_state_path(const struct tn_studio_projects *projects, bool create, const char *name,
			  struct tn_buf *ret);

/* ---- machine_key.c ---- */

/* Made when it is asked for first; empty: there is no place for it. */
struct tn_str tn_studio_machine_key(struct tn_studio_projects *projects);

/* ---- project_watch.c ---- */

TN_MUST_USE enum tenon_code tn_studio_watch_create(struct tn_studio_projects *projects,
						   struct tenon_error *err);
void tn_studio_watch_destroy(struct tn_studio_watch *watch); /* accepts NULL */
void tn_studio_watch_add(struct tn_studio_project *project);
void tn_studio_watch_remove(struct tn_studio_project *project);

/* ---- secrets.c, redact.c ---- */

/* A file that cannot be read counts as none and is a warning. */
void tn_studio_secrets_read(struct tn_studio_project *project);
void tn_studio_secrets_finish(struct tn_studio_project *project);
void tn_studio_redactor_free(struct tn_studio_redactor *redactor); /* accepts NULL */

#endif
