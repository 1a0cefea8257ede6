/* hold.h - a program that is started reads, and starts, what was judged, whatever stands under
 * those names by now (terminal.md section 10.2, docs/terminal-safety.md).
 *
 * The daemon packs the inputs of a run (inputs.h) into one descriptor, and the program is started
 * by `tenond --confine --held N`: a filter tells its watcher of every opening and every start. Who
 * opens a held file to read it gets the private copy; a file that is started is compared after the
 * kernel has taken it and before its first instruction. Names, $0, directories stay what they are.
 * What the run itself writes, renames or removes is its own from then on.
 *
 * Ownership: no memory outlives the watcher. Threads: one. */
#ifndef TN_HOLD_HOLD_H
#define TN_HOLD_HOLD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/str.h"
#include "hold/inputs.h"

enum { TN_HOLD_FD = 3 }; /* where the program that holds finds it, unless it is told (confine.h) */
enum { TN_HOLD_MARK_SIZE = TN_INPUT_MARK_SIZE };

/* ---- hold_pack.c: in the daemon ---- */

/* How an entry stands in what is packed; its path follows, with its NUL, and then its bytes. */
struct tn_hold_entry {
	uint32_t kind; /* enum tn_input_kind */
	uint32_t path_size;
	uint32_t has_fd, has_bytes, bytes_size;
	uint64_t device,
		inode; /* of the folder that it lies in, or of the closed one; 0: unknown */
	char mark[TN_HOLD_MARK_SIZE];
};

/* Entries, in the order in which they are added; the first of a name counts. Threads: any, one at a
 * time. */
struct tn_hold_list;
struct tn_hold_list *tn_hold_list_create(void);    /* NULL: no memory, or no descriptors */
void tn_hold_list_free(struct tn_hold_list *list); /* accepts NULL */
/* `bytes` (NULL: none) is the private copy of its content. False: no memory. */
bool tn_hold_list_add(struct tn_hold_list *list, enum tn_input_kind kind, const char *path,
		      const struct stat *folder, const char *mark, const struct tn_str *bytes);
/* One descriptor, close on exec, that a watcher unpacks once; the caller closes it. The list may be
 * packed again. Fails: LIMIT (no descriptors), SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_hold_list_pack(const struct tn_hold_list *list, int *ret_fd,
					      struct tenon_error *err);

/* The same of the inputs of a run. */
TN_MUST_USE enum tenon_code tn_hold_pack(const struct tn_inputs *inputs, int *ret_fd,
					 struct tenon_error *err);

/* Whether a program can be watched here: false where the kernel has no seccomp that asks, or does
 * not let us. Starts a process: some milliseconds. */
bool tn_hold_is_possible(void);

/* ---- hold.c: in the watcher ---- */

struct tn_hold;
struct tn_confine_call;

struct tn_hold *tn_hold_unpack(int fd); /* NULL: errno */
/* The call is one of those that we are told of for this. */
bool tn_hold_hears(int number);
void tn_hold_answer(struct tn_hold *hold, const struct tn_confine_call *call);
/* The call changes a file's mode. */
bool tn_hold_changes_mode(int number);
/* False: it has not been answered, and nothing was done. */
bool tn_hold_answer_mode(struct tn_hold *hold, const struct tn_confine_call *call);
/* What waitpid told of a process: it stands still, because we hold it at its start, or is no more.
 */
void tn_hold_waited(struct tn_hold *hold, pid_t pid, int status);

#endif
