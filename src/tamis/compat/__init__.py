"""Modules with the interfaces of other packages, answered by Tamis: change the import, keep the calls.

``from tamis.compat import trafilatura`` stands for ``import trafilatura``, and likewise ``readability``,
``newspaper``, ``resiliparse``, ``justext`` and ``html2text``. docs/migration.md has each of them before and after. A
keyword that Tamis cannot honour is a `UserWarning`, once per process.

Nothing is imported here: a program pays for the module that it names.
"""
