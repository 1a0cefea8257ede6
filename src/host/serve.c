#include "host/serve.h"

#include <signal.h>

#include "base/size.h"

static void caught(struct tn_signal *handle, int number, void *data)
{
	struct tenon_server *server = data;

	(void)handle;
	(void)number;
	if (server->on_stop)
		server->on_stop(server->on_stop_data);
}

enum tenon_code tn_serve_stop_open(struct tn_serve_stop *stop, struct tenon_server *server,
				   void (*stopped)(void *data), void *data, struct tenon_error *err)
{
	static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
	enum tenon_code code = TENON_OK;

	*stop = (struct tn_serve_stop){0};
	server->on_stop = stopped;
	server->on_stop_data = data;
	/* A reader that goes away is an error of one write, not the end of the process. */
	(void)signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < TN_COUNT(numbers) && code == TENON_OK; i++)
		code = tn_signal_open(server->loop, numbers[i], caught, server, &stop->signals[i],
				      err);
	if (code != TENON_OK)
		tn_serve_stop_close(stop, server);
	return code;
}

void tn_serve_stop_close(struct tn_serve_stop *stop, struct tenon_server *server)
{
	server->on_stop = NULL;
	for (size_t i = 0; i < TN_COUNT(stop->signals); i++)
		tn_signal_close(stop->signals[i]);
	*stop = (struct tn_serve_stop){
		0}; /* opening fails half-way and closes; so does the caller */
}
