/* Documents and tables: Mermaid, Markdown, CSV, JSON. */
#include <math.h>
#include <string.h>

#include "apps/studio/picture/entry.h"
#include "apps/studio/limits.h"
#include "apps/studio/picture/export.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

static void put(struct tn_studio_exporter *exporter, const char *text)
{
	tn_buf_append_text(exporter->out, text);
}

static struct tn_str type_name(const struct tn_studio_node *node)
{
	return node->type ? node->type->display_name : node->type_id;
}

static bool is_real(const struct tn_studio_node *node)
{
	return !node->type || (!node->type->is_annotation && !node->type->is_virtual);
}

static const char *status_of(const struct tn_studio_exporter *exporter,
			     const struct tn_studio_node *node)
{
	if (!exporter->options->status || !node->type || !is_real(node))
		return "";
	return tn_studio_status_of(exporter->options->status, node->id);
}

/* Of one node in dollars a month; NaN: none. */
static double monthly(const struct tn_studio_exporter *exporter, const struct tn_studio_node *node)
{
	const struct tn_json *one =
		tn_json_get_str(tn_json_get(exporter->costs, "estimates"), node->id);
	double value;

	return tn_json_to_double(tn_json_get(one, "monthly"), &value) ? value : NAN;
}

static void put_amount(struct tn_studio_exporter *exporter, double value)
{
	if (isnan(value))
		return;
	tn_buf_format(exporter->out, "%lld.%02lld", (long long)(value * 100 + 0.5) / 100,
		      (long long)(value * 100 + 0.5) % 100);
}

/* What was put from there on is somebody's text within a line. */
static void keep_line(struct tn_studio_exporter *exporter, size_t from)
{
	if (exporter->out->size > from)
		tn_utf8_one_line(exporter->out->data + from, exporter->out->size - from);
}

/* ---- Mermaid ---- */

/* Inside of quotes: what could end them, or be read as markup, becomes a character reference. */
static void put_mermaid(struct tn_studio_exporter *exporter, struct tn_str text)
{
	size_t from = exporter->out->size;

	for (size_t i = 0; i < text.size; i++) {
		unsigned char c = (unsigned char)text.data[i];

		if (c < 0x20)
			put(exporter, " ");
		else if (strchr("\"#<>&`\\;{}[]()|", c))
			tn_buf_format(exporter->out, "#%u;", c);
		else
			tn_buf_append_byte(exporter->out, (char)c);
	}
	keep_line(exporter, from);
}

static void indent(struct tn_studio_exporter *exporter, uint32_t depth)
{
	for (; depth > 0; depth--)
		put(exporter, "  ");
}

static void put_leaf(struct tn_studio_exporter *exporter, const struct tn_studio_node *node)
{
	indent(exporter, node->depth + 1);
	tn_buf_format(exporter->out, "n%u[\"", node->order);
	put_mermaid(exporter, node->label);
	put(exporter, "<br/>");
	put_mermaid(exporter, type_name(node));
	put(exporter, "\"]\n");
}

static void begin_subgraph(struct tn_studio_exporter *exporter, const struct tn_studio_node *node)
{
	indent(exporter, node->depth + 1);
	tn_buf_format(exporter->out, "subgraph n%u[\"", node->order);
	put_mermaid(exporter, node->label);
	put(exporter, " (");
	put_mermaid(exporter, type_name(node));
	put(exporter, ")\"]\n");
}

static bool has_shown_child(const struct tn_studio_exporter *exporter,
			    const struct tn_studio_node *node)
{
	const struct tn_studio_node *child = node->first_child;

	while (child && !exporter->shown[child->order])
		child = child->next_sibling;
	return child != NULL;
}

/* Depth first without recursion: from a node to its first child, else to the next one of itself or
 * of what holds it. What is shown has everything inside it shown. */
static void put_tree(struct tn_studio_exporter *exporter, const struct tn_studio_node *root)
{
	const struct tn_studio_node *at = root;

	for (;;) {
		if (has_shown_child(exporter, at)) {
			begin_subgraph(exporter, at);
			at = at->first_child;
			continue;
		}
		put_leaf(exporter, at);
		while (at != root && !at->next_sibling) {
			at = at->parent;
			indent(exporter, at->depth + 1);
			put(exporter, "end\n");
		}
		if (at == root)
			return;
		at = at->next_sibling;
	}
}

void tn_studio_export_mermaid(struct tn_studio_exporter *exporter)
{
	static const char *const arrows[] = {[TN_STUDIO_STRUCTURAL] = "-->",
					     [TN_STUDIO_BINDING] = "==>",
					     [TN_STUDIO_REFERENCE_EDGE] = "-.->",
					     [TN_STUDIO_ANNOTATION] = "-.-"};
	const struct tn_studio_document *document = exporter->document;
	size_t i;

	put(exporter, "flowchart LR\n");
	for (i = 0; i < document->node_count; i++) {
		const struct tn_studio_node *node = document->nodes[i];

		if (exporter->shown[i] && (!node->parent || !exporter->shown[node->parent->order]))
			put_tree(exporter, node);
	}
	for (i = 0; i < exporter->edge_count; i++) {
		const struct tn_studio_edge *edge = &exporter->edges[i];

		tn_buf_format(exporter->out, "  n%u %s", edge->source->order,
			      arrows[edge->category]);
		if (edge->label.size > 0) {
			put(exporter, "|\"");
			put_mermaid(exporter, edge->label);
			put(exporter, "\"|");
		}
		tn_buf_format(exporter->out, " n%u\n", edge->target->order);
	}
}

/* ---- Markdown ---- */

/* On one line, as plain text, also between the bars of a table. */
static void put_plain(struct tn_studio_exporter *exporter, struct tn_str text)
{
	size_t from = exporter->out->size;

	for (size_t i = 0; i < text.size; i++) {
		char c = text.data[i];

		if ((unsigned char)c < 0x20)
			put(exporter, " ");
		else if (c == '<')
			put(exporter, "&lt;");
		else if (c == '&')
			put(exporter, "&amp;");
		else if (strchr("\\`*_{}[]#|~>!$", c))
			tn_buf_format(exporter->out, "\\%c", c);
		else
			tn_buf_append_byte(exporter->out, c);
	}
	keep_line(exporter, from);
}

static void put_resources(struct tn_studio_exporter *exporter)
{
	const struct tn_studio_document *document = exporter->document;
	size_t i;

	put(exporter, "\n## Resources\n\n| Label | Type | Terraform name | In | Status | USD a "
		      "month |\n| --- | --- | --- | --- | --- | ---: |\n");
	for (i = 0; i < document->node_count; i++) {
		const struct tn_studio_node *node = document->nodes[i];

		if (!exporter->shown[i] || (node->type && node->type->is_annotation))
			continue;
		put(exporter, "| ");
		put_plain(exporter, node->label);
		put(exporter, " | ");
		put_plain(exporter, type_name(node));
		put(exporter, " | ");
		put_plain(exporter, node->name);
		put(exporter, " | ");
		put_plain(exporter, node->parent ? node->parent->label : tn_str("", 0));
		tn_buf_format(exporter->out, " | %s | ", status_of(exporter, node));
		put_amount(exporter, monthly(exporter, node));
		put(exporter, " |\n");
	}
}

/* Stored values; secrets come out as "[redacted]" (entry.h). */
static void put_settings(struct tn_studio_exporter *exporter, const struct tn_studio_node *node)
{
	struct tn_buf properties;
	struct tn_json *tree = NULL;

	if (!node->properties || node->properties->count == 0)
		return;
	tn_buf_init(&properties, TN_STUDIO_RESULT_BYTES_MAX);
	tn_studio_put_properties(&properties, node, exporter->options->secrets);
	if (tn_json_parse_copy(exporter->arena, tn_buf_str(&properties), &tree, NULL) != TENON_OK)
		exporter->out->failed = true;
	tn_buf_clear(&properties);
	put(exporter, "\n### ");
	put_plain(exporter, node->label);
	put(exporter, "\n\n| Property | Value |\n| --- | --- |\n");
	for (const struct tn_json *at = tree ? tree->first : NULL; at; at = at->next) {
		put(exporter, "| ");
		put_plain(exporter, at->key);
		put(exporter, " | ");
		if (at->type == TN_JSON_STRING) {
			put_plain(exporter, at->text);
		} else {
			tn_buf_clear(&properties);
			tn_json_put_value(&properties, at);
			put_plain(exporter, tn_buf_str(&properties));
		}
		put(exporter, " |\n");
	}
	tn_buf_finish(&properties);
}

static void put_notes(struct tn_studio_exporter *exporter, const struct tn_studio_node *node)
{
	if (node->notes.size == 0)
		return;
	put(exporter, "\n> ");
	put_plain(exporter, node->label);
	put(exporter, ": ");
	put_plain(exporter, node->notes);
	put(exporter, "\n");
}

static void put_outputs(struct tn_studio_exporter *exporter)
{
	const struct tn_studio_document *document = exporter->document;
	bool any = false;
	size_t i;

	for (i = 0; i < document->node_count; i++) {
		const struct tn_studio_node *node = document->nodes[i];
		const struct tn_json *outputs = node->enabled_outputs;

		for (const struct tn_json *at =
			     exporter->shown[i] && tn_json_is(outputs, TN_JSON_ARRAY)
				     ? outputs->first
				     : NULL;
		     at; at = at->next) {
			if (!any)
				put(exporter, "\n## Outputs\n\n| Resource | Output |\n| --- | "
					      "--- |\n");
			any = true;
			put(exporter, "| ");
			put_plain(exporter, node->label);
			put(exporter, " | ");
			put_plain(exporter, at->type == TN_JSON_STRING ? at->text : tn_str("", 0));
			put(exporter, " |\n");
		}
	}
}

static void put_costs(struct tn_studio_exporter *exporter)
{
	const struct tn_json *total = tn_json_get(exporter->costs, "total");
	struct tn_str as_of = tn_str("", 0);
	bool complete = true;
	double value;

	if (!tn_json_to_double(tn_json_get(total, "monthly"), &value))
		return;
	(void)tn_json_to_bool(tn_json_get(total, "complete"), &complete);
	(void)tn_json_to_str(tn_json_get(exporter->costs, "pricesAsOf"), &as_of);
	put(exporter, "\n## Costs\n\nAbout **");
	put_amount(exporter, value);
	put(exporter, " USD** a month for the whole diagram, at list prices of ");
	put_plain(exporter, as_of);
	put(exporter, complete ? ".\n" : "; not complete: some resources have no price.\n");
}

void tn_studio_export_markdown(struct tn_studio_exporter *exporter)
{
	const struct tn_studio_document *document = exporter->document;
	size_t i;

	put(exporter, "# ");
	put_plain(exporter, exporter->options->project_name);
	tn_buf_format(exporter->out, "\n\nRevision %llu.\n\n## Diagram\n\n```mermaid\n",
		      (unsigned long long)exporter->options->revision);
	tn_studio_export_mermaid(exporter);
	put(exporter, "```\n");
	put_resources(exporter);
	put_costs(exporter);
	put_outputs(exporter);
	put(exporter, "\n## Settings\n");
	for (i = 0; i < document->node_count; i++) {
		if (!exporter->shown[i])
			continue;
		put_settings(exporter, document->nodes[i]);
		put_notes(exporter, document->nodes[i]);
	}
}

/* ---- CSV ---- */

/* Quoted as RFC 4180 says. What a spreadsheet would take for a formula gets an apostrophe. */
static void put_cell(struct tn_studio_exporter *exporter, struct tn_str text)
{
	size_t i;

	put(exporter, "\"");
	if (text.size > 0 && strchr("=+-@\t\r", text.data[0]))
		put(exporter, "'");
	for (i = 0; i < text.size; i++) {
		if (text.data[i] == '"')
			put(exporter, "\"");
		tn_buf_append_byte(exporter->out, text.data[i]);
	}
	put(exporter, "\"");
}

void tn_studio_export_csv(struct tn_studio_exporter *exporter)
{
	const struct tn_studio_document *document = exporter->document;
	size_t i;

	put(exporter,
	    "instanceId,label,typeId,type,terraformName,parent,status,monthlyUsd,note\r\n");
	for (i = 0; i < document->node_count; i++) {
		const struct tn_studio_node *node = document->nodes[i];
		const struct tn_json *one =
			tn_json_get_str(tn_json_get(exporter->costs, "estimates"), node->id);
		const struct tn_str cells[] = {node->id, node->label, node->type_id,
					       type_name(node), node->name};
		struct tn_str reason = tn_str("", 0);
		size_t k;

		if (!exporter->shown[i] || (node->type && node->type->is_annotation))
			continue;
		for (k = 0; k < 5; k++) {
			put_cell(exporter, cells[k]);
			put(exporter, ",");
		}
		put_cell(exporter, node->parent ? node->parent->label : tn_str("", 0));
		tn_buf_format(exporter->out, ",%s,", status_of(exporter, node));
		put_amount(exporter, monthly(exporter, node));
		put(exporter, ",");
		(void)tn_json_to_str(tn_json_get(one, "reason"), &reason);
		put_cell(exporter, reason);
		put(exporter, "\r\n");
	}
}

/* ---- JSON ---- */

void tn_studio_export_json(struct tn_studio_exporter *exporter)
{
	const struct tn_studio_node_extras extras = {.defaults = true};
	const struct tn_studio_document *document = exporter->document;
	struct tn_buf *out = exporter->out;
	size_t i;

	tn_json_begin_object(out);
	tn_json_put_member_str(out, "project", exporter->options->project_name);
	tn_json_put_member_int(out, "revision", (int64_t)exporter->options->revision);
	tn_json_put_key(out, "nodes");
	tn_json_begin_array(out);
	for (i = 0; i < document->node_count; i++)
		if (exporter->shown[i])
			tn_studio_put_node(out, document, document->nodes[i],
					   exporter->options->status, exporter->options->secrets,
					   &extras, exporter->arena, NULL);
	tn_json_end_array(out);
	tn_json_put_key(out, "edges");
	tn_json_begin_array(out);
	for (i = 0; i < exporter->edge_count; i++)
		tn_studio_put_edge(out, &exporter->edges[i]);
	tn_json_end_array(out);
	if (exporter->costs) {
		tn_json_put_key(out, "costs");
		tn_json_put_value(out, tn_json_get(exporter->costs, "total"));
	}
	tn_json_end_object(out);
	tn_buf_append_byte(out, '\n');
}
