"""A program that uses the client that openapi-python-client has generated."""

import base64
import os
import pathlib

from framegate_client import AuthenticatedClient
from framegate_client.api.assets import create_asset, import_asset
from framegate_client.api.credits_ import export_usage
from framegate_client.api.models import list_models
from framegate_client.api.operation import create_account, create_key, grant_credits
from framegate_client.api.tasks import get_task, list_tasks, quote_task, submit_task
from framegate_client.models import (
    AccountCreate,
    AssetImport,
    AssetUpload,
    Error,
    Grant,
    ImgA50ImageGeneration,
    KeyCreate,
    KeyCreateScopesItem,
    TaskStatus,
)
from framegate_client.types import File

NAME = os.environ["FRAMEGATE_ACCOUNT_NAME"]
IMAGE_PATH = pathlib.Path(os.environ["FRAMEGATE_IMAGE"])

client = AuthenticatedClient(base_url=os.environ["FRAMEGATE_URL"], token=os.environ["FRAMEGATE_API_KEY"], timeout=75)


def read(response):
    if response is None or isinstance(response, Error):
        raise RuntimeError(f"refused: {response}")
    return response


models = read(list_models.sync(client=client, limit=5))
assert len(models.items) == 5 and models.has_more
body = ImgA50ImageGeneration(model="imgA-5.0", prompt="a paper boat on a lake")
quote = read(quote_task.sync(client=client, body=body))
assert quote.available and quote.amount > 0

ids = []
for order in ("one", "two"):
    submitted = read(submit_task.sync(client=client, body=body, idempotency_key=f"{NAME}-{order}"))
    assert submitted.amount == quote.amount
    ids.insert(0, submitted.id)
for task_id in ids:
    task = read(get_task.sync(task_id, client=client, wait=60))
    assert task.status == TaskStatus.COMPLETED and task.result_url
first_page = read(list_tasks.sync(client=client, limit=1))
second_page = read(list_tasks.sync(client=client, limit=1, cursor=first_page.next_cursor))
assert [task.id for task in [*first_page.items, *second_page.items]] == ids

image = IMAGE_PATH.read_bytes()
with IMAGE_PATH.open("rb") as payload:
    upload = AssetUpload(file=File(payload=payload, file_name="image.png", mime_type="image/png"))
    asset = read(create_asset.sync(client=client, body=upload))
uri = f"data:image/png;base64,{base64.b64encode(image).decode()}"
imported = read(import_asset.sync(client=client, body=AssetImport(url=uri)))
assert asset.content_type == "image/png" and imported.id == asset.id
assert read(export_usage.sync(client=client)).startswith("day,")

account = read(create_account.sync(client=client, body=AccountCreate(name=NAME)))
key = read(create_key.sync(account.id, client=client, body=KeyCreate(scopes=[KeyCreateScopesItem.TASKSREAD])))
granted = read(grant_credits.sync(account.id, client=client, body=Grant(amount=2.5)))
assert key.key.startswith("fg_live_") and list(key.scopes) == ["tasks:read"] and granted.balance == 2.5
