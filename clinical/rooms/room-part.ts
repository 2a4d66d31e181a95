// The part of a join link's page where the visit takes place.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Seat } from '../tokens.ts'

const parts = ['media.ts', 'peer.ts', 'room.ts'].map(name =>
  readFileSync(path.join(import.meta.dir, 'browser', name), 'utf8'),
)
const script = new Bun.Transpiler({ loader: 'ts', target: 'browser', minifyWhitespace: true })
  .transformSync(parts.join('\n'))
  // The script is a module, so other scripts can't see its names.
  .trim()

/** The script's hash, for the page's Content-Security-Policy. */
export const scriptHash = `sha256-${new Bun.CryptoHasher('sha256').update(script).digest('base64')}`

export const roomStyle = `
#room{margin:2rem 0}
#room[hidden],#room [hidden]{display:none}
.stage{position:relative;background:#0c0e0a;border-radius:6px;overflow:hidden;aspect-ratio:4/3;display:none}
.is-on .stage{display:block}
.is-over :is(.stage,.controls,.small),main:has(.is-over) :is(.lead,dl){display:none}
.stage video{width:100%;height:100%;object-fit:cover;display:block}
#room-mine{transform:scaleX(-1)}
.stage #room-theirs{object-fit:contain}
.is-on:not(.is-connected) .stage{max-width:20rem}
.is-connected #room-mine{position:absolute;right:.75rem;bottom:.75rem;width:28%;height:auto;
aspect-ratio:3/4;border-radius:4px;border:1px solid rgba(255,255,255,.5)}
.flags{position:absolute;left:.75rem;bottom:.75rem;display:flex;flex-wrap:wrap;gap:.4rem;max-width:64%}
.flags span,#room-time{background:rgba(12,14,10,.8);color:#fff;border-radius:3px;padding:.1rem .55rem;
font-size:.875rem}
#room-time{position:absolute;left:.75rem;top:.75rem}
#room-theirs{display:none!important}.is-connected #room-theirs{display:block!important}
.controls{display:flex;flex-wrap:wrap;gap:.6rem;margin:1rem 0;align-items:end}
.controls label{display:grid;font-size:.875rem;color:var(--quiet);max-width:100%}
button,select{font:inherit;font-weight:600;min-height:2.75rem;padding:.5rem 1rem;border-radius:3px;
border:1px solid var(--line);background:var(--raised);color:var(--ink);max-width:100%}
button:disabled{opacity:.55}
button[aria-pressed=true]{background:var(--ink);color:var(--paper)}
button.button{background:var(--brand);color:var(--on-brand);border-color:var(--brand)}
main:has(.is-connected) :is(.lead,dl){display:none}
main:has(.is-connected) h1{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
main:has(.is-connected) #room{margin-top:0}
@media (min-aspect-ratio:1/1){
body:has(.is-connected) :is(header,main,footer){max-width:72rem}
.is-connected .stage{aspect-ratio:auto;height:max(11rem,calc(100dvh - 15.5rem))}
.is-connected #room-mine{width:min(22%,13rem);aspect-ratio:4/3}}
@media (max-height:30rem){body:has(.is-connected) header{display:none}
.is-connected #room-status{margin:0 0 .5rem}
.is-connected .stage{height:max(11rem,calc(100dvh - 9.5rem))}}
.controls .leave{margin-left:auto;background:var(--danger);border-color:var(--danger);color:var(--on-danger)}
main.bare{padding:0 .25rem;max-width:none}.bare #room{margin:0}
.bare:has(#room:not(.is-over))>:not(#room,script){display:none}
#room-status{font-size:1.05rem;margin:1rem 0}
@media (prefers-reduced-motion:no-preference){.controls button{transition:background .15s}}`

const hints: Readonly<Record<Seat, string>> = {
  patient:
    'Find a quiet, private spot. Audio and video go only to your clinician and aren’t recorded.',
  clinician: 'Audio and video go only to the patient and aren’t recorded.',
}

/** Requires JavaScript; without it, the page shows a note. */
export const roomPart = (
  seat: Seat,
  ticket: string,
): string => `<section id="room" aria-label="Video visit" data-ticket="${ticket}">
<p id="room-status" role="status">Opening the room…</p>
<noscript><p class="note">Video visits need JavaScript. Allow it for this page, then reload.</p></noscript>
<p class="note" id="room-trouble" role="alert" hidden></p>
<div class="stage"><video id="room-theirs" autoplay playsinline></video>
<video id="room-mine" autoplay muted playsinline></video>
<p class="flags" aria-live="polite"><span id="room-their-muted" hidden></span>
<span id="room-my-muted" hidden>You’re muted.</span></p>
<time id="room-time" role="timer" aria-label="Visit length" hidden></time></div>
<p><button class="button" id="room-on" type="button" disabled autocomplete="off">Turn on camera and microphone</button>
<button type="button" id="room-voice" hidden>Join without camera</button>
<a class="button" id="room-link" target="_blank" rel="noreferrer" hidden>Open the video visit</a>
<a class="button" id="room-again" href="" hidden></a></p>
<div class="controls" id="room-controls" hidden>
<button type="button" id="room-audio-off" aria-pressed="false">Mute</button>
<button type="button" id="room-video-off" aria-pressed="false">Camera off</button>
<label hidden>Microphone<select id="room-audio"></select></label>
<label hidden>Camera<select id="room-video"></select></label>
<button type="button" class="leave" id="room-leave">Leave</button>
</div>
<p class="small">${hints[seat]}</p>
</section>
<script type="module">${script}</script>`
