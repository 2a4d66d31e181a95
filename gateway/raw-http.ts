import { connect } from 'node:net'

export type Raw = { status: number; headers: Map<string, string>; body: Buffer }

/**
 * The bytes as they cross the wire: `fetch` would decode them, and hide a body that must not be
 * there.
 */
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
