/* What the fonts of the machine are: their names, how they look, which characters they have. Read
 * from the files alone, so that the same files give the same order wherever they lie. */
#include <hb-ot.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "plugins/shaping.h"

enum { NAME_SIZE = 96, POST_FIXED_PITCH = 12, FIXED_PITCH_BYTES = 4 };

/* ---- a face ---- */

/* Words of a file in an answer of ours: a line, cut, without anything that steers text. */
static const char *name_of(struct tn_arena *arena, hb_face_t *face, hb_ot_name_id_t id)
{
	char text[NAME_SIZE] = "";
	unsigned size = sizeof(text);
	struct tn_str cut;

	(void)hb_ot_name_get_utf8(face, id, hb_language_from_string("en", -1), &size, text);
	cut = tn_utf8_cut(tn_str_from(text), sizeof(text) - 1);
	tn_utf8_one_line(text, cut.size);
	cut = tn_str_trim(cut);
	return cut.size > 0 ? tn_arena_copy(arena, cut) : "";
}

static bool has_word(const char *name, const char *word)
{
	return strstr(name, word) != NULL;
}

/* Noto is made so that no character is missing, in forms that go together; DejaVu goes with the
 * embedded letters. Others by what their names say. */
static int kind_of(const char *family)
{
	static const char *const rare[] = {"Kufi",    "Nastaliq",   "Rashi",
					   "Display", "Supplement", "Looped"};
	int kind = 4;

	if (tn_str_starts(tn_str_from(family), TN_STR("Noto Sans")))
		kind = 0;
	else if (tn_str_starts(tn_str_from(family), TN_STR("DejaVu Sans")))
		kind = 2;
	else if (has_word(family, "Serif"))
		kind = 6;
	else if (has_word(family, "Sans"))
		kind = 3;
	if (has_word(family, " UI"))
		kind++;
	for (size_t i = 0; i < TN_COUNT(rare); i++)
		kind += has_word(family, rare[i]) ? 8 : 0;
	return has_word(family, "Last Resort") ? 100 : kind;
}

static bool is_fixed(hb_face_t *face, const char *family)
{
	hb_blob_t *table = hb_face_reference_table(face, HB_TAG('p', 'o', 's', 't'));
	unsigned size = 0;
	const char *bytes = hb_blob_get_data(table, &size);
	bool fixed = has_word(family, "Mono");

	if (bytes && size >= POST_FIXED_PITCH + FIXED_PITCH_BYTES)
		fixed = fixed || memcmp(bytes + POST_FIXED_PITCH, "\0\0\0\0", 4) != 0;
	hb_blob_destroy(table);
	return fixed;
}

static bool note_pages(struct shaping_face *ret, hb_face_t *face)
{
	hb_set_t *codes = hb_set_create();
	hb_codepoint_t first = HB_SET_VALUE_INVALID, last = HB_SET_VALUE_INVALID;
	bool any = false;

	hb_face_collect_unicodes(face, codes);
	while (hb_set_next_range(codes, &first, &last) && first < 0x110000) {
		for (size_t page = first / 256; page <= last / 256 && page < SHAPING_PAGES; page++)
			ret->pages[page / 8] |= (uint8_t)(1u << page % 8);
		any = true;
	}
	hb_set_destroy(codes);
	return any;
}

static bool has_weights(hb_face_t *face)
{
	hb_ot_var_axis_info_t axis;

	return hb_ot_var_find_axis_info(face, HB_OT_TAG_VAR_AXIS_WEIGHT, &axis);
}

static void note_style(struct shaping_face *ret, hb_face_t *face)
{
	hb_font_t *font = hb_font_create(face);

	ret->weight = (int)hb_style_get_value(font, HB_STYLE_TAG_WEIGHT);
	ret->slanted = hb_style_get_value(font, HB_STYLE_TAG_ITALIC) > 0 ||
		       hb_style_get_value(font, HB_STYLE_TAG_SLANT_ANGLE) != 0;
	ret->narrow = hb_style_get_value(font, HB_STYLE_TAG_WIDTH) != 100;
	ret->any_weight = has_weights(face);
	hb_font_destroy(font);
}

/* False: no memory. A face that has no characters is none. */
static bool add_face(struct shaping_index *index, struct shaping_file *file,
		     struct shaping_reader *reader, unsigned number)
{
	struct shaping_face *ret = &index->faces[index->face_count];
	struct shaping_colours colours;
	hb_face_t *face = shaping_reader_face(reader, number, &colours);
	bool ok = true;

	if (!face)
		return true;
	*ret = (struct shaping_face){.file = file,
				     .number = number,
				     .coloured = colours.pictures,
				     .layers = colours.layers && !colours.pictures};
	if (hb_face_get_glyph_count(face) > 0 && note_pages(ret, face)) {
		ret->family = name_of(&index->arena, face, HB_OT_NAME_ID_TYPOGRAPHIC_FAMILY);
		if (ret->family && !ret->family[0])
			ret->family = name_of(&index->arena, face, HB_OT_NAME_ID_FONT_FAMILY);
		ret->name = name_of(&index->arena, face, HB_OT_NAME_ID_FULL_NAME);
		ok = ret->family && ret->name;
		if (ok) {
			note_style(ret, face);
			ret->fixed = is_fixed(face, ret->family);
			ret->kind = kind_of(ret->family);
			index->face_count++;
		}
	}
	hb_face_destroy(face);
	return ok;
}

/* ---- all ---- */

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a, b);
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* By what is in the files; where that is the same, by their names. */
static int compare_faces(const void *one, const void *other)
{
	const struct shaping_face *a = one, *b = other;
	int order = a->kind - b->kind;

	order = order ? order : compare_texts(a->family, b->family);
	order = order ? order : compare_texts(a->name, b->name);
	if (!order && a->file->size != b->file->size)
		order = a->file->size > b->file->size ? -1 : 1;
	order = order ? order : compare_texts(last_part(a->file->path), last_part(b->file->path));
	order = order ? order : (int)a->number - (int)b->number;
	return order ? order : compare_texts(a->file->path, b->file->path);
}

static bool read_file(struct shaping_index *index, struct shaping_file *file)
{
	struct shaping_reader reader;
	size_t left;
	bool ok = true;

	if (!shaping_reader_open(file, &left, &reader))
		return true;
	for (unsigned i = 0; ok && i < reader.faces && i < TN_SHAPING_FILE_FACES_MAX &&
			     index->face_count < TN_SHAPING_FACES_MAX;
	     i++) {
		left = TN_SHAPING_TABLE_BYTES_MAX;
		ok = add_face(index, file, &reader, i);
	}
	shaping_reader_close(&reader);
	return ok;
}

static bool fill(struct shaping_index *index, const char *const *folders)
{
	bool ok = shaping_find_files(index, folders);

	if (ok)
		index->faces = tn_mem_alloc_array(TN_SHAPING_FACES_MAX, sizeof(*index->faces));
	ok = ok && index->faces;
	for (size_t i = 0; ok && i < index->file_count; i++)
		ok = read_file(index, &index->files[i]);
	return ok;
}

enum tenon_code shaping_index_create(const char *const *folders, struct shaping_index **ret,
				     struct tenon_error *err)
{
	struct shaping_index *index = tn_mem_alloc(sizeof(*index));
	struct shaping_face *fewer;

	if (!index)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_arena_init(&index->arena, TN_SHAPING_INDEX_BYTES_MAX);
	if (!fill(index, folders)) {
		shaping_index_free(index);
		return tn_fail(err, TENON_NO_MEMORY, "no memory for the list of fonts");
	}
	fewer = tn_mem_resize(index->faces, (index->face_count + 1) * sizeof(*fewer));
	index->faces = fewer ? fewer : index->faces;
	qsort(index->faces, index->face_count, sizeof(*index->faces), compare_faces);
	*ret = index;
	return TENON_OK;
}

void shaping_index_free(struct shaping_index *index)
{
	if (!index)
		return;
	tn_arena_finish(&index->arena);
	tn_mem_free(index->files);
	tn_mem_free(index->folders);
	tn_mem_free(index->faces);
	tn_mem_free(index);
}

bool shaping_index_is_stale(const struct shaping_index *index)
{
	for (size_t i = 0; i < index->folder_count; i++)
		if (shaping_stamp(index->folders[i].path) != index->folders[i].stamp)
			return true;
	/* Written over in its place, a folder does not tell. */
	for (size_t i = 0; i < index->file_count; i++)
		if (shaping_stamp(index->files[i].path) != index->files[i].stamp)
			return true;
	return false;
}
