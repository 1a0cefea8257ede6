/* The daemon: does it live, and does it answer on every way in? */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "cli/doctor/doctor.h"
#include "host/probe.h"
#include "cli/daemon/status_read.h"

enum { PATIENCE_MS = 5000, BODY_MAX = 4 * 1024 * 1024 };

static const char restart_remedy[] = "tenon down, then tenon up; tenon logs says what happened";

static void check_life(struct tn_doctor *doctor)
{
	struct tn_discovery left;
	struct tenon_error err = {0};
	enum tenon_code code = TENON_NOT_FOUND;

	if (doctor->has_paths)
		code = tn_discovery_read(&doctor->paths, &doctor->found, &err);
	doctor->is_running = code == TENON_OK;
	if (code == TENON_OK)
		tn_doctor_say(doctor, TN_HEALTH_OK, "daemon", NULL,
			      "runs, pid %lld, since %s, version %s", (long long)doctor->found.pid,
			      doctor->found.started_at, doctor->found.version);
	else if (code != TENON_NOT_FOUND)
		tn_doctor_say(doctor, TN_HEALTH_FAIL, "daemon", restart_remedy, "%s", err.message);
	else if (doctor->has_paths && tn_discovery_peek(&doctor->paths, &left, NULL) == TENON_OK)
		tn_doctor_say(doctor, TN_HEALTH_WARN, "daemon",
			      "tenon up; what the killed one left is replaced",
			      "does not run, and was killed: its discovery file is still there");
	else
		tn_doctor_say(doctor, TN_HEALTH_NOTE, "daemon", NULL,
			      "does not run; tenon up, or the first call, starts it");
	if (code == TENON_OK && strcmp(doctor->found.version, TENON_VERSION) != 0)
		tn_doctor_say(doctor, TN_HEALTH_WARN, "version", "tenon down, then tenon up",
			      "the daemon is %s, this program %s", doctor->found.version,
			      TENON_VERSION);
}

static void check_health(struct tn_doctor *doctor)
{
	uint64_t start = tn_clock_now_ms(&tn_clock_system);
	struct tenon_error err = {0};
	unsigned status = 0;
	struct tn_buf body;

	tn_buf_init(&body, BODY_MAX);
	if (tn_probe_get(doctor->found.http_port, "/health", PATIENCE_MS, &status, &body, &err) !=
	    TENON_OK)
		tn_doctor_say(doctor, TN_HEALTH_FAIL, "/health", restart_remedy, "%s", err.message);
	else
		tn_doctor_say(doctor, status == 200 ? TN_HEALTH_OK : TN_HEALTH_FAIL, "/health",
			      restart_remedy, "answers %u in %llu ms on port %u", status,
			      (unsigned long long)(tn_clock_now_ms(&tn_clock_system) - start),
			      (unsigned)doctor->found.http_port);
	tn_buf_clear(&body);
	if (status == 200 && tn_probe_get(doctor->found.http_port, "/", PATIENCE_MS, &status, &body,
					  &err) == TENON_OK)
		tn_doctor_say(doctor,
			      status == 200 && tn_str_find(tn_buf_str(&body), TN_STR("<script")) !=
						       TN_STR_NONE
				      ? TN_HEALTH_OK
				      : TN_HEALTH_WARN,
			      "web page", "ui.enabled is off, or this build is without the page",
			      "answers %u", status);
	tn_buf_finish(&body);
}

/* Connects, lists the tools, and says how long that took. */
static bool check_mcp(struct tn_doctor *doctor, const char *name,
		      const struct tenon_client_options *options, const char *remedy)
{
	uint64_t start = tn_clock_now_ms(&tn_clock_system), connected;
	struct tenon_client *client = NULL;
	struct tenon_outcome outcome = {0};
	struct tenon_error err = {0};
	enum tenon_code code = tenon_client_create(options, &client, &err);

	if (code == TENON_OK)
		code = tenon_client_connect(client, &err);
	connected = tn_clock_now_ms(&tn_clock_system);
	if (code == TENON_OK) {
		code = tenon_request_wait(
			tenon_client_list(client, TENON_LIST_TOOLS, NULL, &outcome.err), &outcome);
		err = outcome.err;
	}
	if (code == TENON_OK)
		tn_doctor_say(doctor, TN_HEALTH_OK, name, NULL,
			      "MCP %s; connected in %llu ms, tools listed in %llu ms",
			      tenon_client_revision(client),
			      (unsigned long long)(connected - start),
			      (unsigned long long)(tn_clock_now_ms(&tn_clock_system) - connected));
	else
		tn_doctor_say(doctor, TN_HEALTH_FAIL, name, remedy, "%s", err.message);
	tenon_client_destroy(client);
	return code == TENON_OK;
}

static void drop_text(const char *text, size_t size, void *data)
{
	(void)text;
	(void)size;
	(void)data;
}

static void check_ways(struct tn_doctor *doctor)
{
	char url[320];
	struct tn_buf tenon;
	struct tenon_error err = {0};
	struct tenon_client_options options = {.name = "tenon doctor",
					       .version = TENON_VERSION,
					       .token = doctor->found.token,
					       .url = url,
					       .no_reconnect = true,
					       .connect_timeout_ms = PATIENCE_MS,
					       .request_timeout_ms = PATIENCE_MS,
					       .handlers = {.server_text = drop_text}};
	const char *command[] = {NULL, "mcp", NULL};

	(void)snprintf(url, sizeof(url), "ws://127.0.0.1:%u/ws",
		       (unsigned)doctor->found.bridge_port);
	if (!check_mcp(doctor, "bridge", &options, restart_remedy))
		return;
	(void)snprintf(url, sizeof(url), "%.250s/mcp", doctor->found.url);
	if (!doctor->is_off) /* then it is 503, as it should be */
		(void)check_mcp(doctor, "HTTP", &options,
				"is libcurl there? the relay and the command line do without");
	tn_buf_init(&tenon, 4096);
	if (tn_probe_beside("tenon", &tenon, &err) == TENON_OK) {
		tn_buf_append_byte(&tenon, '\0');
		command[0] = tenon.data;
		options.url = NULL;
		options.token = NULL;
		options.command = command;
		(void)check_mcp(doctor, "relay", &options,
				"tenon mcp is what AI hosts start: try it by hand");
	}
	tn_buf_finish(&tenon);
}

/* What the daemon says of itself; with the switch off it says nothing to us. */
static void read_status(struct tn_doctor *doctor)
{
	const struct tn_connect connect = {
		.no_start = true, .no_reconnect = true, .timeout_ms = PATIENCE_MS};
	struct tenon_client *client = NULL;
	struct tenon_error err = {0};
	enum tenon_code code = tn_cli_try_connect(&doctor->cli, &connect, &client, NULL, &err);

	if (code != TENON_OK)
		return; /* the check of the bridge says why */
	code = tn_status_read(client, "tenon://status", &doctor->arena, &doctor->status, &err);
	tenon_client_destroy(client);
	doctor->is_off = code == TENON_DENIED;
	if (doctor->is_off)
		tn_doctor_say(doctor, TN_HEALTH_WARN, "state",
			      "switch it on: on the page (tenon open), or with mcp.enabled",
			      "off: assistants and scripts are not served");
	else if (code != TENON_OK)
		tn_doctor_say(doctor, TN_HEALTH_WARN, "state", restart_remedy, "%s", err.message);
}

static void check_status(struct tn_doctor *doctor)
{
	const struct tn_json *state, *reason;
	int64_t wanted = 0;

	read_status(doctor);
	if (!doctor->status)
		return;
	state = tn_json_get(doctor->status, "state");
	reason = tn_json_get(doctor->status, "reason");
	if (tn_json_is(state, TN_JSON_STRING))
		tn_doctor_say(doctor,
			      tn_str_is(state->text, "error") ? TN_HEALTH_FAIL : TN_HEALTH_OK,
			      "state", restart_remedy, "%s%s%s", state->text.data,
			      tn_json_is(reason, TN_JSON_STRING) ? ": " : "",
			      tn_json_is(reason, TN_JSON_STRING) ? reason->text.data : "");
	if (tn_json_to_int(tn_json_get(tn_json_get(doctor->status, "http"), "wantedPort"),
			   &wanted) &&
	    wanted && wanted != doctor->found.http_port)
		tn_doctor_say(doctor, TN_HEALTH_WARN, "port",
			      "end what listens there, or set http.port; hosts that use the relay "
			      "are not affected",
			      "%lld was taken, so it listens on %u", (long long)wanted,
			      (unsigned)doctor->found.http_port);
	else
		tn_doctor_say(doctor, TN_HEALTH_OK, "port", NULL, "%u, as configured",
			      (unsigned)doctor->found.http_port);
}

void tn_doctor_check_daemon(struct tn_doctor *doctor)
{
	check_life(doctor);
	if (!doctor->is_running)
		return;
	check_health(doctor);
	check_status(doctor);
	check_ways(doctor);
}
