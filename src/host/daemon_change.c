/* What changes while the daemon runs: settings, apps, the switch. */
#include <stdio.h>
#include <string.h>

#include "host/admin.h"
#include "host/apps.h"
#include "host/daemon_parts.h"
#include "mcp/consent.h"

enum tn_daemon_state tn_daemon_state(const struct tn_daemon *d)
{
	if (d->reason[0])
		return TN_DAEMON_ERROR;
	return d->server->disabled ? TN_DAEMON_OFF : TN_DAEMON_LISTENING;
}

/* Without a list all are on. */
bool tn_daemon_wants_app(const struct tn_daemon *d, const char *name)
{
	const char *const *wanted = tn_config_list(d->config, "apps");

	if (!wanted[0])
		return true;
	while (*wanted && strcmp(*wanted, name) != 0)
		wanted++;
	return *wanted != NULL;
}

/* ST-008: at once, without a restart. */
static void apply_switch(struct tn_daemon *d)
{
	bool off = !tn_config_bool(d->config, "mcp.enabled");

	if (off != d->server->disabled)
		tn_log(TN_LOG_NOTICE, "daemon", off ? "MCP is off" : "MCP is on");
	d->server->disabled = off;
}

static void apply_apps(struct tn_daemon *d)
{
	const struct tenon_app *app;

	for (size_t i = 0; (app = tn_apps_at(i)) != NULL; i++)
		tn_server_set_app_off(d->server, app->name, !tn_daemon_wants_app(d, app->name));
}

enum tenon_code tn_daemon_apply(struct tn_daemon *d, struct tenon_error *err)
{
	enum tn_log_level level;
	enum tenon_code code = TENON_OK;

	if (tn_log_level_find(tn_config_text(d->config, "log.level"), &level))
		tn_log_set_level(level);
	apply_switch(d);
	apply_apps(d);
	tn_consent_set_timeout(d->server,
			       (uint64_t)tn_config_int(d->config, "consent.timeout_s") * 1000);
	if (tn_config_int(d->config, "http.port") != d->wanted_port)
		code = tn_daemon_move(d, err);
	(void)snprintf(d->reason, sizeof(d->reason), "%s", code == TENON_OK ? "" : err->message);
	tn_admin_changed(d);
	return code;
}

enum tenon_code tn_daemon_reload(struct tn_daemon *d, struct tenon_error *err)
{
	enum tenon_code code = tn_config_reload(d->config, err);

	if (code == TENON_OK)
		code = tn_daemon_read_policy(d, err);
	return code == TENON_OK ? tn_daemon_apply(d, err) : code;
}
