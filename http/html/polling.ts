// What requests a part of a page again and again. The header says that no one did it, so it doesn't
// keep an idle session alive (http/pages/pages.ts).

export const everySeconds = (seconds: number) => ({
  'hx-trigger': `every ${seconds}s`,
  'hx-headers': JSON.stringify({ 'x-refresh': '1' }),
})
