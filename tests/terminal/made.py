#!/usr/bin/env python3
"""made.py - what a run makes itself it may run: builds, installs and scripts as developers run them every day, in held
runs (isolated commands, programs of sessions), approved beforehand. A held run that refuses them is of no use."""
import os
import shutil
import subprocess
import sys
import time

import kit
from kit import check

SUITE = "terminal-made"
HELLO = "#include <stdio.h>\nint main(void) { puts(\"said\"); return 0; }\n"
OTHER = HELLO.replace("said", "said again")
PACKAGE = '{"name": "x", "version": "1.0.0", "scripts": {"build": "node build.js", "start": "node out.js", ' \
          '"tool": "./tool.sh", "pretest": "npm run build", "test": "node out.js"}}'
BUILD = "require('fs').writeFileSync('out.js', 'console.log(\"said\")')\n"
MAKEFILE = "x: x.c\n\tgcc x.c -o x\nrun: x\n\t./x\nclean:\n\trm -f x\n"
CMAKE = "cmake_minimum_required(VERSION 3.10)\nproject(x C)\nadd_executable(x x.c)\n"
MESON = "project('x', 'c')\nexecutable('x', 'x.c')\n"
CARGO = '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n'
CONFIGURE = "#!/bin/sh\nsed s/@CC@/gcc/ Makefile.in > Makefile\necho '#! /bin/sh' > config.status\nchmod +x config.status\n" \
            "./config.status\n"
SETUP = {"x.c": HELLO}
TOOL = {"tool.sh": "#!/bin/sh\necho said\n"}
# Name, files (those that end with + are executable; "elf" is a program), command.
RUNS = [
    ("gcc and run", SETUP, "gcc x.c -o x && ./x"),
    ("gcc and run, absolute", SETUP, "gcc x.c -o \"$PWD/x\" && \"$PWD/x\""),
    ("gcc in two steps", SETUP, "gcc -c x.c && gcc x.o -o x && ./x"),
    ("gcc over one that is there", {**SETUP, "elf x+": ""}, "gcc x.c -o x && ./x"),
    ("clang", SETUP, "clang x.c -o x && ./x"),
    ("g++", {"x.cc": HELLO}, "g++ x.cc -o x && ./x"),
    ("a.out", SETUP, "gcc x.c; ./a.out"),
    ("gcc into a new folder", SETUP, "mkdir -p build/bin && gcc x.c -o build/bin/x && build/bin/x"),
    ("gcc and strip", SETUP, "gcc x.c -o x && strip x && ./x"),
    ("strip one that is there", {"elf x+": ""}, "strip x -o y; strip x; ./x"),
    ("a library of its own", {"l.c": "int f(void) { return 7; }\n", "x.c": "#include <stdio.h>\nint f(void);\nint main(void) "
     "{ if (f() == 7) puts(\"said\"); return 0; }\n"},
     "gcc -shared -fPIC l.c -o libl.so && gcc x.c -L. -ll -o x && LD_LIBRARY_PATH=. ./x"),
    ("make and run", {**SETUP, "Makefile": MAKEFILE}, "make && ./x"),
    ("make run", {**SETUP, "Makefile": MAKEFILE}, "make run"),
    ("make clean, make, run", {**SETUP, "Makefile": MAKEFILE, "elf x+": ""}, "make clean && make && ./x"),
    ("make -j, touched", {**SETUP, "Makefile": MAKEFILE, "elf x+": ""}, "touch x.c && make -j4 && ./x"),
    ("configure and make", {**SETUP, "configure+": CONFIGURE, "Makefile.in": MAKEFILE.replace("gcc", "@CC@")},
     "./configure && make && ./x"),
    ("cmake", {**SETUP, "CMakeLists.txt": CMAKE}, "cmake -B build . && cmake --build build && ./build/x"),
    ("cmake, cd", {**SETUP, "CMakeLists.txt": CMAKE}, "mkdir -p build && cd build && cmake .. && make && ./x"),
    ("meson and ninja", {**SETUP, "meson.build": MESON}, "meson setup b && ninja -C b && b/x"),
    ("cargo run", {"Cargo.toml": CARGO, "src/main.rs": "fn main() { println!(\"said\"); }\n"}, "cargo run --offline"),
    ("cargo build and run", {"Cargo.toml": CARGO, "src/main.rs": "fn main() { println!(\"said\"); }\n"},
     "cargo build --offline && ./target/debug/x"),
    ("cargo with build.rs", {"Cargo.toml": CARGO, "build.rs": "fn main() { println!(\"cargo:rustc-env=W=said\"); }\n",
     "src/main.rs": "fn main() { println!(\"{}\", env!(\"W\")); }\n"}, "cargo run --offline"),
    ("rustc", {"x.rs": "fn main() { println!(\"said\"); }\n"}, "rustc x.rs && ./x"),
    ("npm run build, node", {"package.json": PACKAGE, "build.js": BUILD}, "npm run build && node out.js"),
    ("npm test builds", {"package.json": PACKAGE, "build.js": BUILD}, "npm test"),
    ("npm runs a script", {"package.json": PACKAGE, **TOOL}, "chmod +x tool.sh && npm run tool"),
    ("npm install of a folder", {"package.json": '{"name": "x", "version": "1.0.0", "dependencies": {"dep": "file:dep"}}',
     "dep/package.json": '{"name": "dep", "version": "1.0.0", "bin": {"deptool": "cli.js"}}',
     "dep/cli.js+": "#!/usr/bin/env node\nconsole.log('said')\n"},
     "npm install --offline --no-audit --no-fund && ./node_modules/.bin/deptool && npx --offline deptool"),
    ("javac and java", {"X.java": "class X { public static void main(String[] a) { System.out.println(\"said\"); } }\n"},
     "javac X.java && java X"),
    ("python -m venv and pip", {}, "python3 -m venv --without-pip v && v/bin/python -c 'print(\"said\")'"),
    ("a venv that is activated", {"x.py": "print('said')\n"}, "python3 -m venv --without-pip v && . v/bin/activate && python x.py"),
    ("pip in a venv", {"pyproject.toml": '[project]\nname = "x"\nversion = "1"\n'},
     "python3 -m venv v && v/bin/pip --version && echo said"),
    ("python that imports what it wrote", {"x.py": "open('m.py', 'w').write('print(\"said\")')\nimport m\n"}, "python3 x.py"),
    ("python -m of its own", {"pkg/__init__.py": "", "pkg/__main__.py": "from pkg.a import f\nf()\n",
                              "pkg/a.py": "def f():\n    print('said')\n"}, "python3 -m pkg"),
    ("python twice, with its cache", {"m.py": "def f():\n    print('said')\n", "x.py": "import m\nm.f()\n"},
     "python3 x.py >/dev/null && python3 x.py"),
    ("chmod +x of a script", TOOL, "chmod +x tool.sh && ./tool.sh"),
    ("chmod of a program", {"elf x": ""}, "chmod +x x && ./x"),
    ("chmod 755 by find", {"elf x": ""}, "find . -name x -exec chmod 755 {} + && ./x"),
    ("touch of a program", {"elf x+": ""}, "touch x && ./x"),
    ("chmod by python", {"elf x": ""}, "python3 -c 'import os; os.chmod(\"x\", 0o755)' && ./x"),
    ("chmod by descriptor", {"elf x": ""}, "python3 -c 'import os; os.fchmod(os.open(\"x\", 0), 0o755)' && ./x"),
    ("install", {"elf x": ""}, "install -m 755 x bin-x && ./bin-x"),
    ("cp and run", {"elf x+": ""}, "cp x y && ./y && rm y"),
    ("mv and run", {"elf x+": ""}, "mv x y && ./y"),
    ("mv over and run", {"elf x+": "", "elf y+": ""}, "mv y x && ./x"),
    ("ln -s and run", {"elf x+": ""}, "ln -sf x y && ./y"),
    ("ln and run", {"elf x+": ""}, "ln x y && ./y"),
    ("tar and run", {"elf x+": ""}, "tar cf x.tar x && rm x && tar xf x.tar && ./x"),
    ("unpacked and run", {"elf d/x+": ""}, "tar czf d.tgz d && rm -r d && mkdir e && tar xzf d.tgz -C e && e/d/x"),
    ("zip of python", {"d/__main__.py": "print('said')\n"}, "python3 -m zipapp d -o x.pyz && python3 x.pyz"),
    ("sed -i and run", {"t.sh+": "#!/bin/sh\necho no\n"}, "sed -i s/no/said/ t.sh && ./t.sh"),
    ("sed -i and sh", {"t.sh": "echo no\n"}, "sed -i s/no/said/ t.sh && sh t.sh"),
    ("written and run", {}, "printf '#!/bin/sh\\necho said\\n' > t.sh && chmod +x t.sh && ./t.sh"),
    ("appended and run", {"t.sh+": "#!/bin/sh\n"}, "echo 'echo said' >> t.sh && ./t.sh"),
    ("removed and made again", {"t.sh+": "#!/bin/sh\necho no\n"},
     "rm t.sh && printf '#!/bin/sh\\necho said\\n' > t.sh && chmod +x t.sh && ./t.sh"),
    ("removed, and it is not there", {"t.sh+": "#!/bin/sh\necho no\n"}, "rm t.sh; ./t.sh || echo said"),
    ("rm -f of what is not there", {}, "rm -f t.sh; printf 'echo said\\n' > t.sh; sh t.sh"),
    ("a heredoc", {}, "cat > t.sh <<'X'\necho said\nX\nbash t.sh"),
    ("tee and run", {}, "echo 'echo said' | tee t.sh >/dev/null && sh ./t.sh"),
    ("mktemp and run", {}, "t=$(mktemp) && echo 'echo said' > $t && sh $t && rm $t"),
    ("a script that makes a script", {"a.sh": "echo 'echo said' > b.sh\n. ./b.sh\n"}, "sh a.sh"),
    ("#! names a script", {"i.sh+": "#!/bin/sh\nexec sh \"$@\"\n", "t": ""},
     "printf '#!%s/i.sh\\necho said\\n' \"$PWD\" > t && chmod +x t && ./t"),
    ("#! names a script, both there", {"i.sh+": "#!/bin/sh\nexec sh \"$@\"\n", "t+": "#!{here}/i.sh\necho said\n"}, "./t"),
    ("#! names a script that names one", {"i.sh+": "#!/bin/sh\nexec sh \"$@\"\n", "j.sh+": "#!{here}/i.sh -e\necho said\n",
                                          "t+": "#!{here}/j.sh\necho no\n"}, "./t"),
    ("env -S", {"t+": "#!/usr/bin/env -S sh -e\necho said\n"}, "./t"),
    ("git commit with a hook", {".h/pre-commit+": "#!/bin/sh\necho said > ../hooked || echo said > hooked\n", "f": "x"},
     "git init -q . && git config core.hooksPath .h && git add f && git -c user.name=a -c user.email=a@b commit -qm x; "
     "cat hooked ../hooked 2>/dev/null; true"),
    ("git checkout of a script", {"t.sh+": "#!/bin/sh\necho said\n"},
     "git init -q . && git add t.sh && git -c user.name=a -c user.email=a@b commit -qm x && echo 'echo no' >> t.sh && "
     "git checkout -q t.sh && ./t.sh"),
    ("git stash", {"t.sh+": "#!/bin/sh\necho said\n"},
     "git init -q . && git add t.sh && git -c user.name=a -c user.email=a@b commit -qm x && echo 'echo no' >> t.sh && "
     "git -c user.name=a -c user.email=a@b stash -q && ./t.sh"),
    ("git clone and run", {"r/t.sh+": "#!/bin/sh\necho said\n"},
     "cd r && git init -q . && git add t.sh && git -c user.name=a -c user.email=a@b commit -qm x && cd .. && "
     "git clone -q r c && c/t.sh"),
    ("patch and run", {"t.sh+": "#!/bin/sh\necho no\n", "p": "--- t.sh\n+++ t.sh\n@@ -1,2 +1,2 @@\n #!/bin/sh\n-echo no\n+echo said\n"},
     "patch -s t.sh p && ./t.sh"),
    ("rsync and run", TOOL, "mkdir o && cp -a tool.sh o/ && sh o/tool.sh"),
    ("xargs", TOOL, "echo tool.sh | xargs sh"),
    ("a pipe into sh", TOOL, "cat tool.sh | sh"),
    ("perl -i", {"t.sh": "echo no\n"}, "perl -pi -e s/no/said/ t.sh && sh t.sh"),
    ("a folder that is moved", {"elf d/x+": ""}, "mv d e && e/x"),
    ("build in a folder that is moved into place", SETUP, "mkdir t && gcc x.c -o t/x && mv t out && out/x"),
    ("PATH of its own", {"bin/said+": "#!/bin/sh\necho said\n"}, "PATH=$PWD/bin:$PATH said"),
    ("PATH with what it makes", {}, "mkdir bin && printf '#!/bin/sh\\necho said\\n' > bin/said && chmod +x bin/said && "
     "PATH=$PWD/bin:$PATH && said"),
    ("in the background", SETUP, "gcc x.c -o x && ./x & wait"),
    ("flock", TOOL, "flock lock sh tool.sh"),
    ("timeout", SETUP, "gcc x.c -o x && timeout 5 ./x"),
    ("sqlite of python", {"x.py": "import sqlite3\nsqlite3.connect('d').execute('create table t(a)')\nprint('said')\n"}, "python3 x.py"),
    ("awk writes a script", {}, "awk 'BEGIN { print \"echo said\" > \"t.sh\" }' && sh t.sh"),
    ("a script that is its own archive", {}, "{ echo '#!/bin/sh'; echo 'tail -n 1 \"$0\"; exit'; echo said; } > s && "
     "chmod +x s && ./s"),
    ("vim -es", {"t.sh": "echo no\n"}, "ex -s -c '%s/no/said/' -c x t.sh && sh t.sh"),
]


def program(folder):
    """A small program, made once."""
    path = os.path.join(folder, "said")
    if not os.path.exists(path):
        with open(path + ".c", "w", encoding="utf-8") as file:
            file.write(HELLO)
        check.need(os.system(f"cc {path}.c -o {path}") == 0, "no compiler")
    return path


def fill(folder, files, elf):
    for name, text in files.items():
        executable, is_elf = name.endswith("+"), name.startswith("elf ")
        path = os.path.join(folder, name.removeprefix("elf ").removesuffix("+"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if is_elf:
            shutil.copy(elf, path)
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace("{here}", folder))
        os.chmod(path, 0o755 if executable else 0o644)


def is_there(command):
    """Not every machine has every compiler."""
    words = ("clang", "cargo", "rustc", "javac", "cmake", "meson", "npm", "git", "patch", "ex", "g++")
    return all(shutil.which(word) for word in words if command.startswith(word + " ") or f" {word} " in command)


def found(command):
    """Compilers of the person's own are in the PATH of nobody else's home."""
    tool = shutil.which("cargo")
    if not tool or not command.startswith(("cargo", "rustc")):
        return command
    home = os.path.expanduser("~")
    return f"export PATH=$PATH:{os.path.dirname(tool)} RUSTUP_HOME={home}/.rustup; {command}"


def isolated(served, folder, command):
    done = served.run(command, isolated=True, cwd=folder, timeout_ms=120000, yield_ms=50000)
    return done["output"], done.get("exit_code")


def as_program(served, folder, command):
    """A session whose program is a script with that command; what it says stands in a file."""
    path, said = os.path.join(folder, "run-all.sh"), os.path.join(folder, "..", os.path.basename(folder) + ".said")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"exec >{said} 2>&1\n{command}\necho exit-$?\n")
    open(said, "w", encoding="utf-8").close()
    served.tool("create_session", program=["/bin/bash", path], cwd=folder)
    end = time.monotonic() + 100
    while time.monotonic() < end:
        with open(said, encoding="utf-8", errors="replace") as file:
            text = file.read()
        if "exit-" in text or "was not started" in text:
            break
        time.sleep(0.05)
    return text, 0 if text.endswith("exit-0\n") else 1


FLIP = """
import ctypes, os, sys
how, x, evil, begun = sys.argv[1:]
libc = ctypes.CDLL(None)
texts = [open(name, "rb").read() for name in (evil, x)]
while not os.path.exists(begun):
    pass
for _ in range(20000):
    if how == "names":
        libc.renameat2(-100, x.encode(), -100, evil.encode(), 2)
        continue
    for text in texts:
        try:
            file = os.open(x, os.O_WRONLY)
        except OSError:
            continue
        before = os.fstat(file)
        os.pwrite(file, text, 0)
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
        os.close(file)
"""


def attacked(served, elf):
    """While the run changes a program's mode, again and again, somebody else exchanges it: theirs never starts."""
    with open(elf, "rb") as file:
        evil = file.read().replace(b"said", b"EVIL")
    ran = 0
    for number in range(int(os.environ.get("TENON_RACES", "30"))):
        folder = os.path.join(os.path.realpath(served.folder), f"attacked-{number}")
        os.mkdir(folder)
        fill(folder, {"elf x": ""}, elf)
        other, begun = os.path.join(folder, "other"), os.path.join(folder, "begun")
        with open(other, "wb") as file:
            file.write(evil)
        os.chmod(other, 0o755)
        flipper = subprocess.Popen([sys.executable, "-c", FLIP, "names" if number % 2 else "bytes",
                                    os.path.join(folder, "x"), other, begun])
        with check.Step(SUITE, f"a program whose mode is changed while another one exchanges it ({number})"):
            done = served.run("touch begun; for i in 1 2 3 4 5 6 7 8 9; do chmod -x x; chmod +x x; ./x; done",
                              isolated=True, cwd=folder, timeout_ms=60000, yield_ms=50000)
            check.need("EVIL" not in done["output"], done["output"])
            ran += "said" in done["output"]
        flipper.kill()
        flipper.wait()
    print(f"{SUITE}: {ran} of the attacked runs ran, none of them the other program", flush=True)


def main():
    # "1/2": every second one of them, the first; words: those whose name has one.
    share = next((word for word in sys.argv[1:] if word.count("/") == 1), "1/1")
    part, parts = (int(number) for number in share.split("/"))
    wanted = [word for word in sys.argv[1:] if word != share]
    # Everything is asked about, and so held; who asks is told yes.
    with kit.Served(env={"TENON_CONSENT": "allow"}, policy={"terminal": {"default": "confirm"}}) as served:
        elf = program(served.folder)
        for number, (name, files, command) in enumerate(RUNS):
            if wanted and not any(word in name for word in wanted) or number % parts != part - 1:
                continue
            if not is_there(command):
                print(f"{SUITE}: {name}: not here", flush=True)
                continue
            for how in (isolated, as_program):
                folder = os.path.join(os.path.realpath(served.folder), f"{how.__name__}-{number}")
                os.mkdir(folder)
                fill(folder, files, elf)
                with check.Step(SUITE, f"{name} ({how.__name__})"):
                    output, code = how(served, folder, found(command))
                    check.need("said" in output and code == 0 and "was not started" not in output, f"{code}: {output[-600:]}")
        if "attacked" in wanted or not wanted and part == parts:
            attacked(served, elf)
        served.end()
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
