/* tenon down: ends the daemon in order, and returns when it has gone. */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/size.h"
#include "cli/shared/run.h"
#include "host/settings/runtime.h"

enum { PATIENCE_MS = 3 * TN_SHUTDOWN_GRACE_MS };

/* Nobody is ended because a number is written somewhere (ST-006): it must have the lock open. */
static bool has_lock_open(int64_t pid, const char *lock)
{
	char folder[64], path[128];
	const struct dirent *entry;
	struct stat wanted, opened;
	bool found = false;
	DIR *fds;

	(void)snprintf(folder, sizeof(folder), "/proc/%lld/fd", (long long)pid);
	fds = opendir(folder);
	/* By what it is, not by its name: the runtime folder may be reached by another path. */
	while (fds && stat(lock, &wanted) == 0 && !found && (entry = readdir(fds)) != NULL) {
		(void)snprintf(path, sizeof(path), "%s/%.32s", folder, entry->d_name);
		found = stat(path, &opened) == 0 && opened.st_ino == wanted.st_ino &&
			opened.st_dev == wanted.st_dev;
	}
	if (fds)
		(void)closedir(fds);
	return found;
}

/* The daemon hides what it has open from its own user (privacy.h). Then the kernel says who listens
 * at the person's door, in a folder that is the user's alone. */
static bool keeps_door(int64_t pid, const char *door)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct ucred peer = {0};
	socklen_t size = sizeof(peer);
	bool found = false;
	int fd;

	if (strlen(door) >= sizeof(address.sun_path))
		return false;
	memcpy(address.sun_path, door, strlen(door) + 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return false;
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
	    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0)
		found = peer.pid == pid && peer.uid == geteuid();
	(void)close(fd); /* nothing was said */
	return found;
}

/* `process` is a descriptor of the kernel's: it means this process and no later one of the number.
 */
static int end_process(const struct tn_cli *cli, int process, int64_t pid, int number)
{
	struct pollfd ended = {.fd = process, .events = POLLIN};
	int ready;

	if (syscall(SYS_pidfd_send_signal, process, number, NULL, 0) != 0 && errno != ESRCH)
		return tn_cli_fail(cli, TN_EXIT_UNREACHABLE, "SYSTEM", false, "kill: %s",
				   strerror(errno));
	do
		ready = poll(&ended, 1, PATIENCE_MS);
	while (ready < 0 && errno == EINTR);
	if (ready > 0)
		return TN_EXIT_OK;
	return tn_cli_fail(cli, TN_EXIT_UNREACHABLE, "TIMEOUT", true,
			   "the daemon (pid %lld) does not end; see tenon logs", (long long)pid);
}

/* The process that the discovery file names, when it is the daemon. */
static int end_daemon(const struct tn_cli *cli, const struct tn_runtime_paths *paths, int64_t pid,
		      int number)
{
	int process = (int)syscall(SYS_pidfd_open, (pid_t)pid, 0); /* close on exec by itself */
	int code;

	if (process < 0 && errno == ESRCH)
		return TN_EXIT_OK;
	if (process < 0)
		return tn_cli_fail(cli, TN_EXIT_UNREACHABLE, "SYSTEM", false, "pidfd_open: %s",
				   strerror(errno));
	if (has_lock_open(pid, paths->lock) || keeps_door(pid, paths->person))
		code = end_process(cli, process, pid, number);
	else
		code = tn_cli_fail(cli, TN_EXIT_UNREACHABLE, "NOT_OURS", false,
				   "process %lld does not hold %s; it is left alone",
				   (long long)pid, paths->lock);
	(void)close(process);
	return code;
}

int tn_cli_down(int argc, char **argv)
{
	struct tn_cli cli = {.verb = "down"};
	bool keep_sessions = false;
	const struct tn_option list[] = {
		{.name = "keep-sessions",
		 .kind = TN_OPTION_FLAG,
		 .value = &keep_sessions,
		 .help = "terminals go on for 30 s, for the daemon that comes next (an upgrade)"},
		{.name = "json",
		 .kind = TN_OPTION_FLAG,
		 .value = &cli.json,
		 .help = "mistakes as one line of JSON"},
	};
	const struct tn_options options = {
		.usage = "tenon down [--keep-sessions] [--json]",
		.summary = "Ends the daemon: what is in flight is answered, documents are on disk. "
			   "Returns when it has\ngone; relays start another one when they are "
			   "asked something.",
		.options = list,
		.option_count = TN_COUNT(list),
	};
	struct tn_runtime_paths paths;
	struct tn_discovery found;
	struct tenon_error err;
	enum tenon_code code;
	size_t words;
	int exit;

	if (!tn_cli_begin(&cli, &options, argc, argv, &words, &exit))
		return exit;
	code = tn_runtime_find(&paths, false, &err);
	if (code == TENON_OK)
		code = tn_discovery_read(&paths, &found, &err);
	if (code == TENON_NOT_FOUND) {
		tn_cli_note(&cli, "no daemon runs");
		return TN_EXIT_OK;
	}
	if (code != TENON_OK)
		return tn_cli_fail_error(&cli, TN_EXIT_UNREACHABLE, NULL, &err);
	return end_daemon(&cli, &paths, found.pid, keep_sessions ? SIGUSR2 : SIGTERM);
}
