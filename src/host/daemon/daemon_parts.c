/* What stands around the daemon's server, and how the outside is told. */
#include "host/daemon/internal.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "host/daemon/admin.h"
#include "host/daemon/preview_ports.h"
#include "host/record/audit_file.h"
#include "host/record/metrics.h"
#include "host/person/consent_said.h"
#include "host/person/person_door.h"
#include "host/settings/host_fit.h"
#include "mcp/consent.h"

static enum tenon_code open_consent(struct tn_daemon *d, const char *policy,
				    struct tenon_error *err)
{
	enum tenon_code code = tn_consent_open(d->server, tn_consent_said(), err);

	d->policy_named = policy != NULL;
	if (policy)
		(void)snprintf(d->policy_path, sizeof(d->policy_path), "%s", policy);
	else
		(void)snprintf(d->policy_path, sizeof(d->policy_path), "%s/policy.json",
			       d->config_folder);
	if (code != TENON_OK)
		return code;
	if (tn_consent_environment(d->server))
		tn_log(TN_LOG_WARNING, "consent",
		       "TENON_CONSENT=%s: no person is asked, whatever the policy says",
		       tn_consent_environment(d->server));
	tn_consent_set_timeout(d->server,
			       (uint64_t)tn_config_int(d->config, "consent.timeout_s") * 1000);
	return tn_daemon_read_policy(d, err);
}

/* ---- what apps tell ---- */

/* What serves terminals may start before the door is opened: it is kept for it. */
static void refuse_persons_below(void *data, int64_t pid)
{
	struct tn_daemon *d = data;
	struct tenon_error err;

	d->terminal_host = (pid_t)pid;
	if (d->person_door &&
	    tn_person_door_refuse_below(d->person_door, d->terminal_host, &err) != TENON_OK)
		tn_log(TN_LOG_ERROR, "person", "terminals are not told from people's shells: %s",
		       err.message);
}

static void report(const char *area, const char *sentence, void *data)
{
	(void)data;
	tn_log(TN_LOG_WARNING, area, "%s", sentence);
}

void tn_daemon_listen_to_apps(struct tn_daemon *d)
{
	d->server->refuse_persons_below = refuse_persons_below;
	d->server->refuse_persons_data = d;
	d->server->report = report;
	d->server->state_folder = d->state_folder;
	d->server->preview_ports = &tn_host_preview_ports;
	d->server->settings = tn_config_views(d->config);
	d->server->fit_rules = tn_host_fit_rules;
	d->server->fit_rule_count = tn_host_fit_rule_count;
	d->server->fit_settings = tn_config_list(d->config, "mcp.fit");
	d->server->runtime_folder = d->paths.folder;
	/* Who is let in from afar is seen to when we listen; apps are careful if anybody may be. */
	d->server->network = tn_config_bool(d->config, "http.allow_remote");
	d->server->fixed_token = *tn_config_text(d->config, "http.token_file") != '\0';
}

/* ---- all of them ---- */

enum tenon_code tn_daemon_open_parts(struct tn_daemon *d, const char *policy,
				     struct tenon_error *err)
{
	char path[PATH_MAX + 16];
	enum tenon_code code = open_consent(d, policy, err);

	(void)snprintf(path, sizeof(path), "%s/audit.jsonl", d->state_folder);
	if (code == TENON_OK)
		code = tn_metrics_open(d->server, &d->metrics, err);
	if (code == TENON_OK)
		code = tn_audit_file_open(d->server, path, &d->audit, err);
	if (code == TENON_OK)
		code = tn_admin_open(d, err);
	return code;
}

void tn_daemon_close_parts(struct tn_daemon *d)
{
	tn_timer_close(d->rotation);
	tn_person_door_close(d->person_door);
	tn_admin_close(d);
	if (d->server)
		tn_consent_close(d->server);
	tn_audit_file_close(d->audit);
	tn_metrics_close(d->metrics);
}

void tn_daemon_notify(const char *socket_path, const char *text)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	size_t size = strlen(socket_path);
	int fd;

	if (size == 0 || size >= sizeof(address.sun_path))
		return;
	memcpy(address.sun_path, socket_path, size);
	if (socket_path[0] == '@') /* a name of the kernel's, not of a file */
		address.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	/* Nobody listening is no reason not to serve. */
	(void)sendto(fd, text, strlen(text), MSG_NOSIGNAL, (struct sockaddr *)&address,
		     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size));
	(void)close(fd);
}
