import { expect, test } from 'bun:test'
import { stateMachines } from './state-machines.ts'
import { machines } from '../states.ts'

type Published = {
  machines: Record<
    string,
    {
      states: { name: string; final: boolean; event: string | null }[]
      transitions: { operation: string; path: string; from: string[]; to: string[] }[]
    }
  >
}

const published = stateMachines() as Published

test('state machines: include every resource with its states, in order', () => {
  const names = Object.entries(published.machines).map(([name, { states }]) => [
    name,
    states.map(state => state.name),
  ])
  expect(names).toEqual(
    Object.entries(machines).map(([name, { states }]) => [name.toLowerCase(), [...states]]),
  )
})

test('state machines: each transition names an operation and its resource’s states', () => {
  for (const { states, transitions } of Object.values(published.machines)) {
    const known = new Set(states.map(({ name }) => name))
    expect(transitions.length).toBeGreaterThan(3)
    for (const { path, from, to } of transitions) {
      expect(path).toStartWith('/v1/')
      expect([...from, ...to].filter(state => !known.has(state))).toEqual([])
    }
  }
})

test('state machines: no transition starts from a case’s final states, and each state names its event', () => {
  const { states = [] } = published.machines['case'] ?? {}
  expect(states.filter(({ final }) => final).map(({ name }) => name)).toEqual([
    'approved',
    'declined',
    'cancelled',
    'withdrawn',
  ])
  expect(states[0]?.event).toBe('case.received.v1')
})
