import type { PageAnswer } from '#http/pages/answer.tsx'

/** The page for a link from an email that no longer works. `advice` says what to do instead. */
export const linkEnded = (advice: string): PageAnswer => ({
  failure: {
    status: 404,
    title: 'This link has expired',
    text: `This link was already used or is too old. ${advice}`,
    next: { href: '/account', label: 'Sign in' },
  },
})
