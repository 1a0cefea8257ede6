/* documents.h - plans that are open (floorplan.md 7.8): a text, the log of its changes, and perhaps
 * the file it came from.
 *
 * A document's only operation replaces a range of bytes, {"at":7,"remove":3,"text":"..."}, and its
 * inverse is one as well. A document is known by a handle, which belongs to the principal that
 * opened it. With a folder, documents outlive the program, killed or stopped: each has its log
 * there (oplog.h) and a file of what else is known of it (documents_keep.c). Threads: loop, except
 * tn_floor_document_keep, which touches only what it is given. */
#ifndef TN_FLOOR_DOCUMENTS_H
#define TN_FLOOR_DOCUMENTS_H

#include "base/clock.h"
#include "base/digest.h"
#include "store/handles.h"
#include "store/oplog.h"

struct tn_floor_documents;

struct tn_floor_document {
	const struct tn_floor_documents *documents;
	struct tn_buf text;
	struct tn_oplog *log;
	char *path;                     /* NULL: it came as text */
	char saved[TN_DIGEST_HEX_SIZE]; /* of the file as it was read or written last */
	uint64_t saved_revision;        /* that stands in the file */
	void *watch;                    /* the door's own */
	char id[TN_HANDLE_SIZE];        /* that its files are called by; empty: it has none */
};

struct tn_floor_documents {
	struct tn_handles handles;
	const struct tn_clock *clock;
	struct tn_loop *loop; /* for the logs; NULL: none */
	char *folder;         /* NULL: everything is in memory */
	bool finishing;       /* what goes now is kept; otherwise its files go as well */
};

void tn_floor_documents_init(struct tn_floor_documents *documents, const struct tn_clock *clock,
			     struct tn_handle_registry *registry);
void tn_floor_documents_finish(struct tn_floor_documents *documents);
/* From now on they are kept in this folder, which is made with the first of them. */
TN_MUST_USE enum tenon_code tn_floor_documents_keep(struct tn_floor_documents *documents,
						    struct tn_loop *loop, const char *folder,
						    struct tenon_error *err);
/* Opens those of the folder that are not open and that no other process has. One that is damaged
 * stays where it is: *ret_damaged counts them. Blocks for as long as their files take. */
void tn_floor_documents_load(struct tn_floor_documents *documents, unsigned *ret_damaged);

struct tn_floor_opened {
	struct tn_str text;
	const char *path; /* NULL: none */
	const char *principal, *by;
};
/* A new document; with a path that this principal has open already, that one as it is. The handle
 * is referenced for the caller. Fails: INVALID (not UTF-8, or a NUL), LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_floor_document_open(struct tn_floor_documents *documents,
						   const struct tn_floor_opened *opened,
						   struct tn_handle **ret, struct tenon_error *err);
/* By its handle; what another process has had until now is opened. As tn_handles_find. */
TN_MUST_USE enum tenon_code tn_floor_document_find(struct tn_floor_documents *documents,
						   const char *id, const char *principal,
						   struct tn_handle **ret, struct tenon_error *err);
struct tn_handle *tn_floor_document_find_path(const struct tn_floor_documents *documents,
					      const char *principal, const char *path);

/* Makes its text `text`, as one change of what differs. Equal text: no change. Fails: EXPIRED
 * (another revision than expected; -1: whatever it is), INVALID, LIMIT, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_floor_document_change(struct tn_floor_document *document,
						     struct tn_str text, int64_t expected,
						     const char *actor, const char *label,
						     struct tenon_error *err);

/* What is known of a document beside its text, for its file; any thread. */
struct tn_floor_kept {
	const char *folder, *id, *principal, *by, *title;
	const char *path; /* NULL: none */
	const char *saved;
	uint64_t saved_revision;
};
struct tn_floor_kept tn_floor_document_kept(const struct tn_handle *handle); /* borrowed */
TN_MUST_USE enum tenon_code tn_floor_document_keep(const struct tn_floor_kept *kept,
						   struct tenon_error *err);
void tn_floor_document_forget(const struct tn_floor_documents *documents, const char *id);
/* A document without a text, and its log: of the folder, or in memory. */
TN_MUST_USE enum tenon_code tn_floor_document_create(struct tn_floor_documents *documents,
						     struct tn_floor_document **ret,
						     struct tenon_error *err);
TN_MUST_USE enum tenon_code tn_floor_document_log(struct tn_floor_document *document,
						  const char *id, struct tenon_error *err);
void tn_floor_document_free(void *document); /* keeps its files */

static inline struct tn_floor_document *tn_floor_document_of(const struct tn_handle *handle)
{
	return handle->value;
}

#endif
