"""The reading agent and the HTTP API (extra ``serve``), after Liu 2017's agent for weak devices.

::

    request ─► app (routes) ─► service ─► fetcher (guarded, on the event loop)
                                   └────► pool (worker processes) ─► work: extract, write, sanitise

Nothing is extracted on the event loop, and nothing here has a way into a page other than `tamis.extract`.
"""
