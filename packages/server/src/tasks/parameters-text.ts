import type { Simulation } from '@framegate/contract'
import type { ParsedParameters } from '../catalogue/model.ts'

/** A task's parameters as stored: JSON texts, the pictures apart, for they may take megabytes and only the driver reads them. */
export interface StoredParameters {
  /** Begins with `simulate` and those that the task's view shows, so that a view parses next to nothing. */
  parameters: string
  pictures: string | null
}

export function writeParameters(given: ParsedParameters, simulate: Simulation | null = null): StoredParameters {
  const { seconds, seed, first_frame, last_frame, reference_images, ...others } = given
  const shown = { ...(simulate && { simulate }), ...(seconds !== undefined && { seconds }), ...(seed !== undefined && { seed }) }
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

// A simulation is flat and holds no text of the client's own.
const headPattern = /^\{(?:"simulate":(\{[^{}]*\}))?,?(?:"seconds":(\d{1,9}))?,?(?:"seed":(\d{1,16}))?/

export function readShownParameters(text: string): ShownParameters {
  const [, , seconds, seed] = headPattern.exec(text) ?? []
  return { seconds: seconds === undefined ? null : Number(seconds), seed: seed === undefined ? null : Number(seed) }
}

export function readStoredSimulation(text: string): Simulation | null {
  const [, simulate] = headPattern.exec(text) ?? []
  return simulate === undefined ? null : (JSON.parse(simulate) as Simulation)
}
