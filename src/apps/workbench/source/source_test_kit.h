/* source_test_kit.h - what the tests of this room share: the plug-in of the build.
 *
 * Ownership: the reader belongs to the kit, from begin to end. Threads: one. */
#ifndef TN_WB_SOURCE_TEST_KIT_H
#define TN_WB_SOURCE_TEST_KIT_H

#include "apps/workbench/source/tree.h"

/* Reads the program's arguments: the build folder, and the demo's. False: this build has no
 * plug-in, which it has said. */
bool source_test_begin(int argc, char **argv);
void source_test_end(void);
struct tn_wb_reader *source_test_reader(void);
const char *source_test_build(void); /* where the plug-in lies */
const char *source_test_demo(void);
/* The tree of a text; it is finished by the caller. */
struct tn_wb_tree source_test_tree(const char *text);

#endif
