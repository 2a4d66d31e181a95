// The page's script. The script verifies the form on every change, and sends and stores nothing.
import { type Verdict, verify, type Outcome, toleranceSeconds } from './verify.ts'

const titles: Record<Outcome, string> = {
  accepted: 'Signature matches',
  stale: 'Signature matches, but the timestamp is too old or too new',
  mismatch: 'Signature doesn’t match',
  no_signature: 'No v1 in the header',
  malformed: 'No timestamp in the header',
}

const messages: Record<Outcome, string> = {
  accepted: 'Your receiver should accept this delivery.',
  stale: `The timestamp is more than ${toleranceSeconds} seconds from the time of receipt.`,
  mismatch: 'None of the v1 values is the digest of this body with this secret.',
  no_signature: 'A signature looks like t=1795187400,v1=… with 64 characters after v1=.',
  malformed: 'The header starts with one t=, a number of seconds, and a comma.',
}

/** An example body and secret from the published vectors. */
const example = {
  header: 't=1795187400,v1=97a26f6ea906c9c88c7bcaca6094d86fa402b929640feed9f0ef952392907c9e',
  body: '{"id":"evt_1"}',
  secret: 'whsec_Zk3vQ0m8Jx1n4Tq7Yw2cR5uP9sL6hD0b',
  at: '1795187400',
  own: '',
}
type Field = keyof typeof example

const byId = (id: string): HTMLElement => {
  const found = document.getElementById(id)
  if (!found) throw new Error(`there is no #${id}`)
  return found
}
const field = (name: Field) => byId(`check-${name}`) as HTMLInputElement | HTMLTextAreaElement
const names = Object.keys(example) as Field[]

function show(id: string, text: string | null): void {
  const place = byId(id)
  place.textContent = text ?? ''
  const row = place.closest<HTMLElement>('[data-row]') ?? place
  row.hidden = text === null || text === ''
}

function ageText(age: number | null): string | null {
  if (age === null) return null
  const seconds = Math.abs(Math.round(age))
  const long = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
  return seconds === 0
    ? 'in the same second'
    : `${long} ${age > 0 ? 'before' : 'after'} it was received`
}

function showVerdict(
  { outcome, expected, given, age, cause, ownCause }: Verdict,
  own: string,
): void {
  byId('verdict').dataset['outcome'] = outcome
  show('verdict-title', titles[outcome])
  show('verdict-message', messages[outcome])
  show('verdict-cause', cause)
  show('verdict-expected', expected)
  show('verdict-given', given.join('\n'))
  show('verdict-age', ageText(age))
  const unknown = 'Your digest is for a different secret or a different body.'
  const ownText = own === expected ? 'Your digest is correct.' : (ownCause ?? unknown)
  show('verdict-own', own === '' || expected === null ? null : ownText)
}

let turn = 0

async function look(): Promise<void> {
  const mine = ++turn
  const { header, body, secret, at, own } = Object.fromEntries(
    names.map(name => [name, field(name).value]),
  ) as Record<Field, string>
  if (header === '' || secret === '') {
    byId('verdict').dataset['outcome'] = ''
    show('verdict-title', 'Nothing to check yet')
    show('verdict-message', 'Paste the header, the body and the secret, or use the example.')
    for (const id of ['cause', 'expected', 'given', 'age', 'own']) show(`verdict-${id}`, null)
    return
  }
  const now = /^\d+$/.test(at.trim()) ? Number(at) : Math.floor(Date.now() / 1000)
  const verdict = await verify({ header, body, secret, now, own })
  // Ignores the verdict if newer input has started another check.
  if (mine === turn) showVerdict(verdict, own.trim())
}

for (const name of names) field(name).addEventListener('input', () => void look())
byId('check-form').addEventListener('submit', event => event.preventDefault())
byId('check-example').addEventListener('click', () => {
  for (const name of names) field(name).value = example[name]
  void look()
})
byId('check-clear').addEventListener('click', () => {
  for (const name of names) field(name).value = ''
  void look()
  field('header').focus()
})
void look()
