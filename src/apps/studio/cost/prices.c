#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>

#include "apps/studio/cost/internal.h"
#include "apps/studio/limits.h"
#include "base/mem.h"
#include "store/file.h"

/* A refreshed table over the registry's own. */
struct tn_studio_prices {
	atomic_uint refs;
	struct tn_arena arena;
	struct tn_map by_key; /* to entries {"per","usd","regions"?} */
	struct tn_str as_of;
	const char *path; /* of the user's table, there or not; NULL: none is looked for */
	struct stat file; /* when it was read; all zero: it was not there */
};

static bool is_price(const struct tn_json *entry)
{
	const struct tn_json *regions = tn_json_get(entry, "regions");
	struct tn_str per;
	double usd;

	if (!tn_json_to_str(tn_json_get(entry, "per"), &per) ||
	    !tn_json_to_double(tn_json_get(entry, "usd"), &usd) || usd < 0 ||
	    (regions && regions->type != TN_JSON_OBJECT))
		return false;
	for (const struct tn_json *r = regions ? regions->first : NULL; r; r = r->next) {
		if (!tn_json_to_double(r, &usd) || usd < 0)
			return false;
	}
	return true;
}

static enum tenon_code read_table(struct tn_studio_prices *prices, const struct tn_json *root,
				  struct tenon_error *err)
{
	const struct tn_json *table = tn_json_get(root, "table");
	struct tn_str currency = {NULL, 0};
	int64_t version = 0;

	if (!tn_json_to_int(tn_json_get(root, "formatVersion"), &version) || version != 1 ||
	    !tn_json_to_str(tn_json_get(root, "currency"), &currency) ||
	    !tn_str_is(currency, "USD") || !tn_json_is(table, TN_JSON_OBJECT) ||
	    !tn_json_to_str(tn_json_get(root, "asOf"), &prices->as_of))
		return tn_fail(err, TENON_INVALID, "prices.json is no table of prices in USD");
	for (const struct tn_json *p = table->first; p; p = p->next) {
		if (!is_price(p))
			return tn_fail(err, TENON_INVALID, "prices.json: \"%.*s\" is no price",
				       (int)(p->key.size < 80 ? p->key.size : 80), p->key.data);
		if (tn_map_put(&prices->by_key, p->key, (void *)(uintptr_t)p, err) != TENON_OK)
			return TENON_NO_MEMORY;
	}
	return TENON_OK;
}

static enum tenon_code read_file(struct tn_studio_prices *prices, const char *folder,
				 struct tenon_error *err)
{
	char *path = tn_arena_format(&prices->arena, "%s/prices.json", folder);
	struct tn_json *root;
	struct tn_buf text;
	enum tenon_code code;

	if (!path)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	prices->path = path;
	if (stat(path, &prices->file) != 0)
		prices->file = (struct stat){.st_size = 0};
	tn_buf_init(&text, TN_STUDIO_PRICES_BYTES_MAX);
	code = tn_file_read(path, TN_FILE_REGULAR_ONLY, &text, err);
	if (code == TENON_OK)
		code = tn_json_parse_copy(&prices->arena, tn_buf_str(&text), &root, err);
	if (code == TENON_OK)
		code = read_table(prices, root, err);
	tn_buf_finish(&text);
	return code;
}

enum tenon_code tn_studio_prices_load(const struct tn_studio_registry *registry, const char *folder,
				      struct tn_studio_prices **ret, struct tenon_error *err)
{
	struct tn_studio_prices *prices = tn_mem_alloc(sizeof(*prices));
	enum tenon_code code = TENON_OK;

	(void)registry; /* its own table is asked when prices are looked up */
	if (!prices)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	atomic_init(&prices->refs, 1);
	tn_arena_init(&prices->arena, 8 * TN_STUDIO_PRICES_BYTES_MAX);
	tn_map_init(&prices->by_key);
	if (folder)
		code = read_file(prices, folder, err);
	if (code != TENON_OK) {
		/* Half a table would mix two days without saying so. */
		tn_map_finish(&prices->by_key);
		tn_map_init(&prices->by_key);
		prices->as_of = tn_str(NULL, 0);
	}
	if (code == TENON_NO_MEMORY) {
		tn_studio_prices_unref(prices);
		return code;
	}
	if (code == TENON_NOT_FOUND && err)
		err->message[0] = '\0';
	*ret = prices;
	return TENON_OK;
}

bool tn_studio_prices_are_stale(const struct tn_studio_prices *prices)
{
	struct stat now = {.st_size = 0};

	if (!prices->path)
		return false;
	if (stat(prices->path, &now) != 0)
		now = (struct stat){.st_size = 0};
	return now.st_ino != prices->file.st_ino || now.st_size != prices->file.st_size ||
	       now.st_mtim.tv_sec != prices->file.st_mtim.tv_sec ||
	       now.st_mtim.tv_nsec != prices->file.st_mtim.tv_nsec;
}

enum tenon_code tn_studio_prices_with_users(const struct tn_studio_registry *registry,
					    struct tn_studio_prices **ret, struct tenon_error *err)
{
	struct tn_arena arena;
	enum tenon_code code;

	tn_arena_init(&arena, 64 * TN_KIB);
	code = tn_studio_prices_load(registry, tn_studio_data_folder(&arena), ret, err);
	tn_arena_finish(&arena);
	return code;
}

struct tn_studio_prices *tn_studio_prices_ref(struct tn_studio_prices *prices)
{
	(void)atomic_fetch_add_explicit(&prices->refs, 1, memory_order_relaxed);
	return prices;
}

void tn_studio_prices_unref(struct tn_studio_prices *prices)
{
	if (!prices || atomic_fetch_sub_explicit(&prices->refs, 1, memory_order_acq_rel) > 1)
		return;
	tn_map_finish(&prices->by_key);
	tn_arena_finish(&prices->arena);
	tn_mem_free(prices);
}

bool tn_studio_price_find(const struct tn_studio_registry *registry,
			  const struct tn_studio_prices *prices, struct tn_str key,
			  struct tn_str region, struct tn_str base_region,
			  struct tn_studio_price *ret)
{
	const struct tn_json *entry = prices ? tn_map_get(&prices->by_key, key) : NULL;
	const struct tn_json *own;

	*ret = (struct tn_studio_price){.usd = 0};
	if (!entry)
		entry = tn_json_get_str(tn_json_get(registry->prices, "table"), key);
	if (!entry || !tn_json_to_double(tn_json_get(entry, "usd"), &ret->usd))
		return false;
	(void)tn_json_to_str(tn_json_get(entry, "per"), &ret->per);
	if (region.size == 0 || tn_str_equal(region, base_region))
		return true;
	own = tn_json_get_str(tn_json_get(entry, "regions"), region);
	ret->approximate = !tn_json_to_double(own, &ret->usd);
	return true;
}

struct tn_str tn_studio_prices_as_of(const struct tn_studio_registry *registry,
				     const struct tn_studio_prices *prices)
{
	struct tn_str date = {"", 0};

	if (prices && prices->as_of.size > 0)
		return prices->as_of;
	(void)tn_json_to_str(tn_json_get(registry->prices, "asOf"), &date);
	return date;
}
