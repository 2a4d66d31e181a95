import { expect, test } from 'bun:test'
import { gistOf } from './gist.ts'

test('gist: in a text with several sentences, only those with a question mark are the question', () => {
  expect(gistOf('Hi, we sell hair products in Ohio. Do you sign an agreement? Thank you!')).toEqual(
    {
      asks: 'Do you sign an agreement?',
      aside: 'Hi, we sell hair products in Ohio. Thank you!',
    },
  )
})

test('gist: without a question mark, or with too little before it, the whole text is the question', () => {
  for (const text of [
    'Our endpoint was offline for a day. We need the missed events.',
    'The key gets 401 since this morning, in all our requests. What now?',
    'Is it free? And how long does the clinic take to answer?',
    'Free? Thanks.',
  ])
    expect(gistOf(text)).toEqual({ asks: text, aside: '' })
})
