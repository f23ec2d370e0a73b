import { readFileSync } from 'node:fs'

/** The service under test, and an image to upload. */
export const baseUrl = setting('FRAMEGATE_URL')
export const apiKey = setting('FRAMEGATE_API_KEY')
export const accountName = setting('FRAMEGATE_ACCOUNT_NAME')
const bytes = readFileSync(setting('FRAMEGATE_IMAGE'))
export const image = new Blob([bytes], { type: 'image/png' })
export const imageUri = `data:image/png;base64,${bytes.toString('base64')}`

export function check(what: string, isRight: boolean): asserts isRight {
  if (!isRight) throw new Error(`${what} is not as expected`)
}

function setting(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}
