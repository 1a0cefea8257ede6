/* Font files: where they lie does not matter, others come and go, and some are broken. */
#include <ftw.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "draw/fonts_test_kit.h"

#define NOTO "/usr/share/fonts/truetype/noto/"
#define HINDI "\u0930\u0938\u094b\u0908 \u0918\u0930"
enum { ROUNDS = 60, FLIPS = 40, THREADS = 4 };

static const char *plugin_folder;
static const char *const names[] = {"NotoSansDevanagari-Regular.ttf", "NotoColorEmoji.ttf",
				    "NotoSansArabic-Regular.ttf"};

struct folder {
	char path[64];
};

static void make_folder(struct folder *folder)
{
	(void)snprintf(folder->path, sizeof(folder->path), "/tmp/tenon-fonts-XXXXXX");
	assert_non_null(mkdtemp(folder->path));
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
	(void)about;
	(void)kind;
	(void)where;
	return remove(path);
}

static void remove_folder(const struct folder *folder)
{
	assert_int_equal(nftw(folder->path, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

static void read_font(const char *name, struct tn_buf *ret)
{
	char path[256];
	FILE *file;

	(void)snprintf(path, sizeof(path), NOTO "%s", name);
	file = fopen(path, "rb");
	assert_non_null(file);
	tn_buf_init(ret, 64 * TN_MIB);
	assert_int_equal(tn_buf_read_all(ret, fileno(file), NULL), TENON_OK);
	(void)fclose(file);
}

static void write_file(const struct folder *folder, const char *name, struct tn_str bytes)
{
	char path[256];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/%s", folder->path, name);
	file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
	assert_int_equal(fclose(file), 0);
}

static void need_fonts(void)
{
	const struct tn_fonts_options options = {.plugin_folder = plugin_folder};
	struct tn_fonts *fonts = NULL;
	bool has;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char path[256];

		(void)snprintf(path, sizeof(path), NOTO "%s", names[i]);
		if (access(path, R_OK) == 0)
			continue;
		print_message("skipped: %s is not there\n", path);
		skip();
	}
	assert_int_equal(tn_fonts_open(&options, &fonts, NULL), TENON_OK);
	has = kit_has(fonts, "\u0930", "Noto Sans Devanagari Regular");
	tn_fonts_close(fonts);
	if (!has)
		skip();
}

static void put_all(struct kit *kit)
{
	kit_put(kit, HINDI, 0);
	kit_put(kit, "\u063a\u0631\u0641\u0629 \U0001F600", 0);
	kit_put(kit, HINDI HINDI, 300);
}

/* ---- where they lie ---- */

static void copy_fonts(const struct folder *folder, bool backward)
{
	const size_t count = sizeof(names) / sizeof(names[0]);

	for (size_t i = 0; i < count; i++) {
		const char *name = names[backward ? count - 1 - i : i];
		char other[64], inside[128];
		struct tn_buf font;

		read_font(name, &font);
		(void)snprintf(inside, sizeof(inside), "%s/%zu", folder->path, i);
		(void)snprintf(other, sizeof(other), "%zu/%zu.ttf", i, backward ? 9 - i : i);
		assert_int_equal(mkdir(inside, 0700), 0);
		write_file(folder, backward ? other : name, tn_buf_str(&font));
		tn_buf_finish(&font);
	}
}

static void the_same_files_give_the_same_bytes(void **state)
{
	struct folder folders[2];
	struct kit kits[2];

	(void)state;
	need_fonts();
	for (int i = 0; i < 2; i++) {
		make_folder(&folders[i]);
		copy_fonts(&folders[i], i == 1);
		kit_open(&kits[i], plugin_folder, folders[i].path);
		put_all(&kits[i]);
		kit_draw(&kits[i]);
		assert_int_equal(kits[i].told.font_count, 3);
		assert_int_equal(kits[i].told.box_count, 0);
	}
	assert_true(tn_str_equal(tn_buf_str(&kits[0].png), tn_buf_str(&kits[1].png)));
	assert_true(tn_str_equal(tn_buf_str(&kits[0].svg), tn_buf_str(&kits[1].svg)));
	for (int i = 0; i < 2; i++) {
		assert_string_equal(kits[0].told.fonts[i].sha256, kits[1].told.fonts[i].sha256);
		kit_close(&kits[i]);
		remove_folder(&folders[i]);
	}
}

struct drawing {
	struct tn_fonts *fonts;
	struct kit kit;
};

static void *draw_one(void *data)
{
	struct drawing *drawing = data;

	kit_open_with(&drawing->kit, drawing->fonts);
	put_all(&drawing->kit);
	kit_draw(&drawing->kit);
	return NULL;
}

static void workers_draw_the_same(void **state)
{
	const struct tn_fonts_options options = {plugin_folder, NULL};
	struct drawing drawings[THREADS];
	pthread_t threads[THREADS];
	struct tn_fonts *fonts = NULL;

	(void)state;
	assert_int_equal(tn_fonts_open(&options, &fonts, NULL), TENON_OK);
	for (int i = 0; i < THREADS; i++) {
		drawings[i].fonts = fonts;
		assert_int_equal(pthread_create(&threads[i], NULL, draw_one, &drawings[i]), 0);
	}
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	for (int i = 0; i < THREADS; i++) {
		assert_true(tn_str_equal(tn_buf_str(&drawings[0].kit.png),
					 tn_buf_str(&drawings[i].kit.png)));
		assert_true(tn_str_equal(tn_buf_str(&drawings[0].kit.svg),
					 tn_buf_str(&drawings[i].kit.svg)));
	}
	for (int i = 0; i < THREADS; i++)
		kit_close(&drawings[i].kit);
	tn_fonts_close(fonts);
}

/* ---- what comes and goes ---- */

static size_t boxes_with(struct tn_fonts *fonts)
{
	struct kit kit;
	size_t count;

	kit_open_with(&kit, fonts);
	kit_put(&kit, HINDI, 0);
	kit_draw(&kit);
	count = kit.told.box_count;
	kit_close(&kit);
	return count;
}

static void fonts_come_and_go(void **state)
{
	struct folder folder;
	struct tn_fonts_options options = {.plugin_folder = plugin_folder};
	struct tn_fonts *fonts = NULL;
	struct tn_buf font, other;
	char path[256];

	(void)state;
	need_fonts();
	make_folder(&folder);
	options.folder = folder.path;
	assert_int_equal(tn_fonts_open(&options, &fonts, NULL), TENON_OK);
	assert_true(boxes_with(fonts) > 0);
	read_font(names[0], &font);
	write_file(&folder, "a.ttf", tn_buf_str(&font));
	assert_int_equal(boxes_with(fonts), 0);
	/* Written over in its place: the folder does not tell, the file does. */
	read_font(names[2], &other);
	write_file(&folder, "a.ttf", tn_buf_str(&other));
	assert_true(boxes_with(fonts) > 0);
	write_file(&folder, "a.ttf", tn_buf_str(&font));
	assert_int_equal(boxes_with(fonts), 0);
	(void)snprintf(path, sizeof(path), "%s/a.ttf", folder.path);
	assert_int_equal(unlink(path), 0);
	assert_true(boxes_with(fonts) > 0);
	tn_buf_finish(&font);
	tn_buf_finish(&other);
	tn_fonts_close(fonts);
	remove_folder(&folder);
}

/* ---- broken ones ---- */

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* Most flips are in the first part, where the tables are described. */
static void damage(struct tn_buf *font, uint32_t *seed)
{
	size_t span = next_random(seed) % 2 ? 512 : font->size;

	for (int i = 0; i < FLIPS; i++)
		font->data[next_random(seed) % (span < font->size ? span : font->size)] =
			(char)next_random(seed);
	if (next_random(seed) % 4 == 0)
		font->size = 12 + next_random(seed) % (uint32_t)(font->size - 12);
}

static void broken_fonts_do_no_harm(void **state)
{
	struct folder folder;
	uint32_t seed = 7;

	(void)state;
	need_fonts();
	make_folder(&folder);
	for (int round = 0; round < ROUNDS; round++) {
		struct tn_buf font;
		struct kit kit;

		read_font(names[round % 3], &font);
		damage(&font, &seed);
		write_file(&folder, names[round % 3], tn_buf_str(&font));
		kit_open(&kit, plugin_folder, folder.path);
		put_all(&kit);
		kit_draw(&kit);
		kit_close(&kit);
		tn_buf_finish(&font);
	}
	remove_folder(&folder);
}

/* Somebody cuts a font short in its place while a picture is made of it: what was mapped would end
 * the daemon. */
static void a_font_cut_short_is_told(void **state)
{
	struct folder folder;
	struct tenon_error err = {0};
	struct tn_buf font;
	struct kit kit;
	char path[256];

	(void)state;
	need_fonts();
	for (int i = 0; i < 2; i++) {
		make_folder(&folder);
		read_font(names[i], &font);
		write_file(&folder, names[i], tn_buf_str(&font));
		kit_open(&kit, plugin_folder, folder.path);
		(void)kit_width(&kit, i == 0 ? HINDI : "\U0001F600");
		(void)snprintf(path, sizeof(path), "%s/%s", folder.path, names[i]);
		assert_int_equal(truncate(path, 0), 0);
		kit_put(&kit, i == 0 ? HINDI : "\U0001F600", 0);
		assert_int_equal(tn_draw_png(kit.display, 1, &kit.png, &err), TENON_BUSY);
		assert_non_null(strstr(err.message, "font"));
		kit_close(&kit);
		tn_buf_finish(&font);
		remove_folder(&folder);
	}
}

/* The font with its letters empty, and a table COLR in the place of the signature. */
static void make_layers(struct tn_buf *font)
{
	uint8_t *bytes = (uint8_t *)font->data;
	size_t count = (size_t)bytes[4] << 8 | bytes[5];

	assert_memory_equal(bytes + 12, "DSIG", 4);
	memcpy(bytes + 12, "COLR", 4);
	for (uint8_t *entry = bytes + 12; entry < bytes + 12 + 16 * count; entry += 16) {
		size_t from = (size_t)entry[8] << 24 | (size_t)entry[9] << 16 |
			      (size_t)entry[10] << 8 | entry[11];
		size_t size = (size_t)entry[12] << 24 | (size_t)entry[13] << 16 |
			      (size_t)entry[14] << 8 | entry[15];

		if (memcmp(entry, "loca", 4) == 0 && from < font->size && size <= font->size - from)
			memset(bytes + from, 0, size);
	}
}

/* A letter that is all layers is nothing when only outlines are drawn: it is a box, unless another
 * font has it. */
static void what_is_only_layers_is_a_box(void **state)
{
	struct folder folder;
	struct tn_buf font;
	struct kit kit;

	(void)state;
	need_fonts();
	make_folder(&folder);
	read_font(names[0], &font);
	for (int i = 0; i < 2; i++) {
		if (i == 1)
			write_file(&folder, "b.ttf", tn_buf_str(&font));
		make_layers(&font);
		write_file(&folder, "a.ttf", tn_buf_str(&font));
		kit_open(&kit, plugin_folder, folder.path);
		kit_put(&kit, HINDI, 0);
		kit_draw(&kit);
		assert_int_equal(kit.told.font_count, i);
		assert_int_equal(kit.told.box_count > 0, i == 0);
		kit_close(&kit);
		tn_buf_finish(&font);
		read_font(names[0], &font);
	}
	tn_buf_finish(&font);
	remove_folder(&folder);
}

/* Nothing but files is opened: a pipe would make a worker wait for ever. */
static void what_is_no_file_is_left_alone(void **state)
{
	struct folder folder;
	char path[256];

	(void)state;
	make_folder(&folder);
	(void)snprintf(path, sizeof(path), "%s/pipe.ttf", folder.path);
	assert_int_equal(mkfifo(path, 0600), 0);
	(void)snprintf(path, sizeof(path), "%s/zero.ttf", folder.path);
	assert_int_equal(symlink("/dev/zero", path), 0);
	(void)snprintf(path, sizeof(path), "%s/loop", folder.path);
	assert_int_equal(symlink(folder.path, path), 0);
	write_file(&folder, "empty.ttf", tn_str("", 0));
	write_file(&folder, "text.otf", TN_STR("this is no font at all, but long enough"));
	{
		const struct tn_fonts_options options = {plugin_folder, folder.path};
		struct tn_fonts *fonts = NULL;

		assert_int_equal(tn_fonts_open(&options, &fonts, NULL), TENON_OK);
		assert_true(boxes_with(fonts) > 0);
		tn_fonts_close(fonts);
	}
	remove_folder(&folder);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_files_give_the_same_bytes),
		cmocka_unit_test(workers_draw_the_same),
		cmocka_unit_test(fonts_come_and_go),
		cmocka_unit_test(broken_fonts_do_no_harm),
		cmocka_unit_test(a_font_cut_short_is_told),
		cmocka_unit_test(what_is_only_layers_is_a_box),
		cmocka_unit_test(what_is_no_file_is_left_alone),
	};

	plugin_folder = argc > 1 ? argv[1] : "";
	return cmocka_run_group_tests(tests, NULL, NULL);
}
