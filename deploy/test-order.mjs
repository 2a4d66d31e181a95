// Which test files run, and in which order: the longest first, so the last file doesn't run alone
// for long.
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const here = path.dirname(fileURLToPath(import.meta.url))
const read = name => JSON.parse(fs.readFileSync(path.join(here, name), 'utf8'))

/** In seconds on two processors; every other file takes less than five. */
const longest = read('longest-tests.json')

/**
 * Slow files that break only when packaging, publishing, upgrades, recovery, documented commands or
 * the requirements of live mode change. `npm test` leaves them out; `npm test -- nightly` and CI
 * run them. The browser tests among them are Playwright's project `nightly`.
 */
export const nightlyFiles = read('nightly-tests.json')

const othersSeconds = 1

/** Writes each test file's duration in the `bun test --timings` format; returns the file. */
export function writeDurations(root, file) {
  const files = testFiles(root).map(name => [name, (longest[name] ?? othersSeconds) * 1000])
  fs.writeFileSync(file, JSON.stringify({ version: 1, files: Object.fromEntries(files) }))
  return file
}

/** As in bunfig.toml: leaves out browser tests and generated files. */
const ignored = /^(node_modules|dist.*|\..*|e2e)$/

export function testFiles(root, folder = '') {
  const entries = fs.readdirSync(path.join(root, folder), { withFileTypes: true })
  return entries.flatMap(entry => {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return ignored.test(entry.name) ? [] : testFiles(root, name)
    return entry.name.endsWith('.test.ts') ? [name] : []
  })
}
