"""check.py - results of Python tests, in the file that tools/results.sh counts."""
import multiprocessing.connection
import os
import re
import sys
import time
import traceback

failures = 0


def result(passed, suite, name, why=""):
    global failures
    failures += 0 if passed else 1
    flat = re.sub(r"\s+", " ", str(why))[:400]
    path = os.environ.get("TENON_RESULTS")
    if path:
        with open(path, "a", encoding="utf-8") as file:
            print("passed" if passed else "failed", suite, name, "" if passed else flat, sep="\t",
                  file=file)
    if not passed:
        print(f"FAILED {suite}: {name}: {flat}", file=sys.stderr, flush=True)


def skipped(suite, name, why):
    """Not done here, and the reason; it is counted, and said."""
    path = os.environ.get("TENON_RESULTS")
    if path:
        with open(path, "a", encoding="utf-8") as file:
            print("skipped", suite, name, why, sep="\t", file=file)
    print(f"skipped {suite}: {name}: {why}", file=sys.stderr, flush=True)


class Step:
    """`with Step(suite, name): ...` - an exception, or a false `need`, is a failure with its text."""

    def __init__(self, suite, name):
        self.suite, self.name = suite, name

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is KeyboardInterrupt:
            return False
        why = "" if kind is None else f"{value or kind.__name__}"
        if kind is not None and not isinstance(value, AssertionError):
            why += " at " + ", ".join(f"line {frame.lineno}" for frame in traceback.extract_tb(trace))
        result(kind is None, self.suite, self.name, why)
        return True


def _end(pid):
    """Waits for a round of `beside`, and counts it when it went wrong."""
    global failures
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code < 0:
        result(False, "beside", "a round", f"it ended by signal {-code}")
    failures += code > 0


def beside(cases, lanes=3):
    """`for case in beside(cases):` - each round in a process of its own, some at once: for rounds that share nothing and
    mostly wait. What is done in a round stands in a Step."""
    global failures
    running = []
    for case in cases:
        if len(running) == lanes:
            ready = multiprocessing.connection.wait([end for _, end in running])
            for one in [one for one in running if one[1] in ready]:
                running.remove(one)
                _end(one[0])
                one[1].close()
        sys.stdout.flush()
        ours, theirs = multiprocessing.Pipe(False)  # it ends with the process
        pid = os.fork()
        if pid:
            theirs.close()
            running.append((pid, ours))
            continue
        failures = 0
        try:
            yield case
        except GeneratorExit:  # an exception or a return in the round
            result(False, "beside", "a round", f"it was left: {sys.exc_info()[1].__context__!r}")
        finally:
            sys.stdout.flush()
            os._exit(min(failures, 1))
    for pid, _ in running:
        _end(pid)


def need(condition, text):
    if not condition:
        raise AssertionError(text)


def how_busy():
    """How many want each processor: 1 and less, and nobody waits. A while of our own work now, and the last minute."""
    start, worked = time.monotonic(), time.process_time()
    while time.process_time() - worked < 0.1:
        pass
    return max((time.monotonic() - start) / 0.1, os.getloadavg()[0] / os.cpu_count())


def granted(busy):
    """How many times as long something may take."""
    return 1 if busy < 1.2 else min(1.5 * busy, 10)


def need_soon(began, seconds, text="it took too long"):
    """That less than this has passed since `began` (time.monotonic), on a machine that has nothing else to do. Where others
    want the processor, too, or did in the last minute, that much more is granted, and never more than ten times as much."""
    need_quick(time.monotonic() - began, seconds, text)


def need_quick(took, seconds, text="it took too long"):
    """The same of what was measured just now."""
    if took >= seconds:
        seconds *= granted(how_busy())
    need(took < seconds, f"{text}: {took:.2f} s, and {seconds:.2f} s are granted")


def kept_waiting(pid):
    """Seconds in which the process's first thread was ready, and others had the processor."""
    with open(f"/proc/{pid}/task/{pid}/schedstat", encoding="ascii") as file:
        return int(file.read().split()[1]) / 1e9


def sanitized():
    """Under a sanitizer freed memory is kept on purpose, so growth says nothing."""
    return "ASAN_OPTIONS" in os.environ


def resident_kib(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return int(re.search(r"^VmRSS:\s+(\d+)", file.read(), re.M).group(1))


def private_kib(pid):
    """Resident memory that is the process's own, not a file's: code that is first used late is no growth."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return int(re.search(r"^RssAnon:\s+(\d+)", file.read(), re.M).group(1))


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))
