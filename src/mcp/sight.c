/* What a caller sees of what the server offers (scope.h). */
#include "mcp/method.h"
#include "mcp/scope.h"
#include "mcp/server.h"

/* A person's own client, the page or the command line, has room for all. */
static enum tn_listing listing_for(const struct tn_peer *peer)
{
	if (peer->apps & TN_APPS_CORE)
		return TN_LISTS_CORE;
	return peer->apps || peer->person ? TN_LISTS_ALL : peer->server->registry.listing;
}

struct tn_sight tn_peer_sight(const struct tn_peer *peer)
{
	uint32_t apps = peer->apps & TN_APPS_BITS;

	return (struct tn_sight){.scope = peer->scope,
				 .hidden = (apps ? ~apps & TN_APPS_BITS : 0) |
					   peer->server->registry.apps_off,
				 .listing = listing_for(peer),
				 .person = peer->person,
				 .principal = peer->principal};
}

/* An app with a list of prompts, be it empty, may have some later: clients ask once, at their
 * start, whether there are prompts at all. */
static bool may_have_prompts(const struct tenon_server *server, uint32_t hidden)
{
	for (const struct tn_app_slot *slot = server->apps; slot; slot = slot->next) {
		if (slot->app->prompts && !(slot->bit & hidden))
			return true;
	}
	return tn_registry_offers(&server->registry, TN_ITEM_PROMPT, hidden);
}

bool tn_peer_has_feature(const struct tn_peer *peer, enum tn_feature feature)
{
	const struct tn_registry *offered = &peer->server->registry;
	uint32_t hidden = tn_peer_sight(peer).hidden;

	switch (feature) {
	case TN_FEATURE_TOOLS:
		return tn_registry_offers(offered, TN_ITEM_TOOL, hidden);
	case TN_FEATURE_RESOURCES:
		return peer->server->cuts_texts ||
		       tn_registry_offers(offered, TN_ITEM_RESOURCE, hidden) ||
		       tn_registry_offers(offered, TN_ITEM_TEMPLATE, hidden);
	case TN_FEATURE_PROMPTS:
		return may_have_prompts(peer->server, hidden);
	case TN_FEATURE_COMPLETIONS:
		return tn_registry_offers(offered, TN_ITEM_PROMPT, hidden) ||
		       tn_registry_offers(offered, TN_ITEM_TEMPLATE, hidden);
	case TN_FEATURE_TASKS:
		return peer->server->tasks.tools > 0 && tn_registry_offers_tasks(offered, hidden);
	case TN_FEATURE_NONE:
		break;
	}
	return true;
}

struct tn_item *tn_call_find_item(const struct tenon_call *call, enum tn_item_kind kind,
				  struct tn_str key)
{
	struct tn_item *item = tn_registry_find(&call->server->registry, kind, key);
	const struct tn_sight sight = tn_peer_sight(call->peer);

	return item && tn_sees(&sight, item) ? item : NULL;
}
