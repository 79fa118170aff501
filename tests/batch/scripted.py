"""Pages that scripts build, each in its own way. They are ours; no server is needed."""

import json

PARAGRAPHS = [
    "The lighthouse was built on the eastern rock, because the western one is under water at high tide.",
    "Its keeper wrote down the weather three times a day, and he did so for thirty-one years.",
    "When the lamp was replaced by an electric one, nobody in the village noticed the difference.",
    "The stairs have two hundred and four steps; the last twelve are made of iron, and they are steep.",
]
TITLE = "The lighthouse on the rock"
DATA = json.dumps({"title": TITLE, "paragraphs": PARAGRAPHS})
#: What tells that a page was recovered.
PHRASE = PARAGRAPHS[2]
_BUILD = """
function build(root, data) {
  const article = document.createElement("article"), heading = document.createElement("h1");
  heading.textContent = data.title;
  article.append(heading, ...data.paragraphs.map(text => {
    const p = document.createElement("p"); p.textContent = text; return p;
  }));
  root.append(article);
}
"""
_MENU = "<nav><ul>" + "".join(f"<li><a href=/{k}>Section {k}</a></li>" for k in range(30)) + "</ul></nav>"
_FOOTER = (
    "<footer><p>All rights reserved. Terms of use, privacy, cookies, contact, imprint, jobs and press.</p></footer>"
)

#: Pages whose content the browser brings back without a network.
RECOVERABLE = {
    "mount": f"<div id=root></div><script>{_BUILD} build(document.getElementById('root'), {DATA})</script>",
    "late": f"<div id=app></div><script>{_BUILD} setTimeout(() => build(app, {DATA}), 300)</script>",
    "json": f"<div id=__next></div><script type=application/json id=data>{DATA}</script>"
    f"<script>{_BUILD} build(__next, JSON.parse(data.textContent))</script>",
    "module": f"<main></main><script type=module>{_BUILD} build(document.querySelector('main'), {DATA})</script>",
    "markup": f"<noscript>Please enable JavaScript.</noscript><div class=page></div><script>const data = {DATA};"
    "document.querySelector('.page').innerHTML = `<h1>${data.title}</h1>` +"
    " data.paragraphs.map(text => `<p>${text}</p>`).join('')</script>",
    "written": f"<script>const data = {DATA};"
    " document.write(data.paragraphs.map(text => `<p>${text}</p>`).join(''))</script>",
    "element": f"<story-page></story-page><script>{_BUILD} customElements.define('story-page',"
    f" class extends HTMLElement {{ connectedCallback() {{ build(this, {DATA}) }} }})</script>",
    "framed": f"<title>News</title>{_MENU}<div id=app></div>{_FOOTER}<script>{_BUILD} build(app, {DATA})</script>",
    "hydrated": f"<div id=__nuxt><p>Loading …</p></div><script>{_BUILD} __nuxt.textContent = '';"
    f" build(__nuxt, {DATA})</script>",
}
#: Pages for which a browser without a network can do nothing.
LOST = {
    "fetched": "<div id=app></div><script>fetch('/story.json').then(r => r.json()).then(d => app.append(d.title))"
    "</script>",
    "external": "<div id=root></div><script src=/bundle.js></script>",
    "broken": "<div id=root></div><script>throw new Error('unsupported browser')</script>",
}
#: Pages that need no browser.
SERVED = {
    "article": f"<main><h1>{TITLE}</h1>{''.join(f'<p>{text}</p>' for text in PARAGRAPHS)}</main><script>0</script>",
    "empty": "<p></p>",
    "data": f"<script type=application/ld+json>{DATA}</script><p>Gone.",
}
