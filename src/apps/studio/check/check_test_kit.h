/* check_test_kit.h - diagrams and what is told of them, for the tests of checks. For cmocka tests.
 * Threads: one at a time. */
#ifndef TN_STUDIO_CHECK_TEST_KIT_H
#define TN_STUDIO_CHECK_TEST_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "apps/studio/document/diagnostic.h"

struct kit {
	struct tn_studio_registry *registry;
	struct tn_studio_document document;
	struct tn_arena arena;
	struct tn_studio_diagnostics list;
};

#define RG "azurerm/core/resource_group"
#define VNET "azurerm/networking/virtual_network"
#define SUBNET "azurerm/networking/subnet"
#define STORAGE "azurerm/storage/storage_account"
#define IN(id) "\"parentId\":\"" id "\""
#define GROUP "\"properties\":{\"name\":\"rg-shop\",\"location\":\"westeurope\"}"

/* cmocka's: a registry for all tests, a kit for each. */
int group_set_up(void **state);
int group_tear_down(void **state);
int set_up(void **state);
int tear_down(void **state);
void apply(struct kit *kit, const char *operation);
/* `more`: members after the usual ones. */
void add(struct kit *kit, const char *id, const char *type, const char *more);
void check_with(struct kit *kit, const struct tn_studio_check_options *options);
const struct tn_studio_diagnostic *find(const struct kit *kit, const char *code, const char *id);
void dump(const struct kit *kit); /* prints what is told */
const struct tn_studio_diagnostic *expect(const struct kit *kit, const char *code, const char *id,
					  enum tn_studio_severity severity);
const struct tn_studio_diagnostic *expect_alone(struct kit *kit, const char *code, const char *id);
void expect_fix(const struct tn_studio_diagnostic *one, const char *wanted);
/* The example of issue 6, as edits leave it. */
void build_three_tiers(struct kit *kit);

#endif
