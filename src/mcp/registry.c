#include "mcp/registry.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "mcp/limits.h"
#include "mcp/scope.h"

/* One page of a list, ready to be sent: `"tools":[...],"nextCursor":"..."`. */
struct tn_page {
	size_t first; /* index of its first item */
	struct tn_buf json;
	struct tn_page *next;
};

static const char *const list_keys[] = {
	[TN_ITEM_TOOL] = "tools",
	[TN_ITEM_RESOURCE] = "resources",
	[TN_ITEM_TEMPLATE] = "resourceTemplates",
	[TN_ITEM_PROMPT] = "prompts",
};

enum { ITEMS_MAX = 100000 };

static void forget_pages(struct tn_list *list)
{
	for (size_t i = 0; i < TN_REVISION_COUNT; i++) {
		while (list->pages[i]) {
			struct tn_page *page = list->pages[i];

			list->pages[i] = page->next;
			tn_buf_finish(&page->json);
			tn_mem_free(page);
		}
	}
}

void tn_registry_finish(struct tn_registry *registry)
{
	for (size_t kind = 0; kind < TN_ITEM_KINDS; kind++) {
		struct tn_list *list = &registry->lists[kind];

		forget_pages(list);
		for (size_t i = 0; i < list->count; i++)
			tn_item_unref(list->items[i]);
		tn_mem_free(list->items);
		tn_map_finish(&list->by_key);
	}
}

/* ---- what there is ---- */

static size_t app_index(uint32_t app)
{
	return app ? (size_t)__builtin_ctz(app) + 1 : 0;
}

static void count(struct tn_registry *registry, const struct tn_item *item, unsigned one)
{
	size_t app = app_index(item->app);

	registry->counts[item->kind][app] += one;
	if (tn_item_makes_tasks(item))
		registry->task_tools[app] += one;
	if (item->kind == TN_ITEM_TOOL && item->tool.person_only)
		registry->person_tools += one;
	if (item->kind == TN_ITEM_RESOURCE && item->resource.owner)
		registry->owned_resources += one;
}

static bool any_left(const unsigned counts[TN_APPS_MAX + 1], uint32_t hidden)
{
	if (counts[0])
		return true;
	for (size_t i = 0; i < TN_APPS_MAX; i++) {
		if (counts[i + 1] && !(hidden >> i & 1))
			return true;
	}
	return false;
}

bool tn_registry_offers(const struct tn_registry *registry, enum tn_item_kind kind, uint32_t hidden)
{
	return hidden ? any_left(registry->counts[kind], hidden) : registry->lists[kind].count > 0;
}

bool tn_registry_app_has(const struct tn_registry *registry, enum tn_item_kind kind, uint32_t app)
{
	return registry->counts[kind][app_index(app)] > 0;
}

bool tn_registry_offers_tasks(const struct tn_registry *registry, uint32_t hidden)
{
	return any_left(registry->task_tools, hidden);
}

void tn_registry_switch_off(struct tn_registry *registry, uint32_t apps)
{
	registry->apps_off = apps;
	for (size_t kind = 0; kind < TN_ITEM_KINDS; kind++)
		forget_pages(&registry->lists[kind]);
}

static bool make_room(struct tn_list *list)
{
	size_t capacity = list->capacity ? list->capacity * 2 : 16;
	struct tn_item **items;

	if (list->count < list->capacity)
		return true;
	items = tn_mem_resize(list->items, capacity * sizeof(struct tn_item *));
	if (!items)
		return false;
	list->items = items;
	list->capacity = capacity;
	return true;
}

/* In the order in which they come; everyday tools stand before all others, so that a host that cuts
 * a list keeps them (HO-011). */
static void insert(struct tn_list *list, struct tn_item *item)
{
	size_t at = list->count;

	while (item->kind == TN_ITEM_TOOL && item->tool.everyday && at > 0 &&
	       !list->items[at - 1]->tool.everyday)
		at--;
	memmove(&list->items[at + 1], &list->items[at],
		(list->count - at) * sizeof(struct tn_item *));
	list->items[at] = item;
	list->count++;
}

enum tenon_code tn_registry_add(struct tn_registry *registry, struct tn_item *item,
				struct tenon_error *err)
{
	struct tn_list *list = &registry->lists[item->kind];
	enum tenon_code code;

	if (tn_map_get(&list->by_key, item->key))
		return tn_fail(err, TENON_INVALID, "%s \"%.100s\" exists already",
			       list_keys[item->kind], item->key.data);
	if (list->count == ITEMS_MAX)
		return tn_fail(err, TENON_LIMIT, "more than %d %s", ITEMS_MAX,
			       list_keys[item->kind]);
	if (!make_room(list))
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	code = tn_map_put(&list->by_key, item->key, item, err);
	if (code != TENON_OK)
		return code;
	insert(list, item);
	count(registry, item, 1);
	forget_pages(list);
	return TENON_OK;
}

static size_t index_of(const struct tn_list *list, const struct tn_item *item)
{
	size_t i = 0;

	while (list->items[i] != item)
		i++;
	return i;
}

bool tn_registry_remove(struct tn_registry *registry, enum tn_item_kind kind, struct tn_str key)
{
	struct tn_list *list = &registry->lists[kind];
	struct tn_item *item = tn_map_remove(&list->by_key, key);
	size_t i;

	if (!item)
		return false;
	i = index_of(list, item);
	memmove(&list->items[i], &list->items[i + 1],
		(list->count - i - 1) * sizeof(struct tn_item *));
	list->count--;
	count(registry, item, (unsigned)-1);
	forget_pages(list);
	tn_item_unref(item);
	return true;
}

struct tn_item *tn_registry_find(const struct tn_registry *registry, enum tn_item_kind kind,
				 struct tn_str key)
{
	return tn_map_get(&registry->lists[kind].by_key, key);
}

/* ---- pages ----
 *
 * A cursor names the item after which to go on, by a hash of its key, and where it stood; it works
 * in any process that offers the same list (MCP-183). A check sum tells it from other texts and
 * from the cursors of other lists; it is no secret, since a made-up cursor harms nobody. */

#define CURSOR_FORMAT "%zu-%016" PRIx64 "-%08" PRIx32
enum { CURSOR_SIZE = 64 };

static uint64_t key_hash(const struct tn_item *item)
{
	return tn_str_hash(item->key, 0);
}

static void format_cursor(char out[CURSOR_SIZE], enum tn_item_kind kind, size_t index,
			  uint64_t hash)
{
	uint64_t parts[] = {kind, index, hash};
	uint64_t sum = tn_str_hash(tn_str((const char *)parts, sizeof(parts)), 0);

	(void)snprintf(out, CURSOR_SIZE, CURSOR_FORMAT, index, hash, (uint32_t)sum);
}

static bool parse_cursor(enum tn_item_kind kind, struct tn_str cursor, size_t *ret_index,
			 uint64_t *ret_hash)
{
	char text[CURSOR_SIZE], again[CURSOR_SIZE];

	if (cursor.size >= sizeof(text) || cursor.size == 0 || !tn_is_digit(cursor.data[0]))
		return false;
	memcpy(text, cursor.data, cursor.size);
	text[cursor.size] = '\0';
	if (sscanf(text, "%9zu-%16" SCNx64, ret_index, ret_hash) != 2)
		return false;
	format_cursor(again, kind, *ret_index, *ret_hash);
	return tn_str_is(cursor, again);
}

/* Where the page after this cursor begins. */
static bool find_start(const struct tn_list *list, enum tn_item_kind kind, struct tn_str cursor,
		       size_t *ret_first)
{
	uint64_t hash;
	size_t index;

	if (!parse_cursor(kind, cursor, &index, &hash) || index == 0)
		return false;
	if (index <= list->count && key_hash(list->items[index - 1]) == hash) {
		*ret_first = index;
		return true;
	}
	for (size_t i = 0; i < list->count; i++) {
		if (key_hash(list->items[i]) == hash) {
			*ret_first = i + 1;
			return true;
		}
	}
	/* The item itself is gone: going on where it stood loses nothing that stayed in place. */
	*ret_first = index - 1;
	return index - 1 < list->count;
}

/* The next item from `i` on that is seen; the end of the list when there is none. */
static size_t skip_hidden(const struct tn_list *list, const struct tn_sight *sight, size_t i)
{
	while (i < list->count && !tn_lists(sight, list->items[i]))
		i++;
	return i;
}

static void write_page(const struct tn_list *list, enum tn_item_kind kind,
		       enum tn_revision revision, const struct tn_sight *sight, size_t first,
		       struct tn_buf *out)
{
	size_t start = out->size, i = skip_hidden(list, sight, first), last = i;

	tn_json_put_key(out, list_keys[kind]);
	tn_json_begin_array(out);
	for (size_t n = 0; i < list->count && n < TN_PAGE_ITEMS_MAX; n++) {
		if (n > 0 && out->size - start > TN_PAGE_BYTES_MAX)
			break;
		tn_item_write(list->items[i], revision, tn_lists_output(sight, list->items[i]),
			      out);
		last = i;
		i = skip_hidden(list, sight, i + 1);
	}
	tn_json_end_array(out);
	if (i < list->count) {
		char cursor[CURSOR_SIZE];

		format_cursor(cursor, kind, last + 1, key_hash(list->items[last]));
		tn_json_put_member_text(out, "nextCursor", cursor);
	}
}

static const struct tn_page *find_page(struct tn_list *list, enum tn_item_kind kind,
				       enum tn_revision revision, const struct tn_sight *usual,
				       size_t first)
{
	struct tn_page *page = list->pages[revision];

	while (page && page->first != first)
		page = page->next;
	if (page)
		return page;
	page = tn_mem_alloc(sizeof(*page));
	if (!page)
		return NULL;
	page->first = first;
	tn_buf_init(&page->json, TN_RESULT_BYTES_MAX);
	write_page(list, kind, revision, usual, first, &page->json);
	if (page->json.failed) {
		tn_buf_finish(&page->json);
		tn_mem_free(page);
		return NULL;
	}
	page->next = list->pages[revision];
	list->pages[revision] = page;
	return page;
}

/* True when `first` is where a page begins for everybody, so that no client can fill the memory
 * with pages of its own. */
static bool is_regular(const struct tn_list *list, enum tn_revision revision, size_t first)
{
	if (first == 0)
		return true;
	for (const struct tn_page *page = list->pages[revision]; page; page = page->next) {
		if (first > page->first && first - page->first <= TN_PAGE_ITEMS_MAX)
			return first % TN_PAGE_ITEMS_MAX == 0;
	}
	return false;
}

static bool is_usual(const struct tn_registry *registry, enum tn_item_kind kind,
		     const struct tn_sight *sight)
{
	return !sight->scope && sight->listing == registry->listing && sight->fit == TN_FIT_BOTH &&
	       !(kind == TN_ITEM_RESOURCE && registry->owned_resources) &&
	       sight->hidden == registry->apps_off && !(sight->person && registry->person_tools);
}

enum tenon_code tn_registry_write_page(struct tn_registry *registry, enum tn_item_kind kind,
				       enum tn_revision revision, const struct tn_sight *sight,
				       struct tn_str cursor, struct tn_buf *out,
				       struct tenon_error *err)
{
	const struct tn_sight usual = {.hidden = registry->apps_off, .listing = registry->listing};
	struct tn_list *list = &registry->lists[kind];
	const struct tn_page *page;
	size_t first = 0;

	if (cursor.data && !find_start(list, kind, cursor, &first))
		return tn_fail(err, TENON_INVALID, "cursor: not one of this list's cursors");
	if (!sight)
		sight = &usual;
	if (!is_usual(registry, kind, sight) || !is_regular(list, revision, first)) {
		write_page(list, kind, revision, sight, first, out);
		return TENON_OK;
	}
	page = find_page(list, kind, revision, &usual, first);
	if (!page)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_json_put_raw(out, tn_buf_str(&page->json));
	return TENON_OK;
}
