/* shaping.h - the inside of tenon-shaping.so: font files, what is known of them, which is taken,
 * and text made of their glyphs, for the files shaping_*.c. Threads: as draw/shaping_plugin.h. */
#ifndef TN_PLUGINS_SHAPING_H
#define TN_PLUGINS_SHAPING_H

#include <hb.h>
#include <pthread.h>
#include <sys/stat.h>

#include "draw/shaping_plugin.h"
#include "plugins/limits.h"

/* ---- files (shaping_files.c) ---- */

struct shaping_file {
	const char *path; /* its last part is told to users */
	uint64_t size, stamp;
	char sha256[TN_DIGEST_HEX_SIZE]; /* empty until somebody needs it; under the library's lock
					  */
};
struct shaping_folder {
	const char *path;
	uint64_t stamp; /* another one: files came or went */
};

/* When it last changed, and that it is the same one; 0: it is not there. */
uint64_t shaping_stamp(const char *path);
uint64_t shaping_stamp_of(const struct stat *about);

/* ---- what is in one (shaping_tables.c) ---- */

struct shaping_reader {
	int fd;
	uint64_t size; /* as the list has it */
	unsigned faces;
	size_t *left; /* bytes that tables may still take */
	bool changed; /* it was cut short while it was read */
};
struct shaping_colours { /* what a face has of letters with colours of their own */
	bool pictures, layers;
};
/* False: not there, no file, or changed since. */
bool shaping_reader_open(const struct shaping_file *file, size_t *left, struct shaping_reader *ret);
void shaping_reader_close(struct shaping_reader *reader);
/* NULL: no such face, or no memory. It goes before its reader, which stays where it is. */
hb_face_t *shaping_reader_face(struct shaping_reader *reader, unsigned number,
			       struct shaping_colours *ret);
/* All `size` bytes, to be freed; NULL: it changed, or no memory. */
char *shaping_read_all(struct shaping_reader *reader);

/* ---- what there is (shaping_index.c) ---- */

enum { SHAPING_PAGES = 0x110000 / 256 };

struct shaping_face {
	struct shaping_file *file;
	unsigned number; /* in the file */
	const char *family, *name;
	int weight;
	bool slanted, narrow, fixed, any_weight;
	bool coloured; /* it has pictures */
	bool layers;   /* colours that are not drawn (COLR), and no pictures: glyphs may be empty */
	int kind;      /* the smaller, the better it goes with our letters */
	uint8_t pages[SHAPING_PAGES / 8]; /* of 256 code points: it has some of them */
};
/* Never changes once it is made. */
struct shaping_index {
	struct tn_arena arena;
	struct shaping_file *files;
	struct shaping_folder *folders;
	struct shaping_face *faces; /* the better before the worse; no order of folders is left */
	size_t file_count, folder_count, face_count;
	unsigned users; /* under the library's lock */
};
TN_MUST_USE enum tenon_code shaping_index_create(const char *const *folders,
						 struct shaping_index **ret,
						 struct tenon_error *err);
void shaping_index_free(struct shaping_index *index); /* accepts NULL */
bool shaping_index_is_stale(const struct shaping_index *index);
/* Files below the folders, and these, appended to the index. False: no memory. */
bool shaping_find_files(struct shaping_index *index, const char *const *folders);

/* ---- one picture (shaping_fonts.c) ---- */

struct tn_shaping_library {
	pthread_mutex_t lock;
	struct tn_arena arena; /* of the paths */
	tn_shaping_digest_fn *digest;
	const char **folders;        /* NULL at the end */
	struct shaping_index *index; /* NULL: not looked yet */
};

struct shaping_open { /* a font that a picture has looked into */
	const struct shaping_face *face;
	struct shaping_reader reader;
	hb_font_t *font;
	uint32_t number; /* of those used, from 1; 0: not used */
};
struct tn_shaper {
	struct tn_shaping_library *library;
	struct shaping_index *index; /* held */
	struct tn_embedded_font embedded;
	struct shaping_open opened[TN_SHAPING_FONTS_OPEN_MAX];
	size_t open_count, table_bytes_left;
	struct shaping_open *used[TN_SHAPING_FONTS_OPEN_MAX];
	struct tn_font_used told[TN_SHAPING_FONTS_OPEN_MAX];
	size_t used_count;
	hb_buffer_t *buffer;
	hb_draw_funcs_t *pen;
};
/* Its number among the fonts used. */
uint32_t shaping_use(struct tn_shaper *shaper, struct shaping_open *font);

/* ---- which font (shaping_choose.c) ---- */

struct shaping_want {
	const uint32_t *codes; /* of one cluster */
	size_t count;
	enum tn_draw_weight weight;
	hb_script_t script;
	bool coloured;               /* emoji */
	const char *region;          /* "SC": whose forms of Han characters */
	struct shaping_open *before; /* what the text before is set in; NULL: nothing */
};
/* NULL: no font has it. */
struct shaping_open *shaping_choose(struct tn_shaper *shaper, const struct shaping_want *want);
/* Unseen characters need no glyph; all others one that is drawn. */
bool shaping_has_all(const struct tn_shaper *shaper, const struct shaping_open *font,
		     const struct shaping_want *want);
/* The font open, if it has all that is wanted; NULL: it has not, is broken, or too many are open.
 */
struct shaping_open *shaping_open_for(struct tn_shaper *shaper, const struct shaping_face *face,
				      const struct shaping_want *want);
void shaping_close_font(struct shaping_open *font);
bool shaping_is_emoji(const uint32_t *codes, size_t count);

/* ---- text and glyphs (shaping_text.c, shaping_glyph.c) ---- */

enum tenon_code shaping_set(struct tn_shaper *shaper, enum tn_draw_weight weight,
			    const uint32_t *codes, size_t count, struct tn_arena *arena,
			    struct tn_set_text *ret, struct tenon_error *err);
enum tenon_code shaping_glyph(struct tn_shaper *shaper, uint32_t font, uint32_t id,
			      struct tn_arena *arena, struct tn_glyph *ret,
			      struct tenon_error *err);
/* False: nothing of it would be seen, for its colours are layers. */
bool shaping_is_drawn(const struct tn_shaper *shaper, const struct shaping_open *font, uint32_t id);
hb_draw_funcs_t *shaping_pen_create(void);

#endif
