/** The seconds to wait before each attempt of a webhook delivery, from the end of the previous
 *  attempt. Nine attempts take 2.86 days. */
export const retrySchedule = [0, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400, 86_400] as const
