#!/usr/bin/env python3
"""price_list.py - a price list that speaks as the retail price service of Azure does, well and badly.

Prints its port, then serves until its standard input ends. The first part of the path says how it
behaves: /ok, /throttled, /busy, /broken, /endless, /euro, /elsewhere, /pages, /refused, /unclear,
/strange. /count tells how many requests there have been.
"""
import http.server
import json
import re
import sys
import threading
import urllib.parse

REGIONS = {"eastus": 1.0, "westeurope": 1.2, "northeurope": 1.1, "marsnorth": 9.0}
STATE = {"count": 0, "throttled": 0}
LOCK = threading.Lock()


def item(fields, region, price, **more):
    return {"currencyCode": "USD", "tierMinimumUnits": 0.0, "retailPrice": price, "unitPrice": price,
            "armRegionName": region, "location": region, "effectiveStartDate": "2026-01-01T00:00:00Z",
            "meterId": "m", "meterName": "B2s", "productId": "p", "skuId": "s",
            "productName": "Virtual Machines BS Series", "skuName": "B2s",
            "serviceName": "Virtual Machines", "serviceId": "v", "serviceFamily": "Compute",
            "unitOfMeasure": "1 Hour", "type": "Consumption", "isPrimaryMeterRegion": True,
            "armSkuName": "Standard_B2s", **fields, **more}


def items_of(fields):
    if fields.get("serviceName") != "Virtual Machines":
        return []
    if fields.get("armSkuName") not in ("Standard_B2s", "Standard_D4s_v3"):
        return []
    base = 0.05 if fields["armSkuName"] == "Standard_B2s" else 0.25
    items = []
    for region, factor in REGIONS.items():
        items += [
            # What a careless reader takes: another system, another kind of sale, another unit.
            item(fields, region, base * factor * 3, productName="Virtual Machines BS Series Windows"),
            item(fields, region, base * factor / 9, skuName="B2s Spot", meterName="B2s Spot"),
            item(fields, region, base * factor / 5, skuName="B2s Low Priority"),
            item(fields, region, 99.0, type="Reservation", reservationTerm="1 Year"),
            item(fields, region, 88.0, unitOfMeasure="100 Hours"),
            item(fields, region, base * factor),
        ]
    return items


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def send(self, status, body, **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def page(self, items, query, link=None):
        """Five items a page, so that every answer has several."""
        skip = int(query.get("$skip", ["0"])[0])
        if link is None and skip + 5 < len(items):
            again = {**query, "$skip": [str(skip + 5)]}
            link = (f"http://127.0.0.1:{self.server.server_port}{self.path.split('?')[0]}?"
                    + urllib.parse.urlencode(again, doseq=True))
        self.send(200, {"BillingCurrency": "USD", "CustomerEntityId": "Default",
                        "CustomerEntityType": "Retail", "Items": items[skip:skip + 5],
                        "NextPageLink": link, "Count": len(items[skip:skip + 5])})

    def endless(self):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            while True:
                self.wfile.write(b"8000\r\n" + b" " * 0x8000 + b"\r\n")
        except OSError:
            self.close_connection = True

    def do_GET(self):
        parts = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(parts.query)
        fields = dict(re.findall(r"(\w+) eq '([^']*)'", query.get("$filter", [""])[0]))
        mode = parts.path.split("/")[1]
        asked = fields.pop("priceType", None) == "Consumption" and \
            query.get("currencyCode") == ["USD"]
        items = items_of(fields)
        with LOCK:
            if mode == "count":
                self.send(200, STATE)
                return
            STATE["count"] += 1
            slow_down = mode == "busy" or (mode == "throttled" and STATE["throttled"] < 2)
            STATE["throttled"] += slow_down
        if slow_down:
            self.send(429, {"error": "too many"}, Retry_After="1")
        elif mode == "broken":
            self.send(200, b'{"Items":[{"currencyCode":"USD",')
        elif mode == "strange":
            self.send(200, {"Items": [1, None, {"type": 7}, {"retailPrice": "free"}, []],
                            "NextPageLink": 5})
        elif mode == "endless":
            self.endless()
        elif mode == "euro":
            self.page([{**i, "currencyCode": "EUR"} for i in items], query)
        elif mode == "elsewhere":
            self.page(items, query, "http://169.254.169.254/latest/meta-data")
        elif mode == "pages":
            self.page(items, {}, f"http://127.0.0.1:{self.server.server_port}{self.path}")
        elif mode == "unclear":
            self.page([item(fields, "eastus", 0.05), item(fields, "eastus", 0.07)], query)
        elif mode == "refused" or not asked:
            self.send(400, {"error": "no such filter"})
        else:
            self.page(items, query)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
