// Shared by a join link's pages: their style, their content policy, and the pages for links that
// don't work. Plain HTML without fonts or other files.

import { limits } from '#contract/limits.ts'
import { roomStyle, scriptHash } from '../rooms/room-part.ts'

const style = `
:root{--paper:#fbfaf6;--raised:#fff;--ink:#1b1f1a;--quiet:#5c6459;--hairline:#dedcd2;--line:#8b9186;
--brand:#1f5b41;--brand-quiet:#e4efe7;--on-brand:#fff;--signal:#b4570f;--danger:#a32d1e;
--on-danger:#fff;color-scheme:light dark}
@media screen and (prefers-color-scheme:dark){:root{--paper:#12150f;--raised:#1a1e17;--ink:#ecede6;
--quiet:#a3aa9d;--hairline:#2e342b;--line:#737b6d;--brand:#7cc49b;--brand-quiet:#1f3428;
--on-brand:#0f1d15;--signal:#f0a35e;--danger:#f2a192;--on-danger:#2a0f0a}}
*{box-sizing:border-box;margin:0}
body{background:var(--paper);color:var(--ink);font:1rem/1.6 Inter,system-ui,sans-serif;
min-height:100vh;display:flex;flex-direction:column;font-variant-numeric:tabular-nums}
header,main,footer{width:100%;max-width:42rem;margin:0 auto;padding:1.5rem}
header{font-weight:600;color:var(--brand)}
main{flex:1;padding-top:1rem}
h1{font:500 clamp(1.9rem,7vw,2.75rem)/1.12 Newsreader,Georgia,serif;letter-spacing:-.012em;
text-wrap:balance}
p{max-width:60ch;text-wrap:pretty}
.lead{font-size:1.2rem;margin-top:.9rem}
dl{display:grid;grid-template-columns:auto 1fr;gap:.45rem 1.5rem;margin:2rem 0;padding:1.25rem 0;
border-block:1px solid var(--hairline)}
dt{color:var(--quiet)}
figure{margin:2rem 0}
svg{display:block;width:100%;max-width:30rem;height:auto;overflow:visible}
figcaption,.small,footer{color:var(--quiet);font-size:.875rem}
.note{border-left:3px solid var(--signal);background:var(--raised);padding:.9rem 1.1rem;margin:2rem 0}
.button{display:inline-block;background:var(--brand);color:var(--on-brand);text-decoration:none;
font-weight:600;padding:.7rem 1.2rem;border-radius:3px;margin:.4rem 0 1rem}
:focus-visible{outline:2px solid var(--brand);outline-offset:2px}
code{font:.875em 'JetBrains Mono',ui-monospace,monospace;overflow-wrap:anywhere}
footer p{border-top:1px solid var(--hairline);padding-top:1.25rem;max-width:none}
.axis{stroke:var(--line);stroke-width:2}.span{stroke:var(--brand);stroke-width:8}
.tick{stroke:var(--line)}.now{fill:var(--signal);stroke:var(--paper);stroke-width:2}
.label{fill:var(--ink);font-size:11px}.word{fill:var(--quiet);font-size:11px}
@media (max-width:30rem){.label,.word{font-size:14px}}
form{margin:2rem 0}fieldset{border:0;padding:0;display:flex;gap:.75rem;flex-wrap:wrap}
legend{padding:0;margin-bottom:.6rem;font-weight:600}
input::placeholder{color:var(--quiet);opacity:1}
fieldset label{display:grid;gap:.25rem;color:var(--quiet);font-size:.875rem}
input{font:inherit;font-size:1.05rem;color:var(--ink);background:var(--raised);width:5rem;
min-height:3rem;padding:.5rem .75rem;border:1px solid var(--line);border-radius:3px}
input[name=year]{width:7rem}
form .button{margin-top:1.5rem;min-height:3rem}
${roomStyle}`

const styleHash = `sha256-${new Bun.CryptoHasher('sha256').update(style).digest('base64')}`

/** A page's kind, which decides its policy. */
export type PageKind = 'text' | 'form' | 'room'

/** The resources a page may load: its own style, and in a room its own script and socket. */
export const policyOf = (kind: PageKind): string =>
  `default-src 'none'; style-src '${styleHash}'; ` +
  (kind === 'room' ? `script-src '${scriptHash}'; connect-src 'self'; ` : '') +
  `base-uri 'none'; form-action ${kind === 'form' ? "'self'" : "'none'"}; `

/** A page's policy, and who may frame it: the page at `origin`, or no one. */
export const framing = (policy: string, origin: string | undefined): Record<string, string> =>
  origin === undefined
    ? {
        'content-security-policy': `${policy}frame-ancestors 'none'`,
        'x-frame-options': 'DENY',
      }
    : { 'content-security-policy': `${policy}frame-ancestors ${origin}` }

/** If `foot` is null, returns only the content, for a page that adds the rest. */
export const htmlDocument = (
  title: string,
  clinic: string,
  main: string,
  foot: string | null,
) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${Bun.escapeHTML(title)}</title>
<style>${style}</style>
</head>
<body>
${foot === null ? '' : `<header>${Bun.escapeHTML(clinic)}</header>`}
<main${foot === null ? ` class="bare" aria-label="${Bun.escapeHTML(title)}"` : ''}>
${main}
</main>
${foot === null ? '' : `<footer><p>${foot}</p></footer>`}
</body>
</html>
`

export const emergency = 'In an emergency, call 911. Don’t wait for a visit.'

/** `closed` means the visit's room has closed, `taken` that another browser has the link, `spent`
 *  that no tries are left, and `foreign` that another page sent the form. */
export type DeadLink = 'expired' | 'closed' | 'unknown' | 'away' | 'taken' | 'spent' | 'foreign'

const deadLinkTexts: Record<DeadLink, { title: string; lead: string }> = {
  expired: {
    title: 'This link has expired',
    lead: `Visit links work for ${limits.joinLinkMinutes} minutes. Go back to where you found this one and open a new link. Your visit is still booked.`,
  },
  closed: {
    title: 'This visit has closed',
    lead: `Visits close ${limits.joinClosesMinutesAfter} minutes after their planned end. If you still need to be seen, book again where you booked this visit.`,
  },
  unknown: {
    title: 'This link isn’t valid',
    lead: 'Part of the link may be missing. Go back to where you found it and open it from there.',
  },
  taken: {
    title: 'This link was opened in another browser',
    lead: 'Each link works in one browser. To use this one, go back to where you found the link and open a new one here. If you already entered in this browser, allow cookies for this page first. Your visit is still booked.',
  },
  spent: {
    title: 'This link no longer works',
    lead: 'Too many incorrect dates of birth were entered. Go back to where you found the link and open a new one, or ask the clinic. Your visit is still booked.',
  },
  foreign: {
    title: 'Open your visit link again',
    lead: 'The date of birth came from another page. Open your visit link and enter the date there.',
  },
  away: {
    title: 'The waiting room is unavailable',
    lead: 'Your visit is still booked. Wait a moment, then open the link again.',
  },
}

/** Returns the page for an invalid link, which reveals nothing about a visit. */
export function deadLinkPage(why: DeadLink): string {
  const { title, lead } = deadLinkTexts[why]
  const main = `<h1>${Bun.escapeHTML(title)}</h1>\n<p class="lead">${Bun.escapeHTML(lead)}</p>`
  return htmlDocument(title, 'Video visit', main, emergency)
}
