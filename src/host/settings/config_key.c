#include "host/settings/config_key.h"

#include <stdio.h>

#include "apps/floorplan/mcp/settings_table.h"
#include "apps/plan/service/settings_table.h"
#include "apps/studio/project/settings_table.h"
#include "apps/terminal/settings/settings_table.h"
#include "apps/workbench/mcp/settings_table.h"
#include "base/near.h"
#include "base/size.h"
#include "mcp/fit.h"

enum { KEYS_MAX = 256 };

#define DAY_S (24 * 60 * 60)

/* The order is that of docs/configuration.md and of tenon://settings. */
static const struct tn_setting own_rows[] = {
	{.key = "http.port",
	 .type = TN_SETTING_INTEGER,
	 .fallback = "7777",
	 .least = 1024,
	 .most = 65535,
	 .description = "Port of the HTTP listener; when it is taken, the next free one of twenty"},
	{.key = "http.listen",
	 .type = TN_SETTING_STRING,
	 .fallback = "127.0.0.1",
	 .rule = TN_SETTING_ADDRESS,
	 .restart = true,
	 .description = "Address of the HTTP listener. Any but this machine's own needs "
			"http.allow_remote, too"},
	{.key = "http.allow_remote",
	 .type = TN_SETTING_BOOLEAN,
	 .fallback = "false",
	 .restart = true,
	 .description = "Lets http.listen be an address that other machines reach"},
	{.key = "http.behind_proxy",
	 .type = TN_SETTING_BOOLEAN,
	 .fallback = "false",
	 .restart = true,
	 .description =
		 "Other machines come through a proxy that has ended TLS; without it the app "
		 "terminal is not served to them"},
	{.key = "http.hosts",
	 .type = TN_SETTING_LIST,
	 .fallback = "",
	 .rule = TN_SETTING_HOST,
	 .restart = true,
	 .description = "Further names that requests may have in Host: of a proxy, or your own"},
	{.key = "http.proxies",
	 .type = TN_SETTING_LIST,
	 .fallback = "",
	 .rule = TN_SETTING_ADDRESS,
	 .restart = true,
	 .description = "Addresses of proxies in front of us: what comes through them is from "
			"elsewhere, and so is whoever has no token of the discovery file"},
	{.key = "http.token_file",
	 .type = TN_SETTING_STRING,
	 .fallback = "",
	 .rule = TN_SETTING_ABSOLUTE,
	 .restart = true,
	 .description = "File with a client token that stays the same; without it there is a new "
			"one at each start"},
	{.key = "http.token_ttl_s",
	 .type = TN_SETTING_INTEGER,
	 .fallback = "0",
	 .least = 0,
	 .most = 365 * DAY_S,
	 .restart = true,
	 .description = "Seconds after which the client token is changed by itself; 0: never"},
	{.key = "mcp.enabled",
	 .type = TN_SETTING_BOOLEAN,
	 .fallback = "true",
	 .description = "Whether assistants and scripts are served at all"},
	{.key = "mcp.fit",
	 .type = TN_SETTING_LIST,
	 .fallback = "",
	 .rule = TN_SETTING_FIT,
	 .description = "Which forms of results an AI host is sent, where Tenon's own choice is "
			"not wanted: NAME=PROFILE. NAME is what the host calls itself (tenon "
			"read tenon://clients) and may end with *; PROFILE is " TN_FIT_WORDS},
	{.key = "mcp.tools",
	 .type = TN_SETTING_STRING,
	 .fallback = "everyday",
	 .values = "everyday|all",
	 .restart = true,
	 .description =
		 "What a connection to all apps lists: the everyday tools, and find_tools for "
		 "the others; or all tools"},
	{.key = "apps",
	 .type = TN_SETTING_LIST,
	 .fallback = NULL,
	 .rule = TN_SETTING_APP,
	 .description = "The apps that are on"},
	{.key = "log.level",
	 .type = TN_SETTING_STRING,
	 .fallback = "info",
	 .values = "debug|info|notice|warning|error",
	 .description = "The least important lines that are still logged"},
	{.key = "log.file",
	 .type = TN_SETTING_STRING,
	 .fallback = "",
	 .rule = TN_SETTING_LOG,
	 .restart = true,
	 .description = "Where the log goes, instead of tenond.log in the state folder; -: "
			"standard error"},
	{.key = "consent.timeout_s",
	 .type = TN_SETTING_INTEGER,
	 .fallback = "600",
	 .least = 1,
	 .most = DAY_S,
	 .description = "How long a request for approval waits for a person"},
	{.key = "consent.proof",
	 .type = TN_SETTING_STRING,
	 .fallback = "none",
	 .values = "none|polkit",
	 .restart = true,
	 .description = "What proves that a human stands behind an approval: none, or the password "
			"that polkit asks for in a dialog of its own"},
	{.key = "ui.enabled",
	 .type = TN_SETTING_BOOLEAN,
	 .fallback = "true",
	 .restart = true,
	 .description = "Whether the daemon serves the page for browsers"},
};

static const struct tn_setting_table own = {.rows = own_rows, .count = TN_COUNT(own_rows)};

/* Each app describes its own. */
static const struct tn_setting_table *const tables[] = {
	&own,
	&tn_plan_setting_table,
	&tn_term_setting_table,
	&tn_studio_setting_table,
	&tn_floor_setting_table,
	&tn_wb_setting_table,
};

const struct tn_setting_table *tn_config_table_at(size_t index)
{
	return index < TN_COUNT(tables) ? tables[index] : NULL;
}

size_t tn_config_key_count(void)
{
	size_t count = 0;

	for (size_t i = 0; i < TN_COUNT(tables); i++)
		count += tables[i]->count;
	return count;
}

const struct tn_setting *tn_config_key_at(size_t index)
{
	for (size_t i = 0; i < TN_COUNT(tables); i++) {
		if (index < tables[i]->count)
			return &tables[i]->rows[index];
		index -= tables[i]->count;
	}
	tn_assert(false && "a key");
	return NULL;
}

size_t tn_config_key_index(const struct tn_setting *key)
{
	size_t before = 0;

	for (size_t i = 0; i < TN_COUNT(tables); i++) {
		const struct tn_setting *rows = tables[i]->rows;

		if (key >= rows && key < rows + tables[i]->count)
			return before + (size_t)(key - rows);
		before += tables[i]->count;
	}
	tn_assert(false && "a key");
	return 0;
}

const struct tn_setting *tn_config_key_find(struct tn_str name)
{
	for (size_t i = 0; i < tn_config_key_count(); i++) {
		if (tn_str_is(name, tn_config_key_at(i)->key))
			return tn_config_key_at(i);
	}
	return NULL;
}

bool tn_config_key_is_group(struct tn_str name)
{
	for (size_t i = 0; i < tn_config_key_count(); i++) {
		struct tn_str key = tn_str_from(tn_config_key_at(i)->key);

		if (name.size && tn_str_starts(key, name) && key.data[name.size] == '.')
			return true;
	}
	return false;
}

const char *tn_config_key_near(struct tn_str name)
{
	const char *names[KEYS_MAX + 1] = {NULL};

	tn_assert(tn_config_key_count() <= KEYS_MAX);
	for (size_t i = 0; i < tn_config_key_count(); i++) {
		const char *key = tn_config_key_at(i)->key;
		const char *last = strrchr(key, '.');

		names[i] = key;
		/* "port" is http.port. */
		if (last && tn_str_is(name, last + 1))
			return key;
	}
	return tn_near_find(name, names);
}

struct tn_jsonc_path tn_config_key_path(const char *key, struct tn_str keys[TN_CONFIG_DEPTH_MAX])
{
	struct tn_jsonc_path path = {.keys = keys, .count = 0};

	for (size_t size; *key; key += size + (key[size] == '.')) {
		size = strcspn(key, ".");
		tn_assert(path.count < TN_CONFIG_DEPTH_MAX);
		keys[path.count++] = tn_str(key, size);
	}
	return path;
}

const char *tn_config_key_variable(const struct tn_setting *key,
				   char scratch[TN_CONFIG_VARIABLE_MAX])
{
	size_t used = sizeof("TENON_") - 1;

	if (key->variable)
		return key->variable;
	(void)snprintf(scratch, TN_CONFIG_VARIABLE_MAX, "TENON_%s", key->key);
	for (; scratch[used]; used++) {
		if (scratch[used] == '.')
			scratch[used] = '_';
		else if (scratch[used] >= 'a' && scratch[used] <= 'z')
			scratch[used] = (char)(scratch[used] - ('a' - 'A'));
	}
	return scratch;
}

const char *tn_config_type_name(enum tn_setting_type type)
{
	static const char *const names[] = {
		[TN_SETTING_BOOLEAN] = "boolean",
		[TN_SETTING_INTEGER] = "integer",
		[TN_SETTING_STRING] = "string",
		[TN_SETTING_LIST] = "list",
	};

	return names[type];
}
