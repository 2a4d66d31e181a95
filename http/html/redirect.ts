// The redirects of pages with sessions.

/** 303, so that the browser requests the page instead of sending the form again. */
export function redirectTo(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({
    location,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}
