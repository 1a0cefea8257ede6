// promotions.mjs FILE CASES - what two compilers that are not ours make of a saved source: every element's props, with esbuild and
// with TypeScript. CASES: [{prop, value}...] in the order of the file's list. Says what differs; nothing when all is well.
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'

const [file, cases] = process.argv.slice(2)
const require = createRequire(new URL('../../demo/harbour-legacy/package.json', import.meta.url))
const esbuild = require('esbuild')
const typescript = require('typescript')
const text = readFileSync(file, 'utf8')
const wanted = JSON.parse(readFileSync(cases, 'utf8'))

function evaluate(code) {
  const module = { exports: {} }
  new Function('module', 'exports', 'require', 'h', code)(module, module.exports, () => ({ A: 'A' }),
    (type, props) => ({ type, props: props ?? {} }))
  return module.exports.all({ spread: 1 })
}

const compiled = {
  esbuild: esbuild.transformSync(text, { loader: 'tsx', jsxFactory: 'h', format: 'cjs' }).code,
  typescript: typescript.transpileModule(text, { compilerOptions: { jsx: 'react', jsxFactory: 'h', module: 'commonjs', target: 'es2022' },
    reportDiagnostics: true }),
}
for (const fault of compiled.typescript.diagnostics) console.log('typescript:', fault.messageText)
compiled.typescript = compiled.typescript.outputText
for (const [name, code] of Object.entries(compiled)) {
  const all = evaluate(code)
  if (all.length !== wanted.length) console.log(`${name}: ${all.length} elements of ${wanted.length}`)
  wanted.forEach(({ prop, value }, i) => {
    if (all[i]?.props[prop] !== value)
      console.log(`${name}: element ${i}: ${JSON.stringify(all[i]?.props[prop])} instead of ${JSON.stringify(value)}`)
  })
}
