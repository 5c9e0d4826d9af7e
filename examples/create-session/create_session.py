import json
import os
import urllib.error
import urllib.request


def create_session(order):
    request = urllib.request.Request(
        os.environ["TILLFRONT_URL"] + "/v1/checkout-sessions",
        method="POST",
        headers={
            "Authorization": "Bearer " + os.environ["MERCHANT_API_KEY"],
            "Content-Type": "application/json",
            # One key per session. After it has expired or was closed, use a new one: order-…-2.
            "Idempotency-Key": "order-" + order["number"] + "-1",
        },
        data=json.dumps(
            {
                "reference": order["number"],
                "amount": order["total"],
                "currency": "NGN",
                "payer": {"email": order["email"]},
                "returnUrl": "https://shop.example/thanks",
            }
        ).encode(),
    )
    try:
        with urllib.request.urlopen(request, timeout=20) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        problem = json.load(error)
        fields = "".join(f"\n  {fault['pointer']} {fault['message']}" for fault in problem.get("errors", []))
        raise RuntimeError(f"{problem['code']}: {problem['detail']} ({problem['requestId']}){fields}") from None


session = create_session({"number": "PY-1001", "total": "1500.00", "email": "ada@example.com"})
print(session["checkoutUrl"])
