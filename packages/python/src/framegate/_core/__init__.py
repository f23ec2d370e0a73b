"""
What the synchronous and the asynchronous client have in common: every decision about requests,
retries, waits, downloads and uploads. Nothing here opens a connection (`flow.py`).
"""
