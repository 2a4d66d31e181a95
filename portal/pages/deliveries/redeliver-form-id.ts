/** The form that the checkboxes of deliveries belong to. */
export const redeliverFormId = 'redeliver'
