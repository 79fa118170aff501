"use strict";
(() => {
  const blocks = [...document.querySelectorAll(".block")];
  const frame = document.querySelector("iframe");
  const counter = document.querySelector("#marked");
  const inFrame = (number) => {
    try { return frame.contentDocument.getElementById("b" + number); } catch { return null; }
  };
  const marks = new Map();
  const show = (block) => {
    const mark = marks.get(block);
    for (const element of [block, inFrame(block.dataset.number)]) {
      if (!element) continue;
      element.classList.toggle("y", mark === true);
      element.classList.toggle("n", mark === false);
    }
    counter.textContent = marks.size + " marked";
  };
  for (const tools of document.querySelectorAll(".mark, .tools")) tools.hidden = false;
  document.addEventListener("change", (event) => {
    const block = event.target.closest(".block");
    if (!block) return;
    if (event.target.value === "") marks.delete(block); else marks.set(block, event.target.value === "true");
    show(block);
  });
  const open = (number) => {
    const block = document.querySelector('.block[data-number="' + number + '"]');
    if (!block) return;
    block.open = true;
    if (matchMedia("(min-width: 821px)").matches) block.scrollIntoView({ block: "nearest" });
  };
  const listen = () => {
    let inner = null;
    try { inner = frame.contentDocument; } catch { return; }
    if (!inner) return;
    // Both sides open on the content: the first screen of most pages is navigation.
    const first = inner.querySelector(".b.k");
    if (first) inner.defaultView.scrollTo(0, first.getBoundingClientRect().top + inner.defaultView.scrollY - 24);
    inner.addEventListener("click", (event) => {
      const span = event.target.closest(".b[id]");
      if (span) open(Number(span.id.slice(1)));
    });
  };
  const list = document.querySelector(".list");
  const kept = list.querySelector(".block.k");
  if (kept) list.scrollTop = kept.offsetTop - list.offsetTop;
  frame.addEventListener("load", listen);
  listen();
  document.querySelector("#download").addEventListener("click", () => {
    const listed = blocks.filter((block) => marks.has(block)).map((block) => ({
      row: Number(block.dataset.row), text: block.querySelector(".text").textContent, content: marks.get(block),
    }));
    const body = document.body.dataset;
    const text = JSON.stringify({ format: body.format, url: body.url || null, marks: listed }, null, 1) + "\n";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = body.name + ".json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  });
})();
