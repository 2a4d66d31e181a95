// A patient's name wherever staff see it.

type NamedPatient = {
  readonly first_name: string
  readonly middle_name?: string | null
  readonly last_name: string
}

export const patientName = ({ first_name, middle_name, last_name }: NamedPatient): string =>
  [first_name, middle_name, last_name].filter(Boolean).join(' ')

/** `1979-06-02` as `06/02/1979 (47)`, with the age as of the clinic's date `today`. */
export function bornText(born: string, today: Temporal.PlainDate): string {
  const day = Temporal.PlainDate.from(born)
  const { years } = day.until(today, { largestUnit: 'years' })
  return `${dateText(born)} (${years})`
}

/** `1979-06-02` as `06/02/1979`. */
export const dateText = (day: string): string => {
  const [year, month, date] = day.split('-')
  return `${month}/${date}/${year}`
}
