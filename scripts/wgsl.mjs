// SPDX-License-Identifier: Apache-2.0
// Compiles WGSL to SPIR-V for tests, by naga as WebAssembly: node scripts/wgsl.mjs IN.wgsl OUT.spv
// `scripts/install.sh test` installs its package in the folder of wgsl_package (scripts/find.sh).
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const scripts = path.dirname(fileURLToPath(import.meta.url));
const find = 'cd "$0" && . ./find.sh && wgsl_package';
const folder = execFileSync('bash', ['-c', find, scripts], { encoding: 'utf8' }).trim();
const stem = path.join(folder, 'wgsl_wasm_transpiler_bg');
const [, , source, target] = process.argv;
try {
    const naga = await import(pathToFileURL(`${stem}.js`));
    const imports = { './wgsl_wasm_transpiler_bg.js': naga };
    const { instance } = await WebAssembly.instantiate(fs.readFileSync(`${stem}.wasm`), imports);
    naga.__wbg_set_wasm(instance.exports);
    instance.exports.__wbindgen_start();
    fs.writeFileSync(target, Buffer.from(naga.compileShader(fs.readFileSync(source, 'utf8'), 'spirv'), 'base64'));
} catch (error) {
    console.error(typeof error === 'string' ? error : error.message);
    process.exit(1);
}
