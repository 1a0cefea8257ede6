#include "mcp/fit.h"

#include <string.h>

#include "base/limits.h"
#include "mcp/call.h"
#include "mcp/scope.h"
#include "mcp/server.h"

/* ---- versions ---- */

/* The first three numbers of "2.1.330-beta"; what is not there is 0. */
static void read_version(struct tn_str text, unsigned ret[3])
{
	size_t at = 0;

	for (int i = 0; i < 3; i++) {
		ret[i] = 0;
		for (; at < text.size && tn_is_digit(text.data[at]) && ret[i] < UINT16_MAX; at++)
			ret[i] = ret[i] * 10 + (unsigned)(text.data[at] - '0');
		if (at < text.size && text.data[at] == '.')
			at++;
		else
			at = text.size;
	}
}

static int compare(const unsigned a[3], const unsigned b[3])
{
	for (int i = 0; i < 3; i++) {
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	}
	return 0;
}

static bool fits(const struct tn_fit_rule *rule, const struct tn_fit_client *client)
{
	static const unsigned none[3];
	unsigned version[3];

	if (!tn_pattern_fits(tn_str_from(rule->client), client->name))
		return false;
	read_version(client->version, version);
	return compare(version, rule->from) >= 0 &&
	       (compare(rule->below, none) == 0 || compare(version, rule->below) < 0);
}

/* ---- the choice ---- */

static bool find_setting(const struct tenon_server *server, const struct tn_fit_client *client,
			 enum tn_fit *ret)
{
	for (const char *const *at = server->fit_settings; at && *at; at++) {
		struct tn_str name;

		if (tn_fit_split(tn_str_from(*at), &name, ret) &&
		    tn_pattern_fits(name, client->name))
			return true;
	}
	return false;
}

struct tn_fit_choice tn_fit_choose(const struct tenon_server *server,
				   const struct tn_fit_client *client)
{
	enum tn_fit fit;

	if (client->person)
		return (struct tn_fit_choice){TN_FIT_BOTH, "person"};
	/* A page's calls come through the client like its own, and cannot be told apart. */
	if (client->abilities & TENON_CAN_SHOW_UI)
		return (struct tn_fit_choice){TN_FIT_BOTH, "views"};
	if (client->told.by)
		return client->told;
	if (find_setting(server, client, &fit))
		return (struct tn_fit_choice){fit, "setting"};
	for (size_t i = 0; i < server->fit_rule_count; i++) {
		if (fits(&server->fit_rules[i], client))
			return (struct tn_fit_choice){server->fit_rules[i].fit, "client"};
	}
	return (struct tn_fit_choice){TN_FIT_BOTH, "default"};
}

struct tn_fit_choice tn_fit_of_peer(const struct tn_peer *peer)
{
	const struct tn_fit_client client = {.name = tn_str_from(peer->client_name),
					     .version = tn_str_from(peer->client_version),
					     .abilities = peer->abilities,
					     .person = peer->person,
					     .told = peer->fit_told};

	return tn_fit_choose(peer->server, &client);
}

/* A modern client says with each request who it is. */
static struct tn_str version_of(const struct tenon_call *call)
{
	const struct tn_json *info = tn_json_get(call->meta, "io.modelcontextprotocol/clientInfo");
	struct tn_str version = {"", 0};

	if (call->revision != TN_R5)
		return tn_str_from(call->peer->client_version);
	(void)tn_json_to_str(tn_json_get(info, "version"), &version);
	return version;
}

bool tn_fit_of_call(const struct tenon_call *call, struct tn_fit_choice *ret)
{
	struct tn_fit_client client = {
		.name = tn_str_from(call->client_name ? call->client_name : ""),
		.version = version_of(call),
		.abilities = call->abilities,
		.person = call->person,
		.told = call->peer->fit_told,
	};
	struct tn_str told;

	if (call->view && call->view->ops->header(call->view, TN_FIT_HEADER, 0, &told)) {
		if (!tn_fit_find(told, &client.told.fit))
			return false;
		client.told.by = "connection";
	}
	*ret = tn_fit_choose(call->server, &client);
	return true;
}

/* ---- what it means ---- */

bool tn_fit_shows(enum tn_fit fit, const struct tn_item *tool)
{
	if (fit == TN_FIT_IMAGE_ALONE)
		return !(tool->tool.flags & TENON_GIVES_PICTURES);
	return fit != TN_FIT_TEXT;
}

bool tn_call_sends_structured(const struct tenon_call *call)
{
	return call->item && call->item->kind == TN_ITEM_TOOL &&
	       tn_fit_shows(call->fit.fit, call->item);
}

void tn_call_begin_structured(const struct tenon_call *call, struct tn_buf *ret)
{
	if (tn_call_sends_structured(call))
		tn_buf_init(ret, TN_RESULT_BYTES_MAX);
	else
		tn_buf_init_unwanted(ret);
}

/* Our relay, for all apps: who asks for one by its name gets what its contract says. */
static bool is_started_by_host(const struct tn_peer *peer)
{
	return peer->way && strcmp(peer->way, "relay") == 0 &&
	       (peer->apps & ~(TN_APPS_CORE | TN_APPS_EVERY)) == 0;
}

bool tn_call_is_for_model(const struct tenon_call *call)
{
	const char *by = call->fit.by;

	if (!by || strcmp(by, "person") == 0 || strcmp(by, "views") == 0)
		return false;
	return strcmp(by, "default") != 0 || is_started_by_host(call->peer);
}

bool tn_call_says_all(const struct tenon_call *call)
{
	return !tn_call_sends_structured(call) || tn_call_is_for_model(call);
}

bool tn_call_is_lean(const struct tenon_call *call)
{
	return tn_call_sends_structured(call) && tn_call_is_for_model(call);
}
