// Runs the programs of the webhooks guide against the published signature vectors.
import { afterAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

type Vector = {
  name: string
  header: string
  body: string
  secret: string
  now: number
  expected: string
}

const root = path.dirname(import.meta.dir)
const guide = readFileSync(path.join(root, 'content/docs/webhooks.md'), 'utf8')
const { vectors }: { vectors: Vector[] } = JSON.parse(
  readFileSync(path.join(root, 'contract/vectors/webhook-signatures.json'), 'utf8'),
)
const folder = mkdtempSync(path.join(tmpdir(), 'guide-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes one of the guide's programs into a file and returns its path. */
function program(name: string): string {
  const found = guide
    .split(/^```/m)
    .find(block => new RegExp(`^\\w+\\n(//|#) ${name}\\n`).test(block))
  if (found === undefined) throw new Error(`the guide has no ${name}`)
  const file = path.join(folder, name)
  writeFileSync(file, found.slice(found.indexOf('\n') + 1))
  return file
}

describe('verify.ts', async () => {
  const { faultOf } = await import(program('verify.ts'))
  for (const { name, header, body, secret, now, expected } of vectors) {
    test(`${name}: ${expected}`, () => {
      expect(faultOf(secret, header, body, now) ?? 'accepted').toBe(expected)
    })
  }
})

const noPython = spawnSync('python3', ['--version']).status !== 0

test.skipIf(noPython)('receive.py: accepts and refuses the same vectors', () => {
  program('receive.py')
  const script =
    'import json, sys\nfrom receive import fault_of\n' +
    'for v in json.load(sys.stdin):\n' +
    '  print(fault_of(v["secret"], v["header"], v["body"].encode(), v["now"]) or "accepted")'
  const ran = spawnSync('python3', ['-c', script], {
    cwd: folder,
    input: JSON.stringify(vectors),
    encoding: 'utf8',
  })
  expect(ran.stderr).toBe('')
  expect(ran.stdout.trim().split('\n')).toEqual(vectors.map(({ expected }) => expected))
})
