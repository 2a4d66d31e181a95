// A small disk for tests of a database on a disk that is full, or that loses unflushed data in a
// power failure. The disk is mounted in one process's mount namespace, so it disappears with the
// process. Root gets a file system in an image. Other users, if the kernel lets them create a
// namespace, get a file system in memory, which can't test power failures.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const defaultMegabytes = 192
const isRoot = process.getuid?.() === 0

/** `commit=300`: during a test, only flushed data reaches the image. */
const inImage = (megabytes: number) =>
  `truncate -s ${megabytes}M "$1" && mkfs.ext4 -q -F -m 0 "$1" && ` +
  'mount -o loop,commit=300 "$1" "$0" && shift && exec "$@"'
const inMemory = (megabytes: number) =>
  `mount -t tmpfs -o size=${megabytes}m,mode=755 tmpfs "$0" && shift && exec "$@"`

const command = (script: string, disk: string, words: string[]) =>
  ['unshare', ...(isRoot ? [] : ['--user', '--map-current-user', '--keep-caps'])].concat(
    // All processes in the namespace end with the first one.
    [
      '--mount',
      '--pid',
      '--mount-proc',
      '--fork',
      '--kill-child',
      'sh',
      '-c',
      script,
      path.join(disk, 'mount'),
      path.join(disk, 'image'),
    ],
    words,
  )

/** A new folder in memory, if at least eight times as much memory is free. During a full test run,
 *  the new folder is inside the run's folder, so removing the run's folder also removes what killed
 *  tests left. */
export function folderInMemory(megabytes: number): string | undefined {
  const memory = tmpdir().startsWith('/dev/shm/') ? tmpdir() : '/dev/shm'
  const { bavail, bsize } = existsSync(memory) ? statfsSync(memory) : { bavail: 0, bsize: 0 }
  if (bavail * bsize <= 8 * megabytes * 2 ** 20) return undefined
  return enterable(mkdtempSync(path.join(memory, 'disk-')))
}

/** Uses memory if there is enough, because constant flushing would slow down other tests. */
export const quickFolder = (megabytes = defaultMegabytes): string =>
  folderInMemory(megabytes) ?? enterable(mkdtempSync(path.join(tmpdir(), 'disk-')))

/** If this runs as root, PostgreSQL runs as another account, which must be able to reach
 *  PostgreSQL's files. */
function enterable(folder: string): string {
  chmodSync(folder, 0o755)
  return folder
}

function works(script: string): boolean {
  const disk = quickFolder()
  mkdirSync(path.join(disk, 'mount'))
  const { exitCode } = Bun.spawnSync(command(script, disk, ['true']), { stderr: 'ignore' })
  rmSync(disk, { recursive: true })
  return exitCode === 0
}

/** The kind of small disk that this machine supports. */
export function kindOfDisk(): 'image' | 'memory' | 'none' {
  if (process.platform !== 'linux' || Bun.which('unshare') === null) return 'none'
  if (isRoot && works(inImage(defaultMegabytes))) return 'image'
  return works(inMemory(defaultMegabytes)) ? 'memory' : 'none'
}

/** Fills the disk with a file of this name. */
export function fill(file: string): void {
  const { bavail, bsize } = statfsSync(path.dirname(file))
  Bun.spawnSync(['fallocate', '-l', String(bavail * bsize), file], { stderr: 'ignore' })
  const rest = ['if=/dev/zero', `of=${file}`, 'bs=4k', 'oflag=append', 'conv=notrunc']
  Bun.spawnSync(['dd', ...rest], { stderr: 'ignore' })
}

export type SmallDisk = { mount: string; image: string | undefined }

/** This process's small disk, if it was started with one. */
export function ownDisk(): SmallDisk | undefined {
  const { SMALL_DISK: disk, SMALL_DISK_KIND: kind } = process.env
  if (disk === undefined) return undefined
  const image = kind === 'image' ? path.join(disk, 'image') : undefined
  return { mount: path.join(disk, 'mount'), image }
}

/** Runs a test file in a process with a small disk; returns its exit code and output. */
export async function testOnSmallDisk(
  file: string,
  kind: 'image' | 'memory',
  megabytes = defaultMegabytes,
) {
  const disk = quickFolder(megabytes)
  mkdirSync(path.join(disk, 'mount'))
  const words = [process.execPath, 'test', '--timeout=300000', file]
  const child = Bun.spawn(
    command((kind === 'image' ? inImage : inMemory)(megabytes), disk, words),
    {
      env: { ...process.env, SMALL_DISK: disk, SMALL_DISK_KIND: kind },
      stdout: 'ignore',
      stderr: 'pipe',
    },
  )
  const output = await new Response(child.stderr).text()
  const code = await child.exited
  rmSync(disk, { recursive: true, force: true })
  return { code, output }
}
