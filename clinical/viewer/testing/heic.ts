// HEIC files with several images, each the fixture's coded picture with its own frame.
import { heic } from './documents.ts'

type Image = {
  readonly width: number
  readonly height: number
  /** Quarter turns counterclockwise. */
  readonly turns?: number
  /** If the image is a thumbnail, the number of the image it belongs to, starting at 1. */
  readonly thumbnailOf?: number
}

const u16 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value, at * 2)
  return bytes
}
const u32 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4)
  return bytes
}
const box = (type: string, ...parts: Uint8Array[]) => {
  const body = Buffer.concat(parts)
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body])
}
const full = (type: string, version: number, ...parts: Uint8Array[]) =>
  box(type, u32(version * 2 ** 24), ...parts)

/** The coded picture of 64 × 64 pixels, and how it's decoded. */
const coded = heic.subarray(0x320, 0x320 + 0x4b)
const decoding = heic.subarray(heic.indexOf('hvcC') - 4, heic.indexOf('hvcC') - 4 + 0x76)

/** Builds a HEIC file (ISO/IEC 23008-12). `primary` is the primary image's number, from 1. */
export function heicOf(images: readonly Image[], primary: number): Buffer {
  const properties: Buffer[] = [decoding, full('ispe', 0, u32(64, 64))]
  const associations = images.map(({ width, height, turns = 0 }, at) => {
    const frame = box('clap', u32(width, 1, height, 1, 0, 1, 0, 1))
    properties.push(frame, box('irot', Buffer.from([turns])))
    const own = [1, 2, properties.length - 1, properties.length].map(index => 0x80 | index)
    return Buffer.concat([u16(at + 1), Buffer.from([own.length, ...own])])
  })
  const items = images.map((_, at) =>
    full('infe', 2, u16(at + 1, 0), Buffer.from('hvc1\0', 'latin1')),
  )
  const thumbnails = images.flatMap(({ thumbnailOf }, at) =>
    thumbnailOf === undefined ? [] : [box('thmb', u16(at + 1, 1, thumbnailOf))],
  )
  const head = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'))
  const metaAt = (offset: number) =>
    full(
      'meta',
      0,
      full('hdlr', 0, u32(0), Buffer.from('pict'), u32(0, 0, 0), Buffer.from([0])),
      full('pitm', 0, u16(primary)),
      full(
        'iloc',
        0,
        Buffer.from([0x44, 0]),
        u16(images.length),
        ...images.flatMap((_, at) => [u16(at + 1, 0, 1), u32(offset, coded.length)]),
      ),
      full('iinf', 0, u16(images.length), ...items),
      box('iprp', box('ipco', ...properties), full('ipma', 0, u32(images.length), ...associations)),
      ...(thumbnails.length === 0 ? [] : [full('iref', 0, ...thumbnails)]),
    )
  const meta = metaAt(head.length + metaAt(0).length + 8)
  return Buffer.concat([head, meta, box('mdat', coded)])
}
