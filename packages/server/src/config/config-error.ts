/** Everything that is wrong with the settings, found in one go. Each fault names its setting and says what is right. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly string[]
  /** An option of the command line has a wrong value. */
  readonly isWrongOption: boolean

  constructor(faults: readonly string[], { isWrongOption = false } = {}) {
    super(faults.join('\n'))
    this.faults = faults
    this.isWrongOption = isWrongOption
  }
}
