#include "base/settings.h"

#include <string.h>

#include "base/error.h"
#include "base/str.h"

struct tn_settings tn_settings_of(const struct tn_settings *views,
				  const struct tn_setting_table *table)
{
	for (; views && views->table; views++) {
		if (views->table == table)
			return *views;
	}
	return (struct tn_settings){.table = table};
}

static const struct tn_setting *find(const struct tn_settings *settings, const char *key,
				     enum tn_setting_type type)
{
	const struct tn_setting *row = settings->table->rows;
	size_t left = settings->table->count;

	while (left && strcmp(row->key, key) != 0) {
		row++;
		left--;
	}
	tn_assert(left && row->type == type);
	return row;
}

/* NULL: its default counts. */
static const struct tn_setting_value *value_of(const struct tn_settings *settings,
					       const struct tn_setting *row)
{
	return settings->values ? &settings->values[row - settings->table->rows] : NULL;
}

bool tn_settings_bool(const struct tn_settings *settings, const char *key)
{
	const struct tn_setting *row = find(settings, key, TN_SETTING_BOOLEAN);
	const struct tn_setting_value *value = value_of(settings, row);

	return value ? value->on : strcmp(row->fallback, "true") == 0;
}

int64_t tn_settings_int(const struct tn_settings *settings, const char *key)
{
	const struct tn_setting *row = find(settings, key, TN_SETTING_INTEGER);
	const struct tn_setting_value *value = value_of(settings, row);
	uint64_t number = 0;

	if (value)
		return value->number;
	tn_assert(tn_str_to_uint(tn_str_from(row->fallback), &number));
	return (int64_t)number;
}

uint32_t tn_settings_u32(const struct tn_settings *settings, const char *key)
{
	int64_t number = tn_settings_int(settings, key);

	tn_assert(number >= 0 && number <= UINT32_MAX);
	return (uint32_t)number;
}

uint64_t tn_settings_u64(const struct tn_settings *settings, const char *key)
{
	int64_t number = tn_settings_int(settings, key);

	tn_assert(number >= 0);
	return (uint64_t)number;
}

const char *tn_settings_text(const struct tn_settings *settings, const char *key)
{
	const struct tn_setting *row = find(settings, key, TN_SETTING_STRING);
	const struct tn_setting_value *value = value_of(settings, row);

	return value ? value->text : row->fallback;
}

bool tn_settings_is(const struct tn_settings *settings, const char *key, const char *word)
{
	tn_assert(strstr(find(settings, key, TN_SETTING_STRING)->values, word));
	return strcmp(tn_settings_text(settings, key), word) == 0;
}

const char *const *tn_settings_list(const struct tn_settings *settings, const char *key)
{
	static const char *const nothing[] = {NULL};
	const struct tn_setting *row = find(settings, key, TN_SETTING_LIST);
	const struct tn_setting_value *value = value_of(settings, row);

	tn_assert(value || (row->fallback && row->fallback[0] == '\0'));
	return value ? value->list : nothing;
}

const char *tn_settings_secret(const struct tn_settings *settings, const char *key)
{
	const struct tn_setting *row = find(settings, key, TN_SETTING_STRING);
	const struct tn_setting_value *value = value_of(settings, row);

	tn_assert(row->rule == TN_SETTING_VARIABLE);
	return value ? value->secret : NULL;
}
