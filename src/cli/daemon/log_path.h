/* log_path.h - where the daemon writes its log: as configured, else in the state folder. Threads:
 * main. */
#ifndef TN_CLI_LOG_PATH_H
#define TN_CLI_LOG_PATH_H

#include <limits.h>

#include "base/error.h"

/* A configuration that cannot be read counts as none. Fails: NOT_FOUND (neither XDG_STATE_HOME nor
 * HOME is set), LIMIT. */
TN_MUST_USE enum tenon_code tn_cli_log_path(char ret[PATH_MAX], struct tenon_error *err);

#endif
