// Turns a photo into an image without metadata, in the sealed process.

import sharp, { type Sharp } from 'sharp'
import { type Rendered, viewerLimits } from './protocol.ts'

// Blocks every format not listed here, whatever the bytes are.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] })
sharp.cache(false)
sharp.concurrency(1)

const { pixelsMax, sidePixelsMax, shownSideMax } = viewerLimits

export const isTooLarge = ({ width, height }: { width: number; height: number }) =>
  width > sidePixelsMax || height > sidePixelsMax || width * height > pixelsMax

export async function decodeImage(bytes: Uint8Array): Promise<Rendered> {
  const image = sharp(bytes, { limitInputPixels: false, failOn: 'error', sequentialRead: true })
  const size = await image.metadata().catch(() => null)
  if (size === null) return { finding: 'damaged' }
  return isTooLarge(size) ? { finding: 'too_large' } : { pages: 1, image: image.autoOrient() }
}

export const ofPixels = (data: Uint8Array | Uint8ClampedArray, width: number, height: number) =>
  sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false })

/** Encodes the shown image, which is no larger than a screen, on white, and has only the pixels
 *  from its file. */
export const encodeShown = (image: Sharp) =>
  image
    .resize({ width: shownSideMax, height: shownSideMax, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .webp({ quality: 82 })
    .toBuffer({ resolveWithObject: true })
