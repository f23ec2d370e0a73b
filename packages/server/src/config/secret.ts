import { inspect } from 'node:util'

/**
 * A value that must not appear in any log, error or event. Printing or serializing it yields
 * `[secret]`.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** Returns the value. Callers must not pass it to anything that prints. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [inspect.custom](): string {
    return '[secret]'
  }
}
