/* tls_client.c - what our client makes of a server, in one line: tls-client URL TOKEN [CA_FILE] */
#include <stdio.h>

#include "tenon/client.h"

int main(int argc, char **argv)
{
	struct tenon_client_options options = {.name = "tls-client", .version = "1"};
	struct tenon_client *client = NULL;
	struct tenon_error err = {0};
	enum tenon_code code;

	if (argc < 3 || argc > 4) {
		(void)fprintf(stderr, "usage: tls-client URL TOKEN [CA_FILE]\n");
		return 64;
	}
	options.url = argv[1];
	options.token = argv[2];
	options.ca_file = argc > 3 ? argv[3] : NULL;
	options.no_reconnect = true;
	code = tenon_client_create(&options, &client, &err);
	if (code == TENON_OK)
		code = tenon_client_connect(client, &err);
	if (code == TENON_OK)
		(void)printf("connected %s\n", tenon_client_revision(client));
	else
		(void)printf("refused %s\n", err.message);
	tenon_client_destroy(client);
	return 0;
}
