// node compare_wasm.js MODULE: prints what compare.h's main prints where there is a C library.
const module_bytes = require("fs").readFileSync(process.argv[2]);
const { memory, comparison_count, comparison_name, comparison_digest } =
  new WebAssembly.Instance(new WebAssembly.Module(module_bytes), {}).exports;

for (let i = 0; i < comparison_count(); ++i) {
  const name = new Uint8Array(memory.buffer, comparison_name(i));
  const digest = BigInt.asUintN(64, comparison_digest(i)).toString(16).padStart(16, "0");
  console.log(`${Buffer.from(name.slice(0, name.indexOf(0)))} ${digest}`);
}
