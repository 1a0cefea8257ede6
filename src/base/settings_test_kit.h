/* settings_test_kit.h - settings of one table as a test wants them, without a host.
 *
 * Ownership: the kit's texts live until it is finished. Threads: one. */
#ifndef TN_BASE_SETTINGS_TEST_KIT_H
#define TN_BASE_SETTINGS_TEST_KIT_H

#include "base/arena.h"
#include "base/settings.h"

enum { SETTINGS_KIT_ROWS_MAX = 64 };

struct settings_kit {
	const struct tn_setting_table *table;
	struct tn_setting_value values[SETTINGS_KIT_ROWS_MAX];
	struct tn_settings views[2]; /* of that table; then the end */
	struct tn_arena arena;
};

/* Every setting has its default. */
void settings_kit_open(struct settings_kit *kit, const struct tn_setting_table *table);
void settings_kit_close(struct settings_kit *kit);
/* As a variable would say it, and not checked: that is the host's to do. */
void settings_kit_set(struct settings_kit *kit, const char *key, const char *text);
/* The value of the variable that the setting names. */
void settings_kit_set_secret(struct settings_kit *kit, const char *key, const char *text);

#endif
