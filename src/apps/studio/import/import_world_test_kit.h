/* import_world_test_kit.h - a diagram that files are taken into, those of tests/data/studio/import
 * or others, and what is expected of it then. What is wrong fails the test. For cmocka tests. */
#ifndef TN_STUDIO_IMPORT_WORLD_TEST_KIT_H
#define TN_STUDIO_IMPORT_WORLD_TEST_KIT_H

#include "apps/studio/import/import_test_kit.h"

struct import_world {
	struct tn_studio_registry *registry;
	struct tn_studio_import_kit kit;
	struct tn_arena arena; /* of texts */
	struct tn_studio_import_file files[16];
	size_t count;
};

/* A test whose *state is a world with the built-in types, no files and an empty diagram. */
#define IMPORT_TEST(name) \
	cmocka_unit_test_setup_teardown(name, import_world_set_up, import_world_tear_down)
int import_world_set_up(void **state);
int import_world_tear_down(void **state);

/* ---- taking files in ---- */

/* The text is borrowed. */
void import_add_text(struct import_world *world, const char *name, struct tn_str text);
/* A file of tests/data/studio/import; `folder` "": of the folder itself. */
void import_add_file(struct import_world *world, const char *folder, const char *name);
/* With all files that were added. */
struct tn_studio_import_options import_options(struct import_world *world,
					       enum tn_studio_import_source source);
/* Takes them in, and generates what is there then. */
void import_take(struct import_world *world, enum tn_studio_import_source source);

/* ---- looking at it ---- */

/* As compact JSON; it lives as long as the world. */
const char *import_shown(struct import_world *world, const struct tn_json *value);
/* "main", where nothing else is called so, or "azurerm_key_vault.main". */
const struct tn_studio_node *import_node(struct import_world *world, const char *address);
void import_expect_parent(struct import_world *world, const char *name, const char *parent);
void import_expect_property(struct import_world *world, const char *name, const char *key,
			    const char *json);
/* How many a list of the result has: "mapped", "faults". */
size_t import_count(struct import_world *world, const char *list);
/* The first one of a list whose member `key` is `value`. */
const struct tn_json *import_entry(struct import_world *world, const char *list, const char *key,
				   const char *value);
/* Whether a generated file has this text in it. */
bool import_file_has(struct import_world *world, const char *file, const char *text);
void import_expect_text(struct import_world *world, const char *file, const char *text);

#endif
