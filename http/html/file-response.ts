// A file that a browser keeps, and an image that it shows.

export type FileToKeep = {
  /** Of letters, digits, dashes and dots. */
  readonly name: string
  readonly type: string
  readonly content: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | Blob
}

export function fileResponse({ name, type, content }: FileToKeep, cookies: readonly string[] = []) {
  const headers = new Headers({
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(content, { headers })
}

/** Within a page of the same origin; opened alone it may do nothing. */
export function imageResponse(image: BodyInit, type: string, cookies: readonly string[] = []) {
  const headers = new Headers({
    'content-type': type,
    'cache-control': 'no-store',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(image, { headers })
}
