/* Text in fonts of the machine in a PDF: outlines and pictures where they lie. What they say, for
 * searching and copying, stands beside them (pdf_text.c). */
#include <stdio.h>

#include "base/mem.h"
#include "draw/pdf_objects.h"

enum { ABOUT_SIZE = 160 };

/* ---- outlines ---- */

struct writer {
	struct tn_buf *out;
	double ax, ay, x, y; /* X = ax * x - ay * y + x, Y = ay * x + ax * y + y */
	double at_x, at_y;   /* where the pen is, in the glyph's units */
	bool begun;
};

static void put_at(struct writer *writer, double x, double y)
{
	tn_pdf_put_point(writer->out, writer->ax * x - writer->ay * y + writer->x,
			 writer->ay * x + writer->ax * y + writer->y);
	writer->at_x = x;
	writer->at_y = y;
}

static void write_move(void *data, int32_t x, int32_t y)
{
	struct writer *writer = data;

	if (writer->begun)
		tn_buf_append_text(writer->out, "h\n");
	writer->begun = true;
	put_at(writer, x, y);
	tn_buf_append_text(writer->out, "m\n");
}

static void write_line(void *data, int32_t x, int32_t y)
{
	struct writer *writer = data;

	put_at(writer, x, y);
	tn_buf_append_text(writer->out, "l\n");
}

static void write_curve(void *data, int32_t cx, int32_t cy, int32_t x, int32_t y)
{
	struct writer *writer = data;
	double from_x = writer->at_x, from_y = writer->at_y;

	put_at(writer, (from_x + 2.0 * cx) / 3, (from_y + 2.0 * cy) / 3);
	put_at(writer, (x + 2.0 * cx) / 3, (y + 2.0 * cy) / 3);
	put_at(writer, x, y);
	tn_buf_append_text(writer->out, "c\n");
}

static void write_cubic(void *data, const int32_t at[6])
{
	struct writer *writer = data;

	for (int i = 0; i < 6; i += 2)
		put_at(writer, at[i], at[i + 1]);
	tn_buf_append_text(writer->out, "c\n");
}

/* Where a glyph begins, on the page. */
static struct writer writer_at(struct tn_buf *out, const struct tn_draw_item *item, size_t glyph,
			       double cosine, double sine)
{
	const struct tn_draw_text *how = &item->how;
	const struct tn_set_glyph *at = &item->set->text.glyphs[glyph];
	double unit = how->size / TN_FONT_EM, along = tn_draw_text_start(item) + at->x * unit,
	       down = at->y * unit;

	return (struct writer){.out = out,
			       .ax = cosine * unit,
			       .ay = sine * unit,
			       .x = how->x + along * cosine - down * sine,
			       .y = how->y + along * sine + down * cosine};
}

static void put_outlines(struct tn_buf *out, const struct tn_draw_item *item, double cosine,
			 double sine)
{
	for (size_t i = 0; i < item->set->text.glyph_count; i++) {
		struct writer writer = writer_at(out, item, i, cosine, sine);
		const struct tn_font_pen pen = {write_move, write_line, write_curve, &writer};

		tn_setting_outline(item->set, i, item->how.weight, &pen, write_cubic);
		if (writer.begun)
			tn_buf_append_text(out, "h\n");
	}
}

/* ---- pictures ---- */

static bool make_room(struct tn_pdf *pdf)
{
	size_t room = pdf->image_room ? 2 * pdf->image_room : 16;
	struct tn_pdf_image *more;

	if (pdf->image_count < pdf->image_room)
		return true;
	more = tn_mem_resize(pdf->images, room * sizeof(*more));
	if (!more) {
		pdf->starved = true;
		return false;
	}
	pdf->images = more;
	pdf->image_room = room;
	return true;
}

/* Colours in one object, how they cover in another. */
static size_t write_image(struct tn_pdf *pdf, const struct tn_glyph_image *image)
{
	size_t count = (size_t)image->columns * image->rows, mask = tn_pdf_number(pdf),
	       number = tn_pdf_number(pdf);
	uint8_t *colours = tn_mem_alloc(3 * count), *covers = tn_mem_alloc(count);
	char about[ABOUT_SIZE];

	for (size_t i = 0; colours && covers && i < count; i++) {
		for (size_t k = 0; k < 3; k++)
			colours[3 * i + k] = image->pixels[4 * i + k];
		covers[i] = image->pixels[4 * i + 3];
	}
	(void)snprintf(about, sizeof(about),
		       "/Type /XObject /Subtype /Image /Width %u /Height %u /BitsPerComponent 8 "
		       "/ColorSpace /DeviceGray ",
		       image->columns, image->rows);
	if (colours && covers)
		tn_pdf_stream(pdf, mask, about, tn_str((const char *)covers, count));
	(void)snprintf(about, sizeof(about),
		       "/Type /XObject /Subtype /Image /Width %u /Height %u /BitsPerComponent 8 "
		       "/ColorSpace /DeviceRGB /SMask %zu 0 R ",
		       image->columns, image->rows, mask);
	if (colours && covers)
		tn_pdf_stream(pdf, number, about, tn_str((const char *)colours, 3 * count));
	else
		pdf->starved = true;
	tn_mem_free(colours);
	tn_mem_free(covers);
	return number;
}

/* Its place among the pictures. */
static size_t place_of(struct tn_pdf *pdf, const struct tn_glyph_image *image)
{
	size_t i = 0;

	while (i < pdf->image_count && pdf->images[i].image != image)
		i++;
	if (i == pdf->image_count && make_room(pdf)) {
		pdf->images[i] = (struct tn_pdf_image){image, write_image(pdf, image)};
		pdf->image_count++;
	}
	return i;
}

static void put_image(struct tn_pdf *pdf, const struct writer *at,
		      const struct tn_glyph_image *image)
{
	double wide = image->width, high = image->height, left = image->x, bottom = image->y + high;
	/* The picture is a square of 1, y upwards. */
	const double matrix[] = {at->ax * wide,
				 at->ay * wide,
				 at->ay * high,
				 -at->ax * high,
				 at->x + at->ax * left - at->ay * bottom,
				 at->y + at->ay * left + at->ax * bottom};

	tn_buf_append_text(at->out, "q ");
	for (int i = 0; i < 6; i++) {
		tn_pdf_put_fine(at->out, matrix[i]);
		tn_buf_append_byte(at->out, ' ');
	}
	tn_buf_format(at->out, "cm /I%zu Do Q\n", place_of(pdf, image));
}

void tn_pdf_put_images(struct tn_pdf *pdf)
{
	if (pdf->image_count == 0)
		return;
	tn_buf_append_text(pdf->out, " /XObject <<");
	for (size_t i = 0; i < pdf->image_count; i++)
		tn_buf_format(pdf->out, " /I%zu %zu 0 R", i, pdf->images[i].number);
	tn_buf_append_text(pdf->out, " >>");
}

/* ---- the text ---- */

void tn_pdf_put_set(struct tn_pdf *pdf, struct tn_buf *out, const struct tn_draw_item *item,
		    double cosine, double sine)
{
	const struct tn_draw_text *how = &item->how;

	if (tn_pdf_put_colour(pdf, out, how->halo, "RG")) {
		tn_draw_put_number(out, how->size * TN_DRAW_HALO);
		tn_buf_append_text(out, " w 1 J 1 j [] 0 d\n");
		put_outlines(out, item, cosine, sine);
		tn_buf_append_text(out, "S\n");
	}
	if (tn_pdf_put_colour(pdf, out, how->colour, "rg")) {
		put_outlines(out, item, cosine, sine);
		tn_buf_append_text(out, "f\n");
		for (size_t i = 0; i < item->set->text.glyph_count; i++) {
			const struct tn_glyph *shape = item->set->shapes[i];
			struct writer writer = writer_at(out, item, i, cosine, sine);

			if (shape && shape->image)
				put_image(pdf, &writer, shape->image);
		}
	}
}
