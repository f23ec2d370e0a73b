"""
Logic shared by the synchronous and the asynchronous client: requests, retries, waits, downloads and
uploads. The modules of this package do no I/O; `flow.py` explains how requests are sent.
"""
