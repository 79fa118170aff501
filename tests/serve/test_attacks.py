"""No script of a page runs in the reader, in a real browser: not with the policy, and not without it either."""

from urllib.parse import quote

import pytest

from tamis.serve.sanitize import clean
from tests.serve.attacks import IN_CONTENT, IN_HEAD
from tests.serve.loopback import ask

WORDS = "<p>A paragraph about tea, with words enough, commas too, and a point to make at its end.</p>"
#: Presses and touches everything, as a person might (but stays on the page), and says what there is.
TOUCH = """() => {
  addEventListener('click', event => {
    const link = event.target.closest('a');
    if (link && !/^(javascript|data|vbscript):$/.test(link.protocol)) event.preventDefault();
  }, true);
  const found = [];
  for (const one of [...document.querySelectorAll('*')]) {
    found.push([one.tagName, [...one.attributes].map(given => [given.name, given.value])]);
    for (const kind of 'mouseover focus mouseenter pointerdown animationstart toggle load error'.split(' '))
      one.dispatchEvent(new Event(kind));
    one.click?.();
  }
  return found;
}"""
URLS = {"href", "src", "action", "data", "poster", "formaction", "cite", "srcset", "background", "xlink:href"}
NAMES = """
HTML HEAD META TITLE STYLE LINK BODY A INPUT DIV NAV SPAN LABEL HEADER P H1 H2 BDI SECTION UL LI FIGURE IMG FIGCAPTION
MAIN FOOTER H3 H4 H5 H6 ARTICLE B BLOCKQUOTE BR CAPTION CODE DD DEL DL DT EM HR INS MARK OL PRE Q RP RT RUBY STRONG
SUB SUP TABLE TBODY TD TFOOT TH THEAD TR
"""
TAGS = set(NAMES.split())


def page_of(number, payload, where):
    payload = payload.format(n=number)
    if where == "head":
        return f"{payload}<body><article><h1>Tea</h1>{WORDS * 12}</article>"
    middle = f"<p>Before it. {payload} And after it, words.</p>" if "<p" not in payload else payload
    return f"<title>Tea</title><article><h1>Tea {payload}</h1>{WORDS * 6}{middle}{payload}{WORDS * 6}</article>"


ALL = [(payload, "content") for payload in IN_CONTENT] + [(payload, "head") for payload in IN_HEAD]


@pytest.fixture
def tab(browser):
    """A page of the browser that knows when ``ran()`` is called; nothing leaves for another place."""
    context = browser.new_context()
    tab = context.new_page()
    tab.ran = []
    tab.expose_function("ran", lambda number: tab.ran.append(number))  # noqa: PLW0108 (it must take attributes)
    tab.on("dialog", lambda dialog: dialog.dismiss())
    tab.answers = {}

    def answer(route):
        body = tab.answers.get(route.request.url)
        if body is None:
            route.fulfill(status=404, body="")
        else:
            route.fulfill(status=200, content_type="text/html; charset=utf-8", body=body)

    context.route("**/*", answer)
    yield tab
    context.close()


def test_there_are_enough_of_them():
    assert len(ALL) >= 40


def test_they_would_run_in_the_pages_themselves(tab):
    """What the tests below show is worth something only if these do run where nobody stops them."""
    ran = set()
    for number, (payload, where) in enumerate(ALL):
        tab.ran.clear()
        tab.answers["http://page.example/"] = page_of(number, payload, where)
        tab.goto("http://page.example/", wait_until="domcontentloaded")
        tab.wait_for_timeout(30)
        if tab.ran:
            ran.add(number)
    assert len(ran) >= 25


@pytest.mark.parametrize("extractor", ["sift", "body"])
def test_none_runs_in_what_the_reader_writes_even_without_its_policy(service, tab, extractor):
    """The policy would stop them all, so it is taken away: what remains is the page as it was written."""
    for number, (payload, where) in enumerate(ALL):
        page = page_of(number, payload, where).encode("utf-8", "replace")
        if extractor == "sift":
            found = ask(f"{service}/read", "POST", page, Content_Type="text/html")
        else:  # the content of the whole page, as the API writes it
            found = ask(
                f"{service}/v1/extract?format=html&extractor=body&url=https://e.org/&metadata=true", "POST", page
            )
        assert found.status == 200, payload
        tab.set_content(found.text, wait_until="domcontentloaded")
        there = tab.evaluate(TOUCH)
        assert {tag for tag, _ in there} <= TAGS, payload
        for name, value in (one for _, given in there for one in given):
            assert not name.startswith("on"), payload
            assert name != "style", payload
            if name in URLS:
                assert value.startswith(("http://", "https://", "/", "#")), payload
        assert tab.ran == [], payload
    tab.wait_for_timeout(100)
    assert tab.ran == []


def test_none_runs_in_what_the_sanitiser_leaves(tab):
    """The sanitiser alone, given the pages as they are: the document model before it is not there to help."""
    for number, (payload, where) in enumerate(ALL):
        left = clean(page_of(number, payload, where))
        tab.set_content(left, wait_until="domcontentloaded")
        there = tab.evaluate(TOUCH)
        assert {tag for tag, _ in there} <= TAGS, payload
        for name, value in (one for _, given in there for one in given):
            assert not name.startswith("on"), payload
            assert name not in URLS or value.startswith(("http://", "https://", "#")), payload
        assert tab.ran == [], payload


def test_none_runs_in_the_reader_itself(service, site, browser):
    """All at once, over the wire, with the policy in force and a person's hands."""
    everything = "".join(page_of(n, payload, where) for n, (payload, where) in enumerate(ALL))
    site.pages["/attacks"] = everything.encode("utf-8", "replace")
    context = browser.new_context()
    tab = context.new_page()
    ran, dialogs = [], []
    tab.expose_function("ran", lambda number: ran.append(number))  # noqa: PLW0108 (likewise)
    tab.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    tab.goto(f"{service}/read?url={quote(site.url('/attacks'), safe='')}")
    assert tab.locator("main").count() == 1
    tab.keyboard.press("Tab")
    for link in tab.locator("main a").all()[:20]:
        assert link.get_attribute("href").startswith(("http://", "https://", "mailto:", "tel:", "#"))
    tab.wait_for_timeout(200)
    assert (ran, dialogs) == ([], [])
    context.close()


def test_the_policy_alone_would_stop_a_script(service, site, browser):
    """If everything else failed: a script put into the reader's own answer does not run."""
    context = browser.new_context()
    tab = context.new_page()
    ran = []
    tab.expose_function("ran", lambda number: ran.append(number))  # noqa: PLW0108 (likewise)

    def slip_in(route):
        answer = route.fetch()
        body = answer.text().replace("<main", "<script>ran(1)</script><img src=x onerror=ran(2)><main")
        route.fulfill(response=answer, body=body)

    tab.route("**/read*", slip_in)
    tab.goto(f"{service}/read?url={quote(site.url('/news-comments'), safe='')}")
    tab.wait_for_timeout(200)
    assert ran == []
    context.close()
