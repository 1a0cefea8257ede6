/* graph_test_kit.h - updates as text, for tests of the graph. Any failure ends the test. */
#ifndef TN_WB_GRAPH_TEST_KIT_H
#define TN_WB_GRAPH_TEST_KIT_H

#include "apps/workbench/graph/graph.h"
#include "jsonrpc/json_write.h"

struct tn_wb_update put(struct tn_wb_graph *graph, const char *producer, uint32_t rank,
			const char *text);
struct tn_wb_update edit(struct tn_wb_graph *graph, const char *producer, uint32_t rank,
			 const char *format, ...) TN_PRINTF(4, 5);
void assert_text(const struct tn_buf *out, const char *want);
/* All but the revision, which is the graph's. */
void assert_snapshot(const struct tn_wb_graph *graph, const char *want);
void assert_patch(struct tn_wb_update update, const char *want);
/* Of the first diagnostic of the last update; pointer NULL: whatever it is. */
void assert_code(const char *code, const char *pointer);
/* The message of the same has this in it. */
void assert_told(const char *part);

#endif
