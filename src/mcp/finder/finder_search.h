/* finder_search.h - how well a tool fits a word. Threads: any. Nothing is allocated. */
#ifndef TN_MCP_FINDER_SEARCH_H
#define TN_MCP_FINDER_SEARCH_H

#include "base/str.h"
#include "tenon/tool.h"

enum { TN_FINDER_WORDS_MAX = 16 };

struct tn_finder_word {
	struct tn_str text;
	const char *const *group; /* words that stand for it as well; NULL: none */
};

/* The first of a query that say something; their count. They point into it. */
size_t tn_finder_words(struct tn_str query, struct tn_finder_word out[TN_FINDER_WORDS_MAX]);

/* Whether a query is a tool's name, or ends with it as hosts write it: "mcp__tenon__get_plan",
 * "studio.get_plan". */
enum tn_finder_naming { TN_FINDER_NOT_NAMED, TN_FINDER_NAMED_LAST, TN_FINDER_NAMED };
enum tn_finder_naming tn_finder_naming(struct tn_str query, struct tn_str name);

/* 0: not at all. In the name it weighs most, then in the title, the description, and else the
 * arguments; a word's endings do not matter, and a few words stand for each other. */
unsigned tn_finder_score(const struct tenon_tool *tool, const struct tn_finder_word *word);

#endif
