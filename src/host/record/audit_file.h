/* audit_file.h - who did what: audit.jsonl, one JSON object a line, and the last 500 in memory for
 * tenon://audit.
 *
 * {"time","client","person","tool","digest","outcome","ms","consent","detail","prev"}: calls of
 * tools that are not read-only, whoever made them, and what the daemon did by itself. Never an
 * argument: `digest` is the SHA-256 of the arguments as compact JSON, `prev` that of the line
 * before (audit_chain.h). A worker writes, so that a slow disk holds up nobody; what a full one
 * does not take waits, and is tried again, so that the chain stays whole. The file
 * is 0600, rotated at TN_AUDIT_FILE_BYTES_MAX; one old file is kept. Ownership: the caller's, from
 * open to close. Threads: loop. */
#ifndef TN_HOST_AUDIT_FILE_H
#define TN_HOST_AUDIT_FILE_H

#include "mcp/observe.h"
#include "mcp/server.h"

struct tn_audit_file;

struct tn_audit_entry {
	struct tn_str client, tool;
	bool person;
	struct tn_str arguments; /* JSON; only its digest is kept; NULL data: none */
	const char *outcome;
	int64_t ms;
	const char *consent; /* NULL: nobody was asked */
	const char *detail;  /* what exactly, where that is no secret; NULL */
};

/* `path` NULL: in memory only. What the file holds already is remembered. Fails: SYSTEM (the file
 * cannot be opened), NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_audit_file_open(struct tenon_server *server, const char *path,
					       struct tn_audit_file **ret, struct tenon_error *err);
/* Writes what is left. Before the server is destroyed. Accepts NULL. */
void tn_audit_file_close(struct tn_audit_file *audit);

void tn_audit_file_add(struct tn_audit_file *audit, const struct tn_audit_entry *entry);

/* Says what exactly this call does, for its entry; it takes the place of tenon_call_set_data. */
void tn_audit_detail(struct tenon_call *call, const char *format, ...) TN_PRINTF(2, 3);

/* The value of tenon://audit (docs/daemon.md). */
void tn_audit_file_write(const struct tn_audit_file *audit, struct tn_buf *out);
/* Told after every entry. `added` NULL: nobody. */
void tn_audit_file_on_entry(struct tn_audit_file *audit, void (*added)(void *data), void *data);
/* Entries that were given up since the start: more had to wait than TN_AUDIT_QUEUE_MAX. */
uint64_t tn_audit_file_lost(const struct tn_audit_file *audit);

#endif
