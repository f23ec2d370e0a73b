/** Limits of the documents that an import reads. Every document of a source is untrusted. */
export const documentBytesMax = 256 * 1024
/**
 * Maximum size of the node types of a ComfyUI server. It is above the maximum of other documents,
 * because the server lists all choices of each node type, such as the names of its files.
 */
export const nodeTypesBytesMax = 2 * 1024 * 1024
/** Maximum size of a list of models. */
export const listBytesMax = 4 * 1024 * 1024
export const jsonDepthMax = 40
export const jsonItemsMax = 50_000
/** Maximum nesting depth of one field's schema after every reference is resolved. */
export const schemaDepthMax = 8
/** Maximum number of schemas in one document after every reference is resolved. */
export const schemasMax = 500
export const fieldsMax = 100
export const choicesMax = 1_000
export const choiceCharactersMax = 200
export const alternativesMax = 8
export const titleCharactersMax = 200
export const descriptionCharactersMax = 2_000
export const textCharactersMax = 100_000
export const listItemsMax = 1_000
/** Maximum number of endpoints of one family that become the routes of one model. */
export const endpointsMax = 8
export const notesMax = 200
