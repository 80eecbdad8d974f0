// SPDX-License-Identifier: Apache-2.0
// naga, from its npm package, as a command: node scripts/naga.mjs IN.wgsl OUT.spv
// The package is looked for in $VKASSAY_NAGA_PACKAGE, or where `npm install wgsl-wasm-transpiler-bundler` puts it: in
// node_modules here, above, or globally.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const name = "wgsl-wasm-transpiler-bundler";
const [input, output] = process.argv.slice(2);

function fail(text) {
    process.stderr.write(text + "\n");
    process.exit(1);
}

function* places() {
    if (process.env.VKASSAY_NAGA_PACKAGE) yield process.env.VKASSAY_NAGA_PACKAGE;
    for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
        yield join(folder, "node_modules", name);
        if (folder === dirname(folder)) break;
    }
    yield join(execFileSync("npm", ["root", "-g"], { stdio: ["ignore", "pipe", "ignore"] }).toString().trim(), name);
}

async function load() {
    for (const folder of places()) {
        const code = join(folder, "wgsl_wasm_transpiler_bg.js");
        if (!existsSync(code)) continue;
        const glue = await import(pathToFileURL(code));
        const bytes = readFileSync(join(folder, "wgsl_wasm_transpiler_bg.wasm"));
        const { instance } = await WebAssembly.instantiate(bytes, { "./wgsl_wasm_transpiler_bg.js": glue });
        glue.__wbg_set_wasm(instance.exports);
        instance.exports.__wbindgen_start();
        return glue;
    }
    fail(`naga is missing: npm install ${name}`);
}

if (!output) fail("usage: node naga.mjs IN.wgsl OUT.spv");
const naga = await load();
try {
    writeFileSync(output, Buffer.from(naga.compileShader(readFileSync(input, "utf8"), "spirv"), "base64"));
} catch (error) {
    fail(String(error));
}
