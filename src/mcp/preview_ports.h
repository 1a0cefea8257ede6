/* preview_ports.h - what an app that previews pages is given by the program around it: ports of
 * their own for previews, and the channel of each page that is seen through one.
 *
 * Ownership: the app closes what it opened, before it stops; a channel is gone after `closed`.
 * Threads: loop. No event comes inside a call. */
#ifndef TN_MCP_PREVIEW_PORTS_H
#define TN_MCP_PREVIEW_PORTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

struct tn_loop;
struct tn_preview_port;
struct tn_channel;

struct tn_preview_events {
	/* A page has connected; its user is set here. False: it is refused, with *ret_code. */
	bool (*opened)(void *data, struct tn_channel *channel, unsigned *ret_code);
	void (*message)(void *data, struct tn_channel *channel, struct tn_str text);
	void (*closed)(void *data, struct tn_channel *channel);
};

struct tn_preview_options {
	/* The server that is previewed: "http://localhost:5173/"; NULL: its pages are not seen
	 * through the port, which carries their channel alone. */
	const char *upstream;
	const char *session_id, *key; /* for the page */
	const char *adapter;          /* "react-hook", "dom"; NULL: pages have theirs already */
	bool tagged;   /* pages of an origin that is allowed load the adapter by a tag (S18) */
	uint16_t port; /* that is wanted, so that the tag stays the same; 0: any */
	const struct tn_preview_events *events;
	void *data;
};

struct tn_preview_ports {
	/* Fails: INVALID (no such server can be previewed: a sentence), SYSTEM, NO_MEMORY. */
	enum tenon_code (*open)(struct tn_loop *loop, const struct tn_preview_options *options,
				struct tn_preview_port **ret, struct tenon_error *err);
	void (*close)(struct tn_preview_port *port); /* at once: `closed` is not told */
	const char *(*origin)(const struct tn_preview_port *port);
	/* Pages of that origin, besides its own, may have the channel. Fails: NO_MEMORY. */
	enum tenon_code (*allow)(struct tn_preview_port *port, struct tn_str page_origin,
				 struct tenon_error *err);
	/* A program or a script that comes with us: "launcher.mjs", "react.js". Empty: this build
	 * has none. */
	struct tn_str (*file)(const char *name);
	void (*send)(struct tn_channel *channel, struct tn_str text);
	void (*end)(struct tn_channel *channel, unsigned code); /* `closed` follows */
	void (*set_user)(struct tn_channel *channel, void *user);
	void *(*user)(const struct tn_channel *channel);
};

#endif
