/* The table of tenon-shaping.so, and the list of fonts that all pictures share. */
#include <hb-ot.h>
#include <pthread.h>

#include "base/mem.h"
#include "plugins/shaping.h"

/* ---- the library ---- */

static bool copy_folders(struct tn_shaping_library *library, const char *const *folders)
{
	size_t count = 0;

	while (folders[count])
		count++;
	library->folders =
		tn_arena_alloc_array(&library->arena, count + 1, sizeof(*library->folders));
	for (size_t i = 0; library->folders && i < count; i++) {
		library->folders[i] = tn_arena_copy(&library->arena, tn_str_from(folders[i]));
		if (!library->folders[i])
			return false;
	}
	return library->folders != NULL;
}

static enum tenon_code open_library(const char *const *folders, tn_shaping_digest_fn *digest_hex,
				    struct tn_shaping_library **ret, struct tenon_error *err)
{
	struct tn_shaping_library *library = tn_mem_alloc(sizeof(*library));

	if (!library)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_arena_init(&library->arena, TN_SHAPING_INDEX_BYTES_MAX);
	library->digest = digest_hex;
	if (!copy_folders(library, folders) || pthread_mutex_init(&library->lock, NULL) != 0) {
		tn_arena_finish(&library->arena);
		tn_mem_free(library);
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	*ret = library;
	return TENON_OK;
}

static void let_go(struct shaping_index *index)
{
	if (index && --index->users == 0)
		shaping_index_free(index);
}

static void close_library(struct tn_shaping_library *library)
{
	if (!library)
		return;
	let_go(library->index);
	(void)pthread_mutex_destroy(&library->lock); /* unlocked: nobody uses the library now */
	tn_arena_finish(&library->arena);
	tn_mem_free(library);
}

/* The list as it is now; pictures that are being made keep theirs. */
static enum tenon_code hold_index(struct tn_shaping_library *library, struct shaping_index **ret,
				  struct tenon_error *err)
{
	struct shaping_index *fresh = NULL;
	enum tenon_code code = TENON_OK;

	(void)pthread_mutex_lock(&library->lock); /* fails only on a broken lock */
	if (!library->index || shaping_index_is_stale(library->index))
		code = shaping_index_create(library->folders, &fresh, err);
	if (fresh) {
		let_go(library->index);
		library->index = fresh;
		fresh->users = 1;
	}
	if (code == TENON_OK) {
		library->index->users++;
		*ret = library->index;
	}
	(void)pthread_mutex_unlock(&library->lock);
	return code;
}

/* ---- a picture ---- */

static enum tenon_code open_shaper(struct tn_shaping_library *library,
				   const struct tn_embedded_font *embedded, struct tn_shaper **ret,
				   struct tenon_error *err)
{
	struct tn_shaper *shaper = tn_mem_alloc(sizeof(*shaper));
	enum tenon_code code;

	if (!shaper)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	code = hold_index(library, &shaper->index, err);
	if (code != TENON_OK) {
		tn_mem_free(shaper);
		return code;
	}
	shaper->library = library;
	shaper->embedded = *embedded;
	shaper->table_bytes_left = TN_SHAPING_TABLE_BYTES_MAX;
	shaper->buffer = hb_buffer_create();
	shaper->pen = shaping_pen_create();
	*ret = shaper;
	return TENON_OK;
}

static void close_shaper(struct tn_shaper *shaper)
{
	struct tn_shaping_library *library;

	if (!shaper)
		return;
	library = shaper->library;
	for (size_t i = 0; i < shaper->open_count; i++)
		shaping_close_font(&shaper->opened[i]);
	hb_buffer_destroy(shaper->buffer);
	hb_draw_funcs_destroy(shaper->pen);
	(void)pthread_mutex_lock(&library->lock); /* fails only on a broken lock */
	let_go(shaper->index);
	(void)pthread_mutex_unlock(&library->lock);
	tn_mem_free(shaper);
}

static size_t fonts_of(const struct tn_shaper *shaper, const struct tn_font_used **ret)
{
	*ret = shaper->told;
	return shaper->used_count;
}

/* ---- what is exported ---- */

__attribute__((visibility("default"))) extern const struct tn_shaping_plugin tn_shaping_plugin;
const struct tn_shaping_plugin tn_shaping_plugin = {
	.version = TN_SHAPING_VERSION,
	.open_library = open_library,
	.close_library = close_library,
	.open = open_shaper,
	.close = close_shaper,
	.set = shaping_set,
	.glyph = shaping_glyph,
	.fonts = fonts_of,
};
