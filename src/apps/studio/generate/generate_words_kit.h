/* generate_words_kit.h - diagrams in a few words, and what stands in the files that are made. For
 * cmocka tests. Threads: one at a time. */
#ifndef TN_STUDIO_GENERATE_WORDS_KIT_H
#define TN_STUDIO_GENERATE_WORDS_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "apps/studio/generate/generate_test_kit.h"
#include "base/mem.h"

#define NODE(id, type, parent, rest)                                                     \
	"{'id':'" id "','typeId':'" type "','label':'" id " label','terraformName':'" id \
	"'," parent "'position':{'x':0,'y':0}" rest "}"
#define IN(parent) "'parentId':'" parent "',"
#define GROUP                                         \
	NODE("rg", "azurerm/core/resource_group", "", \
	     ",'properties':{'name':'rg-a','location':'westeurope'}")
#define NET                                                         \
	NODE("net", "azurerm/networking/virtual_network", IN("rg"), \
	     ",'properties':{'name':'vnet-a'}")
#define SUBNET(id, rest) NODE(id, "azurerm/networking/subnet", IN("net"), rest)

#define RUN(kit, config, ...) run(kit, config, (const char *const[]){__VA_ARGS__, NULL})

#define HEAD \
	"# Made by Tenon from the project \"test\"; change the diagram instead of this file.\n\n"

/* cmocka's: a kit for each test. */
int set_up(void **state);
int tear_down(void **state);
/* Nodes, and edges with an @ in front; empty ones do not count. */
void run(struct tn_studio_gen_kit *kit, const char *config, const char *const *parts);
bool has(const struct tn_studio_gen_kit *kit, const char *file, const char *text);
void assert_file(const struct tn_studio_gen_kit *kit, const char *file, const char *text);

#endif
