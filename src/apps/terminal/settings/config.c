#include "apps/terminal/settings/config.h"

#include <string.h>

#include "apps/terminal/settings/settings_table.h"
#include "base/size.h"

enum { ARENA_BYTES = 64 * 1024 };

/* What reading needs. */
struct reading {
	struct tn_term_config *config;
	const struct tn_term_surroundings *around;
	struct tenon_error *err;
};

static enum tenon_code starve(const struct reading *r)
{
	return tn_fail(r->err, TENON_NO_MEMORY, "no memory for the settings of the terminal");
}

/* A variable that is set to nothing counts as not set. */
static const char *value_of(const struct reading *r, const char *name)
{
	const char *text = r->around->get(name);

	return text && *text ? text : NULL;
}

/* ---- the settings that more than one place asks for ---- */

static enum tn_term_sandbox sandbox_of(const struct tn_settings *settings, bool network)
{
	if (tn_settings_is(settings, "terminal.sandbox", "landlock"))
		return TN_TERM_SANDBOX_LANDLOCK;
	if (tn_settings_is(settings, "terminal.sandbox", "bubblewrap"))
		return TN_TERM_SANDBOX_ALWAYS;
	if (tn_settings_is(settings, "terminal.sandbox", "auto") && network)
		return TN_TERM_SANDBOX_IF_AVAILABLE;
	return TN_TERM_SANDBOX_NONE;
}

static enum tn_redact_level redact_of(const struct tn_settings *settings)
{
	if (tn_settings_is(settings, "terminal.redact.results", "off"))
		return TN_REDACT_OFF;
	return tn_settings_is(settings, "terminal.redact.results", "all") ? TN_REDACT_ALL
									  : TN_REDACT_KNOWN;
}

static void read_settings(const struct reading *r)
{
	const struct tn_settings *s = &r->config->settings;
	struct tn_term_config *c = r->config;

	c->network = r->around->network;
	c->sandbox = sandbox_of(s, c->network);
	c->sandbox_elsewhere = tn_settings_is(s, "terminal.sandbox", "auto");
	c->sandbox_network = tn_settings_is(s, "terminal.sandbox_network", "host");
	c->redact_results = redact_of(s);
	c->redact_patterns = tn_settings_list(s, "terminal.redact.patterns");
	c->roots = tn_settings_list(s, "terminal.roots");
	c->allowed_shells = tn_settings_list(s, "terminal.allowed_shells");
	c->shell = tn_settings_text(s, "terminal.shell");
	c->env_pass = tn_settings_list(s, "terminal.env.pass");
}

/* ---- what the environment says of the user ---- */

static enum tenon_code keep_absolute(const struct reading *r, const char *name, const char **ret)
{
	const char *text = value_of(r, name);

	*ret = tn_arena_copy(&r->config->arena, tn_str_from(text && text[0] == '/' ? text : ""));
	return *ret ? TENON_OK : starve(r);
}

static enum tenon_code read_user(const struct reading *r)
{
	enum tenon_code code = keep_absolute(r, "SHELL", &r->config->user_shell);

	return code == TENON_OK ? keep_absolute(r, "HOME", &r->config->home) : code;
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
	const char *folder = r->around->runtime_folder;
	struct tn_term_config *c = r->config;

	c->persist = folder && tn_settings_is(&c->settings, "terminal.persist", "host");
	if (!c->persist)
		return TENON_OK;
	c->runtime_folder = tn_arena_copy(&c->arena, tn_str_from(folder));
	return c->runtime_folder ? TENON_OK : starve(r);
}

enum tenon_code tn_term_config_read(struct tn_term_config *config,
				    const struct tn_term_surroundings *around,
				    struct tenon_error *err)
{
	const struct reading r = {.config = config, .around = around, .err = err};
	enum tenon_code code;

	*config = (struct tn_term_config){
		.settings = tn_settings_of(around->views, &tn_term_setting_table)};
	tn_arena_init(&config->arena, ARENA_BYTES);
	read_settings(&r);
	code = read_user(&r);
	if (code == TENON_OK)
		code = read_state_folder(&r);
	if (code == TENON_OK)
		code = read_runtime_folder(&r);
	if (code != TENON_OK)
		tn_term_config_finish(config);
	return code;
}

void tn_term_config_finish(struct tn_term_config *config)
{
	tn_arena_finish(&config->arena);
	*config = (struct tn_term_config){.network = false};
}
