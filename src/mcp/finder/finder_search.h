/* finder_search.h - how well a tool fits a word. Threads: any. Nothing is allocated. */
#ifndef TN_MCP_FINDER_SEARCH_H
#define TN_MCP_FINDER_SEARCH_H

#include "base/str.h"
#include "tenon/tool.h"

enum { TN_FINDER_WORDS_MAX = 32 };

/* Those of a query that say something; their count. They point into it. */
size_t tn_finder_words(struct tn_str query, struct tn_str out[TN_FINDER_WORDS_MAX]);

/* 0: not at all. In the name it weighs most, then in the title, the description, the arguments; a
 * word's endings do not matter, and a few words stand for each other. */
unsigned tn_finder_score(const struct tenon_tool *tool, struct tn_str word);

#endif
