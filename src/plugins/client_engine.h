/* client_engine.h - the half of the plug-in behind loop/http_stream.h: libcurl's socket interface,
 * driven by whoever watches the sockets (loop/http_plugin.h says how). Threads: one. */
#ifndef TN_PLUGINS_CLIENT_ENGINE_H
#define TN_PLUGINS_CLIENT_ENGINE_H

#include "loop/http_plugin.h"

enum tenon_code client_engine_open(const struct tn_http_engine_user *calls, void *user,
				   struct tn_http_engine **ret, struct tenon_error *err);
void client_engine_close(struct tn_http_engine *engine);
void client_engine_ready(struct tn_http_engine *engine, int fd, int events);
void client_engine_alarm(struct tn_http_engine *engine);
enum tenon_code client_engine_start(struct tn_http_engine *engine,
				    const struct tn_http_stream_request *what, void *request,
				    struct tn_http_transfer **ret, struct tenon_error *err);
void client_engine_cancel(struct tn_http_transfer *transfer);
void client_engine_resume(struct tn_http_transfer *transfer);

#endif
