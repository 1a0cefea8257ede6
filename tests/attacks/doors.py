"""doors.py - every way in: of a server that runs by itself (`ways`), and of a user's daemon (`doors`)."""
import http.client
import json

import check

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
LIST = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
UPGRADE = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
           "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}


def ways(server):
    """Every way in: name, and a function that makes the bytes of a request with other headers."""
    def http(method, target, body=b""):
        return lambda **extra: server.head(body, method=method, target=target, **extra) + body

    return [("POST /mcp", http("POST", server.path, PING)), ("GET /mcp", http("GET", server.path)),
            ("DELETE /mcp", http("DELETE", server.path)),
            ("OPTIONS /mcp", http("OPTIONS", server.path)), ("GET /sse", http("GET", "/sse")),
            ("POST /messages", http("POST", "/messages?sessionId=x", PING)),
            ("OPTIONS /messages", http("OPTIONS", "/messages")),
            ("GET /ws", server.handshake)]


def ask(port, method, path, body=None, **headers):
    """(status, headers, body); a header given as None is left out."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    every = {"Host": f"127.0.0.1:{port}"}
    if body is not None:
        every |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    every |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in every.items():
        if value is not None:
            connection.putheader(name, value)
    connection.endheaders(body.encode() if isinstance(body, str) else body)
    answer = connection.getresponse()
    found = answer.status, {key.lower(): value for key, value in answer.getheaders()}, \
        b"" if answer.status == 101 else answer.read()
    connection.close()
    return found


def doors(found):
    """Name, and a function that knocks with further headers."""
    main, bridge = found["httpPort"], found["bridgePort"]

    def knock(port, method, path, body=None, **fixed):
        return lambda query="", **extra: ask(port, method, path + query, body, **(fixed | extra))

    return [("POST /mcp", knock(main, "POST", "/mcp", PING)),
            ("POST /mcp/plan", knock(main, "POST", "/mcp/plan", PING)),
            ("GET /mcp", knock(main, "GET", "/mcp")), ("DELETE /mcp", knock(main, "DELETE", "/mcp")),
            ("GET /sse", knock(main, "GET", "/sse")),
            ("POST /messages", knock(main, "POST", "/messages", PING)),
            ("GET /metrics", knock(main, "GET", "/metrics")),
            ("WebSocket /ws", knock(main, "GET", "/ws", **UPGRADE)),
            ("WebSocket /ws/plan", knock(main, "GET", "/ws/plan", **UPGRADE)),
            ("the bridge", knock(bridge, "GET", "/ws", **UPGRADE)),
            ("the bridge, one app", knock(bridge, "GET", "/ws/plan", **UPGRADE))]


def refused(answer, statuses):
    status, headers, body = answer
    check.need(status in statuses, f"{status} {body[:200]!r}, not {statuses}")
    check.need(not [name for name in headers if name.startswith("access-control") or name == "set-cookie"],
               f"headers {headers}")
