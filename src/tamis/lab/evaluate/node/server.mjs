// Reads requests as JSON lines from standard input and writes one response line for each, in order.
//
// Extraction runs in a worker thread, so that this thread can stop it after its time limit and notices the end of its
// input even while a page is being extracted. A thread that was stopped or that died is replaced for the next page.

import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";

// Megabytes of heap for a page; a thread that needs more ends with an error and not with the whole process.
const MAX_HEAP_MB = 2048;

const program = new URL("extract.mjs", import.meta.url);
let worker = null;
let answer = null; // takes the response to the current request

function start() {
  const thread = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
  const failed = (error) => thread === worker && answer?.({ error }, false);
  thread.on("message", (response) => thread === worker && answer?.(response, true));
  thread.on("error", (error) => failed(`${error.name}: ${error.message}`));
  thread.on("exit", (code) => failed(`ended its thread with code ${code}`));
  return thread;
}

function extract(request) {
  return new Promise((resolve) => {
    worker ??= start();
    const limit = setTimeout(
      () => answer({ error: `took longer than ${request.timeout} s` }, false),
      request.timeout * 1000,
    );
    answer = (response, keep) => {
      clearTimeout(limit);
      answer = null;
      if (!keep) {
        worker.terminate();
        worker = null;
      }
      resolve(response);
    };
    worker.postMessage(request);
  });
}

const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
// Nobody waits for an answer any more, not even for that of a page that is being extracted.
lines.on("close", () => process.exit(0));
for await (const line of lines) {
  const request = JSON.parse(line);
  const response = await extract(request);
  process.stdout.write(JSON.stringify({ id: request.id, ...response }) + "\n");
}
