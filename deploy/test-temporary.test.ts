import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const memory = mkdtempSync(path.join(tmpdir(), 'memory-'))
afterAll(() => rmSync(memory, { recursive: true }))

/** Node's output, as when it runs the tests; `temporary` is what it opened. */
function opened(bytes: number, shown: string, at = memory): unknown {
  const script = `import { openTemporary } from './deploy/test-temporary.mjs'
    import fs from 'node:fs'
    const temporary = openTemporary(${JSON.stringify(at)}, ${bytes})
    console.log(JSON.stringify(${shown}))`
  const { stdout } = Bun.spawnSync(['node', '--input-type=module', '--eval', script], {
    cwd: path.join(import.meta.dir, '..'),
  })
  return JSON.parse(stdout.toString())
}

test('tests: temporary files are in memory, in a folder that any account may use, and are removed', () => {
  const shown = `[fs.readdirSync(temporary.folder), fs.statSync(temporary.folder).mode & 0o7777,
    temporary.remove() ?? fs.existsSync(temporary.folder)]`
  expect(opened(1, shown)).toEqual([[], 0o1777, false])
  expect(readdirSync(memory)).toEqual([])
})

test('tests: without enough memory, temporary files are on disk', () => {
  expect(opened(2 ** 60, 'temporary ?? null')).toBeNull()
  expect(opened(1, 'temporary ?? null', path.join(memory, 'none'))).toBeNull()
})

test('tests: a run removes a killed run’s files from memory, and nothing else', async () => {
  const ended = Bun.spawn(['true'])
  await ended.exited
  const [left, running, other] = [`tests-${ended.pid}-a`, `tests-${process.pid}-a`, 'tests-b'].map(
    each => path.join(memory, each),
  )
  for (const each of [left, running, other]) mkdirSync(each ?? '')
  opened(2 ** 60, 'null')
  expect([left, running, other].map(each => existsSync(each ?? ''))).toEqual([false, true, true])
})
