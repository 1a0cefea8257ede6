/* settings_table.h - the settings of terminal (terminal.md section 12.5): each is described here
 * and nowhere else. Read them with base/settings.h; docs/configuration.md is made of them. Threads:
 * any. */
#ifndef TN_TERM_SETTINGS_TABLE_H
#define TN_TERM_SETTINGS_TABLE_H

#include "base/settings.h"

extern const struct tn_setting_table tn_term_setting_table;

#endif
