/* door_kit.h - a server with HTTP listeners on a thread of its own, and bytes to it as they are:
 * for tests.
 *
 * Whatever is wrong fails the test. Handlers run on the server's thread; everything else here is
 * the test's. Ownership: door_close frees all. */
#ifndef TN_HOST_DOOR_KIT_H
#define TN_HOST_DOOR_KIT_H

#include <pthread.h>

#include "base/buf.h"
#include "serve/http_page.h"

#define DOOR_TOKEN "door-kit-token-0123456789"
#define DOOR_HEAD(line) line " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
#define DOOR_AUTH "Authorization: Bearer " DOOR_TOKEN "\r\n"
#define DOOR_JSON "Content-Type: application/json\r\n"

struct door {
	struct tenon_server *server;
	pthread_t thread;
	bool running;
	enum tenon_code code; /* of tenon_server_run */
	uint16_t port;        /* of the first listener */
	struct tn_buf reply;  /* the last one */
};

struct door *door_create(void);
/* Options without tokens get DOOR_TOKEN. Returns the port. */
uint16_t door_listen(struct door *d, const struct tenon_http_options *options,
		     const struct tn_http_extra *extra);
void door_run(struct door *d);
void door_close(struct door *d);

/* ---- bytes ---- */

int door_connect(uint16_t port);
void door_send(int fd, const void *data, size_t size);
/* Reads until the text has come, or NULL: until the end. False: the end came first. The reply is
 * what has been read by this call. */
bool door_read(struct door *d, int fd, const char *until);
/* One request with "Connection: close" on a connection of its own; returns the status. */
unsigned door_ask(struct door *d, uint16_t port, const char *request);
/* A POST to `path`, with further header lines; returns the status. */
unsigned door_post(struct door *d, uint16_t port, const char *path, const char *headers,
		   const char *body);
bool door_replied(const struct door *d, const char *words);
/* A header of the reply: the value up to the line's end; "" when it is not there. */
const char *door_header(struct door *d, const char *name, char *value, size_t size);

/* ---- WebSocket ---- */

/* The upgrade with further header lines; the descriptor, or -1 when it was refused. */
int door_upgrade(struct door *d, uint16_t port, const char *path, const char *headers);
void door_say(int fd, const char *json);
/* The payload of the next frame as text; of a close frame its code as "close 1008". "" at the end
 * of the connection. Pings are passed over. */
const char *door_hear(struct door *d, int fd);

#endif
