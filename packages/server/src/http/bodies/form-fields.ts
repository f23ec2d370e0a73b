import { AppError } from '../../lib/app-error.ts'
import { isPrototypeName } from '../../lib/prototype-names.ts'
import { truncate } from '../../lib/truncate.ts'

const levelsMax = 4
const namePattern = /^([^[\]]{1,128})((?:\[[^[\]]{0,128}\])*)$/

type Branch = { [name: string]: unknown }

/**
 * Builds an object from the fields of a form. A field's name is a path in the notation of OpenAI's
 * official clients: `prompt`, `metadata[a][b]`, or `images[]` for each item of a list.
 */
export class FormFields {
  readonly #fields: Branch = {}

  /**
   * Adds a field. Throws an `AppError` if the name is not a valid path, or if the path already has
   * a value.
   */
  add(name: string, text: string): void {
    const [, firstStep = '', suffix = ''] = namePattern.exec(name) ?? []
    const path = [firstStep, ...(suffix === '' ? [] : suffix.slice(1, -1).split(']['))]
    if (firstStep === '' || path.length > levelsMax || path.some(isPrototypeName)) throw invalidName(name)
    const isItem = path.at(-1) === ''
    const steps = isItem ? path.slice(0, -1) : path
    const lastStep = steps.pop() ?? ''
    if (steps.includes('') || lastStep === '') throw invalidName(name)
    let branch = this.#fields
    for (const step of steps) {
      const child = Object.hasOwn(branch, step) ? branch[step] : (branch[step] = {})
      if (typeof child !== 'object' || child === null || Array.isArray(child)) throw duplicateField(name)
      branch = child as Branch
    }
    const existingValue = Object.hasOwn(branch, lastStep) ? branch[lastStep] : undefined
    if (!isItem) {
      if (existingValue !== undefined) throw duplicateField(name)
      branch[lastStep] = text
    } else if (existingValue === undefined) branch[lastStep] = [text]
    else if (Array.isArray(existingValue)) existingValue.push(text)
    else throw duplicateField(name)
  }

  /** Returns the fields by name. Values are strings, lists or nested objects. */
  read(): Record<string, unknown> {
    return this.#fields
  }
}

function invalidName(name: string): AppError {
  const shortName = truncate(name, 64)
  return new AppError('invalid_request', `The form has a part named '${shortName}', which is not the name of a field.`, {
    param: shortName,
  })
}

function duplicateField(name: string): AppError {
  const shortName = truncate(name, 64)
  return new AppError('invalid_request', `The form has more than one value for '${shortName}'.`, { param: shortName })
}
