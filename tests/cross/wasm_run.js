// node wasm_run.js MODULE: runs wasm_check.c's ops, or reports that modules run here.
const module_bytes = require("fs").readFileSync(process.argv[2]);
const instance = new WebAssembly.Instance(new WebAssembly.Module(module_bytes), {});

function text(at) {
  const bytes = new Uint8Array(instance.exports.memory.buffer);
  return Buffer.from(bytes.slice(at, bytes.indexOf(0, at))).toString();
}

const { check, count, name } = instance.exports;
if (!check) {
  console.log("runs, 0");
  process.exit(0);
}
for (let op = 0; op < count(); ++op) {
  let wrong;
  try {
    wrong = check(op);
  } catch (trap) {
    wrong = trap.message;
  }
  if (wrong !== 0) {
    console.log(`FAILED op ${op}: ${wrong < 0 ? "splitgen_run" : wrong}\n  spec: ${text(name(op))}`);
    process.exit(1);
  }
}
console.log(`executed ${count()} ops`);
