/** One part of a list of contents, in the form of Ark and MiniMax. */
export interface ContentPart {
  type?: string
  text?: unknown
  role?: string
  image_url?: { url?: unknown }
  video_url?: { url?: unknown }
  audio_url?: { url?: unknown }
}

/** Whether a video or sound has its role, and the form that it may have: videos by address only. */
export function isReferencePart({ type, role, video_url: video, audio_url: audio }: ContentPart): boolean {
  if (type === 'video_url') return role === 'reference_video' && /^https?:/.test(String(video?.url))
  return (
    type === 'audio_url' && role === 'reference_audio' && /^(https?:|data:audio\/[a-z0-9-]+;base64,)/.test(String(audio?.url))
  )
}

/** Frames and references exclude each other. */
export function mixesRoles(parts: readonly { role?: string }[]): boolean {
  return parts.some(({ role }) => role?.startsWith('reference_')) && parts.some(({ role }) => role?.endsWith('_frame'))
}
