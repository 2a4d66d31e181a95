// The gateway over one build, and how what is asked of a preview reaches it.
import path from 'node:path'

const root = path.dirname(import.meta.dir)

/** Serves a folder of the build; `url` says where, as soon as it does. */
export function openPreview(folder: string) {
  const child = Bun.spawn([process.execPath, 'gateway/commands/preview.ts', folder], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { url: addressFrom(child.stdout), exited: child.exited, stop: () => child.kill() }
}

async function addressFrom(stream: ReadableStream<Uint8Array>): Promise<string> {
  let said = ''
  for await (const chunk of stream) {
    said += new TextDecoder().decode(chunk)
    const url = /"url":"([^"]+)"/.exec(said)?.[1]
    if (url !== undefined) return url
  }
  throw new Error('The build cannot be served; the terminal says why.')
}

/** Asks a preview at `url`, and answers what nobody indexes. */
export async function passOn(request: Request, url: string): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const headers = new Headers(request.headers)
  headers.delete('host')
  // A form was sent from here, which to the gateway is itself.
  if (headers.has('origin')) headers.set('origin', url)
  const { method, body } = request
  const given = await fetch(url + pathname + search, { method, headers, body, redirect: 'manual' })
  return new Response(given.body, { status: given.status, headers: shownHeaders(given) })
}

/** Of a body that was unpacked on its way, and that nobody indexes. */
export function shownHeaders(given: Response): Headers {
  const headers = new Headers(given.headers)
  for (const name of ['content-length', 'content-encoding']) headers.delete(name)
  headers.set('x-robots-tag', 'noindex')
  return headers
}
