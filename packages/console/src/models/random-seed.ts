import type { ParameterSchema } from '../api/types.ts'

const seedMax = 2 ** 32 - 1

/** Returns a random whole number within the bounds of the schema: by default, at most 32 bits. */
export function randomSeed({ minimum = 0, maximum = seedMax }: Pick<ParameterSchema, 'minimum' | 'maximum'>): number {
  return minimum + Math.floor(Math.random() * (maximum - minimum + 1))
}
