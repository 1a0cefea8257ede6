#include "client/http_reply.h"

#include "base/url.h"
#include "base/mem.h"
#include "client/limits.h"
#include "jsonrpc/json.h"
#include "jsonrpc/limits.h"

enum { METADATA_BYTES_MAX = 160 }; /* what fits a sentence */

enum tn_http_content tn_http_reply_content(const struct tn_http_head *head)
{
	struct tn_str type = tn_http_head_get(head, "Content-Type");
	size_t end = tn_str_find_byte(type, ';');

	type = tn_str_trim(tn_str(type.data, end == TN_STR_NONE ? type.size : end));
	if (tn_str_equal_nocase(type, TN_STR("application/json")))
		return TN_HTTP_CONTENT_JSON;
	return tn_str_equal_nocase(type, TN_STR("text/event-stream")) ? TN_HTTP_CONTENT_EVENTS
								      : TN_HTTP_CONTENT_OTHER;
}

/* The URL in `resource_metadata="URL"` (RFC 9728 section 5.1), or NULL data. */
static struct tn_str metadata_of(struct tn_str challenge)
{
	size_t at = tn_str_find(challenge, TN_STR("resource_metadata="));
	struct tn_str value;
	struct tn_url url;
	size_t end = 0;

	if (at == TN_STR_NONE)
		return tn_str(NULL, 0);
	value = tn_str_from_offset(challenge, at + sizeof("resource_metadata=") - 1);
	if (value.size && value.data[0] == '"')
		value = tn_str_from_offset(value, 1);
	while (end < value.size && value.data[end] != '"' && value.data[end] != ',' &&
	       value.data[end] != ' ')
		end++;
	value.size = end;
	if (value.size > METADATA_BYTES_MAX || !tn_url_parse(value, &url))
		return tn_str(NULL, 0);
	return value;
}

static void judge_401(const struct tn_http_head *head, struct tn_carrier_end *end)
{
	struct tn_str name, value, url = {0};
	size_t cursor = 0;

	while (!url.data && tn_http_head_next(head, &cursor, &name, &value)) {
		if (tn_str_equal_nocase(name, TN_STR("WWW-Authenticate")))
			url = metadata_of(value);
	}
	if (url.data)
		end->code = tn_fail(&end->err, TENON_DENIED,
				    "the server wants authorization (401); how is said at %.*s",
				    (int)url.size, url.data);
	else
		end->code = tn_fail(&end->err, TENON_DENIED,
				    "the server wants authorization (401): give a token");
}

void tn_http_reply_judge(const struct tn_http_head *head, bool in_session,
			 struct tn_carrier_end *end)
{
	end->status = head->status;
	end->retry_after_ms = head->retry_after_ms;
	switch (head->status) {
	case 401:
		judge_401(head, end);
		return;
	case 403:
		end->code = tn_fail(&end->err, TENON_DENIED, "the server refuses us (403)");
		return;
	case 429:
	case 503:
		end->code = tn_fail(&end->err, TENON_BUSY, "the server is busy (%u)", head->status);
		return;
	case 404:
		if (!in_session)
			break;
		end->session_lost = true;
		end->code = tn_fail(&end->err, TENON_EXPIRED,
				    "the server does not know our session any more (404)");
		return;
	default:
		break;
	}
	if (head->status >= 300 && head->status < 400)
		end->code = tn_fail(&end->err, TENON_INVALID,
				    "the server sends us elsewhere (%u), which is not followed",
				    head->status);
	else if (head->status >= 200 && head->status < 300)
		end->code = tn_fail(&end->err, TENON_INVALID,
				    "the server's reply (%u) is neither JSON nor an event stream",
				    head->status);
	else
		end->code = tn_fail(&end->err, TENON_INVALID, "the server replied with status %u",
				    head->status);
}

void tn_http_reply_failed(enum tenon_code code, const struct tenon_error *err,
			  struct tn_carrier_end *end)
{
	end->code = code;
	end->err = *err;
	if (code == TENON_EXPIRED)
		end->code = tn_fail(&end->err, TENON_SYSTEM, "no connection or no reply in time");
}

bool tn_http_reply_session(const struct tn_http_head *head, struct tn_str *ret)
{
	struct tn_str id = tn_http_head_get(head, "Mcp-Session-Id");

	if (id.size > TN_SESSION_ID_BYTES_MAX)
		return false;
	for (size_t i = 0; i < id.size; i++) {
		if (id.data[i] < 0x21 || id.data[i] > 0x7E)
			return false;
	}
	*ret = id.size ? id : tn_str(NULL, 0);
	return true;
}

/* Reads the keys of the outermost object only. */
static bool scan(struct tn_json_reader *reader)
{
	bool has_answer = false;

	if (tn_json_next(reader) != TN_JSON_TOKEN_OBJECT)
		return false;
	for (;;) {
		enum tn_json_token token = tn_json_next(reader);

		if (token == TN_JSON_TOKEN_OBJECT_END)
			return tn_json_next(reader) == TN_JSON_TOKEN_END && has_answer;
		if (token != TN_JSON_TOKEN_KEY || tn_str_is(reader->text, "method"))
			return false;
		if (tn_str_is(reader->text, "result") || tn_str_is(reader->text, "error"))
			has_answer = true;
		if (!tn_json_skip(reader))
			return false;
	}
}

bool tn_http_reply_is_response(struct tn_str json)
{
	/* The reader writes into its text. */
	char *copy = tn_mem_copy_text(json.data, json.size);
	struct tn_json_reader reader;
	bool ret;

	if (!copy)
		return false;
	tn_json_reader_init(&reader, copy, json.size, TN_JSON_DEPTH_MAX);
	ret = scan(&reader);
	tn_mem_free(copy);
	return ret;
}
