#include "base/settings_test_kit.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/str.h"

enum { ELEMENTS_MAX = 32 };

static const char *copy(struct settings_kit *kit, const char *text, size_t size)
{
	const char *ret = tn_arena_copy(&kit->arena, tn_str(text, size));

	tn_assert(ret);
	return ret;
}

static const char *const *list_of(struct settings_kit *kit, const char *text, char separator)
{
	const char **list =
		tn_arena_alloc_array(&kit->arena, ELEMENTS_MAX + 1, sizeof(const char *));
	const char stops[2] = {separator ? separator : ',', '\0'};
	size_t count = 0;

	tn_assert(list);
	while (*text) {
		size_t size = strcspn(text, stops);

		tn_assert(count < ELEMENTS_MAX);
		list[count++] = copy(kit, text, size);
		text += size + (text[size] != '\0');
	}
	return list;
}

static size_t find(const struct settings_kit *kit, const char *key)
{
	for (size_t i = 0; i < kit->table->count; i++) {
		if (strcmp(kit->table->rows[i].key, key) == 0)
			return i;
	}
	tn_assert(false && "a key of the table");
	return 0;
}

void settings_kit_set(struct settings_kit *kit, const char *key, const char *text)
{
	size_t i = find(kit, key);
	struct tn_setting_value *value = &kit->values[i];

	switch (kit->table->rows[i].type) {
	case TN_SETTING_BOOLEAN:
		value->on = strcmp(text, "true") == 0;
		break;
	case TN_SETTING_INTEGER:
		value->number = strtoll(text, NULL, 10);
		break;
	case TN_SETTING_STRING:
		value->text = copy(kit, text, strlen(text));
		break;
	case TN_SETTING_LIST:
		value->list = list_of(kit, text, kit->table->rows[i].separator);
		break;
	}
}

void settings_kit_set_secret(struct settings_kit *kit, const char *key, const char *text)
{
	kit->values[find(kit, key)].secret = copy(kit, text, strlen(text));
}

void settings_kit_open(struct settings_kit *kit, const struct tn_setting_table *table)
{
	*kit = (struct settings_kit){.table = table};
	tn_assert(table->count <= SETTINGS_KIT_ROWS_MAX);
	tn_arena_init(&kit->arena, 1 << 20);
	kit->views[0] = (struct tn_settings){.table = table, .values = kit->values};
	for (size_t i = 0; i < table->count; i++)
		settings_kit_set(kit, table->rows[i].key, table->rows[i].fallback);
}

void settings_kit_close(struct settings_kit *kit)
{
	tn_arena_finish(&kit->arena);
}
