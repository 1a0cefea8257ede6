/* pdf_test_kit.h - a PDF of ours read back by its own table: objects, pages, what they draw and
 * say. For cmocka tests. Threads: one at a time. */
#ifndef TN_DRAW_PDF_TEST_KIT_H
#define TN_DRAW_PDF_TEST_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"

enum { PDF_PAGES_MAX = 64 };

struct pdf_page {
	double width, height;
	struct tn_str drawing; /* unpacked */
	const char *words;     /* "|Hall|Bath|" */
};

struct pdf {
	struct tn_buf text;
	struct tn_arena arena;
	struct pdf_page pages[PDF_PAGES_MAX];
	size_t page_count, object_count;
};

/* Reads pdf->text, which the caller has filled. Fails the test where the file is at fault. */
void pdf_read(struct pdf *pdf);
void pdf_finish(struct pdf *pdf);

/* The object with this number: what is between its first line and `endobj`. */
struct tn_str pdf_object(const struct pdf *pdf, size_t number);
/* Whether a line begins or ends at two places on the page that are so far apart in x. */
bool pdf_has_width(const struct pdf_page *page, double width);

#endif
