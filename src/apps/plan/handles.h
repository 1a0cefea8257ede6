/* handles.h - things that live across calls, named by a random handle: plans and conversations.
 *
 * A handle is a prefix and 26 characters from 128 random bits (ARCHITECTURE section 3.5); it
 * belongs to the principal that made it and to nobody else. The least recently used goes first when
 * there are too many or they are too large; one that was not used for idle_ms goes as well. For a
 * while the table remembers what went, so that a caller reads "expired" and not "unknown".
 * Ownership: the table owns the values; a caller that keeps an entry across turns of the loop takes
 * a reference. Threads: loop only. */
#ifndef TN_PLAN_HANDLES_H
#define TN_PLAN_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/map.h"
#include "base/str.h"

enum {
	TN_PLAN_HANDLE_SIZE = 40,    /* with the final NUL */
	TN_PLAN_PRINCIPAL_SIZE = 64, /* longer names are cut, as the core does */
	TN_PLAN_GONE_MAX = 1024      /* how many gone handles are remembered */
};

struct tn_plan_handle {
	char id[TN_PLAN_HANDLE_SIZE];
	char principal[TN_PLAN_PRINCIPAL_SIZE];
	void *value;
	size_t bytes;
	uint64_t used_ms;
	unsigned refs; /* callers', and one of the table's while it is listed */
	struct tn_plan_handle *newer, *older;
	void (*free_value)(void *value);
};

struct tn_plan_gone {
	char id[TN_PLAN_HANDLE_SIZE];
	char principal[TN_PLAN_PRINCIPAL_SIZE];
};

struct tn_plan_handles {
	const char *prefix; /* "pln_"; static */
	const struct tn_clock *clock;
	void (*free_value)(void *value);
	size_t count_max, bytes_max;
	uint64_t idle_ms;

	struct tn_map by_id;
	struct tn_plan_handle *newest, *oldest;
	size_t count, bytes;
	struct tn_plan_gone *gone; /* a ring, made with the first loss */
	size_t gone_next;
};

enum tn_plan_lookup { TN_PLAN_FOUND, TN_PLAN_EXPIRED, TN_PLAN_UNKNOWN };

/* The caller sets prefix to bytes_max first; this sets up the rest and allocates nothing. */
void tn_plan_handles_init(struct tn_plan_handles *handles);
void tn_plan_handles_finish(struct tn_plan_handles *handles);

/* Takes `value` (also when it fails: it is freed then). `id` NULL: a new handle; otherwise one that
 * was kept elsewhere. The result is listed and referenced once for the caller.
 * Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_plan_handles_add(struct tn_plan_handles *handles, const char *id,
						const char *principal, void *value, size_t bytes,
						struct tn_plan_handle **ret,
						struct tenon_error *err);

/* Looks up and marks as used. The result is not referenced: it lives until the loop turns. */
enum tn_plan_lookup tn_plan_handles_find(struct tn_plan_handles *handles, const char *id,
					 const char *principal, struct tn_plan_handle **ret);

/* The next older one of this principal, starting with the newest at NULL; NULL at the end. */
struct tn_plan_handle *tn_plan_handles_next(const struct tn_plan_handles *handles,
					    const struct tn_plan_handle *after,
					    const char *principal);

void tn_plan_handle_ref(struct tn_plan_handle *handle);
void tn_plan_handle_unref(struct tn_plan_handle *handle); /* accepts NULL */

#endif
