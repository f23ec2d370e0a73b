/** Limits of what an import reads. Every document of a source is a stranger's. */
export const documentBytesMax = 256 * 1024
/** A ComfyUI server describes each node type with all its choices, such as the names of its files. */
export const nodeTypesBytesMax = 2 * 1024 * 1024
/** A list of models. */
export const listBytesMax = 4 * 1024 * 1024
export const jsonDepthMax = 40
export const jsonItemsMax = 50_000
/** Nesting of one field's schema after every reference is resolved. */
export const schemaDepthMax = 8
/** Schemas of one document after every reference is resolved. */
export const schemasMax = 500
export const fieldsMax = 100
export const choicesMax = 1_000
export const choiceCharactersMax = 200
export const alternativesMax = 8
export const titleCharactersMax = 200
export const descriptionCharactersMax = 2_000
export const textCharactersMax = 100_000
export const listItemsMax = 1_000
/** Endpoints of one family that become the routes of one model. */
export const endpointsMax = 8
export const notesMax = 200
