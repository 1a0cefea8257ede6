#include "draw/pdf.h"

#include <math.h>

#include "base/mem.h"
#include "draw/pdf_objects.h"

#define KAPPA 0.5522847498 /* of a quarter circle as a curve */

/* Objects that are always there. */
enum { CATALOG = 1, PAGES = 2, INFO = 3, RESOURCES = 4, FIRST_PAGE = 5, CODES = 0x110000 };

/* ---- shapes ---- */

static void put_curve(struct tn_buf *out, const double at[6])
{
	for (int i = 0; i < 6; i += 2)
		tn_pdf_put_point(out, at[i], at[i + 1]);
	tn_buf_append_text(out, "c\n");
}

static void put_quarter(struct tn_buf *out, double x, double y, double dx1, double dy1, double dx2,
			double dy2)
{
	const double at[6] = {x + dx1 * KAPPA,
			      y + dy1 * KAPPA,
			      x + dx1 + dx2 * (1 - KAPPA),
			      y + dy1 + dy2 * (1 - KAPPA),
			      x + dx1 + dx2,
			      y + dy1 + dy2};

	put_curve(out, at);
}

static void put_ellipse(struct tn_buf *out, const struct tn_draw_item *item)
{
	double x = item->x, y = item->y, rx = item->width, ry = item->height;

	tn_pdf_put_point(out, x + rx, y);
	tn_buf_append_text(out, "m\n");
	put_quarter(out, x + rx, y, 0, ry, -rx, 0);
	put_quarter(out, x, y + ry, -rx, 0, 0, -ry);
	put_quarter(out, x - rx, y, 0, -ry, rx, 0);
	put_quarter(out, x, y - ry, rx, 0, 0, ry);
	tn_buf_append_text(out, "h\n");
}

static void put_line(struct tn_buf *out, double x, double y, const char *operator)
{
	tn_pdf_put_point(out, x, y);
	tn_buf_append_text(out, operator);
}

static void put_rect(struct tn_buf *out, const struct tn_draw_item *item)
{
	double x = item->x, y = item->y, right = x + item->width, bottom = y + item->height;
	double r = fmin(item->radius, fmin(item->width, item->height) / 2);

	if (r <= 0) {
		tn_pdf_put_point(out, x, y);
		put_line(out, item->width, item->height, "re\n");
		return;
	}
	put_line(out, x + r, y, "m ");
	put_line(out, right - r, y, "l\n");
	put_quarter(out, right - r, y, r, 0, 0, r);
	put_line(out, right, bottom - r, "l\n");
	put_quarter(out, right, bottom - r, 0, r, -r, 0);
	put_line(out, x + r, bottom, "l\n");
	put_quarter(out, x + r, bottom, -r, 0, 0, -r);
	put_line(out, x, y + r, "l\n");
	put_quarter(out, x, y + r, 0, -r, r, 0);
	tn_buf_append_text(out, "h\n");
}

static void put_path(struct tn_buf *out, const struct tn_draw_item *item)
{
	for (const struct tn_draw_piece *piece = item->pieces; piece; piece = piece->next) {
		switch (piece->step) {
		case TN_DRAW_MOVE:
			put_line(out, piece->at[0], piece->at[1], "m ");
			break;
		case TN_DRAW_LINE:
			put_line(out, piece->at[0], piece->at[1], "l\n");
			break;
		case TN_DRAW_CURVE:
			put_curve(out, piece->at);
			break;
		default:
			tn_buf_append_text(out, "h\n");
		}
	}
}

static void put_outline(struct tn_buf *out, const struct tn_draw_item *item)
{
	if (item->kind == TN_DRAW_RECT)
		put_rect(out, item);
	else if (item->kind == TN_DRAW_ELLIPSE)
		put_ellipse(out, item);
	else
		put_path(out, item);
}

static void put_pen(struct tn_buf *out, const struct tn_draw_style *style)
{
	tn_draw_put_number(out, style->stroke_width);
	tn_buf_append_text(out, style->round ? " w 1 J 1 j [" : " w 0 J 0 j [");
	for (int i = 0; i < 4 && style->dash[0] > 0 && style->dash[1] > 0 && style->dash[i] > 0;
	     i++) {
		tn_draw_put_number(out, style->dash[i]);
		tn_buf_append_byte(out, ' ');
	}
	tn_buf_append_text(out, "] 0 d\n");
}

/* Filled, then stroked: each with its own transparency. */
static void put_shape(struct tn_pdf *pdf, struct tn_buf *out, const struct tn_draw_item *item)
{
	const struct tn_draw_style *style = &item->style;

	if (item->kind == TN_DRAW_PATH && !item->pieces)
		return;
	if (tn_pdf_put_colour(pdf, out, style->fill, "rg")) {
		put_outline(out, item);
		tn_buf_append_text(out, "f\n");
	}
	if (style->stroke_width > 0 && tn_pdf_put_colour(pdf, out, style->stroke, "RG")) {
		put_pen(out, style);
		put_outline(out, item);
		tn_buf_append_text(out, "S\n");
	}
}

/* ---- pages ---- */

static void put_matrix(struct tn_buf *out, const struct tn_pdf_page *page)
{
	const struct tn_display *display = page->display;
	double scale = page->scale;
	const double matrix[] = {scale,
				 0,
				 0,
				 -scale,
				 page->x - scale * display->x,
				 page->height - page->y + scale * display->y};

	for (int i = 0; i < 6; i++) {
		tn_pdf_put_fine(out, matrix[i]);
		tn_buf_append_byte(out, ' ');
	}
	tn_buf_append_text(out, "cm 4 M\n");
}

static void put_contents(struct tn_pdf *pdf, const struct tn_pdf_page *page, size_t number)
{
	const struct tn_display *display = page->display;
	const struct tn_draw_item ground = {.kind = TN_DRAW_RECT,
					    .style = {.fill = display->background},
					    .x = display->x,
					    .y = display->y,
					    .width = display->width,
					    .height = display->height};
	struct tn_buf out;

	tn_buf_init(&out, pdf->out->limit);
	put_matrix(&out, page);
	put_shape(pdf, &out, &ground);
	for (const struct tn_draw_item *item = display->first; item; item = item->next) {
		if (item->kind == TN_DRAW_TEXT)
			tn_pdf_put_text(pdf, &out, item);
		else if (item->kind < TN_DRAW_TEXT)
			put_shape(pdf, &out, item);
	}
	tn_pdf_stream(pdf, number, "", tn_buf_str(&out));
	tn_buf_inherit_failure(pdf->out, &out);
	tn_buf_finish(&out);
}

static void put_page(struct tn_pdf *pdf, const struct tn_pdf_page *page, size_t number)
{
	tn_pdf_begin(pdf, number);
	tn_buf_format(pdf->out, "<< /Type /Page /Parent %d 0 R /Resources %d 0 R /MediaBox [0 0 ",
		      PAGES, RESOURCES);
	tn_pdf_put_point(pdf->out, page->width, page->height);
	tn_buf_format(pdf->out, "] /Contents %zu 0 R >>\n", number + 1);
	tn_pdf_end(pdf);
	put_contents(pdf, page, number + 1);
}

static void put_resources(struct tn_pdf *pdf)
{
	struct tn_buf fonts;

	tn_buf_init(&fonts, pdf->out->limit);
	tn_pdf_put_fonts(pdf, &fonts);
	tn_pdf_begin(pdf, RESOURCES);
	tn_buf_append_text(pdf->out, "<< /Font << ");
	tn_buf_append_str(pdf->out, tn_buf_str(&fonts));
	tn_buf_append_text(pdf->out, ">> /ExtGState <<");
	for (unsigned alpha = 1; alpha < 256; alpha++) {
		if (!pdf->alphas[alpha])
			continue;
		tn_buf_format(pdf->out, " /A%u << /ca ", alpha);
		tn_draw_put_number(pdf->out, alpha / 255.0);
		tn_buf_append_text(pdf->out, " /CA ");
		tn_draw_put_number(pdf->out, alpha / 255.0);
		tn_buf_append_text(pdf->out, " >>");
	}
	tn_buf_append_text(pdf->out, " >>");
	tn_pdf_put_images(pdf);
	tn_buf_append_text(pdf->out, " >>\n");
	tn_pdf_end(pdf);
	tn_buf_inherit_failure(pdf->out, &fonts);
	tn_buf_finish(&fonts);
}

/* ---- the file ---- */

static void put_title(struct tn_pdf *pdf, struct tn_str title)
{
	tn_pdf_begin(pdf, INFO);
	tn_buf_append_text(pdf->out, "<< /Title <FEFF");
	tn_pdf_put_utf16(pdf->out, title);
	tn_buf_append_text(pdf->out, "> /Producer (Tenon) >>\n");
	tn_pdf_end(pdf);
}

static void put_tree(struct tn_pdf *pdf, size_t count)
{
	tn_pdf_begin(pdf, CATALOG);
	tn_buf_format(pdf->out, "<< /Type /Catalog /Pages %d 0 R >>\n", PAGES);
	tn_pdf_end(pdf);
	tn_pdf_begin(pdf, PAGES);
	tn_buf_format(pdf->out, "<< /Type /Pages /Count %zu /Kids [", count);
	for (size_t i = 0; i < count; i++)
		tn_buf_format(pdf->out, "%zu 0 R ", FIRST_PAGE + 2 * i);
	tn_buf_append_text(pdf->out, "] >>\n");
	tn_pdf_end(pdf);
}

static void put_table(struct tn_pdf *pdf)
{
	size_t start = pdf->out->size;

	tn_buf_format(pdf->out, "xref\n0 %zu\n0000000000 65535 f \n", pdf->object_count);
	for (size_t i = 1; i < pdf->object_count; i++)
		tn_buf_format(pdf->out, "%010zu 00000 n \n", pdf->offsets[i]);
	tn_buf_format(pdf->out, "trailer\n<< /Size %zu /Root %d 0 R /Info %d 0 R >>\n",
		      pdf->object_count, CATALOG, INFO);
	tn_buf_format(pdf->out, "startxref\n%zu\n%%%%EOF\n", start);
}

static void put_file(struct tn_pdf *pdf, const struct tn_pdf_page *pages, size_t count,
		     struct tn_str title)
{
	/* Bytes above 127 tell programs that carry files that this is no text. */
	tn_buf_append_text(pdf->out, "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n");
	for (size_t i = 0; i < FIRST_PAGE + 2 * count; i++)
		(void)tn_pdf_number(pdf);
	for (size_t i = 0; i < count && !pdf->starved; i++)
		put_page(pdf, &pages[i], FIRST_PAGE + 2 * i);
	put_resources(pdf);
	put_title(pdf, title);
	put_tree(pdf, count);
	put_table(pdf);
}

enum tenon_code tn_draw_pdf(const struct tn_pdf_page *pages, size_t count, struct tn_str title,
			    struct tn_buf *out, struct tenon_error *err)
{
	struct tn_pdf pdf = {.out = out};
	enum tenon_code code = TENON_OK;

	for (size_t i = 0; i < count && code == TENON_OK; i++)
		code = tn_display_check(pages[i].display, err);
	if (code != TENON_OK)
		return code;
	pdf.slots = tn_mem_alloc_array(TN_PDF_LOOKS * (size_t)CODES, sizeof(*pdf.slots));
	if (!pdf.slots)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	put_file(&pdf, pages, count, title);
	tn_mem_free(pdf.slots);
	tn_mem_free(pdf.glyphs);
	tn_mem_free(pdf.images);
	tn_mem_free(pdf.offsets);
	if (pdf.starved)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (pdf.crowded)
		return tn_fail(err, TENON_LIMIT, "more than 65,535 different characters");
	return tn_buf_check(out, err);
}
