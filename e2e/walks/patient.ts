/** A synthetic patient's details. */
export const patientNamed = (last_name: string, state = 'CA') => ({
  first_name: 'Ada',
  last_name,
  date_of_birth: '1988-03-14',
  sex_at_birth: 'female',
  email: 'ada@example.com',
  phone: '+14155550142',
  address: { line1: '1600 Stockton Street', city: 'San Francisco', state, postal_code: '94133' },
})
