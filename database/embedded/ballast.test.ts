// Tests the reserved space on a full disk, including a file that an interrupted process left
// incomplete. Uses a small disk of its own.
import { afterEach, expect, test } from 'bun:test'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { freeBytes, fullBytes } from '../disk.ts'
import { onSmallDisk } from '../testing/on-small-disk.ts'
import { fill } from '../testing/small-disk.ts'
import { releaseBallast, reserveBallast } from './ballast.ts'

const onDisk = onSmallDisk({
  file: import.meta.path,
  title: 'ballast: a full disk',
  megabytes: 480,
  timeoutMs: 60_000,
})

onDisk(({ mount }) => {
  const dir = path.join(mount, 'postgres')
  const filler = path.join(mount, 'filler')
  afterEach(() => rmSync(filler))

  test('incomplete ballast left by a killed process is also released', async () => {
    writeFileSync(`${dir}.ballast.part`, new Uint8Array(48 * 2 ** 20))
    expect(releaseBallast(dir)).toBe(false)
    fill(filler)
    expect(freeBytes(mount)).toBeLessThan(fullBytes)
    expect(releaseBallast(dir)).toBe(true)
    expect(freeBytes(mount)).toBeGreaterThan(fullBytes)
    expect(releaseBallast(dir)).toBe(false)
  })

  test("a ballast that doesn't fit on the disk leaves no file", async () => {
    const written = reserveBallast(dir)
    fill(filler)
    expect(await written.catch(() => 'no room')).toBe('no room')
    expect(existsSync(`${dir}.ballast`)).toBe(false)
    expect(existsSync(`${dir}.ballast.part`)).toBe(false)
  })
})
