// The cheapest possible response on this runtime: a `Bun.serve` process that reads a POST body as
// JSON and sends a prepared copy of the gateway's response bytes and headers.
import { freePort } from '#database/embedded/postmaster.ts'
import { type Server, startServer } from './server.ts'

export const bareName = 'Bun.serve with the same response'

type BareSettings = {
  port: number
  status: number
  headers: [string, string][]
  body: string
}

/**
 * Starts a bare server that returns the gateway's response to `text`. The response is fetched once.
 */
export async function startBare(gateway: Server, text: string): Promise<Server> {
  const end = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const [method = '', target = ''] = first.split(' ')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  const answer = await fetch(`http://127.0.0.1:${gateway.port}${target}`, {
    method,
    headers: headers.filter(([name]) => !/^(host|content-length|connection)$/i.test(name)),
    decompress: false,
    ...(method === 'POST' ? { body: text.slice(end + 4) } : {}),
  })
  const sent = [...answer.headers].filter(([name]) => !/^(content-length|date)$/.test(name))
  const port = await freePort()
  const body = Buffer.from(await answer.bytes()).toString('base64')
  const settings: BareSettings = { port, status: answer.status, headers: sent, body }
  const command = [process.execPath, import.meta.filename]
  return startServer({ command, port, input: JSON.stringify(settings) })
}

if (import.meta.main) {
  const { port, status, headers, body } = (await Bun.stdin.json()) as BareSettings
  const bytes = Buffer.from(body, 'base64')
  const answer = new Response(status === 304 ? null : new Blob([bytes]), { status, headers })
  Bun.serve({
    hostname: '127.0.0.1',
    port,
    async fetch(request) {
      if (request.method === 'POST') await request.json()
      return answer.clone()
    },
  })
}
