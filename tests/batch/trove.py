"""The pages of a test, as a reader of DataTrove."""

from datatrove.data import Document
from datatrove.pipeline.base import PipelineStep


class Documents(PipelineStep):
    name = "pages"
    type = "READER"

    def __init__(self, shards):
        super().__init__()
        self.shards = shards

    def run(self, data=None, rank=0, world_size=1):  # noqa: ARG002 (the signature of a step)
        for page in self.shards[rank]:
            html = page["html"]
            text = html.decode("utf-8", "replace") if isinstance(html, bytes) else html
            yield Document(text, page["id"], metadata={"url": page["url"]} if page.get("url") else {})
