// A file that a browser keeps.

export type FileToKeep = {
  /** Of letters, digits, dashes and dots. */
  readonly name: string
  readonly type: string
  readonly content: string | Uint8Array<ArrayBuffer>
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
