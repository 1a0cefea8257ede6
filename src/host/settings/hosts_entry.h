/* hosts_entry.h - what an entry is that stands in a host's file: over HTTP, or one that starts
 * Tenon; and how one that starts it takes the place of whatever stood there.
 *
 * Entries are JSON, as tn_host_get gives them. Threads: any. */
#ifndef TN_HOST_HOSTS_ENTRY_H
#define TN_HOST_HOSTS_ENTRY_H

#include "host/settings/hosts.h"

/* The address that it says; NULL: it has none. */
const struct tn_json *tn_host_entry_url(const struct tn_host *host, const struct tn_json *entry);
/* Whether it starts `tenon mcp`. */
bool tn_host_entry_starts_us(const struct tn_host *host, const struct tn_json *entry);
/* Whether tenon install may have written it: it starts `tenon mcp` by the whole path, and nothing
 * of HTTP stands beside that. */
bool tn_host_entry_is_ours(const struct tn_host *host, const struct tn_json *entry);

/* tn_host_add of an entry that starts a program: what is there for HTTP only goes. Fails: as
 * tn_host_add. */
TN_MUST_USE enum tenon_code tn_host_put_over(const struct tn_host *host, struct tn_str text,
					     const char *name, struct tn_str json,
					     struct tn_buf *out, struct tenon_error *err);

#endif
