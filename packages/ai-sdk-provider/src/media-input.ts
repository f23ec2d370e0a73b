import type { Framegate } from '@framegate/sdk'

/** A file in a call: bytes, base64, or a URL. */
export type InputFile =
  | { type: 'file'; mediaType: string; data: string | Uint8Array }
  | { type: 'url'; url: string; mediaType?: string | undefined }

/** Maximum length of base64 in a request. Larger files are uploaded as assets. */
const inlineCharactersMax = 1024 * 1024

/** Converts a file to a parameter: a URL, a data URI, or an asset that is uploaded first. */
export async function mediaInput(client: Framegate, file: InputFile, signal: AbortSignal | undefined): Promise<string> {
  if (file.type === 'url') return file.url
  const { data, mediaType } = file
  const isSmall = (typeof data === 'string' ? data.length : (data.length * 4) / 3) <= inlineCharactersMax
  if (isSmall && mediaType.startsWith('image/')) return `data:${mediaType};base64,${base64Of(data)}`
  const { id } = await client.assets.create({ file: bytesOf(data) }, { signal })
  return `asset:${id}`
}

function base64Of(data: string | Uint8Array): string {
  return typeof data === 'string' ? data : btoa(Array.from(data, (byte) => String.fromCodePoint(byte)).join(''))
}

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? Uint8Array.from(atob(data), (character) => character.charCodeAt(0)) : data
}

/** Returns the media type of a file, for parameters that accept only one. */
export function isVideo(file: InputFile): boolean {
  if (file.mediaType !== undefined) return file.mediaType.startsWith('video/')
  return file.type === 'url' && /\.(mp4|mov|webm)$/i.test(new URL(file.url).pathname)
}
