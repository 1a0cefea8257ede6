#include "apps/terminal/pty/pty_kit.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loop/process_tree.h"
#include "base/clock.h"

static void look(struct kit *kit)
{
	if (kit->until && kit->until(kit, kit->until_data))
		tn_loop_stop(kit->loop);
}

static void readable(struct tn_pty *pty, int stream, void *data)
{
	struct kit_session *s = data;

	s->turns[stream]++;
	for (;;) {
		struct tn_str piece =
			tn_pty_peek(pty, stream, s->turn_max ? s->turn_max : SIZE_MAX);

		if (piece.size == 0)
			break;
		if (s->counts)
			s->counted[stream] += piece.size;
		else
			tn_buf_append_str(&s->out[stream], piece);
		assert_false(s->out[stream].failed);
		tn_pty_consume(pty, stream, piece.size);
		if (s->turn_max)
			break;
	}
	look(s->kit);
}

static void exited(struct tn_pty *pty, void *data)
{
	struct kit_session *s = data;

	assert_false(s->exited);
	s->exited = true;
	s->head_at_exit = tn_pty_head(pty, TN_PTY_OUT);
	assert_true(tn_pty_has_exited(pty, &s->status));
	look(s->kit);
}

static void lost(struct tn_pty *pty, void *data)
{
	struct kit_session *s = data;

	(void)pty;
	assert_false(s->lost);
	s->lost = true;
	look(s->kit);
}

static void closed(struct tn_pty *pty, const pid_t *killed, unsigned count, void *data)
{
	struct kit_session *s = data;

	(void)pty;
	assert_false(s->closed);
	s->closed = true;
	for (unsigned i = 0; i < count && i < 64; i++)
		s->killed[s->killed_count++] = killed[i];
	look(s->kit);
}

static const struct tn_pty_events events = {readable, exited, lost, closed};

static struct kit_session *add(struct kit *kit)
{
	struct kit_session *s = &kit->sessions[kit->count++];

	assert_true(kit->count <= KIT_SESSIONS);
	*s = (struct kit_session){.kit = kit};
	for (int i = 0; i < TN_PTY_STREAMS; i++)
		tn_buf_init(&s->out[i], 64 * TN_MIB);
	return s;
}

static void *found(struct tn_pty *pty, const char *key, void *data)
{
	struct kit *kit = data;
	struct kit_session *s = add(kit);

	(void)snprintf(kit->found_keys[kit->found_count++ % 8], TN_PTY_KEY_SIZE, "%s", key);
	s->pty = pty;
	return s;
}

static void started(pid_t pid, void *data)
{
	struct kit *kit = data;

	kit->host_pid = pid;
}

static void late(struct tn_timer *timer, void *data)
{
	struct kit *kit = data;

	(void)timer;
	kit->is_late = true;
	tn_loop_stop(kit->loop);
}

void kit_open(struct kit *kit, const char *socket_path, uint32_t grace_ms)
{
	struct tn_pty_host_options options = {.socket_path = socket_path,
					      .grace_ms = grace_ms,
					      .events = &events,
					      .found = found,
					      .started = started,
					      .data = kit};

	*kit = (struct kit){0};
	assert_int_equal(tn_loop_create(&kit->loop, NULL), TENON_OK);
	assert_int_equal(tn_timer_open(kit->loop, late, kit, &kit->timer, NULL), TENON_OK);
	assert_int_equal(tn_pty_host_open(kit->loop, &options, &kit->host, NULL), TENON_OK);
}

void kit_close(struct kit *kit, bool keep)
{
	tn_pty_host_close(kit->host, keep);
	for (unsigned i = 0; i < kit->count; i++) {
		tn_pty_close(kit->sessions[i].pty);
		for (int j = 0; j < TN_PTY_STREAMS; j++)
			tn_buf_finish(&kit->sessions[i].out[j]);
	}
	tn_timer_close(kit->timer);
	tn_loop_destroy(kit->loop);
}

struct kit_session *kit_spawn(struct kit *kit, struct tn_pty_spawn *spawn)
{
	static const char *const env[] = {"PATH=/usr/local/bin:/usr/bin:/bin",
					  "TERM=xterm-256color", "HOME=/tmp", "LANG=C.UTF-8", NULL};
	struct kit_session *s = add(kit);
	struct tenon_error err = {0};
	char key[TN_PTY_KEY_SIZE];

	(void)snprintf(key, sizeof(key), "ses_test_%u", kit->count);
	spawn->key = spawn->key ? spawn->key : key;
	spawn->env = spawn->env ? spawn->env : env;
	spawn->cwd = spawn->cwd ? spawn->cwd : "/";
	spawn->columns = spawn->columns ? spawn->columns : 80;
	spawn->rows = spawn->rows ? spawn->rows : 24;
	spawn->data = s;
	if (tn_pty_spawn(kit->host, spawn, &s->pty, &err) != TENON_OK)
		fail_msg("%s", err.message);
	return s;
}

struct kit_session *kit_script(struct kit *kit, const char *script)
{
	const char *argv[] = {"/bin/sh", "-c", script, NULL};
	struct tn_pty_spawn spawn = {.argv = argv, .stdin_fd = -1};

	return kit_spawn(kit, &spawn);
}

void kit_until(struct kit *kit, bool (*done)(struct kit *kit, void *data), void *data)
{
	kit->until = done;
	kit->until_data = data;
	tn_timer_start(kit->timer, KIT_WAIT_MS);
	while (!done(kit, data) && !kit->is_late)
		tn_loop_run(kit->loop);
	kit->until = NULL;
	assert_false(kit->is_late);
	tn_timer_stop(kit->timer);
}

void kit_wait_ms(struct kit *kit, unsigned ms)
{
	kit->until = NULL;
	tn_timer_start(kit->timer, ms);
	tn_loop_run(kit->loop);
	assert_true(kit->is_late);
	kit->is_late = false;
}

static bool has_exited(struct kit *kit, void *data)
{
	(void)kit;
	return ((struct kit_session *)data)->exited;
}

static bool has_ended(struct kit *kit, void *data)
{
	struct kit_session *s = data;

	(void)kit;
	return s->exited && tn_pty_ended(s->pty, TN_PTY_OUT) && tn_pty_ended(s->pty, TN_PTY_ERR);
}

static bool has_closed(struct kit *kit, void *data)
{
	(void)kit;
	return ((struct kit_session *)data)->closed;
}

static bool is_lost(struct kit *kit, void *data)
{
	(void)kit;
	return ((struct kit_session *)data)->lost;
}

void kit_until_exited(struct kit_session *session)
{
	kit_until(session->kit, has_exited, session);
}

void kit_until_ended(struct kit_session *session)
{
	kit_until(session->kit, has_ended, session);
}

void kit_until_closed(struct kit_session *session)
{
	kit_until(session->kit, has_closed, session);
}

void kit_until_lost(struct kit_session *session)
{
	kit_until(session->kit, is_lost, session);
}

bool kit_has(const struct kit_session *session, const char *text)
{
	return tn_str_find(tn_buf_str(&session->out[TN_PTY_OUT]), tn_str_from(text)) != TN_STR_NONE;
}

struct wanted {
	const struct kit_session *session;
	const char *text;
};

static bool has_text(struct kit *kit, void *data)
{
	const struct wanted *wanted = data;

	(void)kit;
	return kit_has(wanted->session, wanted->text);
}

void kit_until_text(struct kit_session *session, const char *text)
{
	struct wanted wanted = {session, text};

	kit_until(session->kit, has_text, &wanted);
}

void kit_type(struct kit_session *session, const char *text)
{
	assert_int_equal(tn_pty_write(session->pty, tn_str_from(text), NULL), TENON_OK);
}

bool kit_is_alive(pid_t pid)
{
	struct tn_proc_stat process;

	return tn_proc_stat_read(pid, &process) && process.state != 'Z';
}

pid_t kit_number(const struct kit_session *session, const char *word)
{
	const struct tn_buf *out = &session->out[TN_PTY_OUT];
	size_t at = tn_str_find(tn_buf_str(out), tn_str_from(word));
	long number = 0;

	assert_true(at != TN_STR_NONE);
	for (at += strlen(word); at < out->size && tn_is_digit(out->data[at]); at++)
		number = number * 10 + (out->data[at] - '0');
	assert_true(number > 0);
	return (pid_t)number;
}

void kit_until_gone(pid_t pid)
{
	for (int i = 0; i < KIT_WAIT_MS / 5 && kit_is_alive(pid); i++)
		(void)poll(NULL, 0, 5);
	assert_false(kit_is_alive(pid));
}

int kit_print_flood(size_t size)
{
	char line[64];

	for (size_t at = 0; at < size; at += 16) {
		int length = snprintf(line, sizeof(line), "%015zx ", at);

		if (write(STDOUT_FILENO, line, (size_t)length) != length)
			return 1;
	}
	return 0;
}

/* ---- a household ---- */

/* A shell that has started what is hard to end: a child, a background job that ignores hang-ups and
 * terminations, and a daemon of two forks with a session of its own. */
const char kit_household[] =
	"sleep 1000 & echo job=$!.\n"
	"sh -c 'trap \"\" HUP TERM; echo stubborn=$$.; while :; do sleep 0.1; done' &\n"
	"setsid sh -c '(trap \"\" HUP; echo daemon=$(exec sh -c \"echo \\$PPID\").;"
	" exec sleep 1000) </dev/null &' \n"
	"kill -STOP $! 2>/dev/null; kill -CONT $!\n"
	"sh -c 'echo stopped=$$.; kill -STOP $$; sleep 1000' &\n"
	"echo all up; wait";

const char *const kit_members[KIT_MEMBERS] = {"job=", "stubborn=", "daemon=", "stopped="};

/* Each has said its whole number: on a busy machine not at once. */
static bool is_all_up(struct kit *kit, void *data)
{
	const struct kit_session *s = data;
	struct tn_str said = tn_buf_str(&s->out[TN_PTY_OUT]);

	(void)kit;
	for (int i = 0; i < KIT_MEMBERS; i++) {
		size_t at = tn_str_find(said, tn_str_from(kit_members[i]));

		if (at == TN_STR_NONE ||
		    tn_str_find_byte(tn_str_from_offset(said, at), '.') == TN_STR_NONE)
			return false;
	}
	return true;
}

void kit_until_household(struct kit_session *s, pid_t pids[KIT_MEMBERS])
{
	kit_until_text(s, "all up");
	kit_until(s->kit, is_all_up, s);
	for (int i = 0; i < KIT_MEMBERS; i++) {
		pids[i] = kit_number(s, kit_members[i]);
		assert_true(kit_is_alive(pids[i]));
	}
}

struct kit_session *kit_start_household(struct kit *kit, pid_t pids[KIT_MEMBERS])
{
	struct kit_session *s = kit_script(kit, kit_household);

	kit_until_household(s, pids);
	return s;
}

void kit_check_gone(const pid_t pids[KIT_MEMBERS])
{
	for (int i = 0; i < KIT_MEMBERS; i++)
		kit_until_gone(pids[i]);
}

pid_t kit_parent_of(pid_t pid)
{
	struct tn_proc_stat process;

	assert_true(tn_proc_stat_read(pid, &process));
	return process.parent;
}

uint64_t kit_now_ms(void)
{
	return tn_clock_now_ms(&tn_clock_system);
}
