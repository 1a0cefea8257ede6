#include "host/daemon/approvals.h"

#include "host/daemon/admin_app.h"
#include "host/limits.h"
#include "mcp/consent.h"

static void read_approvals(struct tenon_call *call, void *data)
{
	struct tn_buf text;

	(void)data;
	tn_buf_init(&text, TN_ADMIN_BYTES_MAX);
	tn_consent_write(call->server, &text);
	if (text.failed) {
		tenon_call_fail(call, text.starved ? "out of memory" : "too much to show");
	} else {
		tenon_call_add_resource_text(call, NULL, "application/json", text.data, text.size);
		tenon_call_finish(call);
	}
	tn_buf_finish(&text);
}

static const struct tenon_resource approvals = {
	.uri = "tenon://approvals",
	.name = "approvals",
	.title = "Approvals",
	.description = "What a person is asked to approve, and what was decided",
	.mime_type = "application/json",
	.size_bytes = -1,
	.read = read_approvals,
};

static const struct tenon_tool *const tools[] = {&tn_admin_tool_approve, NULL};
static const struct tenon_resource *const resources[] = {&approvals, NULL};

const struct tenon_app tn_approvals_app = {
	.name = "tenon",
	.argument_faults = TENON_FAULTS_ARE_TOOL_ERRORS,
	.tools = tools,
	.resources = resources,
};
