import { isObject } from '../lib/is-object.ts'

/** Estimate of a request's input tokens, before an upstream counts them. */
export interface InputEstimate {
  /** An upper bound, for which credits are held. */
  atMost: number
  /** The likely number, which is charged if the upstream reports no usage. */
  likely: number
}

/**
 * English text has about four bytes per token, other languages two to three. With two bytes per
 * token, the estimate exceeds the actual number for almost any text.
 */
const bytesPerToken = { min: 2, typical: 4 }

/**
 * Number of tokens of an image: the maximum, at the highest detail of any provider, and a typical
 * one.
 */
const imageTokens = { atMost: 6_000, likely: 1_000 }
/**
 * Bytes of base64 per token of sound. A second of sound has ten tokens. Its 3 to 24 kilobytes of
 * compressed data are 4 to 32 kilobytes of base64.
 */
const soundBase64BytesPerToken = { min: 400, typical: 3_200 }

/**
 * Kinds of content parts that are not text. A document, a video, or sound that is sent as a URL may
 * have any number of tokens.
 */
const kindByType: ReadonlyMap<unknown, 'image' | 'sound' | 'unbounded'> = new Map([
  ['image_url', 'image'],
  ['input_image', 'image'],
  ['computer_screenshot', 'image'],
  ['input_audio', 'sound'],
  ['file', 'unbounded'],
  ['input_file', 'unbounded'],
  ['audio_url', 'unbounded'],
  ['video_url', 'unbounded'],
  ['input_video', 'unbounded'],
  ['video', 'unbounded'],
])

/**
 * Estimates the input tokens of a request. `bodyBytes` is the size of the body as JSON, and
 * `inputMax` the model's limit, which the estimate never exceeds.
 */
export function estimateInput(body: Readonly<Record<string, unknown>>, bodyBytes: number, inputMax: number): InputEstimate {
  let dataBytes = 0
  let atMost = 0
  let likely = 0
  for (const part of partsOf(body)) {
    const kind = kindOf(part)
    if (kind === undefined) continue
    const partBytes = dataBytesOf(part)
    dataBytes += partBytes
    if (kind === 'sound') {
      atMost += Math.ceil(partBytes / soundBase64BytesPerToken.min)
      likely += Math.ceil(partBytes / soundBase64BytesPerToken.typical)
    } else {
      atMost += kind === 'image' ? imageTokens.atMost : inputMax
      likely += imageTokens.likely
    }
  }
  const textBytes = Math.max(0, bodyBytes - dataBytes)
  atMost += Math.ceil(textBytes / bytesPerToken.min)
  likely += Math.ceil(textBytes / bytesPerToken.typical)
  return { atMost: Math.min(inputMax, atMost), likely: Math.min(inputMax, likely) }
}

function kindOf(part: Readonly<Record<string, unknown>>): 'image' | 'sound' | 'unbounded' | undefined {
  // Some upstreams accept a part without a type, and recognize it by the name of its field.
  const kind = [part['type'], ...Object.keys(part)].map((name) => kindByType.get(name)).find((found) => found !== undefined)
  return kind === 'sound' && !hasInlineSound(part) ? 'unbounded' : kind
}

/** Whether a part contains the sound itself. Some upstreams also accept a URL in this field. */
function hasInlineSound({ input_audio: sound }: Readonly<Record<string, unknown>>): boolean {
  const data = isObject(sound) ? sound['data'] : undefined
  // Base64 has no colon.
  return typeof data === 'string' && (data.startsWith('data:') || !data.includes(':'))
}

/**
 * Returns the content parts of all messages and outputs of tools, for both the Chat Completions and
 * the Responses API. An input of the Moderations API is a list of parts. Includes the parts of both
 * `messages` and `input`, because it is unknown which of them an upstream reads.
 */
function partsOf({ messages, input }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>[] {
  return [messages, input]
    .flat()
    .filter(isObject)
    .flatMap((item) => [item, item['content'], item['output']].flat().filter(isObject))
}

/** Length of the URLs and the base64 data in a content part, which are not text. */
function dataBytesOf({
  image_url,
  audio_url,
  video_url,
  input_audio,
  file,
  file_data,
}: Readonly<Record<string, unknown>>): number {
  const texts = [
    ...[image_url, audio_url, video_url].map((value) => (isObject(value) ? value['url'] : value)),
    isObject(input_audio) ? input_audio['data'] : undefined,
    isObject(file) ? file['file_data'] : undefined,
    file_data,
  ]
  return texts.reduce((sum: number, text) => sum + (typeof text === 'string' ? text.length : 0), 0)
}
