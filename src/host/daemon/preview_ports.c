#include "host/daemon/preview_ports.h"

#include <stdio.h>

#include "base/mem.h"
#include "gateway/gateway.h"
#include "host/daemon/adapter_files.h"

struct tn_preview_port {
	struct tn_gateway *gateway;
	const struct tn_preview_events *events;
	void *data;
};

static bool opened(void *data, struct tn_channel *channel, unsigned *ret_code)
{
	const struct tn_preview_port *port = data;

	return port->events->opened(port->data, channel, ret_code);
}

static void message(void *data, struct tn_channel *channel, struct tn_str text)
{
	const struct tn_preview_port *port = data;

	port->events->message(port->data, channel, text);
}

static void closed(void *data, struct tn_channel *channel)
{
	const struct tn_preview_port *port = data;

	port->events->closed(port->data, channel);
}

static const struct tn_gateway_events events = {opened, message, closed};

static struct tn_str file_of(const char *name)
{
	for (const struct tn_adapter_file *at = tn_adapter_files; at->name; at++)
		if (strcmp(at->name, name) == 0)
			return at->text;
	return tn_str("", 0);
}

/* Empty: a build without pages has none. */
static struct tn_str adapter_of(const char *name)
{
	char file[64];

	(void)snprintf(file, sizeof(file), "%s.js", name ? name : "");
	return file_of(file);
}

static enum tenon_code open_port(struct tn_loop *loop, const struct tn_preview_options *options,
				 struct tn_preview_port **ret, struct tenon_error *err)
{
	struct tn_preview_port *port = tn_mem_alloc(sizeof(*port));
	const struct tn_gateway_options gateway = {.upstream = options->upstream,
						   .session_id = options->session_id,
						   .key = options->key,
						   .adapter = adapter_of(options->adapter),
						   .tagged = options->tagged,
						   .port = options->port,
						   .events = &events,
						   .data = port};
	enum tenon_code code;

	if (!port)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	port->events = options->events;
	port->data = options->data;
	code = tn_gateway_open(loop, &gateway, &port->gateway, err);
	if (code != TENON_OK) {
		tn_mem_free(port);
		return code;
	}
	*ret = port;
	return TENON_OK;
}

static void close_port(struct tn_preview_port *port)
{
	tn_gateway_close(port->gateway);
	tn_mem_free(port);
}

static const char *origin(const struct tn_preview_port *port)
{
	return tn_gateway_origin(port->gateway);
}

static enum tenon_code allow(struct tn_preview_port *port, struct tn_str page_origin,
			     struct tenon_error *err)
{
	return tn_gateway_allow(port->gateway, page_origin, err);
}

const struct tn_preview_ports tn_host_preview_ports = {
	.open = open_port,
	.close = close_port,
	.origin = origin,
	.allow = allow,
	.file = file_of,
	.send = tn_channel_send,
	.end = tn_channel_close,
	.set_user = tn_channel_set_user,
	.user = tn_channel_user,
};
