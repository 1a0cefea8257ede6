/* hosts_text.h - texts of host profiles with their placeholders filled (hosts.h).
 *
 * {command}, {url}, {token}, {path}, {health}, {try}; as a whole value "{args}" is the list of
 * arguments. Threads: any. */
#ifndef TN_HOST_HOSTS_TEXT_H
#define TN_HOST_HOSTS_TEXT_H

#include "host/settings/hosts.h"

enum { TN_HOST_VARIABLE_MAX = 64 };

/* A step as a JSON string. */
void tn_host_put_step(const struct tn_host *host, const struct tn_host_entry *entry,
		      struct tn_str step, struct tn_buf *out);
/* The same as text. */
void tn_host_put_step_text(const struct tn_host *host, const struct tn_host_entry *entry,
			   struct tn_str step, struct tn_buf *out);

#endif
