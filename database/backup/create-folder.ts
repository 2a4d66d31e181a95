import { rename, rm } from 'node:fs/promises'

/** Lets `fill` create a folder under another name, then renames it. If either fails, for example
 *  because the disk is full, deletes the unfinished folder. */
export async function createFolder<T>(
  folder: string,
  fill: (unfinished: string) => Promise<T>,
): Promise<T> {
  const unfinished = `${folder}.unfinished`
  const clear = () => rm(unfinished, { recursive: true, force: true })
  await clear()
  try {
    const filled = await fill(unfinished)
    await rename(unfinished, folder)
    return filled
  } finally {
    await clear()
  }
}
