/**
 * A request body as JSON Schema. The server validates requests with these schemas, and the OpenAPI
 * document contains them. They are plain objects, because every start of the service loads them,
 * and TypeBox would slow it down. Credits are decimal numbers.
 */
export interface RequestBodySchema<Body = unknown> {
  /** Never set at run time. It only carries the type of a valid body. */
  readonly passes?: Body
  type: 'object'
  additionalProperties: false
  required: readonly string[]
  properties: Readonly<Record<string, BodyFieldSchema>>
}

/** `means` completes the error message "FIELD must be …". */
export type BodyFieldSchema = Readonly<Record<string, unknown>> & { means: string; description: string }

/** Latest time that a request may contain, in the year 5138. It is exact in milliseconds too. */
export const unixSecondsMax = 99_999_999_999
