#include "apps/terminal/config.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/size.h"

enum { ELEMENTS_MAX = 256, ARENA_BYTES = 4 * 1024 * 1024 };

/* What reading one setting needs. */
struct reading {
	struct tn_term_config *config;
	tn_term_getter *get;
	struct tenon_error *err;
};

static enum tenon_code starve(const struct reading *r)
{
	return tn_fail(r->err, TENON_NO_MEMORY, "no memory for the settings of the terminal");
}

/* A variable that is set to nothing counts as not set. */
static const char *value_of(const struct reading *r, const char *name)
{
	const char *text = r->get(name);

	return text && *text ? text : NULL;
}

/* ---- numbers ---- */

static enum tenon_code read_number(const struct reading *r, const char *name, uint64_t least,
				   uint64_t most, uint64_t *value)
{
	const char *text = value_of(r, name);
	uint64_t number = 0;

	if (!text)
		return TENON_OK;
	if (!tn_str_to_uint(tn_str_from(text), &number) || number < least || number > most)
		return tn_fail(r->err, TENON_INVALID, "%s must be a number from %llu to %llu", name,
			       (unsigned long long)least, (unsigned long long)most);
	*value = number;
	return TENON_OK;
}

/* The bounds stand in src/host/config_key.c, too; a test compares what comes of them. */
static enum tenon_code read_numbers(const struct reading *r)
{
	enum { MONTH_S = 30 * 24 * 60 * 60, YEAR_S = 365 * 24 * 60 * 60 };
	struct tn_term_config *c = r->config;
	const struct {
		const char *name;
		uint64_t least, most, fallback;
		uint32_t *narrow;
		uint64_t *wide;
	} rows[] = {
		{"HOST_GRACE_S", 0, 3600, 30, &c->host_grace_s, NULL},
		{"MAX_SESSIONS", 1, 10000, 100, &c->max_sessions, NULL},
		{"MAX_SESSIONS_PER_CALLER", 1, 10000, 32, &c->max_sessions_per_caller, NULL},
		{"IDLE_TIMEOUT_S", 0, MONTH_S, 3600, &c->idle_timeout_s, NULL},
		{"CLOSED_RETENTION_S", 0, MONTH_S, 3600, &c->closed_retention_s, NULL},
		{"SCROLLBACK_LINES", 0, TN_SCREEN_SCROLLBACK_MAX, 10000, &c->scrollback_lines,
		 NULL},
		{"MAX_HOLD_MS", 100, TN_TERM_YIELD_MS_MAX, TN_TERM_YIELD_MS_MAX, &c->max_hold_ms,
		 NULL},
		{"MAX_CONCURRENT_CALLS", 1, TN_CALLS_PER_PEER_MAX, 64, &c->max_concurrent_calls,
		 NULL},
		{"RATE_PER_MINUTE", 0, 1000000, 600, &c->rate_per_minute, NULL},
		{"SPOOL_SESSION_BYTES", TN_MIB, UINT64_C(1) << 40, 128 * TN_MIB, NULL,
		 &c->spool_session_bytes},
		{"SPOOL_TOTAL_BYTES", TN_MIB, UINT64_C(1) << 44, 2048 * TN_MIB, NULL,
		 &c->spool_total_bytes},
		{"LIMITS_PROCESSES", 0, 4194304, 8192, NULL, &c->limit_processes},
		{"LIMITS_FILES", 0, 1048576, 0, NULL, &c->limit_files},
		{"LIMITS_FILE_BYTES", 0, UINT64_C(1) << 50, 0, NULL, &c->limit_file_bytes},
		{"LIMITS_MEMORY_BYTES", 0, UINT64_C(1) << 50, 0, NULL, &c->limit_memory_bytes},
		{"LIMITS_CPU_S", 0, YEAR_S, 0, NULL, &c->limit_cpu_s},
		{"HISTORY_DAYS", 1, 3650, 30, &c->history_days, NULL},
		{"HISTORY_BYTES", TN_MIB, UINT64_C(1) << 40, 512 * TN_MIB, NULL, &c->history_bytes},
	};

	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		uint64_t number = rows[i].fallback;
		char name[64];
		enum tenon_code code;

		(void)snprintf(name, sizeof(name), "TENON_TERMINAL_%s", rows[i].name);
		code = read_number(r, name, rows[i].least, rows[i].most, &number);
		if (code != TENON_OK)
			return code;
		if (rows[i].narrow)
			*rows[i].narrow = (uint32_t)number;
		else
			*rows[i].wide = number;
	}
	return TENON_OK;
}

/* ---- switches and words ---- */

static enum tenon_code read_switch(const struct reading *r, const char *name, bool *value)
{
	static const char *const on[] = {"1", "true", "yes", "on"};
	static const char *const off[] = {"0", "false", "no", "off"};
	const char *text = value_of(r, name);

	if (!text)
		return TENON_OK;
	for (size_t i = 0; i < TN_COUNT(on); i++) {
		if (strcmp(text, on[i]) == 0 || strcmp(text, off[i]) == 0) {
			*value = strcmp(text, on[i]) == 0;
			return TENON_OK;
		}
	}
	return tn_fail(r->err, TENON_INVALID, "%s must be 1 or 0", name);
}

static enum tenon_code read_switches(const struct reading *r)
{
	struct tn_term_config *c = r->config;
	const struct {
		const char *name;
		bool *value, fallback;
	} rows[] = {
		{"TENON_TERMINAL_NETWORK", &c->network, false},
		{"TENON_TERMINAL_HISTORY_ENABLED", &c->history, true},
		{"TENON_TERMINAL_HISTORY_IGNORE_SPACE_PEOPLE", &c->ignore_space_people, true},
		{"TENON_TERMINAL_HISTORY_IGNORE_SPACE_TOOLS", &c->ignore_space_tools, false},
	};

	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		enum tenon_code code;

		*rows[i].value = rows[i].fallback;
		code = read_switch(r, rows[i].name, rows[i].value);
		if (code != TENON_OK)
			return code;
	}
	return TENON_OK;
}

/* Which of the words, the first one when the variable is not set. */
static enum tenon_code read_word(const struct reading *r, const char *name,
				 const char *const words[3], int *ret_index)
{
	const char *text = value_of(r, name);

	*ret_index = 0;
	for (int i = 0; text && i < 3 && words[i]; i++) {
		if (strcmp(text, words[i]) == 0) {
			*ret_index = i;
			return TENON_OK;
		}
	}
	if (!text)
		return TENON_OK;
	return tn_fail(r->err, TENON_INVALID, "%s must be %s%s%s%s%s", name, words[0],
		       words[2] ? ", " : " or ", words[1], words[2] ? " or " : "",
		       words[2] ? words[2] : "");
}

static enum tenon_code read_words(const struct reading *r)
{
	static const char *const backends[3] = {"pty", "none"};
	static const char *const persists[3] = {"host", "none"};
	static const char *const sandboxes[3] = {"auto", "none", "bubblewrap"};
	static const char *const networks[3] = {"host", "none"};
	static const char *const redacts[3] = {"known", "off", "all"};
	int backend, persist, sandbox, network, redact;
	struct tn_term_config *c = r->config;
	enum tenon_code code = read_word(r, "TENON_TERMINAL_BACKEND", backends, &backend);

	if (code == TENON_OK)
		code = read_word(r, "TENON_TERMINAL_PERSIST", persists, &persist);
	if (code == TENON_OK)
		code = read_word(r, "TENON_TERMINAL_SANDBOX", sandboxes, &sandbox);
	if (code == TENON_OK)
		code = read_word(r, "TENON_TERMINAL_SANDBOX_NETWORK", networks, &network);
	if (code == TENON_OK)
		code = read_word(r, "TENON_TERMINAL_REDACT_RESULTS", redacts, &redact);
	if (code != TENON_OK)
		return code;
	c->backend_none = backend == 1;
	c->persist = persist == 0;
	c->sandbox_network = network == 0;
	c->redact_results = redact == 0   ? TN_REDACT_KNOWN
			    : redact == 1 ? TN_REDACT_OFF
					  : TN_REDACT_ALL;
	if (sandbox == 2)
		c->sandbox = TN_TERM_SANDBOX_ALWAYS;
	else if (sandbox == 0 && c->network)
		c->sandbox = TN_TERM_SANDBOX_IF_AVAILABLE;
	return TENON_OK;
}

/* ---- texts and lists ---- */

static enum tenon_code keep(const struct reading *r, const char *text, const char **ret)
{
	*ret = tn_arena_copy(&r->config->arena, tn_str_from(text));
	return *ret ? TENON_OK : starve(r);
}

static enum tenon_code refuse_path(const struct reading *r, const char *name)
{
	return tn_fail(r->err, TENON_INVALID,
		       "%s must have absolute paths, beginning with /, separated by colons", name);
}

static enum tenon_code read_list(const struct reading *r, const char *name, char separator,
				 const char *const **ret)
{
	struct tn_str rest = tn_str_from(value_of(r, name));
	const char *elements[ELEMENTS_MAX];
	const char **list;
	size_t count = 0;

	while (rest.size) {
		size_t end = tn_str_find_byte(rest, separator);
		struct tn_str part = tn_str(rest.data, end == TN_STR_NONE ? rest.size : end);

		rest = tn_str_from_offset(rest, end == TN_STR_NONE ? rest.size : end + 1);
		if (separator != ':') /* a pattern or name; a path may end with a blank */
			part = tn_str_trim(part);
		if (part.size == 0)
			continue;
		if (count == ELEMENTS_MAX)
			return tn_fail(r->err, TENON_INVALID, "%s has more than %d elements", name,
				       ELEMENTS_MAX);
		if (separator == ':' && part.data[0] != '/')
			return refuse_path(r, name);
		elements[count] = tn_arena_copy(&r->config->arena, part);
		if (!elements[count++])
			return starve(r);
	}
	list = tn_arena_alloc_array(&r->config->arena, count + 1, sizeof(*list));
	if (!list)
		return starve(r);
	if (count)
		memcpy(list, elements, count * sizeof(*list));
	*ret = list;
	return TENON_OK;
}

static enum tenon_code read_lists(const struct reading *r)
{
	struct tn_term_config *c = r->config;
	const struct {
		const char *name;
		char separator;
		const char *const **list;
	} rows[] = {
		{"TENON_TERMINAL_ROOTS", ':', &c->roots},
		{"TENON_TERMINAL_ALLOWED_SHELLS", ':', &c->allowed_shells},
		{"TENON_TERMINAL_ENV_PASS", ',', &c->env_pass},
		{"TENON_TERMINAL_REDACT_PATTERNS", '\n', &c->redact_patterns},
	};
	enum tenon_code code = TENON_OK;

	for (size_t i = 0; i < TN_COUNT(rows) && code == TENON_OK; i++)
		code = read_list(r, rows[i].name, rows[i].separator, rows[i].list);
	return code;
}

static enum tenon_code read_shell(const struct reading *r)
{
	const char *shell = value_of(r, "TENON_TERMINAL_SHELL");
	const char *users = value_of(r, "SHELL");
	const char *home = value_of(r, "HOME");
	enum tenon_code code;

	if (shell && shell[0] != '/')
		return tn_fail(r->err, TENON_INVALID,
			       "TENON_TERMINAL_SHELL must be an absolute path, beginning with /");
	code = keep(r, shell ? shell : "", &r->config->shell);
	if (code == TENON_OK)
		code = keep(r, users && users[0] == '/' ? users : "", &r->config->user_shell);
	return code == TENON_OK ? keep(r, home && home[0] == '/' ? home : "", &r->config->home)
				: code;
}

/* ---- folders ---- */

/* As for all folders of that specification: a relative path is invalid and must be ignored. */
static const char *absolute_of(const struct reading *r, const char *name)
{
	const char *text = value_of(r, name);

	return text && text[0] == '/' ? text : NULL;
}

static enum tenon_code read_state_folder(const struct reading *r)
{
	static const struct {
		const char *name, *below;
	} places[] = {
		{"TENON_STATE_DIR", "terminal"},
		{"XDG_STATE_HOME", "tenon/terminal"},
		{"HOME", ".local/state/tenon/terminal"},
	};

	for (size_t i = 0; i < TN_COUNT(places); i++) {
		const char *base = absolute_of(r, places[i].name);

		if (!base)
			continue;
		r->config->state_folder =
			tn_arena_format(&r->config->arena, "%s/%s", base, places[i].below);
		return r->config->state_folder ? TENON_OK : starve(r);
	}
	return tn_fail(r->err, TENON_NOT_FOUND,
		       "none of TENON_STATE_DIR, XDG_STATE_HOME and HOME is set: there is no place "
		       "for history and output");
}

/* Without a place where the next daemon would look, no session can outlive this one. */
static enum tenon_code read_runtime_folder(const struct reading *r)
{
	const char *given = absolute_of(r, "TENON_TERMINAL_RUNTIME");
	const char *base = absolute_of(r, "XDG_RUNTIME_DIR");
	struct tn_term_config *c = r->config;

	c->persist = c->persist && (given || base);
	if (!c->persist)
		return TENON_OK;
	c->runtime_folder = given ? tn_arena_copy(&c->arena, tn_str_from(given))
				  : tn_arena_format(&c->arena, "%s/tenon", base);
	return c->runtime_folder ? TENON_OK : starve(r);
}

enum tenon_code tn_term_config_read(struct tn_term_config *config, tn_term_getter *get,
				    struct tenon_error *err)
{
	static enum tenon_code (*const parts[])(const struct reading *r) = {
		read_numbers, read_switches,     read_words,          read_lists,
		read_shell,   read_state_folder, read_runtime_folder,
	};
	const struct reading r = {.config = config, .get = get, .err = err};
	enum tenon_code code = TENON_OK;

	*config = (struct tn_term_config){.backend_none = false};
	tn_arena_init(&config->arena, ARENA_BYTES);
	for (size_t i = 0; i < TN_COUNT(parts) && code == TENON_OK; i++)
		code = parts[i](&r);
	if (code != TENON_OK)
		tn_term_config_finish(config);
	return code;
}

void tn_term_config_finish(struct tn_term_config *config)
{
	tn_arena_finish(&config->arena);
	*config = (struct tn_term_config){.backend_none = false};
}
