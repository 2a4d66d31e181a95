// Refreshes part of a page. The `x-refresh` header marks an automatic request, which neither keeps
// an idle session alive nor leads to sign-in once it has ended (http/pages/pages.ts).

export const automatic = { 'hx-headers': JSON.stringify({ 'x-refresh': '1' }) }

export const everySeconds = (seconds: number) => ({
  'hx-trigger': `every ${seconds}s`,
  ...automatic,
})
