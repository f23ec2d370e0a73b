/** Reports all invalid settings together. Each violation names the setting and the valid values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly violations: readonly string[]
  /** Whether a command-line option has an invalid value. */
  readonly isInvalidOption: boolean

  constructor(violations: readonly string[], { isInvalidOption = false } = {}) {
    super(violations.join('\n'))
    this.violations = violations
    this.isInvalidOption = isInvalidOption
  }
}
