/* The daemon's listeners and its two secrets (docs/daemon.md). */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rng.h"
#include "host/daemon/admin.h"
#include "host/limits.h"
#include "host/person/callers.h"
#include "host/daemon/internal.h"
#include "serve/http_options.h"
#include "serve/http_page.h"
#include "host/daemon/metrics_page.h"
#include "host/person/person_door.h"
#include "host/person/proof.h"
#include "serve/serve.h"
#include "host/daemon/licences_page.h"
#include "host/daemon/ui.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

enum {
	TOKEN_BYTES = 32,
	PRIVATE = 077,
	FIRST_SOCKET = 3,
	PAGES_MAX = 4 + TN_UI_PAGES,
	TOKENS = 3 + TN_PAGE_TOKENS
};

#define PRINCIPAL "user" /* of both tokens: they are two keys of one person's state */

/* ---- tokens ---- */

/* T9: a token that stays, from a file that is nobody else's. */
static enum tenon_code read_token_file(const char *path, char out[TN_TOKEN_TEXT_MAX],
				       struct tenon_error *err)
{
	struct tenon_error why = {0};
	struct stat status;
	struct tn_buf text;
	struct tn_str token;
	enum tenon_code code;

	if (stat(path, &status) != 0)
		return tn_fail(err, TENON_INVALID, "http.token_file: there is no file %.180s",
			       path);
	if (status.st_uid != geteuid() || (status.st_mode & PRIVATE))
		return tn_fail(err, TENON_INVALID,
			       "http.token_file: %.160s may be read by others; chmod 600 it", path);
	tn_buf_init(&text, TN_TOKEN_TEXT_MAX);
	code = tn_file_read(path, TN_FILE_REGULAR_ONLY, &text, err);
	token = tn_str_trim(tn_buf_str(&text));
	if (code == TENON_OK && token.size >= TN_TOKEN_TEXT_MAX)
		code = tn_fail(err, TENON_INVALID, "http.token_file: at most %d characters",
			       TN_TOKEN_TEXT_MAX - 1);
	if (code == TENON_OK) {
		memcpy(out, token.data, token.size);
		out[token.size] = '\0';
		code = tn_http_token_check(out, &why);
		if (code != TENON_OK)
			(void)tn_fail(err, code, "http.token_file: %.120s: %.80s", path,
				      why.message);
	}
	tn_buf_finish(&text);
	return code;
}

static enum tenon_code make_tokens(struct tn_daemon *d, struct tenon_error *err)
{
	const char *file = tn_config_text(d->config, "http.token_file");

	d->token_fixed = file[0] != '\0';
	d->token_since_wall_ms = d->started_wall_ms;
	tn_rng_token(d->person_token, TOKEN_BYTES);
	for (size_t i = 0; i < TN_PAGE_TOKENS; i++)
		tn_rng_token(d->page_tokens[i], TOKEN_BYTES);
	if (d->token_fixed)
		return read_token_file(file, d->found.token, err);
	tn_rng_token(d->found.token, TOKEN_BYTES);
	return TENON_OK;
}

enum tenon_code tn_daemon_rotate(struct tn_daemon *d, struct tenon_error *err)
{
	struct tn_discovery next = d->found;
	enum tenon_code code;

	if (d->token_fixed)
		return tn_fail(err, TENON_DENIED,
			       "the token is fixed by http.token_file: change that file and start "
			       "the daemon again");
	tn_rng_token(next.token, TOKEN_BYTES);
	/* The file first: whoever is thrown out finds the new one there. */
	code = tn_discovery_write(&d->paths, &next, err);
	if (code != TENON_OK)
		return code;
	code = tenon_server_replace_token(d->server, d->found.token, next.token, err);
	if (code != TENON_OK) {
		if (tn_discovery_write(&d->paths, &d->found, NULL) != TENON_OK)
			tn_log(TN_LOG_ERROR, "token",
			       "the discovery file names a token that does not count");
		return code;
	}
	d->found = next;
	d->token_since_wall_ms = (uint64_t)tn_clock_wall_ms(d->server->clock);
	tn_log(TN_LOG_NOTICE, "token", "the client token was changed; the old one is dead");
	tn_admin_changed(d);
	return TENON_OK;
}

static void rotation_due(struct tn_timer *timer, void *data)
{
	struct tn_daemon *d = data;
	struct tn_settings opened = tn_config_opened(d->config);
	struct tenon_error err;

	if (tn_daemon_rotate(d, &err) != TENON_OK)
		tn_log(TN_LOG_ERROR, "token", "%s", err.message);
	tn_timer_start(timer, tn_settings_u64(&opened, "http.token_ttl_s") * 1000);
}

static enum tenon_code start_rotation(struct tn_daemon *d, struct tenon_error *err)
{
	int64_t ttl_s = tn_config_int(d->config, "http.token_ttl_s");
	enum tenon_code code;

	if (ttl_s == 0 || d->token_fixed)
		return TENON_OK;
	code = tn_timer_open(d->server->loop, rotation_due, d, &d->rotation, err);
	if (code == TENON_OK)
		tn_timer_start(d->rotation, (uint64_t)ttl_s * 1000);
	return code;
}

/* ---- pages ---- */

static void get_health(struct tn_http_exchange *x, void *data)
{
	static const struct tn_str body = {
		"{\"status\":\"ok\",\"version\":\"" TENON_VERSION "\"}",
		sizeof("{\"status\":\"ok\",\"version\":\"" TENON_VERSION "\"}") - 1};

	(void)data;
	tn_http_respond(x, &(struct tn_http_reply){.status = 200,
						   .type = TN_STR("application/json"),
						   .parts = &body,
						   .part_count = 1});
}

static void collect_pages(struct tn_daemon *d, struct tn_http_page pages[PAGES_MAX])
{
	size_t count = 0;

	pages[count++] = (struct tn_http_page){.path = "/health", .get = get_health};
	pages[count++] = (struct tn_http_page){
		.path = "/metrics", .token = true, .get = tn_metrics_page, .data = d};
	for (size_t i = 0; i < TN_UI_PAGES && tn_config_bool(d->config, "ui.enabled"); i++)
		pages[count++] = tn_ui_pages[i];
	pages[count++] = (struct tn_http_page){.path = "/licences.txt", .get = tn_licences_page};
	pages[count] = (struct tn_http_page){.path = NULL};
}

/* ---- listeners ---- */

static bool is_loopback(const char *address)
{
	return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0 ||
	       strcmp(address, "[::1]") == 0 || strcmp(address, "localhost") == 0;
}

/* A supervisor's socket is bound to what its unit says, whatever our settings do. */
static bool is_loopback_socket(int fd)
{
	struct sockaddr_storage at = {0};
	socklen_t size = sizeof(at);
	const struct sockaddr_in *four = (const struct sockaddr_in *)&at;
	const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)&at;

	if (getsockname(fd, (struct sockaddr *)&at, &size) != 0)
		return false;
	if (at.ss_family == AF_INET)
		return ntohl(four->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
	return at.ss_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
}

/* FR-03, T4, T5: two acts, and the names that are meant. `fd`: a supervisor's socket, or 0. */
static enum tenon_code check_exposure(struct tn_daemon *d, int fd, struct tenon_error *err)
{
	struct tn_settings opened = tn_config_opened(d->config);
	const char *address =
		fd ? "the socket that was handed over" : tn_settings_text(&opened, "http.listen");
	bool allowed = tn_settings_bool(&opened, "http.allow_remote");

	d->remote = fd ? !is_loopback_socket(fd) : !is_loopback(address);
	if (!d->remote)
		return TENON_OK;
	if (!allowed)
		return tn_fail(err, TENON_INVALID,
			       "http.listen: %.64s is reachable from other machines; that needs "
			       "http.allow_remote, too",
			       address);
	if (!tn_settings_list(&opened, "http.hosts")[0])
		return tn_fail(err, TENON_INVALID,
			       "http.hosts: name the hosts by which others may reach %.64s",
			       address);
	tn_log(TN_LOG_WARNING, "http", "reachable from other machines at %s", address);
	return tn_daemon_check_terminal(d, err);
}

/* sd_listen_fds(3): the first socket a supervisor hands over. 0: none. */
static int take_socket(void)
{
	uint64_t pid = 0, count = 0;
	bool ours = tn_str_to_uint(tn_str_from(getenv("LISTEN_PID")), &pid) &&
		    tn_str_to_uint(tn_str_from(getenv("LISTEN_FDS")), &count) &&
		    pid == (uint64_t)getpid() && count > 0;

	(void)unsetenv("LISTEN_PID"); /* not for what we start */
	(void)unsetenv("LISTEN_FDS");
	(void)unsetenv("LISTEN_FDNAMES");
	return ours ? FIRST_SOCKET : 0;
}

static struct tn_http_page http_pages[PAGES_MAX];

static void fill_tokens(const struct tn_daemon *d, struct tenon_token tokens[TOKENS])
{
	tokens[0] = (struct tenon_token){.name = PRINCIPAL, .token = d->found.token, .local = true};
	tokens[1] = (struct tenon_token){
		.name = PRINCIPAL, .token = d->person_token, .person = true, .local = true};
	for (size_t i = 0; i < TN_PAGE_TOKENS; i++) {
		tokens[2 + i] = tokens[1];
		tokens[2 + i].token = d->page_tokens[i];
	}
	tokens[TOKENS - 1] = (struct tenon_token){.name = NULL};
}

/* Where a browser and `tenon open` go. "All addresses" is none: then the first of the names by
 * which requests may come (check_exposure has seen to it that there is one). */
static void write_url(struct tn_daemon *d, const char *address, uint16_t port)
{
	struct tn_settings opened = tn_config_opened(d->config);
	bool all = strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0 ||
		   strcmp(address, "[::]") == 0;
	const char *name = all ? tn_settings_list(&opened, "http.hosts")[0] : NULL;
	const char *at = name ? name : address;
	const char *bracket = strrchr(at, ']');
	bool six = !name && strchr(at, ':') && !bracket;
	bool has_port = name && strchr(bracket ? bracket : at, ':');

	if (has_port)
		(void)snprintf(d->found.url, sizeof(d->found.url), "http://%.200s", at);
	else
		(void)snprintf(d->found.url, sizeof(d->found.url), "http://%s%.200s%s:%u",
			       six ? "[" : "", at, six ? "]" : "", (unsigned)port);
}

static enum tenon_code listen_http(struct tn_daemon *d, int fd, struct tenon_error *err)
{
	struct tn_settings opened = tn_config_opened(d->config);
	const char *address = tn_settings_text(&opened, "http.listen");
	struct tenon_token tokens[TOKENS];
	struct tenon_http_options options = {
		.address = strcmp(address, "localhost") == 0 ? "127.0.0.1" : address,
		.port = (uint16_t)tn_config_int(d->config, "http.port"),
		.tokens = tokens,
		.bearer_subprotocol = true,
		.app_paths = true,
		.hosts = tn_settings_list(&opened, "http.hosts"),
		.fd = fd,
	};
	struct tn_http_extra extra = {.pages = http_pages,
				      .proxies = tn_settings_list(&opened, "http.proxies"),
				      .discovered = true,
				      .hardened = true,
				      .gate = tn_callers_gate(d->callers)};
	uint16_t port = 0;
	enum tenon_code code;

	fill_tokens(d, tokens);
	extra.port_last = options.port > UINT16_MAX - TN_PORT_TRIES
				  ? UINT16_MAX
				  : (uint16_t)(options.port + TN_PORT_TRIES);
	code = tn_serve_http(d->server, &options, &extra, &port, err);
	if (code != TENON_OK)
		return code;
	d->http = tn_serve_last(d->server);
	d->wanted_port = fd ? port : options.port;
	d->asked_port = options.port;
	d->found.http_port = port;
	write_url(d, options.address, port);
	memcpy(d->server->page_url, d->found.url, sizeof(d->found.url));
	if (port != d->wanted_port)
		tn_log(TN_LOG_NOTICE, "http", "port %u is taken by another program; using %u",
		       (unsigned)d->wanted_port, (unsigned)port);
	return TENON_OK;
}

/* FR-04: its port is new at each start; nothing but the WebSocket of relays and scripts. */
static enum tenon_code listen_bridge(struct tn_daemon *d, struct tenon_error *err)
{
	struct tenon_token tokens[TOKENS];
	const struct tenon_http_options options = {
		.path = "", .sse_path = "", .tokens = tokens, .app_paths = true};
	const struct tn_http_extra extra = {.hardened = true,
					    .local = true,
					    .discovered = true,
					    .gate = tn_callers_gate(d->callers)};

	fill_tokens(d, tokens);
	return tn_serve_http(d->server, &options, &extra, &d->found.bridge_port, err);
}

static enum tenon_code open_person_door(struct tn_daemon *d, struct tenon_error *err)
{
	const struct tn_person_door_options options = {
		.server = d->server,
		.callers = d->callers,
		.path = d->paths.person,
		.token = d->person_token,
		.url = d->found.url,
	};

	return tn_person_door_open(&options, &d->person_door, err);
}

/* Before anybody can come in. */
static enum tenon_code open_proof(struct tn_daemon *d, struct tenon_error *err)
{
	char keys[PATH_MAX + 32];
	const struct tn_proof_options options = {.server = d->server,
						 .callers = d->callers,
						 .door = &d->person_door,
						 .kind = tn_config_text(d->config, "consent.proof"),
						 .keys = keys};

	(void)snprintf(keys, sizeof(keys), "%s/consent-keys.json", d->state_folder);
	return tn_proof_open(&options, &d->proof, err);
}

enum tenon_code tn_daemon_listen(struct tn_daemon *d, struct tenon_error *err)
{
	int fd = take_socket();
	enum tenon_code code = check_exposure(d, fd, err);

	d->started_wall_ms = (uint64_t)tn_clock_wall_ms(d->server->clock);
	d->found.pid = getpid();
	(void)snprintf(d->found.version, sizeof(d->found.version), "%s", TENON_VERSION);
	tn_clock_format_iso((int64_t)d->started_wall_ms, d->found.started_at);
	if (code == TENON_OK)
		code = make_tokens(d, err);
	collect_pages(d, http_pages);
	if (code == TENON_OK)
		code = tn_callers_open(d->server->loop, &d->callers, err);
	if (code == TENON_OK)
		code = open_proof(d, err);
	if (code == TENON_OK)
		code = listen_http(d, fd, err);
	if (code == TENON_OK)
		code = listen_bridge(d, err);
	if (code == TENON_OK)
		code = start_rotation(d, err);
	if (code == TENON_OK)
		code = open_person_door(d, err);
	if (code == TENON_OK && d->terminal_host)
		code = tn_person_door_refuse_below(d->person_door, d->terminal_host, err);
	return code == TENON_OK ? tn_discovery_write(&d->paths, &d->found, err) : code;
}

enum tenon_code tn_daemon_move(struct tn_daemon *d, struct tenon_error *err)
{
	struct tn_daemon before = *d;
	enum tenon_code code = check_exposure(d, 0, err); /* of a supervisor's socket to our own */

	if (code == TENON_OK)
		code = listen_http(d, 0, err);
	if (code == TENON_OK)
		code = tn_discovery_write(&d->paths, &d->found, err);
	if (code != TENON_OK) {
		if (d->http != before.http)
			tn_serve_retire(d->server, d->http);
		d->http = before.http;
		d->found = before.found;
		d->wanted_port = before.wanted_port;
		d->asked_port = before.asked_port;
		d->remote = before.remote;
		return code;
	}
	tn_serve_retire(d->server, before.http);
	tn_log(TN_LOG_NOTICE, "http", "now at %s", d->found.url);
	return TENON_OK;
}
