import { expect, test } from 'bun:test'
import { soundsLikeEmergency } from './emergency.ts'

test('emergency: words of danger are recognized, in whichever order and form', () => {
  const urgent = [
    'my chest hurts since I took it',
    "she can't breathe",
    'a customer wrote that he wants to die',
    'patient took twenty pills too many',
    'swollen lips after the injection',
    'is this an allergic reaction',
    'she passed out after the shot',
    'sudden loss of vision',
    'he is suicidal',
    'her face is drooping and her arm is numb',
    'is he having a stroke',
    'she will not wake up',
    'his lips turned blue',
    'severe pain in the belly',
    'he says he will end his life',
    'the child is choking',
    'he is hurting himself',
    'she keeps vomiting blood',
    'a customer reports an emergency by chat',
    'patient says his throat is closing up after the shot',
    'she blacked out in the shower',
    'he is turning blue',
    'customer has no pulse',
    'she is gasping for air',
  ]
  expect(urgent.filter(question => !soundsLikeEmergency(question))).toEqual([])
})

test('emergency: words of engineers and editors are not taken for one', () => {
  const calm = [
    'too many requests',
    'kill a process that hangs',
    'end of life of an endpoint',
    'emergency access to records',
    'emergency access to the record of a patient',
    'patient passed validation',
    'face match of an ID',
    'blood pressure in the questionnaire',
    'websocket heartbeat stopped',
    'who takes my call',
    'how to send allergies',
    'pain points of an integration',
    'wake up a worker',
    'family history of stroke in the form',
    'blue theme of the booking page',
    'turn the button blue',
    'black out the address in an export',
    'no heartbeat from the websocket client',
  ]
  expect(calm.filter(soundsLikeEmergency)).toEqual([])
})
