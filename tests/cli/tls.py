#!/usr/bin/env python3
"""tls.py TLS_CLIENT CONFORMANCE_SERVER - our client and certificates, proxies and the token.

A real TLS server of Python's stands before a real MCP server; the certificates are made here."""
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading

CLIENT, SERVER = sys.argv[1:3]
TOKEN = "token-of-tls-test"
WORK = tempfile.mkdtemp()
bad = 0


def check(name, good, what=""):
    global bad
    bad += not good
    print(f"{'ok' if good else 'FAILED'} {name}{'' if good else ': ' + repr(what)}", flush=True)


def path(name):
    return os.path.join(WORK, name)


def openssl(*args):
    subprocess.run(["openssl", *args], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, cwd=WORK)


def make_certificates():
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=test authority")
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", "self.key", "-out", "self.pem", "-days", "2", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1")
    with open(path("ca.conf"), "w", encoding="ascii") as file:
        file.write("[ca]\ndefault_ca=c\n[c]\nnew_certs_dir=.\ndatabase=index\nserial=serial\n"
                   "default_md=sha256\npolicy=p\ncopy_extensions=copy\n[p]\ncommonName=supplied\n")
    open(path("index"), "w", encoding="ascii").close()
    with open(path("serial"), "w", encoding="ascii") as file:
        file.write("01\n")
    for name, names, end in (("good", "DNS:localhost,IP:127.0.0.1,DNS:mcp.test", "20990101000000Z"),
                             ("other", "DNS:other.test", "20990101000000Z"),
                             ("expired", "DNS:localhost,IP:127.0.0.1", "20200102000000Z")):
        openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}",
                "-addext", f"subjectAltName={names}")
        openssl("ca", "-batch", "-config", "ca.conf", "-keyfile", "ca.key", "-cert", "ca.pem",
                "-in", f"{name}.csr", "-out", f"{name}.pem", "-startdate", "20200101000000Z",
                "-enddate", end, "-notext")


def pump(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    for one in (source, target):
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Listener:
    """Each connection in a thread of its own."""

    def __init__(self, handle):
        self.handle = handle
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            connection, _ = self.socket.accept()
            threading.Thread(target=self.handle, args=(connection,), daemon=True).start()


def tls_front(certificate, backend):
    """A TLS server that hands on what it reads; says how many handshakes it saw through."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path(f"{certificate}.pem"), path(f"{certificate}.key"))

    def handle(raw):
        try:
            connection = context.wrap_socket(raw, server_side=True)
        except OSError:
            return
        behind = socket.create_connection(("127.0.0.1", backend))
        threading.Thread(target=pump, args=(behind, connection), daemon=True).start()
        pump(connection, behind)
    return Listener(handle)


class Proxy(Listener):
    """Writes down every byte it can read; CONNECT goes to the one port."""

    def __init__(self, target=None):
        self.seen, self.target = b"", target
        super().__init__(self.serve)

    def serve(self, connection):
        head = b""
        while b"\r\n\r\n" not in head:
            more = connection.recv(65536)
            if not more:
                return
            head += more
        self.seen += head
        if not head.startswith(b"CONNECT ") or not self.target:
            connection.sendall(b"HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n")
            connection.close()
            return
        behind = socket.create_connection(("127.0.0.1", self.target))
        connection.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")

        def recorded():
            try:
                while data := connection.recv(65536):
                    self.seen += data
                    behind.sendall(data)
            except OSError:
                pass
        threading.Thread(target=pump, args=(behind, connection), daemon=True).start()
        recorded()


def client(url, ca_file=None, **env):
    clean = {key: value for key, value in os.environ.items() if "proxy" not in key.lower()}
    done = subprocess.run([CLIENT, url, TOKEN] + ([ca_file] if ca_file else []), text=True,
                          stdout=subprocess.PIPE, timeout=60, check=False, env={**clean, **env})
    return done.stdout if done.returncode == 0 else f"exit {done.returncode}"


def certificates(backend):
    for name, certificate, ca_file, words in (
            ("a self-signed certificate", "self", None, "nobody we trust has signed it"),
            ("an authority that we do not know", "good", None, "nobody we trust has signed it"),
            ("another host's certificate", "other", "ca.pem", "it is not this host's"),
            ("an expired certificate", "expired", "ca.pem", "it has expired")):
        port = tls_front(certificate, backend).port
        got = client(f"https://localhost:{port}/mcp", ca_file and path(ca_file))
        check(f"{name} is refused", got == f"refused the server's certificate is refused: {words}\n",
              got)
    port = tls_front("good", backend).port
    for host in ("localhost", "127.0.0.1"):
        got = client(f"https://{host}:{port}/mcp", path("ca.pem"))
        check(f"with ca_file https://{host} works", got.startswith("connected 20"), got)
    got = client(f"https://localhost:{tls_front('self', backend).port}/mcp", path("self.pem"))
    check("a self-signed certificate that is trusted works", got.startswith("connected 20"), got)
    got = client(f"https://localhost:{port}/mcp", path("nothing.pem"))
    check("a ca_file that is not there is told",
          got == "refused the file of trusted certificates is none\n", got)
    got = client(f"https://localhost:{backend}/mcp", path("ca.pem"))
    check("a server without TLS is refused", got.startswith("refused "), got)


def proxies(backend):
    good = tls_front("good", backend).port
    proxy = Proxy(good)
    where = f"http://127.0.0.1:{proxy.port}"
    every = {name: where for name in ("http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy",
                                      "ALL_PROXY")}
    for url in (f"http://127.0.0.1:{backend}/mcp", f"http://localhost:{backend}/mcp",
                f"https://localhost:{good}/mcp"):
        got = client(url, path("ca.pem"), **every)
        check(f"{url.split(':')[0]} to this machine goes by no proxy",
              got.startswith("connected 20") and not proxy.seen, (got, proxy.seen))
    got = client("http://mcp.test/mcp", **every)
    check("plain http goes by no proxy", got.startswith("refused ") and not proxy.seen,
          (got, proxy.seen))
    got = client("https://mcp.test/mcp", path("ca.pem"), **every)
    check("https goes through the proxy", b"CONNECT mcp.test:443" in proxy.seen, (got, proxy.seen))
    # The server behind it knows no such Host; what it says has come through the tunnel.
    check("and has its certificate checked behind it",
          got == "refused the server refuses us (403)\n", got)
    check("the proxy sees no header of ours",
          TOKEN.encode() not in proxy.seen and b"authorization" not in proxy.seen.lower() and
          b"mcp-" not in proxy.seen.lower(), proxy.seen[:500])
    got = client("https://mcp.test/mcp", **every)
    check("and a wrong certificate behind it is refused",
          "nobody we trust has signed it" in got, got)


HTTP2 = """
const [key, cert] = process.argv.slice(1).map((p) => require("fs").readFileSync(p));
const server = require("http2").createSecureServer({key, cert, allowHTTP1: true}, (req, res) => {
  let text = "";
  req.on("data", (part) => { text += part; });
  req.on("end", () => {
    console.log(req.httpVersion, req.method, req.headers.authorization);
    const {id, method} = text ? JSON.parse(text) : {};
    const result = {protocolVersion: "2025-11-25", capabilities: {},
                    serverInfo: {name: "h2", version: "1"}};
    const answer = method === "initialize" ? {result} : {error: {code: -32601, message: "no"}};
    res.statusCode = id === undefined ? (req.method === "POST" ? 202 : 405) : 200;
    res.setHeader("Content-Type", "application/json");
    res.end(id === undefined ? "" : JSON.stringify({jsonrpc: "2.0", id, ...answer}));
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
"""


def http2():
    node = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/node.sh")
    server = subprocess.Popen([node, "-e", HTTP2, path("good.key"), path("good.pem")],
                              stdout=subprocess.PIPE, text=True)
    port = int(server.stdout.readline())
    got = client(f"https://localhost:{port}/mcp", path("ca.pem"))
    server.kill()
    lines = server.stdout.read().splitlines()
    server.wait()
    check("HTTP/2 is spoken to who offers it", got == "connected 2025-11-25\n" and lines and
          all(line.startswith("2.0 ") and line.endswith(f"Bearer {TOKEN}") for line in lines),
          (got, lines))


def main():
    make_certificates()
    server = subprocess.Popen([SERVER, "--http", "127.0.0.1:0"], stdin=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
    try:
        backend = None
        for line in server.stderr:
            found = re.search(r"^listening on http://[^:]+:(\d+)", line)
            if found:
                backend = int(found.group(1))
                break
        threading.Thread(target=server.stderr.read, daemon=True).start()
        certificates(backend)
        proxies(backend)
        http2()
    finally:
        server.kill()
        server.wait()
        shutil.rmtree(WORK, ignore_errors=True)
    return 1 if bad else 0


sys.exit(main())
