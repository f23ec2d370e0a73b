"""Scenario of a receiver that verifies webhooks with the package of Standard Webhooks."""

from standardwebhooks import Webhook, WebhookVerificationError

from receive_webhook import call, receive_webhook

image = {"model": "imgA-5.0", "prompt": "a lake", "simulate": {"seconds": 0}}
body, headers, secret = receive_webhook("standard", lambda: call("POST", "/v2/model-center/tasks", image))
event = Webhook(secret).verify(body, headers)
assert (event["type"], event["data"]["status"]) == ("task.completed", "completed"), event
for wrong_body, wrong_secret in ((body + b" ", secret), (body, "whsec_" + "A" * 44)):
    try:
        Webhook(wrong_secret).verify(wrong_body, headers)
        raise AssertionError("a wrong signature was accepted")
    except WebhookVerificationError:
        pass
