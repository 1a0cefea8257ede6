/* app.h - the floorplan application. */
#ifndef TN_FLOOR_APP_H
#define TN_FLOOR_APP_H

#include "tenon/app.h"

extern const struct tenon_app tn_floor_app;

#endif
