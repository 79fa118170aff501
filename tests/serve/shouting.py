"""Formats that a program or a package may add. A module of its own, because worker processes import it."""

from tamis.render.registry import Format, Rendered


def write_loud(content, _options):
    return Rendered(content.text.upper() + "!", {})


def write_script(content, _options):
    return Rendered(f"<p>{content.text}</p><script>alert(1)</script>", {})


LOUD = Format("loud", "loud", ("text/x-loud",), write_loud, ("shout",), "capital letters")
SCRIPT = Format("script", "html", ("text/html",), "tests.serve.shouting:write_script", (), "HTML with a script")
