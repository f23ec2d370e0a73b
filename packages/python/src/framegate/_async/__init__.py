"""The asynchronous client. `tools/write_async.py` generates all modules except `page` from those of `_sync`."""
