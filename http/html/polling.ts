// Polls part of a page. The `x-refresh` header marks an automatic request, which doesn't keep an
// idle session alive (http/pages/pages.ts).

export const everySeconds = (seconds: number) => ({
  'hx-trigger': `every ${seconds}s`,
  'hx-headers': JSON.stringify({ 'x-refresh': '1' }),
})
