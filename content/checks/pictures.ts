import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Entry, valueOf } from '../entry.ts'
import type { Block } from './blocks.ts'
import type { Finding } from '../finding.ts'

// Checks pictures. A text shows a picture with `![What it shows](/pictures/queue.png "1280x800")`.
// The picture's file is in `site/public/pictures/`, and its text is in the frontmatter under
// `pictures`.

/** Each picture's size by its URL: `1280x800`. */
export type Sizes = ReadonlyMap<string, string>

const folder = 'site/public/pictures'

/** The size of a file that can't be read as a picture. */
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

type PictureRecord = { file: string; text: string; invented: boolean }

function picturesOf(entry: Entry): PictureRecord[] {
  const records = valueOf(entry, 'pictures')
  if (!Array.isArray(records)) return []
  return records.map(each => ({
    file: String(each?.file),
    text: String(each?.text ?? ''),
    invented: each?.invented === true,
  }))
}

/** Matches words for a screenshot, and text that a person's record may contain. */
const isPrivate =
  /\b(screen ?shots?|patients?|charts?|console|inbox|portal|born|date of birth|dob|mrn|ssn)\b|\w@\w|\d{3}[-.) ]+\d{3}[-. ]\d{4}|\b(19|20)\d\d-\d\d-\d\d\b/i

export function checkPictures(entry: Entry, part: Block, sizes: Sizes): Finding[] {
  const records = picturesOf(entry)
  const images = part.text.matchAll(/(!\[([^\]]*)\]\()(?!figure:)([^)\s]+)(?:\s+"([^"]*)")?\s*\)/g)
  return [...images].flatMap(hit => {
    const [, before = '', alt = '', file = '', title] = hit
    const found = (rule: string, message: string, fix: string, edit?: Finding['edit']) => [
      { path: entry.path, ...part.place(hit.index), rule, message, fix, edit },
    ]
    const size = sizes.get(file)
    if (size === undefined) {
      return found('M-file', `there must be an image at ${file}`, `put it in ${folder}/`)
    }
    if (size === broken) {
      return found('M-file', `${file} must be a readable image`, 'save it again')
    }
    if (title !== size) {
      const at = part.place(hit.index + before.length)
      const length = hit[0].length - before.length - 1
      const message =
        title === undefined ? 'an image must have its size' : `the size must not be ${title}`
      const edit = { ...at, length, text: `${file} "${size}"` }
      return found('M-dimensions', message, `write (${file} "${size}")`, edit)
    }
    const own = records.find(each => each.file === file)
    if (own === undefined) {
      const fix = `add to pictures: - { file: ${file}, text: 'every word in it, or none' }`
      return found('M-text', "the image's text must be in the frontmatter", fix)
    }
    if (own.invented || !isPrivate.test(`${alt} ${file.replaceAll(/[-_]/g, ' ')} ${own.text}`)) {
      return []
    }
    const fix = 'show only made-up people in the sandbox, then add invented: true'
    return found('M-invented', "an image must not show a real person's record", fix)
  })
}

/** The largest image that a phone should load, in bytes. */
const largestImage = 300_000

/** Checks the size of the content's and the site's pictures. */
export async function checkMedia(root: string): Promise<Finding[]> {
  const found: Finding[] = []
  for (const folder of ['content', 'site/public']) {
    const pictures = new Bun.Glob(`${folder}/**/*.{png,jpg,jpeg,webp,avif,gif,svg}`)
    for await (const path of pictures.scan({ cwd: root })) {
      const { size } = Bun.file(join(root, path))
      if (size <= largestImage) continue
      const message = `an image must not be larger than ${largestImage / 1000} kB, and this one has ${Math.round(size / 1000)}`
      const fix = 'scale it down'
      found.push({ path, line: 1, column: 1, rule: 'M-size', message, fix })
    }
  }
  return found
}
