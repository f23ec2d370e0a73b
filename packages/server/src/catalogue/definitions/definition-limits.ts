/** Family of every model that an operator defines. */
export const customFamily = 'custom'

/** Limits of a definition, which may come from an untrusted source. */
export const documentCharactersMax = 256 * 1024
export const idCharactersMax = 128
export const titleCharactersMax = 200
export const descriptionCharactersMax = 4_000
export const parametersMax = 100
/** Nesting of a parameter's schema. */
export const schemaDepthMax = 12
/** Schemas in one definition, nested ones included. */
export const schemasMax = 500
export const choicesMax = 2_000
export const choiceCharactersMax = 200
export const alternativesMax = 8
/** Bounds for values of requests; also the default where a schema has none. */
export const textCharactersMax = 100_000
export const defaultTextCharacters = 10_000
export const itemsMax = 1_000
export const defaultItems = 100
export const examplesMax = 10
export const deadlineSecondsMax = 7 * 24 * 60 * 60
/** Violations reported at once. */
export const violationsMax = 100
/**
 * Models in all files, and models in the database. Memory and start-up time grow with their number.
 */
export const modelsMax = 10_000
