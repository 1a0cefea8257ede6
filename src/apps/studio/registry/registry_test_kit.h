/* registry_test_kit.h - registries with a file of one's own, and what is told of it. For cmocka
 * tests. Threads: one at a time. */
#ifndef TN_STUDIO_REGISTRY_TEST_KIT_H
#define TN_STUDIO_REGISTRY_TEST_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "apps/studio/registry/registry.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

struct tn_studio_registry *load(const char *text);
void print_faults(const struct tn_studio_registry *registry);
/* Whether a fault is told at the pointer whose sentence has this in it. */
bool has_fault(const struct tn_studio_registry *registry, const char *pointer, const char *part);
/* A file with one provider, one category and the text in place of its types; ' stands for ". */
struct tn_studio_registry *load_types(const char *types);
/* A type whose other members are `more`. */
struct tn_studio_registry *load_type(const char *more);

#endif
