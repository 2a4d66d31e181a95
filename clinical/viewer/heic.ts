// Turns a phone's photo into an image without metadata, in the sealed process.

import libheif from 'libheif-js/wasm-bundle.js'
import { fileLimits } from '#contract/console/files.ts'
import { isTooLarge, ofPixels } from './image.ts'
import type { Rendered } from './protocol.ts'

/** Phones rotate a photo through a container property, which the decoder applies. With several
 *  images, the first page is the file's primary one, wherever it is in the file. Thumbnails, depth
 *  maps and other parts of an image aren't pages. */
export async function decodeHeic(bytes: Uint8Array, page: number): Promise<Rendered> {
  const photos = new libheif.HeifDecoder().decode(bytes)
  const { length: pages } = photos
  if (pages > fileLimits.pagesMax) return { finding: 'too_many_pages' }
  const primary = photos.filter(each => each.is_primary())
  const photo = [...primary, ...photos.filter(each => !each.is_primary())][page - 1]
  if (photo === undefined || primary.length === 0) return { finding: 'damaged' }
  const [width, height] = [photo.get_width(), photo.get_height()]
  if (isTooLarge({ width, height })) return { finding: 'too_large' }
  const data = new Uint8ClampedArray(width * height * 4)
  const decoded = await new Promise<unknown>(resolve => {
    photo.display({ data, width, height }, resolve)
  })
  if (decoded === null) return { finding: 'damaged' }
  return { pages, image: ofPixels(data, width, height) }
}
