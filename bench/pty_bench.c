/* pty_bench.c - what a program prints on a PTY, read by us, beside a bare read loop.
 *
 *     pty_bench [--megabytes N] [--rounds N] [--spool FOLDER]
 *
 * The bare loop is forkpty and read() into one buffer. Ours is the whole road: host, keeper, ring,
 * loop, and the spool when a folder is given. The program is this one: it writes lines as fast as
 * the terminal takes them. Reference and ours in turn; medians, also of the ratio of each pair. */
#include <pty.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "apps/terminal/output/intake.h"
#include "base/mem.h"
#include "bench.h"

#define ROUNDS_MAX 101

enum { LINE_BYTES = 80, BLOCK_LINES = 800, READ_BYTES = 64 * 1024 };

static int print_lines(long megabytes)
{
	const size_t size = LINE_BYTES * BLOCK_LINES;
	char *block = bench_memory(size);

	for (int i = 0; i < BLOCK_LINES; i++) {
		memset(block + i * LINE_BYTES, 'a' + i % 26, LINE_BYTES - 1);
		block[(i + 1) * LINE_BYTES - 1] = '\n';
	}
	for (long left = megabytes * 1000000; left > 0; left -= (long)size)
		bench_write(STDOUT_FILENO, block, size);
	return 0;
}

struct result {
	uint64_t took_ns, bytes;
};

static struct result read_bare(char *const *argv)
{
	char *buffer = bench_memory(READ_BYTES);
	struct result result = {bench_now_ns(), 0};
	const struct winsize size = {.ws_row = 24, .ws_col = 80};
	int master;
	const pid_t pid = forkpty(&master, NULL, NULL, &size);
	ssize_t got;

	if (pid < 0)
		bench_die("no terminal");
	if (pid == 0) {
		(void)execv(argv[0], argv);
		_exit(127);
	}
	while ((got = read(master, buffer, READ_BYTES)) > 0)
		result.bytes += (uint64_t)got;
	(void)close(master);
	(void)waitpid(pid, NULL, 0);
	result.took_ns = bench_now_ns() - result.took_ns;
	return result;
}

struct ours {
	struct tn_loop *loop;
	struct tn_spool *spool; /* NULL: they are only consumed */
	struct result result;
};

static void count(struct tn_str bytes, void *data)
{
	struct ours *ours = data;

	ours->result.bytes += bytes.size;
}

/* A turn as sessions have it. */
static void readable(struct tn_pty *pty, int stream, void *data)
{
	struct ours *ours = data;
	const struct tn_intake intake = {.pty = pty,
					 .stream = stream,
					 .spool = ours->spool,
					 .clock = &tn_clock_system,
					 .take = count,
					 .data = ours};

	if (tn_intake_turn(&intake, NULL) != TENON_OK)
		bench_die("the spool refuses");
	if (tn_pty_ended(pty, stream))
		tn_loop_stop(ours->loop);
}

static const struct tn_pty_events events = {.readable = readable};

/* The host runs already, as it does when a session is not the first. */
static struct result read_ours(struct ours *ours, struct tn_pty_host *host, char *const *argv)
{
	static const char *const env[] = {"PATH=/usr/bin:/bin", NULL};
	const struct tn_pty_spawn spawn = {.key = "ses_bench",
					   .argv = (const char *const *)(uintptr_t)argv,
					   .env = env,
					   .cwd = "/",
					   .columns = 80,
					   .rows = 24,
					   .stdin_fd = -1,
					   .data = ours};
	struct tn_pty *pty;

	ours->result = (struct result){bench_now_ns(), 0};
	if (tn_pty_spawn(host, &spawn, &pty, NULL) != TENON_OK)
		bench_die("no terminal");
	tn_loop_run(ours->loop);
	ours->result.took_ns = bench_now_ns() - ours->result.took_ns;
	tn_pty_close(pty);
	return ours->result;
}

static void open_spool(struct ours *ours, const char *folder, struct tn_spool_budget *budget)
{
	struct tenon_error err = {0};

	if (!folder)
		return;
	if (tn_spool_open(folder, 128 * TN_MIB, budget, &ours->spool, &err) != TENON_OK)
		bench_die("no spool: %s", err.message);
}

static double rate(const struct result *result)
{
	return (double)result->bytes * 1e3 / (double)result->took_ns;
}

int main(int argc, char **argv)
{
	const char *folder = bench_option(argc, argv, "--spool", NULL);
	const long megabytes = bench_option_number(argc, argv, "--megabytes", 50);
	const long rounds = bench_option_number(argc, argv, "--rounds", 5);
	uint64_t *bare = bench_memory(ROUNDS_MAX * sizeof(*bare));
	uint64_t *mine = bench_memory(ROUNDS_MAX * sizeof(*mine));
	uint64_t *ratio = bench_memory(ROUNDS_MAX * sizeof(*ratio));
	char self[] = "/proc/self/exe", print[] = "--print", amount[24];
	char *command[] = {self, print, amount, NULL};
	struct tn_pty_host_options options = {.events = &events};
	struct tn_pty_host *host;
	struct ours ours = {0};

	if (argc > 1 && strcmp(argv[1], "--pty-host") == 0)
		return tn_pty_host_main(argc - 1, argv + 1);
	if (argc > 2 && strcmp(argv[1], "--print") == 0)
		return print_lines(bench_option_number(argc, argv, "--print", 1));
	if (rounds < 1 || rounds > ROUNDS_MAX)
		bench_die("--rounds is 1 to %d", ROUNDS_MAX);
	(void)snprintf(amount, sizeof(amount), "%ld", megabytes);
	if (tn_loop_create(&ours.loop, NULL) != TENON_OK ||
	    tn_pty_host_open(ours.loop, &options, &host, NULL) != TENON_OK)
		bench_die("no loop");
	(void)read_ours(&ours, host, command); /* warm */
	for (long i = 0; i < rounds; i++) {
		struct tn_spool_budget budget = {.bytes_max = 1024 * (uint64_t)TN_MIB};
		struct result result = read_bare(command);

		bare[i] = (uint64_t)(rate(&result) * 1e3);
		open_spool(&ours, folder, &budget);
		result = read_ours(&ours, host, command);
		mine[i] = (uint64_t)(rate(&result) * 1e3);
		ratio[i] = mine[i] * 1000 / bare[i];
		if (ours.spool)
			tn_spool_remove(ours.spool);
		ours.spool = NULL;
	}
	tn_pty_host_close(host, false);
	tn_loop_destroy(ours.loop);
	(void)printf("bare_mb_s=%.1f ours_mb_s=%.1f ratio=%.3f\n",
		     (double)bench_percentile(bare, (size_t)rounds, 0.5) / 1e3,
		     (double)bench_percentile(mine, (size_t)rounds, 0.5) / 1e3,
		     (double)bench_percentile(ratio, (size_t)rounds, 0.5) / 1e3);
	return 0;
}
