/** Family of every model that an operator defines. */
export const customFamily = 'custom'

/** Limits of a definition, which may come from an untrusted source. */
export const documentCharactersMax = 256 * 1024
export const idCharactersMax = 128
export const titleCharactersMax = 200
export const descriptionCharactersMax = 4_000
export const parametersMax = 100
/** Maximum nesting depth of a parameter's schema. */
export const schemaDepthMax = 12
/** Maximum number of schemas in one definition, including nested schemas. */
export const schemasMax = 500
export const choicesMax = 2_000
export const choiceCharactersMax = 200
export const alternativesMax = 8
/**
 * Largest `maxLength` and `maxItems` that a schema may set. A text without `maxLength` gets
 * `defaultTextCharactersMax`, and a list without `maxItems` gets `defaultItemsMax`.
 */
export const textCharactersMax = 100_000
export const defaultTextCharactersMax = 10_000
export const itemsMax = 1_000
export const defaultItemsMax = 100
export const examplesMax = 10
export const deadlineSecondsMax = 7 * 24 * 60 * 60
/** Maximum number of violations in one report. */
export const violationsMax = 100
/**
 * Maximum number of models in all files together, and of models in the database. Memory and
 * start-up time grow with the number of models.
 */
export const modelsMax = 10_000
