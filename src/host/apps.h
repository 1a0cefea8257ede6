/* apps.h - the applications this program contains. */
#ifndef TN_HOST_APPS_H
#define TN_HOST_APPS_H

#include "tenon/app.h"

const struct tenon_app *tn_apps_find(const char *name); /* NULL: unknown */
void tn_apps_list(char *out, unsigned long size);       /* "plan, floorplan" */

#endif
