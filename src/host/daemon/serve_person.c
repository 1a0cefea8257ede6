#include "host/daemon/serve_person.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rng.h"
#include "host/daemon/approvals.h"
#include "host/person/callers.h"
#include "host/person/person_door.h"
#include "host/person/proof.h"
#include "mcp/server.h"

enum { TOKEN_BYTES = 32 };

struct tn_serve_person {
	struct tenon_server *server;
	struct tn_callers *callers;
	struct tn_person_door *door; /* NULL: no listener yet */
	char path[PATH_MAX + 32], url[256], token[TN_TOKEN_TEXT_MAX];
	struct tenon_error err;
};

static void refuse_below(void *data, int64_t pid)
{
	const struct tn_serve_person *p = data;
	struct tn_process process;

	if (tn_process_read((pid_t)pid, &process, NULL) == TENON_OK &&
	    tn_callers_add(p->callers, &process, NULL) != TENON_OK && p->server->report)
		p->server->report("person", "terminals are not told from people's shells", NULL);
}

static bool client_speaks(void *data, int64_t pid)
{
	const struct tn_serve_person *p = data;

	return tn_callers_add_speaker(p->callers, (pid_t)pid, NULL) == TENON_OK;
}

enum tenon_code tn_serve_person_open(struct tenon_server *server, struct tn_serve_person **ret,
				     struct tenon_error *err)
{
	struct tn_serve_person *p = tn_mem_alloc(sizeof(*p));
	enum tenon_code code;

	if (!p)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	p->server = server;
	tn_rng_token(p->token, TOKEN_BYTES);
	code = tn_callers_open(server->loop, &p->callers, err);
	if (code == TENON_OK)
		code = tenon_server_add_app(server, &tn_approvals_app, err);
	if (code != TENON_OK) {
		tn_callers_close(p->callers);
		tn_mem_free(p);
		return code;
	}
	server->refuse_persons_below = refuse_below;
	server->refuse_persons_data = p;
	server->client_speaks = client_speaks;
	server->client_speaks_data = p;
	*ret = p;
	return TENON_OK;
}

const char *tn_serve_person_token(const struct tn_serve_person *p)
{
	return p->token;
}

const struct tn_http_gate *tn_serve_person_gate(const struct tn_serve_person *p)
{
	return tn_callers_gate(p->callers);
}

void tn_serve_person_tell(const struct tn_serve_person *p, struct tn_proof_options *options)
{
	options->callers = p->callers;
	options->door = &p->door;
}

/* What listens everywhere is reached on loopback, too. */
static void write_url(struct tn_serve_person *p, const char *address, uint16_t port)
{
	bool six = strchr(address, ':') != NULL;
	const char *at = strcmp(address, "0.0.0.0") == 0 ? "127.0.0.1"
			 : strcmp(address, "::") == 0    ? "::1"
							 : address;

	(void)snprintf(p->url, sizeof(p->url), "http://%s%.200s%s:%u", six ? "[" : "", at,
		       six ? "]" : "", (unsigned)port);
}

void tn_serve_person_listen(struct tn_serve_person *p, const char *address, uint16_t port,
			    const char **ret_why)
{
	struct tn_person_door_options options = {.server = p->server,
						 .callers = p->callers,
						 .path = p->path,
						 .token = p->token,
						 .url = p->url};
	struct tn_runtime_paths paths;
	enum tenon_code code;

	*ret_why = NULL;
	if (p->door)
		return; /* one listener is enough to decide by */
	write_url(p, address, port);
	code = tn_runtime_find(&paths, true, &p->err);
	(void)snprintf(p->path, sizeof(p->path), "%s/serve-%ld.sock", paths.folder, (long)getpid());
	if (code == TENON_OK)
		code = tn_person_door_open(&options, &p->door, &p->err);
	if (code == TENON_OK)
		p->server->person_socket = true;
	else
		*ret_why = p->err.message;
}

void tn_serve_person_leave(struct tn_serve_person *p)
{
	if (!p)
		return;
	p->server->refuse_persons_below = NULL;
	p->server->client_speaks = NULL;
	tn_person_door_close(p->door);
	p->door = NULL;
}

void tn_serve_person_close(struct tn_serve_person *p)
{
	if (!p)
		return;
	tn_callers_close(p->callers);
	tn_mem_free(p);
}
