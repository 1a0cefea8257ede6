/* pdf_objects.h - the inside of writing PDF: numbered objects, and the letters used so far, for the
 * files pdf*.c. Threads: one at a time. */
#ifndef TN_DRAW_PDF_OBJECTS_H
#define TN_DRAW_PDF_OBJECTS_H

#include "draw/items.h"

enum { TN_PDF_FONT_GLYPHS = 256 };

enum tn_pdf_look { /* a weight, or nothing to be seen: what is drawn otherwise, to be found */
		   TN_PDF_REGULAR = TN_DRAW_REGULAR,
		   TN_PDF_BOLD = TN_DRAW_BOLD,
		   TN_PDF_BLANK,
		   TN_PDF_LOOKS
};
struct tn_pdf_glyph {
	enum tn_pdf_look look;
	uint32_t code;
};

struct tn_pdf_image {
	const struct tn_glyph_image *image;
	size_t number; /* its object */
};

struct tn_pdf {
	struct tn_buf *out;
	size_t *offsets; /* of the objects, by number */
	size_t object_count, object_room;
	struct tn_pdf_glyph *glyphs; /* in order of their first use */
	size_t glyph_count, glyph_room;
	struct tn_pdf_image *images; /* glyphs with colours of their own */
	size_t image_count, image_room;
	uint16_t *slots;       /* by look and code: its glyph's number + 1; 0: not used yet */
	bool alphas[256];      /* that were used */
	bool starved, crowded; /* no memory; too many letters */
};

/* A number for an object that is written later, or at once. */
size_t tn_pdf_number(struct tn_pdf *pdf);
void tn_pdf_begin(struct tn_pdf *pdf, size_t number); /* "7 0 obj" */
void tn_pdf_end(struct tn_pdf *pdf);
/* A whole object: a stream, packed. `about`: entries of its dictionary, each with a blank behind.
 */
void tn_pdf_stream(struct tn_pdf *pdf, size_t number, const char *about, struct tn_str data);

/* Six decimals, for matrices. */
void tn_pdf_put_fine(struct tn_buf *out, double value);
void tn_pdf_put_point(struct tn_buf *out, double x, double y); /* and a blank */
void tn_pdf_put_utf16(struct tn_buf *out, struct tn_str text); /* as digits */
/* Sets colour and transparency; false: nothing is to be seen. `operator`: "rg" to fill, "RG" to
 * stroke. */
bool tn_pdf_put_colour(struct tn_pdf *pdf, struct tn_buf *out, tn_colour colour,
		       const char *operator);

/* ---- letters (pdf_text.c) ---- */

void tn_pdf_put_text(struct tn_pdf *pdf, struct tn_buf *out, const struct tn_draw_item *item);
/* The text as letters of this look, within BT and ET. */
void tn_pdf_put_letters(struct tn_pdf *pdf, struct tn_buf *out, struct tn_str text,
			enum tn_pdf_look look);
/* All fonts, as objects; appends "/F0 9 0 R ..." for the resources. */
void tn_pdf_put_fonts(struct tn_pdf *pdf, struct tn_buf *ret_names);

/* ---- text in fonts of the machine (pdf_set.c) ---- */

void tn_pdf_put_set(struct tn_pdf *pdf, struct tn_buf *out, const struct tn_draw_item *item,
		    double cosine, double sine);
void tn_pdf_put_images(struct tn_pdf *pdf); /* for the resources: " /XObject << ... >>" */

#endif
