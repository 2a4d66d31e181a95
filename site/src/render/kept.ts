import { join } from 'node:path'

/**
 * What a build made before from the same code and the same words, by the hash of the words. The
 * folder is named for the code by `site/build.ts`; without one, everything is made anew.
 */
const [, , , , folder] = process.argv

export async function kept<Made extends string | Uint8Array<ArrayBuffer>>(
  words: string,
  read: (file: Blob) => Promise<Made>,
  make: () => Promise<Made>,
): Promise<Made> {
  if (folder === undefined) return make()
  const hash = new Bun.CryptoHasher('sha256').update(words).digest('hex').slice(0, 32)
  const file = Bun.file(join(folder, hash))
  if (await file.exists()) return read(file)
  const made = await make()
  await Bun.write(file, made)
  return made
}
