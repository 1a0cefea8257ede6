/* The fonts that one picture has open: mapped as long as it is made, never read whole. */
#include <string.h>
#include <sys/mman.h>

#include "base/utf8.h"
#include "draw/font.h"
#include "plugins/shaping.h"

bool shaping_has_all(const struct tn_embedded_font *embedded, hb_font_t *font,
		     const struct shaping_want *want)
{
	hb_codepoint_t glyph;

	for (size_t i = 0; i < want->count; i++)
		if (!embedded->is_unseen(want->codes[i]) &&
		    !hb_font_get_nominal_glyph(font, want->codes[i], &glyph))
			return false;
	return true;
}

static hb_font_t *make_font(const struct shaping_face *about, const struct shaping_map *map)
{
	hb_blob_t *blob = hb_blob_create(map->bytes, (unsigned)map->size, HB_MEMORY_MODE_READONLY,
					 NULL, NULL);
	hb_face_t *face = hb_face_create(blob, about->number);
	hb_font_t *font = hb_font_create(face);

	hb_font_set_scale(font, TN_FONT_EM, TN_FONT_EM);
	hb_face_destroy(face);
	hb_blob_destroy(blob);
	return font;
}

/* A font without the letter is closed at once: a text in a script that no font has must not use up
 * what may be open. */
struct shaping_open *shaping_open_for(struct tn_shaper *shaper, const struct shaping_face *face,
				      const struct shaping_want *want)
{
	struct shaping_open font = {.face = face};

	for (size_t i = 0; i < shaper->open_count; i++)
		if (shaper->opened[i].face == face)
			return shaping_has_all(&shaper->embedded, shaper->opened[i].font, want)
				       ? &shaper->opened[i]
				       : NULL;
	if (shaper->open_count == TN_SHAPING_FONTS_OPEN_MAX)
		return NULL;
	if (!shaping_map_file(face->file, &font.map))
		return NULL;
	font.font = make_font(face, &font.map);
	if (!shaping_has_all(&shaper->embedded, font.font, want)) {
		hb_font_destroy(font.font);
		shaping_unmap(&font.map);
		return NULL;
	}
	shaper->opened[shaper->open_count] = font;
	return &shaper->opened[shaper->open_count++];
}

static void digest(struct tn_shaper *shaper, const struct shaping_open *font,
		   char ret[TN_DIGEST_HEX_SIZE])
{
	struct shaping_file *file = font->face->file;
	bool known;

	(void)pthread_mutex_lock(&shaper->library->lock); /* fails only on a broken lock */
	known = file->sha256[0] != '\0';
	memcpy(ret, file->sha256, sizeof(file->sha256));
	(void)pthread_mutex_unlock(&shaper->library->lock);
	if (known)
		return;
	shaper->library->digest(tn_str(font->map.bytes, font->map.size), ret);
	/* A picture needs a few pages of what has been read for this. */
	(void)madvise(font->map.bytes, font->map.size, MADV_DONTNEED);
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
