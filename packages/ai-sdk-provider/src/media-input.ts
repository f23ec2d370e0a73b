import type { Framegate } from '@framegate/sdk'

/** A file in a call: bytes, base64, or a URL. */
export type InputFile =
  | { type: 'file'; mediaType: string; data: string | Uint8Array }
  | { type: 'url'; url: string; mediaType?: string | undefined }

/**
 * Maximum base64 length of one image that is sent in the request. Larger images and other files are
 * uploaded as assets.
 */
const inlineCharactersMax = 1024 * 1024

/**
 * Converts a file to the value of a parameter: a URL, a data URI, or `asset:ID` after an upload.
 */
export async function mediaInput(client: Framegate, file: InputFile, signal: AbortSignal | undefined): Promise<string> {
  if (file.type === 'url') return file.url
  const { data, mediaType } = file
  const base64Length = typeof data === 'string' ? data.length : (data.length * 4) / 3
  const isInline = base64Length <= inlineCharactersMax && mediaType.startsWith('image/')
  if (isInline) return `data:${mediaType};base64,${base64Of(data)}`
  const { id } = await client.assets.create({ file: bytesOf(data) }, { signal })
  return `asset:${id}`
}

function base64Of(data: string | Uint8Array): string {
  return typeof data === 'string' ? data : btoa(Array.from(data, (byte) => String.fromCodePoint(byte)).join(''))
}

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? Uint8Array.from(atob(data), (character) => character.charCodeAt(0)) : data
}

/** Whether a file is a video, by its media type, or by the extension of a URL without one. */
export function isVideo(file: InputFile): boolean {
  if (file.mediaType !== undefined) return file.mediaType.startsWith('video/')
  return file.type === 'url' && /\.(mp4|mov|webm)$/i.test(new URL(file.url).pathname)
}
