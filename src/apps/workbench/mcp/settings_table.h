/* settings_table.h - the settings of the workbench: each is described here and nowhere else. Read
 * them with base/settings.h; docs/configuration.md is made of them. Threads: any. */
#ifndef TN_WB_SETTINGS_TABLE_H
#define TN_WB_SETTINGS_TABLE_H

#include "base/settings.h"

extern const struct tn_setting_table tn_wb_setting_table;

#endif
