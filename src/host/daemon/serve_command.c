#include "host/daemon/serve_command.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/rng.h"
#include "host/person/consent_said.h"
#include "host/settings/apps.h"
#include "host/settings/host_fit.h"
#include "serve/http_options.h"
#include "serve/http_page.h"
#include "host/person/proof.h"
#include "serve/serve.h"
#include "host/daemon/serve_person.h"
#include "host/settings/serve_settings.h"
#include "host/settings/terminal_setup.h"
#include "store/file.h"
#include "tenon/server.h"

enum {
	EXIT_USAGE = 1,
	EXIT_INTERNAL = 70,
	APPS_MAX = 16,
	LISTENERS_MAX = 8, /* of each kind */
	NAMES_MAX = 32,    /* hosts; origins */
	ADDRESS_SIZE = 64,
	TOKEN_BYTES = 32,
	TOKEN_MIN = 16,
	TOKEN_MAX = 512
};

/* terminal.md T-10: what is served by itself has a port that people know. */
static const char default_address[] = "127.0.0.1:8080";

struct listener {
	char address[ADDRESS_SIZE];
	uint16_t port;
};

struct serve {
	const struct tenon_app *apps[APPS_MAX];
	size_t app_count;
	struct listener http[LISTENERS_MAX];
	size_t http_count;
	const char *sockets[LISTENERS_MAX];
	size_t socket_count;
	bool stdio, allow_remote, behind_proxy;
	bool terminal, remote; /* it is among the apps; others can reach an address of ours */
	bool asks;             /* an app asks for consent (terminal, studio): the policy counts */
	struct tn_serve_settings settings;
	struct tenon_http_options options; /* of all HTTP listeners */
	const char *hosts[NAMES_MAX + 1], *origins[NAMES_MAX + 1];
	char token[TOKEN_MAX + 1];
	struct tenon_token tokens[3];   /* that one, and a person's */
	struct tn_serve_person *person; /* NULL: nothing here is asked */
	bool announced;
	pid_t parent;
	struct tenon_server *server;
	struct tn_signal *orphaned; /* NULL: whoever started us may go */
};

static const char usage[] =
	"usage: tenon serve APP... [--http [ADDR:PORT]]... [--unix PATH]... [--stdio] [OPTION]...\n"
	"\n"
	"Serves the apps over MCP: to one client on stdio, or to many by the ways named, which "
	"may\n"
	"be several at once.\n"
	"  --http [ADDR:PORT] listen there, on /mcp, /sse and /ws; 127.0.0.1:8080 unless said\n"
	"                     otherwise; port 0 lets the kernel choose. The first two lines on\n"
	"                     standard error are the URL and the token.\n"
	"  --unix PATH        listen on a Unix socket that only your own user may open\n"
	"  --stdio            serve standard input and output, too\n"
	"\n"
	"Settings:\n"
	"  --config FILE      instead of $XDG_CONFIG_HOME/tenon/config.json\n"
	"  --policy FILE      instead of policy.json beside it\n"
	"  --set KEY=VALUE    a setting (docs/configuration.md); may be repeated\n"
	"  --log-level LEVEL  debug, info, notice, warning, error\n"
	"\n"
	"With the app terminal:\n"
	"  --root DIR         commands start in it or below; may be repeated; --http needs one\n"
	"  --backend pty|none none: tools answer with placeholders and run nothing\n"
	"  --persist none|host\n"
	"                     host: sessions outlive this process until its next start, for 30 s\n"
	"\n"
	"With --http:\n"
	"  --token T          the bearer token clients must send (at least 16 characters)\n"
	"  --token-file F     read it from a file\n"
	"  --no-token         anybody on this machine may call; loopback addresses only\n"
	"  --allow-remote     serve other machines: with an address that they can reach, and\n"
	"                     --host for the names they use; the text is not encrypted\n"
	"  --behind-proxy     the same, behind a proxy that has ended TLS before us; terminal\n"
	"                     needs this one\n"
	"  --host NAME[:PORT] a further value of Host to accept; may be repeated\n"
	"  --origin ORIGIN    a further origin whose pages may call; may be repeated\n"
	"  --cors ORIGIN      the same, and tell browsers so (CORS); may be repeated\n";

/* "127.0.0.1:8080", "[::1]:0", ":8080" or "8080". */
static int parse_address(struct serve *s, const char *text)
{
	const char *colon = strrchr(text, ':');
	const char *port = colon ? colon + 1 : text;
	size_t size = colon ? (size_t)(colon - text) : 0;
	char *end;
	unsigned long number;

	errno = 0;
	number = strtoul(port, &end, 10);
	if (*port < '0' || *port > '9' || *end || errno || number > 65535)
		return tn_serve_complain(
			"--http: \"%s\": send ADDR:PORT, for example 127.0.0.1:8080", text);
	if (size >= 2 && text[0] == '[' && text[size - 1] == ']') {
		text++;
		size -= 2;
	}
	if (size >= ADDRESS_SIZE)
		return tn_serve_complain("--http: \"%s\" is no address", text);
	if (s->http_count == LISTENERS_MAX)
		return tn_serve_complain("--http: at most %d times", LISTENERS_MAX);
	memcpy(s->http[s->http_count].address, text, size);
	s->http[s->http_count].port = (uint16_t)number;
	s->http_count++;
	return 0;
}

static int set_token(struct serve *s, struct tn_str token)
{
	token = tn_str_trim(token);
	if (token.size < TOKEN_MIN || token.size > TOKEN_MAX)
		return tn_serve_complain("a token has 16 to 512 characters");
	for (size_t i = 0; i < token.size; i++) {
		if (token.data[i] <= ' ' || token.data[i] > '~')
			return tn_serve_complain("a token has visible ASCII characters only");
	}
	memcpy(s->token, token.data, token.size);
	s->token[token.size] = '\0';
	s->options.token = s->token;
	return 0;
}

static int read_token(struct serve *s, const char *path)
{
	struct tenon_error err;
	struct tn_buf text;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int code;

	if (fd < 0)
		return tn_serve_complain("--token-file: cannot open %s", path);
	tn_buf_init(&text, TOKEN_MAX + 2);
	if (tn_buf_read_all(&text, fd, &err) == TENON_OK)
		code = set_token(s, tn_buf_str(&text));
	else
		code = tn_serve_complain("--token-file: %s", err.message);
	tn_buf_finish(&text);
	(void)close(fd); /* read only */
	return code;
}

static int add_socket(struct serve *s, const char *path)
{
	if (s->socket_count == LISTENERS_MAX)
		return tn_serve_complain("--unix: at most %d times", LISTENERS_MAX);
	s->sockets[s->socket_count++] = path;
	return 0;
}

static int add_name(const char *names[NAMES_MAX + 1], const char *name)
{
	size_t count = 0;

	while (names[count])
		count++;
	if (count == NAMES_MAX)
		return tn_serve_complain("at most %d hosts and origins", NAMES_MAX);
	names[count] = name;
	return 0;
}

static int parse_flag(struct serve *s, const char *name)
{
	if (strcmp(name, "--no-token") == 0)
		s->options.no_token = true;
	else if (strcmp(name, "--stdio") == 0)
		s->stdio = true;
	else if (strcmp(name, "--allow-remote") == 0)
		s->allow_remote = true;
	else if (strcmp(name, "--behind-proxy") == 0)
		s->allow_remote = s->behind_proxy = true;
	else
		return -1;
	return 0;
}

/* What follows an option whose value may be left out. */
static bool is_value(const char *text)
{
	return text && text[0] != '-' && !tn_apps_find(text);
}

static int parse_option(struct serve *s, const char *name, char *value, int *ret_used)
{
	int code;

	*ret_used = 1;
	if (parse_flag(s, name) == 0)
		return 0;
	if (strcmp(name, "--http") == 0 && !is_value(value))
		return parse_address(s, default_address);
	if (!value)
		return tn_serve_complain("%s needs a value, or is unknown; tenon serve --help",
					 name);
	*ret_used = 2;
	if (tn_serve_settings_take(&s->settings, name, value, &code))
		return code;
	if (strcmp(name, "--http") == 0)
		return parse_address(s, value);
	if (strcmp(name, "--unix") == 0)
		return add_socket(s, value);
	if (strcmp(name, "--token") == 0) {
		code = set_token(s, tn_str_from(value));
		memset(value, '*', strlen(value)); /* every user may read our command line */
		return code;
	}
	if (strcmp(name, "--token-file") == 0)
		return read_token(s, value);
	if (strcmp(name, "--host") == 0)
		return add_name(s->hosts, value);
	s->options.cors = s->options.cors || strcmp(name, "--cors") == 0;
	if (strcmp(name, "--origin") == 0 || strcmp(name, "--cors") == 0)
		return add_name(s->origins, value);
	return tn_serve_complain("unknown option %s; tenon serve --help", name);
}

static int add_app(struct serve *s, const char *name)
{
	char known[256];

	if (s->app_count == APPS_MAX)
		return tn_serve_complain("too many apps");
	s->apps[s->app_count] = tn_apps_find(name);
	if (!s->apps[s->app_count]) {
		tn_apps_list(known, sizeof(known));
		return tn_serve_complain("unknown app \"%s\"; there is: %s", name, known);
	}
	s->terminal = s->terminal || strcmp(name, "terminal") == 0;
	s->asks = s->asks || s->terminal || strcmp(name, "studio") == 0;
	s->app_count++;
	return 0;
}

static bool is_numeric(const char *address)
{
	unsigned char bytes[16];

	return inet_pton(AF_INET, address, bytes) == 1 || inet_pton(AF_INET6, address, bytes) == 1;
}

/* Two acts for what others can reach (workbench.md T4, T5): neither happens by a slip. */
static int check_remote(struct serve *s)
{
	size_t remote = 0;

	for (size_t i = 0; i < s->http_count; i++) {
		const char *address = s->http[i].address;

		if (!is_numeric(address) || tn_http_is_loopback(address))
			continue; /* ours, or no address at all, which will be said */
		remote++;
		if (!s->allow_remote)
			return tn_serve_complain(
				"other machines can reach %s: --allow-remote is missing", address);
	}
	if (s->allow_remote && !remote)
		return tn_serve_complain(
			"--allow-remote: an address that others can reach is missing; "
			"send --http 0.0.0.0:8080");
	s->remote = remote > 0;
	if (remote && !s->hosts[0])
		return tn_serve_complain(
			"--allow-remote: the names others use are missing; send --host "
			"NAME");
	return 0;
}

/* What only together makes no sense. */
static int check(struct serve *s)
{
	if (s->app_count == 0)
		return tn_serve_complain("name at least one app; tenon serve --help");
	if (!s->http_count && (s->options.token || s->options.no_token))
		return tn_serve_complain("tokens are for --http");
	if (!s->http_count && (s->hosts[0] || s->origins[0]))
		return tn_serve_complain("hosts and origins are for --http");
	if (s->options.token && s->options.no_token)
		return tn_serve_complain("--no-token and a token exclude each other");
	return check_remote(s);
}

static int parse(struct serve *s, int argc, char **argv)
{
	int code = 0;

	for (int i = 0; i < argc && code == 0;) {
		int used = 1;

		if (argv[i][0] == '-')
			code = parse_option(s, argv[i], i + 1 < argc ? argv[i + 1] : NULL, &used);
		else
			code = add_app(s, argv[i]);
		i += used;
	}
	return code ? code : check(s);
}

/* The first two lines on standard error, which scripts read; further listeners follow them. */
static void say_listening(const char *url, void *data)
{
	struct serve *s = data;

	(void)fprintf(stderr, "listening on %s\n", url);
	if (!s->announced)
		(void)fprintf(stderr, "token %s\n", s->options.no_token ? "none" : s->token);
	s->announced = true;
}

static enum tenon_code listen_at(struct serve *s, struct tenon_server *server,
				 struct tenon_error *err)
{
	const struct tn_http_extra extra = {
		.proxies = s->settings.config ? tn_config_list(s->settings.config, "http.proxies")
					      : NULL,
		.gate = s->person ? tn_serve_person_gate(s->person) : NULL};
	const char *why = NULL;
	uint16_t port = 0;
	enum tenon_code code = tn_serve_http(server, &s->options, &extra, &port, err);

	if (code == TENON_OK && s->person && s->options.tokens)
		tn_serve_person_listen(s->person,
				       s->options.address ? s->options.address : "127.0.0.1", port,
				       &why);
	if (why)
		(void)tn_serve_complain("tenon approve will not find this server: %s", why);
	return code;
}

static enum tenon_code listen_http(struct serve *s, struct tenon_server *server,
				   struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	if (!s->options.token && !s->options.no_token) {
		tn_rng_token(s->token, TOKEN_BYTES);
		s->options.token = s->token;
	}
	if (s->person && s->options.token) {
		s->tokens[0] =
			(struct tenon_token){.name = "token", .token = s->token, .local = true};
		s->tokens[1] = (struct tenon_token){.name = "person",
						    .token = tn_serve_person_token(s->person),
						    .person = true,
						    .local = true};
		s->options.token = NULL;
		s->options.tokens = s->tokens;
	}
	s->options.hosts = s->hosts;
	s->options.origins = s->origins;
	s->options.bearer_subprotocol = true; /* an editor's page cannot send the header */
	s->options.listening = say_listening;
	s->options.data = s;
	for (size_t i = 0; i < s->http_count && code == TENON_OK; i++) {
		s->options.address = s->http[i].address[0] ? s->http[i].address : NULL;
		s->options.port = s->http[i].port;
		code = listen_at(s, server, err);
	}
	return code;
}

static enum tenon_code listen_unix(const struct serve *s, struct tenon_server *server,
				   struct tenon_error *err)
{
	enum tenon_code code = TENON_OK;

	for (size_t i = 0; i < s->socket_count && code == TENON_OK; i++) {
		const struct tenon_unix_options options = {.path = s->sockets[i]};

		code = tenon_server_listen_unix(server, &options, err);
		if (code == TENON_OK)
			(void)fprintf(stderr, "listening on unix:%s\n", options.path);
	}
	return code;
}

/* The kernel tells when the thread that started us ends, which need not be the client's end: only
 * another parent is. */
static void on_orphaned(struct tn_signal *signal, int number, void *data)
{
	const struct serve *s = data;

	(void)signal;
	(void)number;
	if (getppid() != s->parent)
		tn_serve_stop(s->server);
}

/* A client that dies leaves no server behind, and no program in a terminal, even when another
 * process holds our standard input open (terminal.md 12.4). */
static enum tenon_code end_with_parent(struct serve *s, struct tenon_server *server,
				       struct tenon_error *err)
{
	enum tenon_code code =
		tn_signal_open(server->loop, SIGUSR1, on_orphaned, s, &s->orphaned, err);

	s->server = server;
	if (code != TENON_OK)
		return code;
	(void)prctl(PR_SET_PDEATHSIG, SIGUSR1); /* refused: end of input still tells */
	on_orphaned(s->orphaned, SIGUSR1, s);   /* it may have died before the kernel was asked */
	return TENON_OK;
}

static enum tenon_code run(struct serve *s, struct tenon_server *server, struct tenon_error *err)
{
	bool stdio = s->stdio || (!s->http_count && !s->socket_count);
	enum tenon_code code = TENON_OK;

	if (s->http_count)
		code = listen_http(s, server, err);
	if (code == TENON_OK && s->remote && !s->behind_proxy)
		(void)fprintf(stderr, "warning: other machines reach this, and the text is not "
				      "encrypted; put a proxy that ends TLS in front\n");
	if (code == TENON_OK)
		code = listen_unix(s, server, err);
	if (code == TENON_OK && stdio)
		code = tenon_server_listen_stdio(server, err);
	if (code == TENON_OK && stdio)
		code = end_with_parent(s, server, err);
	return code == TENON_OK ? tenon_server_run(server, err) : code;
}

/* Settings, and what the terminal needs before anybody reaches it. The exit code. */
static int prepare(struct serve *s)
{
	const struct tn_terminal_reach reach = {
		.network = s->http_count > 0, .remote = s->remote, .behind_proxy = s->behind_proxy};
	struct tenon_error err;
	int code = tn_serve_settings_read(&s->settings, s->terminal);

	if (code != 0 || !s->terminal)
		return code;
	if (tn_terminal_check_reach(s->settings.config, &reach, &err) != TENON_OK)
		return tn_serve_complain("%s", err.message);
	tn_terminal_hide_secrets(s->settings.config);
	return 0;
}

/* What is wrong with the command line, and not with us or this machine. */
static bool is_usage(const struct tenon_error *err)
{
	return err->code == TENON_INVALID || err->sys_errno == EADDRINUSE ||
	       err->sys_errno == EADDRNOTAVAIL || err->sys_errno == EACCES;
}

/* Where no person can come in, no approval counts. */
static enum tenon_code open_proof(const struct serve *s, struct tenon_server *server,
				  struct tn_proof **ret, struct tenon_error *err)
{
	struct tn_proof_options options = {
		.server = server, .kind = tn_config_text(s->settings.config, "consent.proof")};
	struct tn_buf keys;
	enum tenon_code code;

	tn_buf_init(&keys, PATH_MAX);
	if (tn_dir_state(&keys, false, NULL) == TENON_OK)
		tn_buf_append_text(&keys, "/consent-keys.json");
	tn_buf_append_byte(&keys, '\0');
	options.keys = keys.failed ? "" : keys.data;
	if (s->person)
		tn_serve_person_tell(s->person, &options);
	code = tn_proof_open(&options, ret, err);
	tn_buf_finish(&keys);
	return code;
}

/* Whoever started us is the only one who reads what apps have to say. */
static void report(const char *area, const char *sentence, void *data)
{
	(void)data;
	(void)fprintf(stderr, "warning: %s: %s\n", area, sentence);
}

/* What the apps are opened with. */
static void tell(struct serve *s, struct tenon_server *server)
{
	server->settings = tn_config_views(s->settings.config);
	server->fit_rules = tn_host_fit_rules;
	server->fit_rule_count = tn_host_fit_rule_count;
	server->fit_settings = tn_config_list(s->settings.config, "mcp.fit");
	server->network = s->http_count > 0;
	server->report = report;
	server->runtime_folder = s->settings.runtime_folder[0] ? s->settings.runtime_folder : NULL;
}

static int serve(struct serve *s)
{
	const struct tenon_server_options about = {
		.name = "tenon",
		.version = TENON_VERSION,
		.title = "Tenon",
		.argument_faults = TENON_FAULTS_ARE_TOOL_ERRORS,
		.no_lint = true, /* who serves our apps is not their author */
	};
	struct tenon_server *server = NULL;
	struct tn_proof *proof = NULL;
	struct tenon_error err = {0};
	enum tenon_code code = tenon_server_create(&about, &server, &err);
	int usage_code = EXIT_USAGE;

	if (code == TENON_OK)
		tell(s, server);
	if (code == TENON_OK && s->asks && s->http_count)
		code = tn_serve_person_open(server, &s->person, &err);
	for (size_t i = 0; i < s->app_count && code == TENON_OK; i++)
		code = tenon_server_add_app(server, s->apps[i], &err);
	if (code == TENON_OK && s->asks) {
		code = tn_serve_settings_policy(&s->settings, server, tn_consent_said(), &err);
		usage_code = code == TENON_OK ? EXIT_USAGE : TN_SERVE_EXIT_FILE;
	}
	if (code == TENON_OK && s->asks)
		code = open_proof(s, server, &proof, &err);
	if (code == TENON_OK)
		code = run(s, server, &err);
	tn_signal_close(s->orphaned);
	tn_serve_person_leave(s->person);
	tenon_server_destroy(server);
	tn_proof_close(proof);
	tn_serve_person_close(s->person);
	if (code == TENON_OK)
		return 0;
	(void)tn_serve_complain("%s", err.message);
	return is_usage(&err) ? usage_code : EXIT_INTERNAL;
}

int tn_serve_command(int argc, char **argv)
{
	struct serve s = {.parent = getppid()};
	int code;

	for (int i = 0; i < argc; i++) {
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
			(void)fputs(usage, stdout);
			return 0;
		}
	}
	tn_serve_settings_init(&s.settings);
	code = parse(&s, argc, argv);
	if (code == 0)
		code = prepare(&s);
	if (code == 0)
		code = serve(&s);
	tn_serve_settings_finish(&s.settings);
	return code;
}
