// A photo of a phone as an image without its metadata, in the sealed process.

import libheif from 'libheif-js/wasm-bundle.js'
import { isTooLarge, ofPixels } from './image.ts'
import type { Rendered } from './protocol.ts'

/** Phones turn a photo by a property of the container, which the decoder applies. */
export async function decodeHeic(bytes: Uint8Array): Promise<Rendered> {
  const [photo] = new libheif.HeifDecoder().decode(bytes)
  if (photo === undefined) return { finding: 'damaged' }
  const [width, height] = [photo.get_width(), photo.get_height()]
  if (isTooLarge({ width, height })) return { finding: 'too_large' }
  const data = new Uint8ClampedArray(width * height * 4)
  const decoded = await new Promise<unknown>(resolve => {
    photo.display({ data, width, height }, resolve)
  })
  if (decoded === null) return { finding: 'damaged' }
  return { pages: 1, image: ofPixels(data, width, height) }
}
