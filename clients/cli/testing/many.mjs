// Runs many command lines of the installed program in one Node process. On a terminal, the lines
// are arguments, and each line's output follows a separator. Otherwise, each line of standard input
// is a JSON list of command lines, and is answered with one line: the list of their outputs and
// exit codes.

import { readdirSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const [installed = '', typed] = process.argv.slice(2)
const folder = path.join(installed, 'dist')
const part = readdirSync(folder).find(name => name.startsWith('program-')) ?? ''
const { run } = await import(pathToFileURL(path.join(folder, part)).href)
const write = process.stdout.write.bind(process.stdout)

async function runAll(lines) {
  const results = []
  /** Outputs that `NAME=$(svc …)` saves for later lines. */
  const kept = new Map()
  for (const line of lines) {
    const [words, name] = Array.isArray(line) ? [line] : [line.words, line.keep]
    const printed = { out: '', err: '' }
    process.stdout.write = chunk => ((printed.out += chunk), true)
    process.stderr.write = chunk => ((printed.err += chunk), true)
    process.exitCode = undefined
    const code = await run(words.map(word => kept.get(word) ?? word))
    results.push({ code, ...printed })
    if (name !== undefined) kept.set(`$${name}`, printed.out.trim())
  }
  process.exitCode = 0
  return results
}

if (typed === undefined) {
  for await (const lines of createInterface(process.stdin)) {
    write(`${JSON.stringify(await runAll(JSON.parse(lines)))}\n`)
  }
} else {
  for (const words of JSON.parse(typed)) {
    process.stdout.write('\u001e')
    await run(words)
  }
}
