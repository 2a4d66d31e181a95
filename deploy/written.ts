// Where an editor wrote an address that the built site mentions.
import { readdir } from 'node:fs/promises'
import path from 'node:path'

/** `content/articles/a.md:12` for every line that holds the address as it was mentioned. */
export async function placesInContent(
  root: string,
  site: string,
  address: string,
): Promise<string[]> {
  const names = await readdir(path.join(root, 'content'), { recursive: true })
  const texts = names.filter(name => /\.(md|mdx|yaml|json)$/.test(name)).sort()
  // Not as the beginning of a longer one: `/docs` is not written where `/docs/errors` is.
  const written = `(?:${RegExp.escape(site)})?${RegExp.escape(address)}`
  const whole = new RegExp(`(?<![\\w./-])${written}(?![\\w/#-])`)
  const places = texts.map(async name => {
    const lines = (await Bun.file(path.join(root, 'content', name)).text()).split('\n')
    return lines.flatMap((line, index) =>
      whole.test(line) ? [`content/${name.replaceAll(path.sep, '/')}:${index + 1}`] : [],
    )
  })
  return (await Promise.all(places)).flat()
}
