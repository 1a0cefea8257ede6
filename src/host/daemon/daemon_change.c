/* What changes while the daemon runs: settings, apps, the switch. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/daemon/admin.h"
#include "host/limits.h"
#include "host/settings/apps.h"
#include "host/daemon/internal.h"
#include "host/person/person_door.h"
#include "serve/serve.h"
#include "host/settings/terminal_setup.h"
#include "mcp/consent.h"

enum tn_daemon_state tn_daemon_state(const struct tn_daemon *d)
{
	if (d->reason[0])
		return TN_DAEMON_ERROR;
	return d->server->disabled ? TN_DAEMON_OFF : TN_DAEMON_LISTENING;
}

/* Nobody who has named no app wants all of them: the setting's default is the list of all. */
bool tn_daemon_wants_app(const struct tn_daemon *d, const char *name)
{
	const char *const *wanted = tn_config_list(d->config, "apps");

	while (*wanted && strcmp(*wanted, name) != 0)
		wanted++;
	return *wanted != NULL;
}

enum tenon_code tn_daemon_check_terminal(const struct tn_daemon *d, struct tenon_error *err)
{
	struct tn_settings opened = tn_config_opened(d->config);
	const struct tn_terminal_reach reach = {
		.network = d->remote,
		.remote = d->remote,
		.behind_proxy = tn_settings_bool(&opened, "http.behind_proxy")};

	if (!tn_daemon_wants_app(d, "terminal"))
		return TENON_OK;
	return tn_terminal_check_reach(d->config, &reach, err);
}

/* ST-008: at once, without a restart. */
static void apply_switch(struct tn_daemon *d)
{
	bool off = !tn_config_bool(d->config, "mcp.enabled");

	if (off != d->server->disabled)
		tn_log(TN_LOG_NOTICE, "daemon", off ? "MCP is off" : "MCP is on");
	d->server->disabled = off;
}

/* One that may not be on stays off, and why is told. */
static enum tenon_code apply_apps(struct tn_daemon *d, struct tenon_error *err)
{
	enum tenon_code code = tn_daemon_check_terminal(d, err);
	const struct tenon_app *app;

	for (size_t i = 0; (app = tn_apps_at(i)) != NULL; i++) {
		bool refused = code != TENON_OK && strcmp(app->name, "terminal") == 0;

		tn_server_set_app_off(d->server, app->name,
				      refused || !tn_daemon_wants_app(d, app->name));
	}
	return code;
}

enum tenon_code tn_daemon_apply(struct tn_daemon *d, struct tenon_error *err)
{
	enum tn_log_level level;
	enum tenon_code code;

	if (tn_log_level_find(tn_config_text(d->config, "log.level"), &level))
		tn_log_set_level(level);
	apply_switch(d);
	d->server->fit_settings = tn_config_list(d->config, "mcp.fit");
	code = apply_apps(d, err);
	tn_consent_set_timeout(d->server,
			       (uint64_t)tn_config_int(d->config, "consent.timeout_s") * 1000);
	if (code == TENON_OK && tn_config_int(d->config, "http.port") != d->asked_port)
		code = tn_daemon_move(d, err);
	(void)snprintf(d->reason, sizeof(d->reason), "%s", code == TENON_OK ? "" : err->message);
	tn_admin_changed(d);
	return code;
}

enum tenon_code tn_daemon_reload(struct tn_daemon *d, struct tenon_error *err)
{
	enum tenon_code code = tn_config_reload(d->config, err);

	/* The list from before may be gone, whatever becomes of the rest. */
	d->server->fit_settings = tn_config_list(d->config, "mcp.fit");
	if (code == TENON_OK)
		code = tn_daemon_read_policy(d, err);
	return code == TENON_OK ? tn_daemon_apply(d, err) : code;
}

/* ---- its place ---- */

static enum tenon_code take_again(struct tn_daemon *d, struct tenon_error *err)
{
	struct tn_runtime_paths paths;
	enum tenon_code code = tn_runtime_find(&paths, true, err);
	int fd = -1;

	if (code == TENON_OK)
		code = tn_runtime_lock(&d->paths, &fd, err);
	if (code != TENON_OK)
		return code;
	(void)close(d->lock_fd); /* of a file that is gone */
	d->lock_fd = fd;
	return TENON_OK;
}

/* Whoever reads it finds us. A file that others have written over hides us as well as none. */
static bool is_found(const struct tn_daemon *d)
{
	struct tn_discovery found;

	return tn_discovery_peek(&d->paths, &found, NULL) == TENON_OK &&
	       found.pid == d->found.pid && found.bridge_port == d->found.bridge_port &&
	       strcmp(found.token, d->found.token) == 0;
}

void tn_daemon_keep_place(struct tn_timer *timer, void *data)
{
	struct tn_daemon *d = data;
	struct tenon_error err = {0};
	enum tenon_code code = TENON_OK;
	bool ours = tn_runtime_is_ours(&d->paths, d->lock_fd);
	bool door = access(d->paths.person, F_OK) == 0;

	tn_timer_start(timer, TN_RUNTIME_LOOK_MS);
	if (ours && door && is_found(d))
		return;
	if (!ours)
		code = take_again(d, &err);
	if (code == TENON_OK && !door)
		code = tn_person_door_reopen(d->person_door, &err);
	if (code == TENON_OK)
		code = tn_discovery_write(&d->paths, &d->found, &err);
	if (code == TENON_OK) {
		tn_log(TN_LOG_WARNING, "daemon",
		       "the runtime folder was cleared or written into; its files are there again");
	} else if (code == TENON_BUSY) {
		tn_log(TN_LOG_ERROR, "daemon",
		       "the runtime folder was cleared, and another daemon has this one's place");
		tn_serve_stop(d->server);
	} else {
		tn_log(TN_LOG_ERROR, "daemon", "nobody finds this daemon: %s", err.message);
	}
}
