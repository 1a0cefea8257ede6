#include "draw/fonts.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "draw/font.h"
#include "draw/shaping_plugin.h"
#include "loop/plugin.h"

enum { FOLDERS_MAX = 16 };

struct tn_fonts {
	/* The one lock: two workers may want the plug-in at the same time. */
	pthread_mutex_t lock;
	char plugin_folder[PATH_MAX], folder[PATH_MAX]; /* empty: the usual ones */
	const struct tn_shaping_plugin *plugin;         /* NULL until a picture needs it */
	struct tn_shaping_library *library;             /* the same */
};

enum tenon_code tn_fonts_open(const struct tn_fonts_options *options, struct tn_fonts **ret,
			      struct tenon_error *err)
{
	const char *plugins = options && options->plugin_folder ? options->plugin_folder : "";
	const char *folder = options && options->folder ? options->folder : "";
	struct tn_fonts *fonts;

	if (strlen(plugins) >= PATH_MAX || strlen(folder) >= PATH_MAX)
		return tn_fail(err, TENON_INVALID, "the folder's path is too long");
	fonts = tn_mem_alloc(sizeof(*fonts));
	if (!fonts)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	memcpy(fonts->plugin_folder, plugins, strlen(plugins));
	memcpy(fonts->folder, folder, strlen(folder));
	if (pthread_mutex_init(&fonts->lock, NULL) != 0) {
		tn_mem_free(fonts);
		return tn_fail(err, TENON_SYSTEM, "no lock to be had");
	}
	*ret = fonts;
	return TENON_OK;
}

void tn_fonts_close(struct tn_fonts *fonts)
{
	if (!fonts)
		return;
	if (fonts->library)
		fonts->plugin->close_library(fonts->library);
	(void)pthread_mutex_destroy(&fonts->lock); /* unlocked, as nobody draws now */
	tn_mem_free(fonts);
}

/* ---- where fonts lie ---- */

struct folders {
	char text[2 * PATH_MAX];
	const char *list[FOLDERS_MAX + 1]; /* into it */
	size_t size, count;
};

static void add(struct folders *folders, struct tn_str base, const char *inside)
{
	char *at = folders->text + folders->size;
	size_t room = sizeof(folders->text) - folders->size;
	int size;

	/* The specification: a path that is not absolute does not count. */
	if (folders->count == FOLDERS_MAX || base.size == 0 || base.data[0] != '/' ||
	    base.size >= PATH_MAX)
		return;
	size = snprintf(at, room, "%.*s%s", (int)base.size, base.data, inside);
	if (size <= 0 || (size_t)size >= room)
		return;
	folders->size += (size_t)size + 1;
	folders->list[folders->count++] = at;
}

/* Where fontconfig and the desktops look (XDG base directories). */
static void add_usual(struct folders *folders)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
	const char *all = getenv("XDG_DATA_DIRS");
	struct tn_str rest = tn_str_from(all && all[0] ? all : "/usr/local/share:/usr/share");

	if (data && data[0])
		add(folders, tn_str_from(data), "/fonts");
	else if (home)
		add(folders, tn_str_from(home), "/.local/share/fonts");
	while (rest.size > 0) {
		size_t end = tn_str_find_byte(rest, ':');
		struct tn_str one = end == TN_STR_NONE ? rest : tn_str(rest.data, end);

		add(folders, one, "/fonts");
		rest = tn_str_from_offset(rest, one.size + 1);
	}
}

/* ---- the plug-in ---- */

static const struct tn_embedded_font embedded = {tn_font_has, tn_font_is_unseen, tn_font_width};

static enum tenon_code load(struct tn_fonts *fonts, struct tenon_error *err)
{
	static const struct tn_plugin what = {TN_SHAPING_FILE, TN_SHAPING_SYMBOL,
					      TN_SHAPING_VERSION};
	struct folders *folders;
	const void *table = NULL;
	enum tenon_code code = tn_plugin_load(&what, fonts->plugin_folder, &table, err);

	if (code != TENON_OK)
		return code;
	fonts->plugin = table;
	folders = tn_mem_alloc(sizeof(*folders));
	if (!folders)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (fonts->folder[0])
		add(folders, tn_str_from(fonts->folder), "");
	else
		add_usual(folders);
	code = fonts->plugin->open_library(folders->list, tn_digest_hex, &fonts->library, err);
	tn_mem_free(folders);
	return code;
}

enum tenon_code tn_fonts_shaper(struct tn_fonts *fonts, const struct tn_shaping_plugin **ret_plugin,
				struct tn_shaper **ret, struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	(void)pthread_mutex_lock(&fonts->lock); /* fails only on a broken lock */
	if (!fonts->library)
		code = load(fonts, err);
	(void)pthread_mutex_unlock(&fonts->lock);
	if (code != TENON_OK)
		return code;
	*ret_plugin = fonts->plugin;
	return fonts->plugin->open(fonts->library, &embedded, ret, err);
}
