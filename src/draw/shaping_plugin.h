/* shaping_plugin.h - what tenon-shaping.so exports under the name TN_SHAPING_SYMBOL.
 *
 * The plug-in knows the machine's fonts, orders text by FriBidi, shapes it by HarfBuzz and hands
 * out glyphs. Lengths are in units of TN_FONT_EM, y downwards. Threads: a library any, a shaper one
 * at a time. */
#ifndef TN_DRAW_SHAPING_PLUGIN_H
#define TN_DRAW_SHAPING_PLUGIN_H

#include "base/arena.h"
#include "base/digest.h"
#include "base/error.h"
#include "draw/display.h"

#define TN_SHAPING_FILE "tenon-shaping.so"
#define TN_SHAPING_SYMBOL "tn_shaping_plugin"
#define TN_SHAPING_VERSION 1u /* counts changes of the structs here */

struct tn_shaping_library; /* which fonts the machine has */
struct tn_shaper;          /* those that one picture has open */

/* The font that is preferred wherever it has a glyph. */
struct tn_embedded_font {
	bool (*has)(enum tn_draw_weight weight, uint32_t code);
	bool (*is_unseen)(uint32_t code);
	int32_t (*width)(enum tn_draw_weight weight,
			 uint32_t code); /* without a glyph: its box's */
};

struct tn_set_glyph {
	uint32_t font; /* of the shaper's, from 1; 0: the embedded font, or a box */
	uint32_t id;   /* of the glyph; of the embedded font: its code point */
	int32_t x, y;  /* from the start of the text */
};
/* What is never parted (a letter with its marks), in order of reading. */
struct tn_set_cluster {
	uint32_t first; /* code point that it begins with */
	int32_t width;
	bool breaks; /* a line may begin with it, though no blank stands before */
};
struct tn_set_text {
	const struct tn_set_glyph *glyphs;
	const struct tn_set_cluster *clusters;
	size_t glyph_count, cluster_count;
	int32_t width;
	bool leftward;        /* it is read from right to left */
	const char *families; /* of the machine, "Noto Sans CJK SC, Noto Color Emoji"; NULL: none */
};

enum tn_glyph_kind { TN_GLYPH_MOVE, TN_GLYPH_LINE, TN_GLYPH_QUADRATIC, TN_GLYPH_CUBIC };
struct tn_glyph_step {
	enum tn_glyph_kind kind;
	int32_t at[6]; /* the end point is the last pair used */
};
struct tn_glyph_image {
	int32_t x, y, width, height;
	struct tn_str png;
	const uint8_t *pixels; /* RGBA, colours not multiplied by alpha, rows from the top */
	uint32_t columns, rows;
};
struct tn_glyph {
	uint32_t font, id;
	const struct tn_glyph_step *steps; /* to be filled by the non-zero rule */
	size_t step_count;
	const struct tn_glyph_image *image; /* in its own colours; NULL: the steps */
};

/* tn_digest_hex: a plug-in has no libsodium of its own. */
typedef void tn_shaping_digest_fn(struct tn_str bytes, char out[TN_DIGEST_HEX_SIZE]);

struct tn_shaping_plugin {
	uint32_t version;
	/* `folders`: with all that is inside; NULL at the end, copied. Nothing is read yet. */
	enum tenon_code (*open_library)(const char *const *folders, tn_shaping_digest_fn *digest,
					struct tn_shaping_library **ret, struct tenon_error *err);
	void (*close_library)(struct tn_shaping_library *library);
	/* Looks which fonts there are, unless that is known; it outlives nothing of them. */
	enum tenon_code (*open)(struct tn_shaping_library *library,
				const struct tn_embedded_font *embedded, struct tn_shaper **ret,
				struct tenon_error *err);
	void (*close)(struct tn_shaper *shaper);
	/* A line. What is returned lies in the arena. Fails: NO_MEMORY, LIMIT (the arena). */
	enum tenon_code (*set)(struct tn_shaper *shaper, enum tn_draw_weight weight,
			       const uint32_t *codes, size_t count, struct tn_arena *arena,
			       struct tn_set_text *ret, struct tenon_error *err);
	/* One of its glyphs; a broken one is empty. Fails: NO_MEMORY, LIMIT (the arena). */
	enum tenon_code (*glyph)(struct tn_shaper *shaper, uint32_t font, uint32_t id,
				 struct tn_arena *arena, struct tn_glyph *ret,
				 struct tenon_error *err);
	/* The fonts that were used, from the first; as long as the shaper. */
	size_t (*fonts)(const struct tn_shaper *shaper, const struct tn_font_used **ret);
};

#endif
