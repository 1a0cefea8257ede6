#!/usr/bin/env python3
"""studio_files.py TENON - what `tenon studio` does on files alone: types check, prices refresh.

No daemon is started. Exit codes: 0, 1 for words and files that cannot be read, 5 for mistakes (ST-050).
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402

TENON = sys.argv[1]
ROOT = os.path.join(os.path.dirname(__file__), "../..")
EXAMPLE = os.path.join(ROOT, "examples/studio-types.json")
SUITE = "studio-files"


def run(folder, *words, **env):
    done = subprocess.run([TENON, "studio", *words], capture_output=True, encoding="utf-8", timeout=60,
                          check=False, stdin=subprocess.DEVNULL,
                          env={**os.environ, "XDG_DATA_HOME": folder, "XDG_RUNTIME_DIR": folder,
                               "XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder, **env})
    return done.returncode, done.stdout, done.stderr


def check_types(folder):
    with check.Step(SUITE, "a right file: what its types become"):
        code, out, err = run(folder, "types", "check", EXAMPLE)
        check.need(code == 0 and 'resource "acme_linux_server" "example"' in out and
                   "3 types, 0 mistakes" in out, f"{code} {out} {err}")
    with open(EXAMPLE, encoding="utf-8") as file:
        example = json.load(file)
    example["types"][2]["properties"][0]["defalt"] = 1
    example["types"][0]["canBeChildOf"] = ["acme/core/sit"]
    wrong = os.path.join(folder, "wrong.json")
    with open(wrong, "w", encoding="utf-8") as file:
        json.dump(example, file)
    with check.Step(SUITE, "mistakes with pointer and what was meant, exit 5"):
        code, out, _ = run(folder, "types", "check", wrong, "--json")
        report = json.loads(out)
        faults = {fault["pointer"]: fault["message"] for fault in report["faults"]}
        check.need(code == 5 and not report["valid"], f"{code} {out}")
        check.need('did you mean "default"?' in faults.get("/types/2/properties/0/defalt", ""), faults)
        check.need('did you mean "acme/core/site"?' in faults.get("/types/0/canBeChildOf/0", ""), faults)
    with check.Step(SUITE, "no file, no words, no schema: exit 1"):
        for words in (["types", "check", "/nowhere.json"], ["types"], ["types", "check"], ["typs"], [],
                      ["types", "check", EXAMPLE, "--schema", EXAMPLE], ["prices"], ["prices", "fetch"]):
            code, _, err = run(folder, *words)
            check.need(code == 1 and err, f"{words}: {code} {err}")


def check_prices(folder):
    server = subprocess.Popen([sys.executable, os.path.join(ROOT, "tests/servers/price_list.py")],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    base = f"http://127.0.0.1:{server.stdout.readline().strip()}"
    path = os.path.join(folder, "tenon/studio/prices.json")
    try:
        with check.Step(SUITE, "prices are fetched, dated and kept; the flag beats the variable"):
            code, out, err = run(folder, "prices", "refresh", "--json", "--url", f"{base}/ok/prices",
                                 TENON_STUDIO_PRICES_URL=f"{base}/broken/prices")
            check.need(code == 0, f"{code} {out} {err}")
            with open(path, encoding="utf-8") as file:
                kept = json.load(file)
            price = kept["table"]["azurerm/vm/Standard_B2s"]
            check.need(price["usd"] == 0.05 and price["regions"]["westeurope"] == 0.06, price)
            check.need(kept["asOf"] == json.loads(out)["pricesAsOf"] and kept["currency"] == "USD", kept)
        with check.Step(SUITE, "a broken list changes nothing, exit 5"):
            code, _, err = run(folder, "prices", "refresh", TENON_STUDIO_PRICES_URL=f"{base}/broken/prices")
            check.need(code == 5 and "stays as it is" in err, f"{code} {err}")
            with open(path, encoding="utf-8") as file:
                check.need(json.load(file) == kept, "the table changed")
        with check.Step(SUITE, "no daemon was started"):
            check.need(not os.path.exists(os.path.join(folder, "tenon/tenond.json")), "there is one")
    finally:
        server.stdin.close()
        server.wait(timeout=10)


with tempfile.TemporaryDirectory() as home:
    check_types(home)
    check_prices(home)
sys.exit(1 if check.failures else 0)
