// The worker thread: runs one tool on one page.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { parentPort } from "node:worker_threads";

// Packages are in the folder that the process was started in, not beside this file.
const require = createRequire(`${process.cwd()}/package.json`);

// No page may fetch anything: defuddle asks the services of some sites.
globalThis.fetch = async () => {
  throw new Error("the network is not available");
};
// What tools log would bury the table; standard output belongs to the protocol.
for (const name of ["log", "info", "debug", "warn", "error"]) console[name] = () => {};

// What a tool loads. A thread that replaces a stopped one loads it again, and that time is not the page's.
const load = {
  "readability-js": () => ({ ...require("jsdom"), ...require("@mozilla/readability") }),
  defuddle: async () => (await import(pathToFileURL(`${process.cwd()}/node_modules/defuddle/dist/node.js`))).default,
};

const tools = {
  "readability-js"({ JSDOM, VirtualConsole, Readability }, html, url) {
    const dom = new JSDOM(html, { url, virtualConsole: new VirtualConsole() });
    try {
      return { html: new Readability(dom.window.document).parse()?.content ?? "" };
    } finally {
      dom.window.close();
    }
  },
  async defuddle({ Defuddle }, html, url, markdown) {
    const result = await Defuddle(html, url, { separateMarkdown: markdown, useAsync: false });
    return { html: result.content ?? "", markdown: markdown ? (result.contentMarkdown ?? "") : null };
  },
};

parentPort.on("message", async ({ tool, html, url, markdown }) => {
  try {
    const modules = await load[tool]();
    const began = process.cpuUsage();
    const result = await tools[tool](modules, html, url, markdown);
    const { user, system } = process.cpuUsage(began);
    parentPort.postMessage({ ...result, cpu_ms: (user + system) / 1000 });
  } catch (error) {
    parentPort.postMessage({ error: `${error?.name ?? "Error"}: ${error?.message ?? error}` });
  }
});
