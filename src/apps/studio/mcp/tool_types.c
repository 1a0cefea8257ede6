/* get_available_resource_types: what there is to build with (FR-27). */
#include <stdlib.h>

#include "apps/studio/limits.h"
#include "apps/studio/mcp/resource.h"
#include "apps/studio/mcp/tools.h"
#include "apps/studio/picture/look.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

enum { TYPES_WHOLE = 8 };

struct match {
	const struct tn_studio_type *type;
	unsigned score;
};

struct filter {
	struct tn_str provider, category, search;
	const struct tn_json *ids;           /* NULL: any */
	const struct tn_studio_type *parent; /* NULL: any */
};

static struct tn_str text_of(const struct tn_json *arguments, const char *name)
{
	struct tn_str text = {NULL, 0};

	(void)tn_json_to_str(tn_json_get(arguments, name), &text);
	return text;
}

static bool read_filter(const struct tn_studio_registry *registry, const struct tn_json *arguments,
			struct filter *ret, struct tn_studio_fault *fault)
{
	struct tn_str parent = text_of(arguments, "parentTypeId");

	*ret = (struct filter){.provider = text_of(arguments, "provider"),
			       .category = text_of(arguments, "category"),
			       .search = text_of(arguments, "search"),
			       .ids = tn_json_get(arguments, "typeIds")};
	for (const struct tn_json *id = ret->ids ? ret->ids->first : NULL; id; id = id->next) {
		if (!tn_studio_type_find(registry, id->text))
			return tn_studio_fail_unknown_type(fault, registry, id->text);
	}
	if (!parent.data)
		return true;
	ret->parent = tn_studio_type_find(registry, parent);
	return ret->parent || tn_studio_fail_unknown_type(fault, registry, parent);
}

/* 0: it does not fit. */
static unsigned fits(const struct filter *filter, const struct tn_studio_type *type)
{
	if (filter->ids ? !tn_studio_ids_have(filter->ids, type) : type->hidden)
		return 0;
	if ((filter->provider.data && !tn_str_equal(filter->provider, type->provider_id)) ||
	    (filter->category.data && !tn_str_equal(filter->category, type->category)) ||
	    (filter->parent && !tn_studio_may_contain(filter->parent, type)))
		return 0;
	return filter->search.size > 0 ? tn_studio_match_score(type, filter->search) : 1;
}

static int compare_matches(const void *a, const void *b)
{
	const struct match *left = a, *right = b;

	if (left->score != right->score)
		return left->score < right->score ? 1 : -1;
	return (left->type->order > right->type->order) - (left->type->order < right->type->order);
}

static size_t find_all(const struct tn_studio_registry *registry, const struct filter *filter,
		       struct match *ret)
{
	size_t count = 0;

	for (size_t i = 0; i < registry->type_count; i++) {
		unsigned score = fits(filter, registry->types[i]);

		if (score > 0)
			ret[count++] = (struct match){registry->types[i], score};
	}
	qsort(ret, count, sizeof(*ret), compare_matches);
	return count;
}

/* Categories of one provider that have a match, each with its type ids unless `lean`. */
static void put_categories(bool lean, struct tn_buf *result,
			   const struct tn_studio_registry *registry, struct tn_str provider,
			   const struct match *matches, size_t count)
{
	for (size_t c = 0; c < registry->category_count; c++) {
		const struct tn_studio_category *category = &registry->categories[c];
		bool open = false;

		for (size_t i = 0; i < count; i++) {
			const struct tn_studio_type *type = matches[i].type;

			if (!tn_str_equal(type->category, category->id) ||
			    !tn_str_equal(type->provider_id, provider))
				continue;
			if (!open) {
				tn_json_begin_object(result);
				tn_json_put_member_str(result, "id", category->id);
				tn_json_put_member_str(result, "label", category->label);
				open = true;
				if (lean) /* each type says its category */
					break;
				tn_json_put_key(result, "typeIds");
				tn_json_begin_array(result);
			}
			tn_json_put_str(result, type->id);
		}
		if (open && !lean)
			tn_json_end_array(result);
		if (open)
			tn_json_end_object(result);
	}
}

static void put_group(bool lean, struct tn_buf *result, const struct tn_studio_registry *registry,
		      const struct tn_studio_type *first, const struct match *matches, size_t count)
{
	tn_json_begin_object(result);
	tn_json_put_member_str(result, "provider", first->provider_id);
	tn_json_put_member_str(result, "displayName",
			       first->provider ? first->provider->display_name
					       : TN_STR("Annotations"));
	tn_json_put_key(result, "categories");
	tn_json_begin_array(result);
	put_categories(lean, result, registry, first->provider_id, matches, count);
	tn_json_end_array(result);
	tn_json_end_object(result);
}

static void put_groups(bool lean, struct tn_buf *result, const struct tn_studio_registry *registry,
		       const struct match *matches, size_t count)
{
	tn_json_put_key(result, "groups");
	tn_json_begin_array(result);
	for (size_t i = 0; i < count; i++) {
		bool seen = false;

		for (size_t j = 0; j < i && !seen; j++)
			seen = tn_str_equal(matches[j].type->provider_id,
					    matches[i].type->provider_id);
		if (!seen)
			put_group(lean, result, registry, matches[i].type, matches, count);
	}
	tn_json_end_array(result);
}

static bool read_cursor(const struct tn_json *arguments, uint64_t *ret,
			struct tn_studio_fault *fault)
{
	struct tn_str cursor = text_of(arguments, "cursor");

	*ret = 0;
	if (!cursor.data || tn_str_to_uint(cursor, ret))
		return true;
	return tn_studio_fail(fault, "INVALID_INPUT",
			      "cursor '%.*s' is none; send the nextCursor of the answer before",
			      (int)cursor.size, cursor.data);
}

/* Of few types everything was asked for; a model that asks for no more of many gets their names. */
static enum tn_studio_detail detail_of(const struct tn_studio_act *act,
				       const struct tn_json *arguments, uint64_t types)
{
	struct tn_str detail = text_of(arguments, "detail");

	if (tn_str_is(detail, "names") || (act->for_model && !detail.data && types > TYPES_WHOLE))
		return TN_STUDIO_NAMES;
	return tn_str_is(detail, "full") ? TN_STUDIO_FULL : TN_STUDIO_STANDARD;
}

static void put_line(struct tn_buf *text, const struct tn_studio_type *type)
{
	tn_buf_append_str(text, type->id);
	tn_buf_append_text(text, "  ");
	tn_buf_append_str(text, type->display_name);
	tn_buf_append_text(text, type->container ? " (container)\n" : "\n");
}

void tn_studio_put_type(struct tn_buf *out, const struct tn_studio_registry *registry,
			const struct tn_studio_type *type, enum tn_studio_detail detail)
{
	tn_json_begin_object(out);
	tn_studio_type_put(out, registry, type, detail);
	if (detail == TN_STUDIO_FULL)
		tn_studio_type_put_look(out, type);
	tn_json_end_object(out);
}

bool tn_studio_put_types(struct tn_buf *out, const struct tn_studio_registry *registry,
			 struct tn_arena *arena)
{
	const struct filter visible = {.ids = NULL};
	struct match *matches =
		tn_arena_alloc_array(arena, registry->type_count + 1, sizeof(*matches));
	size_t count;

	if (!matches)
		return false;
	tn_json_put_key(out, "types");
	tn_json_begin_array(out);
	for (size_t i = 0; i < registry->type_count; i++)
		tn_studio_put_type(out, registry, registry->types[i], TN_STUDIO_FULL);
	tn_json_end_array(out);
	count = find_all(registry, &visible, matches);
	put_groups(false, out, registry, matches, count);
	return true;
}

/* A next call may name one; few of them stand in the ids of their types. */
static void say_categories(struct tn_buf *text, const struct tn_studio_registry *registry,
			   const struct match *matches, size_t count)
{
	const char *before = "\ncategories: ";

	for (size_t c = 0; c < registry->category_count; c++) {
		size_t i = 0;

		while (i < count &&
		       !tn_str_equal(matches[i].type->category, registry->categories[c].id))
			i++;
		if (i == count)
			continue;
		tn_buf_append_text(text, before);
		tn_buf_append_str(text, registry->categories[c].id);
		before = " ";
	}
}

static void put_page(struct tn_studio_act *act, const struct tn_studio_registry *registry,
		     const struct tn_json *arguments, const struct match *matches, size_t count,
		     uint64_t from, struct tn_buf *result)
{
	int64_t limit = (int64_t)count;
	enum tn_studio_detail detail;
	size_t start = result->size;
	uint64_t end;

	(void)tn_json_to_int(tn_json_get(arguments, "limit"), &limit);
	end = from + (uint64_t)limit < count ? from + (uint64_t)limit : count;
	detail = detail_of(act, arguments, end - from);
	tn_json_put_key(result, "types");
	tn_json_begin_array(result);
	for (uint64_t i = from; i < end; i++) {
		if (act->for_model && result->size - start > TN_STUDIO_TYPES_PAGE_BYTES) {
			end = i;
			break;
		}
		tn_studio_put_type(result, registry, matches[i].type, detail);
		put_line(act->text, matches[i].type);
	}
	tn_json_end_array(result);
	tn_buf_append_count(act->text, count, "type");
	if (end < count) {
		tn_json_put_key(result, "nextCursor");
		tn_buf_format(result, "\"%llu\"", (unsigned long long)end);
		tn_buf_format(act->text, "; cursor %llu gives more", (unsigned long long)end);
	}
	/* Of few types everything was asked for; of many, which there are, unless a model asks on.
	 */
	act->headline = detail == TN_STUDIO_FULL || (detail == TN_STUDIO_STANDARD &&
						     (act->for_model || end - from <= TYPES_WHOLE));
	if (act->for_model && !act->headline && from == 0)
		say_categories(act->text, registry, matches, count);
	if (count > 40)
		tn_buf_append_text(act->text, "; provider, category, search or parentTypeId give "
					      "fewer, typeIds with detail full gives all of one");
}

static bool run(struct tn_studio_act *act, const struct tn_json *arguments, struct tn_buf *result)
{
	/* A project may have types of its own. */
	const struct tn_studio_registry *registry =
		act->project ? act->project->document.registry : act->registry;
	struct match *matches =
		tn_arena_alloc_array(act->arena, registry->type_count + 1, sizeof(*matches));
	struct filter filter;
	uint64_t from;
	size_t count;

	if (!matches)
		return tn_studio_fail_memory(act->fault);
	if (!read_filter(registry, arguments, &filter, act->fault) ||
	    !read_cursor(arguments, &from, act->fault))
		return false;
	count = find_all(registry, &filter, matches);
	if (from > count)
		from = count;
	put_page(act, registry, arguments, matches, count, from, result);
	put_groups(act->lean, result, registry, matches, count);
	tn_json_put_member_int(result, "total", (int64_t)count);
	return true;
}

/* The project's types where there is one; without one the user's. */
const struct tn_studio_action tn_studio_action_types = {
	.without_project = true, .needs_registry = true, .run = run};
