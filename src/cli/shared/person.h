/* person.h - verbs that act for a person: the person token, and a client that holds it.
 *
 * Only the daemon decides who gets the token (host/person/person_door.h); here it is asked for,
 * used, and never written anywhere. Threads: main. */
#ifndef TN_CLI_PERSON_H
#define TN_CLI_PERSON_H

#include <limits.h>

#include "cli/shared/connect.h"
#include "jsonrpc/json.h"

struct tn_person {
	char token[TN_TOKEN_TEXT_MAX];
	char url[256]; /* of the page, without the token */
};

/* Starts the daemon unless it runs. Otherwise the exit code, and all is told: 3 (this process does
 * not speak for a person), 4. */
int tn_person_ask(const struct tn_cli *cli, struct tn_person *ret);

/* Every server of our user that runs and has a door for persons: the daemon, and each `tenon serve`
 * with --http. Starts nothing. At most TN_PERSON_SERVERS_MAX. */
enum { TN_PERSON_SERVERS_MAX = 16 };

struct tn_person_server {
	char path[PATH_MAX + 80]; /* of the door */
	bool daemon;
};

size_t tn_person_servers(struct tn_person_server list[TN_PERSON_SERVERS_MAX]);
/* A client that is a person there; NULL with *ret_exit: all is told. */
struct tenon_client *tn_person_connect_to(const struct tn_cli *cli,
					  const struct tn_person_server *server, int *ret_exit);

/* A client that is a person; the caller destroys it. Otherwise the exit code, and all is told. */
int tn_person_connect(const struct tn_cli *cli, struct tenon_client **ret);

/* Calls a tool and puts its structured result into `arena`. Otherwise the exit code, and all is
 * told. */
int tn_person_call(const struct tn_cli *cli, struct tenon_client *client, const char *tool,
		   const char *arguments, struct tn_arena *arena, const struct tn_json **ret);

#endif
