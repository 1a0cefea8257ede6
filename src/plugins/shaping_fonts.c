/* The fonts that one picture has open: as long as it is made, with the tables that it needs. */
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "draw/font.h"
#include "plugins/shaping.h"

bool shaping_has_all(const struct tn_shaper *shaper, const struct shaping_open *font,
		     const struct shaping_want *want)
{
	hb_codepoint_t glyph;

	for (size_t i = 0; i < want->count; i++)
		if (!shaper->embedded.is_unseen(want->codes[i]) &&
		    (!hb_font_get_nominal_glyph(font->font, want->codes[i], &glyph) ||
		     !shaping_is_drawn(shaper, font, glyph)))
			return false;
	return true;
}

/* False: the file is not as the list has it. */
static bool open_font(struct tn_shaper *shaper, struct shaping_open *font)
{
	struct shaping_colours colours;
	hb_face_t *face;

	if (!shaping_reader_open(font->face->file, &shaper->table_bytes_left, &font->reader))
		return false;
	face = shaping_reader_face(&font->reader, font->face->number, &colours);
	if (!face) {
		shaping_reader_close(&font->reader);
		return false;
	}
	font->font = hb_font_create(face);
	hb_font_set_scale(font->font, TN_FONT_EM, TN_FONT_EM);
	hb_face_destroy(face);
	return true;
}

void shaping_close_font(struct shaping_open *font)
{
	hb_font_destroy(font->font);
	shaping_reader_close(&font->reader);
}

/* A font without the letter is closed at once: a text in a script that no font has must not use up
 * what may be open. */
struct shaping_open *shaping_open_for(struct tn_shaper *shaper, const struct shaping_face *face,
				      const struct shaping_want *want)
{
	size_t left = shaper->table_bytes_left;
	struct shaping_open *font;

	for (size_t i = 0; i < shaper->open_count; i++)
		if (shaper->opened[i].face == face)
			return shaping_has_all(shaper, &shaper->opened[i], want)
				       ? &shaper->opened[i]
				       : NULL;
	if (shaper->open_count == TN_SHAPING_FONTS_OPEN_MAX)
		return NULL;
	font = &shaper->opened[shaper->open_count];
	*font = (struct shaping_open){.face = face};
	if (!open_font(shaper, font))
		return NULL;
	if (!shaping_has_all(shaper, font, want)) {
		shaping_close_font(font);
		shaper->table_bytes_left = left;
		return NULL;
	}
	shaper->open_count++;
	return font;
}

/* Of a file that has changed it stays empty. */
static void digest(struct tn_shaper *shaper, struct shaping_open *font,
		   char ret[TN_DIGEST_HEX_SIZE])
{
	struct shaping_file *file = font->face->file;
	char *bytes;
	bool known;

	(void)pthread_mutex_lock(&shaper->library->lock); /* fails only on a broken lock */
	known = file->sha256[0] != '\0';
	memcpy(ret, file->sha256, sizeof(file->sha256));
	(void)pthread_mutex_unlock(&shaper->library->lock);
	if (known)
		return;
	bytes = shaping_read_all(&font->reader);
	if (!bytes)
		return;
	shaper->library->digest(tn_str(bytes, (size_t)font->reader.size), ret);
	tn_mem_free(bytes);
	(void)pthread_mutex_lock(&shaper->library->lock);
	memcpy(file->sha256, ret, sizeof(file->sha256));
	(void)pthread_mutex_unlock(&shaper->library->lock);
}

static void copy_cut(char *to, size_t size, const char *from)
{
	struct tn_str cut = tn_utf8_cut(tn_str_from(from), size - 1);

	memcpy(to, cut.data, cut.size);
	to[cut.size] = '\0';
	tn_utf8_one_line(to, cut.size);
}

uint32_t shaping_use(struct tn_shaper *shaper, struct shaping_open *font)
{
	const char *path = font->face->file->path, *slash = strrchr(path, '/');
	struct tn_font_used *told;

	if (font->number > 0)
		return font->number;
	told = &shaper->told[shaper->used_count];
	copy_cut(told->name, sizeof(told->name),
		 font->face->name[0] ? font->face->name : font->face->family);
	copy_cut(told->file, sizeof(told->file), slash ? slash + 1 : path);
	digest(shaper, font, told->sha256);
	shaper->used[shaper->used_count++] = font;
	font->number = (uint32_t)shaper->used_count;
	return font->number;
}
