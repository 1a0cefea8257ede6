/* facts.c - the second half of vocabulary.h: sizes, places, versions, exposure and counts. */
#include "apps/plan/explain/path.h"
#include "apps/plan/explain/redact.h"
#include "apps/plan/explain/vocabulary.h"
#include "base/size.h"

enum { LIST_SHOWN_MAX = 3 };

struct fact_name {
	const char *name; /* as it is written in context documents */
	struct tn_str first, last;
};

#define ONE(text)                               \
	{                                       \
		text, {text, sizeof(text) - 1}, \
		{                               \
			NULL, 0                 \
		}                               \
	}

/* plan.md section 7, in its order. */
static const struct fact_name fact_names[] = {
	ONE("instance_type"),
	ONE("instance_class"),
	ONE("vm_size"),
	ONE("size"),
	ONE("machine_type"),
	ONE("sku_name"),
	ONE("tier"),
	ONE("node_type"),
	ONE("memory_size_gb"),
	ONE("allocated_storage"),
	ONE("region"),
	ONE("location"),
	ONE("availability_zone"),
	ONE("location_id"),
	ONE("zone"),
	ONE("engine"),
	ONE("engine_version"),
	ONE("version"),
	ONE("redis_version"),
	ONE("kubernetes_version"),
	ONE("port"),
	{"from_port-to_port", {"from_port", 9}, {"to_port", 7}},
	ONE("cidr_blocks"),
	ONE("publicly_accessible"),
	ONE("desired_count"),
	ONE("replicas"),
	{"min_size-max_size", {"min_size", 8}, {"max_size", 8}},
};

/* What the object will be, or, when it goes, what it was. */
static const struct tn_plan_value *fact_side(const struct tn_plan_entry *entry,
					     const struct tn_plan_attribute *attribute)
{
	bool goes = entry->action == TN_PLAN_DELETE || entry->action == TN_PLAN_FORGET;

	if (attribute->after.kind == TN_PLAN_VALUE_NONE &&
	    attribute->change == TN_PLAN_ATTR_UNCHANGED)
		return &attribute->before;
	return goes ? &attribute->before : &attribute->after;
}

static bool is_telling(const struct tn_plan_entry *entry, const struct tn_plan_attribute *attribute)
{
	const struct tn_plan_value *value = fact_side(entry, attribute);

	if (attribute->sensitive || attribute->write_only || attribute->unknown ||
	    (value->kind == TN_PLAN_VALUE_STRING && tn_plan_has_secret(value->text)))
		return false;
	return (value->kind == TN_PLAN_VALUE_STRING || value->kind == TN_PLAN_VALUE_NUMBER ||
		value->kind == TN_PLAN_VALUE_BOOL) &&
	       value->text.size > 0;
}

static const struct tn_plan_attribute *find_telling(const struct tn_plan_entry *entry,
						    struct tn_str name)
{
	for (uint32_t i = 0; i < entry->attributes.count; i++) {
		const struct tn_plan_attribute *attribute = &entry->attributes.items[i];

		if (tn_plan_path_is_element(attribute->path, name) && is_telling(entry, attribute))
			return attribute;
	}
	return NULL;
}

/* The first letters any fact begins with: most attributes are none, and are passed over at once. */
static bool may_be_fact(struct tn_str path)
{
	static const struct tn_str firsts = {"acdefiklmnprstvz", 16};

	return path.size >= 4 && tn_str_find_byte(firsts, path.data[0]) != TN_STR_NONE;
}

static bool has_any(const struct tn_plan_entry *entry)
{
	for (uint32_t i = 0; i < entry->attributes.count; i++)
		if (may_be_fact(entry->attributes.items[i].path))
			return true;
	return false;
}

unsigned tn_plan_find_facts(const struct tn_plan_entry *entry, struct tn_plan_fact *facts,
			    unsigned max)
{
	unsigned count = 0;

	if (!has_any(entry))
		return 0;
	for (size_t i = 0; i < TN_COUNT(fact_names) && count < max && count < TN_PLAN_FACTS_MAX;
	     i++) {
		const struct fact_name *name = &fact_names[i];
		struct tn_plan_fact fact = {name->name, find_telling(entry, name->first), NULL};

		if (!fact.first)
			continue;
		if (name->last.size > 0) {
			fact.last = find_telling(entry, name->last);
			if (!fact.last)
				continue;
		}
		facts[count++] = fact;
	}
	return count;
}

/* cidr_blocks of cidr_blocks[0]. */
static struct tn_str list_of(struct tn_str path)
{
	struct tn_plan_path split = tn_plan_path_split(path);

	return tn_str(path.data, split.owner.size + split.name.size);
}

static void put_list(struct tn_buf *out, const struct tn_plan_entry *entry,
		     const struct tn_plan_attribute *first)
{
	const struct tn_plan_attribute *end = entry->attributes.items + entry->attributes.count;
	struct tn_str list = list_of(first->path);
	unsigned shown = 0;

	for (const struct tn_plan_attribute *at = first; at < end; at++) {
		if (!tn_plan_path_is_element(at->path, list) || !is_telling(entry, at))
			continue;
		if (shown == LIST_SHOWN_MAX) {
			tn_buf_append_text(out, " and more");
			break;
		}
		if (shown++ > 0)
			tn_buf_append_text(out, " and ");
		tn_plan_put_clean(out, fact_side(entry, at)->text, TN_PLAN_SHOWN_CHARACTERS);
	}
}

void tn_plan_put_fact_value(struct tn_buf *out, const struct tn_plan_entry *entry,
			    const struct tn_plan_fact *fact)
{
	struct tn_str first = fact_side(entry, fact->first)->text;

	if (!fact->last) {
		put_list(out, entry, fact->first);
		return;
	}
	tn_plan_put_clean(out, first, TN_PLAN_SHOWN_CHARACTERS);
	if (tn_str_equal(first, fact_side(entry, fact->last)->text))
		return;
	tn_buf_append_text(out, "\xe2\x80\x93");
	tn_plan_put_clean(out, fact_side(entry, fact->last)->text, TN_PLAN_SHOWN_CHARACTERS);
}
