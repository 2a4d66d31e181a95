// Reads pages, and the code that their claims are about.
import path from 'node:path'

export const root = path.join(import.meta.dir, '../..')
export const read = (file: string): Promise<string> => Bun.file(path.join(root, file)).text()

/** Every page, text and list in `content/`. */
export const contentFiles = [...new Bun.Glob('content/**/*.{md,json,yaml}').scanSync(root)]

/** Returns all matching code except tests. */
export async function codeOf(pattern: string): Promise<string> {
  const names = [...new Bun.Glob(pattern).scanSync(root)].filter(
    name => !/node_modules|\.test\.|\/testing\/|site\/dist/.test(name),
  )
  return (await Promise.all(names.map(read))).join('\n')
}
