/* Who started something that changes infrastructure is told of (ST-082): on the desktop, and as a
 * line in the client's log and in ours. Pages hear of the run itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/studio/run/run_process.h"
#include "apps/studio/mcp/tool_run.h"
#include "base/mem.h"
#include "mcp/call.h"
#include "mcp/server.h"

enum { NOTIFY_MS = 5000 };

struct notice {
	struct tn_studio_capture *capture;
};

static void told(enum tenon_code code, int exit_code, struct tn_str out, void *data)
{
	struct notice *notice = data;

	(void)code;
	(void)exit_code;
	(void)out;
	tn_studio_capture_free(notice->capture);
	tn_mem_free(notice);
}

/* Notifications know a little markup: names are not to be it. */
static void put_plain(struct tn_buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '&')
			tn_buf_append_text(out, "&amp;");
		else if (*text == '<')
			tn_buf_append_text(out, "&lt;");
		else if (*text == '>')
			tn_buf_append_text(out, "&gt;");
		else if ((unsigned char)*text >= 0x20)
			tn_buf_append_byte(out, *text);
	}
}

static bool has_session_bus(void)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	char path[4096];

	if (getenv("DBUS_SESSION_BUS_ADDRESS"))
		return true;
	return runtime && snprintf(path, sizeof(path), "%s/bus", runtime) < (int)sizeof(path) &&
	       access(path, F_OK) == 0;
}

/* The desktop's own program; where there is none, nobody is told there. */
static void notify(struct tn_studio_door *door, const char *title, const char *body)
{
	const char *argv[] = {"notify-send", "--app-name=Tenon", "--", title, body, NULL};
	struct notice *notice = tn_mem_alloc(sizeof(*notice));
	const struct tn_studio_capture_options options = {
		.loop = door->server->loop,
		.argv = argv,
		.env = (const char *const *)(uintptr_t)environ,
		.directory = "/",
		.bytes_max = 64 * TN_KIB,
		.timeout_ms = NOTIFY_MS,
		.done = told,
		.data = notice};

	if (notice && tn_studio_capture_start(&options, &notice->capture, NULL) != TENON_OK)
		tn_mem_free(notice);
}

void tn_studio_say_destructive(struct tenon_call *call, struct tn_studio_door *door,
			       const struct tn_studio_project *project,
			       enum tn_studio_command command)
{
	struct tn_buf body;
	char title[64];

	tn_buf_init(&body, 16 * TN_KIB);
	(void)snprintf(title, sizeof(title), "Terraform %s", tn_studio_command_name(command));
	put_plain(&body, tenon_call_client_name(call));
	tn_buf_format(&body, " has started %s in the project ", tn_studio_command_name(command));
	put_plain(&body, project->name);
	tn_buf_append_byte(&body, '\0');
	if (!body.failed) {
		tenon_call_log(call, TENON_LOG_NOTICE, "studio", body.data);
		if (door->server->report)
			door->server->report("studio", body.data, door->server->report_data);
		if (tn_settings_bool(&door->settings, "studio.notifications.destructive") &&
		    has_session_bus())
			notify(door, title, body.data);
	}
	tn_buf_finish(&body);
}
