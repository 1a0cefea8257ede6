#include "apps/plan/read/json_diff.h"

#include "apps/plan/limits.h"
#include "apps/plan/read/json_value.h"
#include "apps/plan/read/access_names.h"
#include "base/size.h"
#include "jsonrpc/limits.h"

/* A document inside of a string may nest once more; both halves of a value that changes its shape
 * wait at the same time. */
enum { FRAMES_MAX = 2 * TN_JSON_DEPTH_MAX + 2 };

/* One place in all five trees. */
struct place {
	struct tn_json *before, *after, *unknown, *before_sensitive, *after_sensitive;
};

struct frame {
	struct place next; /* the members or elements not looked at yet */
	struct tn_str path;
	uint32_t index; /* of an array's next element */
	bool array;
	bool half; /* next is no list of members but half of a value that changes its shape */
};

struct differ {
	struct tn_plan_attribute_list *list;
	struct tn_arena *scratch;
	struct frame *frames;
	uint32_t depth;
};

/* ---- nodes ---- */

static bool is_container(const struct tn_json *node)
{
	return node && (node->type == TN_JSON_OBJECT || node->type == TN_JSON_ARRAY);
}

static bool is_there(const struct tn_json *node)
{
	return node && node->type != TN_JSON_NULL;
}

static bool is_marked(const struct tn_json *mark)
{
	return tn_json_is(mark, TN_JSON_TRUE);
}

struct tn_plan_value tn_plan_json_scalar(struct tn_plan_build *build, const struct tn_json *node)
{
	struct tn_plan_value value = {.kind = TN_PLAN_VALUE_NONE};

	if (!node)
		return value;
	switch (node->type) {
	case TN_JSON_NULL:
		value.kind = TN_PLAN_VALUE_NULL;
		break;
	case TN_JSON_TRUE:
	case TN_JSON_FALSE:
		value.kind = TN_PLAN_VALUE_BOOL;
		value.text = node->type == TN_JSON_TRUE ? TN_STR("true") : TN_STR("false");
		break;
	case TN_JSON_NUMBER:
		if (node->text.size > TN_PLAN_VALUE_BYTES_MAX)
			return tn_plan_string_value(build, node->text);
		value.kind = TN_PLAN_VALUE_NUMBER;
		value.text = node->text;
		break;
	case TN_JSON_STRING:
		return tn_plan_string_value(build, node->text);
	default:
		if (node->count == 0) {
			value.kind = TN_PLAN_VALUE_JSON;
			value.text = node->type == TN_JSON_ARRAY ? TN_STR("[]") : TN_STR("{}");
		}
		break;
	}
	return value;
}

static uint8_t change_of(const struct place *place)
{
	if (!is_there(place->before))
		return TN_PLAN_ATTR_ADD;
	if (!is_there(place->after) && !is_marked(place->unknown))
		return TN_PLAN_ATTR_REMOVE;
	return TN_PLAN_ATTR_UPDATE;
}

/* ---- leaves ---- */

/* What names or describes an object is kept although it stays; the rest would only be noise. */
static bool describes(struct tn_str name)
{
	static const char *const names[] = {"name",
					    "display_name",
					    "bucket",
					    "identifier",
					    "cluster_identifier",
					    "function_name",
					    "title",
					    "hostname",
					    "domain",
					    "domain_name",
					    "key",
					    "id",
					    "instance_type",
					    "instance_class",
					    "vm_size",
					    "size",
					    "machine_type",
					    "sku_name",
					    "tier",
					    "node_type",
					    "memory_size_gb",
					    "allocated_storage",
					    "region",
					    "location",
					    "availability_zone",
					    "location_id",
					    "zone",
					    "engine",
					    "engine_version",
					    "version",
					    "redis_version",
					    "kubernetes_version",
					    "port",
					    "from_port",
					    "to_port",
					    "ports",
					    "protocol",
					    "direction",
					    "type",
					    "access",
					    "cidr_blocks",
					    "publicly_accessible",
					    "desired_count",
					    "replicas",
					    "min_size",
					    "max_size",
					    "Effect",
					    "Principal",
					    "destination_port_range",
					    "self",
					    "ip_protocol",
					    "policy_arn",
					    "Action",
					    "NotAction",
					    "actions",
					    "AWS",
					    "effect",
					    "role",
					    "role_definition_name",
					    "member",
					    "principal_id"};

	for (size_t i = 0; i < TN_COUNT(names); i++) {
		if (tn_str_is(name, names[i]))
			return true;
	}
	return false;
}

/* Whether a rule that deletes by age is about everything is said by all that stands beside the age.
 */
static bool is_of_expiry(struct tn_str path)
{
	return tn_str_starts(path, TN_STR("rule[")) ||
	       tn_str_starts(path, TN_STR("lifecycle_rule["));
}

/* A document that says which images are deleted. */
static bool is_of_images(struct tn_str path)
{
	return tn_str_starts(path, TN_STR("policy.rules["));
}

/* Whether a machine's disk stays when the machine goes. */
static bool is_of_disk(struct tn_str name)
{
	static const char *const names[] = {"delete_on_termination", "auto_delete",
					    "delete_os_disk_on_termination", "preserve_boot_volume",
					    "auto_delete_volume"};

	for (size_t i = 0; i < TN_COUNT(names); i++)
		if (tn_str_is(name, names[i]))
			return true;
	return false;
}

/* What stays must not push out what changes. */
static bool is_worth_keeping(const struct differ *d, struct tn_str path, struct tn_str name)
{
	if (d->list->count >= TN_PLAN_ATTRIBUTES_MAX / 2)
		return false;
	return describes(name) || tn_plan_access_reads(name) || is_of_expiry(path) ||
	       is_of_images(path) || is_of_disk(name) ||
	       tn_str_find(path, TN_STR(".Condition.")) != TN_STR_NONE;
}

/* Without its index: cidr_blocks of ingress[0].cidr_blocks[1]. */
static struct tn_str last_name(struct tn_str path)
{
	size_t start = path.size, bracket;

	while (start > 0 && path.data[start - 1] != '.')
		start--;
	path = tn_str_from_offset(path, start);
	bracket = tn_str_find_byte(path, '[');
	return bracket == TN_STR_NONE ? path : tn_str(path.data, bracket);
}

static void add_sensitive(struct differ *d, const struct place *place, struct tn_plan_path path)
{
	struct tn_plan_attribute *attribute;

	if (!is_there(place->before) && !is_there(place->after) && !is_marked(place->unknown))
		return;
	if (!is_marked(place->unknown) && place->before && place->after &&
	    tn_json_equal(place->before, place->after))
		return;
	attribute = tn_plan_attribute_list_add(d->list, path, change_of(place));
	if (!attribute)
		return;
	attribute->sensitive = true;
	attribute->unknown = is_marked(place->unknown);
}

static bool has_newline(const struct tn_json *node)
{
	return tn_json_is(node, TN_JSON_STRING) && node->text.size &&
	       memchr(node->text.data, '\n', node->text.size);
}

static void add_leaf(struct differ *d, const struct place *place, struct tn_plan_path path)
{
	struct tn_plan_build *build = d->list->build;
	struct tn_plan_attribute *attribute;
	bool unknown = is_marked(place->unknown);
	uint8_t change = change_of(place);

	if (!unknown) {
		if (!is_there(place->before) && !is_there(place->after))
			return;
		if (place->before && place->after && tn_json_equal(place->before, place->after)) {
			struct tn_str name = last_name(path.text);

			if (!is_worth_keeping(d, path.text, name))
				return;
			change = TN_PLAN_ATTR_UNCHANGED;
		}
	}
	attribute = tn_plan_attribute_list_add(d->list, path, change);
	if (!attribute)
		return;
	attribute->unknown = unknown;
	attribute->before = tn_plan_json_scalar(build, place->before);
	if (!unknown)
		attribute->after = tn_plan_json_scalar(build, place->after);
	attribute->multiline = has_newline(place->before) || has_newline(place->after);
}

/* ---- documents inside of strings ---- */

/* The document's texts become values of the plan, so they must live as long: only its nodes are
 * scratch. */
static struct tn_json *decode(struct differ *d, const struct tn_json *node)
{
	struct tn_plan_build *build = d->list->build;
	struct tenon_error err;
	struct tn_json *document = NULL;
	char *copy;

	if (!tn_json_is(node, TN_JSON_STRING) || node->text.size < 2 ||
	    (node->text.data[0] != '{' && node->text.data[0] != '[') ||
	    !tn_plan_build_has_room(build))
		return NULL;
	copy = tn_arena_copy(&build->plan->arena, node->text);
	if (!copy || tn_json_parse(d->scratch, copy, node->text.size, &document, &err) != TENON_OK)
		return NULL; /* it only looked like a document */
	return document;
}

/* ---- walking ---- */

static struct tn_json *children(struct tn_json *node, enum tn_json_type type)
{
	if (!node || node->type != type)
		return NULL;
	tn_plan_json_sort(node);
	return node->first;
}

static void push(struct differ *d, const struct place *place, const struct tn_json *shape,
		 struct tn_str path)
{
	enum tn_json_type type = shape->type;
	struct frame *frame;

	if (d->depth == FRAMES_MAX) {
		d->list->truncated++;
		return;
	}
	frame = &d->frames[d->depth++];
	*frame = (struct frame){.path = path, .array = type == TN_JSON_ARRAY};
	frame->next.before = children(place->before, type);
	frame->next.after = children(place->after, type);
	frame->next.unknown = children(place->unknown, type);
	frame->next.before_sensitive = children(place->before_sensitive, type);
	frame->next.after_sensitive = children(place->after_sensitive, type);
}

/* What the place will hold: after_unknown has the shape of the value even where after leaves it
 * out, or is true. NULL: nothing. */
static const struct tn_json *shape_after(const struct place *place)
{
	if (is_marked(place->unknown) || is_there(place->after))
		return is_marked(place->unknown) ? place->unknown : place->after;
	return is_container(place->unknown) && place->unknown->count ? place->unknown : NULL;
}

static bool is_same_shape(const struct tn_json *one, const struct tn_json *other)
{
	if (is_container(one) || is_container(other))
		return one->type == other->type;
	return true;
}

/* Walks into the place, or adds it: it has one shape, or one side only. */
static void visit_shape(struct differ *d, const struct place *place, struct tn_plan_path path)
{
	const struct tn_json *shape = shape_after(place);

	if (!shape)
		shape = place->before;
	if (is_container(shape))
		push(d, place, shape, path.text);
	else
		add_leaf(d, place, path);
}

/* Text plans call the scalar half of such a change an update of the value; an empty list is a
 * value of its own here. */
static void visit_half(struct differ *d, const struct place *place, struct tn_plan_path path)
{
	const struct tn_json *half = place->before ? place->before : shape_after(place);
	struct tn_plan_attribute *attribute;
	uint32_t count = d->list->count;

	if (is_container(half) && half->count) {
		visit_shape(d, place, path);
		return;
	}
	add_leaf(d, place, path);
	attribute = d->list->count > count ? &d->list->attributes[count] : NULL;
	if (attribute)
		attribute->change = TN_PLAN_ATTR_UPDATE;
}

static void push_half(struct differ *d, const struct place *place, struct tn_str path)
{
	if (d->depth == FRAMES_MAX)
		d->list->truncated++;
	else
		d->frames[d->depth++] = (struct frame){.next = *place, .path = path, .half = true};
}

static bool is_one_document(const struct place *place)
{
	return tn_json_is(place->before, TN_JSON_STRING) &&
	       tn_json_is(place->after, TN_JSON_STRING) &&
	       tn_str_equal(place->before->text, place->after->text);
}

/* A value that changes its shape, be it in a document inside of a string, is two: what was there
 * goes, and what will be there comes. Told as one of them, opening a policy to everybody would read
 * as closing it. */
static void visit(struct differ *d, struct place place, struct tn_plan_path path)
{
	struct tn_json *document;

	if (is_marked(place.before_sensitive) || is_marked(place.after_sensitive)) {
		add_sensitive(d, &place, path);
		return;
	}
	if (!is_marked(place.unknown) && !is_one_document(&place)) {
		document = decode(d, place.before);
		place.before = document ? document : place.before;
		document = decode(d, place.after);
		place.after = document ? document : place.after;
	}
	if (is_there(place.before) && shape_after(&place) &&
	    !is_same_shape(place.before, shape_after(&place))) {
		struct place old = {.before = place.before,
				    .before_sensitive = place.before_sensitive};

		place.before = NULL;
		place.before_sensitive = NULL;
		push_half(d, &place, path.text);
		push_half(d, &old, path.text); /* the last one pushed is the first one told */
		return;
	}
	visit_shape(d, &place, path);
}

/* The smallest key among the heads of the five lists. */
static bool smallest_key(const struct place *next, struct tn_str *ret)
{
	const struct tn_json *heads[] = {next->before, next->after, next->unknown};
	bool found = false;

	for (size_t i = 0; i < TN_COUNT(heads); i++) {
		if (!heads[i] || (found && tn_str_compare(heads[i]->key, *ret) >= 0))
			continue;
		*ret = heads[i]->key;
		found = true;
	}
	return found;
}

/* Takes the member `key` off a list, the last one where it stands twice (MCP-014); members before
 * it have no value and go too. */
static struct tn_json *take_key(struct tn_json **list, struct tn_str key)
{
	struct tn_json *found = NULL;

	while (*list) {
		int order = tn_str_compare((*list)->key, key);

		if (order > 0)
			break;
		if (order == 0)
			found = *list;
		*list = (*list)->next;
	}
	return found;
}

static struct tn_json *take_element(struct tn_json **list)
{
	struct tn_json *element = *list;

	if (element)
		*list = element->next;
	return element;
}

/* A key that is no identifier is written as text plans write map keys. */
static struct tn_plan_path key_path(struct differ *d, struct tn_str parent, struct tn_str key)
{
	struct tn_plan_path path;

	if (tn_plan_is_identifier(key))
		return tn_plan_path_name(d->list, parent, key);
	path = tn_plan_path_join(d->list, parent, TN_STR("[\""), key, TN_STR("\"]"));
	return path;
}

/* One step of the innermost level. False: it is done. */
static bool step(struct differ *d)
{
	struct frame *frame = &d->frames[d->depth - 1];
	struct place *next = &frame->next, place;
	struct tn_plan_path path;
	struct tn_str key;

	if (frame->half) {
		place = *next;
		path = (struct tn_plan_path){frame->path, true};
		d->depth--;
		visit_half(d, &place, path);
		return true;
	}
	if (frame->array) {
		if (!next->before && !next->after && !next->unknown)
			return false;
		place = (struct place){take_element(&next->before), take_element(&next->after),
				       take_element(&next->unknown),
				       take_element(&next->before_sensitive),
				       take_element(&next->after_sensitive)};
		path = tn_plan_path_index(d->list, frame->path, frame->index++);
	} else {
		if (!smallest_key(next, &key))
			return false;
		place = (struct place){take_key(&next->before, key), take_key(&next->after, key),
				       take_key(&next->unknown, key),
				       take_key(&next->before_sensitive, key),
				       take_key(&next->after_sensitive, key)};
		path = key_path(d, frame->path, key);
	}
	visit(d, place, path);
	return true;
}

/* ---- what forces replacement ---- */

static struct tn_str render_path(struct differ *d, const struct tn_json *steps)
{
	struct tn_str path = {"", 0};

	for (const struct tn_json *one = steps->first; one; one = one->next) {
		if (one->type == TN_JSON_STRING)
			path = key_path(d, path, one->text).text;
		else if (one->type == TN_JSON_NUMBER)
			path = tn_plan_path_join(d->list, path, TN_STR("["), one->text, TN_STR("]"))
				       .text;
	}
	return path;
}

static void mark_path(struct differ *d, struct tn_str path)
{
	struct tn_plan_attribute *attribute;

	for (uint32_t i = 0; i < d->list->count; i++) {
		if (tn_str_equal(d->list->attributes[i].path, path)) {
			d->list->attributes[i].forces_replacement = true;
			return;
		}
	}
	/* A block or list: text plans mark its opening bracket. */
	attribute = tn_plan_attribute_list_add(d->list, (struct tn_plan_path){path, true},
					       TN_PLAN_ATTR_UPDATE);
	if (attribute)
		attribute->forces_replacement = true;
}

static void mark_forced(struct differ *d, const struct tn_json *paths)
{
	uint32_t left = TN_PLAN_ATTRIBUTES_MAX;

	if (!tn_json_is(paths, TN_JSON_ARRAY))
		return;
	for (const struct tn_json *one = paths->first; one && left > 0; one = one->next, left--) {
		if (one->type == TN_JSON_ARRAY && one->count)
			mark_path(d, render_path(d, one));
	}
}

void tn_plan_json_diff(struct tn_plan_attribute_list *list,
		       const struct tn_plan_json_change *change, struct tn_arena *scratch)
{
	struct differ d = {.list = list, .scratch = scratch};
	struct place root = {change->before, change->after, change->after_unknown,
			     change->before_sensitive, change->after_sensitive};

	d.frames = tn_arena_alloc_raw(scratch, FRAMES_MAX * sizeof(*d.frames));
	if (!d.frames) {
		list->truncated++;
		return;
	}
	visit(&d, root, (struct tn_plan_path){tn_str("", 0), false});
	while (d.depth > 0) {
		uint32_t depth = d.depth;

		if (!step(&d) && d.depth == depth)
			d.depth--;
	}
	mark_forced(&d, change->replace_paths);
}
