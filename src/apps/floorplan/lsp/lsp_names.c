/* What each name of a plan stands for: definitions and everything that refers to them. */
#include "apps/floorplan/lsp/internal.h"

#include <stdlib.h>

struct finder {
	const struct tn_floor_plan *plan;
	const struct tn_floor_room **by_name; /* all rooms; then by floor, then in order */
	struct tn_lsp_mentions *mentions;
};

static struct tn_str text_of(const struct finder *f, uint32_t token)
{
	return token == TN_FLOOR_NO_TOKEN ? tn_str("", 0)
					  : tn_floor_token_text(&f->plan->tree.lexed, token);
}

static void add(struct finder *f, enum tn_lsp_kind kind, uint32_t token, uint32_t definition,
		const void *what, const struct tn_floor_floor *floor)
{
	struct tn_lsp_mentions *all = f->mentions;

	if (token == TN_FLOOR_NO_TOKEN || definition == TN_FLOOR_NO_TOKEN || all->starved)
		return;
	if (all->count == all->room) {
		size_t room = all->room ? 2 * all->room : 256;
		struct tn_lsp_mention *more = tn_arena_alloc_array(all->arena, room, sizeof(*more));

		if (!more) {
			all->starved = true;
			return;
		}
		if (all->count > 0)
			memcpy(more, all->list, all->count * sizeof(*more));
		all->list = more;
		all->room = room;
	}
	all->list[all->count++] = (struct tn_lsp_mention){kind, token, definition, what, floor};
}

/* ---- what there is ---- */

static int by_name(const void *left, const void *right)
{
	const struct tn_floor_room *a = *(const struct tn_floor_room *const *)left,
				   *b = *(const struct tn_floor_room *const *)right;
	int order = tn_str_compare(a->name, b->name);

	if (order == 0)
		order = (a->floor->index > b->floor->index) - (a->floor->index < b->floor->index);
	return order ? order : (a->index > b->index) - (a->index < b->index);
}

/* 10,000 connections may each ask on 64 floors: looking through 5,000 rooms would take seconds. */
static bool sort_rooms(struct finder *f, struct tn_arena *arena)
{
	const struct tn_floor_plan *plan = f->plan;

	f->by_name = tn_arena_alloc_array(arena, plan->room_count + (size_t)1, sizeof(*f->by_name));
	for (uint32_t i = 0; i < plan->room_count && f->by_name; i++)
		f->by_name[i] = plan->rooms[i];
	if (f->by_name)
		qsort(f->by_name, plan->room_count, sizeof(*f->by_name), by_name);
	return f->by_name != NULL;
}

/* The first one; NULL: none. */
static const struct tn_floor_room *find_room(const struct finder *f,
					     const struct tn_floor_floor *floor, struct tn_str name)
{
	size_t low = 0, high = f->plan->room_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct tn_floor_room *room = f->by_name[middle];
		int order = tn_str_compare(room->name, name);

		if (order < 0 || (order == 0 && room->floor->index < floor->index))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == f->plan->room_count || f->by_name[low]->floor != floor ||
	    !tn_str_equal(f->by_name[low]->name, name))
		return NULL;
	return f->by_name[low];
}

static void add_room(struct finder *f, uint32_t token, const struct tn_floor_room *room)
{
	if (room)
		add(f, TN_LSP_ROOM, token, room->tree->name, room, room->floor);
}

static const struct tn_floor_circulation *find_circulation(const struct tn_floor_floor *floor,
							   struct tn_str name)
{
	const struct tn_floor_circulation *one = floor ? floor->circulation : NULL;

	while (one && !tn_str_equal(one->name, name))
		one = one->next;
	return one;
}

static uint32_t name_token(const struct tn_floor_circulation *one)
{
	return one->stair ? one->stair->name : one->lift_tree->name;
}

static void add_circulation(struct finder *f, uint32_t token,
			    const struct tn_floor_circulation *one)
{
	if (one)
		add(f, TN_LSP_CIRCULATION, token, name_token(one), one, one->floor);
}

static void add_floor(struct finder *f, uint32_t token)
{
	const struct tn_floor_floor *floor =
		token == TN_FLOOR_NO_TOKEN ? NULL : tn_floor_floor_find(f->plan, text_of(f, token));

	if (floor)
		add(f, TN_LSP_FLOOR, token, floor->tree->name, floor, NULL);
}

static void add_style(struct finder *f, uint32_t token)
{
	for (const struct tn_floor_style *style = f->plan->styles;
	     style && token != TN_FLOOR_NO_TOKEN; style = style->next) {
		if (tn_str_equal(style->name, text_of(f, token))) {
			add(f, TN_LSP_STYLE, token, style->tree->name, style, NULL);
			return;
		}
	}
}

static void add_style_clause(struct finder *f, const struct tn_floor_name *clause)
{
	if (clause->tokens.first != TN_FLOOR_NO_TOKEN)
		add_style(f, clause->name);
}

static void add_size(struct finder *f, const struct tn_floor_size *size)
{
	const struct tn_floor_define_tree *define = f->plan->tree.defines;

	if (!size->there || size->name == TN_FLOOR_NO_TOKEN)
		return;
	for (; define; define = define->next) {
		if (tn_str_equal(text_of(f, define->name), text_of(f, size->name))) {
			add(f, TN_LSP_SIZE, size->name, define->name, NULL, NULL);
			return;
		}
	}
}

/* ---- floors ---- */

static void add_rooms(struct finder *f, const struct tn_floor_room *room)
{
	for (; room; room = room->next) {
		const struct tn_floor_relative *relative = &room->tree->relative;

		add_room(f, room->tree->name, room);
		if (relative->tokens.first != TN_FLOOR_NO_TOKEN)
			add_room(f, relative->name,
				 find_room(f, room->floor, text_of(f, relative->name)));
		add_size(f, &room->tree->size);
		add_style_clause(f, &room->tree->style);
		add_rooms(f, room->rooms);
	}
}

static void add_reference(struct finder *f, const struct tn_floor_floor *floor,
			  const struct tn_floor_relative *relative)
{
	struct tn_str name;
	const struct tn_floor_room *room;

	if (relative->tokens.first == TN_FLOOR_NO_TOKEN)
		return;
	name = text_of(f, relative->name);
	room = find_room(f, floor, name);
	if (room && !room->parent)
		add_room(f, relative->name, room);
	else
		add_circulation(f, relative->name, find_circulation(floor, name));
}

static void add_stair(struct finder *f, const struct tn_floor_circulation *one)
{
	const struct tn_floor_segment *segment = one->stair->segments;

	add_reference(f, one->floor, &one->stair->relative);
	add_style_clause(f, &one->stair->style);
	for (; segment; segment = segment->next)
		if (segment->along.first != TN_FLOOR_NO_TOKEN)
			add_room(f, segment->along_room,
				 find_room(f, one->floor, text_of(f, segment->along_room)));
}

static void add_floors(struct finder *f)
{
	for (const struct tn_floor_floor *floor = f->plan->floors; floor; floor = floor->next) {
		const struct tn_floor_circulation *one = floor->circulation;

		add_floor(f, floor->tree->name);
		add_rooms(f, floor->rooms);
		for (; one; one = one->next) {
			add_circulation(f, name_token(one), one);
			if (one->stair) {
				add_stair(f, one);
				continue;
			}
			add_reference(f, floor, &one->lift_tree->relative);
			add_style_clause(f, &one->lift_tree->style);
		}
	}
}

/* ---- connections and links ---- */

/* On the floor it names; else where all its rooms are. */
static const struct tn_floor_floor *floor_of(const struct finder *f,
					     const struct tn_floor_connect_tree *connect)
{
	const struct tn_floor_end *ends[] = {&connect->from, &connect->to};

	for (const struct tn_floor_floor *floor = f->plan->floors; floor; floor = floor->next) {
		bool all = true;

		for (size_t i = 0; i < 2 && all; i++) {
			if (ends[i]->outside)
				continue;
			all = find_room(f, floor, text_of(f, ends[i]->room)) &&
			      (ends[i]->floor == TN_FLOOR_NO_TOKEN ||
			       tn_str_equal(text_of(f, ends[i]->floor), floor->name));
		}
		if (all)
			return floor;
	}
	return NULL;
}

static void add_connections(struct finder *f)
{
	const struct tn_floor_connect_tree *connect = f->plan->tree.connections;

	for (; connect; connect = connect->next) {
		const struct tn_floor_end *ends[] = {&connect->from, &connect->to};
		const struct tn_floor_floor *floor = floor_of(f, connect);

		for (size_t i = 0; i < 2; i++) {
			if (ends[i]->outside)
				continue;
			add_floor(f, ends[i]->floor);
			if (floor)
				add_room(f, ends[i]->room,
					 find_room(f, floor, text_of(f, ends[i]->room)));
		}
		if (floor && connect->opens_into != TN_FLOOR_NO_TOKEN)
			add_room(f, connect->opens_into,
				 find_room(f, floor, text_of(f, connect->opens_into)));
	}
}

static void add_verticals(struct finder *f)
{
	const struct tn_floor_vertical_tree *vertical = f->plan->tree.verticals;

	for (; vertical; vertical = vertical->next) {
		for (const struct tn_floor_link *link = vertical->links; link; link = link->next) {
			const struct tn_floor_floor *floor =
				tn_floor_floor_find(f->plan, text_of(f, link->floor));

			add_floor(f, link->floor);
			add_circulation(f, link->element,
					find_circulation(floor, text_of(f, link->element)));
		}
	}
}

/* The value of `default_style` is a word of the block. */
static void add_config(struct finder *f)
{
	const struct tn_floor_property *property = f->plan->tree.config;

	for (; property; property = property->next)
		if ((tn_str_is(property->key, "default_style") ||
		     tn_str_is(property->key, "defaultStyle")) &&
		    property->tokens.last != TN_FLOOR_NO_TOKEN)
			add_style(f, property->tokens.last);
}

void tn_lsp_find_mentions(const struct tn_floor_plan *plan, struct tn_arena *arena,
			  struct tn_lsp_mentions *ret)
{
	struct finder f = {.plan = plan, .mentions = ret};
	const struct tn_floor_define_tree *define;

	*ret = (struct tn_lsp_mentions){.arena = arena};
	if (!plan || !plan->tree.parses || !sort_rooms(&f, arena))
		return;
	for (define = plan->tree.defines; define; define = define->next)
		add(&f, TN_LSP_SIZE, define->name, define->name, NULL, NULL);
	for (const struct tn_floor_style *style = plan->styles; style; style = style->next)
		add_style(&f, style->tree->name);
	add_floors(&f);
	add_connections(&f);
	add_verticals(&f);
	add_config(&f);
}

const struct tn_lsp_mention *tn_lsp_mention_at(const struct tn_floor_plan *plan,
					       const struct tn_lsp_mentions *mentions,
					       size_t offset)
{
	for (size_t i = 0; i < mentions->count; i++) {
		uint32_t token = mentions->list[i].token;
		const struct tn_floor_range *range = &plan->tree.lexed.tokens[token].range;

		if (offset >= range->start && offset <= range->end)
			return &mentions->list[i];
	}
	return NULL;
}
