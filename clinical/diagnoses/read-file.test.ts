// The published ICD-10-CM code files, line by line.
import { describe, expect, test } from 'bun:test'
import { readCodes, yearIn } from './read-file.ts'

const read = (text: string) => readCodes(new TextEncoder().encode(text))

/** Builds a line of the order file, in its fixed columns. */
const ordered = (at: number, code: string, flag: 0 | 1, title: string) =>
  `${String(at).padStart(5, '0')} ${code.padEnd(7)} ${flag} ${title.slice(0, 60).padEnd(60)} ${title}`

test('codes file: a code of three to seven characters gets its dot, and its title', () => {
  const lines = ['A000    Cholera', 'I10     Essential hypertension', 'S52001A Fracture, closed']
  expect(read(`${lines.join('\r\n')}\r\n`)).toEqual([
    { code: 'A00.0', title: 'Cholera' },
    { code: 'I10', title: 'Essential hypertension' },
    { code: 'S52.001A', title: 'Fracture, closed' },
  ])
  const latin = new Uint8Array([...'H8101   M\xe9ni\xe8re'].map(one => one.charCodeAt(0)))
  expect(readCodes(latin)).toEqual([{ code: 'H81.01', title: 'Ménière' }])
})

test('order file: only billable codes, with their long titles', () => {
  const long = 'Type 2 diabetes mellitus with hyperosmolarity without nonketotic coma, in full'
  const lines = [ordered(1, 'E11', 0, 'Type 2 diabetes'), ordered(2, 'E1100', 1, long)]
  expect(read(lines.join('\n'))).toEqual([{ code: 'E11.00', title: long }])
})

describe('a malformed file is refused with the line number', () => {
  test.each([
    ['A000    Cholera\nA001\n', 'Line 2 doesn’t belong in an ICD-10-CM codes file'],
    ['A000    Cholera\n\nA001    Cholera\n', 'Line 2 doesn’t belong'],
    ['A000    Cholera\n1A00    Cholera\n', 'Line 2 doesn’t belong'],
    ['A000    Cholera\nA000    Again\n', 'Line 2 repeats A00.0, which is on line 1'],
    ['', 'Line 1 doesn’t belong'],
    [
      `${ordered(1, 'A00', 0, 'Cholera')}\n00002 A000    2 x`,
      'Line 2 doesn’t belong in an ICD-10-CM order',
    ],
    [
      `${ordered(1, 'A00', 0, 'Cholera')}\nA000    Cholera`,
      'Line 2 doesn’t belong in an ICD-10-CM order',
    ],
    [ordered(1, 'A00', 0, 'Cholera'), 'Line 1 is the last, and the file has no billable codes'],
    ['<!doctype html>\n<p>Moved.', 'Line 1 doesn’t belong'],
  ])('%j', (text, why) => {
    expect(() => read(text)).toThrow(why)
  })
})

test.each([
  ['icd10cm-codes-2026.txt', 2026],
  ['icd10cm_order_2026.txt', 2026],
  ['icd10cm-codes-April-2025.txt', 2025],
  ['codes.txt', null],
])('the year in %s', (name, year) => {
  expect(yearIn(name)).toBe(year)
})
