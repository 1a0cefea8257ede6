/* hold_items.h - what a watcher holds, and which of it a name means. For hold*.c.
 *
 * Threads: one. */
#ifndef TN_HOLD_HOLD_ITEMS_H
#define TN_HOLD_HOLD_ITEMS_H

#include <limits.h>
#include <sys/stat.h>

#include "base/str.h"
#include "hold/confine_call.h"
#include "hold/hold.h"
#include "hold/inputs.h"

enum { TN_HOLD_LINK_BYTES = 64, TN_HOLD_BUCKETS = 1024 };

struct tn_hold_item {
	enum tn_input_kind kind;
	bool is_own;   /* the run itself has written, moved or removed it */
	int fd;        /* of its private copy; -1: none */
	bool has_copy; /* there is one: `fd`, or these bytes */
	struct tn_str bytes;
	char *path; /* plain: no empty parts, no "." */
	uint64_t device, inode;
	char mark[TN_HOLD_MARK_SIZE];
	struct tn_hold_item *next_same; /* whose name ends in the same bucket */
};

/* A start that the kernel has in its hands. One that came to nothing is traced until it next stands
 * still or ends. */
struct tn_hold_start {
	pid_t thread;                    /* 0: free */
	const struct tn_hold_item *item; /* NULL: it came to nothing */
	char path[PATH_MAX];             /* as it was said */
};

struct tn_hold {
	struct tn_hold_item *items; /* do not move once they are unpacked */
	size_t count, room;
	struct tn_hold_item *buckets[TN_HOLD_BUCKETS];
	struct tn_hold_item *closed; /* folders, by next_same */
	struct tn_hold_start starts[TN_HOLD_STARTS_MAX];
};

/* "a//b/./c" becomes "a/b/c". */
void tn_hold_make_plain(char *path);
const char *tn_hold_base_of(const char *path);
/* The folder that a name is seen from, as a path; false: nobody can say. */
bool tn_hold_folder_of(const struct tn_confine_call *call, int folder, char out[PATH_MAX]);
/* The first that this name means, and that the run has not made its own; NULL: none. */
struct tn_hold_item *tn_hold_find(struct tn_hold *hold, const struct tn_confine_call *call,
				  int folder, const char *path);
/* One file may be there under several names: what becomes of it becomes of all of them. */
struct tn_hold_item *tn_hold_find_next(struct tn_hold *hold, const struct tn_confine_call *call,
				       int folder, const char *path,
				       const struct tn_hold_item *after);
/* It lies in a folder where nothing is that was not there when it was judged. */
bool tn_hold_is_closed(const struct tn_hold *hold, const struct tn_confine_call *call, int folder,
		       const char *path);
/* What the one that calls would open; -1: errno. */
int tn_hold_open_as(const struct tn_confine_call *call, int folder, const char *path, int flags);
/* Whether a write, or taking it away, has a prospect. */
bool tn_hold_can_write(const struct tn_confine_call *call, int folder, const char *path,
		       bool may_create);
bool tn_hold_can_take(const struct tn_confine_call *call, int folder, const char *path);

/* ---- hold.c ---- */
void tn_hold_let(const struct tn_confine_call *call);

/* ---- hold_start.c ---- */
void tn_hold_answer_start(struct tn_hold *hold, const struct tn_confine_call *call, int folder,
			  uint64_t path_at);

#endif
