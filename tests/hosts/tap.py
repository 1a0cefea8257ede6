#!/usr/bin/env python3
"""tap.py LOG COMMAND... - stands between a host and its server on standard input and output, and writes down both.

One line of JSON a message: {"from": "host" or "server", "message": ...}; the first line is what the host
passed on: {"environment": [names], "directory": ...}."""
import json
import os
import subprocess
import sys
import threading


def copy(source, target, whose, log, lock):
    for line in iter(source.readline, b""):
        with lock:
            log.write(json.dumps({"from": whose, "message": json.loads(line)}) + "\n")
            log.flush()
        try:
            target.write(line)
            target.flush()
        except BrokenPipeError:
            break
    target.close()


def main():
    lock = threading.Lock()
    with open(sys.argv[1], "a", encoding="utf-8") as log:
        log.write(json.dumps({"environment": sorted(os.environ), "directory": os.getcwd()}) + "\n")
        server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        threading.Thread(target=copy, args=(sys.stdin.buffer, server.stdin, "host", log, lock), daemon=True).start()
        copy(server.stdout, sys.stdout.buffer, "server", log, lock)
        sys.exit(server.wait())


main()
