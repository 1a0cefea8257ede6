#include "store/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/openat2.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

/* Each test runs with openat2 and with the walk alone: the verdicts are the same. */
struct tree {
	char top[64];  /* outside of what is allowed */
	char root[80]; /* top/root */
	struct tn_roots roots;
};

static char path_space[4][PATH_MAX]; /* the last four of them are good */
static unsigned path_next;

static const char *at(const struct tree *tree, const char *below)
{
	char *path = path_space[path_next++ % 4];

	(void)snprintf(path, PATH_MAX, "%s%s%s", tree->top, below[0] ? "/" : "", below);
	return path;
}

static void put(const struct tree *tree, const char *below, const char *text)
{
	int fd = open(at(tree, below), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(close(fd), 0);
}

static void put_folder(const struct tree *tree, const char *below)
{
	assert_int_equal(mkdir(at(tree, below), 0700), 0);
}

static void put_link(const struct tree *tree, const char *below, const char *target)
{
	assert_int_equal(symlink(target, at(tree, below)), 0);
}

static void assert_file(const struct tree *tree, const char *below, const char *expected)
{
	char text[100] = "";
	int fd = open(at(tree, below), O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_true(read(fd, text, sizeof(text) - 1) >= 0);
	assert_int_equal(close(fd), 0);
	assert_string_equal(text, expected);
}

static void plant(struct tree *tree)
{
	char real[PATH_MAX];
	const char *folders[2] = {tree->root, NULL};

	*tree = (struct tree){.top = "/tmp/tenon-beneath-XXXXXX"};
	assert_non_null(mkdtemp(tree->top));
	assert_non_null(realpath(tree->top, real));
	assert_string_equal(real, tree->top);
	(void)snprintf(tree->root, sizeof(tree->root), "%s/root", tree->top);
	put_folder(tree, "root");
	put_folder(tree, "root/d");
	put_folder(tree, "root/d/e");
	put_folder(tree, "root2");
	put_folder(tree, "out");
	put(tree, "root/a", "inside");
	put(tree, "root/d/e/b", "deep");
	put(tree, "root2/a", "sibling");
	put(tree, "out/secret", "secret");
	assert_int_equal(tn_roots_init(&tree->roots, folders, NULL), TENON_OK);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
	(void)status;
	(void)type;
	(void)where;
	return remove(path);
}

static void fell(struct tree *tree)
{
	tn_roots_finish(&tree->roots);
	assert_int_equal(nftw(tree->top, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static void plant_for(void **state, struct tree *tree)
{
	plant(tree);
	tree->roots.walk_only = *state != NULL;
}

static enum tenon_code find(const struct tree *tree, const char *path)
{
	struct tn_place place;
	enum tenon_code code = tn_place_find(&tree->roots, path, &place, NULL);

	if (code == TENON_OK)
		tn_place_close(&place);
	return code;
}

static void assert_read(const struct tree *tree, const char *path, const char *expected)
{
	struct tn_place place;
	struct tn_buf text;

	tn_buf_init(&text, 1000);
	assert_int_equal(tn_place_find(&tree->roots, path, &place, NULL), TENON_OK);
	assert_int_equal(tn_place_read(&place, &text, NULL), TENON_OK);
	assert_true(tn_str_is(tn_buf_str(&text), expected));
	tn_place_close(&place);
	tn_buf_finish(&text);
}

static enum tenon_code read_code(const struct tree *tree, const char *path)
{
	struct tn_place place;
	struct tn_buf text;
	enum tenon_code code = tn_place_find(&tree->roots, path, &place, NULL);

	if (code != TENON_OK)
		return code;
	tn_buf_init(&text, 1000);
	code = tn_place_read(&place, &text, NULL);
	if (code != TENON_OK)
		assert_int_equal(text.size, 0);
	tn_buf_finish(&text);
	tn_place_close(&place);
	return code;
}

static enum tenon_code write_code(const struct tree *tree, const char *path, const char *text)
{
	struct tn_place place;
	enum tenon_code code = tn_place_find(&tree->roots, path, &place, NULL);

	if (code != TENON_OK)
		return code;
	code = tn_place_write(&place, 0644, tn_str_from(text), NULL);
	tn_place_close(&place);
	return code;
}

static void what_is_inside_is_opened_by_every_spelling(void **state)
{
	struct tree tree;

	plant_for(state, &tree);
	assert_read(&tree, at(&tree, "root/a"), "inside");
	assert_read(&tree, at(&tree, "root//./d/../a"), "inside");
	assert_read(&tree, at(&tree, "out/../root/a"), "inside");
	assert_read(&tree, "a", "inside");
	assert_read(&tree, "./d/e/../../d/e/b", "deep");
	put_link(&tree, "root/relative", "d/e/b");
	put_link(&tree, "root/d/up", "../a");
	put_link(&tree, "root/absolute", at(&tree, "root/d/e"));
	put_link(&tree, "out/in", at(&tree, "root/d"));
	put_link(&tree, "root/back", "../root/a");
	assert_read(&tree, "relative", "deep");
	assert_read(&tree, "d/up", "inside");
	assert_read(&tree, "absolute/b", "deep");
	assert_read(&tree, at(&tree, "out/in/e/b"), "deep");
	assert_read(&tree, "back", "inside");
	fell(&tree);
}

static void what_is_outside_is_refused_whether_it_is_there_or_not(void **state)
{
	static const char *const outside[] = {
		"out/secret",
		"out/nothing",
		"root2/a",
		"root2",
		"root/../out/secret",
		"root/d/../../out",
		"",
		"root/link",
		"root/far/secret",
		"root/chain/secret",
		"root/far/none",
		"ROOT/a",
		"root/self/fd/0",
		"root/again/out/secret",
	};
	struct tree tree;

	plant_for(state, &tree);
	put_link(&tree, "root/link", "../out/secret");
	put_link(&tree, "root/far", at(&tree, "out"));
	put_link(&tree, "root/chain", "d/next");
	put_link(&tree, "root/d/next", "../far");
	put_link(&tree, "root/self", "/proc/self");
	put_link(&tree, "root/again", "/proc/self/root/tmp");
	for (size_t i = 0; i < sizeof(outside) / sizeof(*outside); i++)
		assert_int_equal(find(&tree, at(&tree, outside[i])), TENON_DENIED);
	assert_int_equal(find(&tree, "../out/secret"), TENON_DENIED);
	assert_int_equal(find(&tree, "/"), TENON_DENIED);
	assert_int_equal(find(&tree, "/etc/passwd"), TENON_DENIED);
	assert_int_equal(find(&tree, "/proc/self/root/etc/passwd"), TENON_DENIED);
	assert_int_equal(find(&tree, "/dev/fd/0"), TENON_DENIED);
	assert_int_equal(write_code(&tree, "far/secret", "x"), TENON_DENIED);
	assert_int_equal(write_code(&tree, "link", "x"), TENON_DENIED);
	assert_file(&tree, "out/secret", "secret");
	fell(&tree);
}

/* The text of /proc/self/fd/N is a path: it is walked, never jumped to. */
static void a_link_of_the_kernel_leads_where_its_text_says(void **state)
{
	struct tree tree;
	char path[64];
	int in, out;

	plant_for(state, &tree);
	in = open(at(&tree, "root/a"), O_RDONLY | O_CLOEXEC);
	out = open(at(&tree, "out/secret"), O_RDONLY | O_CLOEXEC);
	assert_true(in >= 0 && out >= 0);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", in);
	assert_read(&tree, path, "inside");
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", out);
	assert_int_equal(find(&tree, path), TENON_DENIED);
	/* It has no name any more; one of the same text is another file. */
	assert_int_equal(unlink(at(&tree, "out/secret")), 0);
	assert_int_equal(find(&tree, path), TENON_DENIED);
	assert_int_equal(close(in) | close(out), 0);
	fell(&tree);
}

static void what_is_missing_is_said_only_of_the_inside(void **state)
{
	struct tree tree;
	struct tn_place place;

	plant_for(state, &tree);
	assert_int_equal(read_code(&tree, "none"), TENON_NOT_FOUND);
	assert_int_equal(read_code(&tree, "none/at/all"), TENON_NOT_FOUND);
	assert_int_equal(find(&tree, "none/../a"), TENON_DENIED);
	assert_int_equal(find(&tree, "a/b"), TENON_NOT_FOUND);
	assert_int_equal(find(&tree, "a/"), TENON_NOT_FOUND);
	assert_int_equal(find(&tree, "a/.."), TENON_NOT_FOUND);
	assert_int_equal(find(&tree, ""), TENON_INVALID);
	assert_int_equal(tn_place_find(&tree.roots, "x/./y//z", &place, NULL), TENON_OK);
	assert_false(place.exists);
	assert_string_equal(place.name, "x/y/z");
	assert_string_equal(place.path, at(&tree, "root/x/y/z"));
	assert_int_equal(tn_place_write(&place, 0600, TN_STR("x"), NULL), TENON_NOT_FOUND);
	assert_int_equal(tn_place_make(&place, TN_PLACE_FILE, 0700, NULL), TENON_OK);
	assert_string_equal(place.name, "z");
	assert_int_equal(tn_place_write(&place, 0600, TN_STR("made"), NULL), TENON_OK);
	tn_place_close(&place);
	assert_file(&tree, "root/x/y/z", "made");
	assert_int_equal(write_code(&tree, "new/", "x"), TENON_INVALID);
	fell(&tree);
}

static void folders_are_made_and_opened(void **state)
{
	struct tree tree;
	struct tn_place place;
	struct stat status;
	int fd = -1;

	plant_for(state, &tree);
	assert_int_equal(tn_place_find(&tree.roots, "p/q/", &place, NULL), TENON_OK);
	assert_string_equal(place.path, at(&tree, "root/p/q"));
	assert_int_equal(tn_place_folder(&place, &fd, NULL), TENON_NOT_FOUND);
	assert_int_equal(tn_place_make(&place, TN_PLACE_FOLDER, 0700, NULL), TENON_OK);
	assert_string_equal(place.name, ".");
	assert_int_equal(tn_place_folder(&place, &fd, NULL), TENON_OK);
	assert_int_equal(stat(at(&tree, "root/p/q"), &status), 0);
	assert_int_equal(status.st_ino, place.status.st_ino);
	assert_int_equal(close(fd), 0);
	assert_int_equal(tn_place_write(&place, 0600, TN_STR("x"), NULL), TENON_INVALID);
	tn_place_close(&place);
	/* The root itself, and a file in the place of a folder. */
	assert_int_equal(tn_place_find(&tree.roots, tree.root, &place, NULL), TENON_OK);
	assert_true(tn_place_is_folder(&place));
	assert_string_equal(place.path, tree.root);
	tn_place_close(&place);
	assert_int_equal(tn_place_find(&tree.roots, "a", &place, NULL), TENON_OK);
	assert_int_equal(tn_place_folder(&place, &fd, NULL), TENON_INVALID);
	assert_int_equal(tn_place_make(&place, TN_PLACE_FOLDER, 0700, NULL), TENON_NOT_FOUND);
	tn_place_close(&place);
	fell(&tree);
}

/* Between find and make, somebody puts a link where a folder is to be made. */
static void a_folder_is_never_made_through_a_link(void **state)
{
	struct tree tree;
	struct tn_place place;

	plant_for(state, &tree);
	assert_int_equal(tn_place_find(&tree.roots, "p/q", &place, NULL), TENON_OK);
	put_link(&tree, "root/p", "../out");
	assert_int_not_equal(tn_place_make(&place, TN_PLACE_FOLDER, 0700, NULL), TENON_OK);
	assert_int_equal(access(at(&tree, "out/q"), F_OK), -1);
	tn_place_close(&place);
	fell(&tree);
}

/* What was found is what is read and written, whatever its name leads to by now. */
static void a_place_stays_where_it_was_found(void **state)
{
	struct tree tree;
	struct tn_place place;
	struct tn_buf text;

	plant_for(state, &tree);
	tn_buf_init(&text, 1000);
	put(&tree, "out/b", "outside");
	assert_int_equal(tn_place_find(&tree.roots, "d/e/b", &place, NULL), TENON_OK);
	assert_int_equal(rename(at(&tree, "root/d/e"), at(&tree, "root/moved")), 0);
	put_link(&tree, "root/d/e", "../../out");
	assert_int_equal(tn_place_read(&place, &text, NULL), TENON_OK);
	assert_true(tn_str_is(tn_buf_str(&text), "deep"));
	assert_int_equal(tn_place_write(&place, 0600, TN_STR("new"), NULL), TENON_OK);
	assert_file(&tree, "root/moved/b", "new");
	assert_file(&tree, "out/b", "outside");
	/* The file itself becomes a link: read it is not, and a write replaces the link. */
	assert_int_equal(unlink(at(&tree, "root/moved/b")), 0);
	put_link(&tree, "root/moved/b", at(&tree, "out/b"));
	assert_int_equal(tn_place_read(&place, &text, NULL), TENON_DENIED);
	assert_int_equal(tn_place_write(&place, 0600, TN_STR("newer"), NULL), TENON_OK);
	assert_file(&tree, "out/b", "outside");
	assert_file(&tree, "root/moved/b", "newer");
	tn_buf_finish(&text);
	tn_place_close(&place);
	fell(&tree);
}

static void only_ordinary_files_are_read_and_replaced(void **state)
{
	const char *no_folders[] = {"/", NULL};
	struct tree tree;
	struct tn_roots all;

	plant_for(state, &tree);
	assert_int_equal(mkfifo(at(&tree, "root/pipe"), 0600), 0);
	assert_int_equal(read_code(&tree, "pipe"), TENON_DENIED);
	assert_int_equal(write_code(&tree, "pipe", "x"), TENON_DENIED);
	assert_int_equal(read_code(&tree, "d"), TENON_INVALID);
	assert_int_equal(write_code(&tree, "d", "x"), TENON_INVALID);
	assert_int_equal(tn_roots_init(&all, no_folders, NULL), TENON_OK);
	all.walk_only = tree.roots.walk_only;
	tn_roots_finish(&tree.roots);
	tree.roots = all;
	assert_int_equal(read_code(&tree, "/proc/self/environ"), TENON_DENIED);
	assert_int_equal(read_code(&tree, "/proc/self/root/proc/self/maps"), TENON_DENIED);
	assert_int_equal(read_code(&tree, "/dev/zero"), TENON_DENIED);
	assert_read(&tree, at(&tree, "out/secret"), "secret");
	fell(&tree);
}

static void a_write_parts_a_hard_link_from_its_other_name(void **state)
{
	struct tree tree;

	plant_for(state, &tree);
	assert_int_equal(link(at(&tree, "out/secret"), at(&tree, "root/hard")), 0);
	assert_read(&tree, "hard", "secret");
	assert_int_equal(write_code(&tree, "hard", "mine"), TENON_OK);
	assert_file(&tree, "out/secret", "secret");
	assert_file(&tree, "root/hard", "mine");
	fell(&tree);
}

static void a_file_that_is_too_long_is_refused(void **state)
{
	struct tree tree;
	char text[2000];

	plant_for(state, &tree);
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	put(&tree, "root/long", text);
	{
		struct tn_place place;
		struct tn_buf out;

		tn_buf_init(&out, 1000);
		assert_int_equal(tn_place_find(&tree.roots, "long", &place, NULL), TENON_OK);
		assert_int_equal(tn_place_read(&place, &out, NULL), TENON_LIMIT);
		tn_place_close(&place);
		tn_buf_finish(&out);
	}
	fell(&tree);
}

static void long_paths_and_circles_end(void **state)
{
	struct tree tree;
	char path[3 * PATH_MAX] = "";

	plant_for(state, &tree);
	put_link(&tree, "root/round", "about");
	put_link(&tree, "root/about", "round");
	put_link(&tree, "root/self", "self/x");
	assert_int_equal(find(&tree, "round"), TENON_NOT_FOUND);
	assert_int_equal(find(&tree, "self/y"), TENON_NOT_FOUND);
	for (size_t i = 0; i < 4096; i++)
		memcpy(path + 2 * i, "a/", 3);
	assert_int_equal(find(&tree, path), TENON_INVALID);
	for (size_t i = 0; i < 1000; i++)
		memcpy(path + 2 * i, "./", 3);
	memcpy(path + 2000, "a", 2);
	assert_read(&tree, path, "inside");
	memset(path, 'n', 300);
	path[300] = '\0';
	assert_int_equal(find(&tree, path), TENON_INVALID);
	for (size_t i = 0; i < 500; i++)
		memcpy(path + 5 * i, "d/../", 6);
	assert_int_equal(find(&tree, path), TENON_OK);
	fell(&tree);
}

static void a_root_that_was_replaced_allows_nothing(void **state)
{
	struct tree tree;

	plant_for(state, &tree);
	put(&tree, "out/a", "outside");
	assert_int_equal(rename(at(&tree, "root"), at(&tree, "away")), 0);
	assert_int_equal(read_code(&tree, at(&tree, "root/a")), TENON_DENIED);
	put_link(&tree, "root", "out");
	assert_int_equal(read_code(&tree, at(&tree, "root/a")), TENON_DENIED);
	assert_int_equal(read_code(&tree, "a"), TENON_DENIED);
	assert_int_equal(write_code(&tree, at(&tree, "root/n"), "x"), TENON_DENIED);
	/* A folder made anew is the one that was meant. */
	assert_int_equal(unlink(at(&tree, "root")), 0);
	put_folder(&tree, "root");
	assert_int_equal(write_code(&tree, at(&tree, "root/n"), "x"), TENON_OK);
	fell(&tree);
}

static void a_root_may_be_a_link_and_may_come_later(void **state)
{
	struct tree tree;
	const char *folders[3] = {0};
	char link[100], later[100];

	plant_for(state, &tree);
	tn_roots_finish(&tree.roots);
	put_link(&tree, "link", "root");
	(void)snprintf(link, sizeof(link), "%s", at(&tree, "link"));
	(void)snprintf(later, sizeof(later), "%s", at(&tree, "later"));
	folders[0] = link;
	folders[1] = later;
	assert_int_equal(tn_roots_init(&tree.roots, folders, NULL), TENON_OK);
	tree.roots.walk_only = *state != NULL;
	assert_read(&tree, at(&tree, "link/a"), "inside");
	assert_read(&tree, at(&tree, "root/a"), "inside");
	assert_read(&tree, "d/e/b", "deep");
	assert_int_equal(find(&tree, at(&tree, "out/secret")), TENON_DENIED);
	put_folder(&tree, "later");
	put(&tree, "later/c", "second");
	assert_read(&tree, "c", "second"); /* where it exists, not where it could be made */
	fell(&tree);
}

static void assert_from(const struct tree *tree, const char *folder, const char *path,
			const char *expected)
{
	char whole[PATH_MAX];

	assert_string_equal(tn_place_from(&tree->roots, folder, path, whole), expected);
}

/* HO-012: what somebody means who stands somewhere, and no more than the roots allow. */
static void a_relative_path_is_from_where_somebody_stands_inside(void **state)
{
	struct tree tree;
	char expected[PATH_MAX];

	plant_for(state, &tree);
	put_link(&tree, "out/in", "../root/d");
	put_link(&tree, "root/out", "../out");
	(void)snprintf(expected, sizeof(expected), "%s/d/e/b", tree.root);
	assert_from(&tree, at(&tree, "root/d"), "e/b", expected);
	assert_from(&tree, at(&tree, "out/in"), "e/b", expected);
	(void)snprintf(expected, sizeof(expected), "%s/d/../../out/secret", tree.root);
	assert_from(&tree, at(&tree, "root/d"), "../../out/secret", expected);
	assert_int_equal(find(&tree, expected), TENON_DENIED);
	assert_from(&tree, at(&tree, "out"), "a", "a");
	assert_from(&tree, at(&tree, "root/out"), "a", "a");
	assert_from(&tree, at(&tree, "root/a"), "a", "a");
	assert_from(&tree, at(&tree, "root/missing"), "a", "a");
	assert_from(&tree, NULL, "a", "a");
	assert_from(&tree, "root", "a", "a");
	assert_from(&tree, at(&tree, "root"), "/x", "/x");
	assert_from(&tree, at(&tree, "root"), "", "");
	fell(&tree);
}

static void settings_that_make_no_sense_are_refused(void **state)
{
	const char *relative[] = {"here", NULL}, *none[] = {NULL};
	struct tn_roots roots;

	(void)state;
	assert_int_equal(tn_roots_init(&roots, relative, NULL), TENON_INVALID);
	assert_int_equal(tn_roots_init(&roots, none, NULL), TENON_OK);
	{
		struct tn_place place;

		assert_int_equal(tn_place_find(&roots, "/etc/passwd", &place, NULL), TENON_DENIED);
		assert_int_equal(tn_place_find(&roots, "x", &place, NULL), TENON_DENIED);
	}
	tn_roots_finish(&roots);
}

/* ---- any tree, any path ---- */

static unsigned long seed;

static unsigned dice(unsigned sides)
{
	seed = seed * 6364136223846793005UL + 1442695040888963407UL;
	return (unsigned)(seed >> 33) % sides;
}

static void any_path(const struct tree *tree, char path[PATH_MAX], unsigned parts_max)
{
	static const char *const parts[] = {"a", "b",    "c",   "d",  "..",
					    ".", "root", "out", "..", "a"};
	size_t used = 0;
	unsigned count = 1 + dice(parts_max);

	path[0] = '\0';
	if (dice(2) == 0)
		used = (size_t)snprintf(path, PATH_MAX, "%s/%s/", tree->top,
					dice(3) ? "root" : "out");
	for (unsigned i = 0; i < count; i++)
		used += (size_t)snprintf(path + used, PATH_MAX - used, "%s%s", parts[dice(10)],
					 i + 1 < count || dice(20) == 0 ? "/" : "");
}

static void any_entries(const struct tree *tree, const char *folder, unsigned depth)
{
	static const char *const names[] = {"a", "b", "c", "d"};
	char below[200], target[PATH_MAX];

	for (unsigned i = 0; i < 4; i++) {
		(void)snprintf(below, sizeof(below), "%.150s/%s", folder, names[i]);
		switch (dice(5)) {
		case 0:
			put(tree, below, "x");
			break;
		case 1:
		case 2:
			any_path(tree, target, 3);
			put_link(tree, below, target);
			break;
		case 3:
			put_folder(tree, below);
			if (depth > 0)
				any_entries(tree, below, depth - 1);
			break;
		default:
			break;
		}
	}
}

static void any_tree(struct tree *tree)
{
	const char *folders[2] = {tree->root, NULL};

	*tree = (struct tree){.top = "/tmp/tenon-beneath-XXXXXX"};
	assert_non_null(mkdtemp(tree->top));
	(void)snprintf(tree->root, sizeof(tree->root), "%s/root", tree->top);
	put_folder(tree, "root");
	put_folder(tree, "out");
	any_entries(tree, "root", 2);
	any_entries(tree, "out", 1);
	assert_int_equal(tn_roots_init(&tree->roots, folders, NULL), TENON_OK);
}

/* The C library's own resolving, which is right as long as nothing moves. */
static void compare_with_realpath(const struct tree *tree, const char *path, enum tenon_code code,
				  const struct tn_place *place)
{
	char whole[2 * PATH_MAX], real[PATH_MAX];
	size_t size = strlen(tree->root);

	(void)snprintf(whole, sizeof(whole), "%s/%s", tree->root, path);
	if (!realpath(path[0] == '/' ? path : whole, real)) {
		assert_true(code != TENON_OK || !place->exists);
	} else if (strncmp(real, tree->root, size) == 0 && (!real[size] || real[size] == '/')) {
		assert_int_equal(code, TENON_OK);
		assert_true(place->exists);
		assert_string_equal(place->path, real);
	} else {
		assert_int_equal(code, TENON_DENIED);
	}
	if (code == TENON_OK)
		assert_memory_equal(place->path, tree->root, size);
}

/* What the kernel opens beneath the root is opened by us, and is the same. */
static void compare_with_kernel(const struct tree *tree, const char *path, enum tenon_code code,
				const struct tn_place *place)
{
	struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_BENEATH};
	int root = open(tree->root, O_PATH | O_CLOEXEC);
	int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
	struct stat status;

	if (fd >= 0) {
		assert_int_equal(fstat(fd, &status), 0);
		assert_int_equal(code, TENON_OK);
		assert_int_equal(status.st_ino, place->status.st_ino);
		assert_int_equal(close(fd), 0);
	}
	assert_int_equal(close(root), 0);
}

static void any_path_in_any_tree_has_one_verdict(void **state)
{
	const char *wanted = getenv("TENON_BENEATH_TREES");
	unsigned trees = wanted ? (unsigned)strtoul(wanted, NULL, 10) : 60;
	unsigned opened = 0, refused = 0;

	(void)state;
	for (unsigned i = 0; i < trees; i++) {
		struct tree tree;

		seed = i;
		any_tree(&tree);
		for (unsigned j = 0; j < 100; j++) {
			struct tn_place by_kernel, by_walk;
			enum tenon_code first, second;
			char path[PATH_MAX];

			any_path(&tree, path, 6);
			tree.roots.walk_only = false;
			first = tn_place_find(&tree.roots, path, &by_kernel, NULL);
			tree.roots.walk_only = true;
			second = tn_place_find(&tree.roots, path, &by_walk, NULL);
			assert_int_equal(first, second);
			compare_with_realpath(&tree, path, first, &by_kernel);
			compare_with_kernel(&tree, path, first, &by_kernel);
			opened += first == TENON_OK;
			refused += first == TENON_DENIED;
			if (first != TENON_OK)
				continue;
			assert_int_equal(by_kernel.exists, by_walk.exists);
			assert_string_equal(by_kernel.path, by_walk.path);
			assert_string_equal(by_kernel.name, by_walk.name);
			tn_place_close(&by_kernel);
			tn_place_close(&by_walk);
		}
		fell(&tree);
	}
	assert_true(opened > trees && refused > trees); /* or nothing was tried */
}

#define BOTH(test)                                             \
	{#test, test, NULL, NULL, NULL},                       \
	{                                                      \
#test " (walk)", test, NULL, NULL, &tests_walk \
	}

static int tests_walk;

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH(what_is_inside_is_opened_by_every_spelling),
		BOTH(what_is_outside_is_refused_whether_it_is_there_or_not),
		BOTH(a_link_of_the_kernel_leads_where_its_text_says),
		BOTH(what_is_missing_is_said_only_of_the_inside),
		BOTH(folders_are_made_and_opened),
		BOTH(a_folder_is_never_made_through_a_link),
		BOTH(a_place_stays_where_it_was_found),
		BOTH(only_ordinary_files_are_read_and_replaced),
		BOTH(a_write_parts_a_hard_link_from_its_other_name),
		BOTH(a_file_that_is_too_long_is_refused),
		BOTH(long_paths_and_circles_end),
		BOTH(a_root_that_was_replaced_allows_nothing),
		BOTH(a_root_may_be_a_link_and_may_come_later),
		BOTH(a_relative_path_is_from_where_somebody_stands_inside),
		cmocka_unit_test(settings_that_make_no_sense_are_refused),
		cmocka_unit_test(any_path_in_any_tree_has_one_verdict),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
