// A copy of the checkout in which one file at a time has a fault. The checkout itself never
// changes.
import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

type ChangedFile = { file: string; text: string; original: string }

export type WorkingCopy = {
  readonly folder: string
  /** A folder for files that tests write to the system's temporary folder. */
  readonly temporary: string
  /** Runs `work` while the file has this text, then restores the original. */
  with<Result>(changed: ChangedFile, work: () => Promise<Result>): Promise<Result>
  remove(): Promise<void>
}

export async function makeWorkingCopy(
  root: string,
  folder: string,
  files: readonly string[],
): Promise<WorkingCopy> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(path.join(folder, '.data'), { recursive: true })
  for (const parent of new Set(files.map(file => path.dirname(file)))) {
    await mkdir(path.join(folder, parent), { recursive: true })
  }
  await Promise.all(files.map(file => copyFile(path.join(root, file), path.join(folder, file))))
  await link(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  // One test database server serves all copies, with a separate database for each test file.
  await mkdir(path.join(root, '.data', 'test'), { recursive: true })
  await link(path.join(root, '.data', 'test'), path.join(folder, '.data', 'test'))
  for (const made of ['site/dist', 'clients/typescript/src/generated']) {
    const from = path.join(root, made)
    if (!existsSync(from)) continue
    await cp(from, path.join(folder, made), { recursive: true, dereference: true })
  }
  // Outside the copy, because code that searches parent folders for a checkout would find the copy.
  const temporary = await mkdtemp(path.join(tmpdir(), 'mutate-'))
  return {
    folder,
    temporary,
    async with({ file, text, original }, work) {
      await writeFile(path.join(folder, file), text)
      try {
        return await work()
      } finally {
        // Writes the original text instead of the checkout's, because someone may be editing the
        // checkout meanwhile.
        await writeFile(path.join(folder, file), original)
        await rm(temporary, { recursive: true, force: true })
        await mkdir(temporary)
      }
    },
    async remove() {
      await rm(folder, { recursive: true, force: true })
      await rm(temporary, { recursive: true, force: true })
    },
  }
}

const link = (target: string, at: string) => symlink(target, at, 'dir')
