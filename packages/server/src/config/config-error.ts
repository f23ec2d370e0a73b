/**
 * All errors in the settings, found in one pass. The message of each error names the setting and
 * the valid values.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly violations: readonly string[]
  /** Whether an option of the command line has a wrong value. */
  readonly isInvalidOption: boolean

  constructor(violations: readonly string[], { isInvalidOption = false } = {}) {
    super(violations.join('\n'))
    this.violations = violations
    this.isInvalidOption = isInvalidOption
  }
}
