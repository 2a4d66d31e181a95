// Runs a file's tests on a small disk. One test starts the file again in a process that has the
// disk, and only that process runs the other tests.
import { describe, expect, test } from 'bun:test'
import { kindOfDisk, ownDisk, type SmallDisk, testOnSmallDisk } from './small-disk.ts'

type Settings = {
  file: string
  title: string
  timeoutMs: number
  megabytes?: number
  prepare?: () => void
}

export const onSmallDisk =
  ({ file, title, timeoutMs, megabytes, prepare }: Settings) =>
  (tests: (disk: SmallDisk) => void): void => {
    const disk = ownDisk()
    if (disk !== undefined) {
      describe('a small disk', () => tests(disk))
      return
    }
    const kind = kindOfDisk()
    test.skipIf(kind === 'none')(
      `${title} (run on a small disk)`,
      async () => {
        prepare?.()
        const { code, output } = await testOnSmallDisk(file, kind as 'image', megabytes)
        expect([code, output]).toEqual([0, expect.stringContaining(' 0 fail')])
      },
      timeoutMs,
    )
  }
