/* test_fixtures.h - what the test server offers. test_peer.h has the client.
 *
 * Handlers get their struct test_peer as `data`. Threads: loop. */
#ifndef TN_MCP_TEST_FIXTURES_H
#define TN_MCP_TEST_FIXTURES_H

#include "mcp/test_peer.h"

enum { TEST_TOOLS = 40, TEST_RESOURCES = 4, TEST_TEMPLATES = 2, TEST_PROMPTS = 4 };

/* Adds everything; fails the test when something is refused. */
void test_add_fixtures(struct test_peer *t);
void test_add_asking(struct test_peer *t); /* the tools that ask; part of the above */
void test_add_tools(struct test_peer *t, const struct tenon_tool *tools, size_t count);

void test_add_tasks(struct test_peer *t); /* tools with task support; not part of it */

/* Adds `count` tools named <prefix>-0000 and so on. */
void test_add_many_tools(struct test_peer *t, const char *prefix, unsigned count);

/* Finishes a call of the tool "hold" with a text. */
void test_finish_held(struct test_peer *t, unsigned index, const char *text);

#endif
