"""No script of a page runs in the reader, in a real browser: not with the policy, and not without it either."""

from urllib.parse import quote

import pytest

from tamis.serve.sanitize import sanitize
from tests.serve.attacks import IN_CONTENT, IN_HEAD
from tests.serve.loopback import send

WORDS = "<p>A paragraph about tea, with words enough, commas too, and a point to make at its end.</p>"
#: Clicks and touches every element, stays on the page, and returns the elements.
TOUCH = """() => {
  addEventListener('submit', event => event.preventDefault(), true);  // the form of the settings, which is ours
  addEventListener('click', event => {
    const link = event.target.closest('a');
    if (link && !/^(javascript|data|vbscript):$/.test(link.protocol)) event.preventDefault();
  }, true);
  const elements = [];
  for (const element of [...document.querySelectorAll('*')]) {
    elements.push([element.tagName, [...element.attributes].map(each => [each.name, each.value])]);
    for (const type of 'mouseover focus mouseenter pointerdown animationstart toggle load error'.split(' '))
      element.dispatchEvent(new Event(type));
    element.click?.();
  }
  return elements;
}"""
URL_ATTRIBUTES = {
    "href",
    "src",
    "action",
    "data",
    "poster",
    "formaction",
    "cite",
    "srcset",
    "background",
    "xlink:href",
}
NAMES = """
HTML HEAD META TITLE STYLE LINK BODY A INPUT DIV NAV SPAN LABEL HEADER P H1 H2 BDI SECTION UL LI FIGURE IMG FIGCAPTION
MAIN FOOTER H3 H4 H5 H6 ARTICLE B BLOCKQUOTE BR CAPTION CODE DD DEL DL DT EM HR INS MARK OL PRE Q RP RT RUBY STRONG
SUB SUP TABLE TBODY TD TFOOT TH THEAD TR DETAILS SUMMARY FORM FIELDSET LEGEND BUTTON TIME CAPTION math mrow mi mn mo
mtext mfrac msqrt mroot msub msup msubsup munder mover munderover mtable mtr mtd mspace
"""
TAGS = set(NAMES.split())


def page_of(number, payload, where):
    payload = payload.format(n=number)
    if where == "head":
        return f"{payload}<body><article><h1>Tea</h1>{WORDS * 12}</article>"
    middle = f"<p>Before it. {payload} And after it, words.</p>" if "<p" not in payload else payload
    return f"<title>Tea</title><article><h1>Tea {payload}</h1>{WORDS * 6}{middle}{payload}{WORDS * 6}</article>"


PAYLOADS = [(payload, "content") for payload in IN_CONTENT] + [(payload, "head") for payload in IN_HEAD]


@pytest.fixture
def tab(browser):
    """A browser page that records calls of ``ran()``. Its requests do not leave the test."""
    context = browser.new_context()
    tab = context.new_page()
    tab.ran = []
    tab.expose_function("ran", lambda number: tab.ran.append(number))  # noqa: PLW0108 (it must take attributes)
    tab.on("dialog", lambda dialog: dialog.dismiss())
    tab.bodies = {}

    def fulfill(route):
        body = tab.bodies.get(route.request.url)
        if body is None:
            route.fulfill(status=404, body="")
        else:
            route.fulfill(status=200, content_type="text/html; charset=utf-8", body=body)

    context.route("**/*", fulfill)
    yield tab
    context.close()


def test_there_are_at_least_forty_payloads():
    assert len(PAYLOADS) >= 40


def test_payloads_run_in_unprotected_pages(tab):
    """The tests below show something only if the payloads do run where nothing stops them."""
    ran = set()
    while len(ran) < 25:  # a payload may need more than the page to load, so that all are tried again
        for number, (payload, where) in enumerate(PAYLOADS):
            tab.bodies["http://page.example/"] = page_of(number, payload, where)
            tab.ran.clear()
            tab.goto("http://page.example/")
            if tab.ran:
                ran.add(number)


@pytest.mark.parametrize("extractor", ["sift", "body"])
def test_no_payload_runs_in_the_output_even_without_its_policy(service, tab, extractor):
    """The policy would stop all payloads, so the page is loaded without it."""
    for number, (payload, where) in enumerate(PAYLOADS):
        page = page_of(number, payload, where).encode("utf-8", "replace")
        if extractor == "sift":
            response = send(f"{service}/read", "POST", page, Content_Type="text/html")
        else:  # the content of the whole page, as the API writes it
            response = send(
                f"{service}/v1/extract?format=html&extractor=body&url=https://e.org/&metadata=true", "POST", page
            )
        assert response.status == 200, payload
        tab.set_content(response.text, wait_until="domcontentloaded")
        elements = tab.evaluate(TOUCH)
        assert {tag for tag, _ in elements} <= TAGS, payload
        for name, value in (each for _, attributes in elements for each in attributes):
            assert not name.startswith("on"), payload
            assert name != "style", payload
            if name in URL_ATTRIBUTES:
                assert value.startswith(("http://", "https://", "/", "#")), payload
        assert tab.ran == [], payload
    tab.wait_for_load_state("networkidle")
    assert tab.ran == []


def test_no_payload_runs_after_the_sanitizer_alone(tab):
    """The sanitizer gets the pages as they are, without the help of the document model."""
    for number, (payload, where) in enumerate(PAYLOADS):
        html = sanitize(page_of(number, payload, where))
        tab.set_content(html, wait_until="domcontentloaded")
        elements = tab.evaluate(TOUCH)
        assert {tag for tag, _ in elements} <= TAGS, payload
        for name, value in (each for _, attributes in elements for each in attributes):
            assert not name.startswith("on"), payload
            assert name not in URL_ATTRIBUTES or value.startswith(("http://", "https://", "#")), payload
        assert tab.ran == [], payload


def test_no_payload_runs_in_the_reader(service, site, browser):
    """All payloads on one page, over HTTP, with the policy in force."""
    everything = "".join(page_of(n, payload, where) for n, (payload, where) in enumerate(PAYLOADS))
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
    tab.wait_for_load_state("networkidle")
    assert (ran, dialogs) == ([], [])
    context.close()


def test_the_policy_alone_stops_a_script(service, site, browser):
    """If everything else failed: a script injected into the reader's own response does not run."""
    context = browser.new_context()
    tab = context.new_page()
    ran = []
    tab.expose_function("ran", lambda number: ran.append(number))  # noqa: PLW0108 (likewise)

    def inject(route):
        response = route.fetch()
        body = response.text().replace("<main", "<script>ran(1)</script><img src=x onerror=ran(2)><main")
        route.fulfill(response=response, body=body)

    tab.route("**/read*", inject)
    tab.goto(f"{service}/read?url={quote(site.url('/news-comments'), safe='')}")
    tab.wait_for_load_state("networkidle")
    assert ran == []
    context.close()
