/* launch.h - starting a daemon; the other half of tn_launch (runtime.h). Threads: main. */
#ifndef TN_HOST_LAUNCH_H
#define TN_HOST_LAUNCH_H

#include "host/settings/runtime.h"

/* tenond --launch: makes sure that a daemon answers, and prints the discovery object, or
 * {"error":"SERVER_FAILED",...}, as one line. Returns 0 or 4. */
int tn_launch_main(void);

/* The daemon has lived for TN_RESTART_HEALTHY_MS: earlier deaths are forgotten. */
void tn_launch_healthy(const struct tn_runtime_paths *paths);

#endif
