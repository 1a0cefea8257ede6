/* tenon://settings, tenon://policy, tenon://hosts: what a person sets up. */
#include <stdio.h>

#include "base/mem.h"
#include "base/limits.h"
#include "host/daemon/admin_app.h"
#include "host/limits.h"
#include "host/settings/hosts.h"
#include "mcp/consent.h"
#include "store/file.h"

void tn_admin_write_settings(struct tn_admin *admin, struct tn_buf *out)
{
	if (admin->daemon->config) {
		tn_config_write(admin->daemon->config, out);
		return;
	}
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "path", "");
	tn_json_put_member_raw(out, "settings", TN_STR("[]"));
	tn_json_end_object(out);
}

void tn_admin_write_hosts(struct tn_admin *admin, struct tn_buf *out)
{
	char command[PATH_MAX];
	struct tenon_error err;
	enum tenon_code code = tn_hosts_command(command, &err);
	const char *url = admin->daemon->found.url[0] ? admin->daemon->found.url : TN_HOST_URL;
	bool known = code == TENON_OK;

	if (known)
		code = tn_hosts_write(command, url, true, out, &err);
	if (code == TENON_OK)
		return;
	/* A file in hosts.d that is wrong: the log says so, and the other hosts are there. */
	tn_log(TN_LOG_WARNING, "hosts", "%s", err.message);
	tn_buf_clear(out);
	if (known && tn_hosts_write(command, url, false, out, &err) == TENON_OK)
		return;
	tn_buf_clear(out);
	tn_buf_append_str(out, TN_STR("{\"hosts\":[]}"));
}

/* ---- the policy: a file, so a worker reads it ---- */

struct reading {
	char path[PATH_MAX], problem[256];
	struct tn_buf text;
	enum tenon_code code;
	struct tenon_error err;
};

static void free_reading(void *data)
{
	struct reading *reading = data;

	tn_buf_finish(&reading->text);
	tn_mem_free(reading);
}

static void read_work(const struct tenon_call *call, void *data)
{
	struct reading *reading = data;

	(void)call;
	reading->code =
		tn_file_read(reading->path, TN_FILE_REGULAR_ONLY, &reading->text, &reading->err);
}

static void read_done(struct tenon_call *call, void *data)
{
	const struct reading *reading = data;
	const char *problem = reading->problem;
	struct tn_buf out;

	/* Without a file the built-in policy holds: that is no problem. */
	if (!problem[0] && reading->code != TENON_OK && reading->code != TENON_NOT_FOUND)
		problem = reading->err.message;
	tn_buf_init(&out, TN_ADMIN_BYTES_MAX);
	tn_json_begin_object(&out);
	tn_json_put_member_text(&out, "path", reading->path);
	tn_json_put_member_str(&out, "text",
			       reading->code == TENON_OK && reading->text.size
				       ? tn_buf_str(&reading->text)
				       : tn_str("", 0));
	tn_json_put_member_text(&out, "problem", problem[0] ? problem : NULL);
	tn_json_end_object(&out);
	if (out.failed) {
		tenon_call_fail(call, "out of memory");
	} else {
		tenon_call_add_resource_text(call, NULL, "application/json", out.data, out.size);
		tenon_call_finish(call);
	}
	tn_buf_finish(&out);
}

void tn_admin_read_policy(struct tenon_call *call, void *data)
{
	const struct tn_daemon *daemon = ((struct tn_admin *)data)->daemon;
	struct reading *reading = tn_mem_alloc(sizeof(*reading));

	if (!reading) {
		tenon_call_fail(call, "out of memory");
		return;
	}
	memcpy(reading->path, daemon->policy_path, sizeof(reading->path));
	memcpy(reading->problem, daemon->policy_problem, sizeof(reading->problem));
	if (!reading->problem[0] && tn_consent_environment(daemon->server))
		(void)snprintf(reading->problem, sizeof(reading->problem),
			       "The daemon was started with TENON_CONSENT=%s: no person is asked, "
			       "whatever stands here.",
			       tn_consent_environment(daemon->server));
	tn_buf_init(&reading->text, TN_POLICY_BYTES_MAX);
	tenon_call_set_data(call, reading, free_reading);
	tenon_call_work(call, read_work, read_done, reading);
}
