/* change_policy: a new consent policy, in force at once and in policy.json. */
#include <stdlib.h>

#include "base/mem.h"
#include "host/daemon/admin_app.h"
#include "host/daemon/internal.h"
#include "mcp/consent.h"
#include "mcp/fit.h"
#include "store/file.h"

/* A file is being written. It owns what the worker needs: the call may be long gone. */
struct writing {
	struct tn_admin *admin;
	char path[PATH_MAX];
	char *text;
	enum tenon_code code;
	struct tenon_error err;
};

static void free_writing(void *data)
{
	struct writing *writing = data;

	tn_mem_free(writing->text);
	tn_mem_free(writing);
}

static void write_work(const struct tenon_call *call, void *data)
{
	struct writing *writing = data;

	(void)call;
	writing->code =
		tn_file_write(writing->path, 0600, tn_str_from(writing->text), &writing->err);
}

/* What the file says holds again. */
static void fall_back(struct tn_admin *admin)
{
	struct tenon_error err;

	if (admin->watching && tn_daemon_read_policy(admin->daemon, &err) != TENON_OK)
		tn_log(TN_LOG_ERROR, "consent", "%s", err.message);
}

static void write_done(struct tenon_call *call, void *data)
{
	struct writing *writing = data;
	struct tn_daemon *daemon = writing->admin->daemon;
	struct tn_buf out;

	writing->admin->writing_policy = false;
	if (writing->code != TENON_OK) {
		fall_back(writing->admin);
		tenon_call_fail(call, "the policy could not be written: %s", writing->err.message);
		return;
	}
	/* A SIGHUP meanwhile has taken over what the file said before. */
	if (writing->admin->watching &&
	    tn_consent_set_policy(writing->admin->server, writing->text, &writing->err) != TENON_OK)
		tn_log(TN_LOG_ERROR, "consent", "%s", writing->err.message);
	daemon->policy_problem[0] = '\0';
	tn_admin_mark(writing->admin, TN_ADMIN_POLICY);
	tn_buf_init(&out, 8 * PATH_MAX);
	tn_json_begin_object(&out);
	tn_json_put_member_text(&out, "path", writing->path);
	tn_json_end_object(&out);
	tn_call_put_structured(call, &out);
	tenon_call_reply_text(call, "The policy is in force.");
	tn_buf_finish(&out);
}

static void change(struct tenon_call *call, void *data)
{
	struct tn_admin *admin = data;
	const char *text = tenon_call_text(call, "text");
	struct writing *writing;
	struct tenon_error err;

	if (admin->writing_policy) {
		tenon_call_fail(call, "another change of the policy is being written; read the "
				      "policy, and try again");
		return;
	}
	writing = tn_mem_alloc(sizeof(*writing));
	if (!writing) {
		tenon_call_fail(call, "out of memory");
		return;
	}
	tenon_call_set_data(call, writing, free_writing);
	writing->admin = admin;
	/* A symbolic link stays one: what it points to is replaced. */
	if (!realpath(admin->daemon->policy_path, writing->path))
		memcpy(writing->path, admin->daemon->policy_path, sizeof(writing->path));
	writing->text = tn_mem_copy_text(text, strlen(text));
	if (!writing->text) {
		tenon_call_fail(call, "out of memory");
		return;
	}
	if (tn_consent_set_policy(admin->server, text, &err) != TENON_OK) {
		tenon_call_fail(call, "%s", err.message);
		return;
	}
	tenon_call_work(call, write_work, write_done, writing);
	admin->writing_policy = call->job != NULL;
	if (!call->job) /* it has failed */
		fall_back(admin);
}

/* A policy can allow whatever is asked about. */
void tn_admin_call_policy(struct tenon_call *call, void *data)
{
	struct tn_admin *admin = data;

	if (!admin->server->consent)
		tenon_call_fail(call, "there is no policy here");
	else
		tn_admin_prove(call, admin, "Change the policy that says what you are asked about",
			       tenon_call_text(call, "text"), change);
}
