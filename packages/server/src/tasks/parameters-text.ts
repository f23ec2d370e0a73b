import type { ParsedParameters } from '../catalogue/model.ts'

/** A task's parameters as stored: JSON texts, the pictures apart, for they may take megabytes and only the driver reads them. */
export interface StoredParameters {
  /** Begins with those that the task's view shows, so that a view parses nothing. */
  parameters: string
  pictures: string | null
}

export function writeParameters(given: ParsedParameters): StoredParameters {
  const { seconds, seed, first_frame, last_frame, reference_images, ...others } = given
  const shown = { ...(seconds !== undefined && { seconds }), ...(seed !== undefined && { seed }) }
  const pictures = {
    ...(first_frame !== undefined && { first_frame }),
    ...(last_frame !== undefined && { last_frame }),
    ...(reference_images !== undefined && { reference_images }),
  }
  return {
    parameters: JSON.stringify({ ...shown, ...others }),
    pictures: Object.keys(pictures).length === 0 ? null : JSON.stringify(pictures),
  }
}

export interface ShownParameters {
  seconds: number | null
  seed: number | null
}

const headPattern = /^\{(?:"seconds":(\d{1,9}))?,?(?:"seed":(\d{1,16}))?/

export function readShownParameters(text: string): ShownParameters {
  const [, seconds, seed] = headPattern.exec(text) ?? []
  return { seconds: seconds === undefined ? null : Number(seconds), seed: seed === undefined ? null : Number(seed) }
}
