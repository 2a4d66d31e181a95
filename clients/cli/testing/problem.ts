// An API problem, for servers that respond to everything with it.

export const problemResponse = (status: number, code: string, retryAfter = '0') =>
  Response.json(
    { type: 'about:blank', title: 'Busy', status, code, detail: 'D', request_id: 'req_1' },
    { status, headers: { 'retry-after': retryAfter, 'content-type': 'application/problem+json' } },
  )
