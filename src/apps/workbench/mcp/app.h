/* app.h - the workbench app: what a front-end developer sees, for assistants (workbench.md).
 * Threads: loop. */
#ifndef TN_WB_APP_H
#define TN_WB_APP_H

#include "tenon/app.h"

extern const struct tenon_app tn_workbench_app;

#endif
