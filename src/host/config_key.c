#include "host/config_key.h"

#include <stdio.h>

#include "base/near.h"
#include "base/size.h"

#define DAY_S (24 * 60 * 60)

/* The order is that of docs/configuration.md and of tenon://settings. */
const struct tn_config_key tn_config_keys[] = {
	{.key = "http.port",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "7777",
	 .least = 1024,
	 .most = 65535,
	 .description = "Port of the HTTP listener; when it is taken, the next free one of twenty"},
	{.key = "http.listen",
	 .type = TN_CONFIG_STRING,
	 .fallback = "127.0.0.1",
	 .rule = TN_CONFIG_ADDRESS,
	 .restart = true,
	 .description = "Address of the HTTP listener. Any but this machine's own needs "
			"http.allow_remote, too"},
	{.key = "http.allow_remote",
	 .type = TN_CONFIG_BOOLEAN,
	 .fallback = "false",
	 .restart = true,
	 .description = "Lets http.listen be an address that other machines reach"},
	{.key = "http.hosts",
	 .type = TN_CONFIG_LIST,
	 .fallback = "",
	 .rule = TN_CONFIG_HOST,
	 .restart = true,
	 .description = "Further names that requests may have in Host: of a proxy, or your own"},
	{.key = "http.token_file",
	 .type = TN_CONFIG_STRING,
	 .fallback = "",
	 .rule = TN_CONFIG_ABSOLUTE,
	 .restart = true,
	 .description = "File with a client token that stays the same; without it there is a new "
			"one at each start"},
	{.key = "http.token_ttl_s",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "0",
	 .least = 0,
	 .most = 365 * DAY_S,
	 .restart = true,
	 .description = "Seconds after which the client token is changed by itself; 0: never"},
	{.key = "mcp.enabled",
	 .type = TN_CONFIG_BOOLEAN,
	 .fallback = "true",
	 .description = "Whether assistants and scripts are served at all"},
	{.key = "apps",
	 .type = TN_CONFIG_LIST,
	 .fallback = NULL,
	 .rule = TN_CONFIG_APP,
	 .description = "The apps that are on"},
	{.key = "log.level",
	 .type = TN_CONFIG_STRING,
	 .fallback = "info",
	 .values = "debug|info|notice|warning|error",
	 .description = "The least important lines that are still logged"},
	{.key = "log.file",
	 .type = TN_CONFIG_STRING,
	 .fallback = "",
	 .rule = TN_CONFIG_LOG,
	 .restart = true,
	 .description = "Where the log goes, instead of tenond.log in the state folder; -: "
			"standard error"},
	{.key = "consent.timeout_s",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "600",
	 .least = 1,
	 .most = DAY_S,
	 .description = "How long a request for approval waits for a person"},
	{.key = "ui.enabled",
	 .type = TN_CONFIG_BOOLEAN,
	 .fallback = "true",
	 .restart = true,
	 .description = "Whether the daemon serves the page for browsers"},
	{.key = "plan.source",
	 .type = TN_CONFIG_STRING,
	 .fallback = "auto",
	 .values = "auto|builtin|openai|sampling",
	 .restart = true,
	 .app = true,
	 .description = "Who words explanations when a caller does not say; auto: the hosted "
			"model if there is a key for it, else the built-in text"},
	{.key = "plan.llm.base_url",
	 .type = TN_CONFIG_STRING,
	 .fallback = "https://api.openai.com/v1",
	 .rule = TN_CONFIG_URL,
	 .variable = "OPENAI_BASE_URL",
	 .restart = true,
	 .app = true,
	 .description = "An endpoint that speaks chat completions"},
	{.key = "plan.llm.model",
	 .type = TN_CONFIG_STRING,
	 .fallback = "gpt-4o-mini",
	 .variable = "TENON_PLAN_MODEL",
	 .restart = true,
	 .app = true,
	 .description = "The model's name"},
	{.key = "plan.llm.api_key_env",
	 .type = TN_CONFIG_STRING,
	 .fallback = "OPENAI_API_KEY",
	 .rule = TN_CONFIG_VARIABLE,
	 .variable = "TENON_PLAN_API_KEY_ENV",
	 .restart = true,
	 .app = true,
	 .description = "The variable that holds the key; the key itself is never written down"},
	{.key = "plan.llm.keyless",
	 .type = TN_CONFIG_BOOLEAN,
	 .fallback = "false",
	 .variable = "TENON_PLAN_KEYLESS",
	 .restart = true,
	 .app = true,
	 .description = "The endpoint wants no key, although it is not on this machine"},
	{.key = "plan.llm.timeout_ms",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "30000",
	 .least = 100,
	 .most = 600000,
	 .variable = "TENON_PLAN_TIMEOUT_MS",
	 .restart = true,
	 .app = true,
	 .description = "Milliseconds that one request to the model may take"},
	{.key = "plan.llm.max_tokens",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "1000",
	 .least = 1,
	 .most = 100000,
	 .variable = "TENON_PLAN_MAX_TOKENS",
	 .restart = true,
	 .app = true,
	 .description = "Length of one answer of the model"},
	{.key = "plan.llm.headers",
	 .type = TN_CONFIG_LIST,
	 .fallback = "",
	 .rule = TN_CONFIG_HEADER,
	 .variable = "TENON_PLAN_HEADERS",
	 .separator = '\n',
	 .restart = true,
	 .app = true,
	 .secret = true,
	 .description = "Further headers of requests to the model, each \"Name: value\""},
	{.key = "plan.llm.context_role",
	 .type = TN_CONFIG_STRING,
	 .fallback = "user",
	 .values = "user|system",
	 .variable = "TENON_PLAN_CONTEXT_ROLE",
	 .restart = true,
	 .app = true,
	 .description = "Which message holds the document about the plan"},
	{.key = "plan.llm.context_details",
	 .type = TN_CONFIG_STRING,
	 .fallback = "auto",
	 .values = "auto|on|off",
	 .variable = "TENON_PLAN_CONTEXT_DETAILS",
	 .restart = true,
	 .app = true,
	 .description = "Whether the document names key facts; auto: only for models on this "
			"machine"},
	{.key = "plan.llm.allow_remote",
	 .type = TN_CONFIG_BOOLEAN,
	 .fallback = "true",
	 .variable = "TENON_PLAN_ALLOW_REMOTE",
	 .restart = true,
	 .app = true,
	 .description = "Lets the endpoint be on another machine"},
	{.key = "plan.paths",
	 .type = TN_CONFIG_LIST,
	 .fallback = "",
	 .rule = TN_CONFIG_ABSOLUTE,
	 .variable = "TENON_PLAN_PATHS",
	 .separator = ':',
	 .restart = true,
	 .app = true,
	 .description = "Folders that plan_path may name files in; none: plan_path is off"},
	{.key = "plan.paths_over_http",
	 .type = TN_CONFIG_BOOLEAN,
	 .fallback = "false",
	 .restart = true,
	 .app = true,
	 .description = "The same for clients that come by HTTP"},
	{.key = "plan.store_raw",
	 .type = TN_CONFIG_BOOLEAN,
	 .fallback = "false",
	 .restart = true,
	 .app = true,
	 .description = "Keeps the text of plans on disk, so that plan_id survives a restart"},
	{.key = "plan.keep_days",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "30",
	 .least = 0,
	 .most = 3650,
	 .restart = true,
	 .app = true,
	 .description = "Days that explanations are kept; 0: in memory only"},
	{.key = "plan.handle_hours",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "24",
	 .least = 1,
	 .most = 8760,
	 .restart = true,
	 .app = true,
	 .description = "Hours that an unused plan_id lives"},
};
const size_t tn_config_key_count = TN_COUNT(tn_config_keys);

const struct tn_config_key *tn_config_key_find(struct tn_str name)
{
	for (size_t i = 0; i < tn_config_key_count; i++) {
		if (tn_str_is(name, tn_config_keys[i].key))
			return &tn_config_keys[i];
	}
	return NULL;
}

bool tn_config_key_is_group(struct tn_str name)
{
	for (size_t i = 0; i < tn_config_key_count; i++) {
		struct tn_str key = tn_str_from(tn_config_keys[i].key);

		if (name.size && tn_str_starts(key, name) && key.data[name.size] == '.')
			return true;
	}
	return false;
}

const char *tn_config_key_near(struct tn_str name)
{
	const char *names[TN_COUNT(tn_config_keys) + 1] = {NULL};

	for (size_t i = 0; i < tn_config_key_count; i++) {
		const char *key = tn_config_keys[i].key;
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

const char *tn_config_key_variable(const struct tn_config_key *key,
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

const char *tn_config_type_name(enum tn_config_type type)
{
	static const char *const names[] = {
		[TN_CONFIG_BOOLEAN] = "boolean",
		[TN_CONFIG_INTEGER] = "integer",
		[TN_CONFIG_STRING] = "string",
		[TN_CONFIG_LIST] = "list",
	};

	return names[type];
}
