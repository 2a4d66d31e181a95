// Finds the lines in which an editor wrote an address that the built site links to.
import { readdir } from 'node:fs/promises'
import path from 'node:path'

/** `content/articles/a.md:12` for every line that contains the address. */
export async function placesInContent(
  root: string,
  site: string,
  address: string,
): Promise<string[]> {
  const names = await readdir(path.join(root, 'content'), { recursive: true })
  const texts = names.filter(name => /\.(md|mdx|yaml|json)$/.test(name)).sort()
  // Doesn't match the start of a longer address, such as `/docs` in `/docs/errors`.
  const pattern = `(?:${RegExp.escape(site)})?${RegExp.escape(address)}`
  const whole = new RegExp(`(?<![\\w./-])${pattern}(?![\\w/#-])`)
  const places = texts.map(async name => {
    const lines = (await Bun.file(path.join(root, 'content', name)).text()).split('\n')
    return lines.flatMap((line, index) =>
      whole.test(line) ? [`content/${name.replaceAll(path.sep, '/')}:${index + 1}`] : [],
    )
  })
  return (await Promise.all(places)).flat()
}
