// Without BASE_URL, the platform has no public URL: it runs on a laptop, in a container or
// behind a forwarded port, and callers may use a name that isn't configured. Links in responses
// then lead to the requested origin.
import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  gunzipSync,
  gzipSync,
} from 'node:zlib'
import type { HostCheck } from '../host-check.ts'
import type { Peers } from '../http-request.ts'
import type { Finish } from '../router.ts'

type Options = {
  /** The origin of this gateway. */
  readonly base: string
  /** The public origins, which this gateway doesn't serve. */
  readonly published: readonly string[]
  /** Whether the response is a file. Files stay unchanged, because headers and other files refer to
   *  their bytes. */
  isFile(headers: Headers): boolean
  /** Whether links to the public origins are changed in responses at this path. Links to the
   *  gateway are changed in every response. */
  isOfSite(path: string): boolean
  readonly isAllowedHost: HostCheck
  /** Whether to trust X-Forwarded-Host and X-Forwarded-Proto from this address. */
  isTrustedProxy(address: string): boolean
}

type Bytes = Uint8Array<ArrayBuffer>
type Coding = { decode(bytes: Bytes): Uint8Array; encode(bytes: Bytes): Uint8Array }
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
export const codings = {
  identity: { decode: bytes => bytes, encode: bytes => bytes },
  br: { decode: brotliDecompressSync, encode: bytes => brotliCompressSync(bytes, quick) },
  gzip: { decode: gunzipSync, encode: gzipSync },
} as const satisfies Readonly<Record<string, Coding>>
const codingNamed: Readonly<Record<string, Coding>> = codings

const linkHeaders = ['content-location', 'link', 'location', 'www-authenticate']
const textTypes = /^(text\/|application\/([\w.-]+\+)?(json|xml|yaml|javascript)\b)/

/** Matches the origins where they don't start a longer host name or port. */
export const linksTo = (...origins: readonly string[]) =>
  new RegExp(`(?:${origins.map(RegExp.escape).join('|')})(?![\\w-]|\\.\\w|:\\d)`, 'g')

export function linkToRequestedOrigin(options: Options): Finish {
  const own = linksTo(options.base)
  const all = linksTo(options.base, ...options.published)
  return (response, request, peers) => {
    const origin = requestedOrigin(request, peers, options)
    const { headers } = response
    if (origin === null || options.isFile(headers)) return response
    const isOfSite = options.isOfSite(URL.parse(request.url)?.pathname ?? '')
    // Nothing would change, so the response isn't read.
    if (origin === options.base && !isOfSite) return response
    const replace = (text: string) => text.replace(isOfSite ? all : own, origin)
    for (const name of linkHeaders) {
      const value = headers.get(name)
      if (value !== null) headers.set(name, replace(value))
    }
    return withText(response, replace)
  }
}

/** Returns null if the host is refused. */
function requestedOrigin(request: Request, peers: Peers, options: Options): string | null {
  const { headers } = request
  const peer = peers.requestIP(request)?.address
  const isForwarded = peer !== undefined && options.isTrustedProxy(peer)
  const host = (isForwarded && headers.get('x-forwarded-host')) || headers.get('host')
  const isSecure = isForwarded && headers.get('x-forwarded-proto') === 'https'
  return options.isAllowedHost(host) ? `${isSecure ? 'https' : 'http'}://${host}` : null
}

async function withText(response: Response, replace: (text: string) => string): Promise<Response> {
  const { status, headers } = response
  const type = headers.get('content-type') ?? ''
  const coding = codingNamed[headers.get('content-encoding') ?? 'identity']
  if (response.body === null || coding === undefined || !textTypes.test(type)) return response
  if (type.startsWith('text/event-stream')) return withEvents(response, response.body, replace)
  const bytes = await response.bytes()
  const text = new TextDecoder().decode(coding.decode(bytes))
  const changed = replace(text)
  if (changed === text) return new Response(bytes, { status, headers })
  headers.delete('content-length')
  const coded = coding.encode(new TextEncoder().encode(changed))
  return new Response(new Uint8Array(coded), { status, headers })
}

/** Each event is written whole, so no link is split. */
function withEvents(
  { status, headers }: Response,
  body: ReadableStream<Bytes>,
  replace: (text: string) => string,
): Response {
  const events = new TransformStream<string, string>({
    transform: (text, controller) => controller.enqueue(replace(text)),
  })
  const text = body.pipeThrough(new TextDecoderStream()).pipeThrough(events)
  return new Response(text.pipeThrough(new TextEncoderStream()), { status, headers })
}
