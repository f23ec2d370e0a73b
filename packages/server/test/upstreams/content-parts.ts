/** One part of a content list, as Ark and MiniMax define it. */
export interface ContentPart {
  type?: string
  text?: unknown
  role?: string
  image_url?: { url?: unknown }
  video_url?: { url?: unknown }
  audio_url?: { url?: unknown }
}

/**
 * Whether a part is a valid reference video or audio. A video must be a URL; audio may be a data
 * URL.
 */
export function isReferencePart({ type, role, video_url: video, audio_url: audio }: ContentPart): boolean {
  if (type === 'video_url') return role === 'reference_video' && /^https?:/.test(String(video?.url))
  return (
    type === 'audio_url' && role === 'reference_audio' && /^(https?:|data:audio\/[a-z0-9-]+;base64,)/.test(String(audio?.url))
  )
}

/** Whether a request combines frames with references, which providers refuse. */
export function mixesRoles(parts: readonly { role?: string }[]): boolean {
  return parts.some(({ role }) => role?.startsWith('reference_')) && parts.some(({ role }) => role?.endsWith('_frame'))
}
