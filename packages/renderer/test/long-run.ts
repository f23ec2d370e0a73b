/** Whether a run tests every combination. By default it tests enough of them that each kind occurs. */
export const isLongRun = process.env['FRAMEGATE_LONG_TESTS'] === '1'

/** Returns every `step`th item from index `first` on, or all items in a long run. */
export function pickSome<T>(items: readonly T[], step: number, first = 0): T[] {
  return isLongRun ? [...items] : items.filter((_, index) => index >= first && (index - first) % step === 0)
}
