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
	{.key = "http.behind_proxy",
	 .type = TN_CONFIG_BOOLEAN,
	 .fallback = "false",
	 .restart = true,
	 .description =
		 "Other machines come through a proxy that has ended TLS; without it the app "
		 "terminal is not served to them"},
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
	{.key = "terminal.backend",
	 .type = TN_CONFIG_STRING,
	 .fallback = "pty",
	 .values = "pty|none",
	 .restart = true,
	 .app = true,
	 .description = "none: tools answer with placeholders and run nothing"},
	{.key = "terminal.persist",
	 .type = TN_CONFIG_STRING,
	 .fallback = "host",
	 .values = "host|none",
	 .restart = true,
	 .app = true,
	 .description = "host: sessions outlive a daemon that is killed, none: they end "
			"with it. tenon serve has none unless its own --persist says "
			"otherwise"},
	{.key = "terminal.host_grace_s",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "30",
	 .least = 0,
	 .most = 3600,
	 .restart = true,
	 .app = true,
	 .description = "Seconds that sessions wait for the next daemon before they are "
			"ended"},
	{.key = "terminal.roots",
	 .type = TN_CONFIG_LIST,
	 .fallback = "",
	 .rule = TN_CONFIG_ABSOLUTE,
	 .separator = ':',
	 .restart = true,
	 .app = true,
	 .description = "Folders in which commands may start; none: anywhere. Limits where "
			"they start, not what they reach"},
	{.key = "terminal.shell",
	 .type = TN_CONFIG_STRING,
	 .fallback = "",
	 .rule = TN_CONFIG_ABSOLUTE,
	 .restart = true,
	 .app = true,
	 .description = "The shell of new sessions; empty: $SHELL, else the user's own, "
			"else /bin/sh"},
	{.key = "terminal.allowed_shells",
	 .type = TN_CONFIG_LIST,
	 .fallback = "",
	 .rule = TN_CONFIG_ABSOLUTE,
	 .separator = ':',
	 .restart = true,
	 .app = true,
	 .description = "Shells that a session may have; none: those of /etc/shells and "
			"$SHELL"},
	{.key = "terminal.env.pass",
	 .type = TN_CONFIG_LIST,
	 .fallback = "",
	 .rule = TN_CONFIG_PATTERN,
	 .restart = true,
	 .app = true,
	 .description = "Further variables that sessions get, by name or pattern (AWS_*); "
			"one with a secret's name only when it is named exactly"},
	{.key = "terminal.max_sessions",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "100",
	 .least = 1,
	 .most = 10000,
	 .restart = true,
	 .app = true,
	 .description = "Sessions at a time"},
	{.key = "terminal.max_sessions_per_caller",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "32",
	 .least = 1,
	 .most = 10000,
	 .restart = true,
	 .app = true,
	 .description = "Of those, one caller's"},
	{.key = "terminal.idle_timeout_s",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "3600",
	 .least = 0,
	 .most = 30 * DAY_S,
	 .restart = true,
	 .app = true,
	 .description = "Seconds without input, output and running command after which a "
			"session is closed; 0: never"},
	{.key = "terminal.closed_retention_s",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "3600",
	 .least = 0,
	 .most = 30 * DAY_S,
	 .restart = true,
	 .app = true,
	 .description = "Seconds that the output of a closed session can still be read"},
	{.key = "terminal.scrollback_lines",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "10000",
	 .least = 0,
	 .most = 100000,
	 .restart = true,
	 .app = true,
	 .description = "Lines above the screen that are kept of a session"},
	{.key = "terminal.max_hold_ms",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "55000",
	 .least = 100,
	 .most = 55000,
	 .restart = true,
	 .app = true,
	 .description = "Milliseconds that one call may wait for a command; clients give up "
			"after a minute"},
	{.key = "terminal.max_concurrent_calls",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "64",
	 .least = 1,
	 .most = 256,
	 .restart = true,
	 .app = true,
	 .description = "Calls of one caller that may wait at a time"},
	{.key = "terminal.rate_per_minute",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "600",
	 .least = 0,
	 .most = 1000000,
	 .restart = true,
	 .app = true,
	 .description = "Calls of one caller in a minute; 0: any number"},
	{.key = "terminal.spool_session_bytes",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "134217728",
	 .least = 1 << 20,
	 .most = INT64_C(1) << 40,
	 .restart = true,
	 .app = true,
	 .description = "Output kept of one session; the oldest goes first"},
	{.key = "terminal.spool_total_bytes",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "2147483648",
	 .least = 1 << 20,
	 .most = INT64_C(1) << 44,
	 .restart = true,
	 .app = true,
	 .description = "Output kept of all sessions"},
	{.key = "terminal.sandbox",
	 .type = TN_CONFIG_STRING,
	 .fallback = "auto",
	 .values = "auto|none|bubblewrap",
	 .restart = true,
	 .app = true,
	 .description = "bubblewrap: sessions run in a sandbox or not at all; auto: in one "
			"where it works, for clients that come by the network; none: "
			"without"},
	{.key = "terminal.sandbox_network",
	 .type = TN_CONFIG_STRING,
	 .fallback = "host",
	 .values = "host|none",
	 .restart = true,
	 .app = true,
	 .description = "Whether programs in the sandbox reach the network"},
	{.key = "terminal.limits.processes",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "8192",
	 .least = 0,
	 .most = 4194304,
	 .restart = true,
	 .app = true,
	 .description = "Processes and threads of the user that runs a session, all "
			"sessions together (RLIMIT_NPROC); 0: as the daemon's"},
	{.key = "terminal.limits.files",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "0",
	 .least = 0,
	 .most = 1048576,
	 .restart = true,
	 .app = true,
	 .description = "Files that one program may have open (RLIMIT_NOFILE); 0: as the "
			"daemon's"},
	{.key = "terminal.limits.file_bytes",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "0",
	 .least = 0,
	 .most = INT64_C(1) << 50,
	 .restart = true,
	 .app = true,
	 .description = "Size of a file that a program may write (RLIMIT_FSIZE); 0: as the "
			"daemon's"},
	{.key = "terminal.limits.memory_bytes",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "0",
	 .least = 0,
	 .most = INT64_C(1) << 50,
	 .restart = true,
	 .app = true,
	 .description = "Address space of one program (RLIMIT_AS); 0: as the daemon's"},
	{.key = "terminal.limits.cpu_s",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "0",
	 .least = 0,
	 .most = 365 * DAY_S,
	 .restart = true,
	 .app = true,
	 .description = "Processor seconds of one program (RLIMIT_CPU); 0: as the daemon's"},
	{.key = "terminal.redact.results",
	 .type = TN_CONFIG_STRING,
	 .fallback = "known",
	 .values = "off|known|all",
	 .restart = true,
	 .app = true,
	 .description = "What is taken out of results: known secrets of the environment and "
			"well-known keys, all that looks like one, or nothing (off). The "
			"history always leaves out all"},
	{.key = "terminal.redact.patterns",
	 .type = TN_CONFIG_LIST,
	 .fallback = "",
	 .separator = '\n',
	 .restart = true,
	 .app = true,
	 .description = "Further secrets, as regular expressions"},
	{.key = "terminal.history.enabled",
	 .type = TN_CONFIG_BOOLEAN,
	 .fallback = "true",
	 .restart = true,
	 .app = true,
	 .description = "Whether commands and outputs are kept for search_history"},
	{.key = "terminal.history.ignore_space_people",
	 .type = TN_CONFIG_BOOLEAN,
	 .fallback = "true",
	 .restart = true,
	 .app = true,
	 .description = "A person's line that begins with a blank is not kept"},
	{.key = "terminal.history.ignore_space_tools",
	 .type = TN_CONFIG_BOOLEAN,
	 .fallback = "false",
	 .restart = true,
	 .app = true,
	 .description = "The same for commands of tools"},
	{.key = "terminal.history.days",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "30",
	 .least = 1,
	 .most = 3650,
	 .restart = true,
	 .app = true,
	 .description = "Days that history is kept"},
	{.key = "terminal.history.bytes",
	 .type = TN_CONFIG_INTEGER,
	 .fallback = "536870912",
	 .least = 1 << 20,
	 .most = INT64_C(1) << 40,
	 .restart = true,
	 .app = true,
	 .description = "Size of the history; the oldest output goes first, then commands"},
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
