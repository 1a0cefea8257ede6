/* client_memory.h - libcurl's memory: the system's, and a reserve for when that refuses.
 *
 * libcurl 7.88 was seen to divide by a size of zero inside curl_multi_socket_action (the remainder
 * that picks a slot of a table) after one of its allocations had failed. So what it has begun is
 * finished with the reserve (base/reserve.h), nothing new is begun while memory is short, and what
 * runs is ended when much of the reserve is in use. OpenSSL and nghttp2 have memory of their own
 * and say so when it is refused. Threads: any. */
#ifndef TN_PLUGINS_CLIENT_MEMORY_H
#define TN_PLUGINS_CLIENT_MEMORY_H

#include <stdbool.h>

#include "base/error.h"

/* Starts libcurl. Again only counts. Fails: SYSTEM. */
enum tenon_code client_memory_install(struct tenon_error *err);

bool client_memory_is_short(void);   /* begin nothing: also asks the system */
bool client_memory_is_low(void);     /* end what runs: the reserve is past its mark */
bool client_memory_in_reserve(void); /* something of libcurl's lies in the reserve */

#endif
