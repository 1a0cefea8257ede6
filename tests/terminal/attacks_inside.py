"""attacks_inside.py TARGETS.json - run inside a confined session: tries to get out by every way it knows, and prints
one JSON object, name of the attempt -> "held", or what it got. Knows nothing of how the sandbox is made."""
import ctypes
import errno
import fcntl
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading

with open(sys.argv[1], encoding="utf-8") as file:
    T = json.load(file)
libc = ctypes.CDLL(None, use_errno=True)
FOUND = {}
ARCH_X86 = os.uname().machine == "x86_64"


def call(number, *arguments):
    if libc.syscall(number, *arguments) < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def attempt(name, refused=(errno.EACCES, errno.EPERM, errno.EXDEV, errno.ENOSYS, errno.EROFS)):
    def run(function):
        try:
            got = function()
            FOUND[name] = "held" if got is None or got is False else f"ESCAPED: {got!r}"
        except OSError as problem:
            FOUND[name] = "held" if problem.errno in refused else f"unclear: {problem}"
        except subprocess.SubprocessError as problem:
            FOUND[name] = f"unclear: {problem}"
    return run


OUT, VICTIM = T["outside"], T["outside"] + "/file"
READ_ONLY = os.open(VICTIM, os.O_RDONLY)

# ---- writing ----
for flags, name in ((os.O_WRONLY, "to write"), (os.O_RDWR, "for both"), (os.O_WRONLY | os.O_TRUNC, "to replace"),
                    (os.O_RDONLY | os.O_TRUNC, "to read and truncate"), (3 | os.O_TRUNC, "for nothing and truncate"),
                    (os.O_WRONLY | os.O_APPEND, "to append")):
    attempt(f"open outside {name}")(lambda flags=flags: os.open(VICTIM, flags) >= 0)
attempt("create outside")(lambda: os.open(OUT + "/new", os.O_CREAT | os.O_WRONLY, 0o600) >= 0)
attempt("truncate outside by path")(lambda: os.truncate(VICTIM, 0) or True)
attempt("truncate by a descriptor to read", (errno.EINVAL, errno.EPERM, errno.EACCES, errno.EBADF))(
    lambda: os.ftruncate(READ_ONLY, 0) or True)
attempt("mkdir outside")(lambda: os.mkdir(OUT + "/folder") or True)
attempt("symlink outside")(lambda: os.symlink("/etc", OUT + "/link") or True)
attempt("fifo outside")(lambda: os.mkfifo(OUT + "/fifo") or True)
attempt("unlink outside")(lambda: os.unlink(VICTIM) or True)
attempt("rmdir outside")(lambda: os.rmdir(OUT + "/empty") or True)
attempt("rename outside")(lambda: os.rename(VICTIM, OUT + "/other") or True)
attempt("rename from outside into the root")(lambda: os.rename(VICTIM, "stolen") or True)
with open("mine", "w", encoding="ascii") as file:
    file.write("mine")
attempt("rename from the root over it")(lambda: os.rename("mine", VICTIM) or True)
attempt("exchange with one outside")(lambda: call(316 if ARCH_X86 else 276, -100, b"mine", -100, VICTIM.encode(), 2) or True)
attempt("hard link into the root")(lambda: os.link(VICTIM, "linked") or True)
attempt("hard link out of the root")(lambda: os.link("mine", OUT + "/mine") or True)
os.symlink(VICTIM, "way-out")
attempt("write through a symbolic link")(lambda: os.open("way-out", os.O_WRONLY) >= 0)
attempt("write through /proc/self/cwd/..")(lambda: os.open(f"/proc/self/cwd/../{os.path.basename(OUT)}/file", os.O_WRONLY) >= 0)
attempt("write through /proc/self/root")(lambda: os.open("/proc/self/root" + VICTIM, os.O_WRONLY) >= 0)
attempt("reopen a descriptor to write")(lambda: os.open(f"/proc/self/fd/{READ_ONLY}", os.O_RDWR) >= 0)
attempt("write by an O_PATH descriptor")(
    lambda: os.open(f"/proc/self/fd/{os.open(VICTIM, os.O_PATH)}", os.O_WRONLY) >= 0)
attempt("/etc")(lambda: os.open("/etc/tenon-was-here", os.O_CREAT | os.O_WRONLY) >= 0)
attempt("the usual /tmp")(lambda: os.open("/tmp/tenon-was-here", os.O_CREAT | os.O_WRONLY) >= 0)
attempt("home's start file")(lambda: os.open(os.path.expanduser("~/.bashrc"), os.O_CREAT | os.O_WRONLY) >= 0)
attempt("a folder on the user's PATH")(lambda: os.mkdir(os.path.expanduser("~/.local/bin/x")) or True,)
attempt("a disk", (errno.EACCES, errno.EPERM, errno.ENOENT))(
    lambda: [os.open(d, os.O_RDONLY) for d in ("/dev/vda", "/dev/sda", "/dev/mem", "/dev/kmsg") if os.path.exists(d)] or None)
attempt("make a device")(lambda: os.mknod("disk", 0o60600, os.makedev(254, 0)) or True)

# ---- what Landlock leaves to everybody ----
BEFORE = os.stat(VICTIM)
attempt("chmod outside")(lambda: os.chmod(VICTIM, 0o777) or True)
attempt("chmod through a link")(lambda: os.chmod("way-out", 0o777) or True)
attempt("chmod by a descriptor")(lambda: os.fchmod(READ_ONLY, 0o777) or True)
attempt("chmod by /proc/self/fd")(lambda: os.chmod(f"/proc/self/fd/{READ_ONLY}", 0o777) or True)
attempt("chmod by /proc/PID/fd")(lambda: os.chmod(f"/proc/{os.getpid()}/fd/{READ_ONLY}", 0o777) or True)
attempt("chmod relative to a folder")(lambda: os.chmod("file", 0o777, dir_fd=os.open(OUT, os.O_RDONLY)) or True)
attempt("fchmodat2 with an empty path")(lambda: call(452, READ_ONLY, b"", 0o777, 0x1000) or True)
attempt("chown outside")(lambda: os.chown(VICTIM, os.getuid(), os.getgid()) or True)
attempt("chown by a descriptor")(lambda: os.fchown(READ_ONLY, os.getuid(), os.getgid()) or True)
attempt("times outside")(lambda: os.utime(VICTIM, (1, 1)) or True)
attempt("times by a descriptor")(lambda: os.utime(READ_ONLY, (1, 1)) or True)
attempt("attribute outside", (errno.EACCES, errno.EPERM, errno.EOPNOTSUPP))(
    lambda: os.setxattr(VICTIM, "user.x", b"1") or True)
attempt("file flags outside", (errno.EPERM, errno.EACCES))(
    lambda: fcntl.ioctl(READ_ONLY, 0x40086602, struct.pack("l", 0x40)) or True)
for number, name in ((0x40087602, "its version"), (0x40086604, "its version, as ext4 has it"), (0x40806685, "verity, for good"),
                     (0x800C6613, "an encryption policy"), (0x5000940E, "a subvolume beside it")):
    attempt(name, (errno.EPERM,))(lambda number=number: fcntl.ioctl(READ_ONLY, number, bytearray(4096)) == 0)


def flags_by_path(path):
    """file_setattr(2), since Linux 6.17: no descriptor, and no ioctl."""
    call(468, -100, path.encode(), head := ctypes.create_string_buffer(24), 24, 0)
    call(469, -100, path.encode(), ctypes.create_string_buffer(bytes([head.raw[0] ^ 0x80]) + head.raw[1:24], 24), 24, 0)
    return True


attempt("file flags outside by path")(lambda: flags_by_path(VICTIM))
attempt("flags of the folder outside by path")(lambda: flags_by_path(OUT))
attempt("a system call that nobody has looked at yet", (errno.ENOSYS,))(lambda: call(470) or True)
if ARCH_X86:
    attempt("the old chmod")(lambda: call(90, VICTIM.encode(), 0o777) or True)
    attempt("the old utime")(lambda: call(132, VICTIM.encode(), None) or True)


def race():
    """The path is changed while whoever decides looks at it."""
    inside, outside = os.path.abspath("mine").encode(), VICTIM.encode()
    path = ctypes.create_string_buffer(max(len(inside), len(outside)) + 1)
    stop = threading.Event()

    def swap():
        while not stop.is_set():
            path.value = inside
            path.value = outside
    thread = threading.Thread(target=swap)
    thread.start()
    for _ in range(3000):
        libc.chmod(path, 0o640)
    stop.set()
    thread.join()
    return os.stat(VICTIM).st_mode != BEFORE.st_mode


attempt("chmod, with a path that changes meanwhile")(race)

# ---- reading ----
for path in T["secrets"]:
    attempt(f"read {os.path.basename(path)}")(lambda path=path: os.read(os.open(path, os.O_RDONLY), 10))
attempt("read a secret through a link made here")(
    lambda: os.symlink(T["secrets"][0], "peek") or os.read(os.open("peek", os.O_RDONLY), 10))
attempt("move a secret here")(lambda: os.rename(T["secrets"][0], "taken") or True)
attempt("link a secret here")(lambda: os.link(T["secrets"][0], "taken") or True)
attempt("the server's environment")(lambda: os.read(os.open(f"/proc/{T['server']}/environ", os.O_RDONLY), 10))
attempt("the server's memory")(lambda: os.open(f"/proc/{T['server']}/mem", os.O_RDWR) >= 0)
attempt("the victim's memory")(lambda: os.open(f"/proc/{T['victim']}/mem", os.O_RDWR) >= 0)
attempt("the victim's environment")(lambda: os.read(os.open(f"/proc/{T['victim']}/environ", os.O_RDONLY), 10))
attempt("the victim's descriptors")(lambda: os.readlink(f"/proc/{T['victim']}/fd/0"))
attempt("ptrace the victim")(lambda: call(101 if ARCH_X86 else 117, 16, T["victim"], 0, 0) or True)
attempt("its memory by process_vm_readv")(lambda: call(310 if ARCH_X86 else 270, T["victim"], 0, 0, 0, 0, 0) and True)
for parent in {os.getppid(), os.getsid(0)} | set(T["ours"]):
    with open(f"/proc/{parent}/comm", encoding="utf-8") as file:
        if file.read().strip() not in ("tenon-confine", "tenon-keeper", "tenon-pty-host", "tenond"):
            continue
    attempt(f"ptrace one of the server's: {parent}")(lambda parent=parent: call(101 if ARCH_X86 else 117, 16, parent, 0, 0) or True)
    attempt(f"memory of one of the server's: {parent}")(lambda parent=parent: os.open(f"/proc/{parent}/mem", os.O_RDWR) >= 0)
    attempt(f"a descriptor of one of the server's: {parent}")(
        lambda parent=parent: call(438, os.pidfd_open(parent), 3, 0) or True)


# ---- processes ----
def kill(pid, number=0):
    os.kill(pid, number)
    return True


attempt("signal the server")(lambda: kill(T["server"]))
attempt("signal the victim")(lambda: kill(T["victim"]))
attempt("kill the victim")(lambda: kill(T["victim"], signal.SIGKILL))
attempt("signal the victim's group")(lambda: os.killpg(T["victim"], 0) or True)
attempt("by a descriptor of it", (errno.EPERM, errno.EACCES))(
    lambda: signal.pidfd_send_signal(os.pidfd_open(T["victim"]), 0) or True)
attempt("by its thread")(lambda: call(234 if ARCH_X86 else 131, T["victim"], T["victim"], 0) or True)


def by_owner():
    reader, writer = os.pipe()
    fcntl.fcntl(reader, fcntl.F_SETOWN, T["victim"])
    fcntl.fcntl(reader, 10, signal.SIGUSR1)  # F_SETSIG
    fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    os.write(writer, b"x")
    # The test looks whether the victim lives.


attempt("a signal by the owner of a pipe")(by_owner)
attempt("its limits")(lambda: call(302 if ARCH_X86 else 261, T["victim"], 0, struct.pack("QQ", 1, 1), 0) or True)


# ---- what does not need a signal to harm ----
def to_unix(path, kind=socket.SOCK_STREAM):
    with socket.socket(socket.AF_UNIX, kind) as link:
        link.settimeout(3)
        link.connect(path)
        return True


NUMBERS = {  # x86-64, elsewhere
    "setpriority": (141, 140), "ioprio_set": (251, 30), "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118), "sched_setattr": (314, 274), "prlimit64": (302, 261), "migrate_pages": (256, 238),
    "move_pages": (279, 239), "process_vm_writev": (311, 271), "kcmp": (312, 272), "process_madvise": (440, 440),
    "process_mrelease": (448, 448), "pidfd_send_signal": (424, 424), "pidfd_getfd": (438, 438)}


def named(name, *arguments):
    return call(NUMBERS[name][0 if ARCH_X86 else 1], *arguments) or True


ONE = ctypes.create_string_buffer(struct.pack("Q", 1), 8)
IDLE = ctypes.create_string_buffer(struct.pack("i", 0), 4)
ATTRIBUTES = ctypes.create_string_buffer(struct.pack("IIQiIQQQ", 48, 5, 0, 0, 0, 0, 0, 0), 48)
LIMIT = ctypes.create_string_buffer(struct.pack("QQ", 1, 1), 16)
GONE = (errno.EACCES, errno.EPERM, errno.ENOSYS)
for whose in ("server", "victim"):
    pid = T[whose]
    attempt(f"the priority of the {whose}", GONE)(lambda pid=pid: named("setpriority", 0, pid, 19))
    attempt(f"the priority of the group of the {whose}", GONE)(lambda pid=pid: named("setpriority", 1, os.getpgid(pid), 19))
    attempt(f"the disk priority of the {whose}", GONE)(lambda pid=pid: named("ioprio_set", 1, pid, 3 << 13))
    attempt(f"the disk priority of the group of the {whose}", GONE)(lambda pid=pid: named("ioprio_set", 2, os.getpgid(pid), 3 << 13))
    attempt(f"the processors of the {whose}", GONE)(lambda pid=pid: named("sched_setaffinity", pid, 8, ONE))
    attempt(f"the scheduler of the {whose}", GONE)(lambda pid=pid: named("sched_setscheduler", pid, 5, IDLE))
    attempt(f"the scheduler's parameters of the {whose}", GONE)(lambda pid=pid: named("sched_setparam", pid, IDLE))
    attempt(f"the scheduler's attributes of the {whose}", GONE)(lambda pid=pid: named("sched_setattr", pid, ATTRIBUTES, 0))
    attempt(f"the limits of the {whose}", GONE)(lambda pid=pid: named("prlimit64", pid, 0, LIMIT, None))
    attempt(f"pages of the {whose} to another node", GONE)(lambda pid=pid: named("migrate_pages", pid, 8, ONE, ONE))
    attempt(f"single pages of the {whose}", GONE)(lambda pid=pid: named("move_pages", pid, 0, None, None, None, 0))
    attempt(f"memory of the {whose} by process_vm_writev", GONE)(lambda pid=pid: named("process_vm_writev", pid, 0, 0, 0, 0, 0) and None)
    attempt(f"kcmp with the {whose}", GONE)(lambda pid=pid: named("kcmp", os.getpid(), pid, 1, 0, 0))
    attempt(f"process_madvise on the {whose}", GONE)(lambda pid=pid: named("process_madvise", os.pidfd_open(pid), None, 0, 20, 0))
    attempt(f"process_mrelease of the {whose}", GONE)(lambda pid=pid: named("process_mrelease", os.pidfd_open(pid), 0))
    attempt(f"a signal to the {whose} by pidfd", GONE)(lambda pid=pid: named("pidfd_send_signal", os.pidfd_open(pid), 0, None, 0))
    attempt(f"a descriptor of the {whose} by pidfd", GONE)(lambda pid=pid: named("pidfd_getfd", os.pidfd_open(pid), 0, 0))
    for file in ("oom_score_adj", "coredump_filter", "timerslack_ns", "clear_refs", "comm", "autogroup", "attr/current", "sched"):
        attempt(f"write {file} of the {whose}", GONE + (errno.ENOENT,))(
            lambda pid=pid, file=file: os.write(os.open(f"/proc/{pid}/{file}", os.O_WRONLY), b"1") or True)
attempt("the priority of all processes of the user", GONE)(lambda: named("setpriority", 2, os.getuid(), 19))
attempt("the disk priority of all processes of the user", GONE)(lambda: named("ioprio_set", 3, os.getuid(), 3 << 13))
for name, path in (("X11", "\0/tmp/.X11-unix/X0"), ("D-Bus", "\0/tmp/dbus-x"), ("the server's", "\0tenon")):
    attempt(f"{name} without a name in files", GONE + (errno.ECONNREFUSED,))(lambda path=path: to_unix(path))


def own():
    """What a program does to itself, its threads and its children goes on."""
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    os.sched_setaffinity(os.getpid(), os.sched_getaffinity(0))
    os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0))
    os.setpriority(os.PRIO_PROCESS, os.getpid(), os.getpriority(os.PRIO_PROCESS, 0))
    thread = threading.Thread(target=lambda: os.sched_setaffinity(threading.get_native_id(), os.sched_getaffinity(0)))
    thread.start()
    thread.join()
    with subprocess.Popen(["sleep", "9"]) as child:
        os.setpriority(os.PRIO_PROCESS, child.pid, 10)
        os.sched_setaffinity(child.pid, os.sched_getaffinity(0))
        named("ioprio_set", 1, child.pid, 3 << 13)
        named("prlimit64", child.pid, 4, None, ctypes.create_string_buffer(16))
        child.kill()


attempt("of one's own all of it works", ())(own)


# ---- the network ----
def nonblocking(path):
    with socket.socket(socket.AF_UNIX) as link:
        link.setblocking(False)
        return link.connect_ex(path) == 0 or None


def datagram(link):
    link.sendto(b"escaped", T["datagram"])
    return True


attempt("the outer socket")(lambda: to_unix(T["socket"]))
attempt("the outer socket, not waiting")(lambda: nonblocking(T["socket"]))
attempt("the outer socket through a link")(lambda: os.symlink(T["socket"], "s") or to_unix("s"))
attempt("the outer socket by a relative path")(lambda: to_unix(os.path.relpath(T["socket"])))
attempt("the outer socket by /proc/self/cwd")(
    lambda: to_unix("/proc/self/cwd/" + os.path.relpath(T["socket"])))
attempt("datagrams to the outer socket")(lambda: datagram(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)))
attempt("datagrams of a pair")(lambda: datagram(socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0]))
attempt("a socket without a name in files", (errno.EACCES, errno.EPERM, errno.ECONNREFUSED))(
    lambda: to_unix("\0" + T["abstract"]))


def swapped_socket():
    """Another descriptor, or another path, while whoever decides looks."""
    got = []
    inside = os.path.abspath("inner").encode()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(inside)
    listener.listen(200)
    size = max(len(inside), len(T["socket"])) + 1
    address = ctypes.create_string_buffer(2 + size)
    address[:2] = struct.pack("H", socket.AF_UNIX)
    texts = [inside + b"\0" * (size - len(inside)), T["socket"].encode() + b"\0" * (size - len(T["socket"]))]
    stop = threading.Event()

    def swap():
        while not stop.is_set():
            for text in texts:
                ctypes.memmove(ctypes.addressof(address) + 2, text, size)
    thread = threading.Thread(target=swap)
    thread.start()
    listener.setblocking(False)
    for _ in range(400):
        link = socket.socket(socket.AF_UNIX)
        link.setblocking(False)
        if libc.connect(link.fileno(), address, len(address)) == 0:
            got.append(link.getpeername())
        link.close()
        try:
            listener.accept()
        except BlockingIOError:
            pass
    stop.set()
    thread.join()
    return any(str(name).endswith(T["socket"]) for name in got)


attempt("the outer socket, with an address that changes meanwhile")(swapped_socket)


def internet(kind):
    with socket.socket(socket.AF_INET, kind) as link:
        link.settimeout(3)
        if kind == socket.SOCK_DGRAM:
            link.sendto(b"escaped", ("127.0.0.1", T["udp"]))
        else:
            link.connect(("127.0.0.1", T["tcp"]))
        return True


if not T["network"]:
    attempt("TCP out")(lambda: internet(socket.SOCK_STREAM))
    attempt("UDP out")(lambda: internet(socket.SOCK_DGRAM))
    attempt("listen on TCP")(lambda: socket.create_server(("127.0.0.1", 0)) and True)
    attempt("IPv6")(lambda: socket.socket(socket.AF_INET6) and True)
else:
    FOUND["TCP to this machine works, as documented"] = "held" if internet(socket.SOCK_STREAM) else "broken"
attempt("raw packets", (errno.EACCES, errno.EPERM, errno.EAFNOSUPPORT))(
    lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW) and True)
attempt("other families", (errno.EACCES, errno.EPERM))(
    lambda: [socket.socket(family, socket.SOCK_STREAM) for family in (40, 38, 31)] and True)

# ---- the kernel ----
attempt("io_uring", (errno.ENOSYS, errno.EPERM))(lambda: call(425, 4, ctypes.create_string_buffer(120)) or True)
attempt("a user namespace")(lambda: call(272 if ARCH_X86 else 97, 0x10000000) or True)
attempt("a user namespace by clone")(
    lambda: call(56 if ARCH_X86 else 220, 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0) or os._exit(0))
attempt("clone3", (errno.ENOSYS,))(lambda: call(435, ctypes.create_string_buffer(88), 88) or True)
attempt("bpf")(lambda: call(321 if ARCH_X86 else 280, 5, 0, 0) or True)
attempt("userfaultfd")(lambda: call(323 if ARCH_X86 else 282, 0) or True)
attempt("perf_event_open")(lambda: call(298 if ARCH_X86 else 241, 0, 0, 0, 0, 0) or True)
attempt("keyctl")(lambda: call(250 if ARCH_X86 else 219, 0, -3, 0) or True)
attempt("mount")(lambda: call(165 if ARCH_X86 else 40, b"none", b"/tmp", b"tmpfs", 0, 0) or True)
attempt("setns", (errno.EPERM, errno.EACCES))(
    lambda: call(308 if ARCH_X86 else 268, os.open("/proc/self/ns/net", os.O_RDONLY), 0) or True)
attempt("chroot")(lambda: os.chroot(".") or True)
attempt("open by handle")(lambda: call(304 if ARCH_X86 else 265, -100, 0, 0) or True)
if ARCH_X86:
    attempt("calls of x32")(lambda: call(0x40000000 + 90, VICTIM.encode(), 0o777) or True)
attempt("type into the own terminal (TIOCSTI)")(
    lambda: fcntl.ioctl(os.open("/dev/tty", os.O_RDWR), 0x5412, b"x") or True)
attempt("TIOCSTI with high bits")(
    lambda: call(16 if ARCH_X86 else 29, os.open("/dev/tty", os.O_RDWR), 0x100005412, b"x") or True)
attempt("capabilities")(lambda: [l for l in open("/proc/self/status", encoding="ascii")
                                 if l.startswith(("CapEff", "CapPrm", "CapAmb")) and int(l.split()[1], 16)] or None)
attempt("new privileges")(lambda: "NoNewPrivs:\t1" not in open("/proc/self/status", encoding="ascii").read())
if os.path.exists("/usr/bin/su") and os.getuid():
    attempt("a setuid program")(lambda: "\t0\t" in subprocess.run(
        ["/usr/bin/su", "--version"], capture_output=True, check=False, encoding="utf-8").stdout)
# Descriptors 0 to 2 are the terminal or pipes; ours were opened above.
attempt("inherited descriptors")(lambda: [
    n for n in range(3, 64) if os.path.exists(f"/proc/self/fd/{n}")
    and not os.readlink(f"/proc/self/fd/{n}").startswith((OUT, T["work"], "/dev/", "/proc", "pipe:", "socket:", "anon_inode:[pidfd]", "net:"))] or None)
attempt("anything of Tenon's in the environment")(
    lambda: [n for n in os.environ if n in ("XDG_RUNTIME_DIR", "SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS")] or None)
if os.stat(VICTIM).st_mode != BEFORE.st_mode or os.stat(VICTIM).st_mtime_ns != BEFORE.st_mtime_ns:
    FOUND["the file outside is as it was"] = "ESCAPED"
print(json.dumps(FOUND))
