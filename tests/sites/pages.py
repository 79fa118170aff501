"""Pages of a site that this file makes up: a frame that repeats, and an article that differs."""

MENU = "".join(f"<li><a href=/{name}>{name.title()}</a></li>" for name in ("home", "kitchen", "garden", "letters"))
#: Reads as prose: without the other pages nothing says that it is no part of the article.
NOTICE = (
    "This magazine is written by its readers, printed on paper that was paper before, and sent to every house in the "
    "valley on the first Monday of the month. Whoever wants to help us folds, carries, or bakes for those who fold."
)
TOPICS = ("Tea", "Bread", "Plums", "Snow", "Bees", "Wool", "Hay")


def article(topic: str) -> str:
    sentences = [
        f"{topic} came late this year, and nobody in the valley had expected it before the second week of the month.",
        f"My grandmother kept a book about {topic.lower()}, in which every line began with the weather of that day.",
        f"We asked eleven neighbours what they remember of {topic.lower()}, and nine of them began to laugh at once.",
    ]
    return "".join(f"<p>{sentence}</p>" for sentence in sentences)


def page(topic: str, *, host: str = "valley.example", frame: str = "page", notice: str = NOTICE) -> str:
    slug = topic.lower()
    return (
        f"<!doctype html><html><head><title>{topic} - The Valley</title>"
        f'<link rel=canonical href="https://{host}/{slug}"></head><body><div class={frame}><ul class=menu>{MENU}</ul>'
        f"<div class=post-{len(topic)}><h1>{topic}</h1>{article(topic)}</div>"
        "<div class=letters><p>Write to us, or ring the bell at the mill door.</p><p>Answers take a week.</p></div>"
        f"<div class=colophon><p>{notice}</p>"
        "<p>Written by hand since the bridge was built, and never on a Sunday.</p>"
        "<p>All letters reach us at the mill, where somebody is awake at any hour.</p></div></div></body></html>"
    )
