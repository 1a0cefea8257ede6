/* app.h - the studio app's door: what app.c lists. */
#ifndef TN_STUDIO_APP_H
#define TN_STUDIO_APP_H

#include "tenon/app.h"

extern const struct tenon_app tn_studio_app;

#endif
