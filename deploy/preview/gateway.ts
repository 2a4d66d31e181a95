// Starts a gateway for one build, and forwards a preview's requests to it.
import path from 'node:path'

const root = path.join(import.meta.dir, '..', '..')

/** Serves a build's folder. `url` resolves to the server's address. */
export function startGateway(folder: string) {
  const child = Bun.spawn([process.execPath, 'gateway/commands/preview.ts', folder], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { url: addressFrom(child.stdout), exited: child.exited, stop: () => child.kill() }
}

async function addressFrom(stream: ReadableStream<Uint8Array>): Promise<string> {
  let output = ''
  for await (const chunk of stream) {
    output += new TextDecoder().decode(chunk)
    const url = /"url":"([^"]+)"/.exec(output)?.[1]
    if (url !== undefined) return url
  }
  throw new Error("The build can't be served. See the terminal for the error.")
}

/** Forwards a request to a preview at `url`, and marks the response as not to be indexed. */
export async function forward(request: Request, url: string): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const headers = new Headers(request.headers)
  headers.delete('host')
  // The gateway accepts forms only from its own origin.
  if (headers.has('origin')) headers.set('origin', url)
  const { method, body } = request
  const response = await fetch(url + pathname + search, {
    method,
    headers,
    body,
    redirect: 'manual',
  })
  return new Response(response.body, { status: response.status, headers: previewHeaders(response) })
}

/** Headers for a response that `fetch` has decompressed and that must not be indexed. */
export function previewHeaders(response: Response): Headers {
  const headers = new Headers(response.headers)
  for (const name of ['content-length', 'content-encoding']) headers.delete(name)
  headers.set('x-robots-tag', 'noindex')
  return headers
}
