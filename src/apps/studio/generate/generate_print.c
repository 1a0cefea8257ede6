/* generate_print.c - one file behind the other, and where in them everything stands (ST-073). */
#include "apps/studio/generate/internal.h"

#include "apps/studio/limits.h"

static void add_place(struct tn_studio_gen_print *print, const struct tn_studio_place *place,
		      size_t start, size_t end)
{
	if (print->place_count == print->place_room) {
		size_t room = print->place_room ? 2 * print->place_room : 256;
		struct tn_studio_gen_place *grown =
			tn_arena_alloc_array(print->gen->arena, room, sizeof(*grown));
		if (!grown) {
			print->gen->full = true;
			return;
		}
		if (print->place_count)
			memcpy(grown, print->places, print->place_count * sizeof(*grown));
		print->places = grown;
		print->place_room = room;
	}
	print->places[print->place_count++] = (struct tn_studio_gen_place){*place, start, end};
}

static struct tn_str file_name(const struct tn_studio_gen_print *print)
{
	return print->files[print->file_count - 1].name;
}

/* An attribute was written. */
static void placed(void *data, const struct tn_studio_hcl_item *item, unsigned first_line,
		   size_t start)
{
	struct tn_studio_gen_print *print = data;
	unsigned last_line = print->writer.line;
	const struct tn_studio_node *node = item->source ? item->source : print->node;
	if (!node || item->property.size == 0)
		return;
	struct tn_studio_place place = {.file = file_name(print),
					.first_line = first_line,
					.last_line = last_line,
					.node = node,
					.property = item->property,
					.address = print->address};
	add_place(print, &place, start, print->out.size);
}

void tn_studio_print_open(struct tn_studio_gen_print *print)
{
	tn_buf_init(&print->out, TN_STUDIO_RESULT_BYTES_MAX);
	print->writer = (struct tn_studio_hcl_writer){
		.out = &print->out, .line = 1, .placed = placed, .data = print};
}

void tn_studio_print_begin(struct tn_studio_gen_print *print, const char *name)
{
	print->starts[print->file_count] = print->out.size;
	print->files[print->file_count++].name = tn_str_from(name);
	print->writer.line = 1;
	print->node = NULL;
	print->address = tn_str("", 0);
	/* ST-072: no time in it, and no name of a project ends the line. */
	tn_studio_hcl_put(&print->writer, TN_STR("# Made by Tenon from the project "));
	tn_studio_put_hcl_string(&print->out, print->gen->options->project_name);
	tn_studio_hcl_put(&print->writer, TN_STR("; change the diagram instead of this file."));
	tn_studio_hcl_newline(&print->writer);
}

void tn_studio_print_block(struct tn_studio_gen_print *print, struct tn_str head,
			   struct tn_studio_hcl_body *body, const struct tn_studio_node *node,
			   struct tn_str property, struct tn_str address)
{
	tn_studio_hcl_newline(&print->writer);
	size_t at = print->place_count, start = print->out.size;
	struct tn_studio_place place = {.file = file_name(print),
					.first_line = print->writer.line,
					.node = node,
					.property = property,
					.address = address};
	print->node = node;
	print->address = address;
	if (node)
		add_place(print, &place, start, start);
	tn_studio_hcl_print_block(&print->writer, head, body);
	if (node && at < print->place_count) {
		print->places[at].place.last_line = print->writer.line - 1;
		print->places[at].end = print->out.size;
	}
}

void tn_studio_print_text(struct tn_studio_gen_print *print, struct tn_str text,
			  const struct tn_studio_node *node)
{
	tn_studio_hcl_newline(&print->writer);
	struct tn_studio_place place = {
		.file = file_name(print), .first_line = print->writer.line, .node = node};
	size_t start = print->out.size;
	tn_studio_hcl_put(&print->writer, text);
	for (size_t at = 0; at < text.size; at++)
		print->writer.line += text.data[at] == '\n';
	if (text.size == 0 || text.data[text.size - 1] != '\n')
		tn_studio_hcl_newline(&print->writer);
	place.last_line = print->writer.line - 1;
	add_place(print, &place, start, print->out.size);
}
