/* client_tls.h - the part of the plug-in behind loop/tls.h: libcurl shakes hands on a socket of
 * somebody else's, and then only carries bytes (CURLOPT_CONNECT_ONLY). Threads: one a connection.
 */
#ifndef TN_PLUGINS_CLIENT_TLS_H
#define TN_PLUGINS_CLIENT_TLS_H

#include "loop/tls.h"

extern const struct tn_tls_library client_tls_library;

#endif
