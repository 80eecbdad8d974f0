// SPDX-License-Identifier: Apache-2.0
// Compiles WGSL to SPIR-V by naga as WebAssembly: node scripts/wgsl.mjs PACKAGE IN.wgsl OUT.spv
// PACKAGE is the folder of npm's package wgsl-wasm-transpiler-bundler.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , folder, source, target] = process.argv;

// Returns a function from WGSL to { words } or { reason }.
async function load() {
    const stem = path.join(folder, 'wgsl_wasm_transpiler_bg');
    const naga = await import(pathToFileURL(`${stem}.js`));
    const imports = { './wgsl_wasm_transpiler_bg.js': naga };
    const { instance } = await WebAssembly.instantiate(fs.readFileSync(`${stem}.wasm`), imports);
    naga.__wbg_set_wasm(instance.exports);
    instance.exports.__wbindgen_start();
    return (text) => {
        try {
            return { words: naga.compileShader(text, 'spirv') };
        } catch (error) {
            return { reason: typeof error === 'string' ? error : error.message };
        }
    };
}

// Returns the place of an error, as the package gives none: of the first line with a word that the reason quotes, and
// without which the reason is another. Words in double quotes were found, and others may have been expected. Returns ''
// if there is no such line.
function place(compile, text, reason) {
    const lines = text.split('\n');
    const quoted = [/"([^"]+)"/g, /`([^`]+)`/g].flatMap((form) => [...reason.matchAll(form)]);
    for (const [, word] of quoted) {
        const edge = /^\w+$/.test(word) ? '\\b' : '';
        const pattern = new RegExp(edge + word.replace(/\W/g, '\\$&') + edge);
        for (let i = 0; i < lines.length; i++) {
            const column = lines[i].search(pattern);
            const without = [...lines.slice(0, i), '', ...lines.slice(i + 1)].join('\n');
            if (column >= 0 && compile(without).reason !== reason)
                return `\n   ┌─ ${path.basename(source)}:${i + 1}:${column + 1}`;
        }
    }
    return '';
}

const compile = await load();
const text = fs.readFileSync(source, 'utf8');
const { words, reason } = compile(text);
if (reason !== undefined) {
    console.error(`error: ${reason}${place(compile, text, reason)}`);
    process.exit(1);
}
fs.writeFileSync(target, Buffer.from(words, 'base64'));
