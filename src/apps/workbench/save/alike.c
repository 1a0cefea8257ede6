/* D5: what is written once and lives several times is changed for all of them, so all must carry
 * the same value. */
#include "apps/workbench/save/plan_parts.h"

/* Instances of one place in the source. */
struct place {
	struct crew *first;
	size_t count;
	uint32_t highest; /* ordinal */
};
struct crew {
	struct crew *next;
	struct tn_str id;
	const struct tn_json *props; /* NULL: it is not live, and nothing is known */
};
struct comparing {
	struct tn_wb_planning *p;
	struct tn_map places; /* by file, line and column */
	struct tn_map seen;   /* instances, once each */
};

static const char *key_of(struct tn_wb_planning *p, struct tn_str file, struct tn_wb_position at)
{
	return tn_arena_format(&p->arena, "%u:%u:%.*s", at.line, at.column, (int)file.size,
			       file.data);
}

static enum tenon_code starve(struct tenon_error *err)
{
	return tn_fail(err, TENON_NO_MEMORY, "out of memory");
}

/* `makes`: a place that is not known yet is made. */
static enum tenon_code add(struct comparing *c, const struct tn_wb_locator *site, struct tn_str id,
			   const struct tn_json *props, bool makes, struct tenon_error *err)
{
	const char *key = key_of(c->p, site->file, site->at);
	struct place *place = key ? tn_map_get(&c->places, tn_str_from(key)) : NULL;
	struct crew *crew;

	if (!key)
		return starve(err);
	if (!place && !makes)
		return TENON_OK;
	if (!place) {
		place = tn_arena_alloc(&c->p->arena, sizeof(*place));
		if (!place || tn_map_put(&c->places, tn_str_from(key), place, err) != TENON_OK)
			return starve(err);
	}
	place->highest = site->ordinal > place->highest ? site->ordinal : place->highest;
	crew = tn_map_get(&c->seen, id);
	if (crew) {
		crew->props = crew->props ? crew->props : props;
		return TENON_OK;
	}
	crew = tn_arena_alloc(&c->p->arena, sizeof(*crew));
	if (!crew || tn_map_put(&c->seen, id, crew, err) != TENON_OK)
		return starve(err);
	*crew = (struct crew){.next = place->first, .id = id, .props = props};
	place->first = crew;
	place->count++;
	return TENON_OK;
}

static enum tenon_code add_draft(struct comparing *c, const struct tn_wb_item *item,
				 struct tenon_error *err)
{
	struct tn_wb_locator site;
	struct tn_json *locator = NULL;
	enum tenon_code code;

	if (!item->spot)
		return TENON_OK;
	code = tn_json_parse_copy(&c->p->arena, item->draft->locator, &locator, err);
	if (code != TENON_OK || !tn_wb_locator_read(locator, &site))
		return code;
	return add(c, &site, item->draft->address.instance_id, NULL, true, err);
}

static enum tenon_code add_instance(struct comparing *c, const struct tn_wb_plan_instance *instance,
				    struct tenon_error *err)
{
	static const struct tn_json none = {.type = TN_JSON_OBJECT};
	struct tn_wb_locator site;
	struct tn_json *json = NULL;
	const struct tn_json *props;
	enum tenon_code code = tn_json_parse_copy(&c->p->arena, instance->text, &json, err);

	if (code != TENON_OK || !tn_wb_locator_read(tn_json_get(json, "instanceLocator"), &site))
		return code;
	props = tn_json_get(json, "props");
	return add(c, &site, instance->id, props ? props : &none, false, err);
}

static const struct tn_wb_item *draft_of(const struct tn_wb_planning *p, struct tn_str id,
					 struct tn_str path)
{
	char key[TN_WB_ID_BYTES_MAX + TN_WB_PATH_BYTES_MAX + 2];

	if (id.size + path.size + 1 > sizeof(key))
		return NULL;
	memcpy(key, id.data, id.size);
	key[id.size] = '\n';
	memcpy(key + id.size + 1, path.data, path.size);
	return tn_map_get(&p->item_of, tn_str(key, id.size + 1 + path.size));
}

/* All drafts of a spot say the spot's value already. */
static bool carries(const struct tn_wb_planning *p, const struct crew *crew,
		    const struct tn_wb_spot *spot, struct tn_str path)
{
	const struct tn_wb_item *item = draft_of(p, crew->id, path);

	if (item)
		return item->spot == spot;
	return crew->props && tn_json_equal(tn_json_get_str(crew->props, spot->prop), spot->value);
}

static void compare(const struct comparing *c, const struct tn_wb_item *item)
{
	struct tn_wb_spot *spot = item->spot;
	const char *key = key_of(c->p, spot->file, spot->at);
	const struct place *place = key ? tn_map_get(&c->places, tn_str_from(key)) : NULL;

	if (!place) {
		tn_wb_spot_refuse(spot, "internalError", "out of memory");
		return;
	}
	if (c->p->inputs->is_cut)
		tn_wb_spot_refuse(spot, "internalError",
				  "more instances live than can be compared");
	if (place->count <= place->highest)
		tn_wb_spot_refuse(spot, "unpromotable",
				  "other instances are written at the same place, and what they "
				  "carry is not known: open the page that shows them");
	for (const struct crew *at = place->first; at && !spot->code; at = at->next)
		if (!carries(c->p, at, spot, item->draft->address.path))
			tn_wb_spot_refuse(spot, "unpromotable",
					  "other instances that are written at the same place "
					  "carry another value");
}

static enum tenon_code index_drafts(struct comparing *c, struct tenon_error *err)
{
	struct tn_wb_planning *p = c->p;
	enum tenon_code code = TENON_OK;

	for (size_t i = 0; i < p->inputs->draft_count && code == TENON_OK; i++) {
		const struct tn_wb_address *address = &p->items[i].draft->address;
		const char *key = tn_arena_format(
			&p->arena, "%.*s\n%.*s", (int)address->instance_id.size,
			address->instance_id.data, (int)address->path.size, address->path.data);

		code = key ? tn_map_put(&p->item_of, tn_str_from(key), &p->items[i], err)
			   : starve(err);
		if (code == TENON_OK)
			code = add_draft(c, &p->items[i], err);
	}
	return code;
}

enum tenon_code tn_wb_spots_compare(struct tn_wb_planning *p, struct tenon_error *err)
{
	struct comparing c = {.p = p};
	enum tenon_code code;

	tn_map_init(&c.places);
	tn_map_init(&c.seen);
	code = index_drafts(&c, err);
	for (size_t i = 0; i < p->inputs->instance_count && code == TENON_OK; i++)
		code = add_instance(&c, &p->inputs->instances[i], err);
	for (size_t i = 0; i < p->inputs->draft_count && code == TENON_OK; i++) {
		if (p->cancelled && atomic_load_explicit(p->cancelled, memory_order_relaxed))
			code = tn_fail(err, TENON_CANCELLED, "cancelled");
		if (p->items[i].spot && !p->items[i].spot->is_compared)
			compare(&c, &p->items[i]);
		if (p->items[i].spot)
			p->items[i].spot->is_compared = true;
	}
	tn_map_finish(&c.places);
	tn_map_finish(&c.seen);
	return code;
}
