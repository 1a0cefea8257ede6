#include "apps/workbench/drafts/document.h"

#include "base/mem.h"
#include "store/limits.h"
#include "jsonrpc/json_make.h"
#include "jsonrpc/json_write.h"

void tn_wb_document_init(struct tn_wb_document *document)
{
	*document = (struct tn_wb_document){.slots = NULL};
	tn_map_init(&document->touched);
	tn_buf_init(&document->touches, 64 * TN_MIB);
}

void tn_wb_document_finish(struct tn_wb_document *document)
{
	tn_wb_document_unwatch(document);
	for (size_t i = 0; i < document->count; i++)
		tn_wb_draft_unref(document->slots[i].draft);
	tn_mem_free(document->slots);
	tn_map_finish(&document->touched);
	tn_buf_finish(&document->touches);
}

/* ---- finding ---- */

size_t tn_wb_document_place(const struct tn_wb_document *document,
			    const struct tn_wb_address *address)
{
	size_t low = 0, high = document->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (tn_wb_address_compare(&document->slots[middle].draft->address, address) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct tn_wb_slot *tn_wb_document_find(const struct tn_wb_document *document,
				       const struct tn_wb_address *address)
{
	size_t place = tn_wb_document_place(document, address);

	if (place == document->count ||
	    tn_wb_address_compare(&document->slots[place].draft->address, address) != 0)
		return NULL;
	return &document->slots[place];
}

size_t tn_wb_document_group(const struct tn_wb_document *document, enum tn_wb_group group,
			    size_t *ret_first)
{
	const struct tn_wb_address start = {.group = group};
	const struct tn_wb_address end = {.group = (enum tn_wb_group)(group + 1)};

	*ret_first = tn_wb_document_place(document, &start);
	return tn_wb_document_place(document, &end) - *ret_first;
}

size_t tn_wb_document_instance(const struct tn_wb_document *document, enum tn_wb_group group,
			       struct tn_str instance_id, size_t *ret_first)
{
	const struct tn_wb_address start = {.group = group, .instance_id = instance_id};
	size_t at = tn_wb_document_place(document, &start);

	*ret_first = at;
	while (at < document->count && document->slots[at].draft->address.group == group &&
	       tn_str_equal(document->slots[at].draft->address.instance_id, instance_id))
		at++;
	return at - *ret_first;
}

/* ---- what is touched ---- */

static void address_key(struct tn_buf *out, const struct tn_wb_address *address)
{
	tn_buf_format(out, "%d:%zu:", (int)address->group, address->instance_id.size);
	tn_buf_append_str(out, address->instance_id);
	tn_buf_append_str(out, address->path);
}

void tn_wb_document_unwatch(struct tn_wb_document *document)
{
	struct tn_wb_touch *touches = (struct tn_wb_touch *)(void *)document->touches.data;
	size_t count = document->touches.size / sizeof(*touches);

	for (size_t i = 0; i < count; i++) {
		tn_wb_draft_unref(touches[i].before);
		tn_wb_draft_unref(touches[i].named);
	}
	tn_buf_clear(&document->touches);
	tn_buf_shrink(&document->touches, TN_KIB);
	tn_map_finish(&document->touched);
	tn_map_init(&document->touched);
	document->watching = false;
}

void tn_wb_document_watch(struct tn_wb_document *document)
{
	tn_wb_document_unwatch(document);
	document->watching = true;
}

size_t tn_wb_document_touches(const struct tn_wb_document *document, const struct tn_wb_touch **ret)
{
	*ret = (const struct tn_wb_touch *)(const void *)document->touches.data;
	return document->touches.size / sizeof(**ret);
}

struct tn_wb_draft *tn_wb_document_after(const struct tn_wb_document *document,
					 const struct tn_wb_touch *touch)
{
	struct tn_wb_slot *slot = tn_wb_document_find(document, &touch->named->address);

	return slot ? slot->draft : NULL;
}

void tn_wb_document_settle(struct tn_wb_document *document)
{
	const struct tn_wb_touch *touches;
	size_t count = tn_wb_document_touches(document, &touches);

	for (size_t i = 0; i < count; i++) {
		struct tn_wb_slot *slot = tn_wb_document_find(document, &touches[i].named->address);
		struct tn_wb_draft *draft = slot ? slot->draft : NULL;

		if (!draft || !tn_wb_draft_equal(touches[i].before, draft))
			continue;
		*slot = touches[i].slot;
		slot->draft = draft;
	}
}

/* `named` has the address; `slot` is what stands there. */
static enum tenon_code note_touch(struct tn_wb_document *document, const struct tn_wb_slot *slot,
				  struct tn_wb_draft *named, struct tenon_error *err)
{
	struct tn_wb_draft *before = slot ? slot->draft : NULL;
	struct tn_wb_touch touch = {.before = before, .named = named ? named : before};
	enum tenon_code code = TENON_OK;
	struct tn_buf key;

	if (!document->watching || !touch.named)
		return TENON_OK;
	if (slot)
		touch.slot = *slot;
	tn_buf_init(&key, TN_MIB);
	address_key(&key, &touch.named->address);
	code = tn_buf_check(&key, err);
	if (code == TENON_OK && !tn_map_get(&document->touched, tn_buf_str(&key))) {
		if (!tn_buf_reserve(&document->touches, sizeof(touch)))
			code = tn_buf_check(&document->touches, err);
		if (code == TENON_OK)
			code = tn_map_put(&document->touched, tn_buf_str(&key), document, err);
		if (code == TENON_OK) {
			(void)tn_wb_draft_ref(touch.before);
			(void)tn_wb_draft_ref(touch.named);
			tn_buf_append(&document->touches, &touch, sizeof(touch));
		}
	}
	tn_buf_finish(&key);
	return code;
}

enum tenon_code tn_wb_document_name(struct tn_wb_document *document, const struct tn_wb_slot *slot,
				    struct tenon_error *err)
{
	return note_touch(document, slot, NULL, err);
}

/* ---- changing ---- */

static bool make_room(struct tn_wb_document *document)
{
	size_t capacity = document->capacity ? document->capacity * 2 : 16;
	struct tn_wb_slot *slots;

	if (document->count < document->capacity)
		return true;
	slots = tn_mem_resize(document->slots, capacity * sizeof(*slots));
	if (!slots)
		return false;
	document->slots = slots;
	document->capacity = capacity;
	return true;
}

/* Fails before anything has changed. `old` NULL: a new address. */
static enum tenon_code check_room(struct tn_wb_document *document, const struct tn_wb_draft *old,
				  const struct tn_wb_draft *draft, struct tenon_error *err)
{
	if (!old && document->count == TN_WB_OVERRIDES_MAX)
		return tn_fail(err, TENON_LIMIT, "there are %d overrides already; clear some",
			       TN_WB_OVERRIDES_MAX);
	if (document->bytes - (old ? old->bytes : 0) + draft->bytes > TN_WB_OVERRIDES_BYTES_MAX)
		return tn_fail(err, TENON_LIMIT,
			       "all overrides together would take more than %zu MiB; clear some",
			       TN_WB_OVERRIDES_BYTES_MAX / TN_MIB);
	if (!old && !make_room(document))
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	return TENON_OK;
}

static void insert(struct tn_wb_document *document, struct tn_wb_draft *draft)
{
	size_t place = tn_wb_document_place(document, &draft->address);
	struct tn_wb_slot *slot = &document->slots[place];

	memmove(slot + 1, slot, (document->count - place) * sizeof(*slot));
	*slot = (struct tn_wb_slot){.draft = tn_wb_draft_ref(draft)};
	document->count++;
	document->bytes += draft->bytes;
	document->rebound += draft->rebound_from.size > 0;
}

/* What was reported of a draft holds for it alone. */
static void replace(struct tn_wb_document *document, struct tn_wb_slot *slot,
		    struct tn_wb_draft *draft)
{
	if (tn_wb_draft_equal(slot->draft, draft))
		return;
	document->bytes += draft->bytes;
	document->bytes -= slot->draft->bytes;
	document->rebound += draft->rebound_from.size > 0;
	document->rebound -= slot->draft->rebound_from.size > 0;
	tn_wb_draft_unref(slot->draft);
	*slot = (struct tn_wb_slot){.draft = tn_wb_draft_ref(draft)};
}

enum tenon_code tn_wb_document_put(struct tn_wb_document *document, struct tn_wb_draft *draft,
				   struct tenon_error *err)
{
	struct tn_wb_slot *slot = tn_wb_document_find(document, &draft->address);
	enum tenon_code code = check_room(document, slot ? slot->draft : NULL, draft, err);

	if (code != TENON_OK)
		return code;
	if (slot)
		replace(document, slot, draft);
	else
		insert(document, draft);
	return TENON_OK;
}

void tn_wb_document_remove(struct tn_wb_document *document, size_t index)
{
	struct tn_wb_slot *slot = &document->slots[index];

	document->bytes -= slot->draft->bytes;
	document->rebound -= slot->draft->rebound_from.size > 0;
	tn_wb_draft_unref(slot->draft);
	document->count--;
	memmove(slot, slot + 1, (document->count - index) * sizeof(*slot));
}

/* ---- the operation ---- */

struct tn_json *tn_wb_document_entry(struct tn_arena *arena, const struct tn_wb_draft_parts *parts)
{
	struct tn_json_maker maker;

	tn_json_maker_begin(&maker, arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, TN_STR("value"), parts->value);
	if (parts->type_id.size)
		tn_json_maker_put(&maker, TN_STR("componentTypeId"),
				  tn_json_make_str(arena, parts->type_id));
	if (parts->locator)
		tn_json_maker_put(&maker, TN_STR("instanceLocator"), parts->locator);
	if (parts->rebound_from.size)
		tn_json_maker_put(&maker, TN_STR("reboundFrom"),
				  tn_json_make_str(arena, parts->rebound_from));
	return tn_json_maker_end(&maker);
}

struct tn_json *tn_wb_document_operation(struct tn_arena *arena,
					 const struct tn_wb_address *address,
					 const struct tn_json *entry)
{
	struct tn_str group = tn_str_from(tn_wb_group_name(address->group));
	struct tn_json_maker maker;

	tn_json_maker_begin(&maker, arena, TN_JSON_OBJECT);
	tn_json_maker_put(&maker, TN_STR("group"), tn_json_make_str(arena, group));
	tn_json_maker_put(&maker, TN_STR("instanceId"),
			  tn_json_make_str(arena, address->instance_id));
	tn_json_maker_put(&maker, TN_STR("path"), tn_json_make_str(arena, address->path));
	tn_json_maker_put(&maker, TN_STR("entry"), entry);
	return tn_json_maker_end(&maker);
}

bool tn_wb_document_address(const struct tn_json *operation, struct tn_wb_address *ret)
{
	struct tn_str group = {NULL, 0};

	return tn_json_to_str(tn_json_get(operation, "group"), &group) &&
	       tn_wb_group_of(group, &ret->group) &&
	       tn_json_to_str(tn_json_get(operation, "instanceId"), &ret->instance_id) &&
	       tn_json_to_str(tn_json_get(operation, "path"), &ret->path);
}

static void put_inverse(struct tn_buf *out, const struct tn_wb_address *address,
			const struct tn_wb_draft *before)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "group", tn_wb_group_name(address->group));
	tn_json_put_member_str(out, "instanceId", address->instance_id);
	tn_json_put_member_str(out, "path", address->path);
	tn_json_put_key(out, "entry");
	if (before) {
		tn_json_begin_object(out);
		tn_json_put_member_raw(out, "value", before->value);
		if (before->type_id.size)
			tn_json_put_member_str(out, "componentTypeId", before->type_id);
		if (before->locator.size)
			tn_json_put_member_raw(out, "instanceLocator", before->locator);
		if (before->rebound_from.size)
			tn_json_put_member_str(out, "reboundFrom", before->rebound_from);
		tn_json_end_object(out);
	} else {
		tn_json_put_null(out);
	}
	tn_json_end_object(out);
}

/* The draft that the operation puts there; *ret stays NULL where it takes one away. */
static enum tenon_code read_draft(const struct tn_json *operation,
				  const struct tn_wb_address *address, struct tn_wb_draft **ret,
				  struct tenon_error *err)
{
	const struct tn_json *entry = tn_json_get(operation, "entry");
	struct tn_wb_draft_parts parts = {.address = *address,
					  .value = tn_json_get(entry, "value"),
					  .locator = tn_json_get(entry, "instanceLocator")};

	if (tn_json_is(entry, TN_JSON_NULL))
		return TENON_OK;
	if (!parts.value)
		return tn_fail(err, TENON_INVALID, "an entry is null or has a value");
	(void)tn_json_to_str(tn_json_get(entry, "componentTypeId"), &parts.type_id);
	(void)tn_json_to_str(tn_json_get(entry, "reboundFrom"), &parts.rebound_from);
	return tn_wb_draft_make(&parts, ret, err);
}

static enum tenon_code apply_draft(struct tn_wb_document *document,
				   const struct tn_wb_address *address, struct tn_wb_draft *draft,
				   struct tn_buf *inverse, struct tenon_error *err)
{
	struct tn_wb_slot *slot = tn_wb_document_find(document, address);
	struct tn_wb_draft *before = slot ? slot->draft : NULL;
	enum tenon_code code = draft ? check_room(document, before, draft, err) : TENON_OK;

	if (code == TENON_OK)
		code = note_touch(document, slot, draft, err);
	if (code == TENON_OK) {
		put_inverse(inverse, address, before);
		code = tn_buf_check(inverse, err);
	}
	if (code != TENON_OK)
		return code;
	if (draft)
		return tn_wb_document_put(document, draft, err);
	slot = tn_wb_document_find(document, address);
	if (slot)
		tn_wb_document_remove(document, (size_t)(slot - document->slots));
	return TENON_OK;
}

static enum tenon_code apply(void *data, const struct tn_json *operation, struct tn_buf *inverse,
			     struct tenon_error *err)
{
	struct tn_wb_document *document = data;
	struct tn_wb_draft *draft = NULL;
	struct tn_wb_address address = {.group = TN_WB_GROUP_APP};
	enum tenon_code code;

	if (!tn_wb_document_address(operation, &address))
		return tn_fail(err, TENON_INVALID, "an operation has group, instanceId and path");
	code = read_draft(operation, &address, &draft, err);
	if (code == TENON_OK)
		code = apply_draft(document, &address, draft, inverse, err);
	tn_wb_draft_unref(draft);
	return code;
}

/* The log is in memory alone: what is kept is the contract's file. */
static void save(const void *data, struct tn_buf *out)
{
	const struct tn_wb_document *document = data;

	tn_json_begin_array(out);
	for (size_t i = 0; i < document->count; i++) {
		const struct tn_wb_draft *draft = document->slots[i].draft;

		put_inverse(out, &draft->address, draft);
	}
	tn_json_end_array(out);
}

static enum tenon_code load(void *data, const struct tn_json *saved, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;
	struct tn_buf inverse;

	if (!tn_json_is(saved, TN_JSON_ARRAY))
		return tn_fail(err, TENON_INVALID, "saved overrides are an array");
	tn_buf_init(&inverse, TN_OPLOG_COMMIT_BYTES_MAX);
	for (const struct tn_json *at = saved->first; at && code == TENON_OK; at = at->next) {
		tn_buf_clear(&inverse);
		code = apply(data, at, &inverse, err);
	}
	tn_buf_finish(&inverse);
	return code;
}

static void touch_all(const struct tn_json *operations, struct tn_buf *out)
{
	struct tn_wb_address address = {.group = TN_WB_GROUP_APP};
	struct tn_buf key;

	tn_buf_init(&key, TN_MIB);
	for (const struct tn_json *at = operations->first; at; at = at->next) {
		uint64_t number;

		if (!tn_wb_document_address(at, &address))
			continue;
		tn_buf_clear(&key);
		address_key(&key, &address);
		number = tn_str_hash(tn_buf_str(&key), 0) | 1;
		tn_buf_append(out, &number, sizeof(number));
	}
	tn_buf_finish(&key);
}

static void touch(const struct tn_json *forth, const struct tn_json *back, struct tn_buf *out)
{
	touch_all(forth, out);
	touch_all(back, out);
}

const struct tn_document_ops tn_wb_document_ops = {
	.apply = apply, .save = save, .load = load, .touch = touch};
