import { expect, test } from 'bun:test'
import { bmiOf, readAnswers } from './intake.ts'

const answers = (...given: [string, string][]) =>
  given.map(([question, answer], at) => ({ id: `q${at}`, question, answer }))

test('answers that report something come first, starting with the banner’s', () => {
  const read = readAnswers(
    answers(
      ['When did it begin?', 'In May.'],
      ['Do you have any allergies?', 'None.'],
      ['Are you pregnant?', 'Yes, 12 weeks'],
      ['Which other medications do you take?', 'Lisinopril'],
    ),
    [],
  )
  expect(read.map(({ slot, isTelling }) => [slot, isTelling])).toEqual([
    ['Pregnancy', true],
    ['Current medications', true],
    [null, true],
    ['Allergies', false],
  ])
})

test('a clinic chooses answers by ID and by words, instead of the preset', () => {
  const rule = {
    id: 'txt',
    kind: 'banner',
    name: 'Allergies',
    body: 'q0\nreact badly',
    is_own: false,
  } as const
  const read = readAnswers(
    answers(
      ['Anything else?', 'Penicillin'],
      ['What do you react badly to?', 'Nuts'],
      ['Allergies?', 'Cats'],
    ),
    [rule],
  )
  expect(read.map(({ id, slot }) => [id, slot])).toEqual([
    ['q0', 'Allergies'],
    ['q1', 'Allergies'],
    ['q2', null],
  ])
})

test.each([
  ['What is your height?', '5 ft 10 in', 'What is your weight?', '210 lbs', '30.1'],
  ['What is your height?', `5'10"`, 'What is your current weight?', '95.3 kg', '30.1'],
  ['How tall are you?', '178 cm', 'How much do you weigh?', '95 kg', '30.0'],
  ['How tall are you?', '1.78 m', 'How much do you weigh?', '95 kg', '30.0'],
  ['Height (cm)', '178', 'Weight (kg)', '95', '30.0'],
  ['Height (in)', '70', 'Weight (lb)', '210', '30.1'],
  ['How tall are you?', '178', 'How much do you weigh?', '95', null],
  ['How tall are you?', 'tall', 'How much do you weigh?', '95 kg', null],
  ['How tall are you?', '17 cm', 'How much do you weigh?', '95 kg', null],
])('BMI: %s %s, %s %s: %s', (tall, height, heavy, weight, bmi) => {
  expect(bmiOf(readAnswers(answers([tall, height], [heavy, weight]), []))).toBe(bmi)
})
