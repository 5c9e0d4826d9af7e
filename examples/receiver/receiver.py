import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))


def verified_event(body: bytes, headers) -> dict | None:
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return None
    content = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(KEY, content, hashlib.sha256).digest()).decode()
    for signature in headers.get("webhook-signature", "").split():
        if hmac.compare_digest(expected.encode(), signature.encode()):
            return json.loads(body)
    return None


class Hooks(BaseHTTPRequestHandler):
    def do_POST(self):
        event = verified_event(self.rfile.read(int(self.headers.get("content-length", 0))), self.headers)
        # Insert event["id"] into a table with a unique key: a repeat changes nothing. Work on it after the answer.
        self.send_response(204 if event else 400)
        self.end_headers()


HTTPServer(("", int(os.environ.get("PORT", "8000"))), Hooks).serve_forever()
