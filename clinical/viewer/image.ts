// A photo as an image without its metadata, in the sealed process.

import libheif from 'libheif-js/wasm-bundle.js'
import sharp, { type Sharp } from 'sharp'
import type { Mime } from '../files/sniff.ts'
import { type Finding, viewerLimits } from './protocol.ts'

// Each format that is not named here stays unread, whatever the bytes are.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] })
sharp.cache(false)
sharp.concurrency(1)

type Decoded = { readonly image: Sharp } | { readonly finding: Finding }

const { pixelsMax, sidePixelsMax, shownSideMax } = viewerLimits

const isTooLarge = ({ width, height }: { width: number; height: number }) =>
  width > sidePixelsMax || height > sidePixelsMax || width * height > pixelsMax

export async function decodeImage(bytes: Uint8Array, mime: Mime): Promise<Decoded> {
  if (mime === 'image/heic') return decodeHeic(bytes)
  const image = sharp(bytes, { limitInputPixels: false, failOn: 'error', sequentialRead: true })
  const size = await image.metadata().catch(() => null)
  if (size === null) return { finding: 'damaged' }
  return isTooLarge(size) ? { finding: 'too_large' } : { image: image.autoOrient() }
}

/** Phones turn a photo by a property of the container, which the decoder applies. */
async function decodeHeic(bytes: Uint8Array): Promise<Decoded> {
  const [photo] = new libheif.HeifDecoder().decode(bytes)
  if (photo === undefined) return { finding: 'damaged' }
  const [width, height] = [photo.get_width(), photo.get_height()]
  if (isTooLarge({ width, height })) return { finding: 'too_large' }
  const data = new Uint8ClampedArray(width * height * 4)
  const decoded = await new Promise<unknown>(resolve => {
    photo.display({ data, width, height }, resolve)
  })
  if (decoded === null) return { finding: 'damaged' }
  return { image: ofPixels(data, width, height) }
}

export const ofPixels = (data: Uint8Array | Uint8ClampedArray, width: number, height: number) =>
  sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false })

/** As it is shown: no larger than a screen, on white, with nothing of its file but the pixels. */
export const encodeShown = (image: Sharp) =>
  image
    .resize({ width: shownSideMax, height: shownSideMax, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .webp({ quality: 82 })
    .toBuffer({ resolveWithObject: true })
