// Runs many command lines of the installed program in one Node process. On a terminal, the lines
// are arguments, and each line's output follows a separator. Otherwise, the lines are JSON on
// standard input, and the output lists each line's output and exit code.

import { readdirSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { text } from 'node:stream/consumers'

const [installed = '', lines] = process.argv.slice(2)
const folder = path.join(installed, 'dist')
const part = readdirSync(folder).find(name => name.startsWith('program-')) ?? ''
const { run } = await import(pathToFileURL(path.join(folder, part)).href)

if (lines === undefined) {
  const results = []
  const write = process.stdout.write.bind(process.stdout)
  /** Outputs that `NAME=$(svc …)` saves for later lines. */
  const kept = new Map()
  for (const line of JSON.parse(await text(process.stdin))) {
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
  write(JSON.stringify(results))
} else {
  for (const words of JSON.parse(lines)) {
    process.stdout.write('\u001e')
    await run(words)
  }
}
