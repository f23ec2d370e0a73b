/** Whether this run tests every combination. By default, tests choose some with `pickSome`. */
export const isLongRun = process.env['FRAMEGATE_LONG_TESTS'] === '1'

/** Returns every `step`th item, beginning with index `first`. In a long run, returns all items. */
export function pickSome<T>(items: readonly T[], step: number, first = 0): T[] {
  return isLongRun ? [...items] : items.filter((_, index) => index >= first && (index - first) % step === 0)
}
