/* apps.h - the applications this program contains. */
#ifndef TN_HOST_APPS_H
#define TN_HOST_APPS_H

#include <stddef.h>

#include "tenon/app.h"

const struct tenon_app *tn_apps_find(const char *name); /* NULL: unknown */
const struct tenon_app *tn_apps_at(size_t index);       /* NULL: past the end */
void tn_apps_list(char *out, unsigned long size);       /* "plan, floorplan" */

#endif
