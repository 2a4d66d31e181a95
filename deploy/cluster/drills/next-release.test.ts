// The migrations that a drill's next release adds to this release's.
import { expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { addTo } from './next-release.ts'

test('next release: names the newest numbered migration it can run with, but no index or backfill', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'next-release-'))
  try {
    for (const name of ['0001_a.sql', '0003_b.mode.sql', '0002_c.sql', '0004_d.index.sql']) {
      writeFileSync(path.join(folder, name), '')
    }
    addTo(folder, 1000)
    const added = readdirSync(folder).filter(name => name.startsWith('90'))
    expect(added.sort()).toEqual([
      '9001_drill_column.sql',
      '9002_drill_rows_text.index.sql',
      '9003_drill_filled.backfill.sql',
    ])
    const migration = readFileSync(path.join(folder, '9001_drill_column.sql'), 'utf8')
    expect(migration).toStartWith('-- compatible with 0003\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
