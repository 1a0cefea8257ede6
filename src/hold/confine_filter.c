/* The system calls that a confined program does not get, as a program for the kernel's filter. It
 * is short enough to be written by hand; a library for it would be one more dependency that is
 * linked into everything. */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/fscrypt.h>
#include <linux/fsverity.h>
#include <linux/netlink.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hold/confine.h"
#include "base/size.h"

#if defined(__x86_64__)
#define OUR_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCH AUDIT_ARCH_AARCH64
#else
#define OUR_ARCH 0 /* the filter refuses everything, and the probe says so */
#endif
#define OTHER_ABI 0x40000000U /* x32 */
#define NO_FCHMODAT2 452      /* fchmodat2: the same number everywhere, younger than our headers */
#define NO_XATTRAT 463        /* setxattrat and removexattrat (466) */
#define NO_OPEN_TREE_ATTR 467
#define NO_FILE_SETATTR 469                    /* FS_IOC_FSSETXATTR by path, since Linux 6.17 */
#define NEWEST 469                             /* what is younger was not looked at */
#define EXT4_IOC_SETVERSION _IOW('f', 4, long) /* ext4's own header is not installed */
#define EXT4_IOC32_SETVERSION _IOW('f', 4, int)
#define EXT4_IOC_MIGRATE _IO('f', 9)
#define BTRFS_TYPE 0x94U
#define BCACHEFS_TYPE 0xBCU
#define NEW_NAMESPACES                                                                 \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | \
	 CLONE_NEWPID | CLONE_NEWNET)

enum { INSTRUCTIONS_MAX = 1024 };

struct program {
	struct sock_filter code[INSTRUCTIONS_MAX];
	unsigned short size;
};

static void put(struct program *p, uint16_t code, uint8_t when, uint8_t otherwise, uint32_t k)
{
	if (p->size < INSTRUCTIONS_MAX)
		p->code[p->size++] = (struct sock_filter){code, when, otherwise, k};
}

static void load(struct program *p, size_t offset)
{
	put(p, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset);
}

/* The low half: what the kernel takes of an int. */
static void load_argument(struct program *p, unsigned number)
{
	load(p, offsetof(struct seccomp_data, args) + number * sizeof(uint64_t));
}

static void answer(struct program *p, uint32_t with)
{
	put(p, BPF_RET | BPF_K, 0, 0, with);
}

static uint32_t refuse(int number)
{
	return SECCOMP_RET_ERRNO | (uint32_t)number;
}

/* If what was loaded is `value`: this answer. */
static void on(struct program *p, uint32_t value, uint32_t with)
{
	put(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value);
	answer(p, with);
}

static void on_any_bit(struct program *p, uint32_t bits, uint32_t with)
{
	put(p, BPF_JMP | BPF_JSET | BPF_K, 0, 1, bits);
	answer(p, with);
}

static void on_each(struct program *p, const int *numbers, size_t count, uint32_t with)
{
	for (size_t i = 0; i < count; i++)
		on(p, (uint32_t)numbers[i], with);
}

/* What follows until end_of_call is about this system call alone, and ends with leave. */
static unsigned short begin_call(struct program *p, int number)
{
	put(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, (uint32_t)number);
	return (unsigned short)(p->size - 1);
}

static void end_call(struct program *p, unsigned short at)
{
	answer(p, SECCOMP_RET_ALLOW);
	p->code[at].jf = (uint8_t)(p->size - at - 1);
}

/* ---- what nobody needs for work ---- */

static const int never[] = {
	SYS_acct,
	SYS_add_key,
	SYS_adjtimex,
	SYS_bpf,
	SYS_chroot,
	SYS_clock_adjtime,
	SYS_clock_settime,
	SYS_delete_module,
	SYS_fanotify_init,
	SYS_finit_module,
	SYS_fsconfig,
	SYS_fsmount,
	SYS_fsopen,
	SYS_fspick,
	SYS_init_module,
	SYS_kexec_load,
	SYS_keyctl,
	SYS_lookup_dcookie,
	SYS_mount,
	SYS_mount_setattr,
	SYS_move_mount,
	SYS_open_by_handle_at,
	SYS_open_tree,
	NO_OPEN_TREE_ATTR,
	SYS_perf_event_open,
	SYS_pivot_root,
	SYS_process_madvise,
	SYS_process_mrelease,
	SYS_quotactl,
	SYS_quotactl_fd,
	SYS_reboot,
	SYS_request_key,
	SYS_setdomainname,
	SYS_sethostname,
	SYS_setns,
	SYS_settimeofday,
	SYS_swapoff,
	SYS_swapon,
	SYS_syslog,
	SYS_umount2,
	SYS_userfaultfd,
	SYS_vhangup,
#ifdef SYS_kexec_file_load
	SYS_kexec_file_load,
#endif
#ifdef SYS_ioperm
	SYS_ioperm,
	SYS_iopl,
#endif
};

/* Programs have another way when these are not there. io_uring would do what the filter refuses. */
static const int absent[] = {SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
			     SYS_clone3, NO_FILE_SETATTR};

/* No file system of ours, as far as anybody can tell: copies go on without them. */
static const int unsupported[] = {SYS_setxattr,    SYS_lsetxattr,    SYS_fsetxattr,
				  SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
				  NO_XATTRAT,      NO_XATTRAT + 3};

/* ---- what the watcher decides ---- */

static const int watched[] = {
	SYS_connect,   SYS_fchmod, SYS_fchmodat, NO_FCHMODAT2, SYS_fchownat, SYS_fchown,
	SYS_utimensat,
#ifdef SYS_chmod
	SYS_chmod,     SYS_chown,  SYS_lchown,   SYS_utime,    SYS_utimes,   SYS_futimesat,
#endif
};

static const int watched_signals[] = {SYS_kill,
				      SYS_tkill,
				      SYS_tgkill,
				      SYS_rt_sigqueueinfo,
				      SYS_rt_tgsigqueueinfo,
				      SYS_pidfd_send_signal};

/* Priorities, processors and limits of the process that is named first; 0: of who calls. */
static const int watched_of[] = {SYS_prlimit64, SYS_sched_setaffinity, SYS_sched_setscheduler,
				 SYS_sched_setparam, SYS_sched_setattr};

/* ---- what depends on its arguments ---- */

static void put_sockets(struct program *p, bool network)
{
	unsigned short at = begin_call(p, SYS_socket);

	load_argument(p, 0);
	if (network) {
		on(p, AF_INET, SECCOMP_RET_ALLOW);
		on(p, AF_INET6, SECCOMP_RET_ALLOW);
	}
	put(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, AF_NETLINK); /* which addresses are there */
	load_argument(p, 2);
	on(p, NETLINK_ROUTE, SECCOMP_RET_ALLOW);
	answer(p, refuse(EACCES));
	put(p, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, AF_UNIX);
	answer(p, refuse(EACCES));
	/* Each datagram may have another address, which no filter sees. */
	load_argument(p, 1);
	put(p, BPF_ALU | BPF_AND | BPF_K, 0, 0, 0xF);
	on(p, SOCK_DGRAM, refuse(EACCES));
	on(p, SOCK_RAW, refuse(EACCES)); /* is one of datagrams */
	end_call(p, at);

	load(p, offsetof(struct seccomp_data, nr));
	at = begin_call(p, SYS_socketpair);
	load_argument(p, 1);
	put(p, BPF_ALU | BPF_AND | BPF_K, 0, 0, 0xF);
	on(p, SOCK_DGRAM, refuse(EACCES));
	on(p, SOCK_RAW, refuse(EACCES));
	end_call(p, at);
}

static void put_namespaces(struct program *p)
{
	unsigned short at;

	load(p, offsetof(struct seccomp_data, nr));
	at = begin_call(p, SYS_clone);
	load_argument(p, 0);
	on_any_bit(p, NEW_NAMESPACES, refuse(EPERM));
	end_call(p, at);
	load(p, offsetof(struct seccomp_data, nr));
	at = begin_call(p, SYS_unshare);
	load_argument(p, 0);
	on_any_bit(p, NEW_NAMESPACES | CLONE_NEWTIME, refuse(EPERM));
	end_call(p, at);
}

/* `kind`: of a name that is one process. */
static void put_priority(struct program *p, int number, uint32_t kind)
{
	unsigned short at;

	load(p, offsetof(struct seccomp_data, nr));
	at = begin_call(p, number);
	load_argument(p, 0);
	put(p, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, kind);
	answer(p, SECCOMP_RET_USER_NOTIF);
	load_argument(p, 1);
	on(p, 0, SECCOMP_RET_ALLOW);
	answer(p, SECCOMP_RET_USER_NOTIF);
	end_call(p, at);
}

/* Whose priority, processors, limits and memory it changes. */
static void put_others(struct program *p)
{
	static const int memory[] = {SYS_migrate_pages, SYS_move_pages};
	unsigned short at;

	for (size_t i = 0; i < TN_COUNT(watched_of) + TN_COUNT(memory); i++) {
		bool of_memory = i >= TN_COUNT(watched_of);

		load(p, offsetof(struct seccomp_data, nr));
		at = begin_call(p, of_memory ? memory[i - TN_COUNT(watched_of)] : watched_of[i]);
		load_argument(p, 0);
		on(p, 0, SECCOMP_RET_ALLOW);
		answer(p, of_memory ? refuse(EPERM) : SECCOMP_RET_USER_NOTIF);
		end_call(p, at);
	}
	put_priority(p, SYS_setpriority, PRIO_PROCESS);
	put_priority(p, SYS_ioprio_set, TN_CONFINE_IOPRIO_PROCESS);
}

/* What an owner may do to a file that is only open to read, or in a folder: Landlock is not asked.
 * Verity shuts a file for good; subvolumes come and go by the rights of the folder alone. */
static void put_file_controls(struct program *p)
{
	static const uint32_t heads[] = {FS_IOC_SETFLAGS,       FS_IOC32_SETFLAGS,
					 FS_IOC_FSSETXATTR,     FS_IOC_SETVERSION,
					 FS_IOC32_SETVERSION,   EXT4_IOC_SETVERSION,
					 EXT4_IOC32_SETVERSION, EXT4_IOC_MIGRATE,
					 FS_IOC_ENABLE_VERITY,  FS_IOC_SET_ENCRYPTION_POLICY};

	for (size_t i = 0; i < TN_COUNT(heads); i++)
		on(p, heads[i], refuse(EPERM));
	on(p, FICLONE,
	   SECCOMP_RET_ALLOW); /* no content changes by these that is not open to write */
	on(p, FICLONERANGE, SECCOMP_RET_ALLOW);
	on(p, FIDEDUPERANGE, SECCOMP_RET_ALLOW);
	put(p, BPF_ALU | BPF_AND | BPF_K, 0, 0, _IOC_TYPEMASK << _IOC_TYPESHIFT);
	on(p, BTRFS_TYPE << _IOC_TYPESHIFT, refuse(EPERM));
	on(p, BCACHEFS_TYPE << _IOC_TYPESHIFT, refuse(EPERM));
}

static void put_controls(struct program *p, int abi)
{
	unsigned short at;

	load(p, offsetof(struct seccomp_data, nr));
	at = begin_call(p, SYS_ioctl);
	load_argument(p, 1);
	on(p, TIOCSTI, refuse(EPERM));
	on(p, TIOCLINUX, refuse(EPERM));
	if (abi < TN_CONFINE_ABI_SCOPE) {
		on(p, FIOSETOWN, refuse(EPERM));
		on(p, SIOCSPGRP, refuse(EPERM));
	}
	put_file_controls(p);
	end_call(p, at);
	if (abi >= TN_CONFINE_ABI_SCOPE)
		return;
	/* A descriptor could send any signal to any process of the user. */
	load(p, offsetof(struct seccomp_data, nr));
	at = begin_call(p, SYS_fcntl);
	load_argument(p, 1);
	on(p, F_SETOWN, refuse(EPERM));
	on(p, F_SETOWN_EX, refuse(EPERM));
	on(p, F_SETSIG, refuse(EPERM));
	end_call(p, at);
}

/* ---- what is held ---- */

static const int held_calls[] = {
	SYS_openat2,   SYS_execve,   SYS_execveat, SYS_renameat2, SYS_unlinkat, SYS_linkat,
	SYS_symlinkat, SYS_fchmodat, NO_FCHMODAT2, SYS_fchmod,
#ifdef SYS_renameat
	SYS_renameat,
#endif
#ifdef SYS_creat
	SYS_creat,     SYS_rename,   SYS_unlink,   SYS_link,      SYS_symlink,  SYS_chmod,
#endif
};

/* What only names a file, or lists a folder, reads nothing. */
static void put_held_open(struct program *p, int number, unsigned flags_at)
{
	unsigned short at;

	load(p, offsetof(struct seccomp_data, nr));
	at = begin_call(p, number);
	load_argument(p, flags_at);
	on_any_bit(p, O_PATH | O_DIRECTORY, SECCOMP_RET_ALLOW);
	answer(p, SECCOMP_RET_USER_NOTIF);
	end_call(p, at);
}

/* Last of all: what it leaves to the watcher may be refused by what stands before. */
static void put_held(struct program *p)
{
	load(p, offsetof(struct seccomp_data, nr));
	on_each(p, held_calls, TN_COUNT(held_calls), SECCOMP_RET_USER_NOTIF);
	on(p, SYS_io_uring_setup, refuse(ENOSYS)); /* it would open unseen */
	put_held_open(p, SYS_openat, 2);
#ifdef SYS_open
	put_held_open(p, SYS_open, 1);
#endif
}

/* Before ABI 3 who opens to read and truncates writes nothing that Landlock would see. */
static void put_open(struct program *p, int number, unsigned flags_at, uint32_t otherwise)
{
	unsigned short at;

	load(p, offsetof(struct seccomp_data, nr));
	at = begin_call(p, number);
	load_argument(p, flags_at);
	put(p, BPF_JMP | BPF_JSET | BPF_K, 1, 0, O_TRUNC);
	answer(p, otherwise);
	put(p, BPF_ALU | BPF_AND | BPF_K, 0, 0, O_ACCMODE);
	on(p, O_RDONLY, refuse(EACCES));
	on(p, O_ACCMODE, refuse(EACCES));
	answer(p, otherwise);
	end_call(p, at);
}

static void put_truncation(struct program *p, bool holds)
{
	uint32_t otherwise = holds ? SECCOMP_RET_USER_NOTIF : SECCOMP_RET_ALLOW;

	put_open(p, SYS_openat, 2, otherwise);
#ifdef SYS_open
	put_open(p, SYS_open, 1, otherwise);
#endif
	load(p, offsetof(struct seccomp_data, nr));
	on(p, SYS_openat2, refuse(ENOSYS)); /* its flags are in memory */
	on(p, SYS_truncate, SECCOMP_RET_USER_NOTIF);
}

static void put_confinement(struct program *p, const struct tn_confine *confine)
{
	on_each(p, never, TN_COUNT(never), refuse(EPERM));
	on_each(p, absent, TN_COUNT(absent), refuse(ENOSYS));
	on_each(p, unsupported, TN_COUNT(unsupported), refuse(EOPNOTSUPP));
	on_each(p, watched, TN_COUNT(watched), SECCOMP_RET_USER_NOTIF);
	if (confine->abi < TN_CONFINE_ABI_SCOPE)
		on_each(p, watched_signals, TN_COUNT(watched_signals), SECCOMP_RET_USER_NOTIF);
	put_sockets(p, confine->network);
	put_namespaces(p);
	put_others(p);
	put_controls(p, confine->abi);
	if (confine->abi < TN_CONFINE_ABI_TRUNCATE)
		put_truncation(p, confine->holds);
}

static void put_all(struct program *p, const struct tn_confine *confine)
{
	load(p, offsetof(struct seccomp_data, arch));
	put(p, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, OUR_ARCH);
	answer(p, refuse(ENOSYS)); /* 32-bit programs: their calls have other numbers */
	load(p, offsetof(struct seccomp_data, nr));
	on_any_bit(p, OTHER_ABI, refuse(ENOSYS));
	put(p, BPF_JMP | BPF_JGT | BPF_K, 0, 1, NEWEST);
	answer(p, refuse(ENOSYS));
	if (!confine->only_holds)
		put_confinement(p, confine);
	if (confine->holds)
		put_held(p);
	answer(p, SECCOMP_RET_ALLOW);
}

static long install(struct sock_fprog *text)
{
	const unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
	/* Without it a signal would break a call off that has been carried out. Linux 5.19. */
	long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			  flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, text);

	if (fd < 0 && errno == EINVAL)
		fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, text);
	return fd;
}

int tn_confine_filter(const struct tn_confine *confine)
{
	struct program program = {.size = 0};
	struct sock_fprog text = {.filter = program.code};
	long fd;

	put_all(&program, confine);
	text.len = program.size;
	if (program.size == INSTRUCTIONS_MAX) {
		errno = E2BIG;
		return -1;
	}
	fd = install(&text);
	/* Who may not do it otherwise gives up new privileges for it; root need not. */
	if (fd < 0 && errno == EACCES && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
		fd = install(&text);
	return (int)fd;
}
