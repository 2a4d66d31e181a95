// Polls part of a page. The header marks a request without a person, so it doesn't keep an idle
// session alive (http/pages/pages.ts).

export const everySeconds = (seconds: number) => ({
  'hx-trigger': `every ${seconds}s`,
  'hx-headers': JSON.stringify({ 'x-refresh': '1' }),
})
