import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Entry, valueOf } from '../read.ts'
import type { Block } from './blocks.ts'
import type { Finding } from './finding.ts'

// A picture in a text: `![What it shows](/pictures/queue.png "1280x800")`, its file in
// `site/public/pictures/`, and what it says in the frontmatter under `pictures`.

/** Of each picture that is there, by its address, how large it is: `1280x800`. */
export type Sizes = ReadonlyMap<string, string>

const folder = 'site/public/pictures'

/** What stands in the place of a size where a file is no picture. */
const broken = 'broken'

export async function pictureSizes(root: string): Promise<Sizes> {
  const names = await readdir(join(root, folder)).catch(() => [])
  if (names.length === 0) return new Map()
  const { default: sharp } = await import('sharp')
  const sized = names.map(async (name): Promise<[string, string]> => {
    const read = await sharp(join(root, folder, name))
      .metadata()
      .catch(() => undefined)
    return [`/pictures/${name}`, read === undefined ? broken : `${read.width}x${read.height}`]
  })
  return new Map(await Promise.all(sized))
}

type Told = { file: string; text: string; invented: boolean }

function toldOf(entry: Entry): Told[] {
  const told = valueOf(entry, 'pictures')
  if (!Array.isArray(told)) return []
  return told.map(each => ({
    file: String(each?.file),
    text: String(each?.text ?? ''),
    invented: each?.invented === true,
  }))
}

/** What a picture of a screen is called, and what stands on one that shows a person's record. */
const isPrivate =
  /\b(screen ?shots?|patients?|charts?|console|inbox|portal|born|date of birth|dob|mrn|ssn)\b|\w@\w|\d{3}[-.) ]+\d{3}[-. ]\d{4}|\b(19|20)\d\d-\d\d-\d\d\b/i

export function checkPictures(entry: Entry, part: Block, sizes: Sizes): Finding[] {
  const told = toldOf(entry)
  const images = part.text.matchAll(/(!\[([^\]]*)\]\()(?!figure:)([^)\s]+)(?:\s+"([^"]*)")?\s*\)/g)
  return [...images].flatMap(hit => {
    const [, before = '', alt = '', file = '', title] = hit
    const found = (rule: string, message: string, fix: string, edit?: Finding['edit']) => [
      { path: entry.path, ...part.place(hit.index), rule, message, fix, edit },
    ]
    const size = sizes.get(file)
    if (size === undefined) {
      return found('M-file', `no picture lies at ${file}`, `put it into ${folder}/`)
    }
    if (size === broken) {
      return found('M-file', `${file} is no picture that can be read`, 'save it again')
    }
    if (title !== size) {
      const at = part.place(hit.index + before.length)
      const length = hit[0].length - before.length - 1
      const message = title === undefined ? 'a picture without its size' : `it is not ${title}`
      const edit = { ...at, length, text: `${file} "${size}"` }
      return found('M-dimensions', message, `write (${file} "${size}")`, edit)
    }
    const own = told.find(each => each.file === file)
    if (own === undefined) {
      const fix = `add to pictures: - { file: ${file}, text: 'every word in it, or none' }`
      return found('M-text', 'the words in the picture stand nowhere else', fix)
    }
    if (own.invented || !isPrivate.test(`${alt} ${file.replaceAll(/[-_]/g, ' ')} ${own.text}`)) {
      return []
    }
    const fix = 'show invented people of the sandbox only, then add invented: true'
    return found('M-invented', 'it may show a person’s record', fix)
  })
}
