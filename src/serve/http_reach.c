#include "serve/http_reach.h"

#include "serve/http_gate.h"
#include "serve/http_host.h"

bool tn_http_reach_is_elsewhere(const struct tn_http_reach *r)
{
	if (!r->loopback || !r->token || !r->local_token || r->forwarded || r->by_proxy)
		return true;
	/* A proxy of this machine that says nothing of itself: another user's, or a tunnel's. */
	if (r->other_process)
		return true;
	return r->has_proxies && !r->found_token;
}

static bool is_loopback(const unsigned char peer[16])
{
	static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
	static const unsigned char six[16] = {[15] = 1};

	return (memcmp(peer, mapped, sizeof(mapped)) == 0 && peer[12] == 127) ||
	       memcmp(peer, six, sizeof(six)) == 0;
}

static bool is_forwarded(const struct tn_http_exchange *x)
{
	static const struct tn_str prefix = {"X-Forwarded-", 12};

	for (size_t i = 0; i < tn_http_header_count(x); i++) {
		struct tn_str name = tn_http_header_at(x, i).name;

		if (tn_str_equal_nocase(name, TN_STR("Forwarded")) ||
		    tn_str_equal_nocase(name, TN_STR("Via")) ||
		    (name.size >= prefix.size &&
		     tn_str_equal_nocase(tn_str(name.data, prefix.size), prefix)))
			return true;
	}
	return false;
}

static bool is_by_proxy(const struct tn_http_host *host, const unsigned char peer[16])
{
	for (size_t i = 0; i < host->proxy_count; i++) {
		if (memcmp(host->proxies[i], peer, 16) == 0)
			return true;
	}
	return false;
}

bool tn_http_is_elsewhere(const struct tn_http_host *host, const struct tn_http_exchange *x,
			  const struct tn_http_caller *caller)
{
	const unsigned char *peer = tn_http_peer_address(x);
	const struct tn_http_reach reach = {
		.loopback = is_loopback(peer),
		.token = !host->options.no_token,
		.local_token = caller->local,
		.found_token = caller->local && host->extra.discovered,
		.forwarded = is_forwarded(x),
		.by_proxy = is_by_proxy(host, peer),
		.other_process = tn_http_mark(x) == TN_GATE_OTHER,
		.has_proxies = host->proxy_count > 0,
	};

	return tn_http_reach_is_elsewhere(&reach);
}
