import { isObject } from '../lib/is-object.ts'

/** Tokens of a request before an upstream has counted them. */
export interface InputEstimate {
  /** Surely not fewer than there are. Credits are held for this number. */
  atMost: number
  /** The likely number. It is charged if the upstream reports no usage. */
  likely: number
}

/**
 * A text has one token for about four bytes in English and for two to three bytes in other languages.
 * Half of the bytes is more than tokenizers make of any usual text.
 */
const bytesPerToken = { fewest: 2, usual: 4 }

/** Tokens of an image in the highest detail that providers offer. */
const imageTokens = { atMost: 6_000, likely: 1_000 }
/** A second of sound has ten tokens, and at least four kilobytes, which are six of base64. */
const soundBytesPerToken = { fewest: 400, usual: 3_200 }

/** Estimates the tokens of a body, which has this many bytes as JSON. No request has more than `inputMax`, the limit of its model. */
export function estimateInput(body: Readonly<Record<string, unknown>>, bytes: number, inputMax: number): InputEstimate {
  const parts = partsOf(body)
  let dataBytes = 0
  let atMost = 0
  let likely = 0
  for (const part of parts) {
    const { type } = part
    const data = dataOf(part)
    if (type === 'image_url' || type === 'input_image') {
      dataBytes += data
      atMost += imageTokens.atMost
      likely += imageTokens.likely
    } else if (type === 'input_audio') {
      dataBytes += data
      atMost += Math.ceil(data / soundBytesPerToken.fewest)
      likely += Math.ceil(data / soundBytesPerToken.usual)
    } else if (type === 'file' || type === 'input_file') {
      // A document may have any number of pages.
      dataBytes += data
      atMost = inputMax
      likely += imageTokens.likely
    }
  }
  const textBytes = Math.max(0, bytes - dataBytes)
  atMost += Math.ceil(textBytes / bytesPerToken.fewest)
  likely += Math.ceil(textBytes / bytesPerToken.usual)
  return { atMost: Math.min(inputMax, atMost), likely: Math.min(inputMax, likely) }
}

/** The parts of all messages, in either form of OpenAI's API. */
function partsOf({ messages, input }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>[] {
  const items = Array.isArray(messages) ? messages : Array.isArray(input) ? input : []
  return items.flatMap((item: unknown) => {
    const content = isObject(item) ? item['content'] : undefined
    return Array.isArray(content) ? content.filter(isObject) : []
  })
}

/** Bytes of the base64 in a part. */
function dataOf({ image_url, input_audio, file, file_data }: Readonly<Record<string, unknown>>): number {
  const texts = [
    isObject(image_url) ? image_url['url'] : image_url,
    isObject(input_audio) ? input_audio['data'] : undefined,
    isObject(file) ? file['file_data'] : undefined,
    file_data,
  ]
  return texts.reduce((sum: number, text) => sum + (typeof text === 'string' ? text.length : 0), 0)
}
