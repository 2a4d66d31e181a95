/** When a webhook delivery is attempted: the wait in seconds before each attempt, from the end of
 *  the previous one. Nine attempts take 2.86 days. */
export const retrySchedule = [0, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400, 86_400] as const
