// The library is loaded without its notice, and nothing else that is written meanwhile is lost.

import { expect, test } from 'bun:test'
import path from 'node:path'

const file = path.join(import.meta.dir, 'library.ts')

/** Another part of the program warns at the moment at which the notice is left out. */
const program = `
  const seen = []
  const keep = (...text) => void seen.push(text)
  let warn = keep
  Object.defineProperty(console, 'warn', {
    configurable: true,
    get: () => warn,
    set(given) {
      warn = given
      if (given === keep) return
      given('another', 7)
      given(5)
    },
  })
  await import(${JSON.stringify(file)})
  console.log(JSON.stringify({ seen, isRestored: warn === keep }))`

test('the notice of the library is left out, and every other warning is written', async () => {
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'pipe' })
  const [out, problem] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  expect([await child.exited, problem]).toEqual([0, ''])
  expect(JSON.parse(out)).toEqual({ seen: [['another', 7], [5]], isRestored: true })
}, 20_000)
