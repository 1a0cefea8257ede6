/* app.h - the terminal app's door: what app.c lists, and the state its handlers get. */
#ifndef TN_TERM_APP_H
#define TN_TERM_APP_H

#include "tenon/app.h"

extern const struct tenon_app tn_terminal_app;

#endif
