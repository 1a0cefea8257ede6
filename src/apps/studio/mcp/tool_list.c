/* list_resources: the nodes, by type, parent, status or words (FR-09). */
#include <stdio.h>
#include <string.h>

#include "apps/studio/limits.h"
#include "apps/studio/mcp/tools.h"
#include "apps/studio/picture/outline.h"
#include "apps/studio/mcp/tool_state.h"
#include "base/nocase.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

enum { LIMIT_DEFAULT = 1000 };

struct filter {
	struct tn_str type_id, parent_id, module_id, status, text;
};

static struct tn_str text_of(const struct tn_json *arguments, const char *name)
{
	struct tn_str text = {NULL, 0};

	(void)tn_json_to_str(tn_json_get(arguments, name), &text);
	return text;
}

static bool value_contains(const struct tn_json *value, struct tn_str part)
{
	if (value->type == TN_JSON_STRING || value->type == TN_JSON_NUMBER)
		return tn_nocase_contains(value->text, part);
	if (value->type != TN_JSON_ARRAY && value->type != TN_JSON_OBJECT)
		return false;
	for (const struct tn_json *at = value->first; at; at = at->next) {
		if (value_contains(at, part))
			return true;
	}
	return false;
}

/* A search must not tell what is hidden. */
static bool properties_contain(const struct tn_studio_node *node, struct tn_str part)
{
	for (const struct tn_json *at = node->properties ? node->properties->first : NULL; at;
	     at = at->next) {
		const struct tn_studio_property *property =
			node->type ? tn_studio_property_find(node->type, at->key) : NULL;
		bool open = !property || !property->sensitive;

		for (size_t i = 0; open && property && i < property->field_count; i++)
			open = !property->fields[i].sensitive;
		if (open && value_contains(at, part))
			return true;
	}
	return false;
}

static bool is_or_any(struct tn_str wanted, struct tn_str value)
{
	return !wanted.data || tn_str_equal(wanted, value);
}

static bool fits(const struct filter *filter, const struct tn_studio_node *node,
		 const struct tn_studio_status *status)
{
	if (!is_or_any(filter->type_id, node->type_id) ||
	    !is_or_any(filter->parent_id, node->parent_id) ||
	    !is_or_any(filter->module_id, node->module_id))
		return false;
	if (filter->status.data &&
	    !tn_str_is(filter->status, tn_studio_status_of(status, node->id)))
		return false;
	return !filter->text.data || tn_nocase_contains(node->label, filter->text) ||
	       tn_nocase_contains(node->name, filter->text) ||
	       tn_nocase_contains(node->own, filter->text) ||
	       properties_contain(node, filter->text);
}

/* Hosts hand on so much of an answer, as text or as data (hosts.md HO-003). */
static bool is_full(const struct tn_studio_act *act, const struct tn_buf *result, size_t start)
{
	return act->for_model && (result->size - start > TN_STUDIO_LIST_PAGE_BYTES ||
				  act->text->size > TN_STUDIO_LIST_PAGE_BYTES);
}

/* The cursor is the place of the first node that is due, in creation order. */
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

/* What few nodes have. */
static void put_more(struct tn_buf *text, const struct tn_studio_node *node)
{
	if (node->module_id.size)
		tn_buf_format(text, " module:%.*s", (int)node->module_id.size,
			      node->module_id.data);
	if (node->enabled_outputs) {
		tn_buf_append_text(text, " enabledOutputs:");
		tn_json_put_value(text, node->enabled_outputs);
	}
	if (node->variable_modes) {
		tn_buf_append_text(text, " variableModes:");
		tn_json_put_value(text, node->variable_modes);
	}
}

/* Behind an at sign as get_diagram has it: in which revision it was changed, unless that is this
 * one. */
static void put_line(struct tn_studio_act *act, const struct tn_studio_node *node,
		     uint64_t revision)
{
	const struct tn_studio_project *project = act->project;
	const char *status = tn_studio_status_of(project->status, node->id);
	struct tn_buf *text = act->text;

	tn_buf_format(text, "%.*s  %.*s  \"", (int)node->id.size, node->id.data,
		      (int)node->type_id.size, node->type_id.data);
	tn_json_put_escaped(text, node->label);
	tn_buf_format(text, "\"  %.*s  %s", (int)node->own.size, node->own.data, status);
	tn_studio_outline_name(text, node);
	tn_studio_put_properties_line(text, node, project->secrets);
	tn_studio_outline_references(text, &project->document, node);
	if (node->parent)
		tn_buf_format(text, " in %.*s", (int)node->parent->own.size,
			      node->parent->own.data);
	put_more(text, node);
	tn_buf_format(text, " at %d,%d", node->x, node->y);
	if (node->width > 0)
		tn_buf_format(text, " %dx%d", node->width, node->height);
	if (node->rev != revision)
		tn_buf_format(text, " @%llu", (unsigned long long)node->rev);
	tn_buf_append_byte(text, '\n');
}

/* ---- names that stand in the lines, of nodes that have none ---- */

struct seen { /* by a node's order */
	bool *listed, *named;
};

static bool see_init(struct seen *seen, struct tn_studio_act *act)
{
	const size_t count = act->project->document.node_count + 1;

	seen->listed = tn_arena_alloc_array(act->arena, count, sizeof(*seen->listed));
	seen->named = tn_arena_alloc_array(act->arena, count, sizeof(*seen->named));
	return (seen->listed && seen->named) || tn_studio_fail_memory(act->fault);
}

static void see(struct seen *seen, const struct tn_studio_document *document,
		const struct tn_studio_node *node)
{
	const struct tn_studio_node *targets[TN_STUDIO_LIST_MAX];

	seen->listed[node->order] = true;
	if (node->parent)
		seen->named[node->parent->order] = true;
	for (size_t i = 0; node->type && i < node->type->property_count; i++) {
		const struct tn_studio_property *property = &node->type->properties[i];
		bool implied = false;
		size_t count;

		if (property->type != TN_STUDIO_REFERENCE)
			continue;
		count = tn_studio_references(document, node, property, targets, TN_STUDIO_LIST_MAX,
					     &implied);
		for (size_t j = 0; !implied && j < count && j < TN_STUDIO_LIST_MAX; j++)
			seen->named[targets[j]->order] = true;
	}
}

/* Tools take ids. */
static void put_ids(struct tn_buf *text, const struct tn_studio_document *document,
		    const struct seen *seen)
{
	const char *before = "\nIds of names above: ";

	for (size_t i = 0; i < document->node_count; i++) {
		const struct tn_studio_node *node = document->nodes[i];

		if (!seen->named[node->order] || seen->listed[node->order])
			continue;
		tn_buf_format(text, "%s%.*s %.*s", before, (int)node->own.size, node->own.data,
			      (int)node->id.size, node->id.data);
		before = ", ";
	}
}

static bool run(struct tn_studio_act *act, const struct tn_json *arguments, struct tn_buf *result)
{
	const struct tn_studio_project *project = act->project;
	const struct tn_studio_document *document = &project->document;
	struct filter filter = {text_of(arguments, "typeId"), text_of(arguments, "parentId"),
				text_of(arguments, "moduleId"), text_of(arguments, "status"),
				text_of(arguments, "text")};
	int64_t limit = LIMIT_DEFAULT;
	uint64_t from, total = 0, next = 0, listed = 0;
	const uint64_t revision = tn_studio_project_revision(project);
	size_t start = result->size;
	struct seen seen;

	if (!see_init(&seen, act) || !read_cursor(arguments, &from, act->fault))
		return false;
	(void)tn_json_to_int(tn_json_get(arguments, "limit"), &limit);
	tn_json_put_key(result, "resources");
	tn_json_begin_array(result);
	for (size_t i = 0; i < document->node_count; i++) {
		const struct tn_studio_node *node = document->nodes[i];

		if (!fits(&filter, node, project->status))
			continue;
		total++;
		if (i < from || next > 0)
			continue;
		if (listed == (uint64_t)limit || (listed > 0 && is_full(act, result, start))) {
			next = i;
			continue;
		}
		listed++;
		tn_studio_put_entry(result, document, node, project->status, project->secrets);
		put_line(act, node, revision);
		if (!act->text->unwanted)
			see(&seen, document, node);
	}
	tn_json_end_array(result);
	tn_json_put_member_int(result, "total", (int64_t)total);
	tn_json_put_member_int(result, "revision", (int64_t)revision);
	if (next > 0) {
		char cursor[24];

		(void)snprintf(cursor, sizeof(cursor), "%llu", (unsigned long long)next);
		tn_json_put_member_text(result, "nextCursor", cursor);
	}
	tn_buf_format(act->text, "%llu of %llu resource%s, revision %llu",
		      (unsigned long long)listed, (unsigned long long)total, total == 1 ? "" : "s",
		      (unsigned long long)revision);
	if (next > 0)
		tn_buf_format(act->text, "; cursor %llu gives more", (unsigned long long)next);
	put_ids(act->text, document, &seen);
	return true;
}

const struct tn_studio_action tn_studio_action_list = {
	.stands_aside = true, .says_all = true, .run = run};
