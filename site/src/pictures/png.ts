import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'

const compress = promisify(deflate)

/**
 * An indexed picture. Each byte in a row is a pixel's palette index. A zero before each row means
 * that the row has no filter, because flat colors compress best without a filter.
 */
type Indexed = { width: number; height: number; rows: Uint8Array; palette: string[] }

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

export async function png({
  width,
  height,
  rows,
  palette,
}: Indexed): Promise<Uint8Array<ArrayBuffer>> {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // Eight bits per pixel, from a palette.
  head.set([8, 3, 0, 0, 0], 8)
  const colors = Buffer.from(palette.map(color => color.slice(1)).join(''), 'hex')
  return new Uint8Array(
    Buffer.concat([
      signature,
      chunk('IHDR', head),
      chunk('PLTE', colors),
      chunk('IDAT', await compress(rows, { level: 2 })),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  )
}

function chunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, sum])
}
