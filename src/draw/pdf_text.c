/* Letters of a PDF: fonts of 256 glyphs each, made of what was used. */
#include <math.h>

#include "base/mem.h"
#include "draw/font.h"
#include "draw/pdf_objects.h"

#define DEGREE 0.017453292519943295

enum { CODES = 0x110000, SLOTS_MAX = 65535, MAP_LINES_MAX = 100 };

/* ---- outlines ---- */

/* Glyphs of the font have y upwards and whole units; halos are drawn where they lie. */
struct writer {
	struct tn_buf *out;
	double ax, ay, bx, by, x, y; /* as in a matrix: X = ax * x + bx * y + x ... */
	double at_x, at_y;           /* where the pen is, before */
	double low_x, low_y, high_x, high_y;
	bool begun;
};

static void put_at(struct writer *writer, double x, double y)
{
	double to_x = writer->ax * x + writer->bx * y + writer->x,
	       to_y = writer->ay * x + writer->by * y + writer->y;

	tn_pdf_put_point(writer->out, to_x, to_y);
	writer->low_x = fmin(writer->low_x, to_x);
	writer->low_y = fmin(writer->low_y, to_y);
	writer->high_x = fmax(writer->high_x, to_x);
	writer->high_y = fmax(writer->high_y, to_y);
}

static void write_move(void *data, int32_t x, int32_t y)
{
	struct writer *writer = data;

	if (writer->begun)
		tn_buf_append_text(writer->out, "h\n");
	writer->begun = true;
	put_at(writer, x, y);
	tn_buf_append_text(writer->out, "m\n");
	writer->at_x = x;
	writer->at_y = y;
}

static void write_line(void *data, int32_t x, int32_t y)
{
	struct writer *writer = data;

	put_at(writer, x, y);
	tn_buf_append_text(writer->out, "l\n");
	writer->at_x = x;
	writer->at_y = y;
}

/* PDF has cubic curves only: the two points lie two thirds of the way to the one. */
static void write_curve(void *data, int32_t cx, int32_t cy, int32_t x, int32_t y)
{
	struct writer *writer = data;

	put_at(writer, (writer->at_x + 2.0 * cx) / 3, (writer->at_y + 2.0 * cy) / 3);
	put_at(writer, (x + 2.0 * cx) / 3, (y + 2.0 * cy) / 3);
	put_at(writer, x, y);
	tn_buf_append_text(writer->out, "c\n");
	writer->at_x = x;
	writer->at_y = y;
}

static void write_glyph(struct writer *writer, enum tn_draw_weight weight, uint32_t code)
{
	const struct tn_font_pen pen = {write_move, write_line, write_curve, writer};

	writer->begun = false;
	if (tn_font_outline(weight, code, &pen))
		tn_buf_append_text(writer->out, "h\n");
}

/* ---- text ---- */

static size_t slot_of(struct tn_pdf *pdf, enum tn_pdf_look look, uint32_t code)
{
	uint16_t *slot = &pdf->slots[(size_t)look * CODES + code];

	if (*slot > 0)
		return *slot - 1u;
	if (pdf->glyph_count == SLOTS_MAX) {
		pdf->crowded = true;
		return 0;
	}
	if (pdf->glyph_count == pdf->glyph_room) {
		size_t room = pdf->glyph_room ? 2 * pdf->glyph_room : 128;
		struct tn_pdf_glyph *more = tn_mem_resize(pdf->glyphs, room * sizeof(*more));

		if (!more) {
			pdf->starved = true;
			return 0;
		}
		pdf->glyphs = more;
		pdf->glyph_room = room;
	}
	pdf->glyphs[pdf->glyph_count++] = (struct tn_pdf_glyph){look, code};
	*slot = (uint16_t)pdf->glyph_count;
	return *slot - 1u;
}

static void put_halo(struct tn_pdf *pdf, struct tn_buf *out, const struct tn_draw_item *item,
		     double cosine, double sine)
{
	const struct tn_draw_text *how = &item->how;
	double unit = how->size / TN_FONT_EM, start = tn_draw_text_start(item);
	struct tn_str rest = item->text;
	struct writer writer = {
		out,           cosine * unit,           sine * unit,           -sine * unit,
		cosine * unit, how->x + cosine * start, how->y + sine * start, .at_x = 0};
	uint32_t code;

	if (!tn_pdf_put_colour(pdf, out, how->halo, "RG"))
		return;
	tn_draw_put_number(out, how->size * TN_DRAW_HALO);
	tn_buf_append_text(out, " w 1 J 1 j [] 0 d\n");
	while (tn_font_next(&rest, &code)) {
		double along = tn_font_width(how->weight, code) * unit;

		write_glyph(&writer, how->weight, code);
		writer.x += cosine * along;
		writer.y += sine * along;
	}
	tn_buf_append_text(out, "S\n");
}

static void put_place(struct tn_buf *out, const struct tn_draw_item *item, double cosine,
		      double sine)
{
	const struct tn_draw_text *how = &item->how;
	double start = tn_draw_text_start(item);
	const double matrix[] = {cosine * how->size,      sine * how->size,
				 sine * how->size,        -cosine * how->size,
				 how->x + cosine * start, how->y + sine * start};

	for (int i = 0; i < 6; i++) {
		tn_pdf_put_fine(out, matrix[i]);
		tn_buf_append_byte(out, ' ');
	}
	tn_buf_append_text(out, "Tm ");
}

void tn_pdf_put_letters(struct tn_pdf *pdf, struct tn_buf *out, struct tn_str text,
			enum tn_pdf_look look)
{
	size_t font = SIZE_MAX;
	uint32_t code;

	while (tn_font_next(&text, &code)) {
		size_t slot = slot_of(pdf, look, code);

		if (slot / TN_PDF_FONT_GLYPHS != font) {
			if (font != SIZE_MAX)
				tn_buf_append_text(out, "> Tj ");
			font = slot / TN_PDF_FONT_GLYPHS;
			tn_buf_format(out, "/F%zu 1 Tf <", font);
		}
		tn_buf_format(out, "%02X", (unsigned)(slot % TN_PDF_FONT_GLYPHS));
	}
	if (font != SIZE_MAX)
		tn_buf_append_text(out, "> Tj ");
}

/* To be found and copied: letters without a picture, in all as wide as the text. */
static void put_blanks(struct tn_pdf *pdf, struct tn_buf *out, const struct tn_draw_item *item)
{
	struct tn_str rest = item->text;
	size_t count = 0;
	uint32_t code;

	while (tn_font_next(&rest, &code))
		count++;
	tn_pdf_put_fine(out, 100 * item->text_width / (double)(count + !count) / item->how.size);
	tn_buf_append_text(out, " Tz ");
	tn_pdf_put_letters(pdf, out, item->text, TN_PDF_BLANK);
	tn_buf_append_text(out, "100 Tz ");
}

void tn_pdf_put_text(struct tn_pdf *pdf, struct tn_buf *out, const struct tn_draw_item *item)
{
	const struct tn_draw_text *how = &item->how;
	double cosine = how->angle == 0 ? 1 : cos(how->angle * DEGREE),
	       sine = how->angle == 0 ? 0 : sin(how->angle * DEGREE);

	if (item->set)
		tn_pdf_put_set(pdf, out, item, cosine, sine);
	else
		put_halo(pdf, out, item, cosine, sine);
	if (!tn_pdf_put_colour(pdf, out, how->colour, "rg"))
		return;
	tn_buf_append_text(out, "BT ");
	put_place(out, item, cosine, sine);
	if (item->set)
		put_blanks(pdf, out, item);
	else
		tn_pdf_put_letters(pdf, out, item->text, (enum tn_pdf_look)how->weight);
	tn_buf_append_text(out, "ET\n");
}

/* ---- fonts ---- */

struct font {
	size_t first, count; /* of the glyphs */
	size_t number, map, procedures;
};

static int width_of(const struct tn_pdf_glyph *glyph)
{
	return glyph->look == TN_PDF_BLANK
		       ? TN_FONT_EM
		       : (int)tn_font_width((enum tn_draw_weight)glyph->look, glyph->code);
}

static void put_procedure(struct tn_pdf *pdf, const struct tn_pdf_glyph *glyph, size_t number)
{
	struct tn_buf path, whole;
	struct writer writer = {.out = &path,
				.ax = 1,
				.by = -1,
				.low_x = TN_FONT_EM,
				.low_y = TN_FONT_EM,
				.high_x = -TN_FONT_EM,
				.high_y = -TN_FONT_EM};

	tn_buf_init(&path, pdf->out->limit);
	tn_buf_init(&whole, pdf->out->limit);
	if (glyph->look != TN_PDF_BLANK)
		write_glyph(&writer, (enum tn_draw_weight)glyph->look, glyph->code);
	tn_buf_format(&whole, "%d 0 ", width_of(glyph));
	if (writer.begun) {
		tn_pdf_put_point(&whole, writer.low_x, writer.low_y);
		tn_pdf_put_point(&whole, writer.high_x, writer.high_y);
		tn_buf_append_text(&whole, "d1\n");
		tn_buf_append_str(&whole, tn_buf_str(&path));
		tn_buf_append_text(&whole, "f\n");
	} else {
		tn_buf_append_text(&whole, "0 0 0 0 d1\n");
	}
	tn_pdf_stream(pdf, number, "", tn_buf_str(&whole));
	tn_buf_inherit_failure(pdf->out, &path);
	tn_buf_inherit_failure(pdf->out, &whole);
	tn_buf_finish(&path);
	tn_buf_finish(&whole);
}

/* What the letters mean, for searching and copying. */
static void put_map(struct tn_pdf *pdf, const struct font *font)
{
	struct tn_buf out;

	tn_buf_init(&out, pdf->out->limit);
	tn_buf_append_text(&out, "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
				 "/CMapName /Tenon def\n/CMapType 2 def\n"
				 "1 begincodespacerange <00> <FF> endcodespacerange\n");
	for (size_t i = 0; i < font->count; i++) {
		uint32_t code = pdf->glyphs[font->first + i].code;
		size_t left = font->count - i;

		if (i % MAP_LINES_MAX == 0)
			tn_buf_format(&out, "%zu beginbfchar\n",
				      left < MAP_LINES_MAX ? left : (size_t)MAP_LINES_MAX);
		tn_buf_format(&out, "<%02X> <", (unsigned)i);
		if (code > 0xFFFF)
			tn_buf_format(&out, "%04X%04X>\n", 0xD7C0u + (unsigned)(code >> 10),
				      0xDC00u + (unsigned)(code & 0x3FF));
		else
			tn_buf_format(&out, "%04X>\n", (unsigned)code);
		if (i % MAP_LINES_MAX == MAP_LINES_MAX - 1 || left == 1)
			tn_buf_append_text(&out, "endbfchar\n");
	}
	tn_buf_append_text(&out, "endcmap\nend\nend\n");
	tn_pdf_stream(pdf, font->map, "", tn_buf_str(&out));
	tn_buf_inherit_failure(pdf->out, &out);
	tn_buf_finish(&out);
}

static void put_font(struct tn_pdf *pdf, const struct font *font)
{
	struct tn_buf *out = pdf->out;

	tn_pdf_begin(pdf, font->number);
	tn_buf_append_text(out, "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 0 0] /FontMatrix [");
	for (int i = 0; i < 6; i++)
		tn_buf_append_text(out, i == 0 || i == 3 ? "0.00048828125 " : "0 ");
	tn_buf_format(out, "]\n/FirstChar 0 /LastChar %zu /ToUnicode %zu 0 R /Resources << >>\n",
		      font->count - 1, font->map);
	tn_buf_append_text(out, "/Widths [");
	for (size_t i = 0; i < font->count; i++) {
		const struct tn_pdf_glyph *glyph = &pdf->glyphs[font->first + i];

		tn_buf_format(out, "%d ", width_of(glyph));
	}
	tn_buf_append_text(out, "]\n/Encoding << /Type /Encoding /Differences [0");
	for (size_t i = 0; i < font->count; i++)
		tn_buf_format(out, " /g%zu", i);
	tn_buf_append_text(out, "] >>\n/CharProcs <<");
	for (size_t i = 0; i < font->count; i++)
		tn_buf_format(out, " /g%zu %zu 0 R", i, font->procedures + i);
	tn_buf_append_text(out, " >> >>\n");
	tn_pdf_end(pdf);
}

void tn_pdf_put_fonts(struct tn_pdf *pdf, struct tn_buf *ret_names)
{
	for (size_t first = 0; first < pdf->glyph_count && !pdf->starved;
	     first += TN_PDF_FONT_GLYPHS) {
		struct font font = {.first = first, .count = pdf->glyph_count - first};

		if (font.count > TN_PDF_FONT_GLYPHS)
			font.count = TN_PDF_FONT_GLYPHS;
		font.number = tn_pdf_number(pdf);
		font.map = tn_pdf_number(pdf);
		font.procedures = pdf->object_count;
		for (size_t i = 0; i < font.count; i++)
			put_procedure(pdf, &pdf->glyphs[first + i], tn_pdf_number(pdf));
		put_map(pdf, &font);
		put_font(pdf, &font);
		tn_buf_format(ret_names, "/F%zu %zu 0 R ", first / TN_PDF_FONT_GLYPHS, font.number);
	}
}
