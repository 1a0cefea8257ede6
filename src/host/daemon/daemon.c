/* The daemon's life: settings, lock, apps, listeners, discovery file, and back again. */
#include "host/daemon/daemon.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rng.h"
#include "host/limits.h"
#include "host/settings/apps.h"
#include "host/person/callers.h"
#include "host/daemon/internal.h"
#include "host/daemon/launch.h"
#include "host/settings/manifest.h"
#include "host/person/proof.h"
#include "host/settings/terminal_setup.h"
#include "mcp/finder/finder.h"
#include "store/file.h"

enum { EXIT_USAGE = 1, EXIT_INTERNAL = 70, FLAGS_MAX = 64 };

struct options {
	const char *config, *policy;
	const char *flags[2 * FLAGS_MAX + 1]; /* keys and values */
	size_t flag_count;
	int ready_fd;
};

static const char usage[] =
	"usage: tenond --daemon [OPTION]...\n"
	"\n"
	"Serves the apps to relays, scripts and the page; \"tenon up\" starts it in the "
	"background.\n"
	"  --config FILE    instead of $XDG_CONFIG_HOME/tenon/config.json\n"
	"  --policy FILE    instead of policy.json beside it\n"
	"  --set KEY=VALUE  a setting; may be repeated (docs/configuration.md)\n"
	"  --port N         the same as --set http.port=N\n";

/* ---- options ---- */

static int complain(const char *sentence, const char *word)
{
	(void)fprintf(stderr, "tenond: %s%s; tenond --daemon --help\n", sentence, word);
	return EXIT_USAGE;
}

static int add_flag(struct options *o, const char *key, const char *value)
{
	if (o->flag_count == FLAGS_MAX)
		return complain("too many settings: ", key);
	o->flags[2 * o->flag_count] = key;
	o->flags[2 * o->flag_count + 1] = value;
	o->flag_count++;
	return 0;
}

static int parse_set(struct options *o, char *word)
{
	char *equals = strchr(word, '=');

	if (!equals)
		return complain("--set needs KEY=VALUE, got ", word);
	*equals = '\0';
	return add_flag(o, word, equals + 1);
}

static int parse_option(struct options *o, const char *name, char *value)
{
	uint64_t number = 0;

	if (strcmp(name, "--config") == 0)
		o->config = value;
	else if (strcmp(name, "--policy") == 0)
		o->policy = value;
	else if (strcmp(name, "--ready-fd") == 0 && tn_str_to_uint(tn_str_from(value), &number) &&
		 number < INT_MAX)
		o->ready_fd = (int)number;
	else if (strcmp(name, "--port") == 0)
		return add_flag(o, "http.port", value);
	else if (strcmp(name, "--set") == 0)
		return parse_set(o, value);
	else
		return complain("unknown option ", name);
	return 0;
}

static int parse(struct options *o, int argc, char **argv)
{
	int code = 0;

	for (int i = 0; i < argc && code == 0; i += 2) {
		if (i + 1 == argc)
			return complain("unknown, or without its value: ", argv[i]);
		code = parse_option(o, argv[i], argv[i + 1]);
	}
	return code;
}

/* ---- who waits for us ---- */

static void tell_systemd(const char *text)
{
	const char *path = getenv("NOTIFY_SOCKET");

	if (path)
		tn_daemon_notify(path, text);
}

/* One line, once. */
static void tell_starter(struct options *o, const char *line)
{
	char text[TENON_ERROR_MESSAGE_MAX + 64];
	int size = snprintf(text, sizeof(text), "%s\n", line);

	if (o->ready_fd < 0)
		return;
	if (write(o->ready_fd, text, (size_t)size) < 0)
		tn_log(TN_LOG_NOTICE, "daemon", "whoever started us does not listen any more");
	(void)close(o->ready_fd);
	o->ready_fd = -1;
}

static int fail(struct options *o, const struct tenon_error *err)
{
	char line[TENON_ERROR_MESSAGE_MAX + 32];

	(void)fprintf(stderr, "tenond: %s\n", err->message);
	(void)snprintf(line, sizeof(line), "%s %s", tenon_code_name(err->code), err->message);
	tell_starter(o, line);
	return err->code == TENON_INVALID || err->code == TENON_BUSY ? EXIT_USAGE : EXIT_INTERNAL;
}

/* ---- folders and the lock ---- */

static enum tenon_code find_state_folder(char out[PATH_MAX], struct tenon_error *err)
{
	struct tn_buf path;
	enum tenon_code code;

	struct tenon_error why = {0};

	tn_buf_init(&path, PATH_MAX);
	code = tn_dir_state(&path, true, &why);
	if (code == TENON_OK)
		memcpy(out, path.data, path.size + 1);
	else
		(void)tn_fail(err, code, "the state folder (XDG_STATE_HOME): %.200s", why.message);
	tn_buf_finish(&path);
	return code;
}

static enum tenon_code open_log(const struct tn_daemon *d, struct tenon_error *err)
{
	const char *file = tn_config_text(d->config, "log.file");
	enum tn_log_level level = TN_LOG_INFO;
	char path[PATH_MAX + 16];

	(void)tn_log_level_find(tn_config_text(d->config, "log.level"), &level);
	if (strcmp(file, "-") == 0)
		return tn_log_open(NULL, level, err);
	(void)snprintf(path, sizeof(path), "%s/tenond.log", d->state_folder);
	return tn_log_open(file[0] ? file : path, level, err);
}

/* All mistakes are told to whoever looks at standard error, the first to whoever started us. */
static enum tenon_code read_settings(struct tn_daemon *d, const struct options *o,
				     struct tenon_error *err)
{
	enum tenon_code code = tn_config_read(o->config, o->flags, &d->config, err);
	struct tn_buf faults;

	if (code != TENON_INVALID)
		return code;
	tn_buf_init(&faults, TN_CONFIG_BYTES_MAX);
	tn_config_faults(o->config, o->flags, &faults);
	(void)fwrite(faults.data, 1, faults.size, stderr);
	tn_buf_finish(&faults);
	return code;
}

static enum tenon_code take_place(struct tn_daemon *d, struct options *o, struct tenon_error *err)
{
	enum tenon_code code = read_settings(d, o, err);

	if (code == TENON_OK)
		code = tn_runtime_find(&d->paths, true, err);
	if (code == TENON_OK)
		code = tn_config_folder(d->config_folder, err);
	if (code == TENON_OK)
		code = find_state_folder(d->state_folder, err);
	if (code == TENON_OK)
		code = tn_runtime_lock(&d->paths, &d->lock_fd, err);
	if (code == TENON_OK)
		code = open_log(d, err);
	if (code != TENON_OK)
		return code;
	tn_terminal_hide_secrets(d->config);
	return TENON_OK;
}

/* ---- apps ---- */

static enum tenon_code add_apps(struct tn_daemon *d, struct tenon_error *err)
{
	const struct tenon_app *app;
	enum tenon_code code = TENON_OK;

	tn_daemon_listen_to_apps(d);
	for (size_t i = 0; code == TENON_OK && (app = tn_apps_at(i)) != NULL; i++) {
		code = tenon_server_add_app(d->server, app, err);
		if (code == TENON_OK)
			tn_server_set_app_off(d->server, app->name,
					      !tn_daemon_wants_app(d, app->name));
	}
	return code;
}

static enum tenon_code open_server(struct tn_daemon *d, struct tenon_error *err)
{
	const struct tenon_server_options about = {
		.name = "tenon",
		.version = TENON_VERSION,
		.title = "Tenon",
		.argument_faults = TENON_FAULTS_ARE_TOOL_ERRORS,
		.no_lint = true, /* who serves our apps is not their author */
	};
	enum tenon_code code = tenon_server_create(&about, &d->server, err);

	if (code == TENON_OK) {
		d->server->disabled = !tn_config_bool(d->config, "mcp.enabled");
		code = add_apps(d, err);
	}
	if (code == TENON_OK && strcmp(tn_config_text(d->config, "mcp.tools"), "all") != 0)
		code = tn_finders_add(d->server, err);
	return code;
}

/* ---- life ---- */

static void is_healthy(struct tn_timer *timer, void *data)
{
	const struct tn_daemon *d = data;

	(void)timer;
	tn_launch_healthy(&d->paths);
}

static void reload(void *data)
{
	struct tn_daemon *d = data;
	struct tenon_error err;

	if (tn_daemon_reload(d, &err) != TENON_OK)
		tn_log(TN_LOG_ERROR, "daemon", "nothing was taken over: %s", err.message);
	else
		tn_log(TN_LOG_NOTICE, "daemon", "settings and policy were read again");
}

/* Another daemon's file stays: it may have our place, if the folder was removed meanwhile. */
static void hide(const struct tn_daemon *d)
{
	if (tn_runtime_is_ours(&d->paths, d->lock_fd))
		(void)unlink(d->paths.discovery);
}

/* ST-006: what is left of a killed one is replaced; what is ours goes before the lock does. */
static void leave(struct tn_daemon *d)
{
	if (d->lock_fd < 0)
		return;
	hide(d);
	if (tn_runtime_is_ours(&d->paths, d->lock_fd))
		(void)unlink(d->paths.lock);
	(void)close(d->lock_fd);
	d->lock_fd = -1;
}

static enum tenon_code serve(struct tn_daemon *d, struct options *o, struct tenon_error *err)
{
	struct tn_timer *healthy = NULL, *place = NULL;
	enum tenon_code code = tn_timer_open(d->server->loop, is_healthy, d, &healthy, err);

	if (code == TENON_OK)
		code = tn_timer_open(d->server->loop, tn_daemon_keep_place, d, &place, err);
	if (code != TENON_OK) {
		tn_timer_close(healthy);
		return code;
	}
	tn_timer_start(healthy, TN_RESTART_HEALTHY_MS);
	tn_timer_start(place, TN_RUNTIME_LOOK_MS);
	d->server->on_reload = reload;
	d->server->on_reload_data = d;
	tn_log(TN_LOG_NOTICE, "daemon", "tenond " TENON_VERSION " listens on %s", d->found.url);
	/* Hosts may be pointed to it; nobody needs it to be served. */
	if (tn_manifest_write(d->config_folder, NULL, err) != TENON_OK)
		tn_log(TN_LOG_WARNING, "daemon", "mcp.json is not written: %s", err->message);
	tell_starter(o, "ready");
	tell_systemd("READY=1");
	code = tenon_server_run(d->server, err);
	tell_systemd("STOPPING=1");
	tn_timer_close(healthy);
	tn_timer_close(place);
	return code;
}

static enum tenon_code run(struct tn_daemon *d, struct options *o, struct tenon_error *err)
{
	enum tenon_code code = take_place(d, o, err);

	if (code == TENON_OK)
		code = open_server(d, err);
	if (code == TENON_OK)
		code = tn_daemon_open_parts(d, o->policy, err);
	if (code == TENON_OK)
		code = tn_daemon_listen(d, err);
	if (code == TENON_OK)
		code = serve(d, o, err);
	return code;
}

static void close_daemon(struct tn_daemon *d)
{
	hide(d); /* nobody is to find what ends now */
	tn_daemon_close_parts(d);
	tenon_server_destroy(d->server);
	tn_proof_close(d->proof);
	tn_callers_close(d->callers); /* its listeners have gone */
	tn_log(TN_LOG_NOTICE, "daemon", "tenond has ended");
	leave(d);
	tn_log_close();
	tn_config_free(d->config);
}

int tn_daemon_main(int argc, char **argv)
{
	struct options o = {.ready_fd = -1};
	struct tn_daemon d = {.lock_fd = -1};
	struct tenon_error err;
	enum tenon_code code;
	int status;

	if (argc > 0 && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0)) {
		(void)fputs(usage, stdout);
		return 0;
	}
	status = parse(&o, argc, argv);
	if (status)
		return status;
	(void)umask(077);
	(void)setrlimit(RLIMIT_CORE, &(struct rlimit){0}); /* both tokens would be in it */
	code = run(&d, &o, &err);
	if (code != TENON_OK) {
		status = fail(&o, &err);
		if (d.lock_fd >= 0)
			tn_log(TN_LOG_ERROR, "daemon", "%s", err.message);
	}
	if (d.lock_fd < 0) { /* another daemon's files are not ours to remove */
		tn_config_free(d.config);
		return status;
	}
	close_daemon(&d);
	return status;
}
