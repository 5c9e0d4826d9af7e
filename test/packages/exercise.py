"""One call of the packed client: its name and arguments come in as JSON, its result or failure goes out as JSON."""

import json
import os
import re
import sys
import traceback
from collections.abc import Iterator

package, call = sys.argv[1:]
sys.path.insert(0, package)
import tillfront  # noqa: E402

given = json.loads(call)
name, args = re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", given["name"]), given["args"]
try:
    if name == "verify_event":
        said = {"result": tillfront.verify_event(*args)}
    elif name == "show":
        said = {"result": repr(tillfront.Tillfront("http://127.0.0.1:9", os.environ["MERCHANT_API_KEY"]))}
    else:
        client = tillfront.Tillfront(os.environ["TILLFRONT_URL"], os.environ["MERCHANT_API_KEY"])
        result = getattr(client, name)(*args)
        said = {"result": list(result) if isinstance(result, Iterator) else result}
except tillfront.TillfrontError as error:
    said = {
        "failure": {
            "code": error.code,
            "status": error.status,
            "requestId": error.request_id,
            "errors": error.errors,
            "idempotencyKey": error.idempotency_key,
            "retryAfterSeconds": error.retry_after_seconds,
            "text": traceback.format_exc(),
        }
    }
except tillfront.WebhookVerificationError as error:
    said = {"failure": {"code": error.code}}
except ValueError as error:
    said = {"failure": {"code": "argument", "text": traceback.format_exc()}}
print(json.dumps(said))
