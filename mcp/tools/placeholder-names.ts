// Names that assistants send without asking the person. The list is fixed, so a name always gets
// the same result.

const placeholders = new Set([
  'ai',
  'ai agent',
  'ai assistant',
  'agent',
  'anonymous',
  'assistant',
  'bot',
  'chatbot',
  'client',
  'customer',
  'first name',
  'firstname',
  'first_name',
  'guest',
  'n/a',
  'na',
  'name',
  'no name',
  'none',
  'null',
  'placeholder',
  'tbd',
  'test',
  'test user',
  'testuser',
  'the user',
  'undefined',
  'unknown',
  'user',
  'your name',
])

export function isPlaceholderName(name: unknown, email: unknown): boolean {
  if (typeof name !== 'string') return false
  const word = name.trim().toLowerCase().replace(/\s+/g, ' ')
  if (placeholders.has(word)) return true
  return typeof email === 'string' && /^\d+$/.test(word) && email.split('@')[0] === word
}
