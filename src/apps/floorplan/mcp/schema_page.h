/* schema_page.h - what the resources say: the language, its codes, plans to learn from
 * (floorplan.md 7.7). Words and tables are the parser's own. Threads: any. */
#ifndef TN_FLOOR_SCHEMA_PAGE_H
#define TN_FLOOR_SCHEMA_PAGE_H

#include "base/buf.h"

enum { TN_FLOOR_PAGE_BYTES_MAX = 24 * 1024 }; /* 7.7 */

void tn_floor_put_schema_page(struct tn_buf *out);
void tn_floor_put_code_page(struct tn_buf *out);

struct tn_floor_example {
	const char *name, *words;
	struct tn_str text;
};
/* False at the end. The smallest comes first. */
bool tn_floor_example_at(size_t index, struct tn_floor_example *ret);

#endif
