"""Small packages with the interfaces of jsdom, Readability.js and defuddle, for tests without a download."""

import json

JSDOM = """
exports.VirtualConsole = class {};
exports.JSDOM = class { constructor(html) { this.window = { document: html, close() {} }; } };
"""
READABILITY = """
exports.Readability = class {
  constructor(html) { this.html = html; }
  parse() {
    const order = this.html.replace("<p>", "").trim();
    if (order === "hang") for (;;) {}
    if (order === "raise") throw new TypeError("unsupported page");
    if (order === "die") process.kill(process.pid, "SIGKILL");
    if (order === "empty") return null;
    console.log("noise on standard output");
    return { content: this.html };
  }
};
"""
DEFUDDLE = """
exports.Defuddle = async (html, url, options) => {
  const fetched = await fetch(url).then(() => "online", () => "offline");
  return { content: `<p>${fetched}</p>` + html, contentMarkdown: options.separateMarkdown ? `# ${url}` : undefined };
};
"""


def write_package(folder, name, main, program):
    target = folder / "node_modules" / name / main
    target.parent.mkdir(parents=True)
    target.write_text(program)
    manifest = {"name": name, "version": "9.8.7", "main": main}
    (folder / "node_modules" / name / "package.json").write_text(json.dumps(manifest))


def write_packages(folder):
    """Write the packages as if npm had installed them into a folder."""
    write_package(folder, "jsdom", "index.js", JSDOM)
    write_package(folder, "@mozilla/readability", "index.js", READABILITY)
    write_package(folder, "defuddle", "dist/node.js", DEFUDDLE)
    write_package(folder, "linkedom", "index.js", "")
    return folder
