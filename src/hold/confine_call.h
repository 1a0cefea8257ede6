/* confine_call.h - one call that the filter has stopped, as its watcher sees it. For
 * confine_watch.c and hold.c. */
#ifndef TN_HOLD_CONFINE_CALL_H
#define TN_HOLD_CONFINE_CALL_H

#include <limits.h>
#include <linux/seccomp.h>

#include "hold/confine.h"

struct tn_confine_call {
	struct tn_confine_watch *watch;
	const struct seccomp_notif *request;
	pid_t process; /* of the thread that calls; 0: not looked for */
};

uint64_t tn_confine_argument(const struct tn_confine_call *call, int number);
bool tn_confine_still_waits(const struct tn_confine_call *call);
/* flags: SECCOMP_USER_NOTIF_FLAG_CONTINUE, or 0. */
void tn_confine_reply(const struct tn_confine_call *call, int error, uint32_t flags);
/* Its memory, as much as there is up to `size`; -1: errno. */
ssize_t tn_confine_copy_in(const struct tn_confine_call *call, uint64_t from, void *to,
			   size_t size);
int tn_confine_copy_text(const struct tn_confine_call *call, uint64_t from, char out[PATH_MAX]);

#endif
