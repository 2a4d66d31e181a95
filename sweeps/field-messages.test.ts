// Every field error states a requirement: `X must …` or `X must not …`. The tests send bad values
// to rows, tools and protocols, and read the handlers' own sentences from the source.

import { describe, expect, test } from 'bun:test'
import path from 'node:path'
import type { TObject } from 'typebox'
import { callableIds, callable } from '#contract/callable.ts'
import { states, statesByName } from '#contract/api/address.ts'
import { eventTypes } from '#contract/events.ts'
import { fieldMessage, formOfPattern } from '#contract/messages/field-messages.ts'
import { idForm, idPattern, prefixes } from '#contract/ids.ts'
import { toolServers } from '#contract/mcp/servers.ts'
import { faultCodes } from '#contract/faults.ts'
import { Reader, shapeOf, type Shape } from '#clinical/pipeline/validate.ts'
import { readQuery } from '#clinical/pipeline/query.ts'
import { argumentReader } from '#mcp/protocol/arguments.ts'
import { messageFault, readCall } from '#gateway/a2a/envelope.ts'
import { faultOf } from '#gateway/acp/people.ts'
import { faultsOfLines, readBuyer } from '#gateway/acp/read.ts'
import { readPerson } from '#booking/person.ts'

/** This text is only in values, so a message that contains it has repeated a value. */
const canary = 'kestrel-7731'

const form = /^(?:The [\w' ]+|[\w.[\]-]+(?:\[\d+\])*) must (?:not )?[a-z"].*[.?]$/s

const bad: readonly unknown[] = [
  null,
  true,
  'true',
  1.5,
  -1,
  2 ** 53,
  '',
  canary,
  canary.repeat(900),
  `${canary}\0`,
  '1899-12-31',
  '9999-12-31',
  '9999-12-31T00:00:00Z',
  [],
  [canary, canary],
  Array.from({ length: 999 }, () => canary),
  {},
  { another: canary },
]

/** Yields values of the shape with one bad value each: every bad value in every position. */
function* broken(shape: Shape): Generator<unknown> {
  yield* bad
  const inner = shape.anyOf?.find(one => one.type !== 'null')
  if (inner) yield* broken(inner)
  for (const [name, property] of Object.entries(shape.properties ?? {})) {
    for (const value of broken(property)) yield { [name]: value }
  }
  if (shape.items) for (const value of broken(shape.items)) yield [value, value]
}

const readerAt = () => new Reader(Date.parse('2026-11-20T15:04:05Z'))

function judge(messages: Iterable<string>, least: number): void {
  const all = [...new Set(messages)]
  expect(all.filter(message => !form.test(message) || message.includes(canary))).toEqual([])
  expect(all.length).toBeGreaterThanOrEqual(least)
}

describe('a field error states a requirement, and repeats no value', () => {
  test('clinical API bodies', () => {
    const messages = callableIds.flatMap(id => {
      const { body } = callable[id]
      const shape = body && body !== 'none' ? shapeOf(body) : { type: 'object', properties: {} }
      return [...broken(shape)].flatMap(value => {
        const reader = readerAt()
        reader.read(shape, value, '#', 'The body')
        return reader.faults.map(({ message }) => message)
      })
    })
    judge(messages, 100)
  })

  test('clinical API parameters', () => {
    const values = [...bad.map(String), '2026-11-20T15:04:05+01:00', '1', '101']
    const messages = callableIds.flatMap(id => {
      const { query } = callable[id]
      const names = [...Object.keys(query?.properties ?? {}), 'another', 'another']
      return values.flatMap(value => {
        const reader = readerAt()
        readQuery(reader, query, new URLSearchParams(names.map(name => [name, value])))
        return reader.faults.map(({ message }) => message)
      })
    })
    judge(messages, 20)
  })

  test('tool arguments', () => {
    const servers = toolServers({ name: '', site: 'https://example.com', say: word => word })
    const tools = Object.values(servers).flatMap(({ tools }) => tools)
    const messages = tools.flatMap(tool => {
      const read = argumentReader(tool)
      return [...broken(shapeOf(tool.input as TObject))].flatMap(value => {
        const text = read(value).refusal?.content[0]?.text ?? '{}'
        const { errors = [] } = JSON.parse(text) as { errors?: { message: string }[] }
        return errors.map(({ message }) => message)
      })
    })
    judge(messages, 20)
  })

  test('a person’s details in the checkout', () => {
    const long = 'a'.repeat(2000)
    const people = [
      { firstName: '', email: '' },
      { firstName: canary, email: canary, lastName: `${canary}@a.co`, phone: canary },
      { firstName: 'www.a.co', email: `a@${canary}`, phone: '1', company: long },
      { firstName: long, email: `${long}@a.co`, lastName: long, phone: long },
    ]
    const faults = people
      .map(person => readPerson(person, long))
      .filter(Array.isArray)
      .flat()
    judge(
      faults.map(faultOf).map(({ message }) => message),
      10,
    )
  })

  test('carts and buyers in the checkout', () => {
    const carts = [...bad, [{}], [{ id: canary, quantity: 2 }], [canary], [{ item: { id: 1 } }]]
    const faults = carts.flatMap(line_items => faultsOfLines({ line_items }, true))
    const buyers = bad.flatMap(value => [{ buyer: value }, { buyer: { email: value } }])
    const all = [
      ...faults,
      ...faultsOfLines({}, true),
      ...buyers.flatMap(body => readBuyer(body).faults),
    ]
    judge(
      all.map(({ message }) => message),
      7,
    )
  })

  test('the agent’s envelopes and messages', () => {
    const whole = { jsonrpc: '2.0', id: 1, method: 'SendMessage' }
    const calls = bad.flatMap(value => [
      value,
      ...Object.keys(whole).map(name => ({ ...whole, [name]: value })),
    ])
    const errors = [...calls, { jsonrpc: '2.0', method: 'a' }].flatMap(value => {
      const found = readCall(value)
      return 'error' in found ? [found.error.message] : []
    })
    const message = { messageId: 'a', role: 'ROLE_USER', parts: [{ text: 'a' }] }
    const wrong = bad.flatMap(value =>
      ['messageId', 'role', 'parts', 'contextId', 'taskId'].map(name => ({
        ...message,
        [name]: value,
      })),
    )
    const faults = [undefined, ...wrong].flatMap(value => {
      const error = messageFault({ id: 1, method: 'a', params: { message: value }, dialect: '1.0' })
      return error ? [error.message.replace('Invalid parameters: ', '')] : []
    })
    judge([...errors, ...faults], 9)
  })
})

describe('a misspelled name or value gets the one it was meant to be', () => {
  const misspelled = (name: string) => name[0] + name.slice(2)
  const longer = (names: object = {}) => Object.keys(names).filter(name => name.length > 3)
  const messageOf = ({ faults }: Reader, name: string) =>
    faults.find(({ pointer }) => pointer.endsWith(misspelled(name)))?.message

  test('clinical API fields and parameters', () => {
    const found: (string | undefined)[] = []
    const wanted: string[] = []
    for (const { body, query } of callableIds.map(id => callable[id])) {
      const shape = body && body !== 'none' ? shapeOf(body) : {}
      for (const name of longer(shape.properties)) {
        const reader = readerAt()
        reader.read(shape, { [misspelled(name)]: 1 }, '#', 'The body')
        found.push(messageOf(reader, name))
        wanted.push(fieldMessage.unknownField(misspelled(name), [name]))
      }
      for (const name of longer(query?.properties)) {
        const reader = readerAt()
        readQuery(reader, query, new URLSearchParams([[misspelled(name), '1']]))
        found.push(messageOf(reader, name))
        wanted.push(fieldMessage.unknownParameter(misspelled(name), [name]))
      }
    }
    expect(wanted.length).toBeGreaterThan(100)
    expect(found).toEqual(wanted)
  })

  const suggestion = (values: readonly string[], given: string) =>
    / such as (.+)\.$/.exec(fieldMessage.notInEnum('value', values, given))?.[1]

  test('a US state by its name or its code in lowercase', () => {
    for (const [name, state] of statesByName) {
      expect([name, suggestion(states, name)]).toEqual([name, state])
      expect(suggestion(states, name.toLowerCase())).toBe(state)
      expect(suggestion(states, state.toLowerCase())).toBe(state)
    }
    for (const name of ['Washington, D.C.', 'Washington, DC']) {
      expect([name, suggestion(states, name)]).toEqual([name, 'DC'])
    }
    expect(suggestion(states, 'x'.repeat(101))).toBe('AL')
  })

  test('a cut-off ID of any kind, which already starts with the right prefix', () => {
    for (const prefix of Object.values(prefixes)) {
      expect(formOfPattern(idPattern(prefix))).toBe(idForm(prefix))
    }
  })

  test('an event type without its version, or its last word alone', () => {
    for (const type of eventTypes) expect(suggestion(eventTypes, type.slice(0, -3))).toBe(type)
    expect(suggestion(eventTypes, 'shipped')).toBe('order.shipped.v1')
    expect(suggestion(eventTypes, 'no_show')).toBe('visit.no_show.v1')
  })
})

/** A sentence in the source, in one of the three kinds of quotation marks. */
const literal = /'((?:\\.|[^'\\\n])+\.)'|"((?:\\.|[^"\\\n])+\.)"|`((?:\\.|[^`\\])+\.)`/

/** Excludes pages and commands, whose sentences aren't about fields. */
async function* sources(): AsyncGenerator<[file: string, text: string]> {
  const root = path.dirname(import.meta.dir)
  for (const folder of ['auth', 'booking', 'clinical', 'contract', 'gateway', 'http', 'mcp']) {
    for await (const file of new Bun.Glob(`${folder}/**/*.ts`).scan(root)) {
      if (/\.(test|suite)\.ts$|-(?:page|command)\.ts$|\/testing\//.test(file)) continue
      yield [file, await Bun.file(path.join(root, file)).text()]
    }
  }
}

/** Imports and calls that mark a file as creating field errors. */
const writesFaults = /\b(?:Fault|Reader|faults?|invalid|refuse|refusal|errors)\b/

const sentenceOf = (found: RegExpMatchArray) => found.slice(1).find(one => one !== undefined) ?? ''

describe('sentences in source code', () => {
  test('no message describes a field instead of saying what it must be', async () => {
    const wrong: string[] = []
    const subject =
      /^(?!must )(?:[a-z]\w*(?:[._][\w.]+)*|\$\{\w+\}) (?:is|are|has|have|holds|names|wants) /
    for await (const [file, text] of sources()) {
      if (!writesFaults.test(text)) continue
      for (const found of text.matchAll(new RegExp(literal, 'g'))) {
        const sentence = sentenceOf(found)
        if (subject.test(sentence)) wrong.push(`${file}: ${sentence}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('a message next to a field error’s code states a requirement', async () => {
    const codes = faultCodes.join('|')
    const beside = new RegExp(
      `'(?:${codes})',?\\s*(?:message: )?(?:${literal.source})|const message =\\s*(?:${literal.source})`,
      'g',
    )
    const wrong: string[] = []
    let seen = 0
    for await (const [file, text] of sources()) {
      if (!writesFaults.test(text)) continue
      for (const found of text.matchAll(beside)) {
        seen++
        const sentence = sentenceOf(found)
        if (!/(?:^| )must (?:not )?[a-z]/.test(sentence)) wrong.push(`${file}: ${sentence}`)
      }
    }
    expect(wrong).toEqual([])
    expect(seen).toBeGreaterThan(15)
  })
})
