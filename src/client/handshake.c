/* From a connection to a conversation: the era (mcp.md section 6.3), and who both are. */
#include <stdio.h>

#include "base/utf8.h"
#include "client/question.h"
#include "client/request.h"
#include "client/wire.h"

/* ---- ready ---- */

static void get_ready(struct tenon_client *client)
{
	const struct tenon_client_handlers *handlers = &client->options.handlers;
	bool is_again = client->was_ready;

	client->phase = TN_CLIENT_READY;
	client->was_ready = true;
	client->attempts_in_row = 0;
	tn_tools_clear(client);
	tn_cache_drop(client, tn_str("", 0));
	tn_watch_begin(client);
	tn_request_resume_all(client);
	tn_client_turn(client); /* says so */
	if (is_again && handlers->changed)
		handlers->changed(TENON_CHANGED_ALL, NULL, handlers->data);
}

/* ---- initialize (mcp.md section 7) ---- */

static void begin_initialize(struct tenon_client *client);

static void greet(struct tenon_client *client)
{
	struct tenon_error err;

	if (tn_wire_notify(client, TN_STR("notifications/initialized"), tn_str(NULL, 0), &err) !=
	    TENON_OK) {
		tn_connect_fail(client, &err);
		return;
	}
	if (client->carrier->ops->open_feed)
		client->carrier->ops->open_feed(client->carrier, client->revision);
	get_ready(client);
}

static void take_initialized(struct tenon_client *client, const struct tn_json *result)
{
	const struct tenon_client_options *own = &client->options;
	enum tn_revision revision;
	struct tn_str version;
	struct tenon_error err, told;

	if (!tn_json_to_str(tn_json_get(result, "protocolVersion"), &version))
		version = TN_STR("none");
	revision = tn_revision_find(version);
	if (revision < TN_R1 || revision > TN_R4 ||
	    (own->revision && !tn_str_is(version, own->revision))) { /* MCP-056 */
		tn_sentence_clean(version.data, &told);
		version = tn_utf8_cut(tn_str_from(told.message), 40);
		(void)tn_fail(&err, TENON_INVALID,
			      "no revision in common: the server speaks %.*s, we %s",
			      (int)version.size, version.data,
			      own->revision ? own->revision : "2024-11-05 to 2025-11-25");
		tn_connect_fail(client, &err);
		return;
	}
	client->revision = revision;
	if (tn_about_read(&client->about, result, &err) != TENON_OK)
		tn_connect_fail(client, &err);
	else
		greet(client);
}

static void begin_probe(struct tenon_client *client);

/* A server that is slow to start has not said what it speaks: that it does not know `initialize`
 * says it. */
static bool is_modern_after_all(struct tenon_client *client, const struct tn_answer *answer)
{
	if (!answer->error_code || !client->probe_was_silent || client->probed_again)
		return false;
	client->probed_again = true;
	client->is_legacy = false;
	return true;
}

static void initialized(void *data, const struct tn_answer *answer)
{
	struct tenon_client *client = data;
	unsigned status = answer->status;
	struct tenon_error err = answer->err;

	client->handshake = NULL;
	if (answer->code == TENON_OK) {
		take_initialized(client, answer->result);
		return;
	}
	if (answer->is_lost)
		return; /* tn_connect_lost has seen to it */
	if (is_modern_after_all(client, answer)) {
		begin_probe(client);
		return;
	}
	if (answer->error_code)
		(void)tn_fail(&err, TENON_INVALID, "the server refused initialize (%lld): %.150s",
			      (long long)answer->error_code, answer->err.message);
	/* MCP-060: the last rung. */
	if (client->carrier->kind == TN_CARRIER_HTTP &&
	    (status == 400 || status == 404 || status == 405) && !client->was_ready) {
		client->use_sse = true;
		client->is_legacy = true;
		client->phase = TN_CLIENT_OPENING;
		tn_connect_errand(client, TN_ERRAND_OPEN, &err);
	} else if (client->was_ready) {
		if (answer->error_code) /* MCP-062: the verdict may be wrong by now */
			client->is_legacy = false;
		tn_connect_lost(client, &err);
	} else {
		tn_connect_fail(client, &err);
	}
}

static void begin_initialize(struct tenon_client *client)
{
	const struct tenon_client_options *own = &client->options;
	enum tn_revision revision =
		own->revision ? tn_revision_find(tn_str_from(own->revision)) : TN_R4;
	struct tn_wire_options options = {.timeout_ms = own->request_timeout_ms, .is_plain = true};
	struct tn_wire *wire;
	struct tenon_error err;

	client->phase = TN_CLIENT_INITIALIZING;
	client->revision = TN_REVISION_NONE;
	wire = tn_wire_begin(client, TN_STR("initialize"), initialized, client);
	if (!wire) {
		(void)tn_fail(&err, TENON_NO_MEMORY, "out of memory");
		tn_connect_fail(client, &err);
		return;
	}
	tn_json_put_member_str(&wire->body, "protocolVersion", tn_revision_name(revision));
	tn_json_put_key(&wire->body, "capabilities");
	tn_capabilities_write(client, revision, &wire->body);
	tn_json_put_key(&wire->body, "clientInfo");
	tn_implementation_write(client, revision, &wire->body);
	client->handshake = wire;
	if (tn_wire_send(wire, &options, &err) != TENON_OK) {
		client->handshake = NULL;
		tn_connect_fail(client, &err);
	}
}

/* ---- server/discover (MCP-059, MCP-060) ---- */

struct versions {
	bool modern, legacy; /* one that we speak */
	char text[96];       /* as the server says them, for people */
};

static void read_versions(const struct tn_json *list, struct versions *ret)
{
	size_t used = 0;

	*ret = (struct versions){.text = "none"};
	if (!tn_json_is(list, TN_JSON_ARRAY))
		return;
	for (const struct tn_json *v = list->first; v; v = v->next) {
		enum tn_revision revision;
		struct tn_str text;

		if (!tn_json_to_str(v, &text))
			continue;
		revision = tn_revision_find(text);
		ret->modern |= revision == TN_R5;
		ret->legacy |= revision >= TN_R1 && revision <= TN_R4;
		if (text.size <= 20 && used + text.size + 3 < sizeof(ret->text))
			used += (size_t)snprintf(ret->text + used, sizeof(ret->text) - used,
						 "%s%.*s", used ? ", " : "", (int)text.size,
						 text.data);
	}
}

static void fail_versions(struct tenon_client *client, const struct versions *versions)
{
	struct tenon_error err;

	(void)tn_fail(&err, TENON_INVALID, "no revision in common: the server speaks %s, we %s",
		      versions->text,
		      tn_connect_may_fall_back(client) ? "2024-11-05 to 2026-07-28" : "2026-07-28");
	tn_connect_fail(client, &err);
}

static void choose(struct tenon_client *client, const struct versions *versions, bool was_refused)
{
	if (versions->modern && was_refused && !client->probed_again) {
		client->probed_again = true;
		begin_probe(client);
	} else if (versions->legacy && tn_connect_may_fall_back(client)) {
		client->is_legacy = true;
		begin_initialize(client);
	} else {
		fail_versions(client, versions);
	}
}

static void take_discovered(struct tenon_client *client, const struct tn_json *result)
{
	struct versions versions;
	struct tenon_error err;

	read_versions(tn_json_get(result, "supportedVersions"), &versions);
	if (!versions.modern)
		choose(client, &versions, false);
	else if (tn_about_read(&client->about, result, &err) != TENON_OK)
		tn_connect_fail(client, &err);
	else
		get_ready(client);
}

/* MCP-061: these say nothing about the era. */
static bool is_no_evidence(const struct tenon_client *client, const struct tn_answer *answer)
{
	if (answer->code == TENON_NO_MEMORY)
		return true;
	if (client->carrier->kind != TN_CARRIER_HTTP)
		return false;
	if (answer->error_code == -32020 || answer->error_code == -32021)
		return true;
	return answer->code == TENON_EXPIRED || answer->code == TENON_DENIED ||
	       answer->code == TENON_BUSY || answer->code == TENON_SYSTEM ||
	       answer->code == TENON_LIMIT || answer->status >= 500;
}

static void discovered(void *data, const struct tn_answer *answer)
{
	struct tenon_client *client = data;
	struct tenon_error err = answer->err;
	struct versions versions;

	client->handshake = NULL;
	if (answer->is_lost)
		return; /* tn_connect_lost has seen to it */
	if (answer->code == TENON_OK) {
		take_discovered(client, answer->result);
	} else if (answer->error_code == -32022) {
		read_versions(tn_json_get(answer->error_data, "supported"), &versions);
		choose(client, &versions, true);
	} else if (is_no_evidence(client, answer) || !tn_connect_may_fall_back(client)) {
		if (answer->error_code)
			(void)tn_fail(&err, TENON_INVALID,
				      "the server does not speak 2026-07-28 (%lld): %.150s",
				      (long long)answer->error_code, answer->err.message);
		if (client->was_ready)
			tn_connect_lost(client, &err);
		else
			tn_connect_fail(client, &err);
	} else {
		client->probe_was_silent = answer->code == TENON_EXPIRED;
		client->is_legacy = true;
		begin_initialize(client);
	}
}

static void begin_probe(struct tenon_client *client)
{
	const struct tenon_client_options *own = &client->options;
	bool is_patient = client->carrier->kind == TN_CARRIER_HTTP ||
			  !tn_connect_may_fall_back(client) || client->probe_was_silent;
	struct tn_wire_options options = {.timeout_ms = is_patient ? own->connect_timeout_ms
								   : own->probe_timeout_ms};
	struct tn_wire *wire;
	struct tenon_error err;

	client->phase = TN_CLIENT_PROBING;
	client->revision = TN_R5;
	wire = tn_wire_begin(client, TN_STR("server/discover"), discovered, client);
	client->handshake = wire;
	if (!wire) {
		(void)tn_fail(&err, TENON_NO_MEMORY, "out of memory");
		tn_connect_fail(client, &err);
	} else if (tn_wire_send(wire, &options, &err) != TENON_OK) {
		client->handshake = NULL;
		tn_connect_fail(client, &err);
	}
}

static bool is_legacy_wanted(const struct tenon_client *client)
{
	const char *revision = client->options.revision;

	return client->is_legacy || client->options.mode == TENON_MODE_LEGACY ||
	       (revision && tn_revision_find(tn_str_from(revision)) != TN_R5);
}

void tn_connect_ready(void *data)
{
	struct tenon_client *client = data;

	if (client->phase != TN_CLIENT_OPENING)
		return;
	client->probed_again = false;
	client->probe_was_silent = false;
	if (is_legacy_wanted(client))
		begin_initialize(client);
	else
		begin_probe(client);
}
