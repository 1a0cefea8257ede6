/* http_plugin.h - what tenon-client.so exports under the name TN_HTTP_PLUGIN_SYMBOL.
 *
 * The plug-in knows libcurl and nothing of our loop: descriptors and the one alarm are watched for
 * it by loop/http_stream.c. Threads: `run` on any, everything else on the loop's. */
#ifndef TN_LOOP_HTTP_PLUGIN_H
#define TN_LOOP_HTTP_PLUGIN_H

#include "loop/http_client.h"
#include "loop/http_stream.h"
#include "loop/tls.h"

#define TN_HTTP_PLUGIN_SYMBOL "tn_http_plugin"
#define TN_HTTP_PLUGIN_VERSION 4u /* counts changes of the structs here and in its headers */

struct tn_http_engine;   /* the plug-in's */
struct tn_http_transfer; /* the plug-in's; one request */

/* What the plug-in asks of its user. Called inside its functions; none may call it back. */
struct tn_http_engine_user {
	/* Watches for TN_IO_READ and TN_IO_WRITE; 0: no more, and *slot is given up. *slot is NULL
	 * at first and the user's. False: out of memory; every transfer then fails. */
	bool (*watch)(void *user, int fd, int events, void **slot);
	void (*alarm)(void *user, int64_t after_ms); /* -1: none */

	void (*head)(void *request, const struct tn_http_head *head);
	/* False: not now; the same bytes come again after `resume`. */
	bool (*body)(void *request, struct tn_str bytes);
	/* The transfer is gone with it. */
	void (*done)(void *request, enum tenon_code code, const struct tenon_error *err);
};

struct tn_http_plugin {
	uint32_t version;
	enum tenon_code (*open)(struct tenon_error *err); /* once a process */
	enum tenon_code (*run)(const struct tn_http_batch *batch, struct tenon_error *err);

	enum tenon_code (*engine_open)(const struct tn_http_engine_user *calls, void *user,
				       struct tn_http_engine **ret, struct tenon_error *err);
	void (*engine_close)(struct tn_http_engine *engine); /* after its transfers */
	void (*engine_ready)(struct tn_http_engine *engine, int fd, int events);
	void (*engine_alarm)(struct tn_http_engine *engine);
	enum tenon_code (*start)(struct tn_http_engine *engine,
				 const struct tn_http_stream_request *what, void *request,
				 struct tn_http_transfer **ret, struct tenon_error *err);
	void (*cancel)(struct tn_http_transfer *transfer);
	void (*resume)(struct tn_http_transfer *transfer); /* takes effect with the next alarm */

	const struct tn_tls_library *tls;
};

/* Loads it, or says why not; see tn_http_client_run. */
TN_MUST_USE enum tenon_code
tn_http_plugin_load(const char *folder, const struct tn_http_plugin **ret, struct tenon_error *err);

#endif
