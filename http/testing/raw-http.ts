import { connect } from 'node:net'

export type Raw = { status: number; headers: Map<string, string>; body: Buffer }

/** Returns a response's raw bytes, which `fetch` would decode or hide. */
export function rawHttp(
  port: number,
): (line: string, headers?: Record<string, string>, body?: string) => Promise<Raw> {
  return (line, headers = {}, body = '') => {
    const fields = Object.entries({ host: 'localhost', connection: 'close', ...headers })
    const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(`${line} HTTP/1.1\r\n${head}\r\n${body}`),
      )
      socket.on('data', chunk => chunks.push(Buffer.from(chunk)))
      socket.on('error', reject)
      socket.on('close', () => resolve(parse(Buffer.concat(chunks))))
    })
  }
}

const piece = Buffer.alloc(65_536, ' ')
const pieceMebibytes = piece.length / 2 ** 20
const framings = {
  declared: (mebibytes: number) => ({
    header: `content-length: ${mebibytes * 2 ** 20}`,
    part: piece,
    end: '',
  }),
  chunked: () => ({
    header: 'transfer-encoding: chunked',
    part: Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')]),
    end: '0\r\n\r\n',
  }),
}
export const bodyFramings = ['declared', 'chunked'] as const

/** Writes the whole body before reading; returns the response. */
export function writeThenRead(
  port: number,
  line: string,
  framing: keyof typeof framings,
  mebibytes: number,
  headers: Record<string, string> = {},
): Promise<Raw> {
  const { header, part, end } = framings[framing](mebibytes)
  const fields = Object.entries({ host: 'localhost', ...headers })
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return new Promise((resolve, reject) => {
    let left = mebibytes / pieceMebibytes
    const socket = connect(port, '127.0.0.1', () => {
      socket.pause().write(`${line} HTTP/1.1\r\n${head}${header}\r\n\r\n`)
      next()
    })
    const next = () => {
      if (left-- > 0) socket.write(part, next)
      else socket.write(end, () => socket.resume())
    }
    socket.on('error', reject)
    socket.on('data', bytes => {
      resolve(parse(Buffer.from(bytes)))
      socket.destroy()
    })
  })
}

function parse(bytes: Buffer): Raw {
  const end = bytes.indexOf('\r\n\r\n')
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers = new Map(
    lines.map(text => [
      text.slice(0, text.indexOf(':')).toLowerCase(),
      text.slice(text.indexOf(':') + 2),
    ]),
  )
  return { status: Number(first.split(' ')[1]), headers, body: bytes.subarray(end + 4) }
}
