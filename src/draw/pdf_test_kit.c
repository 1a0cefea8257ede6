#include "draw/pdf_test_kit.h"

#include "base/utf8.h"

#include <libdeflate.h>
#include <math.h>
#include <stdlib.h>

#include "base/size.h"

static struct tn_str behind(struct tn_str text, const char *words)
{
	size_t at = tn_str_find(text, tn_str_from(words));

	if (at == TN_STR_NONE)
		fail_msg("no '%s' in '%.*s'", words, text.size < 200 ? (int)text.size : 200,
			 text.data);
	return tn_str_from_offset(text, at + strlen(words));
}

static size_t number_at(struct tn_str text)
{
	size_t number = 0, i = 0;

	assert_true(text.size > 0 && tn_is_digit(text.data[0]));
	for (; i < text.size && tn_is_digit(text.data[i]); i++)
		number = number * 10 + (size_t)(text.data[i] - '0');
	return number;
}

/* ---- objects ---- */

static struct tn_str table(const struct pdf *pdf)
{
	struct tn_str text = tn_buf_str(&pdf->text), rest = text;
	size_t at;

	assert_true(tn_str_ends(text, TN_STR("\n%%EOF\n")));
	while ((at = tn_str_find(rest, TN_STR("startxref\n"))) != TN_STR_NONE)
		rest = tn_str_from_offset(rest, at + 10);
	rest = tn_str_from_offset(text, number_at(rest));
	assert_true(tn_str_starts(rest, TN_STR("xref\n0 ")));
	return rest;
}

struct tn_str pdf_object(const struct pdf *pdf, size_t number)
{
	/* Lines of the table are 20 bytes, and the first one is of no object. */
	struct tn_str line =
		tn_str_from_offset(behind(behind(table(pdf), "\n"), "\n"), 20 * number);
	struct tn_str object = tn_str_from_offset(tn_buf_str(&pdf->text), number_at(line));
	char head[32];
	size_t end;

	assert_memory_equal(line.data + 10, " 00000 n \n", 10);
	(void)snprintf(head, sizeof(head), "%zu 0 obj\n", number);
	if (!tn_str_starts(object, tn_str_from(head)))
		fail_msg("object %zu is not where the table says", number);
	object = tn_str_from_offset(object, strlen(head));
	end = tn_str_find(object, TN_STR("endobj\n"));
	assert_int_not_equal(end, TN_STR_NONE);
	return tn_str(object.data, end);
}

static struct tn_str unpack(struct pdf *pdf, size_t number)
{
	enum { ROOM = 4 << 20 };
	struct libdeflate_decompressor *unpacker = libdeflate_alloc_decompressor();
	struct tn_str object = pdf_object(pdf, number), data = behind(object, "stream\n");
	size_t size = number_at(behind(object, "/Length ")), got = 0;
	char *room = tn_arena_alloc_raw(&pdf->arena, ROOM);

	assert_true(unpacker && room);
	assert_true(tn_str_starts(tn_str_from_offset(data, size), TN_STR("\nendstream\n")));
	assert_int_equal(libdeflate_zlib_decompress(unpacker, data.data, size, room, ROOM, &got),
			 LIBDEFLATE_SUCCESS);
	libdeflate_free_decompressor(unpacker);
	return tn_str(room, got);
}

/* ---- words ---- */

static unsigned hex(struct tn_str text, size_t digits)
{
	char number[9] = "";

	assert_in_range(text.size, digits, SIZE_MAX);
	memcpy(number, text.data, digits);
	return (unsigned)strtoul(number, NULL, 16);
}

/* By the font's own map: the letter for a code. */
static void put_letter(struct tn_buf *out, struct tn_str map, unsigned code)
{
	char key[16], bytes[TN_UTF8_BYTES_MAX];
	struct tn_str hexed;
	uint32_t letter;

	(void)snprintf(key, sizeof(key), "\n<%02X> <", code);
	hexed = behind(map, key);
	letter = hex(hexed, 4);
	if (letter >= 0xD800 && letter < 0xDC00) /* the second half of what UTF-16 makes of it */
		letter = 0x10000 + ((letter & 0x3FF) << 10) +
			 (hex(tn_str_from_offset(hexed, 4), 4) & 0x3FF);
	tn_buf_append(out, bytes, tn_utf8_encode(letter, bytes));
}

static const char *read_words(struct pdf *pdf, struct tn_str drawing, struct tn_str map)
{
	char *words;
	struct tn_buf out;
	size_t at;

	tn_buf_init(&out, TN_MIB);
	tn_buf_append_byte(&out, '|');
	while ((at = tn_str_find(drawing, TN_STR("/F0 1 Tf <"))) != TN_STR_NONE) {
		drawing = tn_str_from_offset(drawing, at + 10);
		for (; drawing.data[0] != '>'; drawing = tn_str_from_offset(drawing, 2))
			put_letter(&out, map, hex(drawing, 2));
		tn_buf_append_byte(&out, '|');
	}
	words = tn_arena_copy(&pdf->arena, tn_buf_str(&out));
	tn_buf_finish(&out);
	return words;
}

/* ---- the file ---- */

static void read_page(struct pdf *pdf, size_t number)
{
	struct pdf_page *page = &pdf->pages[pdf->page_count++];
	struct tn_str object = pdf_object(pdf, number), box = behind(object, "/MediaBox [0 0 "),
		      resources = pdf_object(pdf, number_at(behind(object, "/Resources "))), map;

	assert_true(tn_str_starts(behind(object, "/Type "), TN_STR("/Page ")));
	page->width = strtod(box.data, NULL);
	page->height = strtod(behind(box, " ").data, NULL);
	page->drawing = unpack(pdf, number_at(behind(object, "/Contents ")));
	map = TN_STR("");
	if (tn_str_find(resources, TN_STR("/F0 ")) != TN_STR_NONE)
		map = unpack(pdf,
			     number_at(behind(pdf_object(pdf, number_at(behind(resources, "/F0 "))),
					      "/ToUnicode ")));
	page->words = read_words(pdf, page->drawing, map);
}

void pdf_read(struct pdf *pdf)
{
	struct tn_str rest = table(pdf), trailer = behind(rest, "trailer\n"), tree;
	size_t count;

	tn_arena_init(&pdf->arena, (size_t)512 * TN_MIB);
	assert_true(tn_str_starts(tn_buf_str(&pdf->text), TN_STR("%PDF-1.4\n")));
	pdf->object_count = number_at(behind(rest, "xref\n0 "));
	assert_int_equal(number_at(behind(trailer, "/Size ")), pdf->object_count);
	for (size_t i = 1; i < pdf->object_count; i++)
		(void)pdf_object(pdf, i);
	tree = pdf_object(pdf, number_at(behind(trailer, "/Root ")));
	tree = pdf_object(pdf, number_at(behind(tree, "/Pages ")));
	count = number_at(behind(tree, "/Count "));
	assert_in_range(count, 1, PDF_PAGES_MAX);
	tree = behind(tree, "/Kids [");
	while (pdf->page_count < count) {
		read_page(pdf, number_at(tree));
		tree = behind(tree, "R ");
	}
	assert_int_equal(tree.data[0], ']');
}

void pdf_finish(struct pdf *pdf)
{
	tn_buf_finish(&pdf->text);
	tn_arena_finish(&pdf->arena);
}

bool pdf_has_width(const struct pdf_page *page, double width)
{
	struct tn_str rest = page->drawing;
	double xs[4096];
	size_t count = 0, end;

	for (; (end = tn_str_find_byte(rest, '\n')) != TN_STR_NONE && count < TN_COUNT(xs);
	     rest = tn_str_from_offset(rest, end + 1)) {
		struct tn_str line = tn_str(rest.data, end);

		if (tn_str_ends(line, TN_STR(" m")) || tn_str_ends(line, TN_STR(" l")))
			xs[count++] = strtod(line.data, NULL);
	}
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < count; k++)
			if (fabs(xs[k] - xs[i] - width) < 0.02)
				return true;
	return false;
}
