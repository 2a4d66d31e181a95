import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sbom } from './sbom.ts'

const root = path.dirname(import.meta.dir)
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))

test('sbom: has each production package once, with its version and hash', () => {
  const { components } = sbom()
  const versions = new Map(components.map(({ name, version }) => [name, version]))
  const names = Object.keys(manifest.dependencies)
  expect(names.length).toBeGreaterThan(20)
  for (const name of names) expect([name, versions.has(name)]).toEqual([name, true])
  expect(new Set(components.map(({ purl }) => purl)).size).toBe(components.length)
  for (const { purl, hashes } of components) {
    expect([purl, hashes[0]?.content]).toEqual([purl, expect.stringMatching(/^[0-9a-f]{128}$/)])
  }
})

test('sbom: versions match those pinned in package.json', () => {
  const { components } = sbom()
  for (const [name, version] of Object.entries(manifest.dependencies)) {
    const listed = components.filter(one => one.name === name).map(one => one.version)
    expect([name, listed]).toEqual([name, expect.arrayContaining([version])])
  }
})

test('sbom: has no package that only tests and checks need', () => {
  const names = new Set(sbom().components.map(({ name }) => name))
  for (const name of ['lighthouse', '@playwright/test', 'oxlint', 'typescript', 'newman']) {
    expect([name, Object.hasOwn(manifest.devDependencies, name), names.has(name)]).toEqual([
      name,
      true,
      false,
    ])
  }
})
