/* handles.h - things that live across calls, named by a random handle (ARCHITECTURE section 3.5).
 *
 * A handle is a prefix, 8 hex digits of the node that made it, and 26 characters from 128 random
 * bits. It belongs to the principal that made it and to nobody else; to others it does not exist.
 * The least recently used goes first when there are too many or they are too large; one that was
 * not used for idle_ms goes as well. For a while the table remembers what went, when and why, so
 * that a caller reads that and not "unknown".
 * Tables of one server stand in its registry, which can be walked. Ownership: the table owns the
 * values; a caller that keeps an entry across turns of the loop takes a reference. The registry
 * outlives its tables. Threads: loop. */
#ifndef TN_STORE_HANDLES_H
#define TN_STORE_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/map.h"
#include "base/str.h"

enum {
	TN_HANDLE_SIZE = 48,           /* with the final NUL; a prefix has at most 12 bytes */
	TN_HANDLE_NODE_SIZE = 9,       /* 8 hex digits and the NUL */
	TN_HANDLE_PRINCIPAL_SIZE = 64, /* longer names are cut, as the core does */
	TN_HANDLE_TITLE_SIZE = 128     /* for display; longer ones are cut */
};

struct tn_handle {
	char id[TN_HANDLE_SIZE];
	char principal[TN_HANDLE_PRINCIPAL_SIZE];
	char title[TN_HANDLE_TITLE_SIZE]; /* empty: none */
	char by[TN_HANDLE_TITLE_SIZE];    /* the client that made it, for display; empty: unknown */
	void *value;
	size_t bytes;
	uint64_t number; /* in the order of making, from 1 */
	uint64_t used_ms;
	int64_t created_wall_ms, used_wall_ms;
	unsigned refs; /* callers', and one of the table's while it is listed */
	struct tn_handle *newer, *older;
	void (*free_value)(void *value);
};

/* What the tables of one server have in common. All zero is ready for use. */
struct tn_handle_registry {
	char node[TN_HANDLE_NODE_SIZE]; /* empty: chosen at random by the first table */
	struct tn_handles *first;
	/* Told when a handle was made, went or got another title; being used is no change. NULL:
	 * nobody. It must not use the tables. */
	void (*changed)(void *data);
	void *changed_data;
};

struct tn_handles_options {
	const char *app, *kind, *prefix; /* "plan", "plan_id", "pln_"; static */
	const struct tn_clock *clock;
	struct tn_handle_registry *registry; /* NULL: in none */
	void (*free_value)(void *value);
	size_t count_max, bytes_max;
	uint64_t idle_ms; /* 0: never goes for being idle */
};

struct tn_handle_gone;

struct tn_handles {
	struct tn_handles_options options;
	/* The same as the registry's, for this table alone. */
	void (*changed)(void *data);
	void *changed_data;

	char node[TN_HANDLE_NODE_SIZE];
	struct tn_map by_id;
	struct tn_handle *newest, *oldest; /* by last use */
	size_t count, bytes;
	uint64_t numbers;            /* the last one given */
	struct tn_handle_gone *gone; /* a ring, made with the first loss */
	size_t gone_next;
	struct tn_handles *next; /* in the registry */
};

void tn_handles_init(struct tn_handles *handles, const struct tn_handles_options *options);
void tn_handles_finish(struct tn_handles *handles); /* accepts one that is all zero */

struct tn_handle_new {
	const char *id; /* NULL: a new one; otherwise one that was kept elsewhere, of any form */
	const char *principal;
	const char *title, *by; /* may be NULL */
	void *value;
	size_t bytes;
};

/* Takes the value (also when it fails: it is freed then). The result is listed and referenced once
 * for the caller. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_handles_add(struct tn_handles *handles,
					   const struct tn_handle_new *made, struct tn_handle **ret,
					   struct tenon_error *err);

/* Looks up and marks as used. The result is not referenced: it lives until the loop turns.
 * Fails: EXPIRED (the message says when and why it went), NOT_FOUND (never heard of, or another's).
 */
TN_MUST_USE enum tenon_code tn_handles_find(struct tn_handles *handles, const char *id,
					    const char *principal, struct tn_handle **ret,
					    struct tenon_error *err);

/* The next one of this principal (NULL: of anybody) by last use, starting with the newest at NULL;
 * NULL at the end. */
struct tn_handle *tn_handles_next(const struct tn_handles *handles, const struct tn_handle *after,
				  const char *principal);

void tn_handles_close(struct tn_handles *handles, struct tn_handle *handle); /* it is listed */
void tn_handles_set_title(struct tn_handles *handles, struct tn_handle *handle, const char *title);
void tn_handles_set_bytes(struct tn_handles *handles, struct tn_handle *handle, size_t bytes);

void tn_handle_ref(struct tn_handle *handle);
void tn_handle_unref(struct tn_handle *handle); /* accepts NULL */

/* One line of a list; texts live until the loop turns. */
struct tn_handle_info {
	const char *id, *kind, *app;
	const char *title, *principal, *by; /* title, by: NULL when there is none */
	int64_t created_ms, used_ms;        /* wall clock */
	int64_t expires_ms;                 /* if it is not used until then; -1: never */
	size_t bytes;
};

/* Every handle of every table, newest use first within a table: calls `each` until it returns
 * false. What has been idle for too long goes before. */
void tn_handles_each(struct tn_handle_registry *registry,
		     bool (*each)(const struct tn_handle_info *info, void *data), void *data);
size_t tn_handles_count(const struct tn_handle_registry *registry);

#endif
