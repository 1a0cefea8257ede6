/* The host of all sessions' PTYs: opened with the first of them, and what it tells. */
#include <stdio.h>

#include "apps/terminal/limits.h"
#include "apps/terminal/session/session.h"

static void readable(struct tn_pty *pty, int stream, void *data)
{
	struct tn_term_session *s = data;
	int status;

	tn_term_session_readable(s, stream);
	if (s->pipes && tn_pty_has_exited(pty, &status))
		tn_term_session_exited(s);
}

static void exited(struct tn_pty *pty, void *data)
{
	(void)pty;
	tn_term_session_exited(data);
}

static void lost(struct tn_pty *pty, void *data)
{
	(void)pty;
	tn_term_session_lost(data, "the process that kept it has ended");
}

static void closed(struct tn_pty *pty, const pid_t *killed, unsigned count, void *data)
{
	struct tn_term_session *s = data;
	struct tn_term *term = s->term;

	(void)pty;
	tn_term_session_closed(s, killed, count);
	/* Whoever closes many does not fill the memory until the next sweep. */
	if (term->session_count - term->open_count > TN_TERM_CLOSED_MAX)
		tn_timer_start(term->sweep, 0);
}

static const struct tn_pty_events events = {
	.readable = readable, .exited = exited, .lost = lost, .closed = closed};

static void *found(struct tn_pty *pty, const char *key, void *data)
{
	struct tn_term *term = data;
	struct tn_term_session *s = tn_journal_recover(term, pty, key);

	if (s && !tn_timer_active(term->sweep))
		tn_timer_start(term->sweep, TN_TERM_SWEEP_MS);
	return s;
}

static void host_started(pid_t pid, void *data)
{
	struct tn_term *term = data;

	if (term->options.host_started)
		term->options.host_started(pid, term->options.data);
}

enum tenon_code tn_term_host(struct tn_term *term, struct tenon_error *err)
{
	char path[PATH_MAX];
	struct tn_pty_host_options options = {
		.grace_ms = term->config->persist ? tn_settings_u32(&term->config->settings,
								    "terminal.host_grace_s") *
							    1000
						  : 0,
		.events = &events,
		.found = found,
		.started = host_started,
		.data = term};

	if (term->host)
		return TENON_OK;
	if (term->config->persist && term->config->runtime_folder) {
		(void)snprintf(path, sizeof(path), "%s/pty-host.sock",
			       term->config->runtime_folder);
		options.socket_path = path;
	}
	return tn_pty_host_open(term->options.loop, &options, &term->host, err);
}
