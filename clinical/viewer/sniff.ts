// Detects a file's type from its bytes; neither the declared type nor the name is trusted. Only the
// start and the end are read, because each of the four types has its signature and its end marker
// there.

import type { mimes } from '#contract/api/files.ts'

export type Mime = (typeof mimes)[number]

/** How many bytes are read at each end. */
export const endBytes = 65_536

type Ends = { head: Uint8Array; tail: Uint8Array }

const at = (bytes: Uint8Array, start: number, length: number) =>
  Buffer.from(bytes.subarray(start, start + length)).toString('latin1')

const holds = (bytes: Uint8Array, text: string) => Buffer.from(bytes).includes(text, 'latin1')

/** The header must come first: if it came after other bytes, the file could have two types at the
 *  same time. */
const isPdf = ({ head, tail }: Ends) =>
  /^%PDF-[12]\.\d/.test(at(head, 0, 8)) && holds(tail.subarray(-2048), '%%EOF')

/** Cameras append their own data after the end marker, so the whole tail is searched for it. Inside
 *  image data, FF is never followed by D9. */
const isJpeg = ({ head, tail }: Ends) =>
  at(head, 0, 3) === '\xff\xd8\xff' && holds(tail, '\xff\xd9')

const isPng = ({ head, tail }: Ends) =>
  at(head, 0, 8) === '\x89PNG\r\n\x1a\n' && at(head, 12, 4) === 'IHDR' && holds(tail, 'IEND')

const heicBrands = new Set(['heic', 'heix', 'hevc', 'hevx', 'heim', 'heis'])

/** ISO/IEC 14496-12: the file starts with a box that lists its brands. */
function isHeic({ head }: Ends): boolean {
  const length = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(0)
  if (at(head, 4, 4) !== 'ftyp' || length < 16 || length > 4096 || length % 4 !== 0) return false
  const brands = [at(head, 8, 4)]
  for (let place = 16; place + 4 <= Math.min(length, head.length); place += 4) {
    brands.push(at(head, place, 4))
  }
  return brands.some(brand => heicBrands.has(brand)) && !brands.includes('avif')
}

const tests: Record<Mime, (ends: Ends) => boolean> = {
  'application/pdf': isPdf,
  'image/jpeg': isJpeg,
  'image/png': isPng,
  'image/heic': isHeic,
}

/** Whether the bytes are a complete file of that type. */
export const isOf = (mime: Mime, ends: Ends): boolean => ends.head.length >= 16 && tests[mime](ends)
