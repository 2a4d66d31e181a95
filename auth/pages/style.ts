// The pages' stylesheet: the theme, toasts, and the account pages' own rules.
import { toast } from '#http/html/style-toast.ts'
import { theme } from '#http/html/theme.ts'

export const style = `${theme}${toast}.bar { border-bottom: 1px solid var(--hairline); }
.bar > div {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0 1.5rem;
  max-width: 36.5rem;
  margin-inline: auto;
  padding: 0.5rem 1.25rem;
  min-height: 3.75rem;
}
.wordmark {
  display: flex;
  align-items: center;
  gap: 0.5rem;
  min-height: 2.75rem;
  font-family: var(--display);
  font-size: 1.25rem;
  font-weight: 550;
  letter-spacing: -0.01em;
  line-height: 1;
  color: var(--ink);
  text-decoration: none;
}
.mark { color: var(--brand); }
.who { display: flex; align-items: center; gap: 1rem; min-width: 0; font-size: var(--size-small); color: var(--quiet); }
.who-email { overflow: hidden; text-overflow: ellipsis; }

main {
  max-width: 36.5rem;
  margin-inline: auto;
  padding: 2.5rem 1.25rem 4rem;
}
main > * + * { margin-top: 1.5rem; }
.cards { display: grid; gap: 1rem; }
.card { background: var(--raised); border: 1px solid var(--hairline); border-radius: var(--radius); padding: 1.25rem; }
.card > * + * { margin-top: 0.5rem; }
.card h2 { font-size: var(--size-1); overflow-wrap: anywhere; }
.card details { margin-bottom: -0.625rem; }
.card details[open] { margin-bottom: 0; }
.card-head { display: flex; align-items: baseline; justify-content: space-between; gap: 1rem; }
.card-head form { flex: none; }
summary { cursor: pointer; color: var(--brand); width: fit-content; padding-block: 0.625rem; }
.empty { border-top: 1px solid var(--hairline); padding-top: 1.25rem; color: var(--quiet); }
.aside { border-top: 1px solid var(--hairline); padding-top: 1.5rem; margin-top: 2.5rem; }
.aside > * + * { margin-top: 0.75rem; }
.scopes { display: grid; gap: 0.75rem; }
.scopes li { padding-left: 1rem; border-left: 2px solid var(--hairline); }
.scopes code { display: block; font-size: 0.8125rem; color: var(--quiet); }
.scopes .missing { border-color: var(--danger); }
.scopes strong { color: var(--danger); font-weight: 550; }

.host { border-block: 1px solid var(--hairline); padding-block: 1rem; color: var(--quiet); }
.host-name { font-family: var(--display); font-size: var(--size-3); font-weight: 500; line-height: 1.2; color: var(--ink); overflow-wrap: anywhere; }
.host-name.code { font-family: var(--mono); letter-spacing: 0.08em; }
.part { display: grid; gap: 0.75rem; }
.part + .part { margin-top: 0.75rem; }
main > .part + .part { margin-top: 2.25rem; }
h2 + .fine { margin-top: -0.5rem; }
legend { margin-bottom: 0.25rem; }
fieldset { min-width: 0; }
legend h2 { font-size: var(--size-2); }
.choice { display: grid; grid-template-columns: auto 1fr; gap: 0 0.75rem; align-items: center; min-height: 2.75rem; }
.choice input { width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--brand); }
.choice label { padding-block: 0.5rem; }
.choice .fine { grid-column: 2; }
.choice p { margin-top: -0.25rem; }
.choice input:disabled + label { color: var(--quiet); }
.facts { display: grid; gap: 0.5rem; }
.facts div { display: grid; grid-template-columns: 5.5rem 1fr; gap: 0 1rem; }
.facts dt { color: var(--quiet); }
.facts dd { min-width: 0; overflow-wrap: anywhere; }
.facts strong { color: var(--signal); }
.program { font-size: var(--size-small); }
.address { overflow-wrap: anywhere; }
.links { display: flex; flex-wrap: wrap; gap: 0 1.5rem; }
.links a { display: inline-flex; align-items: center; min-height: 2.75rem; }
.password { display: grid; gap: 0.25rem; }
.reveal { display: flex; align-items: center; gap: 0.5rem; width: fit-content; min-height: 2.75rem; font-size: var(--size-small); color: var(--quiet); cursor: pointer; }
.reveal[hidden] { display: none; }
.reveal input { width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--brand); }
.passkey { gap: 0.5rem; }
.passkey .fault:empty { display: none; }
.passkey .field { width: 100%; margin-bottom: 0.5rem; }
.card h3 { font-size: var(--size-0); font-weight: 550; line-height: 1.4; overflow-wrap: anywhere; margin: 0; }
.card-head .actions { flex-wrap: nowrap; flex: none; gap: 0.5rem; }
.card-head .button { flex: none; }
.note > * + * { margin-top: 0.75rem; }
.note .button { justify-self: start; }
.qr { width: 13rem; max-width: 100%; background: #fff; border-radius: var(--radius); }
.qr svg { display: block; width: 100%; height: auto; }
.secret { font-size: 1.0625rem; text-wrap: balance; user-select: all; }
.codes { margin: 1.5rem 0 0; padding: 1.25rem 1.25rem 1.25rem 3.25rem; background: var(--raised); border: 1px solid var(--hairline); border-radius: var(--radius); line-height: 2; user-select: all; }
.codes ::marker { color: var(--quiet); font-size: var(--size-small); }
@media (min-width: 36rem) { .codes { columns: 2; column-gap: 3rem; } }
.button.danger { background: var(--danger); border-color: var(--danger); }
.who a { color: var(--quiet); text-decoration: none; min-height: 2.75rem; display: inline-flex; align-items: center; min-width: 0; }
.who a:hover { color: var(--ink); text-decoration: underline; }
`
