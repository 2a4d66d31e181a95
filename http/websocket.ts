// Shared by the gateway's WebSockets: the opening request and the close.
import type { ServerWebSocket } from 'bun'

export const opensWebSocket = ({ method, headers }: Request): boolean =>
  method === 'GET' && /^websocket$/i.test(headers.get('upgrade') ?? '')

/** Whether a URL with a normalized path has exactly this path. */
export function isAt(path: string, url: string): boolean {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0 || !url.startsWith(path, start)) return false
  const end = url.charAt(start + path.length)
  return end === '' || end === '?' || end === '#'
}

/** The offered protocols in the client's order. A server may select only one of these protocols. */
export const offeredProtocols = (request: Request): string[] =>
  (request.headers.get('sec-websocket-protocol') ?? '').split(',').map(one => one.trim())

/** How long a connection may take to close once closing starts. */
const goodbyeSeconds = 5

export function goodbye<T>(
  socket: ServerWebSocket<T>,
  { code, reason }: { code: number; reason: string },
): void {
  socket.close(code, reason)
  setTimeout(() => socket.terminate(), goodbyeSeconds * 1000).unref()
}
