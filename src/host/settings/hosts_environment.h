/* hosts_environment.h - what a host's entry says of where the daemon is (hosts.md HO-012): a host
 * may hand on few variables, and a relay that looks elsewhere would start a daemon of its own.
 *
 * Threads: any; the environment is read. */
#ifndef TN_HOST_HOSTS_ENVIRONMENT_H
#define TN_HOST_HOSTS_ENVIRONMENT_H

#include "base/buf.h"
#include "jsonrpc/json.h"

/* The placeholder in a profile. */
bool tn_host_is_environment(const struct tn_json *value);

/* Whether something has to be said: a variable of ours differs from what holds without it. */
bool tn_host_has_environment(void);
/* An object: those variables, and of `old` (an entry's, as it is now; NULL: none) what is not ours.
 */
void tn_host_put_environment(const struct tn_json *old, struct tn_buf *out);

/* The member of `entry`, which is one that is or was written, with the placeholder in `profile`;
 * NULL: neither. */
const struct tn_json *tn_host_environment_of(const struct tn_json *profile,
					     const struct tn_json *entry);
/* `json`, which is to be written over the entry `old`: the user's own variables stay, ours of
 * earlier go. The key of the member that is left without any goes to *ret_empty; else it is empty.
 */
void tn_host_keep_environment(const struct tn_json *profile, const struct tn_json *old,
			      struct tn_buf *json, struct tn_str *ret_empty);

/* Where the entry's relay would look that differs from where we look: "XDG_RUNTIME_DIR is /x there,
 * /y here" is appended; nothing: the same place. */
void tn_host_put_elsewhere(const struct tn_json *profile, const struct tn_json *entry,
			   struct tn_buf *out);

#endif
