#include "apps/studio/settings.h"

#include <string.h>

#include "base/limits.h"
#include "base/size.h"
#include "base/str.h"

static const char *text_of(struct tn_studio_settings *settings, tn_studio_getter *get,
			   const char *name, bool *ok)
{
	const char *value = get(name);
	const char *copy;

	if (!value || !value[0])
		return NULL;
	copy = tn_arena_copy(&settings->arena, tn_str_from(value));
	*ok = *ok && copy;
	return copy;
}

static size_t count_pieces(const char *list)
{
	size_t count = 1;

	for (const char *at = list; *at; at++)
		count += *at == ':';
	return count;
}

static enum tenon_code read_roots(struct tn_studio_settings *settings, const char *list,
				  struct tenon_error *err)
{
	const char **roots;
	size_t count = 0;

	if (!list)
		return TENON_OK;
	roots = tn_arena_alloc_array(&settings->arena, count_pieces(list) + 1, sizeof(*roots));
	if (!roots)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	while (*list) {
		size_t size = strcspn(list, ":");

		if (size > 0 && list[0] != '/')
			return tn_fail(err, TENON_INVALID,
				       "TENON_STUDIO_ROOTS has '%.*s'; send absolute folders",
				       (int)size, list);
		if (size > 0) {
			roots[count] = tn_arena_copy(&settings->arena, tn_str(list, size));
			if (!roots[count++])
				return tn_fail(err, TENON_NO_MEMORY, "out of memory");
		}
		list += size + (list[size] == ':');
	}
	settings->roots = count > 0 ? roots : NULL;
	return TENON_OK;
}

static enum tenon_code read_switch(tn_studio_getter *get, const char *name, bool fallback,
				   bool *ret, struct tenon_error *err)
{
	static const char *const on[] = {"true", "1", "yes", "on"};
	static const char *const off[] = {"false", "0", "no", "off"};
	const char *value = get(name);

	*ret = fallback;
	if (!value || !value[0])
		return TENON_OK;
	for (size_t i = 0; i < TN_COUNT(on); i++) {
		*ret = strcmp(value, on[i]) == 0;
		if (*ret || strcmp(value, off[i]) == 0)
			return TENON_OK;
	}
	return tn_fail(err, TENON_INVALID, "%s is '%.40s'; send true or false", name, value);
}

static enum tenon_code read_tools(struct tn_studio_settings *settings, tn_studio_getter *get,
				  struct tenon_error *err)
{
	const char *value = get("TENON_STUDIO_TOOLS");

	if (!value || !value[0] || strcmp(value, "all") == 0)
		return TENON_OK;
	settings->core_tools = strcmp(value, "core") == 0;
	if (!settings->core_tools)
		return tn_fail(err, TENON_INVALID,
			       "TENON_STUDIO_TOOLS is '%.40s'; send all or core", value);
	return TENON_OK;
}

static enum tenon_code read_runs(struct tn_studio_settings *settings, tn_studio_getter *get,
				 struct tenon_error *err)
{
	const char *value = get("TENON_STUDIO_RUNS_AT_ONCE");
	uint64_t number = 2;

	if (value && value[0] &&
	    (!tn_str_to_uint(tn_str_from(value), &number) || number < 1 || number > 64))
		return tn_fail(err, TENON_INVALID,
			       "TENON_STUDIO_RUNS_AT_ONCE is '%.40s'; send 1 to 64", value);
	settings->runs_at_once = (unsigned)number;
	return TENON_OK;
}

enum tenon_code tn_studio_settings_read(struct tn_studio_settings *settings, tn_studio_getter *get,
					struct tenon_error *err)
{
	bool ok = true;
	enum tenon_code code;

	*settings = (struct tn_studio_settings){.engine = NULL};
	tn_arena_init(&settings->arena, TN_CONFIG_ARENA_MAX);
	settings->engine = text_of(settings, get, "TENON_TERRAFORM", &ok);
	settings->plugin_cache = text_of(settings, get, "TENON_STUDIO_PLUGIN_CACHE", &ok);
	settings->prices_url = text_of(settings, get, "TENON_STUDIO_PRICES_URL", &ok);
	code = ok ? read_roots(settings, get("TENON_STUDIO_ROOTS"), err)
		  : tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (code == TENON_OK)
		code = read_tools(settings, get, err);
	if (code == TENON_OK)
		code = read_runs(settings, get, err);
	if (code == TENON_OK)
		code = read_switch(get, "TENON_STUDIO_NOTIFICATIONS_DESTRUCTIVE", true,
				   &settings->notify_desktop, err);
	if (code != TENON_OK)
		tn_studio_settings_finish(settings);
	return code;
}

void tn_studio_settings_finish(struct tn_studio_settings *settings)
{
	tn_arena_finish(&settings->arena);
}
