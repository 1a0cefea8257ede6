#include "apps/studio/cost/prices_refresh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "apps/studio/limits.h"
#include "base/mem.h"
#include "base/percent.h"
#include "base/size.h"
#include "base/url.h"
#include "jsonrpc/json_write.h"
#include "loop/http_client.h"
#include "store/file.h"

extern const char tn_studio_price_sources[]; /* data/price-sources.json */
extern const size_t tn_studio_price_sources_size;

enum {
	PAGES_MAX = 60, /* of one price: all regions and variants of a machine size are five */
	PARALLEL = 4,
	TIMEOUT_MS = 30000,
	RETRIES = 3,
	REGION_ROOM = 32
};
/* A page has a hundred items of half a kilobyte. */
#define PAGE_BYTES_MAX ((size_t)4 * 1024 * 1024)

/* What a region costs: of several tiers the first that is not free. */
struct figure {
	struct tn_str region; /* empty: of all regions */
	double usd, tier;
	bool ambiguous;
};

/* One price of the table while it is asked for. */
struct wanted {
	struct tn_str key, capture; /* what the star of the rule stood for */
	const struct tn_json *rule;
	struct tn_str next; /* the page that is due; empty: it is over */
	unsigned pages;
	struct figure figures[REGION_ROOM];
	size_t figure_count;
	const char *trouble; /* NULL: none */
};

struct refresh {
	const struct tn_studio_registry *registry;
	const struct tn_studio_refresh_options *options;
	struct tn_arena *arena;
	struct tn_arena page; /* of one answer */
	struct tn_studio_refresh_result *result;
	const struct tn_studio_refresh_problem **tail;
	const struct tn_json *rules;
	const char *base;
	struct tn_url origin;
	struct wanted *list;
	size_t count;
	struct tn_str base_region;
};

static struct tn_str text_of(const struct tn_json *object, const char *key)
{
	struct tn_str text = {"", 0};

	(void)tn_json_to_str(tn_json_get(object, key), &text);
	return text;
}

static bool contains(struct tn_str text, struct tn_str part)
{
	return tn_str_find(text, part) != TN_STR_NONE;
}

static void tell(struct refresh *refresh, struct tn_str key, const char *message)
{
	struct tn_studio_refresh_problem *problem =
		tn_arena_alloc(refresh->arena, sizeof(*problem));

	if (!problem)
		return;
	problem->key = key;
	problem->message = tn_str_from(message);
	*refresh->tail = problem;
	refresh->tail = &problem->next;
}

/* ---- which prices, by which rule ---- */

/* "azurerm/vm/" and "Standard_B2s" of "azurerm/vm/Standard_B2s" by "azurerm/vm/" and a star. */
static bool matches(struct tn_str pattern, struct tn_str key, struct tn_str *ret_capture)
{
	size_t star = tn_str_find_byte(pattern, '*');

	*ret_capture = tn_str("", 0);
	if (star == TN_STR_NONE)
		return tn_str_equal(pattern, key);
	if (!tn_str_starts(key, tn_str(pattern.data, star)))
		return false;
	*ret_capture = tn_str_from_offset(key, star);
	return ret_capture->size > 0 && tn_str_find_byte(*ret_capture, '/') == TN_STR_NONE;
}

static bool list_wanted(struct refresh *refresh)
{
	const struct tn_json *table = tn_json_get(refresh->registry->prices, "table");

	refresh->list = tn_arena_alloc_array(refresh->arena, (table ? table->count : 0) + 1,
					     sizeof(*refresh->list));
	if (!refresh->list)
		return false;
	for (const struct tn_json *p = table ? table->first : NULL; p; p = p->next) {
		struct wanted *wanted = &refresh->list[refresh->count];

		for (const struct tn_json *r = refresh->rules->first; r && !wanted->rule;
		     r = r->next) {
			if (matches(text_of(r, "keys"), p->key, &wanted->capture))
				wanted->rule = r;
		}
		wanted->key = p->key;
		if (wanted->rule)
			refresh->count++;
		else
			refresh->result->unmapped++;
	}
	refresh->result->wanted = refresh->count;
	return true;
}

/* {1}, as the price list writes it. */
static void fill(const struct wanted *wanted, struct tn_str text, struct tn_buf *out)
{
	size_t hole = tn_str_find(text, TN_STR("{1}"));
	struct tn_str value = wanted->capture;

	if (hole == TN_STR_NONE) {
		tn_buf_append_str(out, text);
		return;
	}
	(void)tn_json_to_str(tn_json_get_str(tn_json_get(wanted->rule, "map"), value), &value);
	tn_buf_append_str(out, tn_str(text.data, hole));
	tn_buf_append_str(out, value);
	tn_buf_append_str(out, tn_str_from_offset(text, hole + 3));
}

/* BASE?currencyCode=USD&$filter=serviceName eq 'Virtual Machines' and ... */
static bool first_page(struct refresh *refresh, struct wanted *wanted)
{
	const struct tn_json *filter = tn_json_get(wanted->rule, "filter");
	struct tn_buf text, url;
	const char *copy;

	tn_buf_init(&text, 4 * TN_KIB);
	tn_buf_init(&url, 16 * TN_KIB);
	for (const struct tn_json *f = filter ? filter->first : NULL; f; f = f->next) {
		tn_buf_append_str(&text, f->key);
		tn_buf_append_text(&text, " eq '");
		fill(wanted, f->text, &text);
		tn_buf_append_text(&text, "' and ");
	}
	tn_buf_append_text(&text, "priceType eq 'Consumption'");
	tn_buf_append_text(&url, refresh->base);
	tn_buf_append_text(&url, "?currencyCode=USD&$filter=");
	tn_percent_put(&url, tn_buf_str(&text), "");
	copy = text.failed || url.failed ? NULL : tn_arena_copy(refresh->arena, tn_buf_str(&url));
	wanted->next = tn_str(copy, copy ? url.size : 0);
	tn_buf_finish(&text);
	tn_buf_finish(&url);
	return copy != NULL;
}

/* ---- what an item says ---- */

static bool has_parts(const struct tn_json *item, const struct tn_json *parts, bool all)
{
	for (const struct tn_json *field = parts ? parts->first : NULL; field;
	     field = field->next) {
		struct tn_str text = {"", 0};

		(void)tn_json_to_str(tn_json_get_str(item, field->key), &text);
		for (const struct tn_json *p = field->first; p; p = p->next) {
			if (contains(text, p->text) != all)
				return !all;
		}
	}
	return all;
}

/* What was asked for is looked at again: the list may understand a filter differently. */
static bool is_meant(const struct wanted *wanted, const struct tn_json *item)
{
	const struct tn_json *filter = tn_json_get(wanted->rule, "filter");
	bool equal = true;

	for (const struct tn_json *f = filter ? filter->first : NULL; f && equal; f = f->next) {
		struct tn_str own = {"", 0};
		struct tn_buf text;

		tn_buf_init(&text, 4 * TN_KIB);
		fill(wanted, f->text, &text);
		equal = tn_json_to_str(tn_json_get_str(item, f->key), &own) &&
			tn_str_equal(own, tn_buf_str(&text));
		tn_buf_finish(&text);
	}
	return equal && tn_str_is(text_of(item, "type"), "Consumption") &&
	       tn_str_equal(text_of(item, "unitOfMeasure"), text_of(wanted->rule, "unit")) &&
	       has_parts(item, tn_json_get(wanted->rule, "with"), true) &&
	       !has_parts(item, tn_json_get(wanted->rule, "without"), false);
}

static bool is_cost_region(const struct refresh *refresh, struct tn_str region)
{
	const struct tn_json *list = refresh->registry->cost_regions;

	if (region.size == 0 || tn_str_equal(region, refresh->base_region))
		return true;
	for (const struct tn_json *e = list ? list->first : NULL; e; e = e->next) {
		if (tn_str_equal(e->text, region))
			return true;
	}
	return false;
}

/* Several items of one region: the lowest tier that costs something; two prices of one tier are not
 * clear, and the first one is not taken for the right one (Appendix C 12). */
static void add_figure(struct refresh *refresh, struct wanted *wanted, struct tn_str region,
		       double usd, double tier)
{
	struct figure *figure = NULL;
	const char *copy;

	for (size_t i = 0; i < wanted->figure_count; i++) {
		if (tn_str_equal(wanted->figures[i].region, region))
			figure = &wanted->figures[i];
	}
	if (!figure) {
		copy = tn_arena_copy(refresh->arena, region);
		if (wanted->figure_count == REGION_ROOM || !copy)
			return;
		wanted->figures[wanted->figure_count++] = (struct figure){
			.region = tn_str(copy, region.size), .usd = usd, .tier = tier};
		return;
	}
	if (fabs(figure->usd - usd) < 1e-12)
		return;
	if (figure->usd <= 0 || (tier < figure->tier && usd > 0)) {
		figure->usd = usd;
		figure->tier = tier;
		figure->ambiguous = false;
	} else if (usd > 0 && !(tier > figure->tier)) {
		figure->ambiguous = true;
	}
}

static void take_item(struct refresh *refresh, struct wanted *wanted, const struct tn_json *item)
{
	struct tn_str region = text_of(item, "armRegionName");
	double usd, tier = 0, factor = 1;

	if (!is_meant(wanted, item))
		return;
	if (!tn_str_is(text_of(item, "currencyCode"), "USD")) {
		wanted->trouble = "the price is not in USD";
		return;
	}
	if (!tn_json_to_double(tn_json_get(item, "retailPrice"), &usd) || usd < 0 || usd > 1e6)
		return;
	(void)tn_json_to_double(tn_json_get(item, "tierMinimumUnits"), &tier);
	(void)tn_json_to_double(tn_json_get(wanted->rule, "factor"), &factor);
	if (tn_str_equal_nocase(region, TN_STR("global")))
		region = tn_str("", 0);
	if (is_cost_region(refresh, region))
		add_figure(refresh, wanted, region, round(usd * factor * 1e10) / 1e10, tier);
}

/* ---- pages ---- */

/* A link elsewhere would make the list decide what this machine asks whom. */
static const char *take_link(struct refresh *refresh, struct wanted *wanted, struct tn_str link)
{
	struct tn_url url;
	const char *copy;

	if (link.size == 0)
		return NULL;
	if (!tn_url_parse(link, &url) || !tn_url_same_origin(&url, &refresh->origin))
		return "the next page is somewhere else";
	if (++wanted->pages >= PAGES_MAX)
		return "there are too many pages";
	copy = tn_arena_copy(refresh->arena, link);
	if (!copy)
		return "out of memory";
	wanted->next = tn_str(copy, link.size);
	return NULL;
}

static const char *take_page(struct refresh *refresh, struct wanted *wanted,
			     struct tn_http_answer *answer)
{
	const struct tn_json *items;
	struct tn_json *root;
	struct tenon_error err;

	if (answer->code == TENON_LIMIT)
		return "the answer is too large";
	if (answer->code == TENON_EXPIRED)
		return "no answer in time";
	if (answer->code != TENON_OK)
		return "no connection";
	if (answer->status == 429)
		return "the list is asked too often (429)";
	if (answer->status != 200)
		return "the list refused (no 200)";
	tn_arena_reset(&refresh->page);
	if (tn_json_parse(&refresh->page, answer->body.data, answer->body.size, &root, &err) !=
	    TENON_OK)
		return "the answer is no JSON";
	items = tn_json_get(root, "Items");
	if (!tn_json_is(items, TN_JSON_ARRAY))
		return "the answer has no Items";
	for (const struct tn_json *i = items->first; i; i = i->next)
		take_item(refresh, wanted, i);
	return take_link(refresh, wanted, text_of(root, "NextPageLink"));
}

/* Up to four prices at a time, a page each. */
static enum tenon_code run_batch(struct refresh *refresh, struct tn_http_client *client,
				 struct wanted *const active[PARALLEL], size_t count,
				 struct tenon_error *err)
{
	struct tn_http_request requests[PARALLEL];
	struct tn_http_answer answers[PARALLEL];
	const struct tn_http_batch batch = {
		.requests = requests, .answers = answers, .count = count, .parallel = PARALLEL};
	enum tenon_code code;

	for (size_t i = 0; i < count; i++) {
		requests[i] =
			(struct tn_http_request){.url = active[i]->next.data,
						 .timeout_ms = TIMEOUT_MS,
						 .retries = RETRIES,
						 .direct = tn_url_is_loopback(&refresh->origin)};
		answers[i] = (struct tn_http_answer){.code = TENON_OK};
		tn_buf_init(&answers[i].body, PAGE_BYTES_MAX);
		active[i]->next = tn_str("", 0);
	}
	code = tn_http_client_run(client, &batch, err);
	for (size_t i = 0; i < count; i++) {
		const char *trouble =
			code == TENON_OK ? take_page(refresh, active[i], &answers[i]) : NULL;

		if (trouble)
			active[i]->trouble = trouble;
		tn_buf_finish(&answers[i].body);
	}
	refresh->result->requests += count;
	return code;
}

static enum tenon_code ask(struct refresh *refresh, struct tn_http_client *client,
			   struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;
	struct wanted *active[PARALLEL];
	size_t count, done;

	for (size_t i = 0; i < refresh->count; i++) {
		if (!first_page(refresh, &refresh->list[i]))
			return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	do {
		count = done = 0;
		for (size_t i = 0; i < refresh->count; i++) {
			if (refresh->list[i].next.size == 0)
				done++;
			else if (count < PARALLEL)
				active[count++] = &refresh->list[i];
		}
		if (refresh->options->progress)
			refresh->options->progress(refresh->options->data, done, refresh->count);
		if (count > 0)
			code = run_batch(refresh, client, active, count, err);
	} while (code == TENON_OK && count > 0);
	return code;
}

/* ---- the file ---- */

static const struct figure *figure_of(const struct wanted *wanted, struct tn_str region)
{
	for (size_t i = 0; i < wanted->figure_count; i++) {
		if (tn_str_equal(wanted->figures[i].region, region))
			return &wanted->figures[i];
	}
	return NULL;
}

static void put_wanted(struct refresh *refresh, const struct wanted *wanted, struct tn_buf *out)
{
	const struct figure *base = figure_of(wanted, refresh->base_region);

	if (!base)
		base = figure_of(wanted, tn_str("", 0));
	if (wanted->trouble || !base || base->ambiguous) {
		tell(refresh, wanted->key,
		     wanted->trouble ? wanted->trouble
				     : (base ? "several prices fit" : "no such price in the list"));
		return;
	}
	refresh->result->refreshed++;
	tn_json_put_key_str(out, wanted->key);
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "per", text_of(wanted->rule, "per"));
	tn_json_put_key(out, "usd");
	tn_json_put_double(out, base->usd);
	tn_json_put_member_text(out, "src", "azure-retail-prices");
	tn_json_put_key(out, "regions");
	tn_json_begin_object(out);
	for (size_t i = 0; i < wanted->figure_count; i++) {
		const struct figure *figure = &wanted->figures[i];

		if (figure == base || figure->ambiguous || figure->region.size == 0)
			continue;
		refresh->result->regional++;
		tn_json_put_key_str(out, figure->region);
		tn_json_put_double(out, figure->usd);
	}
	tn_json_end_object(out);
	tn_json_end_object(out);
}

static enum tenon_code write_file(struct refresh *refresh, struct tenon_error *err)
{
	int64_t now = tn_clock_wall_ms(refresh->options->clock);
	char iso[TN_CLOCK_ISO_SIZE];
	struct tn_buf out;
	char *path = tn_arena_format(refresh->arena, "%s/prices.json", refresh->options->folder);
	enum tenon_code code;

	tn_clock_format_iso(now, iso);
	(void)snprintf(refresh->result->as_of, sizeof(refresh->result->as_of), "%.10s", iso);
	tn_buf_init(&out, TN_STUDIO_PRICES_BYTES_MAX);
	tn_json_begin_object(&out);
	tn_json_put_member_int(&out, "formatVersion", 1);
	tn_json_put_member_text(&out, "asOf", refresh->result->as_of);
	tn_json_put_member_text(&out, "currency", "USD");
	tn_json_put_member_text(&out, "source", refresh->base);
	tn_json_put_member_text(&out, "fetchedAt", iso);
	tn_json_put_key(&out, "table");
	tn_json_begin_object(&out);
	for (size_t i = 0; i < refresh->count; i++)
		put_wanted(refresh, &refresh->list[i], &out);
	tn_json_end_object(&out);
	tn_json_end_object(&out);
	tn_buf_append_byte(&out, '\n');
	code = !path ? tn_fail(err, TENON_NO_MEMORY, "out of memory") : tn_buf_check(&out, err);
	if (code == TENON_OK && refresh->result->refreshed == 0)
		code = tn_fail(err, TENON_EXPIRED,
			       "no price could be had; the table stays as it is");
	if (code == TENON_OK)
		code = tn_dir_create(refresh->options->folder, 0700, err);
	if (code == TENON_OK)
		code = tn_file_write(path, 0644, tn_buf_str(&out), err);
	tn_buf_finish(&out);
	return code;
}

static enum tenon_code prepare(struct refresh *refresh, struct tenon_error *err)
{
	const struct tn_json *azure;
	struct tn_json *root = NULL;

	if (tn_json_parse_copy(refresh->arena,
			       tn_str(tn_studio_price_sources, tn_studio_price_sources_size), &root,
			       err) != TENON_OK)
		return err->code;
	azure = tn_json_get(root, "azure");
	refresh->rules = tn_json_get(azure, "rules");
	refresh->base = refresh->options->url ? refresh->options->url : text_of(azure, "url").data;
	if (!refresh->rules || !tn_url_parse(tn_str_from(refresh->base), &refresh->origin) ||
	    !tn_str_starts(refresh->origin.scheme, TN_STR("http")) ||
	    tn_str_find_byte(refresh->origin.target, '?') != TN_STR_NONE)
		return tn_fail(err, TENON_INVALID,
			       "the price list's address has to be an http or https URL without ?");
	(void)tn_json_to_str(
		tn_json_get(tn_json_get(refresh->registry->prices, "region"), "azurerm"),
		&refresh->base_region);
	return list_wanted(refresh) ? TENON_OK : tn_fail(err, TENON_NO_MEMORY, "out of memory");
}

enum tenon_code tn_studio_prices_refresh(const struct tn_studio_registry *registry,
					 const struct tn_studio_refresh_options *options,
					 struct tn_arena *arena,
					 struct tn_studio_refresh_result *ret,
					 struct tenon_error *err)
{
	struct refresh refresh = {
		.registry = registry, .options = options, .arena = arena, .result = ret};
	struct tn_http_client *client = NULL;
	enum tenon_code code;

	*ret = (struct tn_studio_refresh_result){.wanted = 0};
	refresh.tail = &ret->problems;
	tn_arena_init(&refresh.page, 16 * PAGE_BYTES_MAX);
	code = prepare(&refresh, err);
	if (code == TENON_OK)
		code = tn_http_client_open(options->plugin_folder, &client, err);
	if (code == TENON_OK)
		code = ask(&refresh, client, err);
	if (code == TENON_OK)
		code = write_file(&refresh, err);
	tn_http_client_close(client);
	tn_arena_finish(&refresh.page);
	return code;
}
