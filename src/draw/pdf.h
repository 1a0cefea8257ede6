/* pdf.h - display lists as the pages of a PDF file: shapes as shapes, words as words.
 *
 * Letters are an embedded font made of the glyphs that are used, so that words look the same
 * everywhere and can be searched and copied. No dates, no names of programs or machines: the same
 * lists give the same bytes. Threads: any. */
#ifndef TN_DRAW_PDF_H
#define TN_DRAW_PDF_H

#include "draw/display.h"

struct tn_pdf_page {
	const struct tn_display *display;
	double width, height; /* of the paper, in points (1/72 inch) */
	double x, y;          /* where the display's upper left corner lies, from the paper's */
	double scale;         /* points a unit of the display */
};

/* `title`: of the document; may be empty. Fails: LIMIT (the buffer's, or more than 65,535 different
 * characters), NO_MEMORY, or what is wrong with a display. */
TN_MUST_USE enum tenon_code tn_draw_pdf(const struct tn_pdf_page *pages, size_t count,
					struct tn_str title, struct tn_buf *out,
					struct tenon_error *err);

#endif
