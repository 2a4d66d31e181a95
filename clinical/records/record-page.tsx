// A record as a readable page that loads no other files.
import type { VNode } from 'preact'
import { htmlOf } from '#http/html/document.tsx'

type Value =
  | string
  | number
  | boolean
  | null
  | readonly Value[]
  | { readonly [name: string]: Value }

const style = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5rem; border-bottom: 1px solid; }
dl { display: grid; grid-template-columns: minmax(8rem, 14rem) minmax(0, 1fr); gap: 0.25rem 1rem; margin: 0; }
dt { opacity: 0.75; } dd { margin: 0; overflow-wrap: anywhere; white-space: pre-line; }
ol { padding-left: 1.25rem; } li { padding-block: 0.5rem; }
dd dl { grid-template-columns: minmax(6rem, 10rem) minmax(0, 1fr); }
@media (max-width: 40rem) { dl, dd dl { grid-template-columns: minmax(0, 1fr); } dt { margin-top: 0.5rem; } }
`

/** Turns `days_supply` into "Days supply". */
const wordsOf = (name: string) => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function Shown({ value, name }: { value: Value; name?: string }): VNode {
  if (value === null || value === '') return <>—</>
  if (typeof value === 'boolean') return <>{value ? 'Yes' : 'No'}</>
  if (name === 'path' && typeof value === 'string') return <a href={value}>{value}</a>
  if (typeof value !== 'object') return <>{String(value)}</>
  if (!isList(value)) return <Members of={value} />
  if (value.length === 0) return <>None</>
  return (
    <ol>
      {value.map((one, at) => (
        <li key={at}>
          <Shown value={one} />
        </li>
      ))}
    </ol>
  )
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value)

const Members = ({ of }: { of: { readonly [name: string]: Value } }) => (
  <dl>
    {Object.entries(of).flatMap(([name, value]) => [
      <dt key={`${name} name`}>{wordsOf(name)}</dt>,
      <dd key={name}>
        <Shown value={value} name={name} />
      </dd>,
    ])}
  </dl>
)

const policy = "default-src 'none'; style-src 'unsafe-inline'"

export function recordPage(record: object): string {
  const members = Object.entries(record) as [string, Value][]
  const plain = members.filter(([, value]) => typeof value !== 'object')
  const parts = members.filter(([, value]) => typeof value === 'object')
  return htmlOf(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="content-security-policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Patient record</title>
        <style>{style}</style>
      </head>
      <body>
        <h1>Patient record</h1>
        <Members of={Object.fromEntries(plain)} />
        {parts.map(([name, value]) => (
          <section key={name}>
            <h2>{wordsOf(name)}</h2>
            <Shown value={value} />
          </section>
        ))}
      </body>
    </html>,
  )
}
