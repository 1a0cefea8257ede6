/* project_test_kit.h - a folder for projects, and changes to make in them; for tests. */
#ifndef TN_STUDIO_PROJECT_TEST_KIT_H
#define TN_STUDIO_PROJECT_TEST_KIT_H

#include "apps/studio/project/project.h"

struct kit {
	char folder[64]; /* of all; projects lie in `home` below it */
	char home[80], state[80], data[80];
	const char *roots[2];
	struct tn_studio_projects *projects;
	struct tn_studio_fault fault;
	char told[256]; /* what the table has told, by commas */
};

/* cmocka's: one kit a test. */
int kit_set_up(void **state);
int kit_tear_down(void **state);
/* The table goes, as when the daemon does, and comes again. */
void kit_restart(struct kit *kit);
struct tn_studio_projects *kit_table(struct kit *kit);

/* In `home`. */
struct tn_studio_project *kit_new(struct kit *kit, const char *name);
struct tn_studio_project *kit_open(struct kit *kit, const char *name);

/* Text of a file of the project "shop", NUL-terminated, for tn_mem_free; NULL: none. */
char *kit_read(const struct kit *kit, const char *name);
void kit_write(const struct kit *kit, const char *name, const char *text);
bool kit_exists(const struct kit *kit, const char *name);

/* A resource group of this id and name; false: the log refused. */
bool kit_add(struct tn_studio_project *project, const char *id, const char *name);
bool kit_commit(struct tn_studio_project *project, const char *operations);
/* "a,b" : the ids of nodes. */
void kit_ids(const struct tn_studio_project *project, char *out, size_t size);

/* ST-141: whether a planted secret stands in a text, as it is, escaped, or in base 64. NULL: none;
 * else which. */
const char *kit_find_secret(struct tn_str text, const char *const *secrets);

#define CODE(kit, wanted) assert_string_equal((kit)->fault.code ? (kit)->fault.code : "", wanted)
/* A file of the project's folder; "(none)": there is none. */
void kit_expect_file(const struct kit *kit, const char *name, const char *wanted);
void kit_expect_ids(const struct tn_studio_project *project, const char *wanted);
bool kit_save(struct kit *kit, struct tn_studio_project *project, bool force, bool reload);

#endif
