import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { proofOf } from './proof.ts'

const root = path.dirname(import.meta.dir)
const data = mkdtempSync(path.join(tmpdir(), 'proof-data-'))
/** A suite that takes no time and has a passing test. */
const quick = { standard: 'OpenAPI', tests: ['./contract/moments.test.ts'] }
const files = new Map<string, string>()

beforeAll(async () => {
  for (const [folder, name] of [
    ['figures', 'create-patient'],
    ['drills', 'chaos'],
  ] as const) {
    mkdirSync(path.join(data, folder))
    writeFileSync(path.join(data, folder, `${name}.json`), `{"of":"${name}"}\n`)
  }
  const archive = await proofOf([quick], data)
  const zip = unzipSync(new Uint8Array(await archive.arrayBuffer()))
  for (const [name, bytes] of Object.entries(zip)) files.set(name, strFromU8(bytes))
}, 60_000)
afterAll(() => rmSync(data, { recursive: true }))

const read = (name: string) => files.get(name) ?? ''
const readJson = (name: string) => JSON.parse(read(name))

test('proof: the zip opens, and its manifest has every file with its hash and the machine', () => {
  const manifest = readJson('manifest.json')
  expect(manifest.machine.processors).toBeGreaterThan(0)
  expect(manifest.commit).toMatch(/^\w/)
  const listed: { name: string; sha256: string }[] = manifest.files
  expect([...listed.map(({ name }) => name), 'manifest.json'].toSorted()).toEqual(
    [...files.keys()].toSorted(),
  )
  for (const { name, sha256 } of listed) {
    const hash = new Bun.CryptoHasher('sha256').update(read(name)).digest('hex')
    expect([name, hash]).toEqual([name, sha256])
    if (name !== 'README.md') expect(read('README.md')).toContain(`\`${name}\``)
  }
})

test('proof: each file’s content matches its name', () => {
  expect(read('conformance/openapi.xml')).toContain('contract/moments.test.ts')
  expect(read('load/figures.md')).toMatch(/^\| target \| job \|/)
  expect(read('load/figures.md')).toMatch(/\d+ cores, \d+ GiB/)
  expect(readJson('figures/create-patient.json')).toEqual({ of: 'create-patient' })
  expect(read('drills/recorded.md')).toContain('writes')
  expect(readJson('drills/chaos.json')).toEqual({ of: 'chaos' })
  const { bomFormat, components } = readJson('sbom.cdx.json')
  expect([bomFormat, components.length > 50]).toEqual(['CycloneDX', true])
  const vectors = path.join(root, 'contract/vectors/webhook-signatures.json')
  expect(read('webhook-signatures.json')).toBe(readFileSync(vectors, 'utf8'))
})

test('proof: a suite with a failed test, or without tests, is not proof', async () => {
  const failing = path.join(data, 'failing.test.ts')
  writeFileSync(failing, `import { test } from 'bun:test'\ntest('no', () => { throw 1 })\n`)
  for (const tests of [[failing], [path.join(data, 'none.test.ts')]]) {
    const made = proofOf([{ standard: 'MCP', tests }], data)
    await expect(made).rejects.toThrow("The MCP tests don't pass")
  }
})
