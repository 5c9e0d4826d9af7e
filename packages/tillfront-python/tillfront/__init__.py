"""A client of Tillfront for a shop's server: sessions, payments, refunds and signed events."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import http.client
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Iterator, Mapping
from typing import Any, Optional, Union

__all__ = ["Tillfront", "TillfrontError", "WebhookVerificationError", "verify_event"]

#: An object of an answer or a request, as docs/openapi.json describes it. Money is a decimal string, never a float.
Json = dict[str, Any]

# Refusals of calls that may be done if they come again. With the same key nothing is done twice.
_WORTH_REPEATING = ("idempotency-in-flight", "overloaded", "rate-limited", "shutting-down", "store-unavailable")
# What proxies answer in place of a service that they cannot reach.
_PROXY_STATUSES = (502, 503, 504)
# A caller waits for an answer, so a longer pause is left to it.
_LONGEST_PAUSE_SECONDS = 10.0
_TOLERANCE_SECONDS = 300
_SHORTEST_KEY_BYTES = 24


class TillfrontError(Exception):
    """A call was refused, or its outcome is not known. It contains nothing that was sent."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: Optional[int] = None,
        problem: Optional[Json] = None,
        idempotency_key: Optional[str] = None,
        retry_after_seconds: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        problem = problem or {}
        #: Decide by this: the service's code (docs/integrate.md), `no-answer` where nothing answered in time, or
        #: `not-the-service` where something else did, such as a proxy.
        self.code = code
        #: The HTTP status. None where there was no answer.
        self.status = status
        #: For support: the service's log has it too.
        self.request_id: Optional[str] = problem.get("requestId")
        #: The refused fields, each with `pointer` and `message`.
        self.errors: list[Json] = problem.get("errors") or []
        #: The payment that the call began or met.
        self.payment_id: Optional[str] = problem.get("paymentId")
        #: The key of the call. After `no-answer`, repeat the call with it: with another one it would be a second call.
        self.idempotency_key = idempotency_key
        #: When the service wants to be asked again.
        self.retry_after_seconds = retry_after_seconds


class WebhookVerificationError(Exception):
    """A request that is no event of your Tillfront. Answer 400."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        #: `malformed`, `stale` (more than five minutes off) or `signature`.
        self.code = code


def verify_event(raw_body: Union[bytes, str], headers: Mapping[str, str], secret: str) -> Json:
    """The event of a request, if Tillfront has signed it within the last five minutes (Standard Webhooks).

    `raw_body` is the body as it was received: what was parsed and written again has another signature. `secret` is
    `MERCHANT_WEBHOOK_SECRET`, as the service has it; where it is two secrets, either may have signed. Raises
    `WebhookVerificationError`. Event types that you do not know may come: answer 2xx to them.
    """
    keys = [_webhook_key(one.strip()) for one in secret.split(",")]
    body = raw_body.encode() if isinstance(raw_body, str) else bytes(raw_body)
    event_id, timestamp, signatures = (
        _header(headers, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if not event_id or not signatures or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookVerificationError("malformed", "The headers of an event are missing.")
    if abs(time.time() - int(timestamp)) > _TOLERANCE_SECONDS:
        raise WebhookVerificationError("stale", "The timestamp is more than five minutes off.")
    content = f"{event_id}.{timestamp}.".encode() + body
    for key in keys:
        expected = b"v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest())
        for signature in signatures.split(" "):
            if hmac.compare_digest(expected, signature.encode()):
                event: Json = json.loads(body)
                return event
    raise WebhookVerificationError("signature", "The signature is of another secret or body.")


def _webhook_key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[len("whsec_") :], validate=True) if secret.startswith("whsec_") else b""
    except binascii.Error:
        key = b""
    # An empty or short key would accept what anybody can sign.
    if len(key) < _SHORTEST_KEY_BYTES:
        raise ValueError("The secret must be MERCHANT_WEBHOOK_SECRET: whsec_ and the base64 of 24 bytes or more.")
    return key


def _header(headers: Mapping[str, str], name: str) -> str:
    values = [value for given, value in headers.items() if given.lower() == name]
    return values[0] if len(values) == 1 else ""


class Tillfront:
    """A client of one Tillfront. Every method raises `TillfrontError`. It writes no log."""

    def __init__(self, url: str, api_key: str, *, timeout_seconds: float = 40, max_retries: int = 2) -> None:
        """`api_key` is a merchant key: never give it to a browser. `timeout_seconds` and `max_retries` are for each call;
        only calls that cannot be done twice are repeated. Where the service has a `MERCHANT_PORT`, `url` has that port."""
        if not re.match(r"https?://[^/\s]", url, re.IGNORECASE):
            raise ValueError("The url must be the http or https address of Tillfront.")
        # http.client would name a malformed header with its value, which is the key.
        if not re.fullmatch(r"[\x21-\x7e]+", api_key):
            raise ValueError("The key must be a merchant key: visible ASCII characters, without spaces.")
        self._url = url.rstrip("/")
        self._api_key = api_key
        self._timeout_seconds = timeout_seconds
        self._max_retries = max_retries
        self._opener = urllib.request.build_opener(_NoRedirect)

    def create_session(self, session: Json, idempotency_key: Optional[str] = None) -> Json:
        """Creates a session, or gives the one that the key has created.

        Look at its `status`: after a session has expired or was closed, its key goes on giving that one. `clientToken` and
        `checkoutUrl` are for the payer's browser alone.
        """
        return self._post("/v1/checkout-sessions", session, idempotency_key)

    def get_session(self, session_id: str) -> Json:
        return self._get(f"/v1/checkout-sessions/{_segment(session_id)}")

    def list_sessions(self, reference: str) -> list[Json]:
        """The sessions of an order, the newest first."""
        return self._data("/v1/checkout-sessions", {"reference": reference})

    def close_session(self, session_id: str, idempotency_key: Optional[str] = None) -> Json:
        """Ends an unpaid session, so that its reference can have another one."""
        return self._post(f"/v1/checkout-sessions/{_segment(session_id)}/close", {}, idempotency_key)

    def redact_session(self, session_id: str, idempotency_key: Optional[str] = None) -> Json:
        """Erases the payer's data."""
        return self._post(f"/v1/checkout-sessions/{_segment(session_id)}/redact", {}, idempotency_key)

    def get_payment(self, payment_id: str, query: Optional[Json] = None) -> Json:
        """A payment. With `wait` (seconds) in the query, as soon as it differs from now or from what was `seen`."""
        return self._get(f"/v1/payments/{_segment(payment_id)}", query)

    def list_payments(self, query: Optional[Json] = None) -> Json:
        """A page of payments, the newest first: `data` and `nextCursor`."""
        return self._get("/v1/payments", query)

    def all_payments(self, query: Optional[Json] = None) -> Iterator[Json]:
        """All payments, page by page."""
        return self._items("/v1/payments", query, "cursor")

    def get_timeline(self, payment_id: str) -> list[Json]:
        """What happened to a payment, the oldest first."""
        return self._data(f"/v1/payments/{_segment(payment_id)}/events")

    def complete_payment(
        self, payment_id: str, completion: Optional[Json] = None, idempotency_key: Optional[str] = None
    ) -> Json:
        """Takes the money of an `authorized` payment: all of it, or an `amount`."""
        return self._post(f"/v1/payments/{_segment(payment_id)}/complete", completion or {}, idempotency_key)

    def void_payment(self, payment_id: str, idempotency_key: Optional[str] = None) -> Json:
        """Reverses a whole payment. While `pendingOperation` is set, its outcome is not known yet."""
        return self._post(f"/v1/payments/{_segment(payment_id)}/void", {}, idempotency_key)

    def cancel_payment(self, payment_id: str, idempotency_key: Optional[str] = None) -> Json:
        """Ends a payment that waits for the payer. The gateway is asked first."""
        return self._post(f"/v1/payments/{_segment(payment_id)}/cancel", {}, idempotency_key)

    def refresh_payment(self, payment_id: str) -> Json:
        """Asks the gateway now. It is sent once."""
        return self._call("POST", f"/v1/payments/{_segment(payment_id)}/refresh", {}, None)

    def create_refund(
        self, payment_id: str, refund: Optional[Json] = None, idempotency_key: Optional[str] = None
    ) -> Json:
        """Gives back all that is left of a payment, or an `amount`.

        `processing` means that the outcome is not known yet: do not ask again with another key. Where another person must
        approve it first, the answer has an `approval` in place of the refund.
        """
        return self._post(f"/v1/payments/{_segment(payment_id)}/refunds", refund or {}, idempotency_key)

    def refunds_of_payment(self, payment_id: str) -> list[Json]:
        """The refunds of a payment that you asked for, the oldest first."""
        return self._data(f"/v1/payments/{_segment(payment_id)}/refunds")

    def list_refunds(self, query: Optional[Json] = None) -> Json:
        """A page of all refunds, the newest first, also those that were made at the gateway."""
        return self._get("/v1/refunds", query)

    def all_refunds(self, query: Optional[Json] = None) -> Iterator[Json]:
        """All refunds, page by page."""
        return self._items("/v1/refunds", query, "cursor")

    def list_events(self, query: Optional[Json] = None) -> Json:
        """A page of events, the oldest first."""
        return self._get("/v1/events", query)

    def all_events(self, query: Optional[Json] = None) -> Iterator[Json]:
        """All events after the one in `after` until now, the oldest first: what your server has missed."""
        return self._items("/v1/events", query, "after")

    def redeliver_event(self, event_id: str) -> Json:
        """Sends an event to your server again, under its id. It is sent once."""
        return self._call("POST", f"/v1/events/{_segment(event_id)}/redeliver", {}, None)

    def _items(self, path: str, query: Optional[Json], cursor_name: str) -> Iterator[Json]:
        query = dict(query or {})
        while True:
            page = self._get(path, query)
            yield from page["data"]
            if page["nextCursor"] is None:
                return
            query[cursor_name] = page["nextCursor"]

    def _data(self, path: str, query: Optional[Json] = None) -> list[Json]:
        data: list[Json] = self._get(path, query)["data"]
        return data

    def _get(self, path: str, query: Optional[Json] = None) -> Json:
        given = {name: _query_value(value) for name, value in (query or {}).items() if value is not None}
        return self._call("GET", f"{path}?{urllib.parse.urlencode(given)}" if given else path, None, None)

    def _post(self, path: str, body: Json, key: Optional[str]) -> Json:
        key = str(uuid.uuid4()) if key is None else key
        if not re.fullmatch(r"[\x21-\x7e]{1,255}", key):
            raise ValueError("The idempotency key must be 1 to 255 visible ASCII characters.")
        return self._call("POST", path, body, key)

    def _call(self, method: str, path: str, body: Optional[Json], key: Optional[str]) -> Json:
        is_safe = method == "GET" or key is not None
        retries = 0
        while True:
            try:
                return self._attempt(method, path, body, key)
            except TillfrontError as refused:
                # Jitter, so that many callers do not come back at the same moment.
                backoff = 0.3 * 2**retries * (1 + random.random())
                pause = backoff if refused.retry_after_seconds is None else float(refused.retry_after_seconds)
                can_go_on = is_safe and retries < self._max_retries and pause <= _LONGEST_PAUSE_SECONDS
                if not can_go_on or not _is_worth_repeating(refused):
                    raise
            time.sleep(pause)
            retries += 1

    def _attempt(self, method: str, path: str, body: Optional[Json], key: Optional[str]) -> Json:
        headers = {
            "Authorization": f"Bearer {self._api_key}",
            "Accept": "application/json",
            "User-Agent": "tillfront-python",
        }
        if body is not None:
            headers["Content-Type"] = "application/json"
        if key is not None:
            headers["Idempotency-Key"] = key
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._url + path, data=data, headers=headers, method=method)
        try:
            try:
                answer = self._opener.open(request, timeout=self._timeout_seconds)
            except urllib.error.HTTPError as refused:
                answer = refused
            with answer:
                status, retry_after, text = answer.status, answer.headers.get("Retry-After", ""), answer.read()
        except (OSError, http.client.HTTPException) as cause:
            message = f"Tillfront gave no answer to {method} {path.split('?')[0]}."
            raise TillfrontError("no-answer", message, idempotency_key=key) from cause
        try:
            parsed = json.loads(text)
        except ValueError:
            parsed = None
        problem: Json = parsed if isinstance(parsed, dict) else {}
        if 200 <= status < 300 and isinstance(parsed, dict):
            return problem
        retry_after_seconds = int(retry_after) if re.fullmatch(r"[0-9]{1,6}", retry_after) else None
        code = problem.get("code")
        fields = "".join(f"\n  {one['pointer']} {one['message']}" for one in problem.get("errors") or [])
        raise TillfrontError(
            code if isinstance(code, str) else "not-the-service",
            f"{code}: {problem.get('detail', '')}{fields}"
            if isinstance(code, str)
            else f"What answers is not Tillfront (HTTP {status}).",
            status=status,
            problem=problem,
            idempotency_key=key,
            retry_after_seconds=retry_after_seconds,
        )


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The service never redirects these calls, and the key must not go elsewhere."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _query_value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_worth_repeating(refused: TillfrontError) -> bool:
    if refused.code == "not-the-service":
        return refused.status in _PROXY_STATUSES
    return refused.code == "no-answer" or refused.code in _WORTH_REPEATING


def _segment(an_id: str) -> str:
    """An id as a part of a path: `..` would be another call."""
    if re.fullmatch(r"[A-Za-z0-9_-]+", an_id):
        return an_id
    raise ValueError("That is not the id of a session, a payment or an event.")
