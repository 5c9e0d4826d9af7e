import json
import os
import sys
import urllib.parse
import urllib.request


def paid_by(order):
    query = urllib.parse.urlencode({"reference": order["number"], "status": "succeeded"})
    request = urllib.request.Request(
        f"{os.environ['TILLFRONT_URL']}/v1/payments?{query}",
        headers={"Authorization": "Bearer " + os.environ["MERCHANT_API_KEY"]},
    )
    with urllib.request.urlopen(request, timeout=20) as response:
        payments = json.load(response)["data"]
    live = os.environ.get("NODE_ENV") == "production"
    for payment in payments:
        if (
            payment["amount"] == order["total"]
            and payment["currency"] == order["currency"]
            and payment["duplicateOf"] is None
            and not payment["needsAttention"]
            # Money that was given back, or charged back, leaves it `succeeded`.
            and payment["amountRefunded"] is None
            and not payment["disputed"]
            and payment["livemode"] == live
        ):
            return payment
    return None


payment = paid_by({"number": sys.argv[1], "total": "1500.00", "currency": "NGN"})
print(f"ship: paid by {payment['id']}" if payment else "wait: not paid")
