/* hosts.h - AI hosts: where each keeps its MCP servers, and how an entry is written there.
 *
 * The profiles are data (src/host/data/hosts.json, embedded), and the user's own in
 * $XDG_CONFIG_HOME/tenon/hosts.d/NAME.json, which replace those with the same id. Threads: main, or
 * loop (loading reads small files). Messages may name paths: they are for the user at this machine.
 */
#ifndef TN_HOST_HOSTS_H
#define TN_HOST_HOSTS_H

#include <limits.h>

#include "base/buf.h"
#include "jsonrpc/json.h"

enum { TN_HOST_KEYS_MAX = 8 };
#define TN_HOST_URL "http://127.0.0.1:7777" /* where nobody says otherwise */

struct tn_host {
	const char *id, *name; /* "claude-desktop", "Claude Desktop" */
	bool toml;
	struct tn_str keys[TN_HOST_KEYS_MAX]; /* where the entries stand: {"mcpServers"} */
	size_t key_count;
	const struct tn_json *stdio, *http; /* entries with placeholders; http may be NULL */
	/* A list of what an entry over HTTP has besides and one that starts a program may not;
	 * NULL: nothing. */
	const struct tn_json *http_members;
	const struct tn_json *steps; /* a list of texts with placeholders */
	char *path;                  /* on this machine, for this user */
	bool is_here;                /* something shows that the host is installed */
};

struct tn_hosts {
	struct tn_arena arena;
	struct tn_host *list; /* by the order of the files */
	size_t count;
};

/* Fails: INVALID (a file of the user's; the message names it), NOT_FOUND (HOME is not set),
 * SYSTEM, NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_hosts_load(struct tn_hosts **ret, struct tenon_error *err);
void tn_hosts_free(struct tn_hosts *hosts); /* accepts NULL */

const struct tn_host *tn_hosts_find(const struct tn_hosts *hosts, const char *id); /* or NULL */
const char *tn_hosts_near(const struct tn_hosts *hosts, const char *id);           /* or NULL */

/* What an entry says. */
struct tn_host_entry {
	const char *name;    /* "tenon", "tenon-plan" */
	const char *command; /* absolute path of `tenon` */
	const char *app;     /* NULL: all of them */
	const char *url;     /* "http://127.0.0.1:7777", for the HTTP form */
	const char *fit;     /* which forms of results it gets (mcp/fit.h); NULL: as Tenon thinks */
};

/* The entry itself as JSON. */
void tn_host_put_entry(const struct tn_host *host, const struct tn_host_entry *entry, bool http,
		       struct tn_buf *out);
/* A whole file with nothing but this entry, as it would be written: to be pasted. `http`: with
 * <TOKEN> where the token goes. */
TN_MUST_USE enum tenon_code tn_host_put_snippet(const struct tn_host *host,
						const struct tn_host_entry *entry, bool http,
						struct tn_buf *out, struct tenon_error *err);

/* `text` with the entry `name`, whose JSON is `json`; or without it. Everything else stays byte for
 * byte, and so do members of the entry that are not ours.
 * Fails: INVALID ("line N: ..."; the text cannot be followed), NOT_FOUND (nothing to remove). */
TN_MUST_USE enum tenon_code tn_host_add(const struct tn_host *host, struct tn_str text,
					const char *name, struct tn_str json, struct tn_buf *out,
					struct tenon_error *err);
TN_MUST_USE enum tenon_code tn_host_remove(const struct tn_host *host, struct tn_str text,
					   const char *name, struct tn_buf *out,
					   struct tenon_error *err);
/* `text` without one member of the entry, however it is written. Fails: as tn_host_remove. */
TN_MUST_USE enum tenon_code tn_host_drop_member(const struct tn_host *host, struct tn_str text,
						const char *name, struct tn_str key,
						struct tn_buf *out, struct tenon_error *err);
/* `text` with the entry `name` of `from`, which it has not, as it is there. Fails: as tn_host_add.
 */
TN_MUST_USE enum tenon_code tn_host_bring(const struct tn_host *host, struct tn_str text,
					  struct tn_str from, const char *name, struct tn_buf *out,
					  struct tenon_error *err);
/* The entry of the text as JSON; nothing is appended when there is none. Fails: INVALID. */
TN_MUST_USE enum tenon_code tn_host_get(const struct tn_host *host, struct tn_str text,
					const char *name, struct tn_buf *out,
					struct tenon_error *err);

/* Absolute path of `tenon`, beside the running program. Fails: SYSTEM. */
TN_MUST_USE enum tenon_code tn_hosts_command(char ret[PATH_MAX], struct tenon_error *err);

/* The value of tenon://hosts (docs/daemon.md). `users`: with the profiles of hosts.d. Fails: as
 * tn_hosts_load; then something may stand in `out`. */
TN_MUST_USE enum tenon_code tn_hosts_write(const char *command, const char *url, bool users,
					   struct tn_buf *out, struct tenon_error *err);

#endif
