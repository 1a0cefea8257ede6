#include "draw/pdf_objects.h"

#include <libdeflate.h>
#include <math.h>

#include "base/mem.h"
#include "base/utf8.h"

enum { LEVEL = 6 };

/* ---- objects ---- */

size_t tn_pdf_number(struct tn_pdf *pdf)
{
	if (pdf->object_count == pdf->object_room) {
		size_t room = pdf->object_room ? 2 * pdf->object_room : 64;
		size_t *more = tn_mem_resize(pdf->offsets, room * sizeof(*more));

		if (!more) {
			pdf->starved = true;
			return 0;
		}
		pdf->offsets = more;
		pdf->object_room = room;
	}
	pdf->offsets[pdf->object_count] = 0;
	return pdf->object_count++;
}

void tn_pdf_begin(struct tn_pdf *pdf, size_t number)
{
	if (number < pdf->object_count)
		pdf->offsets[number] = pdf->out->size;
	tn_buf_format(pdf->out, "%zu 0 obj\n", number);
}

void tn_pdf_end(struct tn_pdf *pdf)
{
	tn_buf_append_text(pdf->out, "endobj\n");
}

void tn_pdf_stream(struct tn_pdf *pdf, size_t number, const char *about, struct tn_str data)
{
	struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(LEVEL);
	size_t bound = compressor ? libdeflate_zlib_compress_bound(compressor, data.size) : 0, size;
	char *packed = compressor ? tn_mem_alloc(bound) : NULL;

	if (packed) {
		size = libdeflate_zlib_compress(compressor, data.data, data.size, packed, bound);
		tn_pdf_begin(pdf, number);
		tn_buf_format(pdf->out, "<< %s/Length %zu /Filter /FlateDecode >>\nstream\n", about,
			      size);
		tn_buf_append(pdf->out, packed, size);
		tn_buf_append_text(pdf->out, "\nendstream\n");
		tn_pdf_end(pdf);
	} else {
		pdf->starved = true;
	}
	tn_mem_free(packed);
	libdeflate_free_compressor(compressor);
}

/* ---- values ---- */

void tn_pdf_put_fine(struct tn_buf *out, double value)
{
	int64_t millionths = (int64_t)floor(fabs(value) * 1e6 + 0.5);

	tn_buf_format(out, "%s%lld.%06lld", value < 0 && millionths > 0 ? "-" : "",
		      (long long)(millionths / 1000000), (long long)(millionths % 1000000));
}

void tn_pdf_put_point(struct tn_buf *out, double x, double y)
{
	tn_draw_put_number(out, x);
	tn_buf_append_byte(out, ' ');
	tn_draw_put_number(out, y);
	tn_buf_append_byte(out, ' ');
}

void tn_pdf_put_utf16(struct tn_buf *out, struct tn_str text)
{
	while (text.size > 0) {
		uint32_t code = TN_UTF8_REPLACEMENT;
		size_t size = tn_utf8_decode(text.data, text.size, &code);

		if (code > 0xFFFF)
			tn_buf_format(out, "%04X%04X", 0xD7C0u + (unsigned)(code >> 10),
				      0xDC00u + (unsigned)(code & 0x3FF));
		else
			tn_buf_format(out, "%04X", (unsigned)code);
		text = tn_str_from_offset(text, size ? size : 1);
	}
}

bool tn_pdf_put_colour(struct tn_pdf *pdf, struct tn_buf *out, tn_colour colour,
		       const char *operator)
{
	unsigned alpha = tn_colour_alpha(colour);

	if (alpha == 0)
		return false;
	pdf->alphas[alpha] = true;
	tn_buf_format(out, "/A%u gs ", alpha);
	for (unsigned shift = 24; shift > 0; shift -= 8) {
		tn_draw_put_number(out, (colour >> shift & 0xFF) / 255.0);
		tn_buf_append_byte(out, ' ');
	}
	tn_buf_append_text(out, operator);
	tn_buf_append_byte(out, '\n');
	return true;
}
