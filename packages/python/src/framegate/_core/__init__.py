"""
Logic shared by the synchronous and the asynchronous client: requests, retries, waits, downloads and
uploads. Nothing here opens a connection (`flow.py`).
"""
