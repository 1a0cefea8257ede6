/* tenon://clients: who is connected, and who called without a connection of its own. */
#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/size.h"
#include "base/utf8.h"
#include "host/daemon/admin_app.h"
#include "host/limits.h"
#include "host/record/metrics.h"

static void keep(char *out, size_t size, struct tn_str text)
{
	text = tn_utf8_cut(text, size - 1);
	memcpy(out, text.data ? text.data : "", text.size);
	out[text.size] = '\0';
}

/* ---- connections ---- */

static struct tn_str key_of(const uint64_t *number)
{
	return tn_str((const char *)number, sizeof(*number));
}

void tn_admin_clients_came(struct tn_admin *admin, const struct tn_peer *peer)
{
	struct tn_admin_client *client;

	if (peer->kind == TN_PEER_HTTP_REQUEST)
		return; /* its callers are told apart by what they say */
	client = tn_mem_alloc(sizeof(*client));
	if (!client)
		return; /* it is shown without what it says in its calls */
	client->number = peer->number;
	client->peer = peer;
	if (tn_map_put(&admin->clients, key_of(&client->number), client, NULL) != TENON_OK)
		tn_mem_free(client);
}

void tn_admin_clients_went(struct tn_admin *admin, const struct tn_peer *peer)
{
	tn_mem_free(tn_map_remove(&admin->clients, key_of(&peer->number)));
	for (size_t i = 0; i < TN_COUNT(admin->callers); i++) {
		if (admin->callers[i].peer == peer)
			admin->callers[i].peer = NULL; /* its token counts no more */
	}
}

void tn_admin_clients_finish(struct tn_admin *admin)
{
	size_t cursor = 0;
	struct tn_str key;
	void *client;

	while (tn_map_next(&admin->clients, &cursor, &key, &client))
		tn_mem_free(client);
	tn_map_finish(&admin->clients);
}

/* ---- callers of stateless HTTP ---- */

static bool is_live(const struct tn_admin *admin, const struct tn_admin_client *caller)
{
	uint64_t now = (uint64_t)tn_clock_wall_ms(admin->server->clock);

	return caller->number && caller->peer && now < caller->last_wall_ms + TN_ADMIN_CALLER_MS;
}

static struct tn_admin_client *find_caller(struct tn_admin *admin, const struct tn_peer *peer,
					   struct tn_str name)
{
	struct tn_admin_client *oldest = &admin->callers[0];

	name = tn_utf8_cut(name, sizeof(oldest->name) - 1);
	for (size_t i = 0; i < TN_COUNT(admin->callers); i++) {
		struct tn_admin_client *caller = &admin->callers[i];

		if (caller->peer == peer && is_live(admin, caller) && tn_str_is(name, caller->name))
			return caller;
		if (caller->last_wall_ms < oldest->last_wall_ms)
			oldest = caller;
	}
	*oldest = (struct tn_admin_client){.number = ++admin->caller_numbers,
					   .peer = peer,
					   .person = peer->person,
					   .first_wall_ms = peer->last_call_wall_ms};
	keep(oldest->name, sizeof(oldest->name), name);
	return oldest;
}

/* ---- calls ---- */

static void take_version(struct tn_admin_client *client, const struct tn_json *meta)
{
	const struct tn_json *info = tn_json_get(meta, "io.modelcontextprotocol/clientInfo");
	struct tn_str version;

	if (tn_json_to_str(tn_json_get(info, "version"), &version))
		keep(client->version, sizeof(client->version), version);
}

void tn_admin_clients_called(struct tn_admin *admin, const struct tn_call_record *record)
{
	const struct tenon_call *call = record->call;
	const struct tn_peer *peer = call->peer;
	struct tn_admin_client *client;

	if (peer == &admin->server->orphanage)
		return;
	client = peer->kind == TN_PEER_HTTP_REQUEST
			 ? find_caller(admin, peer, record->client)
			 : tn_map_get(&admin->clients, key_of(&peer->number));
	if (!client)
		return;
	client->calls++;
	client->last_wall_ms = peer->last_call_wall_ms;
	if (call->revision != TN_REVISION_NONE)
		client->revision = call->revision;
	client->fit = call->fit;
	if (call->revision == TN_R5) {
		keep(client->name, sizeof(client->name), record->client);
		take_version(client, call->meta);
	}
	if (!tn_metrics_is_quiet(record))
		keep(client->last_call, sizeof(client->last_call),
		     record->name.data ? record->name : record->method);
}

/* ---- the list ---- */

static void put_apps(const struct tn_admin *admin, uint32_t apps, struct tn_buf *out)
{
	tn_json_put_key(out, "apps");
	if (!(apps & TN_APPS_BITS)) {
		tn_json_put_null(out);
		return;
	}
	tn_json_begin_array(out);
	for (const struct tn_app_slot *slot = admin->server->apps; slot; slot = slot->next) {
		if (apps & slot->bit)
			tn_json_put_text(out, slot->app->name);
	}
	tn_json_end_array(out);
}

/* What both kinds have. `name` and `version` may be empty. */
struct shown {
	char id[32];
	const char *name, *version, *transport, *last_call;
	enum tn_revision revision;
	bool person;
	uint32_t apps;
	int64_t process;
	uint64_t connected, last, calls, in_flight;
	struct tn_fit_choice fit;
};

static void put_shown(const struct tn_admin *admin, const struct shown *shown, struct tn_buf *out)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "id", shown->id);
	tn_json_put_member_text(out, "name", shown->name);
	tn_json_put_member_text(out, "version", shown->version[0] ? shown->version : NULL);
	tn_json_put_member_text(out, "transport", shown->transport);
	if (shown->revision == TN_REVISION_NONE)
		tn_json_put_member_null(out, "revision");
	else
		tn_json_put_member_str(out, "revision", tn_revision_name(shown->revision));
	tn_json_put_member_bool(out, "person", shown->person);
	put_apps(admin, shown->apps, out);
	tn_json_put_member_text(out, "fit", tn_fit_name(shown->fit.fit));
	tn_json_put_member_text(out, "fitBy", shown->fit.by);
	if (shown->process)
		tn_json_put_member_int(out, "pid", shown->process);
	else
		tn_json_put_member_null(out, "pid");
	tn_admin_put_time(out, "connectedAt", shown->connected);
	tn_admin_put_time(out, "lastCallAt", shown->last);
	tn_json_put_member_text(out, "lastCall", shown->last_call[0] ? shown->last_call : NULL);
	tn_json_put_member_int(out, "calls", (int64_t)shown->calls);
	tn_json_put_member_int(out, "inFlight", (int64_t)shown->in_flight);
	tn_json_end_object(out);
}

static void put_peer(const struct tn_admin *admin, const struct tn_peer *peer, struct tn_buf *out)
{
	static const struct tn_admin_client silent; /* one that could not be remembered */
	const struct tn_admin_client *said = tn_map_get(&admin->clients, key_of(&peer->number));
	bool legacy = peer->revision != TN_REVISION_NONE;
	struct shown shown = {
		.transport = tn_metrics_way(peer),
		.person = peer->person,
		.apps = peer->apps,
		.process = peer->process,
		.connected = peer->created_wall_ms,
		.last = peer->last_call_wall_ms,
		.calls = peer->call_total,
		.in_flight = peer->call_count,
	};

	said = said ? said : &silent;
	shown.name = legacy && peer->client_name[0] ? peer->client_name : said->name;
	shown.version = legacy && peer->client_name[0] ? peer->client_version : said->version;
	shown.revision = legacy ? peer->revision : said->revision;
	shown.last_call = said->last_call;
	shown.fit = legacy || !said->fit.by ? tn_fit_of_peer(peer) : said->fit;
	(void)snprintf(shown.id, sizeof(shown.id), "c%" PRIu64, peer->number);
	put_shown(admin, &shown, out);
}

static uint64_t calls_of(const struct tn_admin_client *caller)
{
	uint64_t count = 0;

	for (const struct tenon_call *call = caller->peer->calls; call; call = call->next)
		count += call->client_name && strcmp(call->client_name, caller->name) == 0;
	return count;
}

static void put_caller(const struct tn_admin *admin, const struct tn_admin_client *caller,
		       struct tn_buf *out)
{
	struct shown shown = {
		.name = caller->name,
		.version = caller->version,
		.transport = "http",
		.revision = caller->revision,
		.person = caller->person,
		.apps = caller->peer->apps,
		.connected = caller->first_wall_ms,
		.last = caller->last_wall_ms,
		.last_call = caller->last_call,
		.calls = caller->calls,
		.in_flight = calls_of(caller),
		.fit = caller->fit,
	};

	(void)snprintf(shown.id, sizeof(shown.id), "h%" PRIu64, caller->number);
	put_shown(admin, &shown, out);
}

size_t tn_admin_clients_count(const struct tn_admin *admin)
{
	size_t count = 0;

	for (const struct tn_peer *peer = admin->server->peers; peer; peer = peer->next)
		count += peer->kind != TN_PEER_HTTP_REQUEST;
	for (size_t i = 0; i < TN_COUNT(admin->callers); i++)
		count += is_live(admin, &admin->callers[i]);
	return count;
}

void tn_admin_write_clients(struct tn_admin *admin, struct tn_buf *out)
{
	tn_json_begin_object(out);
	tn_json_put_key(out, "clients");
	tn_json_begin_array(out);
	for (const struct tn_peer *peer = admin->server->peers; peer; peer = peer->next) {
		if (peer->kind != TN_PEER_HTTP_REQUEST)
			put_peer(admin, peer, out);
	}
	for (size_t i = 0; i < TN_COUNT(admin->callers); i++) {
		if (is_live(admin, &admin->callers[i]))
			put_caller(admin, &admin->callers[i], out);
	}
	tn_json_end_array(out);
	tn_json_end_object(out);
}
