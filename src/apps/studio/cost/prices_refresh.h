/* prices_refresh.h - a new price table from the clouds' public price lists (ST-111).
 *
 * Which item is which price stands in data/price-sources.json. Every page is capped, pages come
 * from the list's own origin only, and what is not in USD, or not clear, is left out and told. The
 * file appears whole or not at all. Blocks: for the command line, or in a job. Threads: any. */
#ifndef TN_STUDIO_PRICES_REFRESH_H
#define TN_STUDIO_PRICES_REFRESH_H

#include "apps/studio/registry/registry.h"
#include "base/clock.h"

struct tn_studio_refresh_options {
	const char *url;           /* of the retail price service; NULL: the public one */
	const char *folder;        /* where prices.json goes */
	const char *plugin_folder; /* NULL: the usual places */
	const struct tn_clock *clock;
	void (*progress)(void *data, size_t done, size_t total); /* NULL: none */
	void *data;
};

struct tn_studio_refresh_problem {
	struct tn_str key, message;
	const struct tn_studio_refresh_problem *next;
};

struct tn_studio_refresh_result {
	size_t wanted;    /* prices of the table that a rule maps */
	size_t refreshed; /* that have a new figure for the base region */
	size_t regional;  /* figures of other regions */
	size_t unmapped;  /* prices of the table that no rule maps */
	size_t requests;
	const struct tn_studio_refresh_problem *problems;
	char as_of[16]; /* "2026-11-22" */
};

/* The result lives in the arena. Fails: INVALID (the address), NOT_FOUND, SYSTEM (the plug-in, the
 * folder), EXPIRED (nothing came), NO_MEMORY. Without a single new price nothing is written. */
TN_MUST_USE enum tenon_code
tn_studio_prices_refresh(const struct tn_studio_registry *registry,
			 const struct tn_studio_refresh_options *options, struct tn_arena *arena,
			 struct tn_studio_refresh_result *ret, struct tenon_error *err);

#endif
