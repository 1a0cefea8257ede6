/* hcl_print.c - a tree as `terraform fmt` leaves it (hcl_tree.h).
 *
 * The formatter of the engine works on lines: it aligns the = of neighbouring lines that hold a
 * whole attribute, and indents by one step for each line that opens more brackets than it closes.
 * So a bracket is opened at the end of a line together with those around it, and all are closed at
 * once. */
#include "apps/studio/hcl/hcl_tree.h"

void tn_studio_hcl_put(struct tn_studio_hcl_writer *writer, struct tn_str text)
{
	tn_buf_append_str(writer->out, text);
}

static void put_text(struct tn_studio_hcl_writer *writer, const char *text)
{
	tn_buf_append_text(writer->out, text);
}

void tn_studio_hcl_newline(struct tn_studio_hcl_writer *writer)
{
	tn_buf_append_byte(writer->out, '\n');
	writer->line++;
}

static void put_spaces(struct tn_studio_hcl_writer *writer, size_t count)
{
	for (; count > 0; count--)
		tn_buf_append_byte(writer->out, ' ');
}

static void put_indent(struct tn_studio_hcl_writer *writer, unsigned indent)
{
	put_spaces(writer, (size_t)indent * 2);
}

static bool is_one_line(const struct tn_studio_hcl_value *value)
{
	if (value->kind == TN_STUDIO_HCL_ATOM || !value->first)
		return true;
	if (value->spread || (value->kind == TN_STUDIO_HCL_OBJECT && !value->in_line))
		return false;
	for (const struct tn_studio_hcl_value *one = value->first; one; one = one->next) {
		if (!is_one_line(one))
			return false;
	}
	return true;
}

/* Each element on a line of its own: asked for, or because two of them take several lines. */
static bool is_spread(const struct tn_studio_hcl_value *value)
{
	unsigned tall = 0;
	for (const struct tn_studio_hcl_value *one = value->first; one; one = one->next)
		tall += !is_one_line(one);
	return value->spread || tall > 1;
}

static void print_joined(struct tn_studio_hcl_writer *writer,
			 const struct tn_studio_hcl_value *value, unsigned indent)
{
	for (const struct tn_studio_hcl_value *one = value->first; one; one = one->next) {
		tn_studio_hcl_print_value(writer, one, indent);
		if (one->next)
			put_text(writer, ", ");
	}
}

static void print_spread(struct tn_studio_hcl_writer *writer,
			 const struct tn_studio_hcl_value *value, unsigned indent)
{
	tn_studio_hcl_newline(writer);
	for (const struct tn_studio_hcl_value *one = value->first; one; one = one->next) {
		put_indent(writer, indent + 1);
		tn_studio_hcl_print_value(writer, one, indent + 1);
		if (one->next || value->kind == TN_STUDIO_HCL_LIST)
			put_text(writer, ",");
		tn_studio_hcl_newline(writer);
	}
	put_indent(writer, indent);
}

/* A key's columns: its quotes are counted apart from what is between them. */
static size_t key_columns(struct tn_str key)
{
	if (key.size >= 2 && key.data[0] == '"')
		return 2 + tn_studio_hcl_columns(tn_str(key.data + 1, key.size - 2));
	return tn_studio_hcl_columns(key);
}

static void print_entry(struct tn_studio_hcl_writer *writer, struct tn_str name, size_t width,
			const struct tn_studio_hcl_value *value, unsigned indent)
{
	size_t columns = key_columns(name);
	put_indent(writer, indent);
	tn_studio_hcl_put(writer, name);
	put_spaces(writer, (width > columns ? width - columns : 0) + 1);
	put_text(writer, "= ");
	tn_studio_hcl_print_value(writer, value, indent);
}

static void print_object(struct tn_studio_hcl_writer *writer,
			 const struct tn_studio_hcl_value *object, unsigned indent)
{
	const struct tn_studio_hcl_value *run_end = NULL;
	size_t width = 0;
	put_text(writer, "{");
	tn_studio_hcl_newline(writer);
	for (const struct tn_studio_hcl_value *one = object->first; one; one = one->next) {
		if (one == object->first || one == run_end) { /* a new run begins here */
			width = 0;
			for (run_end = one; run_end && is_one_line(run_end);
			     run_end = run_end->next) {
				size_t columns = key_columns(run_end->key);
				width = columns > width ? columns : width;
			}
			if (run_end == one)
				run_end = one->next;
		}
		print_entry(writer, one->key, is_one_line(one) ? width : 0, one, indent + 1);
		tn_studio_hcl_newline(writer);
	}
	put_indent(writer, indent);
	put_text(writer, "}");
}

static void print_in_line(struct tn_studio_hcl_writer *writer,
			  const struct tn_studio_hcl_value *object)
{
	put_text(writer, "{ ");
	for (const struct tn_studio_hcl_value *one = object->first; one; one = one->next) {
		print_entry(writer, one->key, 0, one, 0);
		if (one->next)
			put_text(writer, ", ");
	}
	put_text(writer, " }");
}

void tn_studio_hcl_print_value(struct tn_studio_hcl_writer *writer,
			       const struct tn_studio_hcl_value *value, unsigned indent)
{
	bool list = value->kind == TN_STUDIO_HCL_LIST;
	if (value->kind == TN_STUDIO_HCL_ATOM) {
		tn_studio_hcl_put(writer, value->text);
	} else if (value->kind == TN_STUDIO_HCL_OBJECT) {
		if (!value->first)
			put_text(writer, "{}");
		else if (is_one_line(value))
			print_in_line(writer, value);
		else
			print_object(writer, value, indent);
	} else {
		if (!list)
			tn_studio_hcl_put(writer, value->text);
		put_text(writer, list ? "[" : "(");
		if (value->first && is_spread(value))
			print_spread(writer, value, indent);
		else
			print_joined(writer, value, indent);
		put_text(writer, list ? "]" : ")");
	}
}

/* ---- bodies ---- */

static void print_attribute(struct tn_studio_hcl_writer *writer,
			    const struct tn_studio_hcl_item *item, size_t width, unsigned indent)
{
	unsigned first_line = writer->line;
	size_t start = writer->out->size;
	print_entry(writer, item->name, width, item->value, indent);
	if (writer->placed)
		writer->placed(writer->data, item, first_line, start);
	tn_studio_hcl_newline(writer);
}

static bool is_short(const struct tn_studio_hcl_item *item)
{
	return item && item->value && is_one_line(item->value);
}

/* Attributes and comments from `first` up to `stop`: comments and tall values end a run. */
static void print_range(struct tn_studio_hcl_writer *writer, const struct tn_studio_hcl_item *first,
			const struct tn_studio_hcl_item *stop, unsigned indent)
{
	const struct tn_studio_hcl_item *item = first;
	while (item != stop) {
		const struct tn_studio_hcl_item *end = item;
		size_t width = 0;
		for (; end != stop && is_short(end); end = end->next) {
			size_t columns = key_columns(end->name);
			width = columns > width ? columns : width;
		}
		for (; item != end; item = item->next)
			print_attribute(writer, item, width, indent);
		if (item == stop)
			return;
		if (item->value) {
			print_attribute(writer, item, 0, indent);
		} else {
			put_indent(writer, indent);
			put_text(writer, "# ");
			tn_studio_hcl_put(writer, item->name);
			tn_studio_hcl_newline(writer);
		}
		item = item->next;
	}
}

void tn_studio_hcl_print_items(struct tn_studio_hcl_writer *writer,
			       const struct tn_studio_hcl_body *body, unsigned indent)
{
	print_range(writer, body->first, NULL, indent);
}

enum place {
	PLACE_META,
	PLACE_NAME,
	PLACE_GROUP,
	PLACE_LOCATION,
	PLACE_OTHER,
	PLACE_BLOCK,
	PLACE_TAGS,
	PLACES
};

static enum place place_of(const struct tn_studio_hcl_item *item)
{
	if (item->meta)
		return PLACE_META;
	if (item->comment)
		return PLACE_OTHER;
	if (!item->value)
		return PLACE_BLOCK;
	if (tn_str_is(item->name, "name"))
		return PLACE_NAME;
	if (tn_str_is(item->name, "resource_group_name"))
		return PLACE_GROUP;
	if (tn_str_is(item->name, "location"))
		return PLACE_LOCATION;
	return tn_str_is(item->name, "tags") ? PLACE_TAGS : PLACE_OTHER;
}

/* The order of 8.2, stable. */
static void order(struct tn_studio_hcl_body *body)
{
	struct tn_studio_hcl_body parts[PLACES] = {{NULL, NULL}};
	for (struct tn_studio_hcl_item *item = body->first, *next; item; item = next) {
		struct tn_studio_hcl_body *part = &parts[place_of(item)];
		next = item->next;
		item->next = NULL;
		if (part->last)
			part->last->next = item;
		else
			part->first = item;
		part->last = item;
	}
	*body = (struct tn_studio_hcl_body){NULL, NULL};
	for (size_t i = 0; i < PLACES; i++) {
		if (!parts[i].first)
			continue;
		if (body->last)
			body->last->next = parts[i].first;
		else
			body->first = parts[i].first;
		body->last = parts[i].last;
	}
}

/* What is set apart by an empty line: each block, what is meta, the tags, everything else. */
static int group_of(const struct tn_studio_hcl_item *item)
{
	enum place place = place_of(item);
	if (place == PLACE_META || place == PLACE_TAGS)
		return (int)place;
	return PLACE_OTHER;
}

static void print_head(struct tn_studio_hcl_writer *writer, struct tn_str head, struct tn_str label)
{
	tn_studio_hcl_put(writer, head);
	if (label.size) {
		put_text(writer, " ");
		tn_studio_hcl_put(writer, label);
	}
	put_text(writer, " {");
}

static void print_body(struct tn_studio_hcl_writer *writer, struct tn_studio_hcl_body *body,
		       unsigned indent)
{
	order(body);
	for (struct tn_studio_hcl_item *item = body->first; item;) {
		struct tn_studio_hcl_item *end = item->next;
		if (item != body->first)
			tn_studio_hcl_newline(writer);
		if (place_of(item) == PLACE_BLOCK) {
			put_indent(writer, indent);
			unsigned first_line = writer->line;
			size_t start = writer->out->size;
			print_head(writer, item->name, item->label);
			if (item->body.first) {
				tn_studio_hcl_newline(writer);
				print_body(writer, &item->body, indent + 1);
				put_indent(writer, indent);
			}
			put_text(writer, "}");
			if (writer->placed)
				writer->placed(writer->data, item, first_line, start);
			tn_studio_hcl_newline(writer);
		} else {
			while (end && place_of(end) != PLACE_BLOCK &&
			       group_of(end) == group_of(item))
				end = end->next;
			print_range(writer, item, end, indent);
		}
		item = end;
	}
}

void tn_studio_hcl_print_block(struct tn_studio_hcl_writer *writer, struct tn_str head,
			       struct tn_studio_hcl_body *body)
{
	print_head(writer, head, tn_str("", 0));
	if (body->first) {
		tn_studio_hcl_newline(writer);
		print_body(writer, body, 1);
	}
	put_text(writer, "}");
	tn_studio_hcl_newline(writer);
}
