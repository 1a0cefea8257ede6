/* hosts_toml.h - entries of hosts whose files are TOML: JSON goes in and comes out (hosts.h).
 *
 * Failures are those of toml_edit.h. Threads: any. */
#ifndef TN_HOST_HOSTS_TOML_H
#define TN_HOST_HOSTS_TOML_H

#include "host/settings/toml_edit.h"
#include "jsonrpc/json.h"

/* Each member of the entry as a pair of the table; one that has a header of its own, below that. */
TN_MUST_USE enum tenon_code tn_host_toml_add(struct tn_str text, struct tn_toml_path path,
					     const struct tn_json *entry, struct tn_buf *out,
					     struct tenon_error *err);
/* The table as JSON; nothing is appended when there is none. */
TN_MUST_USE enum tenon_code tn_host_toml_get(struct tn_str text, struct tn_toml_path path,
					     struct tn_buf *out, struct tenon_error *err);

#endif
