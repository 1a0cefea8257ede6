#include "cli/daemon/status_read.h"

#include <string.h>

enum tenon_code tn_status_read(struct tenon_client *client, const char *uri, struct tn_arena *arena,
			       const struct tn_json **ret, struct tenon_error *err)
{
	const struct tenon_request_options options = {.fresh = true};
	struct tenon_request *request = tenon_client_read(client, uri, &options, err);
	const struct tn_json *contents, *text;
	struct tenon_outcome outcome;
	struct tn_json *root;
	enum tenon_code code;

	if (!request)
		return err->code;
	if (tenon_request_wait(request, &outcome) != TENON_OK) {
		if (outcome.error_data && strstr(outcome.error_data, "\"SERVER_DISABLED\""))
			return tn_fail(err, TENON_DENIED, "%s", outcome.err.message);
		if (outcome.error_code) /* the server answers, and has no such resource */
			return tn_fail(err, TENON_NOT_FOUND, "%s", outcome.err.message);
		*err = outcome.err;
		return err->code ? err->code : TENON_SYSTEM;
	}
	code = tn_json_parse_copy(arena, tn_str(outcome.result, outcome.result_size), &root, err);
	if (code != TENON_OK)
		return code;
	contents = tn_json_get(root, "contents");
	text = tn_json_get(tn_json_is(contents, TN_JSON_ARRAY) ? contents->first : NULL, "text");
	if (!tn_json_is(text, TN_JSON_STRING))
		return tn_fail(err, TENON_INVALID, "%.100s is no text", uri);
	code = tn_json_parse_copy(arena, text->text, &root, err);
	*ret = root;
	return code;
}
