#include "cli/shared/connect.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/shared/here.h"
#include "transport/limits.h"

/* A daemon that ends answers what is in flight for two seconds first. */
enum { URL_SIZE = 320, END_WAIT_MS = 4000, POLL_MS = 20 };

/* ---- where ---- */

static bool from_environment(struct tn_discovery *ret, struct tenon_error *err)
{
	const char *port = getenv("TENON_BRIDGE_PORT");
	const char *token = getenv("TENON_BRIDGE_TOKEN");
	uint64_t number = 0;

	*ret = (struct tn_discovery){0};
	if (!port || !*port)
		return false;
	if (!tn_str_to_uint(tn_str_from(port), &number) || number == 0 || number > 65535)
		(void)tn_fail(err, TENON_INVALID, "TENON_BRIDGE_PORT: send 1 to 65535");
	else if (!token || !*token || strlen(token) >= sizeof(ret->token))
		(void)tn_fail(err, TENON_INVALID,
			      "TENON_BRIDGE_TOKEN: it goes with TENON_BRIDGE_PORT, and has at most "
			      "%zu characters",
			      sizeof(ret->token) - 1);
	ret->bridge_port = (uint16_t)number;
	if (token && strlen(token) < sizeof(ret->token))
		memcpy(ret->token, token, strlen(token) + 1);
	return true;
}

static enum tenon_code find(bool no_start, struct tn_discovery *ret, struct tenon_error *err)
{
	struct tn_runtime_paths paths;
	enum tenon_code code;

	err->code = TENON_OK;
	if (from_environment(ret, err))
		return err->code;
	if (!no_start)
		return tn_launch(false, ret, err);
	code = tn_runtime_find(&paths, false, err);
	return code == TENON_OK ? tn_discovery_read(&paths, ret, err) : code;
}

/* ---- connecting ---- */

static enum tenon_code open_client(const struct tn_cli *cli, const struct tn_connect *options,
				   const struct tn_discovery *found, struct tenon_client **ret,
				   struct tenon_error *err)
{
	char url[URL_SIZE], name[64];
	const char *headers[] = {NULL, NULL};
	const struct tenon_client_options client_options = {
		.name = name,
		.version = TENON_VERSION,
		.url = url,
		.token = options->token ? options->token : found->token,
		.headers = headers,
		.request_timeout_ms = options->timeout_ms,
		.request_total_ms = options->timeout_ms,
		.connect_timeout_ms = options->connect_timeout_ms,
		.no_reconnect = options->no_reconnect,
		.handlers = options->handlers,
	};
	struct tenon_client *client;
	struct tn_buf here;
	enum tenon_code code;

	(void)snprintf(name, sizeof(name), "tenon %s", cli->verb);
	if (options->url)
		(void)snprintf(url, sizeof(url), "%s", options->url);
	else
		(void)snprintf(url, sizeof(url), "ws://127.0.0.1:%u/ws%s%.200s",
			       (unsigned)found->bridge_port,
			       options->app        ? "/"
			       : options->everyday ? ""
						   : "?tools=all",
			       options->app ? options->app : "");
	tn_buf_init(&here, TN_HTTP_HEADER_MAX);
	if (tn_here_put(&here)) {
		tn_buf_append_byte(&here, '\0');
		headers[0] = here.failed ? NULL : here.data;
	}
	code = tenon_client_create(&client_options, &client, err);
	tn_buf_finish(&here);
	if (code != TENON_OK)
		return code;
	code = tenon_client_connect(client, err);
	if (code == TENON_OK)
		*ret = client;
	else
		tenon_client_destroy(client);
	return code;
}

static bool is_same(const struct tn_discovery *a, const struct tn_discovery *b)
{
	return a->bridge_port == b->bridge_port && strcmp(a->token, b->token) == 0;
}

/* The one that listens no more is about to end: the next one is started behind it. On success *ret
 * is another than `found`. Fails: BUSY (it is still the same), and as tn_launch. */
static enum tenon_code find_next(const struct tn_connect *options, const struct tn_discovery *found,
				 bool refused, struct tn_discovery *ret, struct tenon_error *err)
{
	bool may_wait = refused && !options->no_start && !getenv("TENON_BRIDGE_PORT");
	enum tenon_code code = find(options->no_start, ret, err);

	for (int waited = 0; may_wait && waited < END_WAIT_MS; waited += POLL_MS) {
		if (code != TENON_OK || !is_same(ret, found))
			return code;
		(void)poll(NULL, 0, POLL_MS);
		code = find(options->no_start, ret, err);
	}
	return code == TENON_OK && is_same(ret, found) ? TENON_BUSY : code;
}

enum tenon_code tn_cli_try_connect(const struct tn_cli *cli, const struct tn_connect *options,
				   struct tenon_client **ret_client, struct tn_discovery *ret_found,
				   struct tenon_error *err)
{
	struct tn_discovery found, again;
	enum tenon_code code;

	if (options->url)
		return open_client(cli, options, NULL, ret_client, err);
	code = find(options->no_start, &found, err);
	if (code != TENON_OK)
		return code;
	code = open_client(cli, options, &found, ret_client, err);
	/* Between the file and the connection the token may have changed, or the daemon. */
	if (code == TENON_DENIED || code == TENON_SYSTEM) {
		struct tenon_error why = {0};
		enum tenon_code next =
			find_next(options, &found, code == TENON_SYSTEM, &again, &why);

		if (next == TENON_OK) {
			found = again;
			code = open_client(cli, options, &found, ret_client, err);
		} else if (next != TENON_BUSY) {
			*err = why;
			code = next;
		}
	}
	if (code == TENON_DENIED)
		code = tn_fail(err, TENON_DENIED, "the daemon refuses our token");
	if (ret_found)
		*ret_found = found;
	return code;
}

int tn_cli_connect(const struct tn_cli *cli, const struct tn_connect *options,
		   struct tenon_client **ret_client, struct tn_discovery *ret_found)
{
	struct tenon_error err = {0};

	switch (tn_cli_try_connect(cli, options, ret_client, ret_found, &err)) {
	case TENON_OK:
		return TN_EXIT_OK;
	case TENON_DENIED:
		return tn_cli_fail(cli, TN_EXIT_AUTH, "UNAUTHORIZED", false, "%s", err.message);
	case TENON_NOT_FOUND:
		if (options->no_start)
			return tn_cli_fail(cli, TN_EXIT_UNREACHABLE, "NOT_RUNNING", true,
					   "the daemon is not running; tenon up starts it");
		return tn_cli_fail(cli, TN_EXIT_UNREACHABLE, "SERVER_UNREACHABLE", true, "%s",
				   err.message);
	case TENON_LIMIT:
		return tn_cli_fail(cli, TN_EXIT_UNREACHABLE, "SERVER_FAILED", false, "%s",
				   err.message);
	case TENON_INVALID:
		return tn_cli_fail(cli, TN_EXIT_UNREACHABLE, "SERVER_FAILED", false, "%s",
				   err.message);
	default:
		return tn_cli_fail(cli, TN_EXIT_UNREACHABLE, "SERVER_UNREACHABLE", true,
				   "the daemon cannot be reached: %s", err.message);
	}
}

int tn_cli_fail_outcome(const struct tn_cli *cli, const struct tenon_outcome *outcome)
{
	const char *message = outcome->err.message;

	if (outcome->error_data && strstr(outcome->error_data, "\"SERVER_DISABLED\""))
		return tn_cli_fail(cli, TN_EXIT_TOOL, "SERVER_DISABLED", true, "%s", message);
	if (outcome->error_code)
		return tn_cli_fail(cli, TN_EXIT_TOOL, "SERVER_ERROR", false, "%s (%lld)", message,
				   (long long)outcome->error_code);
	switch (outcome->code) {
	case TENON_CANCELLED:
		return tn_cli_fail(cli, TN_EXIT_INTERRUPTED, "CANCELLED", true, "interrupted");
	case TENON_EXPIRED:
		return tn_cli_fail(cli, TN_EXIT_UNREACHABLE, "TIMEOUT", true,
				   "no answer in time: %s", message);
	case TENON_SYSTEM:
	case TENON_BUSY:
		return tn_cli_fail(cli, TN_EXIT_UNREACHABLE, "BRIDGE_DISCONNECTED", true, "%s",
				   message);
	case TENON_DENIED:
		return tn_cli_fail(cli, TN_EXIT_AUTH, "UNAUTHORIZED", false, "%s", message);
	default:
		return tn_cli_fail_error(cli, TN_EXIT_TOOL, NULL, &outcome->err);
	}
}

int tn_cli_fail_resource(const struct tn_cli *cli, const char *uri,
			 const struct tenon_outcome *outcome)
{
	struct tenon_outcome told = *outcome;

	if (outcome->error_code)
		(void)tn_fail(&told.err, outcome->err.code, "%.120s: %.120s", uri,
			      outcome->err.message);
	return tn_cli_fail_outcome(cli, &told);
}
