// The contents of an unpacked platform archive.

import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { archive } from './platform.ts'

test('the account that runs an unpacked release can read it', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'archive-'))
  try {
    const [stage, target] = [path.join(folder, 'stage'), path.join(folder, 'target')]
    mkdirSync(path.join(stage, 'site'), { recursive: true, mode: 0o700 })
    writeFileSync(path.join(stage, 'site/page.html'), 'page', { mode: 0o600 })
    mkdirSync(target)
    archive(stage, path.join(folder, 'release.tgz'))
    const unpack = ['tar', '-xpzf', path.join(folder, 'release.tgz'), '-C', target]
    expect(Bun.spawnSync(unpack).exitCode).toBe(0)
    const isReadable = (name: string) => (statSync(path.join(target, name)).mode & 0o044) === 0o044
    expect(['.', 'site', 'site/page.html'].filter(name => !isReadable(name))).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
