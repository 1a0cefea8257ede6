#include "host/person/socket_holder.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "host/limits.h"

enum { ANSWER_BYTES = 4096, PATH_BYTES = 96 };

/* ---- the kernel's name of a socket ---- */

struct question {
	struct nlmsghdr head;
	struct inet_diag_req_v2 request;
};

static uint16_t port_of(const struct sockaddr_storage *at)
{
	return at->ss_family == AF_INET6 ? ((const struct sockaddr_in6 *)at)->sin6_port
					 : ((const struct sockaddr_in *)at)->sin_port;
}

static void copy_address(const struct sockaddr_storage *at, __be32 out[4])
{
	if (at->ss_family == AF_INET6)
		memcpy(out, &((const struct sockaddr_in6 *)at)->sin6_addr, 16);
	else
		memcpy(out, &((const struct sockaddr_in *)at)->sin_addr, 4);
}

static void put_question(struct question *q, const struct tn_socket_ends *ends)
{
	*q = (struct question){
		.head = {.nlmsg_len = sizeof(*q),
			 .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			 .nlmsg_flags = NLM_F_REQUEST},
		.request = {.sdiag_family = (__u8)ends->there.ss_family,
			    .sdiag_protocol = IPPROTO_TCP,
			    .idiag_states = ~0U,
			    .id = {.idiag_sport = port_of(&ends->there),
				   .idiag_dport = port_of(&ends->here),
				   .idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}}}};
	copy_address(&ends->there, q->request.id.idiag_src);
	copy_address(&ends->here, q->request.id.idiag_dst);
}

/* False: it knows none, or cannot be asked. */
static bool ask_kernel(const struct tn_socket_ends *ends, uid_t *ret_uid, unsigned long *ret_inode)
{
	_Alignas(struct nlmsghdr) char answer[ANSWER_BYTES];
	const struct nlmsghdr *head = (const struct nlmsghdr *)answer;
	const struct inet_diag_msg *found = NLMSG_DATA(head);
	struct question q;
	ssize_t got = -1;
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);

	if (fd < 0)
		return false;
	put_question(&q, ends);
	if (send(fd, &q, sizeof(q), 0) == sizeof(q))
		got = recv(fd, answer, sizeof(answer), MSG_DONTWAIT); /* it has answered by then */
	(void)close(fd);                                              /* only asked */
	if (got < (ssize_t)NLMSG_LENGTH(sizeof(*found)) ||
	    head->nlmsg_type != SOCK_DIAG_BY_FAMILY ||
	    found->id.idiag_dport != port_of(&ends->here)) /* a listener at that port */
		return false;
	*ret_uid = (uid_t)found->idiag_uid;
	*ret_inode = found->idiag_inode;
	return true;
}

/* ---- the same from /proc/net, where the kernel does not answer ---- */

/* A line of /proc/net/tcp, proc(5): "sl local:port remote:port st tx:rx tr:when retrnsmt uid
 * timeout inode". Ports are enough: one of ours is not connected twice to the same. */
static bool read_table(const char *path, const struct tn_socket_ends *ends, uid_t *ret_uid,
		       unsigned long *ret_inode)
{
	unsigned port, remote_port, uid;
	unsigned long inode;
	char line[512];
	bool found = false;
	FILE *file = fopen(path, "re");

	while (file && !found && fgets(line, sizeof(line), file)) {
		if (sscanf(line, " %*[^:]: %*[^:]:%x %*[^:]:%x %*x %*[^ ] %*[^ ] %*x %u %*u %lu",
			   &port, &remote_port, &uid, &inode) != 4)
			continue; /* the heading */
		found = port == ntohs(port_of(&ends->there)) &&
			remote_port == ntohs(port_of(&ends->here));
	}
	if (file)
		(void)fclose(file); /* only read */
	if (found) {
		*ret_uid = (uid_t)uid;
		*ret_inode = inode;
	}
	return found;
}

/* An address that both ends have is this machine's, and so is loopback. */
static bool is_here(const struct tn_socket_ends *ends)
{
	__be32 here[4] = {0}, there[4] = {0};
	const struct in6_addr *six = (const struct in6_addr *)there;

	copy_address(&ends->here, here);
	copy_address(&ends->there, there);
	if (memcmp(here, there, sizeof(here)) == 0)
		return true;
	return ends->there.ss_family == AF_INET6 ? IN6_IS_ADDR_LOOPBACK(six)
						 : ntohl(there[0]) >> 24 == IN_LOOPBACKNET;
}

enum tn_socket_state tn_socket_look(const struct tn_socket_ends *ends, bool thorough,
				    uid_t *ret_uid, unsigned long *ret_inode)
{
	bool found = ask_kernel(ends, ret_uid, ret_inode);

	/* "None" is also what it says when it has no module for the question. */
	if (!found && thorough && is_here(ends))
		found = read_table("/proc/net/tcp", ends, ret_uid, ret_inode) ||
			read_table("/proc/net/tcp6", ends, ret_uid, ret_inode);
	if (found && *ret_inode) /* a socket that nobody has open has no number */
		return TN_SOCKET_OPEN;
	return found || is_here(ends) ? TN_SOCKET_CLOSED : TN_SOCKET_AWAY;
}

/* ---- who has it open ---- */

static bool grow(struct tn_holders *holders)
{
	size_t capacity = holders->capacity ? 2 * holders->capacity : 4;
	struct tn_process *grown =
		capacity <= TN_HOLDERS_MAX
			? tn_mem_resize(holders->processes, capacity * sizeof(*grown))
			: NULL;

	if (!grown)
		return false;
	holders->processes = grown;
	holders->capacity = capacity;
	return true;
}

static void add_holder(struct tn_holders *holders, pid_t pid)
{
	struct tn_process process;

	for (size_t i = 0; i < holders->count; i++) {
		if (holders->processes[i].pid == pid)
			return;
	}
	if (tn_process_read(pid, &process, NULL) != TENON_OK)
		return;
	if (holders->count < holders->capacity || grow(holders))
		holders->processes[holders->count++] = process;
	else
		holders->more = true;
}

void tn_holders_finish(struct tn_holders *holders)
{
	tn_mem_free(holders->processes);
	holders->processes = NULL;
	holders->count = holders->capacity = 0;
}

/* The sockets among these descriptors that are looked for. */
static void read_folder(const char *path, pid_t pid, struct tn_holders *list, size_t count)
{
	char target[64];
	const struct dirent *entry;
	DIR *folder = opendir(path);

	while (folder && (entry = readdir(folder)) != NULL) {
		ssize_t size = readlinkat(dirfd(folder), entry->d_name, target, sizeof(target) - 1);
		unsigned long inode;

		if (size <= 8 || memcmp(target, "socket:[", 8) != 0)
			continue;
		target[size] = '\0';
		inode = strtoul(target + 8, NULL, 10);
		for (size_t i = 0; i < count; i++) {
			if (list[i].inode && list[i].inode == inode)
				add_holder(&list[i], pid);
		}
	}
	if (folder)
		(void)closedir(folder); /* only read */
}

static void ask_process(pid_t pid, struct tn_holders *list, size_t count)
{
	char path[PATH_BYTES];

	(void)snprintf(path, sizeof(path), "/proc/%ld/fd", (long)pid);
	read_folder(path, pid, list, count);
}

/* A thread may have left the descriptors of its process, or outlive its first thread. */
static void ask_threads(pid_t pid, struct tn_holders *list, size_t count)
{
	char path[PATH_BYTES];
	const struct dirent *entry;
	DIR *folder;

	(void)snprintf(path, sizeof(path), "/proc/%ld/task", (long)pid);
	folder = opendir(path);
	while (folder && (entry = readdir(folder)) != NULL) {
		long thread = strtol(entry->d_name, NULL, 10);

		if (thread <= 0 || thread == pid)
			continue;
		(void)snprintf(path, sizeof(path), "/proc/%ld/task/%ld/fd", (long)pid, thread);
		read_folder(path, pid, list, count);
	}
	if (folder)
		(void)closedir(folder); /* only read */
}

/* ---- all of them ---- */

struct search {
	const struct tn_holders_search *how;
	struct tn_holders *list;
	size_t count;
	uint64_t until_ms;
	pid_t *pids;
	size_t pid_count;
};

static bool is_over(const struct search *s)
{
	return atomic_load(s->how->cancelled) || tn_clock_now_ms(&tn_clock_system) > s->until_ms;
}

static bool is_missing(const struct search *s)
{
	for (size_t i = 0; i < s->count; i++) {
		if (s->list[i].inode && !s->list[i].count)
			return true;
	}
	return false;
}

static int compare_down(const void *a, const void *b)
{
	pid_t one = *(const pid_t *)a, other = *(const pid_t *)b;

	return (one < other) - (one > other);
}

/* Our user's: others' descriptors are not shown. False: no memory, or no /proc. */
static bool list_processes(struct search *s)
{
	const struct dirent *entry;
	size_t capacity = 0;
	DIR *folder = opendir("/proc");

	while (folder && (entry = readdir(folder)) != NULL) {
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
		struct stat status;

		if (pid <= 0 || fstatat(dirfd(folder), entry->d_name, &status, 0) != 0 ||
		    status.st_uid != geteuid())
			continue;
		if (s->pid_count == capacity) {
			pid_t *grown =
				tn_mem_resize(s->pids, (2 * capacity + 256) * sizeof(*grown));

			if (!grown)
				break;
			s->pids = grown;
			capacity = 2 * capacity + 256;
		}
		s->pids[s->pid_count++] = pid;
	}
	if (folder)
		(void)closedir(folder); /* only read */
	if (s->pid_count)
		qsort(s->pids, s->pid_count, sizeof(*s->pids), compare_down);
	return s->pid_count > 0;
}

/* False: time is up. */
static bool ask_each(struct search *s, const pid_t *pids, size_t pid_count,
		     void (*ask)(pid_t pid, struct tn_holders *list, size_t count))
{
	for (size_t i = 0; i < pid_count && (s->how->all || is_missing(s)); i++) {
		if (is_over(s))
			return false;
		ask(pids[i], s->list, s->count);
	}
	return true;
}

static void ask_ancestors(struct tn_holders *holders)
{
	struct tn_ancestry ancestry;

	if (!holders->count ||
	    tn_ancestry_read(holders->processes[0].pid, &ancestry, NULL) != TENON_OK)
		return;
	for (size_t i = 1; i < ancestry.count; i++)
		ask_process(ancestry.chain[i].pid, holders, 1);
}

bool tn_holders_find(struct tn_holders *list, size_t count, const struct tn_holders_search *how)
{
	struct search s = {.how = how,
			   .list = list,
			   .count = count,
			   .until_ms = tn_clock_now_ms(&tn_clock_system) + how->patience_ms};
	bool done = ask_each(&s, how->known, how->known_count, ask_process);

	for (size_t i = 0; i < count; i++)
		list[i].known = list[i].count > 0;
	done = done && ask_each(&s, how->likely, how->likely_count, ask_process);

	if (done && (how->all || is_missing(&s)))
		done = list_processes(&s) && ask_each(&s, s.pids, s.pid_count, ask_process) &&
		       ask_each(&s, s.pids, s.pid_count, ask_threads);
	tn_mem_free(s.pids);
	for (size_t i = 0; i < count && !how->all; i++) {
		if (list[i].count && !list[i].known)
			ask_ancestors(&list[i]);
	}
	return done;
}
