/* The client's own loop: its turn is asked for, it runs, and whoever waits looks again; and what
 * the client itself has to say. */
#include "base/size.h"
#include "client/client.h"
#include "jsonrpc/json_write.h"

void tn_client_turn(struct tenon_client *client)
{
	tn_later_request(client->turn);
}

void tn_client_stop(struct tenon_client *client)
{
	if (client->is_running)
		tn_loop_stop(client->loop);
}

enum tenon_code tn_client_run(struct tenon_client *client, struct tenon_error *err)
{
	if (!client->owns_loop)
		return tn_fail(err, TENON_INTERNAL,
			       "a client that shares a server's loop must not wait");
	if (client->is_running)
		return tn_fail(err, TENON_INTERNAL, "waiting inside a callback of the client");
	client->is_running = true;
	tn_loop_run(client->loop);
	client->is_running = false;
	return TENON_OK;
}

void tn_client_log(struct tenon_client *client, const char *level, const char *what)
{
	struct tn_buf text;

	if (!client->options.handlers.log)
		return;
	tn_buf_init(&text, TN_MIB);
	tn_json_put_text(&text, what);
	tn_buf_append_byte(&text, '\0');
	if (!text.failed)
		client->options.handlers.log(level, "tenon", text.data,
					     client->options.handlers.data);
	tn_buf_finish(&text);
}
