"""The asynchronous client. All modules except `runner` and `page` are made from `_sync` by `tools/write_async.py`."""
