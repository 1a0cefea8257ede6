#include "apps/plan/config.h"

#include <string.h>

#include "base/limits.h"
#include "base/size.h"

enum { HOUR_MS = 60 * 60 * 1000 };

static const char *const source_names[] = {
	[TN_PLAN_SOURCE_BUILTIN] = "builtin", [TN_PLAN_SOURCE_SAMPLING] = "sampling",
	[TN_PLAN_SOURCE_CLIENT] = "client",   [TN_PLAN_SOURCE_OPENAI] = "openai",
	[TN_PLAN_SOURCE_AUTO] = "auto",
};

bool tn_plan_source_from_name(const char *name, enum tn_plan_source *ret)
{
	for (size_t i = 0; name && i < TN_COUNT(source_names); i++) {
		if (strcmp(name, source_names[i]) == 0) {
			*ret = (enum tn_plan_source)i;
			return true;
		}
	}
	return false;
}

const char *tn_plan_source_name(enum tn_plan_source source)
{
	return source_names[source];
}

/* "http://user@host:80/path" -> "host"; "[::1]" keeps its brackets. Empty when there is none. */
static struct tn_str host_of(struct tn_str url)
{
	size_t at = tn_str_find(url, TN_STR("://"));
	struct tn_str host = tn_str_from_offset(url, at == TN_STR_NONE ? url.size : at + 3);
	size_t end = 0;

	while (end < host.size && !strchr("/?#\\", host.data[end]))
		end++;
	host.size = end;
	while ((at = tn_str_find_byte(host, '@')) != TN_STR_NONE)
		host = tn_str_from_offset(host, at + 1);
	if (host.size && host.data[0] == '[') {
		at = tn_str_find_byte(host, ']');
		host.size = at == TN_STR_NONE ? 0 : at + 1;
	} else if ((at = tn_str_find_byte(host, ':')) != TN_STR_NONE) {
		host.size = at;
	}
	return host;
}

bool tn_plan_url_is_local(const char *url)
{
	struct tn_str host = host_of(tn_str_from(url));
	unsigned dots = 0;

	if (tn_str_equal_nocase(host, TN_STR("localhost")) || tn_str_is(host, "[::1]"))
		return true;
	if (!tn_str_starts(host, TN_STR("127.")))
		return false;
	/* "127.evil.example" is a name, not an address. */
	for (size_t i = 0; i < host.size; i++) {
		if (host.data[i] == '.')
			dots++;
		else if (!tn_is_digit(host.data[i]))
			return false;
	}
	return dots == 3;
}

/* A variable that is set to nothing counts as not set. */
static const char *text_of(tn_plan_getter *get, const char *name, const char *fallback)
{
	const char *value = get(name);

	return value && *value ? value : fallback;
}

static enum tenon_code read_number(tn_plan_getter *get, const char *name, uint32_t least,
				   uint32_t most, uint32_t *value, struct tenon_error *err)
{
	const char *text = text_of(get, name, NULL);
	uint64_t number = 0;

	if (!text)
		return TENON_OK;
	if (!tn_str_to_uint(tn_str_from(text), &number) || number < least || number > most)
		return tn_fail(err, TENON_INVALID, "%s must be a number from %u to %u", name, least,
			       most);
	*value = (uint32_t)number;
	return TENON_OK;
}

static enum tenon_code read_switch(tn_plan_getter *get, const char *name, bool *value,
				   struct tenon_error *err)
{
	static const char *const on[] = {"1", "true", "yes", "on"};
	static const char *const off[] = {"0", "false", "no", "off"};
	const char *text = text_of(get, name, NULL);

	if (!text)
		return TENON_OK;
	for (size_t i = 0; i < TN_COUNT(on); i++) {
		if (strcmp(text, on[i]) == 0 || strcmp(text, off[i]) == 0) {
			*value = strcmp(text, on[i]) == 0;
			return TENON_OK;
		}
	}
	return tn_fail(err, TENON_INVALID, "%s must be 1 or 0", name);
}

static enum tenon_code read_role(struct tn_plan_config *config, tn_plan_getter *get,
				 struct tenon_error *err)
{
	const char *role = text_of(get, "TENON_PLAN_CONTEXT_ROLE", "user");

	config->context_is_system = strcmp(role, "system") == 0;
	if (!config->context_is_system && strcmp(role, "user") != 0)
		return tn_fail(err, TENON_INVALID,
			       "TENON_PLAN_CONTEXT_ROLE must be user or system");
	return TENON_OK;
}

static enum tenon_code read_details(struct tn_plan_config *config, tn_plan_getter *get,
				    struct tenon_error *err)
{
	bool on = false;
	enum tenon_code code = read_switch(get, "TENON_PLAN_CONTEXT_DETAILS", &on, err);

	if (code == TENON_OK && text_of(get, "TENON_PLAN_CONTEXT_DETAILS", NULL))
		config->context_details = on ? TN_PLAN_SWITCH_ON : TN_PLAN_SWITCH_OFF;
	return code;
}

/* P-12: the key in the environment selects a hosted model, unless a preference is stated. */
static enum tenon_code read_preference(struct tn_plan_config *config, tn_plan_getter *get,
				       struct tenon_error *err)
{
	const char *name = text_of(get, "TENON_PLAN_SOURCE", NULL);

	config->preference = config->api_key ? TN_PLAN_SOURCE_OPENAI : TN_PLAN_SOURCE_BUILTIN;
	if (!name || strcmp(name, "auto") == 0)
		return TENON_OK;
	if (!tn_plan_source_from_name(name, &config->preference) ||
	    config->preference == TN_PLAN_SOURCE_CLIENT)
		return tn_fail(err, TENON_INVALID,
			       "TENON_PLAN_SOURCE must be builtin, openai, sampling or auto");
	return TENON_OK;
}

static enum tenon_code read_numbers(struct tn_plan_config *config, tn_plan_getter *get,
				    struct tenon_error *err)
{
	uint32_t hours = TN_PLAN_HANDLE_IDLE_MS / HOUR_MS;
	const struct {
		const char *name;
		uint32_t least, most;
		uint32_t *value;
	} numbers[] = {
		{"TENON_PLAN_TIMEOUT_MS", 100, 600000, &config->timeout_ms},
		{"TENON_PLAN_MAX_TOKENS", 1, 100000, &config->max_tokens},
		{"TENON_PLAN_KEEP_DAYS", 0, 3650, &config->keep_days},
		{"TENON_PLAN_HANDLE_HOURS", 1, 8760, &hours},
	};

	for (size_t i = 0; i < TN_COUNT(numbers); i++) {
		enum tenon_code code = read_number(get, numbers[i].name, numbers[i].least,
						   numbers[i].most, numbers[i].value, err);

		if (code != TENON_OK)
			return code;
	}
	config->handle_idle_ms = (uint64_t)hours * HOUR_MS;
	return TENON_OK;
}

static enum tenon_code read_switches(struct tn_plan_config *config, tn_plan_getter *get,
				     struct tenon_error *err)
{
	const struct {
		const char *name;
		bool *value;
	} switches[] = {
		{"TENON_PLAN_KEYLESS", &config->keyless},
		{"TENON_PLAN_ALLOW_REMOTE", &config->allow_remote},
		{"TENON_PLAN_PATHS_OVER_HTTP", &config->paths_over_http},
		{"TENON_PLAN_STORE_RAW", &config->store_raw},
	};

	for (size_t i = 0; i < TN_COUNT(switches); i++) {
		enum tenon_code code = read_switch(get, switches[i].name, switches[i].value, err);

		if (code != TENON_OK)
			return code;
	}
	return TENON_OK;
}

enum tenon_code tn_plan_config_read(struct tn_plan_config *config, tn_plan_getter *get,
				    struct tenon_error *err)
{
	const char *key_name = text_of(get, "TENON_PLAN_API_KEY_ENV", "OPENAI_API_KEY");
	enum tenon_code code;

	*config = (struct tn_plan_config){
		.base_url = text_of(get, "OPENAI_BASE_URL", "https://api.openai.com/v1"),
		.model = text_of(get, "TENON_PLAN_MODEL", "gpt-4o-mini"),
		.api_key = text_of(get, key_name, NULL),
		.headers = text_of(get, "TENON_PLAN_HEADERS", NULL),
		.paths = text_of(get, "TENON_PLAN_PATHS", NULL),
		.timeout_ms = 30000,
		.max_tokens = 1000,
		.keep_days = 30,
		.allow_remote = true,
	};
	code = read_numbers(config, get, err);
	if (code == TENON_OK)
		code = read_switches(config, get, err);
	if (code == TENON_OK)
		code = read_role(config, get, err);
	if (code == TENON_OK)
		code = read_details(config, get, err);
	return code == TENON_OK ? read_preference(config, get, err) : code;
}
