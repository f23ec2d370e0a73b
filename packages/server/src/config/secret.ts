import { inspect } from 'node:util'

/** A value that must appear in no log, error or event: every way of printing it shows `[secret]`. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The only way to the value; whoever calls it must not pass it on to anything that prints. */
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
