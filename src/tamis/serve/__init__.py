"""The reader and the HTTP API (extra ``serve``), after Liu's agent for weak devices (2017).

::

    request ─► app (routes) ─► service ─► fetcher (guarded, on the event loop)
                                   └────► pool (worker processes) ─► job_runner: extract, render, sanitize

The event loop extracts nothing, so it stays free for requests, and the server process loads neither the parser nor
NumPy. Workers extract with `tamis.extract`, as every other client does.
"""
