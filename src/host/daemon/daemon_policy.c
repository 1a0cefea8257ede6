/* The policy file, taken over by the daemon's server. */
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "host/daemon/internal.h"
#include "mcp/consent.h"
#include "store/file.h"

enum tenon_code tn_daemon_read_policy(struct tn_daemon *d, struct tenon_error *err)
{
	struct tn_buf text;
	enum tenon_code code;

	tn_buf_init(&text, TN_POLICY_BYTES_MAX);
	code = tn_file_read(d->policy_path, TN_FILE_REGULAR_ONLY, &text, err);
	tn_buf_append_byte(&text, '\0');
	if (code == TENON_OK)
		code = tn_buf_check(&text, err);
	if (code == TENON_OK)
		code = tn_consent_set_policy(d->server, text.data, err);
	else if (code == TENON_NOT_FOUND && !d->policy_named)
		code = tn_consent_set_policy(d->server, NULL, err);
	if (code != TENON_OK && strncmp(err->message, "policy.json", 11) != 0) {
		char message[TENON_ERROR_MESSAGE_MAX];

		(void)snprintf(message, sizeof(message), "%s", err->message);
		code = tn_fail(err, TENON_INVALID, "policy.json: %.230s", message);
	}
	(void)snprintf(d->policy_problem, sizeof(d->policy_problem), "%s",
		       code == TENON_OK ? "" : err->message);
	tn_buf_finish(&text);
	return code;
}
