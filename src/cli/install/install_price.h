/* install_price.h - what the tools of an app cost a conversation before its first word (hosts.md
 * HO-010). Threads: any. */
#ifndef TN_CLI_INSTALL_PRICE_H
#define TN_CLI_INSTALL_PRICE_H

#include "base/buf.h"

/* A line for all apps together, and one for each: how many tools its list has, and about how many
 * tokens their names, descriptions and schemas are. */
void tn_install_put_prices(struct tn_buf *out);

#endif
