// The console's stylesheet: rules shared with the portal, and rules for its own pages.
import { frame } from '#http/html/style-frame.ts'
import { parts } from '#http/html/style-parts.ts'
import { theme } from '#http/html/theme.ts'

const pages = `
.switch.clinic { display: flex; align-items: center; min-height: 2.75rem; font-size: var(--size-small); font-weight: 550; }
.week { display: grid; grid-template-columns: repeat(7, minmax(0, 1fr)); gap: 1px; padding: 1px; list-style: none; background: var(--hairline); font-size: var(--size-small); }
.week > li { background: var(--paper); padding: 0.625rem 0.625rem 1rem; min-height: 7rem; }
.week h3 { font-family: var(--text); font-size: 0.8125rem; font-weight: 500; color: var(--quiet); }
.week > li[aria-current] h3 { color: var(--brand); font-weight: 650; }
.week ul { list-style: none; padding: 0; }
.week ul li { margin-top: 0.375rem; padding: 0.25rem 0.5rem; border-left: 3px solid var(--brand); background: var(--brand-quiet); }
.week ul li.off { border-color: var(--signal); background: none; }
@media (max-width: 60rem) {
  .week { grid-template-columns: minmax(0, 1fr); }
  .week > li { min-height: 0; padding-block: 0.5rem; display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); }
  .week ul li:first-child { margin-top: 0; }
}
td .address { overflow-wrap: break-word; }
.count { float: right; min-width: 1.5rem; padding-inline: 0.375rem; border-radius: 1rem; background: var(--brand-quiet); color: var(--brand); font-size: 0.8125rem; font-weight: 600; font-variant-numeric: tabular-nums; text-align: center; }
.navigation a[aria-current] .count { background: var(--paper); }
.stack-of > * + * { margin-top: 2rem; }
.stack-of > section > * + *, .review section > * + * { margin-top: 0.75rem; }
#work:empty { display: none; }
#work:empty + * { margin-top: 0; }
.note.waiting { display: flex; flex-wrap: wrap; align-items: center; gap: 0.75rem; }
.find { display: flex; align-items: end; gap: 0.75rem; max-width: 40rem; }
.find .field { flex: 1; min-width: 0; }
.tabs { flex-wrap: wrap; gap: 0 1.25rem; }
.account-roles { padding: 0.375rem 1rem; border-bottom: 1px solid var(--hairline); }
.review { display: grid; grid-template-columns: minmax(0, 1fr) minmax(20rem, 26rem); gap: 2.5rem; align-items: start; }
.review > div > * + * { margin-top: 2rem; }

.banner { position: sticky; top: 0; z-index: 1; background: var(--paper); border-block: 1px solid var(--line); padding-block: 0.625rem; }
.chart > section { scroll-margin-top: 10rem; }
.banner-name { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1rem; }
.banner-name h1 { font-size: var(--size-2); line-height: 1.3; }
.banner-who { display: flex; flex-wrap: wrap; gap: 0.125rem 1.25rem; max-width: none; }
.banner-name a { display: inline-block; color: inherit; text-decoration-color: transparent; }
.banner-name a:hover { text-decoration-color: currentColor; }
.banner-facts { display: flex; flex-wrap: wrap; gap: 0.125rem 1.5rem; margin: 0.25rem 0 0; font-size: 0.9375rem; }
.banner-facts > div { display: flex; gap: 0.5rem; min-width: 0; }
.banner-facts dt { color: var(--quiet); flex: none; }
.banner-facts dd { margin: 0; overflow-wrap: anywhere; max-width: 30rem; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.alarm { color: var(--danger); font-weight: 600; }
.answers { display: grid; gap: 0.75rem; }
.answers > div { padding-left: 0.875rem; border-left: 3px solid transparent; }
.answers .flagged { border-color: var(--danger); }
.answers .telling { border-color: var(--line); }
.answers dt { color: var(--quiet); font-size: 0.9375rem; }
.answers dd { margin: 0; overflow-wrap: anywhere; white-space: pre-line; }
.answers .flagged dd { font-weight: 600; }
.answers .slot { margin-left: 0.625rem; font-size: 0.8125rem; font-weight: 550; color: var(--danger); }
.side-by-side { display: grid; gap: 2rem; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); align-items: start; }
.history { list-style: none; padding: 0; display: grid; gap: 0.375rem; }
.thumbnails { list-style: none; padding: 0; display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); }
.thumbnails li > .fine { display: block; }
.thumbnails a { display: block; overflow-wrap: anywhere; }
.thumbnail { display: grid; place-items: center; height: 9rem; margin-bottom: 0.375rem; background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius); overflow: hidden; }
.thumbnail img { width: 100%; height: 100%; object-fit: cover; object-position: top; }
@media (max-width: 40rem) {
  .banner { position: static; }
  .chart > section { scroll-margin-top: 1rem; }
}
.paper { max-width: 34rem; border: 1px solid var(--line); padding: 1.25rem; background: #fff; color: #111; }
.paper dt, .paper .quiet { color: #444; }
.label { max-width: 26rem; }
.label > * + * { margin-top: 0.25rem; }
.label-name, .label-drug { font-size: 1.1875rem; font-weight: 600; }
@media print {
  .no-print, .breadcrumbs { display: none; }
  .paper { border: 0; padding: 0; }
  .actions-of, .claim, .to-actions, .site-notice, .success, .skip { display: none; }
  .banner { position: static; }
  .review { display: block; }
  .table { overflow: visible; }
  .main a, main a { color: inherit; text-decoration: none; }
}
.actions-of > * + * { margin-top: 1.25rem; }
.actions-of { border-left: 1px solid var(--hairline); padding-left: 2rem; }

.panel-tabs { display: flex; flex-wrap: wrap; gap: 0 1.25rem; border: 0; padding: 0; margin: 0; border-bottom: 1px solid var(--hairline); }
.panel-tabs span { position: relative; }
.panel-tabs input { position: absolute; inset: 0; width: 100%; height: 100%; opacity: 0; cursor: pointer; }
.panel-tabs label { display: inline-flex; align-items: center; min-height: 2.75rem; font-size: 0.9375rem; font-weight: 400; color: var(--quiet); }
.panel-tabs input:checked + label { color: var(--ink); font-weight: 600; box-shadow: inset 0 -2px var(--brand); }
.panel-tabs span:has(input[value=decline]:checked) label { box-shadow: inset 0 -2px var(--danger); }
.panel-tabs input:focus-visible + label { outline: 2px solid var(--focus, var(--brand)); outline-offset: 2px; }
.panels > .panel { display: none; }
.panels:has(#tab-approve:checked) > .of-approve, .panels:has(#tab-decline:checked) > .of-decline,
.panels:has(#tab-ask:checked) > .of-ask, .panels:has(#tab-writeNote:checked) > .of-writeNote, .panels:has(#tab-write:checked) > .of-write { display: block; }
.panel > form, .panel > .insert { margin-top: 1rem; }
.panel > form { gap: 0.875rem; }
.panel .actions { display: flex; flex-wrap: wrap; gap: 0.75rem; position: sticky; bottom: -0.25rem; background: var(--paper); padding-block: 0.75rem; border-top: 1px solid var(--hairline); }
.insert { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.75rem; font-size: 0.9375rem; }
.insert[hidden], .as-read[hidden] { display: none; }
.as-read { border-left: 3px solid var(--line); padding-left: 0.875rem; }
.notes { list-style: none; padding: 0; }
.notes > li { padding-block: 0.75rem; border-bottom: 1px solid var(--hairline); }
.notes > li > * + *, .addendum > * + * { margin-top: 0.375rem; }
.addendum { border-left: 3px solid var(--line); padding-left: 0.875rem; }
.codes { list-style: none; padding: 0; font-size: 0.9375rem; }
.codes:empty, .code-search[hidden], .code-search [hidden] { display: none; }
.code { font-family: var(--mono); font-size: 0.875rem; }
.code-search { position: relative; }
#code-results { position: absolute; z-index: 2; inset-inline: 0; max-height: 20rem; overflow-y: auto; margin: 0.25rem 0 0; padding: 0.25rem; list-style: none; background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius); }
#code-results li { padding: 0.5rem 0.625rem; cursor: pointer; }
#code-results li[aria-selected=true] { background: var(--brand-quiet); }
.note-form { gap: 1rem; }
.confirmation { border: 1px solid var(--signal); border-radius: var(--radius); padding: 0.875rem 1rem; }
.confirmation > * + * { margin-top: 0.5rem; }
.confirmation .fault:empty { display: none; }
dialog.keys { margin: auto; min-width: min(22rem, 90vw); color: var(--ink); background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius); padding: 1.5rem; }
dialog.keys::backdrop { background: color-mix(in srgb, var(--ink) 30%, transparent); }
dialog.keys dl { display: grid; grid-template-columns: auto 1fr; gap: 0.5rem 1.25rem; margin-block: 1rem; }
.actions-of details > summary { font-weight: 550; padding-block: 0.5rem; cursor: pointer; }
.actions-of details > form { margin-top: 0.75rem; }
.plan-line { border-top: 1px solid var(--hairline); padding-top: 0.875rem; display: grid; gap: 0.75rem; }
.numbers { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 0.75rem; align-items: end; }
.saved-text > * + * { margin-top: 0.75rem; }
.numbers label { font-size: 0.875rem; }
.thread { list-style: none; padding: 0; max-width: 44rem; }
.thread > li { padding-block: 0.75rem; border-bottom: 1px solid var(--hairline); }
.thread .lines { white-space: pre-line; overflow-wrap: anywhere; }
.note { border-left: 3px solid var(--signal); padding-left: 1rem; }
.note > * + * { margin-top: 0.75rem; }
.success { border-left: 3px solid var(--brand); padding-left: 1rem; }
.document { margin: 0; }
.document img { display: block; max-width: 100%; height: auto; background: #fff; border: 1px solid var(--line); }
.document nav { display: flex; flex-wrap: wrap; align-items: center; gap: 0.75rem; margin-top: 0.75rem; }
.viewer > figcaption nav { margin: 0 0 0.75rem; }
.view-tools { display: flex; gap: 0.5rem; margin-left: auto; }
.view-tools[hidden] { display: none; }
.page-frame { position: relative; min-height: min(70vh, 60rem); overflow: auto; background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius); }
.page-frame .rendering { position: absolute; inset: 0; display: grid; place-items: center; color: var(--quiet); }
.page-frame a { position: relative; display: block; }
.page-frame img { border: 0; background: transparent; }
.filters .clear { display: inline-flex; align-items: center; min-height: 2.5rem; }
.claim { display: flex; flex-wrap: wrap; align-items: center; gap: 0.75rem; }
.to-actions { display: none; }
@media (min-width: 30em) { .moment { white-space: nowrap; } }
.frame > main > p, .frame main section > p { max-width: 44rem; }
.choices { grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); }
td > form, td > .confirm, td > .actions { margin-block: -0.4375rem; }
td .actions .button { flex: none; }
@media (min-width: 75.0625rem) {
  .actions-of { position: sticky; top: 1.25rem; max-height: calc(100vh - 2.5rem); overflow-y: auto; padding-block: 0.25rem; padding-right: 0.25rem; }
}
@media (max-width: 75rem) {
  main:has(#actions) .to-actions { display: block; }
  .claim + .to-actions { margin-top: 0.75rem; }
  .review { grid-template-columns: minmax(0, 1fr); }
  .actions-of { border-left: 0; padding-left: 0; border-top: 1px solid var(--line); padding-top: 1.5rem; scroll-margin-top: 1rem; }
}
@media (max-width: 40rem) {
  .claim > span { flex: 1 1 100%; }
  td > form, td > .confirm, td > .actions { margin-block: 0.25rem; }
  .bar:has(.clinic) .bar-start { flex: 0 1 auto; }
  .bar:has(.clinic) .bar-end { flex: none; margin-left: auto; }
  .switch.clinic { display: none; }
  .bar:has(.clinic) .jump-open { justify-content: center; min-width: 2.75rem; font-size: 0; }
}
`

const visits = `
.visit { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 2.5rem; align-items: start; margin-top: 1.25rem; }
.visit > div > * + * { margin-top: 2rem; }
.visit section > * + * { margin-top: 0.75rem; }
.visit-room { position: sticky; top: 5.5rem; width: 100%; height: max(26rem, calc(100vh - 6.5rem)); border: 0; color-scheme: light dark; }
.visit-acts { margin-top: 1rem; display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.75rem 1.5rem; }
@media (max-width: 75rem) {
  .visit { grid-template-columns: minmax(0, 1fr); }
  .visit-room { position: static; height: min(38rem, 80vh); }
}
`

export const style = [theme, frame, parts, pages, visits].join('\n')
