// Compares two screenshots of a page.
import sharp from 'sharp'

export type Compared = {
  /** Percentage of pixels that differ; a longer page's extra rows count as different. */
  percent: number
  /** Both screenshots side by side, if they differ. */
  beside: Buffer | undefined
}

/** Antialiasing of the same text differs by less than this in each channel. */
const tolerance = 24

export async function compare(before: Buffer, after: Buffer): Promise<Compared> {
  const [one, two] = await Promise.all([before, after].map(raw))
  if (one === undefined || two === undefined) throw new Error('compare needs two pictures')
  const [width, height] = [
    Math.max(one.info.width, two.info.width),
    Math.max(one.info.height, two.info.height),
  ]
  let differing = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) if (!isSame(one, two, x, y)) differing++
  }
  const percent = Math.round((10_000 * differing) / (width * height)) / 100
  if (differing === 0) return { percent: 0, beside: undefined }
  return { percent, beside: await sideBySide([before, after], width, height) }
}

type Raw = { data: Buffer; info: { width: number; height: number } }

const raw = (picture: Buffer): Promise<Raw> =>
  sharp(picture).removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })

function isSame(one: Raw, two: Raw, x: number, y: number): boolean {
  const at = ({ info }: Raw) => (x < info.width && y < info.height ? 3 * (y * info.width + x) : -1)
  const [a, b] = [at(one), at(two)]
  if (a < 0 || b < 0) return false
  return [0, 1, 2].every(
    channel => Math.abs((one.data[a + channel] ?? 0) - (two.data[b + channel] ?? 0)) <= tolerance,
  )
}

const gap = 24

function sideBySide(pictures: Buffer[], width: number, height: number): Promise<Buffer> {
  const create = { width: 2 * width + gap, height, channels: 3, background: '#808080' } as const
  const placed = pictures.map((input, index) => ({ input, left: index * (width + gap), top: 0 }))
  return sharp({ create }).composite(placed).png().toBuffer()
}
